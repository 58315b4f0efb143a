//! Environment of a MyoSuite task: its options, model, episodes, observations and infos.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::muscles::{self, Muscles, RESTED, Shares};
use super::streams::Streams;
use super::task::{Late, ModelSpec, Outcome, Rules, Scene, TaskSpec, UNUSED, choice, flag};
use crate::errors::to_error;
use crate::goals::stacked_space;
use crate::mujoco_env::native_lanes::OwnField;
use crate::mujoco_env::shared_model::path_in_folder;
use crate::mujoco_env::{Family, Inputs, MujocoEnv, Reset, Step, Stepped, step_options};
use crate::names::Names;
use crate::render_setup::{CameraPreset, ENVPOOL_ORDER};
use crate::robot::{Writer, info, number, step_info};
use crate::snapshot_checks::check_len;
use crate::stepper_choice::StepperChoice;
use envpool_rs_engine::{Action, AssetCache, Dtype, EnvSpec, Error, InfoSpec, OptionSpec, Options, Result, Row, Space, Task};
use envpool_rs_numeric::numpy;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{
    ACTUATOR_GAINPRM, BODY_MASS, BODY_POS, BODY_QUAT, GEOM_FRICTION, GEOM_POS, GEOM_SIZE, SITE_POS,
};
use envpool_rs_sim_mujoco::render::FreeCamera;
use envpool_rs_sim_mujoco::{Data, Fault, LaneField, Library, Model, model_generator};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Name of the option that holds the folder of the package.
pub const MYOSUITE_DIR: &str = "myosuite_dir";
/// Name of the option that holds the path of a model.
const MODEL_PATH: &str = "model_path";
/// Version of the package, as its `version.py` has it.
const VERSION: &str = "2, 12, 2";
/// Values of the option `muscle_condition`.
const CONDITIONS: [&str; 4] = ["", "sarcopenia", "fatigue", "reafferentation"];
/// Number of parameters of an actuator's gain (`mjNGAIN`).
const PARAMETERS: usize = 10;
/// Index of a muscle's peak force among the parameters of its gain.
const FORCE: usize = 2;
/// Keys of the infos that all tasks have; those of the reward's parts and of the state follow.
const INFOS: [&str; 5] = ["time", "rwd_dense", "rwd_sparse", "solved", "done"];
/// Largest number of starts that a reset draws, at which the package's recursion ends.
const MAX_STARTS: usize = 900;
/// Indices of the rewards among them.
const DENSE: usize = 1;
const SPARSE: usize = 2;
/// Keys of further parts of a reward, after those of the class.
const OTHER_PARTS: [&str; 3] = ["sparse", "solved", "done"];
/// Name of the geom of the model's height field.
const TERRAIN: &str = "terrain";

const CAMERA: CameraPreset =
    CameraPreset::Robot(FreeCamera { distance: Some(1.5), elevation: Some(-30.0), azimuth: Some(90.0), ..FreeCamera::DEFAULT });

pub struct MyoEnv {
    spec: &'static TaskSpec,
    folder: Option<String>,
    /// Path of a model that replaces the task's.
    own_model: Option<String>,
    condition: String,
    starts_tired: bool,
    /// Duration of a step in seconds.
    seconds: f64,
    rules: Box<dyn Rules>,
    /// Index of the reward among the infos.
    reward: usize,
    /// Indices of the reward's parts that are summed, with their weights.
    weights: Vec<(usize, f64)>,
    /// Positions in which episodes start, unless the rules draw others.
    start: Vec<f64>,
    muscles: Late<Muscles>,
}

#[derive(Serialize, Deserialize)]
pub struct MyoMemory {
    goal: Vec<f64>,
    /// Shares of the muscles, if they tire.
    shares: Vec<Shares>,
    /// Values of the infos, one after another.
    infos: Vec<f64>,
}

/// Returns the name of the option with the weight of a part of the reward.
fn weight_option(key: &str) -> &'static str {
    interned(format!("{key}_weight"))
}

/// Returns the same text with the lifetime of the program. Equal texts share their memory.
fn interned(text: String) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    texts.get(&*text).copied().unwrap_or_else(|| {
        let text = text.leak();
        texts.insert(text);
        text
    })
}

