//! Environment of a [`Robot`]: loads models, and manages simulations, stacked frames and snapshots.

mod env;
pub mod native_lanes;
pub mod shared_model;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use self::shared_model::SharedModel;
use super::rendered::{ENVPOOL_ORDER, Rendered};
use super::robot::{self, Robot, RobotClass, RobotSpec, StepMemory, StepOutcome, Writer};
use super::who_steps::StepperChoice;
use envpool_rs_engine::{Error, InfoSpec, InfoTiming, OptionSpec, Result, Task};
use envpool_rs_sim_mujoco::{Data, Derived, DisableFlag, Fault, Model, ModelSizes};

/// Suffix that replaces `.xml` in the names of EnvPool's copies of gymnasium's models.
const ENVPOOL_SUFFIX: &str = "_envpool.xml";
/// Maximum number of stacked frames.
pub(super) const MAX_STACKED: i64 = 1024;
/// Maximum number of simulation steps per environment step.
pub(super) const MAX_SKIPPED: i64 = 1 << 16;
/// Approximate number of bytes that a step uses in a simulation's stack.
const STACK: usize = 1 << 17;

/// Environment of a gymnasium robot: the robot, its model and its simulations.
pub struct MujocoEnv {
    spec: &'static RobotSpec,
    robot: Box<dyn Robot>,
    model: ModelFile,
    frame_skip: u32,
    frame_stack: usize,
    outer_forces: bool,
    shared: SharedModel,
    who_steps: StepperChoice,
    /// Whether a picture is rendered after each step.
    is_rendered: bool,
    /// Number of values of each info.
    info_lens: Vec<usize>,
    /// Number of values in the infos that resets write. These infos come before the infos that only steps write.
    reset_infos: usize,
}

/// Returns the controls that MuJoCo applies for an action: zeros if a control without limits is beyond `mjMAXVAL`, for which
/// MuJoCo only warns.
pub(super) fn applied_controls<'a>(model: &Model, action: &'a [f64]) -> Cow<'a, [f64]> {
    let mut limited = model.actuator_ctrllimited().iter();
    let is_bad = |value: &f64| limited.next().is_none_or(|limited| *limited == 0) && value.abs() > MJMAXVAL;
    if action.iter().any(is_bad) { Cow::Owned(vec![0.0; action.len()]) } else { Cow::Borrowed(action) }
}

/// Magnitude above which a number counts as bad (`mjMAXVAL`).
const MJMAXVAL: f64 = 1e10;

/// Drops the oldest of the stacked frames of `len` values, and returns the place of the newest frame.
pub(super) fn shift_frames(frames: &mut [f64], len: usize) -> &mut [f64] {
    let newest = frames.len() - len;
    if newest > 0 {
        frames.copy_within(len.., 0);
    }
    &mut frames[newest..]
}

/// Location of the model file: a file name or path, and the folder that contains gymnasium's models.
#[derive(Debug)]
struct ModelFile {
    name: String,
    folder: Option<String>,
    is_own: bool,
}

/// Compiled model, with the state of a new simulation.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// State vector of a new simulation (`mjSTATE_INTEGRATION`).
    pub state: Vec<f64>,
    /// Size of one simulation (`mjData`) in bytes; each thread has one simulation.
    pub simulation_bytes: usize,
}

impl Loaded {
    /// Reads the state of a new simulation of `model`. Also returns the model's size in bytes.
    ///
    /// # Errors
    /// `State` if MuJoCo cannot create a simulation.
    fn new(model: Model) -> Result<(Self, usize)> {
        let data = Data::new(&model).map_err(to_error)?;
        let mut state = vec![0.0; model.state_len()];
        data.get_state(&mut state);
        let (bytes, simulation_bytes) = (model.bytes(), data.bytes() + STACK);
        Ok((Self { model, state, simulation_bytes }, bytes))
    }
}

/// Episode state of a lane, which is one environment of a pool.
pub struct EpisodeState {
    /// MuJoCo's state vector of the lane (`mjSTATE_INTEGRATION`).
    state: Vec<f64>,
    /// State vector before the last step, from which rendering recomputes the simulation after the step; empty after a reset.
    start: Vec<f64>,
    /// Stacked observation frames, oldest first.
    observation: Vec<f64>,
    infos: Vec<f64>,
    /// Quantities that the last step stored, from which the next step computes its reward.
    before: StepMemory,
}

/// Converts an error of MuJoCo to an engine error.
pub(super) fn to_error(fault: Fault) -> Error {
    match fault {
        Fault::Library(_) => Error::NotFound(fault.to_string()),
        Fault::OtherModel(_) => Error::Value(fault.to_string()),
        Fault::Model { .. } => Error::Value(format!("xml_file is no model that MuJoCo takes: {fault}")),
        Fault::MujocoError(_) | Fault::Threads(_) | Fault::MujocoWarning(_) | Fault::Rendering(_) => {
            Error::State(fault.to_string())
        }
    }
}

impl ModelFile {
    /// Returns whether the model file cannot be located, because its name is not a path and no folder of models is given.
    fn is_nowhere(&self) -> bool {
        self.folder.is_none() && !self.name.starts_with(['.', '/', '~'])
    }

