//! Ledger of a pool: the state of each lane, and the lanes that failed.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use crossbeam_utils::CachePadded;

use crate::contract::error::{Error, Result};
use crate::contract::lane_error::{BatchFailure, LaneError};
use crate::exec::request_kind::LaneList;
use crate::pool::receiver::Receiver;
use crate::results::batch::Batch;
use crate::results::sync::{AtomicU8, AtomicUsize, Ordering};

/// A lane whose environment panicked or failed in another way, and the error.
#[derive(Debug, Clone)]
pub struct LaneFailure {
    pub lane: u32,
    pub fault: LaneError,
}

/// State of a lane in the ledger. Pools that run their lanes in this process use `Idle` and `Sent` only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum LaneState {
    /// The lane is idle and can be sent or called.
    Idle = 0,
    /// The lane was sent, and its result has not been received.
    Sent = 1,
    /// The lane's row is written, and the batch that holds the row has not been received.
    Written = 2,
    /// The lane was called: its operation is neither a step nor a reset.
    Called = 3,
    /// The lane executes a call that no caller awaits any more.
    Abandoned = 4,
}

impl LaneState {
    const ALL: [Self; 5] = [Self::Idle, Self::Sent, Self::Written, Self::Called, Self::Abandoned];

    /// Returns whether the lane is in flight: a row was requested and has not been received.
    #[inline(always)]
    pub fn is_in_flight(self) -> bool {
        matches!(self, Self::Sent | Self::Written)
    }

    /// Returns whether the lane has a pending operation without a reply.
    #[inline(always)]
    pub fn is_pending(self) -> bool {
        matches!(self, Self::Sent | Self::Called | Self::Abandoned)
    }
}

/// Records which lanes are in flight. Senders, receivers and backends have no other source of this information.
///
/// Ownership of a lane passes from the sender to its worker or backend, then to the receiver, and back to a sender. The sender
/// marks the lane as sent. The receiver marks it as received (release), and the next sender checks that mark (acquire). So each
/// owner sees all writes of the previous owner.
pub struct Ledger {
    states: Box<[AtomicU8]>,
    /// Number of lanes in flight, in cache lines of its own because each call changes it.
    count: CachePadded<AtomicUsize>,
    /// Failures that no receiver has reported yet.
    failures: Mutex<Vec<LaneFailure>>,
    /// Whether `failures` may be non-empty. Set after a failure is added, and before the lane's item counts as executed.
    has_failures: AtomicBool,
}

impl Ledger {
    /// Creates the ledger of `lanes` idle lanes.
    pub fn new(lanes: usize) -> Self {
        Self {
            states: (0..lanes).map(|_| AtomicU8::new(LaneState::Idle as u8)).collect(),
            count: CachePadded::new(AtomicUsize::new(0)),
            failures: Mutex::default(),
            has_failures: AtomicBool::new(false),
        }
    }

    /// Returns the state of a lane.
    #[inline]
    pub fn state(&self, lane: usize) -> LaneState {
        LaneState::ALL[self.states[lane].load(Ordering::Acquire) as usize]
    }

    /// Changes the state of a lane. Either the old and the new state are both in flight, or neither is.
    #[inline]
    pub fn set_state(&self, lane: usize, state: LaneState) {
        debug_assert_eq!(self.state(lane).is_in_flight(), state.is_in_flight(), "lane {lane} is not counted");
        self.states[lane].store(state as u8, Ordering::Release);
    }

    /// Marks idle lanes as sent.
    pub fn mark_sent(&self, lanes: impl Iterator<Item = usize>) {
        let mut count = 0;
        for lane in lanes {
            self.states[lane].store(LaneState::Sent as u8, Ordering::Relaxed);
            count += 1;
        }
        self.count.fetch_add(count, Ordering::SeqCst);
    }

    /// Marks lanes in flight as received.
    pub fn mark_received(&self, lanes: impl Iterator<Item = usize>) {
        let mut count = 0;
        for lane in lanes {
            self.states[lane].store(LaneState::Idle as u8, Ordering::Release);
            count += 1;
        }
        self.count.fetch_sub(count, Ordering::SeqCst);
    }

    /// Marks all lanes in flight as received, and discards their failures.
    pub fn mark_all_received(&self) {
        self.lock_failures().clear();
        self.has_failures.store(false, Ordering::SeqCst);
        self.mark_received(self.lanes_in_flight().into_iter().map(|lane| lane as usize));
    }

