//! Counter of wake-ups: threads sleep until it changes.
//!
//! On Linux, one system call wakes any number of threads, and a woken thread takes no lock. With a mutex and a condition variable,
//! the woken threads waited for the mutex, one after another.

use std::time::Duration;

#[cfg(all(target_os = "linux", not(loom)))]
pub use futex::WakeCounter;
#[cfg(not(all(target_os = "linux", not(loom))))]
pub use portable::WakeCounter;

#[cfg(all(target_os = "linux", not(loom)))]
mod futex {
    use std::sync::atomic::{AtomicU32, Ordering};

    use rustix::thread::futex::{Flags, wait, wake};
    use rustix::time::Timespec;

    use super::Duration;

    /// Counter on which threads sleep.
    #[derive(Debug, Default)]
    pub struct WakeCounter(AtomicU32);

    impl WakeCounter {
        /// Returns the count.
        pub fn get(&self) -> u32 {
            self.0.load(Ordering::SeqCst)
        }

        /// Sleeps until the count differs from `seen`, but at most for `limit`. May return early.
        pub fn sleep(&self, seen: u32, limit: Option<Duration>) {
            let limit = limit.and_then(|limit| Timespec::try_from(limit).ok());
            _ = wait(&self.0, Flags::PRIVATE, seen, limit.as_ref()); // an error is a change, an interruption or the limit
        }

        /// Changes the count, and wakes up to `threads` sleeping threads.
        pub fn wake(&self, threads: usize) {
            self.0.fetch_add(1, Ordering::SeqCst);
            _ = wake(&self.0, Flags::PRIVATE, threads.min(i32::MAX as usize) as u32);
        }
    }
}

/// The counter of other systems and of the model checker.
#[cfg(not(all(target_os = "linux", not(loom))))]
mod portable {
    use std::sync::PoisonError;

    use super::Duration;
    use crate::results::sync::{Condvar, Mutex, MutexGuard};

    /// Counter on which threads sleep.
    #[derive(Debug, Default)]
    pub struct WakeCounter {
        count: Mutex<u32>,
        condvar: Condvar,
    }

    impl WakeCounter {
        fn lock(&self) -> MutexGuard<'_, u32> {
            self.count.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// Returns the count.
        pub fn get(&self) -> u32 {
            *self.lock()
        }

        /// Sleeps until the count differs from `seen`, but at most for `limit`. May return early.
        pub fn sleep(&self, seen: u32, limit: Option<Duration>) {
            let count = self.lock();
            if *count == seen {
                match limit {
                    Some(limit) => drop(self.condvar.wait_timeout(count, limit)),
                    None => drop(self.condvar.wait(count)),
                }
            }
        }

        /// Changes the count, and wakes up to `threads` sleeping threads.
        pub fn wake(&self, threads: usize) {
            let mut count = self.lock();
            *count = count.wrapping_add(1);
            drop(count);
            (0..threads).for_each(|_| self.condvar.notify_one());
        }
    }
}
