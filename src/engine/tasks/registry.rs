//! Registry of tasks by name.

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

use crate::backend::process_lane::{ProcessEnv, ProcessLane};
use crate::contract::asset_cache::AssetCache;
use crate::contract::env::Env;
use crate::contract::error::{Error, Result};
use crate::contract::frame::RenderSpec;
use crate::contract::kernel::Kernel;
use crate::contract::options::{OptionSpec, Options, Variant, suggestion};
use crate::contract::spec::EnvSpec;
use crate::contract::value::Value;
use crate::exec::batch_env::BatchEnv;
use crate::exec::create::CreateContext;
use crate::exec::option_draws::OptionDraws;
use crate::exec::scalar_batch_env::ScalarBatchEnv;
use crate::exec::scalar_kernel::ScalarKernel;
use crate::exec::simd_batch_env::SimdBatchEnv;
use crate::threads::interrupt_poller::InterruptPoller;
use crate::threads::interruptible::run_interruptibly;
use envpool_rs_numeric::random::Generator;

/// An environment whose options are fixed, from which the lanes of a pool are built.
pub trait EnvFactory: Send + Sync {
    /// Returns spaces, number of players and infos.
    fn spec(&self) -> EnvSpec;
    /// Returns the rendering capabilities of the environment.
    fn render_spec(&self) -> RenderSpec;
    /// Returns the memory of one lane in bytes: its state and random stream.
    fn lane_bytes(&self) -> usize;
    /// Returns the memory in bytes that all lanes share.
    fn shared_bytes(&self) -> usize;
    /// Returns the memory in bytes that each thread needs while it steps lanes.
    fn thread_bytes(&self) -> usize;
    /// Returns whether [`Self::spec`] depends on the data that [`Self::load`] loads.
    fn spec_needs_load(&self) -> bool;
    /// Returns whether [`Self::load`] may take long, given the assets that the cache already holds.
    fn is_slow_to_load(&self, _store: &AssetCache) -> bool {
        false
    }
    /// Loads the resources that the environments need.
    ///
    /// # Errors
    /// Those of [`Env::load`].
    fn load(&mut self, store: &AssetCache) -> Result<()>;
    /// Builds the lanes `lanes` of a pool, after the resources have been loaded. Their rows follow `spec`.
    ///
    /// # Errors
    /// Those of [`Env::create`] and [`ProcessEnv::lane`]; `Interrupted`.
    fn build(self: Box<Self>, spec: &EnvSpec, lanes: Range<usize>, creation: &mut CreateContext<'_>) -> Result<GroupLanes>;
}

/// Lanes of a group, which run on threads or in processes.
pub enum GroupLanes {
    /// Lanes that run on the engine's threads.
    Threads(Box<dyn BatchEnv>),
    /// Lanes that run in one process each.
    Processes(Vec<Box<dyn ProcessLane>>),
}

/// Loads the resources of a group. If loading may take long, an interrupt ends the wait for it.
///
/// # Errors
/// Those of [`Task::factory`] and [`Env::load`]; `Interrupted`.
pub(crate) fn load_factory(
    mut blueprint: Box<dyn EnvFactory>,
    store: &AssetCache,
    interrupts: &mut InterruptPoller<'_>,
) -> Result<Box<dyn EnvFactory>> {
    let store = store.group_cache();
    if !blueprint.is_slow_to_load(&store) {
        blueprint.load(&store)?;
        return Ok(blueprint);
    }
    run_interruptibly(interrupts, move || blueprint.load(&store).map(|()| blueprint))
}

struct LaneFactory<E> {
    env: E,
    /// Distributions of options that are drawn for each episode, if any.
    draws: Option<OptionDraws>,
}

impl<E: Env> EnvFactory for LaneFactory<E> {
    fn spec(&self) -> EnvSpec {
        match &self.draws {
            Some(draws) => draws.extend_spec(self.env.spec()),
            None => self.env.spec(),
        }
    }
    fn render_spec(&self) -> RenderSpec {
        self.env.render_spec()
    }
    fn lane_bytes(&self) -> usize {
        let drawn = self.draws.as_ref().map_or(0, |draws| draws.lane_bytes(&self.env));
        size_of::<E::State>() + size_of::<E::Random>() + self.env.heap_bytes() + drawn
    }
    fn shared_bytes(&self) -> usize {
        size_of::<E>() + self.env.shared_bytes()
    }
    fn thread_bytes(&self) -> usize {
        self.env.thread_bytes()
    }
    fn spec_needs_load(&self) -> bool {
        E::SPEC_NEEDS_LOAD
    }
    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        // Loading may take long if options are drawn, because drawn options may name files.
        E::SPEC_NEEDS_LOAD && self.draws.is_some() || self.env.is_slow_to_load(store)
    }
    fn load(&mut self, store: &AssetCache) -> Result<()> {
        self.env.load(store)?;
        self.draws.as_mut().map_or(Ok(()), |draws| draws.load(&self.env, store))
    }
    fn build(self: Box<Self>, spec: &EnvSpec, lanes: Range<usize>, creation: &mut CreateContext<'_>) -> Result<GroupLanes> {
        Ok(GroupLanes::Threads(Box::new(ScalarBatchEnv::new(self.env, self.draws, spec, lanes, creation)?)))
    }
}

