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
mod writer;

pub use numpy_functions::{NumpyFunctions, use_functions};

use envpool_rs_engine::{Dtype, Error, Frame, OptionSpec, Options, Result, Space, Task, Value};
use picture::Entity;

/// Arguments of mpe2 that are not supported, each with advice on the alternative.
const UNSUPPORTED_OPTIONS: [(&str, &str); 1] = [("max_cycles", "set max_episode_steps")];

/// Values of the options that all scenarios have.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CommonOptions {
    continuous: bool,
    benchmark: bool,
    dynamic_rescaling: bool,
}

impl CommonOptions {
    /// Reads the options of [`options`].
    ///
    /// # Errors
    /// `Value` error for an argument of mpe2 that would have no effect in this crate, with the alternative.
    fn new(options: &Options) -> Result<Self> {
        for (name, remedy) in UNSUPPORTED_OPTIONS {
            let value = options.get(name);
            if *value != Value::None {
                return Err(Error::Value(format!("{name}={value}: expected None; {remedy}")));
            }
        }
        Ok(Self {
            continuous: options.bool("continuous_actions"),
            benchmark: options.find("benchmark_data") == Some(&Value::Bool(true)),
            dynamic_rescaling: options.bool("dynamic_rescaling"),
        })
    }

    /// Draws entities and messages, as [`picture::picture`] does. `initial_extent` is the extent of the episode's first state.
    fn picture(self, entities: &[Entity], initial_extent: f64, messages: &[String], size: (u32, u32)) -> Frame {
        picture::picture(entities, self.dynamic_rescaling.then_some(initial_extent), messages, size)
    }
}

/// Returns the specifications of a scenario's own options, and of those that all scenarios have. `has_benchmark` adds mpe2's
/// metrics of policies, which some scenarios do not have.
fn options(mut own: Vec<OptionSpec>, has_benchmark: bool) -> Vec<OptionSpec> {
    own.push(OptionSpec::new("continuous_actions", false, "continuous actions from 0 to 1 instead of discrete ones"));
    if has_benchmark {
        own.push(OptionSpec::new("benchmark_data", false, "whether infos have `benchmark_data`, mpe2's metrics of policies"));
    }
    own.push(OptionSpec::optional("max_cycles", 25, "not supported: use max_episode_steps"));
    own.push(OptionSpec::new("dynamic_rescaling", true, "whether pictures scale agents with the world; affects pictures only"));
    own
}

/// Returns the options that limit what an agent observes to its nearest neighbours, up to `most` of them.
fn neighbor_options(most: i64) -> [OptionSpec; 2] {
    [
        ("num_agent_neighbors", "number of other agents that each observes, nearest first; None: all"),
        ("num_landmark_neighbors", "number of landmarks that each observes, nearest first; None: all"),
    ]
    .map(|(name, doc)| OptionSpec::optional(name, 1, doc).integers(1..=most))
}

/// Returns the value of an option of [`neighbor_options`]; `None` if agents observe all, or the scenario has no such option.
fn neighbor_count(options: &Options, name: &str) -> Option<usize> {
    match options.find(name) {
        Some(Value::Int(count)) => Some(*count as usize),
        _ => None,
    }
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
