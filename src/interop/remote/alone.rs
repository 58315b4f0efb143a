//! A value that an external lock guards.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

/// A value that is guarded by its caller's lock. A lock of its own, taken four times per environment and step, would cost more
/// than all accesses to the value.
pub struct Alone<T> {
    /// Whether a guard exists. Used in debug builds only.
    is_taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: only one thread at a time has a guard and so access to the value, by the contract of `enter`.
unsafe impl<T: Send> Sync for Alone<T> {}

/// Guard that gives access to the value.
pub struct Turn<'a, T>(&'a Alone<T>);

impl<T> Alone<T> {
    pub fn new(value: T) -> Self {
        Self { is_taken: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Returns a guard for the value.
    ///
    /// # Safety
    /// No other guard exists in any thread while this one does, and the end of the previous guard happened before this call.
    #[inline(always)]
    pub unsafe fn enter(&self) -> Turn<'_, T> {
        if cfg!(debug_assertions) {
            assert!(!self.is_taken.swap(true, Ordering::Relaxed), "two guards at a time");
        }
        Turn(self)
    }
}

impl<T> Deref for Turn<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: no other guard exists, by the contract of `enter`.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for Turn<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: no other guard exists, by the contract of `enter`.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for Turn<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        if cfg!(debug_assertions) {
            self.0.is_taken.store(false, Ordering::Relaxed);
        }
    }
}
