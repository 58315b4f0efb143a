//! Interface of a robot: everything except physics, such as start states, observations and rewards. The module also has the
//! options and helper functions that several robots share.

use super::render_setup::{CameraPreset, robot_camera};
use envpool_rs_engine::{Dtype, InfoSpec, OptionSpec, Options, Result};
use envpool_rs_numeric::numpy;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Derived, DisableFlag, Model, ModelSizes};

/// Names that most robots use.
pub mod prelude {
    pub use super::*;
    pub(crate) use crate::names::made;
    pub use crate::render_setup::{CameraPreset, robot_camera};
    pub use envpool_rs_engine::{Error, InfoSpec, OptionSpec, Options, Result};
    pub use envpool_rs_numeric::numpy;
    pub use envpool_rs_numeric::random::Generator;
    pub use envpool_rs_sim_mujoco::{Data, Derived, Model, ModelSizes};
}

/// Robot as in gymnasium's `envs/mujoco`, created with given option values.
pub trait Robot: Send + Sync + 'static {
    /// Looks up ids of objects in the model.
    fn bind(&mut self, _model: &Model) -> Result<()> {
        Ok(())
    }

    /// Tells the robot the masses of bodies (`body_mass`) of its episodes, if they differ from the model's.
    fn set_masses(&mut self, _masses: &[f64]) {}

    /// Returns whether the robot reads the external forces on bodies (`cfrc_ext`) after a step.
    fn needs_outer_forces(&self) -> bool {
        false
    }

    /// Returns the derived arrays that the robot reads after a step, in addition to positions, velocities and controls. Whether
    /// `cfrc_ext` is computed depends only on [`needs_outer_forces`](Self::needs_outer_forces).
    fn derived(&self) -> Derived {
        Derived::default()
    }

    /// Returns the number of leading positions (`qpos`) that the observation omits.
    fn skipped(&self) -> usize {
        0
    }

    /// Returns the number of values in an observation, by default that of positions and velocities.
    fn observation_len(&self, sizes: &ModelSizes) -> usize {
        sizes.nq + sizes.nv - self.skipped()
    }

    /// Returns the specifications of the robot's infos. The infos that both resets and steps write come first, then the infos
    /// that only steps write.
    fn infos(&self, _sizes: &ModelSizes) -> Vec<InfoSpec> {
        Vec::new()
    }

    /// Draws the start state of an episode (`reset_model`), and writes it into a simulation that was just reset. By default, adds
    /// uniform noise. `noise` is the option `reset_noise_scale`.
    fn reset_model(&self, data: &mut Data, noise: f64, random: &mut Generator) {
        add_uniform(data.qpos_mut(), noise, random);
        add_uniform(data.qvel_mut(), noise, random);
    }

    /// Writes the observation of the simulation's current state to `to`.
    fn observe(&self, data: &Data, to: &mut Writer<'_>) {
        to.add(&data.qpos()[self.skipped()..]);
        to.add(data.qvel());
    }

    /// Returns the quantities at the end of this step from which the reward of the next step is computed.
    fn step_memory(&self, _data: &Data) -> StepMemory {
        StepMemory::default()
    }

    /// Writes the infos that both resets and steps have.
    fn write_reset_infos(&self, _data: &Data, _infos: &mut Writer<'_>) {}

    /// Returns the reward of a step and whether it terminates the episode. Writes the infos that only steps have.
    fn evaluate(&self, step: &StepOutcome<'_>, infos: &mut Writer<'_>) -> (f64, bool);
}

/// Constructor from options.
pub trait FromOptions: Sized {
    /// Creates the robot with the given option values.
    ///
    /// # Errors
    /// `Value`, with the name of the option whose value is invalid.
    fn new(options: &Options) -> Result<Self>;
}

/// Robot type and its constants.
pub trait RobotClass: Robot + FromOptions {
    /// Default model of the robot.
    const MODEL: ModelSpec;

    /// Timestep of the default model in seconds, for use before it is loaded.
    const TIMESTEP: f64 = 0.01;

    /// Default camera of the robot.
    const CAMERA: CameraPreset = robot_camera(None, None, None);

