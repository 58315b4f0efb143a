//! BabyAI's GoTo levels (`goto.py`): the agent must face an object.

use super::super::{
    level::{
        LevelClass,
        Preset::{Flag, Int},
    },
    shared_options::{flag, integer},
};
use super::room_grid_level::{RoomGridLevel, num_dists, room_grid_options, room_size, shape_from, shape_with};
use envpool_rs_engine::Options;
use envpool_rs_sim_grid_world::{
    ActionInstr, Cell, Color, GenError, GenResult, Instr, Kind, ObjDesc, ObjectId, RoomGrid, RoomGridShape, RoomIndex,
};

/// Classes of BabyAI's GoTo levels, with their options and tasks.
pub static CLASSES: [LevelClass; 10] = [
    LevelClass {
        name: "babyai_goto_red_ball_grey",
        mission_bytes: 512,
        options: || vec![room_size(8, 4), num_dists(7)],
        level: |options| Ok(Box::new(RoomGridLevel::new(shape_with(options, 1, 1), dists(options), red_ball_among_grey))),
        tasks: &[("BabyAI-GoToRedBallGrey-v0", &[])],
    },
    LevelClass {
        name: "babyai_goto_red_ball",
        mission_bytes: 512,
        options: || vec![room_size(8, 4), num_dists(7)],
        level: |options| Ok(Box::new(RoomGridLevel::new(shape_with(options, 1, 1), dists(options), red_ball))),
        tasks: &[("BabyAI-GoToRedBall-v0", &[])],
    },
    LevelClass {
        name: "babyai_goto_obj",
        mission_bytes: 512,
        options: || vec![room_size(8, 4)],
        level: |options| Ok(Box::new(RoomGridLevel::new(shape_with(options, 1, 1), (), object))),
        tasks: &[
            ("BabyAI-GoToObj-v0", &[]),
            ("BabyAI-GoToObjS4-v0", &[("room_size", Int(4))]),
            ("BabyAI-GoToObjS6-v1", &[("room_size", Int(6))]),
        ],
    },
    LevelClass {
        name: "babyai_goto_local",
        mission_bytes: 512,
        options: || vec![room_size(8, 4), num_dists(8)],
        level: |options| Ok(Box::new(RoomGridLevel::new(shape_with(options, 1, 1), dists(options), local))),
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
    LevelClass {
        name: "babyai_goto",
        mission_bytes: 512,
        options: || [room_grid_options(), vec![num_dists(18), flag("doors_open", false, "whether all doors are open")]].concat(),
        level: |options| {
            let choices = (integer(options, "num_dists"), options.bool("doors_open"));
            Ok(Box::new(RoomGridLevel::new(shape_from(options), choices, any_object)))
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
    LevelClass {
        name: "babyai_goto_imp_unlock",
        mission_bytes: 512,
        options: room_grid_options,
        level: |options| Ok(Box::new(RoomGridLevel::new(shape_from(options), (), implicit_unlock))),
        tasks: &[("BabyAI-GoToImpUnlock-v0", &[])],
    },
    LevelClass {
        name: "babyai_goto_red_blue_ball",
        mission_bytes: 512,
        options: || vec![room_size(8, 4), num_dists(7)],
        level: |options| Ok(Box::new(RoomGridLevel::new(shape_with(options, 1, 1), dists(options), red_or_blue_ball))),
        tasks: &[("BabyAI-GoToRedBlueBall-v0", &[])],
    },
    LevelClass {
        name: "babyai_goto_door",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(RoomGridLevel::new(RoomGridShape { room_size: 7, ..NINE_ROOMS }, (), door))),
        tasks: &[("BabyAI-GoToDoor-v0", &[])],
    },
    LevelClass {
        name: "babyai_goto_obj_door",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(RoomGridLevel::new(NINE_ROOMS, (), object_or_door))),
        tasks: &[("BabyAI-GoToObjDoor-v0", &[])],
    },
    LevelClass {
        name: "babyai_goto_red_ball_no_dists",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(RoomGridLevel::new(RoomGridShape { num_cols: 1, num_rows: 1, ..NINE_ROOMS }, 0, red_ball))),
        tasks: &[("BabyAI-GoToRedBallNoDists-v0", &[])],
    },
];

/// Shape of a grid of three by three rooms of BabyAI's default size, 8 by 8 cells.
pub const NINE_ROOMS: RoomGridShape = RoomGridShape { room_size: 8, num_cols: 3, num_rows: 3 };
const ONLY_ROOM: RoomIndex = (0, 0);
const MIDDLE: RoomIndex = (1, 1);

fn dists(options: &Options) -> i32 {
    integer(options, "num_dists")
}

/// Returns the description of the object `id` for missions: its kind and its colour.
pub fn obj_desc(rooms: &RoomGrid<'_, '_>, id: ObjectId) -> ObjDesc {
    let cell = rooms.builder.world.object(id).cell;
    ObjDesc::new(Some(cell.kind()), Some(cell.color()))
}

fn go_to(rooms: &RoomGrid<'_, '_>, id: ObjectId) -> GenResult<Instr> {
    Ok(ActionInstr::GoTo(obj_desc(rooms, id)).into())
}

