//! Implements the engine's [`Env`], [`Renderable`], and snapshots for [`HandEnv`].

use super::env::{CAMERA, HandEnv, Kind};
use super::fingers::ACTION;
use super::goal::Distance;
use crate::goals;
use crate::names::Names;
use crate::rendered::{CameraPreset, Renderable};
use crate::robotics;
use crate::simulated::shared_model::SharedModel;
use crate::simulated::to_error;
use crate::snapshot_checks::{check_finite, check_len};
use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvSpec, LaneState, LaneStep, Options, ResetOptions, Result, Row, Scheduling, Space,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{GEOM_RGBA, SITE_POS, SITE_RGBA};
use envpool_rs_sim_mujoco::{self as mujoco, Data, Derived, Fault, Lane, Model};

/// Timestep of the models in seconds, for use before they are loaded.
const TIMESTEP: f64 = 0.002;
/// Offset of the shown goal along the axis x in metres, where positions of goals do not matter.
const SHOWN_OFFSET: f64 = 0.15;
/// Colours in pictures of touch sensors with a force, and of others.
const TOUCH_COLOURS: [[f32; 4]; 2] = [[1.0, 0.0, 0.0, 0.5], [0.0, 0.5, 0.0, 0.2]];

/// Episode state of a lane, which is one environment of a pool.
pub struct EpisodeState {
    /// MuJoCo's state vector of the lane (`mjSTATE_INTEGRATION`).
    state: Vec<f64>,
    /// Stacked observation frames, oldest first. Each holds the observation, the achieved goal and the desired goal.
    frames: Vec<f64>,
    /// Desired goal.
    goal: Vec<f64>,
    /// Distance between achieved goal and desired goal after the last step or reset.
    distance: Distance,
}

impl Env for HandEnv {
    type State = EpisodeState;
    type Random = Generator;

    fn new(options: &Options) -> Result<Self> {
        Self::from_options(options)
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let Some(library) = mujoco::installed() else { return self.shared.loaded().map(|_| ()) };
        let mut shared = std::mem::take(&mut self.shared);
        let model = shared.load(store, &self.model_name(), || self.compile(library))?;
        self.bind(model, store)?;
        let obstacle = (self.native_steps() == 0).then_some("touch sensors are computed in the only simulation step");
        self.who_steps.choose(store, &self.model_name(), model, obstacle)?;
        self.shared = shared;
        Ok(())
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        !SharedModel::is_in(store, &self.model_name())
    }

    fn spec(&self) -> EnvSpec {
        let observation = goals::observation_space(self.observed(), self.goal_len(), self.frame_stack);
        let decided = self.who_steps.decided();
        EnvSpec {
            envpool_observation: Some(observation.clone()),
            info: robotics::goal_infos(),
            option_decisions: decided,
            ..EnvSpec::new(observation, Space::uniform(-1.0, 1.0, &[ACTION], Dtype::F32))
        }
    }

    fn heap_bytes(&self) -> usize {
        self.shared.state_bytes() + (self.frame() * self.frame_stack + self.goal_len()) * size_of::<f64>()
    }

    fn thread_bytes(&self) -> usize {
        self.shared.thread_bytes() + self.who_steps.thread_bytes()
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        self.shared.loaded()?;
        let goal = vec![0.0; self.goal_len()];
        Ok(EpisodeState {
            state: self.start().state.clone(),
            frames: vec![0.0; self.frame() * self.frame_stack],
            distance: self.rules.distance(&goal, &goal),
            goal,
        })
    }

    fn reset(&self, play: &mut EpisodeState, _options: &ResetOptions, random: &mut Generator) {
        let EpisodeState { state, frames, goal, distance } = play;
        self.shared.simulate(state, |data| {
            self.start_episode(data, goal, random)?;
            (0..self.frame_stack).for_each(|_| *distance = self.capture(data, goal, frames));
            Ok(())
        });
    }

    fn step(&self, play: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], _random: &mut Generator) -> bool {
        let EpisodeState { state, frames, goal, distance } = play;
        let action = action.continuous(0, ACTION);
        self.shared.simulate(state, |data| {
            self.advance(data, action)?;
            *distance = self.capture(data, goal, frames);
            Ok(())
        });
        rewards[0] = self.rules.reward(*distance);
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
        let positions = stepper.state_range("qpos").expect("a native step writes the positions");
        let control = |lane: &LaneStep<'_, Self>| {
            self.fingers().controls(&lane.state.state[positions.clone()], lane.action.continuous(0, ACTION))
        };
        let controls: Vec<_> = lanes.iter().map(control).collect();
        let (mut simulated, mut others) = (Vec::with_capacity(lanes.len()), Vec::with_capacity(lanes.len()));
        for (LaneStep { state: play, rewards, error, .. }, control) in lanes.iter_mut().zip(&controls) {
            let EpisodeState { state, frames, goal, distance } = &mut **play;
            simulated.push(Lane { state, control });
            others.push((frames, goal, distance, rewards, error));
        }
        let is_last = self.native_steps() == self.frame_skip;
        let derived = Derived { site_xpos: is_last && !self.spec.has_object, ..Derived::default() };
        stepper.step(self.shared.workspace(), &mut simulated, (self.native_steps(), derived), |lane, stepped| {
            let (frames, goal, distance, rewards, error) = &mut others[lane];
            match stepped {
                Ok(data) if is_last => {
                    **distance = self.capture(data, goal, frames);
                    rewards[0] = self.rules.reward(**distance);
                }
                Ok(_) => {}
                Err(fault) => **error = Some(to_error(fault)),
            }
        });
        let remaining = simulated.into_iter().zip(others).filter(|(_, (.., error))| !is_last && error.is_none());
        for (Lane { state, .. }, (frames, goal, distance, rewards, error)) in remaining {
            let stepped = self.shared.workspace().with_state(state, |data| {
                data.step(self.frame_skip - self.native_steps(), false)?;
                Ok(self.capture(data, goal, frames))
            });
            match stepped {
                Ok(found) => (*distance, rewards[0]) = (found, self.rules.reward(found)),
                Err(fault) => *error = Some(to_error(fault)),
            }
        }
    }

    fn observe(&self, play: &EpisodeState, out: &mut Row<'_>) {
        goals::write_frames(&play.frames, self.observed(), self.goal_len(), out);
    }

    fn info(&self, play: &EpisodeState, out: &mut Row<'_>) {
        out.scalar(0, u8::from(self.rules.is_success(play.distance)));
        out.scalar(1, play.distance.sum());
    }
}

