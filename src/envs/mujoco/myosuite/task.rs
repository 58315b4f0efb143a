//! Tables and traits of a class of tasks.

use std::cell::Cell;
use std::ops::Deref;

use super::streams::Streams;
use crate::errors::to_error;
use crate::names::Names;
use crate::robot::{Range, Writer};
use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_numeric::numpy;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Fault, Model};

/// Model file of the package, with its sizes.
pub struct ModelSpec {
    /// Path in the folder of the package `myosuite`.
    pub file: &'static str,
    /// Name of the registered generator that makes the model from the file, if the package changes it before it compiles it.
    pub generator: Option<&'static str>,
    /// Duration of a simulation step in seconds.
    pub timestep: f64,
    /// Number of positions.
    pub nq: usize,
    /// Number of velocities.
    pub nv: usize,
    /// Number of actuators.
    pub nu: usize,
    /// Number of activations of muscles.
    pub na: usize,
}

/// Task as the package registers it: its id, model, step limit and class.
pub struct TaskSpec {
    /// Id of the plain task, without a condition of the muscles.
    pub id: &'static str,
    /// Model of the simulation.
    pub model: &'static ModelSpec,
    /// Step limit of an episode.
    pub steps: u32,
    /// Simulation steps per step.
    pub frame_skip: i64,
    /// Class of the environment, with the arguments of this task.
    pub class: &'static dyn Class,
}

/// Height in metres of a terrain that no step touches.
pub const UNUSED: f64 = -10.0;

/// Class of environments of the package, with the arguments of a task.
pub trait Class: Sync {
    /// Returns the options that only tasks of this class have, apart from the weights of the reward.
    fn options(&self) -> Vec<OptionSpec> {
        Vec::new()
    }

    /// Returns the keys of the parts of the reward (`rwd_dict`), in order.
    fn reward_keys(&self) -> &'static [&'static str];

    /// Returns the weights of parts of the reward (`weighted_reward_keys`), in the order in which they are summed from left to right, as
    /// numpy sums fewer than eight parts.
    fn weights(&self) -> Vec<(&'static str, f64)>;

    /// Returns the number of observed values, without the activations.
    fn observed(&self, model: &ModelSpec) -> usize;

    /// Returns the number of values that a lane stores: its goal, and what its rules remember.
    fn goal_len(&self, model: &ModelSpec) -> usize;

    /// Returns the height in metres to which the package moves the geom `terrain`, if it does: [`UNUSED`] is out of reach.
    fn terrain_height(&self) -> Option<f64> {
        None
    }

    /// Returns the name that replaces `OBJECT_NAME` in the text of the model, if any.
    fn object(&self) -> Option<&'static str> {
        None
    }

    /// Describes what [`change`](Self::change) does to the model. Tasks with other changes have another text.
    fn changes(&self) -> &'static str {
        ""
    }

    /// Returns the names of the bodies whose geoms episodes change.
    fn shaped(&self) -> &'static [&'static str] {
        &[]
    }

    /// Changes the model as all episodes do.
    ///
    /// # Errors
    /// `Value` if the model lacks an object.
    fn change(&self, _model: &mut Model) -> Result<()> {
        Ok(())
    }

    /// Returns the reason why no native step is possible, if any.
    fn obstacle(&self) -> Option<&'static str> {
        None
    }

    /// Returns whether the actions of motors are scaled to their ranges although the model has muscles.
    fn scales_motors(&self) -> bool {
        false
    }

    /// Returns whether muscles stay tired in further episodes.
    fn keeps_fatigue(&self) -> bool {
        false
    }

    /// Returns the number of the last actuators whose controls the rules compute, instead of the caller's action.
    fn own_controls(&self) -> usize {
        0
    }

    /// Creates the rules from the values of the options.
    ///
    /// # Errors
    /// `Value` for a value that the package does not take, naming the option.
    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>>;
}

/// Quantities of the present state of which several classes compute rewards.
pub struct Scene {
    /// Duration of a step in seconds (`dt`).
    pub seconds: f64,
    /// Time since the start of the episode in seconds: 0 after a reset.
    pub time: f64,
    /// Value of the info `time`, which rules may change.
    pub shown_time: Cell<f64>,
    /// Mean activation of the muscles (`act_mag`): the norm of the activations divided by their number.
    pub effort: f64,
}

/// Reward and end of a step.
pub struct Outcome {
    /// Reward of the type `sparse`, which is only an info.
    pub sparse: f64,
    /// Whether the task is solved.
    pub is_solved: bool,
    /// Whether the episode terminates.
    pub is_done: bool,
}

