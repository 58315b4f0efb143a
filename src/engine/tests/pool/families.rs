//! Test environments whose states are not small serde structs: memory of a C library, and worlds that are solved together.

pub mod c_library;
pub mod solved_together;

use super::*;
