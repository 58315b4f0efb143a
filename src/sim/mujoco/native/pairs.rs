//! Pairs of geoms that may collide, in MuJoCo's order, and their colliders.
//!
//! The list of pairs is constant and ordered by the indices of the geoms' bodies. It contains a pair of geoms if `contype`
//! and `conaffinity` allow the pair to collide. It contains no pairs of two bodies that are welded together, and no pairs of
//! a body and its parent. MuJoCo's broad phase and mid phase (bounding volume hierarchies) drop only pairs that are too far
//! apart to collide.
//!
//! Native colliders exist for spheres and capsules on horizontal planes and with one another, and for ellipsoids and
//! cylinders on horizontal planes. All other pairs have a guard: if the two geoms are so near that they could touch, the step
//! falls back to MuJoCo.

use super::reader::{Reader, quadruple, triple};
use super::tables::{
    Collider, Frame, Geom, GeomPair, MAX_GEOMS, NativeModel, PlanePair, PlaneSolid, RoundPair, SameFrame, SolParams, Unsupported,
};

/// Values of MuJoCo's enumeration of geom types (`mjtGeom`).
const PLANE: i64 = 0;
const SPHERE: i64 = 2;
const CAPSULE: i64 = 3;
const ELLIPSOID: i64 = 4;
const CYLINDER: i64 = 5;

/// Smallest friction coefficient that MuJoCo uses (`mjMINMU`).
const MJMINMU: f64 = 1e-5;

/// Safety margin, in metres, for distances that are rounded differently from MuJoCo's.
pub(super) const DISTANCE_SLACK: f64 = 1e-6;

/// Reads the pairs of geoms that may collide.
///
/// # Errors
/// Returns the reason why MuJoCo must step the model instead of the native stepper.
pub(super) fn read_pairs(reader: &Reader<'_>, tables: &mut NativeModel) -> Result<(), Unsupported> {
    let shapes = GeomArrays::read(reader)?;
    let bodies = tables.bodies.len();
    let [welds, starts, counts] = ["body_weldid", "body_geomadr", "body_geomnum"].map(|name| reader.integers(name, bodies));
    let (welds, starts, counts) = (welds?, starts?, counts?);
    let mut kept: Vec<usize> = Vec::new();
    for one in 0..bodies {
        for other in one + 1..bodies {
            let [first, second] = [welds[one], welds[other]];
            let parent = |body: i64| welds[tables.bodies[body as usize].parent];
            if first == second || (first != 0 && second != 0 && (first == parent(second) || second == parent(first))) {
                continue;
            }
            let mut list = Vec::new();
            for x in starts[one]..starts[one] + counts[one] {
                for y in starts[other]..starts[other] + counts[other] {
                    let (x, y) = (x as usize, y as usize);
                    let (x, y) = if shapes.kinds[x] > shapes.kinds[y] { (y, x) } else { (x, y) };
                    if shapes.filter_bitmask(x, y) {
                        list.push((x, y));
                    }
                }
            }
            // With mid-phase collision detection, MuJoCo sorts the contacts of two bodies by geom ids, before it swaps the
            // geoms of a contact by type.
            if !tables.disables_midphase {
                list.sort_unstable();
            }
            for (x, y) in list {
                let touch = shapes.collider(reader, tables, x, y)?;
                let mut number = |shape: usize| {
                    kept.iter().position(|kept| *kept == shape).unwrap_or_else(|| {
                        kept.push(shape);
                        kept.len() - 1
                    })
                };
                tables.pairs.push(GeomPair {
                    geoms: [number(x), number(y)],
                    bodies: [shapes.bodies[x], shapes.bodies[y]],
                    collider: touch,
                });
            }
        }
    }
    if kept.len() > MAX_GEOMS {
        return Err(format!("{} shapes that may touch: at most {MAX_GEOMS}", kept.len()));
    }
    let frame = |shape: usize| -> Result<Geom, Unsupported> {
        let frame =
            Frame { same: shapes.frames[shape], pos: triple(&shapes.places, shape), quat: quadruple(&shapes.turns, shape) };
        Ok(Geom { body: shapes.bodies[shape], frame })
    };
    tables.geoms = kept.into_iter().map(frame).collect::<Result<_, _>>()?;
    Ok(())
}

