//! Asynchronous results: batches whose rows are handed out first come, first served.
//!
//! Rows are numbered through: row `r` is row `r % batch_size` of batch `r / batch_size`, which lies in place
//! `(r / batch_size) % places`. A claim takes the next rows with one atomic addition; whoever claimed them writes and then
//! commits them; a batch whose commits add up to `batch_size` is complete. At most `num_envs` rows are claimed beyond the last
//! batch taken out (a lane is claimed for at most once before its result has been received), so `num_envs / batch_size`,
//! rounded up, plus one place never run over each other.

use std::cell::UnsafeCell;

use super::batch::{Batch, Pointers};
use super::sync::{AtomicU64, AtomicUsize, Ordering};
use super::work::Slot;

struct Place {
    batch: UnsafeCell<Box<Batch>>,
    /// Rows committed. Added to by whoever wrote rows (release); read by the receiver (acquire), who sets it to 0 before the
    /// place can be claimed from again.
    committed: AtomicUsize,
}

/// The batches being filled.
pub struct Ring {
    places: Box<[Place]>,
    batch_size: usize,
    /// Next row to be handed out; only ever added to. Relaxed: what makes a row's memory ready is the queue that handed over
    /// the lane.
    next_row: AtomicU64,
    /// Batch to be taken out next; changed by the receiver alone.
    next_batch: AtomicU64,
}

// SAFETY: rows of a batch are written by whoever claimed them, each by one thread; the batch as a whole is touched by the
// receiver alone, after all rows are committed and before any row of its successor in the place can be claimed.
unsafe impl Sync for Ring {}

impl Ring {
    /// How many batches a pool of this shape needs.
    pub fn places(num_envs: usize, batch_size: usize) -> usize {
        num_envs.div_ceil(batch_size) + 1
    }

    /// A ring over these batches, each with room for `batch_size` rows.
    pub fn new(batches: Vec<Box<Batch>>, batch_size: usize) -> Self {
        let place = |batch| Place { batch: UnsafeCell::new(batch), committed: AtomicUsize::new(0) };
        Self {
            places: batches.into_iter().map(place).collect(),
            batch_size,
            next_row: AtomicU64::new(0),
            next_batch: AtomicU64::new(0),
        }
    }

    /// Takes the next `count` rows; returns the number of the first.
    #[inline]
    pub fn claim(&self, count: usize) -> u64 {
        self.next_row.fetch_add(count as u64, Ordering::Relaxed)
    }

    /// Where row number `row` lies.
    #[inline]
    pub fn slot(&self, row: u64) -> Slot<'_> {
        let size = self.batch_size as u64;
        let place = (row / size) % self.places.len() as u64;
        Slot { pointers: self.pointers(place as usize), row: (row % size) as usize }
    }

    fn pointers(&self, place: usize) -> &Pointers {
        // SAFETY: while rows of this place are claimed, nobody holds its batch exclusively (see the type).
        unsafe { &(*self.places[place].batch.get()).pointers }
    }

    /// Whether `count` rows from `first` on lie in one batch.
    #[inline]
    pub fn is_run(&self, first: u64, count: usize) -> bool {
        (first % self.batch_size as u64) as usize + count <= self.batch_size
    }

    /// Says that `count` rows from `first` on are written; returns whether that completed a batch.
    #[inline]
    pub fn commit(&self, first: u64, count: usize) -> bool {
        let size = self.batch_size as u64;
        let (mut row, end, mut completed) = (first, first + count as u64, false);
        while row < end {
            let next = end.min((row / size + 1) * size);
            let place = &self.places[((row / size) % self.places.len() as u64) as usize];
            let added = (next - row) as usize;
            // Release: the rows written happen before the receiver's acquire in `is_complete`.
            completed |= place.committed.fetch_add(added, Ordering::AcqRel) + added == self.batch_size;
            row = next;
        }
        completed
    }

    /// Whether the next batch can be taken out.
    #[inline]
    pub fn is_complete(&self) -> bool {
        let place = self.next_batch.load(Ordering::Relaxed) % self.places.len() as u64;
        self.places[place as usize].committed.load(Ordering::Acquire) == self.batch_size
    }

    /// Takes out the next batch and puts `spare` in its place; `None` (and `spare` back) where it is not complete.
    ///
    /// # Safety
    /// One thread at a time, and no lane whose result is in the batch may be queued again before this returns.
    pub unsafe fn take(&self, spare: Box<Batch>) -> Result<Box<Batch>, Box<Batch>> {
        if !self.is_complete() {
            return Err(spare);
        }
        let number = self.next_batch.load(Ordering::Relaxed);
        let place = &self.places[(number % self.places.len() as u64) as usize];
        // SAFETY: all rows are committed and none can be claimed before this returns, so the batch is ours alone.
        let mut batch = unsafe { std::mem::replace(&mut *place.batch.get(), spare) };
        batch.rows = self.batch_size;
        place.committed.store(0, Ordering::Relaxed);
        self.next_batch.store(number + 1, Ordering::Relaxed);
        Ok(batch)
    }

    /// Rows committed since the ring began.
    pub fn committed(&self) -> u64 {
        let taken = self.next_batch.load(Ordering::Relaxed) * self.batch_size as u64;
        taken + self.places.iter().map(|place| place.committed.load(Ordering::Acquire) as u64).sum::<u64>()
    }

    /// Forgets all rows and begins anew.
    ///
    /// # Safety
    /// All claimed rows must be committed, nothing queued, and nobody else at it.
    pub unsafe fn restart(&self) {
        self.places.iter().for_each(|place| place.committed.store(0, Ordering::Relaxed));
        self.next_row.store(0, Ordering::Relaxed);
        self.next_batch.store(0, Ordering::Relaxed);
    }

    /// The batches, before anything is in flight.
    pub fn batches(&mut self) -> impl Iterator<Item = &Batch> {
        self.places.iter_mut().map(|place| &**place.batch.get_mut())
    }
}
