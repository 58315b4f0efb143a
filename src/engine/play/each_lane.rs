//! [`BatchEnv`] for an [`Env`]: one lane after the other.

use std::ops::Range;

use crate::engine::contract::config::AutoresetMode;
use crate::engine::contract::env::{Ended, Env};
use crate::engine::contract::error::Result;
use crate::engine::contract::options::ResetOptions;
use crate::engine::contract::picture::{Picture, Rendering};
use crate::engine::play::batch_env::BatchEnv;
use crate::engine::play::lanes::{Lanes, Phase};
use crate::engine::play::snapshot;
use crate::engine::play::work::{Kind, Work, next_step};
use crate::engine::results::batch::Outcome;
use crate::engine::results::batch::Slot;
use crate::random::RandomStream;

/// Lanes in one chunk of an asynchronous batch, for environments that say their steps are uniform and cheap.
const UNIFORM_GRAIN: usize = 32;

/// Lanes of an [`Env`].
pub struct EachLane<E: Env> {
    env: E,
    players: usize,
    states: Lanes<E::State>,
    random: Lanes<E::Random>,
    no_options: ResetOptions,
}

impl<E: Env> EachLane<E> {
    /// These lanes of a pool, played by `env`, each to be seeded and reset before its first step.
    pub fn new(env: E, lanes: Range<usize>) -> Self {
        let players = env.spec().players;
        let states = Lanes::new(lanes.clone(), |_| env.create());
        let random = Lanes::new(lanes, |_| E::Random::from_seed(0));
        Self { env, players, states, random, no_options: ResetOptions::default() }
    }

    /// Resets the lane of item `index`.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    #[inline]
    unsafe fn reset(&self, work: &Work<'_>, index: usize, lane: usize) {
        // SAFETY: the lane is the caller's.
        let (state, random) = unsafe { (self.states.get(lane), self.random.get(lane)) };
        let options = match work.kind {
            Kind::Step => &self.no_options,
            Kind::Reset { seeds, options, .. } => {
                if let Some(Some(seed)) = seeds.get(index) {
                    *random = E::Random::from_seed(*seed);
                }
                options
            }
        };
        self.env.reset(state, options, random);
    }

    /// Resets the lane, or begins the episode after one that ended, and returns the steps that have elapsed then.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    #[inline]
    unsafe fn begin(&self, work: &Work<'_>, index: usize, lane: usize, phase: Phase) -> i32 {
        if phase != Phase::Finished || matches!(work.kind, Kind::Reset { .. }) {
            // SAFETY: the lane is the caller's.
            unsafe { self.reset(work, index, lane) };
            return 0;
        }
        // SAFETY: the lane is the caller's.
        let (state, random, elapsed) = unsafe { (self.states.get(lane), self.random.get(lane), *work.table.elapsed.get(lane)) };
        self.env.next_episode(state, Ended { elapsed, at_limit: elapsed >= work.rules.max_episode_steps }, random)
    }

    /// Steps or resets the lane of item `index`: what the engine's columns will say of it.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    #[inline(always)]
    unsafe fn advance(&self, work: &Work<'_>, index: usize, lane: usize, rewards: &mut [f64]) -> Outcome {
        rewards.fill(0.0);
        // SAFETY: the lane is the caller's.
        let (phase, elapsed) = unsafe { (work.table.phase.get(lane), work.table.elapsed.get(lane)) };
        if work.only_shows(index) {
            return Outcome {
                lane: lane as u32,
                elapsed: *elapsed,
                terminated: false,
                truncated: false,
                first: false,
                moved: false,
                discounts_all: false,
            };
        }
        if work.resets(*phase) {
            let before = std::mem::replace(phase, Phase::Failed); // until the reset has come back
            // SAFETY: the lane is the caller's.
            *elapsed = unsafe { self.begin(work, index, lane, before) };
            *phase = Phase::Running;
            return Outcome::first(lane as u32, *elapsed);
        }
        // SAFETY: the lane is the caller's.
        let (state, random) = unsafe { (self.states.get(lane), self.random.get(lane)) };
        let over = self.env.step(state, &work.action(index), rewards, random);
        *elapsed = next_step(*elapsed);
        let truncated = *elapsed >= work.rules.max_episode_steps || self.env.is_truncated(state);
        let terminated = over && !(E::LIMIT_FIRST && truncated);
        if terminated || truncated {
            *phase = Phase::Finished;
        }
        let discounts_all = self.env.discounts_all(state);
        Outcome { lane: lane as u32, elapsed: *elapsed, terminated, truncated, first: false, moved: true, discounts_all }
    }

