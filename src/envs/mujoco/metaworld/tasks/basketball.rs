//! Task `basketball-v3`: dunk a ball into a basket.

use super::prelude::*;
use super::puck::is_far;

/// Distance from the goal at which the task is solved, in metres.
const TARGET_RADIUS: f64 = 0.08;
/// Weights of the axes in the distance of the ball from the goal.
const SCALE: Vec3 = [1.0, 1.0, 2.0];
/// Initial height of the ball.
const HEIGHT: f64 = 0.03_f32 as f64;
const CAGING: Caging =
    Caging { radius: 0.025, pad_threshold: 0.06, reach_radius: 0.01, xz_threshold: 0.005, effort: 1.0, density: Density::High };

pub static BASKETBALL: TaskSpec = TaskSpec {
    name: "basketball-v3",
    model: "sawyer_xyz/sawyer_basketball.xml",
    hand: HAND,
    hand_init: float32([0.0, 0.6, 0.2]),
    random_low: &[-0.1, 0.6, 0.0299, -0.1, 0.85, 0.0],
    random_high: &[0.1, 0.7, 0.0301, 0.1, 0.9 + 1e-7, 0.0],
    goal: [add([-0.1, 0.85, 0.0], [0.0, -0.083, 0.2499]), add([0.1, 0.9 + 1e-7, 0.0], [0.0, -0.083, 0.2501])],
    accepts: is_far,
    bind: |names| Ok(Box::new(Basketball::bind(names)?)),
};

bound! {
    /// Rules of `basketball-v3`. The reference's goal is a view of the goal site's present position.
    struct Basketball {
        ball: body("bsktball"),
        ball_geom: geom("objGeom"),
        basket: body("basket_goal"),
        goal_site: site("goal"),
    }
}

impl Rules for Basketball {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        let [x, y, ..] = episode.random;
        episode.object = [x, y, HEIGHT];
        sim.set_model_body(self.basket, vec3(&episode.random, 3));
        sim.set_object(episode.object)?;
        episode.target = sim.site(self.goal_site);
        sim.set_model_site(self.goal_site, episode.target);
        episode.own[LIFTED] = sim.geom(self.ball_geom)[2];
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.body(self.ball), sim.body_quat(self.ball))
    }

    fn goal(&self, sim: &Sawyer<'_>, _episode: &Episode) -> Vec3 {
        sim.site(self.goal_site)
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let target = self.goal(step.sim, episode);
        pick_and_place(step, episode, 0.3, [target, episode.target]).outcome(TARGET_RADIUS, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let object = step.object();
        let [goal_x, goal_y, _] = self.goal(step.sim, episode);
        let weighted = |place: Vec3| numpy::norm(&mul(sub(place, [goal_x, goal_y, 0.3]), SCALE));
        let to_target = weighted(object);
        let in_place = tolerance(to_target, (0.0, TARGET_RADIUS), weighted(episode.object));
        let tcp_to_object = distance(object, step.sim.tcp_center());
        let is_open = step.opened() > 0.0;
        let is_held = tcp_to_object < 0.035 && is_open && object[2] - 0.01 > episode.object[2];
        let grasped = if is_held { Number::Python(1.0) } else { CAGING.reward(step, episode, object) };
        let held = is_held.then_some((5.0 * in_place).into());
        let reward = grasp_and_move(grasped, in_place, held, to_target < TARGET_RADIUS);
        let parts = Parts { reward, grasped: grasped.value(), in_place, to_target, tcp_to_object };
        Ok(parts.outcome(0.05, TARGET_RADIUS, flag(is_open && object[2] - 0.03 > episode.object[2])))
    }
}
