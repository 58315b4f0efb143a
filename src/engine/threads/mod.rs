//! Threads: waiting, cost estimates, locks, floating-point mode, forks and interrupts.

pub mod cost;
pub mod exclusive;
pub mod float_mode;
pub mod fork;
pub mod helper;
pub mod idle;
pub mod interrupts;
pub mod owned_mutex;
pub mod until_left;
