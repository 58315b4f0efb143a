//! Pairs of geoms that may collide, with the constants of their contacts.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::collision::MAX_PAIR_CONTACTS;
use crate::native::collision::height_fields::{HeightField, Solid};
use crate::native::model::SolParams;
use envpool_rs_numeric::simd::Float64Lanes;

#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct GeomBox {
    pub(in crate::native) centre: [f64; 3],
    /// Half lengths of the sides.
    pub(in crate::native) half: [f64; 3],
    /// Radius of the sphere around the box, in metres.
    pub(in crate::native) radius: f64,
}

/// Convex hull of a geom: vertices in the geom's frame, in balls.
pub(in crate::native) struct Hull {
    pub(in crate::native) vertices: Vec<[f64; 3]>,
    pub(in crate::native) balls: Vec<HullBall>,
}

/// Ball that contains adjacent vertices of a hull.
pub(in crate::native) struct HullBall {
    pub(in crate::native) centre: [f64; 3],
    pub(in crate::native) radius: f64,
    /// Range of the vertices.
    pub(in crate::native) vertices: Range<usize>,
}

/// Largest number of vertices in a ball of a hull.
const BALL_VERTICES: usize = 16;

impl Hull {
    pub(in crate::native) fn new(vertices: Vec<[f64; 3]>) -> Self {
        let (all, mut hull) = (0..vertices.len(), Self { vertices, balls: Vec::new() });
        hull.split(all);
        hull
    }

    /// Adds balls around a range of the vertices, which is halved along its longest side until the halves fit into balls.
    fn split(&mut self, range: Range<usize>) {
        let vertices = &mut self.vertices[range.clone()];
        let fold =
            |axis: usize, pick: fn(f64, f64) -> f64| vertices.iter().map(|vertex| vertex[axis]).reduce(pick).unwrap_or(0.0);
        let (low, high) = ([0, 1, 2].map(|axis| fold(axis, f64::min)), [0, 1, 2].map(|axis| fold(axis, f64::max)));
        if vertices.len() <= BALL_VERTICES {
            let centre = [0, 1, 2].map(|axis| 0.5 * (low[axis] + high[axis]));
            let distance = |vertex: &[f64; 3]| (0..3).map(|axis| (vertex[axis] - centre[axis]).powi(2)).sum::<f64>().sqrt();
            // The addend exceeds rounding errors.
            let radius = vertices.iter().map(distance).fold(0.0, f64::max) * (1.0 + 1e-9) + 1e-9;
            self.balls.push(HullBall { centre, radius, vertices: range });
            return;
        }
        let length = |axis: &usize| high[*axis] - low[*axis];
        let longest = (0..3).max_by(|one, other| length(one).total_cmp(&length(other))).expect("three axes");
        vertices.sort_unstable_by(|one, other| one[longest].total_cmp(&other[longest]));
        let middle = range.start + range.len() / 2;
        self.split(range.start..middle);
        self.split(middle..range.end);
    }

    pub(in crate::native) fn of_box(half: &[f64; 3]) -> Self {
        let corner = |number: usize| [0, 1, 2].map(|axis| if number >> axis & 1 == 0 { half[axis] } else { -half[axis] });
        Self::new((0..8).map(corner).collect())
    }
}

/// The `Debug` output identifies models; the fingerprint of a model with such pairs also covers the meshes.
impl fmt::Debug for Hull {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "hull of {} vertices", self.vertices.len())
    }
}

/// Shape of a geom, other than a sphere or capsule, that has a native collider with planes.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) enum PlaneSolid {
    /// Ellipsoid, given by its semi-axes.
    Ellipsoid([f64; 3]),
    /// Cylinder, given by its radius and half height.
    Cylinder([f64; 2]),
    /// Box, given by the half lengths of its sides.
    Box([f64; 3]),
}

impl PlaneSolid {
    /// Returns the maximum number of contact points between the geom and a plane.
    pub(in crate::native) fn max_contacts(self) -> usize {
        match self {
            Self::Ellipsoid(_) => 1,
            Self::Cylinder(_) | Self::Box(_) => 4,
        }
    }
}

