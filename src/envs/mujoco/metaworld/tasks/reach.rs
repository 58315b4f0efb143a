//! Tasks `reach-v3` and `reach-wall-v3`: move the gripper to a position.

use super::prelude::*;
use super::puck::{Puck, TARGET_RADIUS, WALL_GOAL, WALL_RANDOM, is_far};

pub static REACH: TaskSpec = TaskSpec {
    name: "reach-v3",
    model: "sawyer_xyz/sawyer_reach_v3.xml",
    random_low: &[-0.1, 0.6, 0.02, -0.1, 0.8, 0.05],
    random_high: &[0.1, 0.7, 0.02, 0.1, 0.9, 0.3],
    goal: [[-0.1, 0.8, 0.05], [0.1, 0.9, 0.3]],
    accepts: is_far,
    bind: |names| Ok(Box::new(Reach { puck: Puck::bind(names)?, has_wall: false })),
    ..USUAL
};

pub static REACH_WALL: TaskSpec = TaskSpec {
    name: "reach-wall-v3",
    model: "sawyer_xyz/sawyer_reach_wall_v3.xml",
    random_low: WALL_RANDOM[0],
    random_high: WALL_RANDOM[1],
    goal: WALL_GOAL,
    bind: |names| Ok(Box::new(Reach { puck: Puck::bind(names)?, has_wall: true })),
    ..REACH
};

/// Rules of both tasks, which differ in their infos.
struct Reach {
    puck: Puck,
    has_wall: bool,
}

impl Reach {
    fn outcome(&self, reward: Number, reach: f64, in_place: f64) -> Outcome {
        Outcome {
            reward,
            is_success: reach <= 0.05,
            near_object: if self.has_wall { 0.0 } else { reach },
            grasp_success: if self.has_wall { 0.0 } else { 1.0 },
            grasp_reward: if self.has_wall { 0.0 } else { reach },
            in_place_reward: in_place,
            obj_to_target: reach,
        }
    }
}

impl Rules for Reach {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        self.puck.place(sim, episode)
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        self.puck.body(sim)
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let reach = distance(step.sim.tcp_center(), episode.target);
        let reward = progress(distance(episode.tcp, episode.target), reach, WIDTHS).max(0.0);
        self.outcome(Number::Double(reward), reach, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let reach = distance(step.sim.tcp_center(), episode.target);
        let in_place = tolerance(reach, (0.0, TARGET_RADIUS), distance(HAND_INIT, episode.target));
        Ok(self.outcome(Number::Python(10.0 * in_place), reach, in_place))
    }
}
