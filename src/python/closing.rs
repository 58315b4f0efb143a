//! Closes a pool exactly once, even if several threads or nested calls close it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use pyo3::prelude::*;

use super::callbacks;
use envpool_rs_engine::{fork, this_thread};

/// Interval at which a waiting thread checks whether another thread has finished closing.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// State of closing a pool: the thread that closes it, and whether the pool is closed.
pub struct CloseOnce {
    /// Number of the thread that closes the pool; 0 before any thread does.
    closer: AtomicUsize,
    is_done: Arc<AtomicBool>,
    generation: u32,
}

impl CloseOnce {
    /// Creates the state of a pool that no thread has closed.
    pub fn new() -> Self {
        Self { closer: AtomicUsize::new(0), is_done: Arc::new(AtomicBool::new(false)), generation: fork::generation() }
    }

    /// Runs `close` once. A second thread waits until the first has closed the pool.
    ///
    /// The closing thread itself does not wait if a signal handler or an environment calls this method again.
    ///
    /// # Errors
    /// The exception that a signal handler raises while a second thread waits.
    pub fn close<T: Default + Send>(&self, py: Python<'_>, close: impl FnOnce() -> T + Send) -> PyResult<T> {
        if self.closer.compare_exchange(0, this_thread(), Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            let _over = DoneOnDrop(Arc::clone(&self.is_done));
            return Ok(py.detach(close));
        }
        if self.closer.load(Ordering::SeqCst) != this_thread() {
            self.wait(py)?;
        }
        Ok(T::default())
    }

    /// Runs `close` once, in a separate thread. Every caller waits until `close` has returned.
    ///
    /// # Errors
    /// The exception that a signal handler raises while a caller waits. Closing continues, and a later call waits for it again.
    pub fn close_in_background(&self, py: Python<'_>, close: impl Fn() + Clone + Send + Sync + 'static) -> PyResult<()> {
        if self.closer.compare_exchange(0, this_thread(), Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            let over = DoneOnDrop(Arc::clone(&self.is_done));
            // The caller's thread closes the pool if the interpreter is ending, because the process may end before a separate
            // thread has closed the pool.
            if callbacks::is_ending() {
                py.detach(close);
                return Ok(());
            }
            let closes = close.clone();
            let named = std::thread::Builder::new().name("closing".to_owned());
            let close_in_thread = move || {
                let _over = over;
                closes();
            };
            if fork::without_forks(|| named.spawn(close_in_thread)).is_err() {
                py.detach(close);
            }
        }
        self.wait(py)
    }

    /// Waits until the closing thread has closed the pool.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        // The closing thread does not exist in a forked child, and may never return if the interpreter is ending.
        while !self.is_done.load(Ordering::SeqCst) && self.generation == fork::generation() && !callbacks::is_ending() {
            py.check_signals()?;
            py.detach(|| std::thread::sleep(POLL_INTERVAL));
        }
        Ok(())
    }
}

struct DoneOnDrop(Arc<AtomicBool>);

impl Drop for DoneOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
