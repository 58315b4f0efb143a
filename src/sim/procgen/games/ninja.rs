//! Ninja: an agent jumps over gaps and throws stars at bombs.

use serde::{Deserialize, Serialize};

use super::platformer::{accelerate_horizontally, has_support_below, init_floor_and_walls, stands_still, walking_image};
use super::prelude::*;

const GOAL_REWARD: f32 = 10.0;

const GOAL: i32 = 1;
const BOMB: i32 = 6;
const THROWING_STAR: i32 = 7;
const PLAYER_JUMP: i32 = 9;
const PLAYER_RIGHT1: i32 = 12;
const PLAYER_RIGHT2: i32 = 13;
const FIRE: i32 = 14;
const WALL_MID: i32 = 20;

const NUM_WALL_THEMES: i32 = 3;
const GRAVITY: f32 = 0.2;
const AIR_CONTROL: f32 = 0.15;
/// Column at which the first gap may start.
const START_X: i32 = 5;

/// Rules of the game Ninja, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Ninja {
    has_support: bool,
    last_fire_time: i32,
    wall_theme: i32,
    jump_charge: f32,
    jump_charge_inc: f32,
}

/// Parameters with which the sections of a level are drawn.
struct SectionRules {
    difficulty: i32,
    min_gap: i32,
    min_platform: i32,
    inc_dy: i32,
    max_dy: i32,
    max_gap_inc: i32,
    bomb_prob: f32,
}

impl SectionRules {
    fn new(world: &World, difficulty: i32) -> Self {
        let (mut min_gap, mut min_platform, mut inc_dy) = (difficulty - 1, 1, 4);
        if world.mode() == DistributionMode::Easy {
            (min_gap, min_platform, inc_dy) = ((min_gap - 1).max(0), 3, 2);
        }
        let max_dy = world.max_jump * world.max_jump / (2.0 * GRAVITY);
        Self {
            difficulty,
            min_gap,
            min_platform,
            inc_dy,
            max_dy: (f64::from(max_dy) - 0.5) as i32,
            max_gap_inc: if difficulty == 1 { 1 } else { 2 },
            bomb_prob: 0.25 * (difficulty - 1) as f32,
        }
    }

    /// Draws a random height for the next platform. The height of the previous platform is `y`.
    fn next_height(&self, world: &mut World, y: i32, last_edge_y: i32) -> i32 {
        let dy = (world.rand_gen.randn(self.inc_dy) + 1 + self.difficulty / 3).min(self.max_dy);
        let goes_down = y >= world.main_height - 15 || y >= 5 && f64::from(world.rand_gen.rand01()) < 0.4;
        let y = (if goes_down { y - dy } else { y + dy }).max(3);
        if (y - last_edge_y).abs() <= 1 { last_edge_y + 2 } else { y }
    }
}

/// Fills a rectangle with wall cells. Does nothing if the rectangle is empty.
fn fill_ground_block(world: &mut World, x: i32, y: i32, dx: i32, dy: i32) {
    if dy > 0 {
        world.fill_elem(x, y, dx, dy, WALL_MID);
    }
}

/// Adds a section of one or two platforms that starts at column `x` and height `y`. Returns the column and height at which the
/// section ends, and the lowest height of all platforms so far.
fn add_section(world: &mut World, rules: &SectionRules, start: (i32, i32), mut min_y: i32) -> ((i32, i32), i32) {
    let (mut x, mut y) = start;
    let num_edges = world.rand_gen.randn(2) + 1;
    let (mut max_y, mut last_edge_y) = (-1, -1);
    for edge in 0..num_edges {
        x = start.0 + edge;
        if x + 15 >= world.main_width {
            break;
        }
        y = rules.next_height(world, start.1, last_edge_y);
        let dx = rules.min_platform + world.rand_gen.randn(3);
        fill_ground_block(world, x, y - 1, dx, 1);
        x += dx;
        x += rules.min_gap + world.rand_gen.randn(rules.max_gap_inc + 1);
        (max_y, min_y, last_edge_y) = (max_y.max(y), min_y.min(y), y);
    }
    if world.rand_gen.rand01() < rules.bomb_prob {
        let bomb_x = world.rand_gen.randn(x - start.0 + 1) + start.0;
        world.set_obj(bomb_x, max_y + 2, BOMB);
    }
    let ceiling = max_y - 1 + 11;
    fill_ground_block(world, start.0, ceiling, x - start.0, world.main_height - ceiling);
    ((x, y), min_y)
}