/// Rules of a task: start, observation, rewards.
pub trait Rules: Send + Sync {
    /// Looks up the objects of the model. `start` has the positions in which episodes start, which the rules may change.
    ///
    /// # Errors
    /// `Value` if the model lacks an object.
    fn bind(&mut self, names: Names<'_>, start: &mut [f64]) -> Result<()>;

    /// Starts an episode: draws its goal, and changes the start of the simulation, which has been reset. The goal and the changes
    /// of the model are those of the episode before.
    fn start(&self, data: &mut Data, goal: &mut [f64], random: &mut Generator) -> Result<(), Fault>;

    /// Draws what the package draws when it creates an environment, before the first episode.
    fn draw_at_creation(&self, _goal: &mut [f64], _random: &mut Generator) {}

    /// Returns whether the package draws another start than the one that has just been observed, which stays the observation.
    fn is_rejected(&self, _data: &mut Data) -> Result<bool, Fault> {
        Ok(false)
    }

    /// Returns how often a reset draws the fatigue of muscles.
    fn fatigue_draws(&self) -> usize {
        1
    }

    /// Draws the part of the goal that differs in each observation.
    fn draw_at_observation(&self, _goal: &mut [f64], _random: &mut Generator) {}

    /// Starts an episode that draws from several streams, as [`Rules::start`].
    fn begin(&self, data: &mut Data, goal: &mut [f64], random: &mut Streams) -> Result<(), Fault> {
        self.start(data, goal, &mut random.environment)
    }

    /// Advances what moves without the simulation by `seconds`, in each step before [`Rules::evaluate`].
    fn advance(&self, _goal: &mut [f64], _random: &mut Generator, _seconds: f64) {}

    /// Sets the controls of [`Class::own_controls`], before the simulation steps of a step.
    fn control(&self, _goal: &mut [f64], _controls: &mut [f64]) {}

    /// Writes the observation without the activations, and the parts of the reward, of the present state. Only positions,
    /// velocities and activations are known of the simulation. Called once after each start and each step.
    fn evaluate(&self, data: &mut Data, goal: &mut [f64], scene: &Scene, to: [&mut Writer<'_>; 2]) -> Result<Outcome, Fault>;

    /// Returns sites that pictures show elsewhere than the model has them, with their positions. Derived quantities of the
    /// simulation become undefined.
    fn shown(&self, _data: &mut Data, _goal: &[f64]) -> Result<Vec<(usize, [f64; 3])>, Fault> {
        Ok(Vec::new())
    }
}

/// What [`Rules::bind`] looks up in the model.
pub struct Late<T>(Option<T>);

impl<T> Late<T> {
    /// Value before the model is loaded.
    pub const NONE: Self = Self(None);
}

impl<T> From<T> for Late<T> {
    fn from(value: T) -> Self {
        Self(Some(value))
    }
}

impl<T> Deref for Late<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("lanes are made of a loaded model")
    }
}

/// Returns which kinds of objects contacts have, 1 or 0 for each. `kind` returns the kind of the geoms of a contact, if it counts.
pub fn touching<const KINDS: usize>(data: &mut Data, kind: impl Fn([usize; 2]) -> Option<usize>) -> Result<[f64; KINDS], Fault> {
    data.find_contacts_of_poses()?;
    let mut touching = [0.0; KINDS];
    let kinds = data.contact_geoms().filter_map(|geoms| kind(geoms.map(|geom| geom as usize)));
    kinds.for_each(|kind| touching[kind] = 1.0);
    Ok(touching)
}

/// Returns the mean of the forces of the joints' limits, in N or Nm, each divided by the one that hurts most and at most 1.
pub fn pain(data: &Data, joints: &[usize]) -> f64 {
    const WORST: f64 = 1000.0;
    joints.iter().fold(0.0, |sum, joint| sum + data.joint_limit_force(*joint).min(WORST) / WORST) / joints.len() as f64
}

/// Joints whose limits hurt.
pub const HURTING: &str = "hip_adduction_l hip_adduction_r hip_flexion_l hip_flexion_r hip_rotation_l hip_rotation_r knee_angle_l \
    knee_angle_l_rotation2 knee_angle_l_rotation3 mtp_angle_l ankle_angle_l subtalar_angle_l";

/// Looks up each of the names, which spaces separate.
///
/// # Errors
/// `Value` if the model lacks one.
pub fn each(names: &str, find: impl Fn(&str) -> Result<usize>) -> Result<Vec<usize>> {
    names.split_whitespace().map(find).collect()
}

/// Sites of a model with their targets, which are sites called `..._target` at rest.
#[derive(Default)]
pub struct Sites {
    /// Ids of the sites.
    pub tips: Vec<usize>,
    /// Ids of their targets.
    pub targets: Vec<usize>,
}

impl Sites {
    /// Looks up the sites `names` and their targets.
    ///
    /// # Errors
    /// `Value` if the model lacks one.
    pub fn bind(model: Names<'_>, names: &[&str]) -> Result<Self> {
        let ids = |end: &str| names.iter().map(|name| model.site(&format!("{name}{end}"))).collect::<Result<_>>();
        Ok(Self { tips: ids("")?, targets: ids("_target")? })
    }
}

/// Returns the length of a vector, as `np.linalg.norm(vector, axis=-1)` adds its squares.
pub fn length(vector: &[f64]) -> f64 {
    numpy::sum_of_squares(vector).sqrt()
}

/// Declares an option whose value is an interval: a lower and an upper bound.
pub fn interval(name: &'static str, default: Range, doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, vec![default.low, default.high], doc).bounds().per_episode()
}

/// Declares an option whose value is a list of numbers.
pub fn list(name: &'static str, default: &[f64], doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, default.to_vec(), doc).per_episode()
}

/// Declares an option with the bounds of several numbers: the lower ones, then the upper ones.
pub fn bounds<const COUNT: usize>(name: &'static str, default: &Bounds<COUNT>, doc: &'static str) -> OptionSpec {
    list(name, default.as_flattened(), doc)
}

/// Declares an option with values from which users choose.
pub fn choice(name: &'static str, default: &'static str, values: &'static [&'static str], doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, default, doc).one_of(values).per_episode()
}

