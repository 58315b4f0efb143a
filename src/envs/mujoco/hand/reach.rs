//! Start and goals of `HandReach`, in which a finger must meet the thumb.

use super::fingers::{REACH_START, tips};
use super::goal::FINGERS_GOAL;
use crate::names::Names;
use envpool_rs_engine::Result;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Fault, numeric};

/// Number of fingers without the thumb.
const FINGERS: usize = 4;
/// Position at which finger and thumb meet, relative to the palm, in metres.
const MEETING: [f64; 3] = [0.0, -0.09, 0.05];
/// Standard deviation of the meeting place in metres, which is also the distance of the fingertips from it.
const DEVIATION: f64 = 0.005;

/// Objects of the model.
#[derive(Debug, Clone)]
pub struct Reach {
    tips: [usize; FINGERS + 1],
    palm: usize,
    /// Index of each joint's position, in the order of [`REACH_START`].
    joints: Vec<usize>,
}

/// Start of all episodes.
#[derive(Debug, Clone)]
pub struct ReachStart {
    qpos: Vec<f64>,
    goal: [f64; FINGERS_GOAL],
    palm: [f64; 3],
}

impl Reach {
    /// Looks up the objects of the model.
    ///
    /// # Errors
    /// `Value` if the model lacks one of them.
    pub fn new(names: Names<'_>) -> Result<Self> {
        let joints = REACH_START.iter().map(|(name, _)| names.position(name)).collect::<Result<_>>()?;
        Ok(Self { tips: tips(names)?, palm: names.body("robot0:palm")?, joints })
    }

    /// Moves the hand of a new simulation to its start (`_env_setup`), and returns the start.
    pub fn find_start(&self, data: &mut Data) -> Result<ReachStart, Fault> {
        for (place, (_, position)) in self.joints.iter().zip(REACH_START) {
            data.qpos_mut()[*place] = position;
        }
        data.forward()?;
        Ok(ReachStart { qpos: data.qpos().to_vec(), goal: self.achieved(data), palm: data.body(self.palm) })
    }

    /// Resets the simulation to the start (`_reset_sim`).
    pub fn reset(&self, data: &mut Data, start: &ReachStart) -> Result<(), Fault> {
        data.reset()?;
        data.qpos_mut().copy_from_slice(&start.qpos);
        data.forward()
    }

    /// Draws a goal (`_sample_goal`).
    pub fn draw_goal(&self, start: &ReachStart, random: &mut Generator) -> [f64; FINGERS_GOAL] {
        let finger = random.choice(FINGERS);
        let mut meeting = [0, 1, 2].map(|axis| start.palm[axis] + MEETING[axis]);
        meeting.iter_mut().for_each(|value| *value += random.normal(0.0, DEVIATION));
        let mut goal = start.goal;
        for which in [FINGERS, finger] {
            let tip = &mut goal[3 * which..][..3];
            let direction = [0, 1, 2].map(|axis| meeting[axis] - tip[axis]);
            let length = numeric::norm(&direction);
            for axis in 0..3 {
                tip[axis] = meeting[axis] - DEVIATION * (direction[axis] / length);
            }
        }
        if random.uniform(0.0, 1.0) < 0.1 { start.goal } else { goal }
    }

    /// Returns the achieved goal: the positions of the fingertips.
    pub fn achieved(&self, data: &Data) -> [f64; FINGERS_GOAL] {
        let places = self.tips.map(|site| data.site(site));
        std::array::from_fn(|index| places[index / 3][index % 3])
    }
}
