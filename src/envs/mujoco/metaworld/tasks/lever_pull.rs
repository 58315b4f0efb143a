//! Task `lever-pull-v3`: pull a lever up.

use std::f64::consts::PI;

use super::prelude::*;

/// Length of the lever, in metres (`LEVER_RADIUS`).
const LEVER: f64 = 0.2;
/// Weights of the axes in the distance of the hand from the lever.
const SCALE: Vec3 = [4.0, 1.0, 4.0];
/// Position of the robot's shoulder relative to the hand.
const SHOULDER: Vec3 = [0.0, 0.055, 0.07];

pub static PULL: TaskSpec = TaskSpec {
    name: "lever-pull-v3",
    model: "sawyer_xyz/sawyer_lever_pull.xml",
    hand: LOW_HAND,
    hand_init: float32([0.0, 0.4, 0.2]),
    random_low: &[-0.1, 0.7, 0.0],
    random_high: &[0.1, 0.8, 0.0],
    goal: LOW_HAND,
    bind: |names| Ok(Box::new(LeverPull::bind(names)?)),
    ..USUAL
};

bound! {
    /// Rules of the task. The lever's initial position is at the start of `episode.own`.
    struct LeverPull {
        lever: body("lever"),
        lever_site: site("leverStart"),
        lever_geom: geom("objGeom"),
        axis: position("LeverAxis"),
        goal_site: site("goal"),
    }
}

impl Rules for LeverPull {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.object = vec3(&episode.random, 0);
        sim.set_model_body(self.lever, episode.object);
        episode.own[..3].copy_from_slice(&add(episode.object, [0.12, -LEVER, 0.25]));
        episode.target = add(episode.object, [0.12, 0.0, 0.25 + LEVER]);
        sim.set_model_site(self.goal_site, episode.target);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.site(self.lever_site), sim.geom_rotation(self.lever_geom))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        Outcome { obj_to_target: 0.0, ..Move::to_goal(step, episode).outcome(PI / 24.0, 0.0) }
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (lever, initial) = (step.object(), vec3(&episode.own, 0));
        let shoulder_to = |hand: Vec3, lever: Vec3| numpy::norm(&mul(sub(add(hand, SHOULDER), lever), SCALE));
        let to_lever = shoulder_to(step.hand(), lever);
        let is_ready = tolerance(to_lever, (0.0, 0.02), shoulder_to(episode.tcp, initial));
        let error = (-step.sim.data.qpos()[self.axis] - PI / 2.0).abs();
        let engagement = tolerance(error, (0.0, PI / 48.0), PI / 2.0 - PI / 12.0);
        let in_place = tolerance(distance(lever, episode.target), (0.0, 0.04), distance(initial, episode.target));
        Ok(Outcome {
            reward: Number::Python(10.0 * hamacher_product(is_ready, in_place)),
            is_success: error <= PI / 24.0,
            near_object: flag(to_lever < 0.03),
            grasp_success: flag(is_ready > 0.9),
            grasp_reward: is_ready,
            in_place_reward: engagement,
            obj_to_target: to_lever,
        })
    }
}
