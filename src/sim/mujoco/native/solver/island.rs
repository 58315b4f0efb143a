//! Constraint islands (`mj_island`, `nisland`): kinematic trees that constraints connect (`tree_island`).
//!
//! Newton's method solves each island separately, with the island's own degrees of freedom, rows and cost scale. All islands
//! start from the same choice of accelerations (`qacc_warmstart` or `qacc_smooth`). Lanes can have different islands. An island
//! is solved in all lanes that have it at the same time, or lane by lane if only few lanes have it.

use crate::native::constraint::Constraints;
use crate::native::data::NativeData;
use crate::native::dialect::Solver;
use crate::native::inertia::mul_m;
use crate::native::mju::dot;
use crate::native::model::{Dof, Equality, FullInertia, GeomPair, Island, MAX_NV, NativeModel, Tendon, Unsupported};
use crate::native::outlined::outlined;
use envpool_rs_numeric::simd::Float64Lanes;

/// Returns whether the solver must look for islands: not if each constraint concerns all kinematic trees, so that the solver
/// always treats them together.
pub(in crate::native) fn can_have_islands(model: &NativeModel) -> Result<bool, Unsupported> {
    // Kinematic trees of each constraint, as `treeIterInit` determines them.
    let joint_limits = model.joints.iter().filter(|joint| joint.limit.is_some()).map(|joint| 1 << model.dofs[joint.dofadr].tree);
    let frictions = model.frictions.iter().map(|friction| 1 << model.dofs[friction.dof].tree);
    let spatial_limits =
        model.limited_tendons().chain(model.friction_tendons()).map(Tendon::tree_mask).filter(|trees| *trees != 0);
    let contacts = model.pairs.iter().map(GeomPair::trees).filter(|trees| *trees != 0);
    let equal = model.equalities.iter().map(Equality::trees);
    let mut sets = joint_limits.chain(frictions).chain(equal).chain(spatial_limits).chain(contacts);
    let all_trees = model.dofs.iter().fold(0, |trees, dof| trees | 1 << dof.tree);
    if !model.has_islands || sets.all(|trees| trees == all_trees) {
        return Ok(false);
    }
    if model.solver != Solver::Newton {
        return Err("several trees of bodies with constraints".into());
    }
    Ok(true)
}

/// Islands that have occurred so far.
#[derive(Default)]
pub(in crate::native) struct Islands(Vec<Island>);

/// Number of islands after which all are forgotten, so that their memory is bounded.
const MAX_ISLANDS: usize = 128;

impl Islands {
    /// Returns the island of the kinematic trees in the bit mask `trees`.
    pub(in crate::native) fn get(&mut self, model: &NativeModel, trees: u64) -> &Island {
        let found = self.0.iter().position(|island| island.trees == trees).unwrap_or_else(|| {
            if self.0.len() == MAX_ISLANDS {
                self.0.clear();
            }
            self.0.push(island(model, trees));
            self.0.len() - 1
        });
        &self.0[found]
    }
}

/// Creates the island of the kinematic trees in the bit mask `trees`.
fn island(model: &NativeModel, trees: u64) -> Island {
    let dofs: Vec<_> = (0..model.dofs.len()).filter(|dof| trees >> model.dofs[*dof].tree & 1 != 0).collect();
    let local = |dof: usize| dofs.iter().position(|own| *own == dof);
    let mut own = NativeModel {
        m_colind: Vec::new(),
        dofs: Vec::new(),
        pairs: Vec::new(),
        geoms: Vec::new(),
        tendons: Vec::new(),
        tendon_sites: Vec::new(),
        wrap_geoms: Vec::new(),
        ..model.clone()
    };
    let mut masses = Vec::new();
    for &dof in &dofs {
        let row = masses.len();
        let Dof { m_rowadr: start, m_rownnz: len, parent, .. } = model.dofs[dof];
        masses.extend(start..start + len);
        own.m_colind.extend(model.m_colind_of(dof).iter().filter_map(|column| local(*column)));
        own.dofs.push(Dof { m_rowadr: row, parent: parent.and_then(local), ..model.dofs[dof].clone() });
    }
    own.full_m = FullInertia::new(&own.dofs, &own.m_colind);
    for colind in &mut own.efc_colind {
        *colind = colind.iter().filter_map(|dof| local(*dof)).collect();
    }
    let map_dof2idof = (0..model.dofs.len()).map(|dof| local(dof).map_or(0, |local| local as u8 + 1)).collect();
    Island { trees, dofs, map_dof2idof, masses, model: own }
}

