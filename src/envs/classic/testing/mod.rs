//! Environments for tests of pools, wrappers and trainers.
//!
//! Lists of tasks omit them, because their ids start with `test/`.

pub mod echo;
pub mod scripted;
