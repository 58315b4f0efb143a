//! BabyAI's instructions (`verifier.py`): their text, the objects that they refer to, and the checks after each step.

use super::{
    cell::{Color, Kind},
    grid::{Area, DIR_TO_VEC, ObjectId, Point},
    verifier::{ActionKind, ActionVerifier, AndVerifier, ObjSet, Verifier},
    world::{Actions, World},
};

/// Location of an object relative to the agent's position and direction at the start of the episode (`loc` in BabyAI).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loc {
    /// The object is to the agent's left.
    Left,
    /// The object is to the agent's right.
    Right,
    /// The object is in front of the agent.
    Front,
    /// The object is behind the agent.
    Behind,
}

impl Loc {
    /// All locations, in the order in which BabyAI draws them (`LOC_NAMES`).
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Front, Self::Behind];

    const fn surface(self) -> &'static str {
        match self {
            Self::Left => " on your left",
            Self::Right => " on your right",
            Self::Front => " in front of you",
            Self::Behind => " behind you",
        }
    }

    /// Returns whether a position is at this location. `offset` is the vector from the agent to the position, and the agent
    /// faces `dir_vec`.
    fn contains(self, offset: Point, dir_vec: Point) -> bool {
        let dot = |axis: Point| offset.x * axis.x + offset.y * axis.y;
        match self {
            Self::Left => dot(dir_vec.rotate_right()) < 0,
            Self::Right => dot(dir_vec.rotate_right()) > 0,
            Self::Front => dot(dir_vec) > 0,
            Self::Behind => dot(dir_vec) < 0,
        }
    }
}

/// Description of a set of objects (BabyAI's `ObjDesc`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObjDesc {
    /// Kind of the objects; a door kind of any state matches doors of all states. `None` matches any kind.
    pub kind: Option<Kind>,
    /// Colour of the objects. `None` matches any colour.
    pub color: Option<Color>,
    /// Location of the objects relative to the agent, inside the agent's room. `None` matches any location in the world.
    pub loc: Option<Loc>,
}

impl ObjDesc {
    /// Returns a description without a location.
    pub const fn new(kind: Option<Kind>, color: Option<Color>) -> Self {
        Self { kind, color, loc: None }
    }

    /// Returns the positions of the matching objects, column by column. `room` is the area of the room in which the agent is.
    fn matching_positions(self, world: &World, room: Area) -> impl Iterator<Item = Point> {
        world.grid.positions().filter(move |pos| {
            let cell = world.grid.get(*pos);
            let is_at_loc = |loc: Loc| room.contains(*pos) && loc.contains(*pos - world.agent.pos, world.agent.dir_vec());
            !cell.is_empty()
                && self.kind.is_none_or(|kind| cell.is_a(kind))
                && self.color.is_none_or(|color| cell.color() == color)
                && self.loc.is_none_or(is_at_loc)
        })
    }

    /// Returns the set of matching objects, and the words that describe them in the mission. `room` is the area of the room in
    /// which the agent is.
    fn find_matching_objs(self, world: &World, room: Area) -> ObjMatch {
        let mut obj_set = ObjSet::default();
        let mut count = 0;
        for pos in self.matching_positions(world, room) {
            obj_set.insert(world.grid.object_id(pos));
            count += 1;
        }
        let mut surface = String::from(if count > 1 { "a " } else { "the " });
        if let Some(color) = self.color {
            surface += color.name();
            surface.push(' ');
        }
        surface += self.kind.map_or("object", Kind::name);
        surface += self.loc.map_or("", Loc::surface);
        ObjMatch { obj_set, surface }
    }

    /// Returns whether a matching object is at a position for which `is_allowed` returns true.
    pub fn has_matching_obj(self, world: &World, room: Area, is_allowed: impl Fn(Point) -> bool) -> bool {
        self.matching_positions(world, room).any(is_allowed)
    }
}

/// Set of the objects that match a description, and the words of the description.
#[derive(Debug, Clone)]
struct ObjMatch {
    obj_set: ObjSet,
    surface: String,
}

/// One action to perform on described objects (BabyAI's `ActionInstr`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionInstr {
    /// The agent must face one of the described objects.
    GoTo(ObjDesc),
    /// The agent must open one of the described doors. If the flag (BabyAI's `strict`) is set, a `toggle` action on a door that
    /// opens no described door fails the mission.
    Open(ObjDesc, bool),
    /// The agent must pick up one of the described objects. If the flag (BabyAI's `strict`) is set, picking up any other object
    /// fails the mission; so does a `pickup` action while the agent carries another object.
    Pickup(ObjDesc, bool),
    /// The agent must put an object of the first description next to an object of the second description.
    PutNext(ObjDesc, ObjDesc),
}

