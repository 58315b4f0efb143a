//! Options of the episodes of single lanes: drawn from distributions, set for the next episodes, or queued for one reset.
//!
//! A group of lanes starts with the options that the pool was made with. [`EpisodeOptions`] are these options with some values
//! replaced; lanes with equal options share them, and an environment, unless values are drawn. [`LaneOptions`] has a lane's
//! options of the current and of the next episodes, and its queue of resets. A lane without any of these has no `LaneOptions`.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::contract::asset_cache::AssetCache;
use crate::contract::env::Env;
use crate::contract::error::{Error, Result};
use crate::contract::foreign::ForeignMaker;
use crate::contract::options::{Options, ResetOptions};
use crate::contract::row::Row;
use crate::contract::space::Dtype;
use crate::contract::spec::{EnvSpec, InfoSpec};
use crate::contract::state::refused_state;
use crate::contract::value::{Distribution, SavedValue, Value};
use crate::exec::batch_env::{LaneOptionTable, OptionChange};
use crate::exec::lane_ref::LaneRef;
use crate::exec::per_lane::{LaneId, LaneMut, PerLane};
use envpool_rs_numeric::random::RandomStream;

/// An environment, as far as the options of its episodes concern it.
pub trait EpisodeEnv: Sized + Send + Sync + 'static {
    /// Random stream of a lane.
    type Stream: RandomStream;

    /// Returns the environment that runs episodes with these options.
    ///
    /// # Errors
    /// `Value` or `Type` for values that the environment refuses.
    fn for_episode(options: &Options, store: &AssetCache) -> Result<Self>;

    /// Returns the specification of an environment with these options.
    ///
    /// # Errors
    /// `Value` or `Type` for values that the environment refuses.
    fn spec_with(options: &Options, store: &AssetCache) -> Result<EnvSpec>;
}

impl<E: Env> EpisodeEnv for E {
    type Stream = E::Random;

    fn for_episode(options: &Options, store: &AssetCache) -> Result<Self> {
        let mut env = E::new(options)?;
        env.load(store)?;
        Ok(env)
    }

    fn spec_with(options: &Options, store: &AssetCache) -> Result<EnvSpec> {
        let mut env = E::new(options)?;
        if E::SPEC_NEEDS_LOAD {
            env.load(store)?;
        }
        Ok(env.spec())
    }
}

/// Values of the options that may change from episode to episode, in declaration order, as a shared library gets them: booleans
/// are 0 or 1. One environment of the library runs the episodes with all values.
pub struct EpisodeValues(pub Box<[f64]>);

impl EpisodeEnv for EpisodeValues {
    type Stream = LibraryStream;

    fn for_episode(options: &Options, _store: &AssetCache) -> Result<Self> {
        let number = |name| match options.get(name) {
            Value::Bool(flag) => f64::from(u8::from(*flag)),
            Value::Int(integer) => *integer as f64,
            Value::Float(number) => *number,
            other => panic!("option {name:?} is a {}, not a number", other.kind()),
        };
        Ok(Self(options.names_per_episode().map(number).collect()))
    }

    fn spec_with(options: &Options, _store: &AssetCache) -> Result<EnvSpec> {
        let maker: &ForeignMaker = options.variant().expect("tasks of libraries have a maker");
        Ok((maker.0)(options)?.spec())
    }
}

/// Stands for the random stream of a lane, which a shared library's environment stores itself.
#[derive(Serialize, Deserialize)]
pub struct LibraryStream;

impl RandomStream for LibraryStream {
    fn from_seed(_seed: u64) -> Self {
        Self
    }

    fn float_between(&mut self, _low: f64, _high: f64) -> f64 {
        unreachable!("the environment's stream draws")
    }

    fn integer_between(&mut self, _low: i64, _high: i64) -> i64 {
        unreachable!("the environment's stream draws")
    }
}

