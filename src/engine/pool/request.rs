//! A request to step or reset some of the pool's lanes, and its division among threads.

use std::ops::Range;

use crossbeam_utils::CachePadded;

use crate::contract::row::ActionColumn;
use crate::exec::request_kind::{LaneList, RequestKind};
use crate::results::batch::Batch;
use crate::results::sync::{AtomicUsize, Ordering, UnsafeCell};
use crate::threads::thread_pool::SharedTask;

/// A step or reset of some lanes, with their actions.
pub struct Request {
    pub kind: RequestKind,
    pub lanes: LaneList,
    pub actions: Vec<ActionColumn>,
    /// For each lane, whether a step of it only resets it; empty if this is not known.
    pub only_resets: Vec<bool>,
    /// Memory for the results of a synchronous request. Set before the request is published, read while the request executes, taken
    /// by the receiver once `remaining` is 0.
    batch: UnsafeCell<Option<Box<Batch>>>,
    /// Numbers that all threads change, in cache lines of their own: all threads read the other fields.
    counts: Box<CachePadded<Counts>>,
    /// Parts of the request. A synchronous request has one for each thread that is expected to execute items.
    parts: Vec<CachePadded<RequestPart>>,
    /// Number of items that a thread takes from a part at a time.
    take_size: usize,
    /// Whether the first part is the caller's.
    caller_joins: bool,
}

#[derive(Default)]
struct Counts {
    /// Number of items not yet executed. Set before the request is published. Each thread subtracts the items that it has executed
    /// (release), and the receiver waits for 0 (acquire).
    remaining: AtomicUsize,
    /// Number of workers that may still be admitted. Accesses are relaxed, because workers are admitted under the lock of the
    /// tasks.
    seats: AtomicUsize,
    /// Number of parts with items that no thread has taken; only decreases. Accesses are relaxed, as those of `RequestPart::next`.
    open_parts: AtomicUsize,
}

/// Consecutive items of a request, most of which one thread executes. Requests for the same lanes have the same parts, so that a
/// lane's data stays in the cache of one thread. With a single queue for all threads, two threads were slower than one: 17 us per
/// step at 1,024 CartPoles, against 12.
struct RequestPart {
    /// First item that no thread has taken. The number only grows, and may exceed `end`. Accesses are relaxed, because the lock
    /// of the tasks and `remaining` synchronise the threads.
    next: AtomicUsize,
    end: usize,
}

// SAFETY: once a request is published, all fields except `batch` are read-only or atomic. `batch` is only read until `remaining` is
// 0; then the receiver takes it.
unsafe impl Sync for Request {}

impl Request {
    /// Creates a request without lanes. `actions` are its action arrays, which must be empty.
    pub fn new(actions: Vec<ActionColumn>) -> Self {
        Self {
            kind: RequestKind::Step,
            lanes: LaneList::All(0),
            actions,
            only_resets: Vec::new(),
            batch: UnsafeCell::new(None),
            counts: Box::default(),
            parts: Vec::new(),
            take_size: 1,
            caller_joins: false,
        }
    }

    /// Divides the request into parts for `threads` threads, which take `grain` items at a time and write the results into
    /// `batch`, if the request is synchronous. At most `workers` workers are admitted; the caller is one more of the threads if
    /// `threads` is larger.
    pub fn divide(&mut self, threads: usize, grain: usize, workers: usize, batch: Option<Box<Batch>>) {
        let grain = grain.max(1); // `grain` is 0 for a request without lanes
        let len = self.lanes.len();
        let size = len.div_ceil(threads.max(1)).next_multiple_of(grain).max(1);
        self.parts.clear();
        self.parts.extend(
            (0..len)
                .step_by(size)
                .map(|start| CachePadded::new(RequestPart { next: AtomicUsize::new(start), end: len.min(start + size) })),
        );
        self.take_size = grain;
        self.caller_joins = threads > workers;
        self.counts.open_parts.store(self.parts.len(), Ordering::Relaxed);
        // SAFETY: `&mut self` excludes other references to the cell of the batch.
        self.batch.with_mut(|slot| unsafe { *slot = batch });
        self.counts.seats.store(workers, Ordering::Relaxed);
        self.counts.remaining.store(len, Ordering::Relaxed);
    }

    /// Returns the items that thread `thread` takes: first those of its own part, and then those of other parts.
    #[inline]
    pub fn items(&self, thread: usize) -> Items<'_> {
        let parts = self.parts.len();
        let callers = usize::from(self.caller_joins);
        // Thread 0 is the caller. Workers share the other parts, even if there are more workers than parts.
        let part = thread.checked_sub(1).map_or(0, |worker| callers + worker % parts.saturating_sub(callers).max(1));
        Items { request: self, part, unseen: parts }
    }

    /// Admits one more worker.
    pub fn add_seat(&self) {
        self.counts.seats.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of workers that may still be admitted.
    pub fn free_seats(&self) -> usize {
        self.counts.seats.load(Ordering::Relaxed)
    }

    /// Returns the memory for synchronous results. Only threads that have taken items, and have not yet recorded them as
    /// executed, may call this method.
    pub fn batch(&self) -> Option<&Batch> {
        // SAFETY: `take_batch` is called only after `remaining` has become 0, and `remaining` still includes the items that the
        // caller has taken.
        self.batch.with(|batch| unsafe { (*batch).as_deref() })
    }

    /// Records that `count` items were executed. Returns whether no item is left to execute.
    #[inline]
    pub fn record_executed(&self, count: usize) -> bool {
        self.counts.remaining.fetch_sub(count, Ordering::SeqCst) == count
    }

    /// Returns whether all items of the request have been executed.
    #[inline]
    pub fn is_done(&self) -> bool {
        self.counts.remaining.load(Ordering::SeqCst) == 0
    }

    /// Takes the batch with the results out of the request.
    ///
    /// # Safety
    /// The caller is the only receiver, and `is_done` has returned true.
    pub unsafe fn take_batch(&self) -> Option<Box<Batch>> {
        // SAFETY: each thread subtracts from `remaining` after its last access to the batch, and `remaining` is 0 (by contract).
        self.batch.with_mut(|batch| unsafe { (*batch).take() })
    }
}

