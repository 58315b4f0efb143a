//! Reward functions that several tasks share (`metaworld.utils.reward_utils` and `_gripper_caging_reward`).

use super::number::Number;
use super::task::{Episode, Outcome, Step, flag};
use crate::rewards::{Sigmoid, Tolerance};
use crate::vector::{Vec3, distance, distance_xz};
use envpool_rs_numeric::{numpy, numpy_ufuncs};

/// Reward at the distance `margin` from the interval.
const AT_MARGIN: f64 = 0.1;

/// Computes `tolerance(..., sigmoid="long_tail")`: 1 within `bounds`, and 0.1 at the distance `margin` from them.
pub fn tolerance(value: f64, bounds: (f64, f64), margin: f64) -> f64 {
    Tolerance::new(bounds.0, bounds.1).with_sigmoid(Sigmoid::LongTail, margin, AT_MARGIN).of(value)
}

/// Computes `tolerance(..., sigmoid="gaussian")`: 1 within `bounds`, and 0.1 at the distance `margin` from them.
pub fn gaussian_tolerance(value: f64, bounds: (f64, f64), margin: f64) -> f64 {
    Tolerance::new(bounds.0, bounds.1).with_sigmoid(Sigmoid::Gaussian, margin, AT_MARGIN).of(value)
}

/// Computes the Hamacher product of two numbers from 0 to 1: `a * b / (a + b - a * b)`.
pub fn hamacher(first: impl Into<Number>, second: impl Into<Number>) -> Number {
    let (first, second) = (first.into(), second.into());
    let denominator = first + second - first * second;
    if denominator.value() > 0.0 { first * second / denominator } else { Number::Python(0.0) }
}

/// Computes [`hamacher`] of two float64 numbers.
pub fn hamacher_product(first: f64, second: f64) -> f64 {
    hamacher(first, second).value()
}

/// Computes the reward for grasping an object and moving it to its goal. `held` is added while the gripper holds the object; the
/// reward is 10 where the task `is_done`.
pub fn grasp_and_move(grasped: impl Into<Number>, in_place: impl Into<Number>, held: Option<Number>, is_done: bool) -> Number {
    match held {
        _ if is_done => Number::Python(10.0),
        Some(held) => hamacher(grasped, in_place) + (1.0 + held),
        None => hamacher(grasped, in_place),
    }
}

/// Returns the height of a funnel at the distance `radius` from its axis: 0 up to `threshold`, otherwise
/// `scale * log(radius - threshold) + height`.
pub fn funnel(radius: f64, threshold: f64, scale: f64, height: f64) -> f64 {
    if radius <= threshold { 0.0 } else { scale * numpy_ufuncs::log(radius - threshold) + height }
}

/// Computes the reward for a height `z` above the floor `floor`: 1 above it, and 0.1 at the distance `margin` below it.
pub fn above_floor(z: f64, floor: f64, margin: f64) -> f64 {
    if z >= floor { 1.0 } else { tolerance(floor - z, (0.0, 0.01), margin) }
}

/// Computes the reward for closing the gripper, from 0 to 1 (`_reward_grab_effort`).
pub fn grab_effort(step: &Step<'_, '_>) -> f64 {
    ((Number::single(step.action[3]).max(-1.0).min(1.0) + 1.0) / 2.0).value()
}

/// Computes the reward for the first object's orientation: 1 at `ideal`, and 0 at the distance `limit` from it (`_reward_quat`).
pub fn orientation(step: &Step<'_, '_>, ideal: [f64; 4], limit: f64) -> f64 {
    let error = numpy::norm(&[0, 1, 2, 3].map(|index| step.observation[7 + index] - ideal[index]));
    (1.0 - error / limit).max(0.0)
}

/// Returns the point on the first object's handle that is closest to the hand. The handle has the length `length` along x.
pub fn on_handle(step: &Step<'_, '_>, length: f64) -> Vec3 {
    let ([x, y, z], hand) = (step.object(), step.hand()[0]);
    if (x - hand).abs() < length / 2.0 { [hand, y, z] } else { [x, y, z] }
}

/// Rewards of a task with three stages: be ready to grasp an object, grasp it, and move it to its goal.
pub struct Stages {
    /// Reward of the step.
    pub reward: Number,
    /// Whether the task is solved.
    pub is_success: bool,
    /// Reward for being ready, which is the info `near_object`.
    pub ready: f64,
    /// Reward for grasping the object.
    pub grasped: f64,
    /// Reward for the object's position.
    pub in_place: f64,
}

impl Stages {
    /// Returns reward and infos of the step.
    pub fn outcome(self) -> Outcome {
        Outcome {
            reward: self.reward,
            is_success: self.is_success,
            near_object: self.ready,
            grasp_success: flag(self.grasped >= 0.5),
            grasp_reward: self.grasped,
            in_place_reward: self.in_place,
            obj_to_target: 0.0,
        }
    }
}

/// Weight of being close to the object in the caging reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Density {
    /// The reward is only for gripping (neither `high_density` nor `medium_density`).
    Low,
    /// Half of the reward is for reaching the object (`medium_density`).
    Medium,
    /// Half of the reward is for caging the object (`high_density`).
    High,
}