/// Options that a group of lanes was made with, and the assets from which environments with other options are loaded.
pub struct GroupOptions {
    options: Options,
    /// Options whose values infos report: those that were distributions when the pool was made.
    reported: Vec<&'static str>,
    /// Number of the environment's own infos, which precede the infos of the reported options.
    infos: usize,
    /// Specification of the environments, once values were compared with it.
    spec: OnceLock<EnvSpec>,
    /// Assets that the environments of all episodes share.
    store: AssetCache,
}

/// Options of episodes: those of the group with some values replaced.
pub struct EpisodeOptions<E> {
    /// Replaced values, without those that equal the group's.
    changes: Vec<(&'static str, Value)>,
    options: Options,
    draws: Vec<(&'static str, Distribution)>,
    /// Environment of all episodes; `None` if an option is drawn for each episode.
    env: Option<Arc<E>>,
}

/// Environment and options of one lane's current episode.
pub struct Episode<E> {
    options: Arc<EpisodeOptions<E>>,
    /// Numbers drawn for the distributions, one each, as returned by [`Distribution::draw`].
    numbers: Vec<f64>,
    env: Arc<E>,
    /// Values of the infos of reported options.
    infos: Vec<f64>,
}

/// Options of the episodes of one lane, if they may differ from those of its group.
pub struct LaneOptions<E> {
    /// Options of the next episodes; `None` for the group's.
    next: Option<Arc<EpisodeOptions<E>>>,
    /// Current episode; `None` before the first reset, and if the group's environment runs it.
    current: Option<Episode<E>>,
    queue: VecDeque<ResetOptions>,
}

/// A lane's options, borrowed together with those of its group.
pub struct LaneOptionsMut<'a, E> {
    pub group: &'a GroupOptions,
    pub lane: &'a mut LaneOptions<E>,
}

/// Options of a lane in a snapshot.
#[derive(Serialize, Deserialize)]
pub struct SavedLaneOptions {
    next: Vec<(String, SavedValue)>,
    current: Option<SavedEpisode>,
    queue: Vec<SavedReset>,
}

#[derive(Serialize, Deserialize)]
struct SavedEpisode {
    changes: Vec<(String, SavedValue)>,
    numbers: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
struct SavedReset {
    seed: Option<u64>,
    numbers: Vec<(String, f64)>,
    values: Vec<(String, SavedValue)>,
}

impl GroupOptions {
    /// Returns the options of a group, and its environment: an example with the smallest value of each distribution.
    ///
    /// # Errors
    /// `Value` for a distribution whose values the environment rejects, or whose values change its spaces.
    pub fn new<E: Env>(options: &Options) -> Result<(Self, E)> {
        let mut own = Self::unchecked(options);
        let example = E::new(&smallest(options))?;
        if !E::SPEC_NEEDS_LOAD && own.has_draws() {
            own.check_draws::<E>(&example.spec())?;
        }
        Ok((own, example))
    }

    /// Returns the options of a group of a shared library's environments, whose specification is `spec`, and their values.
    ///
    /// # Errors
    /// `Value` for a distribution whose values the environment rejects, or whose values change its spaces.
    pub fn of_library(options: &Options, spec: &EnvSpec) -> Result<(Self, EpisodeValues)> {
        let mut own = Self::unchecked(options);
        if own.has_draws() {
            own.check_draws::<EpisodeValues>(spec)?;
        }
        let values = EpisodeValues::for_episode(&smallest(options), &own.store)?;
        Ok((own, values))
    }

    fn unchecked(options: &Options) -> Self {
        let reported: Vec<_> = options.distributions().into_iter().map(|(name, _)| name).collect();
        Self { options: options.clone(), reported, infos: 0, spec: OnceLock::new(), store: AssetCache::default() }
    }

    /// Checks the distributions of the group, whose specification is `spec`, and counts the environment's own infos.
    fn check_draws<E: EpisodeEnv>(&mut self, spec: &EnvSpec) -> Result<()> {
        self.infos = spec.info.len();
        self.compare_extremes(&self.options, spec, &|options| E::spec_with(options, &self.store))
    }

