//! MultiRoom: a chain of rooms connected by doors; the goal is in the last room.

use super::super::{
    level::{Level, LevelClass, Preset::Int},
    shared_options::{count, count_with_alias, integer, integer_with_alias},
};
use envpool_rs_engine::{Error, Options, Result};
use envpool_rs_sim_grid_world::{Area, Cell, Color, GenResult, Kind, MaxTries, Point, WorldBuilder, at};

const MIN_NUM_ROOMS: [&str; 2] = ["minNumRooms", "min_num_rooms"];
const MAX_NUM_ROOMS: [&str; 2] = ["maxNumRooms", "max_num_rooms"];
const MAX_ROOM_SIZE: [&str; 2] = ["maxRoomSize", "max_room_size"];

/// Class of the MultiRoom levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "multi_room",
    mission_bytes: 96,
    options: || {
        let mut options = count_with_alias(MIN_NUM_ROOMS, 6, 1, 20, "minimum number of rooms").to_vec();
        options.extend(count_with_alias(MAX_NUM_ROOMS, 6, 1, 20, "maximum number of rooms"));
        options.extend(count_with_alias(MAX_ROOM_SIZE, 10, 4, 50, "longest side of a room in cells, walls included"));
        options.extend([count("width", 25, 5, 200, "columns of the world"), count("height", 25, 5, 200, "rows of the world")]);
        options
    },
    level: |options| Ok(Box::new(MultiRoom::new(options)?)),
    tasks: &[
        ("MiniGrid-MultiRoom-N2-S4-v0", &[("minNumRooms", Int(2)), ("maxNumRooms", Int(2)), ("maxRoomSize", Int(4))]),
        // The task `N4` in `v0` has six rooms in spite of its name: a mistake of minigrid, which it corrects in `v1`.
        ("MiniGrid-MultiRoom-N4-S5-v0", &[("minNumRooms", Int(6)), ("maxNumRooms", Int(6)), ("maxRoomSize", Int(5))]),
        ("MiniGrid-MultiRoom-N4-S5-v1", &[("minNumRooms", Int(4)), ("maxNumRooms", Int(4)), ("maxRoomSize", Int(5))]),
        ("MiniGrid-MultiRoom-N6-v0", &[("minNumRooms", Int(6)), ("maxNumRooms", Int(6))]),
    ],
};

/// Minimum width and height of a room, in cells.
const MIN_ROOM_SIZE: i32 = 4;
/// Number of exits that are tried from a room before the chain of rooms ends there.
const EXIT_TRIES: usize = 8;

struct MultiRoom {
    num_rooms: (i32, i32),
    max_room_size: i32,
    size: (i32, i32),
}

impl MultiRoom {
    fn new(options: &Options) -> Result<Self> {
        let num_rooms = (integer_with_alias(options, MIN_NUM_ROOMS), integer_with_alias(options, MAX_NUM_ROOMS));
        if num_rooms.0 > num_rooms.1 {
            return Err(Error::value("minNumRooms", num_rooms.0, format_args!("at most maxNumRooms, {}", num_rooms.1)));
        }
        let size = (integer(options, "width"), integer(options, "height"));
        Ok(Self { num_rooms, max_room_size: integer_with_alias(options, MAX_ROOM_SIZE), size })
    }

    /// Adds up to `remaining` rooms to the chain: one room behind the given door, and then further rooms behind this room.
    ///
    /// The door is in the first room's wall `entry`: right, down, left or up. Returns whether the first room fits into the
    /// world.
    fn place_room(
        &self,
        builder: &mut WorldBuilder<'_>,
        rooms: &mut Vec<Room>,
        remaining: i32,
        entry: usize,
        door: Point,
    ) -> GenResult<bool> {
        let width = builder.rand_int(MIN_ROOM_SIZE, self.max_room_size + 1)?;
        let height = builder.rand_int(MIN_ROOM_SIZE, self.max_room_size + 1)?;
        let rand_start = |builder: &mut WorldBuilder<'_>, pos: i32, length: i32| builder.rand_int(pos - length + 2, pos);
        let top = match entry {
            _ if rooms.is_empty() => door,
            0 => at(door.x - width + 1, rand_start(builder, door.y, height)?),
            1 => at(rand_start(builder, door.x, width)?, door.y - height + 1),
            2 => at(door.x, rand_start(builder, door.y, height)?),
            _ => at(rand_start(builder, door.x, width)?, door.y),
        };
        // A room must lie inside the world. As in minigrid, it may reach the last column of the world but not the last row.
        let fits = top.x >= 0 && top.y >= 0 && top.x + width <= self.size.0 && top.y + height < self.size.1;
        let area = Area::new(top, width, height);
        // The overlap test excludes the previous room, because the new room shares the wall with the door with it.
        let num_others = rooms.len().saturating_sub(1);
        if !fits || rooms[..num_others].iter().any(|room| overlap(area, room.area)) {
            return Ok(false);
        }
        rooms.push(Room { area, door });
        if remaining == 1 {
            return Ok(true);
        }
        for _ in 0..EXIT_TRIES {
            let walls: Vec<usize> = (0..4).filter(|wall| *wall != entry).collect();
            let wall = builder.rand_elem(&walls)?;
            let exit = match wall {
                0 => at(top.x + width - 1, top.y + builder.rand_int(1, height - 1)?),
                1 => at(top.x + builder.rand_int(1, width - 1)?, top.y + height - 1),
                2 => at(top.x, top.y + builder.rand_int(1, height - 1)?),
                _ => at(top.x + builder.rand_int(1, width - 1)?, top.y),
            };
            if self.place_room(builder, rooms, remaining - 1, (wall + 2) % 4, exit)? {
                break;
            }
        }
        Ok(true)
    }
}

/// A room, and the position of the door that leads into it.
struct Room {
    area: Area,
    door: Point,
}

/// Returns whether the area of a new room overlaps or touches that of an existing room. The test is not symmetric, as in
/// minigrid.
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
        20 * self.num_rooms.1 as u32
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        let (width, height) = self.size;
        let count = builder.rand_int(self.num_rooms.0, self.num_rooms.1 + 1)?;
        let mut rooms: Vec<Room> = Vec::new();
        while (rooms.len() as i32) < count {
            builder.count_attempt()?;
            let mut candidate = Vec::new();
            let first = at(builder.rand_int(0, width - 2)?, builder.rand_int(0, width - 2)?);
            self.place_room(builder, &mut candidate, count, 2, first)?;
            if candidate.len() > rooms.len() {
                rooms = candidate;
            }
        }
        builder.clear(width, height);
        let mut previous: Option<Color> = None;
        for (index, room) in rooms.iter().enumerate() {
            builder.world.grid.wall_rect(room.area);
            if index > 0 {
                let others: Vec<_> = Color::SORTED.into_iter().filter(|color| Some(*color) != previous).collect();
                let color = builder.rand_elem(&others)?;
                builder.set(room.door, Cell::new(Kind::ClosedDoor, color));
                previous = Some(color);
            }
        }
        builder.place_agent(rooms[0].area, MaxTries::Unlimited)?;
        builder.place_goal(rooms[rooms.len() - 1].area)?;
        builder.set_mission("traverse the rooms to get to the goal", 0);
        Ok(())
    }
}
