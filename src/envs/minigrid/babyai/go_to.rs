//! Levels in which something is to be gone to.

use super::super::{
    arguments::{flag, integer},
    level::{
        Class,
        Preset::{Flag, Int},
    },
};
use super::lesson::{Lesson, num_dists, room_size, rooms, shape, shape_of};
use envpool_rs_engine::Options;
use envpool_rs_sim_grid_world::{Colour, Deed, Errand, Id, Kind, Look, Made, RoomAt, Rooms, Shape, Unmade, Wanted};

/// Its classes.
pub static CLASSES: [Class; 10] = [
    Class {
        name: "babyai_goto_red_ball_grey",
        mission_bytes: 512,
        options: || vec![room_size(8, 4), num_dists(7)],
        level: |options| Ok(Box::new(Lesson::new(shape_of(options, 1, 1), dists(options), red_ball_among_grey))),
        tasks: &[("BabyAI-GoToRedBallGrey-v0", &[])],
    },
    Class {
        name: "babyai_goto_red_ball",
        mission_bytes: 512,
        options: || vec![room_size(8, 4), num_dists(7)],
        level: |options| Ok(Box::new(Lesson::new(shape_of(options, 1, 1), dists(options), red_ball))),
        tasks: &[("BabyAI-GoToRedBall-v0", &[])],
    },
    Class {
        name: "babyai_goto_obj",
        mission_bytes: 512,
        options: || vec![room_size(8, 4)],
        level: |options| Ok(Box::new(Lesson::new(shape_of(options, 1, 1), (), object))),
        tasks: &[
            ("BabyAI-GoToObj-v0", &[]),
            ("BabyAI-GoToObjS4-v0", &[("room_size", Int(4))]),
            ("BabyAI-GoToObjS6-v1", &[("room_size", Int(6))]),
        ],
    },
    Class {
        name: "babyai_goto_local",
        mission_bytes: 512,
        options: || vec![room_size(8, 4), num_dists(8)],
        level: |options| Ok(Box::new(Lesson::new(shape_of(options, 1, 1), dists(options), local))),
        tasks: &[
            ("BabyAI-GoToLocal-v0", &[]),
            ("BabyAI-GoToLocalS5N2-v0", &[("room_size", Int(5)), ("num_dists", Int(2))]),
            ("BabyAI-GoToLocalS6N2-v0", &[("room_size", Int(6)), ("num_dists", Int(2))]),
            ("BabyAI-GoToLocalS6N3-v0", &[("room_size", Int(6)), ("num_dists", Int(3))]),
            ("BabyAI-GoToLocalS6N4-v0", &[("room_size", Int(6)), ("num_dists", Int(4))]),
            ("BabyAI-GoToLocalS7N4-v0", &[("room_size", Int(7)), ("num_dists", Int(4))]),
            ("BabyAI-GoToLocalS7N5-v0", &[("room_size", Int(7)), ("num_dists", Int(5))]),
            ("BabyAI-GoToLocalS8N2-v0", &[("num_dists", Int(2))]),
            ("BabyAI-GoToLocalS8N3-v0", &[("num_dists", Int(3))]),
            ("BabyAI-GoToLocalS8N4-v0", &[("num_dists", Int(4))]),
            ("BabyAI-GoToLocalS8N5-v0", &[("num_dists", Int(5))]),
            ("BabyAI-GoToLocalS8N6-v0", &[("num_dists", Int(6))]),
            ("BabyAI-GoToLocalS8N7-v0", &[("num_dists", Int(7))]),
        ],
    },
    Class {
        name: "babyai_goto",
        mission_bytes: 512,
        options: || [rooms(), vec![num_dists(18), flag("doors_open", false, "whether all doors are open")]].concat(),
        level: |options| {
            let choices = (integer(options, "num_dists"), options.bool("doors_open"));
            Ok(Box::new(Lesson::new(shape(options), choices, anywhere)))
        },
        tasks: &[
            ("BabyAI-GoTo-v0", &[]),
            ("BabyAI-GoToOpen-v0", &[("doors_open", Flag(true))]),
            ("BabyAI-GoToObjMaze-v0", &[("num_dists", Int(1))]),
            ("BabyAI-GoToObjMazeOpen-v0", &[("num_dists", Int(1)), ("doors_open", Flag(true))]),
            (
                "BabyAI-GoToObjMazeS4R2-v0",
                &[("num_dists", Int(1)), ("room_size", Int(4)), ("num_rows", Int(2)), ("num_cols", Int(2))],
            ),
            ("BabyAI-GoToObjMazeS4-v0", &[("num_dists", Int(1)), ("room_size", Int(4))]),
            ("BabyAI-GoToObjMazeS5-v0", &[("num_dists", Int(1)), ("room_size", Int(5))]),
            ("BabyAI-GoToObjMazeS6-v0", &[("num_dists", Int(1)), ("room_size", Int(6))]),
            ("BabyAI-GoToObjMazeS7-v0", &[("num_dists", Int(1)), ("room_size", Int(7))]),
        ],
    },
    Class {
        name: "babyai_goto_imp_unlock",
        mission_bytes: 512,
        options: rooms,
        level: |options| Ok(Box::new(Lesson::new(shape(options), (), behind_a_lock))),
        tasks: &[("BabyAI-GoToImpUnlock-v0", &[])],
    },
    Class {
        name: "babyai_goto_red_blue_ball",
        mission_bytes: 512,
        options: || vec![room_size(8, 4), num_dists(7)],
        level: |options| Ok(Box::new(Lesson::new(shape_of(options, 1, 1), dists(options), red_or_blue_ball))),
        tasks: &[("BabyAI-GoToRedBlueBall-v0", &[])],
    },
    Class {
        name: "babyai_goto_door",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(Lesson::new(Shape { room: 7, ..NINE }, (), door))),
        tasks: &[("BabyAI-GoToDoor-v0", &[])],
    },
    Class {
        name: "babyai_goto_obj_door",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(Lesson::new(NINE, (), object_or_door))),
        tasks: &[("BabyAI-GoToObjDoor-v0", &[])],
    },
    Class {
        name: "babyai_goto_red_ball_no_dists",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(Lesson::new(Shape { columns: 1, rows: 1, ..NINE }, 0, red_ball))),
        tasks: &[("BabyAI-GoToRedBallNoDists-v0", &[])],
    },
];

