//! The engine: steps many environments in parallel, knowing none of them.

mod batch_env;
mod each_block;
mod each_lane;
mod env;
mod error;
mod options;
mod registry;
mod row;
#[cfg(test)]
mod row_buffer;
mod space;
mod spec;

pub use batch_env::BatchEnv;
pub use each_block::EachBlock;
pub use each_lane::EachLane;
pub use env::{Env, Kernel, KernelAction, MAX_FIELDS};
pub use error::{Error, Result};
pub use options::{OptionSpec, Options, ResetOptions, Value, suggestion};
pub use registry::{Blueprint, Registry, Task};
pub use row::{Action, ActionColumn, Element, Row, Target};
#[cfg(test)]
pub use row_buffer::RowBuffer;
pub use space::{Dtype, Leaf, Space};
pub use spec::{EnvSpec, InfoSpec};