struct BlockFactory<K>(K);

impl<K: Kernel> EnvFactory for BlockFactory<K> {
    fn spec(&self) -> EnvSpec {
        self.0.spec()
    }
    fn render_spec(&self) -> RenderSpec {
        self.0.render_spec()
    }
    fn lane_bytes(&self) -> usize {
        size_of::<K::Fields<1>>() + size_of::<Generator>()
    }
    fn shared_bytes(&self) -> usize {
        size_of::<K>()
    }
    fn thread_bytes(&self) -> usize {
        0
    }
    fn spec_needs_load(&self) -> bool {
        false
    }
    fn load(&mut self, _store: &AssetCache) -> Result<()> {
        Ok(())
    }
    fn build(self: Box<Self>, spec: &EnvSpec, lanes: Range<usize>, _creation: &mut CreateContext<'_>) -> Result<GroupLanes> {
        Ok(GroupLanes::Threads(Box::new(SimdBatchEnv::new(self.0, spec, lanes))))
    }
}

struct ProcessFactory<P>(P);

impl<P: ProcessEnv> EnvFactory for ProcessFactory<P> {
    fn spec(&self) -> EnvSpec {
        self.0.spec()
    }
    fn render_spec(&self) -> RenderSpec {
        self.0.render_spec()
    }
    fn lane_bytes(&self) -> usize {
        self.0.lane_bytes()
    }
    fn shared_bytes(&self) -> usize {
        size_of::<P>()
    }
    fn thread_bytes(&self) -> usize {
        0
    }
    fn spec_needs_load(&self) -> bool {
        self.0.spec_needs_load()
    }
    fn load(&mut self, store: &AssetCache) -> Result<()> {
        self.0.load(store)
    }
    fn build(self: Box<Self>, _spec: &EnvSpec, lanes: Range<usize>, _creation: &mut CreateContext<'_>) -> Result<GroupLanes> {
        lanes.map(|lane| self.0.lane(lane)).collect::<Result<_>>().map(GroupLanes::Processes)
    }
}

fn process_factory<P: ProcessEnv>(options: &Options) -> Result<Box<dyn EnvFactory>> {
    Ok(Box::new(ProcessFactory(P::new(options)?)))
}

fn lane_factory<E: Env>(options: &Options) -> Result<Box<dyn EnvFactory>> {
    if options.distributions().is_empty() {
        return Ok(Box::new(LaneFactory { env: E::new(options)?, draws: None }));
    }
    let (draws, env) = OptionDraws::new::<E>(options)?;
    Ok(Box::new(LaneFactory { env, draws: Some(draws) }))
}

fn block_factory<K: Kernel>(options: &Options) -> Result<Box<dyn EnvFactory>> {
    // Lanes of a SIMD block share their options, so lanes with drawn options are stepped one by one.
    if options.distributions().is_empty() {
        Ok(Box::new(BlockFactory(K::new(options)?)))
    } else {
        lane_factory::<ScalarKernel<K>>(options)
    }
}

/// A named task: an environment, its registered options and its episode limits.
pub struct Task {
    /// Name, such as `CartPole-v1`.
    pub id: &'static str,
    /// Steps after which an episode is truncated; `None` for no limit.
    pub max_episode_steps: Option<u32>,
    /// Mean return per episode that counts as solved.
    pub reward_threshold: Option<f64>,
    /// Options of the task.
    pub options: Arc<[OptionSpec]>,
    /// Names of the numbers that `reset(options=...)` accepts.
    pub reset_options: &'static [&'static str],
    /// Names of options in the order of EnvPool's configuration, if that differs from the order of `options`.
    pub envpool_order: Vec<&'static str>,
    presets: Vec<(&'static str, Value)>,
    variant: Option<Variant>,
    limit: Option<fn(&Options) -> Option<u32>>,
    create: Create,
}

type Create = fn(&Options) -> Result<Box<dyn EnvFactory>>;

impl Task {
    /// Creates a task for an [`Env`].
    pub fn env<E: Env>(id: &'static str) -> Self {
        Self::from_parts(id, E::options(), E::RESET_OPTIONS, lane_factory::<E>)
    }

    /// Creates a task for a [`Kernel`].
    pub fn kernel<K: Kernel>(id: &'static str) -> Self {
        Self::from_parts(id, K::options(), K::RESET_OPTIONS, block_factory::<K>)
    }

    /// Creates a task for a [`ProcessEnv`]. None of its options can be drawn for each episode.
    pub fn processes<P: ProcessEnv>(id: &'static str) -> Self {
        Self::from_parts(id, P::options(), &[], process_factory::<P>)
    }

