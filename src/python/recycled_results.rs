//! List of a pool's batches, each with reusable Python objects.

use std::collections::VecDeque;

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::refcount;
use super::results::{OutTarget, RecycledResult, ResultKind, ResultSchema};
use envpool_rs_engine::{self as engine, Batch};

/// List of a pool's batches with their Python objects.
pub struct RecycledResults {
    /// Results by the tag of their batch. An entry is empty while a thread works on the result: operations that may run Python
    /// code must not access the list.
    results: Vec<Option<Box<RecycledResult>>>,
    /// Index of the result whose batch [`RecycledResults::acquire`] returned last.
    last: usize,
    /// Results whose conversion raised a Python exception, oldest first. The next `recv` returns the oldest.
    deferred: VecDeque<(usize, ResultKind)>,
    /// Result that the last call returned, until the next call starts.
    delivered: Delivered,
    /// Whether a signal handler has raised an exception instead of returning that result (asynchronous pools).
    pub is_interrupted: bool,
    /// Number of results that calls have returned, or whose conversion raised a Python exception.
    pub deliveries: u64,
    /// Number of results that are tested for reuse. If other owners hold all of them, one of them is released.
    reuse_window: usize,
    /// Result whose batch writes into memory of the caller's arrays (`out=`). `None` before its first use, and while a thread
    /// works on it.
    lent: Option<Box<RecycledResult>>,
    /// Whether the result for the caller's arrays was created. It is in `lent`, unless a thread works on it.
    has_lent: bool,
}

/// Result that the last call returned. A signal handler that raises an exception after the call, but before the caller has
/// assigned the result, drops the caller's reference; `recv` then returns the result again.
pub enum Delivered {
    /// No result, or a later call has started.
    Nothing,
    /// The reusable tuple of the result with this tag.
    Reusable(usize),
    /// Another result, and the number of references to its parts without those of the caller.
    Other(Py<PyAny>, u32),
}

/// Tag of the batch that writes into memory of the caller's arrays.
const LENT: usize = usize::MAX - 1;

/// Number of results that are tested for reuse. If other owners hold all of them, one of them is released. Three suffice for a
/// loop that holds at most two results at a time.
const REUSE_WINDOW: usize = 3;

impl RecycledResults {
    /// Creates the list, with one result for each of the `places` batches in an asynchronous pool's ring buffer. The engine holds
    /// these batches.
    pub fn new(shape: &ResultSchema, places: usize) -> Self {
        let results = (0..places).map(|_| Some(Box::new(RecycledResult::new(shape, None)))).collect();
        Self {
            results,
            last: 0,
            deferred: VecDeque::new(),
            delivered: Delivered::Nothing,
            is_interrupted: false,
            deliveries: 0,
            reuse_window: if shape.overwrites_observations() { 1 } else { REUSE_WINDOW },
            lent: None,
            has_lent: false,
        }
    }

    /// Returns the result of the batch with tag `tag`; `None` if it is not in the list.
    #[inline]
    pub fn get(&mut self, tag: usize) -> Option<&mut RecycledResult> {
        if tag == LENT {
            return self.lent.as_deref_mut();
        }
        self.results.get_mut(tag)?.as_deref_mut()
    }

    /// Takes the result of the batch with tag `tag` out of the list, to work on it.
    #[inline]
    pub fn take(&mut self, tag: usize) -> Option<Box<RecycledResult>> {
        if tag == LENT {
            return self.lent.take();
        }
        self.results.get_mut(tag)?.take()
    }

    /// Puts a result back into the list after it was taken out.
    #[inline]
    pub fn restore(&mut self, tag: usize, result: Box<RecycledResult>) {
        if tag == LENT {
            self.lent = Some(result);
            return;
        }
        if tag >= self.results.len() {
            self.results.resize_with(tag + 1, || None); // `take_all` emptied the list meanwhile
        }
        self.results[tag] = Some(result);
    }

    /// Returns whether a batch has a result in the list. Batches that an XLA program created have none.
    #[inline]
    pub fn contains(&self, batch: &Batch) -> bool {
        batch.tag < self.results.len() || batch.tag == LENT
    }

    /// Gives the list entry of `old` to `batch`, which has no entry, and drops `old`. No other owner may hold `old`.
    pub fn adopt(&mut self, shape: &ResultSchema, batch: &mut Batch, old: Box<Batch>) {
        batch.tag = old.tag;
        self.restore(old.tag, Box::new(RecycledResult::new(shape, None)));
    }

    /// Returns a batch that no other owner holds, for the engine to write into. `Err` contains the index of a result that the
    /// caller must release first.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory of another batch.
    #[inline]
    pub fn acquire(
        &mut self,
        py: Python<'_>,
        shape: &ResultSchema,
        pool: &engine::Pool,
    ) -> engine::Result<Result<Box<Batch>, usize>> {
        let count = self.results.len();
        let mut held = None;
        for step in 1..=count {
            let index = (self.last + step) % count;
            if let Some(result) = &mut self.results[index] {
                if result.is_untouched(py) {
                    self.last = index;
                    return Ok(Ok(result.take()));
                }
                if result.has_batch() {
                    held.get_or_insert(index);
                }
            }
            if step >= self.reuse_window && held.is_some() {
                break;
            }
        }
        match held.filter(|_| count >= self.reuse_window + pool.ring_slots()) {
            Some(index) => {
                self.last = index;
                Ok(Err(index))
            }
            None => {
                let batch = pool.batch(count)?;
                self.results.push(Some(Box::new(RecycledResult::new(shape, None))));
                self.last = count;
                Ok(Ok(batch))
            }
        }
    }

