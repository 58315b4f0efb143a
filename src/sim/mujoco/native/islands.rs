//! Constraint islands (`mj_island`): kinematic trees that constraints connect.
//!
//! Newton's method solves each island separately, with the island's own degrees of freedom, rows and cost scale. The choice of
//! the start (`qacc_warmstart` or `qacc_smooth`) is made once for all islands. Lanes can have different islands; lanes that share
//! an island are solved together.

use super::algebra::dot;
use super::dialect::Solver;
use super::rows::Rows;
use super::smooth::Motion;
use super::tables::{DOFS, Dof, Island, Pair, Refusal, Tables};
use envpool_rs_numeric::simd::{Float64Lanes, Work};

/// Lists all possible islands; empty if the solver always treats all movable trees together.
///
/// # Errors
/// The reason why the model falls back to MuJoCo.
pub(super) fn find_islands(tables: &Tables) -> Result<Vec<Island>, Refusal> {
    let limited = tables.joints.iter().filter(|joint| joint.limit.is_some()).map(|joint| 1 << tables.dofs[joint.dof].tree);
    let rubbed = tables.frictions.iter().map(|friction| 1 << tables.dofs[friction.dof].tree);
    let tied = tables.ropes().filter(|rope| rope.limit.is_some()).map(|rope| rope.trees());
    let touching = tables.pairs.iter().map(Pair::trees).filter(|trees| *trees != 0);
    let mut sets: Vec<u64> = limited.chain(rubbed).chain(tied).chain(touching).collect();
    sets.sort_unstable();
    sets.dedup();
    if !tables.has_islands || sets.len() < 2 {
        return Ok(Vec::new());
    }
    if tables.solver != Solver::Newton {
        return Err("several trees of bodies with constraints".into());
    }
    // Overlapping sets can form one island.
    let mut at = 0;
    while at < sets.len() {
        for other in 0..at {
            let both = sets[at] | sets[other];
            if sets[at] & sets[other] != 0 && !sets.contains(&both) {
                sets.push(both);
            }
        }
        at += 1;
        if at > MOST {
            return Err("many trees of bodies with constraints".into());
        }
    }
    Ok(sets.into_iter().map(|trees| island(tables, trees)).collect())
}

/// Largest number of possible islands.
const MOST: usize = 16;

/// Creates the island of a set of trees, given as bits.
fn island(tables: &Tables, trees: u64) -> Island {
    let dofs: Vec<_> = (0..tables.dofs.len()).filter(|dof| trees >> tables.dofs[*dof].tree & 1 != 0).collect();
    let local = |dof: usize| dofs.iter().position(|own| *own == dof);
    let mut own = Tables { islands: Vec::new(), columns: Vec::new(), dofs: Vec::new(), ..tables.clone() };
    let mut masses = Vec::new();
    for &dof in &dofs {
        let row = masses.len();
        let Dof { row: start, len, parent, .. } = tables.dofs[dof];
        masses.extend(start..start + len);
        own.columns.extend(tables.columns_of(dof).iter().filter_map(|column| local(*column)));
        own.dofs.push(Dof { row, parent: parent.and_then(local), ..tables.dofs[dof].clone() });
    }
    for support in &mut own.supports {
        *support = support.iter().filter_map(|dof| local(*dof)).collect();
    }
    let of_all = (0..tables.dofs.len()).map(|dof| local(dof).map_or(0, |local| local as u8 + 1)).collect();
    Island { trees, dofs, of_all, masses, tables: own }
}

/// Islands of a batch: their trees and their lanes, both as bits.
#[derive(Clone, Copy, Default)]
pub(super) struct Bound {
    sets: [(u64, u32); MOST],
    count: usize,
}

impl Bound {
    /// Finds the islands of the current rows.
    pub(super) fn of<V: Float64Lanes>(rows: &Rows<V>) -> Self {
        let mut ties = Self::default();
        for (trees, lanes) in &rows.bound[..rows.count] {
            ties.add(*trees, *lanes);
        }
        ties.islands()
    }

