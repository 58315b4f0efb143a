//! Chaser: an agent eats orbs in a maze and flees from enemies.

use serde::{Deserialize, Serialize};

use super::prelude::*;
use crate::maze_gen::MazeGen;

const ORB_REWARD: f32 = 0.04;
const COMPLETION_BONUS: f32 = 10.0;
/// Width and height of an orb in cells.
const ORB_DIM: f32 = 0.3;

const LARGE_ORB: i32 = 2;
const ENEMY_WEAK: i32 = 3;
const ENEMY_EGG: i32 = 4;
const MAZE_WALL: i32 = 5;
const ENEMY: i32 = 6;
const ENEMY2: i32 = 7;
const ENEMY3: i32 = 8;
const MARKER: i32 = 1001;
const ORB: i32 = 1002;

/// Number of steps for which enemies can be eaten after the agent has eaten a large orb.
const EAT_TIMEOUT: i32 = 75;
/// Number of steps until an egg becomes an enemy.
const EGG_TIMEOUT: f32 = 50.0;

/// Rules of the game Chaser, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Chaser {
    free_cells: Vec<i32>,
    is_space: Vec<bool>,
    eat_time: i32,
    total_enemies: i32,
    total_orbs: i32,
    orbs_collected: i32,
}

impl Chaser {
    fn can_eat_enemies(&self, world: &World) -> bool {
        world.cur_time - self.eat_time < EAT_TIMEOUT
    }

    /// Places the large orbs, about one in each quarter of the maze.
    fn place_large_orbs(world: &mut World, extra_orbs: i32) {
        let dim = world.main_width;
        let extra_quadrant = world.rand_gen.randn(4);
        let mut quadrants = [const { Vec::new() }; 4];
        for x in 0..dim {
            for y in 0..dim {
                if world.get_obj(x, y) == SPACE {
                    let half = |at: i32| usize::from(f64::from(at) >= f64::from(dim) / 2.0);
                    quadrants[half(x) * 2 + half(y)].push(y * dim + x);
                }
            }
        }
        for (number, quadrant) in (0..).zip(quadrants) {
            let count = 1 + if number == extra_quadrant { extra_orbs } else { 0 };
            for chosen in world.rand_gen.simple_choose(quadrant.len(), count as usize) {
                let cell = quadrant[chosen];
                world.spawn_entity_at_idx(cell, 0.4, LARGE_ORB);
                world.set_obj_index(cell, MARKER);
            }
        }
    }

    fn spawn_egg(world: &mut World, cell: i32) {
        world.spawn_entity_at_idx(cell, 0.5, ENEMY_EGG).health = EGG_TIMEOUT;
    }

    /// Hatches an egg or steers an enemy. Returns whether the entity is an egg or an enemy.
    fn step_enemy(&self, world: &mut World, index: usize) -> bool {
        match world.entities[index].kind {
            ENEMY_EGG => {
                let egg = &mut world.entities[index];
                egg.health -= 1.0;
                if egg.health == 0.0 {
                    egg.will_erase = true;
                    world.spawn_child(index, ENEMY, 0.5, false).smart_step = true;
                }
                true
            }
            ENEMY => {
                self.steer_enemy(world, index);
                true
            }
            _ => false,
        }
    }

    fn steer_enemy(&self, world: &mut World, index: usize) {
        const SPEED: f32 = 0.5;
        let can_eat = self.can_eat_enemies(world);
        let vscale = if can_eat { SPEED * 0.5 } else { SPEED };
        let Entity { x, y, vx, vy, .. } = world.entities[index];
        let (x, y) = (x - 0.5, y - 0.5);
        let off_center = |at: f32| f64::from((at - at.round()).abs());
        let is_at_junction = off_center(x) + off_center(y) < 0.01;
        if (vx != 0.0 || vy != 0.0) && !is_at_junction {
            return;
        }
        let width = world.main_width;
        let agent_cell = world.to_grid_index(world.agent().x as i32, world.agent().y as i32).unwrap_or(-2);
        let behind = (f64::from(x) - sign(vx), f64::from(y) - sign(vy));
        let previous = world.to_grid_index(behind.0 as i32, behind.1 as i32);
        let (column, row) = (x as i32, y as i32);
        let sides = [(-1, 0), (0, -1), (0, 1), (1, 0)];
        let ahead = sides.iter().filter_map(|(dx, dy)| world.to_grid_index(column + dx, row + dy));
        let ahead = ahead.filter(|cell| self.is_space[*cell as usize] && Some(*cell) != previous);
        let mut candidates: Vec<i32> = ahead.collect();
        if world.step_rand_int % 2 == 0 {
            let distance = |cell: i32| {
                let distance = (cell % width - agent_cell % width).abs() + (cell / width - agent_cell / width).abs();
                if can_eat { -distance } else { distance }
            };
            let least = candidates.iter().map(|cell| distance(*cell)).min();
            candidates.retain(|cell| Some(distance(*cell)) == least);
        }
        let next = candidates[world.step_rand_int as usize % candidates.len()];
        let enemy = &mut world.entities[index];
        enemy.vx = ((next % width) as f32 - x) * vscale;
        enemy.vy = ((next / width) as f32 - y) * vscale;
    }
}

impl Rules for Chaser {
    const BACKGROUNDS: Backgrounds = Backgrounds::TopdownSimple;

    fn new(world: &mut World) -> Self {
        world.mixrate = 1.0;
        world.maxspeed = 0.5;
        world.has_useful_vel_info = false;
        Self { free_cells: Vec::new(), is_space: Vec::new(), eat_time: 0, total_enemies: 0, total_orbs: 0, orbs_collected: 0 }
    }

