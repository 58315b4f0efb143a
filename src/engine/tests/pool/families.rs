//! Test environments whose states are not small serde structs. Modules: memory of a C library, worlds that are stepped together,
//! and an environment whose functions run several lanes in each call.

pub mod c_library;
pub mod foreign_counter;
pub mod solved_together;

use super::*;
