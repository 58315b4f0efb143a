//! State of the verifier that checks a BabyAI mission: the objects to which each action refers, and the actions that have been
//! done.
//!
//! The module `instr` contains the checks.

use serde::{Deserialize, Serialize};

use super::grid::{Grid, ObjectId};

/// Set of objects of a world, stored as one bit per object number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct ObjSet([u64; 4]);

impl ObjSet {
    pub(super) fn insert(&mut self, id: ObjectId) {
        self.0[usize::from(id >> 6)] |= 1 << (id & 63);
    }

    /// Returns whether the set contains an object; 0 (no object) is never a member.
    #[inline]
    pub(super) fn contains(&self, id: ObjectId) -> bool {
        id != 0 && self.0[usize::from(id >> 6)] >> (id & 63) & 1 == 1
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = ObjectId> {
        (1..=u8::MAX).filter(|id| self.contains(*id))
    }

    fn is_within(&self, max_id: usize) -> bool {
        self.ids().all(|id| usize::from(id) <= max_id)
    }
}

/// Kind of action that a verifier checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ActionKind {
    GoTo,
    Open,
    Pickup,
    PutNext,
}

/// State of the check whether the agent has performed one action of a mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ActionVerifier {
    pub(super) action: ActionKind,
    /// Objects to which the action refers.
    pub(super) obj_set: ObjSet,
    /// For [`ActionKind::PutNext`], the objects next to which the agent must put an object of `obj_set`.
    pub(super) fixed_obj_set: ObjSet,
    pub(super) strict: bool,
    /// Object that the agent carried at the previous check (BabyAI's `preCarrying`); 0 if the agent carried none.
    pub(super) pre_carrying: ObjectId,
}

/// State of the check whether the agent has performed one action, or two actions in any order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct AndVerifier {
    pub(super) actions: Vec<ActionVerifier>,
    pub(super) done: [bool; 2],
}

/// State of the check whether the agent has completed a BabyAI mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verifier {
    /// One or two parts, in the order of the mission text.
    pub(super) parts: Vec<AndVerifier>,
    /// Whether the second part of the mission must be done first (`AfterInstr`).
    pub(super) is_after: bool,
    pub(super) first_done: bool,
    /// Object number of each cell after the last drop, or at the start of the episode.
    ///
    /// As in BabyAI's `obj_poss`, an object that has since been picked up still counts at its previous position.
    pub(super) obj_poss: Vec<ObjectId>,
}

impl Verifier {
    pub(super) fn update_objs_poss(&mut self, grid: &Grid) {
        self.obj_poss.clear();
        self.obj_poss.extend_from_slice(grid.object_ids());
    }

    /// Returns whether the verifier fits the grid `grid` and contains only objects numbered up to `max_id`.
    pub(super) fn is_valid(&self, grid: &Grid, max_id: usize) -> bool {
        let is_action = |action: &ActionVerifier| {
            action.obj_set.is_within(max_id)
                && action.fixed_obj_set.is_within(max_id)
                && usize::from(action.pre_carrying) <= max_id
        };
        let is_part = |part: &AndVerifier| matches!(part.actions.len(), 1 | 2) && part.actions.iter().all(is_action);
        matches!(self.parts.len(), 1 | 2)
            && self.parts.iter().all(is_part)
            && self.obj_poss.len() == grid.object_ids().len()
            && self.obj_poss.iter().all(|id| usize::from(*id) <= max_id)
    }
}
