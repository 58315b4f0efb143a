//! Options of the episodes of single lanes: drawn from distributions, set for the next episodes, or queued for one reset.
//!
//! A group of lanes starts with the options that the pool was made with. [`EpisodeOptions`] are these options with some values
//! replaced; lanes with equal options share them, and an environment, unless values are drawn. [`LaneOptions`] has a lane's
//! options of the current and of the next episodes, and its queue of resets. A lane without any of these has no `LaneOptions`.

use std::any::Any;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

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
use crate::exec::per_lane::{LaneMut, LanesGuard, PerLane};

/// An environment of the type that all lanes of a [`LaneOptionTable`] have.
type AnyEnv = Arc<dyn Any + Send + Sync>;

/// Functions of a type of environments that options of episodes need, so that all other code of options is compiled once.
#[derive(Clone, Copy)]
struct EpisodeMaker {
    /// Returns the environment that runs episodes with these options.
    env: fn(&Options, &AssetCache) -> Result<AnyEnv>,
    /// Returns the specification of an environment with these options.
    spec: fn(&Options, &AssetCache) -> Result<EnvSpec>,
}

impl EpisodeMaker {
    fn of<E: Env>() -> Self {
        let env = |options: &Options, store: &AssetCache| {
            let mut env = E::new(options)?;
            env.load(store)?;
            Ok(Arc::new(env) as AnyEnv)
        };
        let spec = |options: &Options, store: &AssetCache| {
            let mut env = E::new(options)?;
            if E::SPEC_NEEDS_LOAD {
                env.load(store)?;
            }
            Ok(env.spec())
        };
        Self { env, spec }
    }

    fn of_library() -> Self {
        let spec = |options: &Options, _: &AssetCache| {
            let maker: &ForeignMaker = options.variant().expect("tasks of libraries have a maker");
            Ok((maker.0)(options)?.spec())
        };
        Self { env: |options, _| Ok(Arc::new(EpisodeValues::new(options))), spec }
    }
}

/// Values of the options that may change from episode to episode, in declaration order, as a shared library gets them: booleans
/// are 0 or 1. One environment of the library runs the episodes with all values.
pub struct EpisodeValues(pub Box<[f64]>);

impl EpisodeValues {
    fn new(options: &Options) -> Self {
        let number = |name| match options.get(name) {
            Value::Bool(flag) => f64::from(u8::from(*flag)),
            Value::Int(integer) => *integer as f64,
            Value::Float(number) => *number,
            other => panic!("option {name:?} is a {}, not a number", other.kind()),
        };
        Self(options.names_per_episode().map(number).collect())
    }
}

/// Options that a group of lanes was made with, and the assets from which environments with other options are loaded.
pub struct GroupOptions {
    options: Options,
    maker: EpisodeMaker,
    /// Options whose values infos report: those that were distributions when the pool was made.
    reported: Vec<&'static str>,
    /// Number of the environment's own infos, which precede the infos of the reported options.
    infos: usize,
    /// Specification of the environments, once values were compared with it.
    spec: OnceLock<EnvSpec>,
    /// Assets that the environments of all episodes share.
    store: AssetCache,
    /// The options of episodes that were made last.
    known: Mutex<VecDeque<Weak<EpisodeOptions>>>,
}

/// Number of options of episodes that a group knows. Lanes with known options share an environment, so that one call steps several
/// of them, although different calls set their options.
const MOST_KNOWN: usize = 16;

