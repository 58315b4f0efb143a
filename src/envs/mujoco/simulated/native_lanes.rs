//! Lanes that the native stepper advances together, for tasks that set and read whole simulations before and after the steps.
//!
//! A robot whose step only sets controls needs no more than `Stepper::step`. Tasks that also move mocap bodies, or that compute
//! poses after the steps, use the thread's simulation of MuJoCo's library for both, in the state of each lane in turn.

use envpool_rs_sim_mujoco::{Data, Derived, Fault, Lane, Stepper, Workspace};

/// Lanes that the native stepper advances together. A lane whose simulation fails takes no further part.
pub struct NativeLanes<'a> {
    stepper: &'a Stepper,
    workspace: &'a Workspace,
    /// State vector of each lane (`mjSTATE_INTEGRATION`).
    states: Vec<&'a mut [f64]>,
    faults: Vec<Option<Fault>>,
}

impl<'a> NativeLanes<'a> {
    /// Creates lanes with the given state vectors.
    pub fn new(stepper: &'a Stepper, workspace: &'a Workspace, states: Vec<&'a mut [f64]>) -> Self {
        let faults = states.iter().map(|_| None).collect();
        Self { stepper, workspace, states, faults }
    }

    /// Calls `work` for each lane, with the lane's index and the thread's simulation in the lane's state. Afterwards the lane has
    /// the simulation's state.
    ///
    /// The simulation's derived quantities are undefined, unless `work` computes them.
    pub fn for_each(&mut self, mut work: impl FnMut(usize, &mut Data) -> Result<(), Fault>) {
        for (lane, (state, fault)) in self.states.iter_mut().zip(&mut self.faults).enumerate() {
            if fault.is_none() {
                *fault = self.workspace.with_state(state, |data| work(lane, data)).err();
            }
        }
    }

    /// Advances each lane by `count` simulation steps, with the controls of its state.
    pub fn advance(&mut self, count: u32) {
        if count == 0 {
            return;
        }
        let Self { stepper, workspace, states, faults } = self;
        let range = stepper.control_range();
        let controls: Vec<_> = states.iter().map(|state| state[range.clone()].to_vec()).collect();
        let is_sound: Vec<_> = faults.iter().map(Option::is_none).collect();
        let (numbers, mut lanes): (Vec<_>, Vec<_>) = (states.iter_mut().zip(&controls).enumerate())
            .filter(|(lane, _)| is_sound[*lane])
            .map(|(lane, (state, control))| (lane, Lane { state, control }))
            .unzip();
        stepper.step(workspace, &mut lanes, (count, Derived::default()), |lane, stepped| {
            faults[numbers[lane]] = stepped.err();
        });
    }

    /// Advances each lane by `count` simulation steps. Returns the positions before each lane's last step, for
    /// [`compute_poses_of`].
    pub fn advance_keeping_positions(&mut self, count: u32) -> Vec<Vec<f64>> {
        self.advance(count.saturating_sub(1));
        let range = self.stepper.state_range("qpos").expect("a native step writes the positions");
        let positions = self.states.iter().map(|state| state[range.clone()].to_vec()).collect();
        self.advance(count.min(1));
        positions
    }

    /// Returns each lane's error.
    pub fn into_faults(self) -> Vec<Option<Fault>> {
        self.faults
    }
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
