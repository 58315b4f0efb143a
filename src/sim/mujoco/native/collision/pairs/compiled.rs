//! Checks of the fields that MuJoCo computes from others when it compiles a model, and with which it drops pairs of geoms. A
//! caller may have changed the other fields of a compiled model.

use crate::native::collision::pairs::geoms::GeomArrays;
use crate::native::collision::pairs::{BOX, CAPSULE, CYLINDER, DISTANCE_SLACK, ELLIPSOID, MESH, SPHERE};
use crate::native::mju::quat_to_mat;
use crate::native::model::reader::{Reader, all, quadruple, triple};
use crate::native::model::{NativeModel, Unsupported};

/// Checks that masks, margins and bounding volumes fit the geoms. `starts` and `counts` are each body's geoms.
pub(super) fn check_compiled(
    reader: &Reader<'_>,
    arrays: &GeomArrays,
    model: &NativeModel,
    (starts, counts): (&[i64], &[i64]),
) -> Result<(), Unsupported> {
    let count = model.bodies.len();
    let margins = reader.floats("body_margin", count)?;
    let [kinds, affinities] = all(["body_contype", "body_conaffinity"].map(|name| reader.integers(name, count)))?;
    let unfit = |name: &str| Err(format!("{name} that does not fit the shapes, which were changed after the model was compiled"));
    for body in 0..count {
        let own = || (starts[body]..starts[body] + counts[body]).map(|geom| geom as usize);
        let any = |mask: usize| own().fold(0, |all, geom| all | arrays.masks[mask][geom]);
        if kinds[body] != any(0) || affinities[body] != any(1) {
            return unfit("body_contype or body_conaffinity");
        }
        if own().any(|geom| model.dialect.margins(arrays.margins[geom], arrays.gaps[geom])[0] > margins[body]) {
            return unfit("body_margin");
        }
    }
    for geom in 0..arrays.kinds.len() {
        let Some(Extent { low, high, radius }) = Extent::of(arrays, geom) else { continue };
        if radius > arrays.bounds[geom] + slack(radius) {
            return unfit("geom_rbound");
        }
        if !model.disables_midphase && !is_within([low, high], &arrays.boxes[6 * geom..][..6]) {
            return unfit("geom_aabb");
        }
    }
    if !model.disables_midphase && !are_volumes_fit(reader, arrays, model, (starts, counts))? {
        return unfit("bvh_aabb");
    }
    Ok(())
}

/// Extent of a geom in its own frame: the corners of its bounding box, and the radius of its bounding sphere.
struct Extent {
    low: [f64; 3],
    high: [f64; 3],
    radius: f64,
}

impl Extent {
    /// Returns the extent of a geom; `None` for planes and height fields.
    fn of(arrays: &GeomArrays, geom: usize) -> Option<Self> {
        let norm = |vector: &[f64; 3]| vector.iter().map(|part| part * part).sum::<f64>().sqrt();
        let (half, radius) = match arrays.kinds[geom] {
            SPHERE..=BOX => half_extent(arrays.kinds[geom], triple(&arrays.sizes, geom)),
            MESH => {
                let vertices = &arrays.hulls[geom].as_ref()?.vertices;
                let fold = |pick: fn(f64, f64) -> f64, from: f64| {
                    [0, 1, 2].map(|axis| vertices.iter().map(|vertex| vertex[axis]).fold(from, pick))
                };
                let radius = vertices.iter().map(norm).fold(0.0, f64::max);
                return Some(Self { low: fold(f64::min, f64::INFINITY), high: fold(f64::max, f64::NEG_INFINITY), radius });
            }
            _ => return None,
        };
        Some(Self { low: half.map(|half| -half), high: half, radius })
    }
}

/// Returns the half lengths of the bounding box of a geom of a type other than planes, height fields and meshes, and the radius of
/// its bounding sphere.
pub(in crate::native) fn half_extent(kind: i64, size @ [x, y, z]: [f64; 3]) -> ([f64; 3], f64) {
    match kind {
        SPHERE => ([x; 3], x),
        CAPSULE => ([x, x, x + y], x + y),
        ELLIPSOID => (size, x.max(y).max(z)),
        CYLINDER => ([x, x, y], x.hypot(y)),
        _ => (size, (x * x + y * y + z * z).sqrt()),
    }
}