/// The items of a request that one thread takes, up to [`Request::take_size`] at a time.
pub struct Items<'a> {
    request: &'a Request,
    /// Number of the part from which the thread takes items, counted on from 0 after the last one.
    part: usize,
    /// Number of parts that the thread has not found empty. An empty part gets no items.
    unseen: usize,
}

impl Iterator for Items<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        let Request { parts, take_size, counts, .. } = self.request;
        // Threads that find no items stop at once, instead of reading the cache lines of all parts.
        while self.unseen > 0 && counts.open_parts.load(Ordering::Relaxed) > 0 {
            let part = &parts[self.part % parts.len()];
            // An empty part is only read, so that its cache line stays shared.
            if part.next.load(Ordering::Relaxed) < part.end {
                let start = part.next.fetch_add(*take_size, Ordering::Relaxed);
                let end = part.end.min(start + take_size);
                if start < end {
                    if end == part.end {
                        counts.open_parts.fetch_sub(1, Ordering::Relaxed);
                    }
                    return Some(start..end);
                }
            }
            self.unseen -= 1;
            self.part += 1;
        }
        None
    }
}

impl SharedTask for Request {
    #[inline]
    fn is_taken(&self) -> bool {
        self.counts.open_parts.load(Ordering::Relaxed) == 0
    }

    #[inline]
    fn admit(&self) -> bool {
        let take = |seats: usize| seats.checked_sub(1);
        !self.is_taken() && self.counts.seats.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use std::sync::Arc;

    use loom::cell::UnsafeCell;

    use super::*;
    use crate::{Dialect, EnvSpec, Format, Layout, Outputs, PoolConfig, Space};

    /// A request with cells that stand for its rows' memory, so that loom checks the accesses to them.
    struct Model {
        request: Request,
        rows: Vec<UnsafeCell<u64>>,
    }

    // SAFETY: the cells are accessed by the rules of `Request`; loom checks every access.
    unsafe impl Sync for Model {}
    // SAFETY: the type holds plain data without thread affinity.
    unsafe impl Send for Model {}

    impl Model {
        /// Creates a request for `items` items, which `threads` threads take one at a time.
        fn new(items: usize, threads: usize) -> Arc<Self> {
            let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
            let spec = EnvSpec::new(Space::discrete(2), Space::discrete(2));
            let layout = Arc::new(Layout::new(&spec, outputs, &PoolConfig::new(items as i64).unwrap()));
            let mut request = Request::new(Vec::new());
            request.lanes = LaneList::All(items);
            request.divide(threads, 1, threads, Some(Box::new(Batch::new(&layout, items, 0).unwrap())));
            Arc::new(Self { request, rows: (0..items).map(|_| UnsafeCell::new(0)).collect() })
        }

        /// Executes the items that thread `thread` can take.
        fn execute(&self, thread: usize) {
            for items in self.request.items(thread) {
                assert!(self.request.batch().is_some(), "results are taken before all items are executed");
                let count = items.len();
                for row in &self.rows[items] {
                    // SAFETY: only this thread took the item; loom checks this.
                    row.with_mut(|count| unsafe { *count += 1 });
                }
                self.request.record_executed(count);
            }
        }
    }

    #[test]
    fn loom_items_are_taken_once_and_all_writes_are_visible_to_the_receiver() {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(3);
        builder.check(|| {
            // There are two parts, of two items and one item. A thread that has finished its own part helps with the other.
            let model = Model::new(3, 2);
            let workers = [0, 1].map(|thread| {
                let model = Arc::clone(&model);
                loom::thread::spawn(move || model.execute(thread))
            });
            while !model.request.is_done() {
                loom::thread::yield_now();
            }
            // SAFETY: the request is done, and this thread is the request's only receiver.
            assert!(unsafe { model.request.take_batch() }.is_some());
            for row in &model.rows {
                // SAFETY: all items have been executed, so no other thread accesses the cell; loom checks this.
                assert_eq!(row.with(|count| unsafe { *count }), 1);
            }
            for worker in workers {
                worker.join().unwrap();
            }
        });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Returns the first items that threads `0..4` would take of a request for 12 lanes and two workers.
    fn first_items(threads: usize) -> [Range<usize>; 4] {
        [0, 1, 2, 3].map(|thread| {
            let mut request = Request::new(Vec::new());
            request.lanes = LaneList::All(12);
            request.divide(threads, 1, 2, None);
            request.items(thread).next().unwrap()
        })
    }

    #[test]
    fn each_expected_thread_starts_at_a_part_of_its_own() {
        assert_eq!(first_items(3), [0..1, 4..5, 8..9, 4..5], "the caller and two workers");
        assert_eq!(first_items(2), [0..1, 0..1, 6..7, 0..1], "two workers");
    }
}
