//! Multi-agent particle environments (MPE), whose results equal those of PyPI's `mpe2` 1.1.1 in its parallel API.
//!
//! In the parallel API all players act at once. `reset(seed=s)` seeds `np.random.default_rng(s)`; a reset without a seed
//! continues that generator, as in mpe2. mpe2 counts the steps of an episode itself (`max_cycles`); in this crate, the engine's
//! `max_episode_steps` truncates the episode at that step.

pub mod arrangements;
mod assignment;
pub mod collect_treasure;
mod numpy_functions;
mod picture;
pub mod scenarios;
pub mod simple_speaker_listener;
pub mod simple_spread;
#[cfg(test)]
mod trace;
pub mod world;

pub use numpy_functions::{NumpyFunctions, use_functions};

use envpool_rs_engine::{Dtype, Error, OptionSpec, Options, Result, Space, Task, Value};

/// Arguments of mpe2 that are not supported, each with advice on the alternative.
const UNSUPPORTED_OPTIONS: [(&str, &str); 1] = [("max_cycles", "set max_episode_steps")];

/// Returns the specifications of the options that all MPE environments have.
fn options() -> Vec<OptionSpec> {
    vec![
        OptionSpec::new("continuous_actions", false, "five continuous actions from 0 to 1 instead of five discrete ones"),
        benchmark_option(),
        OptionSpec::optional("max_cycles", 25, "not supported: use max_episode_steps"),
        OptionSpec::new("dynamic_rescaling", true, "whether pictures scale agents with the world; affects pictures only"),
    ]
}

/// Returns the option that adds mpe2's metrics of policies to the infos.
fn benchmark_option() -> OptionSpec {
    OptionSpec::new("benchmark_data", false, "whether infos have `benchmark_data`, mpe2's metrics of policies")
}

/// Returns the action space of an agent that only moves.
fn action_space(is_continuous: bool) -> Space {
    match is_continuous {
        true => Space::uniform(0.0, 1.0, &[world::CONTINUOUS_ACTION_SIZE], Dtype::F32),
        false => Space::discrete(world::CONTINUOUS_ACTION_SIZE as i64),
    }
}

/// Returns the space of an observation with `size` numbers.
fn vector_space(size: usize) -> Space {
    Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[size], Dtype::F32)
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
    let of_modules = [
        simple_spread::tasks(),
        simple_speaker_listener::tasks(),
        scenarios::tasks(),
        arrangements::tasks(),
        collect_treasure::tasks(),
    ];
    of_modules.into_iter().flatten().collect()
}
