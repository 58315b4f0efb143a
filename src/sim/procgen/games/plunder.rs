//! Plunder: the agent's ship must shoot at ships of some types, and must not hit ships of other types.

use serde::{Deserialize, Serialize};

use super::prelude::*;

const COMPLETION_BONUS: f32 = 10.0;
const POSITIVE_REWARD: f32 = 1.0;

const PLAYER_BULLET: i32 = 1;
const TARGET_LEGEND: i32 = 2;
const TARGET_BACKGROUND: i32 = 3;
const PANEL: i32 = 6;
const SHIP: i32 = 7;

const NUM_SHIP_TYPES: usize = 6;
const NUM_CURRENT_SHIP_TYPES: i32 = 2;
const NUM_LANES: usize = 5;
const TARGET_QUOTA: i32 = 20;
const SPAWN_PROB: f32 = 0.06;
const LEGEND_R: f32 = 2.0;

/// Rules of the game Plunder, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Plunder {
    last_fire_time: i32,
    /// For each lane on the water, whether its ships move to the right.
    lane_directions: Vec<bool>,
    lane_vels: Vec<f32>,
    /// For each ship type, whether ships of this type are targets.
    targets: Vec<bool>,
    image_permutation: Vec<i32>,
    targets_hit: i32,
    juice_left: f32,
    /// Radius of ships, in cells.
    r_scale: f32,
    min_agent_x: f32,
}

impl Plunder {
    fn spawn_ship(&self, world: &mut World) {
        let lane = world.rand_gen.index(NUM_LANES);
        let r = self.r_scale;
        let half = world.main_height / 2;
        let y = (lane as f64 * 0.11 + 0.4) * f64::from(half as f32 - r) + f64::from(half);
        let moves_right = self.lane_directions[lane];
        let vx = if moves_right { self.lane_vels[lane] } else { -self.lane_vels[lane] };
        let mut ship = Entity::new(0.0, f32_of(y), vx, 0.0, r, r, SHIP);
        ship.image_theme = self.image_permutation[world.rand_gen.randn(NUM_CURRENT_SHIP_TYPES) as usize];
        ship.ry = ship.rx / world.aspect_ratio(&ship, true);
        ship.x = if moves_right { -r } else { world.main_width as f32 + r };
        ship.is_reflected = !moves_right;
        if !world.has_any_collision(&ship) {
            world.push(ship);
        }
    }

    fn choose_ships(&mut self, world: &mut World) {
        let types: Vec<i32> = (0..NUM_SHIP_TYPES as i32).collect();
        self.image_permutation = world.rand_gen.choose_n(&types, NUM_SHIP_TYPES);
        self.targets = vec![false; NUM_SHIP_TYPES];
        for ship in &self.image_permutation[..NUM_CURRENT_SHIP_TYPES as usize / 2] {
            self.targets[*ship as usize] = true;
        }
        self.lane_directions.clear();
        self.lane_vels.clear();
        for _ in 0..NUM_LANES {
            self.lane_directions.push(f64::from(world.rand_gen.rand01()) < 0.5);
            self.lane_vels.push(f32_of(0.15 + 0.1 * f64::from(world.rand_gen.rand01())));
        }
    }

    /// Moves the agent out of the part of the screen with the legend, which shows the types of target ships.
    fn limit_agent(&self, world: &mut World) {
        if world.agent().x < self.min_agent_x {
            world.agent_mut().x = self.min_agent_x;
        }
    }
}

impl Rules for Plunder {
    const BACKGROUNDS: Backgrounds = Backgrounds::WaterSurface;

    fn new(world: &mut World) -> Self {
        world.timeout = 4000;
        world.maxspeed = 0.85;
        world.has_useful_vel_info = false;
        Self::default()
    }

    fn asset_for_type(kind: i32) -> Names {
        match kind {
            SHIP => names_of("misc_assets/ship_{}.png", &["1", "2", "3", "4", "5", "6"]),
            PLAYER_BULLET => names(&["misc_assets/cannonBall.png"]),
            PANEL => names(&["misc_assets/panel_wood.png"]),
            TARGET_BACKGROUND => names(&["misc_assets/target_red2.png"]),
            _ => Names::new(),
        }
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        (world.main_width, world.main_height) = (20, 20);
    }

    fn should_preserve_type_themes(kind: i32) -> bool {
        kind == SHIP
    }