    /// Returns whether options are drawn for each episode.
    pub fn has_draws(&self) -> bool {
        !self.reported.is_empty()
    }

    /// Sets the assets from which further environments are loaded. `example` was loaded from the same assets.
    ///
    /// # Errors
    /// `Value` for a distribution whose values the environment rejects, or whose values change its spaces.
    pub fn load<E: Env>(&mut self, example: &E, store: &AssetCache) -> Result<()> {
        self.store = store.clone();
        if E::SPEC_NEEDS_LOAD && self.has_draws() {
            self.check_draws::<E>(&example.spec())?;
        }
        Ok(())
    }

    /// Returns `spec` with an additional info for each distribution.
    pub fn extend_spec(&self, mut spec: EnvSpec) -> EnvSpec {
        let dtype = |draw: &Distribution| if draw.is_float() { Dtype::F64 } else { Dtype::I64 };
        spec.info.extend(self.options.distributions().iter().map(|(name, draw)| InfoSpec::new(name, dtype(draw), &[])));
        spec
    }

    /// Returns the bytes that a lane needs for its own environment, in addition to the lane's state.
    pub fn lane_bytes<E: Env>(&self, example: &E) -> usize {
        match self.has_draws() {
            true => {
                size_of::<LaneOptions<E>>() + example.shared_bytes() + size_of::<E>() + 2 * self.reported.len() * size_of::<f64>()
            }
            false => 0,
        }
    }

    /// Returns the options that each lane starts with: `None` unless options are drawn.
    pub fn initial<E>(&self) -> Option<Arc<EpisodeOptions<E>>> {
        let (options, draws) = (self.options.clone(), self.options.distributions());
        self.has_draws().then(|| Arc::new(EpisodeOptions { changes: Vec::new(), options, draws, env: None }))
    }

    /// Returns the options `before` with the values `given`, which `check` checks together with the others; `None` if these are the
    /// group's own, which are not drawn.
    ///
    /// # Errors
    /// `Value` or `Type` for values that the environment refuses, and for options that cannot change; the error of `check`.
    fn changed<E: EpisodeEnv>(
        &self,
        before: Option<&EpisodeOptions<E>>,
        given: &[(String, Value)],
        check: &dyn Fn(&Options) -> Result<()>,
    ) -> Result<Option<Arc<EpisodeOptions<E>>>> {
        let changes = self.merged(before.map_or_else(Vec::new, |before| before.changes.clone()), given)?;
        if changes.is_empty() && !self.has_draws() {
            return Ok(None);
        }
        let options = self.options.with_values(&changes);
        let draws = options.distributions();
        check(&options)?;
        let env = if draws.is_empty() { Some(Arc::new(E::for_episode(&options, &self.store)?)) } else { None };
        Ok(Some(Arc::new(EpisodeOptions { changes, options, draws, env })))
    }

    /// Rejects values that the environment rejects, or that change its spaces: of distributions, the extremes.
    fn check_extremes<E: EpisodeEnv>(&self, options: &Options) -> Result<()> {
        let spec_of = |options: &Options| E::spec_with(options, &self.store);
        let spec = match self.spec.get() {
            Some(spec) => spec,
            None => {
                let spec = spec_of(&smallest(&self.options))?;
                self.spec.get_or_init(|| spec)
            }
        };
        self.compare_extremes(options, spec, &spec_of)
    }

