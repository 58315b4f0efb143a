//! Two strips of lava, of which the second lies elsewhere than where the agent was trained.

use super::super::{
    arguments::{cell, count, integer, start},
    level::{Class, Level, Preset::Int},
};
use envpool_rs_engine::{Error, Options, Result};
use envpool_rs_sim_grid_world::{Look, Made, Point, Site, at};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "distshift",
    mission_bytes: 96,
    options: || {
        let sizes = [
            count("width", 9, 4, 200, "columns, walls included"),
            count("height", 7, 4, 200, "rows, walls included"),
            count("strip2_row", 2, 1, 198, "row of the second strip of lava"),
        ];
        [sizes.to_vec(), start().into()].concat()
    },
    level: |options| Ok(Box::new(DistShift::new(options)?)),
    tasks: &[("MiniGrid-DistShift1-v0", &[("strip2_row", Int(2))]), ("MiniGrid-DistShift2-v0", &[("strip2_row", Int(5))])],
};

struct DistShift {
    size: (i32, i32),
    start: Option<Point>,
    direction: u8,
    second_strip: i32,
}

impl DistShift {
    fn new(options: &Options) -> Result<Self> {
        let size = (integer(options, "width"), integer(options, "height"));
        let second_strip = integer(options, "strip2_row");
        if second_strip > size.1 - 2 {
            return Err(Error::value("strip2_row", second_strip, format_args!("1 to {}, for this height", size.1 - 2)));
        }
        let start = cell(options, "agent_start_pos", size)?;
        Ok(Self { size, start, direction: integer(options, "agent_start_dir") as u8, second_strip })
    }
}

impl Level for DistShift {
    fn size(&self) -> (i32, i32) {
        self.size
    }

    fn max_steps(&self) -> u32 {
        4 * (self.size.0 * self.size.1) as u32
    }

    fn sees_through_walls(&self) -> bool {
        true
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        let (width, height) = self.size;
        site.clear(width, height);
        site.world.grid.wall_around(site.area());
        site.set(at(width - 2, 1), Look::GOAL);
        for row in [1, self.second_strip] {
            site.world.grid.row_of(at(3, row), width - 6, Look::LAVA);
        }
        match self.start {
            Some(start) => site.set_agent(start, self.direction),
            None => site.place_agent_anywhere()?,
        }
        site.tell("get to the green goal square", 0);
        Ok(())
    }
}
