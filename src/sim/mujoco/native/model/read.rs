//! Converts an `mjModel` to a [`NativeModel`], and rejects models that the native stepper does not support.

use crate::collision::MAX_PAIR_CONTACTS;
use crate::mjt::{
    MJDSBL_CONSTRAINT, MJDSBL_CONTACT, MJDSBL_EQUALITY, MJDSBL_EULERDAMP, MJDSBL_FRICTIONLOSS, MJDSBL_GRAVITY, MJDSBL_LIMIT,
};
use crate::model::Model;
use crate::native::collision::pairs::read_pairs;
use crate::native::dialect::{Dialect, Solver};
use crate::native::mju::MJMINVAL;
use crate::native::model::equality::read_equalities;
use crate::native::model::read_actuators::read_actuators;
use crate::native::model::read_tendons::{Tendons, read_tendons};
use crate::native::model::reader::{Reader, all, quadruple, triple};
use crate::native::model::refusals::{Refusals, excessive_sizes, integrator_of, solver_of, unsupported_fields};
use crate::native::model::{
    Actuator, Body, Collider, Dof, Equality, Frame, Friction, FullInertia, GeomPair, Gravcomp, Integrator, Joint, JointKind,
    Limit, MAX_NEFC, NativeModel, SameFrame, Site, SolParams, Tendon, Unsupported,
};
use crate::native::solver::island::can_have_islands;

/// Parts of a model that were read before others, which refer to them.
#[derive(Clone, Copy)]
pub(in crate::native) struct ReadParts<'a> {
    pub(in crate::native) joints: &'a [Joint],
    pub(in crate::native) bodies: &'a [Body],
    pub(in crate::native) dofs: &'a [Dof],
    pub(in crate::native) sites: &'a [Site],
    pub(in crate::native) tendons: &'a [Tendon],
}

/// Converts a compiled model to the tables of the native stepper. Fails with all unsupported options, sizes and kinds of parts, and
/// the first refusal in each group of parts; if there is none, with an unsupported combination of parts.
pub(in crate::native) fn read_model(model: &Model) -> Result<NativeModel, Vec<Unsupported>> {
    let (reader, mut refusals) = (Reader(model), Refusals::default());
    let native_model = read_objects(&reader, &mut refusals);
    let finish = |mut native_model: NativeModel| {
        drop_disabled_parts(&reader, &mut native_model)?;
        size_constraints(&mut native_model)?;
        native_model.arena_rows = arena_rows(&reader, &native_model)?;
        check_combinations(&native_model)?;
        native_model.can_have_islands = can_have_islands(&native_model)?;
        Ok(native_model)
    };
    match native_model {
        Some(native_model) if refusals.0.is_empty() => finish(native_model).map_err(|refusal| vec![refusal]),
        _ => Err(refusals.0),
    }
}

