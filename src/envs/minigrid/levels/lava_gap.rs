//! A strip of lava, or a wall, with a gap.

use super::super::{
    arguments::{integer, size},
    level::{Class, Level, Preset::Int},
};
use envpool_rs_engine::OptionSpec;
use envpool_rs_sim_grid_world::{Look, Made, Site, at};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "lava_gap",
    mission_bytes: 96,
    options: || {
        let kind = OptionSpec::new("obstacle_type", "lava", "what the strip is made of").one_of(&["lava", "wall"]);
        vec![size(7, 5), kind.each_episode()]
    },
    level: |options| {
        let obstacle = if options.text("obstacle_type") == Some("wall") { Look::WALL } else { Look::LAVA };
        Ok(Box::new(LavaGap { size: integer(options, "size"), obstacle }))
    },
    tasks: &[
        ("MiniGrid-LavaGapS5-v0", &[("size", Int(5))]),
        ("MiniGrid-LavaGapS6-v0", &[("size", Int(6))]),
        ("MiniGrid-LavaGapS7-v0", &[("size", Int(7))]),
    ],
};

struct LavaGap {
    size: i32,
    obstacle: Look,
}

impl Level for LavaGap {
    fn size(&self) -> (i32, i32) {
        (self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        4 * (self.size * self.size) as u32
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        let size = self.size;
        site.clear(size, size);
        site.world.grid.wall_around(site.area());
        site.set_agent(at(1, 1), 0);
        site.set(at(size - 2, size - 2), Look::GOAL);
        let column = site.integer(2, size - 2)?;
        let gap = at(column, site.integer(1, size - 1)?);
        site.world.grid.column_of(at(column, 1), size - 2, self.obstacle);
        site.set(gap, Look::EMPTY);
        let mission = match self.obstacle {
            Look::LAVA => "avoid the lava and get to the green goal square",
            _ => "find the opening and get to the green goal square",
        };
        site.tell(mission, 0);
        Ok(())
    }
}