    /// Rejects values with which `spec_of` fails, or returns another specification than `spec`. Compiled once.
    fn compare_extremes(&self, options: &Options, spec: &EnvSpec, spec_of: &dyn Fn(&Options) -> Result<EnvSpec>) -> Result<()> {
        let smallest = smallest(options);
        for (name, value) in options.iter() {
            let draw = match value {
                Value::Distribution(draw) => draw.clone(),
                _ if self.options.find(name) == Some(value) => continue,
                value => Distribution::Choice(vec![value.clone()]),
            };
            for number in draw.extremes() {
                let drawn = draw.value(number).expect("extremes are values");
                if spec_of(&smallest.with_values(&[(name, drawn.clone())]))? != *spec {
                    let allowed = format_args!("values that leave the spaces as they are, which {drawn} does not").to_string();
                    return Err(Error::value(name, value, allowed));
                }
            }
        }
        Ok(())
    }

    /// Returns changes of the group's options, after those `before`, by the values `given`. Compiled once.
    fn merged(&self, mut before: Vec<(&'static str, Value)>, given: &[(String, Value)]) -> Result<Vec<(&'static str, Value)>> {
        for (name, value) in self.options.convert_changes(given)? {
            before.retain(|(other, _)| *other != name);
            if *self.options.get(name) != value {
                before.push((name, value));
            }
        }
        Ok(before)
    }
}

/// Returns the options with the smallest value of each distribution. Used for properties that do not depend on the draw.
pub fn smallest(options: &Options) -> Options {
    let first = |draw: &Distribution| draw.value(draw.extremes()[0]).expect("extremes are values");
    options.with_values(&options.distributions().iter().map(|(name, draw)| (*name, first(draw))).collect::<Vec<_>>())
}

impl<E: EpisodeEnv> EpisodeOptions<E> {
    /// Returns the options with `numbers` as the drawn values; `None` if the distributions cannot produce these numbers.
    fn drawn(&self, numbers: &[f64]) -> Option<Options> {
        if numbers.len() != self.draws.len() {
            return None;
        }
        let values = self.draws.iter().zip(numbers).map(|((name, draw), number)| Some((*name, draw.value(*number)?)));
        Some(self.options.with_values(&values.collect::<Option<Vec<(&'static str, Value)>>>()?))
    }

    /// Starts an episode with these options and drawn numbers.
    fn episode(self: &Arc<Self>, group: &GroupOptions, numbers: Vec<f64>) -> Result<Episode<E>> {
        let refused = || Error::Value("options out of range".into());
        let env = match &self.env {
            Some(env) => Arc::clone(env),
            None => Arc::new(E::for_episode(&self.drawn(&numbers).ok_or_else(refused)?, &group.store)?),
        };
        let info = |name: &&'static str| match self.draws.iter().position(|(drawn, _)| drawn == name) {
            Some(index) => self.draws[index].1.info_value(numbers[index]),
            None => Distribution::Choice(vec![self.options.get(name).clone()]).info_value(0.0),
        };
        let infos = group.reported.iter().map(info).collect();
        Ok(Episode { options: Arc::clone(self), numbers, env, infos })
    }
}

impl<E> LaneOptions<E> {
    /// Creates the options of a lane whose next episodes have the options `next`.
    pub fn new(next: Option<Arc<EpisodeOptions<E>>>) -> Self {
        Self { next, current: None, queue: VecDeque::new() }
    }

    /// Returns the environment of the current episode, or the group's.
    #[inline(always)]
    pub fn env<'a>(&'a self, example: &'a E) -> &'a E {
        self.current.as_ref().map_or(example, |episode| &*episode.env)
    }

    /// Returns the options of the next episodes.
    pub fn next(&self) -> Option<&Arc<EpisodeOptions<E>>> {
        self.next.as_ref()
    }

    /// Takes the next reset out of the queue.
    pub fn take_queued(&mut self) -> Option<ResetOptions> {
        self.queue.pop_front()
    }

    /// Ends the current episode, for a lane that is recreated. The lane's options and queue stay.
    pub fn end_episode(&mut self) {
        self.current = None;
    }
}

impl<E: EpisodeEnv> LaneOptionsMut<'_, E> {
    /// Starts an episode with the lane's options and the values `given` for this episode alone: draws options, and returns the
    /// episode's environment. `shared` is the group's environment.
    ///
    /// # Errors
    /// `Value` or `Type` for values that the environment refuses together.
    #[cold]
    pub fn begin<'a>(&'a mut self, given: &[(String, Value)], shared: &'a E, random: &mut impl RandomStream) -> Result<&'a E> {
        let next = match given {
            [] => self.lane.next.clone(),
            given => self.group.changed(self.lane.next.as_deref(), given, &|_| Ok(()))?, // checked when they were given
        };
        self.lane.current = match next {
            None => None,
            Some(next) => {
                let numbers = next.draws.iter().map(|(_, draw)| draw.draw(random)).collect();
                Some(next.episode(self.group, numbers)?)
            }
        };
        Ok(self.lane.env(shared))
    }

    /// Writes the values of the current episode's reported options as infos, after the environment's own infos.
    pub fn info(&self, out: &mut Row<'_>) {
        for index in 0..self.group.reported.len() {
            // A forged snapshot may mark an environment that was never reset as running. Its lane has no episode.
            let value = self.lane.current.as_ref().map_or(0.0, |episode| episode.infos[index]);
            out.scalar(self.group.infos + index, value);
        }
    }
}

impl GroupOptions {
    /// Returns the options of a lane's next episodes with the values `given`.
    ///
    /// # Errors
    /// `Value` or `Type` for values that the environment refuses, or that change its spaces, and for options that cannot change.
    fn next_options<E: EpisodeEnv>(
        &self,
        lane: &LaneOptions<E>,
        given: &[(String, Value)],
    ) -> Result<Option<Arc<EpisodeOptions<E>>>> {
        self.changed(lane.next.as_deref(), given, &|options| self.check_extremes::<E>(options))
    }