/// Reads options, bodies, joints, actuators, tendons and constraints, without pairs of geoms. Returns `None` after a refusal.
fn read_objects(reader: &Reader<'_>, refusals: &mut Refusals) -> Option<NativeModel> {
    let library = reader.0.library();
    let (solver, dialect) = (refusals.note(solver_of(reader)), refusals.note(Dialect::of(library.version())));
    for found in [unsupported_fields(reader), excessive_sizes(reader)] {
        for refusal in refusals.note(found).unwrap_or_default() {
            refusals.note(Err::<(), _>(refusal));
        }
    }
    let integrator = refusals.note(integrator_of(reader));
    let mut float = |name: &str| refusals.note(reader.float(name, 0));
    let [timestep, viscosity, density, tolerance, ls_tolerance, meaninertia, impratio] =
        ["opt.timestep", "opt.viscosity", "opt.density", "opt.tolerance", "opt.ls_tolerance", "stat.meaninertia", "opt.impratio"]
            .map(|name| float(name).unwrap_or_default());
    let mut size = |name: &str| refusals.note(reader.size(name)).unwrap_or_default();
    let [nbody, njnt, nv, masses, nq, nmocap, na, iterations, ls_iterations] =
        ["nbody", "njnt", "nv", "nC", "nq", "nmocap", "na", "opt.iterations", "opt.ls_iterations"].map(&mut size);
    let disabled = refusals.note(reader.integer("opt.disableflags"))?;
    let m_colind = refusals.note(reader.indices("M_colind", masses));
    let dofs = refusals.note(read_dofs(reader, nv))?;
    let joints = refusals.note(read_joints(reader, njnt, timestep));
    let bodies = refusals.note(read_bodies(reader, nbody, &dofs));
    let sites = refusals.note(read_sites(reader));
    let frictions = refusals.note(read_frictions(reader, nv, timestep));
    let (joints, bodies, sites) = (joints?, bodies?, sites?);
    let parts = ReadParts { joints: &joints, bodies: &bodies, dofs: &dofs, sites: &sites, tendons: &[] };
    let Tendons { tendons, sites: tendon_sites, geoms: wrap_geoms } = refusals.note(read_tendons(reader, &parts))?;
    let parts = ReadParts { tendons: &tendons, ..parts };
    // The arrays of actuators have other lengths if actuators have several controls.
    let is_usual = !reader.has("nactuator") || reader.size("nactuator") == reader.size("nu");
    let actuators = if is_usual { refusals.note(read_actuators(reader, &parts)) } else { None };
    let dialect = dialect?;
    let equalities = refusals.note(read_equalities(reader, &parts, timestep, dialect.neqdata));
    let disables_eulerdamp = disabled & MJDSBL_EULERDAMP != 0;
    let m_colind = m_colind?;
    refusals.note(check_order(&dofs, &m_colind));
    Some(NativeModel {
        dialect,
        timestep,
        gravity: refusals.note(reader.vector("opt.gravity"))?,
        fluid: (viscosity > 0.0 || density > 0.0).then_some((viscosity, density)),
        integrator: integrator?,
        gravcomp: refusals.note(read_gravcomp(reader, &joints, &bodies, dofs.len()))?,
        eulerdamp: !disables_eulerdamp && dofs.iter().any(|dof| dof.damping > 0.0),
        disables_eulerdamp,
        iterations,
        ls_iterations,
        tolerance,
        ls_tolerance,
        has_islands: disabled & i64::from(library.model.islands) == 0,
        disables_midphase: disabled & i64::from(library.model.mid_phase) != 0,
        solver: solver?,
        meaninertia,
        impratio,
        nq,
        nmocap,
        actuators: actuators?,
        na,
        sites,
        tendons,
        tendon_sites,
        wrap_geoms,
        equalities: equalities?,
        frictions: frictions?,
        is_elliptic: refusals.note(reader.integer("opt.cone"))? != 0,
        bodies,
        joints,
        full_m: FullInertia::new(&dofs, &m_colind),
        dofs,
        m_colind,
        geoms: Vec::new(),
        pairs: Vec::new(),
        box_filters: Vec::new(),
        pair_filters: Vec::new(),
        efc_colind: Vec::new(),
        max_nefc: 0,
        max_library_nefc: 0,
        arena_rows: 0,
        can_have_islands: false,
    })
}

/// Removes the forces and constraints that the model disables, and reads the pairs of geoms unless contacts are disabled.
fn drop_disabled_parts(reader: &Reader<'_>, model: &mut NativeModel) -> Result<(), Unsupported> {
    let disabled = reader.integer("opt.disableflags")?;
    if disabled & MJDSBL_GRAVITY != 0 {
        // If the model disables gravity, gravity is set to -0.0: the native formulas negate gravity, and the result must be
        // +0.0.
        model.gravity = [-0.0; 3];
        model.gravcomp = None;
    }
    if disabled & (MJDSBL_CONSTRAINT | MJDSBL_LIMIT) != 0 {
        model.joints.iter_mut().for_each(|joint| joint.limit = None);
        model.tendons.iter_mut().for_each(|tendon| tendon.limit = None);
    }
    if disabled & (MJDSBL_CONSTRAINT | MJDSBL_EQUALITY) != 0 {
        model.equalities.clear();
    }
    if disabled & (MJDSBL_CONSTRAINT | MJDSBL_FRICTIONLOSS) != 0 {
        model.frictions.clear();
        model.tendons.iter_mut().for_each(|tendon| tendon.friction = None);
    }
    if disabled & (MJDSBL_CONSTRAINT | MJDSBL_CONTACT) == 0 {
        read_pairs(reader, model)?;
    }
    Ok(())
}

