//! Execution of lanes: chunks of a request, on environments of type `Env` or `Kernel`.

pub mod batch_env;
pub mod create;
pub mod each_block;
pub mod each_lane;
pub mod episodes;
pub mod kind;
pub mod lane_table;
pub mod lanes;
pub mod lone_kernel;
pub mod mixed;
pub mod one_lane;
pub mod randomized;
pub mod snapshot;
pub mod work;
