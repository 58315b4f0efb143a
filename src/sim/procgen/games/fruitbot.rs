//! Fruitbot: a robot collects fruit and avoids other food.

use serde::{Deserialize, Serialize};

use super::prelude::*;

const COMPLETION_BONUS: f32 = 10.0;
const POSITIVE_REWARD: f32 = 1.0;
const PENALTY: f32 = -4.0;

const BARRIER: i32 = 1;
const OUT_OF_BOUNDS_WALL: i32 = 2;
const PLAYER_BULLET: i32 = 3;
const BAD_OBJ: i32 = 4;
const GOOD_OBJ: i32 = 7;
const LOCKED_DOOR: i32 = 10;
const LOCK: i32 = 11;
const PRESENT: i32 = 12;

/// Number of steps for which a thrown key flies. After this number of steps, the agent can throw the next key.
const KEY_DURATION: i32 = 8;
const DOOR_ASPECT_RATIO: f32 = 3.25;
const BULLET_VSCALE: f32 = 0.5;
/// Minimum number of rows between two walls.
const MIN_SEP: i32 = 4;
/// Number of rows at the end of the world that have no walls.
const END_ROWS: i32 = 4;

/// Rules of the game Fruitbot, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Fruitbot {
    last_fire_time: i32,
}

/// Adds a wall across the world, with a gap or a door.
fn add_walls(world: &mut World, y: f32, has_door: bool, min_pct: f32) {
    const WALL_RY: f32 = 0.3;
    const LOCK_RX: f32 = 0.25;
    const LOCK_RY: f32 = 0.45;
    let width = world.main_width as f32;
    let mut pct = f32_of(f64::from(min_pct) + 0.2 * f64::from(world.rand_gen.rand01()));
    if has_door {
        pct += 0.1;
        let lock_pct_w = 2.0 * LOCK_RX / width;
        let door_pct_w = (WALL_RY * 2.0 * DOOR_ASPECT_RATIO) / width;
        let num_doors = ((pct - 2.0 * lock_pct_w) / door_pct_w).ceil() as i32;
        pct = 2.0 * lock_pct_w + door_pct_w * num_doors as f32;
    }
    let gap = pct * width;
    let left = world.rand_gen.rand01() * (width - gap);
    let right = width - left - gap;
    world.add_entity_rxy(left / 2.0, y, 0.0, 0.0, left / 2.0, WALL_RY, BARRIER);
    world.add_entity_rxy(width - right / 2.0, y, 0.0, 0.0, right / 2.0, WALL_RY, BARRIER);
    if has_door {
        let is_on_right = world.rand_gen.randn(2) as f32;
        let lock_x = left + LOCK_RX + is_on_right * (gap - 2.0 * LOCK_RX);
        let door_x = left + gap / 2.0 - (is_on_right * 2.0 - 1.0) * LOCK_RX;
        world.add_entity_rxy(door_x, y, 0.0, 0.0, gap / 2.0 - LOCK_RX, WALL_RY, LOCKED_DOOR);
        world.add_entity_rxy(lock_x, y - LOCK_RY + WALL_RY, 0.0, 0.0, LOCK_RX, LOCK_RY, LOCK);
    }
}

/// Reduces one radius of an entity, so that the ratio of the radii equals the aspect ratio of its picture.
fn fit_aspect_ratio(world: &mut World, index: usize) {
    let ratio = world.aspect_ratio(&world.entities[index], false);
    let entity = &mut world.entities[index];
    if ratio > 1.0 {
        entity.ry = entity.rx / ratio;
    } else {
        entity.rx = entity.ry * ratio;
    }
}

impl Rules for Fruitbot {
    const BACKGROUNDS: Backgrounds = Backgrounds::Topdown;

    fn new(world: &mut World) -> Self {
        world.maxspeed = 0.85;
        world.bg_tile_ratio = -1.0;
        world.out_of_bounds_object = OUT_OF_BOUNDS_WALL;
        Self::default()
    }

    fn asset_for_type(kind: i32) -> Names {
        let numbers = ["1", "2", "3", "4", "5", "6"];
        match kind {
            PLAYER => names(&["misc_assets/robot_3Dblue.png"]),
            BARRIER | OUT_OF_BOUNDS_WALL => names(&["misc_assets/tileStone_slope.png"]),
            PLAYER_BULLET => names(&["misc_assets/keyRed2.png"]),
            BAD_OBJ => names_of("misc_assets/food{}.png", &numbers),
            GOOD_OBJ => names_of("misc_assets/fruit{}.png", &numbers),
            LOCKED_DOOR => names(&["misc_assets/fenceYellow.png"]),
            LOCK => names(&["misc_assets/lockRed2.png"]),
            PRESENT => names_of("misc_assets/present{}.png", &numbers[..3]),
            _ => Names::new(),
        }
    }