/// Returns the accepted error of a number of this size, in metres.
fn slack(size: f64) -> f64 {
    DISTANCE_SLACK * (1.0 + size.abs())
}

/// Returns whether a box given by its corners is within the box with the centre and half lengths `outer`.
fn is_within([low, high]: [[f64; 3]; 2], outer: &[f64]) -> bool {
    (0..3).all(|axis| {
        let (centre, half) = (outer[axis], outer[3 + axis]);
        low[axis] >= centre - half - slack(low[axis]) && high[axis] <= centre + half + slack(high[axis])
    })
}

/// Returns whether the bounding volumes of each body contain its geoms that can collide.
fn are_volumes_fit(
    reader: &Reader<'_>,
    arrays: &GeomArrays,
    model: &NativeModel,
    (starts, counts): (&[i64], &[i64]),
) -> Result<bool, Unsupported> {
    let (bodies, volumes, fixed) = (model.bodies.len(), reader.size("nbvh")?, reader.size("nbvhstatic")?);
    let (first, len) = (reader.integers("body_bvhadr", bodies)?, reader.integers("body_bvhnum", bodies)?);
    let (children, ids) = (reader.integers("bvh_child", 2 * volumes)?, reader.integers("bvh_nodeid", volumes)?);
    let boxes = reader.floats("bvh_aabb", 6 * fixed)?;
    for body in 0..bodies {
        let (start, len) = (first[body].max(0) as usize, len[body].max(0) as usize);
        if start + len > fixed.min(volumes) {
            return Ok(false);
        }
        // The box of each volume, and that of each volume that contains it, must contain the geom of a leaf.
        let mut above: Vec<Vec<usize>> = vec![Vec::new(); len];
        let mut held = Vec::new();
        for node in 0..len {
            let at = start + node;
            let path: Vec<_> = above[node].iter().copied().chain([at]).collect();
            if let Ok(geom) = usize::try_from(ids[at])
                && let Some(extent) = arrays.kinds.get(geom).and_then(|_| Extent::of(arrays, geom))
            {
                let corners = inertial_box(arrays, model, (body, geom), &extent);
                if !path.iter().all(|outer| is_within(corners, &boxes[6 * outer..][..6])) {
                    return Ok(false);
                }
            }
            held.extend(usize::try_from(ids[at]).ok());
            for child in &children[2 * at..][..2] {
                if let Some(below) = usize::try_from(*child).ok().and_then(|child| above.get_mut(child)) {
                    below.clone_from(&path);
                }
            }
        }
        let collides = |geom: &usize| arrays.masks.iter().any(|mask| mask[*geom] != 0);
        let own = (starts[body]..starts[body] + counts[body]).map(|geom| geom as usize);
        if own.filter(collides).any(|geom| !held.contains(&geom)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the corners of the box around a geom along the axes of its body's inertial frame.
fn inertial_box(arrays: &GeomArrays, model: &NativeModel, (body, geom): (usize, usize), extent: &Extent) -> [[f64; 3]; 2] {
    let frame = &model.bodies[body].inertial;
    let (own, turned) = (quat_to_mat(&quadruple(&arrays.turns, geom), false), quat_to_mat(&frame.quat, false));
    let pos: [f64; 3] = triple(&arrays.places, geom);
    let mut corners = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for corner in 0..8 {
        let local = [0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { extent.low[axis] } else { extent.high[axis] });
        let offset = [0, 1, 2].map(|row| (0..3).map(|k| own[3 * row + k] * local[k]).sum::<f64>() + pos[row] - frame.pos[row]);
        for axis in 0..3 {
            let part = (0..3).map(|k| turned[3 * k + axis] * offset[k]).sum::<f64>();
            corners[0][axis] = corners[0][axis].min(part);
            corners[1][axis] = corners[1][axis].max(part);
        }
    }
    corners
}
