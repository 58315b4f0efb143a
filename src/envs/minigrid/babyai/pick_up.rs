//! BabyAI's Pickup levels (`pickup.py`): the agent must pick up an object.

use super::super::{
    level::{LevelClass, Preset::Flag},
    shared_options::flag,
};
use super::{
    go_to::{NINE_ROOMS, obj_desc},
    room_grid_level::{RoomGridLevel, room_grid_options, shape_from},
};
use envpool_rs_sim_grid_world::{ActionInstr, Color, GenError, GenResult, Instr, ObjDesc, RoomGrid, RoomGridShape};

/// Classes of BabyAI's Pickup levels, with their options and tasks.
pub static CLASSES: [LevelClass; 4] = [
    LevelClass {
        name: "babyai_pickup",
        mission_bytes: 512,
        options: room_grid_options,
        level: |options| Ok(Box::new(RoomGridLevel::new(shape_from(options), (), any))),
        tasks: &[("BabyAI-Pickup-v0", &[])],
    },
    LevelClass {
        name: "babyai_unblock_pickup",
        mission_bytes: 512,
        options: room_grid_options,
        level: |options| Ok(Box::new(RoomGridLevel::new(shape_from(options), (), unblocking))),
        tasks: &[("BabyAI-UnblockPickup-v0", &[])],
    },
    LevelClass {
        name: "babyai_pickup_dist",
        mission_bytes: 512,
        options: || vec![flag("debug", false, "whether picking up anything else ends the episode")],
        level: |options| {
            let shape = RoomGridShape { room_size: 7, num_cols: 1, num_rows: 1 };
            Ok(Box::new(RoomGridLevel::new(shape, options.bool("debug"), among_others)))
        },
        tasks: &[("BabyAI-PickupDist-v0", &[]), ("BabyAI-PickupDistDebug-v0", &[("debug", Flag(true))])],
    },
    LevelClass {
        name: "babyai_pickup_above",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| {
            Ok(Box::new(RoomGridLevel::new(RoomGridShape { room_size: 6, ..NINE_ROOMS }, (), above).with_max_steps_per_cell(8)))
        },
        tasks: &[("BabyAI-PickupAbove-v0", &[])],
    },
];

fn any(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    rooms.place_agent_anywhere()?;
    rooms.connect_all(&Color::SORTED)?;
    let objects = rooms.add_distractors(None, 18, false)?;
    rooms.check_objs_reachable()?;
    let target = rooms.builder.rand_elem(&objects)?;
    Ok(ActionInstr::Pickup(obj_desc(rooms, target), false).into())
}

fn unblocking(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    rooms.place_agent_anywhere()?;
    rooms.connect_all(&Color::SORTED)?;
    let objects = rooms.add_distractors(None, 20, false)?;
    if rooms.are_objs_reachable() {
        return Err(GenError::Rejected);
    }
    let target = rooms.builder.rand_elem(&objects)?;
    Ok(ActionInstr::Pickup(obj_desc(rooms, target), false).into())
}

fn among_others(rooms: &mut RoomGrid<'_, '_>, strict: &bool) -> GenResult<Instr> {
    let objects = rooms.add_distractors(None, 5, true)?;
    rooms.place_agent((0, 0))?;
    let target = rooms.builder.rand_elem(&objects)?;
    let ObjDesc { kind, color, .. } = obj_desc(rooms, target);
    let desc = match rooms.builder.rand_int(0, 3)? {
        0 => ObjDesc::new(kind, None),
        1 => ObjDesc::new(None, color),
        _ => ObjDesc::new(kind, color),
    };
    Ok(ActionInstr::Pickup(desc, *strict).into())
}

fn above(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    let target = rooms.add_object((1, 0), None, None)?;
    rooms.add_door((1, 1), 3, None, Some(false))?;
    rooms.place_agent((1, 1))?;
    rooms.connect_all(&Color::SORTED)?;
    Ok(ActionInstr::Pickup(obj_desc(rooms, target), false).into())
}
