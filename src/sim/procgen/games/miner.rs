//! Miner: an agent digs for diamonds under boulders.

use serde::{Deserialize, Serialize};

use super::prelude::*;

const COMPLETION_BONUS: f32 = 10.0;
const DIAMOND_REWARD: f32 = 1.0;

const BOULDER: i32 = 1;
const DIAMOND: i32 = 2;
const MOVING_BOULDER: i32 = 3;
const MOVING_DIAMOND: i32 = 4;
const ENEMY: i32 = 5;
const EXIT: i32 = 6;
const DIRT: i32 = 9;
const OOB_WALL: i32 = 10;

/// Rules of the game Miner, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Miner {
    diamonds_remaining: i32,
}

fn get_moving_type(kind: i32) -> i32 {
    match kind {
        DIAMOND => MOVING_DIAMOND,
        BOULDER => MOVING_BOULDER,
        _ => kind,
    }
}

fn get_stationary_type(kind: i32) -> i32 {
    match kind {
        MOVING_DIAMOND => DIAMOND,
        MOVING_BOULDER => BOULDER,
        _ => kind,
    }
}

fn is_moving(kind: i32) -> bool {
    matches!(kind, MOVING_BOULDER | MOVING_DIAMOND)
}

fn is_round(kind: i32) -> bool {
    matches!(kind, BOULDER | DIAMOND) || is_moving(kind)
}

fn is_free(world: &World, index: i32) -> bool {
    world.get_obj_index(index) == SPACE && world.agent_index() != index
}

/// Moves the boulder next to the agent by one cell if the agent pushes it.
fn handle_push(world: &mut World) {
    let (index, width, vx) = (world.agent_index(), world.main_width, world.action_vx);
    let column = index % width;
    let has_room = if vx == 1.0 { column < width - 2 } else { vx == -1.0 && column > 1 };
    let step = vx as i32;
    if has_room
        && world.agent().vx == 0.0
        && world.get_obj_index(index + step) == BOULDER
        && world.get_obj_index(index + 2 * step) == SPACE
    {
        world.set_obj_index(index + step, SPACE);
        world.set_obj_index(index + 2 * step, BOULDER);
        world.agent_mut().x += vx;
    }
}

/// Moves the boulder or diamond in a cell by one cell if it can fall or roll.
fn step_round_object(world: &mut World, index: i32, kind: i32, agent_index: i32) {
    let width = world.main_width;
    let (column, below) = (index % width, index - width);
    let kind_below = world.get_obj_index(below);
    let agent_is_below = agent_index == below;
    let rolls =
        |world: &World, step: i32| is_round(kind_below) && is_free(world, index + step) && is_free(world, index - width + step);
    if kind_below == SPACE && !agent_is_below {
        world.set_obj_index(index, SPACE);
        world.set_obj_index(below, get_moving_type(kind));
    } else if agent_is_below && is_moving(kind) {
        world.done = true;
    } else if column > 0 && rolls(world, -1) {
        world.set_obj_index(index, SPACE);
        world.set_obj_index(index - 1, get_stationary_type(kind));
    } else if column < width - 1 && rolls(world, 1) {
        world.set_obj_index(index, SPACE);
        world.set_obj_index(index + 1, get_stationary_type(kind));
    } else {
        world.set_obj_index(index, get_stationary_type(kind));
    }
}

impl Rules for Miner {
    const BACKGROUNDS: Backgrounds = Backgrounds::Platform;

    fn new(world: &mut World) -> Self {
        world.has_useful_vel_info = false;
        world.out_of_bounds_object = OOB_WALL;
        world.visibility = 8.0;
        Self { diamonds_remaining: 0 }
    }

    fn asset_for_type(kind: i32) -> Names {
        let file = match kind {
            PLAYER => "robot_greenDrive1",
            BOULDER => "elementStone007",
            DIAMOND => "gemBlue",
            EXIT => "window",
            DIRT => "dirt",
            OOB_WALL => "tile_bricksGrey",
            _ => return Names::new(),
        };
        names_of("misc_assets/{}.png", &[file])
    }

