//! A [`Domain`] as an environment, like `dm_control.rl.control.Environment`: models, resets, steps, frames, snapshots.

use std::ops::{Deref, DerefMut};
use std::path::Path;

use super::names::Names;
use crate::rendered::{CameraPreset, ENVPOOL_ORDER, RENDER_OBSTACLE, Renderable, Rendered};
use crate::who_steps::StepperChoice;
use envpool_rs_engine::{
    self as engine, Action, AssetCache, AssetRef, Dtype, Env, EnvSpec, Error, LaneState, OptionSpec, Options, ResetOptions,
    Result, Row, Scheduling, Space, Task, Value, read_value, refused_state, write_value,
};
use envpool_rs_numeric::random::RandomState;
use envpool_rs_sim_mujoco::{
    self as mujoco, Data, Derived, DetachedOverrides, Fault, Lane, Model, SavedOverrides, Stepper, Workspace, numeric,
    own_model::{Array, MAT_RGBA},
    programs,
};

/// Maximum number of stacked frames.
const MAX_STACKED: i64 = 1024;
/// Maximum number of simulation steps per environment step.
const MAX_SKIPPED: i64 = 1 << 16;
/// Approximate number of bytes of a simulation's stack that are touched.
const STACK: usize = 1 << 17;
/// Key of flat observations.
const FLAT: &str = "observations";

/// Task of a module of `dm_control.suite`, with fixed options and a model.
pub trait Domain: Send + Sync + 'static {
    /// Draws the start state of an episode (`initialize_episode`).
    ///
    /// The simulation was just reset, with derived quantities; they are recomputed afterwards. `is_first` says whether this is
    /// the first use of the random stream.
    ///
    /// # Errors
    /// Those of the simulation.
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, is_first: bool) -> Result<(), Fault>;

    /// Appends the observation, block by block as in [`TaskSpec::observation`].
    fn observe(&self, physics: &Physics, to: &mut Vec<f64>);

    /// Returns the reward (`get_reward`).
    fn get_reward(&self, physics: &Physics) -> f64;

    /// Returns whether the episode terminates with discount 0 (`get_termination`).
    fn get_termination(&self, _physics: &Physics) -> bool {
        false
    }
}

/// Module of `dm_control.suite` with its tasks.
pub trait DomainClass: Domain + Sized {
    /// Properties of all its tasks.
    const INFO: DomainInfo;

    /// Returns its own options, in addition to those of all domains.
    fn options() -> Vec<OptionSpec> {
        Vec::new()
    }

    /// Returns the description of a task, which needs no model.
    ///
    /// # Errors
    /// `Value`, naming the option.
    fn task_spec(task: &str, options: &Options) -> Result<TaskSpec>;

    /// Returns the blocks of the domain's other tasks, which EnvPool adds to a task's observation as zeros.
    fn other_tasks_blocks(_task: &str) -> Vec<Block> {
        Vec::new()
    }

    /// Returns the stage of results that observation and reward need; `None` if only MuJoCo can step the task. A task with native
    /// steps must not change its model's dynamics during an episode.
    fn required_stage(_task: &str) -> Option<Stage> {
        None
    }

    /// Returns a model change that is the same for each episode, and is applied once after compilation.
    fn model_change(_task: &str) -> Option<Change> {
        None
    }

    /// Returns EnvPool's order of the keys of all tasks. If empty, a task's own keys come first, then the others.
    fn keys_in_order() -> &'static [&'static str] {
        &[]
    }

    /// Returns the reward that the colours show at the start of an episode.
    fn first_reward(_task: &str) -> FirstReward {
        FirstReward::OfStartState
    }

    /// Creates a task, with ids looked up in the model.
    ///
    /// # Errors
    /// `Value` if the model lacks one.
    fn bind(task: &str, options: &Options, names: Names<'_>) -> Result<Self>;
}

/// A [`DomainClass`] as a value, since all domains are environments of one type.
pub struct DomainSpec {
    pub(super) body: DomainInfo,
    options: fn() -> Vec<OptionSpec>,
    outline: fn(&str, &Options) -> Result<TaskSpec>,
    blocks_of_others: fn(&str) -> Vec<Block>,
    needs: fn(&str) -> Option<Stage>,
    change: fn(&str) -> Option<Change>,
    keys_in_order: fn() -> &'static [&'static str],
    first_reward: fn(&str) -> FirstReward,
    bind: fn(&str, &Options, Names<'_>) -> Result<Box<dyn Domain>>,
}

