//! One of several objects is to be taken up, and no other.

use std::iter;

use super::super::{
    arguments::{OBJECTS, count_as, integer, integer_as, size},
    level::{Class, Level, Preset::Int},
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Act, Kind, Made, Outcome, Quest, Site, World};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "fetch",
    mission_bytes: 96,
    options: || iter::once(size(8, 4)).chain(count_as(OBJECTS, 3, 1, 200, "keys and balls")).collect(),
    level: |options| Ok(Box::new(Fetch { size: integer(options, "size"), objects: integer_as(options, OBJECTS) })),
    tasks: &[
        ("MiniGrid-Fetch-5x5-N2-v0", &[("size", Int(5)), ("numObjs", Int(2))]),
        ("MiniGrid-Fetch-6x6-N2-v0", &[("size", Int(6)), ("numObjs", Int(2))]),
        ("MiniGrid-Fetch-8x8-N3-v0", &[]),
    ],
};

const KINDS: [Kind; 2] = [Kind::Key, Kind::Ball];
const WORDS: [&str; 5] = ["get a", "go get a", "fetch a", "go fetch a", "you must fetch a"];

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

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        site.clear(self.size, self.size);
        site.world.grid.wall_around(site.area());
        let mut looks = Vec::new();
        for _ in 0..self.objects {
            let kind = site.one_of(&KINDS)?;
            let colour = site.colour();
            let id = site.place(kind, colour, site.area())?;
            looks.push(site.world.object(id).look);
        }
        site.place_agent_anywhere()?;
        let target = site.one_of(&looks)?;
        let words = site.integer(0, WORDS.len() as i32)?;
        site.world.quest = Quest::Look(target);
        let id = words * 12 + target.colour() as i32 * 2 + i32::from(target.kind() == Kind::Ball);
        site.tell(format!("{} {}", WORDS[words as usize], target.words()), id);
        Ok(())
    }

    fn step(&self, world: &mut World, act: Act, _margin: i32, _random: &mut Generator) -> Outcome {
        let outcome = world.act(act);
        match &world.quest {
            _ if world.carried == 0 => outcome,
            Quest::Look(target) if *target == world.carried_look() => world.success(),
            _ => Outcome::FAILURE,
        }
    }
}