    /// Returns the values in force in a lane: those of its current episode or, before its first reset, of its next episodes.
    fn in_force<E: EpisodeEnv>(&self, lane: Option<&LaneOptions<E>>, is_started: bool) -> Options {
        let Some(lane) = lane else { return self.options.clone() };
        match &lane.current {
            Some(episode) => episode.options.drawn(&episode.numbers).unwrap_or_else(|| episode.options.options.clone()),
            None if is_started => self.options.clone(),
            None => lane.next.as_ref().map_or_else(|| self.options.clone(), |next| next.options.clone()),
        }
    }

    /// Returns the data of a lane that snapshots contain; `None` for a lane with the group's options.
    pub fn saved<E>(&self, lane: &LaneOptions<E>) -> SavedLaneOptions {
        let changes = |options: &EpisodeOptions<E>| {
            options.changes.iter().map(|(name, value)| ((*name).to_owned(), SavedValue::from(value))).collect()
        };
        let queued = |reset: &ResetOptions| SavedReset {
            seed: reset.seed(),
            numbers: reset.iter().map(|(name, number)| (name.to_owned(), number)).collect(),
            values: reset.values().iter().map(|(name, value)| (name.clone(), SavedValue::from(value))).collect(),
        };
        SavedLaneOptions {
            next: lane.next.as_deref().map_or_else(Vec::new, changes),
            current: lane
                .current
                .as_ref()
                .map(|episode| SavedEpisode { changes: changes(&episode.options), numbers: episode.numbers.clone() }),
            queue: lane.queue.iter().map(queued).collect(),
        }
    }

