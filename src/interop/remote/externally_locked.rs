//! Value without a lock of its own. The value's owner protects it by a lock that the owner holds for other reasons.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

/// Value that its owner protects by a lock outside of the value.
///
/// A lock inside the value would be taken four times per environment and step. Taking this lock would take more time than all
/// accesses to the value.
pub struct ExternallyLocked<T> {
    /// Whether a guard exists; set and checked in debug builds only.
    has_guard: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: by the contract of `enter`, only one thread at a time has a guard, without which the value cannot be accessed.
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
    /// As long as the guard exists, no other guard may exist in any thread. The end of the previous guard must have happened
    /// before this call.
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
        // SAFETY: by the contract of `enter`, no other guard to the value exists.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for ExternallyLockedGuard<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: by the contract of `enter`, no other guard to the value exists.
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
