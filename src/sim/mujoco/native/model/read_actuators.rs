//! Converts the actuators of an `mjModel` for the native stepper, and rejects actuators that have no native implementation.

use crate::native::mju::MJMINVAL;
use crate::native::model::reader::Reader;
use crate::native::model::{
    Activation, Actuator, Bias, Dynamics, Joint, JointKind, Tendon, TendonPath, Transmission, Unsupported,
};
use crate::native::muscle::Muscle;

/// Reads a model's actuators of joints and tendons.
///
/// # Errors
/// Returns the reason why MuJoCo must step the model instead of the native stepper.
pub(in crate::native) fn read_actuators(
    reader: &Reader<'_>,
    joints: &[Joint],
    tendons: &[Tendon],
) -> Result<Vec<Actuator>, Unsupported> {
    let count = reader.size("nu")?;
    let [trntype, dyntype, gains, biastype] =
        ["trntype", "dyntype", "gaintype", "biastype"].map(|name| reader.integers(&format!("actuator_{name}"), count));
    let trntype = trntype?;
    let (biastype, biasprm) = (biastype?, reader.floats("actuator_biasprm", 10 * count)?);
    let gain_kinds = gains?;
    if gain_kinds.iter().any(|kind| !matches!(*kind, MJGAIN_FIXED | MJGAIN_AFFINE | MJGAIN_MUSCLE)) {
        return Err("actuator gaintype other than fixed, affine or muscle".into());
    }
    let activations = read_activations(reader, &dyntype?)?;
    let trnid = reader.indices("actuator_trnid", 2 * count)?;
    let [gear, gains, ctrlrange] = [("gear", 6), ("gainprm", 10), ("ctrlrange", 2)]
        .map(|(name, width)| reader.floats(&format!("actuator_{name}"), width * count));
    let (gear, gains, ctrlrange) = (gear?, gains?, ctrlrange?);
    let limited = reader.bytes("actuator_ctrllimited", count)?;
    let are_forces_limited = reader.bytes("actuator_forcelimited", count)?;
    let forcerange = reader.floats("actuator_forcerange", 2 * count)?;
    let (ranges, accelerations) = (reader.floats("actuator_lengthrange", 2 * count)?, reader.floats("actuator_acc0", count)?);
    let muscle = |actuator: usize, prm: &[f64]| {
        Box::new(Muscle::new(
            &prm[10 * actuator..][..10],
            [ranges[2 * actuator], ranges[2 * actuator + 1]],
            accelerations[actuator],
        ))
    };
    let actuator = |actuator: usize| {
        let (target, gear) = (trnid[2 * actuator], gear[6 * actuator]);
        let moment = match trntype[actuator] {
            MJTRN_JOINT if joints[target].kind == JointKind::Free => return Err("an actuator of a free joint".to_owned()),
            MJTRN_JOINT if joints[target].kind == JointKind::Ball => return Err("an actuator of a ball joint".to_owned()),
            MJTRN_JOINT => vec![(joints[target].dofadr, gear)],
            MJTRN_TENDON => tendon_moment(&tendons[target], gear),
            _ => return Err("actuator trntype other than joint or tendon".to_owned()),
        };
        let transmission = match trntype[actuator] {
            MJTRN_JOINT => Transmission::Joint(joints[target].qposadr),
            _ => Transmission::Tendon(target),
        };
        let [constant, by_length, by_velocity] = [0, 1, 2].map(|at| biasprm[10 * actuator + at]);
        let (bias, muscle_bias) = match biastype[actuator] {
            MJBIAS_NONE => (None, None),
            MJBIAS_AFFINE => (Some(Bias { constant, by_length, by_velocity }), None),
            MJBIAS_MUSCLE => (None, Some(muscle(actuator, &biasprm))),
            _ => return Err("actuator biastype other than none, affine or muscle".to_owned()),
        };
        let bound = |side: usize, none: f64| if limited[actuator] != 0 { ctrlrange[2 * actuator + side] } else { none };
        let activation = activations[actuator];
        Ok(Actuator {
            moment,
            transmission,
            gear,
            activation,
            bias,
            muscle_bias,
            gain: gains[10 * actuator],
            affine_gain: (gain_kinds[actuator] == MJGAIN_AFFINE).then(|| [0, 1, 2].map(|at| gains[10 * actuator + at])),
            muscle_gain: (gain_kinds[actuator] == MJGAIN_MUSCLE).then(|| muscle(actuator, &gains)),
            forcerange: (are_forces_limited[actuator] != 0).then(|| [forcerange[2 * actuator], forcerange[2 * actuator + 1]]),
            low: bound(0, f64::NEG_INFINITY),
            high: bound(1, f64::INFINITY),
        })
    };
    (0..count).map(actuator).collect()
}

