//! Pools whose lanes (environments) run in worker processes: a [`LaneBackend`](envpool_rs_engine::LaneBackend) over the shared
//! memory of [`envpool_rs_transport`].
//!
//! The pool manages ids, batches, episodes, deadlines and failures. The implementation of [`ProcessSupervisor`] starts, watches
//! and ends the processes. The pool's user and the processes agree on the meaning of actions and infos.

mod env_closer;
mod error;
mod loss_search;
mod process_supervisor;
mod worker_backend;
mod worker_payload;

pub use env_closer::EnvCloser;
pub use loss_search::LossSearch;
pub use process_supervisor::ProcessSupervisor;
pub use worker_backend::{ActionWireFormat, WorkerBackend};
pub use worker_payload::WorkerPayload;
