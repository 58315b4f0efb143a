//! Goals and rewards of the Fetch tasks.

use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::numpy;
use envpool_rs_numeric::random::Generator;

use super::FetchSpec;
pub use crate::goals::distance;
use crate::goals::{self, REWARD_TYPES, RewardType};
use crate::robot::flag;

/// Position in metres.
pub type Point = [f64; 3];

/// Maximum height of goals above the table, in metres.
const MAX_HEIGHT: f64 = 0.45;
/// Maximum length in metres that options take.
const MAX_LENGTH: f64 = 1e6;

/// Computes the reward for a distance in metres (`compute_reward`): dense: its negative; sparse: -1 above the threshold, or -0.
pub fn reward(reward_type: RewardType, distance: f64, threshold: f64) -> f64 {
    match reward_type {
        RewardType::Dense => -distance,
        RewardType::Sparse => -f64::from(u8::from(distance > threshold)),
    }
}

/// Computes the rewards of several achieved and desired goals, each of which has three values (`compute_reward`).
///
/// # Errors
/// `Value` if `reward_type` is neither `sparse` nor `dense`, or if `achieved` and `desired` differ in length.
pub fn compute_rewards(achieved: &[f64], desired: &[f64], reward_type: &str, threshold: f64) -> Result<Vec<f64>> {
    goals::compute_rewards(achieved, desired, 3, reward_type, |kind, achieved, desired| {
        reward(kind, distance(achieved, desired), threshold)
    })
}

/// Rules for goals, rewards and the start of the object.
#[derive(Debug, Clone, Copy)]
pub struct GoalRules {
    /// Function that computes the reward.
    pub reward_type: RewardType,
    /// Distance in metres below which a goal is reached.
    pub threshold: f64,
    has_object: bool,
    is_in_the_air: bool,
    offset: Point,
    object_range: f64,
    target_range: f64,
}

/// Returns the specifications of the options that select the goal rules.
pub fn options(spec: &FetchSpec) -> Vec<OptionSpec> {
    let length = |name, default: f64, doc| OptionSpec::new(name, default, doc).numbers(0.0..=MAX_LENGTH);
    let offset = |name, default: f64, doc| OptionSpec::new(name, default, doc).numbers(-MAX_LENGTH..=MAX_LENGTH);
    vec![
        OptionSpec::new(
            "reward_type",
            "sparse",
            "sparse: -1 until the goal is reached, then 0; dense: the negative distance in m",
        )
        .one_of(&REWARD_TYPES),
        flag("target_in_the_air", spec.is_in_the_air, "whether half of the goals of objects are above the table"),
        offset("target_offset_x", spec.offset, "offset of goals of objects from the gripper's start in m, along the axis x"),
        offset("target_offset_y", 0.0, "the same along the axis y"),
        offset("target_offset_z", 0.0, "the same along the axis z, which has no effect: goals start at the object's height"),
        length("obj_range", spec.object_range, "maximum distance of the object from the gripper's start in m, along each axis"),
        length("target_range", spec.target_range, "maximum distance of the goal from the gripper's start in m, along each axis"),
        length("distance_threshold", 0.05, "distance in m at which a goal is reached"),
    ]
}

impl GoalRules {
    /// Minimum distance of the object from the gripper at the start of an episode, in metres.
    const MIN_DISTANCE: f64 = 0.1;
    /// Minimum `obj_range` in metres. With a smaller range, few or no draws have the minimum distance.
    const MIN_RANGE: f64 = 0.08;

    /// Creates the goal rules from the values of their options.
    ///
    /// # Errors
    /// `Value` if `obj_range` is so small that draws of the object's start might never end.
    pub fn new(options: &Options, has_object: bool) -> Result<Self> {
        let object_range = options.float("obj_range");
        if has_object && object_range < Self::MIN_RANGE {
            let expected = format_args!("{} or more: objects start 0.1 m or more from the gripper", Self::MIN_RANGE).to_string();
            return Err(Error::value("obj_range", object_range, expected));
        }
        Ok(Self {
            reward_type: options.text("reward_type").and_then(RewardType::of).expect("the option takes no other values"),
            threshold: options.float("distance_threshold"),
            has_object,
            is_in_the_air: options.bool("target_in_the_air"),
            offset: ["target_offset_x", "target_offset_y", "target_offset_z"].map(|name| options.float(name)),
            object_range,
            target_range: options.float("target_range"),
        })
    }

    /// Draws where the object starts, in x and y, given the gripper's start.
    pub fn draw_object(&self, gripper: &Point, random: &mut Generator) -> [f64; 2] {
        loop {
            let place = [0, 1].map(|axis| gripper[axis] + random.uniform(-self.object_range, self.object_range));
            if numpy::norm(&[place[0] - gripper[0], place[1] - gripper[1]]) >= Self::MIN_DISTANCE {
                return place;
            }
        }
    }

    /// Draws a goal (`_sample_goal`), given the gripper's start and the height of the object on the table.
    pub fn draw_goal(&self, gripper: &Point, height: f64, random: &mut Generator) -> Point {
        let mut goal = [0, 1, 2].map(|axis| gripper[axis] + random.uniform(-self.target_range, self.target_range));
        if self.has_object {
            goal.iter_mut().zip(self.offset).for_each(|(value, offset)| *value += offset);
            goal[2] = height;
            if self.is_in_the_air && random.uniform(0.0, 1.0) < 0.5 {
                goal[2] += random.uniform(0.0, MAX_HEIGHT);
            }
        }
        goal
    }
}
