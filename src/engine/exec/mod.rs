//! Execution of lanes: runs chunks of requests on environments of type `Env` or `Kernel`.

pub mod batch_env;
pub mod chunk;
pub mod create;
pub mod episode_tracker;
pub mod foreign_batch_env;
pub mod grouped_batch_env;
pub mod lane_options;
pub mod lane_ref;
pub mod lane_table;
pub mod per_lane;
pub mod request_kind;
pub mod scalar_batch_env;
pub mod scalar_kernel;
pub mod simd_batch_env;
pub mod snapshot;
pub mod statistics;
