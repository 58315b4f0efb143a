//! Rules of the player: actions, needs and health (`objects.Player` of the package crafter).
//!
//! Amounts and requirements equal those in `data.yaml` of crafter 1.8.3; some of them differ from the paper.

use envpool_rs_numeric::random::RandomState;
use serde::{Deserialize, Serialize};

use super::{Game, PLAYER};
use crate::vocabulary::{ACHIEVEMENTS, Achievement, Action, Inventory, Item, Material};
use crate::world::{Direction, Kind, Object, Point};

/// State of the player. The counters of hunger, thirst and recovery are integers that count halves.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Player {
    pub(super) facing: Direction,
    pub(super) is_sleeping: bool,
    pub(super) inventory: Inventory,
    pub(super) achievements: [u32; ACHIEVEMENTS.len()],
    /// Health after the player's last update.
    last_health: i32,
    hunger: i32,
    thirst: i32,
    fatigue: i32,
    recovery: i32,
}

impl Player {
    pub(super) fn new() -> Self {
        Self {
            facing: Direction::Down,
            is_sleeping: false,
            inventory: Inventory::initial(),
            achievements: [0; ACHIEVEMENTS.len()],
            last_health: Inventory::MAX,
            hunger: 0,
            thirst: 0,
            fatigue: 0,
            recovery: 0,
        }
    }

    pub(super) fn is_valid(&self) -> bool {
        let amounts = 0..=Inventory::MAX;
        let counters = [self.hunger, self.thirst, self.fatigue, self.recovery];
        self.inventory.0.iter().chain([&self.last_health]).all(|amount| amounts.contains(amount))
            && counters.iter().all(|counter| counter.abs() <= 1000)
    }

    fn achieve(&mut self, achievement: Achievement) {
        let count = &mut self.achievements[achievement as usize];
        *count = count.saturating_add(1);
    }

    fn is_tired(&self) -> bool {
        self.inventory[Item::Energy] < Inventory::MAX
    }

    /// Takes the given amounts of items from the inventory, if it contains enough of each. Returns whether it does.
    fn spend(&mut self, uses: &[(Item, i32)]) -> bool {
        let has_all = uses.iter().all(|(item, amount)| self.inventory[*item] >= *amount);
        if has_all {
            for (item, amount) in uses {
                self.inventory[*item] -= amount;
            }
        }
        has_all
    }

    /// Returns the damage of the player's attack, which depends on the best sword in the inventory.
    fn damage(&self) -> i32 {
        let swords = [(Item::IronSword, 5), (Item::StoneSword, 3), (Item::WoodSword, 2)];
        swords.iter().find(|(sword, _)| self.inventory.has(*sword)).map_or(1, |(_, damage)| *damage)
    }

    /// Advances hunger, thirst and fatigue by one update.
    fn update_needs(&mut self) {
        let pace = if self.is_sleeping { 1 } else { 2 };
        self.hunger += pace;
        if self.hunger > 2 * 25 {
            self.hunger = 0;
            self.inventory[Item::Food] -= 1;
        }
        self.thirst += pace;
        if self.thirst > 2 * 20 {
            self.thirst = 0;
            self.inventory[Item::Drink] -= 1;
        }
        self.fatigue = if self.is_sleeping { (self.fatigue - 1).min(0) } else { self.fatigue + 1 };
        if self.fatigue < -10 {
            self.fatigue = 0;
            self.inventory[Item::Energy] += 1;
        }
        if self.fatigue > 30 {
            self.fatigue = 0;
            self.inventory[Item::Energy] -= 1;
        }
    }

    /// Advances the recovery counter by one update, which may change the player's health.
    fn update_health(&mut self) {
        let is_rested = self.inventory.has(Item::Energy) || self.is_sleeping;
        let is_satisfied = self.inventory.has(Item::Food) && self.inventory.has(Item::Drink) && is_rested;
        self.recovery += match (is_satisfied, self.is_sleeping) {
            (true, true) => 4,
            (true, false) => 2,
            (false, true) => -1,
            (false, false) => -2,
        };
        if self.recovery > 2 * 25 {
            self.recovery = 0;
            self.inventory[Item::Health] += 1;
        }
        if self.recovery < 2 * -15 {
            self.recovery = 0;
            let health = &mut self.inventory[Item::Health];
            *health = (*health - 1).max(0);
        }
    }

