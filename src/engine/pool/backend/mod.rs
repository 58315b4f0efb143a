//! Pools whose lanes run in a backend. No thread waits in the pool between request and reply.
//!
//! A request is staged (`stage`) and sent (`send`). The receiver takes its replies (`receive`) and applies each to its lane and
//! row (`settle`). Calls, which are neither steps nor resets, are handled in `calls`, and lost hosts in `recovery`.

mod calls;
pub mod executor;
mod ledger;
mod per_lane;
mod receive;
mod recovery;
mod send;
mod settle;
mod stage;
#[cfg(test)]
mod test_backend;