/// Lower bounds of several numbers, and upper bounds.
pub type Bounds<const COUNT: usize> = [[f64; COUNT]; 2];

/// Returns the value of an option that is a list of numbers.
pub fn numbers_of<'a>(options: &'a Options, name: &str) -> &'a [f64] {
    let Value::Floats(values) = options.get(name) else { unreachable!("the option {name} is a list") };
    values
}

/// Returns the value of an option that is an interval from which numpy draws.
///
/// # Errors
/// `Value`, naming the option.
pub fn interval_of(options: &Options, name: &str) -> Result<Range> {
    let bounds = numbers_of(options, name);
    match can_draw(bounds[0], bounds[1]) {
        true => Ok(Range { low: bounds[0], high: bounds[1] }),
        false => {
            Err(Error::value(name, options.get(name), "two finite numbers with a finite difference, from which numpy draws"))
        }
    }
}

/// Returns the value of an option that is a list of `COUNT` numbers.
///
/// # Errors
/// `Value`, naming the option.
pub fn list_of<const COUNT: usize>(options: &Options, name: &str) -> Result<[f64; COUNT]> {
    sized_list_of(options, name, COUNT).map(|values| values.try_into().expect("the number is checked"))
}

/// Returns the value of an option that is a list of `count` numbers.
///
/// # Errors
/// `Value`, naming the option.
pub fn sized_list_of<'a>(options: &'a Options, name: &str, count: usize) -> Result<&'a [f64]> {
    let values = numbers_of(options, name);
    let refused = || Error::value(name, options.get(name), format!("a list of {count} numbers"));
    if values.len() == count { Ok(values) } else { Err(refused()) }
}

/// Returns the value of an option that is a list of `COUNT` changes, each of which is drawn in both directions.
///
/// # Errors
/// `Value`, naming the option.
pub fn changes_of<const COUNT: usize>(options: &Options, name: &str) -> Result<[f64; COUNT]> {
    let changes = list_of(options, name)?;
    match changes.iter().all(|change| can_draw(-change, *change)) {
        true => Ok(changes),
        false => Err(Error::value(name, options.get(name), "numbers from 0 to half of the largest float")),
    }
}

/// Returns the value of an option with the bounds of `total` numbers, from which numpy draws: each `COUNT` lower bounds are followed by
/// as many upper ones.
///
/// # Errors
/// `Value`, naming the option.
pub fn bounds_of<const COUNT: usize>(options: &Options, name: &str, total: usize) -> Result<Vec<Bounds<COUNT>>> {
    let values = numbers_of(options, name);
    let all: Vec<Bounds<COUNT>> = values.as_chunks().0.as_chunks().0.to_vec();
    let is_drawn = |[low, high]: &Bounds<COUNT>| low.iter().zip(high).all(|(low, high)| can_draw(*low, *high));
    if values.len() == 2 * total && all.iter().all(is_drawn) {
        return Ok(all);
    }
    let len = 2 * total;
    Err(Error::value(
        name,
        options.get(name),
        format!("{len} numbers: {COUNT} lower bounds, then upper ones that are not smaller, with finite differences, and so on"),
    ))
}

