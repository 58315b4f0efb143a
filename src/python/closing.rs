//! Pools that are closed by several threads, or once more while they are being closed.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use pyo3::prelude::*;

use super::callbacks;
use super::outside::this_thread;
use crate::engine::fork;

/// How often somebody who waits for another thread's closing looks.
const LOOK: Duration = Duration::from_millis(1);

/// Who closes, and whether he has.
pub struct Closing {
    /// The thread; 0 for none.
    by: AtomicUsize,
    is_over: AtomicBool,
    generation: u32,
}

impl Closing {
    /// Nobody closes yet.
    pub fn new() -> Self {
        Self { by: AtomicUsize::new(0), is_over: AtomicBool::new(false), generation: fork::generation() }
    }

    /// Closes once; whoever comes second waits until that is done, unless it is the thread that does it, by a signal's handler or an
    /// environment.
    ///
    /// # Errors
    /// What handlers of signals raise while the second waits.
    pub fn once<T: Default + Send>(&self, py: Python<'_>, close: impl FnOnce() -> T + Send) -> PyResult<T> {
        if self.by.compare_exchange(0, this_thread(), Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            let _over = Over(&self.is_over);
            return Ok(py.detach(close));
        }
        let is_mine = self.by.load(Ordering::SeqCst) == this_thread();
        // The thread that closes is not in a fork, and may not come back where the interpreter ends.
        while !is_mine && !self.is_over.load(Ordering::SeqCst) && self.generation == fork::generation() && !callbacks::is_ending()
        {
            py.check_signals()?;
            py.detach(|| std::thread::sleep(LOOK));
        }
        Ok(T::default())
    }
}

struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
