//! Tasks in which a hand on a slide moves an object along a motion or to a target (`TrackEnv` of MyoDM).

use std::f64::consts::PI;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::env::MYOSUITE_DIR;
use super::task::{Class, Late, ModelSpec, Outcome, Rules, Scene, can_draw};
use crate::errors::to_error;
use crate::names::Names;
use crate::robot::{Writer, flag, number};
use crate::rotations::{Quaternion, euler_to_quaternion, matrix_to_quaternion, quaternion_to_euler};
use crate::vector::{Vec3, sub, vec3};
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_numeric::{numpy, numpy_ufuncs};
use envpool_rs_sim_mujoco::model_overrides::GEOM_RGBA;
use envpool_rs_sim_mujoco::{Data, Fault, model_generator};

/// Number of the model's positions that are not the hand's: three slides and three hinges of the object.
const OBJECT: usize = 6;
/// Simulation steps per step.
const FRAME_SKIP: i64 = 10;
/// Frames of a motion per second.
const RATE: f64 = 50.0;
/// Height in metres above the model's place of the object from which the object is lifted.
const LIFT: f64 = 0.02;
/// Square of the distance in metres, of the object from its target or from the wrist, from which an episode terminates.
const FAR: f64 = 0.25 * 0.25;
/// Square of the norm of the hand's error in radians from which an episode can terminate.
const MAX_ERROR: f64 = 0.75;

/// Position in metres, and orientation as a quaternion.
type Pose = [f64; POSE];
/// Number of values of a pose.
const POSE: usize = 7;

/// Arguments of a task.
pub struct Track {
    /// Name of the object.
    pub object: &'static str,
    /// Motion of hand and object.
    pub motion: Motion,
}

/// Motion of hand and object.
pub enum Motion {
    /// File of frames in the package.
    File(&'static str),
    /// Pose of the object at the start, and its constant target.
    Fixed(Pose, Pose),
    /// Pose of the object at the start, and bounds of its target, which is drawn for each observation.
    Random(Pose, [Pose; 2]),
}

impl Class for Track {
    fn options(&self) -> Vec<OptionSpec> {
        let mut options = vec![
            flag("Termimate_obj_fail", true, "whether episodes end when the object is far from its target or from the wrist")
                .per_episode(),
            flag("Termimate_pose_fail", false, "whether episodes end when the hand is far from its target").per_episode(),
        ];
        let file = match self.motion {
            Motion::File(_) => "npz file of a motion, with 50 frames per second; None: the task's",
            Motion::Fixed(..) => "npz file of a target, one frame with velocities; None: the task's",
            Motion::Random(..) => "npz file of a target's lower and upper bounds, two frames with velocities; None: the task's",
        };
        options.push(OptionSpec::path("reference", file));
        if matches!(self.motion, Motion::File(_)) {
            options.push(number("motion_start_time", 0.0, "time of the motion at which episodes start, in seconds"));
        }
        options
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["pose", "object", "bonus", "penalty"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        vec![("pose", 0.0), ("object", 1.0), ("bonus", 1.0), ("penalty", -2.0)]
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        let hand = model.nq - OBJECT;
        let velocities = if matches!(self.motion, Motion::File(_)) { 1 } else { hand };
        model.nq + model.nv + hand + velocities + 3
    }

    /// Targets of the hand's positions and velocities and of the object, if they are drawn.
    fn goal_len(&self, model: &ModelSpec) -> usize {
        if matches!(self.motion, Motion::Random(..)) { 2 * (model.nq - OBJECT) + POSE } else { 0 }
    }

    fn object(&self) -> Option<&'static str> {
        Some(self.object)
    }

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        let skip = options.int("frame_skip");
        if skip != FRAME_SKIP {
            return Err(Error::value("frame_skip", skip, "10, at which each step reaches a frame of the motion"));
        }
        let own = options.text("reference").map(PathBuf::from);
        let (start, reference) = match self.motion {
            Motion::File(file) => {
                let folder = Path::new(options.text(MYOSUITE_DIR).unwrap_or_default()).join("envs/myo/myodm/data");
                (options.float("motion_start_time"), own.or_else(|| Some(folder.join(file))))
            }
            _ => (0.0, own),
        };
        if start < 0.0 || rounded(start) != rounded((start * RATE).round() / RATE) {
            return Err(Error::value("motion_start_time", start, "the time of a frame, a multiple of 0.02 seconds"));
        }
        let [object_ends, hand_ends] = ["Termimate_obj_fail", "Termimate_pose_fail"].map(|name| options.bool(name));
        Ok(Box::new(TrackRules { task: self, reference, start, object_ends, hand_ends, bound: Late::NONE }))
    }
}

