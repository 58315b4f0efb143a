//! Start and goals of `HandReach`, in which a finger must meet the thumb.

use super::fingers::tips;
use super::goal::FINGERS_GOAL;
use crate::names::Names;
use envpool_rs_engine::{Error, Result};
use envpool_rs_numeric::numpy;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Fault, JointKind};

/// Number of fingers without the thumb.
const FINGERS: usize = 4;
/// Position at which finger and thumb meet, relative to the palm, in metres.
const MEETING: [f64; 3] = [0.0, -0.09, 0.05];
/// Standard deviation of the meeting place in metres, which is also the distance of the fingertips from it.
const DEVIATION: f64 = 0.005;

/// Name of the option for the positions of joints before the first episode.
pub const INITIAL_QPOS: &str = "initial_qpos";

#[derive(Debug, Clone)]
pub struct Reach {
    tips: [usize; FINGERS + 1],
    palm: usize,
    /// Indices in `qpos` of joints, with their positions before the first episode in radians.
    positions: Vec<(usize, f64)>,
}

#[derive(Debug, Clone)]
pub struct ReachStart {
    qpos: Vec<f64>,
    goal: [f64; FINGERS_GOAL],
    palm: [f64; 3],
}

impl Reach {
    /// Looks up the objects of the model. `initial` is the value of the option `initial_qpos`. Fails with `Value` if the model
    /// lacks one of them, or if `initial` does not have one number for each of its joints.
    pub fn new(names: Names<'_>, initial: &[(String, Vec<f64>)]) -> Result<Self> {
        let position = |(name, values): &(String, Vec<f64>)| {
            let is_rotation = names.0.joint_kind(names.joint(name)?) == JointKind::Hinge;
            match &values[..] {
                [value] if is_rotation => Ok((names.position(name)?, *value)),
                _ => {
                    let given = format_args!("{{{name:?}: {values:?}}}").to_string();
                    Err(Error::value(INITIAL_QPOS, given, "one number for each joint, an angle in radians"))
                }
            }
        };
        let positions = initial.iter().map(position).collect::<Result<_>>()?;
        Ok(Self { tips: tips(names)?, palm: names.body("robot0:palm")?, positions })
    }

    /// Moves the hand of a new simulation to its start (`_env_setup`), and returns the start.
    pub fn find_start(&self, data: &mut Data) -> Result<ReachStart, Fault> {
        for (place, position) in &self.positions {
            data.qpos_mut()[*place] = *position;
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

    pub fn draw_goal(&self, start: &ReachStart, random: &mut Generator) -> [f64; FINGERS_GOAL] {
        let finger = random.choice(FINGERS);
        let mut meeting = [0, 1, 2].map(|axis| start.palm[axis] + MEETING[axis]);
        meeting.iter_mut().for_each(|value| *value += random.normal(0.0, DEVIATION));
        let mut goal = start.goal;
        for which in [FINGERS, finger] {
            let tip = &mut goal[3 * which..][..3];
            let direction = [0, 1, 2].map(|axis| meeting[axis] - tip[axis]);
            let length = numpy::norm(&direction);
            for axis in 0..3 {
                tip[axis] = meeting[axis] - DEVIATION * (direction[axis] / length);
            }
        }
        if random.uniform(0.0, 1.0) < 0.1 { start.goal } else { goal }
    }

    pub fn achieved(&self, data: &Data) -> [f64; FINGERS_GOAL] {
        let places = self.tips.map(|site| data.site(site));
        std::array::from_fn(|index| places[index / 3][index % 3])
    }
}