/// Options of episodes: those of the group with some values replaced.
pub struct EpisodeOptions {
    /// Replaced values, without those that equal the group's.
    changes: Vec<(&'static str, Value)>,
    options: Options,
    draws: Vec<(&'static str, Distribution)>,
    /// Environment of all episodes; `None` if an option is drawn for each episode.
    env: Option<AnyEnv>,
}

/// Environment and options of one lane's current episode.
pub struct Episode {
    options: Arc<EpisodeOptions>,
    /// Numbers drawn for the distributions, one each, as returned by [`Distribution::draw`].
    numbers: Vec<f64>,
    env: AnyEnv,
    /// Values of the infos of reported options.
    infos: Vec<f64>,
}

/// Options of the episodes of one lane, if they may differ from those of its group.
pub struct LaneOptions {
    /// Options of the next episodes; `None` for the group's.
    next: Option<Arc<EpisodeOptions>>,
    /// Current episode; `None` before the first reset, and if the group's environment runs it.
    current: Option<Episode>,
    queue: VecDeque<ResetOptions>,
}

/// A lane's options, borrowed together with those of its group.
pub struct LaneOptionsMut<'a> {
    pub group: &'a GroupOptions,
    pub lane: &'a mut LaneOptions,
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
        let mut own = Self::unchecked(options, EpisodeMaker::of::<E>());
        let example = E::new(&smallest(options))?;
        if !E::SPEC_NEEDS_LOAD && own.has_draws() {
            own.check_draws(&example.spec())?;
        }
        Ok((own, example))
    }

    /// Returns the options of a group of a shared library's environments, whose specification is `spec`, and their values.
    ///
    /// # Errors
    /// `Value` for a distribution whose values the environment rejects, or whose values change its spaces.
    pub fn of_library(options: &Options, spec: &EnvSpec) -> Result<(Self, EpisodeValues)> {
        let mut own = Self::unchecked(options, EpisodeMaker::of_library());
        if own.has_draws() {
            own.check_draws(spec)?;
        }
        Ok((own, EpisodeValues::new(&smallest(options))))
    }

    fn unchecked(options: &Options, maker: EpisodeMaker) -> Self {
        let reported: Vec<_> = options.distributions().into_iter().map(|(name, _)| name).collect();
        let (spec, store, known) = (OnceLock::new(), AssetCache::default(), Mutex::default());
        Self { options: options.clone(), maker, reported, infos: 0, spec, store, known }
    }

