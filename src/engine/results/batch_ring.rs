//! Ring buffer of asynchronous batches, whose rows are claimed in the order of completion.
//!
//! Rows are numbered consecutively: row `r` is row `r % batch_size` of batch `r / batch_size`, which occupies slot `(r /
//! batch_size) % slots`. A claim reserves the next rows with one atomic addition. The claiming thread writes the rows and then
//! commits them. A batch is complete when its commits add up to `batch_size`. A lane is claimed for at most once before its
//! result is received, so at most `num_envs` rows are claimed beyond the last batch taken out. Therefore `num_envs / batch_size`
//! (rounded up) plus one slots suffice: no claimed row is overwritten.

use crossbeam_utils::CachePadded;

use crate::results::batch::Batch;
use crate::results::pointers::BatchPointers;
use crate::results::sync::{AtomicU64, AtomicUsize, Ordering, UnsafeCell};

struct RingSlot {
    batch: UnsafeCell<Box<Batch>>,
    /// Number of committed rows of the slot's batch. Writers add to it (release; sequentially consistent for sleeping receivers,
    /// see `threads/wait_queue.rs`). The receiver reads it (acquire), and resets it to 0 before rows of the slot can be claimed
    /// again.
    committed: AtomicUsize,
}

/// Ring buffer of the batches that asynchronous results are written into.
///
/// What threads change is in cache lines of its own: all threads read the other fields.
pub struct BatchRing {
    slots: Box<[CachePadded<RingSlot>]>,
    batch_size: usize,
    /// Number of the next row to claim; only incremented. Relaxed, because the lock that hands over a lane also orders access to
    /// the row's memory.
    next_row: CachePadded<AtomicU64>,
    /// Number of the next batch to take out; changed only by the receiver.
    next_batch: CachePadded<AtomicU64>,
}

// SAFETY: each claimed row is written by the one thread that claimed it. Only the receiver accesses the batch as a whole. The
// receiver does so after all rows are committed, which `take` checks, and before a row of the slot's next batch can be claimed,
// by the contract of `take`.
unsafe impl Sync for BatchRing {}

impl BatchRing {
    /// Returns the number of slots that a pool of `num_envs` environments needs for batches of `batch_size` rows.
    pub fn slots(num_envs: usize, batch_size: usize) -> usize {
        num_envs.div_ceil(batch_size) + 1
    }

    /// Creates a ring of these batches, each with capacity for `batch_size` rows.
    #[expect(clippy::vec_box, reason = "batches come and go one by one, and pointers into them stay valid")]
    pub fn new(batches: Vec<Box<Batch>>, batch_size: usize) -> Self {
        let slot = |batch| CachePadded::new(RingSlot { batch: UnsafeCell::new(batch), committed: AtomicUsize::new(0) });
        Self {
            slots: batches.into_iter().map(slot).collect(),
            batch_size,
            next_row: CachePadded::new(AtomicU64::new(0)),
            next_batch: CachePadded::new(AtomicU64::new(0)),
        }
    }

    /// Claims the next `count` rows and returns the number of the first.
    #[inline]
    pub fn claim(&self, count: usize) -> u64 {
        self.next_row.fetch_add(count as u64, Ordering::Relaxed)
    }

    /// Returns the columns of the batch that contains row number `row`, and the row's index in the batch.
    #[inline]
    pub fn locate(&self, row: u64) -> (&BatchPointers, usize) {
        let size = self.batch_size as u64;
        let slot = (row / size) % self.slots.len() as u64;
        (self.pointers(slot as usize), (row % size) as usize)
    }

    fn pointers(&self, slot: usize) -> &BatchPointers {
        // SAFETY: while rows of this slot are claimed, no thread has exclusive access to its batch (see `unsafe impl Sync for
        // BatchRing`).
        self.slots[slot].batch.with(|batch| unsafe { &(*batch).pointers })
    }

    /// Returns whether the `count` rows that start at row `first` belong to one batch.
    #[inline]
    pub fn is_run(&self, first: u64, count: usize) -> bool {
        count <= self.rows_left(first)
    }

    /// Returns the number of rows from `first` to the end of its batch.
    #[inline]
    pub fn rows_left(&self, first: u64) -> usize {
        self.batch_size - (first % self.batch_size as u64) as usize
    }

