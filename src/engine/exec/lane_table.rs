//! The engine's data of each lane: phase, elapsed steps, seed, episode statistics.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::contract::config::{AutoresetMode, FirstStepPolicy};
use crate::exec::per_lane::{LaneCells, LaneId};
use crate::exec::statistics::PoolStatistics;

/// Life cycle phase of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// The lane was never reset: the first step resets it or is refused, according to [`FirstStepPolicy`].
    Fresh = 0,
    /// The lane is in the middle of an episode.
    Running = 1,
    /// The episode has ended and no new one has started.
    Finished = 2,
    /// The environment failed; it must be reset before it can be stepped.
    Failed = 3,
    /// The environment failed, and the reset that recreates it has been requested.
    Recreating = 4,
}

impl Phase {
    /// Returns whether a lane in this phase can be stepped.
    #[inline(always)]
    fn is_steppable(self, autoreset: AutoresetMode, first_step: FirstStepPolicy) -> bool {
        match self {
            Self::Running => true,
            Self::Failed | Self::Recreating => false,
            Self::Finished => autoreset != AutoresetMode::Disabled,
            Self::Fresh => autoreset == AutoresetMode::NextStep && first_step == FirstStepPolicy::Reset,
        }
    }

    /// Returns the phase of an environment that was never reset.
    fn initial(first_step: FirstStepPolicy) -> Self {
        match first_step {
            FirstStepPolicy::Reset | FirstStepPolicy::Reject => Self::Fresh,
            FirstStepPolicy::Allow => Self::Running,
        }
    }

    /// Decodes the phase byte of a snapshot; `None` for an invalid byte.
    pub fn from_byte(byte: u8) -> Option<Self> {
        [Self::Fresh, Self::Running, Self::Finished, Self::Failed].into_iter().find(|phase| *phase as u8 == byte)
    }
}

/// Return, length and start time of a lane's current episode.
#[derive(Debug, Clone, Copy)]
pub struct Episode {
    pub episode_return: f64,
    /// Number of steps of the episode. Unlike `elapsed`, it starts at 0 even if the episode continues a longer game.
    pub length: i32,
    pub start: std::time::Instant,
}

/// Seed that was last set for a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed {
    pub number: u64,
    /// Whether the next reset passes the seed to the environment.
    pub is_pending: bool,
}

/// Table of the engine's data of each lane.
pub struct LaneTable {
    pub phase: LaneCells<Phase>,
    pub elapsed: LaneCells<i32>,
    pub seed: LaneCells<Seed>,
    /// Episode statistics; `None` unless enabled.
    pub episode: Option<LaneCells<Episode>>,
    autoreset: AutoresetMode,
    first_step: FirstStepPolicy,
    /// Number of lanes whose phase does not allow a step. Relaxed accesses suffice, because the synchronization that hands a lane
    /// to another thread also orders accesses to this counter.
    unready: AtomicUsize,
    /// Statistics of the pool, once they were requested.
    pub statistics: OnceLock<PoolStatistics>,
}

impl LaneTable {
    pub fn new(seeds: &[u64], episode_statistics: bool, autoreset: AutoresetMode, first_step: FirstStepPolicy) -> Self {
        let lanes = seeds.len();
        let start = std::time::Instant::now();
        let episode = Episode { episode_return: 0.0, length: 0, start };
        let phase = Phase::initial(first_step);
        Self {
            phase: LaneCells::new(0..lanes, |_| phase),
            elapsed: LaneCells::new(0..lanes, |_| 0),
            seed: LaneCells::new(0..lanes, |lane| Seed { number: seeds[lane], is_pending: true }),
            episode: episode_statistics.then(|| LaneCells::new(0..lanes, |_| episode)),
            autoreset,
            first_step,
            statistics: OnceLock::new(),
            unready: AtomicUsize::new(if phase.is_steppable(autoreset, first_step) { 0 } else { lanes }),
        }
    }

    /// Sets a lane's phase, and updates the number of lanes that cannot be stepped.
    #[inline]
    pub fn set_phase(&self, lane: LaneId<'_>, phase: Phase) {
        let before = self.phase.get(lane);
        self.phase.set(lane, phase);
        match (self.is_steppable(before), self.is_steppable(phase)) {
            (true, false) => _ = self.unready.fetch_add(1, Ordering::Relaxed),
            (false, true) => _ = self.unready.fetch_sub(1, Ordering::Relaxed),
            _ => {}
        }
    }

    /// Returns whether a lane in this phase can be stepped.
    #[inline(always)]
    pub fn is_steppable(&self, phase: Phase) -> bool {
        phase.is_steppable(self.autoreset, self.first_step)
    }

    /// Returns the number of lanes that need a reset before a step.
    #[inline]
    pub fn unready(&self) -> usize {
        self.unready.load(Ordering::Relaxed)
    }
}
