//! Implements the engine's [`Env`], [`Renderable`], and snapshots for [`MujocoEnv`].

use super::super::rendered::{CameraPreset, RENDER_OBSTACLE, Renderable};
use super::super::robot;
use super::super::robot::{RobotSpec, StepMemory, Writer};
use super::super::snapshot_checks::check_len;
use super::super::who_steps::StepperChoice;
use super::shared_model::repeat_step;
use super::{EpisodeState, ModelFile, MujocoEnv, SharedModel, applied_controls, to_error};
use envpool_rs_engine as engine;
use envpool_rs_engine::{Action, AssetCache, Env, EnvSpec, InfoSpec, LaneState, Options, ResetOptions, Result, Row, Scheduling};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco as mujoco;
use envpool_rs_sim_mujoco::{Data, Fault, Lane, Model};

impl Env for MujocoEnv {
    type State = EpisodeState;
    type Random = Generator;
    const SPEC_NEEDS_LOAD: bool = true;

    fn new(options: &Options) -> Result<Self> {
        let spec = options.variant::<RobotSpec>().expect("`Simulated::task` says which robot it is");
        let name = options.text("xml_file").expect("it has a default").to_owned();
        let is_own = name == spec.body.xml_file;
        let robot = (spec.new)(options)?;
        let mut env = Self {
            spec,
            model: ModelFile { is_own, name, folder: options.text("xml_dir").map(str::to_owned) },
            frame_skip: options.int("frame_skip") as u32,
            frame_stack: options.int("frame_stack") as usize,
            outer_forces: options.bool("post_constraint") && robot.needs_outer_forces(),
            robot,
            shared: SharedModel::default(),
            who_steps: StepperChoice::new(options),
            is_rendered: false,
            info_lens: Vec::new(),
            reset_infos: 0,
        };
        env.measure();
        Ok(env)
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let Some(library) = mujoco::installed().filter(|_| !self.model.is_nowhere()) else {
            // The properties of the robot's default model are known without loading the model.
            return if self.model.is_own { Ok(()) } else { self.shared.loaded().map(|_| ()) };
        };
        let path = self.model.path()?;
        let (without, name) = self.without(&path);
        let model = self.shared.load(store, &name, || Model::from_xml(library, &path, without).map_err(to_error))?;
        self.robot.bind(model)?;
        let obstacle = self.is_rendered.then_some(RENDER_OBSTACLE);
        self.who_steps.choose(store, &name, model, obstacle)?;
        self.measure();
        Ok(())
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        self.model.path().is_ok_and(|path| !SharedModel::is_in(store, &self.without(&path).1))
    }

    fn spec(&self) -> EnvSpec {
        let body = &self.spec.body;
        let (low, high) = match self.shared.model() {
            None => (vec![-body.control; body.sizes.nu], vec![body.control; body.sizes.nu]),
            Some(model) => {
                let bounds = model.actuator_ctrlrange().as_chunks::<2>().0;
                (bounds.iter().map(|[low, _]| *low).collect(), bounds.iter().map(|[_, high]| *high).collect())
            }
        };
        let decided = self.who_steps.decided();
        // EnvPool lists the terms of the reward first.
        let is_term = |info: &InfoSpec| info.key.starts_with("reward_");
        let in_order = |info: InfoSpec| if is_term(&info) { info.first_in_envpool() } else { info };
        let info = self.infos().into_iter().map(in_order).collect();
        EnvSpec { info, option_decisions: decided, ..robot::spec(self.frame(), self.frame_stack, low, high) }
    }

    fn heap_bytes(&self) -> usize {
        2 * self.shared.state_bytes() + (self.frame() * self.frame_stack + self.info_len()) * size_of::<f64>()
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        Ok(EpisodeState {
            state: self.shared.loaded()?.state.clone(),
            start: Vec::new(),
            observation: vec![0.0; self.frame() * self.frame_stack],
            infos: vec![0.0; self.info_len()],
            before: StepMemory::default(),
        })
    }

    fn reset(&self, play: &mut EpisodeState, _options: &ResetOptions, random: &mut Generator) {
        let EpisodeState { state, start, observation, infos, before } = play;
        start.clear();
        self.shared.simulate(state, |data| {
            data.reset()?;
            self.robot.reset_model(data, random);
            data.forward()?;
            self.robot.write_reset_infos(data, &mut Writer::new(infos));
            infos[self.reset_infos..].fill(0.0);
            *before = self.robot.step_memory(data);
            (0..self.frame_stack).for_each(|_| self.capture(data, observation));
            Ok(())
        });
    }

