//! Climber: an agent jumps from platform to platform and collects crystals.

use serde::{Deserialize, Serialize};

use super::platformer::{accelerate_horizontally, has_support_below, init_floor_and_walls, stands_still, walking_image};
use super::prelude::*;

const COIN_REWARD: f32 = 1.0;
const COMPLETION_BONUS: f32 = 10.0;

const COIN: i32 = 1;
const ENEMY: i32 = 5;
const ENEMY1: i32 = 6;
const ENEMY2: i32 = 7;
const PLAYER_JUMP: i32 = 9;
const PLAYER_RIGHT1: i32 = 12;
const PLAYER_RIGHT2: i32 = 13;
const WALL_MID: i32 = 15;
const WALL_TOP: i32 = 16;
const ENEMY_BARRIER: i32 = 19;

const PATROL_RANGE: f32 = 4.0;
const NUM_WALL_THEMES: i32 = 4;
const GRAVITY: f32 = 0.2;
const AIR_CONTROL: f32 = 0.15;
/// Number of columns at each side of the world in which no enemy is placed.
const MARGIN_X: i32 = 3;
const COLORS: [&str; 4] = ["Blue", "Green", "Grey", "Red"];

/// Rules of the game Climber, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Climber {
    has_support: bool,
    coin_quota: i32,
    coins_collected: i32,
    wall_theme: i32,
}

fn is_wall(kind: i32) -> bool {
    matches!(kind, WALL_MID | WALL_TOP)
}

/// Adds an enemy above a platform.
fn spawn_enemy(world: &mut World, x: i32, y: i32) {
    // The direction is drawn first, because the compiler of the reference evaluates function arguments from the last to the
    // first.
    let direction = world.rand_gen.randn(2) * 2 - 1;
    let height = world.rand_gen.randn(2);
    let (x, y) = (x as f32 + 0.5, (y + height + 2) as f32 + 0.5);
    let enemy = world.add_entity(x, y, f32_of(0.15 * f64::from(direction)), 0.0, 0.5, ENEMY);
    enemy.image_type = ENEMY1;
    enemy.smart_step = true;
    enemy.climber_spawn_x = x;
    world.match_aspect_ratio(world.entities.len() - 1, false);
}

/// Adds a platform next to column `x`, and returns the platform's columns.
fn add_platform(world: &mut World, x: i32, y: i32) -> Vec<i32> {
    let width = world.main_width;
    let length = 2 + world.rand_gen.randn(10);
    let direction = match world.rand_gen.randn(2) * 2 - 1 {
        _ if x > width - MARGIN_X => -1,
        _ if x < MARGIN_X => 1,
        direction => direction,
    };
    let columns = (1..=length).map(|step| x + step * direction).take_while(|column| (1..width - 1).contains(column));
    let columns: Vec<i32> = columns.collect();
    columns.iter().for_each(|column| world.set_obj(*column, y, WALL_TOP));
    columns
}

impl Climber {
    fn generate_platforms(&mut self, world: &mut World) {
        let difficulty = world.rand_gen.randn(3);
        let min = difficulty * difficulty + 1;
        let max = (difficulty + 1) * (difficulty + 1) + 1;
        let num_platforms = world.rand_gen.randn(max - min + 1) + min;
        (self.coin_quota, self.coins_collected) = (0, 0);
        let width = world.main_width;
        let (mut x, mut y) = (world.rand_gen.randn(width - 4) + 2, 0);
        let enemy_prob = if world.mode() == DistributionMode::Easy { 0.2 } else { 0.5 };
        let max_dy = (world.max_jump * world.max_jump / (2.0 * GRAVITY)) as i32;
        for number in 0..num_platforms {
            let dy = world.rand_gen.randn(max_dy - 3 + 1) + 3;
            if (MARGIN_X..=width - MARGIN_X).contains(&x) && world.rand_gen.rand01() < enemy_prob {
                spawn_enemy(world, x, y);
            }
            y += dy;
            let columns = add_platform(world, x, y);
            if f64::from(world.rand_gen.rand01()) < 0.5 || number == num_platforms - 1 {
                let coin_x = world.rand_gen.choose_one(&columns);
                world.add_entity(coin_x as f32 + 0.5, y as f32 + 1.5, 0.0, 0.0, 0.3, COIN);
                self.coin_quota += 1;
            }
            x = world.rand_gen.choose_one(&columns);
        }
    }
}

impl Rules for Climber {
    const BACKGROUNDS: Backgrounds = Backgrounds::Platform;

    fn new(world: &mut World) -> Self {
        world.out_of_bounds_object = WALL_MID;
        Self::default()
    }

