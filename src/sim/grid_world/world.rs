//! State of an episode: the grid, the objects, the agent, and the effect of actions.

use serde::{Deserialize, Serialize};

use super::{
    cell::{Cell, Kind},
    grid::{DIR_TO_VEC, Grid, ObjectId, Point},
    verifier::Verifier,
};

/// Action of the agent, numbered as in minigrid's `Actions`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Actions {
    /// The agent turns left by 90 degrees.
    Left,
    /// The agent turns right by 90 degrees.
    Right,
    /// The agent moves one cell ahead.
    Forward,
    /// The agent picks up the object ahead.
    Pickup,
    /// The agent drops the carried object into the cell ahead, if this cell is empty.
    Drop,
    /// The agent opens or closes the door ahead, or opens the box ahead.
    Toggle,
    /// The action has no effect on the world; some levels end the episode at this action.
    Done,
}

impl Actions {
    /// All actions, in the order of their numbers.
    pub const ALL: [Self; 7] = [Self::Left, Self::Right, Self::Forward, Self::Pickup, Self::Drop, Self::Toggle, Self::Done];
}

/// Object of a world, to which missions can refer: a key, ball, box or door.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// Kind and colour of the object. For a door, the kind is its state at creation; the grid contains its current state.
    pub cell: Cell,
    /// Object that a box contains; 0 if it contains none.
    pub contains: ObjectId,
    /// Last position of the object on the grid; [`Point::NOWHERE`] if it has never been on the grid.
    pub cur_pos: Point,
}

/// Position and direction of the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Agent {
    /// Position of the cell in which the agent is.
    pub pos: Point,
    /// Direction that the agent faces, as an index of [`DIR_TO_VEC`].
    pub dir: u8,
}

impl Agent {
    /// Returns the unit vector of the direction that the agent faces.
    #[inline]
    pub fn dir_vec(self) -> Point {
        DIR_TO_VEC[usize::from(self.dir & 3)]
    }

    /// Returns the position of the cell ahead of the agent.
    #[inline]
    pub fn front_pos(self) -> Point {
        self.pos + self.dir_vec()
    }
}

/// Target of an episode, which the level's rules check in each step.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Target {
    /// Goal cell, which ends the episode in every level.
    #[default]
    Goal,
    /// Object, given by its number.
    Object(ObjectId),
    /// Two objects, given by their numbers; the level's rules give each of them a meaning.
    Objects(ObjectId, ObjectId),
    /// Any object with this kind and this colour.
    Cell(Cell),
    /// Position on the grid.
    Pos(Point),
    /// Two positions: the first ends the episode with a reward, and the second ends it without a reward.
    SuccessAndFailure(Point, Point),
    /// Task to put an object with this kind and colour near this position.
    PutNear(Cell, Point),
    /// BabyAI mission, which its verifier checks.
    Instr(Box<Verifier>),
}

/// Reward and termination of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outcome {
    /// Reward of the step.
    pub reward: f64,
    /// Whether the step terminated the episode.
    pub terminated: bool,
}

impl Outcome {
    /// Outcome that ends the episode without a reward.
    pub const FAILURE: Self = Self { reward: 0.0, terminated: true };
}

/// State of an episode.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct World {
    /// Cells of the world.
    pub grid: Grid,
    /// Objects of the world; the first object has the number 1.
    objects: Vec<Object>,
    /// Position and direction of the agent.
    pub agent: Agent,
    /// Object that the agent carries; 0 if it carries none.
    pub carrying: ObjectId,
    /// Number of steps since the start of the episode.
    pub step_count: u32,
    /// Time limit of the episode, in steps.
    pub max_steps: u32,
    /// Text of the mission.
    pub mission: String,
    /// EnvPool's number of the mission, in levels that number their missions.
    pub mission_id: i32,
    /// Target of the episode, which the level's rules check in each step.
    pub target: Target,
    /// Number of the object that BabyAI lets the agent pick up right after the first observation, in which the object is still
    /// on the grid; 0 if there is none.
    pub picked_up_after_first_obs: ObjectId,
}

/// Maximum number of objects in a world.
pub const MAX_OBJECTS: usize = 250;

