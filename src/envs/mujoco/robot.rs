//! What a robot is beside its physics: where it starts, what is seen of it, what a step is worth.

use super::rendered::{CameraPreset, robot_camera};
use envpool_rs_engine::{Dtype, EnvSpec, InfoSpec, OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Derived, Flag, Model, ModelSizes, numeric};

/// A robot like those of gymnasium's `envs/mujoco`, with its options fixed.
pub trait Robot: Send + Sync + 'static {
    /// Looks up what it needs of its model.
    ///
    /// # Errors
    /// `Value` where the model lacks it.
    fn bind(&mut self, _model: &Model) -> Result<()> {
        Ok(())
    }

    /// Whether it needs the outer forces on its bodies after a step.
    fn needs_outer_forces(&self) -> bool {
        false
    }

    /// What it looks at in a simulation after a step, beside positions, velocities and controls. Its outer forces are as above.
    fn derived(&self) -> Derived {
        Derived::ALL
    }

    /// How many numbers its observation has.
    fn observation_len(&self, sizes: &ModelSizes) -> usize;

    /// Its infos: first those of resets, then those of steps only.
    fn infos(&self, sizes: &ModelSizes) -> Vec<InfoSpec>;

    /// Draws where an episode begins, and writes it into a simulation that has just been reset.
    fn begin(&self, data: &mut Data, random: &mut Generator);

    /// Writes the observation.
    fn observe(&self, data: &Data, to: &mut Numbers<'_>);

    /// What the next step's reward looks back on.
    fn places(&self, _data: &Data) -> Places {
        Places::default()
    }

    /// Writes the infos of resets.
    fn report(&self, _data: &Data, _infos: &mut Numbers<'_>) {}

    /// The reward of a step, and whether it ended the episode; writes the infos of steps only.
    fn judge(&self, step: &Judged<'_>, infos: &mut Numbers<'_>) -> (f64, bool);
}

/// A type of robots: what is known of one before its options are fixed, and how it is made.
pub trait RobotClass: Robot + Sized {
    /// The model that it has unless another file is given.
    const BODY: Body;

    /// Seconds of a step of its own model, for where that is not loaded.
    const TIMESTEP: f64 = 0.01;

    /// Where it is looked at from.
    const CAMERA: CameraPreset = robot_camera(None, None, None);

    /// Names of options in the order of EnvPool's configuration, between those that all robots begin and end with; none for robots
    /// that EnvPool does not have.
    const ENVPOOL_ORDER: &'static [&'static str] = &[];

    /// Its own options, beside those that all robots have.
    fn options() -> Vec<OptionSpec>;

    /// The robot with its options fixed.
    ///
    /// # Errors
    /// `Value`, naming the option.
    fn new(options: &Options) -> Result<Self>;
}

/// A [`RobotClass`] as a value: all robots are environments of one type.
pub struct RobotSpec {
    pub(super) body: Body,
    pub(super) timestep: f64,
    pub(super) camera: CameraPreset,
    pub(super) envpool_order: &'static [&'static str],
    pub(super) options: fn() -> Vec<OptionSpec>,
    pub(super) new: fn(&Options) -> Result<Box<dyn Robot>>,
}

impl RobotSpec {
    /// The value of a type.
    pub const fn of<R: RobotClass>() -> Self {
        Self {
            body: R::BODY,
            timestep: R::TIMESTEP,
            camera: R::CAMERA,
            envpool_order: R::ENVPOOL_ORDER,
            options: R::options,
            new: |options| Ok(Box::new(R::new(options)?)),
        }
    }
}

/// A model as far as it takes to describe a robot without it.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    /// Name of the file.
    pub xml_file: &'static str,
    /// Steps of the simulation in one of the environment.
    pub frame_skip: i64,
    /// Numbers of things in it.
    pub sizes: ModelSizes,
    /// The highest control of all actuators; the lowest is its opposite.
    pub control: f64,
    /// Stages without which its steps are the same, number for number. Pusher's are not without islands, since arm and object are two, nor
    /// the humanoids' and Ant's without the middle phase, where several parts of two bodies may touch.
    pub without: &'static [Flag],
}

/// Stages that [`Body::without`] may name: the search for islands.
pub const ISLANDS: &[Flag] = &[Flag::Islands];
/// The middle phase of the search for contacts.
pub const MID_PHASE: &[Flag] = &[Flag::MidPhase];
/// Both.
pub const BOTH: &[Flag] = &[Flag::Islands, Flag::MidPhase];