    /// Names of the robot's options in the order in which EnvPool's configuration has them, separated by spaces; empty for robots
    /// that EnvPool does not have.
    ///
    /// In EnvPool's configuration, the options that all robots share come before and after the robot's options.
    const ENVPOOL_ORDER: &'static str = "";

    /// Returns the robot's own options, in addition to the options that all robots share.
    fn options() -> Vec<OptionSpec>;
}

/// Functions and properties of a [`RobotClass`] as a value, so that the environments of all robots have the same Rust type.
pub struct RobotSpec {
    pub(super) model: ModelSpec,
    pub(super) timestep: f64,
    pub(super) camera: CameraPreset,
    pub(super) envpool_order: &'static str,
    pub(super) options: fn() -> Vec<OptionSpec>,
    pub(super) new: fn(&Options) -> Result<Box<dyn Robot>>,
}

impl RobotSpec {
    /// Returns the [`RobotSpec`] of the robot type `R`.
    pub const fn of<R: RobotClass>() -> Self {
        Self {
            model: R::MODEL,
            timestep: R::TIMESTEP,
            camera: R::CAMERA,
            envpool_order: R::ENVPOOL_ORDER,
            options: R::options,
            new: |options| Ok(Box::new(R::new(options)?)),
        }
    }
}

/// Properties of a robot's default model, which are known before the model is loaded.
#[derive(Debug, Clone, Copy)]
pub struct ModelSpec {
    /// Name of the model's XML file.
    pub xml_file: &'static str,
    /// Number of simulation steps per environment step.
    pub frame_skip: i64,
    /// Sizes of the default model.
    pub sizes: ModelSizes,
    /// Upper control limit of all actuators; the lower control limit is its negative.
    pub control: f64,
    /// Stages of a step that change no bit of the results. Models whose bodies form one tree need no islands.
    pub without: &'static [DisableFlag],
}

impl ModelSpec {
    /// Describes a model whose bodies form one tree.
    pub const fn one_tree(xml_file: &'static str, frame_skip: i64, sizes: ModelSizes, control: f64) -> Self {
        Self { xml_file, frame_skip, sizes, control, without: ISLANDS }
    }
}

/// Value of [`ModelSpec::without`] that disables constraint islands.
pub const ISLANDS: &[DisableFlag] = &[DisableFlag::Islands];

/// Returns the sizes of a model: numbers of positions, velocities, controls, bodies (with the world), sites and tendons.
pub const fn sizes(nq: usize, nv: usize, nu: usize, nbody: usize, nsite: usize, ntendon: usize) -> ModelSizes {
    ModelSizes { nq, nv, nu, nbody, nsite, ntendon, ..ModelSizes::NONE }
}

/// Up to three numbers that one step stores, from which the next step computes its reward, such as a position.
pub type StepMemory = [f64; 3];

/// Result of a step, from which the robot computes reward and termination.
#[derive(Debug)]
pub struct StepOutcome<'a> {
    /// Simulation in the state after the step.
    pub data: &'a Data,
    /// Numbers that the previous step stored, from which this step's reward is computed.
    pub before: StepMemory,
    /// Numbers that this step stores, from which the next step's reward is computed.
    pub after: StepMemory,
    /// Action of the step, which was applied as the control.
    pub action: &'a [f64],
    /// Duration of the step, in simulated seconds.
    pub seconds: f64,
}

impl StepOutcome<'_> {
    /// Returns the velocity of the stored quantity `place`: its change, divided by the step's duration.
    pub fn velocity(&self, place: usize) -> f64 {
        (self.after[place] - self.before[place]) / self.seconds
    }

    /// Returns `weight` times the sum of the action's squares.
    ///
    /// As in gymnasium, the sum is float32 if the action is float32. The product with a Python float is float32 in numpy 2, and
    /// float64 in numpy 1.
    pub fn action_cost(&self, weight: f64) -> f64 {
        let is_single = self.action.iter().all(|value| f64::from(*value as f32) == *value);
        if !is_single {
            return weight * numpy::sum_of_squares(self.action);
        }
        let square = |index: usize| self.action[index] as f32 * self.action[index] as f32;
        let sum = numpy::sum_by(0, self.action.len(), &square);
        if numpy::keeps_float32() { f64::from(weight as f32 * sum) } else { weight * f64::from(sum) }
    }
}

