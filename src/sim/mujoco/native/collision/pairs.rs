//! Pairs of geoms that may collide, in MuJoCo's order, and their colliders.
//!
//! The list of pairs (`filterCollisionPair`) is constant and ordered by the indices of the geoms' bodies. It contains a pair of
//! geoms if `contype` and `conaffinity` allow the pair to collide. It contains no pairs of two bodies that are welded together or cannot move, no pairs of a
//! body and its parent, and no pairs of bodies that the model excludes. MuJoCo's broad phase and mid phase (bounding volume
//! hierarchies) drop pairs that are too far apart to collide, and because of rounding also pairs that only just touch. MuJoCo
//! decides about contacts of such pairs.
//!
//! Native colliders exist for spheres and capsules on horizontal planes and with one another, for ellipsoids, cylinders and boxes on
//! horizontal planes, and for spheres and boxes. All other pairs have a guard, which finds the lanes in which the two geoms are so near that
//! they could touch. In these lanes, MuJoCo's collision function finds the contacts; if the contacts have parameters that the
//! native stepper does not support, the step falls back to MuJoCo.

pub(in crate::native) mod compiled;
mod fixed_boxes;
mod geoms;

use self::compiled::check_compiled;
use self::geoms::ExplicitPairs;
use self::geoms::GeomArrays;
pub(in crate::native) use self::geoms::MJMINMU;
use crate::native::collision::height_fields::Solid;
use crate::native::model::geom_pair::GeomBox;
use crate::native::model::reader::{Reader, all, quadruple, triple};
use crate::native::model::{
    Collider, ContactFriction, ContactParams, FilterSlack, Frame, FrictionSource, Geom, GeomPair, Guard, LibraryPair, MAX_NEFC,
    NativeModel, PlanePair, PlaneSolid, RoundPair, SolParams, Unsupported,
};
use envpool_rs_numeric::simd::Float64Lanes;

/// Values of MuJoCo's enumeration of geom types (`mjtGeom`).
const PLANE: i64 = 0;
pub(in crate::native) const HFIELD: i64 = 1;
pub(in crate::native) const SPHERE: i64 = 2;
pub(in crate::native) const CAPSULE: i64 = 3;
const ELLIPSOID: i64 = 4;
pub(in crate::native) const CYLINDER: i64 = 5;
pub(in crate::native) const BOX: i64 = 6;
const MESH: i64 = 7;

/// Safety margin, in metres, for distances that are rounded differently from MuJoCo's.
pub(in crate::native) const DISTANCE_SLACK: f64 = 1e-6;