fn red_ball_among_grey(rooms: &mut RoomGrid<'_, '_>, dists: &i32) -> GenResult<Instr> {
    rooms.place_agent_anywhere()?;
    let ball = rooms.add_object(ONLY_ROOM, Some(Kind::Ball), Some(Color::Red))?;
    for id in rooms.add_distractors(None, *dists, false)? {
        let object = rooms.builder.world.object(id);
        let grey = Cell::new(object.cell.kind(), Color::Grey);
        rooms.builder.world.object_mut(id).cell = grey;
        rooms.builder.world.grid.set_cell(object.cur_pos, grey);
    }
    rooms.check_objs_reachable()?;
    go_to(rooms, ball)
}

fn red_ball(rooms: &mut RoomGrid<'_, '_>, dists: &i32) -> GenResult<Instr> {
    rooms.place_agent_anywhere()?;
    let ball = rooms.add_object(ONLY_ROOM, Some(Kind::Ball), Some(Color::Red))?;
    rooms.add_distractors(None, *dists, false)?;
    rooms.check_objs_reachable()?;
    go_to(rooms, ball)
}

fn object(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    rooms.place_agent_anywhere()?;
    let objects = rooms.add_distractors(None, 1, true)?;
    go_to(rooms, objects[0])
}

fn local(rooms: &mut RoomGrid<'_, '_>, dists: &i32) -> GenResult<Instr> {
    rooms.place_agent_anywhere()?;
    let objects = rooms.add_distractors(None, *dists, false)?;
    rooms.check_objs_reachable()?;
    let target = rooms.builder.rand_elem(&objects)?;
    go_to(rooms, target)
}

fn any_object(rooms: &mut RoomGrid<'_, '_>, (dists, doors_open): &(i32, bool)) -> GenResult<Instr> {
    rooms.place_agent_anywhere()?;
    rooms.connect_all(&Color::SORTED)?;
    let objects = rooms.add_distractors(None, *dists, false)?;
    rooms.check_objs_reachable()?;
    let target = rooms.builder.rand_elem(&objects)?;
    if *doors_open {
        rooms.open_all_doors();
    }
    go_to(rooms, target)
}

/// Locks a random room and places its key in a random room; returns the locked room and its door.
///
/// The key may lie in the locked room itself, because minigrid compares the two rooms by identity (`is`) and so never finds
/// them equal.
///
/// # Errors
/// Fails if an object cannot be placed.
pub fn lock_rand_room(rooms: &mut RoomGrid<'_, '_>) -> GenResult<(RoomIndex, ObjectId)> {
    let locked = rooms.rand_room()?;
    let door = rooms.add_rand_door(locked, None, Some(true))?;
    let key_room = rooms.rand_room()?;
    let color = rooms.builder.world.object(door).cell.color();
    rooms.add_object(key_room, Some(Kind::Key), Some(color))?;
    Ok((locked, door))
}

/// Places `dists` distractors (objects that the mission does not need) in each room, and the agent in any room except the room
/// `locked`.
///
/// # Errors
/// Fails if an object cannot be placed.
pub fn fill_rooms(rooms: &mut RoomGrid<'_, '_>, locked: RoomIndex, dists: i32) -> GenResult<()> {
    // Distractors are also placed in the locked room, because minigrid's comparison of rooms by identity never excludes it.
    for room in rooms.rooms_by_column() {
        rooms.add_distractors(Some(room), dists, false)?;
    }
    loop {
        rooms.builder.count_attempt()?;
        rooms.place_agent_anywhere()?;
        if rooms.agent_room() != locked {
            break;
        }
    }
    rooms.check_objs_reachable()
}

fn implicit_unlock(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    let (locked, _) = lock_rand_room(rooms)?;
    rooms.connect_all(&Color::SORTED)?;
    fill_rooms(rooms, locked, 2)?;
    let target = rooms.add_distractors(Some(locked), 1, false)?[0];
    go_to(rooms, target)
}

fn red_or_blue_ball(rooms: &mut RoomGrid<'_, '_>, dists: &i32) -> GenResult<Instr> {
    rooms.place_agent_anywhere()?;
    let balls = [Color::Red, Color::Blue].map(|color| Cell::new(Kind::Ball, color));
    let objects = rooms.add_distractors(None, *dists, false)?;
    if objects.iter().any(|id| balls.contains(&rooms.builder.world.object(*id).cell)) {
        return Err(GenError::Rejected);
    }
    let color = rooms.builder.rand_elem(&[Color::Red, Color::Blue])?;
    let ball = rooms.add_object(ONLY_ROOM, Some(Kind::Ball), Some(color))?;
    rooms.check_objs_reachable()?;
    go_to(rooms, ball)
}

fn door(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    let mut doors = Vec::new();
    for _ in 0..4 {
        doors.push(rooms.add_rand_door(MIDDLE, None, None)?);
    }
    rooms.place_agent(MIDDLE)?;
    let target = rooms.builder.rand_elem(&doors)?;
    go_to(rooms, target)
}

fn object_or_door(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    rooms.place_agent(MIDDLE)?;
    let mut targets = rooms.add_distractors(Some(MIDDLE), 8, false)?;
    for _ in 0..4 {
        targets.push(rooms.add_rand_door(MIDDLE, None, None)?);
    }
    rooms.check_objs_reachable()?;
    let target = rooms.builder.rand_elem(&targets)?;
    go_to(rooms, target)
}
