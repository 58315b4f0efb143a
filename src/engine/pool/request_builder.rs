//! Request that a caller is preparing: a step or reset, whose actions are filled in before the request is sent.

use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::contract::actions::{ActionEncoding, ActionKey, ActionScalar};
use crate::contract::error::{Error, Result};
use crate::contract::row::ActionColumn;
use crate::exec::lane_table::Phase;
use crate::exec::request_kind::{LaneList, RequestKind};
use crate::pool::executor::Executor;
use crate::pool::pool::Pool;
use crate::pool::request::Request;
use crate::pool::sender::Sender;
use crate::results::batch::Batch;
use crate::threads::float_mode::FloatModeGuard;
use crate::threads::interrupt_poller::{Interrupt, InterruptPoller};
use crate::threads::try_lock::TryLockGuard;

/// A step or reset that a caller is preparing. The caller fills in the actions, then calls [`RequestBuilder::run`] or
/// [`RequestBuilder::send`].
pub struct RequestBuilder<'a> {
    pub(crate) pool: &'a Pool,
    /// Guard of the sender, which owns the request.
    pub(crate) sender: TryLockGuard<'a, Sender>,
}

impl<'a> RequestBuilder<'a> {
    #[inline]
    pub(crate) fn request(&self) -> &Request {
        self.sender.request()
    }

    #[inline]
    pub(crate) fn request_mut(&mut self) -> &mut Request {
        self.sender.request_mut()
    }

    /// Returns the number of environments in the request.
    #[inline]
    pub fn lanes(&self) -> usize {
        self.request().lanes.len()
    }

