//! Fixed and spatial tendons, with their springs, dampers, friction and limits.

use crate::native::model::{Frame, SolParams};
use envpool_rs_numeric::simd::Float64Lanes;

#[derive(Debug, Clone)]
pub(in crate::native) struct Tendon {
    pub(in crate::native) path: TendonPath,
    /// Offset in `ten_J` of the tendon's row (`ten_J_rowadr`).
    pub(in crate::native) rowadr: usize,
    /// Degrees of freedom of the entries in the tendon's row of `ten_J`, in ascending order (`ten_J_colind`).
    pub(in crate::native) colind: Vec<usize>,
    /// Kinematic trees that the tendon connects: the index of each tree, and the entries of the row that belong to it.
    pub(in crate::native) trees: Vec<(usize, Vec<usize>)>,
    /// Approximate diagonal of `J * inv(M) * J'` for the tendon's constraint rows (`efc_diagApprox`): `tendon_invweight0`.
    pub(in crate::native) invweight0: f64,
    pub(in crate::native) spring: Option<Spring>,
    /// Damping of the tendon's velocity (`tendon_damping`).
    pub(in crate::native) damping: f64,
    /// Inertia of changes of the tendon's length (`tendon_armature`).
    pub(in crate::native) armature: f64,
    pub(in crate::native) friction: Option<TendonFriction>,
    /// Range of the sum of the actuators' forces on the tendon (`tendon_actfrcrange`); `None` if it is not limited.
    pub(in crate::native) actfrcrange: Option<[f64; 2]>,
    pub(in crate::native) limit: Option<TendonLimit>,
}

#[derive(Debug, Clone)]
pub(in crate::native) enum TendonPath {
    /// Linear combination of joint positions: for each, its index in `qpos`, its degree of freedom, and `wrap_prm`.
    Fixed(Vec<(usize, usize, f64)>),
    /// Path through sites, and around geoms.
    Spatial(Vec<TendonPiece>),
}

/// Piece of a spatial tendon's path between two consecutive sites.
#[derive(Debug, Clone)]
pub(in crate::native) struct TendonPiece {
    pub(in crate::native) sites: [usize; 2],
    pub(in crate::native) bodies: [usize; 2],
    /// Divisor of the pulley before the piece; 1 without one.
    pub(in crate::native) divisor: f64,
    /// Straight line between the sites.
    pub(in crate::native) straight: TendonSpan,
    pub(in crate::native) wrap: Option<TendonWrap>,
}

/// Part of a spatial tendon's path around a geom.
#[derive(Debug, Clone)]
pub(in crate::native) struct TendonWrap {
    /// Index of the geom in [`NativeModel::wrap_geoms`](crate::native::model::NativeModel::wrap_geoms).
    pub(in crate::native) geom: usize,
    /// Site on whose side of the geom the tendon runs.
    pub(in crate::native) side: Option<usize>,
    /// Straight lines from the first site to the geom, and from the geom to the second site.
    pub(in crate::native) spans: [TendonSpan; 2],
}

/// Straight line between points of two bodies.
#[derive(Debug, Clone)]
pub(in crate::native) struct TendonSpan {
    /// Root bodies of the kinematic trees of both points; their `subtree_com` are the reference points of `cdof`.
    pub(in crate::native) roots: [usize; 2],
    /// Degrees of freedom that move the points: for each its entry in the tendon's row of `ten_J`, its index, and which of the points
    /// it moves. The list is empty if both points belong to one body.
    pub(in crate::native) columns: Vec<(usize, usize, [bool; 2])>,
}

#[derive(Debug, Clone)]
pub(in crate::native) struct WrapGeom {
    pub(in crate::native) id: usize,
    pub(in crate::native) body: usize,
    pub(in crate::native) frame: Frame,
    pub(in crate::native) radius: f64,
    /// Whether the geom is a sphere instead of an infinite cylinder.
    pub(in crate::native) is_sphere: bool,
}

/// Tendon spring with an interval of rest lengths (`tendon_lengthspring`).
#[derive(Debug, Clone)]
pub(in crate::native) struct Spring {
    pub(in crate::native) stiffness: f64,
    pub(in crate::native) low: f64,
    pub(in crate::native) high: f64,
}

impl Spring {
    #[inline(always)]
    pub(in crate::native) fn force<V: Float64Lanes>(&self, length: V) -> V {
        let (low, high) = (V::splat(self.low), V::splat(self.high));
        let beyond = V::select(length.gt(high), high - length, V::select(length.lt(low), low - length, V::splat(0.0)));
        V::splat(self.stiffness) * beyond
    }
}

impl Tendon {
    /// Returns a bit mask of the kinematic trees that the tendon connects.
    pub(in crate::native) fn tree_mask(&self) -> u64 {
        self.trees.iter().fold(0, |trees, (tree, _)| trees | 1 << tree)
    }

    /// Returns the pieces of a spatial tendon's path; for a fixed tendon none.
    pub(in crate::native) fn pieces(&self) -> &[TendonPiece] {
        match &self.path {
            TendonPath::Fixed(_) => &[],
            TendonPath::Spatial(pieces) => pieces,
        }
    }
}

/// Friction loss of a tendon: `tendon_frictionloss`, with `tendon_solref_fri` and `tendon_solimp_fri`.
#[derive(Debug, Clone)]
pub(in crate::native) struct TendonFriction {
    pub(in crate::native) frictionloss: f64,
    pub(in crate::native) sol: SolParams,
}

/// Length limit of a tendon: `tendon_range` and `tendon_margin`.
#[derive(Debug, Clone)]
pub(in crate::native) struct TendonLimit {
    pub(in crate::native) low: f64,
    pub(in crate::native) high: f64,
    pub(in crate::native) margin: f64,
    pub(in crate::native) sol: SolParams,
}
