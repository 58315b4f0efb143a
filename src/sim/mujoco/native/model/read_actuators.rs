//! Converts the actuators of an `mjModel` for the native stepper, and rejects actuators that have no native implementation.

use crate::mjt::{
    MJBIAS_AFFINE, MJBIAS_MUSCLE, MJBIAS_NONE, MJDYN_FILTER, MJDYN_FILTEREXACT, MJDYN_INTEGRATOR, MJDYN_MUSCLE, MJDYN_NONE,
    MJGAIN_AFFINE, MJGAIN_FIXED, MJGAIN_MUSCLE, MJTRN_JOINT, MJTRN_JOINTINPARENT, MJTRN_SITE, MJTRN_SLIDERCRANK, MJTRN_TENDON,
};
use crate::native::mju::MJMINVAL;
use crate::native::model::read::ReadParts;
use crate::native::model::reader::{Reader, all};
use crate::native::model::{
    Activation, Actuator, Bias, Dynamics, Joint, JointKind, SliderCrank, Tendon, TendonPath, Transmission, Unsupported,
};
use crate::native::muscle::Muscle;

/// Reads a model's actuators of joints and tendons.
pub(in crate::native) fn read_actuators(
    reader: &Reader<'_>,
    &ReadParts { joints, bodies, dofs, sites, tendons }: &ReadParts<'_>,
) -> Result<Vec<Actuator>, Unsupported> {
    let count = reader.size("nu")?;
    let [trntype, dyntype, gain_kinds, biastype] =
        all(["trntype", "dyntype", "gaintype", "biastype"].map(|name| reader.integers(&format!("actuator_{name}"), count)))?;
    if gain_kinds.iter().any(|kind| !matches!(*kind, MJGAIN_FIXED | MJGAIN_AFFINE | MJGAIN_MUSCLE)) {
        return Err("actuator gaintype other than fixed, affine or muscle".into());
    }
    let activations = read_activations(reader, &dyntype)?;
    let trnid = reader.integers("actuator_trnid", 2 * count)?;
    let rods = reader.floats("actuator_cranklength", count)?;
    let [gear, gains, biasprm, ctrlrange] = all([("gear", 6), ("gainprm", 10), ("biasprm", 10), ("ctrlrange", 2)]
        .map(|(name, width)| reader.floats(&format!("actuator_{name}"), width * count)))?;
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
        let (target, wrench) = (trnid[2 * actuator].max(0) as usize, &gear[6 * actuator..][..6]);
        let gear = wrench[0];
        let second = usize::try_from(trnid[2 * actuator + 1]).ok();
        let is_in_parent = trntype[actuator] == MJTRN_JOINTINPARENT;
        let chain = |body: usize| std::iter::successors(bodies[body].last_dof, |dof: &usize| dofs[*dof].parent);
        let transmission = match (trntype[actuator], second) {
            (MJTRN_JOINT | MJTRN_JOINTINPARENT, _) => match joints[target] {
                Joint { kind: JointKind::Free, qposadr, .. } => Transmission::Free { qposadr, is_in_parent },
                Joint { kind: JointKind::Ball, qposadr, .. } => Transmission::Ball { qposadr, is_in_parent },
                Joint { qposadr, .. } => Transmission::Joint(qposadr),
            },
            (MJTRN_TENDON, _) => Transmission::Tendon(target),
            (MJTRN_SITE, None) => Transmission::Site(sites[target].clone()),
            (MJTRN_SITE, Some(_)) => return Err("an actuator of a site with a reference site".to_owned()),
            (MJTRN_SLIDERCRANK, Some(slider)) => {
                let ends = [&sites[target], &sites[slider]];
                let [pinned, slid] = ends.map(|site| chain(site.body).collect::<Vec<_>>());
                let moves = |dof: usize| [pinned.contains(&dof), slid.contains(&dof)];
                Transmission::SliderCrank(Box::new(SliderCrank {
                    pin: ends[0].clone(),
                    slider: ends[1].clone(),
                    rod: rods[actuator],
                    roots: ends.map(|site| bodies[site.body].root),
                    moves: (0..dofs.len()).map(moves).filter(|moves| moves.contains(&true)).collect(),
                }))
            }
            _ => return Err("actuators of bodies".to_owned()),
        };
        let arms = |count: usize| (0..count).map(|axis| (joints[target].dofadr + axis, wrench[axis])).collect();
        let moment = match &transmission {
            Transmission::Joint(_) => arms(1),
            Transmission::Ball { .. } => arms(3),
            Transmission::Free { .. } => arms(6),
            Transmission::Tendon(_) => tendon_moment(&tendons[target], gear),
            Transmission::Site(site) => {
                let mut arms: Vec<_> = chain(site.body).map(|dof| (dof, 0.0)).collect();
                arms.reverse();
                arms
            }
            Transmission::SliderCrank(crank) => {
                let is_moved =
                    |dof: &usize| [&crank.pin, &crank.slider].iter().any(|site| chain(site.body).any(|own| own == *dof));
                (0..dofs.len()).filter(is_moved).map(|dof| (dof, 0.0)).collect()
            }
        };
        // MuJoCo turns a servo the shorter way.
        if matches!(transmission, Transmission::Ball { .. })
            && biastype[actuator] != MJBIAS_NONE
            && biasprm[10 * actuator + 1] != 0.0
        {
            return Err("a servo of a ball joint".to_owned());
        }
        if transmission.drops_zeros() && (biasprm[10 * actuator + 2] != 0.0 || gain_kinds[actuator] != MJGAIN_FIXED) {
            return Err("an actuator of a site or of a slider-crank whose force depends on the velocity".to_owned());
        }
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
            wrench: std::array::from_fn(|part| wrench[part]),
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
fn read_activations(reader: &Reader<'_>, dyntype: &[i64]) -> Result<Vec<Option<Activation>>, Unsupported> {
    let count = dyntype.len();
    let [firsts, lens] = all(["actadr", "actnum"].map(|name| reader.integers(&format!("actuator_{name}"), count)))?;
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

/// Returns the degrees of freedom that move a tendon, with a fixed tendon's moment arms, or with the gear for a spatial one.
fn tendon_moment(tendon: &Tendon, gear: f64) -> Vec<(usize, f64)> {
    let coef = |dof: usize| match &tendon.path {
        TendonPath::Fixed(parts) => {
            parts.iter().filter(|(_, own, _)| *own == dof).fold(0.0, |fixed_tendon, (_, _, coef)| fixed_tendon + coef)
        }
        TendonPath::Spatial(_) => 1.0,
    };
    tendon.colind.iter().map(|dof| (*dof, coef(*dof) * gear)).collect()
}
