//! A [`Robot`] as an environment: models, simulations, frames, snapshots.

use std::path::{Path, PathBuf};

use super::rendered::{CameraPreset, ENVPOOL_ORDER, RENDER_OBSTACLE, Renderable, Rendered};
use super::robot::{self, Robot, RobotClass, RobotSpec, StepMemory, StepOutcome, Writer};
use super::who_steps::StepperChoice;
use envpool_rs_engine::{
    self as engine, Action, AssetCache, AssetRef, Env, EnvSpec, Error, InfoSpec, InfoTiming, LaneState, OptionSpec, Options,
    ResetOptions, Result, Row, Scheduling, Task, read_value, refused_state, write_value,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{self as mujoco, Data, Derived, DisableFlag, Fault, Lane, Model, ModelSizes, Workspace};

/// Suffix of EnvPool's names for gymnasium's models, instead of `.xml`.
const ENVPOOL_SUFFIX: &str = "_envpool.xml";
/// Maximum number of stacked frames.
const MAX_STACKED: i64 = 1024;
/// Maximum number of simulation steps per environment step.
const MAX_SKIPPED: i64 = 1 << 16;
/// Approximate number of bytes of a simulation's stack that are touched.
const STACK: usize = 1 << 17;

/// Environment of a robot and its physics.
pub struct MujocoEnv {
    spec: &'static RobotSpec,
    robot: Box<dyn Robot>,
    model: ModelFile,
    frame_skip: u32,
    frame_stack: usize,
    outer_forces: bool,
    loaded: Option<Loaded>,
    /// The pool's workspace for this model; an episode with other options keeps using it.
    workspace: Option<AssetRef<Workspace>>,
    who_steps: StepperChoice,
    /// Whether each step is rendered.
    is_rendered: bool,
    /// Length of each info.
    info_lens: Vec<usize>,
    /// Number of values in the infos of resets, which come first.
    reset_infos: usize,
}

/// Source of the model.
#[derive(Debug)]
struct ModelFile {
    name: String,
    folder: Option<String>,
    is_own: bool,
}

#[derive(Debug, Clone)]
struct Loaded {
    model: Model,
    /// State of a new simulation.
    state: Vec<f64>,
    /// Size of a simulation in bytes; each thread has one.
    simulation_bytes: usize,
}

/// Episode state of a lane.
pub struct EpisodeState {
    /// MuJoCo's state vector.
    state: Vec<f64>,
    /// State vector before the last step, from which rendering replays it; empty after a reset.
    start: Vec<f64>,
    /// All stacked frames, oldest first.
    observation: Vec<f64>,
    infos: Vec<f64>,
    /// Quantities that the next step's reward compares with.
    before: StepMemory,
}

/// Content of a snapshot: the model's fingerprint, the simulation's state, and the rest.
type Saved = (u64, [Vec<f64>; 4], StepMemory);

/// Converts a fault of the simulation to an engine error.
fn to_error(fault: Fault) -> Error {
    match fault {
        Fault::Library(_) => Error::NotFound(fault.to_string()),
        Fault::Model { .. } => Error::Value(format!("xml_file is no model that MuJoCo takes: {fault}")),
        Fault::MujocoError(_) | Fault::Threads(_) | Fault::MujocoWarning(_) | Fault::Rendering(_) => {
            Error::State(fault.to_string())
        }
    }
}

impl ModelFile {
    /// Returns whether neither the name nor a folder gives a location.
    fn is_nowhere(&self) -> bool {
        self.folder.is_none() && !self.name.starts_with(['.', '/', '~'])
    }

    /// Returns the path of the file, found as gymnasium finds it.
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
                // EnvPool's copies of gymnasium's models differ in comments only.
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

/// Creates a task of a robot, with cameras.
pub fn task<R: RobotClass>(id: &'static str) -> Task {
    MujocoEnv::task(id, const { &RobotSpec::of::<R>() })
}

impl MujocoEnv {
    /// Creates a task of a robot description, with cameras.
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
        self.loaded.as_ref().map_or(&self.spec.body.sizes, |loaded| loaded.model.sizes())
    }

    /// Returns the disabled stages of the model, and the model's name in the pool's store.
    fn without(&self, path: &Path) -> (&'static [DisableFlag], String) {
        let without: &[DisableFlag] = if self.model.is_own { self.spec.body.without } else { &[] };
        (without, format!("{} without {without:?}", path.display()))
    }

    fn loaded(&self) -> Result<&Loaded> {
        let missing =
            || Error::NotFound("MuJoCo's library has not been opened: expected sim::mujoco::install before this".into());
        self.loaded.as_ref().ok_or_else(missing)
    }

    /// Runs `work` on a simulation with the lane's state.
    ///
    /// # Panics
    /// With the simulation's error.
    fn simulate<R>(&self, state: &mut [f64], work: impl FnOnce(&mut Data) -> Result<R, Fault>) -> R {
        let workspace = self.workspace.as_ref().expect("lanes are made of a loaded model");
        workspace.with_state(state, work).unwrap_or_else(|fault| to_error(fault).raise())
    }

    /// Returns the number of simulation steps per environment step, and the derived arrays that are read after them.
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

    /// Shifts the older frames, and writes the newest.
    fn capture(&self, data: &Data, observation: &mut [f64]) {
        let frame = observation.len() / self.frame_stack;
        if self.frame_stack > 1 {
            observation.copy_within(frame.., 0);
        }
        let newest = observation.len() - frame;
        self.robot.observe(data, &mut Writer::new(&mut observation[newest..]));
    }
}

/// A lane's buffers for observations and infos.
struct LaneBuffers<'a> {
    observation: &'a mut [f64],
    infos: &'a mut [f64],
    before: &'a mut StepMemory,
}

