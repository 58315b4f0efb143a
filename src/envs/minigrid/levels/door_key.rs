//! A wall with a locked door between the agent and the goal, and the key on the agent's side.

use super::super::{
    arguments::{integer, size},
    level::{Class, Level, Preset::Int},
};
use envpool_rs_sim_grid_world::{Area, Colour, Kind, Look, Made, Site, Tries, at};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "doorkey",
    mission_bytes: 96,
    options: || vec![size(8, 5)],
    level: |options| Ok(Box::new(DoorKey { size: integer(options, "size") })),
    tasks: &[
        ("MiniGrid-DoorKey-5x5-v0", &[("size", Int(5))]),
        ("MiniGrid-DoorKey-6x6-v0", &[("size", Int(6))]),
        ("MiniGrid-DoorKey-8x8-v0", &[]),
        ("MiniGrid-DoorKey-16x16-v0", &[("size", Int(16))]),
    ],
};

struct DoorKey {
    size: i32,
}

impl Level for DoorKey {
    fn size(&self) -> (i32, i32) {
        (self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        10 * (self.size * self.size) as u32
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        let size = self.size;
        site.clear(size, size);
        site.world.grid.wall_around(site.area());
        site.set(at(size - 2, size - 2), Look::GOAL);
        let wall = site.integer(2, size - 2)?;
        site.world.grid.column_of(at(wall, 0), size, Look::WALL);
        let near_side = Area::new(at(0, 0), wall, size);
        site.place_agent(near_side, Tries::Endless)?;
        let door = at(wall, site.integer(1, size - 2)?);
        site.put(door, Kind::LockedDoor, Colour::Yellow)?;
        site.place(Kind::Key, Colour::Yellow, near_side)?;
        site.tell("use the key to open the door and then get to the goal", 0);
        Ok(())
    }
}
