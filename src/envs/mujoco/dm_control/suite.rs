//! Environment of a [`Domain`], like `dm_control.rl.control.Environment`: models, resets, steps and observations.

mod domain;
mod env;
mod physics;

use std::path::Path;

pub use self::domain::{
    Bind, Block, Change, Domain, DomainClass, DomainInfo, DomainSpec, FirstReward, Stage, TaskSpec, unit_controls,
};
use self::physics::Colours;
pub use self::physics::{Physics, XX, XZ, ZZ, in_frame};
use crate::errors::to_error;
use crate::mujoco_env::shared_model::path_in_folder;
use crate::mujoco_env::{MAX_SKIPPED, MujocoEnv, step_options};
use crate::render_setup::{CameraPreset, ENVPOOL_ORDER};
use crate::stepper_choice::StepperChoice;
use envpool_rs_engine::{Error, OptionSpec, Options, Result, Task, Value};
use envpool_rs_sim_mujoco::{self as mujoco, Data, Fault, Model, model_generator};
use serde::{Deserialize, Serialize};

/// Names that most domains use.
pub mod prelude {
    pub use super::*;
    pub use crate::attempts::{CHEAP_ATTEMPTS, repeat_until};
    pub use crate::names::Names;
    pub(crate) use crate::names::made;
    pub use crate::rewards::{Sigmoid, Tolerance};
    pub use envpool_rs_engine::{OptionSpec, Options, Result};
    pub use envpool_rs_numeric::random::RandomState;
    pub use envpool_rs_numeric::{numpy, numpy_ufuncs};
    pub use envpool_rs_sim_mujoco::{Derived, Fault};
}

/// Name of the option that holds the folder of dm_control's models.
const SUITE_DIR: &str = "suite_dir";
/// Key of the observation if all its blocks are in one flat array.
const FLAT: &str = "observations";

/// Environment of a dm_control domain and task.
pub struct Suite {
    spec: &'static DomainSpec,
    options: Options,
    task: TaskSpec,
    is_legacy: bool,
    is_flat: bool,
    shows_reward: bool,
    folder: Option<String>,
    /// Number of values of the task's own observation blocks, without those of other tasks.
    observed: usize,
    /// Blocks (named parts) of the observation, in order, each with its offset in an observation frame.
    shown: Vec<(Block, usize)>,
    bound: Option<Bound>,
    /// Stage up to which the native stepper computes results; `None` if each lane has an own simulation, which the library steps.
    stage: Option<Stage>,
    /// Computes the derived quantities that a native step lacks.
    follow: fn(&mut Data) -> Result<(), Fault>,
}

/// Parts of the environment that depend on the model.
struct Bound {
    domain: Box<dyn Domain>,
    colours: Option<Colours>,
}

/// Memory of a lane.
#[derive(Default, Serialize, Deserialize)]
pub struct SuiteMemory {
    /// Whether the episode has terminated.
    is_over: bool,
    /// Newest observation frame, while it is assembled.
    #[serde(skip)]
    newest: Vec<f64>,
}

fn task(options: &Options) -> &str {
    options.text("task_name").expect("it has a default")
}

fn sub_steps(options: &Options) -> u32 {
    let name = if *options.get("n_sub_steps") == Value::None { "frame_skip" } else { "n_sub_steps" };
    options.int(name) as u32
}