/// Computes the maximum numbers of constraint rows, and the columns of each row that are not 0.
fn size_constraints(model: &mut NativeModel) -> Result<(), Unsupported> {
    let (library, native): (Vec<_>, Vec<_>) = model.pairs.iter().partition(|pair| matches!(pair.collider, Collider::Library(_)));
    let rows = |pairs: &[&GeomPair]| pairs.iter().map(|pair| pair.max_rows(model.is_elliptic)).sum::<usize>();
    model.max_library_nefc = rows(&library).min(MAX_LIBRARY_NEFC);
    model.max_nefc = model.joints.iter().filter(|joint| joint.limit.is_some()).count()
        + model.limited_tendons().count()
        + model.friction_tendons().count()
        + rows(&native)
        + model.max_library_nefc
        + model.equalities.iter().map(Equality::rows).sum::<usize>()
        + model.frictions.len();
    let tendons = model.limited_tendons().chain(model.friction_tendons()).map(|tendon| tendon.colind.clone());
    let turned = model.limited_balls().map(Vec::from);
    let equal = model.equalities.iter().map(Equality::colind);
    model.efc_colind = model.pairs.iter().map(GeomPair::colind).chain(tendons).chain(turned).chain(equal).collect();
    if model.max_nefc > MAX_NEFC || model.efc_colind.len() > MAX_NEFC {
        return Err(format!("{} constraint rows: at most {MAX_NEFC}", model.max_nefc.max(model.efc_colind.len())));
    }
    Ok(())
}

/// Returns the number of constraint rows for which the arena of MuJoCo's simulations certainly has room.
///
/// The numbers of bytes are about three times those that MuJoCo 3.6 and 4.0 need. Arenas of the default size have room for
/// thousands of rows.
fn arena_rows(reader: &Reader<'_>, model: &NativeModel) -> Result<usize, Unsupported> {
    let (arena, nv) = (reader.size("narena")?, model.dofs.len());
    let mut objects = 0;
    for name in ["nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "neq", "ntendon", "nwrap"] {
        objects += reader.size(name)?;
    }
    let collisions = if model.max_library_nefc > 0 { (256 << 10) + (2 << 10) * reader.size("opt.ccd_iterations")? } else { 0 };
    // Contacts in a gap have no rows.
    let gaps = model.pairs.iter().filter(|pair| pair.has_gap()).count();
    let least = (32 << 10) + 64 * nv * nv + 256 * objects + collisions + 1024 * MAX_PAIR_CONTACTS * gaps;
    if arena < least {
        return Err(format!("an arena of {arena} bytes (<size memory>): at least {least}"));
    }
    let (room, row) = ((arena - least) as f64, (2200 + 64 * nv) as f64);
    // PGS stores a square matrix with a row and a column for each constraint row.
    let square = if model.solver == Solver::Pgs { 24.0 } else { 0.0 };
    // The positive root of `square * rows * rows + row * rows == room`.
    Ok((2.0 * room / (row + (row * row + 4.0 * square * room).sqrt())) as usize)
}

/// Checks that the native stepper supports the solver and the integrator with the model's constraints and forces.
fn check_combinations(model: &NativeModel) -> Result<(), Unsupported> {
    if !model.equalities.is_empty() && model.solver != Solver::Newton {
        return Err("equality constraints with another solver".into());
    }
    if model.integrator == Integrator::ImplicitFast {
        check_implicit_velocities(model)?;
    }
    let has_friction = !model.frictions.is_empty() || model.friction_tendons().next().is_some();
    if model.solver != Solver::Newton && (model.is_elliptic || has_friction) {
        return Err("elliptic cones of friction, or friction in joints, with another solver".into());
    }
    Ok(())
}