    /// Takes the result whose batch can write into memory of the caller's arrays; `None` while the engine holds its batch. The
    /// caller puts it back by [`RecycledResults::restore_out_result`].
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory of the batch.
    pub fn take_out_result(&mut self, shape: &ResultSchema, pool: &engine::Pool) -> engine::Result<Option<Box<RecycledResult>>> {
        if !self.has_lent {
            let batch = pool.batch(LENT)?;
            self.has_lent = true;
            return Ok(Some(Box::new(RecycledResult::new(shape, Some(batch)))));
        }
        Ok(self.lent.take_if(|result| result.has_batch()))
    }

    /// Puts the result that [`RecycledResults::take_out_result`] returned back into the list.
    pub fn restore_out_result(&mut self, result: Box<RecycledResult>) {
        self.lent = Some(result);
    }

    /// Records and counts the result that a call returns; returns the previous record.
    #[inline]
    #[must_use]
    pub fn record_delivery(&mut self, delivered: Delivered) -> Delivered {
        self.deliveries += 1;
        self.set_delivered(delivered)
    }

    /// Replaces the record of the result that the last call returned, and returns the previous record, because dropping it may run Python code.
    #[inline]
    #[must_use]
    pub fn set_delivered(&mut self, delivered: Delivered) -> Delivered {
        std::mem::replace(&mut self.delivered, delivered)
    }

    /// Returns the result that the last call returned, and whether its caller has lost it: no other object holds its arrays.
    pub fn delivered(&self, py: Python<'_>) -> Option<(Py<PyAny>, bool)> {
        match &self.delivered {
            Delivered::Nothing => None,
            Delivered::Reusable(tag) => {
                let result = if *tag == LENT { self.lent.as_ref() } else { self.results.get(*tag)?.as_ref() }?;
                let is_lost = result.is_untouched(py);
                result.step_again(py).map(|step| (step, is_lost))
            }
            Delivered::Other(object, references) => {
                let is_lost = refcount::is_exact()
                    && refcount::count(object.as_ptr()) == 1
                    && count_references(object.bind(py)).wrapping_sub(*references).cast_signed() <= 0;
                Some((object.clone_ref(py), is_lost))
            }
        }
    }

    /// Returns the result of an interrupted call of an asynchronous pool, once.
    pub fn take_interrupted(&mut self, py: Python<'_>) -> Option<Py<PyAny>> {
        if !std::mem::take(&mut self.is_interrupted) {
            return None;
        }
        self.delivered(py).map(|(result, _)| result)
    }

    /// Visits the recorded result, for the garbage collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.delivered {
            Delivered::Other(object, _) => visit.call(object),
            Delivered::Nothing | Delivered::Reusable(_) => Ok(()),
        }
    }

    /// Queues a result whose conversion raised a Python exception.
    pub fn defer(&mut self, tag: usize, method: ResultKind) {
        self.deferred.push_back((tag, method));
    }

    /// Queues a result before all others, because its repeated conversion raised a Python exception.
    pub fn defer_first(&mut self, tag: usize, method: ResultKind) {
        self.deferred.push_front((tag, method));
    }

    /// Returns whether results wait for another conversion.
    #[inline]
    pub fn has_deferred(&self) -> bool {
        !self.deferred.is_empty()
    }

    /// Returns the number of rows of the oldest result that waits for another conversion.
    pub fn deferred_rows(&mut self) -> Option<usize> {
        let (tag, _) = *self.deferred.front()?;
        self.get(tag).map(|result| result.rows())
    }

    /// Takes the oldest deferred result, with its tag and method, out of the list.
    #[inline]
    pub fn take_deferred(&mut self) -> Option<(usize, ResultKind, Box<RecycledResult>)> {
        let (tag, method) = self.deferred.pop_front()?;
        self.take(tag).map(|result| (tag, method, result))
    }

    /// Discards all queued results. Dropping the returned tuples may run Python code.
    pub fn clear_deferred(&mut self) -> Vec<Py<PyTuple>> {
        let tags: Vec<_> = self.deferred.drain(..).map(|(tag, _)| tag).collect();
        tags.into_iter().filter_map(|tag| self.get(tag)?.take_deferred()).collect()
    }

    /// Takes all results out of the list, for a pool that is closed. The caller drops them outside of the list.
    pub fn take_all(&mut self) -> Vec<Option<Box<RecycledResult>>> {
        self.last = 0;
        self.deferred.clear();
        self.delivered = Delivered::Nothing;
        let mut all = std::mem::take(&mut self.results);
        all.push(self.lent.take());
        all
    }

    /// Takes back a batch that was not used, or whose results are discarded. A batch without a result in the list is dropped.
    /// Dropping the returned arrays of the caller may run Python code.
    #[must_use]
    pub fn put_back(&mut self, batch: Box<Batch>) -> Option<OutTarget> {
        self.get(batch.tag)?.put_back(batch)
    }
}

impl Delivered {
    /// Creates the record of a result that is not a reusable tuple.
    pub fn other(object: &Bound<'_, PyAny>) -> Self {
        Self::Other(object.clone().unbind(), count_references(object))
    }
}

/// Returns the number of references to the parts of a tuple, modulo 2³² because of immortal parts; 0 for other objects, and if
/// counts are not exact.
fn count_references(object: &Bound<'_, PyAny>) -> u32 {
    let Ok(parts) = object.cast::<PyTuple>() else { return 0 };
    if !refcount::is_exact() {
        return 0;
    }
    parts.iter_borrowed().map(|part| refcount::count(part.as_ptr())).fold(0, u32::wrapping_add)
}
