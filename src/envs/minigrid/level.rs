//! What a level is: how its worlds are made, and what ends an episode in them.

use envpool_rs_engine::{OptionSpec, Options, Result, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Act, Made, Outcome, Site, World};

/// A kind of worlds with its options fixed.
pub trait Level: Send + Sync {
    /// Columns and rows of its worlds.
    fn size(&self) -> (i32, i32);

    /// Steps that an episode may take, unless the user says otherwise or [`Level::make`] sets the world's own.
    fn max_steps(&self) -> u32;

    /// Whether agents see through walls.
    fn sees_through_walls(&self) -> bool {
        false
    }

    /// Number of actions.
    fn actions(&self) -> i64 {
        Act::ALL.len() as i64
    }

    /// Whether a reset takes microseconds, as steps do.
    fn resets_fast(&self) -> bool {
        true
    }

    /// Makes a world: draws what the reference draws, in the same order.
    ///
    /// # Errors
    /// Where the reference gives up, or would not end.
    fn make(&self, site: &mut Site<'_>) -> Made<()>;

    /// Plays a step. `margin` and `random` are for levels in which something happens by chance.
    fn step(&self, world: &mut World, act: Act, _margin: i32, _random: &mut Generator) -> Outcome {
        world.act(act)
    }
}

/// A value that a task presets.
#[derive(Debug, Clone, Copy)]
pub enum Preset {
    /// An integer.
    Int(i64),
    /// A number.
    Float(f64),
    /// A flag.
    Flag(bool),
    /// A text.
    Text(&'static str),
    /// Several texts.
    Texts(&'static [&'static str]),
    /// A pair.
    Pair(i64, i64),
    /// `None`.
    None,
}

impl From<Preset> for Value {
    fn from(preset: Preset) -> Self {
        match preset {
            Preset::Int(value) => value.into(),
            Preset::Float(value) => value.into(),
            Preset::Flag(value) => value.into(),
            Preset::Text(value) => value.into(),
            Preset::Texts(values) => Self::Lines(values.iter().map(ToString::to_string).collect()),
            Preset::Pair(x, y) => vec![x, y].into(),
            Preset::None => Self::None,
        }
    }
}

/// A task's name, and values other than its class's defaults.
pub type Row = (&'static str, &'static [(&'static str, Preset)]);

/// Levels that differ in options only.
pub struct Class {
    /// The name by which EnvPool knows it (`env_name`).
    pub name: &'static str,
    /// Bytes of a mission in EnvPool's observations.
    pub mission_bytes: usize,
    /// The options that are its own.
    pub options: fn() -> Vec<OptionSpec>,
    /// The level with its options fixed; fails for what makes no sense.
    pub level: fn(&Options) -> Result<Box<dyn Level>>,
    /// Its tasks.
    pub tasks: &'static [Row],
}
