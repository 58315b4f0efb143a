//! A value that a lock of its owner protects.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

/// A value that a lock of its owner protects. A lock of its own would be taken four times per environment and step, and cost more
/// time than all accesses to the value.
pub struct ExternallyLocked<T> {
    /// Whether a guard exists. Checked in debug builds only.
    has_guard: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: only one thread at a time has a guard, and so access to the value, by the contract of `enter`.
unsafe impl<T: Send> Sync for ExternallyLocked<T> {}

/// Guard that grants access to the value of an [`ExternallyLocked`].
pub struct ExternallyLockedGuard<'a, T>(&'a ExternallyLocked<T>);

impl<T> ExternallyLocked<T> {
    pub fn new(value: T) -> Self {
        Self { has_guard: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Returns a guard for the value.
    ///
    /// # Safety
    /// No other guard exists in any thread while this one does, and the end of the previous guard happened before this call.
    #[inline(always)]
    pub unsafe fn enter(&self) -> ExternallyLockedGuard<'_, T> {
        if cfg!(debug_assertions) {
            assert!(!self.has_guard.swap(true, Ordering::Relaxed), "two guards at a time");
        }
        ExternallyLockedGuard(self)
    }
}

impl<T> Deref for ExternallyLockedGuard<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: no other guard exists, by the contract of `enter`.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for ExternallyLockedGuard<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: no other guard exists, by the contract of `enter`.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for ExternallyLockedGuard<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        if cfg!(debug_assertions) {
            self.0.has_guard.store(false, Ordering::Relaxed);
        }
    }
}
