//! KeyCorridor: an object in a locked room on the right of a corridor, the key in a room on the left.

use super::super::{
    level::{Level, LevelClass, Preset::Int},
    shared_options::{count, integer},
};
use super::unlock::step_pickup;
use envpool_rs_engine::OptionSpec;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Actions, Color, GenResult, Kind, Outcome, RoomGrid, RoomGridShape, Target, World, WorldBuilder};

/// Class of the KeyCorridor levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "key_corridor",
    mission_bytes: 96,
    options: || {
        vec![
            count("num_rows", 3, 1, 20, "rows of rooms"),
            count("room_size", 6, 3, 30, "cells on each side of a room, walls included"),
            OptionSpec::new("obj_type", "ball", "kind of the object to pick up").one_of(&["ball", "box", "key"]).per_episode(),
        ]
    },
    level: |options| {
        let shape =
            RoomGridShape { room_size: integer(options, "room_size"), num_cols: 3, num_rows: integer(options, "num_rows") };
        Ok(Box::new(KeyCorridor { shape, kind: obj_kind(options.text("obj_type")) }))
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

/// Returns the kind that the option `obj_type` names; a ball by default.
pub fn obj_kind(name: Option<&str>) -> Kind {
    match name {
        Some("box") => Kind::Box,
        Some("key") => Kind::Key,
        _ => Kind::Ball,
    }
}

/// Generates the corridor and its rooms; returns the object to pick up.
///
/// # Errors
/// Fails if an object cannot be placed.
pub fn gen_corridor(rooms: &mut RoomGrid<'_, '_>, kind: Kind) -> GenResult<u8> {
    let rows = rooms.shape().num_rows;
    for j in 1..rows {
        rooms.remove_wall((1, j), 3)?;
    }
    let locked = (2, rooms.builder.rand_int(0, rows)?);
    let door = rooms.add_door(locked, 2, None, Some(true))?;
    let object = rooms.add_object(locked, Some(kind), None)?;
    let color = rooms.builder.world.object(door).cell.color();
    let key_room = (0, rooms.builder.rand_int(0, rows)?);
    rooms.add_object(key_room, Some(Kind::Key), Some(color))?;
    rooms.place_agent((1, rows / 2))?;
    rooms.connect_all(&Color::SORTED)?;
    Ok(object)
}

struct KeyCorridor {
    shape: RoomGridShape,
    kind: Kind,
}

impl Level for KeyCorridor {
    fn size(&self) -> (i32, i32) {
        self.shape.size()
    }

    fn max_steps(&self) -> u32 {
        30 * (self.shape.room_size * self.shape.room_size) as u32
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        let object = gen_corridor(&mut RoomGrid::new(builder, self.shape)?, self.kind)?;
        builder.world.target = Target::Object(object);
        let description = builder.world.object(object).cell.description();
        builder.set_mission(format!("pick up the {description}"), 0);
        Ok(())
    }

    fn step(&self, world: &mut World, action: Actions, _margin: i32, _random: &mut Generator) -> Outcome {
        step_pickup(world, action)
    }
}
