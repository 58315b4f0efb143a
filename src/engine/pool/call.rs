//! A step or reset on its way from the caller into the pool.

use std::time::Instant;

use crate::contract::actions::{ActionKey, ActionScalar, Carried};
use crate::contract::error::{Error, Result};
use crate::contract::row::ActionColumn;
use crate::play::kind::Kind;
use crate::pool::executor::Executor;
use crate::pool::pool::Pool;
use crate::pool::request::Request;
use crate::pool::sender::Sender;
use crate::results::batch::Batch;
use crate::threads::exclusive::Turn;
use crate::threads::float_mode::StandardFloats;
use crate::threads::interrupts::{Interrupt, Interrupts};

/// A step or reset that is being prepared: fill in the actions, then [`Call::run`] or [`Call::send`] it.
pub struct Call<'a> {
    pub(crate) pool: &'a Pool,
    /// The sender's turn. The sender has the request.
    pub(crate) sender: Turn<'a, Sender>,
}

impl<'a> Call<'a> {
    #[inline]
    pub(crate) fn request(&self) -> &Request {
        self.sender.request()
    }

    #[inline]
    pub(crate) fn request_mut(&mut self) -> &mut Request {
        self.sender.request_mut()
    }

    /// Environments that it is for.
    #[inline]
    pub fn lanes(&self) -> usize {
        self.request().lanes.len()
    }

    /// Ids of the environments, in the order of the rows.
    pub fn env_ids(&self) -> impl Iterator<Item = usize> + '_ {
        self.request().lanes.iter()
    }

    /// The action arrays, one for each of [`Pool::action_keys`], to be filled with a row for each environment (and player).
    #[inline]
    pub fn actions(&mut self) -> &mut [ActionColumn] {
        &mut self.request_mut().actions
    }

    /// Fills one action array.
    ///
    /// # Errors
    /// `Value` where a value does not lie in the action space or their number is wrong.
    #[inline]
    pub fn set_action<T: ActionScalar>(&mut self, key: usize, values: &[T]) -> Result<()> {
        let _standard = StandardFloats::enter();
        let spec = &self.pool.core.keys[key];
        let expected = self.request().lanes.len() * spec.width();
        if values.len() != expected {
            return Err(Error::value(&spec.name, format_args!("[{} values]", values.len()), format_args!("{expected} values")));
        }
        self.actions()[key].fill(spec, values)
    }

    /// Fills an action array that is carried as raw elements, checked already.
    ///
    /// # Errors
    /// `Value` where their number is wrong, `Type` where the array is carried otherwise.
    pub fn set_raw_action(&mut self, key: usize, elements: &[u8]) -> Result<()> {
        let spec = &self.pool.core.keys[key];
        let expected = self.request().lanes.len() * spec.width();
        if elements.len() != expected {
            let got = format_args!("[{} bytes]", elements.len());
            return Err(Error::value(&spec.name, got, format_args!("{expected} bytes")));
        }
        let is_raw = matches!(spec.carried, Carried::Raw(_));
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
            _ => Err(Error::Type(format!("{} is not carried as raw elements", spec.name))),
        }
    }

    /// Fills an action array that is carried as messages, one for each environment; or one that is carried as raw elements, with
    /// messages in their place this time.
    ///
    /// # Errors
    /// `Value` where their number is wrong, `Type` where the array is carried otherwise.
    pub fn set_action_messages<'b>(&mut self, key: usize, messages: impl IntoIterator<Item = &'b [u8]>) -> Result<()> {
        let (spec, lanes) = (&self.pool.core.keys[key], self.lanes());
        if let column @ ActionColumn::Raw(_) = &mut self.actions()[key] {
            *column = ActionColumn::Messages { bytes: Vec::new(), ends: Vec::new() };
        }
        let ActionColumn::Messages { bytes, ends } = &mut self.actions()[key] else {
            return Err(Error::Type(format!("{} is not carried as messages", spec.name)));
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
        if self.request().kind != Kind::Step {
            return Ok(());
        }
        let lanes = self.request().lanes.len();
        let filled = |(key, column): (&ActionKey, &ActionColumn)| match column {
            ActionColumn::Messages { ends, .. } => ends.len() == lanes,
            _ => column.len() == lanes * key.width(),
        };
        match self.pool.core.keys.iter().zip(&self.request().actions).all(filled) {
            true => Ok(()),
            false => Err(Error::State("a step needs all its action arrays filled".into())),
        }
    }

    /// Queues it and returns at once. A sync pool needs `batch`, the memory for its results; an async pool has its own.
    ///
    /// # Errors
    /// `State` where an action array was not filled, and where `batch` is another pool's; whatever those say who play environments
    /// outside of the engine.
    pub fn send(mut self, batch: Option<Box<Batch>>) -> Result<()> {
        self.check_filled()?;
        let pool = self.pool;
        pool.check_own(batch.as_deref())?;
        pool.executor.send(&mut self.sender, batch)
    }

    /// Sends it to a backend pool, and returns at once; [`Pool::collect_lanes`] takes the replies.
    ///
    /// # Errors
    /// `State` if an action array was not filled, or for a pool of another kind; those of [`Outside::begin`](crate::Outside::begin).
    pub fn submit(mut self) -> Result<()> {
        self.check_filled()?;
        let pool = self.pool;
        pool.check_usable()?; // code that filled the actions may have forked
        pool.backend()?.submit(&mut self.sender)
    }

    /// Plays it and receives results: its own in a sync pool (in the memory of `batch`), the first to finish in an async one
    /// (which takes `batch` as memory for later results).
    ///
    /// # Errors
    /// As [`Pool::recv`]; `State` in a sync pool where results of an earlier `send` are waiting.
    #[inline]
    pub fn run(self, batch: &mut Option<Box<Batch>>, interrupt: Interrupt<'_>) -> Result<Box<Batch>> {
        self.run_until(batch, interrupt, None)
    }

    /// The same, waiting no longer than until the deadline.
    ///
    /// # Errors
    /// As [`Call::run`], and `Late`: nothing is lost then, and [`Pool::recv`] goes on waiting.
    #[inline]
    pub fn run_until(
        self,
        batch: &mut Option<Box<Batch>>,
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<Box<Batch>> {
        let pool = self.pool;
        self.run_unless(batch, &mut Interrupts::until(interrupt, deadline)).map_err(|error| pool.explain(error))
    }

    #[inline(always)]
    fn run_unless(mut self, batch: &mut Option<Box<Batch>>, interrupts: &mut Interrupts<'_>) -> Result<Box<Batch>> {
        let _standard = StandardFloats::enter();
        self.check_filled()?;
        let pool = self.pool;
        pool.check_own(batch.as_deref())?;
        let mut receiver = pool.receiver.try_enter().ok_or_else(|| pool.refusal())?;
        match &pool.executor {
            Executor::Sync(executor) => executor.run(&mut self.sender, &mut receiver, batch, interrupts),
            Executor::Backend(executor) if !pool.is_async() => executor.run(&mut self.sender, &mut receiver, batch, interrupts),
            _ => {
                pool.core.ledger.check_enough_in_flight(self.lanes(), pool.core.config.batch_size)?;
                self.send(None)?; // which ends the sender's turn: another thread may send while this one waits
                pool.recv_next(&mut receiver, batch, interrupts)
            }
        }
    }
}
