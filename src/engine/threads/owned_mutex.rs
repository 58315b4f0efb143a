//! A mutex that records the thread that holds it.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

thread_local! {
    static MARK: u8 = const { 0 };
}

/// Returns a non-zero number that identifies this thread among all living threads.
pub fn this_thread() -> usize {
    MARK.with(|mark| std::ptr::from_ref(mark) as usize)
}

/// A mutex that records which thread holds it. Code can wait for the release of the mutex without a deadlock, even if the code
/// runs in the thread that holds the mutex.
pub struct OwnedMutex<T> {
    /// Number of the thread that holds the mutex; 0 for none. Accesses are relaxed, because a thread only compares the owner with
    /// its own number.
    owner: AtomicUsize,
    value: Mutex<T>,
}

/// Guard that grants access to the value of an [`OwnedMutex`] until dropped.
pub struct OwnedMutexGuard<'a, T> {
    owner: &'a AtomicUsize,
    value: MutexGuard<'a, T>,
}

impl<T> OwnedMutex<T> {
    /// Wraps `value`.
    pub fn new(value: T) -> Self {
        Self { owner: AtomicUsize::new(0), value: Mutex::new(value) }
    }

    /// Locks the mutex. Ignores poisoning by a panic of an earlier holder.
    #[inline]
    pub fn lock(&self) -> OwnedMutexGuard<'_, T> {
        let value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        self.owner.store(this_thread(), Ordering::Relaxed);
        OwnedMutexGuard { owner: &self.owner, value }
    }

    /// Waits until the current holder releases the mutex. Returns at once if this thread is the holder, for example in a
    /// callback.
    pub fn wait_for_others(&self) {
        if self.owner.load(Ordering::Relaxed) != this_thread() {
            drop(self.lock());
        }
    }
}

impl<T> Deref for OwnedMutexGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for OwnedMutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> Drop for OwnedMutexGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.owner.store(0, Ordering::Relaxed); // the owner is cleared before the mutex is unlocked
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_wait_lasts_as_long_as_another_thread_holds_the_lock() {
        let mutex = OwnedMutex::new(0);
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let (mut held, mutex) = (mutex.lock(), &mutex);
            let waiting = scope.spawn(move || {
                sender.send(()).unwrap();
                mutex.wait_for_others();
                *mutex.lock()
            });
            receiver.recv().unwrap();
            // This pause is longer than a timeout that a wrong implementation of `wait_for_others` might use.
            std::thread::sleep(Duration::from_millis(300));
            *held = 1;
            drop(held);
            assert_eq!(waiting.join().unwrap(), 1);
        });
    }

    #[test]
    fn the_holder_does_not_wait_for_itself() {
        let mutex = OwnedMutex::new(());
        let held = mutex.lock();
        mutex.wait_for_others();
        drop(held);
        mutex.wait_for_others();
    }

    #[test]
    fn thread_numbers_are_unique() {
        let mine = this_thread();
        let differs = std::thread::scope(|scope| scope.spawn(move || this_thread() != mine).join().unwrap());
        assert!(differs && mine != 0 && this_thread() == mine);
    }
}