/// Returns all options of a domain except the render options.
fn options(spec: &DomainSpec) -> Vec<OptionSpec> {
    let info = &spec.info;
    let [frame_skip, frame_stack] = step_options(info.sub_steps);
    let mut options = vec![
        OptionSpec::new("task_name", info.tasks[0], "the task of the robot").one_of(info.tasks),
        OptionSpec::path(SUITE_DIR, "folder of the models; None: that of the installed dm_control"),
        frame_skip,
        OptionSpec::optional(
            "n_sub_steps",
            1,
            "dm_control's name of frame_skip, which keeps an episode's seconds instead of its steps; None: frame_skip",
        )
        .integers(1..=MAX_SKIPPED),
        frame_stack,
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

/// Returns the step limit that `time_limit` and `n_sub_steps` imply; `None` without them, and for an unlimited time.
fn step_limit(options: &Options) -> Option<u32> {
    let is_set = |name: &str| *options.get(name) != Value::None;
    if !is_set("time_limit") && !is_set("n_sub_steps") {
        return None;
    }
    let info = &DomainSpec::in_options(options).info;
    let seconds = if is_set("time_limit") { options.float("time_limit") } else { info.time_limit };
    let steps = seconds / (info.timestep * f64::from(sub_steps(options)));
    // The episode ends with the first step at or after the time limit. A number of steps above the range of `u32` is converted
    // to the maximum.
    Some(steps.ceil().max(1.0) as u32).filter(|_| seconds.is_finite())
}

impl Suite {
    /// Creates a task of the domain `spec`, with cameras; the option `task_name` selects the task.
    pub fn task(id: &'static str, spec: &'static DomainSpec) -> Task {
        let order = [&["frame_skip", "frame_stack", "task_name"][..], &ENVPOOL_ORDER].concat();
        MujocoEnv::<Self>::task(id, options(spec), CameraPreset::Model)
            .variant(spec)
            .step_limit_from(step_limit)
            .envpool_order(order)
    }

    fn domain(&self) -> &dyn Domain {
        &*self.bound().domain
    }

    fn bound(&self) -> &Bound {
        self.bound.as_ref().expect("lanes are made of a loaded model")
    }

    /// Sets the materials' colours according to the reward, if the option `visualize_reward` is set.
    fn paint(&self, physics: &mut Physics<'_>) {
        let Bound { domain, colours, .. } = self.bound();
        if let Some(colours) = colours {
            let reward = domain.get_reward(physics);
            colours.show(physics, reward);
        }
    }

    /// Compiles the model, without the task's change.
    fn compile_file(&self, library: &'static mujoco::Library) -> Result<Model> {
        let name = self.spec.info.name;
        let file = format!("{name}.xml");
        let folder = self.folder.as_deref();
        let model = match (&self.task.generator_arguments, folder) {
            (Some(arguments), Some(folder)) => {
                model_generator::generate(library, &Path::new(folder).join(file), format!("{name} {arguments}").trim())
            }
            _ => Model::from_xml(library, &path_in_folder(SUITE_DIR, folder, &file, "a model of dm_control's suite")?, &[]),
        };
        model.map_err(|fault| match fault {
            Fault::Model { .. } => {
                Error::Value(format!("{SUITE_DIR}={:?} has no models that MuJoCo takes: {fault}", folder.unwrap_or_default()))
            }
            fault => to_error(fault),
        })
    }

    /// Checks that the loaded model agrees with the domain's description.
    fn check_model(&self, model: &Model) -> Result<()> {
        let bounds = model.actuator_ctrlrange().as_chunks::<2>().0;
        let limited = model.actuator_ctrllimited();
        let unlimited = [-UNLIMITED, UNLIMITED];
        let controls = bounds.iter().zip(limited).map(|(range, limited)| if *limited == 0 { &unlimited } else { range });
        if !controls.eq(&self.task.controls) || model.timestep() != self.spec.info.timestep {
            let name = self.spec.info.name;
            return Err(Error::Value(format!("suite_dir: the model of {name} has other actuators or another time step")));
        }
        Ok(())
    }

    /// Checks that the task observes as many values of the loaded model as the domain's description has.
    fn check_observation(&self, model: &Model, domain: &dyn Domain) -> Result<()> {
        let observe = || {
            let mut data = Data::new(model)?;
            let mut physics = Physics { data: &mut data, is_legacy: self.is_legacy };
            physics.restart()?;
            let mut observation = Vec::new();
            domain.observe(&physics, &mut observation);
            Ok(observation.len())
        };
        let found: usize = observe().map_err(to_error)?;
        if found == self.observed {
            return Ok(());
        }
        let (name, expected) = (self.spec.info.name, self.observed);
        let text = format!("the model of {name} has {found} observed values: expected the {expected} of dm_control's model");
        Err(Error::Value(format!("{SUITE_DIR}={:?}: {text}", self.folder.as_deref().unwrap_or_default())))
    }

    fn capture(&self, physics: &Physics<'_>, memory: &mut SuiteMemory, frame: &mut [f64]) {
        memory.newest.clear();
        self.domain().observe(physics, &mut memory.newest);
        let (own, of_others) = frame.split_at_mut(memory.newest.len());
        own.copy_from_slice(&memory.newest);
        of_others.fill(0.0);
    }
}

/// Control limit, of either sign, of actuators that have no limits in the model, as in dm_control.
pub const UNLIMITED: f64 = 1e10;
