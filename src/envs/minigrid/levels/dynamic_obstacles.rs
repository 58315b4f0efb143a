//! Dynamic-Obstacles: balls that move at random; an agent that runs into a ball ends the episode with reward -1.

use super::super::{
    level::{
        Level, LevelClass,
        Preset::{Int, None as Nowhere},
    },
    shared_options::{count, integer, position, size, start_options},
};
use envpool_rs_engine::{Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{
    Actions, Area, Cell, Color, GenResult, Kind, MaxTries, ObjectId, Outcome, Point, World, WorldBuilder, at,
};

/// Class of the Dynamic-Obstacles levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "dynamic_obstacles",
    mission_bytes: 96,
    options: || {
        let obstacles = count("n_obstacles", 4, 0, 200, "number of balls; more than size / 2 + 1 become size / 2");
        [vec![size(8, 4), obstacles], start_options().into()].concat()
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

const MAX_TRIES: MaxTries = MaxTries::Limit(100);

struct DynamicObstacles {
    size: i32,
    start: Option<Point>,
    direction: u8,
    obstacles: i32,
}

impl DynamicObstacles {
    fn new(options: &Options) -> Result<Self> {
        let size = integer(options, "size");
        let requested = integer(options, "n_obstacles");
        let obstacles = if 2 * requested <= size + 2 { requested } else { size / 2 };
        let start = position(options, "agent_start_pos", (size, size))?;
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

    fn num_actions(&self) -> i64 {
        3
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        builder.clear(self.size, self.size);
        builder.world.grid.wall_rect(builder.area());
        builder.set(at(self.size - 2, self.size - 2), Cell::GOAL);
        match self.start {
            Some(start) => builder.set_agent(start, self.direction),
            None => builder.place_agent_anywhere()?,
        }
        for _ in 0..self.obstacles {
            let ball = builder.new_object(Kind::Ball, Color::Blue)?;
            let pos = builder.find_free_pos(builder.area(), MAX_TRIES, |_, _| false)?;
            builder.world.put_obj(pos, ball);
        }
        builder.set_mission("get to the green goal square", 0);
        Ok(())
    }

    fn step(&self, world: &mut World, action: Actions, margin: i32, random: &mut Generator) -> Outcome {
        let ahead = world.grid.get(world.agent.front_pos());
        let was_blocked = !ahead.is_empty() && ahead != Cell::GOAL;
        for ball in 1..=world.num_objects() as ObjectId {
            let old_pos = world.object(ball).cur_pos;
            let mut builder = WorldBuilder::new(world, random, margin);
            // A ball that finds no free cell stays in place, but its search still draws random numbers.
            if let Ok(new_pos) = builder.find_free_pos(Area::new(old_pos - at(1, 1), 3, 3), MAX_TRIES, |_, _| false) {
                world.put_obj(new_pos, ball);
                world.grid.set(old_pos, Cell::EMPTY, 0);
            }
        }
        let outcome = world.step(action);
        if action == Actions::Forward && was_blocked { Outcome { reward: -1.0, terminated: true } } else { outcome }
    }
}
