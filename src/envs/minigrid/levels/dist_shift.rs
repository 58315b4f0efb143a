//! DistShift: two strips of lava; the second strip is in different rows in the training task and in the test task.

use super::super::{
    level::{Level, LevelClass, Preset::Int},
    shared_options::{count, integer, position, start_options},
};
use envpool_rs_engine::{Error, Options, Result};
use envpool_rs_sim_grid_world::{Cell, GenResult, Point, WorldBuilder, at};

/// Class of the DistShift levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "distshift",
    mission_bytes: 96,
    options: || {
        let sizes = [
            count("width", 9, 4, 200, "columns, walls included"),
            count("height", 7, 4, 200, "rows, walls included"),
            count("strip2_row", 2, 1, 198, "row of the second strip of lava"),
        ];
        [sizes.to_vec(), start_options().into()].concat()
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
        let start = position(options, "agent_start_pos", size)?;
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

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        let (width, height) = self.size;
        builder.clear(width, height);
        builder.world.grid.wall_rect(builder.area());
        builder.set(at(width - 2, 1), Cell::GOAL);
        for row in [1, self.second_strip] {
            builder.world.grid.horz_wall(at(3, row), width - 6, Cell::LAVA);
        }
        match self.start {
            Some(start) => builder.set_agent(start, self.direction),
            None => builder.place_agent_anywhere()?,
        }
        builder.set_mission("get to the green goal square", 0);
        Ok(())
    }
}