    /// Commits the `count` rows that start at row `first`, and returns whether a batch is complete now.
    #[inline]
    pub fn commit(&self, first: u64, count: usize) -> bool {
        let size = self.batch_size as u64;
        let (mut row, end, mut completed) = (first, first + count as u64, false);
        while row < end {
            let next = end.min((row / size + 1) * size);
            let slot = &self.slots[((row / size) % self.slots.len() as u64) as usize];
            let added = (next - row) as usize;
            // Release ordering: the writes of the rows happen before the receiver's acquire in `is_complete`.
            completed |= slot.committed.fetch_add(added, Ordering::SeqCst) + added == self.batch_size;
            row = next;
        }
        completed
    }

    /// Returns whether all rows of the next batch are committed, so that it can be taken out.
    #[inline]
    pub fn is_complete(&self) -> bool {
        let slot = self.next_batch.load(Ordering::Relaxed) % self.slots.len() as u64;
        self.slots[slot as usize].committed.load(Ordering::SeqCst) == self.batch_size
    }

    /// Takes out the next batch and puts `spare` into its slot. Returns `spare` as the error if the batch is not complete.
    ///
    /// # Safety
    /// Only one thread at a time may call this function. No lane with a result in the batch may be queued again before the
    /// function returns.
    pub unsafe fn take(&self, spare: Box<Batch>) -> Result<Box<Batch>, Box<Batch>> {
        if !self.is_complete() {
            return Err(spare);
        }
        let number = self.next_batch.load(Ordering::Relaxed);
        let slot = &self.slots[(number % self.slots.len() as u64) as usize];
        // SAFETY: all rows of the slot's batch are committed (checked above), and the caller guarantees that no row of the slot's
        // next batch is claimed before `take` returns.
        let mut batch = slot.batch.with_mut(|batch| unsafe { batch.replace(spare) });
        batch.rows = self.batch_size;
        slot.committed.store(0, Ordering::Relaxed);
        self.next_batch.store(number + 1, Ordering::Relaxed);
        Ok(batch)
    }

    /// Returns the number of rows committed since the ring was created or restarted.
    pub fn committed(&self) -> u64 {
        let taken = self.next_batch.load(Ordering::Relaxed) * self.batch_size as u64;
        taken + self.slots.iter().map(|slot| slot.committed.load(Ordering::Acquire) as u64).sum::<u64>()
    }

    /// Frees the memory of all batches in the ring.
    ///
    /// # Safety
    /// No other thread may access the ring, and no row may be claimed any more.
    pub unsafe fn free_batches(&self) {
        for slot in &*self.slots {
            // SAFETY: the caller guarantees that no other thread accesses the ring.
            slot.batch.with_mut(|batch| unsafe {
                if let Ok(empty) = (**batch).without_rows() {
                    **batch = empty; // otherwise the memory is freed with the pool
                }
            });
        }
    }

