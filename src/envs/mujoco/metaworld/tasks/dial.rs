//! Task `dial-turn-v3`: turn a dial.

use super::prelude::*;

/// Radius of the dial, in metres.
const RADIUS: f64 = 0.05;
/// Distance from the goal at which the task is solved, in metres.
const TARGET_RADIUS: f64 = 0.07;
/// Distance of the gripper from the dial at which the reward is largest, in metres.
const REACH_RADIUS: f64 = 0.005;
/// Position at which the gripper pushes the dial, relative to its handle.
const PUSH: Vec3 = [0.05, 0.02, 0.09];

pub static TURN: TaskSpec = TaskSpec {
    name: "dial-turn-v3",
    model: "sawyer_xyz/sawyer_dial.xml",
    hand_init: float32([0.0, 0.6, 0.2]),
    random_low: &[-0.1, 0.7, 0.0],
    random_high: &[0.1, 0.8, 0.0],
    goal: [[-0.1, 0.73, 0.0299], [0.1, 0.83, 0.0301]],
    bind: |names| Ok(Box::new(DialTurn::bind(names)?)),
    ..USUAL
};

bound! {
    /// Rules of `dial-turn-v3`. The initial position at which the gripper pushes the dial is at the start of `episode.own`.
    struct DialTurn {
        dial: body("dial"),
        /// Index of the dial's angle in `qpos`.
        knob: position("knob_Joint_1"),
        goal_site: site("goal"),
    }
}

impl DialTurn {
    fn handle(&self, sim: &Sawyer<'_>) -> Vec3 {
        let angle = sim.data.qpos()[self.knob];
        add(sim.body(self.dial), [numpy_ufuncs::sin(angle) * RADIUS, -numpy_ufuncs::cos(angle) * RADIUS, 0.0])
    }
}

impl Rules for DialTurn {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.object = vec3(&episode.random, 0);
        episode.target = add(episode.object, [0.0, 0.03, 0.03]);
        sim.set_model_body(self.dial, episode.object);
        episode.own[..3].copy_from_slice(&add(self.handle(sim), PUSH));
        sim.set_model_site(self.goal_site, episode.target);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(self.handle(sim), sim.body_quat(self.dial))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let (object, target) = (step.object(), episode.target);
        let to_target = (object[1] - target[1]).abs();
        let moved = progress((target[1] - episode.object[1]).abs(), to_target, [0.001, 0.0001]);
        let reward = approach(distance(object, step.sim.tcp_center()), moved);
        Move { reward, to_target }.outcome(TARGET_RADIUS, 1.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (handle, push_init) = (self.handle(step.sim), vec3(&episode.own, 0));
        let to_target = distance(handle, episode.target);
        let margin = (distance(push_init, episode.target) - TARGET_RADIUS).abs();
        let in_place = tolerance(to_target, (0.0, TARGET_RADIUS), margin);
        let tcp_to_object = distance(add(handle, PUSH), step.sim.tcp_center());
        let margin = (distance(push_init, episode.tcp) - REACH_RADIUS).abs();
        let reach = hamacher(gaussian_tolerance(tcp_to_object, (0.0, REACH_RADIUS), margin), step.closed(1.0));
        let parts =
            Parts { reward: 10.0 * hamacher(reach, in_place), grasped: reach.value(), in_place, to_target, tcp_to_object };
        Ok(parts.outcome(0.01, TARGET_RADIUS, 1.0))
    }
}
