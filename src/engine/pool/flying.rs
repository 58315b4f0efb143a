//! Which lanes are in flight, and what happens to a batch in which environments failed.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use crate::contract::error::{Error, Result};
use crate::contract::fault::Failed;
use crate::pool::receiver::Receiver;
use crate::pool::shared::{Failure, Shared};
use crate::results::batch::Batch;

impl Shared {
    /// Marks lanes as not yet received.
    pub fn launch(&self, lanes: impl Iterator<Item = usize>) {
        let mut count = 0;
        for lane in lanes {
            self.in_flight[lane].store(true, Ordering::Relaxed);
            count += 1;
        }
        self.flying.fetch_add(count, Ordering::SeqCst);
    }

    /// Marks lanes as received.
    pub fn land(&self, lanes: impl Iterator<Item = usize>) {
        let mut count = 0;
        for lane in lanes {
            self.in_flight[lane].store(false, Ordering::Release);
            count += 1;
        }
        self.flying.fetch_sub(count, Ordering::SeqCst);
    }

    /// Lanes in flight.
    pub fn late_lanes(&self) -> Vec<u32> {
        let in_flight = self.in_flight.iter().enumerate().filter(|(_, flies)| flies.load(Ordering::Acquire));
        in_flight.map(|(lane, _)| lane as u32).collect()
    }

    /// Refuses to wait for a batch that cannot become complete, even with `more` lanes.
    pub fn check_enough_in_flight(&self, more: usize) -> Result<()> {
        let (flying, needed) = (self.flying.load(Ordering::Acquire) + more, self.config.batch_size);
        if flying >= needed {
            return Ok(());
        }
        Err(Error::State(format!("recv: {flying} environments are in flight, fewer than batch_size={needed}: send first")))
    }

    /// Refuses to answer a request at once where earlier ones have not been received.
    #[inline]
    pub fn check_none_in_flight(&self) -> Result<()> {
        match self.flying.load(Ordering::Acquire) {
            0 => Ok(()),
            _ => Err(Error::State("results of an earlier send are waiting: recv them first".into())),
        }
    }

    /// What is left of the oldest batch in which an environment failed.
    pub fn take_ready(&self, receiver: &mut Receiver) -> Option<Box<Batch>> {
        let ready = receiver.ready.pop_front()?;
        self.land(ready.lanes().iter().map(|lane| *lane as usize));
        Some(ready)
    }

    /// Marks the lanes of a batch as received and returns it. Where environments of it failed, tells of them instead, and keeps
    /// the rows of the others, still in flight, for the next `recv`.
    #[inline]
    pub fn report_failures(
        &self,
        receiver: &mut Receiver,
        batch: Box<Batch>,
        spare: &mut Option<Box<Batch>>,
    ) -> Result<Box<Batch>> {
        if self.has_failures.load(Ordering::SeqCst) {
            return self.take_failures(receiver, batch, spare);
        }
        self.land(batch.lanes().iter().map(|lane| *lane as usize));
        Ok(batch)
    }

    /// As `report_failures`; the lanes have to be marked as in flight. `spare`, empty, gets a batch of which nothing is left.
    #[cold]
    pub fn take_failures(
        &self,
        receiver: &mut Receiver,
        mut rest: Box<Batch>,
        spare: &mut Option<Box<Batch>>,
    ) -> Result<Box<Batch>> {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut here, elsewhere): (Vec<_>, Vec<_>) =
            failures.drain(..).partition(|failure| rest.lanes().contains(&failure.lane));
        self.has_failures.store(!elsewhere.is_empty(), Ordering::SeqCst);
        *failures = elsewhere;
        drop(failures);
        here.sort_unstable_by_key(|failure| failure.lane); // whichever thread was first to fail
        if here.is_empty() {
            self.land(rest.lanes().iter().map(|lane| *lane as usize));
            return Ok(rest);
        }
        let lanes = rest.lanes().to_vec();
        rest.compact(|row| here.iter().all(|failure| failure.lane != lanes[row]));
        let kept = rest.rows();
        // The others' lanes stay in flight throughout: a sender in another thread must never see them as free.
        match kept {
            0 => *spare = Some(rest),
            _ => receiver.ready.push_back(rest),
        }
        self.land(here.iter().map(|failure| failure.lane as usize));
        let others = here[1..].iter().map(|failure| failure.lane).collect();
        let Failure { lane, fault } = here.swap_remove(0);
        Err(Error::Failed(Box::new(Failed { lane: lane as usize, fault, others, kept })))
    }

    /// Forgets that anything is in flight, and that anything failed: all of it has been played and is thrown away.
    pub fn land_all(&self) {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.has_failures.store(false, Ordering::SeqCst);
        self.in_flight.iter().for_each(|lane| lane.store(false, Ordering::Release));
        self.flying.store(0, Ordering::SeqCst);
    }
}
