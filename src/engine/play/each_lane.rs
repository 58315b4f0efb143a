//! [`BatchEnv`] for an [`Env`]: one lane after the other, or some together.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::engine::contract::env::{Env, Scheduling, Stepped};
use crate::engine::contract::error::Result;
use crate::engine::contract::options::ResetOptions;
use crate::engine::contract::picture::{Picture, Rendering, View};
use crate::engine::contract::spec::EnvSpec;
use crate::engine::play::batch_env::BatchEnv;
use crate::engine::play::create::{Creation, create_states};
use crate::engine::play::episodes::Due;
use crate::engine::play::lanes::Lanes;
use crate::engine::play::one_lane::OneLane;
use crate::engine::play::work::Work;
use crate::random::{Pcg64, RandomStream};

/// Lanes of an [`Env`].
pub struct EachLane<E: Env> {
    env: E,
    players: usize,
    states: Lanes<E::State>,
    random: Lanes<E::Random>,
}

impl<E: Env> EachLane<E> {
    /// These lanes of a pool whose rows are made for `spec`, played by `env`, each to be seeded and reset before its first step.
    ///
    /// # Errors
    /// Those of [`Env::create`]; `Interrupted`.
    pub fn new(env: E, spec: &EnvSpec, lanes: Range<usize>, creation: &mut Creation<'_>) -> Result<Self> {
        let players = spec.players;
        let states = Lanes::of(lanes.start, create_states(&env, lanes.clone(), creation)?);
        let random = Lanes::new(lanes, |_| E::Random::from_seed(0));
        Ok(Self { env, players, states, random })
    }

    /// A lane.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    #[inline(always)]
    unsafe fn one(&self, lane: usize) -> OneLane<'_, E> {
        // SAFETY: the lane is the caller's.
        let (state, random) = unsafe { (self.states.get(lane), self.random.get(lane)) };
        OneLane { env: &self.env, lane, state, random }
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
        let items = dues.iter().enumerate().zip(rewards.chunks_mut(self.players));
        let running = items.filter(|((_, due), _)| matches!(due, Due::Step { .. }));
        let stepped = running.map(|((offset, _), rewards)| {
            let index = start + offset;
            // SAFETY: the lane is the caller's, and no other of these.
            let OneLane { state, random, .. } = unsafe { self.one(work.lanes.get(index)) };
            Stepped { state, random, action: work.action(index), rewards, terminated: false, failure: None }
        });
        let mut stepped: Vec<_> = stepped.collect();
        if !stepped.is_empty() {
            self.env.step_together(&mut stepped);
        }
        stepped.into_iter().map(|lane| lane.failure.map_or(Ok(lane.terminated), Err)).collect()
    }
}

impl<E: Env> Drop for EachLane<E> {
    /// Ends all environments, also those after one that panics over it.
    fn drop(&mut self) {
        for state in self.states.take_all() {
            drop(catch_unwind(AssertUnwindSafe(|| self.env.close(state))));
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
        self.env.show(unsafe { self.states.get(lane) }, view)
    }

    unsafe fn text(&self, lane: usize) -> String {
        // SAFETY: the lane is the caller's.
        self.env.text(unsafe { self.states.get(lane) })
    }
}
