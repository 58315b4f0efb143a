//! Steps any number of lanes, in batches of as many lanes as fit into a SIMD register.

use crate::data::{Data, DetachedOverrides};
use crate::faults::Fault;
use crate::model_overrides::SavedOverrides;
use crate::native::lane_fields::{LaneField, LaneFields, own_values};
use crate::native::solver::newton::SolverStats;
use crate::native::state::{Derived, Lane, poison_unrequested};
use crate::native::step::Batch;
use crate::native::{NewBatch, STEPPER_LANES, Scratch, Shared};
use crate::workspace::Workspace;
use envpool_rs_numeric::simd::Float64Lanes;

impl Shared {
    /// Advances each lane by `count` steps, with the values `values` of model fields in all lanes, which the native stepper supports
    /// ([`Shared::supports_values`]). Calls the function `show` with each lane's result.
    ///
    /// The result is the state that MuJoCo would compute, bit for bit, in the thread's simulation of `workspace`. If the native
    /// stepper cannot step a lane, MuJoCo has computed the state. If a simulation fails, `show` receives the fault, and the
    /// lane's state is unchanged.
    ///
    /// The simulation passed to `show` has valid positions, velocities and controls, and the arrays requested by `derived`.
    /// `show` may overwrite this simulation, for example to compute further quantities.
    ///
    /// # Panics
    /// If `derived` combines final arrays with arrays that they overwrite.
    pub fn step_with_values(
        &self,
        workspace: &Workspace,
        (lanes, values): (&mut [Lane<'_>], &[(LaneField, Vec<f64>)]),
        how: (u32, Derived),
        mut show: impl FnMut(usize, Result<&mut Data, Fault>),
    ) {
        let mut fields = LaneFields::default();
        values.iter().for_each(|(field, values)| fields.set(*field, values));
        let fields = if values.is_empty() { Vec::new() } else { vec![fields; lanes.len()] };
        self.step_with_fields(Some(workspace), (lanes, &fields), how, |number, lane, stepped| match stepped {
            LaneOutcome::Written(data) => show(number, Ok(data)),
            LaneOutcome::Failed(fault) => show(number, Err(fault)),
            LaneOutcome::Left => step_with_library((workspace, &saved_values(values)), number, lane, how, &mut show),
            LaneOutcome::Advanced => unreachable!("there is a workspace"),
        });
    }

    /// Advances each lane by `count` steps, with own values of model fields in each lane, but leaves the steps that MuJoCo must take
    /// to the caller. Without a workspace, results are written to the lanes' states only, and no derived array is available.
    ///
    /// `fields` has one entry for each lane, or none if all lanes have the values of the stepper's model. The simulations that
    /// `show` receives use the stepper's model. If MuJoCo must take a lane's steps, its simulation must have the same values.
    ///
    /// # Panics
    /// If `derived` combines final arrays with arrays that they overwrite, or if `fields` has another number of entries.
    pub fn step_with_fields(
        &self,
        workspace: Option<&Workspace>,
        (lanes, fields): (&mut [Lane<'_>], &[LaneFields<'_>]),
        (count, derived): (u32, Derived),
        mut show: impl FnMut(usize, &mut Lane<'_>, LaneOutcome<'_>),
    ) {
        assert!(fields.is_empty() || fields.len() == lanes.len(), "fields of {} of {} lanes", fields.len(), lanes.len());
        let cell = self.scratch.get_or_default();
        // The scratch memory is moved out of its thread-local cell during the step. If the step panics, the scratch memory
        // is dropped, so later steps do not use it.
        let mut scratch = cell.take().unwrap_or_default();
        let mut start = 0;
        while start < lanes.len() {
            let is_stepped = |at: usize, lane: &Lane<'_>| {
                self.layout.has_only_stepped_parts(lane.state)
                    && fields.get(start + at).is_none_or(|fields| self.base_fields.admits(fields))
            };
            let next = lanes[start..].iter().take(self.lanes_together()).enumerate();
            let own = next.take_while(|(at, lane)| is_stepped(*at, lane)).count();
            let used = match own {
                0 => 1,
                own => {
                    let range = start..start + own;
                    let fields = fields.get(range.clone()).unwrap_or_default();
                    self.step_some(&mut scratch, (workspace, start), (&mut lanes[range], fields), (count, derived), &mut show)
                }
            };
            if own == 0 {
                scratch.fallbacks += u64::from(count);
                show(start, &mut lanes[start], LaneOutcome::Left);
            }
            start += used;
        }
        cell.set(Some(scratch));
    }

    /// Steps as many lanes from the start of the list as fit into a SIMD register, and returns the number of stepped lanes.
    fn step_some(
        &self,
        scratch: &mut Scratch,
        to: (Option<&Workspace>, usize),
        (lanes, fields): (&mut [Lane<'_>], &[LaneFields<'_>]),
        how: (u32, Derived),
        show: OnOutcome<'_>,
    ) -> usize {
        let width = self.level.float64_lanes(lanes.len());
        let used = width * (lanes.len() / width).clamp(1, self.lanes_together() / STEPPER_LANES);
        let used = lanes.len().min(used);
        let at = scratch.batches.iter().position(|batch| batch.width() == width).unwrap_or_else(|| {
            scratch.batches.push(self.level.run_float64(width, NewBatch(self)));
            scratch.batches.len() - 1
        });
        let (lanes, fields) = (&mut lanes[..used], &fields[..fields.len().min(used)]);
        scratch.fallbacks += scratch.batches[at].step_lanes(self, to, (lanes, fields), how, show);
        used
    }

    /// Returns the number of lanes that are stepped together: more than [`STEPPER_LANES`] if the solver then has more independent work.
    pub fn lanes_together(&self) -> usize {
        if self.native_model.sweeps_together() { 2 * STEPPER_LANES } else { STEPPER_LANES }
    }
}

/// [`Batches`] of any vector type.
pub(super) trait AnyBatch: Send {
    /// Returns the number of lanes of the vector type.
    fn width(&self) -> usize;