/// Checks that the derivatives of all forces by velocities, which the integrator `implicitfast` uses, are diagonal and constant,
/// and that MuJoCo has no other equations for a body.
///
/// MuJoCo drops derivatives that are not in the sparsity of the inertia matrix, as those of two fingers of a gripper that one
/// actuator closes.
fn check_implicit_velocities(model: &NativeModel) -> Result<(), Unsupported> {
    if model.fluid.is_some() {
        return Err("the integrator implicitfast in a medium".into());
    }
    if model.tendons.iter().any(|tendon| tendon.damping != 0.0) {
        return Err("the integrator implicitfast with tendons that have damping".into());
    }
    let is_muscle = |actuator: &Actuator| actuator.muscle_gain.is_some();
    if model.actuators.iter().any(is_muscle) {
        return Err("the integrator implicitfast with muscles".into());
    }
    if model.actuators.iter().any(|actuator| actuator.affine_gain.is_some_and(|gain| gain[2] != 0.0)) {
        return Err("the integrator implicitfast with a gain that depends on the velocity".into());
    }
    let damps_tendon = |actuator: &Actuator| {
        actuator.spatial_tendon(model).is_some() && actuator.bias.as_ref().is_some_and(|bias| bias.by_velocity != 0.0)
    };
    if model.actuators.iter().any(damps_tendon) {
        return Err("the integrator implicitfast with a damped actuator of a spatial tendon".into());
    }
    let is_coupled = |actuator: &Actuator| {
        actuator.bias.as_ref().is_some_and(|bias| bias.by_velocity != 0.0) && model.moves_ancestors(actuator)
    };
    if model.actuators.iter().any(is_coupled) {
        return Err("the integrator implicitfast with a damped actuator of a joint and of a joint above it".into());
    }
    let is_single = |joint: &&Joint| {
        let tree = model.dofs[joint.dofadr].tree;
        model.dofs.iter().filter(|dof| dof.tree == tree).count() == 6
    };
    let mut free = model.joints.iter().filter(|joint| joint.kind == JointKind::Free);
    if model.dialect.has_free_body_equations && free.any(|joint| is_single(&joint)) {
        return Err("the integrator implicitfast with a free body without other joints".into());
    }
    Ok(())
}

pub(in crate::native) fn read_dofs(reader: &Reader<'_>, count: usize) -> Result<Vec<Dof>, Unsupported> {
    let [armature, damping, fixed] = all(["dof_armature", "dof_damping", "dof_M0"].map(|name| reader.floats(name, count)))?;
    let [bodies, trees, rows, lens] =
        all(["dof_bodyid", "dof_treeid", "M_rowadr", "M_rownnz"].map(|name| reader.indices(name, count)))?;
    let parents = reader.integers("dof_parentid", count)?;
    let simple = reader.integers("dof_simplenum", count)?;
    Ok((0..count)
        .map(|dof| Dof {
            body: bodies[dof],
            parent: usize::try_from(parents[dof]).ok(),
            armature: armature[dof],
            damping: damping[dof],
            m0: (simple[dof] != 0).then_some(fixed[dof]),
            tree: trees[dof],
            m_rowadr: rows[dof],
            m_rownnz: lens[dof],
            descendants: lens[dof + 1..].iter().take_while(|len| **len > lens[dof]).count(),
        })
        .collect())
}

/// Refuses a model whose degrees of freedom do not follow the tree depth first, so that a column's entries in the inertia matrix
/// are not at the same place in consecutive rows ([`Dof::descendants`]).
fn check_order(dofs: &[Dof], m_colind: &[usize]) -> Result<(), Unsupported> {
    let (mut below, mut entries) = (0, 0);
    for (row, dof) in dofs.iter().enumerate() {
        (below, entries) = (below + dof.descendants, entries + dof.m_rownnz - 1);
        for (at, &column) in m_colind[dof.m_rowadr..dof.m_diagadr()].iter().enumerate() {
            if column >= row || at + 1 != dofs[column].m_rownnz || row - column > dofs[column].descendants {
                return Err("degrees of freedom that do not follow the tree".into());
            }
        }
    }
    if below == entries { Ok(()) } else { Err("degrees of freedom that do not follow the tree".into()) }
}