/// Writer that fills an array with numbers, from its start.
#[derive(Debug)]
pub struct Writer<'a> {
    to: &'a mut [f64],
    written: usize,
}

impl<'a> Writer<'a> {
    /// Creates a writer that starts at the beginning of `to`.
    pub fn new(to: &'a mut [f64]) -> Self {
        Self { to, written: 0 }
    }

    /// Writes `values` into the array, after the values that this writer has already written.
    pub fn add(&mut self, values: &[f64]) {
        self.to[self.written..][..values.len()].copy_from_slice(values);
        self.written += values.len();
    }

    /// Writes `values`, clipped to `bounds`, into the array, after the values that this writer has already written.
    pub fn add_clipped(&mut self, values: &[f64], bounds: Range) {
        self.add_mapped(values, |value| bounds.clip(value));
    }

    /// Writes `values`, each transformed by `map`, into the array, after the values that this writer has already written.
    pub fn add_mapped(&mut self, values: &[f64], map: impl Fn(f64) -> f64) {
        for (to, value) in self.to[self.written..][..values.len()].iter_mut().zip(values) {
            *to = map(*value);
        }
        self.written += values.len();
    }
}

/// Interval between a lower and an upper bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Lower bound of the interval.
    pub low: f64,
    /// Upper bound of the interval.
    pub high: f64,
}

impl Range {
    /// Reads an interval from gymnasium's option `pair`, or from EnvPool's `low` and `high`, one of which may be undeclared.
    pub fn of(options: &Options, pair: &str, low: &str, high: &str) -> Self {
        let single = |name: &str, absent: f64| options.find(name).map_or(absent, |_| options.float(name));
        match options.find(pair) {
            Some(envpool_rs_engine::Value::Floats(bounds)) => Self { low: bounds[0], high: bounds[1] },
            _ => Self { low: single(low, f64::NEG_INFINITY), high: single(high, f64::INFINITY) },
        }
    }

    /// Returns whether `value` is strictly inside the interval.
    pub fn has_within(self, value: f64) -> bool {
        self.low < value && value < self.high
    }

    /// Returns `value` clipped to the interval.
    pub fn clip(self, value: f64) -> f64 {
        numpy::clip(value, self.low, self.high)
    }
}

/// Rule that uses the robot's health for a part of the reward and for the termination.
#[derive(Debug, Clone, Copy)]
pub struct Health {
    reward: f64,
    terminates: bool,
    /// Whether the robot gets the reward for being healthy even in the step that terminates the episode, as in version 4.
    is_legacy: bool,
}

impl Health {
    /// Returns the specifications of the options of the health rule. In version 4 of gymnasium's environments, the step that
    /// terminates an episode also gets the reward for being healthy.
    pub fn options(reward: f64, version: u8) -> Vec<OptionSpec> {
        vec![
            number("healthy_reward", reward, "reward per step with a healthy robot"),
            flag("terminate_when_unhealthy", true, "whether an episode ends when the robot is unhealthy"),
            flag(
                "legacy_healthy_reward",
                version < 5,
                "whether healthy_reward is also paid for the step that ends an episode, as in version 4",
            ),
        ]
    }

    /// Creates the health rule from the values of its options.
    pub fn new(options: &Options) -> Self {
        Self {
            reward: options.float("healthy_reward"),
            terminates: options.bool("terminate_when_unhealthy"),
            is_legacy: options.bool("legacy_healthy_reward"),
        }
    }

    /// Returns the part of the reward for being healthy, given whether the robot is healthy.
    pub fn reward(&self, is_healthy: bool) -> f64 {
        let counts = is_healthy || self.is_legacy && self.terminates;
        f64::from(u8::from(counts)) * self.reward
    }

    /// Returns whether the episode terminates, given whether the robot is healthy.
    pub fn terminates_when(&self, is_healthy: bool) -> bool {
        !is_healthy && self.terminates
    }
}

