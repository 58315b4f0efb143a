//! LockedRoom: six rooms along a hallway; one room is locked and holds the goal, and another room holds the key.

use super::super::{
    level::{Level, LevelClass},
    shared_options::{integer, size},
};
use envpool_rs_sim_grid_world::{Area, Cell, Color, GenResult, Kind, MaxTries, Point, WorldBuilder, at};

/// Class of the LockedRoom levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "locked_room",
    mission_bytes: 96,
    options: || vec![size(19, 10)],
    level: |options| Ok(Box::new(LockedRoom { size: integer(options, "size") })),
    tasks: &[("MiniGrid-LockedRoom-v0", &[])],
};

struct LockedRoom {
    size: i32,
}

/// A room: the area inside its walls, and the position of its door.
struct Room {
    /// Area of the room inside its walls.
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

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        let size = self.size;
        builder.clear(size, size);
        builder.world.grid.wall_rect(builder.area());
        let (left, right) = (size / 2 - 2, size / 2 + 2);
        let mut rooms = Vec::new();
        for wall in [left, right] {
            builder.world.grid.vert_wall(at(wall, 0), size, Cell::WALL);
        }
        for top in (0..3).map(|n| n * (size / 3)) {
            builder.world.grid.horz_wall(at(0, top), left, Cell::WALL);
            builder.world.grid.horz_wall(at(right, top), size - right, Cell::WALL);
            for (first, wall) in [(0, left), (right, right)] {
                let inside = Area::new(at(first + 1, top + 1), left - 1, size / 3 - 1);
                rooms.push(Room { inside, door: at(wall, top + 3) });
            }
        }
        let locked = builder.rand_int(0, 6)? as usize;
        let goal = builder.rand_pos(rooms[locked].inside)?;
        builder.set(goal, Cell::GOAL);
        let mut remaining = Color::SORTED.to_vec();
        let mut colors = Vec::new();
        for (index, room) in rooms.iter().enumerate() {
            let color = builder.rand_elem(&remaining)?;
            remaining.retain(|other| *other != color);
            colors.push(color);
            builder.put_new(room.door, if index == locked { Kind::LockedDoor } else { Kind::ClosedDoor }, color)?;
        }
        let key_room = loop {
            let room = builder.rand_int(0, 6)? as usize;
            if room != locked {
                break room;
            }
        };
        let key = builder.rand_pos(rooms[key_room].inside)?;
        builder.put_new(key, Kind::Key, colors[locked])?;
        builder.place_agent(Area::new(at(left, 0), right - left, size), MaxTries::Unlimited)?;
        let (locked, key_room_color) = (colors[locked].name(), colors[key_room].name());
        let mission = format!("get the {locked} key from the {key_room_color} room, unlock the {locked} door and go to the goal");
        builder.set_mission(mission, 0);
        Ok(())
    }
}
