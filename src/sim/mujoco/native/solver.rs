//! Constraint solvers: `mj_solNewton`, `mj_solPGS` and constraint islands (`mj_island`).

pub(super) mod cones;
pub(super) mod constraint_update;
pub(super) mod hessian;
pub(super) mod island;
pub(super) mod line_search;
pub(super) mod newton;
pub(super) mod pgs;
mod pgs_shuffled;

use crate::native::model::NativeModel;
use envpool_rs_numeric::simd::Float64Lanes;

/// Returns the scale of changes of the cost: `1 / (meaninertia * nv)`, or `1 / trace(M)` since MuJoCo 3.17.
#[inline(always)]
pub(super) fn cost_scale<V: Float64Lanes>(model: &NativeModel, qm: &[V], trees: u64) -> V {
    if !model.has_islands && !model.dialect.scale_by_trace {
        return V::splat(1.0 / (model.meaninertia * model.dofs.len() as f64));
    }
    let mut sum = V::splat(0.0);
    for dof in &model.dofs {
        if !model.has_islands || trees >> dof.tree & 1 != 0 {
            sum = sum + qm[dof.m_diagadr()];
        }
    }
    V::splat(1.0) / sum
}
