//! Environments that a backend runs: their pools' specs, actions, results, and conversion of payloads and errors.

mod actions;
mod client;
mod failures;
mod inside;
mod objects;
mod processes;
mod remote;
mod replies;
mod shown;
mod spec;
mod workers;

pub use actions::Reader;
pub use client::WorkerClient;
pub use failures::{Failures, Interruptions};
pub use inside::Inside;
pub use remote::{RemoteHost, RemoteSpec};
pub use shown::{Ended, Shown};
pub use spec::OutsideSpec;
pub use workers::Workers;
