//! LavaGap: a strip of lava or wall with one opening.

use super::super::{
    level::{Level, LevelClass, Preset::Int},
    shared_options::{integer, size},
};
use envpool_rs_engine::OptionSpec;
use envpool_rs_sim_grid_world::{Cell, GenResult, WorldBuilder, at};

/// Class of the LavaGap levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "lava_gap",
    mission_bytes: 96,
    options: || {
        let kind = OptionSpec::new("obstacle_type", "lava", "material of the strip").one_of(&["lava", "wall"]);
        vec![size(7, 5), kind.per_episode()]
    },
    level: |options| {
        let obstacle = if options.text("obstacle_type") == Some("wall") { Cell::WALL } else { Cell::LAVA };
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
    obstacle: Cell,
}

impl Level for LavaGap {
    fn size(&self) -> (i32, i32) {
        (self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        4 * (self.size * self.size) as u32
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        let size = self.size;
        builder.clear(size, size);
        builder.world.grid.wall_rect(builder.area());
        builder.set_agent(at(1, 1), 0);
        builder.set(at(size - 2, size - 2), Cell::GOAL);
        let column = builder.rand_int(2, size - 2)?;
        let gap = at(column, builder.rand_int(1, size - 1)?);
        builder.world.grid.vert_wall(at(column, 1), size - 2, self.obstacle);
        builder.set(gap, Cell::EMPTY);
        let mission = match self.obstacle {
            Cell::LAVA => "avoid the lava and get to the green goal square",
            _ => "find the opening and get to the green goal square",
        };
        builder.set_mission(mission, 0);
        Ok(())
    }
}