impl HandEnv {
    /// Shows goal and fingertips at the sites of the model, and computes derived quantities (`_render_callback` of reach.py).
    fn show_fingers(names: Names<'_>, data: &mut Data, shown: &[f64]) -> std::result::Result<(), Fault> {
        data.forward()?;
        let places = ["finger", "target"].into_iter().zip(shown.chunks_exact(shown.len() / 2));
        for (name, places) in places {
            for (finger, place) in places.chunks_exact(3).enumerate() {
                let Ok(site) = names.site(&format!("{name}{finger}")) else { continue };
                let now = data.site(site);
                for axis in 0..3 {
                    let position = &mut data.model_array_mut(SITE_POS)[3 * site + axis];
                    *position = place[axis] - (now[axis] - *position);
                }
            }
        }
        data.forward()
    }

    /// Shows the goal at the body of the model, and computes derived quantities (`_render_callback` of manipulate.py).
    fn show_object(
        &self,
        names: Names<'_>,
        data: &mut Data,
        goal: &[f64],
        (place, velocity): (usize, usize),
    ) -> std::result::Result<(), Fault> {
        data.qpos_mut()[place..][..goal.len()].copy_from_slice(goal);
        if self.rules.ignores_position {
            data.qpos_mut()[place] += SHOWN_OFFSET;
        }
        data.qvel_mut()[velocity..][..6].fill(0.0);
        if let Ok(hidden) = names.geom("object_hidden") {
            data.model_array_mut(GEOM_RGBA)[4 * hidden + 3] = 1.0;
        }
        data.forward()
    }

    /// Colours the touch sensors (`_render_callback` of manipulate_touch_sensors.py).
    fn show_touch(&self, model: &Model, data: &mut Data) {
        for sensor in self.fingers().touch.clone() {
            let site = model.sensor_objid()[sensor] as usize;
            let has_force = data.sensordata()[sensor] != 0.0;
            let colour = &mut data.model_array_mut(SITE_RGBA)[4 * site..][..4];
            match &*self.touch_colours {
                "off" => colour[3] = 0.0,
                "on_touch" => colour.copy_from_slice(&TOUCH_COLOURS[usize::from(!has_force)]),
                _ => {}
            }
        }
    }
}

impl Renderable for HandEnv {
    fn camera_preset(&self) -> CameraPreset {
        CAMERA
    }

    fn model(&self) -> Option<&Model> {
        self.shared.model()
    }

    fn view<T>(&self, play: &EpisodeState, look: impl FnOnce(&Data) -> T) -> std::result::Result<T, Fault> {
        let names = Names(self.shared.workspace().model());
        let show_goal = |data: &mut Data| match self.kind() {
            Kind::Reach(_) => {
                let goals = play.frames.len() - 2 * self.goal_len();
                Self::show_fingers(names, data, &play.frames[goals..])
            }
            Kind::Manipulate(objects) => {
                self.show_object(names, data, &play.goal, objects.target)?;
                self.show_touch(names.0, data);
                Ok(())
            }
        };
        self.shared.view(&play.state, show_goal, look)
    }

    fn seconds(&self) -> f64 {
        self.model().map_or(TIMESTEP, Model::timestep) * f64::from(self.frame_skip)
    }
}

impl LaneState<HandEnv> for EpisodeState {
    fn save(&self, env: &HandEnv, bytes: &mut Vec<u8>) -> Result<()> {
        env.shared.save(&[&self.state, &self.frames, &self.goal], bytes)
    }

    fn load(env: &HandEnv, bytes: &mut &[u8]) -> Result<Self> {
        let [state, frames, goal]: [Vec<f64>; 3] = env.shared.restore(bytes)?;
        env.shared.check_state(&state)?;
        check_len("observation", frames.len(), env.frame() * env.frame_stack)?;
        check_len("goal", goal.len(), env.goal_len())?;
        check_finite(&goal)?;
        let goals = frames.len() - 2 * goal.len();
        let distance = env.rules.distance(&frames[goals..][..goal.len()], &goal);
        Ok(Self { state, frames, goal, distance })
    }
}