impl DomainSpec {
    /// Returns the value of a type.
    pub const fn of<D: DomainClass>() -> Self {
        Self {
            body: D::INFO,
            options: D::options,
            outline: D::task_spec,
            blocks_of_others: D::other_tasks_blocks,
            needs: D::required_stage,
            change: D::model_change,
            keys_in_order: D::keys_in_order,
            first_reward: D::first_reward,
            bind: |task, options, names| Ok(Box::new(D::bind(task, options, names)?)),
        }
    }

    /// Returns the domain that [`Suite::task`] has stored in the options.
    fn in_options(options: &Options) -> &'static Self {
        options.variant().expect("`Suite::task` says which domain it is")
    }
}

/// Function that returns an array of a model, an index, and the new value.
pub type Change = fn(Names<'_>) -> Result<(Array<f64>, usize, f64)>;

/// Stage of results that observation and reward need, in addition to positions, velocities and controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Position-dependent quantities (`mjSTAGE_POS`).
    Pos,
    /// Also velocity-dependent quantities and sensors (`mjSTAGE_VEL`).
    Vel,
    /// Also force sensors (`mjSTAGE_ACC`), of the last simulation step.
    Acc,
}

/// Reward whose colour is shown at the start of an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstReward {
    /// That of the start state, as far as it has been computed by then.
    OfStartState,
    /// That of the model's initial state.
    OfModel,
    /// None: the colours of the previous episode stay.
    None,
}

/// Properties of all tasks of a domain.
#[derive(Debug, Clone, Copy)]
pub struct DomainInfo {
    /// Name of the domain and of its module.
    pub name: &'static str,
    /// Names of its tasks.
    pub tasks: &'static [&'static str],
    /// Timestep of the simulation, in seconds.
    pub timestep: f64,
    /// Number of simulation steps per environment step.
    pub sub_steps: i64,
    /// Duration of an episode, in seconds.
    pub time_limit: f64,
}

/// Description of a task, which needs no model.
#[derive(Debug, Clone)]
pub struct TaskSpec {
    /// Arguments of the function that generates the model; `None` for the domain's own file.
    pub generator_arguments: Option<String>,
    /// Blocks of the observation.
    pub observation: Vec<Block>,
    /// Lower and upper control limit of each actuator.
    pub controls: Vec<[f64; 2]>,
}

impl TaskSpec {
    /// Creates a description with the domain's own file.
    pub fn new(observation: Vec<Block>, controls: Vec<[f64; 2]>) -> Self {
        Self { generator_arguments: None, observation, controls }
    }
}

/// Returns the limits of `count` actuators from -1 to 1.
pub fn unit_controls(count: usize) -> Vec<[f64; 2]> {
    vec![[-1.0, 1.0]; count]
}

/// Named part of an observation.
#[derive(Debug, Clone)]
pub struct Block {
    key: &'static str,
    shape: Vec<usize>,
}

impl Block {
    /// Creates a vector block.
    pub fn new(key: &'static str, len: usize) -> Self {
        Self::shaped(key, &[len])
    }

    /// Creates a scalar block.
    pub fn number(key: &'static str) -> Self {
        Self::shaped(key, &[])
    }

    /// Creates an array block.
    pub fn shaped(key: &'static str, shape: &[usize]) -> Self {
        Self { key, shape: shape.to_vec() }
    }

    fn len(&self) -> usize {
        self.shape.iter().product()
    }
}

/// A simulation with its stepping mode (`legacy_step`).
pub struct Physics<'a> {
    data: &'a mut Data,
    is_legacy: bool,
}

impl Deref for Physics<'_> {
    type Target = Data;

    fn deref(&self) -> &Data {
        self.data
    }
}

impl DerefMut for Physics<'_> {
    fn deref_mut(&mut self) -> &mut Data {
        self.data
    }
}

/// Ignores warnings.
///
/// # Errors
/// All faults other than warnings.
pub fn unless_warned(result: Result<(), Fault>) -> Result<(), Fault> {
    match result {
        Err(Fault::MujocoWarning(_)) => Ok(()),
        result => result,
    }
}

