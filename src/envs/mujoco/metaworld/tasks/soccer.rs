//! Task `soccer-v3`: push a ball into a goal.

use super::prelude::*;
use super::puck::is_far;

/// Radius of the ball, in metres (`OBJ_RADIUS`).
const RADIUS: f64 = 0.013;
/// Distance from the goal at which the reward is largest, in metres (`TARGET_RADIUS`).
const TARGET_RADIUS: f64 = 0.07;
/// Initial height of the ball, in metres.
const HEIGHT: f64 = 0.03;
/// Weights of the axes in the distance of the ball from the goal.
const SCALE: Vec3 = [3.0, 1.0, 1.0];
const CAGING: PadCaging = PadCaging { radius: RADIUS, grip: RADIUS + 0.01, xz: 0.005 };

pub static SOCCER: TaskSpec = TaskSpec {
    name: "soccer-v3",
    model: "sawyer_xyz/sawyer_soccer.xml",
    random_low: &[-0.1, 0.6, 0.03, -0.1, 0.8, 0.0],
    random_high: &[0.1, 0.7, 0.03, 0.1, 0.9, 0.0],
    goal: [[-0.1, 0.8, 0.0], [0.1, 0.9, 0.0]],
    accepts: is_far,
    bind: |names| Ok(Box::new(Soccer::bind(names)?)),
    ..USUAL
};

bound! {
    struct Soccer {
        ball: body("soccer_ball"),
        ball_geom: geom("objGeom"),
        goal: body("goal_whole"),
        goal_site: site("goal"),
    }
}

impl Rules for Soccer {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        let [x, y, ..] = episode.random;
        episode.target = vec3(&episode.random, 3);
        episode.object = [x, y, HEIGHT];
        sim.set_model_body(self.goal, episode.target);
        sim.set_object(episode.object)?;
        sim.set_model_site(self.goal_site, episode.target);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.body(self.ball), sim.body_rotation(self.ball))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        Move::to_goal_xy(step, episode).outcome(0.07, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (ball, target) = (step.object(), episode.target);
        let tcp_to_ball = distance(ball, step.sim.tcp_center());
        let scaled = |place: Vec3| numpy::norm(&mul(sub(ball, place), SCALE));
        let to_target = scaled(target);
        let mut in_place = tolerance(to_target, (0.0, TARGET_RADIUS), scaled(episode.object));
        let goal_line = target[1] - 0.1;
        if ball[1] > goal_line && (ball[0] - target[0]).abs() > 0.1 {
            in_place = numpy::clip(in_place - 2.0 * ((ball[1] - goal_line) / (1.0 - goal_line)), 0.0, 1.0);
        }
        let grasped = CAGING.reward(step, episode, ball);
        let reward = if to_target < TARGET_RADIUS { 10.0 } else { 3.0 * grasped + 6.5 * in_place };
        let to_target = distance(ball, target);
        let is_lifted = step.opened() > 0.0 && ball[2] - 0.02 > episode.object[2];
        let parts = Parts { reward: Number::Python(reward), grasped, in_place, to_target, tcp_to_object: tcp_to_ball };
        Ok(parts.outcome(0.03, 0.07, flag(is_lifted && step.sim.touches(self.ball_geom))))
    }
}
