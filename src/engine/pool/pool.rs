//! The pool type: creates environments and closes them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::backend::process_backend::ProcessBackend;
use crate::backend::process_lane::ProcessLane;
use crate::backend::traits::LaneBackend;
use crate::contract::actions::ActionKey;
use crate::contract::asset_cache::AssetCache;
use crate::contract::backend_spec::BackendSpec;
use crate::contract::config::PoolConfig;
use crate::contract::error::{Error, Result};
use crate::contract::frame::RenderSpec;
use crate::contract::lane_error::LaneError;
use crate::contract::memory::check_fits;
use crate::contract::options::Options;
use crate::contract::spec::{EnvSpec, OptionDecision};
use crate::exec::create::CreateContext;
use crate::exec::grouped_batch_env::{GroupedBatchEnv, LaneGroup};
use crate::exec::per_lane::LanesGuard;
use crate::exec::request_kind::LaneList;
use crate::exec::statistics::{PoolStatistics, StatisticsSnapshot};
use crate::pool::async_executor::AsyncExecutor;
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::executor::Executor;
use crate::pool::pool_core::{PoolCore, time_limit};
use crate::pool::receiver::Receiver;
use crate::pool::sender::Sender;
use crate::pool::sync_executor::SyncExecutor;
use crate::pool::workers::LocalEnv;
use crate::results::batch::Batch;
use crate::results::batch_ring::BatchRing;
use crate::results::layout::{Layout, Outputs, dialect_observation};
use crate::results::normalize::Normalizer;
use crate::tasks::factory::{EnvFactory, GroupLanes, load_factory};
use crate::tasks::group::Group;
use crate::tasks::group::{GroupRequirements, check_groups, requirements_of};
use crate::tasks::lane_tasks::LaneTasks;
use crate::tasks::registry::Task;
use crate::threads::float_mode::FloatModeGuard;
use crate::threads::interrupt_poller::{Interrupt, InterruptPoller};
use crate::threads::thread_pool::ThreadCpus;
use crate::threads::try_lock::TryLock;
use envpool_rs_numeric::simd::SimdLevel;

/// Many environments of one or several tasks, stepped in parallel.
///
/// Sync pools (`batch_size == num_envs`) return one batch per request, with its rows in the order of its ids. Async pools collect
/// the results of the lanes that finish first into batches of `batch_size` rows.
pub struct Pool {
    pub(crate) core: Arc<PoolCore>,
    pub(crate) sender: TryLock<Sender>,
    pub(crate) receiver: TryLock<Receiver>,
    /// Executor that runs the lanes.
    pub(crate) executor: Executor,
    /// Values that were decided for options at load time; empty if the groups have different values.
    resolved_options: Vec<OptionDecision>,
}

impl Pool {
    /// Creates `config.num_envs` environments of a task, not yet reset.
    ///
    /// # Errors
    /// `Value` or `Type` if the environment rejects its options or the options contradict each other; `Memory` if the
    /// environments do not fit into the machine's memory.
    pub fn new(task: &Task, options: &Options, config: PoolConfig, outputs: Outputs) -> Result<Self> {
        let (options, max_episode_steps) = (options.clone(), config.max_episode_steps);
        let group = Group { task, options, max_episode_steps, num_envs: config.num_envs };
        Self::with_groups(&[group], config, outputs)
    }