    fn will_reflect(&self, _world: &World, source: i32, target: i32) -> bool {
        source == BAD_OBJ && matches!(target, BARRIER | WALL_OBJ)
    }

    fn is_blocked(&mut self, world: &mut World, source: usize, target: i32, _is_horizontal: bool) -> bool {
        is_blocked_in_all_games(world, target) || world.entities[source].kind == PLAYER && target == OUT_OF_BOUNDS_WALL
    }

    fn get_tile_aspect_ratio(&self, entity: &Entity) -> f32 {
        match entity.kind {
            BARRIER => 1.0,
            LOCKED_DOOR => DOOR_ASPECT_RATIO,
            _ => 0.0,
        }
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        match world.entities[entity].kind {
            BARRIER | LOCKED_DOOR => world.done = true,
            BAD_OBJ => {
                world.reward += PENALTY;
                world.entities[entity].will_erase = true;
            }
            GOOD_OBJ => {
                world.reward += POSITIVE_REWARD;
                world.entities[entity].will_erase = true;
            }
            PRESENT => world.complete_level(COMPLETION_BONUS),
            _ => {}
        }
    }

    fn handle_collision(&mut self, world: &mut World, source: usize, target: usize) {
        if world.entities[source].kind != PLAYER_BULLET {
            return;
        }
        match world.entities[target].kind {
            BARRIER => world.entities[source].will_erase = true,
            LOCK => {
                world.entities[source].will_erase = true;
                world.entities[target].will_erase = true;
                let y = world.entities[target].y;
                let is_its_door = |entity: &&mut Entity| entity.kind == LOCKED_DOOR && (entity.y - y).abs() < 1.0;
                if let Some(door) = world.entities.iter_mut().find(is_its_door) {
                    door.will_erase = true;
                }
            }
            _ => {}
        }
    }

    fn choose_center(world: &World) -> (f32, f32, f32) {
        let half = f64::from(world.main_width) / 2.0;
        let agent = world.agent();
        let y = f64::from(agent.y) + half - f64::from(2.0 * agent.ry);
        (f32_of(half), f32_of(y), world.main_width as f32)
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        let width = if world.mode() == DistributionMode::Easy { 10 } else { 20 };
        (world.main_width, world.main_height) = (width, 60);
    }

    fn set_action_xy(&mut self, world: &mut World, move_action: i32) {
        world.action_vx = (move_action / 3 - 1) as f32;
        world.action_vy = 0.2;
        world.action_vrot = 0.0;
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        self.last_fire_time = 0;
        let is_easy = world.mode() == DistributionMode::Easy;
        let (num_walls, group_size, door_prob, min_pct) = if is_easy { (5, 2, 0.0, 0.2) } else { (10, 6, 0.125, 0.1) };
        let rest = world.main_height - MIN_SEP * num_walls - END_ROWS;
        let mut y = 0;
        for part in world.rand_gen.partition(rest, num_walls as usize) {
            let dy = MIN_SEP + part;
            y += dy;
            let has_door = dy > 5 && world.rand_gen.rand01() < door_prob;
            add_walls(world, y as f32, has_door, min_pct);
        }
        world.agent_mut().y = world.agent().ry;
        let num_good = world.rand_gen.randn(10) + 10;
        let num_bad = world.rand_gen.randn(10) + 10;
        let (width, height) = (world.main_width as f32, world.main_height as f32);
        for column in 0..world.main_width {
            world.add_entity(column as f32 + 0.5, height - 0.5, 0.0, 0.0, 0.5, PRESENT);
            world.choose_random_theme(world.entities.len() - 1);
        }
        world.spawn_entities(num_good, 0.5, GOOD_OBJ, [0.0, 0.0, width, height]);
        world.spawn_entities(num_bad, 0.5, BAD_OBJ, [0.0, 0.0, width, height]);
        for index in 0..world.entities.len() {
            if matches!(world.entities[index].kind, GOOD_OBJ | BAD_OBJ) {
                world.entities[index].image_theme = world.rand_gen.randn(group_size);
                fit_aspect_ratio(world, index);
            }
        }
        world.agent_mut().rotation = -PI / 2.0;
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        if world.special_action == 1 && world.cur_time - self.last_fire_time >= KEY_DURATION {
            let Entity { x, y, .. } = *world.agent();
            let bullet = world.add_entity(x, y, 0.0, BULLET_VSCALE, 0.25, PLAYER_BULLET);
            bullet.expire_time = KEY_DURATION;
            bullet.collides_with_entities = true;
            self.last_fire_time = world.cur_time;
        }
    }
}