    /// Writes the ended episode's last observation and info, and begins the next episode.
    ///
    /// # Safety
    /// The lane and the row must belong to the caller alone.
    #[cold]
    unsafe fn finish(&self, work: &Work<'_>, index: usize, lane: usize, slot: &Slot<'_>) {
        // SAFETY: lane and row are the caller's.
        unsafe {
            let state = self.states.get(lane);
            self.env.observe(state, &mut slot.pointers.final_observation(slot.row));
            self.env.info(state, &mut slot.pointers.final_info(slot.row));
            let elapsed = self.begin(work, index, lane, Phase::Finished);
            (*work.table.phase.get(lane), *work.table.elapsed.get(lane)) = (Phase::Running, elapsed);
        }
    }

    /// Plays item `index` and writes its row.
    ///
    /// # Safety
    /// The lane and the chunk's rows must belong to the caller alone.
    #[inline(always)]
    unsafe fn play(&self, work: &Work<'_>, index: usize, rewards: &mut [f64]) {
        let lane = work.lanes.get(index);
        // SAFETY: lane and rows are the caller's.
        unsafe {
            let outcome = self.advance(work, index, lane, rewards);
            let slot = work.slot(index);
            if work.rules.autoreset == AutoresetMode::SameStep && (outcome.terminated || outcome.truncated) {
                self.finish(work, index, lane, &slot);
            }
            let state = self.states.get(lane);
            self.env.observe(state, &mut slot.pointers.observation(slot.row));
            self.env.info(state, &mut slot.pointers.info(slot.row));
            slot.pointers.write_row(slot.row, outcome, rewards);
            if let Some(now) = work.now().filter(|_| outcome.moved) {
                work.episode(lane, &slot, outcome, rewards[0], now);
            }
        }
    }

    /// Plays all items from `progress` on.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    #[inline(always)]
    unsafe fn play_all(&self, work: &Work<'_>, rewards: &mut [f64]) {
        for index in work.progress.get()..work.end {
            work.progress.set(index);
            // SAFETY: passed on to the caller.
            unsafe { self.play(work, index, rewards) };
        }
        work.progress.set(work.end);
    }
}

impl<E: Env> BatchEnv for EachLane<E> {
    unsafe fn run(&self, work: &Work<'_>) {
        // SAFETY: passed on to the caller.
        unsafe {
            match self.players {
                1 => self.play_all(work, &mut [0.0]),
                players => self.play_all(work, &mut vec![0.0; players]),
            }
        }
    }

    fn grain(&self) -> usize {
        if E::UNIFORM { UNIFORM_GRAIN } else { 1 }
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

    unsafe fn recreate(&self, lane: usize) {
        // SAFETY: the lane is the caller's.
        unsafe { *self.states.get(lane) = self.env.create() };
    }

    unsafe fn save(&self, lane: usize, bytes: &mut Vec<u8>) {
        // SAFETY: the lane is the caller's.
        let (state, random) = unsafe { (self.states.get(lane), self.random.get(lane)) };
        snapshot::append(bytes, &(&*state, &*random));
    }

    unsafe fn load(&self, lane: usize, bytes: &[u8]) -> Result<()> {
        let (mut state, random) = snapshot::parse::<(E::State, E::Random)>(bytes)?;
        if !self.env.adopt(&mut state) {
            return Err(snapshot::refused("its values are out of range"));
        }
        // SAFETY: the lane is the caller's.
        unsafe {
            *self.states.get(lane) = state;
            *self.random.get(lane) = random;
        }
        Ok(())
    }

    fn rendering(&self) -> Rendering {
        self.env.rendering()
    }

    unsafe fn draw(&self, lane: usize) -> Picture {
        // SAFETY: the lane is the caller's.
        self.env.draw(unsafe { self.states.get(lane) })
    }

    unsafe fn text(&self, lane: usize) -> String {
        // SAFETY: the lane is the caller's.
        self.env.text(unsafe { self.states.get(lane) })
    }
}
