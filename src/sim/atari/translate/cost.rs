//! What translations have cost.

use std::time::Duration;

/// Bytes of code that a cartridge's translations come to before they are thrown away, and those that are needed then are made anew.
pub(crate) const MOST_BYTES: usize = 4 << 20;

/// Code that has been made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Bytes of it that there are.
    pub bytes: usize,
    /// In how many pieces it was made.
    pub pieces: usize,
    /// How many times it was begun with: once, and whenever it had become too much.
    pub generations: usize,
    /// How long that took.
    pub time: Duration,
}
