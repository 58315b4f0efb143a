//! Builder of a world: draws random numbers in minigrid's order, and places objects.

use super::{
    cell::{Cell, Color, Kind},
    grid::{Area, ObjectId, Point, at},
    world::World,
};
use envpool_rs_numeric::random::Generator;

/// Reason why a world cannot be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GenError {
    /// The random draws led to a world that minigrid also rejects (`RejectSampling`); another attempt may succeed.
    Rejected,
    /// No world exists for the given options; minigrid would loop forever or fail.
    Impossible,
}

/// Result of a function that generates a part of a world, or an error if the world cannot be generated.
pub type GenResult<T> = Result<T, GenError>;

/// Maximum number of random attempts while one world is generated, far above the number that any possible world takes.
pub const MAX_ATTEMPTS: u32 = 2_000_000;

/// Builder of a world. It draws from the world's random generator.
pub struct WorldBuilder<'a> {
    /// World under construction.
    pub world: &'a mut World,
    random: &'a mut Generator,
    /// Number of cells beyond the edge of the grid that an agent at the edge can see.
    margin: i32,
    attempts: u32,
}

/// Maximum number of attempts to find a position (minigrid's `max_tries`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaxTries {
    /// No limit on the number of attempts except `MAX_ATTEMPTS`.
    Unlimited,
    /// At most this number of attempts plus one, because minigrid makes one more attempt than its limit.
    Limit(u32),
}

/// Functions that draw random values with the world's generator.
impl<'a> WorldBuilder<'a> {
    /// Returns a builder for the world `world`, whose grid gets a margin of `margin` wall cells on each side; `random` is the
    /// generator that it draws from.
    pub fn new(world: &'a mut World, random: &'a mut Generator, margin: i32) -> Self {
        Self { world, random, margin, attempts: 0 }
    }

    /// Draws an integer from `low` to `high - 1`.
    ///
    /// # Errors
    /// `Impossible` if the range is empty.
    #[inline]
    pub fn rand_int(&mut self, low: i32, high: i32) -> GenResult<i32> {
        if low >= high {
            return Err(GenError::Impossible);
        }
        Ok(self.random.integers(i64::from(low), i64::from(high)) as i32)
    }

    /// Draws a boolean; both values are equally likely.
    pub fn rand_bool(&mut self) -> bool {
        self.random.integers(0, 2) == 0
    }

    /// Draws a number from 0 to 1 (exclusive).
    pub fn rand_float(&mut self) -> f64 {
        self.random.uniform(0.0, 1.0)
    }

    /// Draws one of the elements of `elements`.
    ///
    /// # Errors
    /// `Impossible` if there are no elements.
    pub fn rand_elem<T: Copy>(&mut self, elements: &[T]) -> GenResult<T> {
        Ok(elements[self.rand_int(0, elements.len() as i32)? as usize])
    }

    /// Draws `count` different elements of `elements`, in the order in which they are drawn.
    ///
    /// # Errors
    /// `Impossible` if there are fewer than `count` elements.
    pub fn rand_subset<T: Copy>(&mut self, elements: &[T], count: usize) -> GenResult<Vec<T>> {
        let mut left = elements.to_vec();
        (0..count).map(|_| Ok(left.remove(self.rand_int(0, left.len() as i32)? as usize))).collect()
    }

    /// Draws a colour; all colours are equally likely.
    pub fn rand_color(&mut self) -> Color {
        Color::SORTED[self.random.integers(0, 6) as usize]
    }

    /// Draws a position in an area: its column, then its row.
    ///
    /// # Errors
    /// `Impossible` if the area is empty.
    pub fn rand_pos(&mut self, area: Area) -> GenResult<Point> {
        let x = self.rand_int(area.top.x, area.top.x + area.width)?;
        Ok(at(x, self.rand_int(area.top.y, area.top.y + area.height)?))
    }

    /// Draws an index with the given probabilities, which sum to 1: index `i` with probability `probabilities[i]`.
    pub fn choice_weighted(&mut self, probabilities: &[f64]) -> usize {
        self.random.choice_weighted(probabilities)
    }

    /// Returns the indices 0 to `count - 1` in random order.
    pub fn permutation(&mut self, count: usize) -> Vec<usize> {
        self.random.permutation(count)
    }

    /// Shuffles `items` in place, uniformly at random.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.random.shuffle(items);
    }

    /// Counts an attempt in a loop that may never succeed.
    ///
    /// # Errors
    /// `Impossible` after `MAX_ATTEMPTS` attempts.
    #[inline]
    pub fn count_attempt(&mut self) -> GenResult<()> {
        self.attempts += 1;
        if self.attempts > MAX_ATTEMPTS { Err(GenError::Impossible) } else { Ok(()) }
    }
}

