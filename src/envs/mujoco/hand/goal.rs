//! Rewards of the Shadow hand's tasks.

use crate::goals::{self, RewardType, distance};
use crate::rotations::{Quaternion, angle_between, euler_to_quaternion, quaternion_to_euler};
use envpool_rs_engine::Result;
use serde::{Deserialize, Serialize};

/// Number of values of a goal of an object: a position and a quaternion.
pub const OBJECT_GOAL: usize = 7;
/// Number of values of a goal of the fingers: five positions.
pub const FINGERS_GOAL: usize = 15;
/// Weight of the distance in metres in dense rewards of objects.
const DISTANCE_WEIGHT: f64 = 10.0;

/// Rules for the rewards of goals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GoalRules {
    /// Kind of reward.
    pub reward_type: RewardType,
    /// Distance in metres below which a goal is reached.
    pub threshold: f64,
    /// Angle in radians below which the goal of an object is reached.
    pub angle_threshold: f64,
    /// Whether the position of an object does not matter.
    pub ignores_position: bool,
    /// Whether the orientation of an object does not matter.
    pub ignores_rotation: bool,
    /// Whether the turn of an object about its axis z does not matter.
    pub ignores_z: bool,
}

/// Distance between an achieved and a desired goal: metres and radians.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Distance {
    /// Distance of the five fingers in metres.
    Fingers(f64),
    /// Distance of an object in metres, and its angle in radians.
    Object(f64, f64),
}

impl Distance {
    /// Returns EnvPool's info `distance`: the sum of the parts.
    pub fn sum(self) -> f64 {
        match self {
            Self::Fingers(distance) => distance,
            Self::Object(distance, angle) => distance + angle,
        }
    }
}

impl GoalRules {
    /// Computes the distance between two goals (`goal_distance`, `_goal_distance`).
    pub fn distance(&self, achieved: &[f64], desired: &[f64]) -> Distance {
        if achieved.len() != OBJECT_GOAL {
            return Distance::Fingers(distance(achieved, desired));
        }
        let metres = if self.ignores_position { 0.0 } else { distance(&achieved[..3], &desired[..3]) };
        if self.ignores_rotation {
            return Distance::Object(metres, 0.0);
        }
        let [mut achieved, desired]: [Quaternion; 2] = [achieved, desired].map(|goal| goal[3..].try_into().expect("four values"));
        if self.ignores_z {
            let ([x, y, _], [_, _, z]) = (quaternion_to_euler(&achieved), quaternion_to_euler(&desired));
            achieved = euler_to_quaternion(&[x, y, z]);
        }
        Distance::Object(metres, angle_between(&achieved, &desired))
    }

    /// Returns whether a goal at this distance is reached (`_is_success`).
    pub fn is_success(&self, distance: Distance) -> bool {
        match distance {
            Distance::Fingers(metres) => metres < self.threshold,
            Distance::Object(metres, angle) => metres < self.threshold && angle < self.angle_threshold,
        }
    }

    /// Computes the reward for a distance (`compute_reward`).
    pub fn reward(&self, distance: Distance) -> f64 {
        match (self.reward_type, distance) {
            (RewardType::Dense, Distance::Fingers(metres)) => -metres,
            (RewardType::Dense, Distance::Object(metres, angle)) => -(DISTANCE_WEIGHT * metres + angle),
            (RewardType::Sparse, Distance::Fingers(metres)) => -f64::from(u8::from(metres > self.threshold)),
            (RewardType::Sparse, Distance::Object(..)) => f64::from(u8::from(self.is_success(distance))) - 1.0,
        }
    }
}

/// Computes the rewards of several achieved and desired goals (`compute_reward`), each of which has 7 values (objects) or 15
/// (fingers). The reward type of `rules` is not used.
///
/// # Errors
/// `Value` if `reward_type` is neither `sparse` nor `dense`, or if `achieved` and `desired` differ in length.
pub fn compute_rewards(
    achieved: &[f64],
    desired: &[f64],
    is_of_object: bool,
    reward_type: &str,
    rules: GoalRules,
) -> Result<Vec<f64>> {
    let len = if is_of_object { OBJECT_GOAL } else { FINGERS_GOAL };
    goals::compute_rewards(achieved, desired, len, reward_type, |reward_type, achieved, desired| {
        let rules = GoalRules { reward_type, ..rules };
        rules.reward(rules.distance(achieved, desired))
    })
}
