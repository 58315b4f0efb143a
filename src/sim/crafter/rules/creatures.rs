//! Rules of cows, zombies, skeletons, arrows and plants (`objects.py` of the package crafter).
//!
//! A creature whose health is 0 is removed at its next update. During that update, it still draws random numbers and attacks.

use envpool_rs_numeric::random::RandomState;

use super::{Game, PLAYER};
use crate::vocabulary::Material;
use crate::world::{Direction, Kind, Object, Point};

/// Damage of a zombie's attack: first to a player who is awake, then to a player who sleeps.
const ZOMBIE_DAMAGE: [i32; 2] = [2, 7];
/// Number of updates between two attacks of a zombie next to the player.
const ZOMBIE_COOLDOWN: u8 = 5;
/// Number of updates between two arrows of a skeleton.
const SKELETON_RELOAD: u8 = 4;
const ARROW_DAMAGE: i32 = 2;

impl Game {
    fn remove_dead(&mut self, number: u16) {
        if self.world.object(number).health <= 0 {
            self.world.remove(number);
        }
    }

    /// Moves a creature by `step` if the target cell is free. Returns whether it is free. A creature that has been removed does
    /// not move.
    fn move_creature(&mut self, number: u16, step: Point) -> bool {
        let target = self.world.object(number).pos + step;
        let is_free = self.is_free(target, Material::is_walkable);
        if is_free {
            self.world.move_object(number, target);
        }
        is_free
    }

    fn random_step(random: &mut RandomState) -> Point {
        Direction::ALL[random.randint(0, 4) as usize].offset()
    }

    /// Returns a step of one cell toward the player along one axis: if `is_long_axis` is set, along the axis on which the
    /// player is farther away, otherwise along the axis on which the player is nearer. The step is zero if the distance along
    /// this axis is zero.
    fn step_toward_player(&self, number: u16, is_long_axis: bool) -> Point {
        let offset = self.player_pos() - self.world.object(number).pos;
        let is_x_longer = offset.x.abs() > offset.y.abs();
        if is_x_longer == is_long_axis { Point { x: offset.x.signum(), y: 0 } } else { Point { x: 0, y: offset.y.signum() } }
    }

    pub(super) fn update_cow(&mut self, number: u16, random: &mut RandomState) {
        self.remove_dead(number);
        if random.random_sample() < 0.5 {
            let step = Self::random_step(random);
            self.move_creature(number, step);
        }
    }

    pub(super) fn update_zombie(&mut self, number: u16, random: &mut RandomState) {
        self.remove_dead(number);
        let step = if self.distance(number) <= 8 && random.random_sample() < 0.9 {
            self.step_toward_player(number, random.random_sample() < 0.8)
        } else {
            Self::random_step(random)
        };
        self.move_creature(number, step);
        if self.distance(number) > 1 {
            return;
        }
        let damage = ZOMBIE_DAMAGE[usize::from(self.player.is_sleeping)];
        let Kind::Zombie { cooldown } = &mut self.world.object_mut(number).kind else { return };
        if *cooldown > 0 {
            *cooldown -= 1;
        } else {
            *cooldown = ZOMBIE_COOLDOWN;
            self.hurt_player(damage);
        }
    }

    pub(super) fn update_skeleton(&mut self, number: u16, reload: u8, random: &mut RandomState) {
        self.remove_dead(number);
        let reload = reload.saturating_sub(1);
        self.world.object_mut(number).kind = Kind::Skeleton { reload };
        let distance = self.distance(number);
        if distance <= 3 {
            let toward = self.step_toward_player(number, random.random_sample() < 0.6);
            if self.move_creature(number, Point { x: -toward.x, y: -toward.y }) {
                return;
            }
        }
        if distance <= 5 && random.random_sample() < 0.5 {
            if reload == 0 {
                self.shoot(number);
            }
        } else if distance <= 8 && random.random_sample() < 0.3 {
            let step = self.step_toward_player(number, random.random_sample() < 0.6);
            self.move_creature(number, step);
        } else if random.random_sample() < 0.2 {
            let step = Self::random_step(random);
            self.move_creature(number, step);
        }
    }

    fn shoot(&mut self, number: u16) {
        let step = self.step_toward_player(number, true);
        let target = self.world.object(number).pos + step;
        let Some(facing) = Direction::of(step) else { return };
        if self.is_free(target, Material::is_open_to_arrows) {
            self.world.add(Object::new(Kind::Arrow { facing }, target));
            self.world.object_mut(number).kind = Kind::Skeleton { reload: SKELETON_RELOAD };
        }
    }

    pub(super) fn update_arrow(&mut self, number: u16, facing: Direction) {
        let target = self.world.object(number).pos + facing.offset();
        let material = self.world.material(target);
        if let Some(hit) = self.world.occupant(target) {
            if hit == PLAYER {
                self.hurt_player(ARROW_DAMAGE);
            } else {
                self.world.object_mut(hit).damage(ARROW_DAMAGE);
            }
            self.world.remove(number);
        } else if material.is_open_to_arrows() {
            self.world.move_object(number, target);
        } else {
            self.world.remove(number);
            if matches!(material, Material::Table | Material::Furnace) {
                self.world.set_material(target, Material::Path);
            }
        }
    }

    pub(super) fn update_plant(&mut self, number: u16, grown: u32) {
        self.world.object_mut(number).kind = Kind::Plant { grown: grown.saturating_add(1) };
        let pos = self.world.object(number).pos;
        let is_eaten = Direction::ALL.iter().any(|direction| {
            let neighbour = self.world.occupant(pos + direction.offset());
            neighbour.is_some_and(|neighbour| self.world.object(neighbour).kind.is_creature())
        });
        if is_eaten {
            self.world.object_mut(number).damage(1);
        }
        self.remove_dead(number);
    }
}
