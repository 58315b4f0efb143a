//! Environments for tests of pools, wrappers and trainers.
//!
//! Lists of tasks hide them by the `test/` prefix of their ids.

pub mod echo;
pub mod scripted;
