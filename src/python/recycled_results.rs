//! The batches of a pool, each with the objects that show it.

use std::collections::VecDeque;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::results::{Method, RecycledResult, Shape};
use envpool_rs_engine::{self as engine, Batch};

/// The batches of a pool and the objects that show them.
pub struct RecycledResults {
    /// Each in its place, but for those that a thread works on: whatever may run Python code is done outside of the list.
    results: Vec<Option<Box<RecycledResult>>>,
    /// The one that was used last.
    last: usize,
    /// Results that Python raised out of, oldest first: they come with the next `recv`.
    untold: VecDeque<(usize, Method)>,
    /// Results beyond which a busy one is disentangled rather than passed over.
    turning: usize,
}

/// A loop that holds two results at a time turns three.
const TURNING: usize = 3;

impl RecycledResults {
    /// One for each of the `places` of an asynchronous pool's ring, whose batches the engine has.
    pub fn new(shape: &Shape, places: usize) -> Self {
        let results = (0..places).map(|_| Some(Box::new(RecycledResult::new(shape, None)))).collect();
        Self { results, last: 0, untold: VecDeque::new(), turning: if shape.shares() { 1 } else { TURNING } }
    }

    /// The result of the batch tagged `tag`, if it is in its place.
    #[inline]
    pub fn get(&mut self, tag: usize) -> Option<&mut RecycledResult> {
        self.results.get_mut(tag)?.as_deref_mut()
    }

    /// Takes the result of the batch tagged `tag` out, to work on it outside of the list.
    #[inline]
    pub fn take(&mut self, tag: usize) -> Option<Box<RecycledResult>> {
        self.results.get_mut(tag)?.take()
    }

    /// Puts a result back into its place.
    #[inline]
    pub fn restore(&mut self, tag: usize, result: Box<RecycledResult>) {
        if tag >= self.results.len() {
            self.results.resize_with(tag + 1, || None); // all were taken out meanwhile
        }
        self.results[tag] = Some(result);
    }

    /// Whether a batch has its objects here. One that came to the pool by another way than Python's has none.
    #[inline]
    pub fn knows(&self, batch: &Batch) -> bool {
        batch.tag < self.results.len()
    }

    /// Gives a batch that has no objects here the place of `old`, which nobody can see, and which is dropped.
    pub fn adopt(&mut self, shape: &Shape, batch: &mut Batch, old: Box<Batch>) {
        batch.tag = old.tag;
        self.restore(old.tag, Box::new(RecycledResult::new(shape, None)));
    }

    /// A batch that nobody can see, for the engine to write into; or the index of a result to be released for it.
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

    /// Notes that Python raised out of a result.
    pub fn keep_untold(&mut self, tag: usize, method: Method) {
        self.untold.push_back((tag, method));
    }

    /// The oldest of these.
    pub fn oldest_untold(&self) -> Option<(usize, Method)> {
        self.untold.front().copied()
    }

    /// Takes the oldest of these out.
    pub fn take_untold(&mut self) {
        self.untold.pop_front();
    }

    /// Gives all of these up. What is returned may run Python code when it is dropped.
    pub fn forget_untold(&mut self) -> Vec<Py<PyTuple>> {
        let tags: Vec<_> = self.untold.drain(..).map(|(tag, _)| tag).collect();
        tags.into_iter().filter_map(|tag| self.get(tag)?.forget_untold()).collect()
    }

    /// Takes all results out, for a pool that is closed. They are to be dropped outside of the list.
    pub fn take_all(&mut self) -> Vec<Option<Box<RecycledResult>>> {
        self.last = 0;
        self.untold.clear();
        std::mem::take(&mut self.results)
    }

    /// Takes back a batch that was not needed, or whose results nobody wants. One that has no objects here is dropped.
    pub fn put_back(&mut self, batch: Box<Batch>) {
        if let Some(result) = self.get(batch.tag) {
            result.put_back(batch);
        }
    }
}
