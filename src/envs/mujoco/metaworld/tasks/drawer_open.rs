//! Task `drawer-open-v3`: open a drawer.

use super::super::number::Number;
use super::super::rewards::tolerance;
use super::super::sawyer::Sawyer;
use super::super::task::{Episode, HAND, Objects, Outcome, Rules, Step, TaskSpec, flag};
use super::super::vector::{Vec3, add, distance, float32, mul, sub, vec3};
use crate::dm_control::names::Names;
use envpool_rs_engine::Result;
use envpool_rs_sim_mujoco::{Fault, numeric};

/// Distance by which the drawer opens, in metres (`maxDist`).
const MAX_DIST: f64 = 0.2;
/// Position of the handle relative to the drawer.
const HANDLE: Vec3 = [0.0, -0.16, 0.0];
/// Weights of the axes in the distance of the gripper from the handle.
const SCALE: Vec3 = [3.0, 3.0, 1.0];

/// Properties of the task.
pub static SPEC: TaskSpec = TaskSpec {
    id: "MetaWorld/DrawerOpen-v3",
    name: "drawer-open-v3",
    model: "sawyer_xyz/sawyer_drawer.xml",
    hand: HAND,
    hand_init: float32([0.0, 0.6, 0.2]),
    random_low: &[-0.1, 0.9, 0.0],
    random_high: &[0.1, 0.9, 0.0],
    goal: HAND,
    accepts: |_| true,
    bind: DrawerOpen::bind,
};

/// Rules of the task.
struct DrawerOpen {
    drawer: usize,
    drawer_link: usize,
    goal_site: usize,
}

impl DrawerOpen {
    fn bind(names: Names<'_>) -> Result<Box<dyn Rules>> {
        let [drawer, drawer_link] = [names.body("drawer")?, names.body("drawer_link")?];
        Ok(Box::new(Self { drawer, drawer_link, goal_site: names.site("goal")? }))
    }
}

impl Rules for DrawerOpen {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.object = vec3(&episode.random, 0);
        sim.set_model_body(self.drawer, episode.object);
        episode.target = add(episode.object, [0.0, -0.16 - MAX_DIST, 0.09]);
        sim.set_model_site(self.goal_site, episode.target);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(add(sim.body(self.drawer_link), HANDLE), sim.body_quat(self.drawer_link))
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (gripper, handle) = (step.hand(), step.object());
        let handle_error = distance(handle, episode.target);
        let opening = tolerance(handle_error, (0.0, 0.02), MAX_DIST);
        let handle_init = add(episode.target, [0.0, MAX_DIST, 0.0]);
        let error = numeric::norm(&mul(sub(handle, gripper), SCALE));
        let margin = numeric::norm(&mul(sub(handle_init, episode.tcp), SCALE));
        let caging = tolerance(error, (0.0, 0.01), margin);
        let gripper_error = distance(handle, gripper);
        Ok(Outcome {
            reward: Number::Python((caging + opening) * 5.0),
            is_success: handle_error <= 0.03,
            near_object: flag(gripper_error <= 0.03),
            grasp_success: flag(step.opened() > 0.0),
            grasp_reward: caging,
            in_place_reward: opening,
            obj_to_target: handle_error,
        })
    }
}
