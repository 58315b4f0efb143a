//! Scenarios of the comparison with MuJoCo: start states, controls, poses of mocap bodies, and own values of model fields.

use crate::data::Data;
use crate::model_overrides::{
    ACTUATOR_BIASPRM, ACTUATOR_GAINPRM, Array, BODY_INERTIA, BODY_IPOS, BODY_MASS, BODY_POS, BODY_QUAT, DOF_ARMATURE,
    DOF_DAMPING, DOF_FRICTIONLOSS, GEOM_FRICTION, GEOM_SIZE, GEOM_TYPE, HFIELD_DATA, SITE_POS, SavedOverrides,
};
use crate::native::Shared;
use crate::native::collision::pairs::{BOX, HFIELD, SPHERE};
use crate::native::lane_fields::LaneField;
use crate::native::model::reader::Reader;
use crate::native::model::{Actuator, GeomPair, JointKind};

/// SplitMix64 random number generator, which accepts any seed.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// Returns a random number between -1 and 1.
    pub(super) fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Returns a random number with an approximately normal distribution.
    fn normal(&mut self) -> f64 {
        (0..6).map(|_| self.signed()).sum::<f64>() / 2.0_f64.sqrt()
    }
}

/// Scenario of a compared simulation: its start state and controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scenario {
    /// The simulation starts near the model's initial state and gets random controls.
    Random,
    /// The simulation starts near the model's initial state, and each of its controls is at its lower or upper bound.
    BangBang,
    /// The simulation starts in a random state with high velocities, with joints beyond their limits, or upside down.
    Wild,
    /// The simulation starts in a random state and gets no controls, so that it comes to rest.
    Resting,
    /// The simulation starts in the air and gets controls beyond their bounds.
    Airborne,
    /// As `Random`, with free bodies at distances at which they touch another geom or not.
    Touching,
    /// The simulation starts in the model's initial state and gets no controls, so that many numbers are zeros of either sign.
    Initial,
}

impl Scenario {
    pub(super) const ALL: [Self; 7] =
        [Self::Random, Self::BangBang, Self::Wild, Self::Resting, Self::Airborne, Self::Touching, Self::Initial];
}

/// Sets a simulation to a start state of the scenario.
pub(super) fn begin(stepper: &Shared, data: &mut Data, scenario: Scenario, random: &mut Random) {
    // Resetting the simulation cannot fail here, because MuJoCo created it from the same model.
    drop(data.reset());
    if scenario == Scenario::Initial {
        drop(data.forward());
        return;
    }
    let is_near = matches!(scenario, Scenario::Random | Scenario::BangBang | Scenario::Touching);
    for joint in &stepper.native_model.joints {
        let positions = &mut data.qpos_mut()[joint.qposadr..];
        match joint.kind {
            JointKind::Free => {
                let noise = if is_near { 0.1 } else { 1.0 };
                positions[..7].iter_mut().for_each(|position| *position += noise * random.signed());
                if scenario == Scenario::Airborne {
                    positions[2] += 2.0;
                }
            }
            JointKind::Ball => {
                let noise = if is_near { 0.1 } else { 1.0 };
                positions[..4].iter_mut().for_each(|position| *position += noise * random.signed());
            }
            JointKind::Slide | JointKind::Hinge if is_near => positions[0] += 0.1 * random.signed(),
            JointKind::Slide | JointKind::Hinge => match (&joint.limit, joint.kind) {
                (None, JointKind::Slide) => positions[0] += 0.5 * random.signed(),
                (limit, _) => {
                    let (low, high) = limit.as_ref().map_or((-4.0, 4.0), |limit| (limit.low, limit.high));
                    positions[0] = (low + high) / 2.0 + 0.7 * (high - low) * random.signed();
                }
            },
        }
    }
    move_mocap(stepper, data, if is_near { 0.1 } else { 0.5 }, random);
    if scenario == Scenario::Touching {
        bring_together(stepper, data, random);
    }
    let speed = match scenario {
        Scenario::Random | Scenario::BangBang | Scenario::Touching => 0.1,
        Scenario::Resting | Scenario::Initial => 0.0,
        Scenario::Wild => [1.0, 5.0, 20.0][random.next() as usize % 3],
        Scenario::Airborne => 1.0,
    };
    data.qvel_mut().iter_mut().for_each(|velocity| *velocity = speed * random.normal());
    drop(data.forward());
}

/// Moves each free body so that one of its geoms, or of its descendants', is close to a geom with which it may collide.
fn bring_together(stepper: &Shared, data: &mut Data, random: &mut Random) {
    let model = &stepper.native_model;
    let Ok(bounds) = Reader(&stepper.model).floats("geom_rbound", stepper.model.sizes().ngeom) else { return };
    for joint in model.joints.iter().filter(|joint| joint.kind == JointKind::Free) {
        let tree = Some(model.dofs[joint.dofadr].tree);
        let moved = |pair: &GeomPair| pair.bodies.map(|body| model.tree_of(body) == tree);
        let pairs: Vec<_> = model.pairs.iter().filter(|pair| matches!(moved(pair), [true, false] | [false, true])).collect();
        if pairs.is_empty() || data.kinematics().is_err() {
            continue;
        }
        let pair = pairs[random.next() as usize % pairs.len()];
        let [own, other] = if moved(pair)[0] { pair.ids } else { [pair.ids[1], pair.ids[0]] };
        let xpos = |geom: usize, axis: usize| data.geom_xpos()[3 * geom + axis];
        let share = 0.6 + 0.5 * random.signed();
        let shift = if bounds[other] > 0.0 {
            let way = [random.signed(), random.signed(), random.signed()];
            let length = way.iter().map(|part| part * part).sum::<f64>().sqrt();
            let distance = share * (bounds[own] + bounds[other]);
            [0, 1, 2].map(|axis| xpos(other, axis) + way[axis] / length * distance - xpos(own, axis))
        } else {
            [0.0, 0.0, xpos(other, 2) + share * bounds[own] - xpos(own, 2)]
        };
        data.qpos_mut()[joint.qposadr..].iter_mut().zip(shift).for_each(|(position, shift)| *position += shift);
    }
}

