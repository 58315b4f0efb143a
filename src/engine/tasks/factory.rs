//! Environments with resolved options, from which the lanes of a pool are built.

use std::ops::Range;

use crate::backend::process_lane::{ProcessEnv, ProcessLane};
use crate::contract::asset_cache::AssetCache;
use crate::contract::env::Env;
use crate::contract::error::Result;
use crate::contract::foreign::{ForeignEnv, ForeignMaker};
use crate::contract::frame::RenderSpec;
use crate::contract::kernel::Kernel;
use crate::contract::options::Options;
use crate::contract::spec::EnvSpec;
use crate::exec::batch_env::BatchEnv;
use crate::exec::create::CreateContext;
use crate::exec::foreign_batch_env::ForeignBatchEnv;
use crate::exec::lane_options::{EpisodeValues, GroupOptions, smallest};
use crate::exec::scalar_batch_env::ScalarBatchEnv;
use crate::exec::scalar_kernel::ScalarKernel;
use crate::exec::simd_batch_env::SimdBatchEnv;
use crate::threads::interrupt_poller::InterruptPoller;
use crate::threads::interruptible::run_interruptibly;
use envpool_rs_numeric::random::Generator;

/// An environment whose options are fixed, from which the lanes of a pool are built.
pub trait EnvFactory: Send + Sync {
    /// Returns the environment's specification: spaces, number of players and infos.
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
    /// Loads the resources (files, models, libraries) that the environments need.
    ///
    /// # Errors
    /// `NotFound` or `Value`, naming the file.
    fn load(&mut self, store: &AssetCache) -> Result<()>;
    /// Builds the lanes `lanes` of a pool, after the resources have been loaded. Their rows follow `spec`.
    ///
    /// # Errors
    /// The environment's error if a lane cannot be created; `Interrupted` if the caller's interrupt hook returned true.
    fn build(self: Box<Self>, spec: &EnvSpec, lanes: Range<usize>, context: &mut CreateContext<'_>) -> Result<GroupLanes>;
    /// Adds a group of the next `lanes` lanes, with the factory `next`, to the lanes that [`Self::build`] builds together. Their
    /// options differ in values that may change from episode to episode. Returns whether one environment runs lanes of both groups.
    fn append(&mut self, _next: &mut dyn EnvFactory, _lanes: usize) -> bool {
        false
    }
    /// Takes the options of a shared library's environments out of the factory; `None` for other environments.
    fn take_library_options(&mut self) -> Option<(GroupOptions, EpisodeValues)> {
        None
    }
}

/// Lanes of a group, which run on threads or in processes.
pub enum GroupLanes {
    /// Lanes that run on the engine's threads.
    Threads(Box<dyn BatchEnv>),
    /// Lanes that run in one process each.
    Processes(Vec<Box<dyn ProcessLane>>),
}

/// Loads the resources of a group. If loading may take long, it runs in a separate thread, and an interrupt returns to the caller
/// while that thread finishes.
///
/// # Errors
/// `Value` or `Type` for an option that the environment refuses; `NotFound` or `Value` for a file that cannot be loaded;
/// `Interrupted` if the caller's interrupt hook returned true.
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
    options: GroupOptions,
}

impl<E: Env> EnvFactory for LaneFactory<E> {
    fn spec(&self) -> EnvSpec {
        self.options.extend_spec(self.env.spec())
    }
    fn render_spec(&self) -> RenderSpec {
        self.env.render_spec()
    }
    fn lane_bytes(&self) -> usize {
        size_of::<E::State>() + size_of::<E::Random>() + self.env.heap_bytes() + self.options.lane_bytes(&self.env)
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
        E::SPEC_NEEDS_LOAD && self.options.has_draws() || self.env.is_slow_to_load(store)
    }
    fn load(&mut self, store: &AssetCache) -> Result<()> {
        self.env.load(store)?;
        self.options.load(&self.env, store)
    }
    fn build(self: Box<Self>, spec: &EnvSpec, lanes: Range<usize>, context: &mut CreateContext<'_>) -> Result<GroupLanes> {
        Ok(GroupLanes::Threads(Box::new(ScalarBatchEnv::new(self.env, self.options, spec, lanes, context)?)))
    }
}

struct BlockFactory<K: Kernel> {
    env: ScalarKernel<K>,
    options: GroupOptions,
}

