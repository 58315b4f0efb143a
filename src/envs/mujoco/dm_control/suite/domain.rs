//! Interface of a dm_control domain, and descriptions of domains, tasks and observations.

use super::Physics;
use crate::names::Names;
use envpool_rs_engine::{OptionSpec, Options, Result};
use envpool_rs_numeric::random::RandomState;
use envpool_rs_sim_mujoco::model_overrides::Array;
use envpool_rs_sim_mujoco::{Derived, Fault};

/// Task of a `dm_control.suite` module, for a model and given options: start states, observations, rewards, terminations.
pub trait Domain: Send + Sync + 'static {
    /// Draws the start state of an episode (`initialize_episode`).
    ///
    /// Before the call, the caller resets the simulation and computes the derived quantities; after the call, the caller
    /// computes the derived quantities again. `is_first` says whether this is the first use of the random stream.
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, is_first: bool) -> Result<(), Fault>;

    /// Returns the number of simulation steps without controls that follow [`Domain::initialize_episode`]. If it is not 0, the
    /// time is then set to 0.
    fn settling_steps(&self) -> u32 {
        0
    }

    /// Appends the values of the observation to `to`: the blocks that [`TaskSpec::observation`] lists, in order. By default, these
    /// are positions and velocities.
    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        to.extend_from_slice(physics.qpos());
        to.extend_from_slice(physics.qvel());
    }

    /// Returns the reward of the current state (`get_reward`).
    fn get_reward(&self, physics: &Physics) -> f64;

    /// Returns whether the episode terminates with discount 0 (`get_termination`).
    fn get_termination(&self, _physics: &Physics) -> bool {
        false
    }
}

/// Domain: a module of `dm_control.suite` with its tasks.
pub trait DomainClass: Domain + Bind {
    /// Properties of all tasks of the domain.
    const INFO: DomainInfo;

    /// Order that EnvPool gives to the observation keys of all tasks. If the list is empty, a task's own keys come first, then
    /// the keys of the other tasks.
    const KEYS_IN_ORDER: &'static [&'static str] = &[];

    /// Returns the domain's own options, in addition to the options that all domains share.
    fn options() -> Vec<OptionSpec> {
        Vec::new()
    }

    /// Returns the description of a task, which needs no model.
    ///
    /// # Errors
    /// `Value`, with the name of the option whose value is invalid.
    fn task_spec(task: &str, options: &Options) -> Result<TaskSpec>;
}

/// Constructor of a domain's task.
pub trait Bind: Sized {
    /// Creates a task, and looks up ids in the model.
    fn bind(task: &str, options: &Options, names: Names<'_>) -> Result<Self>;
}

/// Functions and properties of a [`DomainClass`] as a value, so that the environments of all domains have the same Rust type.
pub struct DomainSpec {
    pub(crate) info: DomainInfo,
    pub(crate) options: fn() -> Vec<OptionSpec>,
    pub(crate) task_spec: fn(&str, &Options) -> Result<TaskSpec>,
    pub(crate) keys_in_order: &'static [&'static str],
    pub(crate) bind: fn(&str, &Options, Names<'_>) -> Result<Box<dyn Domain>>,
}

impl DomainSpec {
    /// Returns the [`DomainSpec`] of the domain type `D`.
    pub const fn of<D: DomainClass>() -> Self {
        Self {
            info: D::INFO,
            options: D::options,
            task_spec: D::task_spec,
            keys_in_order: D::KEYS_IN_ORDER,
            bind: |task, options, names| Ok(Box::new(D::bind(task, options, names)?)),
        }
    }

    /// Returns the domain that [`Suite::task`] has stored in the options.
    pub(crate) fn in_options(options: &Options) -> &'static Self {
        options.variant().expect("`Suite::task` says which domain it is")
    }
}

/// Function that returns a change of one element of a model's array: the array, the element's index, and its new value.
pub type Change = fn(Names<'_>) -> Result<(Array<f64>, usize, f64)>;

/// Stage of MuJoCo's computation (`mjtStage`) up to which a step must compute results for an observation and reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The task needs position-dependent quantities (`mjSTAGE_POS`).
    Pos,
    /// The task needs position- and velocity-dependent quantities, and sensors (`mjSTAGE_VEL`).
    Vel,
    /// The task needs the quantities of [`Stage::Vel`], and the force sensors at the last simulation step (`mjSTAGE_ACC`).
    Acc,
}

