//! Requests to a backend pool whose replies are awaited and taken lane by lane, instead of batch by batch.

use std::time::Instant;

use crate::contract::error::{Error, Result};
use crate::contract::fault::{Fault, Message};
use crate::outside::exchange::Asked;
use crate::play::kind::LaneList;
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::pool::Pool;
use crate::results::batch::Batch;
use crate::threads::interrupts::{Interrupt, Interrupts};

/// The replies of some lanes, by row: row `k` belongs to the lane asked for in place `k`.
#[derive(Debug)]
pub struct LaneReplies {
    /// Rows of steps and resets; those of other lanes hold nothing.
    pub batch: Box<Batch>,
    /// Values of calls, with their rows.
    pub values: Vec<(usize, Message)>,
    /// Failures of steps, resets and calls, with their rows.
    pub faults: Vec<(usize, Fault)>,
}

/// Replies are independent of each other: no batch is completed, no episode ends or begins by itself, and a failed lane can be asked
/// again.
impl Pool {
    /// Sends calls to the environments `ids`, one payload for each.
    ///
    /// # Errors
    /// As [`Pool::step`] for the ids; `Value` for another number of payloads; `State` for a pool whose lanes the engine plays.
    pub fn submit_calls(&self, ids: Option<&[i64]>, payloads: &[Message]) -> Result<()> {
        let backend = self.backend()?;
        let call = self.prepare(ids)?;
        if payloads.len() != call.lanes() {
            let got = format_args!("[{} values]", payloads.len());
            return Err(Error::value("payloads", got, format_args!("one for each of {} environments", call.lanes())));
        }
        let lanes: Vec<u32> = call.request().lanes.iter().map(|lane| lane as u32).collect();
        backend.submit_calls_of(&lanes, |index| Asked::Call(&payloads[index]))
    }

    /// Waits until `count` of the environments `ids` (`None`: all) in flight have replied; never for more than are in flight. Returns
    /// at the deadline with fewer.
    ///
    /// # Errors
    /// `Index` for the ids; `State` if another thread waits; `Closed`, `Interrupted`; those of [`Outside::wait`](crate::Outside::wait).
    pub fn wait_lanes(
        &self,
        ids: Option<&[i64]>,
        count: usize,
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<()> {
        let waited = self.wait_lanes_unless(ids, count, &mut Interrupts::until(interrupt, deadline));
        waited.map_err(|error| self.explain(error))
    }

    fn wait_lanes_unless(&self, ids: Option<&[i64]>, count: usize, interrupts: &mut Interrupts<'_>) -> Result<()> {
        let (backend, lanes) = (self.backend()?, self.checked_lanes(ids)?);
        self.check_usable()?;
        let _receiver = self.receiver.try_enter().ok_or_else(|| self.refusal())?;
        backend.wait_lanes(&lanes, count, interrupts)
    }

    /// Those of the environments `ids` (`None`: all) whose replies have not been taken, in order of completion.
    ///
    /// # Errors
    /// `Index` for the ids; `Closed`.
    pub fn completed_lanes(&self, ids: Option<&[i64]>) -> Result<Vec<u32>> {
        let (backend, lanes) = (self.backend()?, self.checked_lanes(ids)?);
        self.check_usable()?;
        backend.completed_lanes(&lanes)
    }

    /// The environments whose replies have not been taken, those to calls that were given up included.
    ///
    /// # Errors
    /// `State` in a forked child and for pools of other kinds; `Closed`.
    pub fn lanes_in_flight(&self) -> Result<Vec<u32>> {
        self.check_usable()?;
        self.backend()?.pending_lanes()
    }

    /// Takes the replies of the environments `ids` (`None`: all), all of which have replied. They are idle afterwards.
    ///
    /// # Errors
    /// `Index`, `Value` for the ids; `State` if one has not replied, or another thread waits; `Closed`. Nothing is taken then.
    pub fn collect_lanes(&self, ids: Option<&[i64]>) -> Result<LaneReplies> {
        let (backend, lanes) = (self.backend()?, self.checked_lanes(ids)?);
        self.check_usable()?;
        let receiver = self.receiver.try_enter().ok_or_else(|| self.refusal())?;
        let collected = backend.collect_lanes(&lanes);
        drop(receiver);
        collected.map_err(|error| self.explain(error))
    }

    /// Takes replies that nobody wants. Losses that they would have reported are reported by the next step or reset.
    ///
    /// # Errors
    /// As [`Pool::collect_lanes`].
    pub fn discard_lanes(&self, ids: Option<&[i64]>) -> Result<()> {
        let LaneReplies { batch, .. } = self.collect_lanes(ids)?;
        self.backend()?.owe(batch.restarted.iter().map(|row| batch.lanes()[*row as usize] as usize));
        Ok(())
    }

    /// Records an environment's seed, from which those of episodes after losses follow.
    pub fn note_seed(&self, lane: usize, seed: u64) {
        if let (Some(backend), true) = (self.executor.backend(), lane < self.core.config.num_envs) {
            backend.note_seed(lane, seed);
        }
    }

    /// What drives the lanes of a backend pool.
    ///
    /// # Errors
    /// `State` for pools of other kinds.
    pub(crate) fn backend(&self) -> Result<&BackendExecutor> {
        let none = || Error::State("these environments are played by the engine: expected a pool over a backend".into());
        self.executor.backend().ok_or_else(none)
    }

    fn checked_lanes(&self, ids: Option<&[i64]>) -> Result<LaneList> {
        let count = self.core.config.num_envs;
        let Some(ids) = ids else { return Ok(LaneList::All(count)) };
        let mut seen = vec![false; count];
        let lane = |(index, id): (usize, &i64)| {
            let lane = usize::try_from(*id).ok().filter(|lane| *lane < count);
            let lane = lane.ok_or_else(|| Error::Index(format!("env_id[{index}]={id}: expected 0 to {}", count - 1)))?;
            match std::mem::replace(&mut seen[lane], true) {
                true => Err(Error::value(&format!("env_id[{index}]"), id, "each id once at most")),
                false => Ok(lane as u32),
            }
        };
        Ok(LaneList::Some(ids.iter().enumerate().map(lane).collect::<Result<_>>()?))
    }
}
