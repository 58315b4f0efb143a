//! Implements the engine's [`Env`], [`Renderable`], and snapshots for [`KitchenEnv`].

use super::arm::{self, JOINTS, OBSERVED};
use super::env::{CAMERA, FRAME, KitchenEnv};
use super::goal::{COUNT, KitchenTask, TASKS, TaskSet};
use crate::goals::stacked_space;
use crate::rendered::{CameraPreset, Renderable};
use crate::simulated::shared_model::{SharedModel, repeat_step};
use crate::snapshot_checks::{check_finite, check_len};
use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvSpec, InfoSpec, LaneState, Options, ResetOptions, Result, Row, Space, refused_state,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{self as mujoco, Data, Fault, Model};

/// Keys of the infos, which are masks of tasks.
const INFOS: [&str; 3] = ["tasks_to_complete", "step_task_completions", "episode_task_completions"];

/// Episode state of a lane, which is one environment of a pool.
pub struct EpisodeState {
    /// MuJoCo's state vector of the lane (`mjSTATE_INTEGRATION`).
    state: Vec<f64>,
    /// State vector before the last step, from which rendering repeats the step; empty after a reset.
    start: Vec<f64>,
    /// Stacked frames, oldest first. Each holds an observation and an achieved goal.
    frames: Vec<f64>,
    /// Tasks of each info: those to complete, those that the last step completed, and those that the episode's steps completed.
    masks: [TaskSet; INFOS.len()],
}

impl Env for KitchenEnv {
    type State = EpisodeState;
    type Random = Generator;

    fn new(options: &Options) -> Result<Self> {
        Self::from_options(options)
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let Some(library) = mujoco::installed() else { return self.shared.loaded().map(|_| ()) };
        self.load_parts(library, store)
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        !SharedModel::is_in(store, &self.model_name())
    }

    fn spec(&self) -> EnvSpec {
        let space = |tasks: TaskSet| {
            let part = |task: &KitchenTask| (task.name.to_owned(), stacked_space(task.goal.len(), self.frame_stack));
            let goal = Space::Dict(tasks.iter().map(part).collect());
            let observation = stacked_space(OBSERVED, self.frame_stack);
            let parts = [("observation", observation), ("desired_goal", goal.clone()), ("achieved_goal", goal)];
            Space::Dict(parts.map(|(key, space)| (key.to_owned(), space)).into())
        };
        let mask = |key| InfoSpec::new(key, Dtype::Bool, &[COUNT]).with_envpool_dtype(Dtype::I32).with_envpool_range(0, 1);
        let action = Space::uniform(-1.0, 1.0, &[JOINTS], Dtype::F64);
        EnvSpec {
            envpool_action: Some(action.clone()),
            // EnvPool's observations have the goals of all tasks, the reference's those of the tasks to complete.
            envpool_observation: Some(space(TaskSet::all())),
            written: Some(space(TaskSet::all())),
            info: INFOS.map(mask).into(),
            ..EnvSpec::new(space(self.tasks), action)
        }
    }

    fn heap_bytes(&self) -> usize {
        2 * self.physics.state_bytes() + FRAME * self.frame_stack * size_of::<f64>()
    }

    fn thread_bytes(&self) -> usize {
        self.physics.thread_bytes()
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        self.shared.loaded()?;
        Ok(EpisodeState {
            state: self.start().state.clone(),
            start: Vec::new(),
            frames: vec![0.0; FRAME * self.frame_stack],
            masks: [self.tasks, TaskSet::default(), TaskSet::default()],
        })
    }

    fn reset(&self, play: &mut EpisodeState, _options: &ResetOptions, random: &mut Generator) {
        let EpisodeState { state, start, frames, masks } = play;
        let first = self.start();
        state.copy_from_slice(&first.state);
        start.clear();
        self.capture(&first.qpos, &first.qvel, frames, random);
        let stacked = frames.len() - FRAME;
        let (older, newest) = frames.split_at_mut(stacked);
        older.chunks_exact_mut(newest.len()).for_each(|frame| frame.copy_from_slice(newest));
        *masks = [self.tasks, TaskSet::default(), TaskSet::default()];
    }

    fn step(&self, play: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], random: &mut Generator) -> bool {
        let EpisodeState { state, start, frames, masks: [tasks, completed, ever] } = play;
        let observed = &frames[frames.len() - FRAME..][..JOINTS];
        let controls = arm::controls(action.doubles(0, JOINTS), observed, self.step_seconds());
        start.clone_from(state);
        *completed = self.physics.simulate(state, |data| {
            self.advance(data, &controls)?;
            self.capture(data.qpos(), data.qvel(), frames, random);
            Ok(tasks.completed(data.qpos()))
        });
        if self.removes {
            *tasks = tasks.without(*completed);
        }
        *ever = ever.union(*completed);
        rewards[0] = f64::from(completed.count());
        self.terminates && *ever == self.tasks
    }

    fn observe(&self, play: &EpisodeState, out: &mut Row<'_>) {
        for (number, frame) in play.frames.chunks_exact(FRAME).enumerate() {
            let (observation, mut achieved) = frame.split_at(OBSERVED);
            out.write_at(0, number * OBSERVED, observation);
            for (leaf, task) in TASKS.iter().enumerate() {
                let (values, rest) = achieved.split_at(task.goal.len());
                out.write_at(1 + leaf, number * values.len(), task.goal);
                out.write_at(1 + COUNT + leaf, number * values.len(), values);
                achieved = rest;
            }
        }
    }

    fn info(&self, play: &EpisodeState, out: &mut Row<'_>) {
        play.masks.iter().enumerate().for_each(|(info, tasks)| out.write(info, &tasks.mask()));
    }
}

impl Renderable for KitchenEnv {
    fn camera_preset(&self) -> CameraPreset {
        CAMERA
    }

    fn model(&self) -> Option<&Model> {
        self.shared.model()
    }

    fn view<T>(&self, play: &EpisodeState, look: impl FnOnce(&Data) -> T) -> std::result::Result<T, Fault> {
        let repeat = |data: &mut Data| repeat_step(data, &play.start, |data, controls| self.advance(data, controls));
        self.shared.view(&play.state, repeat, look)
    }

    fn seconds(&self) -> f64 {
        self.step_seconds()
    }
}

impl LaneState<KitchenEnv> for EpisodeState {
    fn save(&self, env: &KitchenEnv, bytes: &mut Vec<u8>) -> Result<()> {
        let Self { state, start, frames, masks } = self;
        env.shared.save(&([state, start, frames], masks), bytes)
    }

    fn load(env: &KitchenEnv, bytes: &mut &[u8]) -> Result<Self> {
        let ([state, start, frames], masks): ([Vec<f64>; 3], [TaskSet; INFOS.len()]) = env.shared.restore(bytes)?;
        env.shared.check_states(&state, &start)?;
        check_len("observation", frames.len(), FRAME * env.frame_stack)?;
        check_finite(&frames)?;
        match masks.iter().all(|tasks| tasks.is_part_of(env.tasks)) {
            true => Ok(Self { state, start, frames, masks }),
            false => Err(refused_state("its tasks are not those of the option tasks_to_complete")),
        }
    }
}
