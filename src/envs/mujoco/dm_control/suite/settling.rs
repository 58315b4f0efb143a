//! Start states of episodes that follow a settling phase: simulation steps without controls, after the start state was drawn.
//!
//! The native stepper computes as many episodes' start states of one lane at once as SIMD registers hold lanes. It draws them
//! from a copy of the lane's random stream. A start state that was computed ahead is used only if the lane then draws the same
//! positions, so it is always the state that MuJoCo would compute, also after a snapshot was loaded or a lane was seeded.

use super::{EpisodeState, Physics, Simulation, Suite};
use envpool_rs_numeric::random::RandomState;
use envpool_rs_sim_mujoco::{Derived, Fault, Lane, STEPPER_LANES, Stepper, Workspace};

/// Start state of an episode, before it is known whether the lane will draw it.
pub(super) struct SettledState {
    /// Positions that were drawn (`qpos`), before the settling phase.
    drawn: Vec<f64>,
    /// State vector after the settling phase.
    state: Vec<f64>,
}

impl SettledState {
    /// Returns whether the lane's drawn positions are those from which this state was computed.
    fn starts_from(&self, drawn: &[f64]) -> bool {
        self.drawn.iter().map(|value| value.to_bits()).eq(drawn.iter().map(|value| value.to_bits()))
    }
}

impl Suite {
    /// Returns the number of heap bytes of the start states that a lane computes ahead.
    pub(super) fn settled_bytes(&self) -> usize {
        let Some(model) = self.shared.model().filter(|_| self.settler().is_some()) else { return 0 };
        (STEPPER_LANES - 1) * (size_of::<SettledState>() + (model.state_len() + model.sizes().nq) * size_of::<f64>())
    }

    /// Returns the native stepper and the threads' simulations if episodes start with a settling phase that the stepper can
    /// compute.
    fn settler(&self) -> Option<(&Stepper, &Workspace)> {
        let bound = self.bound.as_ref().filter(|bound| bound.needs.is_some())?;
        let stepper = self.who_steps.stepper()?;
        // Colours that show the reward of the start state need its derived quantities.
        (self.domain().settling_steps() > 1 && bound.colours.is_none()).then(|| (stepper, self.shared.workspace()))
    }

    /// Starts a lane's next episode as [`Suite::try_reset`] does, with a start state that was computed ahead if there is one.
    pub(super) fn try_next_episode(&self, lane: &mut EpisodeState, random: &mut RandomState) -> Result<(), Fault> {
        let Some((stepper, workspace)) = self.settler() else { return self.try_reset(lane, random, false) };
        let EpisodeState { simulation, shown, settled } = lane;
        if let (Simulation::Shared(state, _), true) = (&*simulation, settled.is_empty()) {
            *settled = self.settle_ahead((stepper, workspace), state, &mut random.clone())?;
        }
        let next = settled.pop();
        let is_drawn = self.with(simulation, |physics| {
            physics.restart()?;
            self.domain().initialize_episode(physics, random, false)?;
            let is_drawn = next.as_ref().is_some_and(|next| next.starts_from(physics.qpos()));
            if !is_drawn {
                physics.advance(self.domain().settling_steps())?;
            }
            Ok(is_drawn)
        })?;
        match (&mut *simulation, next) {
            (Simulation::Shared(state, _), Some(next)) if is_drawn => state.copy_from_slice(&next.state),
            // The random stream is not the one from which the states were drawn.
            _ => settled.clear(),
        }
        self.with(simulation, |physics| self.show_start(physics, shown))
    }

    /// Draws the start states of a lane's next episodes, and computes the states after the settling phase. The next episode's
    /// state is the last element of the result.
    fn settle_ahead(
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
        let control = vec![0.0; self.outline.controls.len()];
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
