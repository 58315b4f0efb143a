//! One object is to be put near another.

use std::iter;

use super::super::{
    arguments::{OBJECTS, count_as, integer, integer_as, size},
    level::{Class, Level, Preset::Int},
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Act, Look, Made, Outcome, Point, Quest, Site, THINGS, Tries, World};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "put_near",
    mission_bytes: 96,
    options: || iter::once(size(6, 5)).chain(count_as(OBJECTS, 2, 2, 18, "keys, balls and boxes")).collect(),
    level: |options| Ok(Box::new(PutNear { size: integer(options, "size"), objects: integer_as(options, OBJECTS) as usize })),
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

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        site.clear(self.size, self.size);
        site.world.grid.wall_around(site.area());
        let mut objects: Vec<(Look, Point)> = Vec::new();
        while objects.len() < self.objects {
            site.try_again()?;
            let kind = site.one_of(&THINGS)?;
            let look = Look::new(kind, site.colour());
            if objects.iter().any(|(other, _)| *other == look) {
                continue;
            }
            let id = site.object(kind, look.colour())?;
            let is_near = |_: &World, cell: Point| objects.iter().any(|(_, place)| place.is_near(cell));
            let cell = site.find(site.area(), Tries::Endless, is_near)?;
            site.world.put(cell, id);
            objects.push((look, cell));
        }
        site.place_agent_anywhere()?;
        let count = objects.len() as i32;
        let moved = site.integer(0, count)?;
        let target = loop {
            let target = site.integer(0, count)?;
            if target != moved {
                break target;
            }
        };
        let (moved, (target, place)) = (objects[moved as usize].0, objects[target as usize]);
        site.world.quest = Quest::PutNear(moved, place);
        let number =
            |look: Look| look.colour() as i32 * 3 + THINGS.iter().position(|kind| *kind == look.kind()).unwrap_or(0) as i32;
        site.tell(format!("put the {} near the {}", moved.words(), target.words()), number(moved) * 18 + number(target));
        Ok(())
    }

    fn step(&self, world: &mut World, act: Act, _margin: i32, _random: &mut Generator) -> Outcome {
        let carried_before = world.carried;
        let outcome = world.act(act);
        let Quest::PutNear(moved, target) = world.quest else { return outcome };
        let front = world.agent.front();
        match act {
            Act::PickUp if world.carried != 0 && world.carried_look() != moved => Outcome { terminated: true, ..outcome },
            Act::Drop if carried_before != 0 => {
                let is_down = world.grid.id(front) == carried_before;
                if is_down && front.is_near(target) { world.success() } else { Outcome { terminated: true, ..outcome } }
            }
            _ => outcome,
        }
    }
}
