//! Rivers of lava, or walls, across the way to the goal, with one gap each.

use super::super::{
    arguments::{count, integer, size},
    level::{
        Class, Level,
        Preset::{Int, Text},
    },
};
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_sim_grid_world::{Look, Made, Site, at};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "crossing",
    mission_bytes: 96,
    options: || {
        let kind = OptionSpec::new("obstacle_type", "lava", "what rivers are made of").one_of(&["lava", "wall"]);
        vec![size(9, 5), count("num_crossings", 1, 0, 200, "rivers"), kind.each_episode()]
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
    obstacle: Look,
}

impl Crossing {
    fn new(options: &Options) -> Result<Self> {
        let size = integer(options, "size");
        if size % 2 == 0 {
            return Err(Error::value("size", size, "an odd number"));
        }
        let obstacle = if options.text("obstacle_type") == Some("wall") { Look::WALL } else { Look::LAVA };
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

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        let size = self.size;
        site.clear(size, size);
        site.world.grid.wall_around(site.area());
        site.set_agent(at(1, 1), 0);
        site.set(at(size - 2, size - 2), Look::GOAL);
        // Whether it runs downwards, and where.
        let downwards = (2..size - 2).step_by(2).map(|x| (true, x));
        let across = (2..size - 2).step_by(2).map(|y| (false, y));
        let mut rivers: Vec<_> = downwards.chain(across).collect();
        site.shuffle(&mut rivers);
        rivers.truncate(self.rivers);
        let sorted = |way: bool| {
            let mut places: Vec<_> = rivers.iter().filter(|river| river.0 == way).map(|river| river.1).collect();
            places.sort_unstable();
            places
        };
        let (columns, rows) = (sorted(true), sorted(false));
        rows.iter().for_each(|y| site.world.grid.row_of(at(1, *y), size - 2, self.obstacle));
        columns.iter().for_each(|x| site.world.grid.column_of(at(*x, 1), size - 2, self.obstacle));
        // A way through: to the right across each river that runs downwards, down across each other.
        let mut path: Vec<_> = columns.iter().map(|_| true).chain(rows.iter().map(|_| false)).collect();
        site.shuffle(&mut path);
        let within = |places: Vec<i32>| [vec![0], places, vec![size - 1]].concat();
        let (columns, rows) = (within(columns), within(rows));
        let (mut i, mut j) = (0, 0);
        for to_the_right in path {
            let gap = if to_the_right {
                i += 1;
                at(columns[i], site.integer(rows[j] + 1, rows[j + 1])?)
            } else {
                j += 1;
                at(site.integer(columns[i] + 1, columns[i + 1])?, rows[j])
            };
            site.set(gap, Look::EMPTY);
        }
        let mission = match self.obstacle {
            Look::LAVA => "avoid the lava and get to the green goal square",
            _ => "find the opening and get to the green goal square",
        };
        site.tell(mission, 0);
        Ok(())
    }
}
