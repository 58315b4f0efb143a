//! Simulation of the robot Sawyer, with the helper methods of MetaWorld's class `SawyerXYZEnv`.

use std::ops::Deref;

use crate::names::Names;
use crate::vector::{Vec3, distance, vec3};
use envpool_rs_engine::{Error, Result};
use envpool_rs_numeric::numpy;
use envpool_rs_sim_mujoco::model_overrides::{BODY_POS, GEOM_MARGIN, GEOM_RBOUND, SITE_POS};
use envpool_rs_sim_mujoco::{Data, Fault, ModelSizes};

/// Orientation of the mocap body, which MuJoCo normalizes.
pub(super) const MOCAP_QUAT: [f64; 4] = [1.0, 0.0, 1.0, 0.0];
/// Distance of the fingers that counts as fully open, in metres.
const OPEN: f64 = 0.1;
/// Addend to the distance within which geoms count as near, in metres.
const DISTANCE_SLACK: f64 = 1e-6;
/// Number of control steps in which a reset moves the hand to its initial position.
pub(super) const HAND_STEPS: u32 = 50;
/// Control of the gripper during resets, which opens it.
pub(super) const OPENING_EFFORT: f64 = -1.0;

/// Ids of the robot's bodies, sites and geoms.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hand {
    hand: usize,
    claws: [usize; 2],
    pads: [usize; 2],
    pad_geoms: [usize; 2],
    fingers: [usize; 2],
}

impl Hand {
    /// Finds the robot's parts in a model.
    ///
    /// # Errors
    /// `Value` if the model lacks one of them, or has another number of mocap bodies or of controls.
    pub fn bind(names: Names<'_>) -> Result<Self> {
        let ModelSizes { nmocap, nu, .. } = *names.0.sizes();
        if (nmocap, nu) != (1, 2) {
            let message = format!("metaworld_dir holds a model with nmocap={nmocap} and nu={nu}: expected nmocap=1 and nu=2");
            return Err(Error::Value(format!("{message}, as in the models of the package metaworld")));
        }
        Ok(Self {
            hand: names.body("hand")?,
            claws: [names.body("rightclaw")?, names.body("leftclaw")?],
            pads: [names.body("leftpad")?, names.body("rightpad")?],
            pad_geoms: [names.geom("leftpad_geom")?, names.geom("rightpad_geom")?],
            fingers: [names.site("rightEndEffector")?, names.site("leftEndEffector")?],
        })
    }
}

/// Simulation of a lane, with the robot's parts.
pub struct Sawyer<'a> {
    /// The simulation.
    pub data: &'a mut Data,
    pub(super) hand: &'a Hand,
    /// Simulation steps per control step.
    pub frame_skip: u32,
    /// Error of MuJoCo while contacts were computed.
    pub(super) fault: Option<Fault>,
    /// Whether contacts and their forces are those of the present state.
    pub(super) has_contacts: bool,
}

impl Deref for Sawyer<'_> {
    type Target = Data;

    fn deref(&self) -> &Data {
        self.data
    }
}