/// Islands of a batch. Each island is stored as two bit masks: its kinematic trees, and the lanes in which it occurs.
#[derive(Default)]
pub(in crate::native) struct IslandSets(Vec<(u64, u32)>);

impl IslandSets {
    /// Returns the islands that the current constraint rows form, in all lanes (`unionConstraintTrees`).
    pub(in crate::native) fn of<V: Float64Lanes>(rows: &Constraints<V>) -> Self {
        let mut edges = Self::default();
        for (trees, lanes) in &rows.tree_edges[..rows.nefc] {
            edges.add(*trees, *lanes);
        }
        edges.islands()
    }

    /// Merges sets of trees that overlap, separately in each lane, as `mj_floodFill` (`mj_dsuMerge`) does. A set is a bit
    /// mask, and needs no root tree (`mj_dsuRoot`).
    fn islands(&self) -> Self {
        let mut bound = Self::default();
        let mut islands = Vec::with_capacity(self.0.len());
        for lane in 0..8 {
            islands.clear();
            for (trees, _) in self.0.iter().filter(|(_, lanes)| lanes >> lane & 1 != 0) {
                // Islands that share a tree with the set `trees` are merged with it.
                let mut whole = *trees;
                islands.retain(|island| {
                    let is_apart = island & trees == 0;
                    whole |= if is_apart { 0 } else { *island };
                    is_apart
                });
                islands.push(whole);
            }
            // Islands have masks instead of numbers (`mj_dsuAssign`).
            for island in &islands {
                bound.add(*island, 1 << lane);
            }
        }
        bound
    }

    pub(in crate::native) fn sets(&self) -> &[(u64, u32)] {
        &self.0
    }

    fn add(&mut self, trees: u64, lanes: u32) {
        match self.0.iter_mut().find(|(own, _)| *own == trees) {
            Some((_, own)) => *own |= lanes,
            None => self.0.push((trees, lanes)),
        }
    }
}

/// Scratch memory in which the solver solves one island in the lanes that have it.
pub(in crate::native) struct IslandScratch<V: Float64Lanes> {
    /// Inertia matrix of the island, and its smooth forces and accelerations (`ifrc_smooth`, `iacc_smooth`).
    pub(in crate::native) data: Box<NativeData<V>>,
    pub(in crate::native) rows: Constraints<V>,
    /// Initial accelerations of the solver, for the degrees of freedom of this island (`iacc`).
    pub(in crate::native) start: [V; MAX_NV],
    pub(in crate::native) qacc: [V; MAX_NV],
    /// Constraint forces along the island's degrees of freedom (`ifrc_constraint`).
    pub(in crate::native) qfrc_constraint: [V; MAX_NV],
    /// Indices of the model's constraint rows that belong to the island (`map_iefc2efc`, the inverse of `map_efc2iefc`).
    gathered_rows: Vec<usize>,
}

impl<V: Float64Lanes> IslandScratch<V> {
    pub(in crate::native) fn new(model: &NativeModel) -> Self {
        let none = [V::splat(0.0); MAX_NV];
        let rows = Constraints::new(model);
        Self { data: NativeData::new(model), rows, start: none, qacc: none, qfrc_constraint: none, gathered_rows: Vec::new() }
    }
}

/// Returns the cost of the constraints at the given accelerations.
#[inline(always)]
fn cost<V: Float64Lanes>(rows: &mut Constraints<V>, qacc: &[V; MAX_NV], model: &NativeModel) -> V {
    let dofs = model.dofs.len();
    for row in 0..rows.nefc {
        let jacobian = &rows.efc_j[row * dofs..][..dofs];
        let product = match rows.single_dof[row] {
            0 => dot(jacobian, qacc, dofs),
            dof => jacobian[dof as usize - 1] * qacc[dof as usize - 1],
        };
        rows.jaref[row] = product - rows.efc_aref[row];
    }
    rows.cost(&model.dialect)
}