/// Name of the option of the noise of start states.
pub const NOISE: &str = "reset_noise_scale";

/// Returns the specification of the option [`NOISE`].
pub fn noise_option(scale: f64) -> OptionSpec {
    OptionSpec::new(NOISE, scale, "scale of the noise of positions and velocities after a reset")
        .numbers(0.0..=f64::MAX)
        .per_episode()
}

/// Returns the specification of the option `exclude_current_positions_from_observation`, which is true by default.
pub fn exclude_option() -> OptionSpec {
    flag("exclude_current_positions_from_observation", true, "whether observations omit the robot's position")
}

/// Declares a numeric option whose value a reset can change for the next episodes.
pub fn number(name: &'static str, default: f64, doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, default, doc).per_episode()
}

/// Returns the specification of the boolean option `name`.
pub fn flag(name: &'static str, default: bool, doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, default, doc)
}

/// Declares an option whose value is an interval, given as a pair of numbers like in gymnasium.
pub fn range_option(name: &'static str, doc: &'static str) -> OptionSpec {
    OptionSpec::optional(name, Vec::<f64>::new(), doc).bounds()
}

/// Declares an option by EnvPool's name for another option; the default is `None`.
pub fn alias(name: &'static str, doc: &'static str) -> OptionSpec {
    OptionSpec::optional(name, 0.0, doc)
}

/// Returns the value of EnvPool's option `alias` if it was passed, otherwise the value of the option `name`.
pub fn value_or_alias(options: &Options, name: &str, alias: &str) -> f64 {
    match options.get(alias) {
        envpool_rs_engine::Value::Float(value) => *value,
        _ => options.float(name),
    }
}

/// Adds uniform noise from `-scale` to `scale` to each of `values`.
pub fn add_uniform(values: &mut [f64], scale: f64, random: &mut Generator) {
    values.iter_mut().for_each(|value| *value += random.uniform(-scale, scale));
}

/// Adds normal noise with the standard deviation `scale` to each of `values`.
pub fn add_normal(values: &mut [f64], scale: f64, random: &mut Generator) {
    values.iter_mut().for_each(|value| *value += scale * random.standard_normal());
}

/// Declares an info of the given shape, which resets and steps have.
pub fn info(key: &'static str, shape: &[usize]) -> InfoSpec {
    InfoSpec::new(key, Dtype::F64, shape).with_envpool_dtype(Dtype::F64)
}

/// Declares a scalar info of steps (not of resets).
pub fn step_info(key: &'static str) -> InfoSpec {
    info(key, &[]).only_after_steps()
}

/// Declares a scalar info of steps (not of resets), whose value is a product of a Python float and a float32. In gymnasium the
/// info is float32 with numpy 2, and float64 with numpy 1.
pub fn product_info(key: &'static str) -> InfoSpec {
    if numpy::keeps_float32() { single_info(key) } else { step_info(key) }
}

/// Declares a scalar info of steps (not of resets), which is float32 in gymnasium.
pub fn single_info(key: &'static str) -> InfoSpec {
    InfoSpec { dtype: Dtype::F32, ..step_info(key) }
}

/// Checks that a model has at least `nq` positions, `nv` velocities and `nsite` sites.
///
/// # Errors
/// `Value` if the model has fewer.
pub fn check_sizes(model: &Model, nq: usize, nv: usize, nsite: usize) -> Result<()> {
    let sizes = model.sizes();
    if sizes.nq >= nq && sizes.nv >= nv && sizes.nsite >= nsite {
        return Ok(());
    }
    let got = format!("a model of {} positions, {} velocities and {} sites", sizes.nq, sizes.nv, sizes.nsite);
    Err(envpool_rs_engine::Error::Value(format!("xml_file is {got}: expected {nq}, {nv} and {nsite} or more")))
}

/// Returns the id of the body `name`.
///
/// # Errors
/// `Value` if the model has no body of this name.
pub fn body(model: &Model, name: &str) -> Result<usize> {
    let id = model.id(envpool_rs_sim_mujoco::ObjectKind::Body, name);
    id.ok_or_else(|| envpool_rs_engine::Error::Value(format!("xml_file is a model without a body {name:?}")))
}