pub(in crate::native) fn read_frictions(reader: &Reader<'_>, count: usize, timestep: f64) -> Result<Vec<Friction>, Unsupported> {
    let [losses, invweight0] = all(["dof_frictionloss", "dof_invweight0"].map(|name| reader.floats(name, count)))?;
    let (solref, solimp) = (reader.floats("dof_solref", 2 * count)?, reader.floats("dof_solimp", 5 * count)?);
    let friction = |dof: usize| {
        let sol = SolParams::new(&solref[2 * dof..][..2], &solimp[5 * dof..][..5], timestep)?;
        if losses[dof] < 0.0 {
            return Err("friction in a joint that is less than none".to_owned());
        }
        Ok(Friction { dof, frictionloss: losses[dof], diag_approx: invweight0[dof], sol })
    };
    (0..count).filter(|dof| losses[*dof] != 0.0).map(friction).collect()
}

pub(in crate::native) fn read_joints(reader: &Reader<'_>, count: usize, timestep: f64) -> Result<Vec<Joint>, Unsupported> {
    let kinds = reader.integers("jnt_type", count)?;
    let limited = reader.bytes("jnt_limited", count)?;
    let [positions, dofs] = all(["jnt_qposadr", "jnt_dofadr"].map(|name| reader.indices(name, count)))?;
    let numbers = |name: &str, width: usize| reader.floats(name, width * count);
    let [pos, axes, stiffness] =
        all([("jnt_pos", 3), ("jnt_axis", 3), ("jnt_stiffness", 1)].map(|(name, width)| numbers(name, width)))?;
    let [ranges, margins, solref, solimp] = all(
        [("jnt_range", 2), ("jnt_margin", 1), ("jnt_solref", 2), ("jnt_solimp", 5)].map(|(name, width)| numbers(name, width))
    )?;
    let invweight0 = reader.floats("dof_invweight0", reader.size("nv")?)?;
    let [qpos0, qpos_spring] = all(["qpos0", "qpos_spring"].map(|name| reader.floats(name, reader.0.sizes().nq)))?;
    let (are_forces_limited, forces) = (reader.bytes("jnt_actfrclimited", count)?, numbers("jnt_actfrcrange", 2)?);
    let joint = |joint: usize| {
        let kind = match kinds[joint] {
            0 => JointKind::Free,
            1 => JointKind::Ball,
            2 => JointKind::Slide,
            3 => JointKind::Hinge,
            kind => return Err(format!("a joint of kind {kind}")),
        };
        if kind == JointKind::Free && limited[joint] != 0 {
            return Err("a free joint with a limit".into());
        }
        let axis: [f64; 3] = triple(&axes, joint);
        let coordinate = axis.iter().position(|part| part.abs() == 1.0).map(|at| (at, axis[at]));
        let (dof, position) = (dofs[joint], positions[joint]);
        let limit = (limited[joint] != 0).then(|| {
            let (low, high, margin) = (ranges[2 * joint], ranges[2 * joint + 1], margins[joint]);
            let (low, high) = if kind == JointKind::Ball { (f64::NEG_INFINITY, low.max(high)) } else { (low, high) };
            if high - low <= 2.0 * margin {
                return Err("a joint that can be at both of its limits at once".into());
            }
            Ok::<_, Unsupported>(Limit {
                low,
                high,
                margin,
                diag_approx: invweight0[dof],
                sol: SolParams::new(&solref[2 * joint..][..2], &solimp[5 * joint..][..5], timestep)?,
            })
        });
        Ok(Joint {
            kind,
            qposadr: position,
            dofadr: dof,
            pos: triple(&pos, joint),
            axis,
            axis_coordinate: coordinate.filter(|_| axis.iter().filter(|part| **part == 0.0).count() == 2),
            qpos0: qpos0[position],
            qpos_spring: std::array::from_fn(|at| qpos_spring.get(position + at).copied().unwrap_or(0.0)),
            stiffness: stiffness[joint],
            actfrcrange: (are_forces_limited[joint] != 0).then(|| [forces[2 * joint], forces[2 * joint + 1]]),
            limit: limit.transpose()?,
        })
    };
    (0..count).map(joint).collect()
}

