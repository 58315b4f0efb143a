//! Empty: a room with a goal in the corner.

use super::super::{
    level::{
        Level, LevelClass,
        Preset::{Int, None as Nowhere},
    },
    shared_options::{integer, position, size, start_options},
};
use envpool_rs_engine::{Options, Result};
use envpool_rs_sim_grid_world::{Cell, GenResult, Point, WorldBuilder, at};

/// Class of the Empty levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "empty",
    mission_bytes: 96,
    options: || [vec![size(8, 3)], start_options().into()].concat(),
    level: |options| Ok(Box::new(Empty::new(options)?)),
    tasks: &[
        ("MiniGrid-Empty-5x5-v0", &[("size", Int(5))]),
        ("MiniGrid-Empty-Random-5x5-v0", &[("size", Int(5)), ("agent_start_pos", Nowhere)]),
        ("MiniGrid-Empty-6x6-v0", &[("size", Int(6))]),
        ("MiniGrid-Empty-Random-6x6-v0", &[("size", Int(6)), ("agent_start_pos", Nowhere)]),
        ("MiniGrid-Empty-8x8-v0", &[]),
        ("MiniGrid-Empty-16x16-v0", &[("size", Int(16))]),
    ],
};

struct Empty {
    size: i32,
    start: Option<Point>,
    direction: u8,
}

impl Empty {
    fn new(options: &Options) -> Result<Self> {
        let size = integer(options, "size");
        let start = position(options, "agent_start_pos", (size, size))?;
        Ok(Self { size, start, direction: integer(options, "agent_start_dir") as u8 })
    }
}

impl Level for Empty {
    fn size(&self) -> (i32, i32) {
        (self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        4 * (self.size * self.size) as u32
    }

    fn sees_through_walls(&self) -> bool {
        true
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        builder.clear(self.size, self.size);
        builder.world.grid.wall_rect(builder.area());
        builder.set(at(self.size - 2, self.size - 2), Cell::GOAL);
        match self.start {
            Some(start) => builder.set_agent(start, self.direction),
            None => builder.place_agent_anywhere()?,
        }
        builder.set_mission("get to the green goal square", 0);
        Ok(())
    }
}
