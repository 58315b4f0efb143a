//! Options of later episodes, and queues of resets, of the environments of a pool.

use std::sync::Arc;

use crate::backend::reset_queue::QueueCall;
use crate::contract::error::{Error, Result};
use crate::contract::lane_error::{LaneError, Payload};
use crate::contract::options::{OptionSpec, Options, ResetOptions};
use crate::contract::value::Value;
use crate::exec::batch_env::BatchEnv;
use crate::exec::lane_options::OptionChange;
use crate::exec::lane_table::Phase;
use crate::exec::per_lane::LanesGuard;
use crate::pool::pool::Pool;
use crate::pool::request_builder::RequestBuilder;

impl Pool {
    /// Returns the declarations of the options of an environment's task; empty if the environment does not exist, or belongs to a
    /// pool of another process.
    pub fn option_specs(&self, id: i64) -> &[OptionSpec] {
        usize::try_from(id).map_or(&[], |lane| self.core.tasks.options_of(lane))
    }

    /// Returns whether the task of an environment has a reset option of this name.
    pub fn has_reset_option(&self, id: i64, name: &str) -> bool {
        usize::try_from(id).is_ok_and(|lane| self.core.tasks.has_reset_option(lane, name))
    }

    /// Returns whether the task of an environment has a reset option of this name that is one number.
    pub fn has_reset_number(&self, id: i64, name: &str) -> bool {
        usize::try_from(id).is_ok_and(|lane| self.core.tasks.has_reset_number(lane, name))
    }

    /// Checks values of the tasks' options in the reset that `call` builds, of the items for which `is_reset` is true.
    ///
    /// # Errors
    /// `Value` or `Type` for values that an environment refuses, or that change its spaces, and for options that cannot change.
    pub(crate) fn check_reset_values(
        call: &mut RequestBuilder<'_>,
        options: &ResetOptions,
        is_reset: impl Fn(usize) -> bool,
    ) -> Result<()> {
        let [(name, value), ..] = options.values() else { return Ok(()) };
        let (request, mut guard, env) = call.sender.claim_env();
        let env = env.ok_or_else(|| Error::value(name, value, "no change: processes run these environments; make a new pool"))?;
        let (mut previous, values): (Option<OptionChange>, Arc<[_]>) = (None, options.values().into());
        for item in (0..request.lanes.len()).filter(|item| is_reset(*item)) {
            let lane = guard.lane(item);
            previous = Some(env.lane_options(lane.number()).change_options(lane, &values, previous.as_ref())?);
        }
        Ok(())
    }

    /// Sets options of the environments `ids` (`None`: all), in force when their next episodes begin. `values` has the options of
    /// each environment, or one entry for all. Options that are not given keep their values.
    ///
    /// # Errors
    /// `Value` or `Type` for values that an environment refuses, or that change its spaces, and for options that cannot change: no
    /// environment is changed then. `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight; `State`
    /// if the environments' options are fixed.
    pub fn set_options(&self, ids: Option<&[i64]>, values: &[Arc<[(String, Value)]>]) -> Result<()> {
        if self.has_process_queues() {
            let Some((name, value)) = values.iter().flat_map(|values| &**values).next() else { return Ok(()) };
            return Err(Error::value(name, value, "no change: processes run these environments; make a new pool"));
        }
        self.with_lanes(ids, |env, guard, lanes| {
            if values.len() != 1 && values.len() != lanes.len() {
                let got = format_args!("[{} values]", values.len()).to_string();
                return Err(Error::value(
                    "options",
                    got,
                    format_args!("one, or one for each of the {} environments", lanes.len()),
                ));
            }
            let mut changes: Vec<OptionChange> = Vec::with_capacity(lanes.len());
            for item in 0..lanes.len() {
                let values = if values.len() == 1 { &values[0] } else { &values[item] };
                changes.push(env.lane_options(lanes[item]).change_options(guard.lane(item), values, changes.last())?);
            }
            for (item, change) in changes.iter().enumerate() {
                env.lane_options(lanes[item]).set_options(guard.lane(item), change);
            }
            Ok(())
        })
    }

    /// Returns the options in force in the environments `ids` (`None`: all): those of the current episode or, before the first
    /// reset, of the next one.
    ///
    /// # Errors
    /// `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight; `State` if the environments' options
    /// are fixed.
    pub fn options(&self, ids: Option<&[i64]>) -> Result<Vec<Options>> {
        if self.has_process_queues() {
            return Ok(vec![Options::default(); self.prepare(ids)?.lanes()]); // no option can change
        }
        self.with_lanes(ids, |env, guard, lanes| {
            let options = |item: usize| {
                let is_started = self.core.table.phase.get(guard.id(item)) != Phase::Fresh;
                env.lane_options(lanes[item]).options(guard.lane(item), is_started)
            };
            Ok((0..lanes.len()).map(options).collect())
        })
    }