    /// Returns the event counters of the Newton solver.
    fn stats(&self) -> SolverStats;

    /// Steps simulations together, and returns the number of steps that MuJoCo had to take instead of the native stepper.
    fn step_lanes(
        &mut self,
        stepper: &Shared,
        to: (Option<&Workspace>, usize),
        lanes: (&mut [Lane<'_>], &[LaneFields<'_>]),
        how: (u32, Derived),
        show: OnOutcome<'_>,
    ) -> u64;
}

/// Batches of one vector type that are stepped together. Models without [`NativeModel::sweeps_together`] have one.
///
/// [`NativeModel::sweeps_together`]: crate::native::model::NativeModel::sweeps_together
pub(super) struct Batches<V: Float64Lanes>(pub(super) Vec<Batch<V>>);

impl<V: Float64Lanes> AnyBatch for Batches<V> {
    fn width(&self) -> usize {
        V::COUNT
    }

    fn stats(&self) -> SolverStats {
        let mut sum = SolverStats::default();
        self.0.iter().for_each(|batch| sum.add(&batch.stats));
        sum
    }

    fn step_lanes(
        &mut self,
        stepper: &Shared,
        (workspace, start): (Option<&Workspace>, usize),
        (lanes, fields): (&mut [Lane<'_>], &[LaneFields<'_>]),
        (count, derived): (u32, Derived),
        show: OnOutcome<'_>,
    ) -> u64 {
        let Self(batches) = self;
        let used = lanes.len().div_ceil(V::COUNT);
        while batches.len() < used {
            batches.push(stepper.new_batch());
        }
        let batches = &mut batches[..used];
        for (number, batch) in batches.iter_mut().enumerate() {
            let fields = fields.chunks(V::COUNT).nth(number).unwrap_or_default();
            batch.load_fields(&stepper.native_model, &stepper.base_fields, fields);
        }
        Batch::step(batches, (&stepper.native_model, &stepper.layout), lanes, count, derived);
        let mut left = 0;
        for (at, own) in lanes.iter_mut().enumerate() {
            let (batch, lane) = (&mut batches[at / V::COUNT], at % V::COUNT);
            if batch.fallback >> lane & 1 != 0 {
                left += 1;
                show(start + at, own, LaneOutcome::Left);
                continue;
            }
            own.state[stepper.layout.control.clone()].copy_from_slice(own.control);
            own.nefc = batch.rows.dual.as_ref().map_or(0, |dual| dual.counts[lane]);
            let Some(workspace) = workspace else {
                show(start + at, own, LaneOutcome::Advanced);
                continue;
            };
            let shown = workspace.with_scratch(|data| {
                if cfg!(debug_assertions) {
                    poison_unrequested(data, derived);
                }
                batch.write_results(&stepper.native_model, lane, own.control, data, derived)?;
                show(start + at, own, LaneOutcome::Written(data));
                Ok(())
            });
            if let Err(fault) = shown {
                show(start + at, own, LaneOutcome::Failed(fault));
            }
        }
        u64::from(count) * left
    }
}

/// Function that receives the outcome of each lane.
type OnOutcome<'a> = &'a mut dyn FnMut(usize, &mut Lane<'_>, LaneOutcome<'_>);

impl Shared {
    /// Returns the reason why MuJoCo must take the next step of a lane with this state and these values of model fields; `None` if
    /// the native stepper can begin the step.
    pub fn obstacle(&self, state: &[f64], fields: &LaneFields<'_>) -> Option<String> {
        if !self.layout.has_only_stepped_parts(state) {
            return Some(
                "an input other than ctrl and mocap poses is set, such as qfrc_applied, xfrc_applied or eq_active".into(),
            );
        }
        self.base_fields.unsupported(fields).map(|name| format!("{} that have no native step", own_values(name)))
    }

