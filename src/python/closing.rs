//! Pools that are closed by several threads, or once more while they are being closed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use pyo3::prelude::*;

use super::callbacks;
use envpool_rs_engine::{fork, this_thread};

/// How often somebody who waits for another thread's closing looks.
const LOOK: Duration = Duration::from_millis(1);

/// Who closes, and whether he has.
pub struct Closing {
    /// The thread; 0 for none.
    by: AtomicUsize,
    is_over: Arc<AtomicBool>,
    generation: u32,
}

impl Closing {
    /// Nobody closes yet.
    pub fn new() -> Self {
        Self { by: AtomicUsize::new(0), is_over: Arc::new(AtomicBool::new(false)), generation: fork::generation() }
    }

    /// Closes once; whoever comes second waits until that is done, unless it is the thread that does it, by a signal's handler or an
    /// environment.
    ///
    /// # Errors
    /// What handlers of signals raise while the second waits.
    pub fn once<T: Default + Send>(&self, py: Python<'_>, close: impl FnOnce() -> T + Send) -> PyResult<T> {
        if self.by.compare_exchange(0, this_thread(), Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            let _over = Over(Arc::clone(&self.is_over));
            return Ok(py.detach(close));
        }
        if self.by.load(Ordering::SeqCst) != this_thread() {
            self.wait(py)?;
        }
        Ok(T::default())
    }

    /// Closes once, in a thread of its own; every caller waits until that is done.
    ///
    /// # Errors
    /// What handlers of signals raise while a caller waits: the closing goes on, and a later call waits for it again.
    pub fn in_background(&self, py: Python<'_>, close: impl Fn() + Clone + Send + Sync + 'static) -> PyResult<()> {
        if self.by.compare_exchange(0, this_thread(), Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            let over = Over(Arc::clone(&self.is_over));
            // Where the interpreter ends, the process may end before a thread of its own is done.
            if callbacks::is_ending() {
                py.detach(close);
                return Ok(());
            }
            let closes = close.clone();
            let named = std::thread::Builder::new().name("closing".to_owned());
            let spawned = named.spawn(move || {
                let _over = over;
                closes();
            });
            if spawned.is_err() {
                py.detach(close);
            }
        }
        self.wait(py)
    }

    /// Waits until the thread that closes is done.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        // That thread is not in a fork, and may not come back where the interpreter ends.
        while !self.is_over.load(Ordering::SeqCst) && self.generation == fork::generation() && !callbacks::is_ending() {
            py.check_signals()?;
            py.detach(|| std::thread::sleep(LOOK));
        }
        Ok(())
    }
}

struct Over(Arc<AtomicBool>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
