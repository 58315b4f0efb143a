//! Levels in which something is to be picked up.

use super::super::{
    arguments::flag,
    level::{Class, Preset::Flag},
};
use super::{
    go_to::{NINE, like},
    lesson::{Lesson, rooms, shape},
};
use envpool_rs_sim_grid_world::{Colour, Deed, Errand, Made, Rooms, Shape, Unmade, Wanted};

/// Its classes.
pub static CLASSES: [Class; 4] = [
    Class {
        name: "babyai_pickup",
        mission_bytes: 512,
        options: rooms,
        level: |options| Ok(Box::new(Lesson::new(shape(options), (), any))),
        tasks: &[("BabyAI-Pickup-v0", &[])],
    },
    Class {
        name: "babyai_unblock_pickup",
        mission_bytes: 512,
        options: rooms,
        level: |options| Ok(Box::new(Lesson::new(shape(options), (), unblocking))),
        tasks: &[("BabyAI-UnblockPickup-v0", &[])],
    },
    Class {
        name: "babyai_pickup_dist",
        mission_bytes: 512,
        options: || vec![flag("debug", false, "whether picking up anything else ends the episode")],
        level: |options| {
            let shape = Shape { room: 7, columns: 1, rows: 1 };
            Ok(Box::new(Lesson::new(shape, options.bool("debug"), among_others)))
        },
        tasks: &[("BabyAI-PickupDist-v0", &[]), ("BabyAI-PickupDistDebug-v0", &[("debug", Flag(true))])],
    },
    Class {
        name: "babyai_pickup_above",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(Lesson::new(Shape { room: 6, ..NINE }, (), above).steps(8))),
        tasks: &[("BabyAI-PickupAbove-v0", &[])],
    },
];

fn any(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    rooms.place_agent_anywhere()?;
    rooms.connect_all(&Colour::SORTED)?;
    let objects = rooms.add_distractors(None, 18, false)?;
    rooms.check_reach()?;
    let target = rooms.site.one_of(&objects)?;
    Ok(Deed::PickUp(like(rooms, target), false).into())
}

fn unblocking(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    rooms.place_agent_anywhere()?;
    rooms.connect_all(&Colour::SORTED)?;
    let objects = rooms.add_distractors(None, 20, false)?;
    if rooms.is_all_in_reach() {
        return Err(Unmade::Rejected);
    }
    let target = rooms.site.one_of(&objects)?;
    Ok(Deed::PickUp(like(rooms, target), false).into())
}

fn among_others(rooms: &mut Rooms<'_, '_>, strict: &bool) -> Made<Errand> {
    let objects = rooms.add_distractors(None, 5, true)?;
    rooms.place_agent((0, 0))?;
    let target = rooms.site.one_of(&objects)?;
    let Wanted { kind, colour, .. } = like(rooms, target);
    let wanted = match rooms.site.integer(0, 3)? {
        0 => Wanted::new(kind, None),
        1 => Wanted::new(None, colour),
        _ => Wanted::new(kind, colour),
    };
    Ok(Deed::PickUp(wanted, *strict).into())
}

fn above(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    let target = rooms.add_object((1, 0), None, None)?;
    rooms.add_door((1, 1), 3, None, Some(false))?;
    rooms.place_agent((1, 1))?;
    rooms.connect_all(&Colour::SORTED)?;
    Ok(Deed::PickUp(like(rooms, target), false).into())
}
