//! A request on its way through the pool, and the chunks that it is handed out in.

use std::cell::UnsafeCell;
use std::sync::Arc;

use super::ActionColumn;
use super::batch::Batch;
use super::sync::{AtomicUsize, Ordering};
use super::work::{Kind, LaneList};

/// Lanes to be stepped or reset together.
pub struct Request {
    pub kind: Kind,
    pub lanes: LaneList,
    pub actions: Vec<ActionColumn>,
    /// Where synchronous results go. Put in before the request is queued, read while it is played, taken out by the receiver once
    /// `remaining` is 0.
    batch: UnsafeCell<Option<Box<Batch>>>,
    /// Items not yet played. Set before queueing; subtracted from by whoever played some (release); awaited by the receiver
    /// (acquire).
    remaining: AtomicUsize,
}

// SAFETY: all but `batch` is read-only once queued, and `batch` follows the rule given there.
unsafe impl Sync for Request {}

impl Request {
    /// A request for nothing, with these (empty) action arrays.
    pub fn new(actions: Vec<ActionColumn>) -> Self {
        let (kind, lanes) = (Kind::Step, LaneList::All(0));
        Self { kind, lanes, actions, batch: UnsafeCell::new(None), remaining: AtomicUsize::new(0) }
    }

    /// Makes it ready for queueing, with the memory for synchronous results.
    pub fn arm(&mut self, batch: Option<Box<Batch>>) {
        *self.batch.get_mut() = batch;
        self.remaining.store(self.lanes.len(), Ordering::Relaxed);
    }

    /// The memory for synchronous results.
    pub fn batch(&self) -> Option<&Batch> {
        // SAFETY: nobody takes it out before `remaining` is 0, and callers hold a chunk that counts in it.
        unsafe { (*self.batch.get()).as_deref() }
    }

    /// Says that `count` items are played; returns whether those were the last.
    #[inline]
    pub fn played(&self, count: usize) -> bool {
        self.remaining.fetch_sub(count, Ordering::SeqCst) == count
    }

    /// Whether all items are played.
    #[inline]
    pub fn is_done(&self) -> bool {
        self.remaining.load(Ordering::SeqCst) == 0
    }

    /// The results.
    ///
    /// # Safety
    /// For the receiver alone, once `is_done`.
    pub unsafe fn take_batch(&self) -> Option<Box<Batch>> {
        // SAFETY: whoever played has subtracted from `remaining` and no longer looks at the batch.
        unsafe { (*self.batch.get()).take() }
    }
}

/// Items `start..end` of a request.
pub struct Chunk {
    pub request: Arc<Request>,
    pub start: u32,
    pub end: u32,
}
