//! The Fetch robot: objects of its model, its start, actions and observations.

use super::goal::Point;
use crate::mujoco_env::Inputs;
use crate::robot::Writer;
use crate::rotations::matrix_to_euler;
use crate::vector::sub;
use envpool_rs_engine::{Error, Result};
use envpool_rs_numeric::numpy_ufuncs;
use envpool_rs_sim_mujoco::{Data, Fault, JointKind, Model, ObjectKind};

/// Number of values of an action: the gripper's displacement along three axes, and the opening of its fingers.
pub const ACTION: usize = 4;
/// Displacement of the gripper in metres for an action of 1. Gymnasium-Robotics multiplies in float32.
const REACH: f32 = 0.05;
/// Numbers that Gymnasium-Robotics adds to the gripper's orientation, a quaternion.
const ORIENTATION: [f64; 4] = [1.0, 0.0, 1.0, 0.0];
const FINGERS: [&str; 2] = ["robot0:r_gripper_finger_joint", "robot0:l_gripper_finger_joint"];
const SLIDES: [&str; 3] = ["robot0:slide0", "robot0:slide1", "robot0:slide2"];
/// Number of environment steps for which the arm moves to its start.
const STEPS_TO_START: usize = 10;
/// First parameters of a weld that holds the body at the mocap body's pose.
const WELD_DATA: [f64; 7] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// Position and orientation of the body that the mocap body moves: three numbers and a quaternion.
pub type BodyPose = [f64; 7];

#[derive(Debug, Clone, Default)]
pub struct Arm {
    grip: usize,
    /// Site of the object, and the first position of its joint; `None` if the task has no object.
    object: Option<(usize, usize)>,
    /// Index of the first position and of the first velocity of each finger.
    fingers: [(usize, usize); 2],
    /// Body that the mocap body moves by a weld, and the mocap body's index.
    welded: (usize, usize),
    slides: [usize; 3],
    /// Index of the position to which each actuator's control is relative; `None` if controls are absolute.
    actuators: Vec<Option<usize>>,
    pub target: usize,
}

/// Values before the first episode, from which the start is computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    /// Positions of the joints that place the robot, in metres.
    pub slides: [f64; 3],
    /// Position of the object in metres.
    pub object: Point,
    /// Height of the gripper above its height at the table, in metres.
    pub extra_height: f64,
}

#[derive(Debug, Clone)]
pub struct Start {
    time: f64,
    qpos: Vec<f64>,
    qvel: Vec<f64>,
    pub gripper: Point,
    /// Height of the object on the table.
    pub height: f64,
}

fn missing(what: &str) -> Error {
    Error::Value(format!("xml_file is a model without {what}: expected a model of the Fetch robot"))
}

/// Changes the welds of a model so that mocap bodies move the bodies welded to them (`reset_mocap_welds`). Fails with `Library`
/// if the number of parameters of a weld is unknown.
pub fn free_welds(model: &mut Model) -> std::result::Result<(), Fault> {
    model.welds().collect::<Vec<_>>().into_iter().try_for_each(|weld| model.set_equality(weld, &WELD_DATA))
}

impl Arm {
    pub fn new(model: &Model, has_object: bool) -> Result<Self> {
        let id = |kind, name: &str| model.id(kind, name).ok_or_else(|| missing(name));
        let joint = |name: &str| id(ObjectKind::Joint, name).map(|joint| model.jnt_qposadr()[joint] as usize);
        let finger = |name: &str| {
            let joint = id(ObjectKind::Joint, name)?;
            Ok::<_, Error>((model.jnt_qposadr()[joint] as usize, model.jnt_dofadr()[joint] as usize))
        };
        let object = match has_object {
            true => {
                let joint = id(ObjectKind::Joint, "object0:joint")?;
                if model.joint_kind(joint) != JointKind::Free {
                    return Err(missing("a free joint object0:joint"));
                }
                Some((id(ObjectKind::Site, "object0")?, model.jnt_qposadr()[joint] as usize))
            }
            false => None,
        };
        let sizes = model.sizes();
        if ![0, FINGERS.len()].contains(&sizes.nu) {
            return Err(missing("two actuators, or none,"));
        }
        let actuator = |actuator: usize| match (model.actuator_biastype()[actuator], model.actuated_joint(actuator)) {
            (0, _) => Ok(None),
            (_, Some(joint)) => Ok(Some(model.jnt_qposadr()[joint] as usize)),
            (_, None) => Err(missing("a joint for each actuator with a bias")),
        };
        Ok(Self {
            grip: id(ObjectKind::Site, "robot0:grip")?,
            object,
            fingers: [finger(FINGERS[0])?, finger(FINGERS[1])?],
            welded: welded(model)?,
            slides: [joint(SLIDES[0])?, joint(SLIDES[1])?, joint(SLIDES[2])?],
            actuators: (0..sizes.nu).map(actuator).collect::<Result<_>>()?,
            target: id(ObjectKind::Site, "target0")?,
        })
    }

