//! BabyAI's other levels (`other.py`): mixed missions, object search, key corridors.

use super::super::{
    level::{LevelClass, Preset::Int},
    levels::{gen_corridor, obj_kind},
    shared_options::{count, integer},
};
use super::{
    go_to::{NINE_ROOMS, obj_desc},
    room_grid_level::{RoomGridLevel, room_size, shape_with},
};
use envpool_rs_engine::OptionSpec;
use envpool_rs_sim_grid_world::{ActionInstr, Color, GenResult, Instr, Kind, ObjDesc, RoomGrid, RoomGridShape, RoomIndex};

/// Classes of BabyAI levels of `other.py`: mixed missions, object search and key corridors.
pub static CLASSES: [LevelClass; 4] = [
    LevelClass {
        name: "babyai_action_obj_door",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(RoomGridLevel::new(RoomGridShape { room_size: 7, ..NINE_ROOMS }, (), object_or_door))),
        tasks: &[("BabyAI-ActionObjDoor-v0", &[])],
    },
    LevelClass {
        name: "babyai_find_obj",
        mission_bytes: 512,
        options: || vec![room_size(5, 4)],
        level: |options| Ok(Box::new(RoomGridLevel::new(shape_with(options, 3, 3), (), find).with_max_steps_per_cell(20))),
        tasks: &[
            ("BabyAI-FindObjS5-v0", &[]),
            ("BabyAI-FindObjS6-v0", &[("room_size", Int(6))]),
            ("BabyAI-FindObjS7-v0", &[("room_size", Int(7))]),
        ],
    },
    LevelClass {
        name: "babyai_key_corridor",
        mission_bytes: 512,
        options: || {
            let kind = OptionSpec::new("obj_type", "ball", "kind of the object to pick up").one_of(&["ball", "box", "key"]);
            vec![room_size(6, 3), count("num_rows", 3, 1, 20, "rows of rooms"), kind.per_episode()]
        },
        level: |options| {
            let shape = shape_with(options, 3, integer(options, "num_rows"));
            Ok(Box::new(RoomGridLevel::new(shape, obj_kind(options.text("obj_type")), key_corridor).with_max_steps_per_cell(30)))
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
    LevelClass {
        name: "babyai_one_room",
        mission_bytes: 512,
        options: || vec![room_size(8, 4)],
        level: |options| Ok(Box::new(RoomGridLevel::new(shape_with(options, 1, 1), (), one_room))),
        tasks: &[
            ("BabyAI-OneRoomS8-v0", &[]),
            ("BabyAI-OneRoomS12-v0", &[("room_size", Int(12))]),
            ("BabyAI-OneRoomS16-v0", &[("room_size", Int(16))]),
            ("BabyAI-OneRoomS20-v0", &[("room_size", Int(20))]),
        ],
    },
];

const MIDDLE: RoomIndex = (1, 1);

fn object_or_door(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    let mut targets = rooms.add_distractors(Some(MIDDLE), 5, true)?;
    for _ in 0..4 {
        targets.push(rooms.add_rand_door(MIDDLE, None, Some(false))?);
    }
    rooms.place_agent(MIDDLE)?;
    let target = rooms.builder.rand_elem(&targets)?;
    let kind = obj_desc(rooms, target);
    let is_door = kind.kind.is_some_and(Kind::is_door);
    let action = match (rooms.builder.rand_bool(), is_door) {
        (true, _) => ActionInstr::GoTo(kind),
        (false, true) => ActionInstr::Open(kind, false),
        (false, false) => ActionInstr::Pickup(kind, false),
    };
    Ok(action.into())
}

fn find(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    let room = rooms.rand_room()?;
    let target = rooms.add_object(room, None, None)?;
    rooms.place_agent(MIDDLE)?;
    rooms.connect_all(&Color::SORTED)?;
    let kind = obj_desc(rooms, target).kind;
    Ok(ActionInstr::Pickup(ObjDesc::new(kind, None), false).into())
}

fn key_corridor(rooms: &mut RoomGrid<'_, '_>, kind: &Kind) -> GenResult<Instr> {
    gen_corridor(rooms, *kind)?;
    Ok(ActionInstr::Pickup(ObjDesc::new(Some(*kind), None), false).into())
}

fn one_room(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    rooms.add_object((0, 0), Some(Kind::Ball), None)?;
    rooms.place_agent_anywhere()?;
    Ok(ActionInstr::Pickup(ObjDesc::new(Some(Kind::Ball), None), false).into())
}