/// Returns the value of an option with the bounds of `COUNT` numbers.
///
/// # Errors
/// `Value`, naming the option.
pub fn box_of<const COUNT: usize>(options: &Options, name: &str) -> Result<Bounds<COUNT>> {
    bounds_of(options, name, COUNT).map(|bounds| bounds[0])
}

/// Returns the value of an option that is a list of `count` probabilities. Their sum is 1, as `np.isclose` compares it.
///
/// # Errors
/// `Value`, naming the option.
pub fn probabilities_of<'a>(options: &'a Options, name: &str, count: usize) -> Result<&'a [f64]> {
    let values = numbers_of(options, name);
    let is_whole = (numpy::sum(values) - 1.0).abs() <= 1e-8 + 1e-5;
    match is_whole && values.len() == count && values.iter().all(|value| (0.0..=1.0).contains(value)) {
        true => Ok(values),
        false => Err(Error::value(name, options.get(name), format!("{count} numbers from 0 to 1 with the sum 1"))),
    }
}

/// Returns the index of the first position of each joint of a model, with the joint's range.
pub fn positions_with_ranges(names: Names<'_>) -> Vec<(usize, Range)> {
    let ranges = names.0.jnt_range().as_chunks::<2>().0.iter().map(|[low, high]| Range { low: *low, high: *high });
    names.0.jnt_qposadr().iter().map(|index| *index as usize).zip(ranges).collect()
}

/// Returns the positions in the first keyframe of a model.
///
/// # Errors
/// `Value` if the model has none.
pub fn first_keyframe(names: Names<'_>) -> Result<&[f64]> {
    names.0.key_qpos(0).ok_or_else(|| Error::Value("the model has no keyframe".to_owned()))
}

/// Draws a number between each pair of bounds.
pub fn uniform<const COUNT: usize>(random: &mut Generator, [low, high]: &Bounds<COUNT>) -> [f64; COUNT] {
    std::array::from_fn(|index| random.uniform(low[index], high[index]))
}

/// Returns whether numpy draws numbers between these bounds.
pub fn can_draw(low: f64, high: f64) -> bool {
    let width = high - low;
    width.is_finite() && width.is_sign_positive()
}

/// Returns a simulation of a model in the positions of its file.
///
/// # Errors
/// `State` if MuJoCo reports an error.
pub fn rest_pose(names: Names<'_>) -> Result<Data> {
    let mut data = Data::new(names.0).map_err(to_error)?;
    data.kinematics().map_err(to_error)?;
    Ok(data)
}

/// Returns 1 if `is`, else 0.
pub fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// Writes the positions, and the velocities times the duration of a step, of all but the last joints of a model. `object` has the
/// numbers of positions and velocities of the other joints.
pub fn observe_joints(data: &Data, scene: &Scene, frame: &mut Writer<'_>, object: [usize; 2]) {
    frame.add(&data.qpos()[..data.qpos().len() - object[0]]);
    frame.add_mapped(&data.qvel()[..data.qvel().len() - object[1]], |velocity| velocity * scene.seconds);
}

/// Changes the start of a hand to open fingers, and turns the forearm to `turn` in radians. The last `object` positions stay.
pub fn open_hand(start: &mut [f64], object: usize, turn: f64) {
    let joints = start.len() - object;
    start[..joints].iter_mut().for_each(|position| *position *= 0.0);
    start[0] = turn;
}

/// Returns 1 for each threshold that the distance is below.
pub fn bonus(distance: f64, thresholds: [f64; 2]) -> f64 {
    let [first, second] = thresholds.map(|threshold| flag(distance < threshold));
    first + second
}

/// Computes all derived quantities (`mj_forward`) as the package's second simulation does, which has no controls and takes no steps.
pub fn forward_observed(data: &mut Data) -> Result<(), Fault> {
    let (controls, warm_start) = (data.ctrl().to_vec(), data.qacc_warmstart().to_vec());
    data.ctrl_mut().fill(0.0);
    data.qacc_warmstart_mut().fill(0.0);
    data.forward()?;
    data.ctrl_mut().copy_from_slice(&controls);
    data.qacc_warmstart_mut().copy_from_slice(&warm_start);
    Ok(())
}
