//! Environment of a MetaWorld task: its model, goals, episodes and observations.

use super::number::Number;
use super::random::{GoalSource, GoalStream, Goals};
use super::sawyer::{HAND_STEPS, Hand, MOCAP_QUAT, OPENING_EFFORT, Sawyer, fingers};
use super::task::{self, Episode, OBSERVATION, Outcome, Rules, TaskSpec};
use super::tasks;
use super::wrappers::{RECURRENT, WrapperState, Wrappers};
use crate::errors::to_error;
use crate::mujoco_env::native_lanes::OwnField;
use crate::mujoco_env::shared_model::path_in_folder;
use crate::mujoco_env::{Family, Inputs, MujocoEnv, Reset, Step, Stepped, step_options};
use crate::names::Names;
use crate::render_setup::{CameraPreset, ENVPOOL_ORDER, robot_camera};
use crate::robot::step_info;
use crate::stepper_choice::StepperChoice;
use crate::vector::{Vec3, vec3};
use envpool_rs_engine::{
    Action, AssetCache, AssetRef, Dtype, EnvSpec, Error, InfoSpec, OptionSpec, Options, ResetOptions, Result, Row, Space, Task,
    refused_state,
};
use envpool_rs_numeric::numpy;
use envpool_rs_numeric::random::RandomState;
use envpool_rs_sim_mujoco::model_overrides::BODY_POS;
use envpool_rs_sim_mujoco::{Data, Fault, LaneField, Library, Model};
use serde::{Deserialize, Serialize};

/// Name of the option that holds the folder of MetaWorld's models.
pub const METAWORLD_DIR: &str = "metaworld_dir";
const FRAME_SKIP: i64 = 5;
const TIMESTEP: f64 = 0.0025;
/// Number of values that an observation has of the present, and of the previous step.
const HALF: usize = 18;
/// Maximum length of one-hot vectors.
const MAX_TASKS: i64 = 1 << 16;
/// Bounds of the hand's position in observations (`_HAND_SPACE`).
const HAND_SPACE: [Vec3; 2] = [[-0.525, 0.348, -0.0525], [0.525, 1.025, 0.7]];
/// Parameters that MetaWorld gives to weld constraints, which attach the hand to the mocap body.
const WELD_DATA: [f64; 11] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 5.0];
/// Distance in metres by which an action of 1 moves the hand (`action_scale`).
const ACTION_SCALE: f32 = 1.0 / 100.0;
/// Keys of the infos, in MetaWorld's order.
const INFOS: [&str; 7] =
    ["success", "near_object", "grasp_success", "grasp_reward", "in_place_reward", "obj_to_target", "unscaled_reward"];

/// Tasks in which the state of the objects after the hand's reset differs between episodes in some bits. In all other tasks the
/// state is the same in each episode, so one state is stored for all resets.
const EPISODES_DIFFER: [&str; 10] = [
    "box-close-v3",
    "disassemble-v3",
    "door-lock-v3",
    "door-unlock-v3",
    "handle-press-side-v3",
    "handle-press-v3",
    "handle-pull-side-v3",
    "handle-pull-v3",
    "lever-pull-v3",
    "peg-unplug-side-v3",
];

/// State vector one simulation step before the hand has reached its initial position.
pub struct StoredHand(Vec<f64>);

pub struct MetaworldEnv {
    spec: &'static TaskSpec,
    folder: Option<String>,
    frame_skip: u32,
    hides_goal: bool,
    /// Whether the observation space has the bounds of all tasks' goals.
    has_common_space: bool,
    /// Values at the end of observations, which distinguish tasks; empty without them.
    one_hot: Vec<f64>,
    wrappers: Wrappers,
    goals: GoalSource,
    has_first_version: bool,
    initial: Switches,
    /// EnvPool's number of the task.
    task_id: i32,
    hand: Hand,
    /// State that each reset starts from; `None` for tasks of [`EPISODES_DIFFER`].
    stored: Option<AssetRef<StoredHand>>,
    rules: Option<Box<dyn Rules>>,
}

/// Settings of a lane that `reset(options=...)` can change.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Switches {
    /// Whether each reset chooses a goal.
    samples_on_reset: bool,
    /// Whether episodes end when the task is solved.
    ends_at_success: bool,
}

