//! Array and action specs of environments that run in a backend and do not belong to a registered task.

use crate::contract::actions::ActionKey;
use crate::contract::space::{Dtype, Space};
use crate::contract::spec::InfoTiming;
use envpool_rs_numeric::random::SeedSequence;

/// Specification of one array of an observation or info: its element type, and its shape for one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeafSpec {
    /// Element type; [`Dtype::Raw`] for types that [`Dtype`] does not name.
    pub dtype: Dtype,
    /// Shape of one row of the array.
    pub shape: Vec<usize>,
    /// Number of rows of the array for one environment: 1, or the number of players.
    pub rows: usize,
}

impl LeafSpec {
    /// Creates a leaf with one row for each environment.
    pub fn new(dtype: Dtype, shape: &[usize]) -> Self {
        Self { dtype, shape: shape.to_vec(), rows: 1 }
    }
}

/// Arrays, actions and recovery settings of the environments in a backend. Counterpart of
/// [`EnvSpec`](crate::contract::spec::EnvSpec).
#[derive(Debug, Clone, PartialEq)]
pub struct BackendSpec {
    /// Number of players in one environment. Rewards have one row for each player.
    pub players: usize,
    /// Specifications of the observation's arrays, depth first, with the element types of results.
    pub leaves: Vec<LeafSpec>,
    /// Specifications of the numeric info arrays that all environments have. Other infos travel in payloads.
    pub infos: Vec<LeafSpec>,
    /// When each array of `infos` is emitted. An array of `infos` without an entry in this list is always emitted.
    pub info_timings: Vec<InfoTiming>,
    /// Specifications of the environments' action arrays.
    pub actions: Vec<ActionKey>,
    /// Seeds for the first reset of each environment, used if the reset request gives no seed. Empty: no seeds.
    pub seeds: Vec<Option<u64>>,
    /// Description of the environments. A pool rejects snapshots that were saved with a different description.
    pub task: String,
    /// Number of environments and task of each pool that the backend runs on its hosts. A saved state is then a snapshot by one
    /// of these pools. `None` if environments save their own states.
    pub nested_pools: Option<Vec<(usize, String)>>,
    /// Element type of rewards that EnvPool uses.
    pub envpool_reward: Dtype,
    /// Settings for the recovery of environments whose host is lost.
    pub recovery: RecoveryConfig,
    /// Whether the pool checks for lost hosts before it sends a request. If so, a request for a lost environment is rejected; if
    /// not, the request is sent and fails because the host is lost.
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

    /// Returns a space with the shapes and element types of the observation's arrays, without bounds.
    pub fn observation_space(&self) -> Space {
        let space = |leaf: &LeafSpec| Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &leaf.shape, leaf.dtype);
        match &self.leaves[..] {
            [leaf] => space(leaf),
            leaves => Space::Tuple(leaves.iter().map(space).collect()),
        }
    }
}

/// Settings for the recovery of environments whose host is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecoveryConfig {
    /// Policy that determines whether the environments continue, and from which state.
    pub policy: RecoveryPolicy,
    /// Number of times in a row that a host must be lost, without a reply in between, before the pool stops restarting it.
    pub max_consecutive_losses: u32,
    /// Method that computes the seed of the episode after a host was lost.
    pub seed_derivation: SeedDerivation,
    /// Whether the next reset restarts the episode that began because the host was lost. The row that reports the lost host shows
    /// this episode's first observation. If false, the reset starts another episode.
    pub repeats_episode: bool,
}

/// Policy for environments whose host was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecoveryPolicy {
    /// Rejects every further use of the environments.
    Raise,
    /// Starts a new episode. Rows of lost steps report that the old episode was truncated.
    NewEpisode,
    /// Recreates the environments in their initial state and resends lost requests, including method calls. If the pool has
    /// stopped restarting a host, the next request for one of its environments restarts the host once.
    Retry,
    /// Restores the environments: loads the last snapshot and replays all requests after that snapshot.
    Resume {
        /// Number of requests of a lane between two snapshots.
        snapshot_interval: u32,
    },
}

/// Method that computes the seed of the episode after a host was lost, from the environment's last seed and the number of times
/// (`losses`) that its host was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedDerivation {
    /// The seed is the first 32-bit word of `SeedSequence([seed, losses])`, without the lowest bit.
    Short,
    /// The seed is the first 64-bit word of `SeedSequence([seed, losses])`, without the lowest two bits.
    Long,
}

impl SeedDerivation {
    /// Returns the seed for the episode after the host was lost for the `losses`-th time; `seed` is the environment's last seed.
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
