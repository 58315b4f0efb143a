//! BabyAI's Unlock levels (`unlock.py`): doors are locked, keys lie in rooms or boxes.

use super::super::{
    level::{LevelClass, Preset::Flag},
    shared_options::flag,
};
use super::{
    go_to::{NINE_ROOMS, fill_rooms, lock_rand_room, obj_desc},
    open::DOOR,
    room_grid_level::{RoomGridLevel, room_grid_options, shape_from},
};
use envpool_rs_engine::OptionSpec;
use envpool_rs_sim_grid_world::{
    ActionInstr, Color, GenResult, Instr, Kind, ObjDesc, ObjectId, RoomGrid, RoomGridShape, RoomIndex, at,
};

/// Classes of BabyAI's Unlock levels, with their options and tasks.
pub static CLASSES: [LevelClass; 6] = [
    LevelClass {
        name: "babyai_unlock",
        mission_bytes: 512,
        options: room_grid_options,
        level: |options| Ok(Box::new(RoomGridLevel::new(shape_from(options), (), any_door))),
        tasks: &[("BabyAI-Unlock-v0", &[])],
    },
    LevelClass {
        name: "babyai_unlock_local",
        mission_bytes: 512,
        options: || vec![distractors()],
        level: |options| Ok(Box::new(RoomGridLevel::new(NINE_ROOMS, options.bool("distractors"), local))),
        tasks: &[("BabyAI-UnlockLocal-v0", &[]), ("BabyAI-UnlockLocalDist-v0", &[("distractors", Flag(true))])],
    },
    LevelClass {
        name: "babyai_key_in_box",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(RoomGridLevel::new(NINE_ROOMS, (), key_in_box))),
        tasks: &[("BabyAI-KeyInBox-v0", &[])],
    },
    LevelClass {
        name: "babyai_unlock_pickup",
        mission_bytes: 512,
        options: || vec![distractors()],
        level: |options| Ok(Box::new(RoomGridLevel::new(TWO_ROOMS, options.bool("distractors"), pick_up))),
        tasks: &[("BabyAI-UnlockPickup-v0", &[]), ("BabyAI-UnlockPickupDist-v0", &[("distractors", Flag(true))])],
    },
    LevelClass {
        name: "babyai_blocked_unlock_pickup",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(RoomGridLevel::new(TWO_ROOMS, (), blocked_pick_up).with_max_steps_per_cell(16))),
        tasks: &[("BabyAI-BlockedUnlockPickup-v0", &[])],
    },
    LevelClass {
        name: "babyai_unlock_to_unlock",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| {
            Ok(Box::new(
                RoomGridLevel::new(RoomGridShape { num_cols: 3, ..TWO_ROOMS }, (), to_unlock).with_max_steps_per_cell(30),
            ))
        },
        tasks: &[("BabyAI-UnlockToUnlock-v0", &[])],
    },
];

const TWO_ROOMS: RoomGridShape = RoomGridShape { room_size: 6, num_cols: 2, num_rows: 1 };
const MIDDLE: RoomIndex = (1, 1);

fn distractors() -> OptionSpec {
    flag("distractors", false, "whether there are distractor objects")
}

fn color_of(rooms: &RoomGrid<'_, '_>, id: ObjectId) -> Option<Color> {
    Some(rooms.builder.world.object(id).cell.color())
}

fn any_door(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    let (locked, door) = lock_rand_room(rooms)?;
    if rooms.builder.rand_bool() {
        let others = Color::SORTED.into_iter().filter(|color| Some(*color) != color_of(rooms, door));
        let others: Vec<_> = others.collect();
        rooms.connect_all(&others)?;
    } else {
        rooms.connect_all(&Color::SORTED)?;
    }
    fill_rooms(rooms, locked, 3)?;
    Ok(ActionInstr::Open(ObjDesc::new(DOOR, color_of(rooms, door)), false).into())
}

fn local(rooms: &mut RoomGrid<'_, '_>, distractors: &bool) -> GenResult<Instr> {
    let door = rooms.add_rand_door(MIDDLE, None, Some(true))?;
    rooms.add_object(MIDDLE, Some(Kind::Key), color_of(rooms, door))?;
    if *distractors {
        rooms.add_distractors(Some(MIDDLE), 3, true)?;
    }
    rooms.place_agent(MIDDLE)?;
    Ok(ActionInstr::Open(ObjDesc::new(DOOR, None), false).into())
}

fn key_in_box(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    let door = rooms.add_rand_door(MIDDLE, None, Some(true))?;
    let color = rooms.builder.world.object(door).cell.color();
    let key = rooms.builder.new_object(Kind::Key, color)?;
    let color = rooms.builder.rand_color();
    let box_with_key = rooms.builder.new_box(color, key)?;
    rooms.place_in_room(MIDDLE, box_with_key)?;
    rooms.place_agent(MIDDLE)?;
    Ok(ActionInstr::Open(ObjDesc::new(DOOR, None), false).into())
}

fn pick_up(rooms: &mut RoomGrid<'_, '_>, distractors: &bool) -> GenResult<Instr> {
    let target = rooms.add_object((1, 0), Some(Kind::Box), None)?;
    let door = rooms.add_door((0, 0), 0, None, Some(true))?;
    rooms.add_object((0, 0), Some(Kind::Key), color_of(rooms, door))?;
    if *distractors {
        rooms.add_distractors(None, 4, true)?;
    }
    rooms.place_agent((0, 0))?;
    Ok(ActionInstr::Pickup(obj_desc(rooms, target), false).into())
}

fn blocked_pick_up(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    rooms.add_object((1, 0), Some(Kind::Box), None)?;
    let door = rooms.add_door((0, 0), 0, None, Some(true))?;
    let color = rooms.builder.rand_color();
    let before = rooms.builder.world.object(door).cur_pos - at(1, 0);
    rooms.builder.put_new(before, Kind::Ball, color)?;
    rooms.add_object((0, 0), Some(Kind::Key), color_of(rooms, door))?;
    rooms.place_agent((0, 0))?;
    Ok(ActionInstr::Pickup(ObjDesc::new(Some(Kind::Box), None), false).into())
}

fn to_unlock(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    let colors = rooms.builder.rand_subset(&Color::SORTED, 2)?;
    rooms.add_door((0, 0), 0, Some(colors[0]), Some(true))?;
    rooms.add_object((2, 0), Some(Kind::Key), Some(colors[0]))?;
    rooms.add_door((1, 0), 0, Some(colors[1]), Some(true))?;
    rooms.add_object((1, 0), Some(Kind::Key), Some(colors[1]))?;
    rooms.add_object((0, 0), Some(Kind::Ball), None)?;
    rooms.place_agent((1, 0))?;
    Ok(ActionInstr::Pickup(ObjDesc::new(Some(Kind::Ball), None), false).into())
}
