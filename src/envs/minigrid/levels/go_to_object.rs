//! The agent is to say that it is done beside one of several objects.

use std::iter;

use super::super::{
    arguments::{OBJECTS, count_as, integer, integer_as, size},
    level::{Class, Level, Preset::Int},
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Act, Look, Made, Outcome, Quest, Site, THINGS, World};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "goto_object",
    mission_bytes: 96,
    options: || iter::once(size(6, 4)).chain(count_as(OBJECTS, 2, 1, 18, "keys, balls and boxes")).collect(),
    level: |options| Ok(Box::new(GoToObject { size: integer(options, "size"), objects: integer_as(options, OBJECTS) as usize })),
    tasks: &[("MiniGrid-GoToObject-6x6-N2-v0", &[]), ("MiniGrid-GoToObject-8x8-N2-v0", &[("size", Int(8)), ("numObjs", Int(2))])],
};

/// A step of levels in which the quest is to be done beside a place: opening anything ends the episode, too.
pub fn step_beside(world: &mut World, act: Act) -> Outcome {
    let outcome = world.act(act);
    match (act, &world.quest) {
        (Act::Toggle, _) => Outcome { terminated: true, ..outcome },
        (Act::Done, Quest::Place(target)) if world.agent.place.distance(*target) == 1 => world.success(),
        (Act::Done, _) => Outcome { terminated: true, ..outcome },
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

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        site.clear(self.size, self.size);
        site.world.grid.wall_around(site.area());
        let mut objects: Vec<(Look, _)> = Vec::new();
        while objects.len() < self.objects {
            site.try_again()?;
            let kind = site.one_of(&THINGS)?;
            let look = Look::new(kind, site.colour());
            if objects.iter().all(|(other, _)| *other != look) {
                let id = site.place(kind, look.colour(), site.area())?;
                objects.push((look, site.world.object(id).place));
            }
        }
        site.place_agent_anywhere()?;
        let (look, place) = site.one_of(&objects)?;
        site.world.quest = Quest::Place(place);
        let kind = THINGS.iter().position(|kind| *kind == look.kind()).unwrap_or(0) as i32;
        site.tell(format!("go to the {}", look.words()), look.colour() as i32 * 3 + kind);
        Ok(())
    }

    fn step(&self, world: &mut World, act: Act, _margin: i32, _random: &mut Generator) -> Outcome {
        step_beside(world, act)
    }
}
