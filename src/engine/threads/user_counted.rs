//! A value with a count of its users. The value is dropped when its last user releases it, possibly long before its owner is
//! dropped.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A value shared by a counted number of users. The last user that leaves drops it.
pub struct UserCounted<T> {
    value: UnsafeCell<Option<T>>,
    /// Number of users. Only users call `acquire`, so the count never increases from zero. `release` decrements the count with
    /// acquire and release ordering, so all accesses happen before the drop.
    users: AtomicUsize,
}

// SAFETY: users only share the value (`T: Sync`). The last user drops it, when no other user exists (`T: Send`).
unsafe impl<T: Send + Sync> Sync for UserCounted<T> {}

impl<T> UserCounted<T> {
    /// Wraps `value`, with the caller as the only user.
    pub fn new(value: T) -> Self {
        Self { value: UnsafeCell::new(Some(value)), users: AtomicUsize::new(1) }
    }

    /// Returns a reference to the value.
    ///
    /// # Panics
    /// If all users have left.
    ///
    /// # Safety
    /// The caller must be a user.
    #[inline(always)]
    pub unsafe fn get(&self) -> &T {
        // SAFETY: the caller is a user of the value, so no `release` drops the value during the call.
        unsafe { (*self.value.get()).as_ref() }.expect("a user holds it")
    }

    /// Adds a user, who must call [`Self::release`], too. Only users may call this method.
    pub fn acquire(&self) {
        self.users.fetch_add(1, Ordering::Relaxed);
    }

    /// Removes a user. The last user drops the value.
    ///
    /// # Safety
    /// Each user may call this method once, and must not access the value afterwards.
    pub unsafe fn release(&self) {
        if self.users.fetch_sub(1, Ordering::AcqRel) == 1 {
            // SAFETY: the count reached zero, so that no user exists, and only users can add users.
            drop(unsafe { (*self.value.get()).take() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn the_last_user_drops_the_value() {
        let watched = Arc::new(());
        let value = UserCounted::new(Arc::clone(&watched));
        value.acquire();
        // SAFETY: the value has two users, its creator and the user that `acquire` added; each releases it once.
        unsafe {
            value.release();
            assert_eq!(Arc::strong_count(value.get()), 2);
            value.release();
        }
        assert_eq!(Arc::strong_count(&watched), 1);
    }

    #[test]
    fn writes_of_all_users_precede_the_drop() {
        for _ in 0..100 {
            let value = UserCounted::new(AtomicUsize::new(0));
            (0..3).for_each(|_| value.acquire());
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    // SAFETY: each thread is a user until it calls `release`.
                    scope.spawn(|| unsafe {
                        value.get().fetch_add(1, Ordering::Relaxed);
                        value.release();
                    });
                }
                // SAFETY: the creator of the value is a user, and releases it once.
                unsafe { value.release() };
            });
        }
    }
}
