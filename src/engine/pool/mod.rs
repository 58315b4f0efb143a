//! The pool: the engine's public interface to callers.

pub mod async_executor;
pub mod backend;
pub mod call;
pub mod core;
pub mod executor;
pub mod history;
pub mod ledger;
pub mod losses;
pub mod per_lane;
#[expect(clippy::module_inception, reason = "the room is named after its door")]
pub mod pool;
pub mod prepare;
pub mod receive;
pub mod receiver;
pub mod render;
pub mod request;
pub mod revivals;
pub mod sender;
pub mod states;
pub mod sync_executor;
pub mod turn;
pub mod workers;
