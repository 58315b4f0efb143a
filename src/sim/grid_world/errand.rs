//! BabyAI's errands: what they say, which objects they mean, and when they are done.

use super::{
    grid::{Area, Id, Point, WAYS},
    instruction::{Action, Clause, Group, Instruction, Objects},
    look::{Colour, Kind},
    world::{Act, World},
};

/// Where an object lies, as the agent sees it at the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// On its left.
    Left,
    /// On its right.
    Right,
    /// Before it.
    Front,
    /// Behind it.
    Behind,
}

impl Side {
    /// In the order in which sides are drawn.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Front, Self::Behind];

    const fn words(self) -> &'static str {
        match self {
            Self::Left => " on your left",
            Self::Right => " on your right",
            Self::Front => " in front of you",
            Self::Behind => " behind you",
        }
    }

    /// Whether something that is `way` from an agent that faces `ahead` is on this side of it.
    fn holds(self, way: Point, ahead: Point) -> bool {
        let along = |axis: Point| way.x * axis.x + way.y * axis.y;
        match self {
            Self::Left => along(ahead.turned_right()) < 0,
            Self::Right => along(ahead.turned_right()) > 0,
            Self::Front => along(ahead) > 0,
            Self::Behind => along(ahead) < 0,
        }
    }
}

/// What an object is to be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// Of which kind; any door stands for doors. `None`: of any.
    pub kind: Option<Kind>,
    /// Of which colour.
    pub colour: Option<Colour>,
    /// On which side of the agent, in its room.
    pub side: Option<Side>,
}

impl Wanted {
    /// A kind and a colour.
    pub const fn new(kind: Option<Kind>, colour: Option<Colour>) -> Self {
        Self { kind, colour, side: None }
    }

    /// The cells of what is like it, column by column. `room` is the agent's.
    fn cells(self, world: &World, room: Area) -> impl Iterator<Item = Point> {
        world.grid.cells().filter(move |cell| {
            let look = world.grid.look(*cell);
            let is_on_side = |side: Side| room.contains(*cell) && side.holds(*cell - world.agent.place, world.agent.ahead());
            !look.is_empty()
                && self.kind.is_none_or(|kind| look.is_a(kind))
                && self.colour.is_none_or(|colour| look.colour() == colour)
                && self.side.is_none_or(is_on_side)
        })
    }

    /// The objects meant in this world, and how they are called.
    fn found(self, world: &World, room: Area) -> Found {
        let mut objects = Objects::default();
        let mut count = 0;
        for cell in self.cells(world, room) {
            objects.insert(world.grid.id(cell));
            count += 1;
        }
        let mut words = String::from(if count > 1 { "a " } else { "the " });
        if let Some(colour) = self.colour {
            words += colour.name();
            words.push(' ');
        }
        words += self.kind.map_or("object", Kind::name);
        words += self.side.map_or("", Side::words);
        Found { objects, words }
    }

    /// Whether something like it is in a cell that `is_allowed`.
    pub fn is_found(self, world: &World, room: Area, is_allowed: impl Fn(Point) -> bool) -> bool {
        self.cells(world, room).any(is_allowed)
    }
}

/// Objects that were wanted, in a world.
#[derive(Debug, Clone)]
struct Found {
    objects: Objects,
    words: String,
}

/// One thing to do, before there is a world to do it in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Face it.
    GoTo(Wanted),
    /// Open a door; strictly: no other before.
    Open(Wanted, bool),
    /// Take it up; strictly: nothing else before.
    PickUp(Wanted, bool),
    /// Put one next to another.
    PutNext(Wanted, Wanted),
}

impl Deed {
    /// Walks that it takes: what the time for it is reckoned by.
    const fn walks(self) -> u32 {
        if matches!(self, Self::PutNext(..)) { 2 } else { 1 }
    }

    fn clause(self, world: &World, room: Area) -> (Clause, String) {
        let found = |wanted: Wanted| wanted.found(world, room);
        let clause = |action, found: &Found, strict| Clause {
            action,
            objects: found.objects,
            fixed: Objects::default(),
            strict,
            carried: 0,
        };
        match self {
            Self::GoTo(wanted) => {
                let found = found(wanted);
                (clause(Action::GoTo, &found, false), format!("go to {}", found.words))
            }
            Self::Open(wanted, strict) => {
                let found = found(wanted);
                (clause(Action::Open, &found, strict), format!("open {}", found.words))
            }
            Self::PickUp(wanted, strict) => {
                let found = found(wanted);
                (clause(Action::PickUp, &found, strict), format!("pick up {}", found.words))
            }
            Self::PutNext(moved, fixed) => {
                let (moved, fixed) = (found(moved), found(fixed));
                let words = format!("put {} next to {}", moved.words, fixed.words);
                (Clause { fixed: fixed.objects, ..clause(Action::PutNext, &moved, false) }, words)
            }
        }
    }

    /// Whether it can be asked for: nothing is to be put next to itself, or to where it lies already, and no key that may be needed is
    /// named.
    fn is_sensible(self, world: &World, room: Area, needed_keys: &[Colour]) -> bool {
        let is_free =
            |wanted: Wanted| wanted.kind != Some(Kind::Key) || !wanted.colour.is_some_and(|colour| needed_keys.contains(&colour));
        match self {
            Self::GoTo(wanted) | Self::Open(wanted, _) | Self::PickUp(wanted, _) => is_free(wanted),
            Self::PutNext(moved, fixed) => {
                let (lifted, others) = (moved.found(world, room).objects, fixed.found(world, room).objects);
                let lies_there = |id: Id| WAYS.iter().any(|way| others.contains(world.grid.id(world.object(id).place + *way)));
                is_free(moved) && is_free(fixed) && !lifted.ids().any(|id| others.contains(id)) && !lifted.ids().any(lies_there)
            }
        }
    }
}

