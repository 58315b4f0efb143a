//! Test environments whose states are not small serde structs: memory of a C library, worlds that are solved together, and
//! lanes that an environment gets several of in each call.

pub mod c_library;
pub mod foreign_counter;
pub mod solved_together;

use super::*;
