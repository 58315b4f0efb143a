//! Lanes that the native stepper advances together by their state vectors, before and after which the thread's simulation of MuJoCo's
//! library takes the state of each lane in turn.

use super::shared_model::SharedModel;
use envpool_rs_sim_mujoco::model_overrides::Array;
use envpool_rs_sim_mujoco::{Data, Derived, DetachedOverrides, Fault, Lane, LaneField, LaneFields, LaneOutcome, Model, Stepper};

/// Returns the reason why the native stepper cannot step a model whose poses of the last step's start are shown; `None` if it
/// can. The Runge-Kutta integrator leaves the poses of its last stage instead, which only MuJoCo computes.
pub fn pose_obstacle(model: &Model) -> Option<&'static str> {
    model.is_runge_kutta().then_some("the integrator RK4, whose last stage only the library shows")
}

/// Model array whose values can differ between lanes, with its name for the native stepper.
pub type OwnField = (Array<f64>, LaneField);

/// Lanes that the native stepper advances together. A lane whose simulation fails takes no further part.
pub struct NativeLanes<'a> {
    stepper: &'a Stepper,
    shared: &'a SharedModel,
    lanes: Vec<NativeLane<'a>>,
    own_fields: &'a [OwnField],
    goes_on_after_warnings: bool,
}

struct NativeLane<'a> {
    /// State vector (`mjSTATE_INTEGRATION`).
    state: &'a mut [f64],
    changed: &'a mut DetachedOverrides,
    fault: Option<Fault>,
}

impl NativeLane<'_> {
    /// Calls `work` with the thread's simulation, in the lane's state and with the lane's changes of the model.
    fn simulate(&mut self, shared: &SharedModel, work: impl FnOnce(&mut Data) -> Result<(), Fault>) {
        self.fault = shared.simulate(self.state, self.changed, work).err();
    }
}

impl<'a> NativeLanes<'a> {
    /// Creates lanes with the given state vectors and changes of the model. Steps depend on the changes of `own_fields` only. A lane
    /// in whose step MuJoCo gives a warning fails, unless it `goes_on_after_warnings`.
    pub fn new(
        stepper: &'a Stepper,
        shared: &'a SharedModel,
        lanes: Vec<(&'a mut [f64], &'a mut DetachedOverrides)>,
        own_fields: &'a [OwnField],
        goes_on_after_warnings: bool,
    ) -> Self {
        let lane = |(state, changed)| NativeLane { state, changed, fault: None };
        Self { stepper, shared, lanes: lanes.into_iter().map(lane).collect(), own_fields, goes_on_after_warnings }
    }

    /// Calls `work` for each lane, with the lane's index and the thread's simulation in the lane's state. Afterwards the lane has
    /// the simulation's state.
    ///
    /// The simulation's derived quantities are undefined, unless `work` computes them.
    pub fn for_each(&mut self, mut work: impl FnMut(usize, &mut Data) -> Result<(), Fault>) {
        for (number, lane) in self.lanes.iter_mut().enumerate().filter(|(_, lane)| lane.fault.is_none()) {
            lane.simulate(self.shared, |data| work(number, data));
        }
    }

    /// Advances each lane by `count` steps, with the controls of its state, by MuJoCo's library where native steps fail.
    pub fn advance(&mut self, count: u32) {
        if count == 0 {
            return;
        }
        let range = self.stepper.control_range();
        let mut lanes: Vec<_> = self.lanes.iter_mut().filter(|lane| lane.fault.is_none()).collect();
        let controls: Vec<_> = lanes.iter().flat_map(|lane| &lane.state[range.clone()]).copied().collect();
        let (mut simulated, mut fields): (Vec<_>, Vec<_>) = (lanes.iter_mut().enumerate())
            .map(|(number, NativeLane { state, changed, .. })| {
                let control = &controls[number * range.len()..][..range.len()];
                (Lane { state, control, nefc: 0 }, own_values(changed, self.own_fields))
            })
            .unzip();
        if self.own_fields.is_empty() {
            fields.clear();
        }
        let mut is_advanced = vec![false; simulated.len()];
        let how = (count, Derived::default());
        self.stepper.step_with_fields(None, (&mut simulated, &fields), how, |lane, _, outcome| {
            is_advanced[lane] = matches!(outcome, LaneOutcome::Advanced);
        });
        for (lane, _) in lanes.into_iter().zip(is_advanced).filter(|(_, is_advanced)| !is_advanced) {
            lane.simulate(self.shared, |data| {
                let stepped = data.step(count, false);
                if self.goes_on_after_warnings { without_warning(stepped) } else { stepped }
            });
        }
    }

    /// Advances each lane by `count` steps. Returns the positions before the last one, for [`compute_poses_of`].
    pub fn advance_keeping_positions(&mut self, count: u32) -> Vec<Vec<f64>> {
        self.advance(count.saturating_sub(1));
        let range = self.stepper.state_range("qpos").expect("a native step writes the positions");
        let positions = self.lanes.iter().map(|lane| lane.state[range.clone()].to_vec()).collect();
        self.advance(count.min(1));
        positions
    }

    /// Returns each lane's error.
    pub fn into_faults(self) -> impl Iterator<Item = Option<Fault>> {
        self.lanes.into_iter().map(|lane| lane.fault)
    }
}

/// Returns the result of a step after which the simulation goes on as MuJoCo has left it if MuJoCo has given a warning.
pub fn without_warning(stepped: Result<(), Fault>) -> Result<(), Fault> {
    match stepped {
        Err(Fault::MujocoWarning(_)) => Ok(()),
        other => other,
    }
}

fn own_values<'a>(changed: &'a DetachedOverrides, fields: &[OwnField]) -> LaneFields<'a> {
    let mut values = LaneFields::default();
    values.set_heights(changed.heights());
    values.set_geom_types(changed.geom_types());
    for (array, field) in fields {
        if let Some(own) = changed.array(*array) {
            values.set(*field, own);
        }
    }
    values
}

/// Computes the poses and the motion axes that `mj_step` leaves in a simulation: those of `positions`, the positions before the
/// step. The simulation's own positions stay the same.
///
/// # Errors
/// `MujocoError` if MuJoCo reports an error.
pub fn compute_poses_of(positions: &[f64], data: &mut Data) -> Result<(), Fault> {
    let own = data.qpos().to_vec();
    data.qpos_mut().copy_from_slice(positions);
    data.kinematics_and_com_pos()?;
    data.qpos_mut().copy_from_slice(&own);
    Ok(())
}
