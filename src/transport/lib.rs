//! Transport to environments in other processes: shared memory, requests, wake-ups, TCP connections.
//!
//! One process (the *caller*) posts requests, and the others (the *workers*) execute them. Each environment belongs to one
//! worker, or to the caller itself. All data goes through one shared [`ShmSegment`]: control words, one message slot per
//! environment and direction, and rows for observations. There is no pipe that could fill up, and no file name that could remain
//! after a crash. The transport does not interpret actions and observations.
//!
//! `README.md` in this folder lists the invariants. Processes on different computers exchange messages through [`stream`]s instead.
//!
//! ```
//! use envpool_rs_transport::{ShmSegment, Caller, Completion, Operation, WakeStrategy, Worker};
//!
//! // Environments 0 and 1 belong to worker 0.
//! let block = ShmSegment::create(&[Some(0), Some(0)], 256, WakeStrategy::best()).unwrap();
//! let theirs = ShmSegment::attach(block.file().try_clone().unwrap()).unwrap();
//! let worker = std::thread::spawn(move || {
//!     let mut worker = Worker::new(&theirs, 0).unwrap();
//!     while let Some(playing) = worker.next() {
//!         playing.finish(Completion { reward: 1.0, ..Completion::default() });
//!     }
//! });
//! let caller = Caller::new(&block);
//! caller.post(&[0, 1], Operation::STEP).unwrap();
//! while caller.finished(None, 2).len() < 2 {
//!     caller.wait(None, 2, std::time::Duration::from_millis(50));
//! }
//! let answers = caller.claim_finished(&[0, 1]).unwrap();
//! assert_eq!(answers[0].completion().reward, 1.0);
//! answers.into_iter().for_each(|answer| answer.release());
//! block.close();
//! worker.join().unwrap();
//! ```

mod caller;
mod claims;
mod control;
mod error;
mod layout;
mod message;
mod shared_file;
mod shm_segment;
mod spill;
mod spin;
pub mod stream;
mod wake_up;
mod worker;

pub use caller::Caller;
pub use claims::{CallerClaim, WorkerClaim};
pub use control::{Completion, Operation, RequestState, flags};
pub use error::{Error, Result};
pub use layout::{LeafSize, RowLayout, RowSet};
pub use shm_segment::ShmSegment;
pub use wake_up::WakeStrategy;
pub use worker::Worker;
