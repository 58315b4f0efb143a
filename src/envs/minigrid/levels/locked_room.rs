//! Six rooms along a hallway, one of them locked, with the goal; its key lies in another.

use super::super::{
    arguments::{integer, size},
    level::{Class, Level},
};
use envpool_rs_sim_grid_world::{Area, Colour, Kind, Look, Made, Point, Site, Tries, at};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "locked_room",
    mission_bytes: 96,
    options: || vec![size(19, 10)],
    level: |options| Ok(Box::new(LockedRoom { size: integer(options, "size") })),
    tasks: &[("MiniGrid-LockedRoom-v0", &[])],
};

struct LockedRoom {
    size: i32,
}

/// A room and its door.
struct Room {
    /// Its cells without its walls.
    inside: Area,
    door: Point,
}

impl Level for LockedRoom {
    fn size(&self) -> (i32, i32) {
        (self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        10 * self.size as u32
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        let size = self.size;
        site.clear(size, size);
        site.world.grid.wall_around(site.area());
        let (left, right) = (size / 2 - 2, size / 2 + 2);
        let mut rooms = Vec::new();
        for wall in [left, right] {
            site.world.grid.column_of(at(wall, 0), size, Look::WALL);
        }
        for top in (0..3).map(|n| n * (size / 3)) {
            site.world.grid.row_of(at(0, top), left, Look::WALL);
            site.world.grid.row_of(at(right, top), size - right, Look::WALL);
            for (first, wall) in [(0, left), (right, right)] {
                let inside = Area::new(at(first + 1, top + 1), left - 1, size / 3 - 1);
                rooms.push(Room { inside, door: at(wall, top + 3) });
            }
        }
        let locked = site.integer(0, 6)? as usize;
        let goal = site.cell_of(rooms[locked].inside)?;
        site.set(goal, Look::GOAL);
        let mut left_over = Colour::SORTED.to_vec();
        let mut colours = Vec::new();
        for (index, room) in rooms.iter().enumerate() {
            let colour = site.one_of(&left_over)?;
            left_over.retain(|other| *other != colour);
            colours.push(colour);
            site.put(room.door, if index == locked { Kind::LockedDoor } else { Kind::ClosedDoor }, colour)?;
        }
        let key_room = loop {
            let room = site.integer(0, 6)? as usize;
            if room != locked {
                break room;
            }
        };
        let key = site.cell_of(rooms[key_room].inside)?;
        site.put(key, Kind::Key, colours[locked])?;
        site.place_agent(Area::new(at(left, 0), right - left, size), Tries::Endless)?;
        let (locked, of_key) = (colours[locked].name(), colours[key_room].name());
        let mission = format!("get the {locked} key from the {of_key} room, unlock the {locked} door and go to the goal");
        site.tell(mission, 0);
        Ok(())
    }
}
