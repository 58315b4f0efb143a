//! Serialization of environment states.

use serde::{Serialize, de::DeserializeOwned};

use crate::contract::error::{Error, Result};

/// Returns the error for bytes that do not hold a state of this pool's environments.
pub fn refused_state(why: &str) -> Error {
    Error::Value(format!(
        "state: expected a snapshot that fits this pool, but {why}; get_state() of a pool with the same task and options returns one"
    ))
}

/// Appends the serialized `value` to `bytes`.
pub fn write_value<T: Serialize>(bytes: &mut Vec<u8>, value: &T) {
    let encoded = postcard::to_stdvec(value).expect("states are plain data, which always encodes");
    bytes.extend_from_slice(&encoded);
}

/// Reads a value that [`write_value`] wrote from the front of `bytes`, and advances `bytes`.
///
/// # Errors
/// `Value` if the bytes do not start with such a value.
pub fn read_value<T: DeserializeOwned>(bytes: &mut &[u8]) -> Result<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).map_err(|error| refused_state(&error.to_string()))?;
    *bytes = rest;
    Ok(value)
}
