//! Where messages lie that are longer than their slots.

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the caller to the environment's process.
    Request = 0,
    /// Back.
    Reply = 1,
}

/// Where the parts for long messages begin in the file: behind all rows. The file has holes: only what is written takes memory.
pub const SPILL: u64 = 1 << 40;

/// Room for one long message.
pub const SPILL_BYTES: u64 = 1 << 32;

/// Systems without sparse files by default: no long messages there.
pub const CAN_SPILL: bool = cfg!(unix);

/// The length of a file that holds the messages of so many environments.
pub fn file_bytes(num_envs: usize) -> u64 {
    if CAN_SPILL { SPILL + 2 * num_envs as u64 * SPILL_BYTES } else { 0 }
}