/// Arrays of `mjModel` with one entry per geom.
struct GeomArrays {
    kinds: Vec<i64>,
    bodies: Vec<usize>,
    frames: Vec<SameFrame>,
    places: Vec<f64>,
    turns: Vec<f64>,
    sizes: Vec<f64>,
    /// Radii of the bounding spheres (`geom_rbound`).
    bounds: Vec<f64>,
    margins: Vec<f64>,
    gaps: Vec<f64>,
    frictions: Vec<f64>,
    mixes: Vec<f64>,
    priorities: Vec<i64>,
    dimensions: Vec<i64>,
    masks: [Vec<i64>; 2],
    references: Vec<f64>,
    impedances: Vec<f64>,
}

impl GeomArrays {
    fn read(reader: &Reader<'_>) -> Result<Self, Unsupported> {
        let count = reader.size("ngeom")?;
        let same = reader.bytes("geom_sameframe", count)?;
        Ok(Self {
            kinds: reader.integers("geom_type", count)?,
            bodies: reader.indices("geom_bodyid", count)?,
            frames: same.iter().map(|number| SameFrame::of(*number)).collect::<Result<_, _>>()?,
            places: reader.floats("geom_pos", 3 * count)?,
            turns: reader.floats("geom_quat", 4 * count)?,
            sizes: reader.floats("geom_size", 3 * count)?,
            bounds: reader.floats("geom_rbound", count)?,
            margins: reader.floats("geom_margin", count)?,
            gaps: reader.floats("geom_gap", count)?,
            frictions: reader.floats("geom_friction", 3 * count)?,
            mixes: reader.floats("geom_solmix", count)?,
            priorities: reader.integers("geom_priority", count)?,
            dimensions: reader.integers("geom_condim", count)?,
            masks: [reader.integers("geom_contype", count)?, reader.integers("geom_conaffinity", count)?],
            references: reader.floats("geom_solref", 2 * count)?,
            impedances: reader.floats("geom_solimp", 5 * count)?,
        })
    }

    /// Returns whether `contype` and `conaffinity` allow two geoms to collide, as `filterBitmask` does.
    fn filter_bitmask(&self, one: usize, other: usize) -> bool {
        let [kinds, affinities] = &self.masks;
        kinds[one] & affinities[other] != 0 || kinds[other] & affinities[one] != 0
    }

