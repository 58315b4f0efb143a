//! Two doors on opposite sides of a room: the red one is to be opened first, then the blue one.

use super::super::{
    arguments::{integer, size},
    level::{Class, Level, Preset::Int},
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Act, Area, Colour, Id, Kind, Made, Outcome, Quest, Site, Tries, World, at};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "red_blue_door",
    mission_bytes: 96,
    options: || vec![size(8, 4)],
    level: |options| Ok(Box::new(RedBlueDoors { size: integer(options, "size") })),
    tasks: &[("MiniGrid-RedBlueDoors-6x6-v0", &[("size", Int(6))]), ("MiniGrid-RedBlueDoors-8x8-v0", &[])],
};

struct RedBlueDoors {
    size: i32,
}

impl Level for RedBlueDoors {
    fn size(&self) -> (i32, i32) {
        (2 * self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        20 * (self.size * self.size) as u32
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        let size = self.size;
        site.clear(2 * size, size);
        site.world.grid.wall_around(site.area());
        let room = Area::new(at(size / 2, 0), size, size);
        site.world.grid.wall_around(room);
        site.place_agent(room, Tries::Endless)?;
        let red = at(size / 2, site.integer(1, size - 1)?);
        let red = site.put(red, Kind::ClosedDoor, Colour::Red)?;
        let blue = at(size / 2 + size - 1, site.integer(1, size - 1)?);
        let blue = site.put(blue, Kind::ClosedDoor, Colour::Blue)?;
        site.world.quest = Quest::Objects(red, blue);
        site.tell("open the red door then the blue door", 0);
        Ok(())
    }

    fn step(&self, world: &mut World, act: Act, _margin: i32, _random: &mut Generator) -> Outcome {
        let Quest::Objects(red, blue) = world.quest else { return world.act(act) };
        let is_open = |world: &World, door: Id| world.door(door).kind() == Kind::OpenDoor;
        let (red_before, blue_before) = (is_open(world, red), is_open(world, blue));
        let outcome = world.act(act);
        match (is_open(world, red), is_open(world, blue)) {
            (_, true) if red_before => world.success(),
            (_, true) => Outcome::FAILURE,
            (true, false) if blue_before => Outcome::FAILURE,
            _ => outcome,
        }
    }
}
