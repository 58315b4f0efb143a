//! Task `bin-picking-v3`: move an object from one bin to another.

use super::prelude::*;
use super::puck::TARGET_RADIUS;

const CAGING: Caging =
    Caging { radius: 0.015, pad_threshold: 0.05, reach_radius: 0.01, xz_threshold: 0.01, effort: 0.7, density: Density::High };

pub static PICK: TaskSpec = TaskSpec {
    name: "bin-picking-v3",
    model: "sawyer_xyz/sawyer_bin_picking.xml",
    hand: [[-0.5, 0.40, 0.07], [0.5, 1.0, 0.5]],
    random_low: &[-0.21, 0.65, 0.02, 0.1199, 0.699, -0.001],
    random_high: &[-0.03, 0.75, 0.02, 0.1201, 0.701, 0.001],
    goal: [[0.1199, 0.699, -0.001], [0.1201, 0.701, 0.001]],
    bind: |names| Ok(Box::new(BinPicking { object: names.body("obj")?, goal: names.body("bin_goal")? })),
    ..USUAL
};

/// Rules of `bin-picking-v3`.
///
/// `episode.own` starts with the distance of the object from the goal after the first step (`_target_to_obj_init`), or -1 before
/// it. The reference's goal is a view of the goal's present position.
struct BinPicking {
    object: usize,
    goal: usize,
}

impl Rules for BinPicking {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        let [x, y, ..] = episode.random;
        episode.object = [x, y, sim.body(self.object)[2]];
        sim.set_object(episode.object)?;
        episode.target = sim.body(self.goal);
        episode.own[0] = -1.0;
        episode.own[LIFTED] = sim.body(self.object)[2];
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.body(self.object), sim.body_quat(self.object))
    }

    fn goal(&self, sim: &Sawyer<'_>, _episode: &Episode) -> Vec3 {
        sim.body(self.goal)
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let (object, target, height) = (step.object(), self.goal(step.sim, episode), episode.own[LIFTED]);
        let [reach, reaching] = Reach { above: 0.06, weight: 1.0, ..Reach::USUAL }.of(step, object, episode.tcp[2]);
        let to_target = distance_xy(&object, &target);
        let pick = Pick { z: object[2], height, lifted: height + 0.1, to_target, reach };
        let is_above = (object[0] - target[0]).abs() < 0.05 && (object[1] - target[1]).abs() < 0.05;
        let farthest = distance_xy(&episode.object, &episode.target) + pick.lifted;
        let placed = match progress(farthest, to_target, WIDTHS) {
            negative if negative < 0.0 => Number::Python(0.0),
            placed => Number::Double(placed),
        };
        let released = Number::single(step.action[3]) * -200.0 + placed;
        let is_held = pick.is_held();
        let reward = if is_above && object[2] < height + 0.05 {
            released.value()
        } else {
            let placed = match (is_held && reach < 0.1, is_above) {
                (true, true) => released.value(),
                (true, false) => placed.value(),
                (false, _) => 0.0,
            };
            reaching + pick.reward(is_held, 0.1) + placed
        };
        Outcome { near_object: 0.0, ..Move { reward, to_target }.outcome(0.05, 0.0) }
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (hand, object, target) = (step.hand(), step.object(), self.goal(step.sim, episode));
        let to_target = distance(object, target);
        if episode.own[0] < 0.0 {
            episode.own[0] = to_target;
        }
        let in_place = tolerance(to_target, (0.0, TARGET_RADIUS), episode.own[0]);
        let [first, second] = [episode.object, target].map(|place| funnel(distance_xy(&hand, &place), 0.03, 0.02, 0.2));
        let above = above_floor(hand[2], first.min(second), 0.05);
        let grasped = CAGING.reward(step, episode, object);
        let is_near = distance(object, hand) < 0.04;
        let is_grasped = is_near && object[2] - 0.02 > episode.object[2] && step.opened() >= 0.43;
        let held = is_grasped.then_some((5.0 * hamacher_product(above, in_place)).into());
        Ok(Outcome {
            reward: grasp_and_move(grasped, in_place, held, to_target < TARGET_RADIUS),
            is_success: to_target <= 0.05,
            near_object: flag(is_near),
            grasp_success: flag(is_grasped),
            grasp_reward: grasped.value(),
            in_place_reward: in_place,
            obj_to_target: to_target,
        })
    }
}
