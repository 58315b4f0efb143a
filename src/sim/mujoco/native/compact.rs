//! `mj_solPGS`: projected Gauss-Seidel, on rows that are contiguous in each lane.
//!
//! Its sums over rows are dense dot products (`mju_dot`), which treat blocks of four and the rest differently, so each lane needs
//! its own row count. The rows after a lane's last full block have slots of their own, after the blocks of all lanes; unused
//! slots are zero.

use super::algebra::dot;
use super::dialect::Order;
use super::drawn::{Drawn, GROWTH};
use super::smooth::{Motion, scale, solve};
use super::tables::{DOFS, Tables};
use envpool_rs_numeric::simd::{Float64Lanes, Work};

/// Maximum number of rows of a lane; a step with more falls back to MuJoCo.
const ROOM: usize = 128;
/// Maximum number of slots: full blocks and the rest.
const SLOTS: usize = ROOM + 4;

/// Constraint rows of all lanes, for the dual solver.
pub(super) struct Compact<V: Float64Lanes> {
    /// Number of rows of each lane.
    pub(super) counts: [usize; 8],
    /// Number of slots in full blocks.
    whole: usize,
    /// Number of all slots.
    slots: usize,
    jacobian: Vec<V>,
    /// Values of each row: regularizer `efc_R`, then stiffness, distance and damping of `efc_aref`.
    resistance: Vec<V>,
    stiffness: Vec<V>,
    distance: Vec<V>,
    damping: Vec<V>,
    /// `J * M^(-1/2)`: the rows divided by the square root of the factored inertia matrix, stored by degree of freedom.
    halves: Vec<V>,
    /// `efc_AR`, row by row: `J * inv(M) * J' + R`.
    coupling: Vec<V>,
    /// `efc_b`: `J * qacc_smooth - aref`.
    bias: Vec<V>,
    force: Vec<V>,
    /// Reciprocal of the diagonal of `efc_AR`.
    inverse: Vec<V>,
    /// Reciprocal of `inverse`.
    diagonal: Vec<V>,
    products: Vec<V>,
    /// Degrees of freedom with non-zero entries in a row, as bits.
    used: Vec<u32>,
    /// Problems of the lanes, for shuffled sweeps of each lane.
    drawn: Drawn,
}

/// Writes the number of one lane.
#[inline(always)]
fn put<V: Float64Lanes>(values: &mut [V], at: usize, lane: usize, value: f64) {
    values[at].set(lane, value);
}

/// Returns the dense dot product over rows, of which the first `whole` are in full blocks.
#[inline(always)]
fn dot_rows<V: Float64Lanes>(a: &[V], b: &[V], whole: usize) -> V {
    let rest = a.len() - whole;
    let b = &b[..a.len()];
    let mut sum = V::all(0.0);
    if whole > 0 {
        let mut sums = [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]];
        let mut at = 4;
        while at < whole {
            sums = [
                sums[0] + a[at] * b[at],
                sums[1] + a[at + 1] * b[at + 1],
                sums[2] + a[at + 2] * b[at + 2],
                sums[3] + a[at + 3] * b[at + 3],
            ];
            at += 4;
        }
        sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    }
    let product = |at: usize| a[whole + at] * b[whole + at];
    match rest {
        1 => sum + product(0),
        2 => sum + (product(0) + product(1)),
        3 => sum + (product(0) + product(1) + product(2)),
        _ => sum,
    }
}

impl<V: Float64Lanes> Compact<V> {
    pub(super) fn new(tables: &Tables) -> Self {
        let numbers = |count: usize| vec![V::all(0.0); count];
        let slots = || vec![V::all(0.0); SLOTS];
        Self {
            counts: [0; 8],
            whole: 0,
            slots: 0,
            jacobian: numbers(SLOTS * tables.dofs.len()),
            resistance: slots(),
            stiffness: slots(),
            distance: slots(),
            damping: slots(),
            halves: numbers((SLOTS + 4) * tables.dofs.len()),
            coupling: numbers((SLOTS + 4) * (SLOTS + 4)),
            bias: slots(),
            force: slots(),
            inverse: slots(),
            diagonal: slots(),
            products: slots(),
            used: vec![0; SLOTS],
            drawn: Drawn::default(),
        }
    }

