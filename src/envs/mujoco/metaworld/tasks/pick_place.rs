//! Tasks `pick-place-v3` and `pick-place-wall-v3`: pick up a puck, and hold it at a goal.

use super::prelude::*;
use super::puck::{CAGING, Puck, PuckRules, TARGET_RADIUS, WALL_GOAL, WALL_RANDOM, is_far};

/// Radius of the puck, in metres.
const RADIUS: f64 = 0.015;
/// Parameters of the reward for grasping the puck behind a wall.
const WALL_CAGING: Caging = Caging { density: Density::Low, ..CAGING };

pub static PICK_PLACE: TaskSpec = TaskSpec {
    name: "pick-place-v3",
    model: "sawyer_xyz/sawyer_pick_place_v3.xml",
    random_low: &[-0.1, 0.6, 0.02, -0.1, 0.8, 0.05],
    random_high: &[0.1, 0.7, 0.02, 0.1, 0.9, 0.3],
    goal: [[-0.1, 0.8, 0.05], [0.1, 0.9, 0.3]],
    accepts: is_far,
    bind: |names| RULES.bind(names),
    ..USUAL
};

pub static PICK_PLACE_WALL: TaskSpec = TaskSpec {
    name: "pick-place-wall-v3",
    model: "sawyer_xyz/sawyer_pick_place_wall_v3.xml",
    random_low: WALL_RANDOM[0],
    random_high: WALL_RANDOM[1],
    goal: WALL_GOAL,
    bind: |names| PuckRules { objects: Puck::geom, parts: pick_behind_wall, ..RULES }.bind(names),
    ..PICK_PLACE
};

const RULES: PuckRules = PuckRules {
    place: Puck::place,
    objects: Puck::body,
    first_version: |step, episode| pick_and_place(step, episode, 0.04, [episode.target; 2]).outcome(0.07, 0.0),
    parts: pick,
    success: 0.07,
    lifts: true,
};

/// Computes the task's own reward for grasping the puck (`_gripper_caging_reward`).
fn caging(step: &Step<'_, '_>, episode: &Episode, object: Vec3) -> Number {
    let around = PadCaging::pads(step, object, (RADIUS, PadCaging::PADS));
    let caging = hamacher_product(around, PadCaging::along_xz(step, episode, object, 0.005));
    let gripping = if caging > 0.97 { step.closed(1.0) } else { Number::Python(0.0) };
    (hamacher(caging, gripping) + caging) / 2.0
}

fn pick(step: &Step<'_, '_>, episode: &Episode) -> Parts {
    let (object, parts) = (step.object(), Parts::of(step, episode, TARGET_RADIUS));
    let is_held = parts.tcp_to_object < 0.02 && step.opened() > 0.0 && object[2] - 0.01 > episode.object[2];
    parts.grasped(caging(step, episode, object), is_held, 5.0)
}

fn pick_behind_wall(step: &Step<'_, '_>, episode: &Episode) -> Parts {
    let (object, target) = (step.object(), episode.target);
    let parts = Parts::of(step, episode, TARGET_RADIUS);
    let to_middle = |place: Vec3| numpy::norm(&mul(sub(place, [target[0], 0.77, 0.25]), [1.0, 1.0, 3.0]));
    let over_wall = tolerance(to_middle(object), (0.0, TARGET_RADIUS), to_middle(episode.object));
    let grasped = WALL_CAGING.reward(step, episode, object);
    let mut reward = hamacher(grasped, over_wall);
    let is_open = step.opened() > 0.0;
    if parts.tcp_to_object < 0.02 && is_open && object[2] - 0.015 > episode.object[2] {
        reward = match object[1] > 0.75 {
            true => reward + 1.0 + 4.0 + 3.0 * parts.in_place,
            false => reward + 1.0 + 4.0 * over_wall,
        };
    }
    Parts { reward, grasped: grasped.value(), ..parts }
}