/// Nine rooms of the usual size.
pub const NINE: Shape = Shape { room: 8, columns: 3, rows: 3 };
const ONLY: RoomAt = (0, 0);
const MIDDLE: RoomAt = (1, 1);

fn dists(options: &Options) -> i32 {
    integer(options, "num_dists")
}

/// What an object is like: its kind and its colour.
pub fn like(rooms: &Rooms<'_, '_>, id: Id) -> Wanted {
    let look = rooms.site.world.object(id).look;
    Wanted::new(Some(look.kind()), Some(look.colour()))
}

fn go_to(rooms: &Rooms<'_, '_>, id: Id) -> Made<Errand> {
    Ok(Deed::GoTo(like(rooms, id)).into())
}

fn red_ball_among_grey(rooms: &mut Rooms<'_, '_>, dists: &i32) -> Made<Errand> {
    rooms.place_agent_anywhere()?;
    let ball = rooms.add_object(ONLY, Some(Kind::Ball), Some(Colour::Red))?;
    for id in rooms.add_distractors(None, *dists, false)? {
        let object = rooms.site.world.object(id);
        let grey = Look::new(object.look.kind(), Colour::Grey);
        rooms.site.world.object_mut(id).look = grey;
        rooms.site.world.grid.set_look(object.place, grey);
    }
    rooms.check_reach()?;
    go_to(rooms, ball)
}

fn red_ball(rooms: &mut Rooms<'_, '_>, dists: &i32) -> Made<Errand> {
    rooms.place_agent_anywhere()?;
    let ball = rooms.add_object(ONLY, Some(Kind::Ball), Some(Colour::Red))?;
    rooms.add_distractors(None, *dists, false)?;
    rooms.check_reach()?;
    go_to(rooms, ball)
}

