//! Per-lane storage that several threads use at once, each on lanes of its own.

use std::cell::UnsafeCell;

/// One `T` for each lane. Whoever works on a lane has its element for himself; the pool sees to it that a lane is worked on
/// by one thread at a time, and that a hand-over between threads synchronises (queue, counters or locks).
pub struct Lanes<T>(Box<[UnsafeCell<T>]>);

// SAFETY: elements are only reached through the unsafe methods, whose callers promise exclusive use of the lane; so sharing
// `Lanes` only ever moves access to a `T` from thread to thread.
unsafe impl<T: Send> Sync for Lanes<T> {}

impl<T> Lanes<T> {
    /// An element for each of `lanes` lanes.
    pub fn new(lanes: usize, create: impl FnMut(usize) -> T) -> Self {
        Self((0..lanes).map(create).map(UnsafeCell::new).collect())
    }

    /// The element of a lane.
    ///
    /// # Safety
    /// The caller must be the only one working on this lane.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "that is what a lane is for; exclusivity is the caller's promise")]
    pub unsafe fn get(&self, lane: usize) -> &mut T {
        // SAFETY: promised by the caller.
        unsafe { &mut *self.0[lane].get() }
    }

    /// The elements of `N` consecutive lanes.
    ///
    /// # Safety
    /// The caller must be the only one working on these lanes.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "that is what a lane is for; exclusivity is the caller's promise")]
    pub unsafe fn block<const N: usize>(&self, first: usize) -> &mut [T; N] {
        let cells: &[UnsafeCell<T>] = &self.0[first..first + N];
        // SAFETY: `UnsafeCell<T>` has the layout of `T`, the range was checked, exclusivity is promised by the caller.
        unsafe { &mut *cells.as_ptr().cast::<[T; N]>().cast_mut() }
    }
}

/// Where a lane is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Never reset: the first step resets it (or is refused, depending on the autoreset mode).
    Fresh = 0,
    /// In the middle of an episode.
    Running = 1,
    /// The episode has ended and no other has begun.
    Finished = 2,
    /// The environment panicked; only a reset revives it.
    Failed = 3,
}

impl Phase {
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

/// What the engine itself knows of each lane.
pub struct LaneTable {
    pub phase: Lanes<Phase>,
    pub elapsed: Lanes<i32>,
    /// Empty unless episode statistics were asked for.
    pub episode: Option<Lanes<Episode>>,
}

impl LaneTable {
    pub fn new(lanes: usize, episode_statistics: bool) -> Self {
        let start = std::time::Instant::now();
        let episode = Episode { total: 0.0, length: 0, start };
        Self {
            phase: Lanes::new(lanes, |_| Phase::Fresh),
            elapsed: Lanes::new(lanes, |_| 0),
            episode: episode_statistics.then(|| Lanes::new(lanes, |_| episode)),
        }
    }
}
