//! Version 1 of the reward functions (`reward_function_version="v1"`).
//!
//! Most of these rewards have two stages: the fingers approach an object, and then the object moves to its goal.

use super::number::Number;
use super::sawyer::Sawyer;
use super::task::{Episode, OWN, Outcome, Step};
use crate::vector::{Vec3, distance, distance_xy};
use envpool_rs_numeric::math::pow2;
use envpool_rs_numeric::{numpy, numpy_ufuncs};

/// Index in `Episode::own` of the object's height after the reset, for tasks in which an object is picked up.
pub const LIFTED: usize = OWN - 1;
/// Distance of the fingers from an object, below which the object's position counts, in metres.
const NEAR: f64 = 0.05;
/// Variances of the two bonuses near a goal, in square metres (`c2`, `c3`).
pub const WIDTHS: [f64; 2] = [0.01, 0.001];

/// Returns the position of the left finger, from which some tasks measure instead of the centre of both fingers.
pub fn left_finger(sim: &Sawyer<'_>) -> Vec3 {
    sim.fingers()[1]
}

/// Computes the reward for an object's way of `initial` metres to its goal, with two bonuses near the goal.
pub fn progress(initial: f64, to_target: f64, widths: [f64; 2]) -> f64 {
    1000.0 * (initial - to_target) + bonus(1000.0, to_target, widths)
}

/// Computes `scale` times two bonuses for a distance from a goal.
pub fn bonus(scale: f64, to_target: f64, widths: [f64; 2]) -> f64 {
    let square = pow2(&[to_target])[0];
    let [wide, narrow] = widths.map(|width| numpy_ufuncs::exp(-square / width));
    scale * (wide + narrow)
}

/// Computes the reward for fingers at the distance `reach` from an object. `moved` is the reward for the object's position.
pub fn approach(reach: f64, moved: f64) -> f64 {
    let moved = if reach < NEAR { moved.max(0.0) } else { 0.0 };
    -reach + moved
}

/// Rewards and distances of a step.
pub struct Move {
    /// Reward of the step.
    pub reward: f64,
    /// Distance of the object from its goal, in metres.
    pub to_target: f64,
}

impl Move {
    /// Computes the reward for fingers and an object, which is `to_target` metres from its goal and was `initial` metres from it.
    pub fn new(fingers: Vec3, object: Vec3, to_target: f64, initial: f64) -> Self {
        let reward = approach(distance(object, fingers), progress(initial, to_target, WIDTHS));
        Self { reward, to_target }
    }

    /// Computes the reward for the centre of the fingers, and for the object's distance from its goal.
    pub fn to_goal(step: &Step<'_, '_>, episode: &Episode) -> Self {
        let (object, target) = (step.object(), episode.target);
        Self::new(step.sim.tcp_center(), object, distance(object, target), distance(episode.object, target))
    }

    /// Computes the reward for the centre of the fingers, and for the object's distance from its goal along x and y.
    pub fn to_goal_xy(step: &Step<'_, '_>, episode: &Episode) -> Self {
        let (object, target) = (step.object(), &episode.target);
        Self::new(step.sim.tcp_center(), object, distance_xy(&object, target), distance_xy(&episode.object, target))
    }

    /// Returns the outcome for a task that is solved within `success` metres. Version 1 has constants as infos of stages.
    pub fn outcome(&self, success: f64, grasp_success: f64) -> Outcome {
        Outcome {
            reward: Number::Double(self.reward),
            is_success: self.to_target <= success,
            near_object: 1.0,
            grasp_success,
            grasp_reward: 0.0,
            in_place_reward: 0.0,
            obj_to_target: self.to_target,
        }
    }
}

/// Reward for fingers that approach an object, first from above.
pub struct Reach {
    /// Distance along x and y below which the fingers are above the object, in metres.
    pub above: f64,
    /// Distance below which the fingers can grasp the object, in metres.
    pub near: f64,
    /// Weight of the height while the fingers are not above the object.
    pub weight: f64,
}