    /// Merges overlapping sets, lane by lane, as `mj_floodFill`.
    fn islands(&self) -> Self {
        let mut bound = Self::default();
        for lane in 0..8 {
            let (mut islands, mut count) = ([0; MOST], 0);
            for (trees, _) in self.sets().iter().filter(|(_, lanes)| lanes >> lane & 1 != 0) {
                // Islands that share a tree with this set merge.
                let (mut whole, mut kept) = (*trees, 0);
                for at in 0..count {
                    if islands[at] & trees != 0 {
                        whole |= islands[at];
                    } else {
                        islands[kept] = islands[at];
                        kept += 1;
                    }
                }
                islands[kept] = whole;
                count = kept + 1;
            }
            for island in &islands[..count] {
                bound.add(*island, 1 << lane);
            }
        }
        bound
    }

    pub(super) fn sets(&self) -> &[(u64, u32)] {
        &self.sets[..self.count]
    }

    fn add(&mut self, trees: u64, lanes: u32) {
        match self.sets[..self.count].iter_mut().find(|(own, _)| *own == trees) {
            Some((_, own)) => *own |= lanes,
            None => {
                self.sets[self.count] = (trees, lanes);
                self.count += 1;
            }
        }
    }
}

/// Scratch memory for the solution of one island in some lanes.
pub(super) struct Part<V: Float64Lanes> {
    pub(super) motion: Box<Motion<V>>,
    pub(super) rows: Rows<V>,
    /// Start accelerations of all islands.
    whole_begin: [V; DOFS],
    /// Start accelerations of this island.
    pub(super) begin: [V; DOFS],
    pub(super) accelerations: [V; DOFS],
    pub(super) forces: [V; DOFS],
    /// Indices of the gathered rows.
    copied: Vec<usize>,
}

impl<V: Float64Lanes> Part<V> {
    pub(super) fn new(tables: &Tables) -> Self {
        let none = [V::all(0.0); DOFS];
        let rows = Rows::new(tables);
        Self {
            motion: Motion::new(),
            rows,
            whole_begin: none,
            begin: none,
            accelerations: none,
            forces: none,
            copied: Vec::new(),
        }
    }
}

/// Choice of the solver's start, as `warmstart`: `qacc_warmstart` or `qacc_smooth`, whichever costs less.
pub(super) struct Choose<'a, V: Float64Lanes> {
    pub(super) tables: &'a Tables,
    pub(super) motion: &'a Motion<V>,
    pub(super) rows: &'a mut Rows<V>,
    pub(super) warm: &'a [V; DOFS],
    pub(super) part: &'a mut Part<V>,
}

impl<V: Float64Lanes> Choose<'_, V> {
    /// Returns the cost of the constraint rows for these accelerations.
    #[inline(always)]
    fn cost(rows: &mut Rows<V>, accelerations: &[V; DOFS], tables: &Tables) -> V {
        let dofs = tables.dofs.len();
        for row in 0..rows.count {
            let jacobian = &rows.jacobian[row * dofs..][..dofs];
            let product = match rows.only[row] {
                0 => dot(jacobian, accelerations, dofs),
                dof => jacobian[dof as usize - 1] * accelerations[dof as usize - 1],
            };
            rows.excess[row] = product - rows.wanted[row];
        }
        rows.cost(&tables.dialect)
    }
}

impl<V: Float64Lanes> Work for Choose<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Motion { mass, forces, smooth, .. } = self.motion;
        let by_mass = self.tables.dialect.begins_by_mass;
        let mut begin = *self.warm;
        if by_mass {
            for (part, smooth) in begin.iter_mut().zip(smooth).take(self.tables.dofs.len()) {
                *part = *part - *smooth;
            }
        }
        let mut inertia = [V::all(0.0); DOFS];
        for (i, dof) in self.tables.dofs.iter().enumerate() {
            let mut sum = mass[dof.diagonal()] * begin[i];
            for (value, column) in mass[dof.row..][..dof.len - 1].iter().zip(self.tables.columns_of(i)).rev() {
                sum = sum + *value * begin[*column];
                inertia[*column] = inertia[*column] + *value * begin[i];
            }
            inertia[i] = sum;
        }
        let mut cost = Self::cost(self.rows, self.warm, self.tables);
        if by_mass {
            cost = cost + V::all(0.5) * dot(&begin, &inertia, self.tables.dofs.len());
        } else {
            for i in 0..self.tables.dofs.len() {
                cost = cost + V::all(0.5) * (inertia[i] - forces[i]) * (self.warm[i] - smooth[i]);
            }
        }
        let is_smooth = cost.gt(Self::cost(self.rows, smooth, self.tables));
        for i in 0..self.tables.dofs.len() {
            self.part.whole_begin[i] = V::select(is_smooth, smooth[i], self.warm[i]);
        }
    }
}