fn generate_coin_to_the_right(world: &mut World, difficulty: i32) {
    let rules = SectionRules::new(world, difficulty);
    let num_sections = world.rand_gen.randn(difficulty) + difficulty;
    let (width, height) = (world.main_width, world.main_height);
    let start_y = height / 2;
    fill_ground_block(world, 0, 0, START_X, start_y);
    world.fill_elem(0, start_y + 8, START_X, height - start_y - 8, WALL_MID);
    let (mut end, mut min_y) = ((START_X, start_y), start_y);
    for _ in 0..num_sections {
        (end, min_y) = add_section(world, &rules, end, min_y);
    }
    let (x, y) = end;
    world.add_entity(x as f32 + 0.5, y as f32 + 0.5, 0.0, 0.0, 0.5, GOAL);
    world.choose_random_theme(world.entities.len() - 1);
    fill_ground_block(world, x, y - 1, 1, 1);
    world.fill_elem(x, y + 6, 1, height - y - 6, WALL_MID);
    let fire_y = (min_y - 2).max(1);
    fill_ground_block(world, START_X, 0, width - START_X, fire_y);
    world.fill_elem(START_X, fire_y, width - START_X, 1, FIRE);
    world.fill_elem(x + 1, 0, width - x - 1, height, WALL_MID);
}

impl Rules for Ninja {
    const BACKGROUNDS: Backgrounds = Backgrounds::Platform;

    fn new(world: &mut World) -> Self {
        world.out_of_bounds_object = WALL_MID;
        Self::default()
    }

    fn asset_for_type(kind: i32) -> Names {
        match kind {
            WALL_MID => names_of("misc_assets/tile_bricks{}.png", &["Grey", "Grown", "Red"]),
            GOAL => names_of("platformer/shroom{}.png", &["1", "2", "3", "4", "5", "6"]),
            PLAYER => names(&["platformer/zombie_idle.png"]),
            PLAYER_JUMP => names(&["platformer/zombie_jump.png"]),
            PLAYER_RIGHT1 => names(&["platformer/zombie_walk1.png"]),
            PLAYER_RIGHT2 => names(&["platformer/zombie_walk2.png"]),
            BOMB | FIRE => names(&["misc_assets/bomb.png"]),
            THROWING_STAR => names(&["misc_assets/saw.png"]),
            _ => Names::new(),
        }
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        (world.main_width, world.main_height) = (64, 64);
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        match world.entities[entity].kind {
            EXPLOSION => world.done = true,
            GOAL => world.complete_level(GOAL_REWARD),
            _ => {}
        }
    }

    fn handle_grid_collision(&mut self, world: &mut World, entity: usize, kind: i32, (x, y): (i32, i32)) {
        match (world.entities[entity].kind, kind) {
            (PLAYER, FIRE | BOMB) => world.done = true,
            (THROWING_STAR, BOMB) => {
                world.entities[entity].will_erase = true;
                world.set_obj(x, y, SPACE);
                world.add_entity(x as f32 + 0.5, y as f32 + 0.5, 0.0, 0.0, 0.5, EXPLOSION);
            }
            (THROWING_STAR, WALL_MID) => world.entities[entity].will_erase = true,
            _ => {}
        }
    }

