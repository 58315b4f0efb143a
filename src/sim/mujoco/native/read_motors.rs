//! Converts the actuators of an `mjModel` for the native stepper, and rejects actuators that have no native implementation.

use super::algebra::MJMINVAL;
use super::reader::Reader;
use super::tables::{Activation, Actuator, Bias, Joint, JointKind, MAX_NV, Tendon, Unsupported};

/// Reads a model's actuators, all of which must have constant moment arms (`mj_transmission`).
///
/// # Errors
/// Returns the reason why MuJoCo must step the model instead of the native stepper.
pub(super) fn read_actuators(reader: &Reader<'_>, joints: &[Joint], tendons: &[Tendon]) -> Result<Vec<Actuator>, Unsupported> {
    let count = reader.size("nu")?;
    let [transmissions, dynamics, gains, biases] =
        ["trntype", "dyntype", "gaintype", "biastype"].map(|name| reader.integers(&format!("actuator_{name}"), count));
    let transmissions = transmissions?;
    let (biases, strengths) = (biases?, reader.floats("actuator_biasprm", 10 * count)?);
    if gains?.iter().any(|kind| *kind != 0) {
        return Err("actuator gaintype other than fixed".into());
    }
    let activations = read_activations(reader, &dynamics?)?;
    let targets = reader.indices("actuator_trnid", 2 * count)?;
    let [gears, gains, bounds] = [("gear", 6), ("gainprm", 10), ("ctrlrange", 2)]
        .map(|(name, width)| reader.floats(&format!("actuator_{name}"), width * count));
    let (gears, gains, bounds) = (gears?, gains?, bounds?);
    let limited = reader.bytes("actuator_ctrllimited", count)?;
    let are_forces_limited = reader.bytes("actuator_forcelimited", count)?;
    let forces = reader.floats("actuator_forcerange", 2 * count)?;
    let sum = |tendon: usize| match &tendons[tendon] {
        Tendon::Fixed(sum) => Ok(sum),
        Tendon::Spatial(_) => Err("an actuator of a rope".to_owned()),
    };
    let motor = |motor: usize| {
        let (target, gear) = (targets[2 * motor], gears[6 * motor]);
        let along = match transmissions[motor] {
            MJTRN_JOINT if joints[target].kind == JointKind::Free => return Err("an actuator of a free joint".to_owned()),
            MJTRN_JOINT if joints[target].kind == JointKind::Ball => return Err("an actuator of a ball joint".to_owned()),
            MJTRN_JOINT => vec![(joints[target].dofadr, gear)],
            MJTRN_TENDON => sum(target)?.parts.iter().map(|(_, dof, share)| (*dof, share * gear)).collect(),
            _ => return Err("actuator trntype other than joint or tendon".to_owned()),
        };
        let [constant, by_length, by_velocity] = [0, 1, 2].map(|at| strengths[10 * motor + at]);
        let bias = match biases[motor] {
            MJBIAS_NONE => None,
            MJBIAS_AFFINE => {
                let length = match transmissions[motor] {
                    MJTRN_JOINT => vec![(joints[target].qposadr, None)],
                    _ => sum(target)?.parts.iter().map(|(position, _, share)| (*position, Some(*share))).collect(),
                };
                Some(Bias { constant, by_length, by_velocity, gear, length })
            }
            _ => return Err("actuator biastype other than none or affine".to_owned()),
        };
        let bound = |side: usize, none: f64| if limited[motor] != 0 { bounds[2 * motor + side] } else { none };
        let activation = activations[motor];
        Ok(Actuator {
            moment: along,
            activation,
            bias,
            gain: gains[10 * motor],
            forcerange: (are_forces_limited[motor] != 0).then(|| [forces[2 * motor], forces[2 * motor + 1]]),
            low: bound(0, f64::NEG_INFINITY),
            high: bound(1, f64::INFINITY),
        })
    };
    (0..count).map(motor).collect()
}

/// Reads the activation dynamics of all actuators (`actuator_dyntype`).
///
/// # Errors
/// Returns the reason why MuJoCo must step the model instead of the native stepper.
fn read_activations(reader: &Reader<'_>, dynamics: &[i64]) -> Result<Vec<Option<Activation>>, Unsupported> {
    let count = dynamics.len();
    let [firsts, lens] = ["actadr", "actnum"].map(|name| reader.integers(&format!("actuator_{name}"), count));
    let (firsts, lens) = (firsts?, lens?);
    let limited = reader.bytes("actuator_actlimited", count)?;
    let early = reader.bytes("actuator_actearly", count)?;
    let parameters = reader.size("nu")?;
    let times = reader.floats("actuator_dynprm", 10 * parameters)?;
    if reader.size("na")? > MAX_NV || (reader.size("na")? > 0 && reader.integer("opt.integrator")? == MJINT_RK4) {
        return Err("many actuators with states of their own, or such with the integrator of Runge and Kutta".into());
    }
    let activation = |motor: usize| {
        let time = match dynamics[motor] {
            MJDYN_NONE => return Ok(None),
            MJDYN_INTEGRATOR => None,
            MJDYN_FILTER => Some(times[10 * motor].max(MJMINVAL)),
            _ => return Err("an actuator's activation of another kind".to_owned()),
        };
        if lens[motor] != 1 || limited[motor] != 0 || early[motor] != 0 {
            return Err("an actuator's activation of another kind".to_owned());
        }
        Ok(Some(Activation { actadr: firsts[motor] as usize, time_constant: time }))
    };
    (0..count).map(activation).collect()
}

/// Value of MuJoCo's enumerator `mjtIntegrator.mjINT_RK4`.
const MJINT_RK4: i64 = 1;
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
/// Value of MuJoCo's enumerator `mjtBias.mjBIAS_NONE`.
const MJBIAS_NONE: i64 = 0;
/// Value of MuJoCo's enumerator `mjtBias.mjBIAS_AFFINE`.
const MJBIAS_AFFINE: i64 = 1;
