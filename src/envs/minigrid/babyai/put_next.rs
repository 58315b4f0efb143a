//! Levels in which one thing is to be put next to another.

use super::super::{
    arguments::{count, flag, integer},
    level::{
        Class,
        Preset::{Flag, Int},
    },
};
use super::{
    go_to::like,
    lesson::{Lesson, room_size, shape_of},
};
use envpool_rs_engine::OptionSpec;
use envpool_rs_sim_grid_world::{Deed, Errand, Made, Part, Rooms};

/// Its classes.
pub static CLASSES: [Class; 3] = [
    Class {
        name: "babyai_put_next_local",
        mission_bytes: 512,
        options: || vec![room_size(8, 4), count("num_objs", 8, 2, 18, "objects")],
        level: |options| Ok(Box::new(Lesson::new(shape_of(options, 1, 1), integer(options, "num_objs"), in_one_room))),
        tasks: &[
            ("BabyAI-PutNextLocal-v0", &[]),
            ("BabyAI-PutNextLocalS5N3-v0", &[("room_size", Int(5)), ("num_objs", Int(3))]),
            ("BabyAI-PutNextLocalS6N4-v0", &[("room_size", Int(6)), ("num_objs", Int(4))]),
        ],
    },
    Class {
        name: "babyai_put_next",
        mission_bytes: 512,
        options: || {
            let carrying = flag("start_carrying", false, "whether the agent carries what is to be moved from the beginning");
            vec![room_size(7, 4), objects_per_room(4), carrying]
        },
        level: |options| {
            let choices = (integer(options, "objs_per_room"), options.bool("start_carrying"));
            Ok(Box::new(Lesson::new(shape_of(options, 2, 1), choices, across).steps(8)))
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
    Class {
        name: "babyai_move_two_across",
        mission_bytes: 512,
        options: || vec![room_size(8, 4), objects_per_room(9)],
        level: |options| {
            let objects = integer(options, "objs_per_room");
            Ok(Box::new(Lesson::new(shape_of(options, 2, 1), objects, two_across).steps(16)))
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

fn in_one_room(rooms: &mut Rooms<'_, '_>, count: &i32) -> Made<Errand> {
    rooms.place_agent_anywhere()?;
    let objects = rooms.add_distractors(None, *count, true)?;
    rooms.check_reach()?;
    let chosen = rooms.site.some_of(&objects, 2)?;
    Ok(Deed::PutNext(like(rooms, chosen[0]), like(rooms, chosen[1])).into())
}

fn across(rooms: &mut Rooms<'_, '_>, (count, carrying): &(i32, bool)) -> Made<Errand> {
    rooms.place_agent((0, 0))?;
    let left = rooms.add_distractors(Some((0, 0)), *count, true)?;
    let right = rooms.add_distractors(Some((1, 0)), *count, true)?;
    rooms.remove_wall((0, 0), 0)?;
    let mut chosen = (rooms.site.one_of(&left)?, rooms.site.one_of(&right)?);
    if rooms.site.flag() {
        chosen = (chosen.1, chosen.0);
    }
    if *carrying {
        rooms.site.world.carried = chosen.0;
    }
    Ok(Deed::PutNext(like(rooms, chosen.0), like(rooms, chosen.1)).into())
}

fn two_across(rooms: &mut Rooms<'_, '_>, count: &i32) -> Made<Errand> {
    rooms.place_agent((0, 0))?;
    let left = rooms.add_distractors(Some((0, 0)), *count, true)?;
    let right = rooms.add_distractors(Some((1, 0)), *count, true)?;
    rooms.remove_wall((0, 0), 0)?;
    let left = rooms.site.some_of(&left, 2)?;
    let right = rooms.site.some_of(&right, 2)?;
    let put = |moved, fixed| Part::One(Deed::PutNext(like(rooms, moved), like(rooms, fixed)));
    Ok(Errand::Before(put(left[0], right[0]), put(right[1], left[1])))
}
