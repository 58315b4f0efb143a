//! Jumper: a rabbit searches a cave for a carrot; a compass shows the direction to the carrot.

use serde::{Deserialize, Serialize};

use super::jumper_compass::{draw_compass, draw_shadow};
use super::jumper_levels::{CAVEWALL, CAVEWALL_TOP, GOAL, SPIKE, generate_level};
use super::platformer::{accelerate_horizontally, add_trail, has_support_below, stands_still, walking_image};
use super::prelude::*;

const GOAL_REWARD: f32 = 10.0;

const PLAYER_JUMP: i32 = 9;
const PLAYER_LEFT1: i32 = 10;
const PLAYER_LEFT2: i32 = 11;
const PLAYER_RIGHT1: i32 = 12;
const PLAYER_RIGHT2: i32 = 13;

/// Minimum number of steps between two jumps.
const JUMP_COOLDOWN: i32 = 3;
const NUM_WALL_THEMES: i32 = 4;
/// Index of the goal in the world's entities.
const GOAL_INDEX: usize = 1;

/// Rules of the game Jumper, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Jumper {
    jump_count: i32,
    /// Whether the last action started a jump.
    jumps: bool,
    jump_time: i32,
    has_support: bool,
    facing_right: bool,
    wall_theme: i32,
    /// Width and height of the compass, in cells.
    compass_dim: f32,
}

fn is_wall(kind: i32) -> bool {
    matches!(kind, CAVEWALL | CAVEWALL_TOP)
}

impl Rules for Jumper {
    const BACKGROUNDS: Backgrounds = Backgrounds::Platform;

    fn new(_world: &mut World) -> Self {
        Self::default()
    }

    fn asset_for_type(kind: i32) -> Names {
        match kind {
            PLAYER => names(&["misc_assets/bunny2_ready.png"]),
            SPIKE => names(&["misc_assets/spikeMan_stand.png"]),
            GOAL => names(&["misc_assets/carrot.png"]),
            PLAYER_JUMP => names(&["misc_assets/bunny2_jump.png"]),
            PLAYER_LEFT1 | PLAYER_RIGHT1 => names(&["misc_assets/bunny2_walk1.png"]),
            PLAYER_LEFT2 | PLAYER_RIGHT2 => names(&["misc_assets/bunny2_walk2.png"]),
            CAVEWALL_TOP => names_of("platformer/tile{}.png", &["Blue_05", "Green_05", "Yellow_06", "Brown_06"]),
            CAVEWALL => names_of("platformer/tile{}.png", &["Blue_08", "Green_08", "Yellow_09", "Brown_09"]),
            _ => Names::new(),
        }
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        match world.entities[entity].kind {
            GOAL => world.complete_level(GOAL_REWARD),
            SPIKE => world.done = true,
            _ => {}
        }
    }

    fn update_agent_velocity(&mut self, world: &mut World) {
        accelerate_horizontally(world, world.mixrate);
        let (maxspeed, action_vy) = (world.maxspeed, world.action_vy);
        let agent = world.agent_mut();
        if action_vy != 0.0 {
            agent.vy = maxspeed * action_vy * 2.0;
        }
    }

    fn theme_for_grid_obj(&self, kind: i32) -> i32 {
        if is_wall(kind) { self.wall_theme } else { 0 }
    }

    fn is_blocked(&mut self, world: &mut World, source: usize, target: i32, _is_horizontal: bool) -> bool {
        is_blocked_in_all_games(world, target) || world.entities[source].kind == PLAYER && is_wall(target)
    }

    fn image_for_type(&self, world: &World, kind: i32) -> i32 {
        let walk = if self.facing_right { [PLAYER_RIGHT1, PLAYER_RIGHT2] } else { [PLAYER_LEFT1, PLAYER_LEFT2] };
        match kind {
            PLAYER if !self.has_support => walk[0],
            PLAYER if stands_still(world) => PLAYER,
            PLAYER => walking_image(world, walk),
            _ => kind.abs(),
        }
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        let dim = match world.mode() {
            DistributionMode::Hard => 40,
            DistributionMode::Memory => 45,
            _ => 20,
        };
        (world.main_width, world.main_height) = (dim, dim);
    }

    fn game_reset(&mut self, world: &mut World) {
        (world.visibility, self.compass_dim) = match world.mode() {
            DistributionMode::Easy => (12.0, 3.0),
            _ => (16.0, 2.0),
        };
        if world.mode() == DistributionMode::Memory {
            world.timeout = 2000;
        }
        base_game_reset(self, world);
        world.out_of_bounds_object = WALL_OBJ;
        self.wall_theme = world.rand_gen.randn(NUM_WALL_THEMES);
        let (wall_theme, compass_dim) = (self.wall_theme, self.compass_dim);
        *self = Self { wall_theme, compass_dim, facing_right: true, ..Self::default() };
        generate_level(world);
        (world.agent_mut().rx, world.agent_mut().ry) = (0.254, 0.4);
        world.out_of_bounds_object = CAVEWALL;
    }

    fn set_action_xy(&mut self, world: &mut World, move_action: i32) {
        world.action_vx = (move_action / 3 - 1) as f32;
        if world.action_vx != 0.0 {
            self.facing_right = world.action_vx > 0.0;
        }
        self.has_support = has_support_below(world, |kind| is_wall(kind) || kind == world.out_of_bounds_object);
        if self.has_support {
            self.jump_count = 2;
        }
        let is_ready = self.jump_count > 0 && world.cur_time - self.jump_time > JUMP_COOLDOWN;
        self.jumps = move_action % 3 == 2 && is_ready;
        world.action_vy = f32::from(u8::from(self.jumps));
        if self.jumps {
            self.jump_count -= 1;
            self.jump_time = world.cur_time;
        }
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        reflect_agent(world, false);
        let Entity { x, y, vx, vy, ry, .. } = *world.agent();
        if f64::from(vx.abs()) + f64::from(vy.abs()) > 0.05 {
            add_trail(world, (x, y), ry);
        }
        if vy > -2.0 {
            world.agent_mut().vy -= 0.15;
        }
    }

    fn draw_indicators(&self, world: &World, view: &View, canvas: &mut Canvas) {
        if world.mode() != DistributionMode::Memory {
            draw_compass(world, view, canvas, self.compass_dim, &world.entities[GOAL_INDEX]);
            if self.jumps && !self.has_support {
                draw_shadow(view, canvas, world.agent());
            }
        }
    }

    fn is_valid(&self, world: &World) -> bool {
        (0..NUM_WALL_THEMES).contains(&self.wall_theme) && world.entities.get(GOAL_INDEX).is_some_and(|goal| goal.kind == GOAL)
    }
}