#[derive(Serialize, Deserialize)]
pub struct MetaworldMemory {
    episode: Episode,
    /// Observed values of the previous step (`_prev_obs`), not clipped.
    before: [f64; HALF],
    infos: [f64; INFOS.len()],
    goals: Goals,
    switches: Switches,
    wrapped: Option<Box<WrapperState>>,
}

impl MetaworldEnv {
    /// Creates the task that `spec` describes, with the render options.
    pub fn task(spec: &'static TaskSpec) -> Task {
        let folder = "folder of the models; None: that of the installed metaworld";
        let mut options = vec![OptionSpec::path(METAWORLD_DIR, folder)];
        options.extend(step_options(FRAME_SKIP));
        options.extend([
            StepperChoice::option(),
            OptionSpec::new("partially_observable", true, "whether observations have zeros instead of the goal"),
            OptionSpec::new("terminate_on_success", false, "whether episodes end when the task is solved"),
            OptionSpec::new("reward_function_version", "v2", "version of the reward function").one_of(&["v1", "v2"]),
            OptionSpec::new("use_one_hot", false, "whether observations end with a one-hot vector of env_id, and are float32"),
            OptionSpec::new("env_id", 0, "index of the one in the one-hot vector").integers(0..=MAX_TASKS - 1),
            OptionSpec::new("num_tasks", 1, "length of the one-hot vector").integers(1..=MAX_TASKS),
            OptionSpec::new("goal_space", "task", "whose goals bound the observation space: the task's, or all tasks'")
                .one_of(&["task", "all"]),
        ]);
        options.extend(Wrappers::options());
        options.extend(GoalSource::options());
        let order = [&["frame_skip", "frame_stack", "partially_observable"][..], &ENVPOOL_ORDER].concat();
        let task = MujocoEnv::<Self>::task(spec.id(), options, Self::CAMERA);
        task.variant(spec).envpool_order(order).max_episode_steps(500).step_limit_from(Wrappers::step_limit)
    }

    fn rules(&self) -> &dyn Rules {
        self.rules.as_deref().expect("lanes are made of a loaded model")
    }

    fn sawyer<'a>(&'a self, data: &'a mut Data) -> Sawyer<'a> {
        Sawyer { data, hand: &self.hand, frame_skip: self.frame_skip, fault: None, has_contacts: false }
    }

    /// Computes the state that each reset starts from, with bodies placed for a goal: in the file they can touch the robot.
    fn store_hand(&self, model: &Model) -> Result<(StoredHand, usize)> {
        let mut data = Data::new(model).map_err(to_error)?;
        let mut sim = self.sawyer(&mut data);
        let mut episode = Episode { random: self.spec.draw(&mut RandomState::new(0)), ..Episode::default() };
        let placed = self.rules().reset(&mut sim, &mut episode);
        let state = placed.and_then(|()| sim.state_before_hand(self.spec.hand_init)).map_err(to_error)?;
        let bytes = size_of_val(&*state);
        Ok((StoredHand(state), bytes))
    }

    /// Returns the observed values of the present state (`_get_curr_obs_combined_no_goal`).
    fn present(&self, sim: &Sawyer<'_>) -> [f64; HALF] {
        let mut values = [0.0; HALF];
        values[..3].copy_from_slice(&sim.endeff());
        values[3] = sim.opened();
        values[4..].copy_from_slice(self.rules().objects(sim).values());
        values
    }

    /// Returns the observation of the present state, after the previous state `before`.
    fn observation(&self, sim: &Sawyer<'_>, episode: &Episode, before: &[f64; HALF]) -> [f64; OBSERVATION] {
        let mut values = [0.0; OBSERVATION];
        values[..HALF].copy_from_slice(&self.present(sim));
        values[HALF..2 * HALF].copy_from_slice(before);
        if !self.hides_goal {
            values[2 * HALF..].copy_from_slice(&self.rules().goal(sim, episode));
        }
        values
    }

