//! DoorKey: a wall with a locked door between the agent and the goal, and the key on the agent's side.

use super::super::{
    level::{Level, LevelClass, Preset::Int},
    shared_options::{integer, size},
};
use envpool_rs_sim_grid_world::{Area, Cell, Color, GenResult, Kind, MaxTries, WorldBuilder, at};

/// Class of the DoorKey levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "doorkey",
    mission_bytes: 96,
    options: || vec![size(8, 5)],
    level: |options| Ok(Box::new(DoorKey { size: integer(options, "size") })),
    tasks: &[
        ("MiniGrid-DoorKey-5x5-v0", &[("size", Int(5))]),
        ("MiniGrid-DoorKey-6x6-v0", &[("size", Int(6))]),
        ("MiniGrid-DoorKey-8x8-v0", &[]),
        ("MiniGrid-DoorKey-16x16-v0", &[("size", Int(16))]),
    ],
};

struct DoorKey {
    size: i32,
}

impl Level for DoorKey {
    fn size(&self) -> (i32, i32) {
        (self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        10 * (self.size * self.size) as u32
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        let size = self.size;
        builder.clear(size, size);
        builder.world.grid.wall_rect(builder.area());
        builder.set(at(size - 2, size - 2), Cell::GOAL);
        let wall = builder.rand_int(2, size - 2)?;
        builder.world.grid.vert_wall(at(wall, 0), size, Cell::WALL);
        let near_side = Area::new(at(0, 0), wall, size);
        builder.place_agent(near_side, MaxTries::Unlimited)?;
        let door = at(wall, builder.rand_int(1, size - 2)?);
        builder.put_new(door, Kind::LockedDoor, Color::Yellow)?;
        builder.place_new(Kind::Key, Color::Yellow, near_side)?;
        builder.set_mission("use the key to open the door and then get to the goal", 0);
        Ok(())
    }
}
