//! Environments of worker processes as the lanes of a pool: [`Outside`](envpool_rs_engine::Outside) over [`envpool_rs_transport`].
//!
//! The pool keeps ids, batches, episodes, deadlines and failures; processes are started, looked after and ended by whoever implements
//! [`Processes`]; what actions and infos mean is between the pool's user and the processes.

mod error;
mod loss_search;
mod processes;
mod told;
mod worker_lanes;

pub use loss_search::LossSearch;
pub use processes::{Lost, Processes};
pub use told::Told;
pub use worker_lanes::{ActionForm, WorkerLanes};