/// Moves all mocap bodies by random distances of up to `distance` metres, and turns them.
pub(super) fn move_mocap(stepper: &Shared, data: &mut Data, distance: f64, random: &mut Random) {
    if stepper.native_model.nmocap == 0 {
        return;
    }
    data.mocap_pos_mut().iter_mut().for_each(|position| *position += distance * random.signed());
    data.mocap_quat_mut().iter_mut().for_each(|part| *part += distance * random.signed());
}

/// Returns the range of an actuator's controls; controls without a limit, or with a very large one, are drawn between -1 and 1.
fn bounds_of(actuator: &Actuator) -> (f64, f64) {
    let bound = |bound: f64, otherwise: f64| if bound.abs() <= MAX_CONTROL { bound } else { otherwise };
    let (low, high) = (bound(actuator.low, -1.0), bound(actuator.high, 1.0));
    (low.min(high), low.max(high))
}

/// Largest control that is drawn. Unlimited controls have bounds such as 10¹⁰, with which simulations are unstable.
const MAX_CONTROL: f64 = 1e4;

pub(super) fn control(stepper: &Shared, data: &mut Data, scenario: Scenario, random: &mut Random) {
    for (actuator, control) in stepper.native_model.actuators.iter().zip(data.ctrl_mut()) {
        let (low, high) = bounds_of(actuator);
        let share = random.signed();
        *control = match scenario {
            Scenario::Random | Scenario::Wild | Scenario::Touching => {
                f64::from(((low + high) / 2.0 + share * (high - low) / 2.0) as f32)
            }
            Scenario::BangBang => {
                if share < 0.0 {
                    low
                } else {
                    high
                }
            }
            Scenario::Resting | Scenario::Initial => 0.0,
            Scenario::Airborne => (low + high) / 2.0 + 1.5 * share * (high - low),
        };
    }
}

/// Fields in which the compared simulations differ from the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::native) enum OwnValues {
    /// The simulations have the model's values.
    None,
    /// The simulations differ in all lane fields except those that a planar step cannot use.
    InPlace,
    /// The simulations differ in all lane fields.
    All,
}

/// Largest relative change of a value.
const SCALE: f64 = 0.3;
/// Largest change of a coordinate, in metres or as part of a quaternion.
const DISTANCE: f64 = 0.02;

/// Gives a simulation random values of model fields, and no damping in one of four cases.
pub(super) fn randomize_fields(stepper: &Shared, data: &mut Data, own: OwnValues, random: &mut Random) {
    // Removing changes cannot fail.
    drop(data.set_changes(&SavedOverrides::new()));
    let knows = |array: Array<f64>| matches!(stepper.base_fields.support(array.name()), Ok(Some(_)));
    let scaled = [BODY_MASS, BODY_INERTIA, DOF_ARMATURE, DOF_DAMPING, DOF_FRICTIONLOSS, GEOM_FRICTION, ACTUATOR_GAINPRM];
    for array in scaled.into_iter().chain([ACTUATOR_BIASPRM]).filter(|array| knows(*array)) {
        data.model_array_mut(array).iter_mut().for_each(|value| *value *= 1.0 + SCALE * random.signed());
    }
    for (array, field) in [(ACTUATOR_GAINPRM, LaneField::ActuatorGainprm), (ACTUATOR_BIASPRM, LaneField::ActuatorBiasprm)] {
        if knows(array) {
            stepper.base_fields.restore_fixed(field, data.model_array_mut(array));
        }
    }
    for geom in &stepper.base_fields.shaped {
        let (scale, sizes) = (1.0 + SCALE * random.signed(), &mut data.model_array_mut(GEOM_SIZE)[3 * geom..][..3]);
        // Elements of `geom_size` that a type does not use are 0.
        let first = sizes[0];
        sizes.iter_mut().for_each(|size| *size = scale * if *size == 0.0 { first } else { *size });
        let kind = data.model_array(GEOM_TYPE)[*geom];
        if i64::from(kind) != HFIELD {
            let kinds = data.model_array_mut(GEOM_TYPE);
            kinds[*geom] = (SPHERE as u64 + random.next() % (BOX - SPHERE + 1) as u64) as i32;
            if !stepper.base_fields.admits_kinds(kinds) {
                kinds[*geom] = kind;
            }
        }
    }
    if stepper.base_fields.has_own_heights {
        let raised = random.signed();
        data.model_array_mut(HFIELD_DATA).iter_mut().for_each(|height| *height += (raised + SCALE * random.signed()) as f32);
    }
    if random.next().is_multiple_of(4) {
        data.model_array_mut(DOF_DAMPING).fill(0.0);
    }
    let mut moved = Vec::new();
    if !stepper.base_fields.reads_sites {
        moved.push(SITE_POS);
    }
    if own == OwnValues::All {
        moved.extend([BODY_POS, BODY_QUAT]);
        // MuJoCo must take the steps with contacts of bodies with other inertial frames.
        if random.next().is_multiple_of(8) {
            moved.push(BODY_IPOS);
        }
    }
    for array in moved {
        data.model_array_mut(array).iter_mut().for_each(|value| *value += DISTANCE * random.signed());
    }
}
