//! Environment of the kitchen: its options, model and observations.

use std::ffi::OsStr;

use super::arm::{self, Noise, OBSERVED, Start};
use super::goal::{GOALS, TASKS, TaskSet};
use crate::rendered::{CameraPreset, ENVPOOL_ORDER, Rendered};
use crate::robot::flag;
use crate::robotics::{self, ROBOTICS_DIR};
use crate::simulated::shared_model::SharedModel;
use crate::simulated::{shift_frames, to_error};
use envpool_rs_engine::{AssetCache, AssetRef, OptionSpec, Options, Result, Task, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Fault, Library, Model, render::FreeCamera};

/// Path of the model in the folder of Gymnasium-Robotics' models.
const XML_FILE: &str = "kitchen_franka/kitchen_assets/kitchen_env_model.xml";
/// Name of the file in memory that includes the model without what only pictures show.
const PHYSICS_FILE: &str = "envpool_rs_physics.xml";
/// Number of values of a frame: an observation, and the achieved goals of all tasks.
pub(super) const FRAME: usize = OBSERVED + GOALS;
/// Default number of simulation steps per environment step.
const FRAME_SKIP: i64 = 40;
/// Timestep of the model in seconds, for use before it is loaded.
const TIMESTEP: f64 = 0.002;
/// Maximum noise ratio that options take.
const MAX_RATIO: f64 = 1e6;
/// Names of the options in the order of EnvPool's configuration.
const ORDER: [&str; 8] = [
    "frame_skip",
    "frame_stack",
    "xml_file",
    "tasks_to_complete",
    "terminate_on_tasks_completed",
    "remove_task_when_completed",
    "robot_noise_ratio",
    "object_noise_ratio",
];

/// Camera of Gymnasium-Robotics' pictures.
pub const CAMERA: CameraPreset = CameraPreset::Robot(FreeCamera {
    lookat: Some([-0.2, 0.5, 2.0]),
    distance: Some(2.2),
    elevation: Some(-35.0),
    azimuth: Some(70.0),
    orthographic: None,
    uses_model_default: false,
});

/// Environment of the kitchen.
pub struct KitchenEnv {
    /// Tasks to complete in each episode.
    pub(super) tasks: TaskSet,
    /// Whether an episode terminates when all tasks are completed.
    pub(super) terminates: bool,
    /// Whether a completed task is rewarded once only in an episode.
    pub(super) removes: bool,
    noise: Noise,
    xml_file: String,
    folder: Option<String>,
    frame_skip: u32,
    pub(super) frame_stack: usize,
    /// Model of pictures.
    pub(super) shared: SharedModel,
    /// Model of steps, which lacks what only pictures show.
    pub(super) physics: SharedModel,
    /// Start of all episodes; `None` before the model is loaded.
    start: Option<AssetRef<Start>>,
}

impl KitchenEnv {
    /// Creates the task `id`, with the render options.
    pub fn task(id: &'static str) -> Task {
        let ratio = |name, default: f64, doc| OptionSpec::new(name, default, doc).numbers(0.0..=MAX_RATIO);
        let mut options = robotics::model_options(FRAME_SKIP, XML_FILE).to_vec();
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
        let order = [&ORDER[..], &ENVPOOL_ORDER].concat();
        Rendered::<Self>::task(id, options, CAMERA).envpool_order(order)
    }

    /// Creates the environment from the values of its options.
    ///
    /// # Errors
    /// `Value`, with the name of the option whose value is invalid.
    pub(super) fn from_options(options: &Options) -> Result<Self> {
        let Value::Lines(names) = options.get("tasks_to_complete") else { unreachable!("the option takes lists of names only") };
        Ok(Self {
            tasks: TaskSet::of_names(names)?,
            terminates: options.bool("terminate_on_tasks_completed"),
            removes: options.bool("remove_task_when_completed"),
            noise: Noise::new(options.float("robot_noise_ratio"), options.float("object_noise_ratio")),
            xml_file: options.text("xml_file").expect("it has a default").to_owned(),
            folder: options.text(ROBOTICS_DIR).map(str::to_owned),
            frame_skip: options.int("frame_skip") as u32,
            frame_stack: options.int("frame_stack") as usize,
            shared: SharedModel::default(),
            physics: SharedModel::default(),
            start: None,
        })
    }

