//! Multi-agent particle environments (MPE), whose results equal those of PyPI's `mpe2` 1.1.1 in its parallel API.
//!
//! In the parallel API all players act at once. `reset(seed=s)` seeds `np.random.default_rng(s)`; a reset without a seed
//! continues that generator, as in mpe2. mpe2 counts the steps of an episode itself (`max_cycles`); in this crate, the engine's
//! `max_episode_steps` truncates the episode at that step.

mod numpy_exp;
mod picture;
pub mod scenarios;
pub mod simple_speaker_listener;
pub mod simple_spread;
#[cfg(test)]
mod trace;
pub mod world;

pub use numpy_exp::use_exp;

use envpool_rs_engine::{Error, OptionSpec, Options, Result, Task, Value};

/// Arguments of mpe2 that are not supported, each with advice on the alternative.
const UNSUPPORTED_OPTIONS: [(&str, &str); 1] = [("max_cycles", "set max_episode_steps")];

/// Returns the specifications of the options that all MPE environments have.
fn options() -> Vec<OptionSpec> {
    vec![
        OptionSpec::new("continuous_actions", false, "five continuous actions from 0 to 1 instead of five discrete ones"),
        OptionSpec::new("benchmark_data", false, "whether infos have `benchmark_data`, mpe2's metrics of policies"),
        OptionSpec::optional("max_cycles", 25, "not supported: use max_episode_steps"),
        OptionSpec::new("dynamic_rescaling", true, "whether pictures scale agents with the world; affects pictures only"),
    ]
}

/// Rejects the arguments of mpe2 that would have no effect in this crate.
///
/// # Errors
/// `Value` error that names the argument and the alternative.
fn reject_unsupported_options(options: &Options) -> Result<()> {
    for (name, remedy) in UNSUPPORTED_OPTIONS {
        let value = options.get(name);
        if *value != Value::None {
            return Err(Error::Value(format!("{name}={value}: expected None; {remedy}")));
        }
    }
    Ok(())
}
/// Returns the multi-agent particle environment (MPE) tasks.
pub fn tasks() -> Vec<Task> {
    [simple_spread::tasks(), simple_speaker_listener::tasks(), scenarios::tasks()].into_iter().flatten().collect()
}
