//! [`BatchEnv`] for an [`Env`]: one lane after the other, or some together.

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
use crate::play::lanes::Lanes;
use crate::play::one_lane::OneLane;
use crate::play::randomized::{DrawnEnv, DrawnLane, OptionDraws};
use crate::play::work::Work;
use envpool_rs_numeric::random::{Pcg64, RandomStream};

/// Lanes of an [`Env`].
pub struct EachLane<E: Env> {
    env: E,
    /// Each lane's own environment, where options are drawn for each episode.
    drawn: Option<(OptionDraws, Lanes<DrawnEnv<E>>)>,
    players: usize,
    states: Lanes<E::State>,
    random: Lanes<E::Random>,
}

impl<E: Env> EachLane<E> {
    /// These lanes of a pool whose rows are made for `spec`, played by `env`, each to be seeded and reset before its first step. With
    /// `draws`, each episode of a lane runs in an environment of its own.
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
        let players = spec.players;
        let states = Lanes::of(lanes.start, create_states(&env, lanes.clone(), creation)?);
        let drawn = draws.map(|draws| (draws, Lanes::new(lanes.clone(), |_| DrawnEnv::default())));
        let random = Lanes::new(lanes, |_| E::Random::from_seed(0));
        Ok(Self { env, drawn, players, states, random })
    }

    /// A lane.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    #[inline(always)]
    unsafe fn one(&self, lane: usize) -> OneLane<'_, E> {
        // SAFETY: the lane is the caller's.
        let (state, random) = unsafe { (self.states.get(lane), self.random.get(lane)) };
        // SAFETY: the lane is the caller's.
        let drawn = self.drawn.as_ref().map(|(draws, lanes)| DrawnLane { draws, current: unsafe { lanes.get(lane) } });
        OneLane { env: &self.env, drawn, lane, state, random }
    }

    /// Plays all items from `progress` on, one after the other.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    #[inline(always)]
    unsafe fn play_all(&self, work: &Work<'_>, rewards: &mut [f64]) {
        for index in work.progress.get()..work.end {
            work.progress.set(index);
            // SAFETY: passed on to the caller.
            unsafe { self.one(work.lanes.get(index)).take_turn(work, index, rewards) };
        }
        work.progress.set(work.end);
    }

    /// Plays all items from `progress` on, so many together. A panic takes those with it that have no row yet.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    unsafe fn play_together(&self, work: &Work<'_>, most: usize) {
        while work.progress.get() < work.end {
            let (start, end) = (work.progress.get(), work.end.min(work.progress.get() + most.max(1)));
            work.span.set(end - start);
            let mut rewards = vec![0.0; (end - start) * self.players];
            // SAFETY: lanes and rows are the caller's; a request holds each lane once, so that these are different ones.
            unsafe {
                let dues: Vec<_> =
                    (start..end).map(|index| work.episodes().before(work.kind, index, work.lanes.get(index))).collect();
                let mut stepped = self.step_together(work, start, &dues, &mut rewards).into_iter();
                for ((index, due), rewards) in (start..end).zip(dues).zip(rewards.chunks(self.players)) {
                    work.progress.set(index);
                    work.span.set(end - index);
                    let mut lane = self.one(work.lanes.get(index));
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
                    lane.write(work, index, transition, rewards);
                }
            }
            work.progress.set(end);
        }
        work.span.set(1);
    }

    /// Steps those items from `start` on that are due for it, and returns which of their episodes terminated, and which of them failed.
    ///
    /// # Safety
    /// The lanes must belong to the caller alone, and be different ones.
    unsafe fn step_together(&self, work: &Work<'_>, start: usize, dues: &[Due], rewards: &mut [f64]) -> Vec<Result<bool>> {
        let rows = rewards.chunks_mut(self.players).zip(dues).filter(|(_, due)| matches!(due, Due::Step { .. }));
        let stepped = running_items(start, dues).zip(rows).map(|(index, (rewards, _))| {
            // SAFETY: the lane is the caller's, and no other of these.
            let OneLane { state, random, .. } = unsafe { self.one(work.lanes.get(index)) };
            Stepped { state, random, action: work.action(index), rewards, terminated: false, failure: None }
        });
        let mut stepped: Vec<_> = stepped.collect();
        match &self.drawn {
            _ if stepped.is_empty() => {}
            None => self.env.step_together(&mut stepped),
            Some((_, lanes)) => {
                for (index, stepped) in running_items(start, dues).zip(stepped.chunks_mut(1)) {
                    // SAFETY: the lane is the caller's.
                    unsafe { lanes.get(work.lanes.get(index)) }.env(&self.env).step_together(stepped);
                }
            }
        }
        stepped.into_iter().map(|lane| lane.failure.map_or(Ok(lane.terminated), Err)).collect()
    }
}

/// The items from `start` on whose lanes are due for a step.
fn running_items(start: usize, dues: &[Due]) -> impl Iterator<Item = usize> {
    dues.iter().zip(start..).filter(|(due, _)| matches!(due, Due::Step { .. })).map(|(_, index)| index)
}

impl<E: Env> Drop for EachLane<E> {
    /// Closes all states, also those after one whose closing panics.
    fn drop(&mut self) {
        let mut drawn = self.drawn.take().map(|(_, mut lanes)| lanes.take_all());
        for state in self.states.take_all() {
            let own = drawn.as_mut().and_then(Iterator::next).unwrap_or_default();
            drop(catch_unwind(AssertUnwindSafe(|| own.env(&self.env).close(state))));
        }
    }
}

impl<E: Env> BatchEnv for EachLane<E> {
    unsafe fn run(&self, work: &Work<'_>) {
        // SAFETY: passed on to the caller.
        unsafe {
            match (self.env.scheduling(), self.players) {
                (Scheduling::Together(lanes), _) => self.play_together(work, lanes),
                (_, 1) => self.play_all(work, &mut [0.0]),
                (_, players) => self.play_all(work, &mut vec![0.0; players]),
            }
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

    unsafe fn seed(&self, lane: usize, seed: u64) {
        // SAFETY: the lane is the caller's.
        unsafe { *self.random.get(lane) = E::Random::from_seed(seed) };
    }

    unsafe fn pcg64(&self, lane: usize) -> Option<Pcg64> {
        // SAFETY: the lane is the caller's.
        unsafe { self.random.get(lane) }.pcg64().cloned()
    }

    unsafe fn save(&self, lane: usize, bytes: &mut Vec<u8>) {
        // SAFETY: the lane is the caller's.
        unsafe { self.one(lane).save(bytes) };
    }

    unsafe fn load(&self, lane: usize, bytes: &[u8]) -> Result<()> {
        // SAFETY: the lane is the caller's.
        unsafe { self.one(lane).load(bytes) }
    }

    fn rendering(&self) -> Rendering {
        self.env.rendering()
    }

    unsafe fn show(&self, lane: usize, view: &View) -> Result<Picture> {
        // SAFETY: the lane is the caller's.
        let lane = unsafe { self.one(lane) };
        lane.env().show(lane.state, view)
    }

    unsafe fn text(&self, lane: usize) -> String {
        // SAFETY: the lane is the caller's.
        let lane = unsafe { self.one(lane) };
        lane.env().text(lane.state)
    }
}
