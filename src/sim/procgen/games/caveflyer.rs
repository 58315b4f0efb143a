//! Caveflyer: a spaceship flies through a cave.

use serde::{Deserialize, Serialize};

use super::prelude::*;
use crate::room_gen;

const GOAL_REWARD: f32 = 10.0;
const TARGET_REWARD: f32 = 3.0;

const GOAL: i32 = 1;
const OBSTACLE: i32 = 2;
const TARGET: i32 = 3;
const PLAYER_BULLET: i32 = 4;
const ENEMY: i32 = 5;
const CAVEWALL: i32 = 8;
const EXHAUST: i32 = 9;
const MARKER: i32 = 1003;

/// Rules of the game Caveflyer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Caveflyer;

/// Generates the cave. Returns the cell of the agent, the cell of the goal, and the path between them.
fn generate_cave(world: &mut World) -> (i32, i32, Vec<i32>) {
    for index in 0..world.grid_size() {
        let kind = if f64::from(world.rand_gen.rand01()) < 0.5 { WALL_OBJ } else { SPACE };
        world.set_obj_index(index, kind);
    }
    (0..4).for_each(|_| room_gen::update(world));
    let room = room_gen::find_best_room(world);
    world.fill_grid(WALL_OBJ);
    let free_cells: Vec<i32> = room.into_iter().collect();
    free_cells.iter().for_each(|cell| world.set_obj_index(*cell, SPACE));
    let chosen = world.rand_gen.simple_choose(free_cells.len(), 2);
    let (agent, goal) = (free_cells[chosen[0]], free_cells[chosen[1]]);
    let path = room_gen::find_path(world, agent, goal);
    if world.mode() != DistributionMode::Memory {
        let mut wide_path = path.iter().copied().collect();
        room_gen::expand_room(world, &mut wide_path, 4);
        world.fill_grid(WALL_OBJ);
        wide_path.into_iter().for_each(|cell| world.set_obj_index(cell, SPACE));
    }
    for _ in 0..4 {
        room_gen::update(world);
        path.iter().for_each(|cell| world.set_obj_index(*cell, SPACE));
    }
    (agent, goal, path)
}

/// Places obstacles, targets and enemies on free cells outside of the path.
fn place_objects(world: &mut World, free_cells: &[i32]) {
    let chunk = free_cells.len() / 80;
    let chosen = world.rand_gen.simple_choose(free_cells.len(), 3 * chunk);
    for (number, index) in chosen.into_iter().enumerate() {
        let kind = [OBSTACLE, TARGET, ENEMY][number / chunk];
        let entity = world.spawn_entity_at_idx(free_cells[index], 0.5, kind);
        entity.collides_with_entities = true;
        match kind {
            TARGET => entity.health = 5.0,
            ENEMY => {
                entity.smart_step = true;
                let speed = 0.1 * f64::from(world.rand_gen.rand01()) + 0.1;
                let velocity = f32_of(speed * f64::from(world.rand_gen.randn(2) * 2 - 1));
                let is_horizontal = f64::from(world.rand_gen.rand01()) < 0.5;
                let enemy = world.entities.last_mut().expect("it was added above");
                (enemy.vx, enemy.vy) = if is_horizontal { (velocity, 0.0) } else { (0.0, velocity) };
            }
            _ => {}
        }
    }
}

/// Adds the exhaust flame of the spaceship behind the agent.
fn add_exhaust(world: &mut World, theta: f32) {
    let Entity { x, y, rx, ry, .. } = *world.agent();
    let (sin, cos) = f64::from(theta).sin_cos();
    let back = |at: f32, radius: f32, share: f64| f32_of(f64::from(at) - f64::from(radius) * share);
    let exhaust = world.add_entity(back(x, rx, cos), back(y, ry, sin), 0.0, 0.0, 0.5 * rx, EXHAUST);
    exhaust.expire_time = 4;
    exhaust.rotation = -theta - PI / 2.0;
    exhaust.grow_rate = 1.25;
    exhaust.alpha_decay = 0.8;
}

fn step_bullet(world: &mut World, index: usize) {
    let Entity { x, y, rx, ry, .. } = world.entities[index];
    let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
    if corners.iter().any(|(dx, dy)| world.get_obj_from_floats(x + rx * dx, y + ry * dy) == CAVEWALL) {
        world.entities[index].will_erase = true;
        world.spawn_child(index, EXPLOSION, 0.5 * rx, false);
    }
}

impl Rules for Caveflyer {
    const BACKGROUNDS: Backgrounds = Backgrounds::Space;

    fn new(world: &mut World) -> Self {
        world.mixrate = 0.9;
        Self
    }

