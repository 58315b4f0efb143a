//! Start states of episodes that follow a settling phase: simulation steps without controls, after the start state was drawn.
//!
//! The native stepper computes as many episodes' start states of one lane at once as SIMD registers hold lanes. It draws them
//! from a copy of the lane's random stream. A start state that was computed ahead is used only if the lane then draws the same
//! positions, so it is always the state that MuJoCo would compute, also after a snapshot was loaded or a lane was seeded.

use super::{Physics, Suite};
use envpool_rs_numeric::random::RandomState;
use envpool_rs_sim_mujoco::{Derived, Fault, Lane, Model, STEPPER_LANES, Stepper, Workspace};

/// Start state of an episode, before it is known whether the lane will draw it.
pub(super) struct SettledState {
    /// Positions that were drawn (`qpos`), before the settling phase.
    drawn: Vec<f64>,
    /// State vector after the settling phase.
    pub(super) state: Vec<f64>,
}

impl SettledState {
    /// Returns whether the lane's drawn positions are those from which this state was computed.
    pub(super) fn starts_from(&self, drawn: &[f64]) -> bool {
        self.drawn.iter().map(|value| value.to_bits()).eq(drawn.iter().map(|value| value.to_bits()))
    }
}

impl Suite {
    /// Returns the number of heap bytes of the start states that a lane computes ahead.
    pub(super) fn settled_bytes(&self, model: &Model) -> usize {
        let ahead = if self.is_settled_ahead() { STEPPER_LANES - 1 } else { 0 };
        ahead * (size_of::<SettledState>() + (model.state_len() + model.sizes().nq) * size_of::<f64>())
    }

    /// Returns whether episodes start with a settling phase that the native stepper computes.
    pub(super) fn is_settled_ahead(&self) -> bool {
        let has_stepper = self.bound.is_some() && self.stage.is_some();
        // Colours that show the reward of the start state need its derived quantities.
        has_stepper && self.domain().settling_steps() > 1 && self.bound().colours.is_none()
    }

    /// Draws a lane's next episodes, and computes the states after the settling phase, the next episode's last.
    pub(super) fn settle_ahead(
        &self,
        (stepper, workspace): (&Stepper, &Workspace),
        state: &[f64],
        random: &mut RandomState,
    ) -> Result<Vec<SettledState>, Fault> {
        let mut starts = Vec::with_capacity(STEPPER_LANES);
        for _ in 0..STEPPER_LANES {
            let mut state = state.to_vec();
            let drawn = workspace.with_state(&mut state, |data| {
                let mut physics = Physics { data, is_legacy: self.is_legacy };
                physics.restart()?;
                self.domain().initialize_episode(&mut physics, random, false)?;
                let drawn = physics.qpos().to_vec();
                // The first step uses the derived quantities of the model's initial state, so MuJoCo computes it.
                physics.advance(1)?;
                Ok(drawn)
            })?;
            starts.push(SettledState { drawn, state });
        }
        let control = vec![0.0; self.task.controls.len()];
        let mut lanes: Vec<_> = starts.iter_mut().map(|start| Lane { state: &mut start.state, control: &control }).collect();
        let mut first_failed = lanes.len();
        let count = self.domain().settling_steps() - 1;
        stepper.step(workspace, &mut lanes, (count, Derived::default()), |lane, stepped| {
            if stepped.is_err() {
                first_failed = first_failed.min(lane);
            }
        });
        drop(lanes);
        // If the next episode's state is missing, MuJoCo computes it again and reports the failure.
        starts.truncate(first_failed);
        starts.reverse();
        Ok(starts)
    }
}
