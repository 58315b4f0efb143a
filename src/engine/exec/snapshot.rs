//! Snapshot format, which encodes the state of one environment as bytes.
//!
//! A snapshot is `MAGIC`, the CRC-32 of all later bytes (little-endian), and a [`Snapshot`] in postcard's encoding. It contains
//! the task's name and options, so that a state is only restored into an environment of the same task.

use std::borrow::Cow;

use serde::{Deserialize, Serialize, Serializer};

use crate::contract::error::Result;
use crate::contract::memory::{copy_of, refused_memory};
use crate::contract::state::{read_value, refused_state as refused, write_value};
use crate::results::normalize::SavedNormalization;

/// Format and version marker at the start of each snapshot. Change it with every change of the format.
const MAGIC: [u8; 4] = *b"EPR4";

/// Version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Largest number of bytes of the fields of fixed size.
const FIXED: usize = 128;

/// State of one environment: the engine's data, and the environment's data as bytes.
#[derive(Debug, Serialize, Deserialize)]
pub struct Snapshot<'a> {
    /// Task and options of the environment.
    pub task: &'a str,
    /// Version of this crate, because environments may change between versions.
    pub version: &'a str,
    /// [`Phase`](super::lane_table::Phase) of the lane.
    pub phase: u8,
    /// Number of steps since the last reset.
    pub elapsed: i32,
    /// Seed that was last set for the lane, and whether the next reset passes it to the environment.
    pub seed: (u64, bool),
    /// Return (as bits of a float64), length, and age in seconds (as bits of a float64) of the current episode.
    pub episode: (u64, i32, u64),
    /// Serialized state and random stream of the environment.
    #[serde(borrow, serialize_with = "write_bytes")]
    pub state: Cow<'a, [u8]>,
    /// Discounted returns of the lane, and statistics of its pool; `None` unless the pool normalises results.
    pub normalization: Option<SavedNormalization>,
}

/// Serializes bytes as postcard serializes a sequence of them, but in one piece.
fn write_bytes<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

impl<'a> Snapshot<'a> {
    /// Encodes the snapshot as bytes.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory for the bytes.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let (mut bytes, expected) = (Vec::new(), FIXED + self.task.len() + self.state.len());
        bytes.try_reserve_exact(expected).map_err(|_| refused_memory(expected, "a state"))?;
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&[0; size_of::<u32>()]);
        let body = bytes.len();
        write_value(&mut bytes, self)?;
        let checksum = crc32fast::hash(&bytes[body..]).to_le_bytes();
        bytes[MAGIC.len()..body].copy_from_slice(&checksum);
        Ok(bytes)
    }

    /// Returns a copy that borrows nothing but the name `task`, which is the snapshot's.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory for the copy.
    pub fn copied(self, task: &str) -> Result<Snapshot<'_>> {
        Ok(Snapshot { task, version: VERSION, state: Cow::Owned(copy_of(&self.state, "a state")?), ..self })
    }

    /// Decodes a snapshot.
    ///
    /// # Errors
    /// `Value` if the bytes are damaged, or have another format, task, options or version.
    pub fn decode(bytes: &'a [u8], task: &str) -> Result<Self> {
        let Some((magic, rest)) = bytes.split_first_chunk::<4>() else { return Err(refused("it is too short")) };
        let Some((checksum, body)) = rest.split_first_chunk::<4>() else { return Err(refused("it is too short")) };
        if *magic != MAGIC {
            return Err(refused("it is of another format"));
        }
        if crc32fast::hash(body).to_le_bytes() != *checksum {
            return Err(refused("it is damaged"));
        }
        let mut rest = body;
        let snapshot: Self = read_value(&mut rest)?;
        if !rest.is_empty() {
            return Err(refused("bytes are left over"));
        }
        if snapshot.version != VERSION {
            return Err(refused(&format!("it comes from version {}", snapshot.version)));
        }
        if snapshot.task != task {
            return Err(refused(&format!("it is of {}, the pool plays {task}", snapshot.task)));
        }
        Ok(snapshot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Snapshot<'static> {
        Snapshot {
            task: "T-v0{}",
            version: VERSION,
            phase: 1,
            elapsed: 7,
            seed: (3, false),
            episode: (0, 7, 0),
            state: vec![1, 2, 3].into(),
            normalization: None,
        }
    }

    #[test]
    fn a_snapshot_survives_the_round_trip() {
        let bytes = sample().encode().unwrap();
        let decoded = Snapshot::decode(&bytes, "T-v0{}").unwrap();
        assert_eq!((decoded.phase, decoded.elapsed, &decoded.state[..]), (1, 7, &[1, 2, 3][..]));
        assert!(matches!(decoded.state, Cow::Borrowed(_)), "the state is copied");
    }

    #[test]
    fn a_snapshot_of_another_task_is_refused() {
        let error = Snapshot::decode(&sample().encode().unwrap(), "T-v1{}").unwrap_err();
        assert!(error.to_string().contains("it is of T-v0{}, the pool plays T-v1{}"), "{error}");
    }

    #[test]
    fn every_flipped_bit_and_every_truncation_is_detected() {
        let bytes = sample().encode().unwrap();
        for length in 0..bytes.len() {
            assert!(Snapshot::decode(&bytes[..length], "T-v0{}").is_err(), "cut to {length} bytes");
        }
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Snapshot::decode(&damaged, "T-v0{}").is_err(), "bit {bit} flipped");
        }
    }
}
