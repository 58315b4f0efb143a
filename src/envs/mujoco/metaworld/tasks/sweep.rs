//! Tasks `sweep-v3` and `sweep-into-v3`: sweep a puck off the table, and into a hole.

use super::prelude::*;
use super::puck::{Puck, PuckRules, TARGET_RADIUS};

/// Radius of the puck, in metres (`OBJ_RADIUS`).
const RADIUS: f64 = 0.02;
/// Initial height of the puck in `sweep-v3`, in metres.
const HEIGHT: f64 = 0.02;
/// Position of the hole in `sweep-into-v3`.
const HOLE: Vec3 = [0.0, 0.84, 0.02];
/// Parameters of the reward for grasping the puck in `sweep-v3`.
const CAGING: PadCaging = PadCaging { radius: RADIUS, grip: RADIUS + 0.01, xz: 0.005 };
/// Parameters of the reward for grasping the puck in `sweep-into-v3`.
const INTO_CAGING: PadCaging = PadCaging { radius: RADIUS, grip: RADIUS + 0.005, xz: 0.01 };

pub static SWEEP: TaskSpec = TaskSpec {
    name: "sweep-v3",
    model: "sawyer_xyz/sawyer_sweep_v3.xml",
    random_low: &[-0.1, 0.6, 0.02],
    random_high: &[0.1, 0.7, 0.02],
    goal: [[0.49, 0.6, 0.0], [0.51, 0.7, 0.02]],
    bind: |names| RULES.bind(names),
    ..USUAL
};

pub static SWEEP_INTO: TaskSpec = TaskSpec {
    name: "sweep-into-v3",
    model: "sawyer_xyz/sawyer_table_with_hole.xml",
    random_low: &[-0.1, 0.6, 0.02, -0.001, 0.8399, 0.0199],
    random_high: &[0.1, 0.7, 0.02, 0.001, 0.8401, 0.0201],
    goal: [[-0.001, 0.8399, 0.0199], [0.001, 0.8401, 0.0201]],
    accepts: |random| distance_xy(random, &HOLE) >= 0.15,
    bind: |names| INTO_RULES.bind(names),
    ..SWEEP
};

const RULES: PuckRules = PuckRules {
    place: |puck, sim, episode| {
        let [x, y, ..] = episode.random;
        episode.object = [x, y, HEIGHT];
        episode.target = [0.5, y, 0.01];
        puck.move_to(sim, episode)
    },
    objects: Puck::body_quat,
    first_version: |step, episode| swept(step, episode, step.object()[2] < episode.object[2] - 0.05),
    parts: |step, episode| parts(step, episode, CAGING, episode.target),
    success: TARGET_RADIUS,
    lifts: false,
};

/// Rules of `sweep-into-v3`.
const INTO_RULES: PuckRules = PuckRules {
    place: |puck, sim, episode| {
        let [x, y, ..] = episode.random;
        episode.object = [x, y, sim.body(puck.object)[2]];
        episode.target = HOLE;
        puck.move_to(sim, episode)
    },
    objects: Puck::body,
    first_version: |step, episode| {
        let [_, y, z] = step.object();
        swept(step, episode, z < episode.object[2] - 0.05 && 0.4 < y && y < 1.0)
    },
    parts: |step, episode| parts(step, episode, INTO_CAGING, [HOLE[0], HOLE[1], step.object()[2]]),
    ..RULES
};

fn parts(step: &Step<'_, '_>, episode: &Episode, caging: PadCaging, target: Vec3) -> Parts {
    let object = step.object();
    let to_target = distance(object, target);
    let tcp_to_object = distance(object, step.sim.tcp_center());
    let in_place = tolerance(to_target, (0.0, TARGET_RADIUS), distance(episode.object, target));
    let grasped = caging.reward(step, episode, object);
    let reward = Number::Python(2.0 * grasped + 6.0 * hamacher_product(grasped, in_place));
    Parts { reward, grasped, in_place, to_target, tcp_to_object }
}

/// Returns the outcome of a step with version 1 of the tasks' reward. `has_fallen` means that the puck has reached its goal.
fn swept(step: &Step<'_, '_>, episode: &Episode, has_fallen: bool) -> Outcome {
    let (object, target) = (step.object(), &episode.target);
    let reach = distance(object, step.sim.tcp_center());
    let to_target = if has_fallen { 0.0 } else { distance_xy(&object, target) };
    let moved = progress(distance_xy(&episode.object, target), to_target, WIDTHS);
    let moved = if reach < 0.05 { moved.max(0.0) } else { 0.0 };
    let reward = if has_fallen { moved } else { -reach + moved };
    Move { reward, to_target }.outcome(TARGET_RADIUS, 0.0)
}
