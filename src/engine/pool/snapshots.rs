//! Saves the environments of a pool as snapshots, and restores them.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use crate::backend::lane_op::LaneOp;
use crate::contract::error::{Error, Result};
use crate::contract::lane_error::{BatchFailure, LaneError, Payload};
use crate::contract::memory::{check_headroom, collect_checked, copy_of};
use crate::contract::state::refused_state as refused;
use crate::exec::batch_env::BatchEnv;
use crate::exec::lane_table::{Episode, Phase, Seed};
use crate::exec::per_lane::{LaneId, LanesGuard};
use crate::exec::request_kind::LaneList;
use crate::exec::snapshot::{Snapshot, VERSION};
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::ledger::LaneState;
use crate::pool::pool::Pool;
use crate::pool::receiver::Receiver;
use crate::pool::request::Request;
use crate::threads::interrupt_poller::{Interrupt, InterruptPoller};
use crate::threads::try_lock::TryLockGuard;
use envpool_rs_numeric::random::Pcg64;

impl Pool {
    /// Calls the environments `ids` (`None`: all) of a backend pool with a payload, and returns the payloads that they reply.
    /// `payloads` has one payload per environment, or one for all.
    ///
    /// # Errors
    /// `Interrupted`, `Timeout`, or an error of the backend: late replies are then discarded. `Failed` if an environment failed;
    /// `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight; `State` for a pool without a backend;
    /// `Value` for a wrong number of payloads.
    pub fn call_lanes(
        &self,
        ids: Option<&[i64]>,
        payloads: &[Payload],
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<Vec<Result<Payload, LaneError>>> {
        let Some(backend) = self.executor.backend() else {
            return Err(Error::State(
                "calls need a backend, and these environments run in the engine: use step, reset or get_state".into(),
            ));
        };
        let call = self.prepare(ids)?;
        let _receiver = self.receiver.try_lock().ok_or_else(|| self.busy_error())?;
        if payloads.len() != 1 && payloads.len() != call.lanes() {
            let got = format_args!("[{} values]", payloads.len());
            return Err(Error::value("payloads", got, format_args!("one, or one for each of {}", call.lanes())));
        }
        let payload = |index: usize| LaneOp::Call(payloads.get(index).unwrap_or(&payloads[0]));
        backend.call(&call.request().lanes, payload, &mut InterruptPoller::with_deadline(interrupt, deadline))
    }

    /// Returns snapshots of the environments `ids`, each with its random stream and episode.
    ///
    /// # Errors
    /// `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight; `State` if an environment of a
    /// library cannot save its state; `Failed` if an environment of a backend cannot save its state; `Memory` if the system
    /// refuses the memory for the snapshots.
    pub fn get_state(&self, ids: Option<&[i64]>) -> Result<Vec<Vec<u8>>> {
        self.get_state_until(ids, &mut || false, None)
    }

    /// Returns snapshots as [`Pool::get_state`] does, with interrupt checks and a deadline while waiting for a backend.
    ///
    /// # Errors
    /// `Interrupted`, or `Timeout` at the deadline; otherwise the errors of [`Pool::get_state`] (`Index`, `Value`, `InFlight`,
    /// `State`, `Failed`, `Memory`).
    pub fn get_state_until(
        &self,
        ids: Option<&[i64]>,
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<Vec<Vec<u8>>> {
        let mut call = self.prepare(ids)?;
        let receiver = self.acquire_receiver_of_states()?;
        let (Request { lanes, .. }, mut guard, env) = call.sender.claim_env();
        let is_failed = |index: &usize| self.core.table.phase.get(guard.id(*index)) == Phase::Failed;
        if let Some(lane) = (0..lanes.len()).find(is_failed).map(|index| lanes.get(index)) {
            return Err(Error::State(format!("environment {lane} has failed: reset it before taking its state")));
        }
        let items: Vec<_> = (0..lanes.len()).collect();
        let mut snapshots =
            self.save(env, &mut guard, (lanes, &items), &mut InterruptPoller::with_deadline(interrupt, deadline))?;
        Self::add_normalization(receiver.as_deref(), &mut snapshots, lanes.iter(), ids.is_none());
        let count = snapshots.len();
        collect_checked(count, "states", snapshots.into_iter().map(|snapshot| snapshot.encode())) // frees each state after its copy
    }

    /// Returns copies of the bit generators of the environments `ids` (`None`: all). An entry is `None` if the environment's bit
    /// generator is not numpy's `PCG64`.
    ///
    /// # Errors
    /// `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight; `State` if a backend runs the
    /// environments.
    pub fn bit_generators(&self, ids: Option<&[i64]>) -> Result<Vec<Option<Pcg64>>> {
        let no_access = || Error::State("these environments run in a backend: their bit generators are not accessible".into());
        if self.executor.backend().is_some() {
            return Err(no_access());
        }
        let mut call = self.prepare(ids)?;
        let (Request { lanes, .. }, mut guard, env) = call.sender.claim_env();
        let env = env.ok_or_else(no_access)?;
        Ok((0..lanes.len()).map(|index| env.pcg64(guard.lane(index))).collect())
    }

    /// Acquires the receiver of pools whose states involve it; returns `None` for other pools. States of a backend arrive as
    /// replies, which only the receiver's holder may take, and the receiver owns the statistics of normalisation.
    fn acquire_receiver_of_states(&self) -> Result<Option<TryLockGuard<'_, Receiver>>> {
        match self.has_backend() || self.core.row_causes.is_some() {
            true => self.receiver.try_lock().map(Some).ok_or_else(|| self.busy_error()),
            false => Ok(None),
        }
    }

    /// Returns the snapshots of the lanes of some items. `guard` grants access to the lanes `lanes`.
    fn save(
        &self,
        env: Option<&dyn BatchEnv>,
        guard: &mut LanesGuard<'_>,
        (lanes, items): (&LaneList, &[usize]),
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Vec<Snapshot<'_>>> {
        let chosen = lanes_of(lanes, items);
        let states = match env {
            Some(env) => save_lanes(env, guard, items)?,
            None => {
                let backend = self.backend()?;
                let answers = backend.call(&chosen, |_| LaneOp::Save, interrupts)?;
                let state = |(answer, lane): (Result<Payload, LaneError>, usize)| match answer {
                    Ok(state) => Ok(state.0.into_vec()),
                    Err(fault) => Err(batch_failure(lane, fault)),
                };
                collect_checked(items.len(), "states", answers.into_iter().zip(chosen.iter()).map(state))?
            }
        };
        if self.has_whole_snapshots() {
            let decode = |(state, lane): (Vec<u8>, usize)| {
                let task = self.core.tasks.task_of(lane);
                Snapshot::decode(&state, task)?.copied(task)
            };
            return collect_checked(items.len(), "states", states.into_iter().zip(chosen.iter()).map(decode));
        }
        let snapshots = states.into_iter().zip(items).map(|(state, item)| Ok(self.snapshot(guard.id(*item), state)));
        collect_checked(items.len(), "states", snapshots)
    }

    /// Returns whether the backend runs the lanes in nested pools, so that the state of a lane is a complete snapshot.
    fn has_whole_snapshots(&self) -> bool {
        self.executor.backend().is_some_and(|backend| backend.passes_snapshots)
    }

    fn snapshot(&self, lane: LaneId<'_>, state: Vec<u8>) -> Snapshot<'_> {
        let table = &self.core.table;
        let (seed, episode) = (table.seed.get(lane), table.episode.as_ref().map(|episodes| episodes.get(lane)));
        Snapshot {
            task: self.core.tasks.task_of(lane.number()),
            version: VERSION,
            phase: table.phase.get(lane) as u8,
            elapsed: table.elapsed.get(lane),
            seed: (seed.number, seed.is_pending),
            episode: episode.map_or((0, 0, 0), |Episode { episode_return: total, length, start }| {
                (total.to_bits(), length, start.elapsed().as_secs_f64().to_bits())
            }),
            state: Cow::Owned(state),
            normalization: None,
        }
    }

    /// Restores the environments `ids` from these states, and discards their current episodes.
    ///
    /// # Errors
    /// `Value` if a state is damaged or of another task, options or version, or if the number of states is wrong; in these cases
    /// no environment is changed. `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight; `Failed`
    /// if an environment of a backend rejects its state; `Memory` if the system refuses memory for the states.
    pub fn set_state(&self, states: &[impl AsRef<[u8]>], ids: Option<&[i64]>) -> Result<()> {
        self.set_state_until(states, ids, &mut || false, None)
    }

    /// Restores environments as [`Pool::set_state`] does, with interrupt checks and a deadline while waiting for a backend.
    ///
    /// # Errors
    /// The errors of [`Pool::set_state`] (`Index`, `Value`, `InFlight`, `Failed`). After `Interrupted`, or `Timeout` at the
    /// deadline: call again. Until that call succeeds, each environment is in its old or its new state. Environments whose load
    /// could not be cancelled must be reset.
    pub fn set_state_until(
        &self,
        states: &[impl AsRef<[u8]>],
        ids: Option<&[i64]>,
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<()> {
        let mut call = self.prepare(ids)?;
        let mut receiver = self.acquire_receiver_of_states()?;
        let (Request { lanes, .. }, mut guard, env) = call.sender.claim_env();
        let guard = &mut guard;
        if states.len() != lanes.len() {
            let got = format!("[{} states]", states.len());
            return Err(Error::value("state", got, format_args!("one for each of the {} environments", lanes.len())));
        }
        let pairs = states.iter().zip(lanes.iter());
        let decoded = pairs.map(|(bytes, lane)| Snapshot::decode(bytes.as_ref(), self.core.tasks.task_of(lane)));
        let decoded = collect_checked(states.len(), "states", decoded)?;
        decoded.iter().try_for_each(|snapshot| phase_of(snapshot).map(|_| ()))?;
        if ids.is_none() {
            Self::check_normalization(receiver.as_deref(), &decoded)?;
        }
        let all: Vec<_> = (0..lanes.len()).collect();
        let is_well: Vec<_> = all.iter().map(|item| self.core.table.phase.get(guard.id(*item)) != Phase::Failed).collect();
        let well: Vec<_> = all.iter().copied().filter(|item| is_well[*item]).collect();
        let interrupts = &mut InterruptPoller::with_deadline(interrupt, deadline);
        let before = self.save(env, guard, (lanes, &well), interrupts)?;
        // Lanes load one after the other, and each releases the state that it had: memory for one state is enough.
        // Backends check their own memory.
        if let Some(env) = env {
            let largest = before.iter().chain(&decoded).map(|snapshot| snapshot.state.len()).max().unwrap_or(0);
            check_headroom(env.loaded_bytes(largest), || format!("loading a state of {largest} bytes"))?;
        }
        let restored = self.load(env, guard, (lanes, &all), &decoded.iter().collect::<Vec<_>>(), interrupts)?;
        let Some(refused) = restored.iter().find_map(|restored| restored.clone().err()) else {
            return Self::restore_normalization(receiver.as_deref_mut(), &decoded, lanes.iter(), ids.is_none());
        };
        let (back, snapshots): (Vec<_>, Vec<_>) =
            well.iter().copied().zip(&before).filter(|(item, _)| restored[*item].is_ok()).unzip();
        for item in all.iter().filter(|item| restored[**item].is_ok() && !is_well[**item]) {
            self.core.table.set_phase(guard.id(*item), Phase::Failed);
        }
        let rolled_back = match self.load(env, guard, (lanes, &back), &snapshots, interrupts) {
            Err(error @ Error::Memory(_)) => back.iter().map(|_| Err(error.clone())).collect(),
            rolled_back => rolled_back?,
        };
        for (item, _) in back.iter().zip(rolled_back).filter(|(_, back)| back.is_err()) {
            // The state of an environment whose old state could not be restored is unknown: it may be neither the old nor the
            // requested state.
            self.core.table.set_phase(guard.id(*item), Phase::Failed);
        }
        Err(refused)
    }

    /// Loads snapshots into the lanes of some items. A lane that rejects its snapshot is unchanged. `guard` grants access to the
    /// lanes `lanes`.
    fn load(
        &self,
        env: Option<&dyn BatchEnv>,
        guard: &mut LanesGuard<'_>,
        (lanes, items): (&LaneList, &[usize]),
        snapshots: &[&Snapshot<'_>],
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Vec<Result<()>>> {
        let loaded = match env {
            Some(env) => load_lanes(env, guard, items, snapshots),
            None => self.load_by_backend(self.backend()?, guard, (lanes, items, snapshots), interrupts)?,
        };
        for ((snapshot, item), _) in snapshots.iter().zip(items).zip(&loaded).filter(|(_, loaded)| loaded.is_ok()) {
            self.restore_episode(guard.id(*item), snapshot)?;
        }
        Ok(loaded)
    }

    /// Sends snapshots to the backend, which loads them into its lanes.
    fn load_by_backend(
        &self,
        backend: &BackendExecutor,
        guard: &mut LanesGuard<'_>,
        (lanes, items, snapshots): (&LaneList, &[usize], &[&Snapshot<'_>]),
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Vec<Result<()>>> {
        // The states are copied for messages to their lanes.
        check_headroom(COPIES * snapshots.iter().map(|snapshot| snapshot.state.len()).sum::<usize>(), || "states".to_owned())?;
        let encoded = || collect_checked(snapshots.len(), "states", snapshots.iter().map(|snapshot| snapshot.encode()));
        let whole = backend.passes_snapshots.then(encoded).transpose()?;
        let state = |index: usize| LaneOp::Load(whole.as_ref().map_or(&snapshots[index].state, |whole| &whole[index]));
        let (mut replies, chosen) = (Vec::new(), lanes_of(lanes, items));
        if let Err(error) = backend.call_collecting(&mut replies, &chosen, state, interrupts) {
            replies.resize(items.len(), None);
            for ((item, reply), snapshot) in items.iter().zip(replies).zip(snapshots) {
                let id = guard.id(*item);
                match reply {
                    Some(Ok(_)) => self.restore_episode(id, snapshot)?,
                    None if self.core.ledger.state(id.number()) != LaneState::Idle => {
                        self.core.table.set_phase(id, Phase::Failed)
                    }
                    _ => {}
                }
            }
            return Err(error);
        }
        if whole.is_some() {
            let is_loaded = replies.iter().map(|reply| matches!(reply, Some(Ok(_))));
            backend.forget_first_seeds(chosen.iter().zip(is_loaded).filter(|(_, is_loaded)| *is_loaded).map(|(lane, _)| lane));
        }
        let loaded = replies.into_iter().flatten().zip(chosen.iter());
        Ok(loaded.map(|(loaded, lane)| loaded.map(|_| ()).map_err(|fault| batch_failure(lane, fault))).collect())
    }

    /// Restores the engine's data of a lane: elapsed steps, seed, episode statistics and phase.
    fn restore_episode(&self, lane: LaneId<'_>, snapshot: &Snapshot<'_>) -> Result<()> {
        let table = &self.core.table;
        table.elapsed.set(lane, snapshot.elapsed.max(0));
        let (number, is_new) = snapshot.seed;
        table.seed.set(lane, Seed { number, is_pending: is_new });
        if let Some(episodes) = &table.episode {
            let (total, length, seconds) = snapshot.episode;
            let age = Duration::try_from_secs_f64(f64::from_bits(seconds)).unwrap_or_default();
            let start = Instant::now().checked_sub(age).unwrap_or_else(Instant::now);
            episodes.set(lane, Episode { episode_return: f64::from_bits(total), length: length.max(0), start });
        }
        table.set_phase(lane, phase_of(snapshot)?);
        Ok(())
    }
}

/// Largest number of copies of a state on its way to a lane of a backend.
const COPIES: usize = 4;

/// Returns the lanes of some items of a list.
fn lanes_of(lanes: &LaneList, items: &[usize]) -> LaneList {
    LaneList::Some(items.iter().map(|item| lanes.get(*item) as u32).collect())
}

/// Returns the environment states of the lanes of some items, to which `guard` grants access.
///
/// # Errors
/// `State` if an environment cannot save its state; `Memory` if the system refuses the memory for a state.
fn save_lanes(env: &dyn BatchEnv, guard: &mut LanesGuard<'_>, items: &[usize]) -> Result<Vec<Vec<u8>>> {
    let mut bytes = Vec::new();
    let saved = |item: &usize| {
        bytes.clear();
        check_headroom(0, || "a state".to_owned())?;
        env.save(guard.lane(*item), &mut bytes)?;
        copy_of(&bytes, "a state")
    };
    collect_checked(items.len(), "states", items.iter().map(saved))
}

/// Loads environment states into the lanes of some items, to which `guard` grants access.
fn load_lanes(env: &dyn BatchEnv, guard: &mut LanesGuard<'_>, items: &[usize], snapshots: &[&Snapshot<'_>]) -> Vec<Result<()>> {
    let load = |(snapshot, item): (&&Snapshot<'_>, &usize)| env.load(guard.lane(*item), &snapshot.state);
    snapshots.iter().zip(items).map(load).collect()
}

/// Returns the phase that a snapshot contains. Rejects the phase `Failed`.
fn phase_of(snapshot: &Snapshot<'_>) -> Result<Phase> {
    let phase = Phase::from_byte(snapshot.phase).filter(|phase| *phase != Phase::Failed);
    phase.ok_or_else(|| refused("its phase is unknown"))
}

fn batch_failure(lane: usize, fault: LaneError) -> Error {
    Error::Failed(Box::new(BatchFailure { lane, fault, others: Vec::new(), rows_pending: 0 }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::config::PoolConfig;
    use crate::contract::env::Env;
    use crate::contract::options::{Options, ResetOptions};
    use crate::contract::row::{Action, Row};
    use crate::contract::space::{Dtype, Space};
    use crate::contract::spec::EnvSpec;
    use crate::results::layout::{Dialect, Format, Outputs};
    use crate::tasks::registry::Task;
    use envpool_rs_numeric::random::Generator;

    /// An environment whose episodes never end.
    struct Endless;

    impl Env for Endless {
        type State = ();
        type Random = Generator;

        fn new(_options: &Options) -> Result<Self> {
            Ok(Self)
        }

        fn spec(&self) -> EnvSpec {
            EnvSpec::new(Space::uniform(0.0, 1.0, &[1], Dtype::F32), Space::discrete(2))
        }

        fn create(&self, _lane: usize) -> Result<()> {
            Ok(())
        }

        fn reset(&self, (): &mut (), _options: &ResetOptions, _rng: &mut Generator) {}

        fn step(&self, (): &mut (), _action: &Action<'_>, _rewards: &mut [f64], _rng: &mut Generator) -> bool {
            false
        }

        fn observe(&self, (): &(), _out: &mut Row<'_>) {}
    }

    #[test]
    fn an_episode_beyond_the_largest_step_count_continues() {
        let task = &Task::env::<Endless>("Endless-v0");
        let config = PoolConfig { episode_statistics: true, ..PoolConfig::new(1).unwrap() };
        let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
        let pool = Pool::new(task, &task.resolve(&[]).unwrap(), config, outputs).unwrap();
        let never = &mut || false;
        pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().run(&mut None, never).unwrap();
        let state = pool.get_state(None).unwrap().remove(0);
        for length in [i32::MAX, -1] {
            let mut snapshot = Snapshot::decode(&state, pool.core.tasks.task_of(0)).unwrap();
            (snapshot.episode.1, snapshot.elapsed) = (length, length);
            pool.set_state(&[snapshot.encode().unwrap()], None).unwrap();
            for _ in 0..3 {
                let mut call = pool.step(None).unwrap();
                call.set_action(0, &[0]).unwrap();
                call.run(&mut None, never).unwrap();
            }
            let states = pool.get_state(None).unwrap();
            let snapshot = Snapshot::decode(&states[0], pool.core.tasks.task_of(0)).unwrap();
            assert!(snapshot.episode.1 >= 3 && snapshot.elapsed >= 3, "{snapshot:?}");
        }
    }
}