    /// Appends a row in these lanes. Returns the lanes without room, as bits.
    #[inline(always)]
    pub(super) fn push(&mut self, lanes: u32, row: &[V], [resistance, stiffness, distance]: [V; 3], damping: f64) -> u32 {
        let dofs = row.len();
        let first = self.counts[0];
        if lanes == V::ALL && first < ROOM && self.counts[..V::COUNT].iter().all(|count| *count == first) {
            self.jacobian[first * dofs..][..dofs].copy_from_slice(row);
            self.resistance[first] = resistance;
            self.stiffness[first] = stiffness;
            self.distance[first] = distance;
            self.damping[first] = V::all(damping);
            self.counts[..V::COUNT].fill(first + 1);
            return 0;
        }
        let (mut left, mut full) = (lanes, 0);
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let slot = self.counts[lane];
            if slot >= ROOM {
                full |= 1 << lane;
                continue;
            }
            self.counts[lane] = slot + 1;
            for (to, from) in self.jacobian[slot * dofs..][..dofs].iter_mut().zip(row) {
                to.set(lane, from.get(lane));
            }
            put(&mut self.resistance, slot, lane, resistance.get(lane));
            put(&mut self.stiffness, slot, lane, stiffness.get(lane));
            put(&mut self.distance, slot, lane, distance.get(lane));
            put(&mut self.damping, slot, lane, damping);
        }
        full
    }

    /// Returns the slot of a lane's row.
    #[inline(always)]
    fn slot(&self, row: usize, lane: usize) -> usize {
        let whole = self.counts[lane] & !3;
        if row < whole { row } else { self.whole + row - whole }
    }

    /// Returns `efc_force` of a lane's row.
    pub(super) fn force_in(&self, row: usize, lane: usize) -> f64 {
        self.force[self.slot(row, lane)].get(lane)
    }

    /// Moves the rests behind the blocks of all lanes, and clears unused slots.
    #[inline(always)]
    fn arrange(&mut self, dofs: usize) {
        let counts = self.counts;
        let whole = counts[..V::COUNT].iter().map(|count| count & !3).max().unwrap_or(0);
        let rest = counts[..V::COUNT].iter().map(|count| count & 3).max().unwrap_or(0);
        (self.whole, self.slots) = (whole, whole + rest);
        for (lane, count) in counts[..V::COUNT].iter().copied().enumerate() {
            let (own, rest) = (count & !3, count & 3);
            let mut empty = count;
            if own != whole {
                for row in 0..rest {
                    let (from, to) = (own + row, whole + row);
                    for dof in 0..dofs {
                        let value = self.jacobian[from * dofs + dof].get(lane);
                        put(&mut self.jacobian, to * dofs + dof, lane, value);
                    }
                    for values in [&mut self.resistance, &mut self.stiffness, &mut self.distance, &mut self.damping] {
                        let value = values[from].get(lane);
                        put(values, to, lane, value);
                    }
                }
                empty = own;
            }
            let blocks = if own == whole { whole..whole } else { empty..whole };
            for slot in blocks.chain(whole + rest..self.slots) {
                for dof in 0..dofs {
                    put(&mut self.jacobian, slot * dofs + dof, lane, 0.0);
                }
                put(&mut self.resistance, slot, lane, 1.0);
                put(&mut self.stiffness, slot, lane, 0.0);
                put(&mut self.distance, slot, lane, 0.0);
                put(&mut self.damping, slot, lane, 0.0);
            }
        }
    }
}

/// PGS solver for `N` degrees of freedom, `mj_solPGS`.
pub(super) struct GaussSeidel<'a, V: Float64Lanes, const N: usize> {
    pub(super) tables: &'a Tables,
    pub(super) motion: &'a Motion<V>,
    pub(super) rows: &'a mut Compact<V>,
    /// Lanes that have rows, as bits.
    pub(super) lanes: u32,
    /// `qacc_warmstart`.
    pub(super) warm: &'a [V; DOFS],
    pub(super) accelerations: &'a mut [V; DOFS],
    /// `qfrc_constraint`.
    pub(super) forces: &'a mut [V; DOFS],
}