    /// Returns the number of lanes in flight.
    #[inline]
    pub fn count_in_flight(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// Returns the lanes in flight.
    pub fn lanes_in_flight(&self) -> Vec<u32> {
        (0..self.states.len()).filter(|lane| self.state(*lane).is_in_flight()).map(|lane| lane as u32).collect()
    }

    /// Rejects lanes that are in flight.
    ///
    /// # Errors
    /// `InFlight`, naming the first lane that is in flight.
    #[inline]
    pub fn check_not_in_flight(&self, lanes: &LaneList) -> Result<()> {
        if self.count_in_flight() == 0 {
            return Ok(());
        }
        match lanes.iter().find(|lane| self.state(*lane).is_in_flight()) {
            None => Ok(()),
            Some(lane) => Err(Error::InFlight { lane }),
        }
    }

    /// Checks that the lanes in flight and `more` additional lanes suffice for a batch of `needed` rows.
    ///
    /// # Errors
    /// `State` if there are fewer lanes than `needed`.
    pub fn check_enough_in_flight(&self, more: usize, needed: usize) -> Result<()> {
        let sent = self.count_in_flight() + more;
        if sent >= needed {
            return Ok(());
        }
        Err(Error::State(format!("recv: {sent} environments are in flight, fewer than batch_size={needed}: send first")))
    }

    /// Rejects a synchronous request while results of earlier requests are waiting.
    ///
    /// # Errors
    /// `State` if a lane is in flight.
    #[inline]
    pub fn check_none_in_flight(&self) -> Result<()> {
        match self.count_in_flight() {
            0 => Ok(()),
            _ => Err(Error::State("results of an earlier send are waiting: recv them first".into())),
        }
    }

    /// Records that a lane failed.
    #[cold]
    pub fn record_failure(&self, lane: usize, fault: LaneError) {
        self.lock_failures().push(LaneFailure { lane: lane as u32, fault });
        self.has_failures.store(true, Ordering::SeqCst);
    }

    /// Returns whether there may be a failure that no receiver has reported yet.
    #[inline]
    pub fn has_failures(&self) -> bool {
        self.has_failures.load(Ordering::SeqCst)
    }

    fn lock_failures(&self) -> std::sync::MutexGuard<'_, Vec<LaneFailure>> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Receives the remaining rows of the oldest batch in which a lane failed; `None` if no rows remain.
    pub fn receive_ready(&self, receiver: &mut Receiver) -> Option<Box<Batch>> {
        let ready = receiver.partial_batches.pop_front()?;
        self.mark_received(ready.lanes().iter().map(|lane| *lane as usize));
        Some(ready)
    }

    /// Marks the lanes of a batch as received and returns the batch. If lanes of the batch failed, returns their failure instead;
    /// the rows of the other lanes stay in flight for the next `recv`.
    ///
    /// # Errors
    /// `Failed` if a lane of the batch failed.
    #[inline]
    pub fn receive(&self, receiver: &mut Receiver, batch: Box<Batch>, spare: &mut Option<Box<Batch>>) -> Result<Box<Batch>> {
        if self.has_failures() {
            return self.receive_with_failures(receiver, batch, spare);
        }
        self.mark_received(batch.lanes().iter().map(|lane| *lane as usize));
        Ok(batch)
    }

    /// Receives a batch that may contain failed lanes, as [`receive`](Self::receive) does. All lanes of the batch must be in
    /// flight. If no row is left, the batch is moved into `spare`, which must be empty.
    ///
    /// # Errors
    /// `Failed` if a lane of the batch failed.
    #[cold]
    pub fn receive_with_failures(
        &self,
        receiver: &mut Receiver,
        mut rest: Box<Batch>,
        spare: &mut Option<Box<Batch>>,
    ) -> Result<Box<Batch>> {
        let mut failed = self.take_failures(rest.lanes());
        if failed.is_empty() {
            self.mark_received(rest.lanes().iter().map(|lane| *lane as usize));
            return Ok(rest);
        }
        let lanes = rest.lanes().to_vec();
        rest.compact(|row| failed.binary_search_by_key(&lanes[row], |failure| failure.lane).is_err());
        let rows_pending = rest.rows();
        // Lanes that did not fail stay in flight throughout: a sender in another thread must never see them as idle.
        match rows_pending {
            0 => *spare = Some(rest),
            _ => receiver.partial_batches.push_back(rest),
        }
        self.mark_received(failed.iter().map(|failure| failure.lane as usize));
        let others = failed[1..].iter().map(|failure| failure.lane).collect();
        let LaneFailure { lane, fault } = failed.swap_remove(0);
        Err(Error::Failed(Box::new(BatchFailure { lane: lane as usize, fault, others, rows_pending })))
    }

    /// Removes and returns the failures of the lanes `lanes`, sorted by lane.
    pub fn take_failures(&self, lanes: &[u32]) -> Vec<LaneFailure> {
        let mut sorted = lanes.to_vec();
        sorted.sort_unstable();
        let mut failures = self.lock_failures();
        let is_of_these = |failure: &LaneFailure| sorted.binary_search(&failure.lane).is_ok();
        let (mut taken, left): (Vec<_>, Vec<_>) = failures.drain(..).partition(is_of_these);
        self.has_failures.store(!left.is_empty(), Ordering::SeqCst);
        *failures = left;
        drop(failures);
        taken.sort_unstable_by_key(|failure| failure.lane); // the order must not depend on which thread failed first
        taken
    }
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