    /// Wakes the player up if the player was hurt since the last update.
    fn wake_up_when_hurt(&mut self) {
        let health = self.inventory[Item::Health];
        if health < self.last_health {
            self.is_sleeping = false;
        }
        self.last_health = health;
    }
}

/// Rule for collecting a material: required tool, items that the player gets, and probability of success.
struct Collection {
    /// Tool that the player needs to collect the material.
    tool: Option<Item>,
    receives: Item,
    achievement: Achievement,
    leaves: Material,
    probability: f64,
}

impl Collection {
    fn of(material: Material) -> Option<Self> {
        use {Achievement as A, Item as I, Material as M};
        let (tool, receives, achievement, leaves, probability) = match material {
            M::Tree => (None, I::Wood, A::CollectWood, M::Grass, 1.0),
            M::Stone => (Some(I::WoodPickaxe), I::Stone, A::CollectStone, M::Path, 1.0),
            M::Coal => (Some(I::WoodPickaxe), I::Coal, A::CollectCoal, M::Path, 1.0),
            M::Iron => (Some(I::StonePickaxe), I::Iron, A::CollectIron, M::Path, 1.0),
            M::Diamond => (Some(I::IronPickaxe), I::Diamond, A::CollectDiamond, M::Path, 1.0),
            M::Water => (None, I::Drink, A::CollectDrink, M::Water, 1.0),
            M::Grass => (None, I::Sapling, A::CollectSapling, M::Grass, 0.1),
            _ => return None,
        };
        Some(Self { tool, receives, achievement, leaves, probability })
    }
}

/// Recipe of a tool: the items that making it uses, and the materials that must be nearby.
struct Recipe {
    gives: Item,
    uses: &'static [(Item, i32)],
    needs_furnace: bool,
    achievement: Achievement,
}

impl Recipe {
    fn of(action: Action) -> Option<Self> {
        use {Achievement as A, Item as I};
        const WOOD: &[(I, i32)] = &[(I::Wood, 1)];
        const STONE: &[(I, i32)] = &[(I::Wood, 1), (I::Stone, 1)];
        const IRON: &[(I, i32)] = &[(I::Wood, 1), (I::Coal, 1), (I::Iron, 1)];
        let (gives, uses, needs_furnace, achievement) = match action {
            Action::MakeWoodPickaxe => (I::WoodPickaxe, WOOD, false, A::MakeWoodPickaxe),
            Action::MakeStonePickaxe => (I::StonePickaxe, STONE, false, A::MakeStonePickaxe),
            Action::MakeIronPickaxe => (I::IronPickaxe, IRON, true, A::MakeIronPickaxe),
            Action::MakeWoodSword => (I::WoodSword, WOOD, false, A::MakeWoodSword),
            Action::MakeStoneSword => (I::StoneSword, STONE, false, A::MakeStoneSword),
            Action::MakeIronSword => (I::IronSword, IRON, true, A::MakeIronSword),
            _ => return None,
        };
        Some(Self { gives, uses, needs_furnace, achievement })
    }
}

impl Game {
    /// Updates the player with an action. Afterwards, the number of each item is from 0 to 9; creatures may hurt the player
    /// later in the same step.
    pub(super) fn update_player(&mut self, action: Action, random: &mut RandomState) {
        let target = self.player_pos() + self.player.facing.offset();
        let mut action = action;
        if self.player.is_sleeping {
            if self.player.is_tired() {
                action = Action::Sleep;
            } else {
                self.player.is_sleeping = false;
                self.player.achieve(Achievement::Wake);
            }
        }
        match action {
            Action::Noop => {}
            Action::MoveLeft => self.walk(Direction::Left),
            Action::MoveRight => self.walk(Direction::Right),
            Action::MoveUp => self.walk(Direction::Up),
            Action::MoveDown => self.walk(Direction::Down),
            Action::Do => match self.world.occupant(target) {
                Some(number) => self.do_object(number),
                None => self.do_material(target, random),
            },
            Action::Sleep => self.player.is_sleeping |= self.player.is_tired(),
            Action::PlaceStone | Action::PlaceTable | Action::PlaceFurnace | Action::PlacePlant => self.place(action, target),
            _ => self.make(action),
        }
        self.player.update_needs();
        self.player.update_health();
        for amount in &mut self.player.inventory.0 {
            *amount = (*amount).clamp(0, Inventory::MAX);
        }
        self.player.wake_up_when_hurt();
    }