impl Reach {
    /// Parameters of most tasks.
    pub const USUAL: Self = Self { above: NEAR, near: NEAR, weight: 2.0 };

    /// Computes the distance of the fingers from `object`, and the reward. `height` is the initial height of the fingers.
    pub fn of(&self, step: &Step<'_, '_>, object: Vec3, height: f64) -> [f64; 2] {
        let fingers = step.sim.tcp_center();
        let (reach, aside) = (distance(object, fingers), distance_xy(&object, &fingers));
        let above = numpy::norm(&[fingers[2] - height]);
        let reward = if aside < self.above { -reach } else { -aside - self.weight * above };
        [reach, if reach < self.near { -reach + grip(step) } else { reward }]
    }
}

/// Computes the reward for closing the gripper.
pub fn grip(step: &Step<'_, '_>) -> f64 {
    (Number::single(step.action[3]).max(0.0) / 50.0).value()
}

/// Object that is picked up.
pub struct Pick {
    /// Height of the object.
    pub z: f64,
    /// Height of the object after the reset.
    pub height: f64,
    /// Height to which the object should be lifted (`heightTarget`).
    pub lifted: f64,
    /// Distance of the object from its goal, in metres.
    pub to_target: f64,
    /// Distance of the fingers from the object, in metres.
    pub reach: f64,
}

impl Pick {
    /// Returns whether the object is lifted high enough (`pickCompleted`).
    pub fn is_picked(&self) -> bool {
        self.z >= self.lifted - 0.01
    }

    /// Returns whether the object lies on the table, away from goal and fingers (`objDropped`).
    pub fn is_dropped(&self) -> bool {
        self.z < self.height + 0.005 && self.to_target > 0.02 && self.reach > 0.02
    }

    /// Returns whether the object is lifted, and not dropped.
    pub fn is_held(&self) -> bool {
        self.is_picked() && !self.is_dropped()
    }

    /// Computes the `reward` of the height of an object that is held, or in reach of fingers at most `near` metres away.
    pub fn reward_of(&self, is_held: bool, near: f64, reward: impl Fn(f64) -> f64) -> f64 {
        if is_held {
            reward(self.lifted)
        } else if self.reach < near && self.z > self.height + 0.005 {
            reward(self.lifted.min(self.z))
        } else {
            0.0
        }
    }

    /// Computes [`Self::reward_of`] with the reward of most tasks.
    pub fn reward(&self, is_held: bool, near: f64) -> f64 {
        self.reward_of(is_held, near, |height| 100.0 * height)
    }

    /// Returns the greatest distance of an object from its goal (`maxPlacingDist`): from above its initial position `object`.
    pub fn farthest(&self, object: Vec3, target: Vec3) -> f64 {
        distance([object[0], object[1], self.lifted], target) + self.lifted
    }
}

/// Computes the reward for lifting the object by `lift` metres and placing it at `target`, whose position was `initial`.
pub fn pick_and_place(step: &Step<'_, '_>, episode: &Episode, lift: f64, [target, initial]: [Vec3; 2]) -> Move {
    let (object, height) = (step.object(), episode.own[LIFTED]);
    let [reach, reaching] = Reach::USUAL.of(step, object, episode.tcp[2]);
    let to_target = distance(object, target);
    let pick = Pick { z: object[2], height, lifted: height + lift, to_target, reach };
    let is_held = pick.is_held();
    let farthest = pick.farthest(episode.object, initial);
    let placed = if is_held && reach < 0.1 { progress(farthest, to_target, WIDTHS).max(0.0) } else { 0.0 };
    Move { reward: reaching + pick.reward(is_held, 0.1) + placed, to_target }
}

/// Returns the outcome of a step for tasks whose infos do not depend on distances.
pub fn solved(reward: f64, is_success: bool) -> Outcome {
    let step = Move { reward, to_target: 0.0 };
    Outcome { is_success, near_object: 0.0, ..step.outcome(0.0, 0.0) }
}
