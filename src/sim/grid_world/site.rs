//! A world while it is made: random draws in the reference's order, and things that are put where they may be.

use super::{
    grid::{Area, Id, Point, at},
    look::{Colour, Kind, Look},
    world::World,
};
use envpool_rs_numeric::random::Generator;

/// Why a world could not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unmade {
    /// This attempt is one that the reference gives up, too.
    Rejected,
    /// It cannot be: the reference would try for ever, or fail.
    Impossible,
}

/// What making worlds gives.
pub type Made<T> = Result<T, Unmade>;

/// Attempts that a world may take before it counts as impossible: far more than any that can be made.
pub const MOST_ATTEMPTS: u32 = 2_000_000;

/// A world while it is made.
pub struct Site<'a> {
    /// The world.
    pub world: &'a mut World,
    random: &'a mut Generator,
    /// How far somebody at the edge can see.
    margin: i32,
    attempts: u32,
}

/// How often something may be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tries {
    /// For ever.
    Endless,
    /// So many times and once more, as the reference counts.
    Most(u32),
}

/// Random draws.
impl<'a> Site<'a> {
    /// A site for a world whose grid has this margin.
    pub fn new(world: &'a mut World, random: &'a mut Generator, margin: i32) -> Self {
        Self { world, random, margin, attempts: 0 }
    }

    /// An integer from `low` to `high - 1`.
    ///
    /// # Errors
    /// `Impossible` where there is none.
    #[inline]
    pub fn integer(&mut self, low: i32, high: i32) -> Made<i32> {
        if low >= high {
            return Err(Unmade::Impossible);
        }
        Ok(self.random.integers(i64::from(low), i64::from(high)) as i32)
    }

    /// Yes or no.
    pub fn flag(&mut self) -> bool {
        self.random.integers(0, 2) == 0
    }

    /// A number from 0 to 1.
    pub fn share(&mut self) -> f64 {
        self.random.uniform(0.0, 1.0)
    }

    /// One of several.
    ///
    /// # Errors
    /// `Impossible` where there are none.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> Made<T> {
        Ok(all[self.integer(0, all.len() as i32)? as usize])
    }

    /// So many of several, in the order drawn.
    ///
    /// # Errors
    /// `Impossible` where there are too few.
    pub fn some_of<T: Copy>(&mut self, all: &[T], count: usize) -> Made<Vec<T>> {
        let mut left = all.to_vec();
        (0..count).map(|_| Ok(left.remove(self.integer(0, left.len() as i32)? as usize))).collect()
    }

    /// A colour.
    pub fn colour(&mut self) -> Colour {
        Colour::SORTED[self.random.integers(0, 6) as usize]
    }

    /// A cell of an area.
    ///
    /// # Errors
    /// `Impossible` where it has none.
    pub fn cell_of(&mut self, area: Area) -> Made<Point> {
        let x = self.integer(area.top.x, area.top.x + area.width)?;
        Ok(at(x, self.integer(area.top.y, area.top.y + area.height)?))
    }

    /// An index, drawn with these probabilities, which sum to 1.
    pub fn weighted(&mut self, probabilities: &[f64]) -> usize {
        self.random.choice_weighted(probabilities)
    }

    /// The indices below `count` in random order.
    pub fn permutation(&mut self, count: usize) -> Vec<usize> {
        self.random.permutation(count)
    }

    /// Puts items into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.random.shuffle(items);
    }

    /// Counts an attempt at something that may never succeed.
    ///
    /// # Errors
    /// `Impossible` where there have been too many.
    #[inline]
    pub fn try_again(&mut self) -> Made<()> {
        self.attempts += 1;
        if self.attempts > MOST_ATTEMPTS { Err(Unmade::Impossible) } else { Ok(()) }
    }
}

