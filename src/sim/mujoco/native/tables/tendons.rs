//! Fixed and spatial tendons, and their length limits.

use super::{Site, SolParams};

/// Fixed or spatial tendon of the model.
#[derive(Debug, Clone)]
pub(in crate::native) enum Tendon {
    Fixed(FixedTendon),
    Spatial(Box<SpatialTendon>),
}

/// Fixed tendon: a linear combination of joint positions, with an optional spring and an optional limit.
#[derive(Debug, Clone)]
pub(in crate::native) struct FixedTendon {
    /// Terms of the linear combination. For each joint: the index of its position in `qpos`, its degree of freedom, and its
    /// coefficient (`wrap_prm`).
    pub(in crate::native) parts: Vec<(usize, usize, f64)>,
    pub(in crate::native) spring: Option<Spring>,
    pub(in crate::native) limit: Option<TendonLimit>,
    /// Bit mask of the kinematic trees of the joints.
    pub(in crate::native) trees: u64,
}

impl FixedTendon {
    /// Returns the degrees of freedom with non-zero entries in the constraint row of the tendon's limit, in ascending order.
    pub(in crate::native) fn colind(&self) -> Vec<usize> {
        let mut columns: Vec<_> = self.parts.iter().map(|(_, dof, _)| *dof).collect();
        columns.sort_unstable();
        columns
    }
}

/// Tendon spring with an interval of rest lengths (`tendon_lengthspring`).
#[derive(Debug, Clone)]
pub(in crate::native) struct Spring {
    pub(in crate::native) stiffness: f64,
    pub(in crate::native) low: f64,
    pub(in crate::native) high: f64,
}

impl Tendon {
    /// Returns the tendon's limit.
    pub(in crate::native) fn limit_mut(&mut self) -> &mut Option<TendonLimit> {
        match self {
            Self::Spatial(tendon) => &mut tendon.limit,
            Self::Fixed(tendon) => &mut tendon.limit,
        }
    }
}

/// Spatial tendon between two sites.
#[derive(Debug, Clone)]
pub(in crate::native) struct SpatialTendon {
    /// Sites at the tendon's ends.
    pub(in crate::native) sites: [Site; 2],
    /// Root bodies of the kinematic trees of both ends; their `subtree_com` are the reference points of `cdof`.
    pub(in crate::native) roots: [usize; 2],
    /// Degrees of freedom that move only the first end, and degrees of freedom that move only the second.
    pub(in crate::native) chains: [Vec<usize>; 2],
    /// Bit mask of the kinematic trees to which the tendon's movable ends belong.
    pub(in crate::native) trees: u64,
    pub(in crate::native) limit: Option<TendonLimit>,
}

impl SpatialTendon {
    /// Returns the degrees of freedom with non-zero entries in the constraint row of the tendon's limit, in ascending order.
    pub(in crate::native) fn colind(&self) -> Vec<usize> {
        let mut support = self.chains.concat();
        support.sort_unstable();
        support
    }

    /// Returns a bit mask of the kinematic trees that the constraint row of the tendon's limit connects.
    pub(in crate::native) fn trees(&self) -> u64 {
        self.trees
    }
}

/// Length limit of a tendon: `tendon_range` and `tendon_margin`.
#[derive(Debug, Clone)]
pub(in crate::native) struct TendonLimit {
    pub(in crate::native) low: f64,
    pub(in crate::native) high: f64,
    pub(in crate::native) margin: f64,
    /// Approximate diagonal of `J * inv(M) * J'` for the limit's constraint row (`efc_diagApprox`), which equals
    /// `tendon_invweight0`.
    pub(in crate::native) diag_approx: f64,
    pub(in crate::native) sol: SolParams,
}
