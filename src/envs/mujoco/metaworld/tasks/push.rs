//! Tasks `push-v3`, `push-wall-v3` and `push-back-v3`: push a puck to a goal.

use super::prelude::*;
use super::puck::{CAGING, Puck, PuckRules, TARGET_RADIUS, is_far};

/// Radius of the puck in `push-back-v3`, in metres (`OBJ_RADIUS`).
const BACK_RADIUS: f64 = 0.007;
/// Parameters of the reward for grasping the puck in `push-back-v3`.
const BACK_CAGING: PadCaging = PadCaging { radius: BACK_RADIUS, grip: BACK_RADIUS + 0.003, xz: 0.01 };

pub static PUSH: TaskSpec = TaskSpec {
    name: "push-v3",
    model: "sawyer_xyz/sawyer_push_v3.xml",
    random_low: &[-0.1, 0.6, 0.02, -0.1, 0.8, 0.01],
    random_high: &[0.1, 0.7, 0.02, 0.1, 0.9, 0.02],
    goal: [[-0.1, 0.8, 0.01], [0.1, 0.9, 0.02]],
    accepts: is_far,
    bind: |names| RULES.bind(names),
    ..USUAL
};

pub static PUSH_WALL: TaskSpec = TaskSpec {
    name: "push-wall-v3",
    model: "sawyer_xyz/sawyer_push_wall_v3.xml",
    random_low: &[-0.05, 0.6, 0.015, -0.05, 0.85, 0.01],
    random_high: &[0.05, 0.65, 0.015, 0.05, 0.9, 0.02],
    goal: [[-0.05, 0.85, 0.01], [0.05, 0.9, 0.02]],
    bind: |names| SHAPE_RULES.bind(names),
    ..PUSH
};

pub static PUSH_BACK: TaskSpec = TaskSpec {
    name: "push-back-v3",
    model: "sawyer_xyz/sawyer_push_back_v3.xml",
    hand_init: float32([0.0, 0.6, 0.2]),
    random_low: &[-0.1, 0.8, 0.02, -0.1, 0.6, 0.0199],
    random_high: &[0.1, 0.85, 0.02, 0.1, 0.7, 0.0201],
    goal: [[-0.1, 0.6, 0.0199], [0.1, 0.7, 0.0201]],
    bind: |names| PuckRules { parts: back, ..SHAPE_RULES }.bind(names),
    ..PUSH
};

const RULES: PuckRules = PuckRules {
    place: |puck, sim, episode| {
        let height = sim.body(puck.object)[2];
        puck.place_flat(sim, episode, height)
    },
    objects: Puck::body,
    first_version: |step, episode| Move::to_goal_xy(step, episode).outcome(TARGET_RADIUS, 0.0),
    parts: push,
    success: TARGET_RADIUS,
    lifts: true,
};

/// Rules of `push-wall-v3` and `push-back-v3`, except the reward.
const SHAPE_RULES: PuckRules = PuckRules {
    place: Puck::place_at_shape_height,
    objects: Puck::geom,
    first_version: |step, episode| Move::to_goal_xy(step, episode).outcome(0.07, 0.0),
    parts: wall,
    success: 0.07,
    lifts: true,
};

fn push(step: &Step<'_, '_>, episode: &Episode) -> Parts {
    let parts = Parts::of(step, episode, TARGET_RADIUS);
    let grasped = CAGING.reward(step, episode, step.object());
    let mut reward = 2.0 * grasped;
    if parts.tcp_to_object < 0.02 && step.opened() > 0.0 {
        reward = reward + (1.0 + reward + 5.0 * parts.in_place);
    }
    Parts { reward, grasped: grasped.value(), ..parts }
}

fn wall(step: &Step<'_, '_>, episode: &Episode) -> Parts {
    let object = step.object();
    let parts = Parts::of(step, episode, TARGET_RADIUS);
    let to_middle = |place: Vec3| numpy::norm(&mul(sub(place, [-0.05, 0.77, object[2]]), [3.0, 1.0, 1.0]));
    let past_wall = tolerance(to_middle(object), (0.0, TARGET_RADIUS), to_middle(episode.object));
    let grasped = CAGING.reward(step, episode, object);
    let mut reward = 2.0 * grasped;
    if parts.tcp_to_object < 0.02 && step.opened() > 0.0 {
        reward = match object[1] > 0.75 {
            true => reward + 1.0 + 4.0 + 3.0 * parts.in_place,
            false => reward + 1.0 + 4.0 * past_wall,
        };
    }
    Parts { reward, grasped: grasped.value(), ..parts }
}

fn back(step: &Step<'_, '_>, episode: &Episode) -> Parts {
    let parts = Parts::of(step, episode, TARGET_RADIUS);
    let is_moved = distance(episode.object, episode.target) - parts.to_target > 0.01;
    let is_held = parts.tcp_to_object < 0.01 && 0.0 < step.opened() && step.opened() < 0.55 && is_moved;
    parts.grasped(BACK_CAGING.reward(step, episode, step.object()), is_held, 5.0)
}
