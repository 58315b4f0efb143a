//! Rooms in a row, each with a door to the next, winding through the world; the goal is in the last.

use super::super::{
    arguments::{count, count_as, integer, integer_as},
    level::{Class, Level, Preset::Int},
};
use envpool_rs_engine::{Error, Options, Result};
use envpool_rs_sim_grid_world::{Area, Colour, Kind, Look, Made, Point, Site, Tries, at};

const FEWEST: [&str; 2] = ["minNumRooms", "min_num_rooms"];
const MOST: [&str; 2] = ["maxNumRooms", "max_num_rooms"];
const LARGEST: [&str; 2] = ["maxRoomSize", "max_room_size"];

/// Its tasks.
pub static CLASS: Class = Class {
    name: "multi_room",
    mission_bytes: 96,
    options: || {
        let mut options = count_as(FEWEST, 6, 1, 20, "fewest rooms").to_vec();
        options.extend(count_as(MOST, 6, 1, 20, "most rooms"));
        options.extend(count_as(LARGEST, 10, 4, 50, "most cells on each side of a room, walls included"));
        options.extend([count("width", 25, 5, 200, "columns of the world"), count("height", 25, 5, 200, "rows of the world")]);
        options
    },
    level: |options| Ok(Box::new(MultiRoom::new(options)?)),
    tasks: &[
        ("MiniGrid-MultiRoom-N2-S4-v0", &[("minNumRooms", Int(2)), ("maxNumRooms", Int(2)), ("maxRoomSize", Int(4))]),
        // Six rooms, whatever its name says: the reference keeps the mistake, and has a second version without it.
        ("MiniGrid-MultiRoom-N4-S5-v0", &[("minNumRooms", Int(6)), ("maxNumRooms", Int(6)), ("maxRoomSize", Int(5))]),
        ("MiniGrid-MultiRoom-N4-S5-v1", &[("minNumRooms", Int(4)), ("maxNumRooms", Int(4)), ("maxRoomSize", Int(5))]),
        ("MiniGrid-MultiRoom-N6-v0", &[("minNumRooms", Int(6)), ("maxNumRooms", Int(6))]),
    ],
};

/// Smallest side of a room.
const LEAST: i32 = 4;
/// Exits that a room tries before it is the last one.
const EXITS: usize = 8;

struct MultiRoom {
    rooms: (i32, i32),
    most: i32,
    size: (i32, i32),
}

impl MultiRoom {
    fn new(options: &Options) -> Result<Self> {
        let rooms = (integer_as(options, FEWEST), integer_as(options, MOST));
        if rooms.0 > rooms.1 {
            return Err(Error::value("minNumRooms", rooms.0, format_args!("at most maxNumRooms, {}", rooms.1)));
        }
        let size = (integer(options, "width"), integer(options, "height"));
        Ok(Self { rooms, most: integer_as(options, LARGEST), size })
    }

    /// Adds a room behind a door in its wall `entry` (right, down, left, up), and rooms behind it, `left` in all. Returns whether it
    /// found room for itself.
    fn place_room(&self, site: &mut Site<'_>, rooms: &mut Vec<Room>, left: i32, entry: usize, door: Point) -> Made<bool> {
        let width = site.integer(LEAST, self.most + 1)?;
        let height = site.integer(LEAST, self.most + 1)?;
        let along = |site: &mut Site<'_>, place: i32, length: i32| site.integer(place - length + 2, place);
        let top = match entry {
            _ if rooms.is_empty() => door,
            0 => at(door.x - width + 1, along(site, door.y, height)?),
            1 => at(along(site, door.x, width)?, door.y - height + 1),
            2 => at(door.x, along(site, door.y, height)?),
            _ => at(along(site, door.x, width)?, door.y),
        };
        // The last row stays free, the last column need not.
        let fits = top.x >= 0 && top.y >= 0 && top.x + width <= self.size.0 && top.y + height < self.size.1;
        let area = Area::new(top, width, height);
        // The last room may be touched: the door is in a wall that both share.
        let before = rooms.len().saturating_sub(1);
        if !fits || rooms[..before].iter().any(|room| overlap(area, room.area)) {
            return Ok(false);
        }
        rooms.push(Room { area, door });
        if left == 1 {
            return Ok(true);
        }
        for _ in 0..EXITS {
            let walls: Vec<usize> = (0..4).filter(|wall| *wall != entry).collect();
            let wall = site.one_of(&walls)?;
            let exit = match wall {
                0 => at(top.x + width - 1, top.y + site.integer(1, height - 1)?),
                1 => at(top.x + site.integer(1, width - 1)?, top.y + height - 1),
                2 => at(top.x, top.y + site.integer(1, height - 1)?),
                _ => at(top.x + site.integer(1, width - 1)?, top.y),
            };
            if self.place_room(site, rooms, left - 1, (wall + 2) % 4, exit)? {
                break;
            }
        }
        Ok(true)
    }
}

/// A room, and the door that leads into it.
struct Room {
    area: Area,
    door: Point,
}

/// Whether a new room comes too close to another, in the reference's words: not the same from both sides.
fn overlap(new: Area, old: Area) -> bool {
    new.top.x + new.width >= old.top.x
        && old.top.x + old.width > new.top.x
        && new.top.y + new.height >= old.top.y
        && old.top.y + old.height > new.top.y
}

impl Level for MultiRoom {
    fn size(&self) -> (i32, i32) {
        self.size
    }

    fn max_steps(&self) -> u32 {
        20 * self.rooms.1 as u32
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        let (width, height) = self.size;
        let count = site.integer(self.rooms.0, self.rooms.1 + 1)?;
        let mut rooms: Vec<Room> = Vec::new();
        while (rooms.len() as i32) < count {
            site.try_again()?;
            let mut found = Vec::new();
            let first = at(site.integer(0, width - 2)?, site.integer(0, width - 2)?);
            self.place_room(site, &mut found, count, 2, first)?;
            if found.len() > rooms.len() {
                rooms = found;
            }
        }
        site.clear(width, height);
        let mut previous: Option<Colour> = None;
        for (index, room) in rooms.iter().enumerate() {
            site.world.grid.wall_around(room.area);
            if index > 0 {
                let others: Vec<_> = Colour::SORTED.into_iter().filter(|colour| Some(*colour) != previous).collect();
                let colour = site.one_of(&others)?;
                site.set(room.door, Look::new(Kind::ClosedDoor, colour));
                previous = Some(colour);
            }
        }
        site.place_agent(rooms[0].area, Tries::Endless)?;
        site.place_goal(rooms[rooms.len() - 1].area)?;
        site.tell("traverse the rooms to get to the goal", 0);
        Ok(())
    }
}
