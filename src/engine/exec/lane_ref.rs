//! Runs one item of a request in the item's lane, and writes the item's row.

use std::borrow::Cow;

use crate::contract::env::{Env, EpisodeEnd, LaneState};
use crate::contract::error::Result;
use crate::contract::options::ResetOptions;
use crate::contract::row::Row;
use crate::contract::state::{read_value, refused_state, write_value};
use crate::contract::value::Value;
use crate::exec::chunk::{Chunk, RowReservation};
use crate::exec::episode_tracker::{ItemKind, ItemOutcome};
use crate::exec::lane_options::{LaneGroupOptions, LaneOptions, LaneOptionsMut, SavedLaneOptions};
use crate::exec::per_lane::LaneId;
use crate::exec::request_kind::RequestKind;
use crate::results::row_slot::{RowSlot, Transition};
use envpool_rs_numeric::random::RandomStream;

/// One lane of an environment, borrowed by the thread that runs it.
pub struct LaneRef<'a, E: Env> {
    /// Environment that all lanes of the group share, except for episodes with other options.
    pub env: &'a E,
    /// The lane's own options and environment; `None` for a lane that has only those of its group.
    pub own: Option<LaneOptionsMut<'a>>,
    pub lane: LaneId<'a>,
    pub state: &'a mut E::State,
    pub random: &'a mut E::Random,
}

/// Returns the environment of a lane's current episode: the lane's own environment, if it has one, else the shared `env`.
#[inline(always)]
fn current<'a, E: Env>(env: &'a E, own: &'a Option<LaneOptionsMut<'_>>) -> &'a E {
    match own {
        None => env,
        Some(own) => own.lane.env(env),
    }
}

/// Starts an episode with the values `values` for this episode alone, and returns its environment.
#[inline]
fn begin_episode<'a, E: Env>(
    env: &'a E,
    own: &'a mut Option<LaneOptionsMut<'_>>,
    values: &[(String, Value)],
    random: &mut E::Random,
) -> &'a E {
    if let Some(own) = own {
        own.begin(values, &mut |distribution| distribution.draw(random)).unwrap_or_else(|error| error.raise());
    }
    current(env, own)
}

