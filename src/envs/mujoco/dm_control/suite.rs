//! Environment of a [`Domain`], like `dm_control.rl.control.Environment`: manages models, resets, steps, stacked frames and
//! snapshots.

mod domain;
mod env;
mod physics;
mod settling;

use std::path::Path;

pub use self::domain::{Block, Change, Domain, DomainClass, DomainInfo, DomainSpec, FirstReward, Stage, TaskSpec, unit_controls};
use self::physics::Colours;
pub use self::physics::{Physics, XX, XZ, ZZ, in_frame, unless_warned};
use self::settling::SettledState;
use crate::rendered::{CameraPreset, ENVPOOL_ORDER, RENDER_OBSTACLE, Rendered};
use crate::simulated::shared_model::{SharedModel, path_in_folder};
use crate::simulated::{MAX_SKIPPED, MAX_STACKED, to_error};
use crate::who_steps::StepperChoice;
use envpool_rs_engine::{Error, OptionSpec, Options, Result, Task, Value};
use envpool_rs_numeric::random::RandomState;
use envpool_rs_sim_mujoco::{
    self as mujoco, Data, Derived, DetachedOverrides, Fault, Lane, Model, SavedOverrides, Stepper, Workspace, model_generator,
};

/// Name of the option that holds the folder of dm_control's models.
const SUITE_DIR: &str = "suite_dir";
/// Key of the observation if all its blocks are in one flat array.
const FLAT: &str = "observations";

/// Environment of a dm_control domain: its task, model and simulations.
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
    /// Whether a picture is rendered after each step.
    is_rendered: bool,
    folder: Option<String>,
    /// Number of values of the task's own observation blocks, without those of other tasks.
    observed: usize,
    /// Blocks (named parts) of the observation, in order, each with its offset in an observation frame.
    shown: Vec<(Block, usize)>,
    shared: SharedModel,
    bound: Option<Bound>,
}

/// Parts of the environment that depend on the model.
struct Bound {
    domain: Box<dyn Domain>,
    colours: Option<Colours>,
    /// Stage up to which the native stepper must compute results. `None` if each lane has its own simulation, because MuJoCo's
    /// library steps it.
    needs: Option<Stage>,
}

/// Episode state of a lane, which is one environment of a pool: its simulation, and its observation frames.
pub struct EpisodeState {
    simulation: Simulation,
    shown: ObservationState,
    /// Start states of the next episodes that were computed ahead, the next episode's last.
    settled: Vec<SettledState>,
}

/// Simulation of a lane: either the lane's own simulation, or a thread's simulation that many lanes share.
enum Simulation {
    /// The lane owns its simulation, which continues from the middle of a step (`mj_step1`).
    Own(Data),
    /// The lane owns only a state vector and its model changes; a step loads them into the thread's simulation.
    Shared(Vec<f64>, DetachedOverrides),
}

/// Function that computes derived quantities in a simulation after a step.
type Follow<'a> = &'a dyn Fn(&mut Data) -> Result<(), Fault>;

