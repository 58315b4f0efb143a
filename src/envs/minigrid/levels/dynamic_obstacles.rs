//! Balls that move about, which must not be run into.

use super::super::{
    arguments::{cell, count, integer, size, start},
    level::{
        Class, Level,
        Preset::{Int, None as Nowhere},
    },
};
use envpool_rs_engine::{Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Act, Area, Colour, Id, Kind, Look, Made, Outcome, Point, Site, Tries, World, at};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "dynamic_obstacles",
    mission_bytes: 96,
    options: || {
        let obstacles = count("n_obstacles", 4, 0, 200, "balls; more than size / 2 + 1 become size / 2");
        [vec![size(8, 4), obstacles], start().into()].concat()
    },
    level: |options| Ok(Box::new(DynamicObstacles::new(options)?)),
    tasks: &[
        ("MiniGrid-Dynamic-Obstacles-5x5-v0", &[("size", Int(5)), ("n_obstacles", Int(2))]),
        ("MiniGrid-Dynamic-Obstacles-Random-5x5-v0", &[("size", Int(5)), ("n_obstacles", Int(2)), ("agent_start_pos", Nowhere)]),
        ("MiniGrid-Dynamic-Obstacles-6x6-v0", &[("size", Int(6)), ("n_obstacles", Int(3))]),
        ("MiniGrid-Dynamic-Obstacles-Random-6x6-v0", &[("size", Int(6)), ("n_obstacles", Int(3)), ("agent_start_pos", Nowhere)]),
        ("MiniGrid-Dynamic-Obstacles-8x8-v0", &[]),
        ("MiniGrid-Dynamic-Obstacles-16x16-v0", &[("size", Int(16)), ("n_obstacles", Int(8))]),
    ],
};

const TRIES: Tries = Tries::Most(100);

struct DynamicObstacles {
    size: i32,
    start: Option<Point>,
    direction: u8,
    obstacles: i32,
}

impl DynamicObstacles {
    fn new(options: &Options) -> Result<Self> {
        let size = integer(options, "size");
        let asked = integer(options, "n_obstacles");
        let obstacles = if 2 * asked <= size + 2 { asked } else { size / 2 };
        let start = cell(options, "agent_start_pos", (size, size))?;
        Ok(Self { size, start, direction: integer(options, "agent_start_dir") as u8, obstacles })
    }
}

impl Level for DynamicObstacles {
    fn size(&self) -> (i32, i32) {
        (self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        4 * (self.size * self.size) as u32
    }

    fn sees_through_walls(&self) -> bool {
        true
    }

    fn actions(&self) -> i64 {
        3
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        site.clear(self.size, self.size);
        site.world.grid.wall_around(site.area());
        site.set(at(self.size - 2, self.size - 2), Look::GOAL);
        match self.start {
            Some(start) => site.set_agent(start, self.direction),
            None => site.place_agent_anywhere()?,
        }
        for _ in 0..self.obstacles {
            let ball = site.object(Kind::Ball, Colour::Blue)?;
            let cell = site.find(site.area(), TRIES, |_, _| false)?;
            site.world.put(cell, ball);
        }
        site.tell("get to the green goal square", 0);
        Ok(())
    }

    fn step(&self, world: &mut World, act: Act, margin: i32, random: &mut Generator) -> Outcome {
        let ahead = world.grid.look(world.agent.front());
        let was_blocked = !ahead.is_empty() && ahead != Look::GOAL;
        for ball in 1..=world.count() as Id {
            let old = world.object(ball).place;
            let mut site = Site::new(world, random, margin);
            // One that finds no place stays; what it drew is drawn.
            if let Ok(new) = site.find(Area::new(old - at(1, 1), 3, 3), TRIES, |_, _| false) {
                world.put(new, ball);
                world.grid.set(old, Look::EMPTY, 0);
            }
        }
        let outcome = world.act(act);
        if act == Act::Forward && was_blocked { Outcome { reward: -1.0, terminated: true } } else { outcome }
    }
}
