//! A hallway that ends at two objects, of which one is like the one in the room where it begins.

use super::super::{
    arguments::{flag, integer, size},
    level::{
        Class, Level,
        Preset::{Flag, Int},
    },
};
use envpool_rs_engine::{Error, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Act, Colour, Kind, Look, Made, Outcome, Quest, Site, World, at};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "memory",
    mission_bytes: 96,
    options: || vec![size(13, 7), flag("random_length", false, "whether the hallway's length is drawn")],
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

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        let size = self.size;
        site.clear(size, size);
        site.world.grid.wall_around(site.area());
        let middle = size / 2;
        let end = if self.random_length { site.integer(4, size - 2)? } else { size - 3 };
        for (wall, inner) in [(middle - 2, middle - 1), (middle + 2, middle + 1)] {
            site.world.grid.row_of(at(1, wall), 4, Look::WALL);
            site.set(at(4, inner), Look::WALL);
            site.world.grid.row_of(at(5, inner), end - 5, Look::WALL);
        }
        (0..size).filter(|y| *y != middle).for_each(|y| site.set(at(end, y), Look::WALL));
        site.world.grid.column_of(at(end + 2, 0), size, Look::WALL);
        let start = at(site.integer(1, end + 1)?, middle);
        site.set_agent(start, 0);
        let shown = site.one_of(&[Kind::Key, Kind::Ball])?;
        site.put(at(1, middle - 1), shown, Colour::Green)?;
        let (above, below) = site.one_of(&[(Kind::Ball, Kind::Key), (Kind::Key, Kind::Ball)])?;
        site.put(at(end + 1, middle - 2), above, Colour::Green)?;
        site.put(at(end + 1, middle + 2), below, Colour::Green)?;
        let (upper, lower) = (at(end + 1, middle - 1), at(end + 1, middle + 1));
        site.world.quest = if shown == above { Quest::Places(upper, lower) } else { Quest::Places(lower, upper) };
        site.tell("go to the matching object at the end of the hallway", 0);
        Ok(())
    }

    fn step(&self, world: &mut World, act: Act, _margin: i32, _random: &mut Generator) -> Outcome {
        // Nothing can be picked up here.
        let outcome = world.act(if act == Act::PickUp { Act::Toggle } else { act });
        match world.quest {
            Quest::Places(right, _) if world.agent.place == right => world.success(),
            Quest::Places(_, wrong) if world.agent.place == wrong => Outcome::FAILURE,
            _ => outcome,
        }
    }
}
