//! Dodgeball: an agent throws balls at enemies and avoids the balls that they throw.

use serde::{Deserialize, Serialize};

use super::prelude::*;

const COMPLETION_BONUS: f32 = 10.0;
const ENEMY_REWARD: f32 = 2.0;

const LAVA_WALL: i32 = 1;
const PLAYER_BALL: i32 = 3;
const ENEMY: i32 = 4;
const DOOR: i32 = 5;
const ENEMY_BALL: i32 = 6;
const DOOR_OPEN: i32 = 7;
const DUST_CLOUD: i32 = 8;
const OOB_WALL: i32 = 10;

const NUM_ENEMY_THEMES: i32 = 7;
const ENEMY_VEL: f32 = 0.05;
const BALL_V_ROT: f32 = PI * 0.23;
const ENEMY_FIRE_DELAY: i32 = 50;

/// Rules of the game Dodgeball, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Dodgeball {
    ball_vscale: f32,
    ball_r: f32,
    last_fire_time: i32,
    num_enemies: i32,
}

/// Sizes of objects that depend on the distribution mode, in cells.
struct Sizes {
    num_splits: i32,
    thickness: f32,
    enemy_r: f32,
    agent_r: f32,
    exit_r: f32,
    max_extra_enemies: i32,
}

/// Rooms (rectangles between walls) that the level generator has not yet split or filled.
struct Rooms {
    rooms: Vec<Rect>,
    min_dim: f32,
    hard_min_dim: f32,
    thickness: f32,
}

impl Rooms {
    fn add_room(&mut self, x: f32, y: f32, width: f32, height: f32) {
        let is_long = width >= self.min_dim || height >= self.min_dim;
        if is_long && width >= self.hard_min_dim && height >= self.hard_min_dim {
            self.rooms.push(Rect::new(f64::from(x), f64::from(y), f64::from(width), f64::from(height)));
        }
    }

    /// Splits a room by a wall through its middle. The wall has a gap at one end.
    fn split_room(&mut self, world: &mut World, room: &Rect) {
        let mut splits_width = f64::from(world.rand_gen.rand01()) < 0.5;
        let is_at_start = f64::from(world.rand_gen.rand01()) < 0.5;
        splits_width &= room.width >= f64::from(self.min_dim);
        splits_width |= room.height < f64::from(self.min_dim);
        let [x, y, width, height] = [room.x, room.y, room.width, room.height].map(f32_of);
        let gap = 0.25 * (world.rand_gen.randn(3) + 1) as f32;
        let pct = 1.0 - gap;
        let thickness = self.thickness;
        // The closure `along` returns the start and the length of the wall along one axis, and the start of the gap at its end.
        let along = |start: f32, size: f32| match is_at_start {
            true => (start, pct * size, start + pct * size),
            false => (start + (1.0 - pct) * size, pct * size, start),
        };
        if splits_width {
            let (wall_x, wall, rest_x) = along(x, width);
            world.add_entity_rxy(wall_x + wall / 2.0, y + height / 2.0, 0.0, 0.0, wall / 2.0, thickness, LAVA_WALL);
            let half = height / 2.0 - thickness;
            self.add_room(wall_x, y, wall, half);
            self.add_room(wall_x, y + height / 2.0 + thickness, wall, half);
            self.add_room(rest_x, y, width - wall, height);
        } else {
            let (wall_y, wall, rest_y) = along(y, height);
            world.add_entity_rxy(x + width / 2.0, wall_y + wall / 2.0, 0.0, 0.0, thickness, wall / 2.0, LAVA_WALL);
            let half = width / 2.0 - thickness;
            self.add_room(x, wall_y, half, wall);
            self.add_room(x + width / 2.0 + thickness, wall_y, half, wall);
            self.add_room(x, rest_y, width, height - wall);
        }
    }
}

impl Dodgeball {
    /// Sets the size of balls, and returns the sizes of all other objects.
    fn choose_sizes(&mut self, world: &mut World) -> Sizes {
        let large = |scale: f32| Sizes {
            num_splits: 4,
            thickness: 0.3 * scale,
            enemy_r: 0.5 * scale,
            agent_r: 0.5 * scale,
            exit_r: 0.75,
            max_extra_enemies: 3,
        };
        let (sizes, scale, maxspeed) = match world.mode() {
            DistributionMode::Easy => (Sizes { num_splits: 2, exit_r: 1.5, ..large(2.0) }, 2.0, 0.75),
            DistributionMode::Hard => (large(1.5), 1.5, 0.5),
            DistributionMode::Extreme => (Sizes { num_splits: 8, agent_r: world.agent().rx, ..large(1.0) }, 1.0, 0.25),
            DistributionMode::Memory => (Sizes { num_splits: 16, max_extra_enemies: 16, ..large(1.5) }, 1.5, 0.5),
        };
        (self.ball_r, self.ball_vscale) = (0.25 * scale, 0.25 * scale);
        world.maxspeed = maxspeed;
        sizes
    }