/// Pair of geoms that may collide, with their collider.
#[derive(Debug, Clone)]
pub(in crate::native) struct GeomPair {
    /// Indices of the geoms in [`NativeModel::geoms`](crate::native::model::NativeModel::geoms).
    pub(in crate::native) geoms: [usize; 2],
    /// Indices of the geoms in the model.
    pub(in crate::native) ids: [usize; 2],
    pub(in crate::native) bodies: [usize; 2],
    pub(in crate::native) source: FrictionSource,
    pub(in crate::native) collider: Collider,
}

/// Source of the friction coefficients of a pair's contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::native) enum FrictionSource {
    /// The larger coefficients of both geoms.
    Mixed,
    /// The first geom, whose `geom_priority` is higher.
    First,
    /// The second geom, whose `geom_priority` is higher.
    Second,
    /// An explicit pair (`pair_friction`).
    Pair,
}

/// Collider of a pair of geoms, or a guard that detects steps which MuJoCo must take instead of the native stepper.
#[derive(Debug, Clone)]
pub(in crate::native) enum Collider {
    /// Collider of a horizontal plane with the second geom, a sphere or capsule.
    Ground(PlanePair),
    /// Collider of two geoms, each of which is a sphere or a capsule.
    Round(RoundPair),
    /// Collider of a horizontal plane with the second geom, an ellipsoid, cylinder or box.
    Solid(PlanePair, PlaneSolid),
    /// MuJoCo's collision function for the types of the two geoms, called for each lane.
    Library(Box<LibraryPair>),
    /// Guard for two geoms without a collider: MuJoCo must take the step in the lanes in which the geoms may touch.
    Guard(Guard),
}

/// Guard (distance test) that finds the lanes in which two geoms may touch.
#[derive(Debug, Clone)]
pub(in crate::native) enum Guard {
    /// Guard for a horizontal plane: the geoms may touch unless the second geom's centre is above this height, in metres.
    Plane(f64),
    /// Guard for any other plane: the least distance of the second geom's centre from it without contacts, in metres.
    Slope(f64),
    /// Guard for two geoms: they may touch unless their distance is greater than `reach`.
    Distance {
        /// Bound on the squared distance of the centres, up to which the exact distance is computed.
        near: f64,
        /// Half lengths of the geoms' axis segments, if both geoms have an axis.
        halves: Option<[f64; 2]>,
        /// Semi-axes of the second geom, if it is an ellipsoid, and the half length of the first geom's axis segment.
        ellipsoid: Option<([f64; 3], f64)>,
        reach: f64,
    },
    /// Guard for a fixed box: no contact if the box around the first geom's axis segment is further than `reach` from it.
    Box {
        bounds: AlignedBox,
        /// Half length of the first geom's axis segment.
        axis_half: f64,
        reach: f64,
    },
}

/// Box along the axes of the world, in metres.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct AlignedBox {
    pub(in crate::native) center: [f64; 3],
    pub(in crate::native) half: [f64; 3],
}

/// Distance test of a fixed box and a tree: nothing touches unless the root body's origin is within `reach` of the box.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct BoxFilter {
    pub(in crate::native) bounds: AlignedBox,
    /// Index of the tree's root body.
    pub(in crate::native) root: usize,
    pub(in crate::native) reach: f64,
}

/// Dimension of a contact and its friction coefficients (`mjContact.dim` and `mjContact.friction`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::native) struct ContactFriction {
    /// Dimension of the contact: 1 (frictionless), 3 (sliding), 4 (sliding and torsion) or 6 (also rolling).
    pub(in crate::native) condim: usize,
    /// Coefficients of sliding along both tangents, of torsion about the normal, and of rolling about both tangents.
    pub(in crate::native) coefficients: [f64; 5],
}

impl ContactFriction {
    /// Returns the coefficient of sliding friction; `None` for a frictionless contact.
    pub(in crate::native) fn sliding(&self) -> Option<f64> {
        (self.condim > 1).then_some(self.coefficients[0])
    }

    #[inline(always)]
    pub(in crate::native) fn rows(&self, is_elliptic: bool) -> usize {
        match self.condim {
            1 => 1,
            dim if is_elliptic => dim,
            dim => 2 * (dim - 1),
        }
    }
}

/// Depth of contacts, in metres, below which MuJoCo's broad or mid phase may drop the two geoms because of rounding.
///
/// Contacts of this depth are uncertain: MuJoCo must find out whether it has them.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::native) struct FilterSlack {
    /// Depth for geoms at the world's origin.
    pub(in crate::native) fixed: f64,
    /// Addend for each metre between the contact and the world's origin.
    pub(in crate::native) by_distance: f64,
}