    /// Appends resets to the queues of the environments `ids`, which may be repeated: reset `k` to that of `ids[k]`. Each episode
    /// that starts without a seed or options of its own, by autoreset or by a reset, takes the first entry of its environment's
    /// queue.
    ///
    /// # Errors
    /// `Value` or `Type` for options that an environment refuses, and for a wrong number of resets: no queue is changed then. `Index`
    /// or `InFlight` for ids that are out of range or in flight; `State` if the environments have no queue.
    pub fn queue_resets(&self, ids: &[i64], resets: Vec<ResetOptions>) -> Result<()> {
        if ids.len() != resets.len() {
            let got = format_args!("[{} values]", resets.len()).to_string();
            return Err(Error::value("resets", got, format_args!("one for each of the {} ids", ids.len())));
        }
        let mut distinct = ids.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        if self.has_process_queues() {
            let named =
                resets.iter().find_map(|reset| reset.names().chain(reset.values().iter().map(|(name, _)| &**name)).next());
            if let Some(name) = named {
                return Err(Error::Value(format!("{name}: expected seeds alone, because processes run these environments")));
            }
            let seeds =
                |id: &i64| ids.iter().zip(&resets).filter(|(other, _)| *other == id).map(|(_, reset)| reset.seed()).collect();
            let calls = distinct.iter().map(|id| QueueCall::Append(seeds(id)).payload()).collect::<Result<Vec<_>>>()?;
            return self.call_queues(Some(&distinct), &calls).map(|_| ());
        }
        self.with_lanes(Some(&distinct), |env, guard, lanes| {
            let item_of = |id: &i64| distinct.binary_search(id).expect("one of the ids");
            let mut previous: Option<OptionChange> = None;
            for (id, reset) in ids.iter().zip(&resets) {
                let item = item_of(id);
                reset.check_names(env.reset_options(), self.option_specs(*id), 1)?;
                env.check_reset(reset, &[lanes[item]])?;
                let values = reset.values().into();
                let table = env.lane_options(lanes[item]);
                previous = Some(table.change_options(guard.lane(item), &values, previous.as_ref())?);
            }
            for (id, reset) in ids.iter().zip(resets) {
                let item = item_of(id);
                env.lane_options(lanes[item]).queue_reset(guard.lane(item), reset);
            }
            Ok(())
        })
    }

    /// Returns the number of queued resets of the environments `ids` (`None`: all).
    ///
    /// # Errors
    /// `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight.
    pub fn queued_resets(&self, ids: Option<&[i64]>) -> Result<Vec<usize>> {
        if self.has_process_queues() {
            return self.call_queues(ids, &[QueueCall::Count.payload()?]);
        }
        self.with_lanes(ids, |env, guard, lanes| {
            let count = |(item, lane): (usize, &usize)| env.lane_options(*lane).queued_resets(guard.lane(item));
            Ok(lanes.iter().enumerate().map(count).collect())
        })
    }

    /// Removes all queued resets of the environments `ids` (`None`: all).
    ///
    /// # Errors
    /// `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight.
    pub fn clear_resets(&self, ids: Option<&[i64]>) -> Result<()> {
        if self.has_process_queues() {
            return self.call_queues(ids, &[QueueCall::Clear.payload()?]).map(|_| ());
        }
        self.with_lanes(ids, |env, guard, lanes| {
            lanes.iter().enumerate().for_each(|(item, lane)| env.lane_options(*lane).clear_queue(guard.lane(item)));
            Ok(())
        })
    }

    /// Returns whether the environments run in processes of their own, which have queues of seeds and fixed options.
    fn has_process_queues(&self) -> bool {
        self.executor.backend().is_some_and(|backend| !backend.takes_options)
    }

    /// Calls the queues of environments that run in processes, with one call for all or one for each, and returns the numbers of
    /// their resets.
    fn call_queues(&self, ids: Option<&[i64]>, calls: &[Payload]) -> Result<Vec<usize>> {
        let length = |reply: Result<Payload, LaneError>| {
            let reply = reply.map_err(|fault| Error::State(fault.to_string()))?;
            Ok(reply.bytes().try_into().map_or(0, |bytes| u64::from_le_bytes(bytes) as usize))
        };
        self.call_lanes(ids, calls, &mut || false, None)?.into_iter().map(length).collect()
    }

    /// Calls `act` with the environments and with access to the lanes `ids`, none of which is in flight.
    fn with_lanes<T>(
        &self,
        ids: Option<&[i64]>,
        act: impl FnOnce(&dyn BatchEnv, &mut LanesGuard<'_>, &[usize]) -> Result<T>,
    ) -> Result<T> {
        let mut call = self.prepare(ids)?;
        let (request, mut guard, env) = call.sender.claim_env();
        let env = env.ok_or_else(|| {
            Error::State("the options of these environments are fixed here: a backend runs them in other processes".into())
        })?;
        act(env, &mut guard, &request.lanes.iter().collect::<Vec<_>>())
    }
}
