//! Engine that steps many environments in parallel, independent of any concrete environment.
//!
//! | module | purpose |
//! |---|---|
//! | `contract` | interface between environments and the pool |
//! | `threads` | waiting, cost estimates, locks, forks, interrupts |
//! | `results` | arrays of a batch, and their memory |
//! | `exec` | execution of a chunk of lanes on the engine's threads |
//! | `backend` | interface to environments that run outside of the engine's threads |
//! | `tasks` | tasks by name, and groups of them |
//! | `pool` | API for callers |
//!
//! Each module imports only from the modules above it in the table.

mod backend;
mod contract;
mod exec;
mod pool;
mod results;
mod tasks;
mod threads;

pub use backend::lane_op::{LaneOp, LaneReply, StepReply};
pub use backend::process_backend::ProcessBackend;
pub use backend::process_lane::{ProcessEnv, ProcessLane};
pub use backend::reset_queue::ResetQueue;
pub use backend::row_writer::{BatchRowWriter, RowRange, RowWriter};
pub use backend::steps::StagedSteps;
pub use backend::traits::{BackendWaiter, HostLoss, LaneBackend, LostLanes, WaitTarget};
pub use contract::actions::{ActionEncoding, ActionKey, ActionScalar};
pub use contract::asset_cache::{AssetCache, AssetRef, ScratchPool};
pub use contract::backend_spec::{BackendSpec, LeafSpec, RecoveryConfig, RecoveryPolicy, SeedDerivation};
pub use contract::config::{
    AutoresetMode, FirstStepPolicy, MAX_ENVS, PoolConfig, SEED_LIMIT, check_seed, consecutive_seeds, entropy_seed, usable_cpus,
};
pub use contract::env::{DEFAULT_STACK_BYTES, Env, EpisodeEnd, LaneReset, LaneState, LaneStep, Scheduling};
pub use contract::error::{Error, Result, shortened};
pub use contract::foreign::{
    ForeignActions, ForeignEnv, ForeignLanes, ForeignProperties, ForeignResets, LaneSet, OutputRows, lane_end, reset_cause,
};
pub use contract::frame::{Frame, FrameBatch, MAX_SIDE, RenderArgs, RenderParams, RenderSpec};
pub use contract::kernel::{Columns, Kernel, KernelAction};
pub use contract::lane_error::{BatchFailure, LaneError, Payload};
pub use contract::memory::{check_fits, check_headroom, copy_of, refused_memory};
pub use contract::normalization::{NormalizationConfig, NormalizationRules};
pub use contract::options::{OptionAlias, OptionConstraint, OptionSpec, Options, ResetOptions, reset_option_names, suggestion};
pub use contract::row::{Action, ActionColumn, Element, LeafTarget, Row};
pub use contract::row_buffer::RowBuffer;
pub use contract::space::{Dtype, Leaf, Space};
pub use contract::spec::{EnvSpec, InfoSpec, InfoTiming, OptionDecision};
pub use contract::state::{check_decodable, read_value, refused_state, write_value};
pub use contract::value::{Distribution, Value};
pub use exec::chunk::panic_message;
pub use exec::statistics::{FIRST_INTERVAL, INTERVALS, StatisticsSnapshot};
pub use pool::loss_tracker::{LossDecision, LossTracker};
pub use pool::per_lane::LaneReplies;
pub use pool::pool::Pool;
pub use pool::request_builder::RequestBuilder;
pub use results::aligned_buffer::AlignedBuffer;
pub use results::batch::Batch;
pub use results::borrowed_columns::BorrowedColumns;
pub use results::layout::{
    Column, Dialect, Format, Layout, Outputs, Role, dialect_action, dialect_infos, dialect_observation, dialect_reward,
};
pub use results::normalize::{NormalizationState, RunningMeanStd};
pub use tasks::envpool::{EnvPoolClass, EnvPoolOption};
pub use tasks::factory::EnvFactory;
pub use tasks::group::{Group, common_spec};
pub use tasks::registry::{Registry, Task};
pub use threads::float_mode::FloatModeGuard;
pub use threads::interrupt_poller::Interrupt;
pub use threads::owned_mutex::this_thread;
pub use threads::parallel_loop::{LoopBody, ParallelLoop};

pub use envpool_rs_sync::fork;
