//! Error that MuJoCo's library has not been opened.

use envpool_rs_engine::Error;

/// Returns the error that MuJoCo's library has not been opened.
pub fn library_error() -> Error {
    Error::NotFound("MuJoCo's library has not been opened: expected sim::mujoco::install before this".into())
}
