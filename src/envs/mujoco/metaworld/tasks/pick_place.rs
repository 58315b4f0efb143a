//! Task `pick-place-v3`: pick up a puck, and hold it at a goal.

use super::super::number::Number;
use super::super::rewards::{hamacher, hamacher_product, tolerance};
use super::super::sawyer::Sawyer;
use super::super::task::{Episode, HAND, Objects, Outcome, Rules, Step, TaskSpec, flag};
use super::super::vector::{Vec3, distance, distance_xy, vec3};
use crate::dm_control::names::Names;
use envpool_rs_engine::Result;
use envpool_rs_sim_mujoco::Fault;

/// Distance from the goal at which the reward is largest, in metres.
const TARGET_RADIUS: f64 = 0.05;

/// Properties of the task.
pub static SPEC: TaskSpec = TaskSpec {
    id: "MetaWorld/PickPlace-v3",
    name: "pick-place-v3",
    model: "sawyer_xyz/sawyer_pick_place_v3.xml",
    hand: HAND,
    hand_init: [0.0, 0.6, 0.2],
    random_low: &[-0.1, 0.6, 0.02, -0.1, 0.8, 0.05],
    random_high: &[0.1, 0.7, 0.02, 0.1, 0.9, 0.3],
    goal: [[-0.1, 0.8, 0.05], [0.1, 0.9, 0.3]],
    accepts: |random| distance_xy(random, &random[3..]) >= 0.15,
    bind: PickPlace::bind,
};

/// Rules of the task.
struct PickPlace {
    object: usize,
    object_geom: usize,
    goal_site: usize,
}

impl PickPlace {
    fn bind(names: Names<'_>) -> Result<Box<dyn Rules>> {
        Ok(Box::new(Self { object: names.body("obj")?, object_geom: names.geom("objGeom")?, goal_site: names.site("goal")? }))
    }

    /// Computes the task's own reward for grasping the object (`_gripper_caging_reward`).
    fn caging(step: &Step<'_, '_>, episode: &Episode, object: Vec3) -> Number {
        let (threshold, xz_threshold, radius) = (0.05, 0.005, 0.015);
        let (left, right) = (step.sim.left_pad(), step.sim.right_pad());
        let [right, left] = [(object[1] - right[1], right), (left[1] - object[1], left)].map(|(distance, pad)| {
            let margin = ((object[1] - pad[1]).abs() - threshold).abs();
            tolerance(distance, (radius, threshold), margin)
        });
        let y_caging = hamacher_product(left, right);
        let flat = |[x, y, z]: Vec3| [x, y - y, z];
        let tcp = step.sim.tcp_center();
        let margin = distance(flat(episode.object), flat(episode.tcp)) - xz_threshold;
        let xz_caging = tolerance(distance(flat(tcp), flat(object)), (0.0, xz_threshold), margin);
        let caging = hamacher_product(y_caging, xz_caging);
        let gripping = if caging > 0.97 { step.closed(1.0) } else { Number::Python(0.0) };
        (hamacher(caging, gripping) + caging) / 2.0
    }
}

impl Rules for PickPlace {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.target = vec3(&episode.random, 3);
        episode.object = vec3(&episode.random, 0);
        episode.tcp = sim.tcp_center();
        sim.set_object(episode.object)?;
        sim.set_model_site(self.goal_site, episode.target);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.body(self.object), sim.geom_rotation(self.object_geom))
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (tcp, object) = (step.sim.tcp_center(), step.object());
        let to_target = distance(object, episode.target);
        let tcp_to_object = distance(object, tcp);
        let in_place = tolerance(to_target, (0.0, TARGET_RADIUS), distance(episode.object, episode.target));
        let grasped = Self::caging(step, episode, object);
        let mut reward = hamacher(grasped, in_place);
        let is_open = step.opened() > 0.0;
        if tcp_to_object < 0.02 && is_open && object[2] - 0.01 > episode.object[2] {
            reward = reward + (1.0 + 5.0 * in_place);
        }
        if to_target < TARGET_RADIUS {
            reward = Number::Python(10.0);
        }
        let is_lifted = is_open && object[2] - 0.02 > episode.object[2];
        Ok(Outcome {
            reward,
            is_success: to_target <= 0.07,
            near_object: flag(tcp_to_object <= 0.03),
            grasp_success: flag(is_lifted && step.sim.touches(self.object_geom)),
            grasp_reward: grasped.value(),
            in_place_reward: in_place,
            obj_to_target: to_target,
        })
    }
}