outlined!(
    /// Chooses the solver's initial accelerations for all degrees of freedom, as `mj_fwdConstraint` (`warmstart`) does: `qacc_warmstart`
    /// or `qacc_smooth`, whichever has the lower cost.
    pub(in crate::native) fn warmstart<V: Float64Lanes>(
        model: &NativeModel,
        data: &NativeData<V>,
        rows: &mut Constraints<V>,
        qacc_warmstart: &[V; MAX_NV],
        start_all: &mut [V; MAX_NV],
    ) {
        let NativeData { qm, qfrc_smooth, qacc_smooth, .. } = data;
        let (by_mass, dofs) = (model.dialect.warmstart_by_mass, model.dofs.len());
        let mut begin = *qacc_warmstart;
        if by_mass {
            for (scratch, qacc_smooth) in begin.iter_mut().zip(qacc_smooth).take(dofs) {
                *scratch = *scratch - *qacc_smooth;
            }
        }
        let mut ma = [V::splat(0.0); MAX_NV];
        mul_m(model, qm, &begin, &mut ma);
        let mut warm_cost = cost(rows, qacc_warmstart, model);
        if by_mass {
            warm_cost = warm_cost + V::splat(0.5) * dot(&begin, &ma, dofs);
        } else {
            for i in 0..dofs {
                warm_cost = warm_cost + V::splat(0.5) * (ma[i] - qfrc_smooth[i]) * (qacc_warmstart[i] - qacc_smooth[i]);
            }
        }
        let is_smooth = warm_cost.gt(cost(rows, qacc_smooth, model));
        for i in 0..dofs {
            start_all[i] = V::select(is_smooth, qacc_smooth[i], qacc_warmstart[i]);
        }
    }
);

outlined!(
    /// Copies the solver's inputs for one island (`iefc_aref`, `iefc_D`) from the arrays of the whole model. [`warmstart`] has chosen
    /// the starting point.
    pub(in crate::native) fn gather_island<V: Float64Lanes>(
        island: &Island,
        lanes: u32,
        data: &NativeData<V>,
        rows: &Constraints<V>,
        start_all: &[V; MAX_NV],
        to: &mut IslandScratch<V>,
    ) {
        gather((island, lanes), (data, rows, start_all), to, 0, |value| *value);
    }
);

outlined!(
    /// Copies the solver's inputs for an island of one lane.
    pub(in crate::native) fn gather_lane<V: Float64Lanes>(
        island: &Island,
        lane: usize,
        data: &NativeData<V>,
        rows: &Constraints<V>,
        start_all: &[V; MAX_NV],
        to: &mut IslandScratch<f64>,
    ) {
        let pick = |value: &V| V::numbers(std::slice::from_ref(value))[lane];
        gather((island, 1 << lane), (data, rows, start_all), to, lane, pick);
    }
);

/// Copies the solver's inputs for an island, with the rows that exist in any lane of the bit mask `lanes`. `pick` converts
/// numbers, and lane `first` becomes the target's first lane.
#[inline(always)]
fn gather<V: Float64Lanes, W: Float64Lanes>(
    (island, lanes): (&Island, u32),
    (data, rows, start_all): (&NativeData<V>, &Constraints<V>, &[V; MAX_NV]),
    to: &mut IslandScratch<W>,
    first: usize,
    pick: impl Fn(&V) -> W + Copy,
) {
    for (to_mass, from) in island.masses.iter().enumerate() {
        to.data.qm[to_mass] = pick(&data.qm[*from]);
        to.data.qld[to_mass] = pick(&data.qld[*from]);
    }
    for (to_dof, from) in island.dofs.iter().enumerate() {
        to.data.qld_diag_inv[to_dof] = pick(&data.qld_diag_inv[*from]);
        to.data.qfrc_smooth[to_dof] = pick(&data.qfrc_smooth[*from]);
        to.data.qacc_smooth[to_dof] = pick(&data.qacc_smooth[*from]);
        to.start[to_dof] = pick(&start_all[*from]);
    }
    to.gathered_rows.clear();
    let (own, dofs, whole) = (&mut to.rows, island.dofs.len(), island.map_dof2idof.len());
    (own.nefc, own.ne, own.lanes, own.trees) = (0, 0, lanes >> first, island.trees);
    own.friction_rows.clear();
    own.cones.clear();
    let mut cones = rows.cones.iter().peekable();
    for row in 0..rows.nefc {
        // Cones are in the order of their rows.
        let cone = cones.next_if(|cone| cone.row == row);
        let (trees, row_lanes) = rows.tree_edges[row];
        // Other islands' rows (`efc_island`) are left out.
        if row_lanes & lanes == 0 || trees & island.trees == 0 {
            continue;
        }
        let to_row = own.nefc;
        for (to, from) in own.efc_j[to_row * dofs..][..dofs].iter_mut().zip(&island.dofs) {
            *to = pick(&rows.efc_j[row * whole + from]);
        }
        own.single_dof[to_row] = match rows.single_dof[row] {
            0 => 0,
            dof => island.map_dof2idof[dof as usize - 1],
        };
        // In place of `iefc_id`.
        own.colind[to_row] = rows.colind[row];
        // Rows that were added together are in the same island.
        own.alike[to_row] = rows.alike[row];
        // The lists of friction rows and cones replace `iefc_type`.
        if let Some(friction) = row.checked_sub(rows.ne).and_then(|at| rows.friction_rows.get(at)) {
            own.friction_rows.push(friction.map(pick));
        }
        if let Some(cone) = cone {
            own.cones.push(cone.gathered(to_row, pick));
        }
        own.efc_d[to_row] = pick(&rows.efc_d[row]);
        own.tree_edges[to_row] = (trees, (row_lanes & lanes) >> first);
        own.efc_aref[to_row] = pick(&rows.efc_aref[row]);
        own.nefc += 1;
        own.ne += usize::from(row < rows.ne);
        to.gathered_rows.push(row);
    }
}