impl Physics<'_> {
    /// Advances by `count` steps.
    ///
    /// # Errors
    /// Those of the simulation.
    pub fn advance(&mut self, count: u32) -> Result<(), Fault> {
        if self.is_legacy { self.data.step2_step1(count) } else { self.data.step(count, false) }
    }

    /// Advances by `count` whole steps from a state without derived quantities.
    ///
    /// # Errors
    /// Those of the simulation.
    pub fn advance_whole(&mut self, count: u32) -> Result<(), Fault> {
        self.data.step(count, false)?;
        if self.is_legacy { self.data.step1() } else { Ok(()) }
    }

    /// Resets the simulation, with derived quantities.
    ///
    /// # Errors
    /// Those of the simulation other than warnings, since another state follows.
    pub fn restart(&mut self) -> Result<(), Fault> {
        self.data.reset()?;
        unless_warned(self.data.forward_unactuated())
    }

    /// Returns an element of a body's `xmat`: `xmat[body, "xz"]` is the third.
    pub fn axes(&self, body: usize, element: usize) -> f64 {
        self.xmat()[9 * body + element]
    }
}

/// Returns a vector in a frame's coordinates: `vector.dot(axes)`.
pub fn in_frame(vector: &[f64; 3], axes: &[f64]) -> [f64; 3] {
    [0, 1, 2].map(|axis| numeric::dot(vector, &[axes[axis], axes[3 + axis], axes[6 + axis]]))
}

/// Index of an element of `xmat`.
pub const XX: usize = 0;
/// Index of an element of `xmat`.
pub const XZ: usize = 2;
/// Index of an element of `xmat`.
pub const ZZ: usize = 8;

/// Materials whose colours show the reward.
const MATERIALS: [&str; 3] = ["self", "effector", "target"];

/// Ids of the materials that show the reward, with those that provide the colours for reward 0 and 1.
struct Colours([[usize; 3]; 3]);

impl Colours {
    fn bind(names: Names<'_>) -> Result<Self> {
        let mut materials = [[0; 3]; 3];
        for (numbers, name) in materials.iter_mut().zip(MATERIALS) {
            for (number, end) in numbers.iter_mut().zip(["", "_default", "_highlight"]) {
                *number = names.material(&format!("{name}{end}"))?;
            }
        }
        Ok(Self(materials))
    }

    /// Sets the colours in the simulation's own model.
    fn show(&self, physics: &mut Physics<'_>, reward: f64) {
        let share = reward.clamp(0.0, 1.0).powf(4.0);
        let colours = physics.model_array_mut(MAT_RGBA);
        for [shown, default, highlight] in self.0 {
            for part in 0..4 {
                let [none, all] = [default, highlight].map(|material| f64::from(colours[4 * material + part]));
                colours[4 * shown + part] = (share * all + (1.0 - share) * none) as f32;
            }
        }
    }
}

/// Environment of a domain and its physics.
pub struct Suite {
    spec: &'static DomainSpec,
    options: Options,
    outline: TaskSpec,
    sub_steps: u32,
    frame_stack: usize,
    is_legacy: bool,
    is_flat: bool,
    shows_reward: bool,
    who_steps: StepperChoice,
    /// Whether each step is rendered.
    is_rendered: bool,
    folder: Option<String>,
    /// Observed blocks in order, with the offset of each in a frame.
    shown: Vec<(Block, usize)>,
    loaded: Option<Loaded>,
}

/// Compiled model, and the size of a simulation in bytes.
type Compiled = (Model, usize);

struct Loaded {
    domain: Box<dyn Domain>,
    model: Model,
    colours: Option<Colours>,
    /// Size of one simulation, in bytes.
    data_bytes: usize,
    /// Shared workspace for native steps, and the stage of results that these must provide.
    shared: Option<(AssetRef<Workspace>, Stage)>,
}

/// Episode state of a lane.
pub struct EpisodeState {
    simulation: Simulation,
    shown: ObservationState,
}

/// A lane's simulation.
enum Simulation {
    /// Own simulation, which continues from the middle of a step (`mj_step1`).
    Own(Data),
    /// The thread's simulation: the lane's state vector, and its model changes.
    Shared(Vec<f64>, DetachedOverrides),
}

/// Function that computes derived quantities after a step.
type Follow<'a> = &'a dyn Fn(&mut Data) -> Result<(), Fault>;