/// Gathers an island's part of the solver's inputs.
pub(super) struct Take<'a, V: Float64Lanes> {
    pub(super) island: &'a Island,
    pub(super) lanes: u32,
    pub(super) motion: &'a Motion<V>,
    pub(super) rows: &'a Rows<V>,
    pub(super) part: &'a mut Part<V>,
}

impl<V: Float64Lanes> Work for Take<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { island, lanes, motion, rows, part } = self;
        for (to, from) in island.masses.iter().enumerate() {
            part.motion.mass[to] = motion.mass[*from];
            part.motion.factor[to] = motion.factor[*from];
        }
        for (to, from) in island.dofs.iter().enumerate() {
            part.motion.inverse[to] = motion.inverse[*from];
            part.motion.forces[to] = motion.forces[*from];
            part.motion.smooth[to] = motion.smooth[*from];
            part.begin[to] = part.whole_begin[*from];
        }
        part.copied.clear();
        let (own, dofs, whole) = (&mut part.rows, island.dofs.len(), island.of_all.len());
        (own.count, own.lanes, own.trees) = (0, lanes, island.trees);
        own.rubs.clear();
        own.cones.clear();
        for row in (0..rows.count).filter(|row| rows.bound[*row].1 & lanes != 0 && rows.bound[*row].0 & island.trees != 0) {
            let to = own.count;
            for (part, from) in own.jacobian[to * dofs..][..dofs].iter_mut().zip(&island.dofs) {
                *part = rows.jacobian[row * whole + from];
            }
            own.only[to] = match rows.only[row] {
                0 => 0,
                dof => island.of_all[dof as usize - 1],
            };
            own.support[to] = rows.support[row];
            if let Some(rub) = row.checked_sub(rows.equal).and_then(|at| rows.rubs.get(at)) {
                own.rubs.push(*rub);
            }
            if let Some(cone) = rows.cones.iter().find(|cone| cone.row == row) {
                own.cones.push(cone.at(to));
            }
            own.weight[to] = rows.weight[row];
            own.bound[to] = rows.bound[row];
            own.wanted[to] = rows.wanted[row];
            own.count += 1;
            part.copied.push(row);
        }
    }
}

/// Scatters an island's solution to the arrays of the whole model.
pub(super) struct Give<'a, V: Float64Lanes> {
    pub(super) island: &'a Island,
    pub(super) lanes: u32,
    pub(super) rows: &'a mut Rows<V>,
    pub(super) part: &'a Part<V>,
    pub(super) accelerations: &'a mut [V; DOFS],
    pub(super) forces: &'a mut [V; DOFS],
}

impl<V: Float64Lanes> Work for Give<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { island, lanes, rows, part, accelerations, forces } = self;
        let mask = V::mask(lanes);
        for (from, to) in island.dofs.iter().enumerate() {
            accelerations[*to] = V::select(mask, part.accelerations[from], accelerations[*to]);
            forces[*to] = V::select(mask, part.forces[from], forces[*to]);
        }
        for (from, to) in part.copied.iter().enumerate() {
            rows.excess[*to] = V::select(mask, part.rows.excess[from], rows.excess[*to]);
            rows.forces[*to] = V::select(mask, part.rows.forces[from], rows.forces[*to]);
            let (active, own) = (V::bits(part.rows.active[from]), V::bits(rows.active[*to]));
            rows.active[*to] = V::mask(own & !lanes | active & lanes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_overlaps_is_one_island_in_the_lanes_where_it_does() {
        let mut ties = Bound::default();
        for (trees, lanes) in [(0b0001, 0b111), (0b0010, 0b011), (0b1100, 0b110), (0b0110, 0b100), (0b0001, 0b1000)] {
            ties.add(trees, lanes);
        }
        let islands = ties.islands();
        let mut sets = islands.sets().to_vec();
        sets.sort_unstable();
        assert_eq!(sets, [(0b0001, 0b1111), (0b0010, 0b011), (0b1100, 0b010), (0b1110, 0b100)]);
    }

    #[test]
    fn one_tie_can_bind_two_islands() {
        let mut ties = Bound::default();
        for trees in [0b0011, 0b1100, 0b0110] {
            ties.add(trees, 1);
        }
        assert_eq!(ties.islands().sets(), [(0b1111, 1)]);
    }
}
