//! Environments in shared libraries (plugins), which pools call through a C interface.
//!
//! | module | contents | feature |
//! |---|---|---|
//! | [`abi`] | the structs of `include/envpool_rs.h` | |
//! | `host` | loads libraries, checks their tables, and plays their environments as tasks of the engine | `host` |
//! | `export` | tables for environments that implement the engine's traits | `export` |

pub mod abi;
#[cfg(any(feature = "export", feature = "host"))]
mod error_text;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "host")]
pub mod host;
#[cfg(any(feature = "export", feature = "host"))]
mod random;

/// Text of the C header, for programs that write the header to a folder.
pub const HEADER: &str = include_str!("include/envpool_rs.h");