impl FilterSlack {
    /// Returns the depth below which a contact at `point` is uncertain.
    #[inline(always)]
    pub(in crate::native) fn depth<V: Float64Lanes>(&self, point: &[V; 3]) -> V {
        V::splat(self.fixed) + V::splat(self.by_distance) * (point[0].abs() + point[1].abs() + point[2].abs())
    }

    /// Returns a bit mask of those lanes of `lanes` in which a contact with the given depth at `point` is uncertain.
    #[inline(always)]
    pub(in crate::native) fn uncertain_lanes<V: Float64Lanes>(&self, lanes: V::Mask, depth: V, point: &[V; 3]) -> u32 {
        if self.fixed == 0.0 { 0 } else { V::bits(V::mask_and(lanes, depth.lt(self.depth(point)))) }
    }
}

/// Constants of the contacts of two geoms.
#[derive(Debug, Clone)]
pub(in crate::native) struct ContactParams {
    /// Distance of the geoms up to which contacts are found.
    pub(in crate::native) margin: f64,
    /// Distance up to which contacts have rows (`mjContact.includemargin`, of `mj_setContact`).
    pub(in crate::native) includemargin: f64,
    /// Slack of the broad and mid phase, and that of the mid phase alone.
    pub(in crate::native) slack: [FilterSlack; 2],
    pub(in crate::native) friction: ContactFriction,
    /// `efc_diagApprox` of the contact's first row, from `body_invweight0` of both bodies.
    pub(in crate::native) diag_approx: f64,
    pub(in crate::native) sol: SolParams,
    /// Degrees of freedom that move only the first geom, and only the second, in descending order (`mj_mergeChain`,
    /// `mj_mergeChainSimple`).
    pub(in crate::native) chains: [Vec<usize>; 2],
    /// Bit mask of the kinematic trees of the geoms.
    pub(in crate::native) trees: u64,
    /// Root bodies of the geoms' kinematic trees; their `subtree_com` are the reference points of `cdof`.
    pub(in crate::native) roots: [usize; 2],
}

impl ContactParams {
    /// Returns a bit mask of those lanes of `lanes` in which a contact with the given depth at `point` is uncertain. In the lanes of
    /// the bit mask `overlapping`, the broad phase keeps the bodies.
    #[inline(always)]
    pub(in crate::native) fn uncertain_lanes<V: Float64Lanes>(
        &self,
        overlapping: u32,
        lanes: V::Mask,
        depth: V,
        point: &[V; 3],
    ) -> u32 {
        let [all, mid] = self.slack.map(|slack| slack.uncertain_lanes(lanes, depth, point));
        all & !overlapping | mid
    }
}

/// Constants of a pair of geoms whose contacts MuJoCo's collision function finds.
#[derive(Debug, Clone)]
pub(in crate::native) struct LibraryPair {
    /// Distance test that finds the lanes in which the collision function must be called.
    pub(in crate::native) guard: Guard,
    /// Bounding boxes of the geoms; a plane's box has no meaning.
    pub(in crate::native) boxes: [GeomBox; 2],
    /// Distance of the bounding boxes, in metres, above which the geoms cannot touch.
    ///
    /// For a plane and a cylinder it includes the radius: if the cylinder is upright except for rounding, `mjc_PlaneCylinder`
    /// normalizes the rounding error, which may lower the contact by the radius.
    pub(in crate::native) reach: f64,
    /// Indices of the geoms in the model, the geom with the smaller type (`mjtGeom`) first.
    pub(in crate::native) ids: [usize; 2],
    /// Whether the geoms' shapes can differ between lanes.
    pub(in crate::native) shaped: [bool; 2],
    pub(in crate::native) contact: ContactParams,
    /// Radius of a sphere and half lengths of a box's sides, if the geoms are these: a native collider finds their contacts.
    pub(in crate::native) sphere_box: Option<(f64, [f64; 3])>,
    /// Convex hulls of the geoms, if both are meshes or boxes and at least one is a mesh.
    pub(in crate::native) hulls: Option<[Arc<Hull>; 2]>,
    /// Height field and the extent of the second geom, if the first geom is a height field.
    pub(in crate::native) field: Option<(Arc<HeightField>, Solid)>,
}

