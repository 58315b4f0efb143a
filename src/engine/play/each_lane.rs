//! [`BatchEnv`] for an [`Env`]: one lane after the other.

use std::ops::Range;

use crate::engine::contract::env::Env;
use crate::engine::contract::error::Result;
use crate::engine::contract::options::ResetOptions;
use crate::engine::contract::picture::{Picture, Rendering};
use crate::engine::play::batch_env::BatchEnv;
use crate::engine::play::lanes::Lanes;
use crate::engine::play::one_lane::OneLane;
use crate::engine::play::snapshot;
use crate::engine::play::work::Work;
use crate::random::RandomStream;

/// Lanes in one chunk of an asynchronous batch, for environments that say their steps are uniform and cheap.
const UNIFORM_GRAIN: usize = 32;

/// Lanes of an [`Env`].
pub struct EachLane<E: Env> {
    env: E,
    players: usize,
    states: Lanes<E::State>,
    random: Lanes<E::Random>,
}

impl<E: Env> EachLane<E> {
    /// These lanes of a pool, played by `env`, each to be seeded and reset before its first step.
    pub fn new(env: E, lanes: Range<usize>) -> Self {
        let players = env.spec().players;
        let states = Lanes::new(lanes.clone(), |_| env.create());
        let random = Lanes::new(lanes, |_| E::Random::from_seed(0));
        Self { env, players, states, random }
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

    /// Plays all items from `progress` on.
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
