//! Steps several simulations of a batch at once with the native stepper.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use crate::batch::operation::Operation;
use crate::batch::stages::Stage;
use crate::batch::{Output, Simulations};
use crate::native::{Derived, Lane, LaneFields, LaneOutcome, Stepper};

/// Largest number of steps that the native stepper takes between two checks whether the call was cancelled.
const STEPS: u32 = 64;

/// Number of steps of a call that the native stepper takes, and the operation that MuJoCo's library runs after them.
struct Plan {
    count: u32,
    derived: Derived,
    then: Option<Operation>,
}

/// Returns the derived arrays for the output `name`; `None` if only MuJoCo's library computes the output.
pub(super) fn request(stepper: Option<&Stepper>, name: &str) -> Option<Derived> {
    match name {
        "sensordata" => stepper.filter(|by| by.obstacle_of_sensors().is_none()).map(|_| Derived::SENSORDATA),
        "xpos" => Some(Derived::XPOS),
        "xipos" | "cinert" | "cvel" | "qfrc_actuator" => Some(Derived::BODY_MOTIONS),
        "site_xpos" => Some(Derived::SITE_XPOS),
        "qfrc_constraint" => Some(Derived::CONSTRAINT_FORCES),
        "ten_length" | "ten_velocity" => Some(Derived::TENDONS),
        _ => None,
    }
}

impl Simulations {
    /// Returns the reasons of the batch, in addition to reasons of the model, why MuJoCo's library must take the steps.
    pub fn reasons(&mut self) -> Vec<String> {
        let mut obstacles: Vec<_> = self.own_models.obstacles().map(str::to_owned).collect();
        if self.config.is_persistent {
            obstacles.push("persistent: each simulation keeps its mjData".to_owned());
        }
        let stepper = self.stepper.as_ref();
        let bound = self.outputs.iter().map(|output| (output.elements.bytes, &*output.elements.name));
        for (_, name) in bound.filter(|(bytes, name)| *bytes > 0 && request(stepper, name).is_none()) {
            let reason = stepper.filter(|_| name == "sensordata").and_then(|by| by.obstacle_of_sensors());
            let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
            obstacles
                .push(format!("{name} is bound, and only the library computes it{reason}: a call's last step is the library's"));
        }
        let by_values = self.obstacles_by_values();
        obstacles.extend(
            by_values.into_iter().map(|(reason, count)| format!("{reason}: {count} of {} simulations", self.config.nsim)),
        );
        obstacles
    }

    /// Returns the reasons why MuJoCo's library must take the next step of simulations by their present states and values of
    /// expanded fields, with the number of simulations. Such reasons bar no other simulation from native steps.
    pub(super) fn obstacles_by_values(&mut self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        let Some(stepper) = self.usable_stepper() else { return counts };
        for sim in 0..self.config.nsim {
            // SAFETY: the simulation exists, and `&mut self` excludes operations of other threads.
            let (state, fields) = unsafe { (self.state(sim), self.own_models.lane_fields(sim)) };
            if let Some(reason) = stepper.obstacle(state, &fields) {
                *counts.entry(reason).or_default() += 1;
            }
        }
        counts
    }

    /// Returns the native stepper if the batch's settings let it take steps.
    pub(super) fn usable_stepper(&self) -> Option<&Stepper> {
        let is_barred = self.own_models.obstacles().next().is_some() || self.config.is_persistent;
        self.stepper.as_ref().filter(|_| !is_barred)
    }

    /// Returns the values of expanded fields of the simulations `sims`; empty if native steps depend on no expanded field.
    ///
    /// # Safety
    /// The simulations must exist, and nothing may write to their rows for `'a`.
    pub(super) unsafe fn lane_fields<'a>(&self, sims: impl Iterator<Item = usize>) -> Vec<LaneFields<'a>> {
        if !self.own_models.has_lane_fields() {
            return Vec::new();
        }
        // SAFETY: the caller's guarantees are the same.
        sims.map(|sim| unsafe { self.own_models.lane_fields(sim) }).collect()
    }

    /// Returns the derived arrays for the bound fields; `None` if only MuJoCo's library computes one of them.
    pub(super) fn requested_by_outputs(&self) -> Option<Derived> {
        let requests = self.outputs.iter().filter(|output| output.elements.bytes > 0);
        let request = |output: &Output| request(self.stepper.as_ref(), &output.elements.name);
        requests.map(request).try_fold(Derived::default(), |all, one| Some(all | one?))
    }

