//! Crossing: rivers of lava or walls between the agent and the goal; each river has one opening.

use super::super::{
    level::{
        Level, LevelClass,
        Preset::{Int, Text},
    },
    shared_options::{count, integer, size},
};
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_sim_grid_world::{Cell, GenResult, WorldBuilder, at};

/// Class of the Crossing levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "crossing",
    mission_bytes: 96,
    options: || {
        let kind = OptionSpec::new("obstacle_type", "lava", "material of the rivers").one_of(&["lava", "wall"]);
        vec![size(9, 5), count("num_crossings", 1, 0, 200, "rivers"), kind.per_episode()]
    },
    level: |options| Ok(Box::new(Crossing::new(options)?)),
    tasks: &[
        ("MiniGrid-LavaCrossingS9N1-v0", &[("num_crossings", Int(1))]),
        ("MiniGrid-LavaCrossingS9N2-v0", &[("num_crossings", Int(2))]),
        ("MiniGrid-LavaCrossingS9N3-v0", &[("num_crossings", Int(3))]),
        ("MiniGrid-LavaCrossingS11N5-v0", &[("size", Int(11)), ("num_crossings", Int(5))]),
        ("MiniGrid-SimpleCrossingS9N1-v0", &[("num_crossings", Int(1)), ("obstacle_type", Text("wall"))]),
        ("MiniGrid-SimpleCrossingS9N2-v0", &[("num_crossings", Int(2)), ("obstacle_type", Text("wall"))]),
        ("MiniGrid-SimpleCrossingS9N3-v0", &[("num_crossings", Int(3)), ("obstacle_type", Text("wall"))]),
        ("MiniGrid-SimpleCrossingS11N5-v0", &[("size", Int(11)), ("num_crossings", Int(5)), ("obstacle_type", Text("wall"))]),
    ],
};

struct Crossing {
    size: i32,
    rivers: usize,
    obstacle: Cell,
}

impl Crossing {
    fn new(options: &Options) -> Result<Self> {
        let size = integer(options, "size");
        if size % 2 == 0 {
            return Err(Error::value("size", size, "an odd number"));
        }
        let obstacle = if options.text("obstacle_type") == Some("wall") { Cell::WALL } else { Cell::LAVA };
        Ok(Self { size, rivers: options.int("num_crossings") as usize, obstacle })
    }
}

impl Level for Crossing {
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
        // A river is stored as a pair: whether the river is vertical, and its column or row.
        let column_rivers = (2..size - 2).step_by(2).map(|x| (true, x));
        let row_rivers = (2..size - 2).step_by(2).map(|y| (false, y));
        let mut rivers: Vec<_> = column_rivers.chain(row_rivers).collect();
        builder.shuffle(&mut rivers);
        rivers.truncate(self.rivers);
        let sorted = |is_column: bool| {
            let mut positions: Vec<_> = rivers.iter().filter(|river| river.0 == is_column).map(|river| river.1).collect();
            positions.sort_unstable();
            positions
        };
        let (columns, rows) = (sorted(true), sorted(false));
        rows.iter().for_each(|y| builder.world.grid.horz_wall(at(1, *y), size - 2, self.obstacle));
        columns.iter().for_each(|x| builder.world.grid.vert_wall(at(*x, 1), size - 2, self.obstacle));
        // Draws the order in which the agent's path crosses the rivers: to the right through each vertical river, and down
        // through each horizontal one.
        let mut path: Vec<_> = columns.iter().map(|_| true).chain(rows.iter().map(|_| false)).collect();
        builder.shuffle(&mut path);
        let with_edges = |positions: Vec<i32>| [vec![0], positions, vec![size - 1]].concat();
        let (columns, rows) = (with_edges(columns), with_edges(rows));
        let (mut i, mut j) = (0, 0);
        for crosses_column in path {
            let opening = if crosses_column {
                i += 1;
                at(columns[i], builder.rand_int(rows[j] + 1, rows[j + 1])?)
            } else {
                j += 1;
                at(builder.rand_int(columns[i] + 1, columns[i + 1])?, rows[j])
            };
            builder.set(opening, Cell::EMPTY);
        }
        let mission = match self.obstacle {
            Cell::LAVA => "avoid the lava and get to the green goal square",
            _ => "find the opening and get to the green goal square",
        };
        builder.set_mission(mission, 0);
        Ok(())
    }
}
