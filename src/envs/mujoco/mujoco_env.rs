//! Environment that simulates with MuJoCo: loads the model, chooses the stepper, schedules lanes, stacks frames, renders, and
//! saves lanes. [`Family`] is what the tasks of a family add: start states, observations, rewards.

mod env;
pub mod native_lanes;
pub mod shared_model;

use std::cell::Cell;
use std::ops::Range;

use self::native_lanes::{NativeLanes, OwnField, without_warning};
use self::shared_model::SharedModel;
use super::agent::Agent;
use super::errors::to_error;
use super::render_setup::{CameraPreset, RenderSetup};
use super::stepper_choice::StepperChoice;
use envpool_rs_engine::{Action, AssetCache, EnvSpec, LaneReset, LaneStep, OptionSpec, Options, ResetOptions, Result, Row, Task};
use envpool_rs_numeric::random::RandomStream;
use envpool_rs_sim_mujoco::{Data, Derived, DetachedOverrides, Fault, Lane, LaneField, Library, Model, Stepper};
use serde::{Serialize, de::DeserializeOwned};

/// Maximum number of stacked frames.
const MAX_STACKED: i64 = 1024;
/// Maximum number of simulation steps per environment step.
pub const MAX_SKIPPED: i64 = 1 << 16;
/// Reason, in messages for users, why environments that render each step cannot use native steps.
pub const RENDER_OBSTACLE: &str = "pictures are observed, which show what only the library computes";

