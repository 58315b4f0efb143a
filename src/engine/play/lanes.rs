//! Per-lane storage that several threads use at once, each on lanes of its own.

use std::cell::UnsafeCell;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::contract::config::{AutoresetMode, FirstStep};

/// One `T` for each lane, or for some lanes in a row. Whoever works on a lane has its element for himself; the pool sees to it that a
/// lane is worked on by one thread at a time, and that a hand-over between threads synchronises (queue, counters or locks).
pub struct Lanes<T> {
    elements: NonNull<[UnsafeCell<T>]>,
    /// The lane of the first element.
    first: usize,
    /// Where lane 0 has its element, or would have it: lanes are found without a subtraction on the way.
    lane_0: *mut T,
}

// SAFETY: it owns its elements, as a box does.
unsafe impl<T: Send> Send for Lanes<T> {}
// SAFETY: elements are only reached through the unsafe methods, whose callers promise exclusive use of the lane; so sharing
// `Lanes` only ever moves access to a `T` from thread to thread.
unsafe impl<T: Send> Sync for Lanes<T> {}

impl<T> Lanes<T> {
    /// An element for each lane of a range.
    pub fn new(lanes: Range<usize>, create: impl FnMut(usize) -> T) -> Self {
        Self::of(lanes.start, lanes.map(create).collect())
    }

    /// These elements, for as many lanes from `first` on.
    pub fn of(first: usize, elements: Vec<T>) -> Self {
        // In place: a cell lies as what is in it does.
        let cells: Vec<_> = elements.into_iter().map(UnsafeCell::new).collect();
        let elements = NonNull::from(Box::leak(cells.into_boxed_slice()));
        Self { elements, first, lane_0: elements.as_ptr().cast::<T>().wrapping_sub(first) }
    }

    /// The element of a lane.
    ///
    /// # Panics
    /// Where the lane is none of these.
    ///
    /// # Safety
    /// The caller must be the only one working on this lane.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "that is what a lane is for; exclusivity is the caller's promise")]
    pub unsafe fn get(&self, lane: usize) -> &mut T {
        assert!(lane.wrapping_sub(self.first) < self.elements.len(), "a lane of others");
        // SAFETY: the lane was checked, so this is the address of its element; exclusivity is promised by the caller.
        unsafe { &mut *self.lane_0.wrapping_add(lane) }
    }

    /// The elements of `N` consecutive lanes.
    ///
    /// # Panics
    /// Where not all are of these lanes.
    ///
    /// # Safety
    /// The caller must be the only one working on these lanes.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "that is what a lane is for; exclusivity is the caller's promise")]
    pub unsafe fn block<const N: usize>(&self, lane: usize) -> &mut [T; N] {
        let (offset, len) = (lane.wrapping_sub(self.first), self.elements.len());
        assert!(offset <= len && N <= len - offset, "lanes of others");
        // SAFETY: the lanes were checked, so their elements lie here one after the other; exclusivity is promised by the caller.
        unsafe { &mut *self.lane_0.wrapping_add(lane).cast::<[T; N]>() }
    }
}

impl<T> Lanes<T> {
    /// Takes all elements out, for good.
    pub fn take_all(&mut self) -> impl Iterator<Item = T> + use<T> {
        let taken = std::mem::replace(self, Self::of(0, Vec::new()));
        // SAFETY: they come from a box, which `taken`, never dropped, no longer owns.
        let elements = unsafe { Box::from_raw(std::mem::ManuallyDrop::new(taken).elements.as_ptr()) };
        elements.into_iter().map(UnsafeCell::into_inner)
    }
}

impl<T> Drop for Lanes<T> {
    fn drop(&mut self) {
        // SAFETY: they come from a box, and nobody works on a lane any more.
        drop(unsafe { Box::from_raw(self.elements.as_ptr()) });
    }
}

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
    pub phase: Lanes<Phase>,
    pub elapsed: Lanes<i32>,
    pub seed: Lanes<Seed>,
    /// Empty unless episode statistics were asked for.
    pub episode: Option<Lanes<Episode>>,
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
            phase: Lanes::new(0..lanes, |_| phase),
            elapsed: Lanes::new(0..lanes, |_| 0),
            seed: Lanes::new(0..lanes, |lane| Seed { number: seeds[lane], is_new: true }),
            episode: episode_statistics.then(|| Lanes::new(0..lanes, |_| episode)),
            autoreset,
            first_step,
            unready: AtomicUsize::new(if phase.is_ready(autoreset, first_step) { 0 } else { lanes }),
        }
    }

    /// Sets a lane's phase, and counts those that cannot be stepped.
    ///
    /// # Safety
    /// The caller must be the only one working on this lane.
    #[inline]
    pub unsafe fn set_phase(&self, lane: usize, phase: Phase) {
        // SAFETY: passed on to the caller.
        let before = std::mem::replace(unsafe { self.phase.get(lane) }, phase);
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
