//! Outcomes of a lane's native steps, and steps that MuJoCo takes instead of the native stepper.

use crate::data::Data;
use crate::faults::Fault;
use crate::native::state::{Derived, Lane};
use crate::workspace::Workspace;

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

/// Steps one simulation with MuJoCo's `mj_step`.
pub(super) fn step_with_library(
    workspace: &Workspace,
    number: usize,
    lane: &mut Lane<'_>,
    (count, derived): (u32, Derived),
    mut show: impl FnMut(usize, Result<&mut Data, Fault>),
) {
    let stepped = workspace.with_state(lane.state, |data| {
        data.ctrl_mut().copy_from_slice(lane.control);
        data.step(count, derived.cfrc_ext)?;
        if derived.final_arrays.any() {
            data.kinematics_and_sensors()?;
        }
        show(number, Ok(data));
        Ok(())
    });
    if let Err(fault) = stepped {
        show(number, Err(fault));
    }
}