    /// Resets the ring to its initial state.
    ///
    /// # Safety
    /// All claimed rows must be committed, no lane may be queued, and no other thread may access the ring.
    pub unsafe fn reset(&self) {
        self.slots.iter().for_each(|slot| slot.committed.store(0, Ordering::Relaxed));
        self.next_row.store(0, Ordering::Relaxed);
        self.next_batch.store(0, Ordering::Relaxed);
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use std::sync::Arc;

    use loom::cell::UnsafeCell;

    use super::*;
    use crate::contract::config::PoolConfig;
    use crate::contract::space::Space;
    use crate::contract::spec::EnvSpec;
    use crate::results::layout::{Dialect, Format, Layout, Outputs};

    /// Model of a ring buffer. Cells stand for the memory of the rows, so that loom checks accesses to them.
    struct Model {
        ring: BatchRing,
        rows: Vec<UnsafeCell<u64>>,
        layout: Arc<Layout>,
    }

    // SAFETY: the cells are accessed by the rules of `BatchRing`; loom checks every access.
    unsafe impl Sync for Model {}
    // SAFETY: the type holds plain data without thread affinity.
    unsafe impl Send for Model {}

    impl Model {
        fn new(lanes: usize, batch_size: usize) -> Arc<Self> {
            let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
            let config = PoolConfig::new(lanes as i64).unwrap();
            let spec = EnvSpec::new(Space::discrete(2), Space::discrete(2));
            let layout = Arc::new(Layout::new(&spec, outputs, &config));
            let slots = BatchRing::slots(lanes, batch_size);
            let batches = (0..slots).map(|tag| Box::new(Batch::new(&layout, batch_size, tag).unwrap())).collect();
            Arc::new(Self {
                ring: BatchRing::new(batches, batch_size),
                rows: (0..slots * batch_size).map(|_| UnsafeCell::new(0)).collect(),
                layout,
            })
        }

        fn row(&self, number: u64) -> &UnsafeCell<u64> {
            &self.rows[number as usize % self.rows.len()]
        }

        /// Claims, writes and commits rows for `lanes` lanes of writer number `writer`.
        fn write(&self, writer: usize, lanes: usize) {
            let first = self.ring.claim(lanes);
            for number in first..first + lanes as u64 {
                let _columns = self.ring.locate(number);
                // SAFETY: this thread has claimed the row, so no other thread accesses it; loom checks this.
                self.row(number).with_mut(|row| unsafe { *row = 1 + writer as u64 });
            }
            self.ring.commit(first, lanes);
        }

        /// Takes batch number `number` and returns the number of the writer of each row.
        fn read(&self, number: u64) -> Vec<usize> {
            while !self.ring.is_complete() {
                loom::thread::yield_now();
            }
            let spare = Box::new(Batch::new(&self.layout, self.ring.batch_size, 0).unwrap());
            // SAFETY: the model's test has one receiver, this thread, and queues no lane again before the next call of `take`.
            assert!(unsafe { self.ring.take(spare) }.is_ok());
            let size = self.ring.batch_size as u64;
            let rows = number * size..(number + 1) * size;
            // SAFETY: the rows were taken out, so that no writer accesses them.
            rows.map(|row| self.row(row).with_mut(|row| unsafe { std::mem::take(&mut *row) }) as usize - 1).collect()
        }
    }

    /// Starts a thread that writes rows for `lanes` lanes as writer number `writer`. Starting a thread synchronizes memory, as
    /// handing a lane over through the lock of the tasks does.
    fn start(model: &Arc<Model>, writer: usize, lanes: usize) -> loom::thread::JoinHandle<()> {
        let model = Arc::clone(model);
        loom::thread::spawn(move || model.write(writer, lanes))
    }

    fn explore(test: impl Fn() + Sync + Send + 'static) {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(3);
        builder.check(test);
    }

    #[test]
    fn loom_rows_of_two_writers_reach_the_receiver_whole() {
        explore(|| {
            // With three lanes and batches of two rows, the two rows of the first writer may belong to two batches.
            let model = Model::new(3, 2);
            let writers = [start(&model, 0, 2), start(&model, 1, 1)];
            let mut seen = model.read(0);
            for writer in writers {
                writer.join().unwrap();
            }
            model.write(1, 1);
            seen.extend(model.read(1));
            seen.sort_unstable();
            assert_eq!(seen, [0, 0, 1, 1]);
        });
    }

    #[test]
    fn loom_a_receiver_may_write_rows_concurrently_with_a_writer() {
        explore(|| {
            // The model has three lanes and batches of two rows. A writer thread handles one lane. The other two are backend
            // lanes, whose rows the receiver writes itself; it writes one of them twice.
            let model = Model::new(3, 2);
            let writer = start(&model, 0, 1);
            model.write(1, 1);
            model.write(1, 1);
            let mut seen = model.read(0);
            model.write(1, 1);
            seen.extend(model.read(1));
            writer.join().unwrap();
            seen.sort_unstable();
            assert_eq!(seen, [0, 1, 1, 1]);
        });
    }

    #[test]
    fn loom_slots_are_reused_only_after_their_batch_is_taken() {
        explore(|| {
            // With two lanes, batches of one row and three slots, the fourth row reuses the first slot. Each lane is queued again
            // as soon as its result is taken, even if the other lane has not yet written its first row.
            let model = Model::new(2, 1);
            let mut writers = vec![start(&model, 0, 1), start(&model, 1, 1)];
            let mut counts = [0; 2];
            for number in 0..4 {
                let writer = model.read(number)[0];
                counts[writer] += 1;
                if counts[writer] == 1 {
                    writers.push(start(&model, writer, 1));
                }
            }
            for writer in writers {
                writer.join().unwrap();
            }
            assert_eq!(counts, [2, 2]);
        });
    }
}