/// Functions that place objects and the agent.
impl WorldBuilder<'_> {
    /// Resets the world to an empty grid of `width` by `height` cells.
    pub fn clear(&mut self, width: i32, height: i32) {
        self.world.clear(width, height, self.margin);
    }

    /// Adds a new object to the world, without a position.
    ///
    /// # Errors
    /// `Impossible` if the world already has [`MAX_OBJECTS`](crate::MAX_OBJECTS) objects.
    pub fn new_object(&mut self, kind: Kind, color: Color) -> GenResult<ObjectId> {
        self.world.add_object(Cell::new(kind, color), 0).ok_or(GenError::Impossible)
    }

    /// Adds a new box that contains the object `contents`.
    ///
    /// # Errors
    /// `Impossible` if the world already has [`MAX_OBJECTS`](crate::MAX_OBJECTS) objects.
    pub fn new_box(&mut self, color: Color, contents: ObjectId) -> GenResult<ObjectId> {
        self.world.add_object(Cell::new(Kind::Box, color), contents).ok_or(GenError::Impossible)
    }

    /// Creates an object, and replaces the contents of the cell at a position by it.
    ///
    /// # Errors
    /// `Impossible` if the world already has [`MAX_OBJECTS`](crate::MAX_OBJECTS) objects.
    pub fn put_new(&mut self, pos: Point, kind: Kind, color: Color) -> GenResult<ObjectId> {
        let id = self.new_object(kind, color)?;
        self.world.put_obj(pos, id);
        Ok(id)
    }

    /// Replaces the cell at a position by a cell that contains no object, such as a wall.
    pub fn set(&mut self, pos: Point, cell: Cell) {
        self.world.grid.set(pos, cell, 0);
    }

    /// Draws random positions in an area until one is free: its cell is empty, the agent is not there, and `rejected` returns
    /// false for it.
    ///
    /// # Errors
    /// `Rejected` after too many attempts, `Impossible` if no attempt could succeed.
    pub fn find_free_pos(
        &mut self,
        area: Area,
        max_tries: MaxTries,
        rejected: impl Fn(&World, Point) -> bool,
    ) -> GenResult<Point> {
        let (left, top) = (area.top.x.max(0), area.top.y.max(0));
        let right = (left + area.width).min(self.world.grid.width());
        let bottom = (top + area.height).min(self.world.grid.height());
        let mut attempts = 0;
        loop {
            if matches!(max_tries, MaxTries::Limit(limit) if attempts > limit) {
                return Err(GenError::Rejected);
            }
            attempts += 1;
            self.count_attempt()?;
            let x = self.rand_int(left, right)?;
            let pos = at(x, self.rand_int(top, bottom)?);
            let is_free = self.world.grid.get(pos).is_empty() && pos != self.world.agent.pos;
            if is_free && !rejected(self.world, pos) {
                return Ok(pos);
            }
        }
    }

    /// Places a new object at a random position in an area.
    ///
    /// # Errors
    /// `Rejected` after too many attempts; `Impossible` if no position is free, or if the world already has the maximum number
    /// of objects.
    pub fn place_new(&mut self, kind: Kind, color: Color, area: Area) -> GenResult<ObjectId> {
        let id = self.new_object(kind, color)?;
        let pos = self.find_free_pos(area, MaxTries::Unlimited, |_, _| false)?;
        self.world.put_obj(pos, id);
        Ok(id)
    }

    /// Places the goal at a random position in an area.
    ///
    /// # Errors
    /// `Rejected` after too many attempts, `Impossible` if no position is free.
    pub fn place_goal(&mut self, area: Area) -> GenResult<()> {
        let pos = self.find_free_pos(area, MaxTries::Unlimited, |_, _| false)?;
        self.set(pos, Cell::GOAL);
        Ok(())
    }

    /// Places the agent at a random position in an area, with a random direction.
    ///
    /// # Errors
    /// `Rejected` after too many attempts, `Impossible` if no position is free.
    pub fn place_agent(&mut self, area: Area, max_tries: MaxTries) -> GenResult<()> {
        self.world.agent.pos = Point::NOWHERE;
        self.world.agent.pos = self.find_free_pos(area, max_tries, |_, _| false)?;
        self.world.agent.dir = self.rand_int(0, 4)? as u8;
        Ok(())
    }

    /// Places the agent at a random position in the world.
    ///
    /// # Errors
    /// `Rejected` after too many attempts, `Impossible` if no position is free.
    pub fn place_agent_anywhere(&mut self) -> GenResult<()> {
        self.place_agent(self.world.grid.area(), MaxTries::Unlimited)
    }

    /// Puts the agent at a position, facing `direction` (an index of `DIR_TO_VEC`).
    pub fn set_agent(&mut self, pos: Point, direction: u8) {
        self.world.agent.pos = pos;
        self.world.agent.dir = direction;
    }

    /// Returns the area of the complete world.
    pub fn area(&self) -> Area {
        self.world.grid.area()
    }

    /// Sets the text of the mission. `id` is EnvPool's number of the mission within its level.
    pub fn set_mission(&mut self, mission: impl Into<String>, id: i32) {
        self.world.mission = mission.into();
        self.world.mission_id = id;
    }
}
