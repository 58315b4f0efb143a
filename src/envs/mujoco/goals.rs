//! Parts that tasks with goals share: reward types, rewards of relabelled goals, and observations of three arrays.

use envpool_rs_engine::{Dtype, EnvSpec, Error, InfoSpec, Result, Row, Space};
use envpool_rs_numeric::numpy;

/// Values of the option `reward_type`.
pub const REWARD_TYPES: [&str; 2] = ["sparse", "dense"];

/// Kind of reward, whose formula depends on the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RewardType {
    /// The reward depends on whether the goal is reached.
    Sparse,
    /// The reward depends on the distance between the achieved goal and the desired goal.
    Dense,
}

impl RewardType {
    /// Returns the reward type with the given name; `None` if no reward type has this name.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "sparse" => Some(Self::Sparse),
            "dense" => Some(Self::Dense),
            _ => None,
        }
    }
}

/// Pairs achieved goals with desired goals, each of `len` values.
///
/// # Errors
/// `Value` if `achieved` and `desired` differ in length, or do not consist of goals of `len` values.
pub fn goal_pairs<'a>(
    achieved: &'a [f64],
    desired: &'a [f64],
    len: usize,
) -> Result<impl Iterator<Item = (&'a [f64], &'a [f64])>> {
    if len == 0 || achieved.len() != desired.len() || !achieved.len().is_multiple_of(len) {
        let text = format!("achieved_goal and desired_goal: expected the same number of goals of {len} values");
        return Err(Error::Value(text));
    }
    Ok(achieved.chunks_exact(len).zip(desired.chunks_exact(len)))
}

/// Computes the rewards of several achieved and desired goals of `len` values each (`compute_reward`), by `reward` for each pair.
///
/// # Errors
/// `Value` if `reward_type` is neither `sparse` nor `dense`, or if `achieved` and `desired` differ in length.
pub fn compute_rewards(
    achieved: &[f64],
    desired: &[f64],
    len: usize,
    reward_type: &str,
    reward: impl Fn(RewardType, &[f64], &[f64]) -> f64,
) -> Result<Vec<f64>> {
    let reward_type = RewardType::of(reward_type)
        .ok_or_else(|| Error::value("reward_type", format_args!("{reward_type:?}"), "\"sparse\" or \"dense\""))?;
    Ok(goal_pairs(achieved, desired, len)?.map(|(achieved, desired)| reward(reward_type, achieved, desired)).collect())
}

/// Computes a distance as `np.linalg.norm(..., axis=-1)`: squares are rounded before they are added.
pub fn distance(first: &[f64], second: &[f64]) -> f64 {
    let square = |index: usize| (first[index] - second[index]) * (first[index] - second[index]);
    numpy::sum_by(0, first.len(), &square).sqrt()
}

/// Returns the space of unbounded float64 arrays of `len` values, with an axis of `frame_stack` frames if that is not 1.
pub fn stacked_space(len: usize, frame_stack: usize) -> Space {
    let shape = if frame_stack == 1 { vec![len] } else { vec![frame_stack, len] };
    Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &shape, Dtype::F64)
}

/// Returns the space of observations: float64 arrays of `observed`, `goal` and `goal` values, stacked as [`stacked_space`].
pub fn observation_space(observed: usize, goal: usize, frame_stack: usize) -> Space {
    let parts = [("observation", observed), ("achieved_goal", goal), ("desired_goal", goal)];
    Space::Dict(parts.map(|(key, len)| (key.to_owned(), stacked_space(len, frame_stack))).into())
}

/// Describes environments whose observations are the same in EnvPool and the reference.
pub fn same_spec(observation: Space, action: Space, info: Vec<InfoSpec>) -> EnvSpec {
    EnvSpec { envpool_observation: Some(observation.clone()), info, ..EnvSpec::new(observation, action) }
}

/// Writes stacked frames, each of `observed`, `goal` and `goal` values, to the three arrays of an observation.
pub fn write_frames(frames: &[f64], observed: usize, goal: usize, out: &mut Row<'_>) {
    let lens = [observed, goal, goal];
    for (number, frame) in frames.chunks_exact(lens.iter().sum()).enumerate() {
        let mut rest = frame;
        for (leaf, len) in lens.into_iter().enumerate() {
            let (values, after) = rest.split_at(len);
            out.write_at(leaf, number * len, values);
            rest = after;
        }
    }
}
