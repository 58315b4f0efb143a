//! Searches for worker processes that ended unexpectedly, and reports each lost worker once.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError, TryLockError};

use envpool_rs_engine::{HostLoss, LaneError};

/// Search for lost worker processes. It reports each lost worker once, and only one thread at a time searches.
#[derive(Debug, Default)]
pub struct LossSearch {
    /// Lost workers that have been reported and not been restarted.
    reported: Mutex<HashSet<usize>>,
    /// Lock that is held during a search, because a second thread would find the same lost worker.
    searching: Mutex<()>,
}

impl LossSearch {
    /// Returns a lost worker that was not reported before. Returns `None` while another thread searches.
    ///
    /// `look` receives the workers that were already reported. `look` returns the number of another lost worker, the reason as a
    /// message, and the reason as a serialized exception. A panic in `look` ends only this search.
    pub fn next(&self, look: impl FnOnce(Vec<usize>) -> Option<(usize, String, Vec<u8>)>) -> Option<HostLoss> {
        let _looking = match self.searching.try_lock() {
            Ok(looking) => looking,
            // The lock may be poisoned: it guards no data that a panic could leave inconsistent.
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let known = self.reported.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let (worker, text, exception) = look(known)?;
        self.reported.lock().unwrap_or_else(PoisonError::into_inner).insert(worker);
        Some(HostLoss { host: worker, fault: LaneError::host_lost(text, exception) })
    }

    /// Removes a worker that was restarted from the reported workers, so that it is reported again if its new process is
    /// lost.
    pub fn forget(&self, worker: usize) {
        self.reported.lock().unwrap_or_else(PoisonError::into_inner).remove(&worker);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn lost(worker: usize) -> Option<(usize, String, Vec<u8>)> {
        Some((worker, "it was killed".to_owned(), Vec::new()))
    }

    #[test]
    fn a_loss_is_found_after_a_search_has_panicked() {
        let search = LossSearch::default();
        let panicked = catch_unwind(AssertUnwindSafe(|| search.next(|_| panic!("in the middle of looking"))));
        assert!(panicked.is_err() && search.searching.is_poisoned());
        let fault = LaneError::host_lost("it was killed".to_owned(), Vec::new());
        assert_eq!(search.next(|_| lost(3)), Some(HostLoss { host: 3, fault }));
    }

    #[test]
    fn a_loss_is_remembered_until_the_worker_restarts() {
        let (search, mut passed) = (LossSearch::default(), Vec::new());
        for worker in [2, 5] {
            search.next(|known| {
                passed.push(known.len());
                lost(worker)
            });
        }
        search.forget(2);
        let nothing = search.next(|known| {
            assert_eq!(known, [5]);
            None
        });
        assert_eq!((nothing, passed), (None, vec![0, 1]));
    }

    #[test]
    fn a_concurrent_search_finds_nothing() {
        let search = LossSearch::default();
        let found = search.next(|_| {
            let other = std::thread::scope(|scope| scope.spawn(|| search.next(|_| lost(1))).join().unwrap());
            assert_eq!(other, None);
            lost(0)
        });
        assert_eq!(found.map(|lost| lost.host), Some(0));
    }
}
