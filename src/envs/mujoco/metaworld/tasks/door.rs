//! Tasks `door-open-v3` and `door-close-v3`: pull a door open, and push it shut.

use std::f64::consts::PI;

use super::prelude::*;

/// Distance from the goal at which the reward of `door-close-v3` is largest, in metres.
const TARGET_RADIUS: f64 = 0.05;
/// Radius of the funnel around the handle, in metres.
const THRESHOLD: f64 = 0.12;
/// Initial position of the hand in `door-close-v3`.
const CLOSE_HAND: Vec3 = float32([-0.5, 0.6, 0.2]);
/// Initial angle of the door in `door-close-v3`, in radians.
#[expect(clippy::approx_constant, reason = "the reference uses this value, not pi / 2")]
const OPENED: f64 = -1.5708;

pub static OPEN: TaskSpec = TaskSpec {
    name: "door-open-v3",
    model: "sawyer_xyz/sawyer_door_pull.xml",
    random_low: &[0.0, 0.85, 0.15],
    random_high: &[0.1, 0.95, 0.15],
    goal: [[-0.3, 0.4, 0.1499], [-0.2, 0.5, 0.1501]],
    bind: |names| Ok(Box::new(DoorOpen(Door::bind(names)?))),
    ..USUAL
};

pub static CLOSE: TaskSpec = TaskSpec {
    name: "door-close-v3",
    hand_init: CLOSE_HAND,
    goal: [[0.2, 0.65, 0.1499], [0.3, 0.75, 0.1501]],
    bind: |names| Ok(Box::new(DoorClose(Door::bind(names)?))),
    ..OPEN
};

bound! {
    struct Door {
        door: body("door"),
        handle_geom: geom("handle"),
        goal_site: site("goal"),
        /// Index of the door's angle in `qpos`.
        position: position("doorjoint"),
        velocity: velocity("doorjoint"),
    }
}

impl Door {
    /// Places the door, with its handle's goal at `goal` relative to it. `episode.own[0]` is the handle's distance from the goal.
    fn place(&self, sim: &mut Sawyer<'_>, episode: &mut Episode, goal: Vec3, angle: f64) -> Result<(), Fault> {
        episode.object = vec3(&episode.random, 0);
        episode.target = add(episode.object, goal);
        sim.set_model_body(self.door, episode.object);
        sim.set_model_site(self.goal_site, episode.target);
        sim.set_positions(self.position, &[angle], self.velocity..self.velocity + 1)?;
        episode.own[0] = distance_xy(&sim.geom(self.handle_geom), &episode.target);
        Ok(())
    }

    /// Computes version 1 of the tasks' reward.
    fn pulled(&self, step: &Step<'_, '_>, episode: &Episode) -> Move {
        let object = step.object();
        Move::new(step.sim.tcp_center(), object, distance_xy(&object, &episode.target), episode.own[0])
    }

    fn observe(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.geom(self.handle_geom), sim.geom_rotation(self.handle_geom))
    }
}

struct DoorOpen(Door);

impl DoorOpen {
    /// Returns the reward for a hand between handle and door.
    fn ready(step: &Step<'_, '_>) -> f64 {
        let (hand, door) = (step.hand(), add(step.object(), [-0.05, 0.0, 0.0]));
        let floor = funnel(distance_xy(&hand, &door), THRESHOLD, 0.04, 0.4);
        let above = above_floor(hand[2], floor, floor / 2.0);
        let to_handle = numpy::norm(&sub(sub(hand, door), [0.05, 0.03, -0.01]));
        hamacher_product(above, tolerance(to_handle, (0.0, THRESHOLD / 2.0), 0.5))
    }

    fn opened(angle: f64) -> f64 {
        let trying = if angle < -PI / 90.0 { 0.2 } else { 0.0 };
        trying + 0.8 * tolerance(PI / 2.0 + PI / 6.0 - -angle, (0.0, 0.5), PI / 3.0)
    }
}

impl Rules for DoorOpen {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        self.0.place(sim, episode, [-0.3, -0.45, 0.0], 0.0)
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        self.0.observe(sim)
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let moved = self.0.pulled(step, episode);
        let is_success = (step.object()[0] - episode.target[0]).abs() <= 0.08;
        Outcome { is_success, near_object: 0.0, obj_to_target: 0.0, ..moved.outcome(0.0, 0.0) }
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (grasped, ready) = (grab_effort(step), Self::ready(step));
        let in_place = Self::opened(step.sim.data.qpos()[self.0.position]);
        let is_success = (step.object()[0] - episode.target[0]).abs() <= 0.08;
        let reward = if is_success { 10.0 } else { 2.0 * hamacher_product(ready, grasped) + 8.0 * in_place };
        Ok(Stages { reward: Number::Python(reward), is_success, ready, grasped, in_place }.outcome())
    }
}

struct DoorClose(Door);

impl Rules for DoorClose {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        self.0.place(sim, episode, [0.2, -0.2, 0.0], OPENED)
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        self.0.observe(sim)
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let moved = self.0.pulled(step, episode);
        Outcome { near_object: 0.0, grasp_reward: 1.0, ..moved.outcome(0.08, 1.0) }
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (object, target) = (step.object(), episode.target);
        let obj_to_target = distance(object, target);
        let in_place = gaussian_tolerance(obj_to_target, (0.0, TARGET_RADIUS), distance(episode.object, target));
        let margin = distance(CLOSE_HAND, object) + 0.1;
        let tcp_to_target = distance(step.sim.tcp_center(), target);
        let hand_in_place = gaussian_tolerance(tcp_to_target, (0.0, 0.25 * TARGET_RADIUS), margin);
        let reward = if obj_to_target < TARGET_RADIUS { 10.0 } else { 3.0 * hand_in_place + 6.0 * in_place };
        Ok(Outcome {
            reward: Number::Python(reward),
            is_success: obj_to_target <= 0.08,
            near_object: 0.0,
            grasp_success: 1.0,
            grasp_reward: 1.0,
            in_place_reward: hand_in_place,
            obj_to_target,
        })
    }
}
