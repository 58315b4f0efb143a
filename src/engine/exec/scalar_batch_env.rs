//! [`BatchEnv`] for an [`Env`]: runs lanes one after another, or several with one call.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::contract::env::{Env, LaneReset, LaneStep, Scheduling};
use crate::contract::error::Result;
use crate::contract::frame::{Frame, RenderParams, RenderSpec};
use crate::contract::options::ResetOptions;
use crate::contract::spec::EnvSpec;
use crate::exec::batch_env::BatchEnv;
use crate::exec::chunk::{Chunk, ChunkGuard};
use crate::exec::create::{CreateContext, create_states};
use crate::exec::episode_tracker::{ItemKind, ItemOutcome};
use crate::exec::lane_options::{GroupOptions, LaneOptionTable};
use crate::exec::lane_ref::LaneRef;
use crate::exec::per_lane::{LaneMut, LanesGuard, PerLane};
use envpool_rs_numeric::random::{Pcg64, RandomStream};

/// All lanes of a pool (or group) that run the same [`Env`].
pub struct ScalarBatchEnv<E: Env> {
    env: E,
    players: usize,
    states: PerLane<E::State>,
    randoms: PerLane<E::Random>,
    options: LaneOptionTable,
}

impl<E: Env> ScalarBatchEnv<E> {
    /// Creates the states of lanes `lanes`. The lanes must be seeded and reset before their first step.
    ///
    /// # Errors
    /// Errors that [`Env::create`] returns; `Interrupted` if the caller's interrupt hook returned true.
    pub fn new(
        env: E,
        options: GroupOptions,
        spec: &EnvSpec,
        lanes: Range<usize>,
        context: &mut CreateContext<'_>,
    ) -> Result<Self> {
        let states = PerLane::from_elements(lanes.start, create_states(&env, lanes.clone(), context)?);
        let randoms = PerLane::new(lanes.clone(), |_| E::Random::from_seed(0));
        let options = LaneOptionTable::new([(options, lanes.len())], lanes);
        Ok(Self { env, players: spec.players, states, randoms, options })
    }

    /// Borrows a lane's environment, state and random stream.
    #[inline(always)]
    fn lane_ref<'a>(&'a self, lane: LaneMut<'a>) -> LaneRef<'a, E> {
        let id = lane.id();
        let (state, random, own) = self.options.own_and_both((&self.states, &self.randoms), lane);
        LaneRef { env: &self.env, own, lane: id, state, random }
    }

    /// Runs all items one after another, starting at `work.progress`.
    #[inline(always)]
    fn run_all(&self, chunk: &Chunk<'_>, guard: &mut ChunkGuard<'_>, rewards: &mut [f64]) {
        let ChunkGuard { lanes, rows } = guard;
        for index in chunk.progress.get()..chunk.end {
            chunk.progress.set(index);
            self.lane_ref(lanes.lane(index)).run_item(chunk, rows, index, rewards);
        }
        chunk.progress.set(chunk.end);
    }

    /// Runs all items in groups of up to `most`, starting at `work.progress`. A panic fails all items of the group that have no
    /// row yet.
    fn run_batched(&self, chunk: &Chunk<'_>, guard: &mut ChunkGuard<'_>, most: usize) {
        let ChunkGuard { lanes, rows } = guard;
        while chunk.progress.get() < chunk.end {
            let (start, end) = (chunk.progress.get(), chunk.end.min(chunk.progress.get() + most.max(1)));
            chunk.span.set(end - start);
            let mut rewards = vec![0.0; (end - start) * self.players];
            let due = |index| chunk.episodes().classify(chunk.kind, index, lanes.id(index));
            let dues: Vec<_> = (start..end).map(due).collect();
            let mut stepped = self.step_lanes(chunk, lanes, start, &dues, &mut rewards).into_iter();
            let mut restarted = self.reset_lanes(chunk, lanes, start, &dues).into_iter();
            for ((index, due), rewards) in (start..end).zip(dues).zip(rewards.chunks(self.players)) {
                chunk.progress.set(index);
                chunk.span.set(end - index);
                let mut lane = self.lane_ref(lanes.lane(index));
                let played = match due {
                    ItemKind::Step { truncate, .. } => {
                        let over = stepped.next().expect("one for each that was stepped");
                        over.map(|over| lane.step_outcome(over, truncate))
                    }
                    _ if self.is_reset_together(due) => restarted.next().expect("one for each that was reset"),
                    _ => Ok(lane.run(chunk, index, due, &mut [])),
                };
                let played = match played {
                    Ok(played) => played,
                    Err(failure) => {
                        chunk.failed.borrow_mut().push((index, failure));
                        continue;
                    }
                };
                let transition = chunk.episodes().apply(lane.lane, due, played);
                lane.write(chunk, rows, index, transition, rewards);
            }
            chunk.progress.set(end);
        }
        chunk.span.set(1);
    }

