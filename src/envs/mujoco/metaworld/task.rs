//! Trait and tables that a task of MetaWorld implements.

use super::number::Number;
use super::rewards::{grasp_and_move, tolerance};
use super::sawyer::Sawyer;
use crate::names::Names;
use crate::vector::{Vec3, distance, vec3};
use envpool_rs_engine::Result;
use envpool_rs_numeric::random::RandomState;
use envpool_rs_sim_mujoco::Fault;
use serde::{Deserialize, Serialize};

/// Maximum length of a task's random vector.
pub const RANDOM: usize = 6;
/// Number of values of an observation.
pub const OBSERVATION: usize = 39;
/// Number of observed values of objects.
pub const OBJECTS: usize = 14;
/// Number of values that a task can store for an episode in addition to the common ones.
pub const OWN: usize = 12;

/// Properties of a task: names, model, bounds and rules.
pub struct TaskSpec {
    /// Name in the package, such as `drawer-open-v3`.
    pub name: &'static str,
    /// Path of the model file in the package's folder `assets`.
    pub model: &'static str,
    /// Bounds of the hand, to which steps clip the position of the mocap body.
    pub hand: [Vec3; 2],
    /// Position of the hand after a reset (`hand_init_pos`); of a float32 array see `float32` in `vector`.
    pub hand_init: Vec3,
    /// Lower bounds of the random vector (`_random_reset_space`), at most six values.
    pub random_low: &'static [f64],
    /// Upper bounds of the random vector.
    pub random_high: &'static [f64],
    /// Bounds of goals (`goal_space`), to which observations with visible goals are clipped.
    pub goal: [Vec3; 2],
    /// Whether the task accepts a random vector, or draws another one.
    pub accepts: fn(&[f64; RANDOM]) -> bool,
    /// Creates the task's rules for the compiled model.
    pub bind: fn(Names<'_>) -> Result<Box<dyn Rules>>,
}

impl TaskSpec {
    /// Returns EnvPool's id: `MetaWorld/DrawerOpen-v3` for `drawer-open-v3`. It is never freed, because tasks hold static names.
    pub fn id(&self) -> &'static str {
        let mut id = "MetaWorld/".to_owned();
        for word in self.name.split_inclusive('-') {
            let (first, rest) = word.split_at(1);
            match word {
                "v3" => id.push_str("-v3"),
                _ => id.extend([&first.to_uppercase(), rest.trim_end_matches('-')]),
            }
        }
        id.leak()
    }

    /// Draws a random vector that the task accepts, from numpy's legacy stream.
    pub fn draw(&self, random: &mut RandomState) -> [f64; RANDOM] {
        loop {
            let mut vector = [0.0; RANDOM];
            let bounds = self.random_low.iter().zip(self.random_high);
            for (value, (low, high)) in vector.iter_mut().zip(bounds) {
                *value = random.uniform(*low, *high);
            }
            if (self.accepts)(&vector) {
                return vector;
            }
        }
    }
}

/// Bounds of the hand in most tasks.
pub const HAND: [Vec3; 2] = [[-0.5, 0.40, 0.05], [0.5, 1.0, 0.5]];
/// Bounds of the hand in tasks in which it reaches below the table.
pub const LOW_HAND: [Vec3; 2] = [[-0.5, 0.40, -0.15], [0.5, 1.0, 0.5]];

/// Position of the hand after a reset in most tasks.
pub const HAND_INIT: Vec3 = [0.0, 0.6, 0.2];

/// Properties that most tasks share; tasks set the others.
pub const USUAL: TaskSpec = TaskSpec {
    name: "",
    model: "",
    hand: HAND,
    hand_init: HAND_INIT,
    random_low: &[],
    random_high: &[],
    goal: HAND,
    accepts: |_| true,
    bind: |_| unreachable!("each task has rules"),
};

/// Rules of a task: its reset, objects, rewards and infos.
pub trait Rules: Send + Sync {
    /// Starts an episode (`reset_model`, after `_reset_hand`): places objects, and sets `episode.target` and `episode.object`.
    ///
    /// `episode.random` is the episode's random vector; `episode.tcp` is the position of the fingers (`init_tcp`). As in the
    /// reference, each reset calls this twice, first in the simulation of the previous episode. Other fields of `episode`
    /// keep their values of the previous episode.
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault>;

    /// Returns positions and quaternions of the objects (`_get_pos_objects`, `_get_quat_objects`).
    fn objects(&self, sim: &Sawyer<'_>) -> Objects;

    /// Returns the goal (`_get_pos_goal`); tasks whose `_target_pos` is a view of the simulation override it.
    fn goal(&self, _sim: &Sawyer<'_>, episode: &Episode) -> Vec3 {
        episode.target
    }

    /// Computes reward and infos of a step with version 1 of the reward function.
    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome;

    /// Computes reward and infos of a step (`evaluate_state`), with version 2 of the reward function.
    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault>;
}

/// Values that a lane stores for an episode.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Episode {
    /// Random vector of the episode's goal (`_last_rand_vec`); unused values at its end are 0.
    pub random: [f64; RANDOM],
    /// Position of the goal (`_target_pos`).
    pub target: Vec3,
    /// Initial position of the object (`obj_init_pos`).
    pub object: Vec3,
    /// Initial centre of the gripper's fingers (`init_tcp`).
    pub tcp: Vec3,
    /// Values whose meaning the task defines.
    pub own: [f64; OWN],
}