    /// Returns the key under which the pool's store holds the model, and the start of episodes.
    pub(super) fn model_name(&self) -> String {
        format!("{} in {:?} for the kitchen", self.xml_file, self.folder)
    }

    /// Compiles the model.
    ///
    /// # Errors
    /// `NotFound` if there is no such file, `Value` if MuJoCo rejects it or if it is no model of the kitchen.
    pub(super) fn compile(&self, library: &'static Library) -> Result<Model> {
        let path = robotics::model_path(self.folder.as_deref(), &self.xml_file)?;
        let model = Model::from_xml(library, &path, &[]).map_err(to_error)?;
        arm::check_model(&model)?;
        Ok(model)
    }

    /// Takes the models and the start of episodes from the pool's store. If they are missing, computes them.
    ///
    /// # Errors
    /// The errors of `compile`, and `State` if MuJoCo reports an error.
    pub(super) fn load_parts(&mut self, library: &'static Library, store: &AssetCache) -> Result<()> {
        let (mut shared, mut physics) = (std::mem::take(&mut self.shared), std::mem::take(&mut self.physics));
        let name = self.model_name();
        let model = shared.load(store, &name, || self.compile(library))?;
        let start = store.get_or_load(&name, || {
            let start = arm::find_start(model).map_err(to_error)?;
            let bytes = size_of_val(&*start.state) + size_of_val(&*start.qpos) + size_of_val(&*start.qvel);
            Ok((start, bytes))
        })?;
        physics.load(store, &format!("steps of {name}"), || Ok(self.compile_physics(library, model, &start)))?;
        (self.shared, self.physics, self.start) = (shared, physics, Some(start));
        Ok(())
    }

    /// Compiles the model without geoms, meshes and textures that only pictures show. Steps then take 8% less time.
    ///
    /// Returns a clone of `model`, the model of pictures, if MuJoCo rejects the smaller model, or if its steps differ.
    fn compile_physics(&self, library: &'static Library, model: &Model, start: &Start) -> Model {
        let Ok(path) = robotics::model_path(self.folder.as_deref(), &self.xml_file) else { return model.clone() };
        let Some(file) = path.file_name().and_then(OsStr::to_str) else { return model.clone() };
        let text = format!("<mujoco><compiler discardvisual='true'/><include file='{file}'/></mujoco>");
        match Model::from_text(library, &path.with_file_name(PHYSICS_FILE), &text, &[]) {
            Ok(smaller) if arm::steps_equally([model, &smaller], start).unwrap_or(false) => smaller,
            _ => model.clone(),
        }
    }

    pub(super) fn start(&self) -> &Start {
        self.start.as_ref().expect("lanes are made of a loaded model")
    }

    /// Returns the duration of a step in simulated seconds.
    pub(super) fn step_seconds(&self) -> f64 {
        self.shared.model().map_or(TIMESTEP, Model::timestep) * f64::from(self.frame_skip)
    }

    /// Sets the controls, and advances the simulation by a step of the environment.
    pub(super) fn advance(&self, data: &mut Data, controls: &[f64]) -> Result<(), Fault> {
        data.ctrl_mut().copy_from_slice(controls);
        data.step(self.frame_skip, false)
    }

    /// Drops the oldest of the stacked frames, and appends a frame of these positions and velocities.
    pub(super) fn capture(&self, qpos: &[f64], qvel: &[f64], frames: &mut [f64], random: &mut Generator) {
        let (observation, goal) = shift_frames(frames, FRAME).split_at_mut(OBSERVED);
        self.noise.observe(qpos, qvel, random, observation);
        let achieved = TASKS.iter().flat_map(|task| &qpos[task.places()]);
        goal.iter_mut().zip(achieved).for_each(|(to, value)| *to = *value);
    }
}