struct TrackRules {
    task: &'static Track,
    /// Path of the motion, if it is in a file.
    reference: Option<PathBuf>,
    /// Time of the motion at the start of an episode in seconds.
    start: f64,
    /// Whether an episode terminates when the object is far away.
    object_ends: bool,
    /// Whether an episode terminates when the hand is far from its target.
    hand_ends: bool,
    bound: Late<Bound>,
}

/// Ids of the model's objects, and what all episodes share.
struct Bound {
    object: usize,
    wrist: usize,
    target: usize,
    skin: usize,
    /// Height of the object and of its target from which it is lifted.
    lifted: f64,
    reference: Reference,
}

/// Motion, fixed target (one frame) or bounds of a target (two frames).
struct Reference {
    /// Joint positions of the hand in each frame, one frame after another.
    hand: Vec<f64>,
    /// Velocities of the joints in each frame; none in a motion.
    speeds: Vec<f64>,
    /// Pose of the object in each frame.
    poses: Vec<Pose>,
    /// Joint positions of the hand and pose of the object at the start of an episode.
    start: (Vec<f64>, Pose),
}

impl Reference {
    /// Creates a target, or bounds of one, in which the hand's positions and velocities are 0.
    fn new(joints: usize, start: Pose, poses: &[Pose]) -> Self {
        let [hand, speeds] = [(); 2].map(|()| vec![0.0; joints * poses.len()]);
        Self { hand, speeds, poses: poses.to_vec(), start: (vec![0.0; joints], start) }
    }
}

impl TrackRules {
    /// Returns the targets of the hand's positions and velocities and of the object at a time. Motions have no velocities.
    fn targets<'a>(&'a self, goal: &'a [f64], time: f64, joints: usize) -> (&'a [f64], &'a [f64], Pose) {
        let Reference { hand, speeds, poses, .. } = &self.bound.reference;
        match self.task.motion {
            Motion::File(_) => {
                let frame = (rounded(time + self.start) * RATE).round() as usize;
                let frame = frame.min(poses.len() - 1);
                (&hand[frame * joints..][..joints], &[], poses[frame])
            }
            Motion::Fixed(..) => (hand, speeds, poses[0]),
            Motion::Random(..) => {
                let (hand, rest) = goal.split_at(joints);
                let (speeds, pose) = rest.split_at(joints);
                (hand, speeds, pose.try_into().expect("the rest is a pose"))
            }
        }
    }
}

