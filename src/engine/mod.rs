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
mod single_lane;
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
pub(crate) use single_lane::SingleLane;
pub use space::{Dtype, Leaf, Space};
pub use spec::{EnvSpec, InfoSpec};