/// State whose reward determines the materials' colours at the start of an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstReward {
    /// The colours represent the reward of the episode's start state, computed from the derived quantities known at that time.
    OfStartState,
    /// The colours represent the reward of the model's initial state.
    OfModel,
    /// The colours do not change at the start of an episode.
    None,
}

/// Properties of all tasks of a domain.
#[derive(Debug, Clone, Copy)]
pub struct DomainInfo {
    /// Name of the domain and of its module in `dm_control.suite`.
    pub name: &'static str,
    /// Names of the domain's tasks.
    pub tasks: &'static [&'static str],
    /// Timestep of the simulation, in seconds.
    pub timestep: f64,
    /// Number of simulation steps per environment step.
    pub sub_steps: i64,
    /// Duration of an episode, in simulated seconds.
    pub time_limit: f64,
}

/// Description of a task, which can be created without the model.
#[derive(Debug, Clone)]
pub struct TaskSpec {
    /// Arguments of dm_control's function that generates the model; `None` if the model is the domain's file.
    pub generator_arguments: Option<String>,
    /// Named blocks of the observation, in order.
    pub observation: Vec<Block>,
    /// Lower and upper control limit of each actuator.
    pub controls: Vec<[f64; 2]>,
    /// Observation blocks of the domain's other tasks. EnvPool adds these blocks to a task's observation as zeros.
    pub other_tasks_blocks: Vec<Block>,
    /// Stage up to which a step must compute results for the task's observation and reward; `None` if only MuJoCo's library can
    /// step the task. A task with native steps must not change its model's dynamics during an episode, except by
    /// `moves_bodies`.
    pub required_stage: Option<Stage>,
    /// Derived arrays that the task's observation and reward read, apart from touch sensors, if the native stepper can compute all
    /// of them; `None` if MuJoCo's library must compute them. The native stepper uses the shared model, so the task must not move
    /// bodies or sites of its own model.
    pub final_arrays: Option<Derived>,
    /// Whether episodes move bodies of their own models (`body_pos`, `body_quat`), which native steps then read.
    pub moves_bodies: bool,
    /// Model change that is the same for each episode, and is applied once after compilation.
    pub model_change: Option<Change>,
    /// State whose reward determines the materials' colours at the start of an episode.
    pub first_reward: FirstReward,
}

impl TaskSpec {
    /// Creates the description of a task whose model is the domain's file, and that only MuJoCo's library can step.
    pub fn new(observation: Vec<Block>, controls: Vec<[f64; 2]>) -> Self {
        Self {
            generator_arguments: None,
            observation,
            controls,
            other_tasks_blocks: Vec::new(),
            required_stage: None,
            final_arrays: None,
            moves_bodies: false,
            model_change: None,
            first_reward: FirstReward::OfStartState,
        }
    }

    /// Returns the description of the task with native steps up to `stage`.
    pub fn up_to(self, stage: Stage) -> Self {
        Self { required_stage: Some(stage), ..self }
    }

    /// Returns the description of the task with native steps that compute all arrays that it reads.
    pub fn with_arrays(self, arrays: Derived) -> Self {
        Self { final_arrays: Some(arrays), ..self }
    }
}

/// Returns control limits from -1 to 1 for `count` actuators.
pub fn unit_controls(count: usize) -> Vec<[f64; 2]> {
    vec![[-1.0, 1.0]; count]
}

/// Named part of an observation.
#[derive(Debug, Clone)]
pub struct Block {
    pub(crate) key: &'static str,
    pub(crate) shape: Vec<usize>,
}

impl Block {
    /// Creates an observation block that is a vector of `len` numbers.
    pub fn new(key: &'static str, len: usize) -> Self {
        Self::shaped(key, &[len])
    }

    /// Creates an observation block that is a single number.
    pub fn number(key: &'static str) -> Self {
        Self::shaped(key, &[])
    }

    /// Creates an observation block that is an array of the given shape.
    pub fn shaped(key: &'static str, shape: &[usize]) -> Self {
        Self { key, shape: shape.to_vec() }
    }

    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }
}