impl Rules for TrackRules {
    fn bind(&mut self, names: Names<'_>, start: &mut [f64]) -> Result<()> {
        let mut data = Data::new(names.0).map_err(to_error)?;
        data.kinematics().map_err(to_error)?;
        let object = names.body(self.task.object)?;
        let count = start.len() - OBJECT;
        let (hand, pose) = start.split_at_mut(count);
        let (frames, reference) = match &self.task.motion {
            Motion::File(_) => (3..usize::MAX, None),
            Motion::Fixed(start, target) => (1..2, Some(Reference::new(count, *start, &[*target]))),
            Motion::Random(start, bounds) => (2..3, Some(Reference::new(count, *start, bounds))),
        };
        let reference = match &self.reference {
            Some(path) => read_reference(path, count, frames)?,
            None => reference.expect("motions are in files"),
        };
        hand.copy_from_slice(&reference.start.0);
        let [place @ .., w, x, y, z] = reference.start.1;
        pose[..3].copy_from_slice(&place);
        pose[3..].copy_from_slice(&quaternion_to_euler(&[w, x, y, z]));
        self.bound = Late::from(Bound {
            object,
            wrist: names.body("lunate")?,
            target: names.site("target")?,
            skin: names.geom("body")?,
            lifted: data.xipos()[3 * object + 2] + LIFT,
            reference,
        });
        Ok(())
    }

    fn start(&self, _data: &mut Data, _goal: &mut [f64], _random: &mut Generator) -> Result<(), Fault> {
        Ok(())
    }

    /// The package takes a step, which is observed, when it creates an environment.
    fn draw_at_creation(&self, goal: &mut [f64], random: &mut Generator) {
        self.draw_at_observation(goal, random);
    }

    fn draw_at_observation(&self, goal: &mut [f64], random: &mut Generator) {
        if let (Motion::Random(..), Reference { hand, speeds, poses, .. }) = (&self.task.motion, &self.bound.reference) {
            let bounds = [hand, speeds, poses.as_flattened()].map(|values| values.split_at(values.len() / 2));
            let bounds = bounds.into_iter().flat_map(|(low, high)| low.iter().zip(high));
            goal.iter_mut().zip(bounds).for_each(|(goal, (low, high))| *goal = random.uniform(*low, *high));
        }
    }

    fn evaluate(
        &self,
        data: &mut Data,
        goal: &mut [f64],
        scene: &Scene,
        [frame, rewards]: [&mut Writer<'_>; 2],
    ) -> Result<Outcome, Fault> {
        data.kinematics()?;
        let Bound { object, wrist, lifted, .. } = *self.bound;
        let count = data.qpos().len() - OBJECT;
        let (hand, wanted, [target @ .., w, x, y, z]) = self.targets(goal, scene.time, count);
        let place = vec3(data.xipos(), 3 * object);
        let turned = matrix_to_quaternion(&data.ximat()[9 * object..]);
        let errors: Vec<_> = data.qpos().iter().zip(hand).map(|(position, target)| position - target).collect();
        let mut speeds: Vec<_> = data.qvel().iter().zip(wanted).map(|(speed, target)| speed - target).collect();
        if speeds.is_empty() {
            speeds.push(0.0); // which the package observes in motions
        }
        let (off, apart) = (sub(place, target), sub(place, vec3(data.xipos(), 3 * wrist)));
        [data.qpos(), data.qvel(), &errors, &speeds, &off].into_iter().for_each(|values| frame.add(values));
        let [error, speed, off, apart] = [&*errors, &speeds, &off, &apart].map(numpy::sum_of_squares);

        let pose = 0.35 * numpy_ufuncs::exp(-5.0 * error) + 0.05 * numpy_ufuncs::exp(-0.1 * speed);
        let turn = angle_between(&turned, &[w, x, y, z]) / PI;
        let object = numpy_ufuncs::exp(-50.0 * (off.sqrt() + 0.1 * turn)) + numpy_ufuncs::exp(-40.0 * apart.sqrt());
        let bonus = f64::from(u8::from(target[2] >= lifted && place[2] >= lifted));
        let is_done = self.object_ends && (off >= FAR || apart >= FAR) || self.hand_ends && error >= MAX_ERROR;
        let penalty = f64::from(u8::from(is_done));
        rewards.add(&[pose, object, bonus, penalty]);
        Ok(Outcome { sparse: 0.0, is_solved: false, is_done })
    }

    fn shown(&self, data: &mut Data, goal: &[f64]) -> Result<Vec<(usize, Vec3)>, Fault> {
        let Bound { target, skin, .. } = *self.bound;
        data.model_array_mut(GEOM_RGBA)[4 * skin + 3] = 0.0;
        let time = *data.time_mut();
        let (.., pose) = self.targets(goal, time, data.qpos().len() - OBJECT);
        Ok(vec![(target, vec3(&pose, 0))])
    }
}

/// Returns a time in seconds, rounded as the package rounds it (`np.around` to four digits).
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e4).round_ties_even() / 1e4
}

