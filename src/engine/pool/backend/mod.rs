//! Pools whose lanes run in a backend. No thread is blocked while a request is pending.
//!
//! A request is staged (`stage`) and sent (`send`). The receiver takes the replies (`receive`) and applies each to its lane and
//! row (`settle`). `calls` handles operations that are neither steps nor resets, and `recovery` handles lost hosts.

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
pub mod test_backend;
