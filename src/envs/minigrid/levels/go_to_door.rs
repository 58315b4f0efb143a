//! GoToDoor: the agent must play `done` next to one of four doors.

use super::super::{
    level::{Level, LevelClass, Preset::Int},
    shared_options::{integer, size},
};
use super::go_to_object::step_done_next_to;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Actions, Area, Color, GenResult, Kind, MaxTries, Outcome, Target, World, WorldBuilder, at};

/// Class of the GoToDoor levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "goto_door",
    mission_bytes: 96,
    options: || vec![size(5, 5)],
    level: |options| Ok(Box::new(GoToDoor { size: integer(options, "size") })),
    tasks: &[
        ("MiniGrid-GoToDoor-5x5-v0", &[]),
        ("MiniGrid-GoToDoor-6x6-v0", &[("size", Int(6))]),
        ("MiniGrid-GoToDoor-8x8-v0", &[("size", Int(8))]),
    ],
};

struct GoToDoor {
    size: i32,
}

impl Level for GoToDoor {
    fn size(&self) -> (i32, i32) {
        (self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        4 * (self.size * self.size) as u32
    }

    fn sees_through_walls(&self) -> bool {
        true
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        builder.clear(self.size, self.size);
        let width = builder.rand_int(5, self.size + 1)?;
        let height = builder.rand_int(5, self.size + 1)?;
        let room = Area::new(at(0, 0), width, height);
        builder.world.grid.wall_rect(room);
        let doors = [
            at(builder.rand_int(2, width - 2)?, 0),
            at(builder.rand_int(2, width - 2)?, height - 1),
            at(0, builder.rand_int(2, height - 2)?),
            at(width - 1, builder.rand_int(2, height - 2)?),
        ];
        let mut colors: Vec<Color> = Vec::new();
        while colors.len() < doors.len() {
            let color = builder.rand_color();
            if !colors.contains(&color) {
                colors.push(color);
            }
        }
        for (door, color) in doors.into_iter().zip(&colors) {
            builder.put_new(door, Kind::ClosedDoor, *color)?;
        }
        builder.place_agent(room, MaxTries::Unlimited)?;
        let target = builder.rand_int(0, 4)? as usize;
        builder.world.target = Target::Pos(doors[target]);
        let color = colors[target];
        builder.set_mission(format!("go to the {} door", color.name()), color as i32);
        Ok(())
    }

    fn step(&self, world: &mut World, action: Actions, _margin: i32, _random: &mut Generator) -> Outcome {
        step_done_next_to(world, action)
    }
}