    fn fire_ball(&self, world: &mut World, index: usize, vx: f32, vy: f32) {
        let Entity { x, y, .. } = world.entities[index];
        let ball = world.add_entity(x, y, vx * self.ball_vscale, vy * self.ball_vscale, self.ball_r, ENEMY_BALL);
        ball.vrot = BALL_V_ROT;
        ball.expire_time = 50;
        world.entities[index].fire_time = world.cur_time + world.rand_gen.randn(4);
    }

    fn step_enemy(&mut self, world: &mut World, index: usize) {
        self.num_enemies += 1;
        if world.entities[index].spawn_time == 0 {
            choose_vel(world, index);
        } else {
            world.entities[index].spawn_time -= 1;
        }
        let Entity { x, y, fire_time, .. } = world.entities[index];
        if world.cur_time - fire_time >= ENEMY_FIRE_DELAY {
            let (agent_x, agent_y) = (world.agent().x, world.agent().y);
            let towards = |from: f32, to: f32| if from < to { 1.0 } else { -1.0 };
            let (vx, vy) = (towards(x, agent_x), towards(y, agent_y));
            if (x - agent_x).abs() < 1.0 {
                self.fire_ball(world, index, 0.0, vy);
                (world.entities[index].vx, world.entities[index].vy) = (0.0, vy * ENEMY_VEL);
            } else if (y - agent_y).abs() < 1.0 {
                self.fire_ball(world, index, vx, 0.0);
                (world.entities[index].vx, world.entities[index].vy) = (vx * ENEMY_VEL, 0.0);
            }
        }
        face_velocity(world, index);
    }

    fn hit_enemy(world: &mut World, index: usize) {
        let enemy = &mut world.entities[index];
        enemy.health -= 1.0;
        if enemy.health > 0.0 || enemy.will_erase {
            return;
        }
        enemy.will_erase = true;
        let rx = enemy.rx;
        world.reward += ENEMY_REWARD;
        let theme = world.step_rand_int % world.setup.assets.num_themes(DUST_CLOUD);
        let cloud = world.spawn_child(index, DUST_CLOUD, rx, false);
        cloud.vrot = PI / 0.3;
        cloud.grow_rate = 1.0 / 1.2;
        cloud.expire_time = 4;
        cloud.alpha_decay = 0.9;
        cloud.image_theme = theme;
    }
}

fn choose_vel(world: &mut World, index: usize) {
    let velocity = ENEMY_VEL * (world.rand_gen.randn(2) * 2 - 1) as f32;
    let is_horizontal = world.rand_gen.randn(2) == 0;
    let enemy = &mut world.entities[index];
    (enemy.vx, enemy.vy) = if is_horizontal { (velocity, 0.0) } else { (0.0, velocity) };
    enemy.spawn_time = world.rand_gen.randn(50) + 25;
}

fn face_velocity(world: &mut World, index: usize) {
    let Entity { vx, vy, .. } = world.entities[index];
    world.entities[index].face_direction(vx, vy, 0.0);
}

/// Places the door at one side of the world.
fn add_door(world: &mut World, exit_r: f32) {
    let (width, height) = (world.main_width as f32, world.main_height as f32);
    let depth = 2.0 * exit_r;
    let area = match world.rand_gen.randn(4) {
        0 => [0.0, 0.0, width, depth],
        1 => [0.0, height - depth, width, depth],
        2 => [0.0, 0.0, depth, height],
        _ => [width - depth, 0.0, depth, height],
    };
    world.spawn_entity_rxy(exit_r, exit_r, DOOR, area);
}

impl Rules for Dodgeball {
    const BACKGROUNDS: Backgrounds = Backgrounds::Topdown;

    fn new(world: &mut World) -> Self {
        world.out_of_bounds_object = OOB_WALL;
        Self::default()
    }

    fn asset_for_type(kind: i32) -> Names {
        let numbers = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"];
        match kind {
            PLAYER => names(&["misc_assets/character12.png"]),
            PLAYER_BALL => names(&["misc_assets/ball_soccer1.png"]),
            ENEMY => names_of("misc_assets/character{}.png", &numbers),
            DOOR => names(&["misc_assets/blockRed.png"]),
            ENEMY_BALL => names(&["misc_assets/ball_soccer2.png"]),
            DOOR_OPEN => names(&["misc_assets/blockGreen.png"]),
            LAVA_WALL | OOB_WALL => names(&["misc_assets/tileStone_slope2.png"]),
            DUST_CLOUD => names_of("misc_assets/spaceEffect{}.png", &numbers[..9]),
            _ => Names::new(),
        }
    }