/// Callback that computes reward and observation of a stepped lane. It receives the lane's index, the simulation after the
/// step (or the simulation's error), and a [`Follow`] function.
type Judge<'a> = &'a mut dyn FnMut(usize, Result<&mut Data, Fault>, Follow<'_>);

/// Observation frames of a lane, and whether its episode has terminated.
struct ObservationState {
    /// Stacked observation frames, oldest first.
    frames: Vec<f64>,
    /// Newest observation frame, while it is assembled.
    newest: Vec<f64>,
    /// Whether the episode has terminated.
    is_over: bool,
}

/// Contents of a lane's snapshot: the simulation's state, its model changes, the stacked frames, and whether the episode is over.
type Saved = (Vec<f64>, SavedOverrides, Vec<f64>, bool);

fn task(options: &Options) -> &str {
    options.text("task_name").expect("it has a default")
}

fn sub_steps(options: &Options) -> u32 {
    let name = if *options.get("n_sub_steps") == Value::None { "frame_skip" } else { "n_sub_steps" };
    options.int(name) as u32
}

/// Returns all options of a domain except the render options.
fn options(spec: &DomainSpec) -> Vec<OptionSpec> {
    let body = &spec.body;
    let mut options = vec![
        OptionSpec::new("task_name", body.tasks[0], "the task of the robot").one_of(body.tasks),
        OptionSpec::path(SUITE_DIR, "folder of the models; None: that of the installed dm_control"),
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

/// Returns the step limit that the options `time_limit` and `n_sub_steps` imply. Returns `None` if neither option is given, or if
/// the time is not limited.
fn step_limit(options: &Options) -> Option<u32> {
    let is_set = |name: &str| *options.get(name) != Value::None;
    if !is_set("time_limit") && !is_set("n_sub_steps") {
        return None;
    }
    let body = &DomainSpec::in_options(options).body;
    let seconds = if is_set("time_limit") { options.float("time_limit") } else { body.time_limit };
    let steps = seconds / (body.timestep * f64::from(sub_steps(options)));
    // The episode ends with the first step at or after the time limit. A number of steps above the range of `u32` is converted
    // to the maximum.
    Some(steps.ceil().max(1.0) as u32).filter(|_| seconds.is_finite())
}

impl Suite {
    /// Creates a task of the domain `spec`, with cameras; the option `task_name` selects the task.
    pub fn task(id: &'static str, spec: &'static DomainSpec) -> Task {
        let order = [&["frame_skip", "frame_stack", "task_name"][..], &ENVPOOL_ORDER].concat();
        Rendered::<Self>::task(id, options(spec), CameraPreset::Model)
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

    fn frame(&self) -> usize {
        self.outline.observation.iter().map(Block::len).sum()
    }

    /// Returns the key under which the pool's store holds the model.
    fn model_name(&self) -> String {
        let changed_by = (self.spec.change)(task(&self.options)).map_or("", |_| task(&self.options));
        format!("{:?}/{} {:?} {changed_by}", self.folder, self.spec.body.name, self.outline.generator_arguments)
    }

    fn model(&self, library: &'static mujoco::Library) -> Result<Model> {
        let name = self.spec.body.name;
        let file = format!("{name}.xml");
        let folder = self.folder.as_deref();
        let model = match (&self.outline.generator_arguments, folder) {
            (Some(arguments), Some(folder)) => model_generator::generate(format!("{name} {arguments}").trim())
                .and_then(|text| Model::from_text(library, &Path::new(folder).join(file), &text, &[])),
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
        let (name, expected) = (self.spec.body.name, self.observed);
        let text = format!("the model of {name} has {found} observed values: expected the {expected} of dm_control's model");
        Err(Error::Value(format!("{SUITE_DIR}={:?}: {text}", self.folder.as_deref().unwrap_or_default())))
    }

    /// Runs the function `work` on the lane's simulation and returns its result.
    fn with<R>(&self, simulation: &mut Simulation, work: impl FnOnce(&mut Physics<'_>) -> Result<R, Fault>) -> Result<R, Fault> {
        let is_legacy = self.is_legacy;
        match simulation {
            Simulation::Own(data) => work(&mut Physics { data, is_legacy }),
            Simulation::Shared(state, changed) => {
                self.shared.with_changes(state, changed, |data| work(&mut Physics { data, is_legacy }))
            }
        }
    }

    /// Computes reward and observation after a step. Returns whether the episode terminates.
    fn evaluate(&self, physics: &mut Physics<'_>, shown: &mut ObservationState, rewards: &mut [f64]) -> bool {
        rewards[0] = self.domain().get_reward(physics);
        if let Some(colours) = &self.bound().colours {
            colours.show(physics, rewards[0]);
        }
        self.capture(physics, shown);
        shown.is_over = self.domain().get_termination(physics);
        shown.is_over
    }

    /// Drops the oldest of the stacked observation frames, and appends the newest frame.
    fn capture(&self, physics: &Physics<'_>, shown: &mut ObservationState) {
        let ObservationState { frames, newest, .. } = shown;
        newest.clear();
        self.domain().observe(physics, newest);
        newest.resize(self.frame(), 0.0);
        frames.copy_within(newest.len().., 0);
        let start = frames.len() - newest.len();
        frames[start..].copy_from_slice(newest);
    }

    fn try_reset(&self, state: &mut EpisodeState, random: &mut RandomState, is_first: bool) -> Result<(), Fault> {
        let EpisodeState { simulation, shown, .. } = state;
        self.with(simulation, |physics| {
            physics.restart()?;
            let first = (self.spec.first_reward)(task(&self.options));
            if first == FirstReward::OfModel {
                self.paint(physics);
            }
            self.domain().initialize_episode(physics, random, is_first)?;
            let settling_steps = self.domain().settling_steps();
            if settling_steps > 0 {
                physics.advance(settling_steps)?;
            }
            if first == FirstReward::OfStartState {
                self.paint(physics);
            }
            self.show_start(physics, shown)
        })
    }

    /// Completes the start of an episode: computes the derived quantities of its first state, and the observation.
    fn show_start(&self, physics: &mut Physics<'_>, shown: &mut ObservationState) -> Result<(), Fault> {
        if self.domain().settling_steps() > 0 {
            *physics.time_mut() = 0.0;
        }
        physics.forward_unactuated()?;
        shown.is_over = false;
        (0..self.frame_stack).for_each(|_| self.capture(physics, shown));
        Ok(())
    }

    /// Returns the reason why the environment cannot use native steps; `None` if it can.
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
    fn empty_observation(&self) -> ObservationState {
        ObservationState {
            frames: vec![0.0; self.frame() * self.frame_stack],
            newest: Vec::with_capacity(self.frame()),
            is_over: false,
        }
    }

    /// Advances lanes by native steps, except for the last simulation step of each. MuJoCo's library computes the last
    /// simulation step, because the native stepper does not compute force sensors.
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

/// Control limit of actuators that have no limits in the model: their controls range from minus this number to this number, as
/// in dm_control.
pub const UNLIMITED: f64 = 1e10;
