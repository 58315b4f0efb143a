//! Loads libraries, checks their tables, and runs their environments as tasks of the engine.
//!
//! | module | contents |
//! |---|---|
//! | `table` | copies of a library's structs, and the form of refusals |
//! | `describe` | arrays and options as the engine's spaces, infos and option specifications |
//! | `functions` | functions of the pool for libraries |
//! | `numba` | functions of the pool for tasks that Numba compiles |
//! | `elf` | sizes of shared libraries on Linux |
//! | `env` | a task with its options fixed |
//! | `foreign_env` | an environment as the engine's `ForeignEnv` |
//! | `memory` | states and random streams of lanes |
//! | `call` | calls of a library's functions |
//! | `current_call` | record of the functions that threads are calling |
//! | `lanes` | lanes of a pool |
//! | `states` | snapshots of lanes |
//! | `library` | loaded libraries |
//! | `check` | checks of a library's calls |

mod call;
mod check;
mod current_call;
mod describe;
mod elf;
mod env;
mod foreign_env;
mod functions;
mod lanes;
mod library;
mod memory;
mod numba;
mod states;
mod table;

pub use check::{Finding, check_task};
pub use current_call::record_calls;
pub use library::{LibraryInfo, libraries, load_file, load_table};
pub use numba::numba_functions;