    fn update_agent_velocity(&mut self, world: &mut World) {
        let mixrate_x = if self.has_support { world.mixrate } else { world.mixrate * AIR_CONTROL };
        let jump = (world.action_vy < 1.0 && self.jump_charge > 0.0).then_some(self.jump_charge * world.max_jump);
        accelerate_horizontally(world, mixrate_x);
        let agent = world.agent_mut();
        if let Some(velocity) = jump {
            agent.vy = velocity;
            self.jump_charge = 0.0;
        }
        if !self.has_support && agent.vy > -2.0 {
            agent.vy -= GRAVITY;
        }
    }

    fn theme_for_grid_obj(&self, kind: i32) -> i32 {
        if kind == WALL_MID { self.wall_theme } else { 0 }
    }

    fn is_blocked(&mut self, world: &mut World, source: usize, target: i32, _is_horizontal: bool) -> bool {
        let entity = &mut world.entities[source];
        match (entity.kind, target) {
            (PLAYER, WALL_MID) => true,
            (THROWING_STAR, WALL_MID) => {
                (entity.vx, entity.vy) = (0.0, 0.0);
                true
            }
            _ => is_blocked_in_all_games(world, target),
        }
    }

    fn image_for_type(&self, world: &World, kind: i32) -> i32 {
        match kind {
            PLAYER if !self.has_support => PLAYER_RIGHT1,
            PLAYER if stands_still(world) => PLAYER,
            PLAYER => walking_image(world, [PLAYER_RIGHT1, PLAYER_RIGHT2]),
            _ => kind.abs(),
        }
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        (world.max_jump, world.maxspeed, world.visibility) = (1.5, 0.5, 16.0);
        (self.has_support, self.jump_charge, self.jump_charge_inc) = (false, 0.0, 0.25);
        if world.mode() == DistributionMode::Easy {
            (world.max_jump, world.visibility) = (1.25, 10.0);
            self.jump_charge_inc = 1.0;
        }
        let middle = (world.main_height / 2) as f32;
        let agent = world.agent_mut();
        (agent.rx, agent.ry) = (0.5, 0.5);
        (agent.x, agent.y) = (1.5, middle + 0.5);
        let difficulty = world.rand_gen.randn(3) + 1;
        self.last_fire_time = 0;
        self.wall_theme = world.rand_gen.randn(NUM_WALL_THEMES);
        init_floor_and_walls(world, WALL_MID, WALL_MID);
        generate_coin_to_the_right(world, difficulty);
    }

    fn set_action_xy(&mut self, world: &mut World, move_action: i32) {
        world.action_vx = (move_action / 3 - 1) as f32;
        world.action_vy = 0.0;
        self.has_support = has_support_below(world, |kind| kind == WALL_MID || kind == world.out_of_bounds_object);
        if !self.has_support {
            self.jump_charge = 0.0;
        } else if move_action % 3 == 2 {
            world.action_vy = 1.0;
            self.jump_charge = (self.jump_charge + self.jump_charge_inc).min(1.0);
        }
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        reflect_agent(world, false);
        if world.special_action > 0 && world.cur_time - self.last_fire_time >= 3 {
            let theta = match world.special_action {
                2 => PI / 4.0,
                3 => PI / 2.0,
                4 => -PI / 4.0,
                _ => 0.0,
            };
            let theta = if world.agent().is_reflected { PI - theta } else { theta };
            let (sin, cos) = f64::from(theta).sin_cos();
            let Entity { x, y, .. } = *world.agent();
            let star = world.add_entity(x, y, f32_of(cos), f32_of(sin), 0.25, THROWING_STAR);
            star.collides_with_entities = true;
            star.expire_time = 15;
            star.smart_step = true;
            self.last_fire_time = world.cur_time;
        }
    }

    fn draw_indicators(&self, _world: &World, view: &View, canvas: &mut Canvas) {
        let height = 3.0 * self.jump_charge;
        let y = f64::from(view.visibility) - 0.5 - f64::from(height);
        canvas.fill(&view.abs_rect(0.25, f32_of(y), 0.5, height), [66, 245, 135]);
    }

    fn is_valid(&self, _world: &World) -> bool {
        (0..NUM_WALL_THEMES).contains(&self.wall_theme) && (0.0..=1.0).contains(&self.jump_charge)
    }
}
