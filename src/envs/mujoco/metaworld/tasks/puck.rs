//! Scene with a puck, a goal, and in some tasks a wall.

use super::prelude::*;

/// Distance from the goal at which the reward is largest, in metres.
pub const TARGET_RADIUS: f64 = 0.05;
/// Initial position of the hand.
pub const HAND_INIT: Vec3 = [0.0, 0.6, 0.2];
/// Bounds of the goals of tasks with a wall, in which the puck is lifted or not needed.
pub const WALL_GOAL: [Vec3; 2] = [[-0.05, 0.85, 0.05], [0.05, 0.9, 0.3]];
/// Bounds of the random vector of tasks with [`WALL_GOAL`].
pub const WALL_RANDOM: [&[f64]; 2] = [&[-0.05, 0.6, 0.015, -0.05, 0.85, 0.05], &[0.05, 0.65, 0.015, 0.05, 0.9, 0.3]];

/// Returns whether puck and goal, the two halves of a random vector, are far enough from each other.
pub fn is_far(random: &[f64; RANDOM]) -> bool {
    distance_xy(random, &random[3..]) >= 0.15
}

pub struct Puck {
    pub object: usize,
    pub object_geom: usize,
    pub goal_site: usize,
}

impl Puck {
    /// Finds the objects in the model.
    pub fn bind(names: Names<'_>) -> Result<Self> {
        Ok(Self { object: names.body("obj")?, object_geom: names.geom("objGeom")?, goal_site: names.site("goal")? })
    }

    /// Places puck and goal at the two halves of the random vector.
    pub fn place(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.target = vec3(&episode.random, 3);
        episode.object = vec3(&episode.random, 0);
        self.move_to(sim, episode)
    }

    /// Places puck and goal on the table, at the height `height`.
    pub fn place_flat(&self, sim: &mut Sawyer<'_>, episode: &mut Episode, height: f64) -> Result<(), Fault> {
        let [x, y, _, goal_x, goal_y, _] = episode.random;
        episode.target = [goal_x, goal_y, height];
        episode.object = [x, y, height];
        self.move_to(sim, episode)
    }

    /// Places puck and goal on the table, at the height of the puck's shape.
    pub fn place_at_shape_height(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        let height = sim.geom(self.object_geom)[2];
        self.place_flat(sim, episode, height)
    }

    /// Moves the puck to `episode.object`, and the goal to `episode.target`. Stores the puck's height for version 1 of the reward.
    pub fn move_to(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        sim.set_object(episode.object)?;
        sim.set_model_site(self.goal_site, episode.target);
        episode.own[LIFTED] = sim.geom(self.object_geom)[2];
        Ok(())
    }

    /// Returns the observation of the puck's body.
    pub fn body(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.body(self.object), sim.geom_rotation(self.object_geom))
    }

    /// Returns the observation of the puck's geom.
    pub fn geom(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.geom(self.object_geom), sim.geom_rotation(self.object_geom))
    }
}

/// Returns the outcome of a step. Within `success` metres of the goal, the task is solved.
pub fn outcome(step: &mut Step<'_, '_>, episode: &Episode, puck: &Puck, mut parts: Parts, success: f64) -> Outcome {
    if parts.to_target < TARGET_RADIUS {
        parts.reward = Number::Python(10.0);
    }
    let is_lifted = step.opened() > 0.0 && step.object()[2] - 0.02 > episode.object[2];
    parts.outcome(0.03, success, flag(is_lifted && step.sim.touches(puck.object_geom)))
}