    /// Splits a call into native steps and a following operation by MuJoCo's library; `None` if no step can be native.
    fn plan(&self, count: u32, stage: Stage) -> Option<(&Stepper, Plan)> {
        let stepper = self.usable_stepper().filter(|_| count > 0)?;
        let none = Derived::default();
        let (native, derived, then) = match (stage, self.requested_by_outputs()) {
            (Stage::None, Some(derived)) => (count, derived, None),
            // After the native steps, `mj_forward` computes all outputs.
            (Stage::Acceleration, _) => (count, none, Some(Operation::Forward(stage))),
            _ => (count - 1, none, Some(Operation::Step { count: 1, stage })),
        };
        (native > 0).then_some((stepper, Plan { count: native, derived, then }))
    }

    /// Takes as many steps natively as possible, the others by the library. Returns false if no step can be native.
    pub(super) fn run_native(&self, ids: &[usize], count: u32, stage: Stage, is_cancelled: &mut dyn FnMut() -> bool) -> bool {
        let Some((stepper, plan)) = self.plan(count, stage) else { return false };
        // SAFETY: `Simulations::run` has checked that the ids exist and differ, and its caller guarantees exclusive access
        // to their rows.
        let mut states: Vec<_> = ids.iter().map(|sim| unsafe { self.state(*sim) }).collect();
        let is_in_parts = plan.count > STEPS || plan.then.is_some() || !self.outputs.is_empty();
        let before: Vec<f64> = if is_in_parts { states.concat() } else { Vec::new() };
        let controls: Vec<f64> = states.iter().flat_map(|state| &state[stepper.control_range()]).copied().collect();
        let nu = self.model.sizes().nu;
        let control = |at: usize| &controls[at * nu..][..nu];
        let mut is_left = vec![false; ids.len()];
        let mut done = 0;
        while done < plan.count {
            let some = STEPS.min(plan.count - done);
            done += some;
            let is_last = done == plan.count;
            let mut entries: Vec<_> = (states.iter_mut().enumerate())
                .filter(|(at, _)| !is_left[*at])
                .map(|(at, state)| (at, Lane { state, control: control(at), nefc: self.nefc[ids[at]].load(Ordering::Relaxed) }))
                .collect();
            entries.sort_by_key(|(_, lane)| Reverse(lane.nefc));
            let (places, mut lanes): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
            let shows = is_last && plan.then.is_none() && !self.outputs.is_empty();
            let derived = if is_last { plan.derived } else { Derived::default() };
            let workspace = shows.then_some(&self.workspace);
            // SAFETY: `Simulations::run` has checked that the ids exist, and its caller guarantees exclusive access to their rows.
            let fields = unsafe { self.lane_fields(places.iter().map(|at| ids[*at])) };
            stepper.step_with_fields(workspace, (&mut lanes, &fields), (some, derived), |lane, own, stepped| {
                let at = places[lane];
                self.nefc[ids[at]].store(own.nefc, Ordering::Relaxed);
                match stepped {
                    LaneOutcome::Written(data) => self.copy_outputs(ids[at], data),
                    LaneOutcome::Advanced => {}
                    LaneOutcome::Left | LaneOutcome::Failed(_) => is_left[at] = true,
                }
            });
            if !is_last && is_cancelled() {
                is_left.fill(true);
                restore(&mut states, &before, |_| true);
                return true;
            }
        }
        restore(&mut states, &before, |at| is_left[at]);
        drop(states);
        let whole = Operation::Step { count, stage };
        for (at, sim) in ids.iter().enumerate() {
            let operation = if is_left[at] { Some(&whole) } else { plan.then.as_ref() };
            match operation {
                Some(operation) => {
                    if !self.run_one(operation, 0, *sim, is_cancelled) {
                        // SAFETY: `Simulations::run` has checked the ids, and its caller guarantees exclusive access. The
                        // slices in `states` are not used any more.
                        let state = unsafe { self.state(*sim) };
                        restore(&mut [state], before.chunks(self.model.state_len()).nth(at).unwrap_or_default(), |_| true);
                    }
                }
                None => self.note(*sim, None),
            }
        }
        true
    }
}

/// Restores states from `before`, a copy of all states, which is empty if no state has changed.
pub(super) fn restore(states: &mut [&mut [f64]], before: &[f64], is_restored: impl Fn(usize) -> bool) {
    let Some(len) = states.first().map(|state| state.len()).filter(|len| *len > 0) else { return };
    for (at, (state, before)) in states.iter_mut().zip(before.chunks(len)).enumerate() {
        if is_restored(at) {
            state.copy_from_slice(before);
        }
    }
}