/// Sizes of a model that has this many positions, velocities, controls, bodies (the world among them), sites and tendons.
pub const fn sizes(nq: usize, nv: usize, nu: usize, nbody: usize, nsite: usize, ntendon: usize) -> ModelSizes {
    ModelSizes { nq, nv, nu, nbody, nsite, ntendon, ..ModelSizes::NONE }
}

/// Up to three numbers that one step leaves for the next.
pub type Places = [f64; 3];

/// A step that was taken.
#[derive(Debug)]
pub struct Judged<'a> {
    /// The simulation after it.
    pub data: &'a Data,
    /// What the step before has left.
    pub before: Places,
    /// What this one leaves.
    pub after: Places,
    /// The action.
    pub action: &'a [f64],
    /// Seconds that it took.
    pub seconds: f64,
}

impl Judged<'_> {
    /// How fast one of the places moved.
    pub fn velocity(&self, place: usize) -> f64 {
        (self.after[place] - self.before[place]) / self.seconds
    }

    /// `weight` times the sum of the action's squares, which is of single precision if the action is: gymnasium's actions are. numpy 2
    /// keeps to it when a Python float is multiplied, numpy 1 does not.
    pub fn action_cost(&self, weight: f64) -> f64 {
        let is_single = self.action.iter().all(|value| f64::from(*value as f32) == *value);
        if !is_single {
            return weight * numeric::sum_of_squares(self.action);
        }
        let square = |index: usize| self.action[index] as f32 * self.action[index] as f32;
        let sum = numeric::sum_by(0, self.action.len(), &square);
        if numeric::keeps_single() { f64::from(weight as f32 * sum) } else { weight * f64::from(sum) }
    }
}

/// Numbers that are written one after the other.
#[derive(Debug)]
pub struct Numbers<'a> {
    to: &'a mut [f64],
    written: usize,
}

impl<'a> Numbers<'a> {
    /// Writes to `to`, from its beginning on.
    pub fn new(to: &'a mut [f64]) -> Self {
        Self { to, written: 0 }
    }

    /// The next numbers.
    pub fn add(&mut self, values: &[f64]) {
        self.to[self.written..][..values.len()].copy_from_slice(values);
        self.written += values.len();
    }

    /// The next numbers, cut off at bounds.
    pub fn add_clipped(&mut self, values: &[f64], bounds: Range) {
        self.add_mapped(values, |value| bounds.clip(value));
    }

    /// What `map` makes of the next numbers.
    pub fn add_mapped(&mut self, values: &[f64], map: impl Fn(f64) -> f64) {
        for (to, value) in self.to[self.written..][..values.len()].iter_mut().zip(values) {
            *to = map(*value);
        }
        self.written += values.len();
    }
}

/// Bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The lower one.
    pub low: f64,
    /// The upper one.
    pub high: f64,
}

impl Range {
    /// What gymnasium's option `pair` says, or else EnvPool's options `low` and `high`, of which one may not exist.
    pub fn of(options: &Options, pair: &str, low: &str, high: &str) -> Self {
        let single = |name: &str, absent: f64| options.find(name).map_or(absent, |_| options.float(name));
        match options.find(pair) {
            Some(envpool_rs_engine::Value::Floats(bounds)) => Self { low: bounds[0], high: bounds[1] },
            _ => Self { low: single(low, f64::NEG_INFINITY), high: single(high, f64::INFINITY) },
        }
    }

    /// Whether a number lies between them.
    pub fn has_within(self, value: f64) -> bool {
        self.low < value && value < self.high
    }

    /// A number, cut off at them.
    pub fn clip(self, value: f64) -> f64 {
        numeric::clip(value, self.low, self.high)
    }
}

/// Whether a robot may go on, and what that is worth.
#[derive(Debug, Clone, Copy)]
pub struct Health {
    reward: f64,
    terminates: bool,
    /// Whether it is also paid for the step that ends the episode.
    is_legacy: bool,
}

impl Health {
    /// Its options; version 4 pays also for the step that ends an episode.
    pub fn options(reward: f64, version: u8) -> Vec<OptionSpec> {
        vec![
            number("healthy_reward", reward, "reward of each step that leaves the robot healthy"),
            flag("terminate_when_unhealthy", true, "whether an episode ends where the robot is not healthy"),
            flag(
                "legacy_healthy_reward",
                version < 5,
                "whether healthy_reward is also paid for the step that ends an episode, as version 4 does",
            ),
        ]
    }

    /// As the options say.
    pub fn new(options: &Options) -> Self {
        Self {
            reward: options.float("healthy_reward"),
            terminates: options.bool("terminate_when_unhealthy"),
            is_legacy: options.bool("legacy_healthy_reward"),
        }
    }

