//! Starpilot: a spaceship flies to the right and shoots at enemies.

use serde::{Deserialize, Serialize};

use super::prelude::*;
use super::std_sort::std_sort;
use crate::rules::painter::for_each_tile;
use crate::world::MAX_ENTITIES;

const V_SCALE: f32 = 2.0 / 5.0;
/// Aspect ratio of the background: width divided by height.
const BG_RATIO: f32 = 18.0;
/// Height of the background as a multiple of the screen's height.
const BG_HEIGHT: f32 = 3.0;
const ENEMY_REWARD: f32 = 1.0;
const COMPLETION_BONUS: f32 = 10.0;

const BULLET_PLAYER: i32 = 1;
const BULLET2: i32 = 2;
const BULLET3: i32 = 3;
const FLYER: i32 = 4;
const METEOR: i32 = 5;
const CLOUD: i32 = 6;
const TURRET: i32 = 7;
const FAST_FLYER: i32 = 8;
const FINISH_LINE: i32 = 9;

const SHOOTER_WIN_TIME: i32 = 500;
const NUM_BASIC_OBJECTS: usize = 9;
const NUM_SHIP_THEMES: i32 = 7;
const MAX_GROUP_SIZE: i32 = 5;
const SLOW_V: f32 = 0.5;
/// Minimum and maximum number of steps between the appearances of two groups of objects.
const DELTA_T: (i32, i32) = (10, 30);
const SPAWN_RIGHT_THRESHOLD: f32 = 0.9;

/// Speed, health, size and probability of each object type in one distribution mode.
struct Parameters {
    vs: [f32; NUM_BASIC_OBJECTS],
    healths: [f32; NUM_BASIC_OBJECTS],
    bullet_r: f32,
    object_r: [f32; NUM_BASIC_OBJECTS],
    prob_weights: [f32; NUM_BASIC_OBJECTS],
    maxspeed: f32,
}

impl Parameters {
    fn new(mode: DistributionMode) -> Self {
        let mut vs = [1.0; NUM_BASIC_OBJECTS];
        let mut healths = [0.0; NUM_BASIC_OBJECTS];
        let mut object_r = [0.5; NUM_BASIC_OBJECTS];
        let mut prob_weights = [1.0; NUM_BASIC_OBJECTS];
        let [turret, flyer, fast_flyer] = if mode == DistributionMode::Extreme { [10.0, 5.0, 2.0] } else { [5.0, 2.0, 1.0] };
        vs[BULLET2 as usize] = 2.0;
        if mode == DistributionMode::Easy {
            vs[FLYER as usize] = 0.75;
            vs[BULLET2 as usize] = 1.25;
            [METEOR, CLOUD, TURRET, FAST_FLYER].into_iter().for_each(|kind| prob_weights[kind as usize] = 0.0);
        }
        for (kind, health) in [(TURRET, turret), (FLYER, flyer), (FAST_FLYER, fast_flyer), (METEOR, 500.0)] {
            healths[kind as usize] = health;
        }
        vs[FAST_FLYER as usize] = 1.5;
        vs[BULLET_PLAYER as usize] = 2.0;
        vs[BULLET3 as usize] = 2.0;
        [TURRET, METEOR, CLOUD].into_iter().for_each(|kind| object_r[kind as usize] = 2.0);
        [BULLET_PLAYER, BULLET2, BULLET3].into_iter().for_each(|kind| prob_weights[kind as usize] = 0.0);
        prob_weights[FLYER as usize] = 3.0;
        let (bullet_r, maxspeed) = match mode {
            DistributionMode::Extreme => (1.0 / 5.0, 0.5),
            _ => ((1.0 / 2.5) as f32, 0.75),
        };
        Self { vs, healths, bullet_r, object_r, prob_weights, maxspeed }
    }

    /// Draws a random object type for a group of objects that will appear.
    fn draw_type(&self, world: &mut World) -> i32 {
        let total = self.prob_weights[2..].iter().fold(0.0, |sum, weight| sum + weight);
        let mut weight = world.rand_gen.rand01() * total;
        for kind in 2..NUM_BASIC_OBJECTS {
            weight -= self.prob_weights[kind];
            if weight <= 0.0 {
                return kind as i32;
            }
        }
        NUM_BASIC_OBJECTS as i32 - 1
    }
}

/// Rules of the game Starpilot, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Starpilot {
    /// Objects that will appear later. They are sorted so that the next object to appear is the last element.
    spawners: Vec<Entity>,
}

fn is_flyer(kind: i32) -> bool {
    matches!(kind, FLYER | FAST_FLYER)
}

fn is_destructible(kind: i32) -> bool {
    is_flyer(kind) || matches!(kind, TURRET | METEOR)
}

fn is_lethal(kind: i32) -> bool {
    is_destructible(kind) || matches!(kind, BULLET2 | BULLET3)
}

