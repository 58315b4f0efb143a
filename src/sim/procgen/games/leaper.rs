//! Leaper: a frog crosses roads and rivers.

use serde::{Deserialize, Serialize};

use super::prelude::*;

const LOG: i32 = 1;
const ROAD: i32 = 2;
const WATER: i32 = 3;
const CAR: i32 = 4;
const FINISH_LINE: i32 = 5;

const MONSTER_RADIUS: f32 = 0.25;
const LOG_RADIUS: f32 = 0.45;
const GOAL_REWARD: f32 = 10.0;
/// Number of steps that a leap takes, which is also the number of pictures in its animation.
const NSTEP: i32 = 5;
const MAX_SPEED: f32 = (2.0 / (NSTEP as f64 - 1.0)) as f32;
const VEL_DECAY: f32 = MAX_SPEED / NSTEP as f32;

/// Rules of the game Leaper, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Leaper {
    bottom_road_y: i32,
    road_lane_speeds: Vec<f32>,
    bottom_water_y: i32,
    water_lane_speeds: Vec<f32>,
    goal_y: i32,
}

/// Minimum and maximum speeds of cars and logs, in cells per step.
struct Speeds {
    car: (f32, f32),
    log: (f32, f32),
}

impl Speeds {
    fn new(mode: DistributionMode) -> Self {
        match mode {
            DistributionMode::Easy => Self { car: (0.03, 0.12), log: (0.025, 0.075) },
            DistributionMode::Extreme => Self { car: (0.1, 0.3), log: (0.1, 0.2) },
            _ => Self { car: (0.05, 0.2), log: (0.05, 0.1) },
        }
    }
}

fn rand_sign(world: &mut World) -> f32 {
    if world.rand_gen.rand01() < 0.5 { 1.0 } else { -1.0 }
}

fn choose_extra_space(world: &mut World) -> i32 {
    if world.mode() == DistributionMode::Easy { 0 } else { world.rand_gen.randn(2) }
}

fn decay_velocity(velocity: f32) -> f32 {
    let slower = velocity.abs() - VEL_DECAY;
    slower.max(0.0) * sign(velocity) as f32
}

impl Leaper {
    fn generate_lanes(&mut self, world: &mut World, speeds: &Speeds) {
        let (is_easy, width) = (world.mode() == DistributionMode::Easy, world.main_width);
        self.bottom_road_y = choose_extra_space(world) + 1;
        let difficulty = world.rand_gen.randn(if is_easy { 4 } else { 5 });
        let extra_lane = if is_easy { 0 } else { world.rand_gen.randn(4) };
        self.road_lane_speeds.clear();
        for lane in 0..difficulty + i32::from(extra_lane == 2) {
            let sign = rand_sign(world);
            self.road_lane_speeds.push(sign * world.rand_gen.randrange(speeds.car.0, speeds.car.1));
            world.fill_elem(0, self.bottom_road_y + lane, width, 1, ROAD);
        }
        self.bottom_water_y = self.bottom_road_y + self.road_lane_speeds.len() as i32 + choose_extra_space(world) + 1;
        self.water_lane_speeds.clear();
        let mut sign = rand_sign(world);
        for lane in 0..difficulty + i32::from(extra_lane == 3) {
            self.water_lane_speeds.push(sign * world.rand_gen.randrange(speeds.log.0, speeds.log.1));
            sign = -sign;
            world.fill_elem(0, self.bottom_water_y + lane, width, 1, WATER);
        }
        self.goal_y = self.bottom_water_y + self.water_lane_speeds.len() as i32 + 1;
    }

    fn spawn_traffic(&self, world: &mut World) {
        for (lane, speed) in self.road_lane_speeds.iter().enumerate() {
            if f64::from(world.rand_gen.rand01()) < f64::from((f64::from(speed.abs()) / 6.0) as f32) {
                let x = start_of_lane(world, *speed, MONSTER_RADIUS);
                let y = (f64::from(self.bottom_road_y + lane as i32) + 0.5) as f32;
                let mut car = Entity::new(x, y, *speed, 0.0, 2.0 * MONSTER_RADIUS, MONSTER_RADIUS, CAR);
                car.image_theme = world.random_theme(CAR);
                if *speed < 0.0 {
                    car.rotation = PI;
                }
                push_if_free(world, car);
            }
        }
        for (lane, speed) in self.water_lane_speeds.iter().enumerate() {
            if f64::from(world.rand_gen.rand01()) < f64::from((f64::from(speed.abs()) / 2.0) as f32) {
                let x = start_of_lane(world, *speed, LOG_RADIUS);
                let y = (f64::from(self.bottom_water_y + lane as i32) + 0.5) as f32;
                push_if_free(world, Entity::new(x, y, *speed, 0.0, LOG_RADIUS, LOG_RADIUS, LOG));
            }
        }
    }
}