impl LibraryPair {
    /// Returns whether the collision function reads sizes (`geom_size`) that can differ between lanes: not those of height fields.
    pub(in crate::native) fn reads_own_sizes(&self) -> bool {
        self.shaped[1] || (self.shaped[0] && self.field.is_none())
    }
}

/// Constants of contacts between a geom and a horizontal plane.
#[derive(Debug, Clone)]
pub(in crate::native) struct PlanePair {
    /// Height of the plane, in metres.
    pub(in crate::native) height: f64,
    /// Height of the geom's centre above the plane, in metres, above which the geom cannot touch the plane.
    pub(in crate::native) near: f64,
    pub(in crate::native) radius: f64,
    /// Half length of a capsule's segment; `None` for other geoms.
    pub(in crate::native) half: Option<f64>,
    pub(in crate::native) contact: ContactParams,
}

/// Constants of contacts between two geoms, each of which is a sphere or a capsule.
#[derive(Debug, Clone)]
pub(in crate::native) struct RoundPair {
    /// Squared distance between the geoms' centres, in m², above which the geoms cannot touch.
    pub(in crate::native) near: f64,
    pub(in crate::native) radii: [f64; 2],
    /// Half lengths of the capsules' segments; `None` for a sphere. In a pair with a capsule, the sphere comes first.
    pub(in crate::native) halves: [Option<f64>; 2],
    pub(in crate::native) contact: ContactParams,
}

impl GeomPair {
    /// Returns the maximum number of rows of the pair's contacts (`mj_maxContact`); a collision function may find more contacts.
    pub(in crate::native) fn max_rows(&self, is_elliptic: bool) -> usize {
        let contacts = match &self.collider {
            Collider::Ground(ground) => 1 + usize::from(ground.half.is_some()),
            // Two capsules have two contacts if they are parallel.
            Collider::Round(round) => 1 + usize::from(round.halves[0].is_some()),
            Collider::Solid(_, solid) => solid.max_contacts(),
            Collider::Library(_) => MAX_PAIR_CONTACTS,
            Collider::Guard(_) => 0,
        };
        contacts * self.friction().rows(is_elliptic)
    }

    /// Returns whether contacts within the margin can be in a gap, in which they have no rows.
    pub(in crate::native) fn has_gap(&self) -> bool {
        self.contact().is_some_and(|contact| contact.includemargin != contact.margin)
    }

    /// Returns whether planes that separate the geoms' hulls are searched.
    pub(in crate::native) fn has_hulls(&self) -> bool {
        matches!(&self.collider, Collider::Library(library) if library.hulls.is_some())
    }

    /// Returns whether MuJoCo's broad or mid phase may drop the geoms although they touch.
    pub(in crate::native) fn has_slack(&self) -> bool {
        self.contact().is_some_and(|contact| contact.slack[0].fixed > 0.0)
    }

    /// Returns the constants of the pair's contacts; `None` if only MuJoCo finds them.
    fn contact(&self) -> Option<&ContactParams> {
        match &self.collider {
            Collider::Ground(ground) | Collider::Solid(ground, _) => Some(&ground.contact),
            Collider::Round(round) => Some(&round.contact),
            Collider::Library(library) => Some(&library.contact),
            Collider::Guard(_) => None,
        }
    }

    pub(in crate::native) fn friction(&self) -> ContactFriction {
        let none = ContactFriction { condim: 1, coefficients: [0.0; 5] };
        self.contact().map_or(none, |contact| contact.friction)
    }

    /// Returns `efc_diagApprox` of the first row of the pair's contacts.
    pub(in crate::native) fn diag_approx(&self) -> f64 {
        self.contact().map_or(0.0, |contact| contact.diag_approx)
    }

    /// Returns the degrees of freedom with non-zero entries in the contacts' rows, in ascending order.
    pub(in crate::native) fn colind(&self) -> Vec<usize> {
        let mut colind = self.contact().map_or_else(Vec::new, |contact| contact.chains.concat());
        colind.sort_unstable();
        colind
    }

    /// Returns a bit mask of the kinematic trees that the constraint rows of the pair's contacts connect.
    pub(in crate::native) fn trees(&self) -> u64 {
        self.contact().map_or(0, |contact| contact.trees)
    }
}
