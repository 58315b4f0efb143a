//! Environment of the kitchen: its options, models, episodes and observations.

use std::ffi::OsStr;

use super::arm::{self, JOINTS, Noise, OBSERVED, Start};
use super::goal::{COUNT, GOALS, KitchenTask, TASKS, TaskSet};
use crate::errors::to_error;
use crate::goals::stacked_space;
use crate::mujoco_env::{Family, Inputs, MujocoEnv, Reset, Step, Stepped};
use crate::render_setup::{CameraPreset, ENVPOOL_ORDER};
use crate::robot::flag;
use crate::robotics::{self, ModelFile};
use crate::snapshot_checks::check_finite;
use envpool_rs_engine::{
    Action, AssetCache, AssetRef, Dtype, EnvSpec, InfoSpec, OptionSpec, Options, Result, Row, Space, Task, Value, refused_state,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Fault, Library, Model};

/// Path of the model in the folder of Gymnasium-Robotics' models.
const XML_FILE: &str = "kitchen_franka/kitchen_assets/kitchen_env_model.xml";
/// Name of the file in memory that includes the model without what only pictures show.
const PHYSICS_FILE: &str = "envpool_rs_physics.xml";
/// Number of values of a frame: an observation, and the achieved goals of all tasks.
const FRAME: usize = OBSERVED + GOALS;
const FRAME_SKIP: i64 = 40;
const MAX_RATIO: f64 = 1e6;
const ORDER: &str = "frame_skip frame_stack xml_file tasks_to_complete terminate_on_tasks_completed remove_task_when_completed \
    robot_noise_ratio object_noise_ratio";

/// Keys of the infos, which are masks of tasks.
const INFOS: [&str; 3] = ["tasks_to_complete", "step_task_completions", "episode_task_completions"];

pub struct KitchenEnv {
    tasks: TaskSet,
    /// Whether an episode terminates when all tasks are completed.
    terminates: bool,
    /// Whether a completed task is rewarded once only in an episode.
    removes: bool,
    noise: Noise,
    model: ModelFile,
    frame_skip: u32,
    /// Duration of a step in simulated seconds.
    seconds: f64,
    /// Start of all episodes; `None` before the model is loaded.
    start: Option<AssetRef<Start>>,
}

/// Memory of a lane: tasks to complete, tasks that the last step completed, and tasks that the episode completed.
type Masks = [TaskSet; INFOS.len()];

impl KitchenEnv {
    pub fn task(id: &'static str) -> Task {
        let ratio = |name, default: f64, doc| OptionSpec::new(name, default, doc).numbers(0.0..=MAX_RATIO);
        let mut options = robotics::model_options(FRAME_SKIP, XML_FILE);
        options.extend([
            OptionSpec::new(
                "tasks_to_complete",
                TASKS.map(|task| task.name.to_owned()).to_vec(),
                "tasks of an episode, which are the keys of the goals",
            ),
            flag("terminate_on_tasks_completed", true, "whether an episode terminates when all tasks are completed"),
            flag("remove_task_when_completed", true, "whether a completed task is rewarded once only in an episode"),
            ratio("robot_noise_ratio", 0.01, "noise of the robot's observed positions and velocities, as a multiple of 0.1"),
            ratio("object_noise_ratio", 0.0005, "noise of the objects' observed positions and velocities, as a multiple of 0.1"),
        ]);
        let order = ORDER.split(' ').chain(ENVPOOL_ORDER).collect();
        MujocoEnv::<Self>::task(id, options, Self::CAMERA).envpool_order(order)
    }

    fn start(&self) -> &Start {
        self.start.as_ref().expect("lanes are made of a loaded model")
    }

    fn first_masks(&self) -> Masks {
        [self.tasks, TaskSet::default(), TaskSet::default()]
    }

    /// Writes the observed frame of these positions and velocities: an observation, and the achieved goals.
    fn capture(&self, qpos: &[f64], qvel: &[f64], frame: &mut [f64], random: &mut Generator) {
        let (observation, goal) = frame.split_at_mut(OBSERVED);
        self.noise.observe(qpos, qvel, random, observation);
        let achieved = TASKS.iter().flat_map(|task| &qpos[task.places()]);
        goal.iter_mut().zip(achieved).for_each(|(to, value)| *to = *value);
    }
}

impl Family for KitchenEnv {
    type Memory = Masks;
    type Random = Generator;
    const CAMERA: CameraPreset = robotics::camera([-0.2, 0.5, 2.0], 2.2, -35.0, 70.0);
    const REPEATS_STEPS: bool = true;
    const HAS_PHYSICS_MODEL: bool = true;

