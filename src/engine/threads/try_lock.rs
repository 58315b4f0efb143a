//! Lock that can only be tried: if it is held, `try_lock` returns `None` instead of blocking.

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

/// A value protected by a lock that can only be tried.
pub struct TryLock<T> {
    /// True while a [`TryLockGuard`] exists. An acquiring swap sets it and a releasing store clears it, so that the accesses of
    /// successive guards are ordered.
    is_locked: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is only reachable through a `TryLockGuard`, of which `try_lock` creates one at a time.
unsafe impl<T: Send> Sync for TryLock<T> {}

/// Guard that grants exclusive access to the value until dropped. Unlike a mutex guard, it may move to another thread.
pub struct TryLockGuard<'a, T> {
    owner: &'a TryLock<T>,
    /// Makes the guard `Sync` only if `T` is `Sync`, like `&mut T`. The reference to the lock alone would always be `Sync`.
    _value: PhantomData<&'a mut T>,
}

impl<T> TryLock<T> {
    /// Wraps `value`.
    pub fn new(value: T) -> Self {
        Self { is_locked: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Returns a guard that grants access to the value, or `None` while another guard exists.
    #[inline]
    pub fn try_lock(&self) -> Option<TryLockGuard<'_, T>> {
        // The guard is created lazily, because a guard that is created after a failed swap would release the lock when dropped.
        (!self.is_locked.swap(true, Ordering::Acquire)).then(|| TryLockGuard { owner: self, _value: PhantomData })
    }
}

impl<T> Deref for TryLockGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: `try_lock` creates one `TryLockGuard` at a time, so no mutable reference to the value exists.
        unsafe { &*self.owner.value.get() }
    }
}

impl<T> DerefMut for TryLockGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: `try_lock` creates one `TryLockGuard` at a time, and this guard is borrowed mutably, so no other reference to
        // the value exists.
        unsafe { &mut *self.owner.value.get() }
    }
}

impl<T> Drop for TryLockGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.owner.is_locked.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_lock_is_refused_until_the_first_is_released() {
        let value = TryLock::new(1);
        let mut turn = value.try_lock().unwrap();
        assert!(value.try_lock().is_none());
        assert!(value.try_lock().is_none(), "a refusal must not end the turn");
        *turn = 2;
        drop(turn);
        assert_eq!(*value.try_lock().unwrap(), 2);
    }

    #[test]
    fn critical_sections_of_many_threads_never_overlap() {
        let value = TryLock::new(0u64);
        let add = || (0..10_000).filter(|_| value.try_lock().map(|mut turn| *turn += 1).is_some()).count() as u64;
        let total: u64 = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(add)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(*value.try_lock().unwrap(), total);
    }
}