/// Rejects the folder of another version of the package, whose models and rules differ under the same ids.
fn check_version(folder: &str) -> Result<()> {
    let text = std::fs::read_to_string(PathBuf::from(folder).join("version.py")).unwrap_or_default();
    let version = text.split_once("__version_tuple__ = (").and_then(|(_, after)| after.split_once(')'));
    match version {
        Some((found, _)) if found != VERSION => {
            let found = found.replace(", ", ".");
            let expected = format!("the package myosuite 2.12.2, not {found}; pip install 'envpool_rs[myosuite]'");
            Err(Error::value(MYOSUITE_DIR, format_args!("{folder:?}"), expected))
        }
        _ => Ok(()),
    }
}

impl MyoEnv {
    /// Creates the task that `spec` describes, with the render options.
    pub fn task(spec: &'static TaskSpec) -> Task {
        let mut options = vec![OptionSpec::path(MYOSUITE_DIR, "folder of the package myosuite; None: the installed one")];
        options
            .push(OptionSpec::path(MODEL_PATH, "MJCF file of a model that replaces the task's, with as many joints and muscles"));
        options.extend(step_options(spec.frame_skip));
        options.extend([
            StepperChoice::option(),
            OptionSpec::new("muscle_condition", "", "what changes the muscles: weakness, fatigue, or the transfer of a tendon")
                .one_of(&CONDITIONS),
            OptionSpec::new("fatigue_reset_random", false, "whether episodes start with muscles that are tired at random"),
            choice("reward_mode", "dense", &["dense", "sparse"], "reward of steps: the info rwd_dense or rwd_sparse"),
        ]);
        options.extend(spec.class.options());
        let weights = spec.class.weights().into_iter();
        options.extend(weights.map(|(key, value)| number(weight_option(key), value, "weight of a part of the reward")));
        let order = [&["frame_stack"][..], &ENVPOOL_ORDER].concat();
        MujocoEnv::<Self>::task(spec.id, options, CAMERA).variant(spec).envpool_order(order).max_episode_steps(spec.steps)
    }

    fn tires(&self) -> bool {
        self.condition == "fatigue"
    }

    /// Returns whether episodes take place on a height field.
    fn has_terrain(&self) -> bool {
        self.spec.class.terrain_height().is_some_and(|height| height > UNUSED)
    }

    /// Returns the number of values of an action.
    fn actions(&self) -> usize {
        self.spec.model.nu - self.spec.class.own_controls()
    }

    /// Returns the number of values of the infos that only tasks with this class and model have.
    fn info_len(&self) -> usize {
        let model = self.spec.model;
        self.spec.class.reward_keys().len() + model.nq + model.nv + model.na
    }

    /// Writes the observation and the infos of the present state.
    fn measure(
        &self,
        data: &mut Data,
        memory: &mut MyoMemory,
        frame: &mut [f64],
        random: &mut Generator,
    ) -> Result<Outcome, Fault> {
        let MyoMemory { goal, infos, .. } = memory;
        self.rules.draw_at_observation(goal, random);
        let count = data.act().len();
        let effort = if count == 0 { 0.0 } else { numpy::sum_of_squares(data.act()).sqrt() / count as f64 };
        let time = *data.time_mut();
        let scene = Scene { seconds: self.seconds, time, shown_time: Cell::new(time), effort };
        let (common, rest) = infos.split_at_mut(INFOS.len());
        let (parts, state) = rest.split_at_mut(self.spec.class.reward_keys().len());
        let (mut frame, mut rewards, mut state) = (Writer::new(frame), Writer::new(parts), Writer::new(state));
        let outcome = self.rules.evaluate(data, goal, &scene, [&mut frame, &mut rewards])?;
        frame.add(data.act());
        [data.qpos(), data.qvel(), data.act()].into_iter().for_each(|values| state.add(values));
        let [is_solved, is_done] = [outcome.is_solved, outcome.is_done].map(flag);
        let others = [outcome.sparse, is_solved, is_done];
        let value = |part: usize| parts.get(part).copied().unwrap_or_else(|| others[part - parts.len()]);
        let dense = self.weights.iter().fold(0.0, |sum, (part, weight)| sum + weight * value(*part));
        common.copy_from_slice(&[scene.shown_time.get(), dense, outcome.sparse, is_solved, is_done]);
        Ok(outcome)
    }
}

