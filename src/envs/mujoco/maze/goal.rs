//! Rewards and terminations of tasks in which an agent must reach goals (Gymnasium-Robotics' `MazeEnv`).

use super::map::{GOAL_RADIUS, Maze, Point};
use crate::goals::{self, REWARD_TYPES, RewardType};
use crate::vector::distance_xy;
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::numpy_ufuncs;

/// Name of the option that selects whether a continuing task draws another goal after the agent has reached one.
pub const RESET_TARGET: &str = "reset_target";

/// Computes the reward of an achieved goal and a desired goal (`compute_reward`): if dense, `exp(-distance)`; if sparse, 1 if the
/// goal is reached, otherwise 0.
///
/// Gymnasium-Robotics computes the distance with `np.linalg.norm(..., axis=-1)`, which rounds the squares before it adds them.
pub fn reward(reward_type: RewardType, achieved: &[f64], desired: &[f64]) -> f64 {
    let [x, y] = [achieved[0] - desired[0], achieved[1] - desired[1]];
    let distance = (x * x + y * y).sqrt();
    match reward_type {
        RewardType::Dense => numpy_ufuncs::exp(-distance),
        RewardType::Sparse => f64::from(u8::from(distance <= GOAL_RADIUS)),
    }
}

/// Rules for rewards, terminations and new goals in a task with goals.
#[derive(Debug, Clone, Copy)]
pub struct GoalRules {
    /// Function that computes the reward.
    pub reward_type: RewardType,
    /// Whether episodes continue after a goal is reached.
    pub is_continuing: bool,
    /// Whether another goal is drawn after the agent has reached a goal.
    has_new_goals: bool,
}

/// Returns the options of the goal rules. Legacy tasks that continue after a goal always draw another goal.
pub fn options(is_legacy: bool) -> Vec<OptionSpec> {
    let mut options = vec![
        OptionSpec::new("reward_type", "sparse", "sparse: 1 within 0.45 m of the goal, otherwise 0; dense: exp(-distance)")
            .one_of(&REWARD_TYPES),
        OptionSpec::new("continuing_task", true, "whether episodes continue after the goal is reached"),
    ];
    if !is_legacy {
        options.push(OptionSpec::new(RESET_TARGET, false, "whether a continuing task draws another goal after one is reached"));
    }
    options
}

impl GoalRules {
    /// Creates the goal rules from the values of their options.
    ///
    /// # Errors
    /// `Value` if goals of `maze` are so close together that drawing another goal might never end.
    pub fn new(options: &Options, maze: &Maze) -> Result<Self> {
        let is_continuing = options.bool("continuing_task");
        let is_legacy = options.find(RESET_TARGET).is_none();
        let has_new_goals = is_continuing && (is_legacy || options.bool(RESET_TARGET)) && maze.goals.len() > 1;
        if has_new_goals && !is_legacy && !maze.has_distant_goals() {
            let expected = format!("cells for goals that are more than {} m apart, or reset_target=False", 2.0 * GOAL_RADIUS);
            return Err(Error::value("maze_size_scaling", maze.scale, expected));
        }
        let reward_type = options.text("reward_type").and_then(RewardType::of).expect("the option takes no other values");
        Ok(Self { reward_type, is_continuing, has_new_goals })
    }

    /// Returns whether the agent at `achieved` has reached `goal` and the task then draws another goal.
    pub fn needs_new_goal(&self, achieved: &Point, goal: &Point) -> bool {
        self.has_new_goals && distance_xy(achieved, goal) <= GOAL_RADIUS
    }
}

/// Computes the rewards of several achieved and desired goals, each of which has two values (`compute_reward`).
///
/// # Errors
/// `Value` if `reward_type` is neither `sparse` nor `dense`, or if `achieved` and `desired` differ in length.
pub fn compute_rewards(achieved: &[f64], desired: &[f64], reward_type: &str) -> Result<Vec<f64>> {
    goals::compute_rewards(achieved, desired, 2, reward_type, reward)
}
