//! Nine rooms with doors and objects, and nothing that is asked of the agent.

use super::super::level::{Class, Level};
use envpool_rs_sim_grid_world::{Kind, Look, Made, Site, THINGS, at};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "playground",
    mission_bytes: 96,
    options: Vec::new,
    level: |_| Ok(Box::new(Playground)),
    tasks: &[("MiniGrid-Playground-v0", &[])],
};

const SIZE: i32 = 19;
const OBJECTS: usize = 12;

struct Playground;

impl Level for Playground {
    fn size(&self) -> (i32, i32) {
        (SIZE, SIZE)
    }

    fn max_steps(&self) -> u32 {
        100
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        site.clear(SIZE, SIZE);
        site.world.grid.wall_around(site.area());
        let room = SIZE / 3;
        for (i, j) in (0..3).flat_map(|j| (0..3).map(move |i| (i, j))) {
            let (left, top) = (i * room, j * room);
            let (right, bottom) = (left + room, top + room);
            if i < 2 {
                site.world.grid.column_of(at(right, top), room, Look::WALL);
                let door = at(right, site.integer(top + 1, bottom - 1)?);
                let colour = site.colour();
                site.put(door, Kind::ClosedDoor, colour)?;
            }
            if j < 2 {
                site.world.grid.row_of(at(left, bottom), room, Look::WALL);
                let door = at(site.integer(left + 1, right - 1)?, bottom);
                let colour = site.colour();
                site.put(door, Kind::ClosedDoor, colour)?;
            }
        }
        site.place_agent_anywhere()?;
        for _ in 0..OBJECTS {
            let kind = site.one_of(&THINGS)?;
            let colour = site.colour();
            site.place(kind, colour, site.area())?;
        }
        site.tell("", 0);
        Ok(())
    }
}