    fn bounds(&self, goals: &[Vec3; 2]) -> [[f64; OBSERVATION]; 2] {
        [(0, f64::NEG_INFINITY, -1.0), (1, f64::INFINITY, 1.0)].map(|(end, infinite, gripper)| {
            let mut bounds = [infinite; OBSERVATION];
            for start in [0, HALF] {
                bounds[start..start + 3].copy_from_slice(&HAND_SPACE[end]);
                bounds[start + 3] = gripper;
            }
            let goal = if self.hides_goal { [0.0; 3] } else { goals[end] };
            bounds[2 * HALF..].copy_from_slice(&goal);
            bounds
        })
    }

    fn space_bounds(&self, frame_stack: usize) -> [Vec<f64>; 2] {
        if self.wrappers.change_observations() {
            return [f64::NEG_INFINITY, f64::INFINITY].map(|bound| vec![bound; self.frame_len() * frame_stack]);
        }
        let goals = if self.has_common_space { common_goals() } else { self.spec.goal };
        let [low, high] = self.bounds(&goals);
        let one_hot = |value| vec![value; self.one_hot.len()];
        [[&low[..], &one_hot(0.0)].concat().repeat(frame_stack), [&high[..], &one_hot(1.0)].concat().repeat(frame_stack)]
    }

    fn write(&self, observation: &[f64; OBSERVATION], wrapped: Option<&mut WrapperState>, frame: &mut [f64]) {
        frame[..OBSERVATION].copy_from_slice(observation);
        frame[OBSERVATION..][..self.one_hot.len()].copy_from_slice(&self.one_hot);
        if let Some(wrapped) = wrapped {
            self.wrappers.observe(wrapped, frame);
        }
    }

    /// Sets a lane's switches to those of the reset options, chooses the next goal, clears infos and resets the wrappers.
    fn begin_episode(&self, memory: &mut MetaworldMemory, options: &ResetOptions, random: &mut GoalStream) {
        let MetaworldMemory { episode, infos, goals, switches, wrapped, .. } = memory;
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

    /// Returns the position to which an action moves the mocap body, which is at `position`.
    fn moved(&self, position: Vec3, action: &[f32; 4]) -> Vec3 {
        let [low, high] = self.spec.hand;
        [0, 1, 2].map(|axis| {
            let moved = position[axis] + f64::from(clip(action[axis]) * ACTION_SCALE);
            numpy::clip(moved, low[axis], high[axis])
        })
    }
}

impl Family for MetaworldEnv {
    type Memory = MetaworldMemory;
    type Random = GoalStream;
    const CAMERA: CameraPreset = robot_camera(None, None, None);
    const RESET_OPTIONS: &'static [&'static str] = &["sample_tasks", "sample_tasks_on_reset", "terminate_on_success"];
    const CHANGES_MODEL: bool = true;
    const OWN_FIELDS: &'static [OwnField] = &[(BODY_POS, LaneField::BodyPos)];

    fn new(options: &Options) -> Result<Self> {
        let spec = options.variant::<TaskSpec>().expect("`MetaworldEnv::task` says which task it is");
        let has_first_version = options.text("reward_function_version") == Some("v1");
        let (place, num_tasks) = (options.int("env_id"), options.int("num_tasks"));
        if place >= num_tasks {
            return Err(Error::value("env_id", place, format_args!("less than num_tasks={num_tasks}")));
        }
        let mut one_hot = if options.bool("use_one_hot") { vec![0.0; num_tasks as usize] } else { Vec::new() };
        one_hot.iter_mut().skip(place as usize).take(1).for_each(|value| *value = 1.0);
        Ok(Self {
            spec,
            folder: options.text(METAWORLD_DIR).map(str::to_owned),
            frame_skip: options.int("frame_skip") as u32,
            hides_goal: options.bool("partially_observable"),
            has_common_space: options.text("goal_space") == Some("all"),
            one_hot,
            wrappers: Wrappers::new(options),
            goals: GoalSource::new(spec, options)?,
            has_first_version,
            initial: Switches {
                samples_on_reset: options.bool("sample_tasks_on_reset"),
                ends_at_success: options.bool("terminate_on_success"),
            },
            hand: Hand::default(),
            stored: None,
            task_id: tasks::ALL.iter().position(|task| task.name == spec.name).map_or(-1, |place| place as i32),
            rules: None,
        })
    }

    fn timestep(&self) -> f64 {
        TIMESTEP
    }

    fn model_name(&self) -> Result<String> {
        Ok(format!("MetaWorld's {} in {:?}", self.spec.model, self.folder))
    }

