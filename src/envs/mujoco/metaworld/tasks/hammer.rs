//! Task `hammer-v3`: hammer a nail into a box.

use super::prelude::*;

/// Length of the hammer's handle, in metres (`HAMMER_HANDLE_LENGTH`).
const HANDLE: f64 = 0.14;
/// Position of the hammer's head relative to the hammer.
const HEAD: Vec3 = [0.16, 0.06, 0.0];
const BOX: Vec3 = [0.24, 0.85, 0.0];
/// Distance by which the nail is in the box when the task is solved, in metres.
const DRIVEN: f64 = 0.09;
const CAGING: Caging =
    Caging { radius: 0.015, pad_threshold: 0.02, reach_radius: 0.01, xz_threshold: 0.01, effort: 1.0, density: Density::High };

pub static HAMMER: TaskSpec = TaskSpec {
    name: "hammer-v3",
    model: "sawyer_xyz/sawyer_hammer.xml",
    hand_init: [0.0, 0.4, 0.2],
    random_low: &[-0.1, 0.4, 0.0],
    random_high: &[0.1, 0.5, 0.0],
    goal: [[0.2399, 0.7399, 0.109], [0.2401, 0.7401, 0.111]],
    bind: |names| Ok(Box::new(Hammer::bind(names)?)),
    ..USUAL
};

bound! {
    struct Hammer {
        nail_box: body("box"),
        hammer: body("hammer"),
        head_geom: geom("HammerHead"),
        nail: body("nail_link"),
        head_site: site("nailHead"),
        goal_site: site("goal"),
        /// Index of the nail's position in `qpos`.
        slide: position("NailSlideJoint"),
    }
}

impl Rules for Hammer {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        sim.set_model_body(self.nail_box, BOX);
        episode.target = sim.site(self.goal_site);
        episode.object = vec3(&episode.random, 0);
        sim.set_object(episode.object)?;
        episode.own[LIFTED] = sim.body(self.hammer)[2];
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        let [hammer, nail] = [self.hammer, self.nail].map(|body| (sim.body(body), sim.body_quat(body)));
        Objects::two(hammer, nail)
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let (hammer, nail, height) = (step.object(), step.sim.site(self.head_site), episode.own[LIFTED]);
        let reach = distance(hammer, step.sim.tcp_center());
        let reaching = if reach < 0.05 { -reach + grip(step) } else { -reach };
        let (to_nail, to_target) = (distance(nail, step.sim.geom(self.head_geom)), (nail[1] - episode.target[1]).abs());
        let pick = Pick { z: hammer[2], height, lifted: height + 0.09, to_target: to_nail, reach };
        let is_held = pick.is_held();
        let farthest = pick.farthest(episode.object, episode.object) + (episode.object[1] - episode.target[1]).abs();
        let hammered = 1000.0 * (farthest - to_nail - to_target) + bonus(1000.0, to_nail + to_target, WIDTHS);
        let hammered = if is_held && reach < 0.1 { hammered.max(0.0) } else { 0.0 };
        let is_driven = step.sim.data.qpos()[self.slide] > DRIVEN;
        solved(reaching + pick.reward(is_held, 0.1) + hammered, is_driven)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let head = add(step.object(), HEAD);
        let ready = orientation(step, [1.0, 0.0, 0.0, 0.0], 0.4);
        let grasped = CAGING.reward(step, episode, on_handle(step, HANDLE));
        let lifted = if head[2] > 0.02 { 0.1 } else { 0.0 };
        let in_place = lifted + 0.9 * tolerance(distance(episode.target, head), (0.0, 0.02), 0.2);
        let is_success = step.sim.data.qpos()[self.slide] > DRIVEN;
        let mut reward = (2.0 * grasped + 6.0 * in_place) * ready;
        if is_success && reward.value() > 5.0 {
            reward = Number::Python(10.0);
        }
        Ok(Stages { reward, is_success, ready, grasped: grasped.value(), in_place }.outcome())
    }
}