    /// Checks the distributions of the group, whose specification is `spec`, and counts the environment's own infos.
    fn check_draws(&mut self, spec: &EnvSpec) -> Result<()> {
        self.infos = spec.info.len();
        self.compare_extremes(&self.options, spec)
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
            self.check_draws(&example.spec())?;
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
                size_of::<LaneOptions>() + example.shared_bytes() + size_of::<E>() + 2 * self.reported.len() * size_of::<f64>()
            }
            false => 0,
        }
    }

    /// Returns the options that each lane starts with: `None` unless options are drawn.
    fn initial(&self) -> Option<Arc<EpisodeOptions>> {
        let (options, draws) = (self.options.clone(), self.options.distributions());
        self.has_draws().then(|| Arc::new(EpisodeOptions { changes: Vec::new(), options, draws, env: None }))
    }

    /// Returns the options `before` with the values `given`, whose extremes are checked unless they were before (`is_checked`);
    /// `None` if these are the group's own, which are not drawn.
    ///
    /// # Errors
    /// `Value` or `Type` for values that the environment refuses, or that change its spaces, and for options that cannot change.
    fn changed(
        &self,
        before: Option<&EpisodeOptions>,
        given: &[(String, Value)],
        is_checked: bool,
    ) -> Result<Option<Arc<EpisodeOptions>>> {
        let changes = self.merged(before.map_or_else(Vec::new, |before| before.changes.clone()), given)?;
        if changes.is_empty() && !self.has_draws() {
            return Ok(None);
        }
        if let Some(known) = self.known(&changes) {
            return Ok(Some(known));
        }
        let options = self.options.with_values(&changes);
        let draws = options.distributions();
        if !is_checked {
            self.check_extremes(&options)?;
        }
        let env = if draws.is_empty() { Some((self.maker.env)(&options, &self.store)?) } else { None };
        let made = Arc::new(EpisodeOptions { changes, options, draws, env });
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.truncate(MOST_KNOWN - 1);
        known.push_front(Arc::downgrade(&made));
        Ok(Some(made))
    }

    /// Returns the options with these changes, if they are known.
    fn known(&self, changes: &[(&'static str, Value)]) -> Option<Arc<EpisodeOptions>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().filter_map(Weak::upgrade).find(|options| options.changes == changes)
    }

    /// Rejects values that the environment rejects, or that change its spaces: of distributions, the extremes.
    fn check_extremes(&self, options: &Options) -> Result<()> {
        let spec = match self.spec.get() {
            Some(spec) => spec,
            None => {
                let spec = (self.maker.spec)(&smallest(&self.options), &self.store)?;
                self.spec.get_or_init(|| spec)
            }
        };
        self.compare_extremes(options, spec)
    }

    /// Rejects values that the environment rejects, or with which its specification is not `spec`.
    fn compare_extremes(&self, options: &Options, spec: &EnvSpec) -> Result<()> {
        let smallest = smallest(options);
        for (name, value) in options.iter() {
            let draw = match value {
                Value::Distribution(draw) => draw.clone(),
                _ if self.options.find(name) == Some(value) => continue,
                value => Distribution::Choice(vec![value.clone()]),
            };
            for number in draw.extremes() {
                let drawn = draw.value(number).expect("extremes are values");
                if (self.maker.spec)(&smallest.with_values(&[(name, drawn.clone())]), &self.store)? != *spec {
                    let allowed = format_args!("values that leave the spaces as they are, which {drawn} does not").to_string();
                    return Err(Error::value(name, value, allowed));
                }
            }
        }
        Ok(())
    }

    /// Returns changes of the group's options, after those `before`, by the values `given`.
    fn merged(&self, mut before: Vec<(&'static str, Value)>, given: &[(String, Value)]) -> Result<Vec<(&'static str, Value)>> {
        for (name, value) in self.options.convert_changes(given)? {
            before.retain(|(other, _)| *other != name);
            if *self.options.get(name) != value {
                before.push((name, value));
            }
        }
        before.sort_unstable_by_key(|(name, _)| *name);
        Ok(before)
    }
}

/// Returns the options with the smallest value of each distribution. Used for properties that do not depend on the draw.
pub fn smallest(options: &Options) -> Options {
    let first = |draw: &Distribution| draw.value(draw.extremes()[0]).expect("extremes are values");
    options.with_values(&options.distributions().iter().map(|(name, draw)| (*name, first(draw))).collect::<Vec<_>>())
}

impl EpisodeOptions {
    /// Returns the options with `numbers` as the drawn values; `None` if the distributions cannot produce these numbers.
    fn drawn(&self, numbers: &[f64]) -> Option<Options> {
        if numbers.len() != self.draws.len() {
            return None;
        }
        let values = self.draws.iter().zip(numbers).map(|((name, draw), number)| Some((*name, draw.value(*number)?)));
        Some(self.options.with_values(&values.collect::<Option<Vec<(&'static str, Value)>>>()?))
    }

    /// Starts an episode with these options and drawn numbers.
    fn episode(self: &Arc<Self>, group: &GroupOptions, numbers: Vec<f64>) -> Result<Episode> {
        let refused = || Error::Value("options out of range".into());
        let env = match &self.env {
            Some(env) => Arc::clone(env),
            None => (group.maker.env)(&self.drawn(&numbers).ok_or_else(refused)?, &group.store)?,
        };
        let info = |name: &&'static str| match self.draws.iter().position(|(drawn, _)| drawn == name) {
            Some(index) => self.draws[index].1.info_value(numbers[index]),
            None => Distribution::Choice(vec![self.options.get(name).clone()]).info_value(0.0),
        };
        let infos = group.reported.iter().map(info).collect();
        Ok(Episode { options: Arc::clone(self), numbers, env, infos })
    }
}

impl LaneOptions {
    /// Creates the options of a lane whose next episodes have the options `next`.
    fn new(next: Option<Arc<EpisodeOptions>>) -> Self {
        Self { next, current: None, queue: VecDeque::new() }
    }

    /// Returns the environment of the current episode, or the group's, `shared`.
    #[inline(always)]
    pub fn env<'a, E: 'static>(&'a self, shared: &'a E) -> &'a E {
        env_or(self.current.as_ref().map(|episode| &episode.env), shared)
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

/// Returns the environment `own` of an episode, or the group's, `shared`.
///
/// # Panics
/// If they are of different types.
#[inline(always)]
pub fn env_or<'a, E: 'static>(own: Option<&'a AnyEnv>, shared: &'a E) -> &'a E {
    own.map_or(shared, |own| own.downcast_ref().expect("an environment of the group's type"))
}

impl LaneOptionsMut<'_> {
    /// Starts an episode with the lane's options and the values `given` for this episode alone. `draw` draws a value.
    ///
    /// # Errors
    /// `Value` or `Type` for values that the environment refuses together.
    #[cold]
    pub fn begin(&mut self, given: &[(String, Value)], draw: &mut dyn FnMut(&Distribution) -> f64) -> Result<()> {
        let next = match given {
            [] => self.lane.next.clone(),
            given => self.group.changed(self.lane.next.as_deref(), given, true)?, // checked when they were given
        };
        self.lane.current = match next {
            None => None,
            Some(next) => {
                let numbers = next.draws.iter().map(|(_, distribution)| draw(distribution)).collect();
                Some(next.episode(self.group, numbers)?)
            }
        };
        Ok(())
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
    /// Returns the values in force in a lane: those of its current episode or, before its first reset, of its next episodes.
    fn in_force(&self, lane: Option<&LaneOptions>, is_started: bool) -> Options {
        let Some(lane) = lane else { return self.options.clone() };
        match &lane.current {
            Some(episode) => episode.options.drawn(&episode.numbers).unwrap_or_else(|| episode.options.options.clone()),
            None if is_started => self.options.clone(),
            None => lane.next.as_ref().map_or_else(|| self.options.clone(), |next| next.options.clone()),
        }
    }

    /// Returns the data of a lane that snapshots contain; `None` for a lane with the group's options.
    pub fn saved(&self, lane: &LaneOptions) -> SavedLaneOptions {
        let changes = |options: &EpisodeOptions| {
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
}

fn values(saved: Vec<(String, SavedValue)>) -> Vec<(String, Value)> {
    saved.into_iter().map(|(name, value)| (name, value.into())).collect()
}

/// Options of the next episodes of a lane, prepared for it, or for several lanes with the same options.
#[derive(Clone)]
pub struct OptionChange {
    /// Addresses of the lane's group, and of the options that the change starts from; 0 for those of the group.
    origin: (usize, usize),
    values: Arc<[(String, Value)]>,
    /// The prepared options; `None` for those of the group.
    options: Option<Arc<EpisodeOptions>>,
}

/// Options of consecutive lanes that were made with the same options.
pub struct LaneGroupOptions {
    /// Number of the lane after the last one.
    end: usize,
    options: GroupOptions,
    /// Options that each lane starts with, if some are drawn for each episode.
    initial: Option<Arc<EpisodeOptions>>,
}

impl LaneGroupOptions {
    /// Returns the options that a lane starts with, if they may differ from those of the group.
    fn initial_options(&self) -> Option<LaneOptions> {
        self.initial.clone().map(|initial| LaneOptions::new(Some(initial)))
    }

    /// Restores a lane's options from a snapshot.
    ///
    /// # Errors
    /// `Value` if they come from a damaged snapshot and are invalid.
    pub fn restore(&self, saved: Option<SavedLaneOptions>) -> Result<Option<LaneOptions>> {
        let refused = |_| refused_state("its options are out of range");
        let Some(saved) = saved else { return Ok(self.initial_options()) };
        let options = |changes: Vec<(String, SavedValue)>| match changes.is_empty() {
            true => Ok(self.initial.clone()),
            false => self.options.changed(None, &values(changes), false),
        };
        let current = match saved.current {
            None => None,
            Some(SavedEpisode { changes, numbers }) => {
                let options = options(changes).map_err(refused)?.ok_or_else(|| refused_state("its episode has no options"))?;
                Some(options.episode(&self.options, numbers).map_err(refused)?)
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
            self.options.options.convert_changes(reset.values()).map_err(refused)?;
        }
        Ok(Some(LaneOptions { next: options(saved.next).map_err(refused)?, current, queue }))
    }
}

/// Options of the episodes of lanes that run environments of one type, and their queues of resets.
pub struct LaneOptionTable {
    groups: Box<[LaneGroupOptions]>,
    /// Whether any lane may have options of its own. Relaxed accesses suffice, because the synchronization that hands a lane to
    /// another thread also orders accesses to this flag.
    has_own: AtomicBool,
    lanes: PerLane<Option<Box<LaneOptions>>>,
}

impl LaneOptionTable {
    /// Creates the table of the lanes `lanes`, with the options of each group of lanes and their number.
    pub fn new(groups: impl IntoIterator<Item = (GroupOptions, usize)>, lanes: Range<usize>) -> Self {
        let mut end = lanes.start;
        let group = |(options, lanes): (GroupOptions, usize)| {
            end += lanes;
            LaneGroupOptions { end, initial: options.initial(), options }
        };
        let groups: Box<[_]> = groups.into_iter().map(group).collect();
        let lanes = PerLane::new(lanes, |lane| group_of(&groups, lane).initial_options().map(Box::new));
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
    #[inline]
    pub fn own<'a>(&'a self, lane: LaneMut<'a>) -> Option<LaneOptionsMut<'a>> {
        if !self.has_own() {
            return None;
        }
        let number = lane.number();
        self.lanes.get_mut(lane).as_deref_mut().map(|lane| LaneOptionsMut { group: self.group_options(number), lane })
    }

    /// Borrows the lane's element of `storage`, and its own options, if it has any.
    #[inline(always)]
    pub fn own_and<'a, T>(&'a self, storage: &'a PerLane<T>, lane: LaneMut<'a>) -> (&'a mut T, Option<LaneOptionsMut<'a>>) {
        if !self.has_own() {
            return (storage.get_mut(lane), None);
        }
        let number = lane.number();
        let (element, own) = storage.get_mut_both(&self.lanes, lane);
        (element, own.as_deref_mut().map(|lane| LaneOptionsMut { group: self.group_options(number), lane }))
    }

    /// Borrows the lane's elements of two storages, and its own options, if it has any.
    #[inline(always)]
    pub fn own_and_both<'a, T, U>(
        &'a self,
        (first, second): (&'a PerLane<T>, &'a PerLane<U>),
        lane: LaneMut<'a>,
    ) -> (&'a mut T, &'a mut U, Option<LaneOptionsMut<'a>>) {
        let number = lane.number();
        if !self.has_own() {
            let (one, other) = first.get_mut_both(second, lane);
            return (one, other, None);
        }
        let (one, other, own) = first.get_mut_three((second, &self.lanes), lane);
        (one, other, own.as_deref_mut().map(|lane| LaneOptionsMut { group: self.group_options(number), lane }))
    }

    /// Restores a lane from a snapshot: `load` gets the options of the lane's group, and returns the lane's own options.
    ///
    /// # Errors
    /// `Value` if the bytes are not a state of this environment; the lane is then unchanged.
    pub fn load(
        &self,
        mut lane: LaneMut<'_>,
        load: impl FnOnce(LaneMut<'_>, &LaneGroupOptions) -> Result<Option<LaneOptions>>,
    ) -> Result<()> {
        let group = group_of(&self.groups, lane.number());
        let restored = load(lane.reborrow(), group)?;
        self.has_own.fetch_or(restored.is_some(), Ordering::Relaxed);
        *self.lanes.get_mut(lane) = restored.map(Box::new);
        Ok(())
    }

    /// Returns the environment of the current episodes of all items, `Some(None)` for the group's; `None` if they differ.
    #[expect(clippy::option_option, reason = "the outer one is the answer, the inner one is a lane's environment")]
    pub fn common_env(&self, lanes: &mut LanesGuard<'_>, items: Range<usize>) -> Option<Option<AnyEnv>> {
        let address = |env: Option<&AnyEnv>| env.map(|env| Arc::as_ptr(env).addr());
        let first = self.own_env(lanes.lane(items.start)).cloned();
        let is_like = |index| address(self.own_env(lanes.lane(index))) == address(first.as_ref());
        (items.start + 1..items.end).all(is_like).then_some(first.clone())
    }

    /// Returns the environment of the lane's current episode; `None` if the group's environment runs it.
    fn own_env<'a>(&'a self, lane: LaneMut<'a>) -> Option<&'a AnyEnv> {
        self.lanes.get_mut(lane).as_ref()?.current.as_ref().map(|episode| &episode.env)
    }

    /// Takes the options of all lanes out of the table.
    pub fn take_all(&mut self) -> impl Iterator<Item = Option<Box<LaneOptions>>> + use<> {
        self.lanes.take_all()
    }

    /// Returns the options of the lane's group.
    fn group_options(&self, lane: usize) -> &GroupOptions {
        &group_of(&self.groups, lane).options
    }

    /// Returns the lane's own options, which are created if it has none.
    fn own_options<'a>(&'a self, lane: LaneMut<'a>) -> &'a mut LaneOptions {
        self.has_own.store(true, Ordering::Relaxed);
        self.lanes.get_mut(lane).get_or_insert_with(|| Box::new(LaneOptions::new(None)))
    }

    /// Prepares the options of a lane's next episodes: its options with the values `values`. `previous` is the last change that was
    /// prepared, which lanes with the same options share.
    ///
    /// # Errors
    /// `Value` or `Type` for values that the environment refuses, or that change its spaces, and for options that cannot change.
    pub fn change_options(
        &self,
        lane: LaneMut<'_>,
        values: &Arc<[(String, Value)]>,
        previous: Option<&OptionChange>,
    ) -> Result<OptionChange> {
        let group = self.group_options(lane.number());
        let before = self.own_options(lane).next.as_ref();
        let origin = (std::ptr::from_ref(group).addr(), before.map_or(0, |next| Arc::as_ptr(next).addr()));
        match previous.filter(|previous| previous.origin == origin && previous.values == *values) {
            Some(previous) => Ok(previous.clone()),
            None => {
                let options = group.changed(before.map(|next| &**next), values, false)?;
                Ok(OptionChange { origin, values: Arc::clone(values), options })
            }
        }
    }

    /// Sets the options of a lane's next episodes, which [`Self::change_options`] prepared for the lane.
    pub fn set_options(&self, lane: LaneMut<'_>, change: &OptionChange) {
        self.own_options(lane).next.clone_from(&change.options);
    }

    /// Returns the values in force in a lane. `is_started`: whether the lane was reset.
    pub fn options(&self, lane: LaneMut<'_>, is_started: bool) -> Options {
        self.group_options(lane.number()).in_force(self.lanes.get_mut(lane).as_deref(), is_started)
    }

    /// Appends a reset, whose options were checked, to a lane's queue.
    pub fn queue_reset(&self, lane: LaneMut<'_>, reset: ResetOptions) {
        self.own_options(lane).queue.push_back(reset);
    }

    /// Returns the number of resets in a lane's queue.
    pub fn queued_resets(&self, lane: LaneMut<'_>) -> usize {
        self.lanes.get_mut(lane).as_ref().map_or(0, |own| own.queue.len())
    }

    /// Removes all resets from a lane's queue.
    pub fn clear_queue(&self, lane: LaneMut<'_>) {
        if let Some(own) = self.lanes.get_mut(lane) {
            own.queue.clear();
        }
    }
}

/// Returns the group of a lane.
#[inline]
fn group_of(groups: &[LaneGroupOptions], lane: usize) -> &LaneGroupOptions {
    match groups {
        [group] => group,
        groups => &groups[groups.partition_point(|group| group.end <= lane)],
    }
}
