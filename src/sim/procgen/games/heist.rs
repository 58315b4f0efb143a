//! Heist: an agent opens doors with keys on its way to a gem.

use serde::{Deserialize, Serialize};

use super::prelude::*;
use crate::maze_gen::MazeGen;

const COMPLETION_BONUS: f32 = 10.0;

const LOCKED_DOOR: i32 = 1;
const KEY: i32 = 2;
const EXIT: i32 = 9;
const KEY_ON_RING: i32 = 11;

const MIN_MAZE_DIM: i32 = 5;
const MAX_KEYS: i32 = 3;
/// Radius of keys, of the exit and of the agent, in cells.
const RADIUS: f32 = 0.375;

/// Rules of the game Heist, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Heist {
    has_keys: Vec<bool>,
}

impl Heist {
    fn has_key(&self, entity: &Entity) -> bool {
        self.has_keys.get(entity.image_theme as usize).is_some_and(|has_key| *has_key)
    }

    /// Places the object of a maze cell in the world: a key, a door, the exit or the agent. Cells of all other types except
    /// walls become spaces.
    fn place_object(world: &mut World, kind: i32, (x, y): (i32, i32)) {
        let (left, bottom) = (x as f32, y as f32);
        let (center_x, center_y) = (left + 0.5, bottom + 0.5);
        if kind != WALL_OBJ {
            world.set_obj(x, y, SPACE);
        }
        if kind >= KEY_OBJ {
            let key = world.spawn_entity(RADIUS, KEY, [left, bottom, 1.0, 1.0]);
            key.image_theme = kind - KEY_OBJ - 1;
            match_aspect_ratio_of_last(world);
        } else if kind >= DOOR_OBJ {
            let door = world.add_entity(center_x, center_y, 0.0, 0.0, 0.5, LOCKED_DOOR);
            door.image_theme = kind - DOOR_OBJ - 1;
        } else if kind == EXIT_OBJ {
            world.spawn_entity(RADIUS, EXIT, [left, bottom, 1.0, 1.0]);
            match_aspect_ratio_of_last(world);
        } else if kind == AGENT_OBJ {
            (world.agent_mut().x, world.agent_mut().y) = (center_x, center_y);
        }
    }

    /// Adds pictures of the keys at the upper right of the screen. Each picture is visible after the agent has collected the
    /// key.
    fn add_key_ring(world: &mut World, num_keys: i32) {
        const KEY_RADIUS: f32 = 0.03;
        for number in 0..num_keys {
            let x = 1.0 - f64::from(KEY_RADIUS) * (f64::from(2 * number) + 1.25);
            let y = f64::from(KEY_RADIUS) * 0.75;
            let key = world.add_entity(f32_of(x), f32_of(y), 0.0, 0.0, KEY_RADIUS, KEY_ON_RING);
            key.image_theme = number;
            key.image_type = KEY;
            key.rotation = PI / 2.0;
            key.render_z = 1;
            key.use_abs_coords = true;
            match_aspect_ratio_of_last(world);
        }
    }
}

fn match_aspect_ratio_of_last(world: &mut World) {
    let index = world.entities.len() - 1;
    world.match_aspect_ratio(index, Heist::should_preserve_type_themes(world.entities[index].image_type));
}

impl Rules for Heist {
    const BACKGROUNDS: Backgrounds = Backgrounds::Topdown;

    fn new(world: &mut World) -> Self {
        world.has_useful_vel_info = false;
        world.out_of_bounds_object = WALL_OBJ;
        world.visibility = 8.0;
        Self::default()
    }

    fn should_preserve_type_themes(kind: i32) -> bool {
        matches!(kind, KEY | LOCKED_DOOR)
    }

    fn asset_for_type(kind: i32) -> Names {
        match kind {
            WALL_OBJ => names(&["kenney/Ground/Dirt/dirtCenter.png"]),
            EXIT => names(&["misc_assets/gemYellow.png"]),
            PLAYER => names(&["misc_assets/spaceAstronauts_008.png"]),
            KEY => names_of("misc_assets/key{}.png", &["Blue", "Green", "Red"]),
            LOCKED_DOOR => names_of("misc_assets/lock_{}.png", &["blue", "green", "red"]),
            _ => Names::new(),
        }
    }

    fn is_blocked_ents(&mut self, world: &mut World, source: usize, target: usize, is_horizontal: bool) -> bool {
        let entity = &world.entities[target];
        match entity.kind {
            LOCKED_DOOR => !self.has_key(entity),
            kind => self.is_blocked(world, source, kind, is_horizontal),
        }
    }

    fn should_draw_entity(&self, entity: &Entity) -> bool {
        entity.kind != KEY_ON_RING || self.has_key(entity)
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        let has_key = self.has_key(&world.entities[entity]);
        let entity = &mut world.entities[entity];
        match entity.kind {
            EXIT => {
                world.done = true;
                world.reward = COMPLETION_BONUS;
                world.level_complete = true;
            }
            KEY => {
                entity.will_erase = true;
                self.has_keys[entity.image_theme as usize] = true;
            }
            LOCKED_DOOR if has_key => entity.will_erase = true,
            _ => {}
        }
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        let dim = match world.mode() {
            DistributionMode::Easy => 9,
            DistributionMode::Memory => 23,
            _ => 13,
        };
        world.maxspeed = 0.75;
        (world.main_width, world.main_height) = (dim, dim);
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        let is_memory = world.mode() == DistributionMode::Memory;
        let world_dim = world.main_width;
        let difficulty = world.rand_gen.randn((world_dim - MIN_MAZE_DIM) / 2 + 1);
        world.center_agent = is_memory;
        let num_keys = if is_memory { world.rand_gen.randn(4) } else { difficulty + world.rand_gen.randn(2) };
        let num_keys = num_keys.min(MAX_KEYS);
        self.has_keys = vec![false; num_keys as usize];
        let maze_dim = difficulty * 2 + MIN_MAZE_DIM;
        (world.agent_mut().rx, world.agent_mut().ry) = (RADIUS, RADIUS);
        let mut maze = MazeGen::new(&mut world.rand_gen, maze_dim);
        maze.generate_maze_with_doors(num_keys);
        let kinds: Vec<i32> =
            (0..maze_dim).flat_map(|x| (0..maze_dim).map(move |y| (x, y))).map(|(x, y)| maze.cell(x, y)).collect();
        (world.agent_mut().x, world.agent_mut().y) = (-1.0, -1.0);
        let (off_x, off_y) = (world.rand_gen.randn(world_dim - maze_dim + 1), world.rand_gen.randn(world_dim - maze_dim + 1));
        world.fill_grid(WALL_OBJ);
        for (number, kind) in (0..).zip(kinds) {
            Self::place_object(world, kind, (off_x + number / maze_dim, off_y + number % maze_dim));
        }
        Self::add_key_ring(world, num_keys);
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        let (vx, vy) = (world.action_vx, world.action_vy);
        world.agent_mut().face_direction(vx, vy, 0.0);
    }

    fn is_valid(&self, world: &World) -> bool {
        let keys = world.entities.iter().filter(|entity| entity.kind == KEY);
        keys.map(|key| key.image_theme).all(|theme| (0..self.has_keys.len() as i32).contains(&theme))
    }
}
