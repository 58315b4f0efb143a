//! Tasks `door-lock-v3` and `door-unlock-v3`: turn the lock of a door.

use super::prelude::*;

/// Length of the lock, in metres.
const LOCK: f64 = 0.1;
/// Weights of the axes in the distance of the gripper from the lock.
const SCALE: Vec3 = [0.25, 1.0, 0.5];
/// Position of the gripper's shoulder relative to its fingers.
const SHOULDER: Vec3 = [0.0, 0.055, 0.07];

/// Initial angle of the lock in `door-unlock-v3`, in radians.
#[expect(clippy::approx_constant, reason = "the reference uses this value, not pi / 2")]
const LOCKED: f64 = 1.5708;

pub static LOCKS: TaskSpec = TaskSpec {
    name: "door-lock-v3",
    model: "sawyer_xyz/sawyer_door_lock.xml",
    hand: LOW_HAND,
    hand_init: float32([0.0, 0.6, 0.2]),
    random_low: &[-0.1, 0.8, 0.15],
    random_high: &[0.1, 0.85, 0.15],
    goal: LOW_HAND,
    bind: |names| Ok(Box::new(Door::bind(names, false)?)),
    ..USUAL
};

pub static UNLOCKS: TaskSpec = TaskSpec {
    name: "door-unlock-v3",
    goal: [[0.0, 0.64, 0.2100], [0.2, 0.7, 0.2111]],
    bind: |names| Ok(Box::new(Door::bind(names, true)?)),
    ..LOCKS
};

bound! {
    struct Door {
        door: body("door"),
        door_link: body("door_link"),
        lock_link: body("lock_link"),
        lock_site: site(if unlocks { "lockStartUnlock" } else { "lockStartLock" });
        unlocks: bool,
    }
}

fn outcome(step: &Step<'_, '_>, reward: f64, grasped: f64, in_place: f64, to_lock: f64, to_target: f64) -> Outcome {
    let parts = Parts { reward: Number::Python(reward), grasped, in_place, to_target, tcp_to_object: to_lock };
    parts.outcome(0.05, 0.02, flag(step.opened() > 0.0))
}

impl Door {
    fn locked(step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let object = step.object();
        // The reference's initial position of the pad is a view of the present one. So is the margin of the tolerance.
        let to_lock = numpy::norm(&mul(sub(object, step.sim.left_pad()), SCALE));
        let near = tolerance(to_lock, (0.0, 0.01), to_lock);
        let obj_to_target = (episode.target[2] - object[2]).abs();
        let pressed = tolerance(obj_to_target, (0.0, 0.005), LOCK);
        let reward = 2.0 * hamacher_product(step.opened().max(0.0), near) + 8.0 * pressed;
        outcome(step, reward, near, pressed, to_lock, obj_to_target)
    }

    fn unlocked(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let (hand, lock) = (step.hand(), step.object());
        let to_lock = numpy::norm(&mul(sub(add(hand, SHOULDER), lock), SCALE));
        // The reference's initial position of the lock is a view of the present one.
        let lock_init = step.sim.body(self.lock_link);
        let margin = numpy::norm(&mul(sub(add(episode.tcp, SHOULDER), lock_init), SCALE));
        let ready = tolerance(to_lock, (0.0, 0.02), margin);
        let obj_to_target = (episode.target[0] - lock[0]).abs();
        let pushed = tolerance(obj_to_target, (0.0, 0.005), LOCK);
        outcome(step, 2.0 * ready + 8.0 * pushed, ready, pushed, to_lock, obj_to_target)
    }
}

impl Rules for Door {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        sim.set_model_body(self.door, vec3(&episode.random, 0));
        if self.unlocks {
            sim.set_positions(9, &[LOCKED], 9..10)?;
        } else {
            sim.advance()?;
        }
        episode.object = sim.body(self.lock_link);
        episode.target = add(episode.object, if self.unlocks { [0.1, -0.04, 0.0] } else { [0.0, -0.04, -0.1] });
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.site(self.lock_site), sim.body_quat(self.door_link))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        Move::to_goal(step, episode).outcome(0.02, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        Ok(if self.unlocks { self.unlocked(step, episode) } else { Self::locked(step, episode) })
    }
}
