//! Task `reach-v3`: move the gripper to a position.

use super::super::number::Number;
use super::super::rewards::tolerance;
use super::super::sawyer::Sawyer;
use super::super::task::{Episode, HAND, Objects, Outcome, Rules, Step, TaskSpec};
use super::super::vector::{Vec3, distance, distance_xy, vec3};
use crate::dm_control::names::Names;
use envpool_rs_engine::Result;
use envpool_rs_sim_mujoco::Fault;

/// Initial position of the hand.
const HAND_INIT: Vec3 = [0.0, 0.6, 0.2];
/// Distance from the goal at which the reward is largest, in metres.
const TARGET_RADIUS: f64 = 0.05;

/// Properties of the task.
pub static SPEC: TaskSpec = TaskSpec {
    id: "MetaWorld/Reach-v3",
    name: "reach-v3",
    model: "sawyer_xyz/sawyer_reach_v3.xml",
    hand: HAND,
    hand_init: HAND_INIT,
    random_low: &[-0.1, 0.6, 0.02, -0.1, 0.8, 0.05],
    random_high: &[0.1, 0.7, 0.02, 0.1, 0.9, 0.3],
    goal: [[-0.1, 0.8, 0.05], [0.1, 0.9, 0.3]],
    accepts: |random| distance_xy(random, &random[3..]) >= 0.15,
    bind: Reach::bind,
};

/// Rules of the task.
struct Reach {
    object: usize,
    object_geom: usize,
    goal_site: usize,
}

impl Reach {
    fn bind(names: Names<'_>) -> Result<Box<dyn Rules>> {
        Ok(Box::new(Self { object: names.body("obj")?, object_geom: names.geom("objGeom")?, goal_site: names.site("goal")? }))
    }
}

impl Rules for Reach {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.target = vec3(&episode.random, 3);
        episode.object = vec3(&episode.random, 0);
        sim.set_object(episode.object)?;
        sim.set_model_site(self.goal_site, episode.target);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.body(self.object), sim.geom_rotation(self.object_geom))
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let reach = distance(step.sim.tcp_center(), episode.target);
        let in_place = tolerance(reach, (0.0, TARGET_RADIUS), distance(HAND_INIT, episode.target));
        Ok(Outcome {
            reward: Number::Python(10.0 * in_place),
            is_success: reach <= 0.05,
            near_object: reach,
            grasp_success: 1.0,
            grasp_reward: reach,
            in_place_reward: in_place,
            obj_to_target: reach,
        })
    }
}
