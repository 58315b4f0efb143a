//! What all of BabyAI's levels are: a grid of rooms, an errand that is thought up in it, attempts until one makes sense.

use super::super::{
    arguments::{count, integer},
    level::Level,
};
use envpool_rs_engine::{OptionSpec, Options};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Act, Colour, Errand, Made, Outcome, Progress, Quest, Rooms, Shape, Site, Unmade, World};

/// How a level fills its rooms and thinks up an errand. What the agent carries in the world then, it takes up after it has looked around.
pub type Plan<C> = fn(&mut Rooms<'_, '_>, &C) -> Made<Errand>;

/// A level of BabyAI: its rooms, its own options, its plan.
pub struct Lesson<C> {
    /// Rooms.
    pub shape: Shape,
    /// Options of its own.
    pub choices: C,
    /// How it is filled.
    pub plan: Plan<C>,
    /// Steps that an episode may take; `None`: reckoned from the errand.
    pub steps: Option<u32>,
    /// Whether ways may be blocked, so that keys of locked doors must be left to open them.
    pub keeps_keys: bool,
}

impl<C> Lesson<C> {
    /// A level whose time is reckoned from its errand.
    pub fn new(shape: Shape, choices: C, plan: Plan<C>) -> Self {
        Self { shape, choices, plan, steps: None, keeps_keys: false }
    }

    /// The same with a time of its own: so many steps for each cell of a room.
    #[must_use]
    pub fn steps(self, factor: i32) -> Self {
        Self { steps: Some((factor * self.shape.room * self.shape.room) as u32), ..self }
    }

    fn attempt(&self, site: &mut Site<'_>) -> Made<()> {
        let mut rooms = Rooms::new(site, self.shape)?;
        let errand = (self.plan)(&mut rooms, &self.choices)?;
        let room = rooms.area(rooms.agents_room());
        let needed: Vec<Colour> = if self.keeps_keys { rooms.locked_colours() } else { Vec::new() };
        let world = &mut *site.world;
        if !errand.is_sensible(world, room, &needed) {
            return Err(Unmade::Rejected);
        }
        let (mission, instruction) = errand.given(world, room);
        world.quest = Quest::Instruction(Box::new(instruction));
        let Shape { room, columns, rows } = self.shape;
        world.max_steps = self.steps.unwrap_or(errand.walks() * (room * room * columns * rows) as u32);
        site.tell(mission, -1);
        Ok(())
    }
}

impl<C: Send + Sync> Level for Lesson<C> {
    fn size(&self) -> (i32, i32) {
        self.shape.size()
    }

    fn max_steps(&self) -> u32 {
        self.steps.unwrap_or(u32::MAX)
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        loop {
            site.try_again()?;
            match self.attempt(site) {
                Err(Unmade::Rejected) => {}
                Ok(()) => break,
                other => return other,
            }
        }
        if site.world.carried != 0 {
            site.world.take_late(site.world.carried);
        }
        Ok(())
    }

    fn step(&self, world: &mut World, act: Act, _margin: i32, _random: &mut Generator) -> Outcome {
        let outcome = world.act(act);
        // Taken out, so that it can look at the world.
        let mut quest = std::mem::take(&mut world.quest);
        let progress = match &mut quest {
            Quest::Instruction(instruction) => instruction.verify(world, act),
            _ => Progress::Continue,
        };
        world.quest = quest;
        match progress {
            Progress::Success => world.success(),
            Progress::Failure => Outcome::FAILURE,
            Progress::Continue => outcome,
        }
    }
}

/// Cells on each side of a room.
pub fn room_size(default: i64, least: i64) -> OptionSpec {
    count("room_size", default, least, 60, "cells on each side of a room, walls included")
}

/// Sizes of rooms and their number.
pub fn rooms() -> Vec<OptionSpec> {
    vec![room_size(8, 4), count("num_rows", 3, 1, 10, "rows of rooms"), count("num_cols", 3, 1, 10, "rooms in a row")]
}

/// Objects that draw attention away.
pub fn num_dists(default: i64) -> OptionSpec {
    count("num_dists", default, 0, 100, "objects to draw attention away")
}

/// As [`rooms`] says.
pub fn shape(options: &Options) -> Shape {
    Shape { room: integer(options, "room_size"), columns: integer(options, "num_cols"), rows: integer(options, "num_rows") }
}

/// So many rooms of the size that `room_size` says.
pub fn shape_of(options: &Options, columns: i32, rows: i32) -> Shape {
    Shape { room: integer(options, "room_size"), columns, rows }
}
