//! What translations have cost.

use std::time::Duration;

/// Code that has been made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Bytes of it.
    pub bytes: usize,
    /// In how many pieces it was made.
    pub pieces: usize,
    /// How long that took.
    pub time: Duration,
}
