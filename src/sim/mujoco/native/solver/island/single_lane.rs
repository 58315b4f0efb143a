//! Copies the solver's inputs and results of an island that only one lane has, to and from memory of scalar numbers.
//!
//! A SIMD solver would also compute numbers of all other lanes, which are not used.

use crate::native::constraint::Constraints;
use crate::native::model::{Island, MAX_NV};
use crate::native::smooth::NativeData;
use crate::native::solver::island::{GatherTarget, IslandScratch, gather};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel that copies the solver's inputs for an island of one lane, whose starting point [`crate::native::solver::island::Warmstart`] has chosen.
pub(in crate::native) struct GatherLane<'a, V: Float64Lanes> {
    pub(in crate::native) island: &'a Island,
    pub(in crate::native) lane: usize,
    pub(in crate::native) data: &'a NativeData<V>,
    pub(in crate::native) rows: &'a Constraints<V>,
    pub(in crate::native) scratch: &'a IslandScratch<V>,
    pub(in crate::native) single: &'a mut IslandScratch<f64>,
}

impl<V: Float64Lanes> SimdKernel for GatherLane<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { island, lane, data, rows, scratch, single } = self;
        let IslandScratch { data: to_motion, rows: to_rows, start, gathered_rows, .. } = single;
        let to = GatherTarget { data: to_motion, rows: to_rows, start, gathered_rows };
        gather((island, 1 << lane), (data, rows, &scratch.start_all), to, lane, |value: V| value.get(lane));
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