    /// Copies the task under another name, with the presets so far. Tasks of a large family then share one list of options.
    #[must_use]
    pub fn with_id(&self, id: &'static str) -> Self {
        Self {
            id,
            options: Arc::clone(&self.options),
            presets: self.presets.clone(),
            envpool_order: self.envpool_order.clone(),
            ..*self
        }
    }

    fn from_parts(id: &'static str, options: Vec<OptionSpec>, reset_options: &'static [&'static str], create: Create) -> Self {
        Self {
            id,
            max_episode_steps: None,
            reward_threshold: None,
            options: options.into(),
            reset_options,
            envpool_order: Vec::new(),
            presets: Vec::new(),
            variant: None,
            limit: None,
            create,
        }
    }

    /// Replaces the environment's options: for one [`Env`] type that implements many environments with individual options.
    #[must_use]
    pub fn options(mut self, options: Vec<OptionSpec>) -> Self {
        self.options = options.into();
        self
    }

    /// Sets a value that the environment reads by [`Options::variant`]: for one [`Env`] type that implements many environments.
    ///
    /// A separate type for each value would compile the engine's code for [`Env`] again for each.
    #[must_use]
    pub fn variant(mut self, variant: &'static (dyn Any + Send + Sync)) -> Self {
        self.variant = Some(Variant(variant));
        self
    }

    /// Sets the order of options in EnvPool's configuration; options that are not listed follow.
    #[must_use]
    pub fn envpool_order(mut self, names: Vec<&'static str>) -> Self {
        self.envpool_order = names;
        self
    }

    /// Returns the names of all options, in the order of EnvPool's configuration.
    pub fn names_in_envpool_order(&self) -> Vec<&'static str> {
        let names: Vec<_> = self.options.iter().map(|option| option.name).collect();
        let first = self.envpool_order.iter().filter(|name| names.contains(name));
        first.chain(names.iter().filter(|name| !self.envpool_order.contains(name))).copied().collect()
    }

    /// Truncates episodes after `steps` steps.
    #[must_use]
    pub fn max_episode_steps(mut self, steps: u32) -> Self {
        self.max_episode_steps = Some(steps);
        self
    }

    /// Truncates episodes after the number of steps that `limit` computes from the options, if any.
    #[must_use]
    pub fn step_limit_from(mut self, limit: fn(&Options) -> Option<u32>) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Returns the number of steps after which an episode with these options is truncated by default; `None` for no limit.
    pub fn step_limit(&self, options: &Options) -> Option<u32> {
        self.limit.and_then(|limit| limit(options)).or(self.max_episode_steps)
    }

    /// Sets the mean return that counts as solved.
    #[must_use]
    pub fn reward_threshold(mut self, threshold: f64) -> Self {
        self.reward_threshold = Some(threshold);
        self
    }

    /// Presets the value of an option, instead of the environment's default.
    #[must_use]
    pub fn preset(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.presets.push((name, value.into()));
        self
    }

    /// Resolves all options: `given` values, this task's presets, or the defaults.
    ///
    /// # Errors
    /// `Value` for an unknown option, `Type` for a value of another type.
    pub fn resolve(&self, given: &[(String, Value)]) -> Result<Options> {
        let mut options = Options::resolve(&self.options, &self.presets, given)?;
        options.variant = self.variant;
        Ok(options)
    }

    /// Creates the environment with these options.
    ///
    /// # Errors
    /// `Value` or `Type` for an option that the environment refuses; `Value` for options of another task or variant.
    pub fn factory(&self, options: &Options) -> Result<Box<dyn EnvFactory>> {
        let has_names = options.iter().map(|(name, _)| name).eq(self.options.iter().map(|option| option.name));
        if !has_names || options.variant != self.variant {
            return Err(Error::Value(format!("options are not for task {}: expected the result of its resolve()", self.id)));
        }
        (self.create)(options)
    }
}

/// All tasks, in order of registration.
#[derive(Default)]
pub struct Registry(Vec<Task>);

impl Registry {
    /// Adds tasks.
    ///
    /// # Panics
    /// If a name is already registered: a mistake in the table of tasks.
    pub fn add(&mut self, tasks: impl IntoIterator<Item = Task>) {
        for task in tasks {
            assert!(self.0.iter().all(|other| other.id != task.id), "task {:?} is registered twice", task.id);
            self.0.push(task);
        }
    }

    /// Returns all tasks.
    pub fn tasks(&self) -> &[Task] {
        &self.0
    }

    /// Returns the task with this id.
    ///
    /// # Errors
    /// `UnknownTask`, suggesting the nearest names.
    pub fn task(&self, id: &str) -> Result<&Task> {
        self.0.iter().find(|task| task.id == id).ok_or_else(|| {
            let ids: Vec<_> = self.0.iter().map(|task| task.id).collect();
            Error::UnknownTask(format!("unknown task {id:?}{}", suggestion(id, &ids)))
        })
    }
}
