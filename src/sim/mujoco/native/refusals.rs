//! Lists all reasons why the native stepper refuses a model.

use super::super::layout::Kind;
use super::super::model::Model;
use super::Stepper;
use super::dialect::{Dialect, Solver};
use super::read::{read_bodies, read_dofs, read_frictions, read_joints, read_sites};
use super::read_equalities::{EqualityParts, read_equalities};
use super::read_motors::read_actuators;
use super::read_tendons::read_tendons;
use super::reader::{MJDSBL_CONSTRAINT, MJDSBL_CONTACT, MJDSBL_GRAVITY, MJDSBL_LIMIT, Reader};
use super::tables::{MAX_NBODY, MAX_NC, MAX_NQ, MAX_NV, Unsupported};

/// Reasons for refusal that were found so far.
#[derive(Default)]
struct Refusals(Vec<Unsupported>);

impl Refusals {
    /// Returns the value that was read; on an error, records the error as a refusal and returns `None`.
    fn note<T>(&mut self, read: Result<T, Unsupported>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(refusal) => {
                if !self.0.contains(&refusal) {
                    self.0.push(refusal);
                }
                None
            }
        }
    }
}

impl Stepper {
    /// Returns the reasons why MuJoCo must step the model instead of the native stepper. The list is empty if
    /// [`Stepper::verified`] accepts the model.
    pub fn refusals(model: &Model) -> Vec<String> {
        let mut refusals = list_refusals(model);
        if let Err(refusal) = Self::verified(model)
            && !refusals.contains(&refusal)
        {
            refusals.push(refusal);
        }
        refusals
    }
}

/// Lists the refusals of a model: all unsupported options, sizes and kinds of parts, and the first refusal in each group of
/// parts. The list is empty if `read_model` accepts the model, and also if only a combination of parts is unsupported.
fn list_refusals(model: &Model) -> Vec<Unsupported> {
    let reader = Reader(model);
    let mut refusals = Refusals::default();
    let solver = refusals.note(solver_of(&reader));
    let dialect = solver.and_then(|solver| refusals.note(Dialect::of(model.library().version(), solver)));
    for found in [unsupported_parts(&reader), excessive_sizes(&reader), unsupported_integrator(&reader)] {
        for refusal in refusals.note(found).unwrap_or_default() {
            refusals.note(Err::<(), _>(refusal));
        }
    }
    let size = |name: &str| reader.size(name).unwrap_or(0);
    let timestep = refusals.note(reader.float("opt.timestep", 0)).unwrap_or(0.0);
    let dofs = refusals.note(read_dofs(&reader, size("nv"))).unwrap_or_default();
    let joints = refusals.note(read_joints(&reader, size("njnt"), timestep));
    let bodies = refusals.note(read_bodies(&reader, size("nbody"), &dofs));
    let sites = refusals.note(read_sites(&reader));
    refusals.note(read_frictions(&reader, size("nv"), timestep));
    if let (Some(joints), Some(bodies), Some(sites)) = (joints, bodies, sites) {
        let tendons = refusals.note(read_tendons(&reader, &joints, (&bodies, &dofs), &sites));
        if let Some(tendons) = tendons {
            refusals.note(read_actuators(&reader, &joints, &tendons));
            if let Some(dialect) = dialect {
                let parts = EqualityParts { tendons: &tendons, joints: &joints, dofs: &dofs, bodies: &bodies, sites: &sites };
                refusals.note(read_equalities(&reader, &parts, timestep, dialect.neqdata));
            }
        }
    }
    refusals.0
}

/// Returns the model's constraint solver.
///
/// # Errors
/// The refusal, if the native stepper does not implement the model's solver.
pub(super) fn solver_of(reader: &Reader<'_>) -> Result<Solver, Unsupported> {
    match reader.integer("opt.solver")? {
        0 => Ok(Solver::Pgs),
        2 => Ok(Solver::Newton),
        _ => Err("the solver by conjugate gradients".into()),
    }
}

fn unsupported_integrator(reader: &Reader<'_>) -> Result<Vec<Unsupported>, Unsupported> {
    let is_implicit = !matches!(reader.integer("opt.integrator")?, 0 | 1 | 3);
    Ok(is_implicit.then(|| "an implicit integrator".to_owned()).into_iter().collect())
}

