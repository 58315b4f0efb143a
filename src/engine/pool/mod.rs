//! The pool, which is the engine's public interface: sends requests to lanes and receives batches of results.

pub mod async_executor;
pub mod backend;
pub mod episode_options;
pub mod executor;
pub mod id_checker;
pub mod ledger;
pub mod loss_tracker;
pub mod normalization;
pub mod per_lane;
#[expect(clippy::module_inception, reason = "the room is named after its door")]
pub mod pool;
pub mod pool_core;
pub mod prepare;
pub mod receive;
pub mod receiver;
pub mod recovery_state;
pub mod render;
pub mod replay_log;
pub mod request;
pub mod request_builder;
pub mod request_item;
pub mod row_causes;
pub mod sender;
pub mod snapshots;
pub mod sync_executor;
pub mod workers;
