//! Joints, actuators and touch sensors of the Shadow hand.

use std::ops::Range;

use crate::names::Names;
use crate::robot::{self, Writer};
use envpool_rs_engine::{Error, Result};
use envpool_rs_numeric::numpy_ufuncs;
use envpool_rs_sim_mujoco::{Data, ObjectKind};

/// Number of values of an action: one for each actuator.
pub const ACTION: usize = 20;
pub const JOINTS: usize = 24;
pub const TOUCH_SENSORS: usize = 92;
/// Names of the first and of the last touch sensor.
const TOUCH_ENDS: [&str; 2] = ["robot0:TS_palm_b0", "robot0:TS_thtip_tip"];
/// Sites of the fingertips, the thumb's last.
const TIPS: [&str; 5] = ["robot0:S_fftip", "robot0:S_mftip", "robot0:S_rftip", "robot0:S_lftip", "robot0:S_thtip"];

/// Fingers whose last two joints have one actuator.
const COUPLED: [&str; 4] = ["FF", "MF", "RF", "LF"];

/// Names of the joints, with their positions in radians before the first episode of `HandReach`.
pub const REACH_START: [(&str, f64); JOINTS] = [
    ("robot0:WRJ1", -0.16514339750464327),
    ("robot0:WRJ0", -0.31973286565062153),
    ("robot0:FFJ3", 0.14340512546557435),
    ("robot0:FFJ2", 0.32028208333591573),
    ("robot0:FFJ1", 0.7126053607727917),
    ("robot0:FFJ0", 0.6705281001412586),
    ("robot0:MFJ3", 0.000246444303701037),
    ("robot0:MFJ2", 0.3152655251085491),
    ("robot0:MFJ1", 0.7659800313729842),
    ("robot0:MFJ0", 0.7323156897425923),
    ("robot0:RFJ3", 0.00038520700007378114),
    ("robot0:RFJ2", 0.36743546201985233),
    ("robot0:RFJ1", 0.7119514095008576),
    ("robot0:RFJ0", 0.6699446327514138),
    ("robot0:LFJ4", 0.0525442258033891),
    ("robot0:LFJ3", -0.13615534724474673),
    ("robot0:LFJ2", 0.39872030433433003),
    ("robot0:LFJ1", 0.7415570009679252),
    ("robot0:LFJ0", 0.704096378652974),
    ("robot0:THJ4", 0.003673823825070126),
    ("robot0:THJ3", 0.5506291436028695),
    ("robot0:THJ2", -0.014515151997119306),
    ("robot0:THJ1", -0.0015229223564485414),
    ("robot0:THJ0", -0.7894883021600622),
];

/// Values of the option `touch_get_obs`.
pub const TOUCH_TYPES: [&str; 4] = ["sensordata", "boolean", "log", "off"];

/// What observations show of a touch sensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    /// The force in newtons.
    Force,
    /// Whether there is a force.
    Boolean,
    /// The logarithm of the force plus 1.
    Log,
    /// Nothing.
    Off,
}

impl Touch {
    /// Returns the variant that a value of the option `touch_get_obs` selects.
    pub fn of(name: &str) -> Option<Self> {
        let place = TOUCH_TYPES.iter().position(|each| *each == name)?;
        Some([Self::Force, Self::Boolean, Self::Log, Self::Off][place])
    }

