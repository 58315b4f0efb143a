//! Tasks `faucet-open-v3` and `faucet-close-v3`: turn the handle of a faucet.

use super::prelude::*;

/// Length of the handle, in metres.
const HANDLE: f64 = 0.175;
/// Distance from the goal at which the task is solved, in metres.
const TARGET_RADIUS: f64 = 0.07;
/// Distance of the gripper from the handle at which the reward is largest, in metres.
const REACH_RADIUS: f64 = 0.01;

pub static OPEN: TaskSpec = TaskSpec {
    name: "faucet-open-v3",
    model: "sawyer_xyz/sawyer_faucet.xml",
    hand: LOW_HAND,
    hand_init: [0.0, 0.4, 0.2],
    random_low: &[-0.05, 0.8, 0.0],
    random_high: &[0.05, 0.85, 0.0],
    goal: LOW_HAND,
    bind: |names| Ok(Box::new(Faucet::bind(names, true)?)),
    ..USUAL
};

pub static CLOSE: TaskSpec = TaskSpec {
    name: "faucet-close-v3",
    random_low: &[-0.1, 0.8, 0.0],
    random_high: &[0.1, 0.85, 0.0],
    bind: |names| Ok(Box::new(Faucet::bind(names, false)?)),
    ..OPEN
};

bound! {
    struct Faucet {
        base: body("faucetBase"),
        handle_site: site(if opens { "handleStartOpen" } else { "handleStartClose" }),
        goal_site: site(if opens { "goal_open" } else { "goal_close" });
        opens: bool,
    }
}

impl Rules for Faucet {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.object = vec3(&episode.random, 0);
        sim.set_model_body(self.base, episode.object);
        episode.target = add(episode.object, [if self.opens { HANDLE } else { -HANDLE }, 0.0, 0.125]);
        if !self.opens {
            sim.set_positions(0, &[], 0..0)?;
        }
        sim.set_model_site(self.goal_site, episode.target);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(add(sim.site(self.handle_site), [0.0, 0.0, -0.01]), sim.body_quat(self.base))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        Move::to_goal(step, episode).outcome(TARGET_RADIUS, 1.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let object = if self.opens { add(step.object(), [-0.04, 0.0, 0.03]) } else { step.object() };
        let to_target = distance(object, episode.target);
        let margin = (distance(episode.object, episode.target) - TARGET_RADIUS).abs();
        let in_place = tolerance(to_target, (0.0, TARGET_RADIUS), margin);
        let tcp_to_object = distance(object, step.sim.tcp_center());
        let margin = (distance(episode.object, episode.tcp) - REACH_RADIUS).abs();
        let reach = gaussian_tolerance(tcp_to_object, (0.0, REACH_RADIUS), margin);
        let reward = Number::Python(if to_target <= TARGET_RADIUS { 10.0 } else { (2.0 * reach + 3.0 * in_place) * 2.0 });
        Ok(Parts { reward, grasped: reach, in_place, to_target, tcp_to_object }.outcome(0.01, TARGET_RADIUS, 1.0))
    }
}