    /// Compiles the model, and sets the parameters of its weld constraints (`reset_mocap_welds`).
    fn compile(&self, library: &'static Library) -> Result<Model> {
        let owner = "in the folder assets of the package metaworld";
        let path = path_in_folder(METAWORLD_DIR, self.folder.as_deref(), self.spec.model, owner)?;
        let mut model = Model::from_xml(library, &path, &[]).map_err(to_error)?;
        for weld in model.welds().collect::<Vec<_>>() {
            model.set_equality(weld, &WELD_DATA).map_err(to_error)?;
        }
        Ok(model)
    }

    fn bind(&mut self, model: &Model, store: &AssetCache) -> Result<()> {
        self.hand = Hand::bind(Names(model))?;
        self.rules = Some((self.spec.bind)(Names(model))?);
        if !EPISODES_DIFFER.contains(&self.spec.name) {
            let name = format!("{}: {} in steps of {}", self.model_name()?, self.spec.name, self.frame_skip);
            self.stored = Some(store.get_or_load(&name, || self.store_hand(model))?);
        }
        Ok(())
    }

    fn spec(&self, _model: Option<&Model>, frame_stack: usize) -> EnvSpec {
        let [low, high] = self.space_bounds(frame_stack);
        let shape = if frame_stack == 1 { vec![self.frame_len()] } else { vec![frame_stack, self.frame_len()] };
        // The reference's space of observations with one-hot vectors or wrappers has gymnasium's default dtype.
        let is_single = !self.one_hot.is_empty() || self.wrappers.change_observations();
        let dtype = if is_single { Dtype::F32 } else { Dtype::F64 };
        let task_id = InfoSpec::new("task_id", Dtype::I32, &[]).only_in_envpool();
        let unbounded = Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &shape, dtype);
        EnvSpec {
            envpool_observation: Some(unbounded),
            info: INFOS.into_iter().map(step_info).chain([task_id]).collect(),
            ..EnvSpec::new(Space::Box { low, high, shape, dtype }, Space::uniform(-1.0, 1.0, &[4], Dtype::F32))
        }
    }

    fn frame_len(&self) -> usize {
        OBSERVATION + self.one_hot.len() + if self.wrappers.is_recurrent { RECURRENT } else { 0 }
    }

    fn create(&self) -> MetaworldMemory {
        MetaworldMemory {
            episode: Episode::default(),
            before: [0.0; HALF],
            infos: [0.0; INFOS.len()],
            goals: Goals::default(),
            switches: self.initial,
            wrapped: self.wrappers.create(self.frame_len()),
        }
    }

    fn memory_bytes(&self, model: Option<&Model>) -> usize {
        let changed = model.map_or(0, |model| 3 * (model.sizes().nbody + model.sizes().nsite));
        let statistics = if self.wrappers.change_observations() { 2 * self.frame_len() } else { 0 };
        (changed + statistics) * size_of::<f64>() + Goals::heap_bytes(&self.goals)
    }

    /// The native stepper moves the hands of several lanes (`_reset_hand`); the library takes the last step, which resets read.
    fn reset_steps(&self) -> u32 {
        if self.stored.is_some() { 0 } else { HAND_STEPS * self.frame_skip - 1 }
    }

    fn begin_reset(&self, data: &mut Data, reset: &mut Reset<'_, Self>) -> Result<(), Fault> {
        self.begin_episode(reset.memory, reset.options, reset.random);
        if self.stored.is_none() {
            let sim = &mut self.sawyer(data);
            self.place_in_new(sim, &mut reset.memory.episode)?;
            sim.set_control(self.spec.hand_init, OPENING_EFFORT);
        }
        Ok(())
    }

    /// Places the robot and the objects twice, as the reference does: before and after it resets the simulation.
    fn reset(&self, data: &mut Data, reset: &mut Reset<'_, Self>) -> Result<(), Fault> {
        let (sim, MetaworldMemory { episode, before, wrapped, .. }) = (&mut self.sawyer(data), &mut *reset.memory);
        match &self.stored {
            Some(stored) => {
                sim.restore_hand(&stored.0)?;
                self.place(sim, episode)?;
                sim.restore_hand(&stored.0)?;
            }
            None => sim.data.step(1, false)?,
        }
        self.place(sim, episode)?;
        *before = self.present(sim);
        self.write(&self.observation(sim, episode, before), wrapped.as_deref_mut(), reset.frame);
        Ok(())
    }

    fn act(&self, inputs: &mut impl Inputs, action: &Action<'_>, _memory: &mut MetaworldMemory, _frame: &[f64]) {
        let action = four(action);
        let position = self.moved(vec3(inputs.mocap_pos_mut(), 0), &action);
        inputs.mocap_pos_mut().copy_from_slice(&position);
        inputs.mocap_quat_mut().copy_from_slice(&MOCAP_QUAT);
        inputs.ctrl_mut().copy_from_slice(&fingers(f64::from(action[3])));
    }

    fn evaluate(&self, data: &mut Data, _stepped: Stepped<'_>, step: &mut Step<'_, Self>) -> Result<bool, Fault> {
        let (sim, action) = (&mut self.sawyer(data), four(&step.action));
        let MetaworldMemory { episode, before, infos, switches, wrapped, .. } = &mut *step.memory;
        // The reference calls `mj_forward`. Only `Sawyer::touches` needs more of its results, and computes them then.
        sim.data.kinematics()?;
        let mut observation = self.observation(sim, episode, before);
        before.copy_from_slice(&observation[..HALF]);
        let [low, high] = self.bounds(&self.spec.goal);
        for (value, (low, high)) in observation.iter_mut().zip(low.iter().zip(&high)) {
            *value = numpy::clip(*value, *low, *high);
        }
        let mut task_step = task::Step { sim, action, observation };
        let outcome = match self.has_first_version {
            true => self.rules().first_version(&task_step, episode),
            false => self.rules().evaluate(&mut task_step, episode)?,
        };
        if let Some(fault) = sim.fault.take() {
            return Err(fault);
        }
        *infos = infos_of(&outcome);
        let terminates = switches.ends_at_success && outcome.is_success;
        let reward = match wrapped.as_deref_mut() {
            Some(wrapped) => self.wrappers.step(wrapped, action, outcome.reward, terminates),
            None => outcome.reward,
        };
        step.rewards[0] = reward.value();
        self.write(&observation, wrapped.as_deref_mut(), step.frame);
        Ok(terminates)
    }

    fn info(&self, memory: &MetaworldMemory, out: &mut Row<'_>) {
        for (leaf, value) in memory.infos.iter().enumerate() {
            out.scalar(leaf, *value);
        }
        out.scalar(INFOS.len(), self.task_id);
    }

    fn show(&self, data: &mut Data, _memory: &MetaworldMemory, _frames: &[f64]) -> Result<(), Fault> {
        data.forward()
    }

    fn check(&self, memory: &MetaworldMemory, _frames: &[f64]) -> Result<()> {
        let MetaworldMemory { episode, before, goals, wrapped, .. } = memory;
        if !goals.fit(&self.goals) {
            return Err(refused_state("it is of other goals"));
        }
        if !(before.iter().all(|value| value.is_finite()) && episode.is_finite()) {
            return Err(refused_state("its values are out of range"));
        }
        let fits = match (wrapped, self.wrappers.create(self.frame_len())) {
            (Some(wrapped), Some(expected)) => wrapped.fits(&expected),
            (wrapped, expected) => wrapped.is_none() && expected.is_none(),
        };
        if fits { Ok(()) } else { Err(refused_state("its wrappers are others")) }
    }
}

/// Returns bounds within which all tasks' goals are.
fn common_goals() -> [Vec3; 2] {
    let bounds = |end: usize, pick: fn(f64, f64) -> f64| {
        std::array::from_fn(|axis| tasks::ALL.iter().map(|task| task.goal[end][axis]).reduce(pick).expect("there are tasks"))
    };
    [bounds(0, f64::min), bounds(1, f64::max)]
}

fn four(action: &Action<'_>) -> [f32; 4] {
    action.continuous(0, 4).try_into().expect("four values")
}

/// Limits an action to -1 to 1, as `np.clip` does.
fn clip(value: f32) -> f32 {
    let raised = if value < -1.0 { -1.0 } else { value };
    if raised > 1.0 { 1.0 } else { raised }
}

fn infos_of(outcome: &Outcome) -> [f64; INFOS.len()] {
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
