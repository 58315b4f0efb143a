//! Environments in a backend: specs of their pools, actions, results, and conversion of payloads and errors.

mod actions;
mod client;
mod failures;
mod inside;
mod objects;
mod processes;
mod recycled_step;
mod remote;
mod replies;
mod shown;
mod spec;
mod workers;

pub use actions::ActionParser;
pub use client::WorkerClient;
pub use failures::{ExceptionMapper, InterruptCheck};
pub use inside::ReentrancyFlag;
pub use remote::{RemoteHost, RemoteSpec};
pub use shown::{FinalRows, ResultAdapter};
pub use spec::OutsideSpec;
pub use workers::Workers;