/// Callback for a lane's state after its step, or for its failure.
type Judge<'a> = &'a mut dyn FnMut(usize, Result<&mut Data, Fault>, Follow<'_>);

/// Observation data of a lane.
struct ObservationState {
    /// All stacked frames, oldest first.
    frames: Vec<f64>,
    /// Newest frame, while it is assembled.
    newest: Vec<f64>,
    /// Whether the episode has terminated.
    is_over: bool,
}

/// Content of a snapshot: the model's fingerprint, the simulation's state, its model changes, and the rest.
type Saved = (u64, Vec<f64>, SavedOverrides, Vec<f64>, bool);

/// Converts a fault of the simulation to an engine error.
pub fn to_error(fault: Fault) -> Error {
    match fault {
        Fault::Library(_) => Error::NotFound(fault.to_string()),
        Fault::Model { .. } => Error::Value(fault.to_string()),
        Fault::MujocoError(_) | Fault::Threads(_) | Fault::MujocoWarning(_) | Fault::Rendering(_) => {
            Error::State(fault.to_string())
        }
    }
}

fn task(options: &Options) -> &str {
    options.text("task_name").expect("it has a default")
}

fn sub_steps(options: &Options) -> u32 {
    let name = if *options.get("n_sub_steps") == Value::None { "frame_skip" } else { "n_sub_steps" };
    options.int(name) as u32
}

/// Returns all options of a domain other than render options.
fn options(spec: &DomainSpec) -> Vec<OptionSpec> {
    let body = &spec.body;
    let mut options = vec![
        OptionSpec::new("task_name", body.tasks[0], "the task of the robot").one_of(body.tasks),
        OptionSpec::path("suite_dir", "folder of the models; None: that of the installed dm_control"),
        OptionSpec::new("frame_skip", body.sub_steps, "simulation steps per step").integers(1..=MAX_SKIPPED),
        OptionSpec::optional(
            "n_sub_steps",
            1,
            "dm_control's name of frame_skip, which keeps an episode's seconds instead of its steps; None: frame_skip",
        )
        .integers(1..=MAX_SKIPPED),
        OptionSpec::new("frame_stack", 1, "number of stacked observations, the newest last; 1 adds no axis")
            .integers(1..=MAX_STACKED),
        OptionSpec::optional("time_limit", 1.0, "time limit in seconds; None: max_episode_steps").numbers(1e-9..=1e9),
        OptionSpec::new("flat_observation", false, "whether the observation is one array"),
        OptionSpec::new(
            "domain_keys",
            false,
            "whether the observation has the keys of all tasks of the domain, as in EnvPool, with zeros for those of other tasks",
        ),
        StepperChoice::option(),
        OptionSpec::new("visualize_reward", false, "whether the colours of pictures show the reward"),
        OptionSpec::new("legacy_step", true, "whether observations are of a step's end instead of its start"),
    ];
    options.extend((spec.options)());
    options
}

/// Returns the step limit, if an option determines it.
fn step_limit(options: &Options) -> Option<u32> {
    let is_given = |name: &str| *options.get(name) != Value::None;
    if !is_given("time_limit") && !is_given("n_sub_steps") {
        return None;
    }
    let body = &DomainSpec::in_options(options).body;
    let seconds = if is_given("time_limit") { options.float("time_limit") } else { body.time_limit };
    let steps = seconds / (body.timestep * f64::from(sub_steps(options)));
    // The episode ends with the first step at or after the limit. The conversion saturates.
    Some(steps.ceil().max(1.0) as u32).filter(|_| seconds.is_finite())
}

impl Suite {
    /// Creates a task of a domain, with cameras; the option `task_name` selects it.
    pub fn task(id: &'static str, spec: &'static DomainSpec) -> Task {
        let order = [&["frame_skip", "frame_stack", "task_name"][..], &ENVPOOL_ORDER].concat();
        Rendered::<Self>::task(id, options(spec), CameraPreset::Model)
            .variant(spec)
            .step_limit_from(step_limit)
            .envpool_order(order)
    }

    fn loaded(&self) -> Result<&Loaded> {
        let missing =
            || Error::NotFound("MuJoCo's library has not been opened: expected sim::mujoco::install before this".into());
        self.loaded.as_ref().ok_or_else(missing)
    }

    fn domain(&self) -> &dyn Domain {
        &*self.playing().domain
    }

    fn playing(&self) -> &Loaded {
        self.loaded.as_ref().expect("it was loaded before anything was created")
    }

    /// Shows the reward by colours, if the option is set.
    fn paint(&self, physics: &mut Physics<'_>) {
        let Loaded { domain, colours, .. } = self.playing();
        if let Some(colours) = colours {
            let reward = domain.get_reward(physics);
            colours.show(physics, reward);
        }
    }

    fn frame(&self) -> usize {
        self.outline.observation.iter().map(Block::len).sum()
    }

    /// Returns the model's name in the pool's store.
    fn model_name(&self, folder: &str) -> String {
        let changed_by = (self.spec.change)(task(&self.options)).map_or("", |_| task(&self.options));
        format!("{folder}/{} {:?} {changed_by}", self.spec.body.name, self.outline.generator_arguments)
    }

    fn model(&self, library: &'static mujoco::Library, folder: &str) -> Result<Model> {
        let name = self.spec.body.name;
        let path = Path::new(folder).join(format!("{name}.xml"));
        let model = match &self.outline.generator_arguments {
            None if !path.is_file() => {
                return Err(Error::NotFound(format!("suite_dir={folder:?}: there is no file {}", path.display())));
            }
            None => Model::from_xml(library, &path, &[]),
            Some(arguments) => programs::generate(format!("{name} {arguments}").trim())
                .and_then(|text| Model::from_text(library, &path, &text, &[])),
        };
        model.map_err(|fault| match fault {
            Fault::Model { .. } => Error::Value(format!("suite_dir={folder:?} has no models that MuJoCo takes: {fault}")),
            fault => to_error(fault),
        })
    }

    /// Checks a model against the description.
    fn check(&self, model: &Model) -> Result<()> {
        let bounds = model.actuator_ctrlrange().as_chunks::<2>().0;
        let limited = model.actuator_ctrllimited();
        let unlimited = [-UNLIMITED, UNLIMITED];
        let controls = bounds.iter().zip(limited).map(|(range, limited)| if *limited == 0 { &unlimited } else { range });
        if !controls.eq(&self.outline.controls) || model.timestep() != self.spec.body.timestep {
            let name = self.spec.body.name;
            return Err(Error::Value(format!("suite_dir: the model of {name} has other actuators or another time step")));
        }
        Ok(())
    }

    /// Runs `work` on a lane's simulation.
    fn with<R>(&self, simulation: &mut Simulation, work: impl FnOnce(&mut Physics<'_>) -> Result<R, Fault>) -> Result<R, Fault> {
        let is_legacy = self.is_legacy;
        match (simulation, &self.playing().shared) {
            (Simulation::Own(data), _) => work(&mut Physics { data, is_legacy }),
            (Simulation::Shared(state, changed), Some((workspace, _))) => workspace.with_state(state, |data| {
                data.exchange(changed);
                let result = work(&mut Physics { data, is_legacy });
                data.exchange(changed);
                result
            }),
            (Simulation::Shared(..), None) => unreachable!("lanes take turns where there is something to take turns at"),
        }
    }

    /// Computes reward and observation after a step. Returns whether the episode terminates.
    fn evaluate(&self, physics: &mut Physics<'_>, shown: &mut ObservationState, rewards: &mut [f64]) -> bool {
        rewards[0] = self.domain().get_reward(physics);
        if let Some(colours) = &self.playing().colours {
            colours.show(physics, rewards[0]);
        }
        self.capture(physics, shown);
        shown.is_over = self.domain().get_termination(physics);
        shown.is_over
    }

    /// Shifts the older frames, and writes the newest.
    fn capture(&self, physics: &Physics<'_>, shown: &mut ObservationState) {
        let ObservationState { frames, newest, .. } = shown;
        newest.clear();
        self.domain().observe(physics, newest);
        newest.resize(self.frame(), 0.0);
        frames.copy_within(newest.len().., 0);
        let start = frames.len() - newest.len();
        frames[start..].copy_from_slice(newest);
    }

    fn try_reset(&self, play: &mut EpisodeState, random: &mut RandomState, is_first: bool) -> Result<(), Fault> {
        let EpisodeState { simulation, shown } = play;
        self.with(simulation, |physics| {
            physics.restart()?;
            let first = (self.spec.first_reward)(task(&self.options));
            if first == FirstReward::OfModel {
                self.paint(physics);
            }
            self.domain().initialize_episode(physics, random, is_first)?;
            if first == FirstReward::OfStartState {
                self.paint(physics);
            }
            physics.forward_unactuated()?;
            shown.is_over = false;
            (0..self.frame_stack).for_each(|_| self.capture(physics, shown));
            Ok(())
        })
    }

    /// Returns the reason against native steps, if any.
    fn obstacle(&self) -> Option<&'static str> {
        match (self.spec.needs)(task(&self.options)) {
            None => Some("a task that only the library steps"),
            Some(_) if self.is_rendered => Some(RENDER_OBSTACLE),
            Some(_) if !self.is_legacy => Some("legacy_step=False, which shows what only the library computes"),
            Some(_) => None,
        }
    }
}

impl Suite {
    fn nothing_shown(&self) -> ObservationState {
        ObservationState {
            frames: vec![0.0; self.frame() * self.frame_stack],
            newest: Vec::with_capacity(self.frame()),
            is_over: false,
        }
    }

    /// Takes the last step with MuJoCo, which computes the force sensors.
    fn step_to_forces(&self, (stepper, workspace): (&Stepper, &Workspace), lanes: &mut [Lane<'_>], judge: Judge<'_>) {
        let mut faults: Vec<_> = lanes.iter().map(|_| None).collect();
        if self.sub_steps > 1 {
            stepper
                .step(workspace, lanes, (self.sub_steps - 1, Derived::default()), |lane, stepped| faults[lane] = stepped.err());
        }
        for (number, (lane, fault)) in lanes.iter_mut().zip(faults).enumerate() {
            let result = fault.map_or(Ok(()), Err).and_then(|()| {
                workspace.with_state(lane.state, |data| {
                    data.ctrl_mut().copy_from_slice(lane.control);
                    data.step(1, false)?;
                    judge(number, Ok(data), &Data::step1);
                    Ok(())
                })
            });
            if let Err(fault) = result {
                judge(number, Err(fault), &|_| Ok(()));
            }
        }
    }
}

/// Control limit of actuators without limits.
pub const UNLIMITED: f64 = 1e10;

impl Env for Suite {
    type State = EpisodeState;
    type Random = RandomState;
    /// A step that reaches the time limit is not checked for termination.
    const TRUNCATION_WINS: bool = true;

    fn new(options: &Options) -> Result<Self> {
        let spec = DomainSpec::in_options(options);
        let mut outline = (spec.outline)(task(options), options)?;
        if options.bool("domain_keys") {
            outline.observation.extend((spec.blocks_of_others)(task(options)));
        }
        let mut start = 0;
        let mut shown = Vec::with_capacity(outline.observation.len());
        for block in &outline.observation {
            shown.push((block.clone(), start));
            start += block.len();
        }
        if options.bool("domain_keys") {
            shown.sort_by_key(|(block, _)| (spec.keys_in_order)().iter().position(|key| *key == block.key));
        }
        Ok(Self {
            spec,
            outline,
            shown,
            shows_reward: options.bool("visualize_reward"),
            sub_steps: sub_steps(options),
            frame_stack: options.int("frame_stack") as usize,
            is_legacy: options.bool("legacy_step"),
            is_flat: options.bool("flat_observation"),
            who_steps: StepperChoice::new(options),
            is_rendered: false,
            folder: options.text("suite_dir").map(str::to_owned),
            options: options.clone(),
            loaded: None,
        })
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let Some(library) = mujoco::installed() else { return self.loaded().map(|_| ()) };
        let folder = self.folder.as_ref().ok_or_else(|| {
            Error::NotFound(format!(
                "suite_dir=None: expected the folder of dm_control's suite, where {}.xml is",
                self.spec.body.name
            ))
        })?;
        let change = (self.spec.change)(task(&self.options));
        let name = self.model_name(folder);
        let loaded = store.get_or_load::<Compiled>(&name, || {
            let mut model = self.model(library, folder)?;
            if let Some(change) = change {
                let (array, index, value) = change(Names(&model))?;
                model.set(array, index, value);
            }
            self.check(&model)?;
            let data_bytes = Data::new(&model).map_err(to_error)?.bytes() + STACK;
            let bytes = model.bytes();
            Ok(((model, data_bytes), bytes))
        })?;
        let (model, data_bytes) = (*loaded).clone();
        let domain = (self.spec.bind)(task(&self.options), &self.options, Names(&model))?;
        let obstacle = self.obstacle();
        self.who_steps.choose(store, &name, &model, obstacle)?;
        let needs = (self.spec.needs)(task(&self.options)).filter(|_| self.who_steps.stepper().is_some());
        // `thread_bytes` counts the threads' simulations.
        let workspace = store.get_or_load(&name, || Ok((Workspace::new(&model), 0)))?;
        let turns = needs.map(|needs| (workspace, needs));
        let colours = if self.shows_reward { Some(Colours::bind(Names(&model))?) } else { None };
        self.loaded = Some(Loaded { domain, model, colours, data_bytes, shared: turns });
        Ok(())
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        self.folder.as_ref().is_some_and(|folder| !store.has::<Compiled>(&self.model_name(folder)))
    }

    fn spec(&self) -> EnvSpec {
        let space = |shape: &[usize]| {
            let stacked = if self.frame_stack == 1 { vec![] } else { vec![self.frame_stack] };
            Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[&stacked, shape].concat(), Dtype::F64)
        };
        let parts = self.shown.iter().map(|(block, _)| (block.key.to_owned(), space(&block.shape)));
        let flat = space(&[self.frame()]);
        let (observation, in_envpool) = match self.is_flat {
            true => (flat.clone(), Space::Dict(vec![(FLAT.to_owned(), flat)])),
            false => (Space::Dict(parts.clone().collect()), Space::Dict(parts.collect())),
        };
        let bounds = &self.outline.controls;
        let action = Space::Box {
            low: bounds.iter().map(|[low, _]| *low).collect(),
            high: bounds.iter().map(|[_, high]| *high).collect(),
            shape: vec![bounds.len()],
            dtype: Dtype::F64,
        };
        EnvSpec {
            envpool_observation: Some(in_envpool),
            envpool_action: Some(action.clone()),
            option_decisions: self.who_steps.decided(),
            ..EnvSpec::new(observation, action)
        }
    }

    fn heap_bytes(&self) -> usize {
        let numbers = self.frame() * (self.frame_stack + 1);
        let simulation = self.loaded.as_ref().map_or(0, |loaded| match loaded.shared {
            Some(_) => loaded.model.state_len() * size_of::<f64>(),
            None => loaded.data_bytes,
        });
        simulation + numbers * size_of::<f64>()
    }

    fn shared_bytes(&self) -> usize {
        self.loaded.as_ref().map_or(0, |loaded| size_of_val(&*loaded.domain))
    }

    fn thread_bytes(&self) -> usize {
        let data_bytes = self.loaded.as_ref().filter(|loaded| loaded.shared.is_some()).map_or(0, |loaded| loaded.data_bytes);
        data_bytes + self.who_steps.thread_bytes()
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        let Loaded { model, shared: turns, .. } = self.loaded()?;
        let mut data = Data::new(model).map_err(to_error)?;
        data.ctrl_mut().fill(0.0);
        let simulation = match turns {
            None => Simulation::Own(data),
            Some(_) => {
                let mut state = vec![0.0; model.state_len()];
                data.get_state(&mut state);
                Simulation::Shared(state, DetachedOverrides::default())
            }
        };
        Ok(EpisodeState { simulation, shown: self.nothing_shown() })
    }

    fn reset(&self, play: &mut EpisodeState, options: &ResetOptions, random: &mut RandomState) {
        self.try_reset(play, random, options.seed().is_some()).unwrap_or_else(|fault| to_error(fault).raise());
    }

    fn step(&self, play: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], _random: &mut RandomState) -> bool {
        let EpisodeState { simulation, shown } = play;
        let is_in_turn = matches!(simulation, Simulation::Shared(..));
        let stepped = self.with(simulation, |physics| {
            let controls = physics.ctrl_mut();
            let action = action.doubles(0, controls.len());
            controls.copy_from_slice(action);
            match is_in_turn {
                true => physics.advance_whole(self.sub_steps)?,
                false => physics.advance(self.sub_steps)?,
            }
            Ok(self.evaluate(physics, shown, rewards))
        });
        stepped.unwrap_or_else(|fault| to_error(fault).raise())
    }

    fn scheduling(&self) -> Scheduling {
        self.who_steps.scheduling(Self::SCHEDULING)
    }

    fn step_lanes(&self, lanes: &mut [engine::LaneStep<'_, Self>]) {
        let (Some(stepper), Some((workspace, needs))) = (self.who_steps.stepper(), &self.playing().shared) else {
            unreachable!("lanes are only stepped together where there is a stepper");
        };
        let controls = self.outline.controls.len();
        let (mut simulated, mut others) = (Vec::with_capacity(lanes.len()), Vec::with_capacity(lanes.len()));
        for engine::LaneStep { state: play, action, rewards, terminated, error: failure, .. } in lanes {
            let Simulation::Shared(state, changed) = &mut play.simulation else { unreachable!("lanes that take turns") };
            simulated.push(Lane { state, control: action.doubles(0, controls) });
            others.push((changed, &mut play.shown, rewards, terminated, failure));
        }
        let mut judge = |lane: usize, stepped: Result<&mut Data, Fault>, follow: Follow<'_>| {
            let (changed, shown, rewards, terminated, failure) = &mut others[lane];
            let followed = stepped.and_then(|data| {
                data.exchange(changed);
                let followed = follow(data);
                if followed.is_ok() {
                    **terminated = self.evaluate(&mut Physics { data, is_legacy: self.is_legacy }, shown, rewards);
                }
                data.exchange(changed);
                followed
            });
            **failure = followed.err().map(to_error);
        };
        let mut derived = Derived::default();
        let follow: Follow<'_> = match needs {
            Stage::Pos => &Data::kinematics,
            Stage::Vel => &Data::kinematics_and_sensors,
            Stage::Acc if stepper.knows_touch() => {
                derived.touch_sensordata = true;
                &Data::kinematics_and_sensors
            }
            Stage::Acc => return self.step_to_forces((stepper, workspace.as_ref()), &mut simulated, &mut judge),
        };
        stepper.step(workspace, &mut simulated, (self.sub_steps, derived), |lane, stepped| {
            judge(lane, stepped, follow);
        });
    }

    fn has_zero_discount(&self, play: &EpisodeState) -> bool {
        play.shown.is_over
    }

    fn observe(&self, play: &EpisodeState, out: &mut Row<'_>) {
        let len = self.frame();
        for (number, frame) in play.shown.frames.chunks_exact(len).enumerate() {
            if self.is_flat {
                out.write_at(0, number * len, frame);
                continue;
            }
            for (leaf, (block, start)) in self.shown.iter().enumerate() {
                out.write_at(leaf, number * block.len(), &frame[*start..start + block.len()]);
            }
        }
    }
}

