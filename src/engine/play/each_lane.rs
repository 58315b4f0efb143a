//! [`BatchEnv`] for an [`Env`]: lanes one after another, or several together.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::contract::env::{Env, Scheduling, Stepped};
use crate::contract::error::Result;
use crate::contract::options::ResetOptions;
use crate::contract::picture::{Picture, Rendering, View};
use crate::contract::spec::EnvSpec;
use crate::play::batch_env::BatchEnv;
use crate::play::create::{Creation, create_states};
use crate::play::episodes::Due;
use crate::play::lanes::{LaneMut, LanesGuard, PerLane};
use crate::play::one_lane::OneLane;
use crate::play::randomized::{DrawnEnv, DrawnLane, OptionDraws};
use crate::play::work::{ChunkGuard, Work};
use envpool_rs_numeric::random::{Pcg64, RandomStream};

/// Lanes of an [`Env`].
pub struct EachLane<E: Env> {
    env: E,
    /// Distributions of options that are drawn for each episode, if any.
    draws: Option<OptionDraws>,
    players: usize,
    states: PerLane<E::State>,
    draws_of: PerLane<LaneDraws<E>>,
}

/// Random stream and drawn environment of a lane.
struct LaneDraws<E: Env> {
    random: E::Random,
    /// The lane's own environment, if options are drawn for each episode.
    drawn: Option<Box<DrawnEnv<E>>>,
}

impl<E: Env> EachLane<E> {
    /// Creates these lanes of a pool with rows of `spec`, to be seeded and reset before their first step. With `draws`, each
    /// episode of a lane runs in a separate environment.
    ///
    /// # Errors
    /// Those of [`Env::create`]; `Interrupted`.
    pub fn new(
        env: E,
        draws: Option<OptionDraws>,
        spec: &EnvSpec,
        lanes: Range<usize>,
        creation: &mut Creation<'_>,
    ) -> Result<Self> {
        let states = PerLane::from_elements(lanes.start, create_states(&env, lanes.clone(), creation)?);
        let drawn = || draws.is_some().then(|| Box::new(DrawnEnv::default()));
        let draws_of = PerLane::new(lanes, |_| LaneDraws { random: E::Random::from_seed(0), drawn: drawn() });
        Ok(Self { env, draws, players: spec.players, states, draws_of })
    }

    /// Borrows a lane.
    #[inline(always)]
    fn one<'a>(&'a self, lane: LaneMut<'a>) -> OneLane<'a, E> {
        let id = lane.id();
        let (state, LaneDraws { random, drawn }) = self.states.with(&self.draws_of, lane);
        let drawn = self.draws.as_ref().zip(drawn.as_deref_mut()).map(|(draws, current)| DrawnLane { draws, current });
        OneLane { env: &self.env, drawn, lane: id, state, random }
    }

    /// Runs all items from `progress` on, one after another.
    #[inline(always)]
    fn play_all(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>, rewards: &mut [f64]) {
        let ChunkGuard { lanes, rows } = guard;
        for index in work.progress.get()..work.end {
            work.progress.set(index);
            self.one(lanes.lane(index)).take_turn(work, rows, index, rewards);
        }
        work.progress.set(work.end);
    }

    /// Runs all items from `progress` on, up to `most` together. A panic fails all items of the group that have no row yet.
    fn play_together(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>, most: usize) {
        let ChunkGuard { lanes, rows } = guard;
        while work.progress.get() < work.end {
            let (start, end) = (work.progress.get(), work.end.min(work.progress.get() + most.max(1)));
            work.span.set(end - start);
            let mut rewards = vec![0.0; (end - start) * self.players];
            let due = |index| work.episodes().before(work.kind, index, lanes.id(index));
            let dues: Vec<_> = (start..end).map(due).collect();
            let mut stepped = self.step_together(work, lanes, start, &dues, &mut rewards).into_iter();
            for ((index, due), rewards) in (start..end).zip(dues).zip(rewards.chunks(self.players)) {
                work.progress.set(index);
                work.span.set(end - index);
                let mut lane = self.one(lanes.lane(index));
                let played = match due {
                    Due::Step { cut, .. } => match stepped.next().expect("one for each that was stepped") {
                        Ok(over) => lane.stepped(over, cut),
                        Err(failure) => {
                            work.failed.borrow_mut().push((index, failure));
                            continue;
                        }
                    },
                    _ => lane.play(work, index, due, &mut []),
                };
                let transition = work.episodes().after(lane.lane, due, played);
                lane.write(work, rows, index, transition, rewards);
            }
            work.progress.set(end);
        }
        work.span.set(1);
    }

