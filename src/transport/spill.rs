//! File ranges for messages that are longer than their slots.

/// Direction of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the caller to the environment's process.
    Request = 0,
    /// From the environment's process to the caller.
    Reply = 1,
}

/// File offset of the ranges for long messages, after all rows. The file is sparse: only written ranges take memory.
pub const SPILL: u64 = 1 << 40;

/// Size of the range for one long message in bytes.
pub const SPILL_BYTES: u64 = 1 << 32;

/// Whether long messages are supported, which requires files that are sparse by default.
pub const CAN_SPILL: bool = cfg!(unix);

/// Returns the length in bytes of a file with ranges for the long messages of `num_envs` environments.
pub fn file_bytes(num_envs: usize) -> u64 {
    if CAN_SPILL { SPILL + 2 * num_envs as u64 * SPILL_BYTES } else { 0 }
}