/// Tasks of a family, created with given option values: everything except physics, scheduling and rendering.
pub trait Family: Sized + Send + Sync + 'static {
    /// Values of a lane that last longer than a step, in addition to the simulation's state and the observed frames.
    type Memory: Serialize + DeserializeOwned + Send + 'static;

    /// The environment's random stream, as [`Env::Random`](envpool_rs_engine::Env::Random).
    type Random: RandomStream;

    /// As [`Env::SPEC_NEEDS_LOAD`](envpool_rs_engine::Env::SPEC_NEEDS_LOAD).
    const SPEC_NEEDS_LOAD: bool = false;

    /// As [`Env::TRUNCATION_WINS`](envpool_rs_engine::Env::TRUNCATION_WINS).
    const TRUNCATION_WINS: bool = false;

    /// As [`Env::RESET_OPTIONS`](envpool_rs_engine::Env::RESET_OPTIONS).
    const RESET_OPTIONS: &'static [&'static str] = &[];

    /// Whether episodes change arrays of their own models.
    const CHANGES_MODEL: bool = false;

    /// Arrays on which steps depend and that episodes change.
    const OWN_FIELDS: &'static [OwnField] = &[];

    /// Whether episodes go on after MuJoCo has reset an unstable simulation, or has dropped contacts. Otherwise, the lane fails.
    const GOES_ON_AFTER_WARNINGS: bool = false;

    /// Whether pictures show derived quantities of a step's last simulation step. Such pictures repeat the step.
    const REPEATS_STEPS: bool = false;

    /// Whether pictures show the simulation as a step left it, so that a simulation that has just taken it need not repeat it.
    const IS_SHOWN_AS_STEPPED: bool = false;

    /// Default camera of a family all of whose tasks have the same one.
    const CAMERA: CameraPreset = CameraPreset::Model;

    /// Whether steps have another model than pictures: [`Family::compile_physics`].
    const HAS_PHYSICS_MODEL: bool = false;

    /// Creates the tasks from the values of their options.
    ///
    /// # Errors
    /// `Value`, with the name of the option whose value is invalid.
    fn new(options: &Options) -> Result<Self>;

    /// Returns the number of simulation steps per environment step.
    fn frame_skip(options: &Options) -> u32 {
        options.int("frame_skip") as u32
    }

    /// Returns the default camera.
    fn camera_preset(&self) -> CameraPreset {
        Self::CAMERA
    }

    /// Returns the model's timestep in seconds before it is loaded, by default that of Gymnasium-Robotics' models.
    fn timestep(&self) -> f64 {
        0.002
    }

    /// Returns whether the family has a specification although its model cannot be found.
    fn needs_no_model(&self) -> bool {
        false
    }

    /// Returns whether it is known without a search that there is no model file.
    fn is_nowhere(&self) -> bool {
        false
    }

    /// Returns the key under which the pool's store holds the model.
    ///
    /// # Errors
    /// `NotFound` if there is no model file.
    fn model_name(&self) -> Result<String>;

    /// Compiles the model.
    ///
    /// # Errors
    /// `NotFound` if there is no such file, `Value` if MuJoCo or the family rejects it.
    fn compile(&self, library: &'static Library) -> Result<Model>;

    /// Looks up ids of objects in the model, and computes what all episodes share.
    ///
    /// # Errors
    /// `Value` if the model lacks an object, `State` if MuJoCo reports an error.
    fn bind(&mut self, model: &Model, store: &AssetCache) -> Result<()>;

    /// Returns a model with the steps of `model`, but without what only pictures show.
    fn compile_physics(&self, _library: &'static Library, model: &Model) -> Model {
        model.clone()
    }

    /// Returns the values of model fields in this family's episodes, if they differ from the model's.
    fn own_values(&self) -> &[(LaneField, Vec<f64>)] {
        &[]
    }

    /// Returns the reason why no native step is possible, if any; `is_rendered`: each step is rendered.
    fn obstacle(&self, _model: &Model, _is_rendered: bool) -> Option<&'static str> {
        None
    }

    /// Returns how the native stepper takes a step. If there is none, the result is not used.
    fn native_step(&mut self, _stepper: Option<&Stepper>) -> NativeStep {
        self.agent().map_or(NativeStep::States { library_steps: 0, keeps_positions: false }, Agent::native_step)
    }

    /// Returns whether each lane has an own simulation, because a step continues from derived quantities.
    fn owns_simulations(&self) -> bool {
        false
    }

    /// Returns spaces and infos. The model is `None` before it is loaded.
    fn spec(&self, model: Option<&Model>, frame_stack: usize) -> EnvSpec;

    /// Returns the number of values of an observed frame.
    fn frame_len(&self) -> usize;

    /// Returns the state vector of a lane before its first reset; `None` if it is that of a new simulation.
    fn initial_state(&self) -> Option<&[f64]> {
        None
    }

    /// Creates the memory of a lane.
    fn create(&self) -> Self::Memory;

    /// Returns the heap bytes of a lane's memory, and of its changes of the model.
    fn memory_bytes(&self, _model: Option<&Model>) -> usize {
        self.agent().map_or(0, Agent::memory_bytes)
    }

    /// Returns the heap bytes that all lanes share, apart from the model.
    fn shared_bytes(&self) -> usize {
        self.agent().map_or(0, |agent| size_of_val(&*agent.robot))
    }

    /// Returns the robot that acts in the environment; `None` if there is no agent.
    fn agent(&self) -> Option<&Agent> {
        None
    }

    /// As [`Env::reset_options`](envpool_rs_engine::Env::reset_options).
    fn reset_options(&self) -> &[&'static str] {
        Self::RESET_OPTIONS
    }

    /// Rejects inconsistent reset options.
    ///
    /// # Errors
    /// `Value`, naming the option.
    fn check_reset(&self, _options: &ResetOptions) -> Result<()> {
        Ok(())
    }

    /// Returns the number of simulation steps between [`Family::begin_reset`] and [`Family::reset`].
    fn reset_steps(&self) -> u32 {
        0
    }

    /// Starts an episode, before the simulation steps of the reset.
    fn begin_reset(&self, _data: &mut Data, _reset: &mut Reset<'_, Self>) -> Result<(), Fault> {
        Ok(())
    }

    /// Sets the simulation to the first state of an episode, and writes the observed frame.
    ///
    /// # Errors
    /// The error that MuJoCo reports. What fails otherwise calls [`Error::raise`](envpool_rs_engine::Error::raise).
    fn reset(&self, data: &mut Data, reset: &mut Reset<'_, Self>) -> Result<(), Fault>;

    /// Sets the controls and the other inputs of a step. `frame` is the last observed frame.
    fn act(&self, inputs: &mut impl Inputs, action: &Action<'_>, memory: &mut Self::Memory, frame: &[f64]);

    /// Advances a simulation of MuJoCo's library by `count` simulation steps.
    fn advance(&self, data: &mut Data, count: u32) -> Result<(), Fault> {
        let stepped = data.step(count, self.agent().is_some_and(|agent| agent.has_outer_forces));
        if Self::GOES_ON_AFTER_WARNINGS { without_warning(stepped) } else { stepped }
    }

    /// Computes rewards, infos and the observed frame after a step. Returns whether the episode terminates.
    fn evaluate(&self, data: &mut Data, stepped: Stepped<'_>, step: &mut Step<'_, Self>) -> Result<bool, Fault>;

    /// As [`Env::has_zero_discount`](envpool_rs_engine::Env::has_zero_discount).
    fn has_zero_discount(&self, _memory: &Self::Memory) -> bool {
        false
    }

    /// Writes the observation: `frames` are the observed frames, oldest first, each with [`Family::frame_len`] values.
    fn observe(&self, frames: &[f64], out: &mut Row<'_>) {
        out.write(0, frames);
    }

    /// Writes the infos.
    fn info(&self, _memory: &Self::Memory, _out: &mut Row<'_>) {}

    /// Prepares a simulation in a lane's state for a picture: shows goals, and computes derived quantities unless
    /// [`Family::REPEATS_STEPS`] does. Changes of the model do not last.
    fn show(&self, _data: &mut Data, _memory: &Self::Memory, _frames: &[f64]) -> Result<(), Fault> {
        Ok(())
    }

    /// Checks the memory and the frames of a snapshot.
    ///
    /// # Errors
    /// `Value` if a step could not continue from them.
    fn check(&self, memory: &Self::Memory, frames: &[f64]) -> Result<()>;
}

/// How the native stepper takes a step of the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NativeStep {
    /// Into a simulation that has no more than positions, velocities, controls and these arrays.
    Arrays(Derived),
    /// Into the state vector, from which MuJoCo's library computes what the evaluation reads.
    States {
        /// Number of simulation steps that MuJoCo's library takes at the end.
        library_steps: u32,
        /// Whether the evaluation reads the positions before the last simulation step.
        keeps_positions: bool,
    },
}

/// What has taken the last simulation step.
#[derive(Debug, Clone, Copy)]
pub enum Stepped<'a> {
    /// MuJoCo's library.
    ByLibrary,
    /// The native stepper, as [`NativeStep::Arrays`] or [`NativeStep::States`] says. The value has the positions before the last
    /// simulation step if they are kept.
    Natively(&'a [f64]),
}

/// What a family reads and writes at the start of an episode.
pub struct Reset<'a, F: Family> {
    /// Memory of the lane.
    pub memory: &'a mut F::Memory,
    /// Observed frame to write.
    pub frame: &'a mut [f64],
    /// Options of the reset.
    pub options: &'a ResetOptions,
    /// Random stream of the lane.
    pub random: &'a mut F::Random,
}

