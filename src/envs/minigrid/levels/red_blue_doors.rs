//! RedBlueDoors: two doors on opposite sides of a room; the agent must open the red one before the blue one.

use super::super::{
    level::{Level, LevelClass, Preset::Int},
    shared_options::{integer, size},
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{
    Actions, Area, Color, GenResult, Kind, MaxTries, ObjectId, Outcome, Target, World, WorldBuilder, at,
};

/// Class of the RedBlueDoors levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
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

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        let size = self.size;
        builder.clear(2 * size, size);
        builder.world.grid.wall_rect(builder.area());
        let room = Area::new(at(size / 2, 0), size, size);
        builder.world.grid.wall_rect(room);
        builder.place_agent(room, MaxTries::Unlimited)?;
        let red = at(size / 2, builder.rand_int(1, size - 1)?);
        let red = builder.put_new(red, Kind::ClosedDoor, Color::Red)?;
        let blue = at(size / 2 + size - 1, builder.rand_int(1, size - 1)?);
        let blue = builder.put_new(blue, Kind::ClosedDoor, Color::Blue)?;
        builder.world.target = Target::Objects(red, blue);
        builder.set_mission("open the red door then the blue door", 0);
        Ok(())
    }

    fn step(&self, world: &mut World, action: Actions, _margin: i32, _random: &mut Generator) -> Outcome {
        let Target::Objects(red, blue) = world.target else { return world.step(action) };
        let is_open = |world: &World, door: ObjectId| world.door_cell(door).kind() == Kind::OpenDoor;
        let (red_before, blue_before) = (is_open(world, red), is_open(world, blue));
        let outcome = world.step(action);
        match (is_open(world, red), is_open(world, blue)) {
            (_, true) if red_before => world.success(),
            (_, true) => Outcome::FAILURE,
            (true, false) if blue_before => Outcome::FAILURE,
            _ => outcome,
        }
    }
}