    fn walk(&mut self, direction: Direction) {
        self.player.facing = direction;
        let target = self.player_pos() + direction.offset();
        if self.is_free(target, |material| material.is_walkable() || material == Material::Lava) {
            self.world.move_object(PLAYER, target);
        }
        if self.world.material(self.player_pos()) == Material::Lava {
            self.player.inventory[Item::Health] = 0;
        }
    }

    /// Performs the action `do` on an object: eats a ripe plant, or hits a creature.
    fn do_object(&mut self, number: u16) {
        let damage = self.player.damage();
        let object = self.world.object_mut(number);
        if object.kind.is_creature() {
            object.damage(damage);
            if object.health > 0 {
                return;
            }
        }
        match object.kind {
            Kind::Plant { .. } if object.kind.is_ripe() => {
                object.kind = Kind::Plant { grown: 0 };
                self.player.inventory[Item::Food] += 4;
                self.player.achieve(Achievement::EatPlant);
            }
            Kind::Zombie { .. } => self.player.achieve(Achievement::DefeatZombie),
            Kind::Skeleton { .. } => self.player.achieve(Achievement::DefeatSkeleton),
            Kind::Cow => {
                self.player.inventory[Item::Food] += 6;
                self.player.hunger = 0;
                self.player.achieve(Achievement::EatCow);
            }
            _ => {}
        }
    }

    fn do_material(&mut self, target: Point, random: &mut RandomState) {
        let material = self.world.material(target);
        if material == Material::Water {
            self.player.thirst = 0;
        }
        let Some(collection) = Collection::of(material) else { return };
        if collection.tool.is_some_and(|tool| !self.player.inventory.has(tool)) {
            return;
        }
        self.world.set_material(target, collection.leaves);
        // As in the package crafter, a random number is drawn even if collecting always succeeds.
        if random.random_sample() <= collection.probability {
            self.player.inventory[collection.receives] += 1;
            self.player.achieve(collection.achievement);
        }
    }

    fn place(&mut self, action: Action, target: Point) {
        use Material as M;
        let material = self.world.material(target);
        let (is_allowed, uses, achievement) = match action {
            Action::PlaceStone => (material.is_open_to_arrows(), (Item::Stone, 1), Achievement::PlaceStone),
            Action::PlaceTable => (material.is_walkable(), (Item::Wood, 2), Achievement::PlaceTable),
            Action::PlaceFurnace => (material.is_walkable(), (Item::Stone, 4), Achievement::PlaceFurnace),
            _ => (material == M::Grass, (Item::Sapling, 1), Achievement::PlacePlant),
        };
        if self.world.occupant(target).is_some() || !is_allowed || !self.player.spend(&[uses]) {
            return;
        }
        match action {
            Action::PlaceStone => self.world.set_material(target, M::Stone),
            Action::PlaceTable => self.world.set_material(target, M::Table),
            Action::PlaceFurnace => self.world.set_material(target, M::Furnace),
            _ => {
                self.world.add(Object::new(Kind::Plant { grown: 0 }, target));
            }
        }
        self.player.achieve(achievement);
    }

    fn make(&mut self, action: Action) {
        let Some(recipe) = Recipe::of(action) else { return };
        let pos = self.player_pos();
        let has_furnace = || !recipe.needs_furnace || self.world.is_near(pos, Material::Furnace);
        if !self.world.is_near(pos, Material::Table) || !has_furnace() || !self.player.spend(recipe.uses) {
            return;
        }
        self.player.inventory[recipe.gives] += 1;
        self.player.achieve(recipe.achievement);
    }
}