/// Reads the pairs of geoms that may collide.
pub(in crate::native) fn read_pairs(reader: &Reader<'_>, model: &mut NativeModel) -> Result<(), Unsupported> {
    let arrays = GeomArrays::read(reader)?;
    let bodies = model.bodies.len();
    let [welds, starts, counts] = all(["body_weldid", "body_geomadr", "body_geomnum"].map(|name| reader.integers(name, bodies)))?;
    check_compiled(reader, &arrays, model, (&starts, &counts))?;
    let excludes = reader.integers("exclude_signature", reader.size("nexclude")?)?;
    let invweight0 = reader.floats("body_invweight0", 2 * bodies)?;
    let explicit = ExplicitPairs::read(reader)?;
    let extents: Vec<_> = (0..bodies).map(|body| BodyExtent::new(&arrays, starts[body]..starts[body] + counts[body])).collect();
    let has_fixed = |[one, other]: [usize; 2]| arrays.bodies[one] == arrays.bodies[other];
    if explicit.iter().any(|(geoms, _)| has_fixed(geoms)) {
        return Err("pairs of shapes of one body".into());
    }
    let mut kept: Vec<usize> = Vec::new();
    for one in 0..bodies {
        for other in one + 1..bodies {
            let explicit_here: Vec<_> = explicit.iter().filter(|(geoms, _)| arrays.are_of(*geoms, [one, other])).collect();
            for (geoms, pair) in &explicit_here {
                let params = explicit.params(*pair, model);
                add_pair((&arrays, &invweight0), model, &mut kept, (*geoms, &params))?;
            }
            if filter_body_pair(model, &welds, [one, other]) || excludes.contains(&((one << 16 | other) as i64)) {
                continue;
            }
            let mut list = Vec::new();
            for x in starts[one]..starts[one] + counts[one] {
                for y in starts[other]..starts[other] + counts[other] {
                    let (x, y) = (x as usize, y as usize);
                    let (x, y) = if arrays.kinds[x] > arrays.kinds[y] { (y, x) } else { (x, y) };
                    let is_explicit = explicit_here.iter().any(|(geoms, _)| *geoms == [x, y] || *geoms == [y, x]);
                    if !is_explicit && arrays.filter_bitmask(x, y) {
                        list.push((x, y));
                        if model.pairs.len() + list.len() > MAX_NEFC {
                            return Err(format!("more than {MAX_NEFC} pairs of shapes"));
                        }
                    }
                }
            }
            // With mid-phase collision detection, MuJoCo sorts the contacts of two bodies by geom ids, before it swaps the
            // geoms of a contact by type.
            if !model.disables_midphase {
                list.sort_unstable();
            }
            let bodies = [&extents[one], &extents[other]];
            let slack = [one != 0 && other != 0, false].map(|has_broadphase| filter_slack(model, has_broadphase, bodies));
            for (x, y) in list {
                let params = PairParams { slack, ..arrays.pair_params(x, y, model) };
                add_pair((&arrays, &invweight0), model, &mut kept, ([x, y], &params))?;
            }
        }
    }
    let frame = |geom: usize| -> Result<Geom, Unsupported> {
        let frame = Frame { same: arrays.frames[geom], pos: triple(&arrays.places, geom), quat: quadruple(&arrays.turns, geom) };
        Ok(Geom { id: geom, body: arrays.bodies[geom], frame })
    };
    model.geoms = kept.into_iter().map(frame).collect::<Result<_, _>>()?;
    fixed_boxes::set_filters(&arrays, model);
    Ok(())
}

/// Returns whether `filterBodyPair` drops two bodies: they cannot move, are welded together (`welds`: `body_weldid`), or are a body and its parent.
fn filter_body_pair(model: &NativeModel, welds: &[i64], [one, other]: [usize; 2]) -> bool {
    let is_still = |body: usize| model.bodies[body].last_dof.is_none();
    let parent = |body: i64| welds[model.bodies[body as usize].parent];
    let [first, second] = [welds[one], welds[other]];
    (is_still(one) && is_still(other))
        || first == second
        || (first != 0 && second != 0 && (first == parent(second) || second == parent(first)))
}

/// Extent of the geoms of a body that can collide.
struct BodyExtent {
    /// Number of all geoms of the body.
    count: usize,
    /// Distance from the body's origin that contains all geoms except planes, in metres.
    radius: f64,
    has_plane: bool,
    /// Whether the body has a plane that is not level, or moves.
    has_slope: bool,
    has_mesh: bool,
}

impl BodyExtent {
    fn new(arrays: &GeomArrays, geoms: std::ops::Range<i64>) -> Self {
        let mut extent =
            Self { count: (geoms.end - geoms.start) as usize, radius: 0.0, has_plane: false, has_slope: false, has_mesh: false };
        for geom in geoms.map(|geom| geom as usize).filter(|geom| arrays.can_collide(*geom)) {
            match arrays.kinds[geom] {
                PLANE => {
                    extent.has_plane = true;
                    extent.has_slope |= !arrays.is_ground(geom);
                }
                kind => {
                    extent.has_mesh |= kind == MESH;
                    let place: [f64; 3] = triple(&arrays.places, geom);
                    let reach = place.iter().map(|part| part.abs()).sum::<f64>() + arrays.bounds[geom];
                    extent.radius = extent.radius.max(reach);
                }
            }
        }
        extent
    }
}

