//! Base of BabyAI's levels: generates rooms and a mission repeatedly, until they satisfy BabyAI's rules.

use super::super::{
    level::Level,
    shared_options::{count, integer},
};
use envpool_rs_engine::{OptionSpec, Options};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{
    Actions, Color, GenError, GenResult, Instr, Outcome, Progress, RoomGrid, RoomGridShape, Target, World, WorldBuilder,
};

/// Function that fills the rooms with objects and returns the mission.
///
/// If the agent carries an object when the function returns, the object counts as picked up after the first observation.
pub type GenMission<C> = fn(&mut RoomGrid<'_, '_>, &C) -> GenResult<Instr>;

/// BabyAI level whose options are fixed (`RoomGridLevel`).
pub struct RoomGridLevel<C> {
    /// Number and size of the rooms.
    pub shape: RoomGridShape,
    /// Options of the level, passed to `gen_mission`.
    pub params: C,
    /// Function that generates the world's contents and its mission.
    pub gen_mission: GenMission<C>,
    /// Time limit in steps; `None` if it is computed from the mission.
    pub max_steps: Option<u32>,
    /// Whether objects may block the agent's path. If so, a mission must not name keys of locked doors.
    pub unblocking: bool,
}

impl<C> RoomGridLevel<C> {
    /// Returns a level whose time limit is computed from its mission.
    pub fn new(shape: RoomGridShape, params: C, gen_mission: GenMission<C>) -> Self {
        Self { shape, params, gen_mission, max_steps: None, unblocking: false }
    }

    /// Returns the level with a time limit of `factor` steps per cell of a room.
    #[must_use]
    pub fn with_max_steps_per_cell(self, factor: i32) -> Self {
        Self { max_steps: Some((factor * self.shape.room_size * self.shape.room_size) as u32), ..self }
    }

    fn try_gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        let mut rooms = RoomGrid::new(builder, self.shape)?;
        let instr = (self.gen_mission)(&mut rooms, &self.params)?;
        let room = rooms.room_area(rooms.agent_room());
        let locked_colors: Vec<Color> = if self.unblocking { rooms.locked_door_colors() } else { Vec::new() };
        let world = &mut *builder.world;
        if !instr.validate_instrs(world, room, &locked_colors) {
            return Err(GenError::Rejected);
        }
        let (mission, verifier) = instr.reset_verifier(world, room);
        world.target = Target::Instr(Box::new(verifier));
        let RoomGridShape { room_size, num_cols, num_rows } = self.shape;
        world.max_steps =
            self.max_steps.unwrap_or(instr.num_navs_needed() * (room_size * room_size * num_cols * num_rows) as u32);
        builder.set_mission(mission, -1);
        Ok(())
    }
}

impl<C: Send + Sync> Level for RoomGridLevel<C> {
    fn size(&self) -> (i32, i32) {
        self.shape.size()
    }

    fn max_steps(&self) -> u32 {
        self.max_steps.unwrap_or(u32::MAX)
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        loop {
            builder.count_attempt()?;
            match self.try_gen_grid(builder) {
                Err(GenError::Rejected) => {}
                Ok(()) => break,
                other => return other,
            }
        }
        if builder.world.carrying != 0 {
            builder.world.pick_up_after_first_obs(builder.world.carrying);
        }
        Ok(())
    }

    fn step(&self, world: &mut World, action: Actions, _margin: i32, _random: &mut Generator) -> Outcome {
        let outcome = world.step(action);
        // The mission (`target`) is taken out of the world while it is checked, because the check borrows the world.
        let mut target = std::mem::take(&mut world.target);
        let progress = match &mut target {
            Target::Instr(verifier) => verifier.verify(world, action),
            _ => Progress::Continue,
        };
        world.target = target;
        match progress {
            Progress::Success => world.success(),
            Progress::Failure => Outcome::FAILURE,
            Progress::Continue => outcome,
        }
    }
}

/// Returns the specification of the option for the number of cells on each side of a room.
pub fn room_size(default: i64, min: i64) -> OptionSpec {
    count("room_size", default, min, 60, "cells on each side of a room, walls included")
}

/// Returns the specifications of the options for the number and size of the rooms.
pub fn room_grid_options() -> Vec<OptionSpec> {
    vec![room_size(8, 4), count("num_rows", 3, 1, 10, "rows of rooms"), count("num_cols", 3, 1, 10, "rooms in a row")]
}

/// Returns the specification of the option for the number of distractors.
pub fn num_dists(default: i64) -> OptionSpec {
    count("num_dists", default, 0, 100, "distractor objects")
}

/// Returns the number and size of the rooms that the options of [`room_grid_options`] give.
pub fn shape_from(options: &Options) -> RoomGridShape {
    RoomGridShape {
        room_size: integer(options, "room_size"),
        num_cols: integer(options, "num_cols"),
        num_rows: integer(options, "num_rows"),
    }
}

/// Returns a grid of `num_cols` by `num_rows` rooms, whose size is the option `room_size`.
pub fn shape_with(options: &Options, num_cols: i32, num_rows: i32) -> RoomGridShape {
    RoomGridShape { room_size: integer(options, "room_size"), num_cols, num_rows }
}
