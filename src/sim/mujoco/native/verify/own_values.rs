//! Own values of model fields of the compared simulations.

use crate::data::Data;
use crate::model_overrides::{
    ACTUATOR_BIASPRM, ACTUATOR_GAINPRM, Array, BODY_INERTIA, BODY_IPOS, BODY_MASS, BODY_POS, BODY_QUAT, DOF_ARMATURE,
    DOF_DAMPING, DOF_FRICTIONLOSS, GEOM_FRICTION, SITE_POS, SavedOverrides,
};
use crate::native::Shared;
use crate::native::lane_fields::LaneField;
use crate::native::verify::scenario::Random;

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
