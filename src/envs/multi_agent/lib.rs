//! Environments of cooperating players on a grid: level-based foraging, and a multi-robot warehouse.
//!
//! All players share one space, and each has a row in observations, actions and rewards. The families share the grid
//! (`grid`), and the writers of observations and action masks (`agents`).

mod agents;
mod grid;
#[cfg(feature = "lbf")]
pub mod lbf;
#[cfg(feature = "rware")]
pub mod rware;
