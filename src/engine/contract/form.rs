//! What environments look like that are played outside of the engine: arrays and actions, without a task.

use crate::contract::actions::ActionKey;
use crate::contract::space::Dtype;
use crate::contract::spec::Occasion;
use envpool_rs_numeric::random::SeedSequence;

/// One array of an observation or info: its part of one environment's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeafForm {
    /// Element type; [`Dtype::Raw`] for all that the engine has no name for.
    pub dtype: Dtype,
    /// Shape of one row.
    pub shape: Vec<usize>,
    /// Rows for one environment: 1, or its number of players.
    pub rows: usize,
}

impl LeafForm {
    /// A leaf with a row for each environment.
    pub fn new(dtype: Dtype, shape: &[usize]) -> Self {
        Self { dtype, shape: shape.to_vec(), rows: 1 }
    }
}

/// What [`EnvSpec`](crate::contract::spec::EnvSpec) is for environments that the engine plays itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// Players in one environment; rewards have a row for each.
    pub players: usize,
    /// Arrays of the observation, depth first, in the types that results are to have.
    pub leaves: Vec<LeafForm>,
    /// Arrays of infos that are numbers, and the same for all environments. Whatever else is told goes into messages.
    pub infos: Vec<LeafForm>,
    /// After what each of these infos is told; always, where the list is shorter than theirs.
    pub occasions: Vec<Occasion>,
    /// The action arrays.
    pub keys: Vec<ActionKey>,
    /// Seeds for the first reset of each environment, unless that names others; empty for none at all.
    pub seeds: Vec<Option<u64>>,
    /// What is played, spelled out: snapshots of other environments are refused.
    pub task: String,
    /// Of environments that are another pool's, whose states are that pool's snapshots: what they play, for so many of them at a time.
    /// `None` where states are the environments' own.
    pub snapshots: Option<Vec<(usize, String)>>,
    /// Element type of rewards in EnvPool's dialect.
    pub envpool_reward: Dtype,
    /// What becomes of environments when what plays them is lost.
    pub recovery: Recovery,
    /// Whether losses are looked for before a request is sent, so that one for a lost environment is refused, instead of answered by
    /// the loss.
    pub looks_before_sending: bool,
}

impl Form {
    /// A single-player environment with these arrays.
    pub fn new(leaves: Vec<LeafForm>, keys: Vec<ActionKey>) -> Self {
        Self {
            players: 1,
            leaves,
            infos: Vec::new(),
            occasions: Vec::new(),
            keys,
            seeds: Vec::new(),
            task: String::new(),
            snapshots: None,
            envpool_reward: Dtype::F32,
            recovery: Recovery::default(),
            looks_before_sending: true,
        }
    }
}

/// What becomes of environments when what plays them is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recovery {
    /// Whether and how they go on.
    pub policy: Policy,
    /// Losses of a place in a row, without an answer between, at which it is given up.
    pub patience: u32,
    /// How the episode after a loss is seeded.
    pub mix: SeedMix,
    /// Whether the reset after the row that tells of the loss begins the same episode once more, instead of another one.
    pub repeats: bool,
}

/// Whether and how environments go on after a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// They do not: every further use is refused.
    Raise,
    /// With a new episode. Steps that were lost are told that the old one was truncated.
    NewEpisode,
    /// As they were made first: requests that were lost are sent again, calls included. A place that was given up is restarted once by
    /// the next request for one of its environments.
    Retry,
    /// Where they were: from a snapshot, taken every so many requests, and by playing again what was asked since.
    Resume {
        /// Requests of a lane from one snapshot to the next.
        every: u32,
    },
}

/// How an environment's last seed and the number of losses of its place make the seed of the episode after a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedMix {
    /// `SeedSequence([seed, losses])`, its first 32-bit word without the lowest bit.
    Short,
    /// The same, its first 64-bit word without the lowest two.
    Long,
}

impl SeedMix {
    /// The seed.
    pub fn mixed(self, seed: u64, losses: u32) -> u64 {
        let sequence = SeedSequence::from_integers(&[seed, u64::from(losses)], &[]);
        match self {
            Self::Short => u64::from(sequence.generate_u32::<1>()[0] >> 1),
            Self::Long => sequence.generate_u64::<1>()[0] >> 2,
        }
    }
}

impl Default for Recovery {
    fn default() -> Self {
        Self { policy: Policy::Raise, patience: 2, mix: SeedMix::Short, repeats: false }
    }
}
