//! Batches of a pool, each with its reusable Python objects.

use std::collections::VecDeque;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::results::{Method, RecycledResult, Shape};
use envpool_rs_engine::{self as engine, Batch};

/// Batches of a pool and their Python objects.
pub struct RecycledResults {
    /// Results by tag. An entry is empty while a thread works on its result: operations that may run Python code are done outside
    /// of the list.
    results: Vec<Option<Box<RecycledResult>>>,
    /// Index of the result that was acquired last.
    last: usize,
    /// Results whose conversion raised a Python exception, oldest first: the next `recv` returns them.
    untold: VecDeque<(usize, Method)>,
    /// Number of results after which a held one is released instead of skipped.
    turning: usize,
}

/// A loop that holds two results at a time needs three.
const TURNING: usize = 3;

impl RecycledResults {
    /// Creates one result for each of the `places` of an asynchronous pool's ring, whose batches the engine holds.
    pub fn new(shape: &Shape, places: usize) -> Self {
        let results = (0..places).map(|_| Some(Box::new(RecycledResult::new(shape, None)))).collect();
        Self { results, last: 0, untold: VecDeque::new(), turning: if shape.shares() { 1 } else { TURNING } }
    }

    /// Returns the result of the batch tagged `tag`, if it is in the list.
    #[inline]
    pub fn get(&mut self, tag: usize) -> Option<&mut RecycledResult> {
        self.results.get_mut(tag)?.as_deref_mut()
    }

    /// Takes the result of the batch tagged `tag` out, for work outside of the list.
    #[inline]
    pub fn take(&mut self, tag: usize) -> Option<Box<RecycledResult>> {
        self.results.get_mut(tag)?.take()
    }

    /// Puts a result back into the list.
    #[inline]
    pub fn restore(&mut self, tag: usize, result: Box<RecycledResult>) {
        if tag >= self.results.len() {
            self.results.resize_with(tag + 1, || None); // all were taken out meanwhile
        }
        self.results[tag] = Some(result);
    }

    /// Returns whether a batch has a result in the list. Batches that an XLA program created have none.
    #[inline]
    pub fn knows(&self, batch: &Batch) -> bool {
        batch.tag < self.results.len()
    }

    /// Gives a batch without a result the entry of `old`, which has no other holder and is dropped.
    pub fn adopt(&mut self, shape: &Shape, batch: &mut Batch, old: Box<Batch>) {
        batch.tag = old.tag;
        self.restore(old.tag, Box::new(RecycledResult::new(shape, None)));
    }

    /// Returns a batch without other holders, for the engine to write into. `Err` is the index of a result to release first.
    #[inline]
    pub fn acquire(&mut self, py: Python<'_>, shape: &Shape, pool: &engine::Pool) -> Result<Box<Batch>, usize> {
        let count = self.results.len();
        let mut held = None;
        for step in 1..=count {
            let index = (self.last + step) % count;
            if let Some(result) = &mut self.results[index] {
                if result.is_untouched(py) {
                    self.last = index;
                    return Ok(result.take());
                }
                if result.has_batch() {
                    held.get_or_insert(index);
                }
            }
            if step >= self.turning && held.is_some() {
                break;
            }
        }
        match held.filter(|_| count >= self.turning + pool.ring_places()) {
            Some(index) => {
                self.last = index;
                Err(index)
            }
            None => {
                self.results.push(Some(Box::new(RecycledResult::new(shape, None))));
                self.last = count;
                Ok(pool.batch(count))
            }
        }
    }

    /// Queues a result whose conversion raised a Python exception.
    pub fn keep_untold(&mut self, tag: usize, method: Method) {
        self.untold.push_back((tag, method));
    }

    /// Returns tag and method of the oldest queued result.
    pub fn oldest_untold(&self) -> Option<(usize, Method)> {
        self.untold.front().copied()
    }

    /// Removes the oldest queued result.
    pub fn take_untold(&mut self) {
        self.untold.pop_front();
    }

    /// Gives up all queued results. Dropping the returned tuples may run Python code.
    pub fn forget_untold(&mut self) -> Vec<Py<PyTuple>> {
        let tags: Vec<_> = self.untold.drain(..).map(|(tag, _)| tag).collect();
        tags.into_iter().filter_map(|tag| self.get(tag)?.forget_untold()).collect()
    }

    /// Takes all results out, for a pool that is closed. The caller drops them outside of the list.
    pub fn take_all(&mut self) -> Vec<Option<Box<RecycledResult>>> {
        self.last = 0;
        self.untold.clear();
        std::mem::take(&mut self.results)
    }

    /// Takes back a batch that was not needed or whose results are discarded. A batch without a result in the list is dropped.
    pub fn put_back(&mut self, batch: Box<Batch>) {
        if let Some(result) = self.get(batch.tag) {
            result.put_back(batch);
        }
    }
}