impl Renderable for Suite {
    fn camera_preset(&self) -> CameraPreset {
        CameraPreset::Model
    }

    fn model(&self) -> Option<&Model> {
        self.loaded.as_ref().map(|loaded| &loaded.model)
    }

    fn view<T>(&self, play: &EpisodeState, look: impl FnOnce(&Data) -> T) -> Result<T, Fault> {
        match (&play.simulation, &self.playing().shared) {
            (Simulation::Own(data), _) => Ok(look(data)),
            (Simulation::Shared(state, changed), turns) => {
                let (workspace, _) = turns.as_ref().expect("lanes take turns where there is something to take turns at");
                workspace.with_state(&mut state.clone(), |data| {
                    data.set_changes(&changed.all())?;
                    data.step1()?;
                    let seen = look(data);
                    data.set_changes(&SavedOverrides::new())?;
                    Ok(seen)
                })
            }
        }
    }

    fn enable_step_rendering(&mut self) {
        self.is_rendered = true;
    }

    fn seconds(&self) -> f64 {
        self.spec.body.timestep * f64::from(self.sub_steps)
    }
}

impl LaneState<Suite> for EpisodeState {
    fn save(&self, env: &Suite, bytes: &mut Vec<u8>) {
        let model = &env.playing().model;
        let (state, changes) = match &self.simulation {
            Simulation::Own(data) => {
                let mut state = vec![0.0; model.state_len()];
                data.get_state(&mut state);
                (state, data.changes())
            }
            Simulation::Shared(state, changed) => (state.clone(), changed.all()),
        };
        let saved: Saved = (model.fingerprint(), state, changes, self.shown.frames.clone(), self.shown.is_over);
        write_value(bytes, &saved);
    }

    fn load(env: &Suite, bytes: &mut &[u8]) -> Result<Self> {
        let (fingerprint, state, changes, frames, is_over): Saved = read_value(bytes)?;
        let Loaded { model, shared: turns, .. } = env.loaded()?;
        if fingerprint != model.fingerprint() {
            return Err(refused_state("it is of another model"));
        }
        if frames.len() != env.frame() * env.frame_stack {
            return Err(refused_state("it shows another number of numbers"));
        }
        if !state.iter().all(|value| value.is_finite()) {
            return Err(refused_state("its values are out of range"));
        }
        let restored = || {
            let mut data = Data::new(model)?;
            data.set_changes(&changes)?;
            data.set_state(&state)?;
            data.step1()?;
            Ok(data)
        };
        let mut data = restored().map_err(|fault: Fault| refused_state(&fault.to_string()))?;
        let simulation = match turns {
            None => Simulation::Own(data),
            Some(_) => {
                let mut changed = DetachedOverrides::default();
                data.exchange(&mut changed);
                Simulation::Shared(state, changed)
            }
        };
        Ok(Self { simulation, shown: ObservationState { frames, is_over, ..env.nothing_shown() } })
    }
}
