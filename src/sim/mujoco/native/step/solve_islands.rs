//! Solves the constraints of each island of a batch separately.

use crate::native::model::{MAX_NV, NativeModel};
use crate::native::solver::island::{
    IslandScratch, IslandSets, gather_island, gather_lane, scatter_island, scatter_lane, warmstart,
};
use crate::native::solver::newton::{Newton, SolverStats};
use crate::native::step::Batch;
use envpool_rs_numeric::simd::{Float64Lanes, Lanes};

/// Divisor of the number of SIMD lanes that gives the largest number of lanes of an island that is solved lane by lane.
const SINGLE_LANES: usize = 4;

/// Solves the constraints of an island whose inputs were gathered into `scratch`. Returns a bit mask of the lanes that MuJoCo must
/// step instead of the native stepper.
fn solve_island<V: Float64Lanes>(scratch: &mut IslandScratch<V>, model: &NativeModel, stats: &mut SolverStats) -> u32 {
    let IslandScratch { data, rows, start: qacc_warmstart, qacc, qfrc_constraint, .. } = scratch;
    let skips_warmstart = true;
    solve_newton!(V, model, { model, data, rows, qacc_warmstart, skips_warmstart, qacc, qfrc_constraint, stats })
}

impl<V: Float64Lanes> Batch<V> {
    /// Solves the constraints of each island separately. Returns a bit mask of the lanes that MuJoCo must step instead of the
    /// native stepper.
    pub(super) fn solve_islands(&mut self, model: &NativeModel, island_sets: &IslandSets) -> u32 {
        let Self { data, rows, qacc_warmstart, qacc, qfrc_constraint, stats, islands, island_scratch, lane_scratch, .. } = self;
        let scratch = island_scratch.get_or_insert_with(|| Box::new(IslandScratch::new(model)));
        let dofs = model.dofs.len();
        qacc[..dofs].copy_from_slice(&data.qacc_smooth[..dofs]);
        qfrc_constraint[..dofs].fill(V::splat(0.0));
        let start_all = &mut [V::splat(0.0); MAX_NV];
        warmstart(model, data, rows, qacc_warmstart, start_all);
        let mut fallback = 0;
        for &(trees, lanes) in island_sets.sets() {
            let island = islands.get(model, trees);
            if const { V::COUNT > 1 } && lanes.count_ones() as usize <= V::COUNT / SINGLE_LANES {
                let single = lane_scratch.get_or_insert_with(|| Box::new(IslandScratch::new(model)));
                stats.single_lanes += u64::from(lanes.count_ones());
                for lane in (0..V::COUNT).filter(|lane| lanes >> lane & 1 != 0) {
                    gather_lane(island, lane, data, rows, start_all, single);
                    fallback |= solve_island(single, &island.model, stats) << lane;
                    scatter_lane(island, lane, single, rows, qacc, qfrc_constraint);
                }
                continue;
            }
            gather_island(island, lanes, data, rows, start_all, scratch);
            fallback |= solve_island(scratch, &island.model, stats);
            scatter_island(island, lanes, scratch, rows, qacc, qfrc_constraint);
        }
        fallback
    }
}
