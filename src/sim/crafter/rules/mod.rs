//! Rules of an episode: steps of the player and the creatures, rewards, and the end of the episode.

mod creatures;
mod player;

use envpool_rs_numeric::random::RandomState;
use envpool_rs_numeric::simd::SimdLevel;
use serde::{Deserialize, Serialize};

use crate::vocabulary::{ACHIEVEMENTS, Action, Inventory, Item, Material};
use crate::world::{Area, Direction, Kind, Object, Point, World};
use player::Player;

/// Number of the player's object, which is the first object of each episode and never removed.
const PLAYER: u16 = 0;

/// Number of steps in a day.
const DAY: f64 = 300.0;

/// Number of steps between two calls of `balance`, which adds and removes creatures.
const BALANCE_PERIOD: u32 = 10;

/// Outcome of a step of a game: the reward, and whether the player is dead.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Reward: a tenth of the change of health, plus 1 if the step unlocked an achievement.
    pub reward: f64,
    /// Whether the player is dead.
    pub is_dead: bool,
}

/// State of an episode: the world, the player, and values that the rules need.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Game {
    world: World,
    player: Player,
    /// Number of steps since the start of the episode.
    steps: u32,
    /// Player's health after the last step.
    last_health: i32,
    /// Bit mask of the achievements that have been rewarded in this episode.
    unlocked: u32,
}

impl Game {
    /// Creates the state before the first episode, which contains the player and a world without materials.
    pub fn new(area: Area) -> Self {
        let mut game =
            Self { world: World::new(area), player: Player::new(), steps: 0, last_health: Inventory::MAX, unlocked: 0 };
        game.world.add(Object::new(Kind::Player, area.center()));
        game
    }

    /// Starts an episode in a newly generated world.
    pub fn reset(&mut self, random: &mut RandomState, level: SimdLevel) {
        let center = self.world.area().center();
        self.world.clear();
        self.world.add(Object::new(Kind::Player, center));
        self.player = Player::new();
        (self.steps, self.last_health, self.unlocked) = (0, Inventory::MAX, 0);
        self.world.generate(center, random, level);
    }

    /// Runs one step, without rendering the picture. Rendering draws random numbers from the same stream after the step.
    ///
    /// Only objects nearer to the player than `update_distance` are updated.
    pub fn step(&mut self, action: Action, update_distance: i32, random: &mut RandomState) -> Outcome {
        self.steps = self.steps.saturating_add(1);
        // The number of objects is read before the loop, so objects that are added during the step are not updated.
        for rank in 0..self.world.num_objects() {
            let number = self.world.nth_object(rank).expect("objects leave the order only at the end of a step");
            if self.distance(number) < update_distance {
                self.update(number, action, random);
            }
        }
        self.world.sweep();
        if self.steps.is_multiple_of(BALANCE_PERIOD) {
            self.world.balance(self.player_pos(), self.daylight(), random);
        }
        Outcome { reward: self.reward(), is_dead: self.is_dead() }
    }

    fn update(&mut self, number: u16, action: Action, random: &mut RandomState) {
        match self.world.object(number).kind {
            Kind::Player => self.update_player(action, random),
            Kind::Cow => self.update_cow(number, random),
            Kind::Zombie { .. } => self.update_zombie(number, random),
            Kind::Skeleton { reload } => self.update_skeleton(number, reload, random),
            Kind::Arrow { facing } => self.update_arrow(number, facing),
            Kind::Plant { grown } => self.update_plant(number, grown),
        }
    }

    /// Returns the reward of the step, and stores the health and achievements with which the next step's reward is computed.
    fn reward(&mut self) -> f64 {
        let health = self.player.inventory[Item::Health];
        let mut reward = f64::from(health - self.last_health) / 10.0;
        self.last_health = health;
        let counts = self.player.achievements.iter().enumerate();
        let achieved = counts.fold(0, |bits, (index, count)| bits | u32::from(*count > 0) << index);
        if achieved & !self.unlocked != 0 {
            self.unlocked = achieved;
            reward += 1.0;
        }
        reward
    }

    /// Returns the world of the episode.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the cell in which the player is.
    #[inline]
    pub fn player_pos(&self) -> Point {
        self.world.object(PLAYER).pos
    }

    /// Returns the direction in which the player faces.
    pub fn facing(&self) -> Direction {
        self.player.facing
    }

    /// Returns whether the player sleeps.
    pub fn is_sleeping(&self) -> bool {
        self.player.is_sleeping
    }

    /// Returns the number of each item in the player's inventory.
    pub fn inventory(&self) -> &Inventory {
        &self.player.inventory
    }

    /// Returns the number of times that the player has reached each achievement in this episode.
    pub fn achievements(&self) -> &[u32; ACHIEVEMENTS.len()] {
        &self.player.achievements
    }

    /// Returns the brightness of the day, from 0 at night to 1 at noon.
    pub fn daylight(&self) -> f64 {
        let progress = f64::from(self.steps) / DAY % 1.0 + 0.3;
        1.0 - (std::f64::consts::PI * progress).cos().abs().powf(3.0)
    }

    /// Returns whether the player is dead.
    pub fn is_dead(&self) -> bool {
        self.player.inventory[Item::Health] <= 0
    }

    /// Returns whether a state from an untrusted snapshot can be stepped in a world of size `area`.
    pub fn is_valid(&self, area: Area) -> bool {
        self.world.area() == area
            && self.world.num_objects() > 0
            && self.player.is_valid()
            && (0..=Inventory::MAX).contains(&self.last_health)
            && self.unlocked >> ACHIEVEMENTS.len() == 0
    }

    fn distance(&self, number: u16) -> i32 {
        self.world.object(number).pos.distance(self.player_pos())
    }

    fn hurt_player(&mut self, damage: i32) {
        let health = &mut self.player.inventory[Item::Health];
        *health = (*health - damage).max(0);
    }

    /// Returns whether a cell is inside of the area, has a material that `allows` accepts, and contains no object.
    fn is_free(&self, pos: Point, allows: impl Fn(Material) -> bool) -> bool {
        self.world.occupant(pos).is_none() && allows(self.world.material(pos))
    }
}
