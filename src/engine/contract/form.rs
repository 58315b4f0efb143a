//! Array and action specs of environments that run in a backend, without a task.

use crate::contract::actions::ActionKey;
use crate::contract::space::Dtype;
use crate::contract::spec::Occasion;
use envpool_rs_numeric::random::SeedSequence;

/// One array of an observation or info: its part of one environment's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeafForm {
    /// Element type; [`Dtype::Raw`] for types that the engine has no name for.
    pub dtype: Dtype,
    /// Shape of one row.
    pub shape: Vec<usize>,
    /// Rows for one environment: 1, or its number of players.
    pub rows: usize,
}

impl LeafForm {
    /// Creates a leaf with one row for each environment.
    pub fn new(dtype: Dtype, shape: &[usize]) -> Self {
        Self { dtype, shape: shape.to_vec(), rows: 1 }
    }
}

/// Spec of backend environments, as [`EnvSpec`](crate::contract::spec::EnvSpec) is of native ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// Players in one environment; rewards have a row for each.
    pub players: usize,
    /// Arrays of the observation, depth first, in the element types of results.
    pub leaves: Vec<LeafForm>,
    /// Numeric info arrays that all environments have. Other infos travel in payloads.
    pub infos: Vec<LeafForm>,
    /// When each of these infos is emitted. Entries beyond the end of this list mean always.
    pub occasions: Vec<Occasion>,
    /// Specs of the action arrays.
    pub keys: Vec<ActionKey>,
    /// Seeds for the first reset of each environment, unless the reset request gives seeds. Empty: no seeds.
    pub seeds: Vec<Option<u64>>,
    /// Description of the environments; a pool refuses snapshots of a different task.
    pub task: String,
    /// Environment counts and tasks of nested pools, whose snapshots serve as states. `None` if environments save their own
    /// states.
    pub snapshots: Option<Vec<(usize, String)>>,
    /// Element type of rewards in EnvPool's dialect.
    pub envpool_reward: Dtype,
    /// Treatment of environments whose host is lost.
    pub recovery: Recovery,
    /// Whether the pool checks for losses before it sends a request. It then refuses a request for a lost environment instead of
    /// completing it with the loss.
    pub looks_before_sending: bool,
}

impl Form {
    /// Creates the spec of single-player environments with these arrays.
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

/// Treatment of environments whose host is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recovery {
    /// Whether and how the environments continue.
    pub policy: Policy,
    /// Number of consecutive losses, without a reply in between, at which the host is abandoned.
    pub patience: u32,
    /// Derivation of the seed for the episode after a loss.
    pub mix: SeedMix,
    /// Whether the reset after the row that reports the loss restarts the same episode, instead of starting another one.
    pub repeats: bool,
}

/// Policy for environments after a loss of their host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Refuse every further use of the environments.
    Raise,
    /// Start a new episode. Rows of lost steps report that the old episode was truncated.
    NewEpisode,
    /// Recreate the environments in their initial state and resend lost requests, including method calls. The next request for an
    /// environment of an abandoned host restarts the host once.
    Retry,
    /// Restore the environments: load a periodic snapshot and replay the requests since.
    Resume {
        /// Requests of a lane between two snapshots.
        every: u32,
    },
}

/// Derivation of the seed of the episode after a loss. It combines the environment's last seed with the number of losses of its
/// host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedMix {
    /// First 32-bit word of `SeedSequence([seed, losses])`, without the lowest bit.
    Short,
    /// First 64-bit word of `SeedSequence([seed, losses])`, without the lowest two bits.
    Long,
}

impl SeedMix {
    /// Returns the derived seed.
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