/// Lists the sizes of the model that exceed the limits of the native stepper.
///
/// # Errors
/// The refusal, if this version of MuJoCo lacks a field.
pub(super) fn excessive_sizes(reader: &Reader<'_>) -> Result<Vec<Unsupported>, Unsupported> {
    let mut found = Vec::new();
    for (name, field, most) in [
        ("bodies", "nbody", MAX_NBODY),
        ("degrees of freedom", "nv", MAX_NV),
        ("positions", "nq", MAX_NQ),
        ("controls", "nu", MAX_NV),
        ("numbers in the mass matrix", "nC", MAX_NC),
    ] {
        let count = reader.size(field)?;
        if count > most {
            found.push(format!("{count} {name}: at most {most}"));
        }
    }
    Ok(found)
}

/// Lists the parts and options of the model that the native stepper does not implement.
///
/// # Errors
/// The refusal, if this version of MuJoCo lacks a field.
pub(super) fn unsupported_parts(reader: &Reader<'_>) -> Result<Vec<Unsupported>, Unsupported> {
    let mut found: Vec<Unsupported> = Vec::new();
    let absent = [("nplugin", "plugins"), ("nflex", "flexible bodies")];
    for (size, what) in absent {
        if reader.size(size)? != 0 {
            found.push(what.into());
        }
    }
    let model = &reader.0.library().model;
    let known = i64::from(model.islands | model.mid_phase) | MJDSBL_CONSTRAINT | MJDSBL_LIMIT | MJDSBL_CONTACT | MJDSBL_GRAVITY;
    let zero = [("opt.disableactuator", "actuators that are switched off"), ("opt.noslip_iterations", "the solver against slip")];
    for (option, what) in zero {
        if reader.integer(option)? != 0 {
            found.push(what.into());
        }
    }
    if reader.integer("opt.enableflags")? & !MJENBL_ENERGY != 0 {
        found.push("an option that is switched on".into());
    }
    if reader.integer("opt.disableflags")? & !known != 0 {
        found.push("an option that is switched off".into());
    }
    if reader.integer("opt.jacobian")? == MJJAC_SPARSE {
        found.push("sparse matrices".into());
    }
    let no_wind = (0..3).map(|axis| reader.float("opt.wind", axis)).collect::<Result<Vec<_>, _>>()?;
    if no_wind.iter().any(|speed| *speed != 0.0) {
        found.push("wind".into());
    }
    let shapes = reader.size("ngeom")?;
    if reader.floats("geom_fluid", 12 * shapes)?.chunks(12).any(|fluid| fluid[0] > 0.0) {
        found.push("drag by ellipsoids".into());
    }
    found.extend(unsupported_later_parts(reader)?);
    Ok(found)
}

/// Lists the unsupported parts of the model that exist only in some versions of MuJoCo.
///
/// # Errors
/// The refusal, if this version of MuJoCo lacks a field.
fn unsupported_later_parts(reader: &Reader<'_>) -> Result<Vec<Unsupported>, Unsupported> {
    let mut found: Vec<Unsupported> = Vec::new();
    let [joints, dofs, shapes, motors, tendons] = ["njnt", "nv", "ngeom", "nu", "ntendon"].map(|name| reader.size(name));
    let (joints, dofs, shapes, motors, tendons) = (joints?, dofs?, shapes?, motors?, tendons?);
    // The model has as many controls as actuators only if each actuator has exactly one control.
    if reader.has("nactuator", Kind::Int64) && reader.size("nactuator")? != motors {
        found.push("actuators with several controls, or none".into());
    }
    if reader.has("nplastic", Kind::Int64) && reader.size("nplastic")? != 0 {
        found.push("springs that yield".into());
    }
    let bent = "springs or dampers that are not linear";
    for (name, count, what) in [
        ("jnt_stiffnesspoly", 2 * joints, bent),
        ("dof_dampingpoly", 2 * dofs, bent),
        ("tendon_stiffnesspoly", 2 * tendons, bent),
        ("tendon_dampingpoly", 2 * tendons, bent),
        ("geom_adhesion", shapes, "shapes that stick"),
        ("geom_surfacevel", 6 * shapes, "shapes whose surface moves"),
        ("actuator_delay", motors, "actuators that are late"),
        ("actuator_damping", motors, "actuators that damp"),
        ("actuator_dampingpoly", 2 * motors, "actuators that damp"),
        ("actuator_armature", motors, "actuators that are heavy"),
    ] {
        if reader.has(name, Kind::Float64s) && reader.floats(name, count)?.iter().any(|value| *value != 0.0) {
            found.push(what.into());
        }
    }
    Ok(found)
}

/// Value of MuJoCo's enumerator `mjtEnableBit.mjENBL_ENERGY`. The option only computes the energy, on which no other result
/// depends.
const MJENBL_ENERGY: i64 = 1 << 1;
/// Value of MuJoCo's enumerator `mjtJacobian.mjJAC_SPARSE`.
const MJJAC_SPARSE: i64 = 1;