impl<E: Env> LaneRef<'_, E> {
    /// Returns the environment of the lane's current episode.
    #[inline(always)]
    pub fn env(&self) -> &E {
        current(self.env, &self.own)
    }

    /// Runs the due operation of this lane's item, number `index` of `work`, and writes the lane's row.
    #[inline(always)]
    pub fn run_item(&mut self, work: &Chunk<'_>, rows: &mut RowReservation<'_>, index: usize, rewards: &mut [f64]) {
        rewards.fill(0.0);
        let transition = match work.episodes().classify(work.kind, index, self.lane) {
            due @ ItemKind::Step { .. } => self.execute(due, work, index, rewards),
            due => {
                let (elapsed, did_act) = self.reborrow().execute_cold(due, work, index, rewards);
                Transition { begins_episode: did_act, did_act, ..Transition::started(self.lane.number(), elapsed) }
            }
        };
        self.write(work, rows, index, transition, rewards);
    }

    /// Reborrows the lane for a call that is not inlined, so that `self` can stay in registers.
    #[inline(always)]
    fn reborrow(&mut self) -> LaneRef<'_, E> {
        let own = self.own.as_mut().map(|own| LaneOptionsMut { group: own.group, lane: own.lane });
        LaneRef { env: self.env, own, lane: self.lane, state: self.state, random: self.random }
    }

    #[inline(always)]
    fn execute(&mut self, due: ItemKind, work: &Chunk<'_>, index: usize, rewards: &mut [f64]) -> Transition {
        let played = self.run(work, index, due, rewards);
        work.episodes().apply(self.lane, due, played)
    }

    /// Runs a due operation other than `Step`. Returns, in registers, the elapsed steps and whether the lane was reset. Not
    /// inlined, because such operations are rare.
    #[inline(never)]
    fn execute_cold(mut self, due: ItemKind, work: &Chunk<'_>, index: usize, rewards: &mut [f64]) -> (i32, bool) {
        let transition = self.execute(due, work, index, rewards);
        (transition.elapsed, transition.did_act)
    }

    /// Runs the due operation `due` in the lane's environment, and returns its outcome.
    #[inline(always)]
    pub fn run(&mut self, work: &Chunk<'_>, index: usize, due: ItemKind, rewards: &mut [f64]) -> ItemOutcome {
        match due {
            ItemKind::Step { truncate, .. } => {
                let over = current(self.env, &self.own).step(self.state, &work.action(index), rewards, self.random);
                self.step_outcome(over, truncate)
            }
            ItemKind::Peek => ItemOutcome::default(),
            ItemKind::Reset | ItemKind::Recreate => {
                self.reset(work, index, due == ItemKind::Recreate);
                ItemOutcome::default()
            }
            ItemKind::NextEpisode(ended) => ItemOutcome { elapsed: self.next_episode(work, ended), ..ItemOutcome::default() },
        }
    }

    /// Returns the outcome of a step. `over`: whether the environment reported that the episode terminated.
    #[inline(always)]
    pub fn step_outcome(&self, over: bool, truncate: bool) -> ItemOutcome {
        let truncated = self.env().is_truncated(self.state);
        let terminated = over && !(E::TRUNCATION_WINS && (truncate || truncated));
        ItemOutcome { terminated, truncated, zero_discount: self.env().has_zero_discount(self.state), elapsed: 0 }
    }

    /// Resets the environment with the seed and options of item `index`. `recreate`: whether to recreate the environment first.
    #[inline]
    fn reset(&mut self, work: &Chunk<'_>, index: usize, recreate: bool) {
        if recreate {
            self.recreate();
        }
        let options = self.start_reset(work, index, recreate);
        self.start_with(&options);
    }

    /// Resets the lane with these options, in the environment of the episode that starts.
    #[inline]
    fn start_with(&mut self, options: &ResetOptions) {
        begin_episode(self.env, &mut self.own, options.values(), self.random).reset(self.state, options, self.random);
    }

    /// Seeds the random stream if item `index` has a seed. Returns the options of its reset. `recreated`: whether the environment
    /// was recreated for it.
    ///
    /// A reset without a seed and options takes the next entry of the lane's queue.
    #[inline]
    pub fn start_reset<'w>(&mut self, work: &'w Chunk<'_>, index: usize, recreated: bool) -> Cow<'w, ResetOptions> {
        let (given, options) = match work.kind {
            RequestKind::Step => (None, Cow::Owned(ResetOptions::default())),
            RequestKind::Reset { seeds, options, .. } => (seeds.get(index).copied().flatten(), options.for_item(index)),
        };
        if given.is_none()
            && options.is_empty()
            && let Some(queued) = self.take_queued()
        {
            return self.seed(work, queued.seed(), Cow::Owned(queued), recreated);
        }
        self.seed(work, given, options, recreated)
    }

    /// Takes the next reset out of the lane's queue.
    #[inline]
    fn take_queued(&mut self) -> Option<ResetOptions> {
        self.own.as_mut().and_then(|own| own.lane.take_queued())
    }

    /// Seeds the random stream with `given`, if any. Returns `options` with the seed that the environment has not received yet.
    #[inline]
    fn seed<'w>(
        &mut self,
        work: &Chunk<'_>,
        given: Option<u64>,
        options: Cow<'w, ResetOptions>,
        recreated: bool,
    ) -> Cow<'w, ResetOptions> {
        if let Some(seed) = given {
            *self.random = E::Random::from_seed(seed);
        }
        match work.episodes().take_seed(self.lane, given, recreated) {
            Some(seed) => Cow::Owned(options.into_owned().with_seed(seed)),
            None => options,
        }
    }

    /// Appends the environment's state and random stream to `bytes`.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory for the bytes.
    pub fn save(&self, bytes: &mut Vec<u8>) -> Result<()> {
        write_value(bytes, &self.own.as_ref().map(|own| own.group.saved(own.lane)))?;
        self.state.save(self.env(), bytes)?;
        write_value(bytes, &*self.random)
    }

    /// Replaces the environment's state and random stream by the bytes that `save` wrote. Returns the lane's own options, with
    /// which the caller replaces the lane's; `group` has the options of its group.
    ///
    /// # Errors
    /// `Value` if the bytes are not a state of this environment; the lane is then unchanged.
    pub fn load(&mut self, group: &LaneGroupOptions, mut bytes: &[u8]) -> Result<Option<LaneOptions>> {
        let saved: Option<SavedLaneOptions> = read_value(&mut bytes)?;
        let restored = group.restore(saved)?;
        let env = restored.as_ref().map_or(self.env, |own| own.env(self.env));
        let mut state = E::State::load(env, &mut bytes)?;
        let random = read_value(&mut bytes).and_then(|random| match bytes {
            [] => Ok(random),
            _ => Err(refused_state("bytes are left over")),
        });
        match random {
            Ok(random) => {
                *self.random = random;
                state.inherit(self.state);
                self.replace(state);
                Ok(restored)
            }
            Err(error) => {
                env.close(state);
                Err(error)
            }
        }
    }

    /// Recreates the environment in its initial state.
    #[cold]
    fn recreate(&mut self) {
        match self.env.create(self.lane.number()) {
            Ok(state) => {
                self.replace(state);
                if let Some(own) = &mut self.own {
                    own.lane.end_episode();
                }
            }
            Err(error) => error.raise(),
        }
    }

    /// Replaces the lane's state and closes the old state.
    fn replace(&mut self, state: E::State) {
        current(self.env, &self.own).close(std::mem::replace(self.state, state));
    }

    /// Starts the next episode: a reset from the lane's queue or, if that is empty, the environment's own next episode.
    #[inline]
    fn next_episode(&mut self, work: &Chunk<'_>, ended: EpisodeEnd) -> i32 {
        if let Some(queued) = self.take_queued() {
            let options = self.seed(work, queued.seed(), Cow::Owned(queued), false);
            self.start_with(&options);
            return 0;
        }
        begin_episode(self.env, &mut self.own, &[], self.random).next_episode(self.state, ended, self.random)
    }

    /// Writes the environment's infos and the reported options of the episode.
    #[inline(always)]
    fn info(&self, out: &mut Row<'_>) {
        self.env().info(self.state, out);
        if let Some(own) = &self.own {
            own.info(out);
        }
    }

    /// Writes the row of item `index`. In same-step autoreset mode, an ended episode is followed by the next one in the same row.
    #[inline(always)]
    pub fn write(
        &mut self,
        work: &Chunk<'_>,
        rows: &mut RowReservation<'_>,
        index: usize,
        transition: Transition,
        rewards: &[f64],
    ) {
        let mut row = rows.row(index);
        if work.episodes().should_autoreset(&transition) {
            self.reborrow().autoreset(work, row.reborrow(), transition.terminated);
        }
        self.env().observe(self.state, &mut row.observation());
        row.write(transition, rewards);
        self.write_supplement(work, &mut row, &transition, rewards[0]);
    }

    /// Writes the infos and the episode statistics into the lane's row.
    #[inline(always)]
    pub fn write_supplement(&self, work: &Chunk<'_>, row: &mut RowSlot<'_>, transition: &Transition, reward: f64) {
        self.info(&mut row.info());
        row.clear_absent_infos(transition);
        work.episodes().record_statistics(self.lane, row, transition, reward, || work.now());
    }

    /// Writes the ended episode's final observation and infos, and starts the next episode. `terminated`: whether the episode ended
    /// by termination.
    #[cold]
    fn autoreset(mut self, work: &Chunk<'_>, mut row: RowSlot<'_>, terminated: bool) {
        self.env().observe(self.state, &mut row.final_observation());
        self.info(&mut row.final_info());
        row.clear_absent_final_infos(terminated);
        let elapsed = self.next_episode(work, work.episodes().episode_end(self.lane));
        work.episodes().start_episode(self.lane, elapsed);
    }
}
