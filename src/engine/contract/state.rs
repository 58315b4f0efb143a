//! Serialization of environment states.

use postcard::ser_flavors::Flavor;
use serde::{Deserialize, Serialize};

use crate::contract::error::{Error, Result};
use crate::contract::memory::{check_headroom, refused_memory};

/// Returns the error for bytes that do not hold a state of this pool's environments.
pub fn refused_state(why: &str) -> Error {
    Error::Value(format!(
        "state: expected a snapshot that fits this pool, but {why}; get_state() of a pool with the same task and options returns one"
    ))
}

/// Appends the serialized `value` to `bytes`.
///
/// # Errors
/// `Memory` if the system refuses the memory for it; `bytes` are then unchanged.
pub fn write_value<T: Serialize>(bytes: &mut Vec<u8>, value: &T) -> Result<()> {
    let start = bytes.len();
    match postcard::serialize_with_flavor(value, GrowingBytes(bytes)) {
        Ok(()) => Ok(()),
        Err(postcard::Error::SerializeBufferFull) => {
            let written = bytes.len();
            bytes.truncate(start);
            Err(refused_memory(written, "a state"))
        }
        Err(error) => panic!("states are plain data, which always encodes: {error}"),
    }
}

/// Output of postcard that reports refused memory as a full buffer.
struct GrowingBytes<'a>(&'a mut Vec<u8>);

impl Flavor for GrowingBytes<'_> {
    type Output = ();

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.try_extend(&[byte])
    }

    #[inline]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.try_reserve(bytes.len()).map_err(|_| postcard::Error::SerializeBufferFull)?;
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

/// Checks that the system provides the memory to decode `len` bytes with [`read_value`], whose `Vec`s grow without such a check.
///
/// # Errors
/// `Memory` if it does not.
pub fn check_decodable(len: usize) -> Result<()> {
    check_headroom(decoded_bytes(len), || "a state".to_owned())
}

/// Returns how many bytes of memory a value of `len` serialized bytes takes at most: an integer of 8 bytes takes one if it is small,
/// and a `Vec` doubles when it grows.
pub fn decoded_bytes(len: usize) -> usize {
    len.saturating_mul(16)
}

/// Reads a value that [`write_value`] wrote from the front of `bytes`, and advances `bytes`.
///
/// # Errors
/// `Value` if the bytes do not start with such a value.
pub fn read_value<'a, T: Deserialize<'a>>(bytes: &mut &'a [u8]) -> Result<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).map_err(|error| refused_state(&error.to_string()))?;
    *bytes = rest;
    Ok(value)
}
