//! HighwayEnv's driving environments. Their results equal those of the package highway-env 1.12.1, bit for bit, if numpy uses
//! neither BLAS kernels nor vector functions that round differently: `docs/environments/highway.md` names the setting.
//!
//! # Adding an environment
//! Add one file in `scenarios` with a [`Scenario`](scenario::Scenario): its road, its vehicles and its rewards. [`mod@env`]
//! plays all scenarios; observations and actions are in modules of their own.

mod action;
pub mod env;
mod observation;
mod options;
mod picture;
pub mod scenario;
mod scenarios;

use envpool_rs_engine::Task;

/// Returns all HighwayEnv tasks.
pub fn tasks() -> Vec<Task> {
    scenarios::CLASSES.iter().flat_map(|class| env::tasks_of(class)).collect()
}