/// What a family reads and writes after a step.
pub struct Step<'a, F: Family> {
    /// Memory of the lane.
    pub memory: &'a mut F::Memory,
    /// Observed frame to write; its values are undefined.
    pub frame: &'a mut [f64],
    /// Action of the step.
    pub action: Action<'a>,
    /// Rewards to write.
    pub rewards: &'a mut [f64],
    /// Random stream of the lane.
    pub random: &'a mut F::Random,
}

/// Declares [`Inputs`]: each method, with the name of its array in `mjData`.
macro_rules! inputs {
    ($($(#[$doc:meta])* $method:ident: $array:ident;)*) => {
        /// Parts of a simulation's state that a step reads or sets.
        pub trait Inputs {
            $($(#[$doc])* fn $method(&mut self) -> &mut [f64];)*
        }

        impl Inputs for Data {
            $(fn $method(&mut self) -> &mut [f64] { self.$method() })*
        }

        /// Ranges of a state vector that hold inputs of a step.
        struct InputRanges {
            $($array: Range<usize>,)*
        }

        impl InputRanges {
            fn of(stepper: &Stepper) -> Self {
                let range = |name| stepper.state_range(name).expect("a native step reads the input");
                Self { $($array: range(stringify!($array)),)* }
            }
        }

        impl Inputs for StateInputs<'_> {
            $(fn $method(&mut self) -> &mut [f64] { &mut self.state[self.ranges.$array.clone()] })*
        }
    };
}

inputs! {
    /// Returns the positions.
    qpos_mut: qpos;
    /// Returns the velocities.
    qvel_mut: qvel;
    /// Returns the controls.
    ctrl_mut: ctrl;
    /// Returns the positions of the mocap bodies.
    mocap_pos_mut: mocap_pos;
    /// Returns the orientations of the mocap bodies.
    mocap_quat_mut: mocap_quat;
}

/// State vector of a lane, in which the native stepper finds its inputs.
struct StateInputs<'a> {
    state: &'a mut [f64],
    ranges: &'a InputRanges,
}

/// Environment of the family `F`.
pub struct MujocoEnv<F: Family> {
    family: F,
    frame_skip: u32,
    frame_stack: usize,
    frame_len: usize,
    /// Model of the steps, and the threads' simulations of it.
    shared: SharedModel,
    /// Model of pictures, if it is another one.
    pictures: Option<SharedModel>,
    stepper_choice: StepperChoice,
    /// Whether MuJoCo's library steps these episodes, because of values of model fields that the native stepper does not support.
    needs_library: bool,
    native_step: NativeStep,
    setup: RenderSetup,
}

/// State of a lane, which is one environment of a pool.
pub struct EpisodeState<M> {
    simulation: Simulation,
    /// State vector before the last step, with its inputs, from which rendering repeats the step; empty after a reset.
    start: Vec<f64>,
    /// Observed frames, oldest first.
    frames: Vec<f64>,
    memory: M,
    /// Observed pictures, oldest first. Each holds three planes: red, green and blue.
    pixels: Vec<u8>,
    /// Point that a free camera looks at, which is computed for the lane's first picture.
    lookat: Cell<Option<[f64; 3]>>,
}

/// Simulation of a lane.
enum Simulation {
    /// The lane has an own simulation.
    Own(Data),
    /// The lane has a state vector (`mjSTATE_INTEGRATION`) and its changes of the model, which the thread's simulation takes.
    Shared(Vec<f64>, DetachedOverrides),
}

impl<F: Family> MujocoEnv<F> {
    /// Creates a task with the family's and the render options; `preset` is the result of [`Family::camera_preset`].
    pub fn task(id: &'static str, mut options: Vec<OptionSpec>, preset: CameraPreset) -> Task {
        options.extend(RenderSetup::options(preset));
        Task::env::<Self>(id).options(options)
    }

    /// Calls `work` with a lane's simulation.
    fn simulate<R>(&self, simulation: &mut Simulation, work: impl FnOnce(&mut Data) -> Result<R, Fault>) -> Result<R, Fault> {
        match simulation {
            Simulation::Own(data) => work(data),
            Simulation::Shared(state, changed) => self.shared.simulate(state, changed, work),
        }
    }

    /// Starts an episode of a lane.
    fn reset_by_library(&self, lane: &mut LaneReset<'_, Self>) -> Result<(), Fault> {
        let EpisodeState { simulation, start, frames, memory, .. } = &mut *lane.state;
        start.clear();
        let frame = shift_frames(frames, self.frame_len);
        let mut reset = Reset { memory, frame, options: &lane.options, random: &mut *lane.random };
        self.simulate(simulation, |data| {
            self.family.begin_reset(data, &mut reset)?;
            if self.family.reset_steps() > 0 {
                self.family.advance(data, self.family.reset_steps())?;
            }
            self.family.reset(data, &mut reset)
        })
    }

    /// Starts episodes of several lanes, whose simulation steps the native stepper takes.
    fn reset_natively(&self, stepper: &Stepper, lanes: &mut [LaneReset<'_, Self>]) {
        let (mut states, mut others) = (Vec::with_capacity(lanes.len()), Vec::with_capacity(lanes.len()));
        for LaneReset { state, random, options, error } in lanes.iter_mut() {
            let EpisodeState { simulation, start, frames, memory, .. } = &mut **state;
            start.clear();
            states.push(simulation.shared());
            let frame = shift_frames(frames, self.frame_len);
            others.push((Reset::<F> { memory, frame, options: &*options, random: &mut **random }, error));
        }
        let mut simulated = NativeLanes::new(stepper, &self.shared, states, F::OWN_FIELDS, F::GOES_ON_AFTER_WARNINGS);
        simulated.for_each(|lane, data| self.family.begin_reset(data, &mut others[lane].0));
        simulated.advance(self.family.reset_steps());
        simulated.for_each(|lane, data| self.family.reset(data, &mut others[lane].0));
        for ((_, error), fault) in others.into_iter().zip(simulated.into_faults()) {
            *error = fault.map(to_error);
        }
    }

    /// Steps one lane by MuJoCo's library. Returns whether the episode terminates.
    fn step_by_library(&self, lane: &mut LaneStep<'_, Self>) -> Result<bool, Fault> {
        let EpisodeState { simulation, start, frames, memory, .. } = &mut *lane.state;
        self.simulate(simulation, |data| {
            self.family.act(data, &lane.action, memory, &frames[frames.len() - self.frame_len..]);
            if F::REPEATS_STEPS {
                start.resize(data.model().state_len(), 0.0);
                data.get_state(start);
            }
            self.family.advance(data, self.frame_skip)?;
            let frame = shift_frames(frames, self.frame_len);
            let mut step = Step { memory, frame, action: lane.action, rewards: &mut *lane.rewards, random: &mut *lane.random };
            self.family.evaluate(data, Stepped::ByLibrary, &mut step)
        })
    }

    /// Steps several lanes by the native stepper. MuJoCo's library takes the steps that the native stepper does not support.
    fn step_natively(&self, stepper: &Stepper, lanes: &mut [LaneStep<'_, Self>]) {
        let ranges = InputRanges::of(stepper);
        let (mut states, mut others) = (Vec::with_capacity(lanes.len()), Vec::with_capacity(lanes.len()));
        for LaneStep { state, random, action, rewards, terminated, error } in lanes.iter_mut() {
            let EpisodeState { simulation, start, frames, memory, .. } = &mut **state;
            let (state, changed) = simulation.shared();
            let inputs = &mut StateInputs { state, ranges: &ranges };
            self.family.act(inputs, action, memory, &frames[frames.len() - self.frame_len..]);
            if F::REPEATS_STEPS {
                start.clear();
                start.extend_from_slice(state);
            }
            states.push((state, changed));
            let frame = shift_frames(frames, self.frame_len);
            let step = Step::<F> { memory, frame, action: *action, rewards, random };
            others.push((step, terminated, error));
        }
        let (library_steps, keeps_positions) = match self.native_step {
            NativeStep::Arrays(derived) => {
                let controls: Vec<_> = states.iter().flat_map(|(state, _)| &state[ranges.ctrl.clone()]).copied().collect();
                let control = |lane: usize| &controls[lane * ranges.ctrl.len()..][..ranges.ctrl.len()];
                let (mut lanes, mut changes): (Vec<_>, Vec<_>) = (states.into_iter().enumerate())
                    .map(|(lane, (state, changed))| (Lane { state, control: control(lane), nefc: 0 }, changed))
                    .unzip();
                let own = self.family.own_values();
                return stepper.step_with_values(
                    self.shared.workspace(),
                    (&mut lanes, own),
                    (self.frame_skip, derived),
                    |lane, stepped| {
                        let (step, terminated, error) = &mut others[lane];
                        let evaluated = stepped.and_then(|data| {
                            if F::CHANGES_MODEL {
                                data.exchange(changes[lane]);
                            }
                            let evaluated = self.family.evaluate(data, Stepped::Natively(&[]), step);
                            if F::CHANGES_MODEL {
                                data.exchange(changes[lane]);
                            }
                            evaluated
                        });
                        match evaluated {
                            Ok(terminates) => **terminated = terminates,
                            Err(fault) => **error = Some(to_error(fault)),
                        }
                    },
                );
            }
            NativeStep::States { library_steps, keeps_positions } => (library_steps, keeps_positions),
        };
        let mut simulated = NativeLanes::new(stepper, &self.shared, states, F::OWN_FIELDS, F::GOES_ON_AFTER_WARNINGS);
        let positions = match keeps_positions {
            true => simulated.advance_keeping_positions(self.frame_skip),
            false => {
                simulated.advance(self.frame_skip - library_steps);
                Vec::new()
            }
        };
        simulated.for_each(|lane, data| {
            let (step, terminated, _) = &mut others[lane];
            let stepped = match library_steps {
                0 => Stepped::Natively(positions.get(lane).map_or(&[], |positions| positions)),
                _ => Stepped::ByLibrary,
            };
            if library_steps > 0 {
                self.family.advance(data, library_steps)?;
            }
            **terminated = self.family.evaluate(data, stepped, step)?;
            Ok(())
        });
        for ((.., error), fault) in others.into_iter().zip(simulated.into_faults()) {
            *error = fault.map(to_error);
        }
    }

    /// Calls the function `look` with a lane's simulation, in the state after the lane's last step or reset.
    fn view<R>(&self, lane: &EpisodeState<F::Memory>, look: impl FnOnce(&Data) -> R) -> Result<R, Fault> {
        let EpisodeState { simulation, start, frames, memory, .. } = lane;
        let (state, changed) = match simulation {
            Simulation::Own(data) => return Ok(look(data)),
            Simulation::Shared(state, changed) => (state, changed),
        };
        let prepare = |data: &mut Data| {
            if F::CHANGES_MODEL {
                data.set_changes(&changed.all())?;
            }
            self.family.show(data, memory, frames)?;
            match start.is_empty() {
                _ if !F::REPEATS_STEPS => Ok(()),
                true => data.forward(),
                false => {
                    data.set_state(start)?;
                    self.family.advance(data, self.frame_skip)
                }
            }
        };
        if F::IS_SHOWN_AS_STEPPED {
            let again = |data: &mut Data| data.set_state(state).and_then(|()| prepare(data));
            return self.shared.workspace().view(state, again, look);
        }
        self.pictures.as_ref().unwrap_or(&self.shared).view(state, prepare, look)
    }

    /// Renders a picture of the lane as its newest observation, if observations are pictures.
    fn capture(&self, lane: &mut EpisodeState<F::Memory>, is_first: bool) -> Result<()> {
        if !self.setup.is_observed {
            return Ok(());
        }
        let mut pixels = std::mem::take(&mut lane.pixels);
        let seen = self.view(lane, |data| self.setup.take(data, &lane.lookat, &mut pixels, is_first));
        lane.pixels = pixels;
        seen.unwrap_or_else(|fault| Err(to_error(fault)))
    }
}

impl Simulation {
    /// Returns the state vector and the changes of the model.
    fn shared(&mut self) -> (&mut [f64], &mut DetachedOverrides) {
        match self {
            Self::Shared(state, changed) => (state, changed),
            Self::Own(_) => unreachable!("the native stepper steps no lanes with own simulations"),
        }
    }
}

/// Returns the options `frame_skip`, with its default, and `frame_stack`.
pub fn step_options(frame_skip: i64) -> [OptionSpec; 2] {
    [
        OptionSpec::new("frame_skip", frame_skip, "simulation steps per step").integers(1..=MAX_SKIPPED),
        OptionSpec::new("frame_stack", 1, "number of stacked observations, the newest last; 1 adds no axis")
            .integers(1..=MAX_STACKED),
    ]
}

/// Drops the oldest of the stacked frames of `len` values, and returns the place of the newest frame.
fn shift_frames(frames: &mut [f64], len: usize) -> &mut [f64] {
    let newest = frames.len() - len;
    if newest > 0 {
        frames.copy_within(len.., 0);
    }
    &mut frames[newest..]
}