    fn step(&self, play: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], _random: &mut Generator) -> bool {
        let action = action.doubles(0, self.sizes().nu);
        let control = applied_controls(self.shared.workspace().model(), action);
        let (state, mut shown) = play.start_step();
        let Some(stepper) = self.who_steps.stepper() else {
            return self.shared.simulate(state, |data| {
                data.ctrl_mut().copy_from_slice(&control);
                data.step(self.frame_skip, self.outer_forces)?;
                Ok(self.evaluate(data, action, rewards, &mut shown))
            });
        };
        let mut ends = false;
        stepper.step(self.shared.workspace(), &mut [Lane { state, control: &control }], self.step_args(), |_, stepped| {
            match stepped {
                Ok(data) => ends = self.evaluate(data, action, rewards, &mut shown),
                Err(fault) => to_error(fault).raise(),
            }
        });
        ends
    }

    fn stack_bytes(&self) -> usize {
        self.who_steps.stack_bytes()
    }

    fn scheduling(&self) -> Scheduling {
        self.who_steps.scheduling(Self::SCHEDULING)
    }

    fn step_lanes(&self, lanes: &mut [engine::LaneStep<'_, Self>]) {
        let stepper = self.who_steps.stepper().expect("lanes are only stepped together where there is a stepper");
        let (mut simulated, mut others) = (Vec::with_capacity(lanes.len()), Vec::with_capacity(lanes.len()));
        let (model, nu) = (self.shared.workspace().model(), self.sizes().nu);
        let controls: Vec<_> = lanes.iter().map(|lane| applied_controls(model, lane.action.doubles(0, nu))).collect();
        for (engine::LaneStep { state, action, rewards, terminated, error: failure, .. }, control) in
            lanes.iter_mut().zip(&controls)
        {
            let (state, shown) = state.start_step();
            simulated.push(Lane { state, control });
            others.push((shown, action.doubles(0, nu), rewards, terminated, failure));
        }
        stepper.step(self.shared.workspace(), &mut simulated, self.step_args(), |lane, stepped| {
            let (shown, action, rewards, terminated, failure) = &mut others[lane];
            match stepped {
                Ok(data) => **terminated = self.evaluate(data, action, rewards, shown),
                Err(fault) => **failure = Some(to_error(fault)),
            }
        });
    }

    fn shared_bytes(&self) -> usize {
        size_of_val(&*self.robot)
    }

    fn thread_bytes(&self) -> usize {
        self.shared.thread_bytes() + self.who_steps.thread_bytes()
    }

    fn observe(&self, play: &EpisodeState, out: &mut Row<'_>) {
        out.write(0, &play.observation);
    }

    fn info(&self, play: &EpisodeState, out: &mut Row<'_>) {
        let mut start = 0;
        for (index, len) in self.info_lens.iter().enumerate() {
            out.write(index, &play.infos[start..start + len]);
            start += len;
        }
    }
}

impl Renderable for MujocoEnv {
    fn camera_preset(&self) -> CameraPreset {
        self.spec.camera
    }

    fn model(&self) -> Option<&Model> {
        self.shared.model()
    }

    fn view<T>(&self, play: &EpisodeState, look: impl FnOnce(&Data) -> T) -> std::result::Result<T, Fault> {
        let again = |data: &mut Data| {
            data.set_state(&play.state)?;
            repeat_step(data, &play.start, |data, control| {
                data.ctrl_mut().copy_from_slice(control);
                data.step(self.frame_skip, self.outer_forces)
            })
        };
        self.shared.workspace().view(&play.state, again, look)
    }

    fn enable_step_rendering(&mut self) {
        self.is_rendered = true;
    }

    fn seconds(&self) -> f64 {
        self.model().map_or(self.spec.timestep, Model::timestep) * f64::from(self.frame_skip)
    }
}

impl LaneState<MujocoEnv> for EpisodeState {
    fn save(&self, env: &MujocoEnv, bytes: &mut Vec<u8>) -> Result<()> {
        let Self { state, start, observation, infos, before } = self;
        env.shared.save(&([state, start, observation, infos], before), bytes)
    }

    fn load(env: &MujocoEnv, bytes: &mut &[u8]) -> Result<Self> {
        let ([state, start, observation, infos], before): ([Vec<f64>; 4], StepMemory) = env.shared.restore(bytes)?;
        env.shared.check_states(&state, &start)?;
        check_len("observation", observation.len(), env.frame() * env.frame_stack)?;
        check_len("infos", infos.len(), env.info_len())?;
        Ok(Self { state, start, observation, infos, before })
    }
}