/// Reads the activation dynamics of all actuators (`actuator_dyntype`).
///
/// # Errors
/// Returns the reason why MuJoCo must step the model instead of the native stepper.
fn read_activations(reader: &Reader<'_>, dyntype: &[i64]) -> Result<Vec<Option<Activation>>, Unsupported> {
    let count = dyntype.len();
    let [firsts, lens] = ["actadr", "actnum"].map(|name| reader.integers(&format!("actuator_{name}"), count));
    let (firsts, lens) = (firsts?, lens?);
    let limited = reader.bytes("actuator_actlimited", count)?;
    let actearly = reader.bytes("actuator_actearly", count)?;
    let parameters = reader.size("nu")?;
    let dynprm = reader.floats("actuator_dynprm", 10 * parameters)?;
    let ranges = reader.floats("actuator_actrange", 2 * parameters)?;
    let timestep = reader.float("opt.timestep", 0)?;
    let activation = |actuator: usize| {
        let prm = &dynprm[10 * actuator..][..10];
        let dynamics = match dyntype[actuator] {
            MJDYN_NONE => return Ok(None),
            MJDYN_INTEGRATOR => Dynamics::Integrator,
            MJDYN_FILTER => Dynamics::Filter(prm[0].max(MJMINVAL)),
            MJDYN_FILTEREXACT => {
                let time = prm[0].max(MJMINVAL);
                Dynamics::FilterExact(time, 1.0 - (-timestep / time).exp())
            }
            MJDYN_MUSCLE => Dynamics::Muscle([prm[0], prm[1], prm[2]]),
            _ => return Err("an actuator's activation of another kind".to_owned()),
        };
        if lens[actuator] != 1 {
            return Err("an actuator's activation of another kind".to_owned());
        }
        Ok(Some(Activation {
            actadr: firsts[actuator] as usize,
            dynamics,
            actrange: (limited[actuator] != 0).then(|| [ranges[2 * actuator], ranges[2 * actuator + 1]]),
            is_early: actearly[actuator] != 0,
        }))
    };
    (0..count).map(activation).collect()
}

/// Returns the degrees of freedom that move a tendon, with the moment arms of a fixed tendon. The moment arms of a spatial tendon
/// depend on the positions; those that are returned are the gear.
fn tendon_moment(tendon: &Tendon, gear: f64) -> Vec<(usize, f64)> {
    let coef = |dof: usize| match &tendon.path {
        TendonPath::Fixed(parts) => {
            parts.iter().filter(|(_, own, _)| *own == dof).fold(0.0, |fixed_tendon, (_, _, coef)| fixed_tendon + coef)
        }
        TendonPath::Spatial(_) => 1.0,
    };
    tendon.colind.iter().map(|dof| (*dof, coef(*dof) * gear)).collect()
}

/// Value of MuJoCo's enumerator `mjtGain.mjGAIN_FIXED`.
const MJGAIN_FIXED: i64 = 0;
/// Value of MuJoCo's enumerator `mjtGain.mjGAIN_AFFINE`.
const MJGAIN_AFFINE: i64 = 1;
/// Value of MuJoCo's enumerator `mjtGain.mjGAIN_MUSCLE`.
const MJGAIN_MUSCLE: i64 = 2;
/// Value of MuJoCo's enumerator `mjtTrn.mjTRN_JOINT`.
const MJTRN_JOINT: i64 = 0;
/// Value of MuJoCo's enumerator `mjtTrn.mjTRN_TENDON`.
const MJTRN_TENDON: i64 = 3;
/// Value of MuJoCo's enumerator `mjtDyn.mjDYN_NONE`.
const MJDYN_NONE: i64 = 0;
/// Value of MuJoCo's enumerator `mjtDyn.mjDYN_INTEGRATOR`.
const MJDYN_INTEGRATOR: i64 = 1;
/// Value of MuJoCo's enumerator `mjtDyn.mjDYN_FILTER`.
const MJDYN_FILTER: i64 = 2;
/// Value of MuJoCo's enumerator `mjtDyn.mjDYN_FILTEREXACT`.
const MJDYN_FILTEREXACT: i64 = 3;
/// Value of MuJoCo's enumerator `mjtDyn.mjDYN_MUSCLE`.
const MJDYN_MUSCLE: i64 = 4;
/// Value of MuJoCo's enumerator `mjtBias.mjBIAS_MUSCLE`.
const MJBIAS_MUSCLE: i64 = 2;
/// Value of MuJoCo's enumerator `mjtBias.mjBIAS_NONE`.
const MJBIAS_NONE: i64 = 0;
/// Value of MuJoCo's enumerator `mjtBias.mjBIAS_AFFINE`.
const MJBIAS_AFFINE: i64 = 1;