/// Returns the depth of contacts below which `mj_broadphase` or `mj_collideTree` may drop geoms of two bodies.
///
/// The broad phase sorts the bodies (other than the world) by coordinates in single precision. The mid phase is used unless both
/// bodies have one geom only. Its boxes of planes are 10⁷ km large, so that coordinates are rounded to a micrometre.
fn filter_slack(model: &NativeModel, has_broadphase: bool, extents: [&BodyExtent; 2]) -> FilterSlack {
    let has_midphase = !model.disables_midphase && extents.iter().any(|extent| extent.count != 1);
    if !has_broadphase && !has_midphase {
        return FilterSlack::default();
    }
    let radius = extents.iter().map(|extent| extent.radius).sum::<f64>();
    let mut slack = FilterSlack { fixed: ROUNDED_DEPTH + 16.0 * f64::EPSILON * radius, by_distance: 16.0 * f64::EPSILON };
    if has_broadphase {
        slack.fixed += SINGLE_EPSILON * radius;
        slack.by_distance += SINGLE_EPSILON;
    }
    if has_midphase && extents.iter().any(|extent| extent.has_plane) {
        slack.fixed += PLANE_DEPTH;
    }
    // A rotation adds products of such coordinates.
    if has_midphase && extents.iter().any(|extent| extent.has_slope) {
        slack.fixed += 3.0 * PLANE_DEPTH;
    }
    // The vertices of meshes have single precision, and their bounding boxes do not.
    if extents.iter().any(|extent| extent.has_mesh) {
        slack.fixed += SINGLE_EPSILON * radius;
    }
    slack
}

/// Depth of contacts, in metres, below which they are uncertain if coordinates are small.
const ROUNDED_DEPTH: f64 = 1e-10;
/// Sum of the relative errors of two coordinates in single precision, rounded up.
const SINGLE_EPSILON: f64 = 2.4e-7;
/// Depth in metres up to which contacts with planes are uncertain: five roundings of coordinates of 5·10⁹ m are 2.4e-6.
const PLANE_DEPTH: f64 = 4e-6;

/// Parameters of the contacts of two geoms.
struct PairParams {
    margin: f64,
    includemargin: f64,
    slack: [FilterSlack; 2],
    /// Friction, `solref` and `solimp`; `None` if the native stepper does not support them, or a negative gap.
    contact: Option<(ContactFriction, SolParams)>,
    source: FrictionSource,
}

/// Adds a pair of geoms to the tables, the smaller type first, as `pushGeomGeom` does. `kept` lists the geoms that take part in
/// pairs.
fn add_pair(
    (arrays, invweight0): (&GeomArrays, &[f64]),
    model: &mut NativeModel,
    kept: &mut Vec<usize>,
    ([x, y], params): ([usize; 2], &PairParams),
) -> Result<(), Unsupported> {
    let [x, y] = if arrays.kinds[x] > arrays.kinds[y] { [y, x] } else { [x, y] };
    if [x, y].iter().all(|geom| matches!(arrays.kinds[*geom], PLANE | HFIELD)) {
        // MuJoCo has no collision function for planes and height fields.
        return Ok(());
    }
    let bodies = [arrays.bodies[x], arrays.bodies[y]];
    if bodies.iter().all(|body| model.bodies[*body].last_dof.is_none()) {
        return Err("pairs of shapes that cannot move".into());
    }
    let collider = ColliderSelection { arrays, model, invweight0 }.collider(x, y, params);
    let mut number = |geom: usize| {
        kept.iter().position(|kept| *kept == geom).unwrap_or_else(|| {
            kept.push(geom);
            kept.len() - 1
        })
    };
    model.pairs.push(GeomPair { geoms: [number(x), number(y)], ids: [x, y], source: params.source, bodies, collider });
    Ok(())
}

struct ColliderSelection<'a> {
    arrays: &'a GeomArrays,
    model: &'a NativeModel,
    /// Inverse weights of the bodies (`body_invweight0`), two numbers each.
    invweight0: &'a [f64],
}

