//! Coinrun: an agent runs to a coin at the far right.

mod levels;

use serde::{Deserialize, Serialize};

use super::platformer::{
    accelerate_horizontally, add_trail, has_support_below, init_floor_and_walls, stands_still, walking_image,
};
use super::prelude::*;
use levels::{ENEMY_BARRIER, generate_coin_to_the_right};

const GOAL_REWARD: f32 = 10.0;

const GOAL: i32 = 1;
const SAW: i32 = 2;
const SAW2: i32 = 3;
const ENEMY: i32 = 5;
const ENEMY1: i32 = 6;
const ENEMY2: i32 = 7;
const PLAYER_JUMP: i32 = 9;
const PLAYER_RIGHT1: i32 = 12;
const PLAYER_RIGHT2: i32 = 13;
const WALL_MID: i32 = 15;
const WALL_TOP: i32 = 16;
const LAVA_MID: i32 = 17;
const LAVA_TOP: i32 = 18;
const CRATE: i32 = 20;

const WALKING_ENEMIES: [&str; 9] =
    ["slimeBlock", "slimePurple", "slimeBlue", "slimeGreen", "mouse", "snail", "ladybug", "wormGreen", "wormPink"];
const PLAYER_THEME_COLORS: [&str; 5] = ["Beige", "Blue", "Green", "Pink", "Yellow"];
const GROUND_THEMES: [&str; 6] = ["Dirt", "Grass", "Planet", "Sand", "Snow", "Stone"];
const GRAVITY: f32 = 0.2;
const AIR_CONTROL: f32 = 0.15;

/// Rules of the game Coinrun, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Coinrun {
    last_agent_y: f32,
    wall_theme: i32,
    has_support: bool,
    is_on_crate: bool,
}

fn is_wall(kind: i32) -> bool {
    matches!(kind, WALL_MID | WALL_TOP)
}

fn player_names(pose: &str) -> Names {
    names_of(&format!("kenney/Players/128x256/{{}}/alien{{}}_{pose}.png"), &PLAYER_THEME_COLORS)
}

fn ground_names(part: &str) -> Names {
    GROUND_THEMES.iter().map(|theme| format!("kenney/Ground/{theme}/{}{part}.png", theme.to_lowercase())).collect()
}

impl Rules for Coinrun {
    const BACKGROUNDS: Backgrounds = Backgrounds::Platform;

    fn new(world: &mut World) -> Self {
        world.visibility = 13.0;
        world.mixrate = 0.2;
        world.out_of_bounds_object = WALL_MID;
        Self::default()
    }

    fn asset_for_type(kind: i32) -> Names {
        match kind {
            PLAYER => player_names("stand"),
            PLAYER_JUMP => player_names("jump"),
            PLAYER_RIGHT1 => player_names("walk1"),
            PLAYER_RIGHT2 => player_names("walk2"),
            ENEMY1 => names_of("kenney/Enemies/{}.png", &WALKING_ENEMIES),
            ENEMY2 => names_of("kenney/Enemies/{}_move.png", &WALKING_ENEMIES),
            GOAL => names(&["kenney/Items/coinGold.png"]),
            WALL_TOP => ground_names("Mid"),
            WALL_MID => ground_names("Center"),
            LAVA_TOP => names(&["kenney/Tiles/lavaTop_low.png"]),
            LAVA_MID => names(&["kenney/Tiles/lava.png"]),
            SAW => names(&["kenney/Enemies/sawHalf.png"]),
            SAW2 => names(&["kenney/Enemies/sawHalf_move.png"]),
            CRATE => names_of("kenney/Tiles/boxCrate{}.png", &["", "_double", "_single", "_warning"]),
            _ => Names::new(),
        }
    }

    fn get_adjusted_image_rect(kind: i32, rect: Rect) -> Rect {
        match kind {
            PLAYER | PLAYER_JUMP | PLAYER_RIGHT1 | PLAYER_RIGHT2 => rect.adjust(&Rect::new(0.0, -0.7415, 1.0, 1.7415)),
            _ => rect,
        }
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        (world.main_width, world.main_height) = (64, 64);
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        world.done |= matches!(world.entities[entity].kind, ENEMY | SAW);
    }

    fn theme_for_grid_obj(&self, kind: i32) -> i32 {
        if is_wall(kind) { self.wall_theme } else { 0 }
    }

    fn will_reflect(&self, _world: &World, source: i32, target: i32) -> bool {
        source == ENEMY && (is_wall(target) || target == ENEMY_BARRIER)
    }