    /// Returns the path of the model file, for which the same folders are searched as in gymnasium.
    fn path(&self) -> Result<PathBuf> {
        let path = if self.name.starts_with(['.', '/']) {
            PathBuf::from(&self.name)
        } else if let (Some(rest), Ok(home)) = (self.name.strip_prefix("~/"), std::env::var("HOME")) {
            Path::new(&home).join(rest)
        } else {
            let folder = self.folder.as_ref().ok_or_else(|| {
                Error::NotFound(format!("xml_dir=None: expected the folder that holds {}, the robot's model", self.name))
            })?;
            let path = Path::new(folder).join(&self.name);
            match self.name.strip_suffix(ENVPOOL_SUFFIX) {
                // EnvPool's copies of gymnasium's models differ from the originals only in comments, so an original replaces a
                // missing copy.
                Some(stem) if !path.is_file() => Path::new(folder).join(format!("{stem}.xml")),
                _ => path,
            }
        };
        match path.is_file() {
            true => Ok(path),
            false => {
                let xml_dir = self.folder.as_ref().map_or_else(|| "None".to_owned(), |folder| format!("{folder:?}"));
                let (name, path) = (&self.name, path.display());
                Err(Error::NotFound(format!("xml_file={name:?}: there is no file {path} (xml_dir={xml_dir})")))
            }
        }
    }
}

/// Creates the task `id` of the robot `R`, with the render options.
pub fn task<R: RobotClass>(id: &'static str) -> Task {
    MujocoEnv::task(id, const { &RobotSpec::of::<R>() })
}

impl MujocoEnv {
    /// Creates the task `id` of the robot that `spec` describes, with the render options.
    fn task(id: &'static str, spec: &'static RobotSpec) -> Task {
        let body = &spec.body;
        let mut options = vec![
            OptionSpec::new("xml_file", body.xml_file, "model: a file in xml_dir, or a path that starts with ., / or ~"),
            OptionSpec::path("xml_dir", "folder of xml_file; None: that of the installed gymnasium"),
            OptionSpec::new("frame_skip", body.frame_skip, "simulation steps per step").integers(1..=MAX_SKIPPED),
            OptionSpec::new("frame_stack", 1, "number of stacked observations, the newest last; 1 adds no axis")
                .integers(1..=MAX_STACKED),
            StepperChoice::option(),
            robot::flag("post_constraint", true, "whether external forces on bodies are computed after steps; False: they are 0"),
        ];
        options.extend((spec.options)());
        let order = match spec.envpool_order {
            [] => Vec::new(),
            own => [&["frame_skip", "frame_stack", "post_constraint"], own, &ENVPOOL_ORDER].concat(),
        };
        Rendered::<Self>::task(id, options, spec.camera).variant(spec).envpool_order(order)
    }

    fn sizes(&self) -> &ModelSizes {
        self.shared.model().map_or(&self.spec.body.sizes, Model::sizes)
    }

    /// Returns the stages of MuJoCo's step that are disabled for the model file `path`, and the model's key in the pool's
    /// store.
    fn without(&self, path: &Path) -> (&'static [DisableFlag], String) {
        let without: &[DisableFlag] = if self.model.is_own { self.spec.body.without } else { &[] };
        (without, format!("{} without {without:?}", path.display()))
    }

    /// Returns the number of simulation steps per environment step, and the derived arrays that the robot reads after these
    /// steps.
    fn step_args(&self) -> (u32, Derived) {
        (self.frame_skip, Derived { cfrc_ext: self.outer_forces, ..self.robot.derived() })
    }

    /// Computes reward, infos and observation after a step. Returns whether the episode terminates.
    fn evaluate(&self, data: &Data, action: &[f64], rewards: &mut [f64], shown: &mut LaneBuffers<'_>) -> bool {
        let after = self.robot.step_memory(data);
        let seconds = data.model().timestep() * f64::from(self.frame_skip);
        let step = StepOutcome { data, before: *shown.before, after, action, seconds };
        let mut infos = Writer::new(shown.infos);
        self.robot.write_reset_infos(data, &mut infos);
        let (reward, ends) = self.robot.evaluate(&step, &mut infos);
        rewards[0] = reward;
        *shown.before = after;
        self.capture(data, shown.observation);
        ends
    }

    fn frame(&self) -> usize {
        self.robot.observation_len(self.sizes())
    }

    fn infos(&self) -> Vec<InfoSpec> {
        self.robot.infos(self.sizes())
    }

    fn info_len(&self) -> usize {
        self.info_lens.iter().sum()
    }

    fn measure(&mut self) {
        let infos = self.infos();
        self.info_lens = infos.iter().map(|info| info.shape.iter().product()).collect();
        self.reset_infos =
            infos.iter().zip(&self.info_lens).filter(|(info, _)| info.timing == InfoTiming::Always).map(|(_, len)| len).sum();
    }

    /// Drops the oldest of the stacked observation frames, and appends the newest frame.
    fn capture(&self, data: &Data, observation: &mut [f64]) {
        let len = observation.len() / self.frame_stack;
        self.robot.observe(data, &mut Writer::new(shift_frames(observation, len)));
    }
}

/// A lane's buffers for observations and infos.
struct LaneBuffers<'a> {
    observation: &'a mut [f64],
    infos: &'a mut [f64],
    before: &'a mut StepMemory,
}

impl EpisodeState {
    /// Prepares a step: saves the current state vector as `start`, then returns mutable borrows of the state vector and of the
    /// buffers.
    fn start_step(&mut self) -> (&mut [f64], LaneBuffers<'_>) {
        let Self { state, start, observation, infos, before } = self;
        start.clone_from(state);
        (state, LaneBuffers { observation, infos, before })
    }
}