impl<V: Float64Lanes, const N: usize> Work for GaussSeidel<'_, V, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { tables, motion, rows, lanes, warm, accelerations, forces } = self;
        rows.arrange(N);
        couple::<V, N>(tables, motion, rows);
        begin::<V, N>(motion, rows, warm);
        let scale = if tables.dialect.measures_by_trace {
            scale(tables, &motion.mass, u64::MAX)
        } else {
            V::all(1.0 / (tables.mean_inertia * N as f64))
        };
        match tables.dialect.order {
            Order::Rows => sweep(tables, rows, lanes, scale),
            Order::Drawn => sweep_each(tables, rows, lanes, scale),
        }
        let none = V::all(0.0);
        forces[..N].fill(none);
        for slot in 0..rows.slots {
            let force = rows.force[slot];
            if !V::any(force.ne(none)) {
                continue;
            }
            for (sum, part) in forces[..N].iter_mut().zip(&rows.jacobian[slot * N..][..N]) {
                *sum = *sum + *part * force;
            }
        }
        let mut gained = [none; N];
        gained.copy_from_slice(&forces[..N]);
        solve(tables, &motion.factor, &motion.inverse, &mut gained);
        let has = V::mask(lanes);
        for dof in 0..N {
            let smooth = motion.smooth[dof];
            accelerations[dof] = V::select(has, gained[dof] + smooth, smooth);
            forces[dof] = V::select(has, forces[dof], none);
        }
    }
}

/// Computes `efc_AR`, as `mj_projectConstraint`.
#[inline(always)]
fn couple<V: Float64Lanes, const N: usize>(tables: &Tables, motion: &Motion<V>, rows: &mut Compact<V>) {
    let none = V::all(0.0);
    let slots = rows.slots;
    let stride = (slots + 3) & !3;
    let mut roots = [none; N];
    for (root, dof) in roots.iter_mut().zip(&tables.dofs) {
        *root = V::all(1.0) / motion.factor[dof.diagonal()].sqrt();
    }
    for row in 0..slots {
        let mut x = [none; N];
        x.copy_from_slice(&rows.jacobian[row * N..][..N]);
        for number in (1..N).rev() {
            let (dof, value) = (&tables.dofs[number], x[number]);
            if !V::any(value.ne(none)) {
                continue;
            }
            for (part, column) in motion.factor[dof.row..][..dof.len - 1].iter().zip(tables.columns_of(number)) {
                x[*column] = x[*column] - *part * value;
            }
        }
        let mut used = 0;
        for dof in 0..N {
            rows.halves[dof * stride + row] = x[dof] * roots[dof];
            used |= u32::from(V::any(x[dof].ne(none))) << dof;
        }
        rows.used[row] = used;
    }
    for row in slots..stride {
        for dof in 0..N {
            rows.halves[dof * stride + row] = none;
        }
    }
    // The loop computes two rows by four columns at a time.
    let mut row = 0;
    while row < slots {
        let next = if row + 1 < slots { row + 1 } else { row };
        let mut column = 0;
        while column <= next {
            let (mut sums, mut others) = ([none; 4], [none; 4]);
            let mut left = rows.used[row] | rows.used[next];
            while left != 0 {
                let line = &rows.halves[left.trailing_zeros() as usize * stride..][..stride];
                left &= left - 1;
                let (one, other) = (line[row], line[next]);
                let block = &line[column..column + 4];
                for part in 0..4 {
                    sums[part] = sums[part] + block[part] * one;
                    others[part] = others[part] + block[part] * other;
                }
            }
            rows.coupling[row * stride + column..][..4].copy_from_slice(&sums);
            rows.coupling[next * stride + column..][..4].copy_from_slice(&others);
            column += 4;
        }
        row += 2;
    }
    for row in 0..slots {
        for column in row + 1..slots {
            rows.coupling[row * stride + column] = rows.coupling[column * stride + row];
        }
    }
    for row in 0..slots {
        let at = row * stride + row;
        rows.coupling[at] = rows.coupling[at] + rows.resistance[row];
    }
}

