//! Code of Python's that is called from here, and the end of the interpreter.
//!
//! Up to Python 3.13, an interpreter that ends has every other thread that wants its lock exit, which unwinds that thread's stack. Where
//! Python was called from Rust there are frames of Rust's on it, through which this is not allowed: the process aborts. (pyo3 has threads
//! wait for ever that want the lock in Rust.) So an interpreter that is about to end waits for threads that are in such code, and nobody
//! enters it any more.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use envpool_rs_engine::fork;

/// Threads that are in code of Python's.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
/// Whose interpreter is about to end: one more than a process's generation; 0 for nobody's.
static ENDING: AtomicU32 = AtomicU32::new(0);
/// How long the end of the interpreter waits: environments of the calling process may play as long as they like.
const LONGEST: Duration = Duration::from_secs(5);

thread_local! {
    /// How often this thread has entered and not left, one call within another.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Whether it is the one that ends the interpreter.
    static ENDS: Cell<bool> = const { Cell::new(false) };
}

/// Says that code of Python's has been left when it is dropped.
pub struct Entered(());

/// Says that this thread is about to call code of Python's. Where the interpreter is about to end, it never returns.
pub fn enter(py: Python<'_>) -> Entered {
    let depth = DEPTH.replace(DEPTH.get() + 1);
    if depth == 0 {
        INSIDE.fetch_add(1, Ordering::SeqCst);
    }
    // Counted first, looked second; whoever ends the interpreter says so first, and counts second.
    if is_ending() && !ENDS.get() {
        INSIDE.fetch_sub(1, Ordering::SeqCst);
        py.detach(|| {
            loop {
                std::thread::park();
            }
        });
    }
    Entered(())
}

impl Drop for Entered {
    fn drop(&mut self) {
        let depth = DEPTH.get() - 1;
        DEPTH.set(depth);
        if depth == 0 {
            INSIDE.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Whether the interpreter is about to end.
pub fn is_ending() -> bool {
    ENDING.load(Ordering::SeqCst) == fork::generation() + 1
}

/// Lets no other thread call code of Python's from now on, and waits until all have left it.
#[pyfunction]
fn end_callbacks(py: Python<'_>) {
    ENDS.set(true);
    ENDING.store(fork::generation() + 1, Ordering::SeqCst);
    if fork::generation() > 0 {
        return; // a fork has none of the threads that were counted
    }
    let own = usize::from(DEPTH.get() > 0);
    let until = Instant::now() + LONGEST;
    while INSIDE.load(Ordering::SeqCst) > own && Instant::now() < until {
        py.detach(|| std::thread::sleep(Duration::from_millis(1)));
    }
}

/// Has the interpreter do so when it ends.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fork::watch();
    let end = wrap_pyfunction!(end_callbacks, module)?;
    module.py().import("atexit")?.call_method1("register", (end,)).map(|_| ())
}
