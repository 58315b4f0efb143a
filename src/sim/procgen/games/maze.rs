//! Maze: a mouse searches a maze for cheese.

use serde::{Deserialize, Serialize};

use super::prelude::*;
use crate::maze_gen::MazeGen;

const REWARD: f32 = 10.0;
const GOAL: i32 = 2;

/// Rules of the game Maze.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Maze;

impl Rules for Maze {
    const BACKGROUNDS: Backgrounds = Backgrounds::Topdown;

    fn new(world: &mut World) -> Self {
        world.timeout = 500;
        world.random_agent_start = false;
        world.has_useful_vel_info = false;
        world.out_of_bounds_object = WALL_OBJ;
        world.visibility = 8.0;
        Self
    }

    fn asset_for_type(kind: i32) -> Names {
        match kind {
            WALL_OBJ => names(&["kenney/Ground/Sand/sandCenter.png"]),
            GOAL => names(&["misc_assets/cheese.png"]),
            PLAYER => names(&["kenney/Enemies/mouse_move.png"]),
            _ => Names::new(),
        }
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        let dim = match world.mode() {
            DistributionMode::Easy => 15,
            DistributionMode::Memory => 31,
            _ => 25,
        };
        (world.main_width, world.main_height) = (dim, dim);
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        world.grid_step = true;
        world.center_agent = world.mode() == DistributionMode::Memory;
        let world_dim = world.main_width;
        let maze_dim = world.rand_gen.randn((world_dim - 1) / 2) * 2 + 3;
        let margin = (world_dim - maze_dim) / 2;
        let agent = world.agent_mut();
        (agent.rx, agent.ry) = (0.5, 0.5);
        (agent.x, agent.y) = (margin as f32 + 0.5, margin as f32 + 0.5);
        let mut maze = MazeGen::new(&mut world.rand_gen, maze_dim);
        maze.generate_maze();
        maze.place_objects(GOAL, 1);
        let grid = &mut world.grid;
        grid.cells.fill(WALL_OBJ);
        for x in 0..maze_dim {
            for y in 0..maze_dim {
                grid.set(margin + x, margin + y, maze.cell(x, y));
            }
        }
    }

    fn set_action_xy(&mut self, world: &mut World, move_action: i32) {
        set_action_along_one_axis(world, move_action);
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        reflect_agent(world, true);
        let (x, y) = (world.agent().x as i32, world.agent().y as i32);
        if world.get_obj(x, y) == GOAL {
            world.set_obj(x, y, SPACE);
            world.reward += REWARD;
            world.level_complete = true;
        }
        world.done = world.reward > 0.0;
    }
}