    /// Steps the items from `start` on that are due for a step. Returns for each of them whether its episode terminated, or its
    /// error.
    fn step_together(
        &self,
        work: &Work<'_>,
        lanes: &mut LanesGuard<'_>,
        start: usize,
        dues: &[Due],
        rewards: &mut [f64],
    ) -> Vec<Result<bool>> {
        let rewards = rewards.chunks_mut(self.players).zip(dues).filter(|(_, due)| matches!(due, Due::Step { .. }));
        let (mut stepped, mut envs) = (Vec::with_capacity(dues.len()), Vec::new());
        let items = running_items(start, dues);
        for ((index, lane), (rewards, _)) in items.clone().zip(lanes.each(items)).zip(rewards) {
            let (state, LaneDraws { random, drawn }) = self.states.with(&self.draws_of, lane);
            stepped.push(Stepped { state, random, action: work.action(index), rewards, terminated: false, failure: None });
            envs.extend(drawn.as_deref().map(|drawn| drawn.env(&self.env)));
        }
        match &self.draws {
            _ if stepped.is_empty() => {}
            None => self.env.step_together(&mut stepped),
            Some(_) => envs.iter().zip(stepped.chunks_mut(1)).for_each(|(env, stepped)| env.step_together(stepped)),
        }
        stepped.into_iter().map(|lane| lane.failure.map_or(Ok(lane.terminated), Err)).collect()
    }
}

/// Returns the items from `start` on whose lanes are due for a step.
fn running_items(start: usize, dues: &[Due]) -> impl Iterator<Item = usize> + Clone {
    dues.iter().zip(start..).filter(|(due, _)| matches!(due, Due::Step { .. })).map(|(_, index)| index)
}

impl<E: Env> Drop for EachLane<E> {
    /// Closes all states, even after one whose `close` panics.
    fn drop(&mut self) {
        let draws_of = self.draws_of.take_all();
        for (state, LaneDraws { drawn, .. }) in self.states.take_all().zip(draws_of) {
            let own = drawn.unwrap_or_default();
            drop(catch_unwind(AssertUnwindSafe(|| own.env(&self.env).close(state))));
        }
    }
}

impl<E: Env> BatchEnv for EachLane<E> {
    fn run(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>) {
        match (self.env.scheduling(), self.players) {
            (Scheduling::Together(lanes), _) => self.play_together(work, guard, lanes),
            (_, 1) => self.play_all(work, guard, &mut [0.0]),
            (_, players) => self.play_all(work, guard, &mut vec![0.0; players]),
        }
    }

    fn scheduling(&self) -> Scheduling {
        self.env.scheduling()
    }

    fn reset_options(&self) -> &[&'static str] {
        E::RESET_OPTIONS
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.env.check_reset(options)
    }

    fn seed(&self, lane: LaneMut<'_>, seed: u64) {
        *self.one(lane).random = E::Random::from_seed(seed);
    }

    fn pcg64(&self, lane: LaneMut<'_>) -> Option<Pcg64> {
        self.one(lane).random.pcg64().cloned()
    }

    fn save(&self, lane: LaneMut<'_>, bytes: &mut Vec<u8>) {
        self.one(lane).save(bytes);
    }

    fn load(&self, lane: LaneMut<'_>, bytes: &[u8]) -> Result<()> {
        self.one(lane).load(bytes)
    }

    fn rendering(&self) -> Rendering {
        self.env.rendering()
    }

    fn show(&self, lane: LaneMut<'_>, view: &View) -> Result<Picture> {
        let lane = self.one(lane);
        lane.env().show(lane.state, view)
    }

    fn text(&self, lane: LaneMut<'_>) -> String {
        let lane = self.one(lane);
        lane.env().text(lane.state)
    }
}
