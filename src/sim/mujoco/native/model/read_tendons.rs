//! Converts the tendons of an `mjModel` for the native stepper, and rejects tendons that have no native implementation.

use crate::mjt::{MJWRAP_CYLINDER, MJWRAP_JOINT, MJWRAP_PULLEY, MJWRAP_SPHERE};
use crate::native::model::read::ReadParts;
use crate::native::model::reader::{Reader, all, quadruple, triple};
use crate::native::model::{
    Frame, SameFrame, SolParams, Spring, Tendon, TendonFriction, TendonLimit, TendonPath, TendonPiece, TendonSpan, TendonWrap,
    Unsupported, WrapGeom,
};

/// Tendons of a model, and the objects on their paths.
#[derive(Default)]
pub(in crate::native) struct Tendons {
    pub(in crate::native) tendons: Vec<Tendon>,
    /// Sites on the paths, in ascending order.
    pub(in crate::native) sites: Vec<usize>,
    pub(in crate::native) geoms: Vec<WrapGeom>,
}

/// Columns of `wrap_type`, `wrap_objid` and `wrap_prm`.
struct Wraps {
    wrap_type: Vec<i64>,
    wrap_objid: Vec<usize>,
    numbers: Vec<f64>,
}

pub(in crate::native) fn read_tendons(reader: &Reader<'_>, parts: &ReadParts<'_>) -> Result<Tendons, Unsupported> {
    let count = reader.size("ntendon")?;
    let mut found = Tendons::default();
    if count == 0 {
        return Ok(found);
    }
    let (limited, bounded) = (reader.bytes("tendon_limited", count)?, reader.bytes("tendon_actfrclimited", count)?);
    let (adr, num) = (reader.indices("tendon_adr", count)?, reader.indices("tendon_num", count)?);
    let wraps = reader.size("nwrap")?;
    let wraps = Wraps {
        wrap_type: reader.integers("wrap_type", wraps)?,
        wrap_objid: reader.indices("wrap_objid", wraps)?,
        numbers: reader.floats("wrap_prm", wraps)?,
    };
    let [stiffness, dampings, losses, weights, armatures] =
        all(["stiffness", "damping", "frictionloss", "invweight0", "armature"]
            .map(|name| reader.floats(&format!("tendon_{name}"), count)))?;
    let (lengthspring, bounds) =
        (reader.floats("tendon_lengthspring", 2 * count)?, reader.floats("tendon_actfrcrange", 2 * count)?);
    let rows = [reader.indices("ten_J_rownnz", count)?, reader.indices("ten_J_rowadr", count)?];
    let columns = reader.indices("ten_J_colind", reader.size("nJten")?)?;
    for number in 0..count {
        let (rowadr, colind) = (rows[1][number], columns[rows[1][number]..][..rows[0][number]].to_vec());
        let range = adr[number]..adr[number] + num[number];
        let path = if wraps.wrap_type[range.start] == MJWRAP_JOINT {
            TendonPath::Fixed(range.map(|at| fixed_part(parts, &wraps, at)).collect())
        } else {
            TendonPath::Spatial(spatial_path(reader, parts, (&wraps, range), &colind, &mut found)?)
        };
        let mut trees: Vec<(usize, Vec<usize>)> = Vec::new();
        for (entry, dof) in colind.iter().enumerate().filter(|(entry, _)| moves(&path, *entry)) {
            let tree = parts.dofs[*dof].tree;
            match trees.iter_mut().find(|(known, _)| *known == tree) {
                Some((_, entries)) => entries.push(entry),
                None => trees.push((tree, vec![entry])),
            }
        }
        // MuJoCo adds no constraint row without entries (`mj_addConstraintCount`).
        let is_limited = limited[number] != 0 && !trees.is_empty();
        let is_rubbed = losses[number] > 0.0 && !trees.is_empty();
        found.tendons.push(Tendon {
            path,
            rowadr,
            colind,
            trees,
            invweight0: weights[number],
            spring: (stiffness[number] != 0.0).then(|| Spring {
                stiffness: stiffness[number],
                low: lengthspring[2 * number],
                high: lengthspring[2 * number + 1],
            }),
            damping: dampings[number],
            armature: armatures[number],
            friction: if is_rubbed { Some(read_friction(reader, number, (count, losses[number]))?) } else { None },
            actfrcrange: (bounded[number] != 0).then(|| [bounds[2 * number], bounds[2 * number + 1]]),
            limit: if is_limited { Some(read_limit(reader, number, count)?) } else { None },
        });
    }
    let pieces = found.tendons.iter().flat_map(Tendon::pieces);
    found.sites =
        pieces.flat_map(|piece| piece.sites.into_iter().chain(piece.wrap.as_ref().and_then(|wrap| wrap.side))).collect();
    found.sites.sort_unstable();
    found.sites.dedup();
    Ok(found)
}

/// Returns whether an entry of a tendon's row of `ten_J` can be other than zero.
fn moves(path: &TendonPath, entry: usize) -> bool {
    let has = |span: &TendonSpan| span.columns.iter().any(|(own, ..)| *own == entry);
    match path {
        TendonPath::Fixed(_) => true,
        TendonPath::Spatial(pieces) => {
            pieces.iter().any(|piece| has(&piece.straight) || piece.wrap.as_ref().is_some_and(|wrap| wrap.spans.iter().any(has)))
        }
    }
}