    fn image_for_type(&self, _world: &World, kind: i32) -> i32 {
        match kind {
            DOOR if self.num_enemies == 0 => DOOR_OPEN,
            _ => kind.abs(),
        }
    }

    fn will_reflect(&self, world: &World, source: i32, target: i32) -> bool {
        source == ENEMY && (target == LAVA_WALL || target == world.out_of_bounds_object)
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        match world.entities[entity].kind {
            ENEMY | ENEMY_BALL | LAVA_WALL => world.done = true,
            DOOR if self.num_enemies == 0 => world.complete_level(COMPLETION_BONUS),
            _ => {}
        }
    }

    fn handle_collision(&mut self, world: &mut World, source: usize, target: usize) {
        match (world.entities[source].kind, world.entities[target].kind) {
            (LAVA_WALL, PLAYER_BALL | ENEMY_BALL) => world.entities[target].will_erase = true,
            (ENEMY, PLAYER_BALL) => {
                world.entities[target].will_erase = true;
                Self::hit_enemy(world, source);
            }
            _ => {}
        }
    }

    fn get_tile_aspect_ratio(&self, entity: &Entity) -> f32 {
        match entity.kind {
            LAVA_WALL if entity.rx > entity.ry => 1.0,
            LAVA_WALL => -1.0,
            _ => 0.0,
        }
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        let dim = if world.mode() == DistributionMode::Memory { 40 } else { 20 };
        (world.main_width, world.main_height) = (dim, dim);
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        world.center_agent = world.mode() == DistributionMode::Memory;
        self.last_fire_time = 0;
        let sizes = self.choose_sizes(world);
        let thickness = sizes.thickness;
        (world.agent_mut().rx, world.agent_mut().ry) = (sizes.agent_r, sizes.agent_r);
        let (width, height) = (world.main_width as f32, world.main_height as f32);
        let mut rooms = Rooms {
            rooms: vec![Rect::new(0.0, 0.0, f64::from(width), f64::from(height))],
            hard_min_dim: 4.0 * sizes.agent_r + 2.0 * thickness + 0.5,
            min_dim: sizes.agent_r * 8.0 + 0.5,
            thickness,
        };
        for _ in 0..sizes.num_splits {
            if rooms.rooms.is_empty() {
                break;
            }
            let room = rooms.rooms.remove(world.rand_gen.index(rooms.rooms.len()));
            rooms.split_room(world, &room);
        }
        add_door(world, sizes.exit_r);
        world.reposition_agent();
        self.num_enemies = world.rand_gen.randn(sizes.max_extra_enemies + 1) + 3;
        world.spawn_entities(self.num_enemies, sizes.enemy_r, ENEMY, [0.0, 0.0, width, height]);
        let theme = world.rand_gen.randn(NUM_ENEMY_THEMES);
        for index in 0..world.entities.len() {
            let entity = &mut world.entities[index];
            entity.collides_with_entities |= matches!(entity.kind, ENEMY | LAVA_WALL);
            if entity.kind == ENEMY {
                (entity.image_theme, entity.health, entity.fire_time) = (theme, 1.0, 10);
                entity.smart_step = true;
                choose_vel(world, index);
                face_velocity(world, index);
            }
        }
        world.agent_mut().face_direction(1.0, 0.0, 0.0);
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        let vx = (world.last_move_action / 3 - 1) as f32;
        let vy = (world.last_move_action % 3 - 1) as f32;
        world.agent_mut().face_direction(vx, vy, 0.0);
        if world.special_action == 1 && world.cur_time - self.last_fire_time >= 7 {
            let Entity { x, y, .. } = *world.agent();
            let ball = world.add_entity(x, y, vx * self.ball_vscale, vy * self.ball_vscale, self.ball_r, PLAYER_BALL);
            ball.collides_with_entities = true;
            ball.expire_time = 50;
            ball.vrot = BALL_V_ROT;
            self.last_fire_time = world.cur_time;
        }
        self.num_enemies = 0;
        let (width, height) = (world.main_width as f32, world.main_height as f32);
        for index in (0..world.entities.len()).rev() {
            let Entity { kind, x, y, rx, ry, .. } = world.entities[index];
            match kind {
                ENEMY => self.step_enemy(world, index),
                PLAYER_BALL | ENEMY_BALL => {
                    let is_at_border = x < rx || x > width - rx || y < ry || y > height - ry;
                    world.entities[index].will_erase |= is_at_border;
                }
                _ => {}
            }
        }
        world.erase_if_needed();
    }

    fn is_valid(&self, _world: &World) -> bool {
        [self.ball_r, self.ball_vscale].iter().all(|size| (0.0..=4.0).contains(size))
    }
}
