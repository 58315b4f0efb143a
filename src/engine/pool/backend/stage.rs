//! Stages a request: passes each lane's operation to the backend without sending it.

use crate::backend::lane_op::LaneOp;
use crate::backend::steps::StagedSteps;
use crate::contract::config::AutoresetMode;
use crate::contract::error::Result;
use crate::exec::episode_tracker::ItemKind;
use crate::exec::request_kind::{LaneList, RequestKind};
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::backend::ledger::{BackendLedger, Scratch};
use crate::pool::request::Request;
use crate::pool::request_item::{ItemPlan, LossReport};
use crate::pool::sender::Sender;

impl BackendExecutor {
    /// Describes a request in which every operation is a step, in the form that the backend takes.
    pub(super) fn steps_of<'a>(&self, request: &'a Request, all_lanes: &'a [u32], dues: &'a [ItemKind]) -> StagedSteps<'a> {
        let lanes = match &request.lanes {
            LaneList::All(_) => all_lanes,
            LaneList::Some(lanes) => lanes,
        };
        StagedSteps {
            lanes,
            actions: &request.actions,
            item_kinds: dues,
            autoreset: self.core.rules.autoreset == AutoresetMode::SameStep,
        }
    }

    /// Stages all operations of a request. Returns whether all operations are steps with the default plan.
    ///
    /// # Errors
    /// The backend's error, if it refuses an operation; the pool is then unchanged.
    pub(super) fn stage(&self, sender: &mut Sender, ledger: &mut BackendLedger) -> Result<bool> {
        let BackendLedger { backend, scratch, recovery: revivals, first_seeds, all_lanes, .. } = ledger;
        let Scratch { kinds: dues, plans, .. } = scratch;
        dues.clear();
        let (request, guard) = sender.claim();
        let due = |index| self.core.episodes().classify(&request.kind, index, guard.id(index));
        dues.extend((0..request.lanes.len()).map(due));
        plans.clear();
        let is_plain = request.kind == RequestKind::Step
            && dues.iter().all(|due| matches!(due, ItemKind::Step { .. } | ItemKind::NextEpisode(_)))
            && revivals.as_ref().is_none_or(|revivals| revivals.are_unflagged(&request.lanes));
        if is_plain {
            backend.stage_steps(&self.steps_of(request, all_lanes, dues))?;
            return Ok(true);
        }
        for ((index, lane), due) in request.lanes.iter().enumerate().zip(dues) {
            let first_seed = first_seeds[lane];
            let given = request.kind.seed(index);
            let plan = match revivals {
                None => ItemPlan { seed: given.or(first_seed), ..ItemPlan::default() },
                Some(revivals) => revivals.plan(lane, &request.kind, *due, given, first_seed),
            };
            if let Some(op) = self.op_of(request, index, *due, plan)
                && !plan.replays_first
            {
                backend.stage(lane, op)?;
            }
            plans.push(plan);
        }
        Ok(false)
    }

    /// Returns the operation of item `index` of a request; `None` if the lane's last row is repeated.
    pub(super) fn op_of<'a>(&'a self, request: &'a Request, index: usize, due: ItemKind, plan: ItemPlan) -> Option<LaneOp<'a>> {
        let seed = plan.seed;
        Some(match (due, &request.kind) {
            (ItemKind::Peek, _) => return None,
            (_, RequestKind::Step) if plan.forces_reset => {
                // The row reports a truncated episode, after which the pool resets the lane again, unless it has in this step.
                let is_discarded = plan.report == LossReport::InStep && self.core.rules.autoreset != AutoresetMode::SameStep;
                LaneOp::Reset { seed, options: &self.no_options, item: index, is_discarded }
            }
            (ItemKind::Step { .. } | ItemKind::NextEpisode(_), _) => {
                LaneOp::from_step(&request.actions, index, due, self.core.rules.autoreset == AutoresetMode::SameStep)
            }
            (ItemKind::Reset | ItemKind::Recreate, RequestKind::Reset { options, .. }) => {
                LaneOp::Reset { seed, options, item: index, is_discarded: false }
            }
            (ItemKind::Reset | ItemKind::Recreate, RequestKind::Step) => {
                LaneOp::Reset { seed, options: &self.no_options, item: index, is_discarded: false }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::backend::test_backend::{Fixture, reset_of, step_of};
    use crate::pool::ledger::LaneState;

    #[test]
    fn first_steps_are_resets_with_the_first_seeds() {
        let mut fixture = Fixture::sync(2);
        fixture.send(step_of(LaneList::All(2))).unwrap();
        let resets = [(0, "reset Some(40)".to_owned()), (1, "reset Some(41)".to_owned())];
        assert_eq!(fixture.script.take_staged(), resets);
        assert_eq!(fixture.script.state().staged_together, 0);
    }

    #[test]
    fn plain_steps_are_staged_together() {
        let mut fixture = Fixture::reset(3);
        fixture.send(step_of(LaneList::Some(vec![2, 0]))).unwrap();
        let step = "step truncate=false autoreset=false".to_owned();
        assert_eq!(fixture.script.take_staged(), [(2, step.clone()), (0, step)]);
        assert_eq!(fixture.script.state().staged_together, 1);
    }

    #[test]
    fn a_refused_request_leaves_all_lanes_unchanged() {
        let mut fixture = Fixture::sync(3);
        fixture.script.state().refused = Some(1);
        assert!(fixture.send(reset_of(LaneList::All(3))).is_err());
        assert_eq!(fixture.states(), [LaneState::Idle; 3]);
        assert!(fixture.script.state().submitted.is_empty());
        fixture.script.state().refused = None;
        fixture.send(step_of(LaneList::Some(vec![1]))).unwrap();
        assert_eq!(fixture.script.take_staged().pop(), Some((1, "reset Some(41)".to_owned())), "the seed is still pending");
    }

    #[test]
    fn a_step_that_recovers_its_lane_is_a_reset() {
        let fixture = Fixture::reset(1);
        let request = step_of(LaneList::All(1));
        let plan = ItemPlan { seed: Some(9), forces_reset: true, ..ItemPlan::default() };
        let due = ItemKind::Step { truncate: false, elapsed: 1 };
        let op = fixture.executor.op_of(&request, 0, due, plan);
        assert!(matches!(op, Some(LaneOp::Reset { seed: Some(9), .. })));
        assert!(fixture.executor.op_of(&request, 0, ItemKind::Peek, plan).is_none());
    }
}
