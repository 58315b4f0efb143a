//! Converts the tendons of an `mjModel` for the native stepper, and rejects tendons that have no native implementation.

use super::reader::Reader;
use super::tables::{Body, Dof, FixedTendon, Joint, Site, SolParams, SpatialTendon, Spring, Tendon, TendonLimit, Unsupported};

/// Reads a model's tendons: fixed tendons with or without a spring, and spatial tendons that run between two sites.
///
/// # Errors
/// Returns the reason why MuJoCo must step the model instead of the native stepper.
pub(super) fn read_tendons(
    reader: &Reader<'_>,
    joints: &[Joint],
    (bodies, dofs): (&[Body], &[Dof]),
    sites: &[Site],
) -> Result<Vec<Tendon>, Unsupported> {
    let count = reader.size("ntendon")?;
    let limited = reader.bytes("tendon_limited", count)?;
    let (starts, lens) = (reader.indices("tendon_adr", count)?, reader.indices("tendon_num", count)?);
    let parts = reader.size("nwrap")?;
    let (kinds, objects) = (reader.integers("wrap_type", parts)?, reader.indices("wrap_objid", parts)?);
    let shares = reader.floats("wrap_prm", parts)?;
    let (stiffness, rest) = (reader.floats("tendon_stiffness", count)?, reader.floats("tendon_lengthspring", 2 * count)?);
    let mut tendons = Vec::new();
    for (number, (start, len)) in starts.into_iter().zip(lens).enumerate() {
        let kinds = &kinds[start..][..len];
        let limit = if limited[number] != 0 { Some(read_limit(reader, number, count)?) } else { None };
        if *kinds == [MJWRAP_SITE, MJWRAP_SITE] && stiffness[number] == 0.0 {
            let ends = [0, 1].map(|end| sites[objects[start + end]].clone());
            tendons.push(Tendon::Spatial(Box::new(rope(ends, bodies, dofs, limit)?)));
            continue;
        }
        // Fixed tendons of more than three joints, or of three joints that are out of order, are rejected, because MuJoCo may
        // sum their terms in another order.
        let is_sum = len <= 3 && kinds.iter().all(|kind| *kind == MJWRAP_JOINT);
        if !is_sum || (len == 3 && !objects[start..][..len].is_sorted_by_key(|joint| joints[*joint].dofadr)) {
            return Err("tendons that are no sum of up to three joints, and not between two sites".to_owned());
        }
        let part = |at: usize| (joints[objects[at]].qposadr, joints[objects[at]].dofadr, shares[at]);
        let parts: Vec<_> = (start..start + len).map(part).collect();
        let trees = parts.iter().fold(0, |trees, (_, dof, _)| trees | 1 << dofs[*dof].tree);
        let spring = (stiffness[number] != 0.0).then(|| Spring {
            stiffness: stiffness[number],
            low: rest[2 * number],
            high: rest[2 * number + 1],
        });
        tendons.push(Tendon::Fixed(FixedTendon { parts, spring, limit, trees }));
    }
    Ok(tendons)
}

/// Creates a spatial tendon that runs between two sites.
///
/// # Errors
/// Returns the reason why MuJoCo must step the model instead of the native stepper.
fn rope(ends: [Site; 2], bodies: &[Body], dofs: &[Dof], limit: Option<TendonLimit>) -> Result<SpatialTendon, Unsupported> {
    let mut chains = [Vec::new(), Vec::new()];
    for (chain, end) in chains.iter_mut().zip(&ends) {
        *chain = std::iter::successors(bodies[end.body].last_dof, |dof| dofs[*dof].parent).collect();
    }
    if chains[0].iter().any(|dof| chains[1].contains(dof)) || chains.concat().is_empty() {
        return Err("a tendon within a tree of bodies, or of none".into());
    }
    let roots = [bodies[ends[0].body].root, bodies[ends[1].body].root];
    let trees = chains.iter().flatten().fold(0, |trees, dof| trees | 1 << dofs[*dof].tree);
    Ok(SpatialTendon { sites: ends, roots, chains, trees, limit })
}

/// Reads the length limit of the tendon with the index `tendon`, of `count` tendons.
///
/// # Errors
/// Returns the reason why MuJoCo must step the model instead of the native stepper.
fn read_limit(reader: &Reader<'_>, tendon: usize, count: usize) -> Result<TendonLimit, Unsupported> {
    let number = |name: &str| Ok::<_, Unsupported>(reader.floats(name, count)?[tendon]);
    let numbers =
        |name: &str, width: usize| Ok::<_, Unsupported>(reader.floats(name, width * count)?[width * tendon..][..width].to_vec());
    let (range, margin) = (numbers("tendon_range", 2)?, number("tendon_margin")?);
    if range[1] - range[0] <= 2.0 * margin {
        return Err("a tendon that can be at both of its limits at once".into());
    }
    let timestep = reader.float("opt.timestep", 0)?;
    Ok(TendonLimit {
        low: range[0],
        high: range[1],
        margin,
        diag_approx: number("tendon_invweight0")?,
        sol: SolParams::new(&numbers("tendon_solref_lim", 2)?, &numbers("tendon_solimp_lim", 5)?, timestep)?,
    })
}

/// Value of MuJoCo's enumerator `mjtWrap.mjWRAP_JOINT`.
const MJWRAP_JOINT: i64 = 1;
/// Value of MuJoCo's enumerator `mjtWrap.mjWRAP_SITE`.
const MJWRAP_SITE: i64 = 3;