    fn is_blocked(&mut self, world: &mut World, source: usize, target: i32, _is_horizontal: bool) -> bool {
        is_blocked_in_all_games(world, target)
            || world.entities[source].kind == PLAYER && matches!(target, BOULDER | MOVING_BOULDER | OOB_WALL)
    }

    fn will_reflect(&self, world: &World, source: i32, target: i32) -> bool {
        source == ENEMY && (is_round(target) || target == world.out_of_bounds_object)
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        match world.entities[entity].kind {
            ENEMY => world.done = true,
            EXIT if self.diamonds_remaining == 0 => world.complete_level(COMPLETION_BONUS),
            _ => {}
        }
    }

    fn image_for_type(&self, _world: &World, kind: i32) -> i32 {
        get_stationary_type(kind).abs()
    }

    fn set_action_xy(&mut self, world: &mut World, move_action: i32) {
        set_action_along_one_axis(world, move_action);
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        let dim = match world.mode() {
            DistributionMode::Easy => 10,
            DistributionMode::Memory => 35,
            _ => 20,
        };
        (world.main_width, world.main_height) = (dim, dim);
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        (world.agent_mut().rx, world.agent_mut().ry) = (0.5, 0.5);
        world.center_agent = world.mode() == DistributionMode::Memory;
        world.grid_step = true;
        let size = world.grid_size();
        let share = |objects: f32| (objects / 400.0 * size as f32) as usize;
        let (diamonds, boulders) = (share(12.0), share(80.0));
        let cells = world.rand_gen.simple_choose(size as usize, diamonds + boulders + 1);
        let (agent_x, agent_y) = world.to_grid_xy(cells[0] as i32);
        (world.agent_mut().x, world.agent_mut().y) = (agent_x as f32 + 0.5, agent_y as f32 + 0.5);
        world.fill_grid(DIRT);
        for (number, cell) in cells[1..].iter().enumerate() {
            world.grid.cells[*cell] = if number < diamonds { DIAMOND } else { BOULDER };
        }
        let dirt_cells = world.grid.cells_with_type(DIRT);
        world.set_obj(agent_x, agent_y, SPACE);
        for x in agent_x - 1..=agent_x + 1 {
            for y in agent_y - 1..=agent_y + 1 {
                if world.get_obj(x, y) == BOULDER {
                    world.set_obj(x, y, DIRT);
                }
            }
        }
        let is_under_dirt = |cell: &i32| matches!(world.get_obj_index(cell + world.main_width), DIRT | OOB_WALL);
        let candidates: Vec<i32> = dirt_cells.into_iter().filter(is_under_dirt).collect();
        let exit = world.rand_gen.choose_one(&candidates);
        world.set_obj_index(exit, SPACE);
        world.spawn_entity_at_idx(exit, 0.5, EXIT).render_z = -1;
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        reflect_agent(world, false);
        handle_push(world);
        let (x, y) = (world.agent().x as i32, world.agent().y as i32);
        let kind = world.get_obj(x, y);
        if kind == DIAMOND {
            world.reward += DIAMOND_REWARD;
        }
        if matches!(kind, DIRT | DIAMOND) {
            world.set_obj(x, y, SPACE);
        }
        let agent = world.agent();
        let agent_index = ((f64::from(agent.y) - 0.5) * f64::from(world.main_width) + (f64::from(agent.x) - 0.5)) as i32;
        self.diamonds_remaining = 0;
        for index in 0..world.grid_size() {
            let kind = world.get_obj_index(index);
            self.diamonds_remaining += i32::from(get_stationary_type(kind) == DIAMOND);
            if is_round(kind) {
                step_round_object(world, index, kind, agent_index);
            }
        }
    }
}
