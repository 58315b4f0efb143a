//! A world being played: its grid, its objects, the agent, and what actions do.

use serde::{Deserialize, Serialize};

use super::{
    grid::{Grid, Id, Point, WAYS},
    instruction::Instruction,
    look::{Kind, Look},
};

/// What an agent can do, numbered as MiniGrid does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Act {
    /// Turn to the left.
    Left,
    /// Turn to the right.
    Right,
    /// One cell ahead.
    Forward,
    /// Take what is ahead.
    PickUp,
    /// Put down what is carried.
    Drop,
    /// Open or close a door, open a box.
    Toggle,
    /// Nothing, by itself.
    Done,
}

impl Act {
    /// All of them, by their numbers.
    pub const ALL: [Self; 7] = [Self::Left, Self::Right, Self::Forward, Self::PickUp, Self::Drop, Self::Toggle, Self::Done];
}

/// Something with an identity: a key, a ball, a box or a door.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// What it is. For a door, how it was made: its state is the grid's.
    pub look: Look,
    /// The object in a box; 0 for none.
    pub contents: Id,
    /// Where it was put last.
    pub place: Point,
}

/// Where the agent stands, and which of [`WAYS`] it faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Agent {
    /// Its cell.
    pub place: Point,
    /// The number of its direction.
    pub direction: u8,
}

impl Agent {
    /// The way it faces.
    #[inline]
    pub fn ahead(self) -> Point {
        WAYS[usize::from(self.direction & 3)]
    }

    /// The cell ahead of it.
    #[inline]
    pub fn front(self) -> Point {
        self.place + self.ahead()
    }
}

/// What an episode is about, as far as its level has to remember.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Quest {
    /// Nothing but what any world is about: the goal.
    #[default]
    Goal,
    /// One object.
    Object(Id),
    /// Two objects, in order.
    Objects(Id, Id),
    /// Anything that looks so.
    Look(Look),
    /// A cell.
    Place(Point),
    /// A cell that is right, and one that is wrong.
    Places(Point, Point),
    /// Something that looks so is to be put near a cell.
    PutNear(Look, Point),
    /// What the mission says.
    Instruction(Box<Instruction>),
}

/// What a step was worth, and whether it ended the episode.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outcome {
    /// The reward.
    pub reward: f64,
    /// Whether the rules ended the episode.
    pub terminated: bool,
}

impl Outcome {
    /// An end worth nothing.
    pub const FAILURE: Self = Self { reward: 0.0, terminated: true };
}

/// One world.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct World {
    /// Its cells.
    pub grid: Grid,
    /// Its objects; number 1 is the first.
    objects: Vec<Object>,
    /// The agent.
    pub agent: Agent,
    /// The object it carries; 0 for none.
    pub carried: Id,
    /// Steps since the beginning of the episode.
    pub steps: u32,
    /// Steps that it may take.
    pub max_steps: u32,
    /// What the agent is told to do.
    pub mission: String,
    /// A number for the mission, where its level has one.
    pub mission_id: i32,
    /// What the level remembers.
    pub quest: Quest,
    /// The object that the agent took up after its first look around, which shows it where it lay.
    pub taken_late: Id,
}

/// Most objects of a world.
pub const MOST_OBJECTS: usize = 250;

impl World {
    /// Begins anew, with an empty grid.
    pub fn clear(&mut self, width: i32, height: i32, margin: i32) {
        self.grid.clear(width, height, margin);
        self.objects.clear();
        self.agent = Agent { place: Point::NOWHERE, direction: 0 };
        (self.carried, self.taken_late, self.steps) = (0, 0, 0);
        self.quest = Quest::Goal;
    }

    /// A new object, which is nowhere yet; `None` where there are too many.
    pub(super) fn add(&mut self, look: Look, contents: Id) -> Option<Id> {
        if self.objects.len() >= MOST_OBJECTS {
            return None;
        }
        self.objects.push(Object { look, contents, place: Point::NOWHERE });
        Some(self.objects.len() as Id)
    }

    /// An object.
    #[inline]
    pub fn object(&self, id: Id) -> Object {
        self.objects[usize::from(id) - 1]
    }

    /// An object, to be changed.
    pub fn object_mut(&mut self, id: Id) -> &mut Object {
        &mut self.objects[usize::from(id) - 1]
    }

    /// Number of its objects.
    pub fn count(&self) -> usize {
        self.objects.len()
    }

    /// Puts an object into a cell, in place of what was there.
    pub fn put(&mut self, cell: Point, id: Id) {
        self.grid.set(cell, self.object(id).look, id);
        self.object_mut(id).place = cell;
    }

    /// How a door looks at present.
    pub fn door(&self, id: Id) -> Look {
        self.grid.look(self.object(id).place)
    }

    /// What the agent carries, as it looks; empty for nothing.
    #[inline]
    pub fn carried_look(&self) -> Look {
        if self.carried == 0 { Look::EMPTY } else { self.object(self.carried).look }
    }

    /// The reward for doing at this step what was to be done.
    #[inline]
    pub fn reward(&self) -> f64 {
        1.0 - 0.9 * (f64::from(self.steps) / f64::from(self.max_steps))
    }

    /// An end that was to be reached.
    pub fn success(&self) -> Outcome {
        Outcome { reward: self.reward(), terminated: true }
    }

