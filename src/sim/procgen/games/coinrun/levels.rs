//! Levels of Coinrun: ground with pits, crates, saws and enemies.

use super::{CRATE, ENEMY, ENEMY1, GOAL, GRAVITY, LAVA_MID, LAVA_TOP, SAW, WALL_MID, WALL_TOP, is_wall};
use crate::games::prelude::*;

/// Object type of invisible cells at which enemies turn back.
pub(super) const ENEMY_BARRIER: i32 = 19;

/// Kind of danger with which a level's pits are filled.
#[derive(Debug, Clone, Copy)]
enum Danger {
    Lava,
    Saws,
    Enemies,
}

/// Parameters with which the sections of a level are drawn.
struct SectionRules {
    difficulty: i32,
    danger: Danger,
    max_dy: i32,
    max_dx: i32,
    allow_monsters: bool,
}

fn fill_block_top(world: &mut World, (x, y, dx, dy): (i32, i32, i32, i32), fill: i32, top: i32) {
    world.fill_elem(x, y, dx, dy - 1, fill);
    world.fill_elem(x, y + dy - 1, dx, 1, top);
}

fn fill_ground_block(world: &mut World, x: i32, y: i32, dx: i32, dy: i32) {
    fill_block_top(world, (x, y, dx, dy), WALL_MID, WALL_TOP);
}

fn create_saw_enemy(world: &mut World, x: i32, y: i32) {
    world.add_entity(x as f32 + 0.5, y as f32 + 0.5, 0.0, 0.0, 0.5, SAW);
}

fn create_enemy(world: &mut World, x: i32, y: i32) {
    let vx = f32_of(0.15 * f64::from(world.rand_gen.randn(2) * 2 - 1));
    let enemy = world.add_entity(x as f32 + 0.5, y as f32 + 0.5, vx, 0.0, 0.5, ENEMY);
    enemy.smart_step = true;
    enemy.image_type = ENEMY1;
    enemy.render_z = 1;
    world.choose_random_theme(world.entities.len() - 1);
}

fn create_crate(world: &mut World, x: i32, y: i32) {
    world.add_entity(x as f32 + 0.5, y as f32 + 0.5, 0.0, 0.0, 0.5, CRATE);
    world.choose_random_theme(world.entities.len() - 1);
}

/// Generates a level of sections that follow each other from left to right. The coin is at the end of the last section.
pub(super) fn generate_coin_to_the_right(world: &mut World) {
    let difficulty = world.rand_gen.randn(3) + 1;
    let num_sections = world.rand_gen.randn(difficulty) + difficulty;
    let danger = [Danger::Lava, Danger::Saws, Danger::Enemies][world.rand_gen.index(3)];
    let max_dy = world.max_jump * world.max_jump / (2.0 * GRAVITY);
    let max_dx = world.maxspeed * 2.0 * world.max_jump / GRAVITY;
    let rules = SectionRules {
        difficulty,
        danger,
        max_dy: (f64::from(max_dy) - 0.5) as i32,
        max_dx: (f64::from(max_dx) - 0.5) as i32,
        allow_monsters: world.mode() != DistributionMode::Easy,
    };
    let (mut x, mut y) = (5, 1);
    for _ in 0..num_sections {
        if x + 15 >= world.main_width {
            break;
        }
        (x, y) = rules.add_section(world, x, y);
    }
    world.set_obj(x, y, GOAL);
    fill_ground_block(world, x, 0, 1, y);
    let (width, height) = (world.main_width, world.main_height);
    world.fill_elem(x + 1, 0, width - x - 1, height, WALL_MID);
}

impl SectionRules {
    /// Adds a section of the level that starts at column `x` and height `y`. Returns the column and the height at which the
    /// next section starts.
    fn add_section(&self, world: &mut World, x: i32, y: i32) -> (i32, i32) {
        let third = self.difficulty / 3;
        let dy = (world.rand_gen.randn(4) + 1 + third).min(self.max_dy);
        let goes_down = y >= 20 || y >= 5 && world.rand_gen.randn(2) == 1;
        let dx = world.rand_gen.randn(2 * self.difficulty) + 3 + third;
        let y = (if goes_down { y - dy } else { y + dy }).max(1);
        if dx > 7 && y > 3 && world.rand_gen.randn(20) >= self.difficulty {
            self.add_pit(world, x, y, dx);
        } else {
            self.add_ground(world, x, y, dx);
        }
        if !is_wall(world.get_obj(x - 1, y)) {
            world.set_obj(x - 1, y, ENEMY_BARRIER);
        }
        world.set_obj(x + dx, y, ENEMY_BARRIER);
        (x + dx, y)
    }

    fn add_pit(&self, world: &mut World, x: i32, y: i32, dx: i32) {
        let left = world.rand_gen.randn(3) + 1;
        let right = world.rand_gen.randn(3) + 1;
        let width = (dx - left - right).min(self.max_dx);
        let right = dx - left - width;
        fill_ground_block(world, x, 0, left, y);
        fill_ground_block(world, x + dx - right, 0, right, y);
        let lava_height = world.rand_gen.randn(y - 3) + 1;
        let pit = x + left;
        match self.danger {
            Danger::Lava => fill_block_top(world, (pit, 1, width, lava_height), LAVA_MID, LAVA_TOP),
            Danger::Saws => (0..width).for_each(|step| create_saw_enemy(world, pit + step, 1)),
            Danger::Enemies => (0..width).for_each(|step| create_enemy(world, pit + step, 1)),
        }
        if width > 4 {
            let before = world.rand_gen.randn(2) + if width == 5 { 1 } else { 2 };
            let last = world.rand_gen.randn(2);
            let length = if width <= 6 { 1 + last } else { width - before - (2 + last) };
            fill_ground_block(world, pit + before, y - 1, length, 1);
        }
    }

    fn add_ground(&self, world: &mut World, x: i32, y: i32, dx: i32) {
        fill_ground_block(world, x, 0, dx, y);
        let random_column = |world: &mut World| x + world.rand_gen.randn(dx - 2) + 1;
        let (mut saw_x, mut enemy_x) = (-1, -1);
        if world.rand_gen.randn(10) < 2 * self.difficulty && dx > 3 {
            saw_x = random_column(world);
            create_saw_enemy(world, saw_x, y);
        }
        if world.rand_gen.randn(10) < self.difficulty && dx > 3 && self.max_dx >= 4 && self.allow_monsters {
            enemy_x = random_column(world);
            create_enemy(world, enemy_x, y);
        }
        for _ in 0..2 {
            let crate_x = random_column(world);
            if world.rand_gen.randn(2) == 1 && saw_x != crate_x && enemy_x != crate_x {
                let height = world.rand_gen.randn(3) + 1;
                (0..height).for_each(|step| create_crate(world, crate_x, y + step));
            }
        }
    }
}