impl World {
    /// Resets the world to an empty grid, without objects and without an agent.
    pub fn clear(&mut self, width: i32, height: i32, margin: i32) {
        self.grid.clear(width, height, margin);
        self.objects.clear();
        self.agent = Agent { pos: Point::NOWHERE, dir: 0 };
        (self.carrying, self.picked_up_after_first_obs, self.step_count) = (0, 0, 0);
        self.target = Target::Goal;
    }

    /// Adds a new object without a position. Returns `None` if the world already has [`MAX_OBJECTS`] objects.
    pub(super) fn add_object(&mut self, cell: Cell, contents: ObjectId) -> Option<ObjectId> {
        if self.objects.len() >= MAX_OBJECTS {
            return None;
        }
        self.objects.push(Object { cell, contains: contents, cur_pos: Point::NOWHERE });
        Some(self.objects.len() as ObjectId)
    }

    /// Returns the object with the number `id`.
    #[inline]
    pub fn object(&self, id: ObjectId) -> Object {
        self.objects[usize::from(id) - 1]
    }

    /// Returns the object with the number `id`, mutably.
    pub fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        &mut self.objects[usize::from(id) - 1]
    }

    /// Returns the number of objects in the world.
    pub fn num_objects(&self) -> usize {
        self.objects.len()
    }

    /// Puts an object at a position, and replaces the cell there.
    pub fn put_obj(&mut self, pos: Point, id: ObjectId) {
        self.grid.set(pos, self.object(id).cell, id);
        self.object_mut(id).cur_pos = pos;
    }

    /// Returns the current cell of a door.
    pub fn door_cell(&self, id: ObjectId) -> Cell {
        self.grid.get(self.object(id).cur_pos)
    }

    /// Returns the cell of the carried object; an empty cell if the agent carries none.
    #[inline]
    pub fn carrying_cell(&self) -> Cell {
        if self.carrying == 0 { Cell::EMPTY } else { self.object(self.carrying).cell }
    }

    /// Returns the reward for completing the mission at the current step, `1 - 0.9 * step_count / max_steps`.
    #[inline]
    pub fn reward(&self) -> f64 {
        1.0 - 0.9 * (f64::from(self.step_count) / f64::from(self.max_steps))
    }

    /// Returns the outcome of a completed mission: it ends the episode with the reward [`World::reward`].
    pub fn success(&self) -> Outcome {
        Outcome { reward: self.reward(), terminated: true }
    }

    /// Applies an action (`MiniGridEnv.step`) and returns its reward and termination.
    #[inline]
    pub fn step(&mut self, action: Actions) -> Outcome {
        self.picked_up_after_first_obs = 0;
        self.step_count = self.step_count.saturating_add(1);
        let front = self.agent.front_pos();
        let ahead = self.grid.get(front);
        match action {
            Actions::Left => self.agent.dir = (self.agent.dir + 3) & 3,
            Actions::Right => self.agent.dir = (self.agent.dir + 1) & 3,
            Actions::Forward => {
                if ahead.kind().can_overlap() {
                    self.agent.pos = front;
                }
                match ahead.kind() {
                    Kind::Goal => return self.success(),
                    Kind::Lava => return Outcome::FAILURE,
                    _ => {}
                }
            }
            Actions::Pickup => self.pick_up(front, ahead),
            Actions::Drop => self.drop_object(front, ahead),
            Actions::Toggle => self.toggle(front, ahead),
            Actions::Done => {}
        }
        Outcome::default()
    }

    fn pick_up(&mut self, front: Point, ahead: Cell) {
        let id = self.grid.object_id(front);
        if ahead.kind().can_pickup() && self.carrying == 0 && id != 0 {
            self.carrying = id;
            self.object_mut(id).cur_pos = Point::NOWHERE;
            self.grid.set(front, Cell::EMPTY, 0);
        }
    }

    fn drop_object(&mut self, front: Point, ahead: Cell) {
        if ahead.is_empty() && self.carrying != 0 {
            self.put_obj(front, self.carrying);
            self.carrying = 0;
        }
    }

    fn toggle(&mut self, front: Point, ahead: Cell) {
        match ahead.kind() {
            Kind::OpenDoor => self.grid.set_cell(front, ahead.with_kind(Kind::ClosedDoor)),
            Kind::ClosedDoor => self.grid.set_cell(front, ahead.with_kind(Kind::OpenDoor)),
            Kind::LockedDoor if self.carrying_cell() == ahead.with_kind(Kind::Key) => {
                self.grid.set_cell(front, ahead.with_kind(Kind::OpenDoor));
            }
            Kind::Box => match self.grid.object_id(front) {
                0 => self.grid.set(front, Cell::EMPTY, 0),
                id => match self.object(id).contains {
                    0 => self.grid.set(front, Cell::EMPTY, 0),
                    contents => self.grid.set(front, self.object(contents).cell, contents),
                },
            },
            _ => {}
        }
    }

    /// Returns the world as text with two characters per cell, as minigrid's `pprint_grid` does.
    pub fn pprint_grid(&self) -> String {
        let rows = (0..self.grid.height()).map(|y| {
            let cells = (0..self.grid.width()).map(|x| self.cell_letters(super::grid::at(x, y)));
            cells.collect::<String>()
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    fn cell_letters(&self, pos: Point) -> String {
        if pos == self.agent.pos {
            return [">>", "VV", "<<", "^^"][usize::from(self.agent.dir & 3)].to_owned();
        }
        let cell = self.grid.get(pos);
        let kind = match cell.kind() {
            Kind::Empty => return "  ".to_owned(),
            Kind::OpenDoor => return "__".to_owned(),
            Kind::Wall => 'W',
            Kind::Floor => 'F',
            Kind::ClosedDoor => 'D',
            Kind::LockedDoor => 'L',
            Kind::Key => 'K',
            Kind::Ball => 'A',
            Kind::Box => 'B',
            Kind::Goal => 'G',
            Kind::Lava => 'V',
        };
        let color = cell.color().name().as_bytes()[0].to_ascii_uppercase();
        format!("{kind}{}", char::from(color))
    }

    /// Returns a copy of the world as the first observation shows it: an object that the agent picked up after that observation
    /// is still on the grid.
    pub(super) fn as_first_observed(&self) -> Self {
        let mut world = self.clone();
        let id = self.picked_up_after_first_obs;
        (world.carrying, world.picked_up_after_first_obs) = (0, 0);
        world.grid.set(self.object(id).cur_pos, self.object(id).cell, id);
        world
    }

    /// Moves an object from the grid into the agent's hands; the first observation still shows it on the grid. As in BabyAI, the
    /// object keeps its last position.
    pub fn pick_up_after_first_obs(&mut self, id: ObjectId) {
        self.grid.set(self.object(id).cur_pos, Cell::EMPTY, 0);
        (self.carrying, self.picked_up_after_first_obs) = (id, id);
    }

    /// Returns whether a restored world can be stepped: every position, object number and cell in the world is valid, and the
    /// grid's margin is `margin` cells wide.
    pub fn is_valid(&self, margin: i32) -> bool {
        let max_id = self.objects.len();
        let exists = |id: ObjectId| usize::from(id) <= max_id;
        let is_inside = |pos: Point| self.grid.area().contains(pos);
        let is_object = |object: &Object| {
            let has_object_kind = object.cell.is_valid() && (object.cell.kind().is_door() || object.cell.kind().can_pickup());
            // A box must not contain a box that itself contains an object. This check also excludes objects that contain
            // themselves.
            let may_contain = |id: ObjectId| id == 0 || (exists(id) && self.object(id).contains == 0);
            has_object_kind && may_contain(object.contains) && (object.cur_pos == Point::NOWHERE || is_inside(object.cur_pos))
        };
        let target = match &self.target {
            Target::Goal | Target::Pos(_) | Target::SuccessAndFailure(..) => true,
            Target::Object(id) => *id > 0 && exists(*id),
            Target::Objects(a, b) => [a, b].into_iter().all(|id| *id > 0 && exists(*id) && is_inside(self.object(*id).cur_pos)),
            Target::Cell(cell) | Target::PutNear(cell, _) => cell.is_valid(),
            Target::Instr(verifier) => verifier.is_valid(&self.grid, max_id),
        };
        max_id <= MAX_OBJECTS
            && self.grid.is_valid(margin, max_id)
            && is_inside(self.agent.pos)
            && self.agent.dir < 4
            && exists(self.carrying)
            && (self.picked_up_after_first_obs == 0
                || (self.picked_up_after_first_obs == self.carrying && is_inside(self.object(self.carrying).cur_pos)))
            && self.max_steps > 0
            && self.objects.iter().all(is_object)
            && target
    }
}