impl ColliderSelection<'_> {
    fn is_round(&self, geom: usize) -> bool {
        matches!(self.arrays.kinds[geom], SPHERE | CAPSULE)
    }

    /// Returns the half length of the axis segment of a sphere, capsule or cylinder.
    fn half(&self, geom: usize) -> f64 {
        if self.arrays.kinds[geom] == SPHERE { 0.0 } else { self.arrays.sizes[3 * geom + 1] }
    }

    /// Returns the degrees of freedom that move a geom, in descending order (`mj_bodyChain`).
    fn chain(&self, geom: usize) -> Vec<usize> {
        let first = self.model.bodies[self.arrays.bodies[geom]].last_dof;
        std::iter::successors(first, |dof| self.model.dofs[*dof].parent).collect()
    }

    /// Chooses the collider of two geoms, whose contacts have the parameters `params`.
    fn collider(&self, one: usize, other: usize, params: &PairParams) -> Collider {
        let (arrays, margin) = (self.arrays, params.margin);
        let guard = self.guard(one, other, margin);
        let Some((friction, sol)) = params.contact else { return Collider::Guard(guard) };
        let contact = self.contact((one, other), params, friction, sol);
        let [along, across, ..] = friction.coefficients;
        let is_low = matches!(friction.condim, 1 | 3) && along == across;
        let shaped = [one, other].map(|geom| params.source != FrictionSource::Pair && arrays.is_shaped(geom));
        let is_fixed = shaped == [false; 2];
        if is_fixed && is_low && arrays.is_ground(one) && matches!(arrays.kinds[other], SPHERE..=BOX) {
            let ground = PlanePair {
                height: arrays.places[3 * one + 2],
                near: margin + arrays.bounds[other],
                radius: arrays.sizes[3 * other],
                half: (arrays.kinds[other] == CAPSULE).then(|| self.half(other)),
                contact,
            };
            return match arrays.kinds[other] {
                ELLIPSOID => Collider::Solid(ground, PlaneSolid::Ellipsoid(triple(&arrays.sizes, other))),
                CYLINDER => Collider::Solid(ground, PlaneSolid::Cylinder([arrays.sizes[3 * other], arrays.sizes[3 * other + 1]])),
                BOX => Collider::Solid(ground, PlaneSolid::Box(triple(&arrays.sizes, other))),
                _ => Collider::Ground(ground),
            };
        }
        if is_fixed && self.is_round(one) && self.is_round(other) {
            let near = arrays.bounds[one] + arrays.bounds[other] + margin;
            return Collider::Round(RoundPair {
                near: near * near,
                radii: [arrays.sizes[3 * one], arrays.sizes[3 * other]],
                halves: [one, other].map(|geom| (arrays.kinds[geom] == CAPSULE).then(|| self.half(geom))),
                contact,
            });
        }
        let known = |geom: usize| matches!(arrays.kinds[geom], PLANE..=BOX | MESH);
        if !(known(one) && known(other)) {
            return Collider::Guard(guard);
        }
        let noise = if (arrays.kinds[one], arrays.kinds[other]) == (PLANE, CYLINDER) { arrays.sizes[3 * other] } else { 0.0 };
        let (boxes, reach) = ([arrays.aabb(one), arrays.aabb(other)], margin + noise + DISTANCE_SLACK);
        let hulls = arrays.hulls(one, other).filter(|_| is_fixed);
        let size: [f64; 3] = triple(&arrays.sizes, other);
        let is_sphere_box =
            is_fixed && arrays.kinds[one] == SPHERE && arrays.kinds[other] == BOX && size.iter().all(|half| *half > 0.0);
        let sphere_box = is_sphere_box.then(|| (arrays.sizes[3 * one], size));
        let field = arrays.fields[one].clone().map(|field| (field, self.solid(other)));
        let ids = [one, other];
        Collider::Library(Box::new(LibraryPair { guard, boxes, reach, ids, shaped, contact, sphere_box, hulls, field }))
    }

    /// Returns the extent of a geom.
    fn solid(&self, geom: usize) -> Solid {
        let (arrays, centre) = (self.arrays, [0.0; 3]);
        let size: [f64; 3] = triple(&arrays.sizes, geom);
        match arrays.kinds[geom] {
            _ if arrays.is_shaped(geom) => Solid { centre, half: [0.0; 3], is_ellipsoid: false, radius: f64::INFINITY },
            SPHERE | CAPSULE => Solid { centre, half: [0.0, 0.0, self.half(geom)], is_ellipsoid: false, radius: size[0] },
            ELLIPSOID => Solid { centre, half: size, is_ellipsoid: true, radius: 0.0 },
            _ => {
                let GeomBox { centre, half, .. } = arrays.aabb(geom);
                Solid { centre, half, is_ellipsoid: false, radius: 0.0 }
            }
        }
    }

    /// Returns the constants of the contacts of two geoms.
    fn contact(
        &self,
        (one, other): (usize, usize),
        params: &PairParams,
        friction: ContactFriction,
        sol: SolParams,
    ) -> ContactParams {
        let bodies = [one, other].map(|geom| self.arrays.bodies[geom]);
        // Two geoms of one kinematic tree have the same `subtree_com`, and a degree of freedom that moves both geoms moves them
        // equally. Therefore these degrees of freedom are omitted from the contact's rows.
        let [ours, theirs] = [one, other].map(|geom| self.chain(geom));
        let without = |one: &[usize], other: &[usize]| one.iter().copied().filter(|dof| !other.contains(dof)).collect();
        ContactParams {
            margin: params.margin,
            includemargin: params.includemargin,
            slack: params.slack,
            friction,
            diag_approx: self.diag_approx(bodies, friction),
            sol,
            chains: [without(&ours, &theirs), without(&theirs, &ours)],
            trees: bodies.iter().filter_map(|body| self.model.tree_of(*body)).fold(0, |trees, tree| trees | 1 << tree),
            roots: bodies.map(|body| self.model.bodies[body].root),
        }
    }

    /// Returns `efc_diagApprox` of the first row of a contact between two bodies.
    fn diag_approx(&self, [one, other]: [usize; 2], friction: ContactFriction) -> f64 {
        let pyramid_friction = friction.sliding().filter(|_| !self.model.is_elliptic);
        diag_approx_of([one, other].map(|body| self.invweight0[2 * body]), pyramid_friction)
    }

    /// Returns the distance test that finds the lanes in which two geoms may touch, as `mj_filterSphere` and `planeGeomDist` do.
    fn guard(&self, one: usize, other: usize, margin: f64) -> Guard {
        let arrays = self.arrays;
        if arrays.kinds[one] == PLANE {
            let reach = margin + arrays.bounds[other];
            return match arrays.is_ground(one) {
                true => Guard::Plane(arrays.places[3 * one + 2] + reach + DISTANCE_SLACK),
                false => Guard::Slope(reach + DISTANCE_SLACK),
            };
        }
        let near = arrays.bounds[one] + arrays.bounds[other] + margin + DISTANCE_SLACK;
        if arrays.is_shaped(one) || arrays.is_shaped(other) {
            return Guard::Distance { near: near * near, halves: None, ellipsoid: None, reach: near };
        }
        // A capsule with the radius and the axis segment of a cylinder contains the cylinder, so a guard can treat the
        // cylinder as a capsule.
        let has_axis = |geom: usize| self.is_round(geom) || arrays.kinds[geom] == CYLINDER;
        if let Some(bounds) = fixed_boxes::fixed_box(arrays, other) {
            let (axis_half, radius) =
                if has_axis(one) { (self.half(one), arrays.sizes[3 * one]) } else { (0.0, arrays.bounds[one]) };
            return Guard::Box { bounds, axis_half, reach: radius + margin + DISTANCE_SLACK };
        }
        let is_next_to_ellipsoid = self.is_round(one) && arrays.kinds[other] == ELLIPSOID;
        Guard::Distance {
            near: near * near,
            halves: (has_axis(one) && has_axis(other)).then(|| [self.half(one), self.half(other)]),
            ellipsoid: is_next_to_ellipsoid.then(|| (triple(&arrays.sizes, other), self.half(one))),
            reach: arrays.sizes[3 * one]
                + if is_next_to_ellipsoid { 0.0 } else { arrays.sizes[3 * other] }
                + margin
                + DISTANCE_SLACK,
        }
    }
}

/// Returns `efc_diagApprox` (`mj_diagApprox`) of the first row of a contact between two bodies with the weights `body_invweight0`.
///
/// `pyramid_friction` is the coefficient of sliding friction of a friction pyramid, each row of which combines the normal with a
/// tangent; `None` for contacts without friction and for elliptic cones.
#[inline(always)]
pub(in crate::native) fn diag_approx_of<V: Float64Lanes>([one, other]: [V; 2], pyramid_friction: Option<V>) -> V {
    let tran = one + other;
    match pyramid_friction {
        Some(friction) => tran + friction * friction * tran,
        None => tran,
    }
}
