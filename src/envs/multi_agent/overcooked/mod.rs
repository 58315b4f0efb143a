//! Overcooked: cooks put ingredients into pots, and serve soups.
//!
//! Source: `overcooked_ai` 1.1.0 and its repository at commit 739950a, `mdp/overcooked_mdp.py` and `planning/planners.py`; Carroll et
//! al., "On the Utility of Learning about Humans for Human-AI Coordination" (2019).
//!
//! | | one player |
//! |---|---|
//! | observation | `lossless`: int64 `(width, height, 26)` with a layer for each kind of object; `featurized`: float64, own features, those of the others, places |
//! | action | 0 north, 1 south, 2 east, 3 west, 4 stay, 5 interact |
//! | reward | value of all soups that the team serves in the step, and the player's shaped reward times `reward_shaping_factor` |
//!
//! An episode is truncated after `horizon` steps.

mod encoding;
mod events;
mod kitchen;
mod layout;
mod options;
mod potential;
mod recipe;

pub use kitchen::{Kitchen, State};

use crate::game::Game;
use envpool_rs_engine::Task;

/// Returns the task of Overcooked.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<Game<Kitchen>>("Overcooked-v0")]
}
