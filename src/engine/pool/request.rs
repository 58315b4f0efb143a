//! A request on its way through the pool, and how it is divided among threads.

use crossbeam_utils::CachePadded;

use crate::contract::row::ActionColumn;
use crate::play::kind::{Kind, LaneList};
use crate::results::batch::Batch;
use crate::results::sync::{AtomicUsize, Ordering, UnsafeCell};

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
    /// The parts of a synchronous request, one for each thread that is expected to take part.
    parts: Vec<CachePadded<Part>>,
    /// Items that a thread takes from a part at a time.
    grain: usize,
}

/// Consecutive items of which one thread takes most: the same lanes at every step, so that they stay in its cache. (Taking pieces
/// from one queue instead made two threads slower than one: at 1,024 CartPoles 17 us per step against 12.)
struct Part {
    /// First item that nobody has taken; only ever added to, beyond `end` too. Relaxed: the queue and `remaining` synchronise.
    next: AtomicUsize,
    end: usize,
}

// SAFETY: all but `batch` is read-only once queued, and `batch` follows the rule given there.
unsafe impl Sync for Request {}

impl Request {
    /// A request for nothing, with these (empty) action arrays.
    pub fn new(actions: Vec<ActionColumn>) -> Self {
        Self {
            kind: Kind::Step,
            lanes: LaneList::All(0),
            actions,
            batch: UnsafeCell::new(None),
            remaining: AtomicUsize::new(0),
            parts: Vec::new(),
            grain: 1,
        }
    }

    /// Makes it ready for being played together, by `threads` threads taking `grain` items at a time, into `batch`.
    pub fn share(&mut self, threads: usize, grain: usize, batch: Box<Batch>) {
        let grain = grain.max(1); // of no lanes the share is nothing
        let len = self.lanes.len();
        let size = len.div_ceil(threads.max(1)).next_multiple_of(grain).max(1);
        self.parts.clear();
        self.parts.extend(
            (0..len)
                .step_by(size)
                .map(|start| CachePadded::new(Part { next: AtomicUsize::new(start), end: len.min(start + size) })),
        );
        self.grain = grain;
        // SAFETY: it is borrowed exclusively.
        self.batch.with_mut(|place| unsafe { *place = Some(batch) });
        self.remaining.store(len, Ordering::Relaxed);
    }

    /// Takes some items: of the part that thread number `thread` begins with, then of the others.
    #[inline]
    pub fn take(&self, thread: usize) -> Option<(usize, usize)> {
        let parts = self.parts.len();
        // Workers share out all parts but the caller's, also where there are more workers than parts.
        let first = if thread == 0 { 0 } else { 1 + (thread - 1) % (parts - 1).max(1) };
        (0..parts).find_map(|other| {
            let part = &self.parts[(first + other) % parts];
            if part.next.load(Ordering::Relaxed) >= part.end {
                return None;
            }
            let start = part.next.fetch_add(self.grain, Ordering::Relaxed);
            (start < part.end).then(|| (start, part.end.min(start + self.grain)))
        })
    }

    /// The memory for synchronous results. For whoever has taken items that are not yet subtracted from `remaining`.
    pub fn batch(&self) -> Option<&Batch> {
        // SAFETY: nobody takes it out before `remaining` is 0.
        self.batch.with(|batch| unsafe { (*batch).as_deref() })
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
        self.batch.with_mut(|batch| unsafe { (*batch).take() })
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use std::sync::Arc;

    use loom::cell::UnsafeCell;

    use super::*;
    use crate::{Dialect, EnvSpec, Format, Layout, Outputs, PoolConfig, Space};

    /// A request beside cells that stand for its rows' memory, so that loom sees who reads and writes them.
    struct Model {
        request: Request,
        rows: Vec<UnsafeCell<u64>>,
    }

    // SAFETY: as for `Request`; loom checks that the cells are used accordingly.
    unsafe impl Sync for Model {}
    // SAFETY: plain data.
    unsafe impl Send for Model {}

    impl Model {
        /// A request for `items` items, of which threads take one at a time.
        fn new(items: usize, threads: usize) -> Arc<Self> {
            let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
            let spec = EnvSpec::new(Space::discrete(2), Space::discrete(2));
            let layout = Arc::new(Layout::new(&spec, outputs, &PoolConfig::new(items as i64).unwrap()));
            let mut request = Request::new(Vec::new());
            request.lanes = LaneList::All(items);
            request.share(threads, 1, Box::new(Batch::new(&layout, items, 0)));
            Arc::new(Self { request, rows: (0..items).map(|_| UnsafeCell::new(0)).collect() })
        }

        /// Plays what thread number `thread` can get.
        fn play(&self, thread: usize) {
            while let Some((start, end)) = self.request.take(thread) {
                assert!(self.request.batch().is_some(), "nobody takes the results out before all is played");
                for row in &self.rows[start..end] {
                    // SAFETY: the item was taken by this thread alone, which loom checks.
                    row.with_mut(|count| unsafe { *count += 1 });
                }
                self.request.played(end - start);
            }
        }
    }

    #[test]
    fn loom_items_are_taken_once_and_the_receiver_sees_all_that_was_written() {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(3);
        builder.check(|| {
            // Two parts of two items and of one: whoever is through with its own helps with the other's.
            let model = Model::new(3, 2);
            let workers = [0, 1].map(|thread| {
                let model = Arc::clone(&model);
                loom::thread::spawn(move || model.play(thread))
            });
            while !model.request.is_done() {
                loom::thread::yield_now();
            }
            // SAFETY: it is done, and this is the only receiver.
            assert!(unsafe { model.request.take_batch() }.is_some());
            for row in &model.rows {
                // SAFETY: all is played, which loom checks.
                assert_eq!(row.with(|count| unsafe { *count }), 1);
            }
            for worker in workers {
                worker.join().unwrap();
            }
        });
    }
}
