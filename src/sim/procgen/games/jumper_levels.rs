//! Generates the levels of Jumper: caves along the passages of a maze, with spikes.

use super::prelude::*;
use crate::maze_gen::MazeGen;
use crate::room_gen;

pub(super) const GOAL: i32 = 1;
pub(super) const SPIKE: i32 = 2;
pub(super) const CAVEWALL: i32 = 6;
pub(super) const CAVEWALL_TOP: i32 = 7;

/// Width and height of a maze cell, in cells of the world.
const MAZE_SCALE: i32 = 3;

/// Returns whether an agent can stand in a cell: the cell and the cell above it are free, and the cell below supports the agent.
fn is_space_on_ground(world: &World, x: i32, y: i32) -> bool {
    let below = world.get_obj(x, y - 1);
    world.get_obj(x, y) == SPACE && world.get_obj(x, y + 1) == SPACE && (below == CAVEWALL || below == world.out_of_bounds_object)
}

/// Fills the world with a cave along the passages of a maze.
fn generate_cave(world: &mut World) {
    let width = world.main_width;
    let mut maze = MazeGen::new(&mut world.rand_gen, width / MAZE_SCALE);
    maze.generate_maze_no_dead_ends();
    let is_wall: Vec<bool> = (0..width * width)
        .map(|index| maze.cell((index % width) / MAZE_SCALE, (index / width) / MAZE_SCALE) == WALL_OBJ)
        .collect();
    for (index, is_wall) in (0..).zip(is_wall) {
        let probability: f32 = if is_wall { 0.8 } else { 0.2 };
        let kind = if world.rand_gen.rand01() < probability { WALL_OBJ } else { SPACE };
        world.set_obj_index(index, kind);
    }
    (0..2).for_each(|_| room_gen::update(world));
    for at in 0..width {
        for (x, y) in [(at, 0), (at, width - 1), (0, at), (width - 1, at)] {
            world.set_obj(x, y, CAVEWALL);
        }
    }
}

/// Fills the world with walls, except for the cells within four steps of the path from the cell `agent` to the cell `goal`.
fn prune(world: &mut World, agent: i32, goal: i32) {
    let mut wide_path = room_gen::find_path(world, agent, goal).into_iter().collect();
    room_gen::expand_room(world, &mut wide_path, 4);
    world.fill_grid(CAVEWALL);
    wide_path.into_iter().for_each(|cell| world.set_obj_index(cell, SPACE));
}

/// Places spikes on random cells of flat ground; `probability` is the probability per cell.
fn place_spikes(world: &mut World, probability: f32) {
    for index in 0..world.grid_size() {
        let (x, y) = world.to_grid_xy(index);
        let is_flat = [x, x - 1, x + 1].iter().all(|x| is_space_on_ground(world, *x, y));
        if is_flat && world.rand_gen.rand01() < probability {
            world.set_obj(x, y, SPIKE);
        }
    }
}

/// Removes a random cell from each wall that is three cells high, so that the agent can pass it.
fn open_high_walls(world: &mut World) {
    for index in 0..world.grid_size() {
        let (x, y) = world.to_grid_xy(index);
        for side in [1, -1] {
            let is_side_wall = |y: i32| world.get_obj(x, y) == CAVEWALL && world.get_obj(x + side, y) == SPACE;
            if (y..y + 3).all(is_side_wall) {
                let height = world.rand_gen.randn(3);
                world.set_obj(x, y + height, SPACE);
            }
        }
    }
}

/// Generates a level, and places the agent and the goal.
pub(super) fn generate_level(world: &mut World) {
    generate_cave(world);
    let room = room_gen::find_best_room(world);
    world.fill_grid(CAVEWALL);
    let free_cells: Vec<i32> = room.into_iter().collect();
    free_cells.iter().for_each(|cell| world.set_obj_index(*cell, SPACE));
    let goal = world.rand_gen.choose_one(&free_cells);
    let is_candidate = |index: &i32| {
        let (x, y) = world.to_grid_xy(*index);
        is_space_on_ground(world, x, y)
    };
    let candidates: Vec<i32> = (0..world.grid_size()).filter(is_candidate).collect();
    let agent = world.rand_gen.choose_one(&candidates);
    let is_memory = world.mode() == DistributionMode::Memory;
    if !is_memory {
        prune(world, agent, goal);
    }
    world.spawn_entity_at_idx(goal, 0.5, GOAL);
    place_spikes(world, if is_memory { 0.0 } else { 0.2 });
    open_high_walls(world);
    let (x, y) = world.to_grid_xy(agent);
    let agent = world.agent_mut();
    (agent.x, agent.y) = (x as f32 + 0.5, y as f32 + agent.ry);
    for cell in world.grid.cells_with_type(SPIKE) {
        world.set_obj_index(cell, SPACE);
        let (x, y) = world.to_grid_xy(cell);
        world.add_entity_rxy(x as f32 + 0.5, y as f32 + 0.4, 0.0, 0.0, 0.23, 0.4, SPIKE);
    }
    for index in 0..world.grid_size() {
        let (x, y) = world.to_grid_xy(index);
        if world.get_obj(x, y) == CAVEWALL && world.get_obj(x, y + 1) == SPACE {
            world.set_obj(x, y, CAVEWALL_TOP);
        }
    }
}
