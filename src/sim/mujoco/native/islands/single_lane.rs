//! Copies the solver's inputs and results of an island that only one lane has, to and from memory of scalar numbers.
//!
//! A SIMD solver would also compute numbers of all other lanes, which are not used.

use super::super::rows::Constraints;
use super::super::smooth::NativeData;
use super::super::tables::{Island, MAX_NV};
use super::{GatherTarget, IslandScratch, gather};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel that copies the solver's inputs for an island of one lane, whose starting point [`super::Warmstart`] has chosen.
pub(in crate::native) struct GatherLane<'a, V: Float64Lanes> {
    pub(in crate::native) island: &'a Island,
    pub(in crate::native) lane: usize,
    pub(in crate::native) motion: &'a NativeData<V>,
    pub(in crate::native) rows: &'a Constraints<V>,
    pub(in crate::native) part: &'a IslandScratch<V>,
    pub(in crate::native) single: &'a mut IslandScratch<f64>,
}

impl<V: Float64Lanes> SimdKernel for GatherLane<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { island, lane, motion, rows, part, single } = self;
        let IslandScratch { motion: to_motion, rows: to_rows, start, gathered_rows, .. } = single;
        let to = GatherTarget { motion: to_motion, rows: to_rows, start, gathered_rows };
        gather((island, 1 << lane), (motion, rows, &part.start_all), to, lane, |value: V| value.get(lane));
    }
}

/// SIMD kernel that copies the solver's results for an island of one lane back to the arrays of the whole model.
pub(in crate::native) struct ScatterLane<'a, V: Float64Lanes> {
    pub(in crate::native) island: &'a Island,
    pub(in crate::native) lane: usize,
    pub(in crate::native) rows: &'a mut Constraints<V>,
    pub(in crate::native) single: &'a IslandScratch<f64>,
    pub(in crate::native) qacc: &'a mut [V; MAX_NV],
    pub(in crate::native) qfrc_constraint: &'a mut [V; MAX_NV],
}

impl<V: Float64Lanes> SimdKernel for ScatterLane<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { island, lane, rows, single, qacc, qfrc_constraint } = self;
        for (from, to) in island.dofs.iter().enumerate() {
            qacc[*to].set(lane, single.qacc[from]);
            qfrc_constraint[*to].set(lane, single.qfrc_constraint[from]);
        }
        for (from, to) in single.gathered_rows.iter().enumerate() {
            rows.jaref[*to].set(lane, single.rows.jaref[from]);
            rows.efc_force[*to].set(lane, single.rows.force(from));
            let others = V::bits(rows.quadratic[*to]) & !(1 << lane);
            rows.quadratic[*to] = V::mask(others | u32::from(single.rows.quadratic[from]) << lane);
        }
    }
}
