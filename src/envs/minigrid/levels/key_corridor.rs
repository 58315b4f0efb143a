//! A corridor between rooms: an object behind a locked door on the right, the key in a room on the left.

use super::super::{
    arguments::{count, integer},
    level::{Class, Level, Preset::Int},
};
use super::unlock::step_until_carried;
use envpool_rs_engine::OptionSpec;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Act, Colour, Kind, Made, Outcome, Quest, Rooms, Shape, Site, World};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "key_corridor",
    mission_bytes: 96,
    options: || {
        vec![
            count("num_rows", 3, 1, 20, "rows of rooms"),
            count("room_size", 6, 3, 30, "cells on each side of a room, walls included"),
            OptionSpec::new("obj_type", "ball", "what is to be picked up").one_of(&["ball", "box", "key"]).each_episode(),
        ]
    },
    level: |options| {
        let shape = Shape { room: integer(options, "room_size"), columns: 3, rows: integer(options, "num_rows") };
        Ok(Box::new(KeyCorridor { shape, wanted: wanted(options.text("obj_type")) }))
    },
    tasks: &[
        ("MiniGrid-KeyCorridorS3R1-v0", &[("room_size", Int(3)), ("num_rows", Int(1))]),
        ("MiniGrid-KeyCorridorS3R2-v0", &[("room_size", Int(3)), ("num_rows", Int(2))]),
        ("MiniGrid-KeyCorridorS3R3-v0", &[("room_size", Int(3)), ("num_rows", Int(3))]),
        ("MiniGrid-KeyCorridorS4R3-v0", &[("room_size", Int(4)), ("num_rows", Int(3))]),
        ("MiniGrid-KeyCorridorS5R3-v0", &[("room_size", Int(5)), ("num_rows", Int(3))]),
        ("MiniGrid-KeyCorridorS6R3-v0", &[("room_size", Int(6)), ("num_rows", Int(3))]),
    ],
};

/// The kind of this name; a ball, unless it is another's.
pub fn wanted(name: Option<&str>) -> Kind {
    match name {
        Some("box") => Kind::Box,
        Some("key") => Kind::Key,
        _ => Kind::Ball,
    }
}

/// Builds the corridor and what is beside it; returns the object to be picked up.
///
/// # Errors
/// Those of placing.
pub fn corridor(rooms: &mut Rooms<'_, '_>, wanted: Kind) -> Made<u8> {
    let rows = rooms.shape().rows;
    for j in 1..rows {
        rooms.remove_wall((1, j), 3)?;
    }
    let locked = (2, rooms.site.integer(0, rows)?);
    let door = rooms.add_door(locked, 2, None, Some(true))?;
    let object = rooms.add_object(locked, Some(wanted), None)?;
    let colour = rooms.site.world.object(door).look.colour();
    let key_room = (0, rooms.site.integer(0, rows)?);
    rooms.add_object(key_room, Some(Kind::Key), Some(colour))?;
    rooms.place_agent((1, rows / 2))?;
    rooms.connect_all(&Colour::SORTED)?;
    Ok(object)
}

struct KeyCorridor {
    shape: Shape,
    wanted: Kind,
}

impl Level for KeyCorridor {
    fn size(&self) -> (i32, i32) {
        self.shape.size()
    }

    fn max_steps(&self) -> u32 {
        30 * (self.shape.room * self.shape.room) as u32
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        let object = corridor(&mut Rooms::new(site, self.shape)?, self.wanted)?;
        site.world.quest = Quest::Object(object);
        let words = site.world.object(object).look.words();
        site.tell(format!("pick up the {words}"), 0);
        Ok(())
    }

    fn step(&self, world: &mut World, act: Act, _margin: i32, _random: &mut Generator) -> Outcome {
        step_until_carried(world, act)
    }
}
