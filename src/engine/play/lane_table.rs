//! What the engine itself knows of each lane: phase, elapsed steps, seed, episode.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::contract::config::{AutoresetMode, FirstStep};
use crate::play::lanes::{LaneCells, LaneId};

/// Where a lane is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Never reset: the first step resets it or is refused, as [`FirstStep`] says.
    Fresh = 0,
    /// In the middle of an episode.
    Running = 1,
    /// The episode has ended and no other has begun.
    Finished = 2,
    /// The environment panicked; only a reset revives it.
    Failed = 3,
    /// It has failed, and the reset that revives it is on its way: it is to be created anew first.
    Revived = 4,
}

impl Phase {
    /// Whether a lane in it can be stepped.
    #[inline(always)]
    fn is_ready(self, autoreset: AutoresetMode, first_step: FirstStep) -> bool {
        match self {
            Self::Running => true,
            Self::Failed | Self::Revived => false,
            Self::Finished => autoreset != AutoresetMode::Disabled,
            Self::Fresh => autoreset == AutoresetMode::NextStep && first_step == FirstStep::Begins,
        }
    }

    /// That of an environment which nobody has reset.
    fn unreset(first_step: FirstStep) -> Self {
        match first_step {
            FirstStep::Begins | FirstStep::Refused => Self::Fresh,
            FirstStep::Played => Self::Running,
        }
    }

    /// From the byte in a snapshot.
    pub fn from_byte(byte: u8) -> Option<Self> {
        [Self::Fresh, Self::Running, Self::Finished, Self::Failed].into_iter().find(|phase| *phase as u8 == byte)
    }
}

/// Return and start of a lane's current episode.
#[derive(Debug, Clone, Copy)]
pub struct Episode {
    pub total: f64,
    /// Steps played; unlike `elapsed` not subject to the time limit's clock of a restored snapshot.
    pub length: i32,
    pub start: std::time::Instant,
}

/// The seed that was last given for a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed {
    pub number: u64,
    /// Whether the environment is to be told at the next reset.
    pub is_new: bool,
}

/// What the engine itself knows of each lane.
pub struct LaneTable {
    pub phase: LaneCells<Phase>,
    pub elapsed: LaneCells<i32>,
    pub seed: LaneCells<Seed>,
    /// Empty unless episode statistics were asked for.
    pub episode: Option<LaneCells<Episode>>,
    autoreset: AutoresetMode,
    first_step: FirstStep,
    /// Lanes in a phase in which the rules let nobody step them. Relaxed: whatever hands a lane over to who asks orders this,
    /// too.
    unready: AtomicUsize,
}

impl LaneTable {
    pub fn new(seeds: &[u64], episode_statistics: bool, autoreset: AutoresetMode, first_step: FirstStep) -> Self {
        let lanes = seeds.len();
        let start = std::time::Instant::now();
        let episode = Episode { total: 0.0, length: 0, start };
        let phase = Phase::unreset(first_step);
        Self {
            phase: LaneCells::new(0..lanes, |_| phase),
            elapsed: LaneCells::new(0..lanes, |_| 0),
            seed: LaneCells::new(0..lanes, |lane| Seed { number: seeds[lane], is_new: true }),
            episode: episode_statistics.then(|| LaneCells::new(0..lanes, |_| episode)),
            autoreset,
            first_step,
            unready: AtomicUsize::new(if phase.is_ready(autoreset, first_step) { 0 } else { lanes }),
        }
    }

    /// Sets a lane's phase, and counts those that cannot be stepped.
    #[inline]
    pub fn set_phase(&self, lane: LaneId<'_>, phase: Phase) {
        let before = self.phase.get(lane);
        self.phase.set(lane, phase);
        match (self.is_ready(before), self.is_ready(phase)) {
            (true, false) => _ = self.unready.fetch_add(1, Ordering::Relaxed),
            (false, true) => _ = self.unready.fetch_sub(1, Ordering::Relaxed),
            _ => {}
        }
    }

    /// Whether a lane in this phase can be stepped.
    #[inline(always)]
    pub fn is_ready(&self, phase: Phase) -> bool {
        phase.is_ready(self.autoreset, self.first_step)
    }

    /// How many lanes cannot be stepped before they are reset.
    #[inline]
    pub fn unready(&self) -> usize {
        self.unready.load(Ordering::Relaxed)
    }
}
