//! Values that are made once in a process, also if it was forked while another thread made them.

use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::fork_mutex::ForkMutex;

/// A value that the first user makes. A forked child has the parent's value, or makes its own if the parent's was not complete.
pub struct ForkOnce<T> {
    /// The value in a box of its own; null before it is complete.
    value: AtomicPtr<T>,
    /// Mutex that is locked while a thread makes the value.
    making: ForkMutex<()>,
    _owned: PhantomData<T>,
}

// SAFETY: the pointer owns a `T`, which is shared (`Sync`) and may be dropped in another thread than the one that made it
// (`Send`).
unsafe impl<T: Send + Sync> Sync for ForkOnce<T> {}
// SAFETY: as for `Sync`.
unsafe impl<T: Send> Send for ForkOnce<T> {}

impl<T> ForkOnce<T> {
    /// Creates an empty value.
    pub const fn new() -> Self {
        Self { value: AtomicPtr::new(null_mut()), making: ForkMutex::new(()), _owned: PhantomData }
    }

    /// Returns the value; `None` if it was not made.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        // SAFETY: the pointer is null, or points to a complete value that is freed only when `self` is dropped.
        unsafe { self.value.load(Ordering::Acquire).as_ref() }
    }

    /// Returns the value, and makes it by `make` if necessary. Other threads wait meanwhile.
    #[inline]
    pub fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
        match self.get() {
            Some(value) => value,
            None => self.init(make),
        }
    }

    #[cold]
    fn init(&self, make: impl FnOnce() -> T) -> &T {
        let _turn = self.making.lock();
        if self.get().is_none() {
            self.value.store(Box::into_raw(Box::new(make())), Ordering::Release);
        }
        self.get().expect("it was stored above, or by the thread that held the mutex before")
    }
}

impl<T> Default for ForkOnce<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> std::fmt::Debug for ForkOnce<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ForkOnce").field("is_made", &self.get().is_some()).finish_non_exhaustive()
    }
}

impl<T> Drop for ForkOnce<T> {
    fn drop(&mut self) {
        let value = *self.value.get_mut();
        if !value.is_null() {
            // SAFETY: `init` has created the pointer by `Box::into_raw`, and `&mut self` excludes other users.
            drop(unsafe { Box::from_raw(value) });
        }
    }
}

/// A static value that the first use makes, as [`ForkOnce`] does.
#[derive(Debug)]
pub struct ForkLazy<T> {
    value: ForkOnce<T>,
    make: fn() -> T,
}

impl<T> ForkLazy<T> {
    /// Creates a value that `make` makes at the first use.
    pub const fn new(make: fn() -> T) -> Self {
        Self { value: ForkOnce::new(), make }
    }
}

impl<T> Deref for ForkLazy<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        self.value.get_or_init(self.make)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    use super::*;

    #[test]
    fn the_value_is_made_once() {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        static VALUE: ForkLazy<usize> = ForkLazy::new(|| MADE.fetch_add(1, Ordering::SeqCst) + 7);
        thread::scope(|scope| (0..4).for_each(|_| _ = scope.spawn(|| assert_eq!(*VALUE, 7))));
        assert_eq!(MADE.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn the_value_is_dropped_once() {
        let watched = Arc::new(());
        let value = ForkOnce::new();
        assert!(value.get().is_none());
        value.get_or_init(|| Arc::clone(&watched));
        value.get_or_init(|| unreachable!("it was made"));
        drop(value);
        assert_eq!(Arc::strong_count(&watched), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_child_makes_a_value_that_the_parent_is_making() {
        static VALUE: ForkOnce<i32> = ForkOnce::new();
        let (started, is_started) = std::sync::mpsc::channel();
        let (over, is_over) = std::sync::mpsc::channel::<()>();
        let maker = thread::spawn(move || {
            *VALUE.get_or_init(|| {
                started.send(()).unwrap();
                is_over.recv().unwrap();
                1
            })
        });
        is_started.recv().unwrap();
        let is_made = crate::is_true_in_a_child(|| *VALUE.get_or_init(|| 2) == 2);
        over.send(()).unwrap();
        assert_eq!(maker.join().unwrap(), 1);
        assert!(is_made);
    }
}
