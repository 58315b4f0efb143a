//! A value that one thread at a time has, as long as everybody keeps to what was agreed.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

/// A value whose users take turns by other means: a lock of its own, four times for each environment and step, would cost more than all
/// else that is done with it.
pub struct Alone<T> {
    /// Looked at in builds for tests only.
    is_taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: one thread at a time gets at the value, as `enter` demands.
unsafe impl<T: Send> Sync for Alone<T> {}

/// A turn.
pub struct Turn<'a, T>(&'a Alone<T>);

impl<T> Alone<T> {
    pub fn new(value: T) -> Self {
        Self { is_taken: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Takes a turn.
    ///
    /// # Safety
    /// There must be no other, in any thread, as long as it lasts; and whatever ended the last one happened before.
    #[inline(always)]
    pub unsafe fn enter(&self) -> Turn<'_, T> {
        if cfg!(debug_assertions) {
            assert!(!self.is_taken.swap(true, Ordering::Relaxed), "two turns at a time");
        }
        Turn(self)
    }
}

impl<T> Deref for Turn<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: there is no other turn, as was promised to `enter`.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for Turn<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: there is no other turn, as was promised to `enter`.
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