fn should_fire(entity: &Entity, cur_time: i32) -> bool {
    let age = cur_time - entity.spawn_time;
    match (entity.fire_time, entity.kind) {
        (..=0, _) => false,
        (fire_time, TURRET) => age % fire_time == 0,
        (fire_time, _) => age == fire_time,
    }
}

impl Starpilot {
    fn add_spawners(&mut self, world: &mut World, parameters: &Parameters) {
        let mut time = 1 + world.rand_gen.randint(DELTA_T.0, DELTA_T.1);
        while time <= SHOOTER_WIN_TIME {
            let kind = parameters.draw_type(world);
            let r = parameters.object_r[kind as usize];
            let (mut group_size, mut flyer_theme) = (1, 0);
            if is_flyer(kind) {
                group_size = world.rand_gen.randint(0, MAX_GROUP_SIZE) + 1;
                flyer_theme = world.rand_gen.randn(NUM_SHIP_THEMES);
            }
            let y = world.rand_pos(r, 0.0, world.main_height as f32);
            for number in 0..group_size {
                let spawner = spawner(world, parameters, kind, y, time + number * 5, flyer_theme);
                self.spawners.push(spawner);
            }
            time += world.rand_gen.randint(DELTA_T.0, DELTA_T.1);
        }
    }

    fn fire_player_bullet(world: &mut World, parameters: &Parameters) {
        let theta = if world.special_action == 2 { PI } else { 0.0 };
        let v_scale = f64::from(parameters.vs[BULLET_PLAYER as usize] * V_SCALE);
        let (sin, cos) = f64::from(theta).sin_cos();
        let (vx, vy) = (f32_of(cos * v_scale), f32_of(sin * v_scale));
        let Entity { x, y, rx, .. } = *world.agent();
        let x_off = f32_of(f64::from(rx) * cos);
        let bullet = world.add_entity(x + x_off, y, vx, vy, parameters.bullet_r, BULLET_PLAYER);
        bullet.collides_with_entities = true;
        bullet.face_direction(vx, vy, 0.0);
        bullet.rotation -= PI / 2.0;
    }

    fn fire_at_agent(world: &mut World, index: usize, parameters: &Parameters) {
        let Entity { x, y, kind, .. } = world.entities[index];
        let bullet = if kind == TURRET { BULLET3 } else { BULLET2 };
        let (dx, dy) = (world.agent().x - x, world.agent().y - y);
        let speed = f64::from(parameters.vs[bullet as usize] * V_SCALE);
        let scale = f32_of(speed / f64::from(dx * dx + dy * dy).sqrt());
        let (vx, vy) = (dx * scale, dy * scale);
        world.add_entity(x, y, vx, vy, parameters.bullet_r, bullet).face_direction(vx, vy, -PI / 2.0);
    }

    fn add_finish_line(world: &mut World) {
        let (width, half_height) = (world.main_width as f32, (world.main_height / 2) as f32);
        let index = world.push(Entity::new(width, half_height, -SLOW_V * V_SCALE, 0.0, 2.0, half_height, FINISH_LINE));
        world.choose_random_theme(index);
        let ratio = world.aspect_ratio(&world.entities[index], false);
        let finish = &mut world.entities[index];
        finish.rx = finish.ry * ratio;
        finish.x = width + finish.rx;
    }
}

/// Creates an object of type `kind` that will appear at step `spawn_time`.
fn spawner(world: &mut World, parameters: &Parameters, kind: i32, y: f32, spawn_time: i32, flyer_theme: i32) -> Entity {
    let r = parameters.object_r[kind as usize];
    let mut fire_time = world.rand_gen.randint(10, 100);
    let mut theta = f32_of((f64::from(world.rand_gen.rand01()) - 0.5) * f64::from(2.0 * PI / 4.0));
    let mut v_scale = parameters.vs[kind as usize];
    if world.rand_gen.randint(0, 2) == 1 {
        theta = 0.0;
    }
    if matches!(kind, METEOR | CLOUD | TURRET) {
        (theta, v_scale) = (0.0, SLOW_V);
        fire_time = if kind == TURRET { world.rand_gen.randint(20, 30) } else { -1 };
    }
    v_scale *= V_SCALE;
    let (sin, cos) = f64::from(theta).sin_cos();
    let (mut vx, vy) = (f32_of(-cos * f64::from(v_scale)), f32_of(sin * f64::from(v_scale)));
    let mut x = world.main_width as f32 + r;
    let can_spawn_left = world.mode() != DistributionMode::Easy;
    if is_flyer(kind) && world.rand_gen.rand01() > SPAWN_RIGHT_THRESHOLD && can_spawn_left {
        (x, vx) = (-r, -vx);
    }
    let mut spawner = Entity::new(x, y, vx, vy, r, r, kind);
    (spawner.fire_time, spawner.spawn_time) = (fire_time, spawn_time);
    spawner.health = parameters.healths[kind as usize];
    if is_flyer(kind) {
        spawner.image_theme = flyer_theme;
        spawner.rotation = if vx > 0.0 { -PI / 2.0 } else { PI / 2.0 };
    } else if matches!(kind, CLOUD | METEOR | TURRET) {
        spawner.render_z = i32::from(kind == CLOUD);
        spawner.image_theme = world.random_theme(kind);
        if kind == TURRET {
            spawner.ry = spawner.rx / world.aspect_ratio(&spawner, false);
        }
    }
    spawner
}

