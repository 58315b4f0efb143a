//! Levels in which doors are locked.

use super::super::{
    arguments::flag,
    level::{Class, Preset::Flag},
};
use super::{
    go_to::{NINE, fill_around, like, lock_a_room},
    lesson::{Lesson, rooms, shape},
    open::DOOR,
};
use envpool_rs_engine::OptionSpec;
use envpool_rs_sim_grid_world::{Colour, Deed, Errand, Id, Kind, Made, RoomAt, Rooms, Shape, Wanted, at};

/// Its classes.
pub static CLASSES: [Class; 6] = [
    Class {
        name: "babyai_unlock",
        mission_bytes: 512,
        options: rooms,
        level: |options| Ok(Box::new(Lesson::new(shape(options), (), any_door))),
        tasks: &[("BabyAI-Unlock-v0", &[])],
    },
    Class {
        name: "babyai_unlock_local",
        mission_bytes: 512,
        options: || vec![distractors()],
        level: |options| Ok(Box::new(Lesson::new(NINE, options.bool("distractors"), local))),
        tasks: &[("BabyAI-UnlockLocal-v0", &[]), ("BabyAI-UnlockLocalDist-v0", &[("distractors", Flag(true))])],
    },
    Class {
        name: "babyai_key_in_box",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(Lesson::new(NINE, (), key_in_box))),
        tasks: &[("BabyAI-KeyInBox-v0", &[])],
    },
    Class {
        name: "babyai_unlock_pickup",
        mission_bytes: 512,
        options: || vec![distractors()],
        level: |options| Ok(Box::new(Lesson::new(TWO, options.bool("distractors"), pick_up))),
        tasks: &[("BabyAI-UnlockPickup-v0", &[]), ("BabyAI-UnlockPickupDist-v0", &[("distractors", Flag(true))])],
    },
    Class {
        name: "babyai_blocked_unlock_pickup",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(Lesson::new(TWO, (), blocked_pick_up).steps(16))),
        tasks: &[("BabyAI-BlockedUnlockPickup-v0", &[])],
    },
    Class {
        name: "babyai_unlock_to_unlock",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(Lesson::new(Shape { columns: 3, ..TWO }, (), to_unlock).steps(30))),
        tasks: &[("BabyAI-UnlockToUnlock-v0", &[])],
    },
];

const TWO: Shape = Shape { room: 6, columns: 2, rows: 1 };
const MIDDLE: RoomAt = (1, 1);

fn distractors() -> OptionSpec {
    flag("distractors", false, "whether there are objects to draw attention away")
}

fn colour_of(rooms: &Rooms<'_, '_>, id: Id) -> Option<Colour> {
    Some(rooms.site.world.object(id).look.colour())
}

fn any_door(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    let (locked, door) = lock_a_room(rooms)?;
    if rooms.site.flag() {
        let others = Colour::SORTED.into_iter().filter(|colour| Some(*colour) != colour_of(rooms, door));
        let others: Vec<_> = others.collect();
        rooms.connect_all(&others)?;
    } else {
        rooms.connect_all(&Colour::SORTED)?;
    }
    fill_around(rooms, locked, 3)?;
    Ok(Deed::Open(Wanted::new(DOOR, colour_of(rooms, door)), false).into())
}

fn local(rooms: &mut Rooms<'_, '_>, distractors: &bool) -> Made<Errand> {
    let door = rooms.add_any_door(MIDDLE, None, Some(true))?;
    rooms.add_object(MIDDLE, Some(Kind::Key), colour_of(rooms, door))?;
    if *distractors {
        rooms.add_distractors(Some(MIDDLE), 3, true)?;
    }
    rooms.place_agent(MIDDLE)?;
    Ok(Deed::Open(Wanted::new(DOOR, None), false).into())
}

fn key_in_box(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    let door = rooms.add_any_door(MIDDLE, None, Some(true))?;
    let colour = rooms.site.world.object(door).look.colour();
    let key = rooms.site.object(Kind::Key, colour)?;
    let colour = rooms.site.colour();
    let box_with_key = rooms.site.box_with(colour, key)?;
    rooms.place(MIDDLE, box_with_key)?;
    rooms.place_agent(MIDDLE)?;
    Ok(Deed::Open(Wanted::new(DOOR, None), false).into())
}

fn pick_up(rooms: &mut Rooms<'_, '_>, distractors: &bool) -> Made<Errand> {
    let target = rooms.add_object((1, 0), Some(Kind::Box), None)?;
    let door = rooms.add_door((0, 0), 0, None, Some(true))?;
    rooms.add_object((0, 0), Some(Kind::Key), colour_of(rooms, door))?;
    if *distractors {
        rooms.add_distractors(None, 4, true)?;
    }
    rooms.place_agent((0, 0))?;
    Ok(Deed::PickUp(like(rooms, target), false).into())
}

fn blocked_pick_up(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    rooms.add_object((1, 0), Some(Kind::Box), None)?;
    let door = rooms.add_door((0, 0), 0, None, Some(true))?;
    let colour = rooms.site.colour();
    let before = rooms.site.world.object(door).place - at(1, 0);
    rooms.site.put(before, Kind::Ball, colour)?;
    rooms.add_object((0, 0), Some(Kind::Key), colour_of(rooms, door))?;
    rooms.place_agent((0, 0))?;
    Ok(Deed::PickUp(Wanted::new(Some(Kind::Box), None), false).into())
}

fn to_unlock(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    let colours = rooms.site.some_of(&Colour::SORTED, 2)?;
    rooms.add_door((0, 0), 0, Some(colours[0]), Some(true))?;
    rooms.add_object((2, 0), Some(Kind::Key), Some(colours[0]))?;
    rooms.add_door((1, 0), 0, Some(colours[1]), Some(true))?;
    rooms.add_object((1, 0), Some(Kind::Key), Some(colours[1]))?;
    rooms.add_object((0, 0), Some(Kind::Ball), None)?;
    rooms.place_agent((1, 0))?;
    Ok(Deed::PickUp(Wanted::new(Some(Kind::Ball), None), false).into())
}
