//! Multi-agent particle environments, exact to PyPI's `mpe2` 1.1.1 played through its parallel API: all players act at once.
//!
//! `reset(seed=s)` seeds `np.random.default_rng(s)`; a reset without a seed goes on with that generator, as mpe2's does.
//! mpe2 counts the steps of an episode itself (`max_cycles`); here that is the engine's `max_episode_steps`, which truncates on
//! the same step.

mod picture;
pub mod simple_speaker_listener;
pub mod simple_spread;
#[cfg(test)]
mod trace;
pub mod world;

use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};

/// An argument of mpe2 that has no place here, and what to do instead.
const DECLINED: [(&str, &str); 1] = [("max_cycles", "the length of an episode is max_episode_steps")];

/// The options of all environments of this family.
fn options() -> Vec<OptionSpec> {
    vec![
        OptionSpec::new("continuous_actions", false, "five levers from 0 to 1 in place of five moves"),
        OptionSpec::new("benchmark_data", false, "whether infos hold `benchmark_data`, by which mpe2 judges policies"),
        OptionSpec::optional("max_cycles", 25, "declined: use max_episode_steps"),
        OptionSpec::new("dynamic_rescaling", true, "whether pictures show bodies smaller the wider the world is; nothing else"),
    ]
}

/// Refuses mpe2's arguments that would do nothing.
fn check_declined(options: &Options) -> Result<()> {
    for (name, reason) in DECLINED {
        let value = options.get(name);
        if *value != Value::None {
            return Err(Error::Value(format!("{name}={value}: not taken here: {reason}")));
        }
    }
    Ok(())
}