    /// Creates environments of several tasks, or of one task with several options, not yet reset. The first group has the lowest
    /// ids. All groups must have the same spaces, players and infos. Each group has its own time limit;
    /// `config.max_episode_steps` is ignored.
    ///
    /// # Errors
    /// `Value` if the groups are incompatible or their sizes do not add up to `config.num_envs`; `Value` or `Type` for options
    /// that an environment rejects; `Memory` if the environments do not fit into the machine's memory.
    pub fn with_groups(groups: &[Group<'_>], config: PoolConfig, outputs: Outputs) -> Result<Self> {
        Self::with_groups_interruptible(groups, config, outputs, &mut || false)
    }

    /// Creates a pool as [`Pool::with_groups`] does, and can be interrupted: creating many groups that each have their own tables
    /// may take long.
    ///
    /// # Errors
    /// `Interrupted` if `interrupt` returned true; otherwise the errors of [`Pool::with_groups`] (`Value`, `Type`, `Memory`).
    pub fn with_groups_interruptible(
        groups: &[Group<'_>],
        config: PoolConfig,
        outputs: Outputs,
        interrupt: Interrupt<'_>,
    ) -> Result<Self> {
        let _standard = FloatModeGuard::enter();
        SimdLevel::check_variable().map_err(Error::Value)?;
        config.check()?;
        check_groups(groups, config.num_envs)?;
        let store = AssetCache::default();
        let GroupRequirements { spec, rendering, decided, first, bytes } =
            requirements_of(groups, Some((&store, config.num_threads + 1)), interrupt)?;
        config.normalization.observation_space(dialect_observation(&spec, outputs.dialect))?;
        let layout = Arc::new(Layout::new(&spec, outputs, &config));
        let config = PoolConfig { max_episode_steps: groups[0].max_episode_steps, ..config };
        check_memory(&config, &layout, bytes)?;
        let mut creation = CreateContext {
            threads: config.num_threads,
            cpus: config.thread_affinity_offset.map_or(ThreadCpus::Any, ThreadCpus::From).in_turns(),
            lanes_per_worker: config.num_envs.div_ceil(config.num_threads.max(1)),
            interrupts: InterruptPoller::new(interrupt),
        };
        let env = match build(groups, first, &spec, &store, &mut creation)? {
            GroupLanes::Threads(env) => env,
            GroupLanes::Processes(lanes) => return Self::over_processes(lanes, groups, config, layout, &spec, rendering),
        };
        let all = LaneList::All(config.num_envs);
        // SAFETY: no other reference to the environments exists before `core` and the executor are built below.
        let mut lanes = unsafe { LanesGuard::new(&all, 0..config.num_envs) };
        config.seeds.iter().enumerate().for_each(|(lane, seed)| env.seed(lanes.lane(lane), *seed));
        let tasks = LaneTasks::new(groups);
        let core = Arc::new(PoolCore::new(config, layout, ActionKey::from_spec(&spec), spec.players, tasks, env.render_spec()));
        let ring = ring(&core)?;
        let executor = match &ring {
            None => Executor::Sync(SyncExecutor::new(Arc::clone(&core), &*env)),
            Some(_) => Executor::Async(AsyncExecutor::new(Arc::clone(&core), &*env)),
        };
        let mut pool = Self::with_executor(core, executor, Some(Arc::new(LocalEnv::new(env, ring))));
        if decided.iter().all(|other| *other == decided[0]) {
            pool.resolved_options = decided.into_iter().next().expect("a pool has a group");
        }
        Ok(pool)
    }

    /// Creates a pool whose lanes run in a backend and are not yet reset. `config.seeds`, `num_threads` and
    /// `thread_affinity_offset` are ignored.
    ///
    /// # Errors
    /// `Value` for an invalid configuration or a wrong number of seeds; `Memory` if the rows do not fit into the machine's
    /// memory.
    pub fn with_backend(outside: Box<dyn LaneBackend>, form: BackendSpec, config: PoolConfig, outputs: Outputs) -> Result<Self> {
        config.check()?;
        if !form.seeds.is_empty() && form.seeds.len() != config.num_envs {
            let got = format!("[{} values]", form.seeds.len());
            return Err(Error::value("seed", got, format_args!("num_envs={} values", config.num_envs)));
        }
        config.normalization.observation_space(form.observation_space())?;
        let layout = Arc::new(Layout::from_backend_spec(&form, outputs, &config));
        check_memory(&config, &layout, 0)?;
        let played = form.nested_pools.as_ref().map(|runs| runs.iter().map(|(lanes, _)| lanes).sum());
        if played.is_some_and(|lanes: usize| lanes != config.num_envs) {
            return Err(Error::State("the snapshots' number of environments differs from num_envs".into()));
        }
        let runs = form.nested_pools.clone().unwrap_or_else(|| vec![(config.num_envs, form.task.clone())]);
        let tasks = LaneTasks::from_runs(runs);
        Self::build_over_backend(outside, &form, config, layout, tasks, RenderSpec::default(), |executor| executor)
    }

    fn build_over_backend(
        backend: Box<dyn LaneBackend>,
        form: &BackendSpec,
        config: PoolConfig,
        layout: Arc<Layout>,
        tasks: LaneTasks,
        rendering: RenderSpec,
        adapt: impl FnOnce(BackendExecutor) -> BackendExecutor,
    ) -> Result<Self> {
        let core = Arc::new(PoolCore::new(config, layout, form.actions.clone(), form.players, tasks, rendering));
        let ring = ring(&core)?;
        let executor = adapt(BackendExecutor::new(Arc::clone(&core), backend, form, ring)?);
        Ok(Self::with_executor(core, Executor::Backend(Box::new(executor)), None))
    }

    /// Creates a pool whose environments run in one process each.
    fn over_processes(
        mut lanes: Vec<Box<dyn ProcessLane>>,
        groups: &[Group<'_>],
        config: PoolConfig,
        layout: Arc<Layout>,
        spec: &EnvSpec,
        rendering: RenderSpec,
    ) -> Result<Self> {
        // Each lane is seeded before its first operation, so the first reset passes no seed.
        lanes.iter_mut().zip(&config.seeds).for_each(|(lane, seed)| lane.seed(*seed));
        let form = BackendSpec { players: spec.players, ..BackendSpec::new(Vec::new(), ActionKey::from_spec(spec)) };
        let (backend, tasks) = (Box::new(ProcessBackend::new(lanes)), LaneTasks::new(groups));
        Self::build_over_backend(backend, &form, config, layout, tasks, rendering, BackendExecutor::without_reset_options)
    }

    fn with_executor(core: Arc<PoolCore>, executor: Executor, local: Option<Arc<LocalEnv>>) -> Self {
        let normalizer = Normalizer::new(&core.config, &core.layout, core.players);
        Self {
            sender: TryLock::new(Sender::new(core.config.num_envs, &core.keys, local.clone())),
            receiver: TryLock::new(Receiver::new(normalizer, local)),
            core,
            executor,
            resolved_options: Vec::new(),
        }
    }

    /// Returns the pool's configuration.
    pub fn config(&self) -> &PoolConfig {
        &self.core.config
    }

    /// Returns the options whose values were decided when the environments were loaded; empty if the groups have different
    /// values.
    pub fn decided(&self) -> &[OptionDecision] {
        &self.resolved_options
    }

    /// Returns the layout of the pool's batches: dtype, shape and role of each array.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.core.layout
    }

    /// Returns the action arrays that a step needs.
    pub fn action_keys(&self) -> &[ActionKey] {
        &self.core.keys
    }

    /// Returns the number of batches that an async pool allocates at creation (their tags are `0..`); 0 for a sync pool.
    pub fn ring_slots(&self) -> usize {
        if self.is_async() { BatchRing::slots(self.core.config.num_envs, self.core.config.batch_size) } else { 0 }
    }

    /// Allocates a batch for the results of this pool; `tag` becomes the batch's tag.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory.
    pub fn batch(&self, tag: usize) -> Result<Box<Batch>> {
        self.core.batch(tag)
    }

    /// Returns the statistics of the pool's work since the first call of this method, which starts their recording.
    pub fn statistics(&self) -> StatisticsSnapshot {
        let config = &self.core.config;
        let statistics = self.core.table.statistics.get_or_init(|| PoolStatistics::new(config.num_envs, config.num_threads));
        let workers = match &self.executor {
            Executor::Sync(executor) => executor.workers().threads.started(),
            Executor::Async(executor) => executor.workers().threads.started(),
            Executor::Backend(_) => 0,
        };
        statistics.snapshot(workers, self.core.ledger.count_in_flight())
    }

    /// Returns whether results are received in order of completion.
    pub fn is_async(&self) -> bool {
        self.core.config.is_async()
    }

    /// Returns whether a backend runs the lanes; closing a pool with a backend may take time.
    pub fn has_backend(&self) -> bool {
        matches!(self.executor, Executor::Backend(_))
    }

    /// Returns whether a step of `lanes` lanes may take over 20 us, so that a caller should release its interpreter's lock during
    /// the step.
    #[inline]
    pub fn is_heavy(&self, lanes: usize) -> bool {
        const RELEASE: Duration = Duration::from_micros(20);
        self.executor.may_exceed(lanes, RELEASE)
    }

    /// Rejects use of the pool in a forked child.
    ///
    /// # Errors
    /// `State` in a forked child.
    pub fn check_not_forked(&self) -> Result<()> {
        self.core.check_not_forked()
    }

    /// Rejects use of the pool after `close`, and in a forked child.
    ///
    /// # Errors
    /// `State` in a forked child; `Closed` after `close`.
    pub fn check_usable(&self) -> Result<()> {
        self.core.check_usable()
    }

    /// Returns the error for a caller that cannot acquire the sender or receiver, because another thread uses it.
    pub(crate) fn busy_error(&self) -> Error {
        let busy = || Error::State("this pool is in use by another thread".into());
        self.check_usable().err().unwrap_or_else(busy)
    }

    /// Frees environments and batches of a closed pool. If another thread still uses the pool, that thread frees them when it
    /// finishes.
    #[cold]
    pub(crate) fn release(&self) {
        if self.core.is_forked() || !self.is_closed() {
            return;
        }
        self.core.spares.close();
        let (Some(mut sender), Some(mut receiver)) = (self.sender.try_lock(), self.receiver.try_lock()) else { return };
        let local = (sender.clear(), receiver.clear());
        self.executor.release(&mut receiver);
        // The guards are never released, so no thread can acquire sender or receiver from now on.
        std::mem::forget((sender, receiver));
        drop(local);
    }

    /// Closes the pool: ends the workers, and frees the environments once no thread runs them. Later calls fail, and results in
    /// flight are lost.
    pub fn close(&self) {
        self.close_until(Instant::now(), true);
    }

    /// Closes the pool, and lets a backend shut down cleanly until the deadline. After the deadline, or at once if `by_force`,
    /// the backend is ended by force. Returns the errors of the shutdown; none if the pool was already closed.
    pub fn close_until(&self, until: Instant, by_force: bool) -> Vec<LaneError> {
        let wrong = if self.core.mark_closed() { self.executor.close(until, by_force) } else { Vec::new() };
        self.release();
        wrong
    }

    /// Returns whether the pool has been closed.
    pub fn is_closed(&self) -> bool {
        self.core.is_closed()
    }
}

impl Drop for Pool {
    /// Closes the pool without waiting. A worker that is in the middle of a step finishes it on memory that it co-owns.
    fn drop(&mut self) {
        self.close();
    }
}

/// Creates the ring buffer of an asynchronous pool; `None` for a synchronous pool.
fn ring(core: &PoolCore) -> Result<Option<BatchRing>> {
    let config = &core.config;
    if !config.is_async() {
        return Ok(None);
    }
    let places = BatchRing::slots(config.num_envs, config.batch_size);
    let batches = (0..places).map(|tag| core.batch(tag));
    Ok(Some(BatchRing::new(batches.collect::<Result<_>>()?, config.batch_size)))
}

/// Builds the environments of the groups. `first` is the factory of the first group.
fn build(
    groups: &[Group<'_>],
    first: Box<dyn EnvFactory>,
    spec: &EnvSpec,
    store: &AssetCache,
    creation: &mut CreateContext<'_>,
) -> Result<GroupLanes> {
    let (mut alike, mut processes) = (Vec::with_capacity(groups.len()), Vec::new());
    let (mut made, mut lane, mut rest) = (Some(first), 0, groups);
    let mut next_factory = |group: &Group<'_>, creation: &mut CreateContext<'_>| {
        creation.interrupts.check()?;
        let blueprint = match made.take() {
            Some(blueprint) => blueprint,
            None => load_factory(group.task.factory(&group.options)?, store, &mut creation.interrupts)?,
        };
        // The values of decided options may differ between groups, so they are not compared.
        if (EnvSpec { option_decisions: Vec::new(), ..blueprint.spec() }) != *spec {
            // The layout of the rows was built from the spec before loading, so loading must not change the spec.
            return Err(Error::State(format!("{} describes itself differently each time it is asked", group.task.id)));
        }
        Ok(blueprint)
    };
    let mut waiting = None;
    while let Some((group, others)) = rest.split_first() {
        rest = others;
        let mut blueprint = match waiting.take() {
            Some(blueprint) => blueprint,
            None => next_factory(group, creation)?,
        };
        let mut lanes = lane..lane + group.num_envs;
        while let Some((next, others)) = rest.split_first().filter(|(next, _)| next.is_like(group)) {
            let mut following = next_factory(next, creation)?;
            if !blueprint.append(&mut *following, next.num_envs) {
                waiting = Some(following);
                break;
            }
            (lanes.end, rest) = (lanes.end + next.num_envs, others);
        }
        lane = lanes.end;
        let (count, max_episode_steps) = (lanes.len(), time_limit(group.max_episode_steps));
        match blueprint.build(spec, lanes, creation)? {
            GroupLanes::Threads(env) => alike.push(LaneGroup { lanes: count, env, max_episode_steps }),
            GroupLanes::Processes(more) => {
                check_limit_of_processes(group, &groups[0])?;
                processes.extend(more);
            }
        }
        if !alike.is_empty() && !processes.is_empty() {
            return Err(Error::State(format!("{} cannot share a pool with {}", group.task.id, groups[0].task.id)));
        }
    }
    Ok(match alike.len() {
        0 => GroupLanes::Processes(processes),
        1 => GroupLanes::Threads(alike.remove(0).env),
        _ => GroupLanes::Threads(Box::new(GroupedBatchEnv::new(alike))),
    })
}

/// Rejects a group whose environments run in processes and whose time limit differs from the first group's.
fn check_limit_of_processes(group: &Group<'_>, first: &Group<'_>) -> Result<()> {
    if group.max_episode_steps == first.max_episode_steps {
        return Ok(());
    }
    let all_alike = "one value for all groups, because their environments run in processes";
    let got = group.max_episode_steps.map_or("None".to_owned(), |steps| steps.to_string());
    Err(Error::value("max_episode_steps", got, all_alike))
}

/// Rejects a pool whose environments (`env_bytes`) and initial batches do not fit into the machine's memory.
fn check_memory(config: &PoolConfig, layout: &Layout, env_bytes: u128) -> Result<()> {
    // Bytes that the engine needs for each lane in addition to the environment and random stream: phase, elapsed steps, seed,
    // sender mark, and a queue entry.
    const BOOKKEEPING: usize = 64;
    let row: u128 = layout.all_columns().map(|column| column.stride() as u128).sum();
    let batches = if config.is_async() { BatchRing::slots(config.num_envs, config.batch_size) } else { 1 };
    let bytes = env_bytes + (config.num_envs * BOOKKEEPING) as u128 + row * (config.batch_size * batches) as u128;
    check_fits(bytes, &format!("a pool of num_envs={}", config.num_envs))
}
