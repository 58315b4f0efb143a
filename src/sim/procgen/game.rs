//! One environment of a game: its episodes, levels and pictures. The seeds of levels are drawn from a range.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::canvas::Canvas;
use crate::games::{GameName, GameRules};
use crate::random::RandGen;
use crate::rules::painter::Layers;
use crate::world::{Setup, World};

/// Number by which the level seed increases from one sequential level to the next.
const NEXT_LEVEL: i32 = 997;

/// Range of level seeds: `low` to `high - 1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelRange {
    /// Smallest seed of the range.
    pub low: i32,
    /// Largest seed of the range plus 1.
    pub high: i32,
}

impl LevelRange {
    /// Range of all level seeds.
    pub const ALL: Self = Self { low: 0, high: i32::MAX };
}

/// Cached layers of an environment's last picture, which its next picture may reuse.
#[derive(Debug, Clone, Default)]
pub struct Screen(Layers);

impl Screen {
    /// Starts to load memory that the next picture probably needs into the processor's cache.
    pub fn prefetch(&self) {
        self.0.strip.prefetch();
    }
}

/// Result of one step of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Reward of the step.
    pub reward: f32,
    /// Whether the rules terminated the episode.
    pub terminated: bool,
    /// Whether the step reached the game's time limit.
    pub timed_out: bool,
    /// Whether the level was completed.
    pub level_complete: bool,
}

/// State of one environment that plays a Procgen game.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Game {
    rules: GameRules,
    world: World,
    level_seed_rand_gen: RandGen,
    current_level_seed: i32,
    prev_level_seed: i32,
}

impl Game {
    /// Creates a game before its first level. `seed` seeds the random stream from which level seeds are drawn.
    pub fn new(game: GameName, setup: Arc<Setup>, seed: u32) -> Self {
        let (rules, world) = GameRules::new(game, setup);
        Self { rules, world, level_seed_rand_gen: RandGen::new(seed), current_level_seed: 0, prev_level_seed: 0 }
    }

    /// Seeds the random stream from which level seeds are drawn.
    pub fn seed(&mut self, seed: u32) {
        self.level_seed_rand_gen = RandGen::new(seed);
    }

    /// Sets the data that the game shares with the other environments of its pool, after the game was restored from a snapshot.
    pub fn attach(&mut self, setup: Arc<Setup>) {
        self.world.setup = setup;
    }

    /// Returns the game's name.
    pub fn name(&self) -> GameName {
        self.rules.game()
    }

    /// Starts a level. If levels are sequential and the last level was completed, starts the next level of the sequence.
    pub fn reset(&mut self, levels: LevelRange) {
        let world = &mut self.world;
        if world.setup.options.use_sequential_levels && world.level_complete {
            self.current_level_seed = self.current_level_seed.wrapping_add(NEXT_LEVEL);
        } else {
            self.current_level_seed = self.level_seed_rand_gen.randint(levels.low, levels.high);
        }
        world.level_number = world.level_number.wrapping_add(1);
        world.rand_gen.seed(self.current_level_seed);
        self.rules.game_reset(world);
        world.cur_time = 0;
        world.action = 4;
    }

    /// Clears the outcome of the last step, so that the next reset draws a new level seed instead of continuing the sequence of
    /// levels.
    pub fn clear_outcome(&mut self) {
        (self.world.reward, self.world.done, self.world.level_complete) = (0.0, false, false);
    }

    /// Runs one step with an action from 0 to 14.
    pub fn step(&mut self, action: i32) -> Outcome {
        let world = &mut self.world;
        world.action = action;
        world.cur_time += 1;
        (world.reward, world.done, world.level_complete) = (0.0, false, false);
        self.rules.game_step(world);
        self.prev_level_seed = self.current_level_seed;
        Outcome {
            reward: world.reward,
            terminated: world.done,
            timed_out: world.cur_time >= world.timeout,
            level_complete: world.level_complete,
        }
    }

    /// Draws the world on a canvas, whose previous content is overwritten. Each game must have its own screen, because the screen
    /// caches layers of the game's last picture. All environments of a thread should share a canvas, so that it stays in the
    /// processor's cache.
    pub fn draw(&self, screen: &mut Screen, canvas: &mut Canvas) {
        self.rules.draw(&self.world, canvas, &mut screen.0);
    }

    /// Returns the seed of the current level.
    pub fn level_seed(&self) -> i32 {
        self.current_level_seed
    }

    /// Returns the seed of the level in which the last step ran.
    pub fn prev_level_seed(&self) -> i32 {
        self.prev_level_seed
    }

    /// Returns whether the last step completed the level in which it ran.
    pub fn prev_level_complete(&self) -> bool {
        self.world.level_complete
    }

    /// Returns whether a state from an untrusted snapshot can be stepped and drawn. [`Game::attach`] must be called before.
    pub fn is_valid(&self) -> bool {
        self.world.is_valid() && self.rules.is_valid(&self.world)
    }
}