/// What is put into the world.
impl Site<'_> {
    /// Makes the world an empty grid of this size.
    pub fn clear(&mut self, width: i32, height: i32) {
        self.world.clear(width, height, self.margin);
    }

    /// A new object, nowhere yet.
    ///
    /// # Errors
    /// `Impossible` where there are too many.
    pub fn object(&mut self, kind: Kind, colour: Colour) -> Made<Id> {
        self.world.add(Look::new(kind, colour), 0).ok_or(Unmade::Impossible)
    }

    /// A new box with something in it.
    ///
    /// # Errors
    /// `Impossible` where there are too many objects.
    pub fn box_with(&mut self, colour: Colour, contents: Id) -> Made<Id> {
        self.world.add(Look::new(Kind::Box, colour), contents).ok_or(Unmade::Impossible)
    }

    /// A new object in a cell, in place of what was there.
    ///
    /// # Errors
    /// `Impossible` where there are too many.
    pub fn put(&mut self, cell: Point, kind: Kind, colour: Colour) -> Made<Id> {
        let id = self.object(kind, colour)?;
        self.world.put(cell, id);
        Ok(id)
    }

    /// Something without identity in a cell, in place of what was there.
    pub fn set(&mut self, cell: Point, look: Look) {
        self.world.grid.set(cell, look, 0);
    }

    /// Finds an empty cell of an area where the agent is not and which is not `refused`.
    ///
    /// # Errors
    /// `Rejected` after too many tries, `Impossible` where they would never end.
    pub fn find(&mut self, area: Area, tries: Tries, refused: impl Fn(&World, Point) -> bool) -> Made<Point> {
        let (left, top) = (area.top.x.max(0), area.top.y.max(0));
        let right = (left + area.width).min(self.world.grid.width());
        let bottom = (top + area.height).min(self.world.grid.height());
        let mut tried = 0;
        loop {
            if matches!(tries, Tries::Most(most) if tried > most) {
                return Err(Unmade::Rejected);
            }
            tried += 1;
            self.try_again()?;
            let x = self.integer(left, right)?;
            let cell = at(x, self.integer(top, bottom)?);
            let is_free = self.world.grid.look(cell).is_empty() && cell != self.world.agent.place;
            if is_free && !refused(self.world, cell) {
                return Ok(cell);
            }
        }
    }

    /// A new object somewhere in an area.
    ///
    /// # Errors
    /// Those of `find`, and of `object`.
    pub fn place(&mut self, kind: Kind, colour: Colour, area: Area) -> Made<Id> {
        let id = self.object(kind, colour)?;
        let cell = self.find(area, Tries::Endless, |_, _| false)?;
        self.world.put(cell, id);
        Ok(id)
    }

    /// The goal somewhere in an area.
    ///
    /// # Errors
    /// Those of `find`.
    pub fn place_goal(&mut self, area: Area) -> Made<()> {
        let cell = self.find(area, Tries::Endless, |_, _| false)?;
        self.set(cell, Look::GOAL);
        Ok(())
    }

    /// The agent somewhere in an area, facing anywhere.
    ///
    /// # Errors
    /// Those of `find`.
    pub fn place_agent(&mut self, area: Area, tries: Tries) -> Made<()> {
        self.world.agent.place = Point::NOWHERE;
        self.world.agent.place = self.find(area, tries, |_, _| false)?;
        self.world.agent.direction = self.integer(0, 4)? as u8;
        Ok(())
    }

    /// The agent anywhere.
    ///
    /// # Errors
    /// Those of `find`.
    pub fn place_agent_anywhere(&mut self) -> Made<()> {
        self.place_agent(self.world.grid.area(), Tries::Endless)
    }

    /// The agent in a cell, facing a way.
    pub fn set_agent(&mut self, place: Point, direction: u8) {
        self.world.agent.place = place;
        self.world.agent.direction = direction;
    }

    /// All of the world's cells.
    pub fn area(&self) -> Area {
        self.world.grid.area()
    }

    /// Tells the agent what to do; `id` is what EnvPool numbers missions of a level with.
    pub fn tell(&mut self, mission: impl Into<String>, id: i32) {
        self.world.mission = mission.into();
        self.world.mission_id = id;
    }
}
