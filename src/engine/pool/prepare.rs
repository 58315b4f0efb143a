//! Checks the arguments of steps and resets, and builds a [`RequestBuilder`] from them.

use crate::contract::error::{Error, Result};
use crate::contract::options::ResetOptions;
use crate::exec::batch_env::BatchEnv;
use crate::exec::lane_table::Phase;
use crate::exec::per_lane::LaneId;
use crate::exec::request_kind::RequestKind;
use crate::pool::executor::Executor;
use crate::pool::pool::Pool;
use crate::pool::request::Request;
use crate::pool::request_builder::RequestBuilder;
use crate::results::batch::Batch;

impl Pool {
    /// Prepares a step of the environments `ids`, in this order; `None` selects all.
    ///
    /// # Errors
    /// `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight; `State` if the pool or an environment
    /// cannot be stepped.
    #[inline]
    pub fn step(&self, ids: Option<&[i64]>) -> Result<RequestBuilder<'_>> {
        let mut call = self.prepare(ids)?;
        call.request_mut().kind = RequestKind::Step;
        self.check_steppable(&mut call)?;
        Ok(call)
    }

    /// Prepares a reset of the environments `ids`, in this order; `None` selects all. `seeds` is empty or has one entry per
    /// environment; an environment whose entry is `None` continues its random stream.
    ///
    /// # Errors
    /// `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight; `Value` for a wrong number of seeds
    /// and for reset options that the environment rejects; `State` if another thread is sending.
    pub fn reset(&self, ids: Option<&[i64]>, seeds: Vec<Option<u64>>, options: ResetOptions) -> Result<RequestBuilder<'_>> {
        let mut call = self.prepare(ids)?;
        let lanes = call.lanes();
        self.check_reset_options(call.sender.env(), &options, lanes, || call.env_ids().enumerate().collect())?;
        if !seeds.is_empty() && seeds.len() != lanes {
            let got = format!("[{} values]", seeds.len());
            return Err(Error::value("seed", got, format_args!("one for each of the {lanes} environments")));
        }
        Self::check_reset_values(&mut call, &options, |_| true)?;
        let only = None;
        call.request_mut().kind = RequestKind::Reset { seeds, options, mask: only };
        Ok(call)
    }

    /// Prepares a reset of the environments that `only` marks, and a row for every environment. Rows of the environments that are
    /// not reset repeat their last observation.
    ///
    /// # Errors
    /// `Value` for a wrong number of seeds or marks, and for reset options that the environment rejects; `InFlight` if an
    /// environment is in flight; `State` if an environment that `only` does not mark has never been reset or has failed.
    pub fn reset_masked(&self, only: Vec<bool>, seeds: Vec<Option<u64>>, options: ResetOptions) -> Result<RequestBuilder<'_>> {
        let mut call = self.prepare(None)?;
        let targets = || only.iter().enumerate().filter(|(_, is_reset)| **is_reset).map(|(lane, _)| (lane, lane)).collect();
        self.check_reset_options(call.sender.env(), &options, call.lanes(), targets)?;
        if only.len() != call.lanes() {
            let got = format!("[{} values]", only.len());
            return Err(Error::value("only", got, format_args!("one for each of the {} environments", call.lanes())));
        }
        self.check_peekable(&mut call, |index| !only[index])?;
        Self::check_reset_values(&mut call, &options, |index| only[index])?;
        let only = Some(only);
        call.request_mut().kind = RequestKind::Reset { seeds, options, mask: only };
        Ok(call)
    }

    /// Prepares rows that repeat the last observation of the environments `ids`, without stepping them.
    ///
    /// # Errors
    /// `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight; `State` if an environment has never
    /// been reset or has failed.
    pub fn peek(&self, ids: Option<&[i64]>) -> Result<RequestBuilder<'_>> {
        let mut call = self.prepare(ids)?;
        self.check_peekable(&mut call, |_| true)?;
        let only = Some(vec![false; call.lanes()]);
        call.request_mut().kind = RequestKind::Reset { seeds: Vec::new(), options: ResetOptions::default(), mask: only };
        Ok(call)
    }

    /// Rejects lanes without an observation, because a peek could not return one. Checks only the items for which `is_shown` is
    /// true.
    fn check_peekable(&self, call: &mut RequestBuilder<'_>, is_shown: impl Fn(usize) -> bool) -> Result<()> {
        let (Request { lanes, .. }, guard) = call.sender.claim();
        let phase = |index: &usize| self.core.table.phase.get(guard.id(*index));
        let is_hidden = |index: &usize| is_shown(*index) && !matches!(phase(index), Phase::Running | Phase::Finished);
        let refused = |index| {
            let lane = lanes.get(index);
            Err(Error::State(format!("environment {lane} shows nothing yet: the reset has to include it")))
        };
        (0..lanes.len()).find(is_hidden).map_or(Ok(()), refused)
    }

    /// Checks the reset options of a request with `items` environments. `targets` returns the number of each item that is reset,
    /// with its lane.
    fn check_reset_options(
        &self,
        env: Option<&dyn BatchEnv>,
        options: &ResetOptions,
        items: usize,
        targets: impl FnOnce() -> Vec<(usize, usize)>,
    ) -> Result<()> {
        let takes_rows = match (env, self.executor.backend()) {
            (Some(env), _) => env.takes_reset_rows(),
            (None, backend) => backend.is_some_and(|backend| backend.takes_options),
        };
        if let Some(name) = options.name_of_rows().filter(|_| !takes_rows) {
            let expected = "one value for all environments: these environments do not accept different values";
            return Err(Error::value(name, "a list", expected));
        }
        let known = match (env, self.executor.backend()) {
            (Some(env), _) => env.reset_options(),
            // Names and values are checked by the environments.
            (None, Some(backend)) if backend.takes_options => return options.check_rows(items),
            (None, _) => &[],
        };
        if options.message().is_some() {
            return Err(Error::Type("reset options are numbers by name".into()));
        }
        options.check_names(known, self.option_specs(0), items)?;
        let Some(env) = env else { return Ok(()) };
        if options.is_empty() {
            return env.check_reset(options, &[]);
        }
        let targets = targets();
        match options.name_of_rows() {
            Some(_) => targets.iter().try_for_each(|(item, lane)| env.check_reset(&options.of_item(*item), &[*lane])),
            None => match targets.into_iter().map(|(_, lane)| lane).collect::<Vec<_>>() {
                lanes if lanes.is_empty() => Ok(()),
                lanes => env.check_reset(options, &lanes),
            },
        }
    }

    /// Rejects a batch whose columns differ from this pool's, or that has fewer rows than needed.
    #[inline]
    pub(crate) fn check_batch(&self, batch: Option<&Batch>) -> Result<()> {
        match batch.is_none_or(|batch| batch.fits(&self.core.layout, self.core.config.batch_size)) {
            true => Ok(()),
            false => Err(Error::State("the batch does not come from this pool".into())),
        }
    }

    /// Rejects a batch that has memory for fewer than `rows` rows. In an asynchronous pool, also rejects borrowed columns,
    /// because rows are in the order of completion.
    #[inline]
    pub(crate) fn check_room(&self, batch: Option<&Batch>, rows: usize) -> Result<()> {
        let Some(batch) = batch.filter(|batch| batch.is_borrowed()) else { return Ok(()) };
        if self.is_async() {
            return Err(Error::State("a batch with borrowed columns needs a synchronous pool".into()));
        }
        if batch.room() < rows {
            return Err(Error::State(format!("borrowed columns hold {} rows: expected {rows}", batch.room())));
        }
        Ok(())
    }

    /// Starts a request for the environments `ids` (`None`: all). Rejects environments that are in flight.
    #[inline]
    pub(crate) fn prepare(&self, ids: Option<&[i64]>) -> Result<RequestBuilder<'_>> {
        self.check_usable()?;
        let mut sender = self.sender.try_lock().ok_or_else(|| self.busy_error())?;
        sender.start(ids, &self.core.ledger)?;
        if let Executor::Backend(executor) = &self.executor {
            executor.check_free(&sender.request().lanes)?;
        }
        Ok(RequestBuilder { pool: self, sender })
    }

    /// Rejects environments that have failed or that the autoreset mode requires to be reset first.
    #[inline]
    fn check_steppable(&self, call: &mut RequestBuilder<'_>) -> Result<()> {
        if self.core.table.unready() == 0 {
            return Ok(());
        }
        let (Request { lanes, .. }, guard) = call.sender.claim();
        (0..lanes.len()).try_for_each(|index| self.check_lane_steppable(guard.id(index)))
    }

    fn check_lane_steppable(&self, lane: LaneId<'_>) -> Result<()> {
        let (phase, lane) = (self.core.table.phase.get(lane), lane.number());
        let why = match phase {
            phase if self.core.table.is_steppable(phase) => return Ok(()),
            Phase::Running => return Ok(()),
            Phase::Failed | Phase::Recreating => "has failed",
            Phase::Fresh => return Err(Error::NeverReset { lane, before: "the next step" }),
            Phase::Finished => "has finished its episode (autoreset is disabled)",
        };
        Err(Error::State(format!("environment {lane} {why}: reset it before the next step")))
    }
}
