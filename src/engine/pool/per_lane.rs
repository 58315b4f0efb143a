//! Methods of backend pools that wait for replies and take them lane by lane, instead of as batches.

use std::time::Instant;

use crate::backend::lane_op::LaneOp;
use crate::contract::error::{Error, Result};
use crate::contract::lane_error::{LaneError, Payload};
use crate::exec::request_kind::LaneList;
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::id_checker::IdChecker;
use crate::pool::pool::Pool;
use crate::results::batch::Batch;
use crate::threads::interrupt_poller::{Interrupt, InterruptPoller};

/// Replies of some lanes. Row `k` belongs to the `k`-th requested lane.
#[derive(Debug)]
pub struct LaneReplies {
    /// Rows of steps and resets. Rows of other lanes hold no data.
    pub batch: Box<Batch>,
    /// Values that calls returned, each with its row.
    pub values: Vec<(usize, Payload)>,
    /// Errors of steps, resets and calls, each with its row.
    pub failures: Vec<(usize, LaneError)>,
}

/// Methods of [`Pool`] that take replies of single lanes, independently of other lanes. They fill no batch, end and start no
/// episode automatically, and a failed lane accepts new operations.
impl Pool {
    /// Sends a call to each of the environments `ids`, with one payload for each.
    ///
    /// # Errors
    /// `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight; `Value` for a wrong number of
    /// payloads; `State` for a pool without a backend.
    pub fn submit_calls(&self, ids: Option<&[i64]>, payloads: &[Payload]) -> Result<()> {
        let backend = self.backend()?;
        let call = self.prepare(ids)?;
        if payloads.len() != call.lanes() {
            let got = format_args!("[{} values]", payloads.len());
            return Err(Error::value("payloads", got, format_args!("one for each of {} environments", call.lanes())));
        }
        let lanes: Vec<u32> = call.request().lanes.iter().map(|lane| lane as u32).collect();
        backend.submit_calls_of(&lanes, |index| LaneOp::Call(&payloads[index]))
    }

    /// Waits until `count` of the environments `ids` (`None`: all) have replied, or until all in flight have replied, if fewer
    /// than `count` are in flight. Returns at the deadline with fewer replies.
    ///
    /// # Errors
    /// `Index` for ids out of range; `State` if another thread is waiting; `Closed`, `Interrupted`, or an error of the backend.
    pub fn wait_lanes(
        &self,
        ids: Option<&[i64]>,
        count: usize,
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<()> {
        let waited = self.wait_lanes_unless(ids, count, &mut InterruptPoller::with_deadline(interrupt, deadline));
        waited.map_err(|error| self.explain(error))
    }

    fn wait_lanes_unless(&self, ids: Option<&[i64]>, count: usize, interrupts: &mut InterruptPoller<'_>) -> Result<()> {
        let (backend, lanes) = (self.backend()?, self.check_lanes(ids)?);
        self.check_usable()?;
        let _receiver = self.receiver.try_lock().ok_or_else(|| self.busy_error())?;
        backend.wait_lanes(&lanes, count, interrupts)
    }

    /// Returns the ids among `ids` (`None`: all) whose replies can be taken, in order of completion.
    ///
    /// # Errors
    /// `Index` for ids out of range; `Closed`.
    pub fn completed_lanes(&self, ids: Option<&[i64]>) -> Result<Vec<u32>> {
        let (backend, lanes) = (self.backend()?, self.check_lanes(ids)?);
        self.check_usable()?;
        backend.completed_lanes(&lanes)
    }

    /// Returns the ids of environments whose replies have not been taken, including replies to abandoned calls.
    ///
    /// # Errors
    /// `State` in a forked child and for pools without a backend; `Closed`.
    pub fn lanes_in_flight(&self) -> Result<Vec<u32>> {
        self.check_usable()?;
        self.backend()?.pending_lanes()
    }

    /// Takes the replies of the environments `ids` (`None`: all), all of which have replied. The environments are idle
    /// afterwards.
    ///
    /// # Errors
    /// `Index` or `Value` for invalid ids; `State` if an environment has not replied or another thread is waiting; `Closed`. No
    /// reply is taken then.
    pub fn collect_lanes(&self, ids: Option<&[i64]>) -> Result<LaneReplies> {
        self.collect_lanes_into(ids, None)
    }

    /// Takes replies as [`collect_lanes`](Self::collect_lanes) does, and overwrites the rows of `batch`, which an earlier call for
    /// all environments has returned.
    ///
    /// # Errors
    /// The errors of [`collect_lanes`](Self::collect_lanes); `State` for a batch of another pool.
    pub fn collect_lanes_into(&self, ids: Option<&[i64]>, batch: Option<Box<Batch>>) -> Result<LaneReplies> {
        let (backend, lanes) = (self.backend()?, self.check_lanes(ids)?);
        self.check_usable()?;
        self.check_batch(batch.as_deref())?;
        let receiver = self.receiver.try_lock().ok_or_else(|| self.busy_error())?;
        let collected = backend.collect_lanes(&lanes, batch);
        drop(receiver);
        collected.map_err(|error| self.explain(error))
    }

    /// Takes replies and discards them. The next step or reset reports the lost hosts that the discarded replies would have
    /// reported.
    ///
    /// # Errors
    /// `Index` or `Value` for invalid ids; `State` if an environment has not replied or another thread is waiting; `Closed`. No
    /// reply is taken then.
    pub fn discard_lanes(&self, ids: Option<&[i64]>) -> Result<()> {
        let LaneReplies { batch, .. } = self.collect_lanes(ids)?;
        self.backend()?.defer_loss_reports(batch.restarted.iter().map(|row| batch.lanes()[*row as usize] as usize));
        Ok(())
    }

    /// Records an environment's seed. If its host is lost, the next episode's seed is derived from this seed.
    pub fn record_seed(&self, lane: usize, seed: u64) {
        if let (Some(backend), true) = (self.executor.backend(), lane < self.core.config.num_envs) {
            backend.record_seed(lane, seed);
        }
    }

    /// Returns the executor of a backend pool.
    ///
    /// # Errors
    /// `State` for pools without a backend.
    pub(crate) fn backend(&self) -> Result<&BackendExecutor> {
        let none = || Error::State("these environments run in the engine: expected a pool over a backend".into());
        self.executor.backend().ok_or_else(none)
    }

    fn check_lanes(&self, ids: Option<&[i64]>) -> Result<LaneList> {
        IdChecker::new(self.core.config.num_envs).check(ids, LaneList::All(0))
    }
}