    fn asset_for_type(kind: i32) -> Names {
        match kind {
            PLAYER => names_of("platformer/player{}_stand.png", &COLORS),
            PLAYER_JUMP => names_of("platformer/player{}_walk4.png", &COLORS),
            PLAYER_RIGHT1 => names_of("platformer/player{}_walk1.png", &COLORS),
            PLAYER_RIGHT2 => names_of("platformer/player{}_walk2.png", &COLORS),
            WALL_TOP => names_of("platformer/tile{}.png", &["Blue_05", "Green_05", "Yellow_06", "Brown_06"]),
            WALL_MID => names_of("platformer/tile{}.png", &["Blue_08", "Green_08", "Yellow_09", "Brown_09"]),
            ENEMY1 => names(&["platformer/enemySwimming_1.png"]),
            ENEMY2 => names(&["platformer/enemySwimming_2.png"]),
            COIN => names(&["platformer/yellowCrystal.png"]),
            _ => Names::new(),
        }
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        match world.entities[entity].kind {
            ENEMY => world.done = true,
            COIN => {
                world.reward += COIN_REWARD;
                self.coins_collected += 1;
                world.entities[entity].will_erase = true;
            }
            _ => {}
        }
    }

    fn theme_for_grid_obj(&self, kind: i32) -> i32 {
        if is_wall(kind) { self.wall_theme } else { 0 }
    }

    fn will_reflect(&self, _world: &World, source: i32, target: i32) -> bool {
        source == ENEMY && (is_wall(target) || target == ENEMY_BARRIER)
    }

    fn update_agent_velocity(&mut self, world: &mut World) {
        let mixrate_x = if self.has_support { world.mixrate } else { world.mixrate * AIR_CONTROL };
        accelerate_horizontally(world, mixrate_x);
        let (jump, max_jump) = (world.action_vy > 0.0, world.max_jump);
        let agent = world.agent_mut();
        if jump {
            agent.vy = max_jump;
        }
        if !self.has_support && agent.vy > -2.0 {
            agent.vy -= GRAVITY;
        }
    }

    fn is_blocked(&mut self, world: &mut World, source: usize, target: i32, _is_horizontal: bool) -> bool {
        is_blocked_in_all_games(world, target) || world.entities[source].kind == PLAYER && is_wall(target)
    }

    fn image_for_type(&self, world: &World, kind: i32) -> i32 {
        match kind {
            PLAYER if !self.has_support => PLAYER_JUMP,
            PLAYER if stands_still(world) => PLAYER,
            PLAYER => walking_image(world, [PLAYER_RIGHT1, PLAYER_RIGHT2]),
            ENEMY_BARRIER => -1,
            _ => kind.abs(),
        }
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        let width = if world.mode() == DistributionMode::Easy { 16 } else { 20 };
        (world.main_width, world.main_height) = (width, 64);
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        (world.max_jump, world.maxspeed) = (1.5, 0.5);
        self.has_support = false;
        let agent = world.agent_mut();
        (agent.rx, agent.ry) = (0.5, 0.5);
        (agent.x, agent.y) = (1.5, 1.5);
        world.choose_random_theme(AGENT);
        self.wall_theme = world.rand_gen.randn(NUM_WALL_THEMES);
        init_floor_and_walls(world, WALL_TOP, WALL_MID);
        self.generate_platforms(world);
    }

    fn choose_center(world: &World) -> (f32, f32, f32) {
        let half = f64::from(world.main_width) / 2.0;
        let agent = world.agent();
        let y = f64::from(agent.y) + half - f64::from(5.0 * agent.ry);
        (f32_of(half), f32_of(y), world.main_width as f32)
    }

    fn set_action_xy(&mut self, world: &mut World, move_action: i32) {
        world.action_vx = (move_action / 3 - 1) as f32;
        self.has_support = has_support_below(world, |kind| is_wall(kind) || kind == world.out_of_bounds_object);
        world.action_vy = if self.has_support && move_action % 3 == 2 { 1.0 } else { 0.0 };
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        reflect_agent(world, false);
        let image_type = if world.cur_time / 5 % 2 == 0 { ENEMY1 } else { ENEMY2 };
        for enemy in world.entities.iter_mut().filter(|entity| entity.kind == ENEMY) {
            if enemy.x > enemy.climber_spawn_x + PATROL_RANGE {
                enemy.vx = -enemy.vx.abs();
            } else if enemy.x < enemy.climber_spawn_x - PATROL_RANGE {
                enemy.vx = enemy.vx.abs();
            }
            enemy.image_type = image_type;
            enemy.is_reflected = enemy.vx < 0.0;
        }
        if self.coin_quota == self.coins_collected {
            world.complete_level(COMPLETION_BONUS);
        }
    }

    fn is_valid(&self, _world: &World) -> bool {
        (0..NUM_WALL_THEMES).contains(&self.wall_theme)
    }
}
