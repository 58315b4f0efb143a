//! The engine: steps many environments in parallel, knowing none of them.

mod actions;
mod batch;
mod batch_env;
mod block;
mod call;
mod config;
mod cost;
mod dispatch;
mod each_block;
mod each_lane;
mod env;
mod error;
mod exclusive;
pub mod fork;
mod idle;
mod lanes;
mod layout;
mod memory;
mod options;
mod picture;
mod pool;
mod receiver;
mod registry;
mod render;
mod request;
mod ring;
mod row;
#[cfg(test)]
mod row_buffer;
mod sender;
mod shared;
mod snapshot;
mod space;
mod spec;
mod states;
mod sync;
mod work;

pub use actions::{ActionKey, ActionScalar};
pub use batch::{Batch, Memory};
pub use call::Call;
pub use config::{MAX_ENVS, PoolConfig, SEED_LIMIT, check_seed, consecutive_seeds, entropy_seed, usable_cpus};
pub use dispatch::Vectors;
pub use env::{Ended, Env, Kernel, KernelAction, MAX_FIELDS};
pub use error::{Error, Result};
pub use layout::{Column, Dialect, Format, Layout, Outputs, Role, dialect_action, dialect_infos, dialect_observation};
pub use options::{OptionSpec, Options, ResetOptions, Value, suggestion};
pub use picture::{MAX_SIDE, Picture, Pictures, Rendering};
pub use pool::{Interrupt, Pool};
pub use registry::{Blueprint, Registry, Task};
pub use row::{Action, ActionColumn, Element, Row};
#[cfg(test)]
pub use row_buffer::RowBuffer;
pub use space::{Dtype, Leaf, Space};
pub use spec::{EnvSpec, InfoSpec};
pub use work::AutoresetMode;
