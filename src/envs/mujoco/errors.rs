//! Errors of MuJoCo as errors of the engine. Functions that return a [`Fault`] return what MuJoCo reports.

use envpool_rs_engine::Error;
use envpool_rs_sim_mujoco::Fault;

/// Returns the error that MuJoCo's library has not been opened.
pub fn library_error() -> Error {
    Error::NotFound("MuJoCo's library has not been opened: expected sim::mujoco::install before this".into())
}

/// Converts an error of MuJoCo to an engine error.
pub fn to_error(fault: Fault) -> Error {
    match fault {
        Fault::Library(_) | Fault::Unmade { .. } => Error::NotFound(fault.to_string()),
        Fault::OtherModel(_) => Error::Value(fault.to_string()),
        Fault::Model { .. } => Error::Value(format!("xml_file is no model that MuJoCo takes: {fault}")),
        Fault::MujocoError(_) | Fault::Threads(_) | Fault::MujocoWarning(_) | Fault::Rendering(_) => {
            Error::State(fault.to_string())
        }
    }
}