    fn asset_for_type(kind: i32) -> Names {
        let file = match kind {
            PLAYER => "enemyFloating_1b",
            ENEMY => "enemyFlying_1",
            ENEMY2 => "enemyFlying_2",
            ENEMY3 => "enemyFlying_3",
            LARGE_ORB => "yellowCrystal",
            ENEMY_WEAK => "enemyWalking_1b",
            ENEMY_EGG => "enemySpikey_1b",
            MAZE_WALL => "tileStone_slope",
            _ => return Names::new(),
        };
        names_of("misc_assets/{}.png", &[file])
    }

    fn update_agent_velocity(&mut self, world: &mut World) {
        let (maxspeed, vx, vy) = (world.maxspeed, world.action_vx, world.action_vy);
        let agent = world.agent_mut();
        if vx != 0.0 {
            agent.vx = maxspeed * vx;
        }
        if vy != 0.0 {
            agent.vy = maxspeed * vy;
        }
        agent.vx = sign(agent.vx) as f32 * maxspeed;
        agent.vy = sign(agent.vy) as f32 * maxspeed;
    }

    fn is_blocked(&mut self, world: &mut World, _source: usize, target: i32, _is_horizontal: bool) -> bool {
        target == MAZE_WALL || is_blocked_in_all_games(world, target)
    }

    fn image_for_type(&self, world: &World, kind: i32) -> i32 {
        match kind {
            ENEMY if self.can_eat_enemies(world) => ENEMY_WEAK,
            ENEMY => match (world.cur_time / 2) % 4 {
                3 => ENEMY2,
                frame => ENEMY + frame,
            },
            _ => kind.abs(),
        }
    }

    fn draw_grid_obj(canvas: &mut Canvas, rect: &Rect, kind: i32) -> bool {
        if kind == ORB {
            let (margin, size) = (f64::from(1.0 - ORB_DIM), f64::from(ORB_DIM));
            let orb = Rect::new(
                rect.x + rect.width * margin / 2.0,
                rect.y + rect.height * margin / 2.0,
                rect.width * size,
                rect.height * size,
            );
            canvas.fill(&orb, [0, 255, 0]);
        }
        kind == ORB
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        match world.entities[entity].kind {
            LARGE_ORB => {
                self.eat_time = world.cur_time;
                world.reward += ORB_REWARD;
                world.entities[entity].will_erase = true;
            }
            ENEMY if self.can_eat_enemies(world) => world.entities[entity].will_erase = true,
            ENEMY => world.done = true,
            _ => {}
        }
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        let dim = match world.mode() {
            DistributionMode::Easy => 11,
            DistributionMode::Extreme => 19,
            _ => 13,
        };
        (world.main_width, world.main_height) = (dim, dim);
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        let extra_orbs;
        (extra_orbs, self.total_enemies) = match world.mode() {
            DistributionMode::Easy => (0, 3),
            DistributionMode::Extreme => (1, 5),
            _ => (-1, 3),
        };
        world.center_agent = false;
        (world.agent_mut().rx, world.agent_mut().ry) = (0.5, 0.5);
        self.eat_time = -EAT_TIMEOUT;
        let dim = world.main_width;
        let mut maze = MazeGen::new(&mut world.rand_gen, dim);
        maze.generate_maze_no_dead_ends();
        for x in 0..dim {
            for y in 0..dim {
                let kind = maze.cell(x, y);
                world.grid.set(x, y, if kind == WALL_OBJ { MAZE_WALL } else { kind });
            }
        }
        Self::place_large_orbs(world, extra_orbs);
        let free_cells = world.grid.cells_with_type(SPACE);
        let chosen = world.rand_gen.simple_choose(free_cells.len(), 1 + self.total_enemies as usize);
        let (x, y) = world.cell_center(free_cells[chosen[0]]);
        (world.agent_mut().x, world.agent_mut().y) = (x, y);
        for index in &chosen[1..] {
            Self::spawn_egg(world, free_cells[*index]);
        }
        free_cells.iter().for_each(|cell| world.set_obj_index(*cell, ORB));
        (self.total_orbs, self.orbs_collected) = (free_cells.len() as i32, 0);
        world.grid.cells.iter_mut().filter(|cell| **cell == MARKER).for_each(|cell| *cell = SPACE);
        self.is_space = world.grid.cells.iter().map(|cell| *cell != MAZE_WALL).collect();
        self.free_cells = (0..).zip(&self.is_space).filter(|(_, is_space)| **is_space).map(|(cell, _)| cell).collect();
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        let mut num_enemies = 0;
        for index in (0..world.entities.len()).rev() {
            num_enemies += i32::from(self.step_enemy(world, index));
        }
        if num_enemies < self.total_enemies {
            let cell = self.free_cells[world.step_rand_int as usize % self.free_cells.len()];
            Self::spawn_egg(world, cell);
        }
        let cell = world.agent_index();
        if world.get_obj_index(cell) == ORB {
            world.set_obj_index(cell, SPACE);
            world.reward += ORB_REWARD;
            self.orbs_collected += 1;
        }
        if self.orbs_collected == self.total_orbs {
            world.complete_level(COMPLETION_BONUS);
        }
    }

    fn is_valid(&self, world: &World) -> bool {
        let cells = world.grid.cells.len();
        self.is_space.len() == cells
            && (1..=cells).contains(&self.free_cells.len())
            && self.free_cells.iter().all(|cell| (0..cells as i32).contains(cell))
    }
}