/// Returns the angle of the turn from the second orientation to the first in radians (`quatDiff2Vel`).
fn angle_between(first: &Quaternion, second: &Quaternion) -> f64 {
    let ([w, x, y, z], [c, i, j, k]) = (*first, *second);
    let (i, j, k) = (-i, -j, -k);
    let cosine = w * c - x * i - y * j - z * k;
    let axis = [w * i + x * c + y * k - z * j, w * j - x * k + y * c + z * i, w * k + x * j - y * i + z * c];
    (2.0 * numpy_ufuncs::arctan2(numpy::sum_of_squares(&axis).sqrt(), cosine)).abs()
}

/// Reads a reference of `joints` joints from the file `path`.
fn read_reference(path: &Path, joints: usize, expected: Range<usize>) -> Result<Reference> {
    let text = match expected.start {
        1 => format!("a file of a target with one frame, of {joints} joints, their velocities, and a pose"),
        2 => format!("a file of bounds with two frames, of {joints} joints, their velocities, and a pose each"),
        _ => format!("a file with 50 frames per second, of {joints} joints and a pose each, without velocities"),
    };
    let because = |reason: &str| Error::value("reference", format_args!("{path:?}"), format!("{text}{reason}"));
    let refused = || because("");
    if !path.is_file() {
        return Err(Error::NotFound(format!("reference={path:?}: there is no such file")));
    }
    let is_motion = expected.start > 2;
    let name = format!("{} {}", if is_motion { "myosuite_motion" } else { "myosuite_target" }, path.display());
    let bytes = model_generator::generated_bytes(&name).map_err(|fault| match fault {
        Fault::Unmade { reason, .. } => because(&format!(" ({reason})")),
        fault => to_error(fault),
    })?;
    let numbers: Vec<_> = bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    let [frames, width, numbers @ ..] = &numbers[..] else { return Err(refused()) };
    let frames = *frames as usize;
    let (times, velocities) = if is_motion { (frames, 0) } else { (0, frames) };
    if !expected.contains(&frames)
        || *width as usize != joints
        || numbers.len() < times + (frames + velocities + 1) * joints + frames * POSE
    {
        return Err(refused());
    }
    let (times, numbers) = numbers.split_at(times);
    let (speeds, numbers) = numbers.split_at(velocities * joints);
    let (hand, numbers) = numbers.split_at(frames * joints);
    let (poses, numbers) = numbers.split_at(frames * POSE);
    let (first_hand, first) = numbers.split_at(joints);
    let is_regular = times.iter().enumerate().all(|(frame, time)| rounded(*time) == rounded(frame as f64 / RATE));
    let can_draw = |values: &[f64]| {
        let (low, high) = values.split_at(values.len() / 2);
        low.iter().zip(high).all(|(low, high)| can_draw(*low, *high))
    };
    if !is_regular || frames == 2 && ![speeds, hand, poses].into_iter().all(can_draw) {
        return Err(refused());
    }
    let first = match *first {
        [x, y, z, i, j, k] => {
            let [w, i, j, k] = euler_to_quaternion(&[i, j, k]);
            [x, y, z, w, i, j, k]
        }
        _ => first.try_into().map_err(|_| refused())?,
    };
    let [hand, speeds] = [hand, speeds].map(<[f64]>::to_vec);
    Ok(Reference { hand, speeds, poses: poses.as_chunks().0.to_vec(), start: (first_hand.to_vec(), first) })
}
