//! A room with a door in each wall; the agent is to say that it is done beside one of them.

use super::super::{
    arguments::{integer, size},
    level::{Class, Level, Preset::Int},
};
use super::go_to_object::step_beside;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Act, Area, Colour, Kind, Made, Outcome, Quest, Site, Tries, World, at};

/// Its tasks.
pub static CLASS: Class = Class {
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

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        site.clear(self.size, self.size);
        let width = site.integer(5, self.size + 1)?;
        let height = site.integer(5, self.size + 1)?;
        let room = Area::new(at(0, 0), width, height);
        site.world.grid.wall_around(room);
        let doors = [
            at(site.integer(2, width - 2)?, 0),
            at(site.integer(2, width - 2)?, height - 1),
            at(0, site.integer(2, height - 2)?),
            at(width - 1, site.integer(2, height - 2)?),
        ];
        let mut colours: Vec<Colour> = Vec::new();
        while colours.len() < doors.len() {
            let colour = site.colour();
            if !colours.contains(&colour) {
                colours.push(colour);
            }
        }
        for (door, colour) in doors.into_iter().zip(&colours) {
            site.put(door, Kind::ClosedDoor, *colour)?;
        }
        site.place_agent(room, Tries::Endless)?;
        let target = site.integer(0, 4)? as usize;
        site.world.quest = Quest::Place(doors[target]);
        let colour = colours[target];
        site.tell(format!("go to the {} door", colour.name()), colour as i32);
        Ok(())
    }

    fn step(&self, world: &mut World, act: Act, _margin: i32, _random: &mut Generator) -> Outcome {
        step_beside(world, act)
    }
}