    fn shown(self, force: f64) -> f64 {
        match self {
            Self::Force => force,
            Self::Boolean => f64::from(u8::from(force > 0.0)),
            Self::Log => numpy_ufuncs::log(force + 1.0),
            Self::Off => unreachable!("observations show no forces"),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Fingers {
    /// Index of the first position and of the first velocity of each joint, in the order of the joints in the model.
    joints: Vec<(usize, usize)>,
    limits: Vec<[f64; 2]>,
    /// Indices in `qpos` of the joints that add up to the centre of each actuator's controls; `None`: that of the limits.
    centers: Option<Vec<Vec<usize>>>,
    /// Indices in `sensordata` of the touch sensors; empty if the task does not show them.
    pub touch: Range<usize>,
}

impl Fingers {
    /// Looks up the objects of the hand. `is_relative` is the value of the option `relative_control`. Fails with `Value` if the
    /// model lacks one of them, or if it has another number of actuators.
    pub fn new(names: Names<'_>, has_touch_sensors: bool, is_relative: bool) -> Result<Self> {
        let model = names.0;
        if model.sizes().nu != ACTION {
            let message = format!("xml_file is a model of {} actuators: expected {ACTION}, the Shadow hand's", model.sizes().nu);
            return Err(Error::Value(message));
        }
        let mut ids = REACH_START.iter().map(|(name, _)| names.joint(name)).collect::<Result<Vec<_>>>()?;
        ids.sort_unstable();
        let joint = |id: usize| (model.jnt_qposadr()[id] as usize, model.jnt_dofadr()[id] as usize);
        let touch = if has_touch_sensors {
            // Gymnasium-Robotics reads `sensordata` at the sensors' numbers, which are the places of their values.
            let [first, last] = TOUCH_ENDS.map(|name| names.id(ObjectKind::Sensor, name));
            let range = first?..last? + 1;
            if range.len() != TOUCH_SENSORS || range.end > model.sizes().nsensordata {
                return Err(Error::Value(format!("xml_file is a model without {TOUCH_SENSORS} touch sensors in a row")));
            }
            range
        } else {
            0..0
        };
        Ok(Self {
            joints: ids.into_iter().map(joint).collect(),
            limits: model.actuator_ctrlrange().as_chunks::<2>().0.to_vec(),
            centers: is_relative.then(|| centers(names)).transpose()?,
            touch,
        })
    }

    /// Returns the controls of an action for the positions `qpos` (`_set_action`).
    ///
    /// Gymnasium-Robotics rounds positions of relative controls to the dtype of the action, which is float32.
    pub fn controls(&self, qpos: &[f64], action: &[f32]) -> [f64; ACTION] {
        self.rounded_controls(qpos, action, |position| f64::from(position as f32))
    }

    /// Sets the controls of the action 0 during a reset, where positions are not rounded.
    pub fn rest(&self, data: &mut Data) {
        let controls = self.rounded_controls(data.qpos(), &[0.0; ACTION], |position| position);
        data.ctrl_mut().copy_from_slice(&controls);
    }

    fn rounded_controls(&self, qpos: &[f64], action: &[f32], round: impl Fn(f64) -> f64) -> [f64; ACTION] {
        std::array::from_fn(|index| {
            let [low, high] = self.limits[index];
            let center = match &self.centers {
                None => (high + low) / 2.0,
                Some(joints) => joints[index].iter().fold(0.0, |sum, place| round(sum + qpos[*place])),
            };
            robot::Range { low, high }.clip(center + f64::from(action[index].clamp(-1.0, 1.0)) * ((high - low) / 2.0))
        })
    }

    /// Writes positions and velocities of the joints (`robot_get_obs`).
    pub fn observe(&self, data: &Data, to: &mut Writer<'_>) {
        self.joints.iter().for_each(|(place, _)| to.add(&[data.qpos()[*place]]));
        self.joints.iter().for_each(|(_, place)| to.add(&[data.qvel()[*place]]));
    }

    pub fn observe_touch(&self, data: &Data, touch: Touch, to: &mut Writer<'_>) {
        to.add_mapped(&data.sensordata()[self.touch.clone()], |force| touch.shown(force));
    }
}

/// Returns the indices in `qpos` of the joints that each actuator moves; `J1` of four fingers also moves `J0`.
fn centers(names: Names<'_>) -> Result<Vec<Vec<usize>>> {
    let mut centers = vec![Vec::new(); ACTION];
    for (joint, _) in REACH_START {
        let is_coupled = COUPLED.iter().any(|finger| joint == format!("robot0:{finger}J0"));
        if !is_coupled {
            centers[names.id(ObjectKind::Actuator, &joint.replace(':', ":A_"))?].push(names.position(joint)?);
        }
    }
    for finger in COUPLED {
        let actuator = names.id(ObjectKind::Actuator, &format!("robot0:A_{finger}J1"))?;
        centers[actuator].push(names.position(&format!("robot0:{finger}J0"))?);
    }
    Ok(centers)
}

/// Returns the ids of the sites of the fingertips, the thumb's last.
pub fn tips(names: Names<'_>) -> Result<[usize; 5]> {
    let [first, middle, ring, little, thumb] = TIPS;
    Ok([names.site(first)?, names.site(middle)?, names.site(ring)?, names.site(little)?, names.site(thumb)?])
}
