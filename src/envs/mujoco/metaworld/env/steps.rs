//! Steps of a MetaWorld task: of one lane by MuJoCo's library, or of several lanes at once by the native stepper.

use super::super::number::Number;
use super::super::sawyer::{MOCAP_QUAT, Sawyer, fingers};
use super::super::task::{Episode, Outcome, Step};
use super::super::vector::{Vec3, vec3};
use super::super::wrappers::WrapperState;
use super::{EpisodeState, HALF, INFOS, MetaworldEnv};
use crate::simulated::native_lanes::{NativeLanes, OwnField};
use crate::simulated::to_error;
use envpool_rs_engine::{Action, LaneStep};
use envpool_rs_sim_mujoco::model_overrides::BODY_POS;
use envpool_rs_sim_mujoco::{DetachedOverrides, Fault, LaneField, numeric};

/// Distance in metres by which an action of 1 moves the hand (`action_scale`).
const ACTION_SCALE: f32 = 1.0 / 100.0;
/// Model arrays on which steps depend and that differ between episodes.
pub(super) const OWN_FIELDS: [OwnField; 1] = [(BODY_POS, LaneField::BodyPos)];

/// Parts of a lane that the results of a step or reset change.
pub(super) struct LaneBuffers<'a> {
    pub(super) episode: &'a mut Episode,
    pub(super) before: &'a mut [f64; HALF],
    pub(super) frames: &'a mut [f64],
    infos: &'a mut [f64; INFOS.len()],
    ends_at_success: bool,
    pub(super) wrapped: Option<&'a mut WrapperState>,
}

impl EpisodeState {
    /// Returns mutable borrows of the state vector, the model's changes, and the parts that results of steps and resets change.
    pub(super) fn parts_mut(&mut self) -> (&mut [f64], &mut DetachedOverrides, LaneBuffers<'_>) {
        let Self { state, changed, episode, before, frames, infos, switches, wrapped, .. } = self;
        let (ends_at_success, wrapped) = (switches.ends_at_success, wrapped.as_deref_mut());
        (state, changed, LaneBuffers { episode, before, frames, infos, ends_at_success, wrapped })
    }
}

impl MetaworldEnv {
    /// Steps one lane by MuJoCo's library. Returns whether the episode terminates.
    pub(super) fn step_one(&self, play: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64]) -> bool {
        let action = four(action);
        let (state, changed, mut buffers) = play.parts_mut();
        self.simulate(state, changed, |sim| {
            let position = self.moved(vec3(sim.data.mocap_pos(), 0), &action);
            sim.control(position, f64::from(action[3]))?;
            self.finish(sim, action, &mut buffers, rewards)
        })
    }

    /// Steps several lanes at once by the native stepper. MuJoCo's library takes the steps that the native stepper does not
    /// support, and computes the poses that observations and rewards read.
    pub(super) fn step_together(&self, lanes: &mut [LaneStep<'_, Self>]) {
        let stepper = self.who_steps.stepper().expect("lanes are only stepped together where there is a stepper");
        let (mut simulated, mut others) = (Vec::with_capacity(lanes.len()), Vec::with_capacity(lanes.len()));
        for LaneStep { state, action, rewards, terminated, error, .. } in lanes {
            let (state, changed, buffers) = state.parts_mut();
            simulated.push((state, changed));
            others.push((buffers, four(action), rewards, terminated, error));
        }
        let mut simulated = NativeLanes::with_changes(stepper, &self.shared, simulated, &OWN_FIELDS);
        let ([place, turn], control) = (stepper.mocap_ranges(), stepper.control_range());
        simulated.for_each_state(|lane, state| {
            let (_, action, ..) = &others[lane];
            let position = self.moved(vec3(state, place.start), action);
            state[place.clone()].copy_from_slice(&position);
            state[turn.clone()].copy_from_slice(&MOCAP_QUAT);
            state[control.clone()].copy_from_slice(&fingers(f64::from(action[3])));
        });
        simulated.advance(self.frame_skip);
        simulated.for_each(|lane, data| {
            let (buffers, action, rewards, terminated, _) = &mut others[lane];
            **terminated = self.finish(&mut self.sawyer(data), *action, buffers, rewards)?;
            Ok(())
        });
        for ((.., error), fault) in others.into_iter().zip(simulated.into_faults()) {
            *error = fault.map(to_error);
        }
    }

    /// Returns the position to which an action moves the mocap body, which is at `position`.
    fn moved(&self, position: Vec3, action: &[f32; 4]) -> Vec3 {
        let [low, high] = self.spec.hand;
        [0, 1, 2].map(|axis| {
            let moved = position[axis] + f64::from(clip(action[axis]) * ACTION_SCALE);
            numeric::clip(moved, low[axis], high[axis])
        })
    }

    /// Computes observation, reward and infos after the simulation's steps. Returns whether the episode terminates.
    fn finish(
        &self,
        sim: &mut Sawyer<'_>,
        action: [f32; 4],
        lane: &mut LaneBuffers<'_>,
        rewards: &mut [f64],
    ) -> Result<bool, Fault> {
        // The reference calls `mj_forward`. Only `Sawyer::touches` needs more of its results, and computes them then.
        sim.data.kinematics()?;
        let mut observation = self.observation(sim, lane.episode, lane.before);
        lane.before.copy_from_slice(&observation[..HALF]);
        let [low, high] = self.bounds(&self.spec.goal);
        for (value, (low, high)) in observation.iter_mut().zip(low.iter().zip(&high)) {
            *value = numeric::clip(*value, *low, *high);
        }
        let mut step = Step { sim, action, observation };
        let outcome = match self.has_first_version {
            true => self.rules().first_version(&step, lane.episode),
            false => self.rules().evaluate(&mut step, lane.episode)?,
        };
        if let Some(fault) = sim.fault.take() {
            return Err(fault);
        }
        *lane.infos = infos(&outcome);
        let terminated = lane.ends_at_success && outcome.is_success;
        let reward = match lane.wrapped.as_deref_mut() {
            Some(wrapped) => self.wrappers.step(wrapped, action, outcome.reward, terminated),
            None => outcome.reward,
        };
        rewards[0] = reward.value();
        self.push(lane.frames, &observation, lane.wrapped.as_deref_mut());
        Ok(terminated)
    }
}

/// Returns the four values of a lane's action.
fn four(action: &Action<'_>) -> [f32; 4] {
    action.continuous(0, 4).try_into().expect("four values")
}

/// Limits an action to -1 to 1, as `np.clip` does.
fn clip(value: f32) -> f32 {
    let raised = if value < -1.0 { -1.0 } else { value };
    if raised > 1.0 { 1.0 } else { raised }
}

/// Returns the infos of a step, in the order of [`INFOS`].
fn infos(outcome: &Outcome) -> [f64; INFOS.len()] {
    [
        f64::from(u8::from(outcome.is_success)),
        outcome.near_object,
        outcome.grasp_success,
        outcome.grasp_reward,
        outcome.in_place_reward,
        outcome.obj_to_target,
        Number::value(outcome.reward),
    ]
}