impl ActionInstr {
    /// Returns the number of objects to which the agent must navigate to perform the action. The time limit is proportional to
    /// this number.
    const fn num_navs_needed(self) -> u32 {
        if matches!(self, Self::PutNext(..)) { 2 } else { 1 }
    }

    fn reset_verifier(self, world: &World, room: Area) -> (ActionVerifier, String) {
        let matched = |desc: ObjDesc| desc.find_matching_objs(world, room);
        let verifier = |action, matched: &ObjMatch, strict| ActionVerifier {
            action,
            obj_set: matched.obj_set,
            fixed_obj_set: ObjSet::default(),
            strict,
            pre_carrying: 0,
        };
        match self {
            Self::GoTo(desc) => {
                let matched = matched(desc);
                (verifier(ActionKind::GoTo, &matched, false), format!("go to {}", matched.surface))
            }
            Self::Open(desc, strict) => {
                let matched = matched(desc);
                (verifier(ActionKind::Open, &matched, strict), format!("open {}", matched.surface))
            }
            Self::Pickup(desc, strict) => {
                let matched = matched(desc);
                (verifier(ActionKind::Pickup, &matched, strict), format!("pick up {}", matched.surface))
            }
            Self::PutNext(moved, fixed) => {
                let (moved, fixed) = (matched(moved), matched(fixed));
                let surface = format!("put {} next to {}", moved.surface, fixed.surface);
                (ActionVerifier { fixed_obj_set: fixed.obj_set, ..verifier(ActionKind::PutNext, &moved, false) }, surface)
            }
        }
    }

    /// Returns whether BabyAI accepts this action in the world.
    ///
    /// BabyAI rejects an action whose object is a key of one of the `locked_colors`. It also rejects a `PutNext` action if one
    /// object matches both descriptions, or if two matching objects are already adjacent.
    fn validate_instrs(self, world: &World, room: Area, locked_colors: &[Color]) -> bool {
        let is_allowed_key =
            |desc: ObjDesc| desc.kind != Some(Kind::Key) || !desc.color.is_some_and(|color| locked_colors.contains(&color));
        match self {
            Self::GoTo(desc) | Self::Open(desc, _) | Self::Pickup(desc, _) => is_allowed_key(desc),
            Self::PutNext(moved, fixed) => {
                let (movable, fixed_objs) =
                    (moved.find_matching_objs(world, room).obj_set, fixed.find_matching_objs(world, room).obj_set);
                let is_adjacent = |id: ObjectId| {
                    DIR_TO_VEC.iter().any(|offset| fixed_objs.contains(world.grid.object_id(world.object(id).cur_pos + *offset)))
                };
                is_allowed_key(moved)
                    && is_allowed_key(fixed)
                    && !movable.ids().any(|id| fixed_objs.contains(id))
                    && !movable.ids().any(is_adjacent)
            }
        }
    }
}

/// One action, or two actions that may be performed in any order (BabyAI's `AndInstr`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AndInstr {
    /// One action to perform.
    One(ActionInstr),
    /// Two actions to perform, in any order.
    Both(ActionInstr, ActionInstr),
}

impl AndInstr {
    fn action_instrs(self) -> impl Iterator<Item = ActionInstr> {
        let (first, second) = match self {
            Self::One(instr) => (instr, None),
            Self::Both(first, second) => (first, Some(second)),
        };
        std::iter::once(first).chain(second)
    }

    fn reset_verifier(self, world: &World, room: Area) -> (AndVerifier, String) {
        let (actions, surfaces): (Vec<_>, Vec<_>) = self.action_instrs().map(|instr| instr.reset_verifier(world, room)).unzip();
        (AndVerifier { actions, done: [false; 2] }, surfaces.join(" and "))
    }
}

/// Mission of a BabyAI level, as instructions (BabyAI's `Instr`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instr {
    /// Mission with only one part.
    Single(AndInstr),
    /// Mission of two parts in which the agent must do the first part, then the second (`BeforeInstr`).
    Before(AndInstr, AndInstr),
    /// Mission of two parts in which the agent must do the second part, then the first (`AfterInstr`).
    After(AndInstr, AndInstr),
}

impl From<ActionInstr> for Instr {
    fn from(instr: ActionInstr) -> Self {
        Self::Single(AndInstr::One(instr))
    }
}

impl Instr {
    fn and_instrs(self) -> impl Iterator<Item = AndInstr> {
        let (first, second) = match self {
            Self::Single(part) => (part, None),
            Self::Before(first, second) | Self::After(first, second) => (first, Some(second)),
        };
        std::iter::once(first).chain(second)
    }