    /// What being healthy, or not, is worth.
    pub fn reward(&self, is_healthy: bool) -> f64 {
        let counts = is_healthy || self.is_legacy && self.terminates;
        f64::from(u8::from(counts)) * self.reward
    }

    /// Whether that ends the episode.
    pub fn ends(&self, is_healthy: bool) -> bool {
        !is_healthy && self.terminates
    }
}

/// `reset_noise_scale`.
pub fn noise_option(scale: f64) -> OptionSpec {
    OptionSpec::new("reset_noise_scale", scale, "how far positions and velocities of a reset may be from the model's own")
        .numbers(0.0..=f64::MAX)
        .each_episode()
}

/// `exclude_current_positions_from_observation`.
pub fn exclude_option() -> OptionSpec {
    flag("exclude_current_positions_from_observation", true, "whether the coordinates of the robot's place are left out")
}

/// A number that may differ from episode to episode.
pub fn number(name: &'static str, default: f64, doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, default, doc).each_episode()
}

/// Yes or no.
pub fn flag(name: &'static str, default: bool, doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, default, doc)
}

/// Bounds, as gymnasium has them.
pub fn range_option(name: &'static str, doc: &'static str) -> OptionSpec {
    OptionSpec::optional(name, Vec::<f64>::new(), doc).bounds()
}

/// EnvPool's name for another option, `None` unless given.
pub fn alias(name: &'static str, doc: &'static str) -> OptionSpec {
    OptionSpec::optional(name, 0.0, doc)
}

/// The value of an option, or of EnvPool's name for it if that is given.
pub fn either(options: &Options, name: &str, alias: &str) -> f64 {
    match options.get(alias) {
        envpool_rs_engine::Value::Float(value) => *value,
        _ => options.float(name),
    }
}

/// Adds uniform noise from `-scale` to `scale`.
pub fn add_uniform(values: &mut [f64], scale: f64, random: &mut Generator) {
    values.iter_mut().for_each(|value| *value += random.uniform(-scale, scale));
}

/// Adds normal noise.
pub fn add_normal(values: &mut [f64], scale: f64, random: &mut Generator) {
    values.iter_mut().for_each(|value| *value += scale * random.standard_normal());
}

/// An info of steps and resets, of these dimensions.
pub fn info(key: &'static str, shape: &[usize]) -> InfoSpec {
    InfoSpec::new(key, Dtype::F64, shape).in_envpool_as(Dtype::F64)
}

/// A number that is told after steps only.
pub fn step_info(key: &'static str) -> InfoSpec {
    info(key, &[]).only_after_steps()
}

/// A number that is told after steps only, a Python float times one of single precision: in gymnasium float32 with numpy 2, float64 with
/// numpy 1.
pub fn product_info(key: &'static str) -> InfoSpec {
    if numeric::keeps_single() { single_info(key) } else { step_info(key) }
}

/// A number that is told after steps only, in gymnasium as float32.
pub fn single_info(key: &'static str) -> InfoSpec {
    InfoSpec { dtype: Dtype::F32, ..step_info(key) }
}

/// Refuses a model that has too few positions, velocities or sites.
///
/// # Errors
/// `Value`.
pub fn check_sizes(model: &Model, nq: usize, nv: usize, nsite: usize) -> Result<()> {
    let sizes = model.sizes();
    if sizes.nq >= nq && sizes.nv >= nv && sizes.nsite >= nsite {
        return Ok(());
    }
    let got = format!("a model of {} positions, {} velocities and {} sites", sizes.nq, sizes.nv, sizes.nsite);
    Err(envpool_rs_engine::Error::Value(format!("xml_file is {got}: expected {nq}, {nv} and {nsite} or more")))
}

/// The body of this name.
///
/// # Errors
/// `Value` where the model has none.
pub fn body(model: &Model, name: &str) -> Result<usize> {
    let id = model.id(envpool_rs_sim_mujoco::ObjectKind::Body, name);
    id.ok_or_else(|| envpool_rs_engine::Error::Value(format!("xml_file is a model without a body {name:?}")))
}

/// Spaces of a robot, whose observation is so many numbers, `stacked` times if that is not once.
pub fn spec(len: usize, stacked: usize, low: Vec<f64>, high: Vec<f64>) -> EnvSpec {
    use envpool_rs_engine::Space;
    let shape = if stacked == 1 { vec![len] } else { vec![stacked, len] };
    let observation = Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &shape, Dtype::F64);
    let control = |dtype| Space::Box { low: low.clone(), high: high.clone(), shape: vec![low.len()], dtype };
    EnvSpec {
        envpool_observation: Some(observation.clone()),
        envpool_action: Some(control(Dtype::F64)),
        ..EnvSpec::new(observation, control(Dtype::F32))
    }
}
