//! Task `hand-insert-v3`: move the gripper and an object into a hole of the table.

use super::prelude::*;
use super::puck::{CAGING, Puck, PuckRules, TARGET_RADIUS, is_far};

pub static INSERT: TaskSpec = TaskSpec {
    name: "hand-insert-v3",
    model: "sawyer_xyz/sawyer_table_with_hole.xml",
    hand: LOW_HAND,
    hand_init: float32([0.0, 0.6, 0.2]),
    random_low: &[-0.1, 0.6, 0.05, -0.04, 0.8, -0.0201],
    random_high: &[0.1, 0.7, 0.05, 0.04, 0.88, -0.0199],
    goal: [[-0.04, 0.8, -0.0201], [0.04, 0.88, -0.0199]],
    accepts: is_far,
    bind: |names| RULES.bind(names),
};

const RULES: PuckRules = PuckRules {
    place: |puck, sim, episode| {
        let [x, y, ..] = episode.random;
        episode.object = [x, y, 0.05];
        episode.target = vec3(&episode.random, 3);
        puck.move_to(sim, episode)
    },
    objects: Puck::body_quat,
    first_version,
    parts,
    success: 0.05,
    lifts: true,
};

fn first_version(step: &Step<'_, '_>, episode: &Episode) -> Outcome {
    let (fingers, target) = (step.sim.tcp_center(), episode.target);
    let depth = (INSERT.hand_init[2] - target[2]).abs();
    let moved = progress(depth, (fingers[2] - target[2]).abs(), WIDTHS);
    let reward = approach(distance_xy(&fingers, &target), moved);
    Move { reward, to_target: distance(episode.object, target) }.outcome(0.05, 0.0)
}

fn parts(step: &Step<'_, '_>, episode: &Episode) -> Parts {
    let parts = Parts::of(step, episode, TARGET_RADIUS);
    let is_held = parts.tcp_to_object < 0.02 && step.opened() > 0.0;
    parts.grasped(CAGING.reward(step, episode, step.object()), is_held, 7.0)
}
