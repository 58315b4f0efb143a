//! Playground: nine rooms with doors and objects, without a mission.

use super::super::level::{Level, LevelClass};
use envpool_rs_sim_grid_world::{Cell, GenResult, Kind, OBJECT_KINDS, WorldBuilder, at};

/// Class of the Playground levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "playground",
    mission_bytes: 96,
    options: Vec::new,
    level: |_| Ok(Box::new(Playground)),
    tasks: &[("MiniGrid-Playground-v0", &[])],
};

const SIZE: i32 = 19;
const OBJECTS: usize = 12;

struct Playground;

impl Level for Playground {
    fn size(&self) -> (i32, i32) {
        (SIZE, SIZE)
    }

    fn max_steps(&self) -> u32 {
        100
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        builder.clear(SIZE, SIZE);
        builder.world.grid.wall_rect(builder.area());
        let room = SIZE / 3;
        for (i, j) in (0..3).flat_map(|j| (0..3).map(move |i| (i, j))) {
            let (left, top) = (i * room, j * room);
            let (right, bottom) = (left + room, top + room);
            if i < 2 {
                builder.world.grid.vert_wall(at(right, top), room, Cell::WALL);
                let door = at(right, builder.rand_int(top + 1, bottom - 1)?);
                let color = builder.rand_color();
                builder.put_new(door, Kind::ClosedDoor, color)?;
            }
            if j < 2 {
                builder.world.grid.horz_wall(at(left, bottom), room, Cell::WALL);
                let door = at(builder.rand_int(left + 1, right - 1)?, bottom);
                let color = builder.rand_color();
                builder.put_new(door, Kind::ClosedDoor, color)?;
            }
        }
        builder.place_agent_anywhere()?;
        for _ in 0..OBJECTS {
            let kind = builder.rand_elem(&OBJECT_KINDS)?;
            let color = builder.rand_color();
            builder.place_new(kind, color, builder.area())?;
        }
        builder.set_mission("", 0);
        Ok(())
    }
}
