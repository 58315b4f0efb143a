//! Converts transport errors to engine errors.

use std::io::ErrorKind;

use envpool_rs_engine as engine;
use envpool_rs_transport as transport;

/// Converts a transport error to an engine error.
pub fn engine_error(error: transport::Error) -> engine::Error {
    let text = error.to_string();
    match error {
        transport::Error::Value(_) => engine::Error::Value(text),
        transport::Error::Index(_) => engine::Error::Index(text),
        transport::Error::System { source, .. } if source.kind() == ErrorKind::OutOfMemory => engine::Error::Memory(text),
        transport::Error::Interrupted => engine::Error::Interrupted,
        transport::Error::State(_) | transport::Error::System { .. } => engine::Error::State(text),
    }
}