    fn asset_for_type(kind: i32) -> Names {
        let file = match kind {
            GOAL => "ufoGreen2",
            OBSTACLE => "meteorBrown_big1",
            TARGET => "ufoRed2",
            PLAYER_BULLET => "laserBlue02",
            ENEMY => "enemyShipBlue4",
            PLAYER => "playerShip1_red",
            CAVEWALL => "groundA",
            EXHAUST => "towerDefense_tile295",
            _ => return Names::new(),
        };
        names_of("misc_assets/{}.png", &[file])
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        match world.entities[entity].kind {
            GOAL => world.complete_level(GOAL_REWARD),
            OBSTACLE | ENEMY | TARGET => world.done = true,
            _ => {}
        }
    }

    fn update_agent_velocity(&mut self, world: &mut World) {
        let thrust = |action: f32| f64::from(world.mixrate * world.maxspeed * action) * 0.2;
        let (x, y) = (thrust(world.action_vx), thrust(world.action_vy));
        let agent = world.agent_mut();
        agent.vx = f32_of(f64::from(agent.vx) + x);
        agent.vy = f32_of(f64::from(agent.vy) + y);
        decay_agent_velocity(agent);
    }

    fn is_blocked(&mut self, world: &mut World, source: usize, target: i32, _is_horizontal: bool) -> bool {
        is_blocked_in_all_games(world, target) || world.entities[source].kind == PLAYER && target == CAVEWALL
    }

    fn handle_collision(&mut self, world: &mut World, source: usize, target: usize) {
        let kind = world.entities[source].kind;
        if world.entities[target].kind != PLAYER_BULLET || !matches!(kind, TARGET | OBSTACLE | ENEMY | GOAL) {
            return;
        }
        if kind == TARGET {
            world.entities[source].health -= 1.0;
            let Entity { health, will_erase, rx, .. } = world.entities[source];
            if health <= 0.0 && !will_erase {
                world.spawn_child(source, EXPLOSION, 0.5 * rx, false);
                world.entities[source].will_erase = true;
                world.reward += TARGET_REWARD;
            }
        }
        if !world.entities[target].will_erase {
            world.entities[target].will_erase = true;
            let Entity { vx, vy, .. } = world.entities[source];
            let rx = world.entities[target].rx;
            let explosion = world.spawn_child(target, EXPLOSION, 0.5 * rx, false);
            (explosion.vx, explosion.vy) = (vx, vy);
        }
    }

    fn will_reflect(&self, world: &World, source: i32, target: i32) -> bool {
        source == ENEMY && (target == CAVEWALL || target == world.out_of_bounds_object)
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        let dim = match world.mode() {
            DistributionMode::Easy => 30,
            DistributionMode::Memory => 60,
            _ => 40,
        };
        (world.main_width, world.main_height) = (dim, dim);
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        world.out_of_bounds_object = WALL_OBJ;
        let (agent, goal, path) = generate_cave(world);
        let (x, y) = world.cell_center(agent);
        (world.agent_mut().x, world.agent_mut().y) = (x, y);
        world.spawn_entity_at_idx(goal, 0.5, GOAL).collides_with_entities = true;
        path.iter().for_each(|cell| world.set_obj_index(*cell, MARKER));
        let free_cells = world.grid.cells_with_type(SPACE);
        world.grid.cells.iter_mut().filter(|cell| **cell == WALL_OBJ).for_each(|cell| *cell = CAVEWALL);
        place_objects(world, &free_cells);
        world.grid.cells.iter_mut().filter(|cell| **cell == MARKER).for_each(|cell| *cell = SPACE);
        world.out_of_bounds_object = CAVEWALL;
        world.visibility = if world.mode() == DistributionMode::Easy { 10.0 } else { 16.0 };
    }

    fn set_action_xy(&mut self, world: &mut World, move_action: i32) {
        let mut acceleration = (move_action % 3 - 1) as f32;
        if acceleration < 0.0 {
            acceleration *= 0.33;
        }
        let theta = -world.agent().rotation + PI / 2.0;
        if acceleration > 0.0 {
            add_exhaust(world, theta);
        }
        let (sin, cos) = f64::from(theta).sin_cos();
        world.action_vy = f32_of(f64::from(acceleration) * sin);
        world.action_vx = f32_of(f64::from(acceleration) * cos);
        world.action_vrot = (move_action / 3 - 1) as f32;
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        if world.special_action == 1 {
            let Entity { x, y, rotation, .. } = *world.agent();
            let (sin, cos) = f64::from(-rotation + PI / 2.0).sin_cos();
            let bullet = world.add_entity_rxy(x, y, f32_of(cos), f32_of(sin), 0.1, 0.25, PLAYER_BULLET);
            bullet.expire_time = 10;
            bullet.rotation = rotation;
        }
        for index in (0..world.entities.len()).rev() {
            let entity = &mut world.entities[index];
            match entity.kind {
                ENEMY => entity.face_direction(entity.vx, entity.vy, -PI / 2.0),
                PLAYER_BULLET => step_bullet(world, index),
                _ => {}
            }
        }
        world.erase_if_needed();
    }
}