    /// Chooses the collider of two geoms, and mixes their contact parameters as `mj_contactParam`.
    fn collider(&self, reader: &Reader<'_>, tables: &NativeModel, one: usize, other: usize) -> Result<Collider, Unsupported> {
        let margin = self.margins[one] + self.margins[other];
        let dimension = self.dimensions[one].max(self.dimensions[other]);
        let is_plain = [one, other].iter().all(|shape| {
            self.mixes[*shape] == 1.0
                && self.gaps[*shape] == 0.0
                && self.references[2 * shape] > 0.0
                && self.references[2 * shape + 1] > 0.0
        });
        let is_plain = is_plain && self.priorities[one] == self.priorities[other];
        let mixed = |values: &[f64], width: usize| -> Vec<f64> {
            (0..width).map(|at| 0.5 * values[width * one + at] + (1.0 - 0.5) * values[width * other + at]).collect()
        };
        let weights = reader.floats("body_invweight0", 2 * tables.bodies.len())?;
        let weight = weights[2 * self.bodies[one]] + weights[2 * self.bodies[other]];
        let softness = || SolParams::new(&mixed(&self.references, 2), &mixed(&self.impedances, 5), tables.timestep);
        let chain = |shape: usize| {
            let first = tables.bodies[self.bodies[shape]].last_dof;
            std::iter::successors(first, |dof| tables.dofs[*dof].parent).collect::<Vec<_>>()
        };
        let friction = || (dimension == 3).then(|| self.frictions[3 * one].max(self.frictions[3 * other]).max(MJMINMU));
        // Each row of a friction pyramid combines the normal with a tangent, so friction increases the row's
        // `efc_diagApprox`.
        let leaning = || friction().filter(|_| !tables.is_elliptic);
        let with_friction = |weight: f64| leaning().map_or(weight, |friction| weight + friction * friction * weight);
        let is_round = |shape: usize| matches!(self.kinds[shape], SPHERE | CAPSULE);
        let half = |shape: usize| if self.kinds[shape] == SPHERE { 0.0 } else { self.sizes[3 * shape + 1] };
        // A capsule with the radius and the axis segment of a cylinder contains the cylinder, so a guard can treat the
        // cylinder as a capsule.
        let has_axis = |shape: usize| is_round(shape) || self.kinds[shape] == CYLINDER;
        if self.kinds[one] != PLANE {
            let near = self.bounds[one] + self.bounds[other] + margin + DISTANCE_SLACK;
            let is_known = is_round(one) && is_round(other);
            let trees = [one, other].map(|shape| tables.tree_of(self.bodies[shape]));
            if let (true, true, 1 | 3, [Some(first), Some(second)]) = (is_known, is_plain, dimension, trees) {
                // Two geoms of one kinematic tree have the same `subtree_com`, and a degree of freedom that moves both geoms
                // moves them equally. Therefore these degrees of freedom are omitted from the contact's rows.
                let near = self.bounds[one] + self.bounds[other] + margin;
                let [ours, theirs] = [one, other].map(chain);
                let without = |one: &[usize], other: &[usize]| one.iter().copied().filter(|dof| !other.contains(dof)).collect();
                return Ok(Collider::Round(RoundPair {
                    near: near * near,
                    margin,
                    radii: [self.sizes[3 * one], self.sizes[3 * other]],
                    halves: [one, other].map(|shape| (self.kinds[shape] == CAPSULE).then(|| half(shape))),
                    friction: friction(),
                    diag_approx: with_friction(weight),
                    sol: softness()?,
                    chains: [without(&ours, &theirs), without(&theirs, &ours)],
                    trees: [first, second],
                    roots: [one, other].map(|shape| tables.bodies[self.bodies[shape]].root),
                }));
            }
            let is_next_to_ellipsoid = is_round(one) && self.kinds[other] == ELLIPSOID;
            return Ok(Collider::Guard {
                near: near * near,
                halves: (has_axis(one) && has_axis(other)).then(|| [half(one), half(other)]),
                ellipsoid: is_next_to_ellipsoid.then(|| (triple(&self.sizes, other), half(one))),
                reach: self.sizes[3 * one]
                    + if is_next_to_ellipsoid { 0.0 } else { self.sizes[3 * other] }
                    + margin
                    + DISTANCE_SLACK,
            });
        }
        let place = triple(&self.places, one);
        if self.bodies[one] != 0 || quadruple(&self.turns, one) != [1.0, 0.0, 0.0, 0.0] {
            return Err("a plane that is not level, or moves".into());
        }
        let (near, height) = (margin + self.bounds[other], place[2]);
        let tree = tables.tree_of(self.bodies[other]);
        let sizes = triple(&self.sizes, other);
        let solid = match self.kinds[other] {
            ELLIPSOID => Some(PlaneSolid::Ellipsoid(sizes)),
            CYLINDER => Some(PlaneSolid::Cylinder([sizes[0], sizes[1]])),
            _ => None,
        };
        if !(is_round(other) || solid.is_some()) || !is_plain || !matches!(dimension, 1 | 3) || tree.is_none() {
            return Ok(Collider::PlaneGuard(height + near + DISTANCE_SLACK));
        }
        let ground = PlanePair {
            height,
            near,
            margin,
            radius: self.sizes[3 * other],
            half: (self.kinds[other] == CAPSULE).then(|| half(other)),
            friction: friction(),
            diag_approx: with_friction(weight),
            sol: softness()?,
            chain: chain(other),
            tree: tree.unwrap_or_default(),
        };
        Ok(match solid {
            Some(solid) => Collider::Solid(ground, solid),
            None => Collider::Ground(ground),
        })
    }
}
