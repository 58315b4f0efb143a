//! Interface of levels: generation of worlds, and the rules that end an episode.

use envpool_rs_engine::{OptionSpec, Options, Result, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Actions, GenResult, Outcome, World, WorldBuilder};

/// MiniGrid or BabyAI level whose options are fixed.
pub trait Level: Send + Sync {
    /// Returns the number of columns and rows of the level's worlds.
    fn size(&self) -> (i32, i32);

    /// Returns the time limit in steps.
    ///
    /// The caller's option overrides this limit; [`Level::gen_grid`] may set a different limit for its world.
    fn max_steps(&self) -> u32;

    /// Returns whether agents see through walls by default.
    fn sees_through_walls(&self) -> bool {
        false
    }

    /// Returns the number of actions in the level's action space.
    fn num_actions(&self) -> i64 {
        Actions::ALL.len() as i64
    }

    /// Returns whether a reset takes only microseconds, like a step.
    fn has_fast_reset(&self) -> bool {
        true
    }

    /// Generates a world (`_gen_grid`), with the same random draws as minigrid in the same order.
    ///
    /// # Errors
    /// `Rejected` if minigrid discards this world, too; `Impossible` if minigrid would loop forever.
    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()>;

    /// Applies an action and the level's rules. Returns the step's outcome: reward and whether the episode ends. Only levels
    /// with random events use the last two arguments.
    fn step(&self, world: &mut World, action: Actions, _margin: i32, _random: &mut Generator) -> Outcome {
        world.step(action)
    }
}

/// Value of an option that a task presets.
#[derive(Debug, Clone, Copy)]
pub enum Preset {
    /// Integer value.
    Int(i64),
    /// Floating-point value.
    Float(f64),
    /// Boolean value.
    Flag(bool),
    /// String value.
    Text(&'static str),
    /// Value that is a list of strings.
    Texts(&'static [&'static str]),
    /// Value that is a pair of integers.
    Pair(i64, i64),
    /// The value `None` of Python.
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

/// Id of a task, and the options that the task presets.
pub type TaskRow = (&'static str, &'static [(&'static str, Preset)]);

/// Class of levels that differ only in the values of their options.
pub struct LevelClass {
    /// Name of the class in EnvPool (`env_name`).
    pub name: &'static str,
    /// Maximum length of a mission in EnvPool's observations, in bytes.
    pub mission_bytes: usize,
    /// Function that declares the options of the class.
    pub options: fn() -> Vec<OptionSpec>,
    /// Function that creates a level from the values of its options. The function fails for values that contradict each other.
    pub level: fn(&Options) -> Result<Box<dyn Level>>,
    /// Registered tasks of the class, with their preset options.
    pub tasks: &'static [TaskRow],
}