    /// Steps the items whose due operation is a step, starting at `start`. Returns for each item whether the episode terminated,
    /// or its error.
    fn step_lanes(
        &self,
        chunk: &Chunk<'_>,
        lanes: &mut LanesGuard<'_>,
        start: usize,
        dues: &[ItemKind],
        rewards: &mut [f64],
    ) -> Vec<Result<bool>> {
        let rewards = rewards.chunks_mut(self.players).zip(dues).filter(|(_, due)| matches!(due, ItemKind::Step { .. }));
        let (mut stepped, mut envs) = (Vec::with_capacity(dues.len()), Vec::new());
        let items = items_where(start, dues, |due| matches!(due, ItemKind::Step { .. }));
        for ((index, lane), (rewards, _)) in items.clone().zip(lanes.each(items)).zip(rewards) {
            let LaneRef { state, random, own, .. } = self.lane_ref(lane);
            if self.options.has_own() {
                envs.push(own.map_or(&self.env, |own| own.lane.env(&self.env)));
            }
            stepped.push(LaneStep { state, random, action: chunk.action(index), rewards, terminated: false, error: None });
        }
        if envs.is_empty() {
            if !stepped.is_empty() {
                self.env.step_lanes(&mut stepped);
            }
        } else {
            // Consecutive lanes with the same environment are stepped together.
            let mut rest = &mut stepped[..];
            for alike in envs.chunk_by(|one, other| std::ptr::eq(*one, *other)) {
                let (first, others) = rest.split_at_mut(alike.len());
                alike[0].step_lanes(first);
                rest = others;
            }
        }
        stepped.into_iter().map(|lane| lane.error.map_or(Ok(lane.terminated), Err)).collect()
    }

    /// Returns whether `due` starts an episode and is executed for several lanes together.
    fn is_reset_together(&self, due: ItemKind) -> bool {
        matches!(due, ItemKind::Reset | ItemKind::NextEpisode(_)) && !self.options.has_own() && self.env.resets_together()
    }

    /// Starts episodes in the items that are reset together, starting at `start`. Returns the outcome of each of them.
    fn reset_lanes(
        &self,
        chunk: &Chunk<'_>,
        lanes: &mut LanesGuard<'_>,
        start: usize,
        dues: &[ItemKind],
    ) -> Vec<Result<ItemOutcome>> {
        let (mut resets, items) = (Vec::new(), items_where(start, dues, |due| self.is_reset_together(due)));
        for (index, lane) in items.clone().zip(lanes.each(items)) {
            let mut lane = self.lane_ref(lane);
            let options = match dues[index - start] {
                ItemKind::NextEpisode(_) => ResetOptions::default(),
                _ => lane.start_reset(chunk, index, false).into_owned(),
            };
            resets.push(LaneReset { state: lane.state, random: lane.random, options, error: None });
        }
        if !resets.is_empty() {
            self.env.reset_lanes(&mut resets);
        }
        resets.into_iter().map(|lane| lane.error.map_or(Ok(ItemOutcome::default()), Err)).collect()
    }
}

/// Returns the items whose due operation fulfils `matches`, starting at `start`.
fn items_where<'a>(
    start: usize,
    dues: &'a [ItemKind],
    matches: impl Fn(ItemKind) -> bool + Clone + 'a,
) -> impl Iterator<Item = usize> + Clone + 'a {
    dues.iter().zip(start..).filter(move |(due, _)| matches(**due)).map(|(_, index)| index)
}

impl<E: Env> Drop for ScalarBatchEnv<E> {
    /// Closes all states, even if closing one of them panics.
    fn drop(&mut self) {
        for (state, own) in self.states.take_all().zip(self.options.take_all()) {
            let env = own.as_deref().map_or(&self.env, |own| own.env(&self.env));
            drop(catch_unwind(AssertUnwindSafe(|| env.close(state))));
        }
    }
}

impl<E: Env> BatchEnv for ScalarBatchEnv<E> {
    fn run(&self, chunk: &Chunk<'_>, guard: &mut ChunkGuard<'_>) {
        if const { E::SCHEDULING.is_costly() }
            && let Scheduling::Batched(lanes) = self.env.scheduling()
        {
            return self.run_batched(chunk, guard, lanes);
        }
        match self.players {
            1 => self.run_all(chunk, guard, &mut [0.0]),
            players => self.run_all(chunk, guard, &mut vec![0.0; players]),
        }
    }

    fn scheduling(&self) -> Scheduling {
        self.env.scheduling()
    }

    fn stack_bytes(&self) -> usize {
        self.env.stack_bytes()
    }

    fn reset_options(&self) -> &[&'static str] {
        self.env.reset_options()
    }

    fn takes_reset_rows(&self) -> bool {
        true
    }

    fn check_reset(&self, options: &ResetOptions, _lanes: &[usize]) -> Result<()> {
        self.env.check_reset(options)
    }

    fn seed(&self, lane: LaneMut<'_>, seed: u64) {
        *self.randoms.get_mut(lane) = E::Random::from_seed(seed);
    }

    fn pcg64(&self, lane: LaneMut<'_>) -> Option<Pcg64> {
        self.randoms.get_mut(lane).pcg64().cloned()
    }

    fn save(&self, lane: LaneMut<'_>, bytes: &mut Vec<u8>) -> Result<()> {
        self.lane_ref(lane).save(bytes)
    }

    fn load(&self, lane: LaneMut<'_>, bytes: &[u8]) -> Result<()> {
        self.options.load(lane, |lane, group| self.lane_ref(lane).load(group, bytes))
    }

    fn lane_options(&self, _lane: usize) -> &LaneOptionTable {
        &self.options
    }

    fn render_spec(&self) -> RenderSpec {
        self.env.render_spec()
    }

    fn render_view(&self, lane: LaneMut<'_>, params: &RenderParams) -> Result<Frame> {
        let lane = self.lane_ref(lane);
        lane.env().render_view(lane.state, params)
    }

    fn render_text(&self, lane: LaneMut<'_>) -> String {
        let lane = self.lane_ref(lane);
        lane.env().render_text(lane.state)
    }
}
