//! What watches over an errand: which objects each of its clauses means, and how far it has come. What it makes of a world is
//! `errand`'s to say.

use serde::{Deserialize, Serialize};

use super::grid::{Grid, Id};

/// A set of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Objects([u64; 4]);

impl Objects {
    pub(super) fn insert(&mut self, id: Id) {
        self.0[usize::from(id >> 6)] |= 1 << (id & 63);
    }

    /// Whether an object is among them; what is no object (0) never is.
    #[inline]
    pub(super) fn contains(&self, id: Id) -> bool {
        id != 0 && self.0[usize::from(id >> 6)] >> (id & 63) & 1 == 1
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = Id> {
        (1..=u8::MAX).filter(|id| self.contains(*id))
    }

    fn is_within(&self, most: usize) -> bool {
        self.ids().all(|id| usize::from(id) <= most)
    }
}

/// What a clause asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Action {
    GoTo,
    Open,
    PickUp,
    PutNext,
}

/// One thing to do in a world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Clause {
    pub(super) action: Action,
    /// What is meant.
    pub(super) objects: Objects,
    /// What it is to be put next to.
    pub(super) fixed: Objects,
    pub(super) strict: bool,
    /// What the agent carried when the clause was looked at last.
    pub(super) carried: Id,
}

/// One or two clauses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Group {
    pub(super) clauses: Vec<Clause>,
    pub(super) done: [bool; 2],
}

/// What watches over an errand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instruction {
    /// One or two, as they are named.
    pub(super) groups: Vec<Group>,
    /// Whether the one named last comes first.
    pub(super) is_backwards: bool,
    pub(super) first_done: bool,
    /// Which object was in each cell when something was put down last, or at the beginning: a place of what was taken up since counts
    /// as its place still.
    pub(super) noted: Vec<Id>,
}

impl Instruction {
    pub(super) fn note(&mut self, grid: &Grid) {
        self.noted.clear();
        self.noted.extend_from_slice(grid.ids());
    }

    /// Whether it can be watched over in this grid, with so many objects.
    pub(super) fn is_valid(&self, grid: &Grid, most: usize) -> bool {
        let is_clause = |clause: &Clause| {
            clause.objects.is_within(most) && clause.fixed.is_within(most) && usize::from(clause.carried) <= most
        };
        let is_group = |group: &Group| matches!(group.clauses.len(), 1 | 2) && group.clauses.iter().all(is_clause);
        matches!(self.groups.len(), 1 | 2)
            && self.groups.iter().all(is_group)
            && self.noted.len() == grid.ids().len()
            && self.noted.iter().all(|id| usize::from(*id) <= most)
    }
}
