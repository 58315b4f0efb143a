//! Rolls out several simulations of a batch at once with the native stepper.

use std::ops::Range;

use crate::batch::Simulations;
use crate::batch::native_steps::{request, restore};
use crate::batch::operation::{Operation, Record, Source};
use crate::batch::rows::Rows;
use crate::native::{Derived, Lane, LaneOutcome, Stepper};

/// Rollout whose steps the native stepper takes.
struct NativeRollout<'a> {
    batch: &'a Simulations,
    stepper: &'a Stepper,
    /// First entry of the call that this part of the call has.
    first: usize,
    count: usize,
    /// Rows of the control inputs, and their number per step; `None` if the state's controls are used.
    control: Option<(Rows, usize)>,
    records: &'a [Record],
    /// For each record, the parts of the state vector that it stores; `None` if it stores a derived array.
    ranges: Vec<Option<Vec<Range<usize>>>>,
    /// Derived arrays that the records store.
    derived: Derived,
}

impl Simulations {
    /// Runs a rollout natively, and by the library where that fails. Returns false if no native rollout is possible.
    pub(super) fn roll_out_natively(
        &self,
        operation: &Operation,
        first: usize,
        ids: &[usize],
        is_cancelled: &mut dyn FnMut() -> bool,
    ) -> bool {
        let Some(rollout) = self.native_rollout(operation, first) else { return false };
        // SAFETY: `Simulations::run` has checked that the ids exist and differ, and its caller guarantees exclusive access to
        // their rows.
        let mut states: Vec<_> = ids.iter().map(|sim| unsafe { self.state(*sim) }).collect();
        let before = states.concat();
        let mut is_left = vec![false; ids.len()];
        for step in 0..rollout.count {
            rollout.step(step, ids, &mut states, &mut is_left);
            if is_left.iter().all(|is_left| *is_left) {
                break;
            }
            if is_cancelled() {
                restore(&mut states, &before, |_| true);
                return true;
            }
        }
        restore(&mut states, &before, |at| is_left[at]);
        drop(states);
        for (at, sim) in ids.iter().enumerate() {
            if !is_left[at] {
                self.note(*sim, None);
            } else if !is_cancelled() {
                self.run_one(operation, first + at, *sim, is_cancelled);
            }
        }
        true
    }

    /// Returns the native form of a rollout; `None` if the native stepper cannot take the steps, or does not compute a record.
    fn native_rollout<'a>(&'a self, operation: &'a Operation, first: usize) -> Option<NativeRollout<'a>> {
        let Operation::Rollout { count, control, records } = operation else { return None };
        let stepper = self.usable_stepper().filter(|_| *count > 0)?;
        let control = match control {
            Some((rows, len, bits)) => {
                let is_control = self.model.state_ranges(*bits)? == [stepper.control_range()];
                Some(is_control.then_some((*rows, *len))?)
            }
            None => None,
        };
        let mut derived = self.requested_by_outputs()?;
        let mut ranges = Vec::with_capacity(records.len());
        for Record { source, .. } in records {
            let parts = match source {
                Source::State(bits) => Some(self.model.state_ranges(*bits)?),
                Source::Field(field) => stepper.state_range(&field.name).map(|range| vec![range]),
            };
            if let (Source::Field(field), None) = (source, &parts) {
                derived = derived | request(Some(stepper), &field.name)?;
            }
            ranges.push(parts);
        }
        Some(NativeRollout { batch: self, stepper, first, count: *count as usize, control, records, ranges, derived })
    }
}

impl NativeRollout<'_> {
    /// Takes one step of all simulations that are not left to the library, and writes the step's records.
    fn step(&self, step: usize, ids: &[usize], states: &mut [&mut [f64]], is_left: &mut [bool]) {
        let range = self.stepper.control_range();
        if let Some((rows, len)) = self.control {
            for (at, state) in states.iter_mut().enumerate() {
                // SAFETY: the caller of `Simulations::run` guarantees that the rows hold inputs for all steps, and exclusive
                // access to them.
                let inputs = unsafe { rows.numbers::<f64>(self.first + at, self.count * len) };
                state[range.clone()].copy_from_slice(&inputs[step * len..][..len]);
            }
        }
        let controls: Vec<f64> = states.iter().flat_map(|state| &state[range.clone()]).copied().collect();
        let control = |at: usize| &controls[at * range.len()..][..range.len()];
        let (places, mut lanes): (Vec<_>, Vec<_>) = (states.iter_mut().enumerate())
            .filter(|(at, _)| !is_left[*at])
            .map(|(at, state)| (at, Lane { state, control: control(at), nefc: 0 }))
            .unzip();
        let is_last = step + 1 == self.count && !self.batch.outputs.is_empty();
        let has_derived = self.ranges.iter().any(Option::is_none);
        let workspace = (is_last || has_derived).then_some(&self.batch.workspace);
        // SAFETY: `Simulations::run` has checked that the ids exist, and its caller guarantees exclusive access to their rows.
        let fields = unsafe { self.batch.lane_fields(places.iter().map(|at| ids[*at])) };
        self.stepper.step_with_fields(workspace, (&mut lanes, &fields), (1, self.derived), |lane, stepped_lane, outcome| {
            let at = places[lane];
            match outcome {
                LaneOutcome::Written(data) => {
                    for (Record { source, bytes, rows }, parts) in self.records.iter().zip(&self.ranges) {
                        if let (Source::Field(field), None) = (source, parts) {
                            // SAFETY: the caller of `Simulations::run` guarantees that a row has an entry for each step, and
                            // that the field has `bytes` bytes.
                            unsafe { field.copy_to(data.raw(), rows.row(self.first + at).add(step * bytes)) };
                        }
                    }
                    if is_last {
                        self.batch.copy_outputs(ids[at], data);
                    }
                    self.write_states(step, at, stepped_lane.state);
                }
                LaneOutcome::Advanced => self.write_states(step, at, stepped_lane.state),
                LaneOutcome::Left | LaneOutcome::Failed(_) => is_left[at] = true,
            }
        });
    }

    /// Writes the records of a simulation's state vector.
    fn write_states(&self, step: usize, at: usize, state: &[f64]) {
        for (record, ranges) in self.records.iter().zip(&self.ranges) {
            let Some(ranges) = ranges else { continue };
            let len = record.bytes / size_of::<f64>();
            // SAFETY: the caller of `Simulations::run` guarantees that a row has an entry for each step, and exclusive access.
            let row = unsafe { record.rows.numbers::<f64>(self.first + at, self.count * len) };
            let mut to = &mut row[step * len..][..len];
            for range in ranges {
                let (part, rest) = to.split_at_mut(range.len());
                part.copy_from_slice(&state[range.clone()]);
                to = rest;
            }
        }
    }
}
