//! Fetch: the agent must pick up the object that the mission names, and no other object.

use std::iter;

use super::super::{
    level::{Level, LevelClass, Preset::Int},
    shared_options::{NUM_OBJS, count_with_alias, integer, integer_with_alias, size},
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Actions, GenResult, Kind, Outcome, Target, World, WorldBuilder};

/// Class of the Fetch levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "fetch",
    mission_bytes: 96,
    options: || iter::once(size(8, 4)).chain(count_with_alias(NUM_OBJS, 3, 1, 200, "keys and balls")).collect(),
    level: |options| Ok(Box::new(Fetch { size: integer(options, "size"), objects: integer_with_alias(options, NUM_OBJS) })),
    tasks: &[
        ("MiniGrid-Fetch-5x5-N2-v0", &[("size", Int(5)), ("numObjs", Int(2))]),
        ("MiniGrid-Fetch-6x6-N2-v0", &[("size", Int(6)), ("numObjs", Int(2))]),
        ("MiniGrid-Fetch-8x8-N3-v0", &[]),
    ],
};

const KINDS: [Kind; 2] = [Kind::Key, Kind::Ball];
const PHRASES: [&str; 5] = ["get a", "go get a", "fetch a", "go fetch a", "you must fetch a"];

struct Fetch {
    size: i32,
    objects: i32,
}

impl Level for Fetch {
    fn size(&self) -> (i32, i32) {
        (self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        5 * (self.size * self.size) as u32
    }

    fn sees_through_walls(&self) -> bool {
        true
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        builder.clear(self.size, self.size);
        builder.world.grid.wall_rect(builder.area());
        let mut cells = Vec::new();
        for _ in 0..self.objects {
            let kind = builder.rand_elem(&KINDS)?;
            let color = builder.rand_color();
            let id = builder.place_new(kind, color, builder.area())?;
            cells.push(builder.world.object(id).cell);
        }
        builder.place_agent_anywhere()?;
        let target = builder.rand_elem(&cells)?;
        let phrase = builder.rand_int(0, PHRASES.len() as i32)?;
        builder.world.target = Target::Cell(target);
        let id = phrase * 12 + target.color() as i32 * 2 + i32::from(target.kind() == Kind::Ball);
        builder.set_mission(format!("{} {}", PHRASES[phrase as usize], target.description()), id);
        Ok(())
    }

    fn step(&self, world: &mut World, action: Actions, _margin: i32, _random: &mut Generator) -> Outcome {
        let outcome = world.step(action);
        match &world.target {
            _ if world.carrying == 0 => outcome,
            Target::Cell(target) if *target == world.carrying_cell() => world.success(),
            _ => Outcome::FAILURE,
        }
    }
}
