//! Task `pick-out-of-hole-v3`: pick a puck out of a hole, and hold it at a goal.

use super::prelude::*;
use super::puck::{Puck, TARGET_RADIUS, is_far};

/// Horizontal distance from the hole up to which the gripper may be at any height, in metres.
const HOLE_RADIUS: f64 = 0.03;
const CAGING: Caging =
    Caging { radius: 0.015, pad_threshold: 0.02, reach_radius: 0.01, xz_threshold: 0.03, effort: 0.1, density: Density::High };

pub static PICK: TaskSpec = TaskSpec {
    name: "pick-out-of-hole-v3",
    model: "sawyer_xyz/sawyer_pick_out_of_hole.xml",
    hand: [[-0.5, 0.40, -0.05], [0.5, 1.0, 0.5]],
    hand_init: HAND_INIT,
    random_low: &[0.0, 0.75, 0.02, -0.1, 0.5, 0.15],
    random_high: &[0.0, 0.75, 0.02, 0.1, 0.6, 0.3],
    goal: [[-0.1, 0.5, 0.15], [0.1, 0.6, 0.3]],
    accepts: is_far,
    bind: |names| Ok(Box::new(PickOutOfHole(Puck::bind(names)?))),
};

struct PickOutOfHole(Puck);

impl PickOutOfHole {
    /// Computes the reward for the gripper's height above a floor that rises with the distance from the hole.
    fn above_floor(gripper: Vec3, hole: Vec3) -> f64 {
        let radius = distance_xy(&gripper, &hole);
        let floor = if radius <= HOLE_RADIUS { 0.0 } else { 0.015 * numpy_ufuncs::log(radius - HOLE_RADIUS) + 0.15 };
        if gripper[2] >= floor { 1.0 } else { tolerance((floor - gripper[2]).max(0.0), (0.0, 0.01), 0.02) }
    }
}

impl Rules for PickOutOfHole {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        self.0.place(sim, episode)
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        self.0.body_quat(sim)
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let (object, target, height) = (step.object(), episode.target, episode.own[LIFTED]);
        let [reach, reaching] = Reach::USUAL.of(step, object, episode.tcp[2]);
        let to_target = distance(object, target);
        let pick = Pick { z: object[2], height, lifted: height + 0.11, to_target, reach };
        let is_held = pick.is_held();
        let picked = pick.reward_of(is_held, 0.1, |lifted| 100.0 * (lifted - height + 0.02));
        let farthest = pick.farthest(episode.object, target);
        let placed = if is_held && reach < 0.1 { progress(farthest, to_target, WIDTHS).max(0.0) } else { 0.0 };
        Move { reward: reaching + picked + placed, to_target }.outcome(0.07, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (object, parts) = (step.object(), Parts::of(step, episode, 0.02));
        let grasped = CAGING.reward(step, episode, object);
        let is_pinched = step.opened() < 0.33;
        let is_grasped = parts.tcp_to_object < 0.04 && object[2] - 0.02 > episode.object[2] && !is_pinched;
        let above_floor = Self::above_floor(step.sim.tcp_center(), episode.object);
        let held = is_grasped.then_some((5.0 * hamacher_product(parts.in_place, above_floor)).into());
        let reward = grasp_and_move(grasped, parts.in_place, held, parts.to_target < TARGET_RADIUS);
        Ok(Parts { reward, grasped: grasped.value(), ..parts }.outcome(0.03, 0.07, flag(is_grasped)))
    }
}