fn start_of_lane(world: &World, speed: f32, radius: f32) -> f32 {
    if speed > 0.0 { -radius } else { world.main_width as f32 + radius }
}

fn push_if_free(world: &mut World, entity: Entity) {
    if !world.has_any_collision(&entity) {
        world.push(entity);
    }
}

impl Rules for Leaper {
    const BACKGROUNDS: Backgrounds = Backgrounds::Topdown;

    fn new(world: &mut World) -> Self {
        world.maxspeed = MAX_SPEED;
        world.timeout = 500;
        Self::default()
    }

    fn asset_for_type(kind: i32) -> Names {
        let files: &[&str] = match kind {
            ROAD => &["roadTile6b"],
            WATER => &["terrainTile6"],
            CAR => &["car_yellow_5", "car_black_1", "car_blue_2", "car_green_3", "car_red_4"],
            LOG => &["elementWood044"],
            PLAYER => &["frog1", "frog2", "frog4", "frog6", "frog7"],
            FINISH_LINE => &["finish2"],
            _ => &[],
        };
        names_of("misc_assets/{}.png", files)
    }

    fn get_tile_aspect_ratio(&self, entity: &Entity) -> f32 {
        if entity.kind == FINISH_LINE { 1.0 } else { 0.0 }
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        let is_standing = world.agent().vx == 0.0 && world.agent().vy == 0.0;
        match world.entities[entity].kind {
            CAR => world.done = true,
            FINISH_LINE if is_standing => world.complete_level(GOAL_REWARD),
            _ => {}
        }
    }

    fn should_preserve_type_themes(kind: i32) -> bool {
        kind == PLAYER
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        let dim = match world.mode() {
            DistributionMode::Easy => 9,
            DistributionMode::Hard => 15,
            _ => 20,
        };
        (world.main_width, world.main_height) = (dim, dim);
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        world.center_agent = false;
        world.agent_mut().y = world.agent().ry;
        let speeds = Speeds::new(world.mode());
        self.generate_lanes(world, &speeds);
        let width = world.main_width as f32;
        let steps = width / speeds.car.0.min(speeds.log.0);
        for _ in (0..).take_while(|step| (*step as f32) < steps) {
            self.spawn_traffic(world);
            step_entities(self, world);
        }
        world.add_entity_rxy(width / 2.0, self.goal_y as f32 - 0.5, 0.0, 0.0, width / 2.0, 0.5, FINISH_LINE);
    }

    fn update_agent_velocity(&mut self, world: &mut World) {
        let (maxspeed, action_vx, action_vy) = (world.maxspeed, world.action_vx, world.action_vy);
        let agent = world.agent_mut();
        if agent.vx == 0.0 && agent.vy == 0.0 {
            if action_vx != 0.0 {
                agent.vx = maxspeed * action_vx;
                agent.image_theme = 1;
                agent.rotation = if agent.vx > 0.0 { PI / 2.0 } else { -PI / 2.0 };
            } else if action_vy != 0.0 {
                agent.vy = maxspeed * action_vy;
                agent.image_theme = 1;
                agent.rotation = if agent.vy > 0.0 { 0.0 } else { PI };
            }
        }
        agent.vx = decay_velocity(agent.vx);
        agent.vy = decay_velocity(agent.vy);
    }

    fn get_adjusted_image_rect(kind: i32, rect: Rect) -> Rect {
        match kind {
            PLAYER => rect.adjust(&Rect::new(0.0, -0.275, 1.0, 1.55)),
            _ => rect,
        }
    }

    fn game_step(&mut self, world: &mut World) {
        let agent = world.agent_mut();
        if agent.image_theme >= 1 {
            agent.image_theme = (agent.image_theme + 1) % NSTEP;
        }
        base_game_step(self, world);
        self.spawn_traffic(world);
        let margin = -world.agent().rx;
        let is_log = |entity: &&Entity| entity.kind == LOG && has_collision(world.agent(), entity, margin);
        let log_vx = world.entities.iter().rfind(is_log).map(|log| log.vx);
        let agent = world.agent();
        if world.get_obj(agent.x as i32, agent.y as i32) == WATER && log_vx.is_none() && agent.vx == 0.0 && agent.vy == 0.0 {
            world.done = true;
        }
        if let Some(vx) = log_vx {
            world.agent_mut().x += vx;
        }
        world.done |= world.is_out_of_bounds(world.agent());
    }

    fn is_valid(&self, world: &World) -> bool {
        let mut speeds = self.road_lane_speeds.iter().chain(&self.water_lane_speeds);
        speeds.clone().count() <= world.grid.height as usize && speeds.all(|speed| speed.abs() <= 1.0)
    }
}
