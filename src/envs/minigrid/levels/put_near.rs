//! PutNear: the agent must put one object near another.

use std::iter;

use super::super::{
    level::{Level, LevelClass, Preset::Int},
    shared_options::{NUM_OBJS, count_with_alias, integer, integer_with_alias, size},
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Actions, Cell, GenResult, MaxTries, OBJECT_KINDS, Outcome, Point, Target, World, WorldBuilder};

/// Class of the PutNear levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "put_near",
    mission_bytes: 96,
    options: || iter::once(size(6, 5)).chain(count_with_alias(NUM_OBJS, 2, 2, 18, "keys, balls and boxes")).collect(),
    level: |options| {
        Ok(Box::new(PutNear { size: integer(options, "size"), objects: integer_with_alias(options, NUM_OBJS) as usize }))
    },
    tasks: &[("MiniGrid-PutNear-6x6-N2-v0", &[]), ("MiniGrid-PutNear-8x8-N3-v0", &[("size", Int(8)), ("numObjs", Int(3))])],
};

struct PutNear {
    size: i32,
    objects: usize,
}

impl Level for PutNear {
    fn size(&self) -> (i32, i32) {
        (self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        5 * self.size as u32
    }

    fn sees_through_walls(&self) -> bool {
        true
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        builder.clear(self.size, self.size);
        builder.world.grid.wall_rect(builder.area());
        let mut objects: Vec<(Cell, Point)> = Vec::new();
        while objects.len() < self.objects {
            builder.count_attempt()?;
            let kind = builder.rand_elem(&OBJECT_KINDS)?;
            let cell = Cell::new(kind, builder.rand_color());
            if objects.iter().any(|(other, _)| *other == cell) {
                continue;
            }
            let id = builder.new_object(kind, cell.color())?;
            let is_near = |_: &World, pos: Point| objects.iter().any(|(_, other)| other.is_near(pos));
            let pos = builder.find_free_pos(builder.area(), MaxTries::Unlimited, is_near)?;
            builder.world.put_obj(pos, id);
            objects.push((cell, pos));
        }
        builder.place_agent_anywhere()?;
        let count = objects.len() as i32;
        let moved = builder.rand_int(0, count)?;
        let target = loop {
            let target = builder.rand_int(0, count)?;
            if target != moved {
                break target;
            }
        };
        let (moved, (target, pos)) = (objects[moved as usize].0, objects[target as usize]);
        builder.world.target = Target::PutNear(moved, pos);
        let index =
            |cell: Cell| cell.color() as i32 * 3 + OBJECT_KINDS.iter().position(|kind| *kind == cell.kind()).unwrap_or(0) as i32;
        builder.set_mission(
            format!("put the {} near the {}", moved.description(), target.description()),
            index(moved) * 18 + index(target),
        );
        Ok(())
    }

    fn step(&self, world: &mut World, action: Actions, _margin: i32, _random: &mut Generator) -> Outcome {
        let pre_carrying = world.carrying;
        let outcome = world.step(action);
        let Target::PutNear(moved, target) = world.target else { return outcome };
        let front = world.agent.front_pos();
        match action {
            Actions::Pickup if world.carrying != 0 && world.carrying_cell() != moved => Outcome { terminated: true, ..outcome },
            Actions::Drop if pre_carrying != 0 => {
                let is_dropped = world.grid.object_id(front) == pre_carrying;
                if is_dropped && front.is_near(target) { world.success() } else { Outcome { terminated: true, ..outcome } }
            }
            _ => outcome,
        }
    }
}