impl Rules for Starpilot {
    const BACKGROUNDS: Backgrounds = Backgrounds::Space;
    const BACKGROUND_STANDS_STILL: bool = false;

    fn new(_world: &mut World) -> Self {
        Self::default()
    }

    fn asset_for_type(kind: i32) -> Names {
        let numbers = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
        match kind {
            PLAYER => names(&["misc_assets/playerShip2_blue.png"]),
            BULLET_PLAYER => names(&["misc_assets/towerDefense_tile295.png"]),
            BULLET2 => names(&["misc_assets/towerDefense_tile296.png"]),
            BULLET3 => names(&["misc_assets/towerDefense_tile297.png"]),
            FLYER | FAST_FLYER => names_of("misc_assets/spaceShips_00{}.png", &numbers[..7]),
            METEOR => meteor_names(),
            CLOUD => names_of("misc_assets/spaceEffect{}.png", &numbers),
            TURRET => names_of("misc_assets/spaceStation_01{}.png", &["8", "9"]),
            FINISH_LINE => names_of("misc_assets/spaceRockets_00{}.png", &numbers[..4]),
            _ => Names::new(),
        }
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        (world.main_width, world.main_height) = (16, 16);
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        let kind = world.entities[entity].kind;
        if kind == FINISH_LINE {
            world.complete_level(COMPLETION_BONUS);
        } else if is_lethal(kind) {
            world.done = true;
        }
    }

    fn handle_collision(&mut self, world: &mut World, source: usize, target: usize) {
        if world.entities[source].kind == BULLET_PLAYER && is_destructible(world.entities[target].kind) {
            world.entities[source].will_erase = true;
            world.entities[target].health -= 1.0;
            let Entity { vx, vy, .. } = world.entities[target];
            let Entity { x, y, rx, .. } = world.entities[source];
            world.add_entity(x, y, vx, vy, 0.5 * rx, EXPLOSION);
        }
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        world.center_agent = false;
        let parameters = Parameters::new(world.mode());
        world.maxspeed = parameters.maxspeed;
        self.spawners.clear();
        self.add_spawners(world, &parameters);
        std_sort(&mut self.spawners, |first, second| first.spawn_time > second.spawn_time);
        world.agent_mut().rotation = PI / 2.0;
        world.choose_random_theme(AGENT);
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        let parameters = Parameters::new(world.mode());
        for index in (0..world.entities.len()).rev() {
            let Entity { kind, health, will_erase, rx, .. } = world.entities[index];
            if kind == PLAYER {
                continue;
            }
            if should_fire(&world.entities[index], world.cur_time) {
                Self::fire_at_agent(world, index, &parameters);
            }
            if health <= 0.0 && is_destructible(kind) && !will_erase {
                world.spawn_child(index, EXPLOSION, 0.5 * rx, true);
                world.reward += ENEMY_REWARD;
                world.entities[index].will_erase = true;
            }
        }
        while let Some(spawner) = self.spawners.pop_if(|next| next.spawn_time == world.cur_time) {
            world.push(spawner);
        }
        if world.special_action != 0 {
            Self::fire_player_bullet(world, &parameters);
        }
        if world.cur_time == SHOOTER_WIN_TIME {
            Self::add_finish_line(world);
        }
    }

    fn draw_background(&self, painter: &mut Painter<'_, Self>) {
        let world = painter.world;
        let scale = (64 / world.main_height) as f32;
        let char_dim = 5.0;
        let x_off = -(world.cur_time as f32) * scale * SLOW_V * 2.0 / char_dim;
        let y = -64.0 * (BG_HEIGHT - 1.0) / 2.0;
        let [x_off, y] = [x_off, y].map(f64::from);
        let rect = Rect::new(x_off, y, f64::from(64.0 * BG_HEIGHT * BG_RATIO), f64::from(64.0 * BG_HEIGHT));
        let pixels = world.setup.assets.background(world.background_index).pixels(false);
        for_each_tile(&rect, 1.0, |tile| painter.draw_background_in(tile, pixels));
    }

    fn is_valid(&self, _world: &World) -> bool {
        self.spawners.len() <= MAX_ENTITIES && self.spawners.iter().all(Entity::is_valid)
    }
}

/// Returns the file names of the pictures of meteors, which the game Bossfight also uses.
pub(super) fn meteor_names() -> Names {
    let mut meteors = names_of("misc_assets/spaceMeteors_00{}.png", &["1", "2", "3", "4"]);
    meteors.extend(names_of("misc_assets/meteorGrey_big{}.png", &["1", "2", "3", "4"]));
    meteors
}
