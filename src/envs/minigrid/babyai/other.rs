//! Levels with errands of several kinds, and searches.

use super::super::{
    arguments::{count, integer},
    level::{Class, Preset::Int},
    levels::{corridor, wanted},
};
use super::{
    go_to::{NINE, like},
    lesson::{Lesson, room_size, shape_of},
};
use envpool_rs_engine::OptionSpec;
use envpool_rs_sim_grid_world::{Colour, Deed, Errand, Kind, Made, RoomAt, Rooms, Shape, Wanted};

/// Its classes.
pub static CLASSES: [Class; 4] = [
    Class {
        name: "babyai_action_obj_door",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(Lesson::new(Shape { room: 7, ..NINE }, (), object_or_door))),
        tasks: &[("BabyAI-ActionObjDoor-v0", &[])],
    },
    Class {
        name: "babyai_find_obj",
        mission_bytes: 512,
        options: || vec![room_size(5, 4)],
        level: |options| Ok(Box::new(Lesson::new(shape_of(options, 3, 3), (), find).steps(20))),
        tasks: &[
            ("BabyAI-FindObjS5-v0", &[]),
            ("BabyAI-FindObjS6-v0", &[("room_size", Int(6))]),
            ("BabyAI-FindObjS7-v0", &[("room_size", Int(7))]),
        ],
    },
    Class {
        name: "babyai_key_corridor",
        mission_bytes: 512,
        options: || {
            let kind = OptionSpec::new("obj_type", "ball", "what is to be picked up").one_of(&["ball", "box", "key"]);
            vec![room_size(6, 3), count("num_rows", 3, 1, 20, "rows of rooms"), kind.each_episode()]
        },
        level: |options| {
            let shape = shape_of(options, 3, integer(options, "num_rows"));
            Ok(Box::new(Lesson::new(shape, wanted(options.text("obj_type")), key_corridor).steps(30)))
        },
        tasks: &[
            ("BabyAI-KeyCorridor-v0", &[]),
            ("BabyAI-KeyCorridorS3R1-v0", &[("room_size", Int(3)), ("num_rows", Int(1))]),
            ("BabyAI-KeyCorridorS3R2-v0", &[("room_size", Int(3)), ("num_rows", Int(2))]),
            ("BabyAI-KeyCorridorS3R3-v0", &[("room_size", Int(3))]),
            ("BabyAI-KeyCorridorS4R3-v0", &[("room_size", Int(4))]),
            ("BabyAI-KeyCorridorS5R3-v0", &[("room_size", Int(5))]),
            ("BabyAI-KeyCorridorS6R3-v0", &[("room_size", Int(6))]),
        ],
    },
    Class {
        name: "babyai_one_room",
        mission_bytes: 512,
        options: || vec![room_size(8, 4)],
        level: |options| Ok(Box::new(Lesson::new(shape_of(options, 1, 1), (), one_room))),
        tasks: &[
            ("BabyAI-OneRoomS8-v0", &[]),
            ("BabyAI-OneRoomS12-v0", &[("room_size", Int(12))]),
            ("BabyAI-OneRoomS16-v0", &[("room_size", Int(16))]),
            ("BabyAI-OneRoomS20-v0", &[("room_size", Int(20))]),
        ],
    },
];

const MIDDLE: RoomAt = (1, 1);

fn object_or_door(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    let mut targets = rooms.add_distractors(Some(MIDDLE), 5, true)?;
    for _ in 0..4 {
        targets.push(rooms.add_any_door(MIDDLE, None, Some(false))?);
    }
    rooms.place_agent(MIDDLE)?;
    let target = rooms.site.one_of(&targets)?;
    let wanted = like(rooms, target);
    let is_door = wanted.kind.is_some_and(Kind::is_door);
    let deed = match (rooms.site.flag(), is_door) {
        (true, _) => Deed::GoTo(wanted),
        (false, true) => Deed::Open(wanted, false),
        (false, false) => Deed::PickUp(wanted, false),
    };
    Ok(deed.into())
}

fn find(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    let room = rooms.any_room()?;
    let target = rooms.add_object(room, None, None)?;
    rooms.place_agent(MIDDLE)?;
    rooms.connect_all(&Colour::SORTED)?;
    let kind = like(rooms, target).kind;
    Ok(Deed::PickUp(Wanted::new(kind, None), false).into())
}

fn key_corridor(rooms: &mut Rooms<'_, '_>, wanted: &Kind) -> Made<Errand> {
    corridor(rooms, *wanted)?;
    Ok(Deed::PickUp(Wanted::new(Some(*wanted), None), false).into())
}

fn one_room(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    rooms.add_object((0, 0), Some(Kind::Ball), None)?;
    rooms.place_agent_anywhere()?;
    Ok(Deed::PickUp(Wanted::new(Some(Kind::Ball), None), false).into())
}
