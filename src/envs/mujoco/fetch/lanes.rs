//! Implements the engine's [`Env`], [`Renderable`], and snapshots for [`FetchEnv`].

use super::arm::{ACTION, Arm};
use super::env::{CAMERA, EpisodeState, FetchEnv, GOAL, Saved};
use crate::goals;
use crate::rendered::{CameraPreset, Renderable};
use crate::robotics;
use crate::simulated::native_lanes::{NativeLanes, compute_poses_of, pose_obstacle};
use crate::simulated::shared_model::SharedModel;
use crate::simulated::to_error;
use crate::snapshot_checks::{check_finite, check_len};
use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvSpec, LaneState, LaneStep, Options, ResetOptions, Result, Row, Scheduling, Space,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{self as mujoco, Data, Fault, Model, model_overrides::SITE_POS};

/// Timestep of the models in seconds, for use before they are loaded.
const TIMESTEP: f64 = 0.002;

impl Env for FetchEnv {
    type State = EpisodeState;
    type Random = Generator;

    fn new(options: &Options) -> Result<Self> {
        Self::from_options(options)
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let Some(library) = mujoco::installed() else { return self.shared.loaded().map(|_| ()) };
        let name = self.model_name();
        let mut shared = std::mem::take(&mut self.shared);
        let model = shared.load(store, &name, || self.compile(library))?;
        self.arm = Arm::new(model, self.has_object)?;
        // Pictures show the state at the end of a step, so they do not prevent native steps.
        self.who_steps.choose(store, &name, model, pose_obstacle(model))?;
        self.start = Some(store.get_or_load(&self.start_name(), || self.find_start(model))?);
        self.shared = shared;
        Ok(())
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        !SharedModel::is_in(store, &self.model_name())
    }

    fn spec(&self) -> EnvSpec {
        let observation = goals::observation_space(Arm::observation_len(self.has_object), GOAL, self.frame_stack);
        let action = Space::uniform(-1.0, 1.0, &[ACTION], Dtype::F32);
        EnvSpec {
            envpool_observation: Some(observation.clone()),
            info: robotics::goal_infos(),
            option_decisions: self.who_steps.decided(),
            ..EnvSpec::new(observation, action)
        }
    }

    fn heap_bytes(&self) -> usize {
        self.shared.state_bytes() + self.frame() * self.frame_stack * size_of::<f64>()
    }

    fn thread_bytes(&self) -> usize {
        self.shared.thread_bytes() + self.who_steps.thread_bytes()
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        Ok(EpisodeState {
            state: self.shared.loaded()?.state.clone(),
            pose: [0.0; 7],
            frames: vec![0.0; self.frame() * self.frame_stack],
            goal: [0.0; GOAL],
            distance: 0.0,
        })
    }

    fn reset(&self, play: &mut EpisodeState, _options: &ResetOptions, random: &mut Generator) {
        let EpisodeState { state, pose, frames, goal, distance } = play;
        let start = self.start.as_ref().expect("lanes are made of a loaded model");
        let place = self.has_object.then(|| self.rules.draw_object(&start.gripper, random));
        *goal = self.rules.draw_goal(&start.gripper, start.height, random);
        self.shared.simulate(state, |data| {
            self.arm.reset(data, start, place)?;
            *pose = self.arm.pose(data);
            (0..self.frame_stack).for_each(|_| *distance = self.capture(data, goal, frames));
            Ok(())
        });
    }

    fn step(&self, play: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], _random: &mut Generator) -> bool {
        let action = action.continuous(0, ACTION);
        let (state, mut buffers) = play.parts();
        self.shared.simulate(state, |data| {
            self.arm.act(data, action, buffers.pose, self.blocks_gripper);
            data.step(self.frame_skip, false)?;
            if self.blocks_gripper {
                self.arm.close_fingers(data)?;
            }
            self.evaluate(data, rewards, &mut buffers);
            Ok(())
        });
        false
    }

    fn stack_bytes(&self) -> usize {
        self.who_steps.stack_bytes()
    }

    fn scheduling(&self) -> Scheduling {
        self.who_steps.scheduling(Self::SCHEDULING)
    }

    fn step_lanes(&self, lanes: &mut [LaneStep<'_, Self>]) {
        let stepper = self.who_steps.stepper().expect("lanes are only stepped together where there is a stepper");
        let (mut states, mut others) = (Vec::with_capacity(lanes.len()), Vec::with_capacity(lanes.len()));
        for LaneStep { state, action, rewards, error, .. } in lanes {
            let (state, buffers) = state.parts();
            states.push(state);
            others.push((buffers, action.continuous(0, ACTION), rewards, error));
        }
        let mut simulated = NativeLanes::new(stepper, &self.shared, states);
        simulated.for_each(|lane, data| {
            let (buffers, action, ..) = &others[lane];
            self.arm.act(data, action, buffers.pose, self.blocks_gripper);
            Ok(())
        });
        let before = if self.blocks_gripper {
            simulated.advance(self.frame_skip);
            Vec::new()
        } else {
            simulated.advance_keeping_positions(self.frame_skip)
        };
        simulated.for_each(|lane, data| {
            match before.get(lane) {
                None => self.arm.close_fingers(data)?,
                Some(positions) => compute_poses_of(positions, data)?,
            }
            let (buffers, _, rewards, _) = &mut others[lane];
            self.evaluate(data, rewards, buffers);
            Ok(())
        });
        for ((.., error), fault) in others.into_iter().zip(simulated.into_faults()) {
            *error = fault.map(to_error);
        }
    }

    fn observe(&self, play: &EpisodeState, out: &mut Row<'_>) {
        goals::write_frames(&play.frames, self.frame() - 2 * GOAL, GOAL, out);
    }

    fn info(&self, play: &EpisodeState, out: &mut Row<'_>) {
        out.scalar(0, u8::from(play.distance < self.rules.threshold));
        out.scalar(1, play.distance);
    }
}

impl Renderable for FetchEnv {
    fn camera_preset(&self) -> CameraPreset {
        CAMERA
    }

    fn model(&self) -> Option<&Model> {
        self.shared.model()
    }

    fn view<T>(&self, play: &EpisodeState, look: impl FnOnce(&Data) -> T) -> std::result::Result<T, Fault> {
        let show_goal = |data: &mut Data| {
            // The site's position is relative to its body, which does not move and does not turn.
            data.forward()?;
            let (target, place) = (self.arm.target, data.site(self.arm.target));
            for (axis, value) in place.iter().enumerate() {
                data.model_array_mut(SITE_POS)[3 * target + axis] += play.goal[axis] - value;
            }
            data.forward()
        };
        self.shared.view(&play.state, show_goal, look)
    }

    fn seconds(&self) -> f64 {
        self.step_seconds(self.model().map_or(TIMESTEP, Model::timestep))
    }
}

impl LaneState<FetchEnv> for EpisodeState {
    fn save(&self, env: &FetchEnv, bytes: &mut Vec<u8>) -> Result<()> {
        let Self { state, pose, frames, goal, distance } = self;
        env.shared.save(&([state, frames], pose, goal, distance), bytes)
    }

    fn load(env: &FetchEnv, bytes: &mut &[u8]) -> Result<Self> {
        let ([state, frames], pose, goal, distance): Saved = env.shared.restore(bytes)?;
        env.shared.check_state(&state)?;
        check_len("observation", frames.len(), env.frame() * env.frame_stack)?;
        check_finite(pose.iter().chain(&goal))?;
        Ok(Self { state, pose, frames, goal, distance })
    }
}