impl Episode {
    /// Returns whether all values are finite.
    pub fn is_finite(&self) -> bool {
        let Self { random, target, object, tcp, own } = self;
        [&random[..], target, object, tcp, own].into_iter().flatten().all(|value| value.is_finite())
    }
}

/// Observed positions and quaternions of a task's objects.
#[derive(Debug, Clone, Copy)]
pub struct Objects([f64; OBJECTS]);

impl Objects {
    /// Creates the observation of one object.
    pub fn one(position: Vec3, quaternion: [f64; 4]) -> Self {
        let mut values = [0.0; OBJECTS];
        values[..3].copy_from_slice(&position);
        values[3..7].copy_from_slice(&quaternion);
        Self(values)
    }

    /// Creates the observation of two objects.
    pub fn two(first: (Vec3, [f64; 4]), second: (Vec3, [f64; 4])) -> Self {
        let Self(mut values) = Self::one(first.0, first.1);
        values[7..10].copy_from_slice(&second.0);
        values[10..].copy_from_slice(&second.1);
        Self(values)
    }

    /// Returns the 14 observed values.
    pub fn values(&self) -> &[f64; OBJECTS] {
        &self.0
    }
}

/// Step from which a task computes reward and infos.
pub struct Step<'a, 'b> {
    /// Simulation after the step.
    pub sim: &'a mut Sawyer<'b>,
    /// Action as the user passed it, not clipped.
    pub action: [f32; 4],
    /// Observation after the step, clipped to the observation space.
    pub observation: [f64; OBSERVATION],
}

impl Step<'_, '_> {
    /// Returns the hand's position (`obs[:3]`).
    pub fn hand(&self) -> Vec3 {
        vec3(&self.observation, 0)
    }

    /// Returns how far the gripper is open (`obs[3]`).
    pub fn opened(&self) -> f64 {
        self.observation[3]
    }

    /// Returns the position of the first object (`obs[4:7]`).
    pub fn object(&self) -> Vec3 {
        vec3(&self.observation, 4)
    }

    /// Returns how far the action closes the gripper: `min(max(0, action[-1]), most)`.
    pub fn closed(&self, most: f64) -> Number {
        Number::Python(0.0).max(Number::single(self.action[3])).min(most)
    }
}

/// Reward and infos of a step.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// Reward, also the info `unscaled_reward`.
    pub reward: Number,
    /// Whether the task is solved (`success`).
    pub is_success: bool,
    /// Info `near_object`.
    pub near_object: f64,
    /// Info `grasp_success`.
    pub grasp_success: f64,
    /// Info `grasp_reward`.
    pub grasp_reward: f64,
    /// Info `in_place_reward`.
    pub in_place_reward: f64,
    /// Info `obj_to_target`.
    pub obj_to_target: f64,
}

/// Rewards and distances from which the [`Outcome`] of most tasks is made.
pub struct Parts {
    /// Reward of the step.
    pub reward: Number,
    /// Reward for grasping the object.
    pub grasped: f64,
    /// Reward for the object's position.
    pub in_place: f64,
    /// Distance of the object from its goal, in metres.
    pub to_target: f64,
    /// Distance of the gripper from the object, in metres.
    pub tcp_to_object: f64,
}

impl Parts {
    /// Returns the distances of the first object, and the reward for its position: 1 within `radius` metres of the goal. There is
    /// no other reward yet.
    pub fn of(step: &Step<'_, '_>, episode: &Episode, radius: f64) -> Self {
        let (object, target) = (step.object(), episode.target);
        let to_target = distance(object, target);
        let in_place = tolerance(to_target, (0.0, radius), distance(episode.object, target));
        let tcp_to_object = distance(object, step.sim.tcp_center());
        Self { reward: Number::Python(0.0), grasped: 0.0, in_place, to_target, tcp_to_object }
    }

    /// Adds the reward for grasping the object and moving it ([`grasp_and_move`]), whose share `weight` counts while it is held.
    #[must_use]
    pub fn grasped(self, grasped: impl Into<Number>, is_held: bool, weight: f64) -> Self {
        let (grasped, held) = (grasped.into(), Number::Python(weight * self.in_place));
        let reward = grasp_and_move(grasped, self.in_place, is_held.then_some(held), false);
        Self { reward, grasped: grasped.value(), ..self }
    }

    /// Returns reward and infos: near the object within `near` metres, solved within `success` metres of the goal.
    pub fn outcome(self, near: f64, success: f64, grasp_success: f64) -> Outcome {
        Outcome {
            reward: self.reward,
            is_success: self.to_target <= success,
            near_object: flag(self.tcp_to_object <= near),
            grasp_success,
            grasp_reward: self.grasped,
            in_place_reward: self.in_place,
            obj_to_target: self.to_target,
        }
    }
}

/// Returns 1 if the condition holds, otherwise 0 (`float(condition)`).
pub fn flag(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}
