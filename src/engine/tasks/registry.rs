//! Tasks by name.

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

use crate::contract::env::Env;
use crate::contract::error::{Error, Result};
use crate::contract::kernel::Kernel;
use crate::contract::options::{OptionSpec, Options, Variant, suggestion};
use crate::contract::picture::Rendering;
use crate::contract::spec::EnvSpec;
use crate::contract::store::Store;
use crate::contract::value::Value;
use crate::outside::process_lane::{ProcessEnv, ProcessLane};
use crate::play::batch_env::BatchEnv;
use crate::play::create::Creation;
use crate::play::each_block::EachBlock;
use crate::play::each_lane::EachLane;
use crate::play::lone_kernel::LoneKernel;
use crate::play::randomized::OptionDraws;
use crate::threads::helper::unless_interrupted;
use crate::threads::interrupts::Interrupts;
use envpool_rs_numeric::random::Generator;

/// An environment with its options fixed, ready to be instantiated any number of times.
pub trait Blueprint: Send + Sync {
    /// Spaces, players and infos.
    fn spec(&self) -> EnvSpec;
    /// What its environments can show of themselves.
    fn rendering(&self) -> Rendering;
    /// Bytes that each lane takes: its state and random stream.
    fn lane_bytes(&self) -> usize;
    /// Bytes that it takes beside its lanes.
    fn shared_bytes(&self) -> usize;
    /// Bytes that each thread takes that steps its lanes.
    fn thread_bytes(&self) -> usize;
    /// Whether it has to be loaded to be described.
    fn is_described_by_files(&self) -> bool;
    /// Whether loading may take long, with what the store has.
    fn is_slow_to_load(&self, _store: &Store) -> bool {
        false
    }
    /// Loads what it takes to play.
    ///
    /// # Errors
    /// Those of [`Env::load`].
    fn load(&mut self, store: &Store) -> Result<()>;
    /// These environments of a pool, whose rows are made for `spec`, its own; what it takes to play them has been loaded.
    ///
    /// # Errors
    /// Those of [`Env::create`] and [`ProcessEnv::lane`]; `Interrupted`.
    fn build(self: Box<Self>, spec: &EnvSpec, lanes: Range<usize>, creation: &mut Creation<'_>) -> Result<GroupLanes>;
}

/// The environments of a group, as what runs them wants them.
pub enum GroupLanes {
    /// For the engine's threads.
    Threads(Box<dyn BatchEnv>),
    /// For processes of their own.
    Processes(Vec<Box<dyn ProcessLane>>),
}

/// A group's blueprint, loaded; where that may take long, an interrupt ends the wait for it.
///
/// # Errors
/// Those of [`Task::blueprint`] and [`Env::load`]; `Interrupted`.
pub(crate) fn loaded(
    mut blueprint: Box<dyn Blueprint>,
    store: &Store,
    interrupts: &mut Interrupts<'_>,
) -> Result<Box<dyn Blueprint>> {
    let store = store.within();
    if !blueprint.is_slow_to_load(&store) {
        blueprint.load(&store)?;
        return Ok(blueprint);
    }
    unless_interrupted(interrupts, move || blueprint.load(&store).map(|()| blueprint))
}

struct LaneBlueprint<E> {
    env: E,
    /// The options that are drawn again for each episode, if any.
    draws: Option<OptionDraws>,
}

impl<E: Env> Blueprint for LaneBlueprint<E> {
    fn spec(&self) -> EnvSpec {
        match &self.draws {
            Some(draws) => draws.extend(self.env.spec()),
            None => self.env.spec(),
        }
    }
    fn rendering(&self) -> Rendering {
        self.env.rendering()
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
    fn is_described_by_files(&self) -> bool {
        E::IS_DESCRIBED_BY_FILES
    }
    fn is_slow_to_load(&self, store: &Store) -> bool {
        // Options that are drawn may name files.
        E::IS_DESCRIBED_BY_FILES && self.draws.is_some() || self.env.is_slow_to_load(store)
    }
    fn load(&mut self, store: &Store) -> Result<()> {
        self.env.load(store)?;
        self.draws.as_mut().map_or(Ok(()), |draws| draws.load(&self.env, store))
    }
    fn build(self: Box<Self>, spec: &EnvSpec, lanes: Range<usize>, creation: &mut Creation<'_>) -> Result<GroupLanes> {
        Ok(GroupLanes::Threads(Box::new(EachLane::new(self.env, self.draws, spec, lanes, creation)?)))
    }
}

struct BlockBlueprint<K>(K);

impl<K: Kernel> Blueprint for BlockBlueprint<K> {
    fn spec(&self) -> EnvSpec {
        self.0.spec()
    }
    fn rendering(&self) -> Rendering {
        self.0.rendering()
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
    fn is_described_by_files(&self) -> bool {
        false
    }
    fn load(&mut self, _store: &Store) -> Result<()> {
        Ok(())
    }
    fn build(self: Box<Self>, spec: &EnvSpec, lanes: Range<usize>, _creation: &mut Creation<'_>) -> Result<GroupLanes> {
        Ok(GroupLanes::Threads(Box::new(EachBlock::new(self.0, spec, lanes))))
    }
}

struct ProcessBlueprint<P>(P);

impl<P: ProcessEnv> Blueprint for ProcessBlueprint<P> {
    fn spec(&self) -> EnvSpec {
        self.0.spec()
    }
    fn rendering(&self) -> Rendering {
        self.0.rendering()
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
    fn is_described_by_files(&self) -> bool {
        self.0.is_described_by_files()
    }
    fn load(&mut self, store: &Store) -> Result<()> {
        self.0.load(store)
    }
    fn build(self: Box<Self>, _spec: &EnvSpec, lanes: Range<usize>, _creation: &mut Creation<'_>) -> Result<GroupLanes> {
        lanes.map(|lane| self.0.lane(lane)).collect::<Result<_>>().map(GroupLanes::Processes)
    }
}

fn processes_of<P: ProcessEnv>(options: &Options) -> Result<Box<dyn Blueprint>> {
    Ok(Box::new(ProcessBlueprint(P::new(options)?)))
}

fn lanes_of<E: Env>(options: &Options) -> Result<Box<dyn Blueprint>> {
    if options.draws().is_empty() {
        return Ok(Box::new(LaneBlueprint { env: E::new(options)?, draws: None }));
    }
    let (draws, env) = OptionDraws::new::<E>(options)?;
    Ok(Box::new(LaneBlueprint { env, draws: Some(draws) }))
}

fn blocks_of<K: Kernel>(options: &Options) -> Result<Box<dyn Blueprint>> {
    // Lanes of a block share their options.
    if options.draws().is_empty() { Ok(Box::new(BlockBlueprint(K::new(options)?))) } else { lanes_of::<LoneKernel<K>>(options) }
}

/// A named task: an environment, its registered options and its episode limits.
pub struct Task {
    /// Name, such as `CartPole-v1`.
    pub id: &'static str,
    /// Steps after which an episode is truncated; `None` for no limit.
    pub max_episode_steps: Option<u32>,
    /// Mean return that counts as solved.
    pub reward_threshold: Option<f64>,
    /// The options it takes.
    pub options: Arc<[OptionSpec]>,
    /// Names of the numbers that a reset may be given.
    pub reset_options: &'static [&'static str],
    /// Names of options in the order of EnvPool's configuration, where that is not the order of `options`.
    pub envpool_order: Vec<&'static str>,
    presets: Vec<(&'static str, Value)>,
    variant: Option<Variant>,
    limit: Option<fn(&Options) -> Option<u32>>,
    create: Create,
}

type Create = fn(&Options) -> Result<Box<dyn Blueprint>>;

impl Task {
    /// A task on an [`Env`].
    pub fn env<E: Env>(id: &'static str) -> Self {
        Self::with(id, E::options(), E::RESET_OPTIONS, lanes_of::<E>)
    }

