//! Memory: a hallway that ends at two objects; the agent must go to the object that it saw at the start.

use super::super::{
    level::{
        Level, LevelClass,
        Preset::{Flag, Int},
    },
    shared_options::{flag, integer, size},
};
use envpool_rs_engine::{Error, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Actions, Cell, Color, GenResult, Kind, Outcome, Target, World, WorldBuilder, at};

/// Class of the Memory levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "memory",
    mission_bytes: 96,
    options: || vec![size(13, 7), flag("random_length", false, "whether the hallway's length is random")],
    level: |options| Ok(Box::new(Memory::new(options)?)),
    tasks: &[
        ("MiniGrid-MemoryS17Random-v0", &[("size", Int(17)), ("random_length", Flag(true))]),
        ("MiniGrid-MemoryS13Random-v0", &[("size", Int(13)), ("random_length", Flag(true))]),
        ("MiniGrid-MemoryS13-v0", &[("size", Int(13))]),
        ("MiniGrid-MemoryS11-v0", &[("size", Int(11))]),
        ("MiniGrid-MemoryS9-v0", &[("size", Int(9))]),
        ("MiniGrid-MemoryS7-v0", &[("size", Int(7))]),
    ],
};

struct Memory {
    size: i32,
    random_length: bool,
}

impl Memory {
    fn new(options: &Options) -> Result<Self> {
        let size = integer(options, "size");
        if size % 2 == 0 {
            return Err(Error::value("size", size, "an odd number"));
        }
        Ok(Self { size, random_length: options.bool("random_length") })
    }
}

impl Level for Memory {
    fn size(&self) -> (i32, i32) {
        (self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        5 * (self.size * self.size) as u32
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        let size = self.size;
        builder.clear(size, size);
        builder.world.grid.wall_rect(builder.area());
        let middle = size / 2;
        let end = if self.random_length { builder.rand_int(4, size - 2)? } else { size - 3 };
        for (wall, inner) in [(middle - 2, middle - 1), (middle + 2, middle + 1)] {
            builder.world.grid.horz_wall(at(1, wall), 4, Cell::WALL);
            builder.set(at(4, inner), Cell::WALL);
            builder.world.grid.horz_wall(at(5, inner), end - 5, Cell::WALL);
        }
        (0..size).filter(|y| *y != middle).for_each(|y| builder.set(at(end, y), Cell::WALL));
        builder.world.grid.vert_wall(at(end + 2, 0), size, Cell::WALL);
        let start = at(builder.rand_int(1, end + 1)?, middle);
        builder.set_agent(start, 0);
        let start_kind = builder.rand_elem(&[Kind::Key, Kind::Ball])?;
        builder.put_new(at(1, middle - 1), start_kind, Color::Green)?;
        let (above, below) = builder.rand_elem(&[(Kind::Ball, Kind::Key), (Kind::Key, Kind::Ball)])?;
        builder.put_new(at(end + 1, middle - 2), above, Color::Green)?;
        builder.put_new(at(end + 1, middle + 2), below, Color::Green)?;
        let (upper, lower) = (at(end + 1, middle - 1), at(end + 1, middle + 1));
        builder.world.target =
            if start_kind == above { Target::SuccessAndFailure(upper, lower) } else { Target::SuccessAndFailure(lower, upper) };
        builder.set_mission("go to the matching object at the end of the hallway", 0);
        Ok(())
    }

    fn step(&self, world: &mut World, action: Actions, _margin: i32, _random: &mut Generator) -> Outcome {
        // The action `pickup` is disabled: minigrid plays `toggle` instead.
        let outcome = world.step(if action == Actions::Pickup { Actions::Toggle } else { action });
        match world.target {
            Target::SuccessAndFailure(success, _) if world.agent.pos == success => world.success(),
            Target::SuccessAndFailure(_, failure) if world.agent.pos == failure => Outcome::FAILURE,
            _ => outcome,
        }
    }
}