    /// Returns the field with the name `name` in `mjModel` if its values can differ between lanes; `None` if no native step
    /// depends on the field, so that lanes may have any values of it.
    ///
    /// # Errors
    /// Returns the reason why MuJoCo must take the steps of lanes with own values of the field.
    pub fn lane_field(&self, name: &str) -> Result<Option<LaneField>, String> {
        let field = self.base_fields.support(name)?;
        if field.is_some() {
            self.verify_fields().map_err(|reason| format!("{}: {reason}", own_values(name)))?;
        }
        Ok(field)
    }

    /// Returns whether native steps support lanes with these values of model fields.
    pub fn supports_values(&self, values: &[(LaneField, Vec<f64>)]) -> bool {
        let mut fields = LaneFields::default();
        values.iter().for_each(|(field, values)| fields.set(*field, values));
        values.iter().all(|(field, _)| self.lane_field(field.name()).is_ok()) && self.base_fields.admits(&fields)
    }

    /// Returns the arrays that an environment has changed in its model and on which native steps depend.
    ///
    /// # Errors
    /// Returns the reason why MuJoCo must take the environment's steps.
    pub fn lane_fields<'a>(&self, changed: &'a DetachedOverrides) -> Result<LaneFields<'a>, String> {
        self.verify_fields()?;
        self.base_fields.lane_fields(changed)
    }
}

/// Outcome of a lane's native steps.
pub enum LaneOutcome<'a> {
    /// The lane's state was advanced, and the thread's simulation (the value of this variant) has the requested results.
    Written(&'a mut Data),
    /// The lane's state was advanced; without a workspace, no further results were computed.
    Advanced,
    /// The lane's state was advanced, but MuJoCo could not allocate a simulation for the results.
    Failed(Fault),
    /// MuJoCo must take the lane's steps; the lane's state is unchanged.
    Left,
}

/// Returns values of model fields as changes of a model.
pub fn saved_values(values: &[(LaneField, Vec<f64>)]) -> SavedOverrides {
    let bits = |values: &Vec<f64>| values.iter().map(|value| value.to_bits()).collect();
    values.iter().map(|(field, values)| (field.name().to_owned(), bits(values))).collect()
}

/// Steps one simulation with MuJoCo's `mj_step`, with changes of its model.
pub(super) fn step_with_library(
    (workspace, changes): (&Workspace, &SavedOverrides),
    number: usize,
    lane: &mut Lane<'_>,
    (count, derived): (u32, Derived),
    mut show: impl FnMut(usize, Result<&mut Data, Fault>),
) {
    let stepped = workspace.with_state(lane.state, |data| {
        data.set_changes(changes)?;
        data.ctrl_mut().copy_from_slice(lane.control);
        let stepped = data.step(count, derived.has(Derived::CFRC_EXT)).and_then(|()| match derived.has(Derived::FINAL) {
            true => data.kinematics_and_sensors(),
            false => Ok(()),
        });
        if stepped.is_ok() {
            show(number, Ok(data));
        }
        data.set_changes(&SavedOverrides::new())?;
        stepped
    });
    if let Err(fault) = stepped {
        show(number, Err(fault));
    }
}