impl Sawyer<'_> {
    /// Returns the quaternion of a body (`data.body(..).xquat`).
    pub fn body_quat(&self, body: usize) -> [f64; 4] {
        self.data.xquat()[4 * body..][..4].try_into().expect("four values")
    }

    /// Returns scipy's quaternion of a body's rotation: `Rotation.from_matrix(xmat).as_quat()`.
    pub fn body_rotation(&self, body: usize) -> [f64; 4] {
        rotation(&self.data.xmat()[9 * body..][..9])
    }

    /// Returns scipy's quaternion of a geom's rotation: `Rotation.from_matrix(xmat).as_quat()`.
    pub fn geom_rotation(&self, geom: usize) -> [f64; 4] {
        rotation(&self.data.geom_xmat()[9 * geom..][..9])
    }

    /// Returns scipy's quaternion of a site's rotation: `Rotation.from_matrix(xmat).as_quat()`.
    pub fn site_rotation(&self, site: usize) -> [f64; 4] {
        rotation(&self.data.site_xmat()[9 * site..][..9])
    }

    /// Returns the hand's position (`get_endeff_pos`).
    pub fn endeff(&self) -> Vec3 {
        self.body(self.hand.hand)
    }

    /// Returns the position of the left pad, which is also `init_left_pad`: the reference stores a view.
    pub fn left_pad(&self) -> Vec3 {
        self.body(self.hand.pads[0])
    }

    /// Returns the position of the right pad, which is also `init_right_pad`: the reference stores a view.
    pub fn right_pad(&self) -> Vec3 {
        self.body(self.hand.pads[1])
    }

    /// Returns the positions of the right and the left finger (sites `rightEndEffector` and `leftEndEffector`).
    pub fn fingers(&self) -> [Vec3; 2] {
        self.hand.fingers.map(|site| self.site(site))
    }

    /// Returns the centre of the gripper's fingers (`tcp_center`).
    pub fn tcp_center(&self) -> Vec3 {
        let [right, left] = self.fingers();
        [0, 1, 2].map(|axis| (right[axis] + left[axis]) / 2.0)
    }

    /// Returns how far the gripper is open, from 0 to 1.
    pub fn opened(&self) -> f64 {
        let [right, left] = self.hand.claws.map(|body| self.body(body));
        numpy::clip(distance(right, left) / OPEN, 0.0, 1.0)
    }

    /// Returns a body's position in the model, relative to its parent (`model.body(..).pos`).
    pub fn model_body(&self, body: usize) -> Vec3 {
        vec3(self.data.model_array(BODY_POS), 3 * body)
    }

    /// Sets a body's position in the lane's model, relative to its parent (`model.body(..).pos = ..`).
    pub fn set_model_body(&mut self, body: usize, position: Vec3) {
        self.data.model_array_mut(BODY_POS)[3 * body..][..3].copy_from_slice(&position);
    }

    /// Returns a site's position in the model, relative to its body (`model.site(..).pos`).
    pub fn model_site(&self, site: usize) -> Vec3 {
        vec3(self.data.model_array(SITE_POS), 3 * site)
    }

    /// Sets a site's position in the lane's model, relative to its body (`model.site(..).pos = ..`).
    pub fn set_model_site(&mut self, site: usize, position: Vec3) {
        self.data.model_array_mut(SITE_POS)[3 * site..][..3].copy_from_slice(&position);
    }

    /// Sets the positions `qpos[start..]` to `values` and the velocities `qvel[still]` to 0, and computes all poses.
    ///
    /// The reference calls `mj_forward`, of whose results tasks read poses only.
    ///
    /// # Errors
    /// The error that MuJoCo reports, or `OtherModel` if the model has fewer positions.
    pub fn set_positions(&mut self, start: usize, values: &[f64], still: std::ops::Range<usize>) -> Result<(), Fault> {
        let (nq, end) = (self.data.qpos().len(), start + values.len());
        let Some(positions) = self.data.qpos_mut().get_mut(start..end) else {
            let message = format!("metaworld_dir holds a model with nq={nq}: expected at least {end}");
            return Err(Fault::OtherModel(format!("{message}, as in the models of the package metaworld")));
        };
        positions.copy_from_slice(values);
        let velocities = self.data.qvel_mut();
        let still = still.start.min(velocities.len())..still.end.min(velocities.len());
        velocities[still].fill(0.0);
        self.data.kinematics()
    }

    /// Moves the object that has a free joint to `position` (`SawyerXYZEnv._set_obj_xyz`).
    ///
    /// # Errors
    /// The error that MuJoCo reports, or `OtherModel` if the model has no positions of an object.
    pub fn set_object(&mut self, position: Vec3) -> Result<(), Fault> {
        self.set_positions(9, &position, 9..15)
    }

    /// Advances the simulation by one control step's simulation steps, without a change of the control.
    pub fn advance(&mut self) -> Result<(), Fault> {
        self.data.step(self.frame_skip, false)
    }

    /// Sets the mocap body's position and the gripper's control.
    pub(super) fn set_control(&mut self, position: Vec3, effort: f64) {
        self.data.mocap_pos_mut().copy_from_slice(&position);
        self.data.mocap_quat_mut().copy_from_slice(&MOCAP_QUAT);
        self.data.ctrl_mut().copy_from_slice(&fingers(effort));
    }

    /// Restores the state vector `stored` of [`Sawyer::state_before_hand`], and takes the last simulation step.
    pub(super) fn restore_hand(&mut self, stored: &[f64]) -> Result<(), Fault> {
        self.data.set_state(stored)?;
        self.data.step(1, false)
    }

    /// Returns the state after `_reset_hand` of a new simulation to `position`, without the last simulation step.
    pub(super) fn state_before_hand(&mut self, position: Vec3) -> Result<Vec<f64>, Fault> {
        self.data.reset()?;
        self.set_control(position, OPENING_EFFORT);
        self.data.step(HAND_STEPS * self.frame_skip - 1, false)?;
        let mut state = vec![0.0; self.data.model().state_len()];
        self.data.get_state(&mut state);
        Ok(state)
    }

    /// Returns whether both pads press on a geom (`touching_object`).
    ///
    /// The first call after a step computes the contacts (`mj_forward`), which no other function reads. So tasks evaluate
    /// conditions that are quicker to compute first, and a geom far from a pad needs no contacts.
    pub fn touches(&mut self, geom: usize) -> bool {
        if !self.hand.pad_geoms.iter().all(|pad| self.is_near(*pad, geom)) {
            return false;
        }
        if !self.has_contacts {
            self.fault = self.data.forward().err();
            self.has_contacts = true;
        }
        self.hand.pad_geoms.iter().all(|pad| {
            let forces = self.data.contacts().filter(|contact| contact.is_of(*pad) && contact.is_of(geom));
            0.0 < forces.map(|contact| contact.force).fold(0.0, |sum, force| sum + force)
        })
    }

    /// Returns whether the bounding spheres of two geoms, which are no planes, touch.
    fn is_near(&self, first: usize, second: usize) -> bool {
        let [bounds, margins] = [GEOM_RBOUND, GEOM_MARGIN].map(|array| self.data.model_array(array));
        let reach = bounds[first] + bounds[second] + margins[first] + margins[second] + DISTANCE_SLACK;
        distance(self.geom(first), self.geom(second)) <= reach
    }
}

