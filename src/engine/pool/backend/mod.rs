//! Pools whose lanes a backend runs: requests on their way out, replies on their way in, and no thread held meanwhile.
//!
//! A request is staged (`stage`) and sent (`send`); whoever receives takes the replies (`receive`) and settles what each makes of its lane
//! (`settle`). Calls that are neither step nor reset go the same way (`calls`). `recovery` sees to hosts that were lost.

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