fn fixed_part(parts: &ReadParts<'_>, wraps: &Wraps, at: usize) -> (usize, usize, f64) {
    let joint = &parts.joints[wraps.wrap_objid[at]];
    (joint.qposadr, joint.dofadr, wraps.numbers[at])
}

/// Reads the path of a spatial tendon, whose row of `ten_J` has the columns `colind`.
fn spatial_path(
    reader: &Reader<'_>,
    parts: &ReadParts<'_>,
    (wraps, range): (&Wraps, std::ops::Range<usize>),
    colind: &[usize],
    found: &mut Tendons,
) -> Result<Vec<TendonPiece>, Unsupported> {
    let mut pieces = Vec::new();
    let (mut at, mut divisor) = (range.start, 1.0);
    while at + 1 < range.end {
        if wraps.wrap_type[at] == MJWRAP_PULLEY || wraps.wrap_type[at + 1] == MJWRAP_PULLEY {
            if wraps.wrap_type[at] == MJWRAP_PULLEY {
                divisor = wraps.numbers[at];
            }
            at += 1;
            continue;
        }
        let geom = matches!(wraps.wrap_type[at + 1], MJWRAP_SPHERE | MJWRAP_CYLINDER).then(|| at + 1);
        let next = geom.unwrap_or(at) + 1;
        let sites = [wraps.wrap_objid[at], wraps.wrap_objid[next]];
        let bodies = sites.map(|site| parts.sites[site].body);
        let wrap = match geom {
            None => None,
            Some(geom) => {
                let side = (wraps.numbers[geom] + 0.5).floor();
                if side >= parts.sites.len() as f64 {
                    return Err("a side site of a tendon that does not exist (wrap_prm)".into());
                }
                let geom = wrap_geom(reader, wraps.wrap_objid[geom], wraps.wrap_type[geom] == MJWRAP_SPHERE, &mut found.geoms)?;
                let body = found.geoms[geom].body;
                let spans = [span(parts, [bodies[0], body], colind), span(parts, [body, bodies[1]], colind)];
                Some(TendonWrap { geom, side: (side >= 0.0).then_some(side as usize), spans })
            }
        };
        pieces.push(TendonPiece { sites, bodies, divisor, straight: span(parts, bodies, colind), wrap });
        at = next;
    }
    Ok(pieces)
}

/// Returns the index in `geoms` of the geom `id`, which is added if necessary.
fn wrap_geom(reader: &Reader<'_>, id: usize, is_sphere: bool, geoms: &mut Vec<WrapGeom>) -> Result<usize, Unsupported> {
    if let Some(known) = geoms.iter().position(|geom| geom.id == id && geom.is_sphere == is_sphere) {
        return Ok(known);
    }
    let count = reader.size("ngeom")?;
    let frame = Frame {
        same: SameFrame::of(reader.bytes("geom_sameframe", count)?[id])?,
        pos: triple(&reader.floats("geom_pos", 3 * count)?, id),
        quat: quadruple(&reader.floats("geom_quat", 4 * count)?, id),
    };
    let body = reader.indices("geom_bodyid", count)?[id];
    geoms.push(WrapGeom { id, body, frame, radius: reader.floats("geom_size", 3 * count)?[3 * id], is_sphere });
    Ok(geoms.len() - 1)
}

/// Returns the straight line between points of two bodies, with its chain (`mj_mergeChain`).
fn span(parts: &ReadParts<'_>, bodies: [usize; 2], colind: &[usize]) -> TendonSpan {
    let chain =
        |body: usize| -> Vec<_> { std::iter::successors(parts.bodies[body].last_dof, |dof| parts.dofs[*dof].parent).collect() };
    let chains = bodies.map(chain);
    let column = |(entry, dof): (usize, &usize)| {
        let moves = [chains[0].contains(dof), chains[1].contains(dof)];
        (bodies[0] != bodies[1] && moves != [false; 2]).then_some((entry, *dof, moves))
    };
    TendonSpan {
        roots: bodies.map(|body| parts.bodies[body].root),
        columns: colind.iter().enumerate().filter_map(column).collect(),
    }
}

/// Reads constraint parameters of the tendon with the index `tendon`, of `count` tendons. `suffix` is that of the fields' names.
fn read_sol(reader: &Reader<'_>, tendon: usize, count: usize, suffix: &str) -> Result<SolParams, Unsupported> {
    let references = reader.floats(&format!("tendon_solref_{suffix}"), 2 * count)?;
    let impedances = reader.floats(&format!("tendon_solimp_{suffix}"), 5 * count)?;
    let timestep = reader.float("opt.timestep", 0)?;
    SolParams::new(&references[2 * tendon..][..2], &impedances[5 * tendon..][..5], timestep)
}

fn read_friction(reader: &Reader<'_>, tendon: usize, (count, loss): (usize, f64)) -> Result<TendonFriction, Unsupported> {
    Ok(TendonFriction { frictionloss: loss, sol: read_sol(reader, tendon, count, "fri")? })
}

fn read_limit(reader: &Reader<'_>, tendon: usize, count: usize) -> Result<TendonLimit, Unsupported> {
    let range = reader.floats("tendon_range", 2 * count)?[2 * tendon..][..2].to_vec();
    let margin = reader.floats("tendon_margin", count)?[tendon];
    if range[1] - range[0] <= 2.0 * margin {
        return Err("a tendon that can be at both of its limits at once".into());
    }
    Ok(TendonLimit { low: range[0], high: range[1], margin, sol: read_sol(reader, tendon, count, "lim")? })
}