/// One or two things to do, in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// One thing.
    One(Deed),
    /// Two of them.
    Both(Deed, Deed),
}

impl Part {
    fn deeds(self) -> impl Iterator<Item = Deed> {
        let (first, second) = match self {
            Self::One(deed) => (deed, None),
            Self::Both(first, second) => (first, Some(second)),
        };
        std::iter::once(first).chain(second)
    }

    fn group(self, world: &World, room: Area) -> (Group, String) {
        let (clauses, texts): (Vec<_>, Vec<_>) = self.deeds().map(|deed| deed.clause(world, room)).unzip();
        (Group { clauses, done: [false; 2] }, texts.join(" and "))
    }
}

/// What an agent is told to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errand {
    /// A part.
    Only(Part),
    /// A part, then another.
    Before(Part, Part),
    /// A part, after another.
    After(Part, Part),
}

impl From<Deed> for Errand {
    fn from(deed: Deed) -> Self {
        Self::Only(Part::One(deed))
    }
}

impl Errand {
    fn parts(self) -> impl Iterator<Item = Part> {
        let (first, second) = match self {
            Self::Only(part) => (part, None),
            Self::Before(first, second) | Self::After(first, second) => (first, Some(second)),
        };
        std::iter::once(first).chain(second)
    }

    /// Walks that it takes.
    pub fn walks(self) -> u32 {
        self.parts().flat_map(Part::deeds).map(Deed::walks).sum()
    }

    /// Whether it can be asked for in this world, in which keys of some colours may be needed. `room` is the agent's.
    pub fn is_sensible(self, world: &World, room: Area, needed_keys: &[Colour]) -> bool {
        self.parts().flat_map(Part::deeds).all(|deed| deed.is_sensible(world, room, needed_keys))
    }

    /// Its words, and what watches over it. `room` is the agent's.
    pub fn given(self, world: &World, room: Area) -> (String, Instruction) {
        let (parts, between) = match self {
            Self::Only(part) => (vec![part], ""),
            Self::Before(first, second) => (vec![first, second], ", then "),
            Self::After(first, second) => (vec![first, second], " after you "),
        };
        let (groups, texts): (Vec<_>, Vec<_>) = parts.into_iter().map(|part| part.group(world, room)).unzip();
        let mut instruction =
            Instruction { groups, is_backwards: matches!(self, Self::After(..)), first_done: false, noted: Vec::new() };
        instruction.note(&world.grid);
        (texts.join(between), instruction)
    }
}

/// What came of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It goes on.
    Continue,
    /// It is done.
    Success,
    /// It cannot be done any more.
    Failure,
}

impl Clause {
    fn verify(&mut self, world: &World, act: Act, noted: &[Id]) -> Progress {
        let noted_at = |cell: Point| world.grid.index(cell).map_or(0, |index| noted[index]);
        let front = world.agent.front();
        let carried_before = match self.action {
            Action::PickUp | Action::PutNext => std::mem::replace(&mut self.carried, world.carried),
            Action::GoTo | Action::Open => 0,
        };
        let is_done = match (self.action, act) {
            (Action::GoTo, _) => self.objects.contains(noted_at(front)),
            (Action::Open, Act::Toggle) => {
                self.objects.contains(world.grid.id(front)) && world.grid.look(front).kind() == Kind::OpenDoor
            }
            (Action::PickUp, Act::PickUp) => carried_before == 0 && self.objects.contains(world.carried),
            (Action::PutNext, Act::Drop) => {
                self.objects.contains(carried_before) && {
                    let place = world.object(carried_before).place;
                    WAYS.iter().any(|way| self.fixed.contains(noted_at(place + *way)))
                }
            }
            _ => false,
        };
        let is_spoilt = self.strict
            && match (self.action, act) {
                (Action::Open, Act::Toggle) => world.grid.look(front).kind().is_door(),
                (Action::PickUp, Act::PickUp) => world.carried != 0,
                _ => false,
            };
        match (is_done, is_spoilt) {
            (true, _) => Progress::Success,
            (false, true) => Progress::Failure,
            (false, false) => Progress::Continue,
        }
    }
}

impl Group {
    fn verify(&mut self, world: &World, act: Act, noted: &[Id]) -> Progress {
        if let [only] = &mut *self.clauses {
            return only.verify(world, act, noted);
        }
        // Of two, one that fails is tried again.
        for (clause, done) in self.clauses.iter_mut().zip(&mut self.done) {
            *done = *done || clause.verify(world, act, noted) == Progress::Success;
        }
        if self.done == [true; 2] { Progress::Success } else { Progress::Continue }
    }
}

impl Instruction {
    /// Looks at what an action has made of the world.
    pub fn verify(&mut self, world: &World, act: Act) -> Progress {
        if act == Act::Drop {
            self.note(&world.grid);
        }
        let Self { groups, is_backwards, first_done, noted } = self;
        let (first, last) = match &mut **groups {
            [only] => return only.verify(world, act, noted),
            [a, b] if *is_backwards => (b, a),
            [a, b, ..] => (a, b),
            [] => return Progress::Continue,
        };
        if !*first_done {
            match first.verify(world, act, noted) {
                Progress::Success => *first_done = true,
                other => return other,
            }
        }
        last.verify(world, act, noted)
    }
}