/// Returns the controls of both fingers, which close the gripper with `effort`.
pub(super) fn fingers(effort: f64) -> [f64; 2] {
    [effort, -effort]
}

/// Returns scipy's quaternion (x, y, z, w) of a rotation matrix, given row by row.
fn rotation(matrix: &[f64]) -> [f64; 4] {
    let at = |row: usize, column: usize| matrix[3 * row + column];
    let trace = at(0, 0) + at(1, 1) + at(2, 2);
    let choices = [at(0, 0), at(1, 1), at(2, 2), trace];
    let mut largest = 0;
    for (index, choice) in choices.iter().enumerate() {
        if *choice > choices[largest] {
            largest = index;
        }
    }
    let mut quaternion = [0.0; 4];
    if largest == 3 {
        quaternion = [at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1), 1.0 + trace];
    } else {
        let (i, j, k) = (largest, (largest + 1) % 3, (largest + 2) % 3);
        quaternion[i] = 1.0 - trace + 2.0 * at(i, i);
        quaternion[j] = at(j, i) + at(i, j);
        quaternion[k] = at(k, i) + at(i, k);
        quaternion[3] = at(k, j) - at(j, k);
    }
    let [x, y, z, w] = quaternion;
    let norm = (x * x + y * y + z * z + w * w).sqrt();
    quaternion.map(|value| value / norm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quaternions_of_half_turns_and_of_no_turn_are_unit_vectors() {
        assert_eq!(rotation(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(rotation(&[1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0]), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(rotation(&[-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0]), [0.0, 0.0, 1.0, 0.0]);
    }
}
