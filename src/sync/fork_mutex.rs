//! A mutex that is unlocked in a forked child.

use std::cell::UnsafeCell;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use crate::fork;

/// A mutex whose holder is a thread of this process. If a thread of a parent process held the mutex during the fork, the child
/// finds it unlocked, with the default value, because the parent's thread may have changed the value in part.
///
/// A panic of a holder does not poison the mutex.
pub struct ForkMutex<T> {
    /// Lock of the current process; null before its first use.
    lock: AtomicPtr<ProcessLock>,
    /// Whether a guard exists. Only the holder of the lock accesses it.
    is_held: AtomicBool,
    value: UnsafeCell<ManuallyDrop<T>>,
}

/// Lock of the threads of one process.
struct ProcessLock {
    generation: u32,
    mutex: Mutex<()>,
}

// SAFETY: the value is reached only through `ForkMutexGuard`, of which one exists at a time: its creation needs the lock of the
// process, and threads that held the lock of a parent process do not exist.
unsafe impl<T: Send> Sync for ForkMutex<T> {}
// SAFETY: as for `Sync`; the mutex owns the value and its lock.
unsafe impl<T: Send> Send for ForkMutex<T> {}

/// Guard that grants access to the value of a [`ForkMutex`] until dropped.
pub struct ForkMutexGuard<'a, T> {
    owner: &'a ForkMutex<T>,
    _lock: MutexGuard<'a, ()>,
}

impl<T> ForkMutex<T> {
    /// Wraps `value`.
    pub const fn new(value: T) -> Self {
        let value = UnsafeCell::new(ManuallyDrop::new(value));
        Self { lock: AtomicPtr::new(null_mut()), is_held: AtomicBool::new(false), value }
    }

    /// Returns the lock of the current process.
    fn process_lock(&self) -> &ProcessLock {
        let (found, generation) = (self.lock.load(Ordering::Acquire), fork::generation());
        // SAFETY: the pointer is null or points to a lock, and locks are freed only when the mutex is dropped.
        match unsafe { found.as_ref() } {
            Some(lock) if lock.generation == generation => lock,
            _ => self.add_lock(found),
        }
    }

    /// Replaces the lock `old` of a parent process, which is leaked: a thread of the parent may have held it.
    #[cold]
    fn add_lock(&self, old: *mut ProcessLock) -> &ProcessLock {
        fork::install_handler();
        let mine = Box::into_raw(Box::new(ProcessLock { generation: fork::generation(), mutex: Mutex::new(()) }));
        let current = match self.lock.compare_exchange(old, mine, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => mine,
            Err(current) => {
                // SAFETY: the exchange failed, so `mine` was not stored, and no other thread has a pointer to it.
                drop(unsafe { Box::from_raw(mine) });
                current
            }
        };
        // SAFETY: `current` was stored in `lock`, and such locks are freed only when the mutex is dropped.
        unsafe { &*current }
    }
}

impl<T: Default> ForkMutex<T> {
    /// Locks the mutex, and waits until no other thread of this process holds it.
    #[inline]
    pub fn lock(&self) -> ForkMutexGuard<'_, T> {
        let lock = self.process_lock().mutex.lock().unwrap_or_else(PoisonError::into_inner);
        self.guard(lock)
    }

    /// Locks the mutex; `None` if another thread of this process holds it.
    pub fn try_lock(&self) -> Option<ForkMutexGuard<'_, T>> {
        match self.process_lock().mutex.try_lock() {
            Ok(lock) => Some(self.guard(lock)),
            Err(TryLockError::Poisoned(lock)) => Some(self.guard(lock.into_inner())),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    #[inline]
    fn guard<'a>(&'a self, lock: MutexGuard<'a, ()>) -> ForkMutexGuard<'a, T> {
        if self.is_held.swap(true, Ordering::Relaxed) {
            // SAFETY: this thread holds the lock of the process, and the guard that set `is_held` belongs to a thread of a
            // parent process. The old value is leaked, because it may be inconsistent.
            unsafe { self.value.get().write(ManuallyDrop::new(T::default())) };
        }
        ForkMutexGuard { owner: self, _lock: lock }
    }
}

impl<T: Default> Default for ForkMutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> std::fmt::Debug for ForkMutex<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ForkMutex").finish_non_exhaustive()
    }
}

impl<T> Drop for ForkMutex<T> {
    fn drop(&mut self) {
        let lock = *self.lock.get_mut();
        // SAFETY: `&mut self` excludes other users of the lock, which `add_lock` has created by `Box::into_raw`. A lock of a
        // parent process is leaked.
        unsafe {
            if lock.as_ref().is_some_and(|lock| lock.generation == fork::generation()) {
                drop(Box::from_raw(lock));
            }
        }
        if !*self.is_held.get_mut() {
            // SAFETY: no guard exists, and the value is not used afterwards.
            unsafe { ManuallyDrop::drop(self.value.get_mut()) };
        }
    }
}

impl<T> Deref for ForkMutexGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: this is the only guard of the value (see `Sync` of `ForkMutex`).
        unsafe { &*self.owner.value.get() }
    }
}

impl<T> DerefMut for ForkMutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: this is the only guard of the value, and it is borrowed mutably.
        unsafe { &mut *self.owner.value.get() }
    }
}

impl<T> Drop for ForkMutexGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.owner.is_held.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::thread;

    use super::*;

    #[test]
    fn one_thread_at_a_time_holds_the_mutex() {
        let sum = ForkMutex::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1000).for_each(|_| *sum.lock() += 1));
            }
        });
        assert_eq!(*sum.lock(), 4000);
        let held = sum.lock();
        assert!(sum.try_lock().is_none());
        drop(held);
        assert!(sum.try_lock().is_some());
    }

    #[test]
    fn a_panic_of_a_holder_unlocks_the_mutex_and_keeps_the_value() {
        let value = ForkMutex::new(1);
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let mut held = value.lock();
            *held = 2;
            panic!("while it is held");
        }));
        assert!(panicked.is_err());
        assert_eq!(*value.lock(), 2);
    }

    #[test]
    fn the_value_is_dropped_once() {
        let watched = Arc::new(());
        let mutex = ForkMutex::new(vec![Arc::clone(&watched)]);
        mutex.lock().push(Arc::clone(&watched));
        drop(mutex);
        assert_eq!(Arc::strong_count(&watched), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_mutex_that_another_thread_holds_is_unlocked_in_a_forked_child() {
        static HELD: ForkMutex<Vec<i32>> = ForkMutex::new(Vec::new());
        static FREE: ForkMutex<Vec<i32>> = ForkMutex::new(Vec::new());
        HELD.lock().push(1);
        FREE.lock().push(1);
        let (locked, is_locked) = std::sync::mpsc::channel();
        let (over, is_over) = std::sync::mpsc::channel::<()>();
        let holder = thread::spawn(move || {
            let mut held = HELD.lock();
            held.push(2);
            locked.send(()).unwrap();
            is_over.recv().unwrap();
        });
        is_locked.recv().unwrap();
        let is_usable = crate::is_true_in_a_child(|| {
            let is_reset = HELD.lock().is_empty() && *FREE.lock() == [1];
            HELD.lock().push(7);
            is_reset && *HELD.lock() == [7] && crate::is_true_in_a_child(|| *HELD.lock() == [7])
        });
        over.send(()).unwrap();
        holder.join().unwrap();
        assert!(is_usable);
        assert_eq!(*HELD.lock(), [1, 2]);
    }
}