    /// Returns the number of objects to which the agent must navigate to complete the mission. The time limit is proportional
    /// to this number.
    pub fn num_navs_needed(self) -> u32 {
        self.and_instrs().flat_map(AndInstr::action_instrs).map(ActionInstr::num_navs_needed).sum()
    }

    /// Returns whether BabyAI accepts the mission in this world. `room` is the area of the room in which the agent is. The
    /// mission must not name keys of the colours `locked_colors`, which belong to locked doors.
    pub fn validate_instrs(self, world: &World, room: Area, locked_colors: &[Color]) -> bool {
        self.and_instrs().flat_map(AndInstr::action_instrs).all(|instr| instr.validate_instrs(world, room, locked_colors))
    }

    /// Returns the mission as an English sentence, and a verifier that checks it in this world. `room` is the area of the room
    /// in which the agent is.
    pub fn reset_verifier(self, world: &World, room: Area) -> (String, Verifier) {
        let (parts, between) = match self {
            Self::Single(part) => (vec![part], ""),
            Self::Before(first, second) => (vec![first, second], ", then "),
            Self::After(first, second) => (vec![first, second], " after you "),
        };
        let (parts, surfaces): (Vec<_>, Vec<_>) = parts.into_iter().map(|part| part.reset_verifier(world, room)).unzip();
        let mut verifier = Verifier { parts, is_after: matches!(self, Self::After(..)), first_done: false, obj_poss: Vec::new() };
        verifier.update_objs_poss(&world.grid);
        (surfaces.join(between), verifier)
    }
}

/// Status of a mission after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The mission is neither completed nor failed.
    Continue,
    /// The mission is completed.
    Success,
    /// The mission can no longer be completed.
    Failure,
}

impl ActionVerifier {
    fn verify(&mut self, world: &World, action: Actions, obj_poss: &[ObjectId]) -> Progress {
        let obj_at = |pos: Point| world.grid.index(pos).map_or(0, |index| obj_poss[index]);
        let front = world.agent.front_pos();
        let pre_carrying = match self.action {
            ActionKind::Pickup | ActionKind::PutNext => std::mem::replace(&mut self.pre_carrying, world.carrying),
            ActionKind::GoTo | ActionKind::Open => 0,
        };
        let is_done = match (self.action, action) {
            (ActionKind::GoTo, _) => self.obj_set.contains(obj_at(front)),
            (ActionKind::Open, Actions::Toggle) => {
                self.obj_set.contains(world.grid.object_id(front)) && world.grid.get(front).kind() == Kind::OpenDoor
            }
            (ActionKind::Pickup, Actions::Pickup) => pre_carrying == 0 && self.obj_set.contains(world.carrying),
            (ActionKind::PutNext, Actions::Drop) => {
                self.obj_set.contains(pre_carrying) && {
                    let pos = world.object(pre_carrying).cur_pos;
                    DIR_TO_VEC.iter().any(|offset| self.fixed_obj_set.contains(obj_at(pos + *offset)))
                }
            }
            _ => false,
        };
        let is_failed = self.strict
            && match (self.action, action) {
                (ActionKind::Open, Actions::Toggle) => world.grid.get(front).kind().is_door(),
                (ActionKind::Pickup, Actions::Pickup) => world.carrying != 0,
                _ => false,
            };
        match (is_done, is_failed) {
            (true, _) => Progress::Success,
            (false, true) => Progress::Failure,
            (false, false) => Progress::Continue,
        }
    }
}

impl AndVerifier {
    fn verify(&mut self, world: &World, action: Actions, obj_poss: &[ObjectId]) -> Progress {
        if let [only] = &mut *self.actions {
            return only.verify(world, action, obj_poss);
        }
        // If this part of the mission has two actions, a failed action does not fail the mission, and the agent may try it
        // again.
        for (verifier, done) in self.actions.iter_mut().zip(&mut self.done) {
            *done = *done || verifier.verify(world, action, obj_poss) == Progress::Success;
        }
        if self.done == [true; 2] { Progress::Success } else { Progress::Continue }
    }
}

impl Verifier {
    /// Checks whether `action` has completed or failed the mission; `world` is the state after the action.
    pub fn verify(&mut self, world: &World, action: Actions) -> Progress {
        if action == Actions::Drop {
            self.update_objs_poss(&world.grid);
        }
        let Self { parts, is_after, first_done, obj_poss } = self;
        let (first, last) = match &mut **parts {
            [only] => return only.verify(world, action, obj_poss),
            [a, b] if *is_after => (b, a),
            [a, b, ..] => (a, b),
            [] => return Progress::Continue,
        };
        if !*first_done {
            match first.verify(world, action, obj_poss) {
                Progress::Success => *first_done = true,
                other => return other,
            }
        }
        last.verify(world, action, obj_poss)
    }
}