fn object(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    rooms.place_agent_anywhere()?;
    let objects = rooms.add_distractors(None, 1, true)?;
    go_to(rooms, objects[0])
}

fn local(rooms: &mut Rooms<'_, '_>, dists: &i32) -> Made<Errand> {
    rooms.place_agent_anywhere()?;
    let objects = rooms.add_distractors(None, *dists, false)?;
    rooms.check_reach()?;
    let target = rooms.site.one_of(&objects)?;
    go_to(rooms, target)
}

fn anywhere(rooms: &mut Rooms<'_, '_>, (dists, doors_open): &(i32, bool)) -> Made<Errand> {
    rooms.place_agent_anywhere()?;
    rooms.connect_all(&Colour::SORTED)?;
    let objects = rooms.add_distractors(None, *dists, false)?;
    rooms.check_reach()?;
    let target = rooms.site.one_of(&objects)?;
    if *doors_open {
        rooms.open_all_doors();
    }
    go_to(rooms, target)
}

/// Locks a room and puts its key into any, perhaps the locked one: the reference compares numbers by identity and never finds
/// that it is the same. Returns the room and its door.
///
/// # Errors
/// Those of placing.
pub fn lock_a_room(rooms: &mut Rooms<'_, '_>) -> Made<(RoomAt, Id)> {
    let locked = rooms.any_room()?;
    let door = rooms.add_any_door(locked, None, Some(true))?;
    let key_room = rooms.any_room()?;
    let colour = rooms.site.world.object(door).look.colour();
    rooms.add_object(key_room, Some(Kind::Key), Some(colour))?;
    Ok((locked, door))
}

/// So many objects into each room, and the agent into one that is not locked.
///
/// # Errors
/// Those of placing.
pub fn fill_around(rooms: &mut Rooms<'_, '_>, locked: RoomAt, dists: i32) -> Made<()> {
    // The locked room, too, by the same mistake.
    for room in rooms.all_by_column() {
        rooms.add_distractors(Some(room), dists, false)?;
    }
    loop {
        rooms.site.try_again()?;
        rooms.place_agent_anywhere()?;
        if rooms.agents_room() != locked {
            break;
        }
    }
    rooms.check_reach()
}

fn behind_a_lock(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    let (locked, _) = lock_a_room(rooms)?;
    rooms.connect_all(&Colour::SORTED)?;
    fill_around(rooms, locked, 2)?;
    let target = rooms.add_distractors(Some(locked), 1, false)?[0];
    go_to(rooms, target)
}

fn red_or_blue_ball(rooms: &mut Rooms<'_, '_>, dists: &i32) -> Made<Errand> {
    rooms.place_agent_anywhere()?;
    let balls = [Colour::Red, Colour::Blue].map(|colour| Look::new(Kind::Ball, colour));
    let objects = rooms.add_distractors(None, *dists, false)?;
    if objects.iter().any(|id| balls.contains(&rooms.site.world.object(*id).look)) {
        return Err(Unmade::Rejected);
    }
    let colour = rooms.site.one_of(&[Colour::Red, Colour::Blue])?;
    let ball = rooms.add_object(ONLY, Some(Kind::Ball), Some(colour))?;
    rooms.check_reach()?;
    go_to(rooms, ball)
}

fn door(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    let mut doors = Vec::new();
    for _ in 0..4 {
        doors.push(rooms.add_any_door(MIDDLE, None, None)?);
    }
    rooms.place_agent(MIDDLE)?;
    let target = rooms.site.one_of(&doors)?;
    go_to(rooms, target)
}

fn object_or_door(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    rooms.place_agent(MIDDLE)?;
    let mut targets = rooms.add_distractors(Some(MIDDLE), 8, false)?;
    for _ in 0..4 {
        targets.push(rooms.add_any_door(MIDDLE, None, None)?);
    }
    rooms.check_reach()?;
    let target = rooms.site.one_of(&targets)?;
    go_to(rooms, target)
}