impl<K: Kernel> EnvFactory for BlockFactory<K> {
    fn spec(&self) -> EnvSpec {
        self.options.extend_spec(self.env.spec())
    }
    fn render_spec(&self) -> RenderSpec {
        self.env.render_spec()
    }
    fn lane_bytes(&self) -> usize {
        size_of::<K::Fields<1>>() + size_of::<Generator>() + self.options.lane_bytes(&self.env)
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
        Ok(GroupLanes::Threads(Box::new(SimdBatchEnv::new(self.env, self.options, spec, lanes))))
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

/// Creates the factory of a [`ProcessEnv`].
///
/// # Errors
/// `Value` or `Type` for an option that the environment refuses.
pub fn process_factory<P: ProcessEnv>(options: &Options) -> Result<Box<dyn EnvFactory>> {
    Ok(Box::new(ProcessFactory(P::new(options)?)))
}

/// Creates the factory of an [`Env`].
///
/// # Errors
/// `Value` or `Type` for an option that the environment refuses.
pub fn lane_factory<E: Env>(options: &Options) -> Result<Box<dyn EnvFactory>> {
    let (options, env) = GroupOptions::new::<E>(options)?;
    Ok(Box::new(LaneFactory { env, options }))
}

/// Creates the factory of a [`Kernel`].
///
/// # Errors
/// `Value` or `Type` for an option that the environment refuses.
pub fn block_factory<K: Kernel>(options: &Options) -> Result<Box<dyn EnvFactory>> {
    let (options, env) = GroupOptions::new::<ScalarKernel<K>>(options)?;
    Ok(Box::new(BlockFactory { env, options }))
}

/// Creates the factory of a [`ForeignEnv`].
///
/// # Errors
/// `Value` or `Type` for an option that the environment refuses.
pub fn foreign_factory(options: &Options) -> Result<Box<dyn EnvFactory>> {
    let maker: &ForeignMaker = options.variant().expect("a task of a library");
    let env = (maker.0)(&smallest(options))?;
    let own = GroupOptions::of_library(options, &env.spec())?;
    Ok(Box::new(ForeignFactory { env, own: Some(own), next: Vec::new() }))
}

/// Factory of the lanes of a [`ForeignEnv`].
struct ForeignFactory {
    env: Box<dyn ForeignEnv>,
    /// Options of the first group; `None` once they were taken.
    own: Option<(GroupOptions, EpisodeValues)>,
    /// Options of the following groups, and their number of lanes.
    next: Vec<((GroupOptions, EpisodeValues), usize)>,
}

impl EnvFactory for ForeignFactory {
    fn spec(&self) -> EnvSpec {
        let spec = self.env.spec();
        self.own.as_ref().map_or_else(|| spec.clone(), |(options, _)| options.extend_spec(spec.clone()))
    }
    fn render_spec(&self) -> RenderSpec {
        self.env.render_spec()
    }
    fn lane_bytes(&self) -> usize {
        self.env.properties().lane_bytes
    }
    fn shared_bytes(&self) -> usize {
        self.env.properties().shared_bytes
    }
    fn thread_bytes(&self) -> usize {
        self.env.properties().thread_bytes
    }
    fn spec_needs_load(&self) -> bool {
        false
    }
    fn is_slow_to_load(&self, _store: &AssetCache) -> bool {
        self.env.is_slow_to_load()
    }
    fn load(&mut self, _store: &AssetCache) -> Result<()> {
        self.env.load()
    }
    fn build(self: Box<Self>, _spec: &EnvSpec, lanes: Range<usize>, context: &mut CreateContext<'_>) -> Result<GroupLanes> {
        let first = lanes.len() - self.next.iter().map(|(_, lanes)| lanes).sum::<usize>();
        let groups = self.own.map(|own| (own, first)).into_iter().chain(self.next).collect();
        Ok(GroupLanes::Threads(Box::new(ForeignBatchEnv::new(self.env, groups, lanes, context)?)))
    }
    fn append(&mut self, next: &mut dyn EnvFactory, lanes: usize) -> bool {
        let Some(options) = next.take_library_options() else { return false };
        self.next.push((options, lanes));
        true
    }
    fn take_library_options(&mut self) -> Option<(GroupOptions, EpisodeValues)> {
        self.own.take()
    }
}
