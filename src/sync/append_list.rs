//! A list that grows only. Readers never wait, so that a fork or another thread's append cannot stop them.

use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::fork_mutex::ForkMutex;

/// A list to which any thread appends. Reading takes no lock.
pub struct AppendList<T> {
    first: AtomicPtr<Node<T>>,
    appending: ForkMutex<()>,
    _owned: PhantomData<T>,
}

struct Node<T> {
    value: T,
    next: AtomicPtr<Node<T>>,
}

// SAFETY: the list owns values, which are shared (`Sync`) and may be dropped in another thread than the one that appended them
// (`Send`).
unsafe impl<T: Send + Sync> Sync for AppendList<T> {}
// SAFETY: as for `Sync`.
unsafe impl<T: Send> Send for AppendList<T> {}

impl<T> AppendList<T> {
    /// Creates an empty list.
    pub const fn new() -> Self {
        Self { first: AtomicPtr::new(null_mut()), appending: ForkMutex::new(()), _owned: PhantomData }
    }

    /// Appends values in their order. A reader, and a forked child, finds all of them or none.
    pub fn extend(&self, values: impl IntoIterator<Item = T>) {
        let mut chain = AppendList::new();
        let mut end = &mut chain.first;
        for value in values {
            let node = Box::into_raw(Box::new(Node { value, next: AtomicPtr::new(null_mut()) }));
            *end.get_mut() = node;
            // SAFETY: the node was created above, and only this thread has its address.
            end = unsafe { &mut (*node).next };
        }
        let chain = std::mem::replace(chain.first.get_mut(), null_mut());
        let _turn = self.appending.lock();
        let mut last = &self.first;
        // SAFETY: each pointer is null or points to a node of the list, which is freed only when the list is dropped.
        while let Some(node) = unsafe { last.load(Ordering::Acquire).as_ref() } {
            last = &node.next;
        }
        last.store(chain, Ordering::Release);
    }

    /// Returns the values in the order in which they were appended.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let mut next = &self.first;
        std::iter::from_fn(move || {
            // SAFETY: the pointer is null or points to a node of the list, which is freed only when the list is dropped.
            let node = unsafe { next.load(Ordering::Acquire).as_ref() }?;
            next = &node.next;
            Some(&node.value)
        })
    }
}

impl<T> Default for AppendList<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Drop for AppendList<T> {
    fn drop(&mut self) {
        let mut next = *self.first.get_mut();
        while !next.is_null() {
            // SAFETY: `extend` has created the pointer by `Box::into_raw`, and `&mut self` excludes other users.
            let mut node = unsafe { Box::from_raw(next) };
            next = *node.next.get_mut();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    #[test]
    fn values_of_one_call_stay_together_and_in_order() {
        let list = AppendList::new();
        list.extend([]);
        thread::scope(|scope| {
            for thread in 0..4 {
                let list = &list;
                scope.spawn(move || (0..50).for_each(|turn| list.extend([(thread, 2 * turn), (thread, 2 * turn + 1)])));
            }
        });
        let all: Vec<_> = list.iter().copied().collect();
        assert_eq!(all.len(), 400);
        assert!(all.chunks(2).all(|pair| pair[0].0 == pair[1].0 && pair[0].1 + 1 == pair[1].1));
        let of = |thread: i32| all.iter().filter(move |value| value.0 == thread).map(|value| value.1);
        assert!((0..4).all(|thread| of(thread).eq(0..100)));
    }

    #[test]
    fn values_are_dropped_once() {
        let watched = Arc::new(());
        let list = AppendList::new();
        list.extend([Arc::clone(&watched), Arc::clone(&watched)]);
        drop(list);
        assert_eq!(Arc::strong_count(&watched), 1);
    }
}
