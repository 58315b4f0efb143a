//! Environments for testing what is built on top, hidden from lists of tasks by the prefix of their ids.

pub mod echo;
pub mod scripted;
