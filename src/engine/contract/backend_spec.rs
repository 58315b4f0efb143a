//! Array and action specs of environments that run in a backend, without a task.

use crate::contract::actions::ActionKey;
use crate::contract::space::Dtype;
use crate::contract::spec::InfoTiming;
use envpool_rs_numeric::random::SeedSequence;

/// One array of an observation or info: its part of one environment's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeafSpec {
    /// Element type; [`Dtype::Raw`] for types that the engine has no name for.
    pub dtype: Dtype,
    /// Shape of one row.
    pub shape: Vec<usize>,
    /// Rows for one environment: 1, or its number of players.
    pub rows: usize,
}

impl LeafSpec {
    /// Creates a leaf with one row for each environment.
    pub fn new(dtype: Dtype, shape: &[usize]) -> Self {
        Self { dtype, shape: shape.to_vec(), rows: 1 }
    }
}

/// Spec of backend environments, as [`EnvSpec`](crate::contract::spec::EnvSpec) is of native ones.
#[derive(Debug, Clone, PartialEq)]
pub struct BackendSpec {
    /// Players in one environment; rewards have a row for each.
    pub players: usize,
    /// Arrays of the observation, depth first, in the element types of results.
    pub leaves: Vec<LeafSpec>,
    /// Numeric info arrays that all environments have. Other infos travel in payloads.
    pub infos: Vec<LeafSpec>,
    /// When each of these infos is emitted. Entries beyond the end of this list mean always.
    pub info_timings: Vec<InfoTiming>,
    /// Specs of the action arrays.
    pub actions: Vec<ActionKey>,
    /// Seeds for the first reset of each environment, unless the reset request gives seeds. Empty: no seeds.
    pub seeds: Vec<Option<u64>>,
    /// Description of the environments; a pool refuses snapshots of a different task.
    pub task: String,
    /// Environment counts and tasks of nested pools, whose snapshots serve as states. `None` if environments save their own
    /// states.
    pub nested_pools: Option<Vec<(usize, String)>>,
    /// Element type of rewards in EnvPool's dialect.
    pub envpool_reward: Dtype,
    /// Treatment of environments whose host is lost.
    pub recovery: RecoveryConfig,
    /// Whether the pool checks for losses before it sends a request. It then refuses a request for a lost environment instead of
    /// completing it with the loss.
    pub probes_before_send: bool,
}

impl BackendSpec {
    /// Creates the spec of single-player environments with these arrays.
    pub fn new(leaves: Vec<LeafSpec>, keys: Vec<ActionKey>) -> Self {
        Self {
            players: 1,
            leaves,
            infos: Vec::new(),
            info_timings: Vec::new(),
            actions: keys,
            seeds: Vec::new(),
            task: String::new(),
            nested_pools: None,
            envpool_reward: Dtype::F32,
            recovery: RecoveryConfig::default(),
            probes_before_send: true,
        }
    }
}

/// Treatment of environments whose host is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecoveryConfig {
    /// Whether and how the environments continue.
    pub policy: RecoveryPolicy,
    /// Number of consecutive losses, without a reply in between, at which the host is abandoned.
    pub max_consecutive_losses: u32,
    /// Derivation of the seed for the episode after a loss.
    pub seed_derivation: SeedDerivation,
    /// Whether the reset after the row that reports the loss restarts the same episode, instead of starting another one.
    pub repeats_episode: bool,
}

/// Policy for environments after a loss of their host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecoveryPolicy {
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
        snapshot_interval: u32,
    },
}

/// Derivation of the seed of the episode after a loss. It combines the environment's last seed with the number of losses of its
/// host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedDerivation {
    /// First 32-bit word of `SeedSequence([seed, losses])`, without the lowest bit.
    Short,
    /// First 64-bit word of `SeedSequence([seed, losses])`, without the lowest two bits.
    Long,
}

impl SeedDerivation {
    /// Returns the derived seed.
    pub fn derive(self, seed: u64, losses: u32) -> u64 {
        let sequence = SeedSequence::from_integers(&[seed, u64::from(losses)], &[]);
        match self {
            Self::Short => u64::from(sequence.generate_u32::<1>()[0] >> 1),
            Self::Long => sequence.generate_u64::<1>()[0] >> 2,
        }
    }
}

impl Default for RecoveryConfig {
    fn default() -> Self {
        Self {
            policy: RecoveryPolicy::Raise,
            max_consecutive_losses: 2,
            seed_derivation: SeedDerivation::Short,
            repeats_episode: false,
        }
    }
}