/// Computes `efc_b` and the start forces: those of `qacc_warmstart`, or zero if these cost less.
#[inline(always)]
fn begin<V: Float64Lanes, const N: usize>(motion: &Motion<V>, rows: &mut Compact<V>, warm: &[V; DOFS]) {
    let (none, one, half) = (V::all(0.0), V::all(1.0), V::all(0.5));
    let (slots, whole) = (rows.slots, rows.whole);
    let stride = (slots + 3) & !3;
    for row in 0..slots {
        let jacobian = &rows.jacobian[row * N..][..N];
        let wanted = rows.damping[row] * dot(jacobian, &motion.velocities, N) - rows.stiffness[row] * rows.distance[row];
        rows.bias[row] = dot(jacobian, &motion.smooth, N) - wanted;
        let excess = dot(jacobian, warm, N) - wanted;
        let weight = one / rows.resistance[row];
        rows.force[row] = (-weight * excess).keep(excess.lt(none));
        rows.inverse[row] = one / rows.coupling[row * stride + row];
        rows.diagonal[row] = one / rows.inverse[row];
    }
    let Compact { coupling, bias, force, products, .. } = rows;
    for row in 0..slots {
        products[row] = dot_rows(&coupling[row * stride..][..slots], force, whole);
    }
    let cost = dot_rows(&force[..slots], bias, whole);
    let cost = cost + half * dot_rows(&force[..slots], products, whole);
    let is_worse = cost.gt(none);
    if V::any(is_worse) {
        for value in &mut force[..slots] {
            *value = V::select(is_worse, none, *value);
        }
    }
}

/// Sweeps over the rows in their order, until a sweep's improvement is below the tolerance.
#[inline(always)]
fn sweep<V: Float64Lanes>(tables: &Tables, rows: &mut Compact<V>, lanes: u32, scale: V) {
    let (none, half) = (V::all(0.0), V::all(0.5));
    let (slots, whole) = (rows.slots, rows.whole);
    let stride = (slots + 3) & !3;
    let (tolerance, growth) = (V::all(tables.tolerance), V::all(GROWTH));
    let Compact { coupling, bias, force, inverse, diagonal, .. } = rows;
    let force = &mut force[..slots];
    let mut live = lanes;
    let mut iteration = 0;
    while iteration < tables.iterations && live != 0 {
        let going = V::mask(live);
        let mut improvement = none;
        for row in 0..slots {
            let rest = bias[row] + dot_rows(&coupling[row * stride..][..slots], force, whole);
            let old = force[row];
            let new = old - rest * inverse[row];
            let mut new = V::select(new.lt(none), none, new);
            let change = new - old;
            let mut cost = half * change * change * diagonal[row] + change * rest;
            let is_worse = cost.gt(growth);
            if V::any(is_worse) {
                new = V::select(is_worse, old, new);
                cost = V::select(is_worse, none, cost);
            }
            improvement = improvement - cost;
            force[row] = V::select(going, new, old);
        }
        iteration += 1;
        live &= !V::bits((improvement * scale).lt(tolerance));
    }
}

/// Sweeps over the rows in a shuffled order, separately for each lane.
#[inline(always)]
fn sweep_each<V: Float64Lanes>(tables: &Tables, rows: &mut Compact<V>, lanes: u32, scale: V) {
    let stride = (rows.slots + 3) & !3;
    let mut drawn = std::mem::take(&mut rows.drawn);
    for lane in 0..V::COUNT {
        if lanes >> lane & 1 == 0 {
            continue;
        }
        let problem = &mut drawn.problems[lane];
        let count = rows.counts[lane];
        problem.begin(count, scale.get(lane));
        for row in 0..count {
            let slot = rows.slot(row, lane);
            problem.bias[row] = rows.bias[slot].get(lane);
            problem.force[row] = rows.force[slot].get(lane);
            problem.inverse[row] = rows.inverse[slot].get(lane);
            problem.diagonal[row] = rows.diagonal[slot].get(lane);
            for column in 0..count {
                problem.coupling[row * count + column] = rows.coupling[slot * stride + rows.slot(column, lane)].get(lane);
            }
        }
    }
    drawn.sweep(tables, lanes);
    for lane in 0..V::COUNT {
        if lanes >> lane & 1 == 0 {
            continue;
        }
        for row in 0..rows.counts[lane] {
            let slot = rows.slot(row, lane);
            put(&mut rows.force, slot, lane, drawn.problems[lane].force[row]);
        }
    }
    rows.drawn = drawn;
}