/// Reads the compensation of gravity, as `mj_gravcomp` does.
fn read_gravcomp(reader: &Reader<'_>, joints: &[Joint], bodies: &[Body], dofs: usize) -> Result<Option<Gravcomp>, Unsupported> {
    let shares = reader.floats("body_gravcomp", bodies.len())?;
    let (gravity, actuated) = (reader.vector("opt.gravity")?, reader.bytes("jnt_actgravcomp", joints.len())?);
    let force = |(id, share): (usize, &f64)| (id, gravity.map(|part| part * -(bodies[id].mass * share)));
    let forces: Vec<_> = shares.iter().enumerate().skip(1).filter(|(_, share)| **share != 0.0).map(force).collect();
    let mut is_actuated = vec![false; dofs];
    for (joint, _) in joints.iter().zip(actuated).filter(|(_, is_actuated)| *is_actuated != 0) {
        is_actuated[joint.dofadr..][..joint.kind.dofs()].fill(true);
    }
    let has_gravity = gravity.iter().map(|part| part * part).sum::<f64>() != 0.0;
    Ok((has_gravity && !forces.is_empty()).then_some(Gravcomp { forces, is_actuated }))
}

pub(in crate::native) fn read_bodies(reader: &Reader<'_>, count: usize, dofs: &[Dof]) -> Result<Vec<Body>, Unsupported> {
    let [parents, roots, welds] = all(["body_parentid", "body_rootid", "body_weldid"].map(|name| reader.indices(name, count)))?;
    let [joint_starts, joint_counts, dof_starts, dof_counts] =
        all(["body_jntadr", "body_jntnum", "body_dofadr", "body_dofnum"].map(|name| reader.integers(name, count)))?;
    let [pos, ipos, inertias] = all(["body_pos", "body_ipos", "body_inertia"].map(|name| reader.floats(name, 3 * count)))?;
    let [quat, iquat] = all(["body_quat", "body_iquat"].map(|name| reader.floats(name, 4 * count)))?;
    let [masses, tree_masses] = all(["body_mass", "body_subtreemass"].map(|name| reader.floats(name, count)))?;
    let frames = reader.bytes("body_sameframe", count)?;
    let mocaps = reader.integers("body_mocapid", count)?;
    let range = |start: i64, count: i64| (start.max(0) as usize)..(start.max(0) + count) as usize;
    let mut bodies = Vec::new();
    for body in 0..count {
        let own = range(dof_starts[body], dof_counts[body]);
        let inertia = triple(&inertias, body);
        let side = |sum: f64| (MJMINVAL.max(sum) / masses[body] * 6.0).sqrt();
        let weld = welds[body];
        let moving = range(dof_starts[weld], dof_counts[weld]);
        if own.end > dofs.len() || parents[body] > body || (body > 0 && parents[body] == body) {
            return Err("bodies in another order".into());
        }
        bodies.push(Body {
            parent: parents[body],
            root: roots[body],
            joints: range(joint_starts[body], joint_counts[body]),
            dofs: own,
            pos: triple(&pos, body),
            quat: quadruple(&quat, body),
            inertial: Frame { same: SameFrame::of(frames[body])?, pos: triple(&ipos, body), quat: quadruple(&iquat, body) },
            mass: masses[body],
            inv_subtreemass: (tree_masses[body] >= MJMINVAL).then(|| 1.0 / tree_masses[body]),
            inertia,
            fluid_box: [
                side(inertia[1] + inertia[2] - inertia[0]),
                side(inertia[0] + inertia[2] - inertia[1]),
                side(inertia[0] + inertia[1] - inertia[2]),
            ],
            last_dof: moving.last(),
            mocap: usize::try_from(mocaps[body]).ok(),
        });
    }
    Ok(bodies)
}

pub(in crate::native) fn read_sites(reader: &Reader<'_>) -> Result<Vec<Site>, Unsupported> {
    let count = reader.size("nsite")?;
    let bodies = reader.indices("site_bodyid", count)?;
    let (pos, quat) = (reader.floats("site_pos", 3 * count)?, reader.floats("site_quat", 4 * count)?);
    let frames = reader.bytes("site_sameframe", count)?;
    (0..count)
        .map(|site| {
            let frame = Frame { same: SameFrame::of(frames[site])?, pos: triple(&pos, site), quat: quadruple(&quat, site) };
            Ok(Site { body: bodies[site], frame })
        })
        .collect()
}

/// Largest accepted number of rows, in all lanes, of contacts that MuJoCo's collision functions find.
const MAX_LIBRARY_NEFC: usize = 1024;
