//! Scene with a puck, a goal, and in some tasks a wall.

use super::prelude::*;

/// Distance from the goal at which the reward is largest, in metres.
pub const TARGET_RADIUS: f64 = 0.05;
/// Bounds of the goals of tasks with a wall, in which the puck is lifted or not needed.
pub const WALL_GOAL: [Vec3; 2] = [[-0.05, 0.85, 0.05], [0.05, 0.9, 0.3]];
/// Bounds of the random vector of tasks with [`WALL_GOAL`].
pub const WALL_RANDOM: [&[f64]; 2] = [&[-0.05, 0.6, 0.015, -0.05, 0.85, 0.05], &[0.05, 0.65, 0.015, 0.05, 0.9, 0.3]];

/// Parameters of the reward for grasping the puck in several tasks.
pub const CAGING: Caging =
    Caging { radius: 0.015, pad_threshold: 0.05, reach_radius: 0.01, xz_threshold: 0.005, effort: 1.0, density: Density::High };

/// Returns whether puck and goal, the two halves of a random vector, are far enough from each other.
pub fn is_far(random: &[f64; RANDOM]) -> bool {
    distance_xy(random, &random[3..]) >= 0.15
}

bound! {
    pub struct Puck {
        pub object: body("obj"),
        pub object_geom: geom("objGeom"),
        pub goal_site: site("goal"),
    }
}

impl Puck {
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

    pub fn body(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.body(self.object), sim.geom_rotation(self.object_geom))
    }

    /// Returns the observation of the puck's body, with the orientation that MuJoCo stores.
    pub fn body_quat(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.body(self.object), sim.body_quat(self.object))
    }

    pub fn geom(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.geom(self.object_geom), sim.geom_rotation(self.object_geom))
    }
}

/// Rules of a task with a puck, whose parts are functions.
#[derive(Clone, Copy)]
pub struct PuckRules {
    pub place: fn(&Puck, &mut Sawyer<'_>, &mut Episode) -> Result<(), Fault>,
    pub objects: fn(&Puck, &Sawyer<'_>) -> Objects,
    pub first_version: fn(&Step<'_, '_>, &Episode) -> Outcome,
    pub parts: fn(&Step<'_, '_>, &Episode) -> Parts,
    /// Distance from the goal within which the task is solved, in metres.
    pub success: f64,
    /// Whether the puck counts as grasped only above its initial height.
    pub lifts: bool,
}

impl PuckRules {
    pub fn bind(self, names: Names<'_>) -> Result<Box<dyn Rules>> {
        Ok(Box::new((Puck::bind(names)?, self)))
    }
}

impl Rules for (Puck, PuckRules) {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        (self.1.place)(&self.0, sim, episode)
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        (self.1.objects)(&self.0, sim)
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        (self.1.first_version)(step, episode)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let parts = (self.1.parts)(step, episode);
        Ok(outcome(step, episode, &self.0, parts, (self.1.success, self.1.lifts)))
    }
}

/// Returns the outcome of a step. `success` and `lifts` are as in [`PuckRules`].
pub fn outcome(
    step: &mut Step<'_, '_>,
    episode: &Episode,
    puck: &Puck,
    mut parts: Parts,
    (success, lifts): (f64, bool),
) -> Outcome {
    if parts.to_target < TARGET_RADIUS {
        parts.reward = Number::Python(10.0);
    }
    let is_lifted = step.opened() > 0.0 && (!lifts || step.object()[2] - 0.02 > episode.object[2]);
    parts.outcome(0.03, success, flag(is_lifted && step.sim.touches(puck.object_geom)))
}
