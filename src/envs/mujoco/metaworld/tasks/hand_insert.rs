//! Task `hand-insert-v3`: move the gripper and an object into a hole of the table.

use super::prelude::*;
use super::puck::{Puck, TARGET_RADIUS, is_far, outcome};

const CAGING: Caging =
    Caging { radius: 0.015, pad_threshold: 0.05, reach_radius: 0.01, xz_threshold: 0.005, effort: 1.0, density: Density::High };

pub static INSERT: TaskSpec = TaskSpec {
    name: "hand-insert-v3",
    model: "sawyer_xyz/sawyer_table_with_hole.xml",
    hand: [[-0.5, 0.40, -0.15], [0.5, 1.0, 0.5]],
    hand_init: float32([0.0, 0.6, 0.2]),
    random_low: &[-0.1, 0.6, 0.05, -0.04, 0.8, -0.0201],
    random_high: &[0.1, 0.7, 0.05, 0.04, 0.88, -0.0199],
    goal: [[-0.04, 0.8, -0.0201], [0.04, 0.88, -0.0199]],
    accepts: is_far,
    bind: |names| Ok(Box::new(HandInsert(Puck::bind(names)?))),
};

struct HandInsert(Puck);

impl Rules for HandInsert {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        let [x, y, ..] = episode.random;
        episode.object = [x, y, 0.05];
        episode.target = vec3(&episode.random, 3);
        self.0.move_to(sim, episode)
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.body(self.0.object), sim.body_quat(self.0.object))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let (fingers, target) = (step.sim.tcp_center(), episode.target);
        let depth = (INSERT.hand_init[2] - target[2]).abs();
        let moved = progress(depth, (fingers[2] - target[2]).abs(), WIDTHS);
        let reward = approach(distance_xy(&fingers, &target), moved);
        Move { reward, to_target: distance(episode.object, target) }.outcome(0.05, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let object = step.object();
        let to_target = distance(object, episode.target);
        let in_place = tolerance(to_target, (0.0, TARGET_RADIUS), distance(episode.object, episode.target));
        let grasped = CAGING.reward(step, episode, object);
        let tcp_to_object = distance(object, step.sim.tcp_center());
        let mut reward = hamacher(grasped, in_place);
        if tcp_to_object < 0.02 && step.opened() > 0.0 {
            reward = reward + (1.0 + 7.0 * in_place);
        }
        let parts = Parts { reward, grasped: grasped.value(), in_place, to_target, tcp_to_object };
        Ok(outcome(step, episode, &self.0, parts, 0.05))
    }
}
