//! Families that are not small structs of serde's: the memory of a C library, worlds that are solved several at a time.

pub mod c_library;
pub mod solved_together;

use super::*;