impl Family for MyoEnv {
    type Memory = MyoMemory;
    type Random = Streams;
    const CHANGES_MODEL: bool = true;
    const GOES_ON_AFTER_WARNINGS: bool = true;
    const OWN_FIELDS: &'static [OwnField] = &[
        (BODY_MASS, LaneField::BodyMass),
        (BODY_POS, LaneField::BodyPos),
        (BODY_QUAT, LaneField::BodyQuat),
        (GEOM_FRICTION, LaneField::GeomFriction),
        (GEOM_POS, LaneField::GeomPos),
        (GEOM_SIZE, LaneField::GeomSize),
    ];

    fn new(options: &Options) -> Result<Self> {
        let spec = options.variant::<TaskSpec>().expect("`MyoEnv::task` says which task it is");
        let condition = options.text("muscle_condition").expect("it has a default").to_owned();
        let starts_tired = options.bool("fatigue_reset_random");
        if starts_tired && condition != "fatigue" {
            let expected = format!("False for muscles that do not tire (muscle_condition={condition:?})");
            return Err(Error::value("fatigue_reset_random", "True", expected));
        }
        let parts = spec.class.reward_keys().iter().chain(&OTHER_PARTS);
        let part = |key| parts.clone().position(|part| *part == key).expect("a part of the reward");
        let weights = spec.class.weights().into_iter().map(|(key, _)| (part(key), options.float(weight_option(key))));
        Ok(Self {
            spec,
            folder: options.text(MYOSUITE_DIR).map(str::to_owned),
            own_model: options.text(MODEL_PATH).map(str::to_owned),
            condition,
            starts_tired,
            seconds: spec.model.timestep * options.int("frame_skip") as f64,
            rules: spec.class.create(options)?,
            reward: if options.text("reward_mode") == Some("sparse") { SPARSE } else { DENSE },
            weights: weights.collect(),
            start: Vec::new(),
            muscles: Late::NONE,
        })
    }

    /// Returns `int(dt / timestep)`, which rounding can make smaller than the option.
    fn frame_skip(options: &Options) -> u32 {
        let timestep = options.variant::<TaskSpec>().expect("`MyoEnv::task` says which task it is").model.timestep;
        (timestep * options.int("frame_skip") as f64 / timestep) as u32
    }

    fn camera_preset(&self) -> CameraPreset {
        CAMERA
    }

    fn timestep(&self) -> f64 {
        self.spec.model.timestep
    }

    fn model_name(&self) -> Result<String> {
        let is_weak = self.condition == "sarcopenia";
        let Self { spec, folder, own_model, .. } = self;
        let (file, height, object) = (spec.model.file, spec.class.terrain_height(), spec.class.object());
        let (changes, shaped) = (spec.class.changes(), spec.class.shaped());
        let object = format_args!("with {object:?}, {changes}, shapes of {shaped:?}");
        Ok(format!("{file} or {own_model:?} in {folder:?}, weak={is_weak}, terrain at {height:?}, {object}"))
    }

    /// Compiles the model, halves the peak force of its muscles (`sarcopenia`), and moves the terrain.
    fn compile(&self, library: &'static Library) -> Result<Model> {
        let spec = self.spec.model;
        let (option, place, path) = match &self.own_model {
            Some(path) => (MODEL_PATH, &**path, PathBuf::from(path)),
            None => {
                let folder = self.folder.as_deref().unwrap_or_default();
                check_version(folder)?;
                let path = path_in_folder(MYOSUITE_DIR, self.folder.as_deref(), spec.file, "in the package myosuite")?;
                (MYOSUITE_DIR, folder, path)
            }
        };
        if !path.is_file() {
            return Err(Error::NotFound(format!("{option}={place:?}: there is no such file")));
        }
        let compiled = match (self.spec.class.object(), spec.generator) {
            (Some(object), _) => {
                let read = std::fs::read_to_string(&path);
                let text = read.map_err(|error| Fault::Model { path: path.clone(), reason: error.to_string() });
                text.and_then(|text| Model::from_text(library, &path, &text.replace("OBJECT_NAME", object), &[]))
            }
            (None, Some(generator)) => model_generator::generate(library, &path, &format!("{generator} {}", path.display())),
            (None, None) => Model::from_xml(library, &path, &[]),
        };
        let refused = |expected| Error::value(option, format_args!("{place:?}"), expected);
        let mut model = compiled.map_err(|fault| match fault {
            Fault::Model { reason, .. } | Fault::Unmade { reason, .. } => {
                refused(format!("a model that MuJoCo takes, not {}: {reason}", path.display()))
            }
            fault => to_error(fault),
        })?;
        let sizes = *model.sizes();
        let (found, expected) = ([sizes.nq, sizes.nv, sizes.nu, sizes.na], [spec.nq, spec.nv, spec.nu, spec.na]);
        if found != expected || model.timestep() != spec.timestep {
            let ModelSpec { file, timestep, .. } = spec;
            let wanted = format!("the sizes of {file} in myosuite 2.12.2: nq, nv, nu, na = {expected:?}, timestep {timestep}");
            return Err(refused(wanted));
        }
        if self.condition == "sarcopenia" {
            for index in (0..sizes.nu).map(|actuator| PARAMETERS * actuator + FORCE) {
                let force = model.actuator_gainprm()[index];
                model.set(ACTUATOR_GAINPRM, index, 0.5 * force);
            }
        }
        if let Some(height) = self.spec.class.terrain_height() {
            let id = Names(&model).geom(TERRAIN)?;
            [0.0, 0.0, height].into_iter().enumerate().for_each(|(axis, value)| model.set(GEOM_POS, 3 * id + axis, value));
        }
        self.spec.class.change(&mut model)?;
        let bodies = self.spec.class.shaped().iter().map(|name| Names(&model).body(name)).collect::<Result<Vec<_>>>()?;
        let terrain = self.has_terrain().then(|| Names(&model).geom(TERRAIN)).transpose()?;
        let is_shaped = |geom: &usize| bodies.contains(&(model.geom_bodyid()[*geom] as usize)) || Some(*geom) == terrain;
        model.set_shaped((0..sizes.ngeom).filter(is_shaped).collect());
        Ok(model)
    }

    fn bind(&mut self, model: &Model, _store: &AssetCache) -> Result<()> {
        let class = self.spec.class;
        let how = (class.scales_motors(), class.own_controls() > 0);
        self.muscles = Muscles::bind(model, &self.condition, how, self.seconds)?.into();
        self.start = model.qpos0().to_vec();
        let ranges = model.jnt_range().as_chunks::<2>().0;
        for joint in (0..model.sizes().nu).filter_map(|actuator| model.actuated_joint(actuator)) {
            let [low, high] = ranges[joint];
            self.start[model.jnt_qposadr()[joint] as usize] = (low + high) / 2.0;
        }
        self.rules.bind(Names(model), &mut self.start)
    }

    fn obstacle(&self, _model: &Model, _is_rendered: bool) -> Option<&'static str> {
        self.spec.class.obstacle()
    }

    fn spec(&self, _model: Option<&Model>, frame_stack: usize) -> EnvSpec {
        let unbounded = stacked_space(self.frame_len(), frame_stack);
        let shape = if frame_stack == 1 { vec![self.frame_len()] } else { vec![frame_stack, self.frame_len()] };
        let action = Space::uniform(-1.0, 1.0, &[self.actions()], Dtype::F32);
        let boolean = |key| InfoSpec::new(key, Dtype::Bool, &[]).with_envpool_dtype(Dtype::F64).only_after_steps();
        let [time, dense, sparse, solved, done] = INFOS;
        let mut infos = vec![step_info(time), step_info(dense), step_info(sparse), boolean(solved), boolean(done)];
        infos.extend(self.spec.class.reward_keys().iter().map(|key| step_info(interned(format!("rwd_{key}")))));
        let model = self.spec.model;
        let state = [("qpos", model.nq), ("qvel", model.nv), ("act", model.na)];
        infos.extend(state.map(|(key, len)| info(key, &[len]).only_after_steps()));
        infos.push(step_info("sparse").only_in_envpool());
        EnvSpec {
            envpool_observation: Some(unbounded),
            info: infos,
            ..EnvSpec::new(Space::uniform(-10.0, 10.0, &shape, Dtype::F32), action)
        }
    }

    fn frame_len(&self) -> usize {
        self.spec.class.observed(self.spec.model) + self.spec.model.na
    }

    fn create(&self) -> MyoMemory {
        let muscles = if self.tires() { self.spec.model.na } else { 0 };
        MyoMemory {
            goal: vec![0.0; self.spec.class.goal_len(self.spec.model)],
            shares: vec![RESTED; muscles],
            infos: vec![0.0; INFOS.len() + self.info_len()],
        }
    }

    fn memory_bytes(&self, model: Option<&Model>) -> usize {
        let values = INFOS.len() + self.info_len() + self.spec.class.goal_len(self.spec.model) + 3 * self.spec.model.na;
        let heights = model.filter(|_| self.has_terrain()).map_or(0, |model| model.hfield_data().len()) * size_of::<f32>();
        let geoms = if self.spec.class.obstacle().is_some() || !self.spec.class.shaped().is_empty() { 23 } else { 3 };
        (values + model.map_or(0, |model| 4 * model.sizes().nbody + geoms * model.sizes().ngeom)) * size_of::<f64>() + heights
    }

    fn reset(&self, data: &mut Data, reset: &mut Reset<'_, Self>) -> Result<(), Fault> {
        if std::mem::take(&mut reset.random.is_new) {
            let MyoMemory { goal, shares, .. } = &mut *reset.memory;
            data.set_changes(&Vec::new())?;
            self.muscles.construct(shares);
            self.rules.draw_at_creation(goal, &mut reset.random.environment);
        }
        for attempt in 0..MAX_STARTS {
            data.reset()?;
            data.qpos_mut().copy_from_slice(&self.start);
            self.rules.begin(data, &mut reset.memory.goal, reset.random)?;
            let fatigue = &mut reset.random.fatigue;
            match self.starts_tired {
                _ if self.spec.class.keeps_fatigue() => {}
                true => (0..self.rules.fatigue_draws()).for_each(|_| muscles::draw(&mut reset.memory.shares, fatigue)),
                false => reset.memory.shares.fill(RESTED),
            }
            if attempt == 0 {
                self.measure(data, reset.memory, reset.frame, &mut reset.random.environment)?;
            }
            if !self.rules.is_rejected(data)? {
                break;
            }
        }
        Ok(())
    }

    fn act(&self, inputs: &mut impl Inputs, action: &Action<'_>, memory: &mut MyoMemory, _frame: &[f64]) {
        let (controls, own) = inputs.ctrl_mut().split_at_mut(self.actions());
        self.muscles.control(action.continuous(0, controls.len()), &mut memory.shares, controls);
        self.rules.control(&mut memory.goal, own);
    }

    /// The package observes a second simulation, whose positions, velocities and activations are the first one's.
    fn evaluate(&self, data: &mut Data, _stepped: Stepped<'_>, step: &mut Step<'_, Self>) -> Result<bool, Fault> {
        self.rules.advance(&mut step.memory.goal, &mut step.random.environment, self.seconds);
        let outcome = self.measure(data, step.memory, step.frame, &mut step.random.environment)?;
        step.rewards[0] = step.memory.infos[self.reward];
        Ok(outcome.is_done)
    }

    fn info(&self, memory: &MyoMemory, out: &mut Row<'_>) {
        let (common, mut rest) = memory.infos.split_at(INFOS.len());
        let model = self.spec.model;
        let scalars = self.spec.class.reward_keys().len();
        let lens = std::iter::repeat_n(1, scalars).chain([model.nq, model.nv, model.na]);
        common.iter().enumerate().for_each(|(leaf, value)| out.scalar(leaf, *value));
        for (leaf, len) in (INFOS.len()..).zip(lens) {
            let (values, after) = rest.split_at(len);
            out.write(leaf, values);
            rest = after;
        }
        out.scalar(INFOS.len() + scalars + 3, common[SPARSE]);
    }

    fn show(&self, data: &mut Data, memory: &MyoMemory, _frames: &[f64]) -> Result<(), Fault> {
        for (site, position) in self.rules.shown(data, &memory.goal)? {
            data.model_array_mut(SITE_POS)[3 * site..][..3].copy_from_slice(&position);
        }
        data.forward()
    }

    fn check(&self, memory: &MyoMemory, _frames: &[f64]) -> Result<()> {
        let expected = self.create();
        check_len("goal", memory.goal.len(), expected.goal.len())?;
        check_len("muscles", memory.shares.len(), expected.shares.len())?;
        check_len("infos", memory.infos.len(), expected.infos.len())
    }
}