    fn handle_collision(&mut self, world: &mut World, source: usize, target: usize) {
        if world.entities[source].kind != PLAYER_BULLET {
            return;
        }
        let Entity { kind, image_theme, x, y, vx, vy, rx, .. } = world.entities[target];
        match kind {
            SHIP => {
                world.entities[source].will_erase = true;
                world.entities[target].will_erase = true;
                if self.targets[image_theme as usize] {
                    self.targets_hit += 1;
                    world.reward += POSITIVE_REWARD;
                    self.juice_left += 0.1;
                } else {
                    self.juice_left -= 0.1;
                }
                world.add_entity(x, y, vx / 2.0, vy / 2.0, 0.5 * rx, EXPLOSION);
            }
            PANEL => world.entities[source].will_erase = true,
            _ => {}
        }
    }

    fn set_action_xy(&mut self, world: &mut World, move_action: i32) {
        world.action_vx = (move_action / 3 - 1) as f32;
        (world.action_vy, world.action_vrot) = (0.0, 0.0);
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        let is_easy = world.mode() == DistributionMode::Easy;
        world.agent_mut().image_type = SHIP;
        (self.juice_left, self.targets_hit, self.last_fire_time) = (1.0, 0, 0);
        self.r_scale = if is_easy { 1.5 } else { 1.0 };
        self.choose_ships(world);
        let num_panels = if is_easy { 0 } else { world.rand_gen.randn(4) };
        let (width, height) = (world.main_width as f32, world.main_height as f32);
        for _ in 0..num_panels {
            world.spawn_entity_rxy(1.2, 0.5, PANEL, [0.0, 0.25 * height, width, 0.25 * height]);
        }
        world.add_entity(LEGEND_R, LEGEND_R, 0.0, 0.0, LEGEND_R, TARGET_BACKGROUND);
        let legend = world.add_entity(LEGEND_R, LEGEND_R, 0.0, 0.0, self.r_scale * 1.5, TARGET_LEGEND);
        legend.image_theme = self.image_permutation[0];
        legend.image_type = SHIP;
        legend.rotation = PI / 2.0;
        world.match_aspect_ratio(world.entities.len() - 1, true);
        world.center_agent = false;
        let own_ship = world.rand_gen.randn(NUM_CURRENT_SHIP_TYPES / 2) + NUM_CURRENT_SHIP_TYPES / 2;
        let agent = world.agent_mut();
        agent.rx = self.r_scale;
        agent.rotation = -PI / 2.0;
        agent.image_theme = self.image_permutation[own_ship as usize];
        world.match_aspect_ratio(AGENT, true);
        world.reposition_agent();
        let agent = world.agent_mut();
        agent.y = 1.0 + agent.ry;
        self.min_agent_x = 2.0 * LEGEND_R + agent.rx;
        self.limit_agent(world);
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        self.juice_left -= 0.0015;
        if world.rand_gen.rand01() < SPAWN_PROB {
            self.spawn_ship(world);
        }
        if world.special_action == 1 && world.cur_time - self.last_fire_time >= 3 {
            let Entity { x, y, .. } = *world.agent();
            let bullet = world.add_entity(x, y, 0.0, 1.0, 0.25, PLAYER_BULLET);
            bullet.collides_with_entities = true;
            bullet.expire_time = 50;
            self.last_fire_time = world.cur_time;
            self.juice_left -= 0.02;
        }
        if self.juice_left <= 0.0 {
            world.done = true;
        } else if self.juice_left >= 1.0 {
            self.juice_left = 1.0;
        }
        if self.targets_hit >= TARGET_QUOTA {
            world.complete_level(COMPLETION_BONUS);
        }
        self.limit_agent(world);
    }

    fn draw_indicators(&self, world: &World, view: &View, canvas: &mut Canvas) {
        let width = world.main_width as f32;
        let hits = f64::from(world.main_width) * (f64::from(self.targets_hit) / f64::from(TARGET_QUOTA));
        canvas.fill(&view.abs_rect(0.25, 0.25, width * self.juice_left, 0.5), [66, 245, 135]);
        canvas.fill(&view.abs_rect(0.25, 0.75, f32_of(hits), 0.5), [245, 66, 144]);
    }

    fn is_valid(&self, world: &World) -> bool {
        let is_type = |ship: &i32| (0..NUM_SHIP_TYPES as i32).contains(ship);
        let mut ships = world.entities.iter().filter(|entity| entity.image_type == SHIP);
        self.targets.len() == NUM_SHIP_TYPES
            && self.image_permutation.len() == NUM_SHIP_TYPES
            && self.image_permutation.iter().all(is_type)
            && self.lane_directions.len() == NUM_LANES
            && self.lane_vels.len() == NUM_LANES
            && self.lane_vels.iter().chain([&self.r_scale]).all(|value| (0.0..=4.0).contains(value))
            && ships.all(|ship| is_type(&ship.image_theme))
    }
}
