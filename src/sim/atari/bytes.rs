//! Serialization and deserialization with serde of byte arrays of any length. Serde itself supports arrays of up to 32
//! elements.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(super) fn serialize<S: Serializer, const N: usize>(bytes: &[u8; N], serializer: S) -> Result<S::Ok, S::Error> {
    bytes.as_slice().serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(deserializer: D) -> Result<[u8; N], D::Error> {
    let bytes = Vec::<u8>::deserialize(deserializer)?;
    let found = bytes.len();
    bytes.try_into().map_err(|_| serde::de::Error::invalid_length(found, &"as many bytes as the memory has"))
}
