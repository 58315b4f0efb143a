//! GoToObject: the agent must play `done` next to one of several objects.

use std::iter;

use super::super::{
    level::{Level, LevelClass, Preset::Int},
    shared_options::{NUM_OBJS, count_with_alias, integer, integer_with_alias, size},
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Actions, Cell, GenResult, OBJECT_KINDS, Outcome, Target, World, WorldBuilder};

/// Class of the GoToObject levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "goto_object",
    mission_bytes: 96,
    options: || iter::once(size(6, 4)).chain(count_with_alias(NUM_OBJS, 2, 1, 18, "keys, balls and boxes")).collect(),
    level: |options| {
        Ok(Box::new(GoToObject { size: integer(options, "size"), objects: integer_with_alias(options, NUM_OBJS) as usize }))
    },
    tasks: &[("MiniGrid-GoToObject-6x6-N2-v0", &[]), ("MiniGrid-GoToObject-8x8-N2-v0", &[("size", Int(8)), ("numObjs", Int(2))])],
};

/// Steps a level in which the agent must play `done` next to the target.
///
/// The action `toggle` anywhere, and `done` away from the target, end the episode without a reward.
pub fn step_done_next_to(world: &mut World, action: Actions) -> Outcome {
    let outcome = world.step(action);
    match (action, &world.target) {
        (Actions::Toggle, _) => Outcome { terminated: true, ..outcome },
        (Actions::Done, Target::Pos(target)) if world.agent.pos.manhattan_distance(*target) == 1 => world.success(),
        (Actions::Done, _) => Outcome { terminated: true, ..outcome },
        _ => outcome,
    }
}

struct GoToObject {
    size: i32,
    objects: usize,
}

impl Level for GoToObject {
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
        let mut objects: Vec<(Cell, _)> = Vec::new();
        while objects.len() < self.objects {
            builder.count_attempt()?;
            let kind = builder.rand_elem(&OBJECT_KINDS)?;
            let cell = Cell::new(kind, builder.rand_color());
            if objects.iter().all(|(other, _)| *other != cell) {
                let id = builder.place_new(kind, cell.color(), builder.area())?;
                objects.push((cell, builder.world.object(id).cur_pos));
            }
        }
        builder.place_agent_anywhere()?;
        let (cell, pos) = builder.rand_elem(&objects)?;
        builder.world.target = Target::Pos(pos);
        let kind = OBJECT_KINDS.iter().position(|kind| *kind == cell.kind()).unwrap_or(0) as i32;
        builder.set_mission(format!("go to the {}", cell.description()), cell.color() as i32 * 3 + kind);
        Ok(())
    }

    fn step(&self, world: &mut World, action: Actions, _margin: i32, _random: &mut Generator) -> Outcome {
        step_done_next_to(world, action)
    }
}
