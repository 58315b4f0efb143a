//! Repeats steps and resets from copies of the states, and compares the results.

use std::sync::atomic::Ordering;

use crate::host::check::guarded::{GuardedRows, PATTERN};
use crate::host::check::lanes::CheckedLanes;
use crate::host::check::step_result::{StepResult, difference, one_row};
use envpool_rs_engine::{ForeignLanes, ForeignResets, LaneSet, Result};

/// Number of lanes of a call that are also stepped one by one.
const LANES_ALONE: usize = 8;

impl CheckedLanes {
    /// Repeats a step from the states `before`, and reports results that differ.
    pub(super) fn repeat(
        &self,
        lanes: &LaneSet<'_>,
        before: &[Vec<u8>],
        actions: &[GuardedRows],
        first: &StepResult,
    ) -> Result<()> {
        self.restore(lanes, before)?;
        match self.guarded_step(lanes, actions, PATTERN) {
            Ok((again, None)) if again == *first => {}
            Ok((again, None)) => {
                let text_of_difference = difference(first, &again);
                self.report("repeat", format!("a second step from the same states differs: {text_of_difference}"))?;
            }
            Ok((_, Some(error))) | Err(error) => {
                self.report("repeat", format!("a second step from the same states failed: {error}"))?;
            }
        }
        self.step_alone(lanes, before, actions, first)
    }

    /// Steps some of the lanes one by one, in the memory of the spare lane, and reports results that differ.
    fn step_alone(&self, lanes: &LaneSet<'_>, before: &[Vec<u8>], actions: &[GuardedRows], first: &StepResult) -> Result<()> {
        let players = self.inner.env.spec.players;
        // SAFETY: the spare lane belongs to no environment of the pool; calls run one at a time (`calls`).
        let spare = unsafe { LaneSet::new(std::slice::from_ref(&self.spare), true) };
        let count = before.len().min(LANES_ALONE);
        let first_turn = self.turn.fetch_add(count, Ordering::Relaxed);
        for position in (first_turn..first_turn + count).map(|turn| turn % before.len()) {
            let lane = lanes.numbers()[position];
            self.inner.set_options(&spare, &self.inner.memory.options_of(&lanes.run(position..position + 1)));
            self.restore(&spare, &before[position..=position])?;
            let own: Vec<_> = actions.iter().map(|rows| one_row(rows, position)).collect();
            let (alone, error) = match self.guarded_step(&spare, &own, PATTERN) {
                Ok(done) => done,
                Err(error) => {
                    self.report("alone", format!("a step of lane {lane} alone, at another address, failed: {error}"))?;
                    continue;
                }
            };
            let expected = StepResult {
                rewards: first.rewards[position * players..][..players].to_vec(),
                ends: vec![first.ends[position]],
                lanes: first.lanes.as_ref().map(|lanes| vec![lanes[position].clone()]),
            };
            if error.is_some() || alone != expected {
                let text_of_difference = difference(&expected, &alone);
                let text = format!(
                    "a step of lane {lane} alone, at another address, differs from one with others: {text_of_difference}"
                );
                self.report("alone", text)?;
            } else if position == first_turn % before.len() {
                self.check_actions(&spare, before, (actions, position), &expected)?;
            }
        }
        Ok(())
    }

    /// Repeats a reset from the same states and random streams, and reports results that differ.
    pub(super) fn repeat_reset(
        &self,
        lanes: &LaneSet<'_>,
        before: &[Vec<u8>],
        resets: &ForeignResets<'_>,
        old: &[i64],
    ) -> Result<()> {
        let after = self.capture(lanes)?;
        self.restore(lanes, before)?;
        let (mut elapsed, mut ends) = (old.to_vec(), vec![0; resets.ends.len()]);
        let (causes, seeds, options) = (resets.causes, resets.seeds, resets.options);
        let again = self.inner.reset(lanes, ForeignResets { causes, seeds, elapsed: &mut elapsed, options, ends: &mut ends });
        if let Err(error) = again {
            self.report("repeat", format!("a second reset from the same states failed: {error}"))?;
        } else if self.capture(lanes)? != after || elapsed != *resets.elapsed || ends != *resets.ends {
            self.report("repeat", "a second reset from the same states and random streams differs".to_owned())?;
        }
        after.map_or(Ok(()), |after| self.restore(lanes, &after))
    }

    /// Saves and loads lanes, and reports states that cannot be saved and loaded.
    pub(super) fn check_states(&self, lanes: &LaneSet<'_>) -> Result<()> {
        for position in 0..lanes.numbers().len() {
            let lane = lanes.run(position..position + 1);
            if let Some(is_valid) = self.inner.env.view.is_valid {
                // SAFETY: `is_valid` takes no arguments besides the lanes.
                let checked = unsafe { self.inner.call(("is_valid", is_valid), &lane, self.inner.batch(&lane)?, 0) };
                if let Err(error) = checked {
                    self.report("is_valid", format!("is_valid refuses a state that step wrote: {error}"))?;
                }
            }
            if self.inner.env.view.save.is_some() {
                let (mut bytes, mut again) = (Vec::new(), Vec::new());
                self.inner.save_lane(&lane, &mut bytes)?;
                if let Err(error) = self.inner.load_lane(&lane, &bytes) {
                    self.report("save_load", format!("load refuses the bytes that save wrote: {error}"))?;
                    continue;
                }
                self.inner.save_lane(&lane, &mut again)?;
                if bytes != again {
                    self.report("save_load", "save writes other bytes after load than before".to_owned())?;
                }
            }
        }
        Ok(())
    }
}
