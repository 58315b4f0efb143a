//! Resets of a MetaWorld task: of one lane, or of several lanes whose hands the native stepper moves at once.

use super::super::random::GoalStream;
use super::super::sawyer::{HAND_STEPS, OPENING_EFFORT, Sawyer};
use super::super::task::Episode;
use super::steps::{LaneBuffers, OWN_FIELDS};
use super::{EpisodeState, MetaworldEnv};
use crate::simulated::native_lanes::NativeLanes;
use crate::simulated::to_error;
use envpool_rs_engine::{LaneReset, ResetOptions};
use envpool_rs_sim_mujoco::Fault;

impl MetaworldEnv {
    /// Sets a lane's switches to those of the reset options, chooses the next goal, clears infos and resets the wrappers.
    pub(super) fn begin_episode(&self, play: &mut EpisodeState, options: &ResetOptions, random: &mut GoalStream) {
        let EpisodeState { episode, infos, goals, switches, wrapped, .. } = play;
        for (name, switch) in
            [("sample_tasks_on_reset", &mut switches.samples_on_reset), ("terminate_on_success", &mut switches.ends_at_success)]
        {
            *switch = options.get(name).map_or(*switch, |value| value != 0.0);
        }
        let is_sampling = options.get("sample_tasks").map_or(switches.samples_on_reset, |value| value != 0.0);
        episode.random = goals.next(&self.goals, random, is_sampling);
        infos.fill(0.0);
        wrapped.iter_mut().for_each(|wrapped| wrapped.reset());
    }

    /// Places the robot and the objects twice, as the reference does: before and after it resets the simulation.
    pub(super) fn start(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        match &self.stored {
            Some(stored) => {
                sim.restore_hand(&stored.0)?;
                self.place(sim, episode)?;
                sim.restore_hand(&stored.0)?;
            }
            None => {
                self.place_in_new(sim, episode)?;
                sim.reset_hand(self.spec.hand_init)?;
            }
        }
        self.place(sim, episode)
    }

    /// Starts episodes of several lanes. The native stepper moves their hands (`_reset_hand`) at once, by all simulation steps but
    /// the last, whose derived quantities resets read.
    pub(super) fn reset_together(&self, lanes: &mut [LaneReset<'_, Self>]) {
        let stepper = self.who_steps.stepper().expect("lanes are only reset together where there is a stepper");
        let (mut simulated, mut others) = (Vec::with_capacity(lanes.len()), Vec::with_capacity(lanes.len()));
        for LaneReset { state, random, options, error } in lanes {
            self.begin_episode(state, options, random);
            let (state, changed, buffers) = state.parts_mut();
            simulated.push((state, changed));
            others.push((buffers, error));
        }
        let mut simulated = NativeLanes::with_changes(stepper, &self.shared, simulated, &OWN_FIELDS);
        simulated.for_each(|lane, data| {
            let sim = &mut self.sawyer(data);
            self.place_in_new(sim, others[lane].0.episode)?;
            sim.set_control(self.spec.hand_init, OPENING_EFFORT);
            Ok(())
        });
        simulated.advance(HAND_STEPS * self.frame_skip - 1);
        simulated.for_each(|lane, data| {
            let (sim, buffers) = (&mut self.sawyer(data), &mut others[lane].0);
            sim.data.step(1, false)?;
            self.place(sim, buffers.episode)?;
            self.finish_reset(sim, buffers);
            Ok(())
        });
        for ((_, error), fault) in others.into_iter().zip(simulated.into_faults()) {
            *error = fault.map(to_error);
        }
    }

    /// Places the objects, and resets the simulation.
    ///
    /// The reference moves the hand before it places the objects. Of the results only the lane's changes of the model remain, which
    /// do not depend on the hand.
    fn place_in_new(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        sim.data.kinematics()?;
        self.place(sim, episode)?;
        sim.data.reset()
    }

    /// Places the objects for an episode (`reset_model`, after `_reset_hand`).
    fn place(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.tcp = sim.tcp_center();
        self.rules().reset(sim, episode)
    }

    /// Fills all stacked observations with that of the present state, the first of an episode.
    pub(super) fn finish_reset(&self, sim: &Sawyer<'_>, lane: &mut LaneBuffers<'_>) {
        *lane.before = self.present(sim);
        let observation = self.observation(sim, lane.episode, lane.before);
        self.push(lane.frames, &observation, lane.wrapped.as_deref_mut());
        let (older, newest) = lane.frames.split_at_mut(lane.frames.len() - self.width());
        older.chunks_exact_mut(newest.len()).for_each(|frame| frame.copy_from_slice(newest));
    }
}
