//! Event counters of the Newton solver.

/// Event counters of the Newton solver, which tests read.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::native) struct SolverStats {
    /// Number of updates of the factored Hessian (`mju_cholUpdate`), and the number of these updates after which the factor
    /// no longer had full rank.
    pub(in crate::native) updates: [u64; 2],
    /// Number of line searches that needed more than their first step.
    pub(in crate::native) searches: u64,
    /// Number of constraint rows in each zone when the solver ended: elliptic cones in the top, middle and bottom zone; friction
    /// loss at its lower bound, at its upper bound and in between.
    pub(in crate::native) zones: [u64; 6],
    /// Number of constraint islands that were solved in a single lane, without SIMD.
    pub(in crate::native) single_lanes: u64,
    /// Number of lanes in which all contacts of MuJoCo were searched, because contacts of two geoms were uncertain.
    pub(in crate::native) searched_lanes: u64,
}

impl SolverStats {
    /// Adds the counts of `other`.
    pub(in crate::native) fn add(&mut self, other: &Self) {
        self.updates.iter_mut().zip(other.updates).for_each(|(sum, count)| *sum += count);
        self.searches += other.searches;
        self.zones.iter_mut().zip(other.zones).for_each(|(sum, count)| *sum += count);
        self.single_lanes += other.single_lanes;
        self.searched_lanes += other.searched_lanes;
    }
}