impl EpisodeState {
    /// Prepares a step: saves the state as its start, and splits the lane into state and buffers.
    fn start_step(&mut self) -> (&mut [f64], LaneBuffers<'_>) {
        let Self { state, start, observation, infos, before } = self;
        start.clone_from(state);
        (state, LaneBuffers { observation, infos, before })
    }
}

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
            loaded: None,
            workspace: None,
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
            // The robot's default model is described without loading it.
            return if self.model.is_own { Ok(()) } else { self.loaded().map(|_| ()) };
        };
        let path = self.model.path()?;
        let (without, name) = self.without(&path);
        let loaded = store.get_or_load(&name, || {
            let model = Model::from_xml(library, &path, without).map_err(to_error)?;
            let data = Data::new(&model).map_err(to_error)?;
            let mut state = vec![0.0; model.state_len()];
            data.get_state(&mut state);
            let (bytes, simulation_bytes) = (model.bytes(), data.bytes() + STACK);
            Ok((Loaded { model, state, simulation_bytes }, bytes))
        })?;
        self.robot.bind(&loaded.model)?;
        let obstacle = self.is_rendered.then_some(RENDER_OBSTACLE);
        self.who_steps.choose(store, &name, &loaded.model, obstacle)?;
        // `thread_bytes` counts the threads' simulations.
        self.workspace = Some(store.get_or_load(&name, || Ok((Workspace::new(&loaded.model), 0)))?);
        self.loaded = Some((*loaded).clone());
        self.measure();
        Ok(())
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        self.model.path().is_ok_and(|path| !store.has::<Loaded>(&self.without(&path).1))
    }

    fn spec(&self) -> EnvSpec {
        let body = &self.spec.body;
        let (low, high) = match &self.loaded {
            None => (vec![-body.control; body.sizes.nu], vec![body.control; body.sizes.nu]),
            Some(loaded) => {
                let bounds = loaded.model.actuator_ctrlrange().as_chunks::<2>().0;
                (bounds.iter().map(|[low, _]| *low).collect(), bounds.iter().map(|[_, high]| *high).collect())
            }
        };
        let decided = self.who_steps.decided();
        EnvSpec { info: self.infos(), option_decisions: decided, ..robot::spec(self.frame(), self.frame_stack, low, high) }
    }

    fn heap_bytes(&self) -> usize {
        let state = self.loaded.as_ref().map_or(0, |loaded| loaded.state.len());
        (2 * state + self.frame() * self.frame_stack + self.info_len()) * size_of::<f64>()
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        Ok(EpisodeState {
            state: self.loaded()?.state.clone(),
            start: Vec::new(),
            observation: vec![0.0; self.frame() * self.frame_stack],
            infos: vec![0.0; self.info_len()],
            before: StepMemory::default(),
        })
    }

    fn reset(&self, play: &mut EpisodeState, _options: &ResetOptions, random: &mut Generator) {
        let EpisodeState { state, start, observation, infos, before } = play;
        start.clear();
        self.simulate(state, |data| {
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
        let (state, mut shown) = play.start_step();
        let (Some(stepper), Some(workspace)) = (self.who_steps.stepper(), &self.workspace) else {
            return self.simulate(state, |data| {
                data.ctrl_mut().copy_from_slice(action);
                data.step(self.frame_skip, self.outer_forces)?;
                Ok(self.evaluate(data, action, rewards, &mut shown))
            });
        };
        let mut ends = false;
        stepper.step(workspace, &mut [Lane { state, control: action }], self.step_args(), |_, stepped| match stepped {
            Ok(data) => ends = self.evaluate(data, action, rewards, &mut shown),
            Err(fault) => to_error(fault).raise(),
        });
        ends
    }

    fn scheduling(&self) -> Scheduling {
        self.who_steps.scheduling(Self::SCHEDULING)
    }

    fn step_lanes(&self, lanes: &mut [engine::LaneStep<'_, Self>]) {
        let (stepper, workspace) = (self.who_steps.stepper(), self.workspace.as_ref());
        let (Some(stepper), Some(workspace)) = (stepper, workspace) else {
            unreachable!("lanes are only stepped together where there is a stepper");
        };
        let (mut simulated, mut others) = (Vec::with_capacity(lanes.len()), Vec::with_capacity(lanes.len()));
        for engine::LaneStep { state, action, rewards, terminated, error: failure, .. } in lanes {
            let control = action.doubles(0, self.sizes().nu);
            let (state, shown) = state.start_step();
            simulated.push(Lane { state, control });
            others.push((shown, control, rewards, terminated, failure));
        }
        stepper.step(workspace, &mut simulated, self.step_args(), |lane, stepped| {
            let (shown, control, rewards, terminated, failure) = &mut others[lane];
            match stepped {
                Ok(data) => **terminated = self.evaluate(data, control, rewards, shown),
                Err(fault) => **failure = Some(to_error(fault)),
            }
        });
    }

    fn shared_bytes(&self) -> usize {
        size_of_val(&*self.robot)
    }

    fn thread_bytes(&self) -> usize {
        self.loaded.as_ref().map_or(0, |loaded| loaded.simulation_bytes) + self.who_steps.thread_bytes()
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
        self.loaded.as_ref().map(|loaded| &loaded.model)
    }

    fn view<T>(&self, play: &EpisodeState, look: impl FnOnce(&Data) -> T) -> std::result::Result<T, Fault> {
        let workspace = self.workspace.as_ref().expect("lanes are made of a loaded model");
        let again = |data: &mut Data| {
            data.set_state(&play.state)?;
            if play.start.is_empty() {
                return data.forward();
            }
            let control = data.ctrl().to_vec();
            data.set_state(&play.start)?;
            data.ctrl_mut().copy_from_slice(&control);
            data.step(self.frame_skip, self.outer_forces)
        };
        workspace.view(&play.state, again, look)
    }

    fn enable_step_rendering(&mut self) {
        self.is_rendered = true;
    }

    fn seconds(&self) -> f64 {
        self.model().map_or(self.spec.timestep, Model::timestep) * f64::from(self.frame_skip)
    }
}

impl LaneState<MujocoEnv> for EpisodeState {
    fn save(&self, env: &MujocoEnv, bytes: &mut Vec<u8>) {
        let model = env.workspace.as_ref().expect("lanes are made of a loaded model").model();
        let Self { state, start, observation, infos, before } = self;
        let numbers = [state, start, observation, infos].map(Vec::clone);
        let saved: Saved = (model.fingerprint(), numbers, *before);
        write_value(bytes, &saved);
    }

    fn load(env: &MujocoEnv, bytes: &mut &[u8]) -> Result<Self> {
        let (fingerprint, [state, start, observation, infos], before): Saved = read_value(bytes)?;
        let model = &env.loaded()?.model;
        if fingerprint != model.fingerprint() {
            return Err(refused_state("it is of another model"));
        }
        if observation.len() != env.frame() * env.frame_stack || infos.len() != env.info_len() {
            return Err(refused_state("it shows another number of numbers"));
        }
        if !state.iter().chain(&start).all(|value| value.is_finite()) {
            return Err(refused_state("its values are out of range"));
        }
        if state.len() != model.state_len() || ![0, model.state_len()].contains(&start.len()) {
            return Err(refused_state("it is of another number of numbers"));
        }
        Ok(Self { state, start, observation, infos, before })
    }
}