    /// What any world makes of an action.
    #[inline]
    pub fn act(&mut self, act: Act) -> Outcome {
        self.taken_late = 0;
        self.steps = self.steps.saturating_add(1);
        let front = self.agent.front();
        let ahead = self.grid.look(front);
        match act {
            Act::Left => self.agent.direction = (self.agent.direction + 3) & 3,
            Act::Right => self.agent.direction = (self.agent.direction + 1) & 3,
            Act::Forward => {
                if ahead.kind().can_be_entered() {
                    self.agent.place = front;
                }
                match ahead.kind() {
                    Kind::Goal => return self.success(),
                    Kind::Lava => return Outcome::FAILURE,
                    _ => {}
                }
            }
            Act::PickUp => self.pick_up(front, ahead),
            Act::Drop => self.set_down(front, ahead),
            Act::Toggle => self.toggle(front, ahead),
            Act::Done => {}
        }
        Outcome::default()
    }

    fn pick_up(&mut self, front: Point, ahead: Look) {
        let id = self.grid.id(front);
        if ahead.kind().can_be_carried() && self.carried == 0 && id != 0 {
            self.carried = id;
            self.object_mut(id).place = Point::NOWHERE;
            self.grid.set(front, Look::EMPTY, 0);
        }
    }

    fn set_down(&mut self, front: Point, ahead: Look) {
        if ahead.is_empty() && self.carried != 0 {
            self.put(front, self.carried);
            self.carried = 0;
        }
    }

    fn toggle(&mut self, front: Point, ahead: Look) {
        match ahead.kind() {
            Kind::OpenDoor => self.grid.set_look(front, ahead.with_kind(Kind::ClosedDoor)),
            Kind::ClosedDoor => self.grid.set_look(front, ahead.with_kind(Kind::OpenDoor)),
            Kind::LockedDoor if self.carried_look() == ahead.with_kind(Kind::Key) => {
                self.grid.set_look(front, ahead.with_kind(Kind::OpenDoor));
            }
            Kind::Box => match self.grid.id(front) {
                0 => self.grid.set(front, Look::EMPTY, 0),
                id => match self.object(id).contents {
                    0 => self.grid.set(front, Look::EMPTY, 0),
                    contents => self.grid.set(front, self.object(contents).look, contents),
                },
            },
            _ => {}
        }
    }

    /// The world in text, two letters for each cell: MiniGrid's `pprint_grid`.
    pub fn text(&self) -> String {
        let rows = (0..self.grid.height()).map(|y| {
            let cells = (0..self.grid.width()).map(|x| self.letters(super::grid::at(x, y)));
            cells.collect::<String>()
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    fn letters(&self, cell: Point) -> String {
        if cell == self.agent.place {
            return [">>", "VV", "<<", "^^"][usize::from(self.agent.direction & 3)].to_owned();
        }
        let look = self.grid.look(cell);
        let kind = match look.kind() {
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
        let colour = look.colour().name().as_bytes()[0].to_ascii_uppercase();
        format!("{kind}{}", char::from(colour))
    }

    /// The world as the first observation of an episode shows it, where the agent has taken something up since.
    pub(super) fn as_first_seen(&self) -> Self {
        let mut seen = self.clone();
        let id = self.taken_late;
        (seen.carried, seen.taken_late) = (0, 0);
        seen.grid.set(self.object(id).place, self.object(id).look, id);
        seen
    }

    /// Takes up an object that lies in the world without its having moved, after the first look around: what it remembers of its
    /// place stays.
    pub fn take_late(&mut self, id: Id) {
        self.grid.set(self.object(id).place, Look::EMPTY, 0);
        (self.carried, self.taken_late) = (id, id);
    }

    /// Whether it can be played: all that it names is there.
    pub fn is_valid(&self, margin: i32) -> bool {
        let most = self.objects.len();
        let exists = |id: Id| usize::from(id) <= most;
        let is_there = |cell: Point| self.grid.area().contains(cell);
        let is_object = |object: &Object| {
            let is_known = object.look.is_valid() && (object.look.kind().is_door() || object.look.kind().can_be_carried());
            // What a box holds is no box with something in it, so that nothing holds itself.
            let holds = |id: Id| id == 0 || (exists(id) && self.object(id).contents == 0);
            is_known && holds(object.contents) && (object.place == Point::NOWHERE || is_there(object.place))
        };
        let quest = match &self.quest {
            Quest::Goal | Quest::Place(_) | Quest::Places(..) => true,
            Quest::Object(id) => *id > 0 && exists(*id),
            Quest::Objects(a, b) => [a, b].into_iter().all(|id| *id > 0 && exists(*id) && is_there(self.object(*id).place)),
            Quest::Look(look) | Quest::PutNear(look, _) => look.is_valid(),
            Quest::Instruction(instruction) => instruction.is_valid(&self.grid, most),
        };
        most <= MOST_OBJECTS
            && self.grid.is_valid(margin, most)
            && is_there(self.agent.place)
            && self.agent.direction < 4
            && exists(self.carried)
            && (self.taken_late == 0 || (self.taken_late == self.carried && is_there(self.object(self.carried).place)))
            && self.max_steps > 0
            && self.objects.iter().all(is_object)
            && quest
    }
}