    /// Moves the arm to its start in a new simulation (`_env_setup`).
    pub fn find_start(&self, data: &mut Data, placement: &Placement, frame_skip: u32) -> std::result::Result<Start, Fault> {
        for (place, value) in self.slides.into_iter().zip(placement.slides) {
            data.qpos_mut()[place] = value;
        }
        if let Some((_, place)) = self.object {
            let [x, y, z] = placement.object;
            data.qpos_mut()[place..][..7].copy_from_slice(&[x, y, z, 1.0, 0.0, 0.0, 0.0]);
        }
        data.forward()?;
        data.forward()?;
        let grip = data.site(self.grip);
        let target = [-0.498 + grip[0], 0.005 + grip[1], (-0.431 + placement.extra_height) + grip[2]];
        let (_, mocap) = self.welded;
        data.mocap_pos_mut()[3 * mocap..][..3].copy_from_slice(&target);
        data.mocap_quat_mut()[4 * mocap..][..4].copy_from_slice(&ORIENTATION);
        for _ in 0..STEPS_TO_START {
            data.step(frame_skip, false)?;
        }
        Ok(Start {
            gripper: data.site(self.grip),
            height: self.object.map_or(0.0, |(site, _)| data.site(site)[2]),
            time: *data.time_mut(),
            qpos: data.qpos().to_vec(),
            qvel: data.qvel().to_vec(),
        })
    }

    /// Resets a simulation to the start of an episode, with the object at `place` in x and y.
    pub fn reset(&self, data: &mut Data, start: &Start, place: Option<[f64; 2]>) -> std::result::Result<(), Fault> {
        data.reset()?;
        *data.time_mut() = start.time;
        data.qpos_mut().copy_from_slice(&start.qpos);
        data.qvel_mut().copy_from_slice(&start.qvel);
        if let (Some((_, address)), Some(place)) = (self.object, place) {
            data.qpos_mut()[address..][..2].copy_from_slice(&place);
        }
        data.forward()
    }

    /// Applies an action (`_set_action`), given the pose of the gripper's body after the last step.
    pub fn act(&self, inputs: &mut impl Inputs, action: &[f32], pose: &BodyPose, blocks_gripper: bool) {
        let action: [f32; ACTION] = std::array::from_fn(|index| action[index].clamp(-1.0, 1.0));
        let opening = if blocks_gripper { 0.0 } else { f64::from(action[3]) };
        for (actuator, base) in self.actuators.iter().enumerate() {
            let control = base.map_or(opening, |place| inputs.qpos_mut()[place] + opening);
            inputs.ctrl_mut()[actuator] = control;
        }
        let (_, mocap) = self.welded;
        for axis in 0..3 {
            inputs.mocap_pos_mut()[3 * mocap + axis] = pose[axis] + f64::from(action[axis] * REACH);
        }
        for (place, added) in ORIENTATION.into_iter().enumerate() {
            inputs.mocap_quat_mut()[4 * mocap + place] = pose[3 + place] + added;
        }
    }

    /// Closes the gripper's fingers, and computes the quantities that [`Arm::pose`] and [`Arm::observe`] read.
    ///
    /// Gymnasium-Robotics calls `mj_forward`, whose further results neither an observation nor the next step reads.
    pub fn close_fingers(&self, data: &mut Data) -> std::result::Result<(), Fault> {
        for (place, _) in self.fingers {
            data.qpos_mut()[place] = 0.0;
        }
        data.kinematics_and_com_pos()
    }

    pub fn pose(&self, data: &Data) -> BodyPose {
        let (body, _) = self.welded;
        let [x, y, z] = data.body(body);
        let [a, b, c, d] = data.xquat()[4 * body..][..4].try_into().expect("four numbers");
        [x, y, z, a, b, c, d]
    }

    /// Returns the achieved goal: the position of the object, or of the gripper if there is no object.
    pub fn achieved(&self, data: &Data) -> Point {
        data.site(self.object.map_or(self.grip, |(site, _)| site))
    }

    pub const fn observation_len(has_object: bool) -> usize {
        if has_object { 25 } else { 10 }
    }

    /// Writes the observation (`generate_mujoco_observations`); `seconds` is the duration of a step.
    pub fn observe(&self, data: &Data, seconds: f64, to: &mut Writer<'_>) {
        let velocities = |site: usize| {
            let product = |jacobian: &Vec<f64>| numpy_ufuncs::matrix_times_vector::<3>(jacobian, data.qvel());
            let [moving, turning] = data.site_jacobians(site);
            [product(&moving), product(&turning)].map(|velocity| velocity.map(|value| value * seconds))
        };
        let grip = data.site(self.grip);
        let [grip_velocity, _] = velocities(self.grip);
        to.add(&grip);
        let object = self.object.map(|(site, _)| (data.site(site), velocities(site), site));
        if let Some((place, ..)) = object {
            to.add(&place);
            to.add(&sub(place, grip));
        }
        to.add(&self.fingers.map(|(place, _)| data.qpos()[place]));
        if let Some((_, [moving, turning], site)) = object {
            to.add(&matrix_to_euler(&data.site_xmat()[9 * site..][..9]));
            to.add(&sub(moving, grip_velocity));
            to.add(&turning);
        }
        to.add(&grip_velocity);
        to.add(&self.fingers.map(|(_, place)| data.qvel()[place] * seconds));
    }
}

/// Returns the body that is welded to a mocap body, and the mocap body's index.
fn welded(model: &Model) -> Result<(usize, usize)> {
    let mocap = |body: usize| usize::try_from(model.body_mocapid()[body]).ok();
    let mut pairs = model.welds().filter_map(|weld| {
        let [first, second] = model.constrained_bodies(weld)?;
        mocap(first).map(|index| (second, index)).or_else(|| mocap(second).map(|index| (first, index)))
    });
    pairs.next().ok_or_else(|| missing("a mocap body that is welded to the gripper"))
}