/// Parameters of the reward for grasping an object (`SawyerXYZEnv._gripper_caging_reward`).
#[derive(Debug, Clone, Copy)]
pub struct Caging {
    /// Radius of the object's bounding sphere (`obj_radius`).
    pub radius: f64,
    /// Distance of the pads from the object that counts as success (`pad_success_thresh`).
    pub pad_threshold: f64,
    /// Distance of the gripper from the object that counts as success (`object_reach_radius`), only for medium density.
    pub reach_radius: f64,
    /// Distance of the gripper along x and z that counts as success (`xz_thresh`).
    pub xz_threshold: f64,
    /// Gripper effort that counts as closed (`desired_gripper_effort`), 1 by default.
    pub effort: f64,
    /// Weight of being close to the object.
    pub density: Density,
}

impl Caging {
    /// Computes the reward for an object at `object`. The object's initial position is `episode.object`.
    pub fn reward(&self, step: &Step<'_, '_>, episode: &Episode, object: Vec3) -> Number {
        let pads = [step.sim.left_pad()[1], step.sim.right_pad()[1]];
        let [left, right] = pads.map(|pad| {
            let margin = ((pad - episode.object[1]).abs() - self.pad_threshold).abs();
            tolerance((pad - object[1]).abs(), (self.radius, self.pad_threshold), margin)
        });
        let caging_y = hamacher_product(left, right);
        let tcp = step.sim.tcp_center();
        let margin = distance_xz(episode.object, episode.tcp) - self.xz_threshold;
        let caging_xz = tolerance(distance_xz(tcp, object), (0.0, self.xz_threshold), margin);
        let closed = step.closed(self.effort) / self.effort;
        let caging = hamacher_product(caging_y, caging_xz);
        let gripping = if caging > 0.97 { closed } else { Number::Python(0.0) };
        let reward = hamacher(caging, gripping);
        match self.density {
            Density::Low => reward,
            Density::High => (reward + caging) / 2.0,
            Density::Medium => {
                let margin = (distance(episode.object, episode.tcp) - self.reach_radius).abs();
                (reward + tolerance(distance(object, tcp), (0.0, self.reach_radius), margin)) / 2.0
            }
        }
    }
}

/// Parameters of the reward that some tasks define for pads around an object (their own `_gripper_caging_reward`).
#[derive(Debug, Clone, Copy)]
pub struct PadCaging {
    /// Radius of the object (`obj_radius`).
    pub radius: f64,
    /// Distance of the pads from the object that counts as gripping (`grip_success_margin`).
    pub grip: f64,
    /// Distance of the gripper along x and z that counts as success (`x_z_success_margin`).
    pub xz: f64,
}

impl PadCaging {
    /// Distance of the pads from the object that counts as success (`pad_success_margin`).
    pub const PADS: f64 = 0.05;

    /// Computes the Hamacher product of the tolerances of both pads' distances from the object along y.
    pub fn pads(step: &Step<'_, '_>, object: Vec3, bounds: (f64, f64)) -> f64 {
        let (left, right) = (step.sim.left_pad()[1], step.sim.right_pad()[1]);
        let [right, left] = [(object[1] - right, right), (left - object[1], left)].map(|(distance, pad)| {
            let margin = ((object[1] - pad).abs() - Self::PADS).abs();
            tolerance(distance, bounds, margin)
        });
        hamacher_product(right, left)
    }

    /// Computes the tolerance of the gripper's distance from the object along x and z.
    ///
    /// The reference computes norms of vectors with y = 0, which have the same bits as norms without y.
    pub fn along_xz(step: &Step<'_, '_>, episode: &Episode, object: Vec3, xz: f64) -> f64 {
        let margin = distance_xz(episode.object, episode.tcp) - xz;
        tolerance(distance_xz(step.sim.tcp_center(), object), (0.0, xz), margin)
    }

    /// Computes the reward for an object at `object`. The object's initial position is `episode.object`.
    pub fn reward(&self, step: &Step<'_, '_>, episode: &Episode, object: Vec3) -> f64 {
        let around = Self::pads(step, object, (self.radius, Self::PADS));
        let caging = hamacher_product(around, Self::along_xz(step, episode, object, self.xz));
        let gripping = if caging > 0.95 { Self::pads(step, object, (self.radius, self.grip)) } else { 0.0 };
        (caging + gripping) / 2.0
    }
}

/// Computes `rect_prism_tolerance`: the reward of a point in the box from the corner `zero` to the corner `one`; 1 outside.
///
/// The reward is a `np.float64` in the box, and a Python float outside.
pub fn prism_tolerance(point: Vec3, zero: Vec3, one: Vec3) -> Number {
    let is_between = |axis: usize| {
        let (low, high) = if one[axis] >= zero[axis] { (zero[axis], one[axis]) } else { (one[axis], zero[axis]) };
        low <= point[axis] && point[axis] <= high
    };
    if !(0..3).all(is_between) {
        return Number::Python(1.0);
    }
    let [x, y, z] = [0, 1, 2].map(|axis| (point[axis] - zero[axis]) / (one[axis] - zero[axis]));
    Number::Double(x * y * z)
}
