//! Engine that steps many environments in parallel, independent of any concrete environment.
//!
//! | module | |
//! |---|---|
//! | `contract` | interface between environments and the pool |
//! | `threads` | waiting, cost estimates, locks, forks, interrupts |
//! | `results` | arrays of a batch, and their memory |
//! | `play` | execution of a chunk of lanes |
//! | `outside` | lanes that run outside of the engine's threads |
//! | `tasks` | tasks by name, and groups of them |
//! | `pool` | API for callers |
//!
//! Each module may import only from those above it, which `tests/architecture.rs` checks.

mod contract;
mod outside;
mod play;
mod pool;
mod results;
mod tasks;
mod threads;

pub use contract::actions::{ActionKey, ActionScalar, Carried};
pub use contract::config::{
    AutoresetMode, FirstStep, MAX_ENVS, PoolConfig, SEED_LIMIT, check_seed, consecutive_seeds, entropy_seed, usable_cpus,
};
pub use contract::env::{Ended, Env, LaneState, Scheduling, Stepped};
pub use contract::error::{Error, Result, shortened};
pub use contract::fault::{Failed, Fault, Message};
pub use contract::form::{Form, LeafForm, Policy, Recovery, SeedMix};
pub use contract::kernel::{Columns, Kernel, KernelAction};
pub use contract::options::{Allowed, OptionSpec, Options, OtherName, ResetOptions, suggestion};
pub use contract::picture::{MAX_SIDE, Picture, Pictures, Rendering, Shot, View};
pub use contract::row::{Action, ActionColumn, Element, Row};
pub use contract::row_buffer::RowBuffer;
pub use contract::space::{Dtype, Leaf, Space};
pub use contract::spec::{Decided, EnvSpec, InfoSpec, Occasion};
pub use contract::state::{read_value, refused_state, write_value};
pub use contract::store::{PerThread, Store, StoreRef};
pub use contract::value::{Distribution, Value};
pub use outside::exchange::{Answer, Answered, Asked};
pub use outside::process_lane::{ProcessEnv, ProcessLane};
pub use outside::process_lanes::ProcessLanes;
pub use outside::row_out::{RowOut, RowRun, RowsOut};
pub use outside::steps::Steps;
pub use outside::traits::{Death, Outside, Wanted};
pub use pool::call::Call;
pub use pool::losses::{Fate, Losses};
pub use pool::per_lane::LaneReplies;
pub use pool::pool::Pool;
pub use results::batch::Batch;
pub use results::layout::{
    Column, Dialect, Format, Layout, Outputs, Role, dialect_action, dialect_infos, dialect_observation, dialect_reward,
};
pub use results::memory::Memory;
pub use tasks::group::{Group, common_spec};
pub use tasks::registry::{Blueprint, Registry, Task};
pub use threads::float_mode::StandardFloats;
pub use threads::interrupts::Interrupt;
pub use threads::owned_mutex::this_thread;

pub use threads::fork;