    /// Restores a lane's options from a snapshot.
    ///
    /// # Errors
    /// `Value` if they come from a damaged snapshot and are invalid.
    pub fn restore<E: EpisodeEnv>(
        &self,
        saved: Option<SavedLaneOptions>,
        initial: Option<&Arc<EpisodeOptions<E>>>,
    ) -> Result<Option<LaneOptions<E>>> {
        let refused = |_| refused_state("its options are out of range");
        let Some(saved) = saved else { return Ok(initial.map(|initial| LaneOptions::new(Some(Arc::clone(initial))))) };
        let options = |changes: Vec<(String, SavedValue)>| match changes.is_empty() {
            true => Ok(initial.cloned()),
            false => self.changed(None, &values(changes), &|options| self.check_extremes::<E>(options)),
        };
        let current = match saved.current {
            None => None,
            Some(SavedEpisode { changes, numbers }) => {
                let options = options(changes).map_err(refused)?.ok_or_else(|| refused_state("its episode has no options"))?;
                Some(options.episode(self, numbers).map_err(refused)?)
            }
        };
        let queued = |reset: SavedReset| {
            let restored = ResetOptions::new(reset.numbers).with_values(values(reset.values));
            match reset.seed {
                Some(seed) => restored.with_seed(seed),
                None => restored,
            }
        };
        let queue: VecDeque<_> = saved.queue.into_iter().map(queued).collect();
        for reset in &queue {
            self.options.convert_changes(reset.values()).map_err(refused)?;
        }
        Ok(Some(LaneOptions { next: options(saved.next).map_err(refused)?, current, queue }))
    }
}

fn values(saved: Vec<(String, SavedValue)>) -> Vec<(String, Value)> {
    saved.into_iter().map(|(name, value)| (name, value.into())).collect()
}

/// Random stream of a lane and, if it has any, the lane's own options.
pub struct LaneDraws<E: EpisodeEnv> {
    pub random: E::Stream,
    pub own: Option<Box<LaneOptions<E>>>,
}

/// Options of consecutive lanes that were made with the same options.
struct LaneGroupOptions<E> {
    /// Number of the lane after the last one.
    end: usize,
    options: GroupOptions,
    /// Options that each lane starts with, if some are drawn for each episode.
    initial: Option<Arc<EpisodeOptions<E>>>,
}

/// Random streams and options of the lanes of an environment.
pub struct LaneDrawsTable<E: EpisodeEnv> {
    groups: Box<[LaneGroupOptions<E>]>,
    /// Whether any lane may have options of its own. Relaxed accesses suffice, because the synchronization that hands a lane to
    /// another thread also orders accesses to this flag.
    has_own: AtomicBool,
    pub lanes: PerLane<LaneDraws<E>>,
}

impl<E: EpisodeEnv> LaneDrawsTable<E> {
    /// Creates the table of the lanes `lanes`, which must be seeded, with the options of each group of lanes and their number.
    pub fn new(groups: impl IntoIterator<Item = (GroupOptions, usize)>, lanes: Range<usize>) -> Self {
        let mut end = lanes.start;
        let group = |(options, lanes): (GroupOptions, usize)| {
            end += lanes;
            LaneGroupOptions { end, initial: options.initial(), options }
        };
        let groups: Box<[_]> = groups.into_iter().map(group).collect();
        let own = |lane| {
            let initial = group_of(&groups, lane).initial.as_ref();
            initial.map(|initial| Box::new(LaneOptions::new(Some(Arc::clone(initial)))))
        };
        let lanes = PerLane::new(lanes, |lane| LaneDraws { random: E::Stream::from_seed(0), own: own(lane) });
        Self { has_own: AtomicBool::new(groups.iter().any(|group| group.initial.is_some())), lanes, groups }
    }

    /// Returns whether any lane may have options of its own.
    #[inline(always)]
    pub fn has_own(&self) -> bool {
        self.has_own.load(Ordering::Relaxed)
    }

    /// Returns whether infos report options.
    pub fn has_infos(&self) -> bool {
        self.groups[0].options.has_draws()
    }

    /// Borrows the lane's own options, if it has any.
    #[inline(always)]
    pub fn own<'a>(&'a self, lane: usize, own: &'a mut Option<Box<LaneOptions<E>>>) -> Option<LaneOptionsMut<'a, E>> {
        let own = if self.has_own() { own.as_deref_mut() } else { None };
        own.map(|own| LaneOptionsMut { group: &group_of(&self.groups, lane).options, lane: own })
    }