    fn new(options: &Options) -> Result<Self> {
        let Value::Lines(names) = options.get("tasks_to_complete") else { unreachable!("the option takes lists of names only") };
        Ok(Self {
            tasks: TaskSet::of_names(names)?,
            terminates: options.bool("terminate_on_tasks_completed"),
            removes: options.bool("remove_task_when_completed"),
            noise: Noise::new(options.float("robot_noise_ratio"), options.float("object_noise_ratio")),
            model: ModelFile::new(options),
            frame_skip: options.int("frame_skip") as u32,
            seconds: 0.0,
            start: None,
        })
    }

    fn model_name(&self) -> Result<String> {
        Ok(self.model.name("the kitchen"))
    }

    fn compile(&self, library: &'static Library) -> Result<Model> {
        let model = self.model.compile(library)?;
        arm::check_model(&model)?;
        Ok(model)
    }

    fn bind(&mut self, model: &Model, store: &AssetCache) -> Result<()> {
        self.seconds = model.timestep() * f64::from(self.frame_skip);
        let start = store.get_or_load(&self.model_name()?, || {
            let start = arm::find_start(model).map_err(to_error)?;
            let bytes = size_of_val(&*start.state) + size_of_val(&*start.qpos) + size_of_val(&*start.qvel);
            Ok((start, bytes))
        })?;
        self.start = Some(start);
        Ok(())
    }

    /// Compiles the model without geoms, meshes and textures that only pictures show. Steps then take 8% less time.
    ///
    /// Returns a clone of `model`, the model of pictures, if MuJoCo rejects the smaller model, or if its steps differ.
    fn compile_physics(&self, library: &'static Library, model: &Model) -> Model {
        let Ok(path) = self.model.path() else { return model.clone() };
        let Some(file) = path.file_name().and_then(OsStr::to_str) else { return model.clone() };
        let text = format!("<mujoco><compiler discardvisual='true'/><include file='{file}'/></mujoco>");
        match Model::from_text(library, &path.with_file_name(PHYSICS_FILE), &text, &[]) {
            Ok(smaller) if arm::steps_equally([model, &smaller], self.start()).unwrap_or(false) => smaller,
            _ => model.clone(),
        }
    }

    fn spec(&self, _model: Option<&Model>, frame_stack: usize) -> EnvSpec {
        let space = |tasks: TaskSet| {
            let part = |task: &KitchenTask| (task.name.to_owned(), stacked_space(task.goal.len(), frame_stack));
            let goal = Space::Dict(tasks.iter().map(part).collect());
            let observation = stacked_space(OBSERVED, frame_stack);
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

    fn frame_len(&self) -> usize {
        FRAME
    }

    fn initial_state(&self) -> Option<&[f64]> {
        Some(&self.start().state)
    }

    fn create(&self) -> Masks {
        self.first_masks()
    }

    fn reset(&self, data: &mut Data, reset: &mut Reset<'_, Self>) -> Result<(), Fault> {
        let start = self.start();
        data.set_state(&start.state)?;
        self.capture(&start.qpos, &start.qvel, reset.frame, reset.random);
        *reset.memory = self.first_masks();
        Ok(())
    }

    fn act(&self, inputs: &mut impl Inputs, action: &Action<'_>, _memory: &mut Masks, frame: &[f64]) {
        let controls = arm::controls(action.doubles(0, JOINTS), &frame[..JOINTS], self.seconds);
        inputs.ctrl_mut().copy_from_slice(&controls);
    }

    fn evaluate(&self, data: &mut Data, _stepped: Stepped<'_>, step: &mut Step<'_, Self>) -> Result<bool, Fault> {
        self.capture(data.qpos(), data.qvel(), step.frame, step.random);
        let [tasks, completed, ever] = step.memory;
        *completed = tasks.completed(data.qpos());
        if self.removes {
            *tasks = tasks.without(*completed);
        }
        *ever = ever.union(*completed);
        step.rewards[0] = f64::from(completed.count());
        Ok(self.terminates && *ever == self.tasks)
    }

    fn observe(&self, frames: &[f64], out: &mut Row<'_>) {
        for (number, frame) in frames.chunks_exact(FRAME).enumerate() {
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

    fn info(&self, masks: &Masks, out: &mut Row<'_>) {
        masks.iter().enumerate().for_each(|(info, tasks)| out.write(info, &tasks.mask()));
    }

    fn check(&self, masks: &Masks, frames: &[f64]) -> Result<()> {
        check_finite(frames)?;
        match masks.iter().all(|tasks| tasks.is_part_of(self.tasks)) {
            true => Ok(()),
            false => Err(refused_state("its tasks are not those of the option tasks_to_complete")),
        }
    }
}
