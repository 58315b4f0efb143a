//! Environments for tests of pools, wrappers and trainers.
//!
//! Lists of tasks omit these environments, because their ids start with `test/`.

pub mod echo;
pub mod scripted;
