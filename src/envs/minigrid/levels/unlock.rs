//! Unlock, UnlockPickup and BlockedUnlockPickup: two rooms with a locked door between them.

use super::super::level::{Level, LevelClass};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Actions, GenResult, Kind, Outcome, RoomGrid, RoomGridShape, Target, World, WorldBuilder, at};

/// Class of the Unlock tasks, in which the agent must open the door.
pub static UNLOCK: LevelClass = LevelClass {
    name: "unlock",
    mission_bytes: 96,
    options: Vec::new,
    level: |_| Ok(Box::new(Unlock { wants_box: false, is_blocked: false })),
    tasks: &[("MiniGrid-Unlock-v0", &[])],
};

/// Class of the UnlockPickup tasks, in which the agent must pick up the box behind the door.
pub static UNLOCK_PICKUP: LevelClass = LevelClass {
    name: "unlock_pickup",
    mission_bytes: 96,
    options: Vec::new,
    level: |_| Ok(Box::new(Unlock { wants_box: true, is_blocked: false })),
    tasks: &[("MiniGrid-UnlockPickup-v0", &[])],
};

/// Class of the BlockedUnlockPickup tasks, in which the agent must pick up the box, with a ball in front of the door.
pub static BLOCKED_UNLOCK_PICKUP: LevelClass = LevelClass {
    name: "blocked_unlock_pickup",
    mission_bytes: 96,
    options: Vec::new,
    level: |_| Ok(Box::new(Unlock { wants_box: true, is_blocked: true })),
    tasks: &[("MiniGrid-BlockedUnlockPickup-v0", &[])],
};

const SHAPE: RoomGridShape = RoomGridShape { room_size: 6, num_cols: 2, num_rows: 1 };

/// Steps a level in which picking up the target object ends the episode with a reward.
pub fn step_pickup(world: &mut World, action: Actions) -> Outcome {
    let outcome = world.step(action);
    match world.target {
        Target::Object(target) if action == Actions::Pickup && world.carrying == target => world.success(),
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
        factor * (SHAPE.room_size * SHAPE.room_size) as u32
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        let mut rooms = RoomGrid::new(builder, SHAPE)?;
        let target = if self.wants_box { Some(rooms.add_object((1, 0), Some(Kind::Box), None)?) } else { None };
        let door = rooms.add_door((0, 0), 0, None, Some(true))?;
        let object = rooms.builder.world.object(door);
        if self.is_blocked {
            let color = rooms.builder.rand_color();
            rooms.builder.put_new(object.cur_pos - at(1, 0), Kind::Ball, color)?;
        }
        rooms.add_object((0, 0), Some(Kind::Key), Some(object.cell.color()))?;
        rooms.place_agent((0, 0))?;
        builder.world.target = Target::Object(target.unwrap_or(door));
        match target.map(|target| builder.world.object(target).cell) {
            Some(cell) => {
                let id = if self.is_blocked { 0 } else { cell.color() as i32 };
                builder.set_mission(format!("pick up the {}", cell.description()), id);
            }
            None => builder.set_mission("open the door", 0),
        }
        Ok(())
    }

    fn step(&self, world: &mut World, action: Actions, _margin: i32, _random: &mut Generator) -> Outcome {
        if self.wants_box {
            return step_pickup(world, action);
        }
        let outcome = world.step(action);
        match world.target {
            Target::Object(door) if action == Actions::Toggle && world.door_cell(door).kind() == Kind::OpenDoor => {
                world.success()
            }
            _ => outcome,
        }
    }
}
