//! Threads: who waits how, what work costs, who may be where, forks and interrupts.

pub mod cost;
pub mod exclusive;
pub mod fork;
pub mod idle;
pub mod interrupts;