    /// Returns the ids of the environments, in the order of the rows.
    pub fn env_ids(&self) -> impl Iterator<Item = usize> + '_ {
        self.request().lanes.iter()
    }

    /// Returns whether the request was made for all environments of the pool, whose rows are in the order of the ids.
    #[inline]
    pub fn has_all_lanes(&self) -> bool {
        matches!(self.request().lanes, LaneList::All(_))
    }

    /// Returns for each environment whether a step of it only resets it, because no episode runs.
    pub fn only_resets(&mut self) -> &[bool] {
        let table = &self.pool.core.table;
        let mut only_resets = std::mem::take(&mut self.request_mut().only_resets);
        only_resets.clear();
        let (request, guard) = self.sender.claim();
        only_resets.extend((0..request.lanes.len()).map(|item| table.phase.get(guard.id(item)) != Phase::Running));
        self.request_mut().only_resets = only_resets;
        &self.request().only_resets
    }

    /// Returns the action arrays, one per [`Pool::action_keys`] entry. Fill each with one row per environment (and player).
    #[inline]
    pub fn actions(&mut self) -> &mut [ActionColumn] {
        &mut self.request_mut().actions
    }

    /// Fills one action array of the request with values.
    ///
    /// # Errors
    /// `Value` if a value is outside the action space or the number of values is wrong.
    #[inline]
    pub fn set_action<T: ActionScalar>(&mut self, key: usize, values: &[T]) -> Result<()> {
        let _standard = FloatModeGuard::enter();
        let spec = &self.pool.core.keys[key];
        let expected = self.request().lanes.len() * spec.values_per_row();
        if values.len() != expected {
            return Err(Error::value(&spec.name, format_args!("[{} values]", values.len()), format_args!("{expected} values")));
        }
        self.actions()[key].fill(spec, values)
    }

    /// Fills an action array that is encoded as raw elements. The elements are not validated.
    ///
    /// # Errors
    /// `Value` if the number of bytes is wrong; `Type` if the array has another encoding.
    pub fn set_raw_action(&mut self, key: usize, elements: &[u8]) -> Result<()> {
        let spec = &self.pool.core.keys[key];
        let expected = self.request().lanes.len() * spec.values_per_row();
        if elements.len() != expected {
            let got = format_args!("[{} bytes]", elements.len());
            return Err(Error::value(&spec.name, got, format_args!("{expected} bytes")));
        }
        let is_raw = matches!(spec.encoding, ActionEncoding::Raw(_));
        match &mut self.actions()[key] {
            ActionColumn::Raw(bytes) => {
                bytes.clear();
                bytes.extend_from_slice(elements);
                Ok(())
            }
            other if is_raw => {
                *other = ActionColumn::Raw(elements.to_vec());
                Ok(())
            }
            _ => Err(Error::Type(format!("{} is not encoded as raw elements", spec.name))),
        }
    }

    /// Fills an action array that is encoded as messages, with one message per environment. An array that is encoded as raw
    /// elements takes messages as well, for this request only.
    ///
    /// # Errors
    /// `Value` if the number of messages is wrong; `Type` if the array has another encoding.
    pub fn set_action_messages<'b>(&mut self, key: usize, messages: impl IntoIterator<Item = &'b [u8]>) -> Result<()> {
        let (spec, lanes) = (&self.pool.core.keys[key], self.lanes());
        if let column @ ActionColumn::Raw(_) = &mut self.actions()[key] {
            *column = ActionColumn::Payloads { bytes: Vec::new(), ends: Vec::new() };
        }
        let ActionColumn::Payloads { bytes, ends } = &mut self.actions()[key] else {
            return Err(Error::Type(format!("{} is not encoded as messages", spec.name)));
        };
        bytes.clear();
        ends.clear();
        for message in messages {
            bytes.extend_from_slice(message);
            ends.push(bytes.len());
        }
        if ends.len() == lanes {
            return Ok(());
        }
        let got = ends.len();
        self.actions()[key].clear();
        Err(Error::value(&spec.name, format_args!("[{got} messages]"), format_args!("{lanes} messages")))
    }

    fn check_filled(&self) -> Result<()> {
        if self.request().kind != RequestKind::Step {
            return Ok(());
        }
        let lanes = self.request().lanes.len();
        let filled = |(key, column): (&ActionKey, &ActionColumn)| match column {
            ActionColumn::Payloads { ends, .. } => ends.len() == lanes,
            _ => column.len() == lanes * key.values_per_row(),
        };
        match self.pool.core.keys.iter().zip(&self.request().actions).all(filled) {
            true => Ok(()),
            false => Err(Error::State("a step needs all its action arrays filled".into())),
        }
    }

    /// Queues the request and returns at once. A sync pool writes its results into `batch`; an async pool has its own memory.
    ///
    /// # Errors
    /// `State` if an action array was not filled or `batch` belongs to another pool; any error of the backend.
    pub fn send(mut self, batch: Option<Box<Batch>>) -> Result<()> {
        self.check_filled()?;
        let pool = self.pool;
        pool.check_batch(batch.as_deref())?;
        pool.check_room(batch.as_deref(), self.lanes())?;
        self.record_causes();
        pool.executor.send(&mut self.sender, batch)
    }

    /// Records which rows of the request result from resets or repeat an observation, for normalisation and for
    /// [`Pool::next_step`].
    #[inline]
    fn record_causes(&mut self) {
        if let Some(causes) = &self.pool.core.row_causes {
            causes.record(self.request());
        }
        if self.pool.core.keeps_only_resets.load(Ordering::Relaxed) && self.request().only_resets.is_empty() {
            self.only_resets();
        }
    }

    /// Sends the request to a backend pool and returns at once; [`Pool::collect_lanes`] takes the replies.
    ///
    /// # Errors
    /// `State` if an action array was not filled, or if no backend runs the lanes; the backend's error, if it refuses the
    /// request.
    pub fn submit(mut self) -> Result<()> {
        self.check_filled()?;
        let pool = self.pool;
        pool.check_usable()?; // code that filled in the actions may have forked
        pool.backend()?.submit(&mut self.sender)
    }

    /// Executes the request and receives results. A sync pool returns the request's own results, in the memory of `batch`. An
    /// async pool returns the results that finish first, and takes `batch` as memory for later results.
    ///
    /// # Errors
    /// `State` if an action array was not filled, or in a sync pool if results of an earlier `send` have not been received;
    /// otherwise the errors of [`Pool::recv`] (`State`, `Failed`, `Interrupted`).
    #[inline]
    pub fn run(self, batch: &mut Option<Box<Batch>>, interrupt: Interrupt<'_>) -> Result<Box<Batch>> {
        self.run_until(batch, interrupt, None)
    }

    /// Executes the request as [`RequestBuilder::run`] does, and waits until the deadline at most.
    ///
    /// # Errors
    /// `Timeout` at the deadline; no result is lost then, and [`Pool::recv`] continues to wait. Otherwise the errors of
    /// [`RequestBuilder::run`] (`State`, `Failed`, `Interrupted`).
    #[inline]
    pub fn run_until(
        self,
        batch: &mut Option<Box<Batch>>,
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<Box<Batch>> {
        let pool = self.pool;
        self.run_unless(batch, &mut InterruptPoller::with_deadline(interrupt, deadline)).map_err(|error| pool.explain(error))
    }

    #[inline(always)]
    fn run_unless(mut self, batch: &mut Option<Box<Batch>>, interrupts: &mut InterruptPoller<'_>) -> Result<Box<Batch>> {
        let _standard = FloatModeGuard::enter();
        self.check_filled()?;
        let pool = self.pool;
        pool.check_batch(batch.as_deref())?;
        pool.check_room(batch.as_deref(), self.lanes())?;
        let mut receiver = pool.receiver.try_lock().ok_or_else(|| pool.busy_error())?;
        if pool.is_async() {
            pool.core.ledger.check_enough_in_flight(self.lanes(), pool.core.config.batch_size)?;
            self.send(None)?; // releases the sender, so that another thread may send while this one waits
            return pool.recv_next(&mut receiver, batch, interrupts);
        }
        pool.core.ledger.check_none_in_flight()?;
        self.record_causes();
        let received = match &pool.executor {
            Executor::Sync(executor) => executor.run(&mut self.sender, &mut receiver, batch, interrupts),
            Executor::Backend(executor) => executor.run(&mut self.sender, &mut receiver, batch, interrupts),
            Executor::Async(_) => return Err(Error::State("an asynchronous executor has a synchronous pool".into())),
        };
        received.map(|batch| receiver.finish(&pool.core, batch))
    }
}
