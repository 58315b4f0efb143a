//! BabyAI's PutNext levels (`putnext.py`): the agent must put an object next to another.

use super::super::{
    level::{
        LevelClass,
        Preset::{Flag, Int},
    },
    shared_options::{count, flag, integer},
};
use super::{
    go_to::obj_desc,
    room_grid_level::{RoomGridLevel, room_size, shape_with},
};
use envpool_rs_engine::OptionSpec;
use envpool_rs_sim_grid_world::{ActionInstr, AndInstr, GenResult, Instr, RoomGrid};

/// Classes of BabyAI's PutNext levels, with their options and tasks.
pub static CLASSES: [LevelClass; 3] = [
    LevelClass {
        name: "babyai_put_next_local",
        mission_bytes: 512,
        options: || vec![room_size(8, 4), count("num_objs", 8, 2, 18, "objects")],
        level: |options| Ok(Box::new(RoomGridLevel::new(shape_with(options, 1, 1), integer(options, "num_objs"), in_one_room))),
        tasks: &[
            ("BabyAI-PutNextLocal-v0", &[]),
            ("BabyAI-PutNextLocalS5N3-v0", &[("room_size", Int(5)), ("num_objs", Int(3))]),
            ("BabyAI-PutNextLocalS6N4-v0", &[("room_size", Int(6)), ("num_objs", Int(4))]),
        ],
    },
    LevelClass {
        name: "babyai_put_next",
        mission_bytes: 512,
        options: || {
            let carrying = flag("start_carrying", false, "whether the agent carries the object to move from the start");
            vec![room_size(7, 4), objects_per_room(4), carrying]
        },
        level: |options| {
            let choices = (integer(options, "objs_per_room"), options.bool("start_carrying"));
            Ok(Box::new(RoomGridLevel::new(shape_with(options, 2, 1), choices, across).with_max_steps_per_cell(8)))
        },
        tasks: &[
            ("BabyAI-PutNextS4N1-v0", &[("room_size", Int(4)), ("objs_per_room", Int(1))]),
            ("BabyAI-PutNextS5N2-v0", &[("room_size", Int(5)), ("objs_per_room", Int(2))]),
            ("BabyAI-PutNextS5N1-v0", &[("room_size", Int(5)), ("objs_per_room", Int(1))]),
            ("BabyAI-PutNextS6N3-v0", &[("room_size", Int(6)), ("objs_per_room", Int(3))]),
            ("BabyAI-PutNextS7N4-v0", &[]),
            (
                "BabyAI-PutNextS5N2Carrying-v0",
                &[("room_size", Int(5)), ("objs_per_room", Int(2)), ("start_carrying", Flag(true))],
            ),
            (
                "BabyAI-PutNextS6N3Carrying-v0",
                &[("room_size", Int(6)), ("objs_per_room", Int(3)), ("start_carrying", Flag(true))],
            ),
            ("BabyAI-PutNextS7N4Carrying-v0", &[("start_carrying", Flag(true))]),
        ],
    },
    LevelClass {
        name: "babyai_move_two_across",
        mission_bytes: 512,
        options: || vec![room_size(8, 4), objects_per_room(9)],
        level: |options| {
            let objects = integer(options, "objs_per_room");
            Ok(Box::new(RoomGridLevel::new(shape_with(options, 2, 1), objects, two_across).with_max_steps_per_cell(16)))
        },
        tasks: &[
            ("BabyAI-MoveTwoAcrossS5N2-v0", &[("room_size", Int(5)), ("objs_per_room", Int(2))]),
            ("BabyAI-MoveTwoAcrossS8N9-v0", &[]),
        ],
    },
];

fn objects_per_room(default: i64) -> OptionSpec {
    count("objs_per_room", default, 1, 9, "objects in each room")
}

fn in_one_room(rooms: &mut RoomGrid<'_, '_>, count: &i32) -> GenResult<Instr> {
    rooms.place_agent_anywhere()?;
    let objects = rooms.add_distractors(None, *count, true)?;
    rooms.check_objs_reachable()?;
    let chosen = rooms.builder.rand_subset(&objects, 2)?;
    Ok(ActionInstr::PutNext(obj_desc(rooms, chosen[0]), obj_desc(rooms, chosen[1])).into())
}

fn across(rooms: &mut RoomGrid<'_, '_>, (count, carrying): &(i32, bool)) -> GenResult<Instr> {
    rooms.place_agent((0, 0))?;
    let left = rooms.add_distractors(Some((0, 0)), *count, true)?;
    let right = rooms.add_distractors(Some((1, 0)), *count, true)?;
    rooms.remove_wall((0, 0), 0)?;
    let mut chosen = (rooms.builder.rand_elem(&left)?, rooms.builder.rand_elem(&right)?);
    if rooms.builder.rand_bool() {
        chosen = (chosen.1, chosen.0);
    }
    if *carrying {
        rooms.builder.world.carrying = chosen.0;
    }
    Ok(ActionInstr::PutNext(obj_desc(rooms, chosen.0), obj_desc(rooms, chosen.1)).into())
}

fn two_across(rooms: &mut RoomGrid<'_, '_>, count: &i32) -> GenResult<Instr> {
    rooms.place_agent((0, 0))?;
    let left = rooms.add_distractors(Some((0, 0)), *count, true)?;
    let right = rooms.add_distractors(Some((1, 0)), *count, true)?;
    rooms.remove_wall((0, 0), 0)?;
    let left = rooms.builder.rand_subset(&left, 2)?;
    let right = rooms.builder.rand_subset(&right, 2)?;
    let put = |moved, fixed| AndInstr::One(ActionInstr::PutNext(obj_desc(rooms, moved), obj_desc(rooms, fixed)));
    Ok(Instr::Before(put(left[0], right[0]), put(right[1], left[1])))
}
