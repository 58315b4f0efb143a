//! Lanes that the native stepper advances together, for tasks that set and read whole simulations before and after the steps.
//!
//! A robot whose step only sets controls needs no more than `Stepper::step`. Tasks that also move mocap bodies, or that compute
//! poses after the steps, use the thread's simulation of MuJoCo's library for both, in the state of each lane in turn.

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
}

/// Lane of [`NativeLanes`].
struct NativeLane<'a> {
    /// State vector (`mjSTATE_INTEGRATION`).
    state: &'a mut [f64],
    /// Changes of the model; `None` if the lane's model is the shared one.
    changed: Option<&'a mut DetachedOverrides>,
    fault: Option<Fault>,
}

impl NativeLane<'_> {
    /// Calls `work` with the thread's simulation, in the lane's state and with the lane's changes of the model.
    fn simulate(&mut self, shared: &SharedModel, work: impl FnOnce(&mut Data) -> Result<(), Fault>) {
        let simulated = match &mut self.changed {
            Some(changed) => shared.with_changes(self.state, changed, work),
            None => shared.workspace().with_state(self.state, work),
        };
        self.fault = simulated.err();
    }
}

impl<'a> NativeLanes<'a> {
    /// Creates lanes of the shared model with the given state vectors.
    pub fn new(stepper: &'a Stepper, shared: &'a SharedModel, states: Vec<&'a mut [f64]>) -> Self {
        let lanes = states.into_iter().map(|state| NativeLane { state, changed: None, fault: None }).collect();
        Self { stepper, shared, lanes, own_fields: &[] }
    }

    /// Creates lanes with the given state vectors and changes of the model. Steps depend on the changes of `own_fields` only.
    pub fn with_changes(
        stepper: &'a Stepper,
        shared: &'a SharedModel,
        lanes: Vec<(&'a mut [f64], &'a mut DetachedOverrides)>,
        own_fields: &'a [OwnField],
    ) -> Self {
        let lane = |(state, changed)| NativeLane { state, changed: Some(changed), fault: None };
        Self { stepper, shared, lanes: lanes.into_iter().map(lane).collect(), own_fields }
    }

    /// Calls `work` for each lane, with the lane's index and its state vector.
    pub fn for_each_state(&mut self, mut work: impl FnMut(usize, &mut [f64])) {
        self.lanes.iter_mut().enumerate().for_each(|(number, lane)| work(number, lane.state));
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

    /// Advances each lane by `count` simulation steps, with the controls of its state. MuJoCo's library takes the steps that the
    /// native stepper does not support.
    pub fn advance(&mut self, count: u32) {
        if count == 0 {
            return;
        }
        let range = self.stepper.control_range();
        let mut lanes: Vec<_> = self.lanes.iter_mut().filter(|lane| lane.fault.is_none()).collect();
        let controls: Vec<_> = lanes.iter().flat_map(|lane| &lane.state[range.clone()]).copied().collect();
        let (mut simulated, fields): (Vec<_>, Vec<_>) = (lanes.iter_mut().enumerate())
            .map(|(number, NativeLane { state, changed, .. })| {
                let control = &controls[number * range.len()..][..range.len()];
                (Lane { state, control }, own_values(changed.as_deref(), self.own_fields))
            })
            .unzip();
        let is_advanced = advance_natively(self.stepper, &mut simulated, &fields, count);
        for (lane, _) in lanes.into_iter().zip(is_advanced).filter(|(_, is_advanced)| !is_advanced) {
            lane.simulate(self.shared, |data| data.step(count, false));
        }
    }

    /// Advances each lane by `count` simulation steps. Returns the positions before each lane's last step, for
    /// [`compute_poses_of`].
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

/// Returns a lane's values of model fields, given its changes of the model.
fn own_values<'a>(changed: Option<&'a DetachedOverrides>, fields: &[OwnField]) -> LaneFields<'a> {
    let mut values = LaneFields::default();
    for (array, field) in fields {
        if let Some(own) = changed.and_then(|changed| changed.array(*array)) {
            values.set(*field, own);
        }
    }
    values
}

/// Advances lanes by `count` simulation steps, each with its values of model fields. Returns which lanes were advanced; the states
/// of the others are unchanged, because MuJoCo's library must take their steps.
fn advance_natively(stepper: &Stepper, lanes: &mut [Lane<'_>], fields: &[LaneFields<'_>], count: u32) -> Vec<bool> {
    let mut is_advanced = vec![false; lanes.len()];
    stepper.step_with_fields(None, (lanes, fields), (count, Derived::default()), |lane, _, outcome| {
        is_advanced[lane] = matches!(outcome, LaneOutcome::Advanced);
    });
    is_advanced
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