    /// A task on a [`Kernel`].
    pub fn kernel<K: Kernel>(id: &'static str) -> Self {
        Self::with(id, K::options(), K::RESET_OPTIONS, blocks_of::<K>)
    }

    /// A task on a [`ProcessEnv`]. None of its options is drawn anew for each episode.
    pub fn processes<P: ProcessEnv>(id: &'static str) -> Self {
        Self::with(id, P::options(), &[], processes_of::<P>)
    }

    /// The same environment under another name, with the same presets so far: families of many hundred names have their options once.
    #[must_use]
    pub fn named(&self, id: &'static str) -> Self {
        Self {
            id,
            options: Arc::clone(&self.options),
            presets: self.presets.clone(),
            envpool_order: self.envpool_order.clone(),
            ..*self
        }
    }

    fn with(id: &'static str, options: Vec<OptionSpec>, reset_options: &'static [&'static str], create: Create) -> Self {
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

    /// Other options than the environment's own: for one [`Env`] that is many, each with options of its own.
    #[must_use]
    pub fn options(mut self, options: Vec<OptionSpec>) -> Self {
        self.options = options.into();
        self
    }

    /// Gives the environment a value that it reads by [`Options::variant`]: for one [`Env`] that is many, each with a value of its own.
    /// With a type for each value instead, the engine's code for an [`Env`] would be compiled again for each.
    #[must_use]
    pub fn variant(mut self, variant: &'static (dyn Any + Send + Sync)) -> Self {
        self.variant = Some(Variant(variant));
        self
    }

    /// Names options in the order of EnvPool's configuration; those without a name here come behind.
    #[must_use]
    pub fn envpool_order(mut self, names: Vec<&'static str>) -> Self {
        self.envpool_order = names;
        self
    }

    /// Names of all options, in the order of EnvPool's configuration.
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

    /// Truncates episodes after as many steps as `limit` finds in the options, if it finds any.
    #[must_use]
    pub fn limited_by(mut self, limit: fn(&Options) -> Option<u32>) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Steps after which an episode with these options is truncated, unless the user says otherwise; `None` for no limit.
    pub fn step_limit(&self, options: &Options) -> Option<u32> {
        self.limit.and_then(|limit| limit(options)).or(self.max_episode_steps)
    }

    /// The mean return that counts as solved.
    #[must_use]
    pub fn reward_threshold(mut self, threshold: f64) -> Self {
        self.reward_threshold = Some(threshold);
        self
    }

    /// A value other than the environment's own default for one of its options.
    #[must_use]
    pub fn preset(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.presets.push((name, value.into()));
        self
    }

    /// All options with the values `given`, this task's presets or the defaults.
    ///
    /// # Errors
    /// `Value` for an unknown option, `Type` for one of the wrong kind.
    pub fn resolve(&self, given: &[(String, Value)]) -> Result<Options> {
        let mut options = Options::resolve(&self.options, &self.presets, given)?;
        options.variant = self.variant;
        Ok(options)
    }

    /// The environment with these options.
    ///
    /// # Errors
    /// `Value` or `Type` for an option the environment refuses; `Value` for options of another task or variant.
    pub fn blueprint(&self, options: &Options) -> Result<Box<dyn Blueprint>> {
        let has_names = options.iter().map(|(name, _)| name).eq(self.options.iter().map(|option| option.name));
        if !has_names || options.variant != self.variant {
            return Err(Error::Value(format!("these options are not those of {}: expected what its `resolve` gives", self.id)));
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
    /// Where a name is taken: a mistake in the table.
    pub fn add(&mut self, tasks: impl IntoIterator<Item = Task>) {
        for task in tasks {
            assert!(self.0.iter().all(|other| other.id != task.id), "task {:?} is registered twice", task.id);
            self.0.push(task);
        }
    }

    /// All tasks.
    pub fn tasks(&self) -> &[Task] {
        &self.0
    }

    /// The task called `id`.
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
