//! An empty room with a goal in the corner.

use super::super::{
    arguments::{cell, integer, size, start},
    level::{
        Class, Level,
        Preset::{Int, None as Nowhere},
    },
};
use envpool_rs_engine::{Options, Result};
use envpool_rs_sim_grid_world::{Look, Made, Point, Site, at};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "empty",
    mission_bytes: 96,
    options: || [vec![size(8, 3)], start().into()].concat(),
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
        let start = cell(options, "agent_start_pos", (size, size))?;
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

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        site.clear(self.size, self.size);
        site.world.grid.wall_around(site.area());
        site.set(at(self.size - 2, self.size - 2), Look::GOAL);
        match self.start {
            Some(start) => site.set_agent(start, self.direction),
            None => site.place_agent_anywhere()?,
        }
        site.tell("get to the green goal square", 0);
        Ok(())
    }
}
