//! A value that several threads use, and that is dropped as soon as all of them have left, be it long before its owner.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A value shared by those who are *inside*. Whoever leaves last drops it.
pub struct UntilLeft<T> {
    value: UnsafeCell<Option<T>>,
    /// Those inside. Only those inside let others in, so that it never grows again from zero. Leaving releases, and the last one
    /// acquires: whatever the others did with the value happened before it is dropped.
    inside: AtomicUsize,
}

// SAFETY: those inside only ever share the value, and it is dropped by the last of them, who is alone with it.
unsafe impl<T: Send + Sync> Sync for UntilLeft<T> {}

impl<T> UntilLeft<T> {
    /// A value with one inside: whoever calls this.
    pub fn new(value: T) -> Self {
        Self { value: UnsafeCell::new(Some(value)), inside: AtomicUsize::new(1) }
    }

    /// The value.
    ///
    /// # Panics
    /// Where everybody has left.
    ///
    /// # Safety
    /// For those inside alone.
    #[inline(always)]
    pub unsafe fn get(&self) -> &T {
        // SAFETY: somebody is inside, the caller, so that nobody drops it.
        unsafe { (*self.value.get()).as_ref() }.expect("nobody has it any more")
    }

    /// Lets another one in, who has to leave as well. For those inside alone.
    pub fn let_in(&self) {
        self.inside.fetch_add(1, Ordering::Relaxed);
    }

    /// Leaves. Drops the value where that was the last one.
    ///
    /// # Safety
    /// Once for each one inside, who must not come back.
    pub unsafe fn leave(&self) {
        if self.inside.fetch_sub(1, Ordering::AcqRel) == 1 {
            // SAFETY: everybody has left, and nobody comes back.
            drop(unsafe { (*self.value.get()).take() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn the_last_one_to_leave_drops_the_value() {
        let watched = Arc::new(());
        let value = UntilLeft::new(Arc::clone(&watched));
        value.let_in();
        // SAFETY: two are inside.
        unsafe {
            value.leave();
            assert_eq!(Arc::strong_count(value.get()), 2);
            value.leave();
        }
        assert_eq!(Arc::strong_count(&watched), 1);
    }

    #[test]
    fn what_the_others_did_is_done_before_it_is_dropped() {
        for _ in 0..100 {
            let value = UntilLeft::new(AtomicUsize::new(0));
            (0..3).for_each(|_| value.let_in());
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    // SAFETY: each is inside until it leaves.
                    scope.spawn(|| unsafe {
                        value.get().fetch_add(1, Ordering::Relaxed);
                        value.leave();
                    });
                }
                // SAFETY: so is this one.
                unsafe { value.leave() };
            });
        }
    }
}
