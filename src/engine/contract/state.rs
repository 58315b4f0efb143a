//! How the state of an environment becomes bytes, and comes back.

use serde::{Serialize, de::DeserializeOwned};

use crate::contract::error::{Error, Result};

/// The error for bytes that are not a state of this pool's environments.
pub fn refused_state(why: &str) -> Error {
    Error::Value(format!("state: not a snapshot that this pool can take: {why}"))
}

/// Appends `value` to `bytes`.
pub fn write_value<T: Serialize>(bytes: &mut Vec<u8>, value: &T) {
    let encoded = postcard::to_stdvec(value).expect("states are plain data, which always encodes");
    bytes.extend_from_slice(&encoded);
}

/// Takes a value that [`write_value`] wrote off the front of `bytes`.
///
/// # Errors
/// `Value` where there is none.
pub fn read_value<T: DeserializeOwned>(bytes: &mut &[u8]) -> Result<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).map_err(|error| refused_state(&error.to_string()))?;
    *bytes = rest;
    Ok(value)
}
