//! Guards calls from Rust into Python code while the interpreter shuts down.
//!
//! Up to Python 3.13, an interpreter that shuts down makes other threads exit when they request its lock. The exit unwinds the
//! thread's stack. If Rust called Python, the stack has Rust frames, through which unwinding is not allowed: the process aborts.
//! If Rust code requests the lock, pyo3 blocks the thread forever instead. So an interpreter that is about to end waits for
//! threads that run Python code which Rust called, and no thread starts another such call.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use envpool_rs_engine::fork;

/// Number of threads that run Python code which Rust called.
static ACTIVE_THREADS: AtomicUsize = AtomicUsize::new(0);
/// Process whose interpreter is about to end, as its fork generation plus 1; 0 if no interpreter is about to end.
static ENDING_PROCESS: AtomicU32 = AtomicU32::new(0);
/// Longest time to wait for running calls when the interpreter ends. It is limited, because an environment's step may run for any
/// time.
const MAX_WAIT: Duration = Duration::from_secs(5);

thread_local! {
    /// Number of nested calls of this thread into Python code.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Whether this thread is the one that ends the interpreter.
    static IS_ENDING_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Guard that marks this thread as running Python code until dropped.
pub struct CallbackGuard(());

/// Marks this thread as about to call Python code, and returns a guard. Never returns if the interpreter is about to end, except
/// in the thread that ends it.
pub fn enter(py: Python<'_>) -> CallbackGuard {
    let depth = DEPTH.replace(DEPTH.get() + 1);
    if depth == 0 {
        ACTIVE_THREADS.fetch_add(1, Ordering::SeqCst);
    }
    // The order prevents a race. This thread increments the count of active threads, then reads `ENDING_PROCESS`. The thread that
    // ends the interpreter sets `ENDING_PROCESS`, then reads the count.
    if is_ending() && !IS_ENDING_THREAD.get() {
        ACTIVE_THREADS.fetch_sub(1, Ordering::SeqCst);
        py.detach(|| {
            loop {
                std::thread::park();
            }
        });
    }
    CallbackGuard(())
}

impl Drop for CallbackGuard {
    fn drop(&mut self) {
        let depth = DEPTH.get() - 1;
        DEPTH.set(depth);
        if depth == 0 {
            ACTIVE_THREADS.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Returns whether the interpreter is about to end.
pub fn is_ending() -> bool {
    ENDING_PROCESS.load(Ordering::SeqCst) == fork::generation() + 1
}

/// Blocks further calls into Python code from other threads. Waits until all running calls have returned, 5 s at most.
#[pyfunction]
fn end_callbacks(py: Python<'_>) {
    IS_ENDING_THREAD.set(true);
    ENDING_PROCESS.store(fork::generation() + 1, Ordering::SeqCst);
    if fork::generation() > 0 {
        return; // the counted threads do not exist in a forked process
    }
    let own = usize::from(DEPTH.get() > 0);
    let until = Instant::now() + MAX_WAIT;
    while ACTIVE_THREADS.load(Ordering::SeqCst) > own && Instant::now() < until {
        py.detach(|| std::thread::sleep(Duration::from_millis(1)));
    }
}

/// Registers `end_callbacks` with `atexit`.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fork::install_handler();
    let end = wrap_pyfunction!(end_callbacks, module)?;
    module.py().import("atexit")?.call_method1("register", (end,)).map(|_| ())
}