    /// Restores a lane from a snapshot: `load` gets the options of the lane's group, and returns the lane's own options.
    ///
    /// # Errors
    /// `Value` if the bytes are not a state of this environment; the lane is then unchanged.
    pub fn load(
        &self,
        mut lane: LaneMut<'_>,
        load: impl FnOnce(LaneMut<'_>, &GroupOptions, Option<&Arc<EpisodeOptions<E>>>) -> Result<Option<LaneOptions<E>>>,
    ) -> Result<()> {
        let group = group_of(&self.groups, lane.number());
        let restored = load(lane.reborrow(), &group.options, group.initial.as_ref())?;
        self.has_own.fetch_or(restored.is_some(), Ordering::Relaxed);
        self.lanes.get_mut(lane).own = restored.map(Box::new);
        Ok(())
    }

    /// Returns the lane's own options, which are created if it has none.
    fn own_options<'a>(&'a self, lane: LaneMut<'a>) -> &'a mut LaneOptions<E> {
        self.has_own.store(true, Ordering::Relaxed);
        self.lanes.get_mut(lane).own.get_or_insert_with(|| Box::new(LaneOptions::new(None)))
    }
}

impl<E: EpisodeEnv> LaneOptionTable for LaneDrawsTable<E> {
    fn change_options(
        &self,
        lane: LaneMut<'_>,
        values: &Arc<[(String, Value)]>,
        previous: Option<&OptionChange>,
    ) -> Result<OptionChange> {
        let group = &group_of(&self.groups, lane.number()).options;
        let own = self.own_options(lane);
        OptionChange::new(group, own, values, previous, || group.next_options(own, values))
    }

    fn set_options(&self, lane: LaneMut<'_>, change: &OptionChange) {
        self.own_options(lane).next = change.options();
    }

    fn options(&self, lane: LaneMut<'_>, is_started: bool) -> Options {
        let group = &group_of(&self.groups, lane.number()).options;
        group.in_force(self.lanes.get_mut(lane).own.as_deref(), is_started)
    }

    fn queue_reset(&self, lane: LaneMut<'_>, reset: ResetOptions) {
        self.own_options(lane).queue.push_back(reset);
    }

    fn queued_resets(&self, lane: LaneMut<'_>) -> usize {
        self.lanes.get_mut(lane).own.as_ref().map_or(0, |own| own.queue.len())
    }

    fn clear_queue(&self, lane: LaneMut<'_>) {
        if let Some(own) = &mut self.lanes.get_mut(lane).own {
            own.queue.clear();
        }
    }
}

impl<E: Env> LaneDrawsTable<E> {
    /// Returns the lane whose data are `draws`, with its environment `env`, the group's, and its state.
    #[inline(always)]
    pub fn lane_ref<'a>(
        &'a self,
        env: &'a E,
        lane: LaneId<'a>,
        draws: &'a mut LaneDraws<E>,
        state: &'a mut E::State,
    ) -> LaneRef<'a, E> {
        LaneRef { env, own: self.own(lane.number(), &mut draws.own), lane, state, random: &mut draws.random }
    }
}

/// Returns the group of a lane.
#[inline]
fn group_of<E>(groups: &[LaneGroupOptions<E>], lane: usize) -> &LaneGroupOptions<E> {
    match groups {
        [group] => group,
        groups => &groups[groups.partition_point(|group| group.end <= lane)],
    }
}

impl<E: EpisodeEnv> LaneDraws<E> {
    /// Returns the environment of the lane's current episode; `shared` is the group's.
    pub fn env<'a>(&'a self, shared: &'a E) -> &'a E {
        self.own.as_deref().map_or(shared, |own| own.env(shared))
    }

    /// Returns the environment of the lane's current episode; `None` if the group's environment runs it.
    pub fn own_env(&self) -> Option<&Arc<E>> {
        self.own.as_ref()?.current.as_ref().map(|episode| &episode.env)
    }
}