    fn handle_grid_collision(&mut self, world: &mut World, entity: usize, kind: i32, _cell: (i32, i32)) {
        match (world.entities[entity].kind, kind) {
            (PLAYER, GOAL) => world.complete_level(GOAL_REWARD),
            (PLAYER, LAVA_MID | LAVA_TOP) => world.done = true,
            _ => {}
        }
    }

    fn update_agent_velocity(&mut self, world: &mut World) {
        let mixrate_x = if self.has_support { world.mixrate } else { world.mixrate * AIR_CONTROL };
        let (maxspeed, max_jump) = (world.maxspeed, world.max_jump);
        let action_vy = world.action_vy;
        accelerate_horizontally(world, mixrate_x);
        let agent = world.agent_mut();
        if agent.vx.abs() < mixrate_x * maxspeed {
            agent.vx = 0.0;
        }
        if action_vy > 0.0 {
            agent.vy = max_jump;
        } else if self.has_support {
            agent.vy = f32_of(f64::from(agent.vy) + 0.2 * f64::from(action_vy));
        }
        if !(self.has_support && action_vy > 0.0) {
            agent.vy = (agent.vy - GRAVITY).clamp(-max_jump, max_jump);
        }
    }

    fn is_blocked(&mut self, world: &mut World, source: usize, target: i32, _is_horizontal: bool) -> bool {
        is_blocked_in_all_games(world, target) || world.entities[source].kind == PLAYER && is_wall(target)
    }

    fn is_blocked_ents(&mut self, world: &mut World, source: usize, target: usize, is_horizontal: bool) -> bool {
        let (agent, crate_) = (world.agent(), &world.entities[target]);
        if crate_.kind != CRATE || is_horizontal {
            let kind = crate_.kind;
            return self.is_blocked(world, source, kind, is_horizontal);
        }
        let falls_on_it = agent.vy < 0.0 && world.action_vy >= 0.0;
        let was_above = self.last_agent_y >= crate_.y + crate_.ry + agent.ry;
        self.is_on_crate |= falls_on_it && was_above;
        falls_on_it && was_above
    }

    fn image_for_type(&self, world: &World, kind: i32) -> i32 {
        match kind {
            PLAYER if !self.has_support => PLAYER_RIGHT1,
            PLAYER if stands_still(world) => PLAYER,
            PLAYER => walking_image(world, [PLAYER_RIGHT1, PLAYER_RIGHT2]),
            ENEMY_BARRIER => -1,
            _ => kind.abs(),
        }
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        (world.max_jump, world.maxspeed) = (1.5, 0.5);
        (self.has_support, self.is_on_crate) = (false, false);
        if world.mode() == DistributionMode::Easy {
            (self.wall_theme, world.background_index) = (0, 0);
        } else {
            world.choose_random_theme(AGENT);
            self.wall_theme = world.rand_gen.randn(GROUND_THEMES.len() as i32);
        }
        let agent = world.agent_mut();
        (agent.rx, agent.ry) = (0.5, 0.5787);
        (agent.x, agent.y) = (1.0 + agent.rx, 1.0 + agent.ry);
        self.last_agent_y = agent.y;
        init_floor_and_walls(world, WALL_TOP, WALL_MID);
        generate_coin_to_the_right(world);
    }

    fn set_action_xy(&mut self, world: &mut World, move_action: i32) {
        world.action_vx = (move_action / 3 - 1) as f32;
        world.action_vy = (move_action % 3 - 1) as f32;
        let is_supported = has_support_below(world, |kind| is_wall(kind) || kind == world.out_of_bounds_object);
        self.has_support = (self.is_on_crate || is_supported) && world.agent().vy == 0.0;
        self.is_on_crate = false;
        if world.action_vy == 1.0 && !self.has_support {
            world.action_vy = 0.0;
        }
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        reflect_agent(world, false);
        let cur_time = world.cur_time;
        for index in (0..world.entities.len()).rev() {
            let entity = &mut world.entities[index];
            match entity.kind {
                ENEMY => {
                    entity.image_type = if cur_time / 5 % 2 == 0 { ENEMY1 } else { ENEMY2 };
                    entity.is_reflected = entity.vx > 0.0;
                    let Entity { x, y, ry, .. } = *entity;
                    add_trail(world, (x, y), ry);
                }
                SAW => entity.image_type = if cur_time % 2 == 0 { SAW } else { SAW2 },
                _ => {}
            }
        }
        self.last_agent_y = world.agent().y;
    }

    fn is_valid(&self, _world: &World) -> bool {
        (0..GROUND_THEMES.len() as i32).contains(&self.wall_theme)
    }
}