outlined!(
    /// Copies the solver's solution for one island (`iefc_force`) back to the arrays of the whole model (`mju_scatter`).
    pub(in crate::native) fn scatter_island<V: Float64Lanes>(
        island: &Island,
        lanes: u32,
        from: &IslandScratch<V>,
        rows: &mut Constraints<V>,
        qacc: &mut [V; MAX_NV],
        qfrc_constraint: &mut [V; MAX_NV],
    ) {
        scatter((island, lanes), (from, 0), (rows, qacc, qfrc_constraint), |value| value);
    }
);

outlined!(
    /// Copies the solver's solution for an island of one lane back to the arrays of the whole model.
    pub(in crate::native) fn scatter_lane<V: Float64Lanes>(
        island: &Island,
        lane: usize,
        from: &IslandScratch<f64>,
        rows: &mut Constraints<V>,
        qacc: &mut [V; MAX_NV],
        qfrc_constraint: &mut [V; MAX_NV],
    ) {
        scatter((island, 1 << lane), (from, lane), (rows, qacc, qfrc_constraint), V::splat);
    }
);

/// Copies the solver's solution for an island back, in the lanes of the bit mask `lanes`. `spread` converts numbers, and the first lane
/// of `from` becomes lane `first`.
#[inline(always)]
fn scatter<V: Float64Lanes, W: Float64Lanes>(
    (island, lanes): (&Island, u32),
    (from, first): (&IslandScratch<W>, usize),
    (rows, qacc, qfrc_constraint): (&mut Constraints<V>, &mut [V; MAX_NV], &mut [V; MAX_NV]),
    spread: impl Fn(W) -> V,
) {
    let mask = V::mask(lanes);
    let put = |to: &mut V, value: W| *to = V::select(mask, spread(value), *to);
    for (dof, to) in island.dofs.iter().enumerate() {
        put(&mut qacc[*to], from.qacc[dof]);
        put(&mut qfrc_constraint[*to], from.qfrc_constraint[dof]);
    }
    for (row, to) in from.gathered_rows.iter().enumerate() {
        put(&mut rows.jaref[*to], from.rows.jaref[row]);
        put(&mut rows.efc_force[*to], from.rows.force(row));
        let (active, own) = (W::bits(from.rows.quadratic[row]) << first, V::bits(rows.quadratic[*to]));
        rows.quadratic[*to] = V::mask(own & !lanes | active & lanes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_trees_form_one_island_per_lane() {
        let mut edges = IslandSets::default();
        for (trees, lanes) in [(0b0001, 0b111), (0b0010, 0b011), (0b1100, 0b110), (0b0110, 0b100), (0b0001, 0b1000)] {
            edges.add(trees, lanes);
        }
        let islands = edges.islands();
        let mut sets = islands.sets().to_vec();
        sets.sort_unstable();
        assert_eq!(sets, [(0b0001, 0b1111), (0b0010, 0b011), (0b1100, 0b010), (0b1110, 0b100)]);
    }

    #[test]
    fn one_constraint_can_join_two_islands() {
        let mut edges = IslandSets::default();
        for trees in [0b0011, 0b1100, 0b0110] {
            edges.add(trees, 1);
        }
        assert_eq!(edges.islands().sets(), [(0b1111, 1)]);
    }
}
