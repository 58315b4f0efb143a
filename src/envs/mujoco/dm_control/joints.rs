//! Draws random joint positions, as `dm_control.suite.utils.randomizers` does.

use std::f64::consts::PI;

use super::suite::prelude::*;
use envpool_rs_sim_mujoco::{Data, JointKind, Model};

/// Draws joint positions, as `randomize_limited_and_rotational_joints` does. A joint with limits gets a position between its
/// limits. A rotational joint without limits gets a random rotation.
pub fn randomize(data: &mut Data, random: &mut RandomState) {
    let model = data.model().clone();
    for joint in 0..model.sizes().njnt {
        let start = model.jnt_qposadr()[joint] as usize;
        let kind = model.joint_kind(joint);
        if model.jnt_limited()[joint] != 0 {
            let [low, high] = [0, 1].map(|end| model.jnt_range()[2 * joint + end]);
            match kind {
                JointKind::Hinge | JointKind::Slide => data.qpos_mut()[start] = random.uniform(low, high),
                JointKind::Ball => {
                    let axis = direction([(); 3].map(|()| random.standard_normal()));
                    let angle = random.random_sample() * high;
                    let quaternion = model.quaternion(&axis, angle);
                    data.qpos_mut()[start..][..4].copy_from_slice(&quaternion);
                }
                JointKind::Free => {}
            }
        } else {
            match kind {
                JointKind::Hinge => data.qpos_mut()[start] = random.uniform(-PI, PI),
                JointKind::Ball => {
                    let quaternion = direction([(); 4].map(|()| random.standard_normal()));
                    data.qpos_mut()[start..][..4].copy_from_slice(&quaternion);
                }
                // dm_control draws uniform instead of normal numbers here, for compatibility with its older results.
                JointKind::Free => {
                    let quaternion = direction([(); 4].map(|()| random.random_sample()));
                    data.qpos_mut()[start + 3..][..4].copy_from_slice(&quaternion);
                }
                JointKind::Slide => {}
            }
        }
    }
}

/// Returns the indices of all hinges' positions in `qpos`, and of their velocities in `qvel`.
pub fn hinges(model: &Model) -> (Vec<usize>, Vec<usize>) {
    let joints = (0..model.sizes().njnt).filter(|joint| model.joint_kind(*joint) == JointKind::Hinge);
    joints.map(|joint| (model.jnt_qposadr()[joint] as usize, model.jnt_dofadr()[joint] as usize)).unzip()
}

/// Returns `vector` scaled to length 1.
pub fn direction<const N: usize>(vector: [f64; N]) -> [f64; N] {
    let length = numpy::norm(&vector);
    vector.map(|value| value / length)
}
