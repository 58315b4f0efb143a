//! Families that are not small structs of serde's: the memory of a C library, worlds that are solved several at a time.

mod c_library;
mod solved_together;

use super::*;
