//! Two rooms with a locked door between them: to be opened, or to be passed for what is behind it.

use super::super::level::{Class, Level};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Act, Kind, Made, Outcome, Quest, Rooms, Shape, Site, World, at};

/// The door is to be opened.
pub static UNLOCK: Class = Class {
    name: "unlock",
    mission_bytes: 96,
    options: Vec::new,
    level: |_| Ok(Box::new(Unlock { wants_box: false, is_blocked: false })),
    tasks: &[("MiniGrid-Unlock-v0", &[])],
};

/// A box behind the door is to be picked up.
pub static PICK_UP: Class = Class {
    name: "unlock_pickup",
    mission_bytes: 96,
    options: Vec::new,
    level: |_| Ok(Box::new(Unlock { wants_box: true, is_blocked: false })),
    tasks: &[("MiniGrid-UnlockPickup-v0", &[])],
};

/// The same, with a ball before the door.
pub static BLOCKED: Class = Class {
    name: "blocked_unlock_pickup",
    mission_bytes: 96,
    options: Vec::new,
    level: |_| Ok(Box::new(Unlock { wants_box: true, is_blocked: true })),
    tasks: &[("MiniGrid-BlockedUnlockPickup-v0", &[])],
};

const SHAPE: Shape = Shape { room: 6, columns: 2, rows: 1 };

/// A step of levels in which an object is to be picked up.
pub fn step_until_carried(world: &mut World, act: Act) -> Outcome {
    let outcome = world.act(act);
    match world.quest {
        Quest::Object(wanted) if act == Act::PickUp && world.carried == wanted => world.success(),
        _ => outcome,
    }
}

struct Unlock {
    wants_box: bool,
    is_blocked: bool,
}

impl Level for Unlock {
    fn size(&self) -> (i32, i32) {
        SHAPE.size()
    }

    fn max_steps(&self) -> u32 {
        let factor = if self.is_blocked { 16 } else { 8 };
        factor * (SHAPE.room * SHAPE.room) as u32
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        let mut rooms = Rooms::new(site, SHAPE)?;
        let wanted = if self.wants_box { Some(rooms.add_object((1, 0), Some(Kind::Box), None)?) } else { None };
        let door = rooms.add_door((0, 0), 0, None, Some(true))?;
        let object = rooms.site.world.object(door);
        if self.is_blocked {
            let colour = rooms.site.colour();
            rooms.site.put(object.place - at(1, 0), Kind::Ball, colour)?;
        }
        rooms.add_object((0, 0), Some(Kind::Key), Some(object.look.colour()))?;
        rooms.place_agent((0, 0))?;
        site.world.quest = Quest::Object(wanted.unwrap_or(door));
        match wanted.map(|wanted| site.world.object(wanted).look) {
            Some(look) => {
                let id = if self.is_blocked { 0 } else { look.colour() as i32 };
                site.tell(format!("pick up the {}", look.words()), id);
            }
            None => site.tell("open the door", 0),
        }
        Ok(())
    }

    fn step(&self, world: &mut World, act: Act, _margin: i32, _random: &mut Generator) -> Outcome {
        if self.wants_box {
            return step_until_carried(world, act);
        }
        let outcome = world.act(act);
        match world.quest {
            Quest::Object(door) if act == Act::Toggle && world.door(door).kind() == Kind::OpenDoor => world.success(),
            _ => outcome,
        }
    }
}
