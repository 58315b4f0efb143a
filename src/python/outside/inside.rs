//! Flag that marks the thread which runs Python code while the pool is locked. Such code must not call the pool.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use envpool_rs_engine::this_thread;

/// Number of the thread that runs Python code while the pool is locked; 0 if no thread does. Accesses are relaxed, because a
/// thread only compares the number with its own.
#[derive(Clone, Default)]
pub struct ReentrancyFlag(Arc<AtomicUsize>);

/// Guard that, on drop, resets the flag to its value before [`ReentrancyFlag::enter`].
pub struct ReentrancyScope<'a> {
    flag: &'a ReentrancyFlag,
    previous: usize,
}

impl ReentrancyFlag {
    /// Marks this thread as running Python code while the pool is locked, until the returned guard is dropped.
    pub fn enter(&self) -> ReentrancyScope<'_> {
        ReentrancyScope { flag: self, previous: self.0.swap(this_thread(), Ordering::Relaxed) }
    }

    /// Returns whether this thread runs Python code while the pool is locked.
    pub fn is_current_thread(&self) -> bool {
        self.0.load(Ordering::Relaxed) == this_thread()
    }
}

impl Drop for ReentrancyScope<'_> {
    fn drop(&mut self) {
        self.flag.0.store(self.previous, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_entering_thread_is_inside() {
        let inside = ReentrancyFlag::default();
        assert!(!inside.is_current_thread());
        let entered = inside.enter();
        assert!(inside.is_current_thread());
        assert!(!std::thread::scope(|scope| scope.spawn(|| inside.is_current_thread()).join().unwrap()));
        drop(entered);
        assert!(!inside.is_current_thread());
    }
}
