//! Robot arm with a hand, which the domains manipulator and stacker share.

use std::f64::consts::PI;

use super::suite::prelude::*;

const JOINTS: [&str; 8] = ["arm_root", "arm_shoulder", "arm_elbow", "arm_wrist", "finger", "fingertip", "thumb", "thumbtip"];
/// Index of the joint `finger` in [`JOINTS`]; `THUMB` is the index of the joint `thumb`.
const FINGER: usize = 4;
const THUMB: usize = 6;
const TOUCH: [&str; 5] = ["palm_touch", "finger_touch", "thumb_touch", "fingertip_touch", "thumbtip_touch"];
const FULLY_OBSERVABLE: &str = "fully_observable";

/// Ids of the arm's objects in the model, and indices of its joints in `qpos` and `qvel`.
#[derive(Debug)]
pub struct Arm {
    positions: Vec<usize>,
    velocities: Vec<usize>,
    /// Range from which the initial position of each joint is drawn.
    bounds: Vec<[f64; 2]>,
    touch: Vec<usize>,
    hand: usize,
    /// Value of the option `fully_observable`: whether the observation includes hand and objects.
    pub is_all_seen: bool,
}

impl Arm {
    /// Returns the specification of the option `fully_observable` of the domains manipulator and stacker.
    pub fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::new(FULLY_OBSERVABLE, true, "whether the object, the target and the hand are observed")]
    }

    /// Returns the blocks of the observation: the arm's, and `others` if the option `fully_observable` is set.
    pub fn observation(options: &Options, others: Vec<Block>) -> Vec<Block> {
        let mut blocks = vec![Block::shaped("arm_pos", &[JOINTS.len(), 2]), Block::new("arm_vel", JOINTS.len())];
        blocks.push(Block::new("touch", TOUCH.len()));
        if options.bool(FULLY_OBSERVABLE) {
            blocks.push(Block::new("hand_pos", 4));
            blocks.extend(others);
        }
        blocks
    }

    /// Looks up the arm's joints, sensors and bodies in the model. Fails with `Value` if the model has no such arm.
    pub fn bind(options: &Options, names: Names<'_>) -> Result<Self> {
        let range = |name: &&str| {
            let joint = names.joint(name)?;
            let is_limited = names.0.jnt_limited()[joint] != 0;
            Ok(if is_limited { [0, 1].map(|end| names.0.jnt_range()[2 * joint + end]) } else { [-PI, PI] })
        };
        Ok(Self {
            positions: JOINTS.iter().map(|name| names.position(name)).collect::<Result<_>>()?,
            velocities: JOINTS.iter().map(|name| names.velocity(name)).collect::<Result<_>>()?,
            bounds: JOINTS.iter().map(range).collect::<Result<_>>()?,
            touch: names.sensors(&TOUCH)?,
            hand: names.body("hand")?,
            is_all_seen: options.bool(FULLY_OBSERVABLE),
        })
    }

    /// Draws the initial positions of the arm's joints; the joint `finger` gets the position of the joint `thumb`.
    pub fn randomize(&self, physics: &mut Physics, random: &mut RandomState) {
        let positions = physics.qpos_mut();
        for (position, [low, high]) in self.positions.iter().zip(&self.bounds) {
            positions[*position] = random.uniform(*low, *high);
        }
        positions[self.positions[FINGER]] = positions[self.positions[THUMB]];
    }

    /// Appends the arm's part of the observation to `to`.
    pub fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        for position in &self.positions {
            let angle = physics.qpos()[*position];
            to.extend([numpy_ufuncs::sin(angle), numpy_ufuncs::cos(angle)]);
        }
        to.extend(self.velocities.iter().map(|velocity| physics.qvel()[*velocity]));
        to.extend(self.touch.iter().map(|sensor| numpy_ufuncs::log1p(physics.sensordata()[*sensor])));
        if self.is_all_seen {
            to.extend(pose(physics, self.hand));
        }
    }
}

/// Returns the planar position (x and z) of a body, and two components of its quaternion (w and y).
pub fn pose(physics: &Physics, body: usize) -> [f64; 4] {
    let (position, direction) = (physics.body(body), &physics.xquat()[4 * body..]);
    [position[0], position[2], direction[0], direction[2]]
}

pub fn distance(physics: &Physics, first: usize, second: usize) -> f64 {
    let (first, second) = (physics.site(first), physics.site(second));
    numpy::norm(&[0, 1, 2].map(|axis| first[axis] - second[axis]))
}
