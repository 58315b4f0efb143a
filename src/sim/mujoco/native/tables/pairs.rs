//! Pairs of geoms that may collide, with the constants of their contacts.

use super::SolParams;

/// Shape of a geom, other than a sphere or capsule, that has a native collider with planes.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) enum PlaneSolid {
    /// Ellipsoid, given by its semi-axes.
    Ellipsoid([f64; 3]),
    /// Cylinder, given by its radius and half height.
    Cylinder([f64; 2]),
}

impl PlaneSolid {
    /// Returns the maximum number of contact points between the geom and a plane.
    pub(in crate::native) fn places(self) -> usize {
        match self {
            Self::Ellipsoid(_) => 1,
            Self::Cylinder(_) => 4,
        }
    }
}

/// Pair of geoms that may collide, with their collider.
#[derive(Debug, Clone)]
pub(in crate::native) struct GeomPair {
    pub(in crate::native) geoms: [usize; 2],
    pub(in crate::native) bodies: [usize; 2],
    pub(in crate::native) collider: Collider,
}

/// Native collider of a pair of geoms, or a guard that detects steps which MuJoCo must take instead of the native stepper.
#[derive(Debug, Clone)]
pub(in crate::native) enum Collider {
    /// Collider of a horizontal plane with the second geom, a sphere or capsule.
    Ground(PlanePair),
    /// Collider of two geoms, each of which is a sphere or a capsule.
    Round(RoundPair),
    /// Collider of a horizontal plane with the second geom, an ellipsoid or cylinder.
    Solid(PlanePair, PlaneSolid),
    /// Guard (distance test) for a plane and a geom without a native collider: MuJoCo must take the step unless the second
    /// geom's centre is above this height, in metres.
    PlaneGuard(f64),
    /// Guard (distance test) for two geoms without a native collider: MuJoCo must take the step unless the geoms' distance is
    /// greater than `reach`.
    Guard {
        /// Bound on the squared distance of the geoms' centres: the exact distance of the geoms is computed only if the
        /// squared distance is at most this value.
        near: f64,
        /// Half lengths of the geoms' axis segments, if both geoms have an axis.
        halves: Option<[f64; 2]>,
        /// Semi-axes of the second geom, if it is an ellipsoid, and the half length of the first geom's axis segment.
        ellipsoid: Option<([f64; 3], f64)>,
        reach: f64,
    },
}

/// Constants of contacts between a geom and a horizontal plane.
#[derive(Debug, Clone)]
pub(in crate::native) struct PlanePair {
    /// Height of the plane, in metres.
    pub(in crate::native) height: f64,
    /// Height of the geom's centre above the plane, in metres, above which the geom cannot touch the plane.
    pub(in crate::native) near: f64,
    pub(in crate::native) margin: f64,
    pub(in crate::native) radius: f64,
    /// Half length of a capsule's segment; `None` for other geoms.
    pub(in crate::native) half: Option<f64>,
    /// Friction coefficient of the contact; `None` if the contact is frictionless.
    pub(in crate::native) friction: Option<f64>,
    /// Approximate diagonal of `J * inv(M) * J'` for the contact (`efc_diagApprox`), from `body_invweight0` of both bodies.
    pub(in crate::native) diag_approx: f64,
    pub(in crate::native) sol: SolParams,
    /// Degrees of freedom that move the geom, in descending order of their indices.
    pub(in crate::native) chain: Vec<usize>,
    /// Index of the geom's kinematic tree.
    pub(in crate::native) tree: usize,
}

/// Constants of contacts between two geoms, each of which is a sphere or a capsule.
#[derive(Debug, Clone)]
pub(in crate::native) struct RoundPair {
    /// Squared distance between the geoms' centres, in m², above which the geoms cannot touch.
    pub(in crate::native) near: f64,
    pub(in crate::native) margin: f64,
    pub(in crate::native) radii: [f64; 2],
    /// Half lengths of the capsules' segments; `None` for a sphere. In a pair with a capsule, the sphere comes first.
    pub(in crate::native) halves: [Option<f64>; 2],
    /// Friction coefficient of the contact; `None` if the contact is frictionless.
    pub(in crate::native) friction: Option<f64>,
    /// Approximate diagonal of `J * inv(M) * J'` for the contact (`efc_diagApprox`), from `body_invweight0` of both bodies.
    pub(in crate::native) diag_approx: f64,
    pub(in crate::native) sol: SolParams,
    /// Degrees of freedom that move only the first geom, and degrees of freedom that move only the second.
    pub(in crate::native) chains: [Vec<usize>; 2],
    /// Indices of the geoms' kinematic trees.
    pub(in crate::native) trees: [usize; 2],
    /// Root bodies of the geoms' kinematic trees; their `subtree_com` are the reference points of `cdof`.
    pub(in crate::native) roots: [usize; 2],
}

impl GeomPair {
    /// Returns the maximum number of constraint rows of the pair's contacts.
    pub(in crate::native) fn max_rows(&self) -> usize {
        match &self.collider {
            Collider::Ground(ground) => {
                (if ground.half.is_some() { 2 } else { 1 }) * (if ground.friction.is_some() { 4 } else { 1 })
            }
            // Two capsules have two contacts if they are parallel.
            Collider::Round(round) => {
                (if round.halves[0].is_some() { 2 } else { 1 }) * (if round.friction.is_some() { 4 } else { 1 })
            }
            Collider::Solid(ground, solid) => solid.places() * (if ground.friction.is_some() { 4 } else { 1 }),
            _ => 0,
        }
    }

    /// Returns the friction coefficient of the pair's contacts; `None` if the contacts are frictionless.
    pub(in crate::native) fn friction(&self) -> Option<f64> {
        match &self.collider {
            Collider::Ground(ground) | Collider::Solid(ground, _) => ground.friction,
            Collider::Round(round) => round.friction,
            _ => None,
        }
    }

    /// Returns the degrees of freedom with non-zero entries in the contacts' rows, in ascending order.
    pub(in crate::native) fn colind(&self) -> Vec<usize> {
        let mut support = match &self.collider {
            Collider::Ground(ground) | Collider::Solid(ground, _) => ground.chain.clone(),
            Collider::Round(round) => round.chains.concat(),
            _ => Vec::new(),
        };
        support.sort_unstable();
        support
    }

    /// Returns a bit mask of the kinematic trees that the constraint rows of the pair's contacts connect.
    pub(in crate::native) fn trees(&self) -> u64 {
        match &self.collider {
            Collider::Ground(PlanePair { tree, .. }) | Collider::Solid(PlanePair { tree, .. }, _) => 1 << tree,
            Collider::Round(round) => round.trees.iter().fold(0, |trees, tree| trees | 1 << tree),
            _ => 0,
        }
    }
}
