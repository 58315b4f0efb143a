//! Newton solver for planar robots: the method of [`super::super::newton`], along kinematic trees that are known at compile time.

mod rows;

use std::marker::PhantomData;

use super::super::algebra::{dot as dot_first, first};
use super::super::newton::{Primal, ROWS_AT_ONCE, SolverStats, Start, chol_updates, sol_primal};
use super::super::tables::NativeModel;
use super::lines::{EqualRows, FrictionlessContact, PlanarConstraints, RowId, RowState, each_row};
use super::plane::{PlanarData, StepArgs};
use super::tree::{Matrix, Tree, dot, dot_leg, each, mul_m, solve_ld};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel of the Newton solver (`mj_solNewton`) for planar robots.
pub(super) struct Newton<'a, 'b, V: Float64Lanes, T, const N: usize, const W: usize>(
    pub(super) &'a mut PlanarData<V, N, W>,
    pub(super) &'a mut StepArgs<'b, V>,
    pub(super) PhantomData<T>,
);

impl<V: Float64Lanes> RowState<V> {
    /// Determines whether the constraint row is active, and returns the row's cost.
    #[inline(always)]
    fn cost(&mut self, weight: V) -> V {
        self.quadratic = self.jaref.lt(V::splat(0.0));
        (V::splat(0.5) * weight * self.jaref * self.jaref).select_or_zero(self.quadratic)
    }

    #[inline(always)]
    pub(super) fn force(&self, weight: V) -> V {
        (-weight * self.jaref).select_or_zero(self.quadratic)
    }

    /// Prepares the constraint row for a line search: sets `Jv` and the coefficients of the row's cost along the search line.
    #[inline(always)]
    fn prepare(&mut self, step: V, weight: V, counts_from_start: bool) {
        let half = V::splat(0.5);
        let force = weight * self.jaref;
        let cost = self.jaref * force * half;
        self.jv = step;
        if counts_from_start {
            self.quad[0] = V::select(self.quadratic, V::splat(0.0), cost);
            self.quad[3] = cost.select_or_zero(self.quadratic);
        } else {
            self.quad[0] = cost;
        }
        self.quad[1] = step * force;
        self.quad[2] = step * weight * step * half;
    }

    #[inline(always)]
    fn advance(&mut self, length: V) {
        self.jaref = self.jaref + self.jv * length;
        self.was_active = self.quadratic;
    }
}

/// Partial sums of the cost along a search line and of the cost's derivatives, as in `PrimalEval`.
struct Along<V> {
    length: V,
    sums: [V; 3],
    gained: V,
}

impl<V: Float64Lanes> Along<V> {
    /// Adds the cost of a constraint row, and the cost's derivatives, to the sums; adds them twice if `is_twice` is set.
    #[inline(always)]
    fn add(&mut self, line: &RowState<V>, counts_from_start: bool, is_twice: bool) {
        let none = V::splat(0.0);
        let is_active = (line.jaref + self.length * line.jv).lt(none);
        let parts = [
            line.quad[0].select_or_zero(is_active),
            line.quad[1].select_or_zero(is_active),
            line.quad[2].select_or_zero(is_active),
        ];
        let saved = V::select(is_active, none, line.quad[3]);
        self.add_parts(parts, saved, counts_from_start);
        if is_twice {
            self.add_parts(parts, saved, counts_from_start);
        }
    }

    #[inline(always)]
    fn add_parts(&mut self, parts: [V; 3], saved: V, counts_from_start: bool) {
        self.sums = [self.sums[0] + parts[0], self.sums[1] + parts[1], self.sums[2] + parts[2]];
        if counts_from_start {
            self.gained = self.gained - saved;
        }
    }
}

/// Solves a system with a Cholesky factor, as `mju_cholSolve` does. The back substitution computes one unknown at a time, or
/// runs column by column as in MuJoCo 4.0 and later.
#[inline(always)]
fn solved<V: Float64Lanes, const N: usize>(factor: &Matrix<V, N>, right: &[V; N], by_columns: bool) -> [V; N] {
    let mut x = *right;
    each!(I < N, {
        if I > 0 {
            x[I] = x[I] - dot_first(&factor[I], &x, I);
        }
        x[I] = x[I] / factor[I][I];
    });
    if by_columns {
        each!(I downwards from N, {
            x[I] = x[I] / factor[I][I];
            for j in 0..I {
                x[j] = x[j] - factor[I][j] * x[I];
            }
        });
    } else {
        each!(I downwards from N, {
            for j in I + 1..N {
                x[I] = x[I] - factor[j][I] * x[j];
            }
            x[I] = x[I] / factor[I][I];
        });
    }
    x
}

/// Primal problem of a planar robot, over all its degrees of freedom and constraint rows.
struct Whole<'a, V: Float64Lanes, T, const N: usize, const W: usize> {
    model: &'a NativeModel,
    mass: &'a Matrix<V, N>,
    factor: &'a Matrix<V, N>,
    inverse: &'a [V; N],
    rows: &'a mut PlanarConstraints<V, W>,
    /// Cholesky factor of the Hessian.
    hessian: Matrix<V, N>,
    tree: PhantomData<T>,
}

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> Primal<V, N> for Whole<'_, V, T, N, W> {
    type Rows = PlanarConstraints<V, W>;

    #[inline(always)]
    fn rows(&self) -> &PlanarConstraints<V, W> {
        self.rows
    }

    #[inline(always)]
    fn nv(&self) -> usize {
        N
    }

    #[inline(always)]
    fn lanes(&self) -> u32 {
        self.rows.lanes
    }

    #[inline(always)]
    fn cost_scale(&self) -> V {
        scale(self.model, self.mass)
    }

    #[inline(always)]
    fn mul_m(&self, v: &[V; N], product: &mut [V; N]) {
        *product = mul_m::<T, V, N, W>(self.mass, v);
    }

    #[inline(always)]
    fn solve_m(&self, x: &mut [V; N]) {
        solve_ld::<T, V, N, W>(self.factor, self.inverse, x);
    }

    #[inline(always)]
    fn dot(&self, a: &[V; N], b: &[V; N]) -> V {
        dot(a, b)
    }

    #[inline(always)]
    fn update_jaref(&mut self, accelerations: &[V; N]) {
        self.rows.update_jaref::<T, N>(accelerations);
    }

    #[inline(always)]
    fn update_jaref_saving(&mut self, accelerations: &[V; N]) {
        self.rows.save_jaref();
        self.rows.update_jaref::<T, N>(accelerations);
    }

    #[inline(always)]
    fn restore_jaref(&mut self, but: V::Mask) {
        self.rows.restore_jaref(but);
    }

    #[inline(always)]
    fn update_constraint(&mut self) -> V {
        self.rows.constraint_update()
    }

    #[inline(always)]
    fn qfrc_constraint(&self, forces: &mut [V; N]) {
        *forces = self.rows.qfrc_constraint::<T, N>();
    }

    #[inline(always)]
    fn make_hessian(&mut self, live: u32) {
        self.rows.make_hessian::<T, N>(self.model, self.mass, &mut self.hessian, live);
    }

    #[inline(always)]
    fn hessian_incremental(&mut self, live: u32, stats: &mut SolverStats) {
        update_factor::<V, T, N, W>(self.model, self.rows, self.mass, &mut self.hessian, live, stats);
    }

    #[inline(always)]
    fn mgrad(&mut self, gradient: &[V; N], step: &mut [V; N], _live: u32) {
        *step = solved(&self.hessian, gradient, self.model.dialect.solves_by_columns);
    }

    #[inline(always)]
    fn prepare(&mut self, direction: &[V; N]) {
        let (rows, from_start) = (&mut *self.rows, self.model.dialect.relative_cost);
        for limit in &mut rows.limits {
            limit.line.prepare(limit.sign * direction[limit.dof], limit.efc_d, from_start);
        }
        for contact in &mut rows.contacts {
            each_row!(contact, |ROW, _is_twice| {
                let step = dot_leg::<T, V, N, W>(contact.leg, &contact.efc_j[ROW], direction);
                contact.lines[ROW].prepare(step, contact.efc_d, from_start);
            });
        }
        for FrictionlessContact { leg, efc_j: jacobian, efc_d: weight, line, .. } in &mut rows.singles {
            line.prepare(dot_leg::<T, V, N, W>(*leg, jacobian, direction), *weight, from_start);
        }
    }

    #[inline(always)]
    fn advance(&mut self, length: V) {
        self.rows.advance(length);
    }
}

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> SimdKernel for Newton<'_, '_, V, T, N, W> {
    /// The kernel's output is a bit mask of the lanes in which MuJoCo's solver would warn. MuJoCo must step these lanes
    /// instead of the native stepper.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(plane, step, tree) = self;
        let model = step.model;
        let (smooth, applied, warm): ([V; N], [V; N], [V; N]) =
            (plane.qacc_smooth, plane.qfrc_smooth, first(step.qacc_warmstart));
        let (mass, factor, inverse) = (&plane.mass, &plane.qld, &plane.qld_diag_inv);
        let hessian = [[V::splat(0.0); N]; N];
        let mut problem = Whole { model, mass, factor, inverse, rows: &mut plane.rows, hessian, tree };
        let beginning = Start { qfrc_smooth: &applied, qacc_warmstart: &warm, qacc_smooth: &smooth, skips_warmstart: false };
        let (result, forces, alarms) = sol_primal(&mut problem, model, beginning, step.stats);
        let lanes = V::mask(plane.rows.lanes);
        for i in 0..N {
            step.qacc[i] = V::select(lanes, result[i], smooth[i]);
            step.qfrc_constraint[i] = forces[i].select_or_zero(lanes);
        }
        alarms
    }
}

/// Returns the factor by which a change of the cost is multiplied before it is compared with the tolerance. The factor is `1
/// / (meaninertia * nv)`, or the reciprocal of the inertia matrix's trace as in MuJoCo 3.17 and later.
#[inline(always)]
fn scale<V: Float64Lanes, const N: usize>(model: &NativeModel, mass: &Matrix<V, N>) -> V {
    if !model.has_islands && !model.dialect.scale_by_trace {
        return V::splat(1.0 / (model.meaninertia * N as f64));
    }
    let mut sum = V::splat(0.0);
    for dof in 0..N {
        sum = sum + mass[dof][dof];
    }
    V::splat(1.0) / sum
}

/// Updates the factored Hessian for rows that became active or inactive, as `HessianIncremental` does. In each iteration, each
/// lane processes its next changed row.
#[inline(always)]
fn update_factor<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize>(
    model: &NativeModel,
    rows: &mut PlanarConstraints<V, W>,
    mass: &Matrix<V, N>,
    factor: &mut Matrix<V, N>,
    live: u32,
    stats: &mut SolverStats,
) {
    let PlanarConstraints { limits, contacts, singles, changed, .. } = rows;
    changed.iter_mut().for_each(Vec::clear);
    let mut note = |line: &RowState<V>, number: RowId| {
        let mut left = live & V::bits(V::mask_xor(line.was_active, line.quadratic));
        while left != 0 {
            changed[left.trailing_zeros() as usize].push(number);
            left &= left - 1;
        }
    };
    for (at, limit) in limits.iter().enumerate() {
        note(&limit.line, RowId::Limit(at as u16));
    }
    for (at, contact) in contacts.iter().enumerate() {
        let [second, last] = [EqualRows::First, EqualRows::Last].map(|equal| usize::from(contact.equal_rows != equal));
        for row in [0, second, 2, 2 + last] {
            note(&contact.lines[row], RowId::Contact(at as u16, row as u16));
        }
    }
    for (at, single) in singles.iter().enumerate() {
        note(&single.line, RowId::Single(at as u16));
    }
    let (mut lost, mut next, mut is_done) = (0, 0, false);
    let (mut xs, mut own_lanes, mut own_adds) =
        ([[V::splat(0.0); N]; ROWS_AT_ONCE], [V::mask(0); ROWS_AT_ONCE], [V::mask(0); ROWS_AT_ONCE]);
    let mut count = 0;
    while !is_done {
        let (mut lanes, mut adds, mut weight, mut x) = (0, V::mask(0), V::splat(0.0), [V::splat(0.0); N]);
        for lane in 0..V::COUNT {
            let Some(number) = changed[lane].get(next) else { continue };
            if lanes >> lane & 1 != 0 {
                continue;
            }
            let mut own = 0;
            for other in lane..V::COUNT {
                own |= u32::from(changed[other].get(next) == Some(number)) << other;
            }
            lanes |= own;
            let own = V::mask(own);
            let line = match *number {
                RowId::Limit(at) => {
                    let limit = &limits[usize::from(at)];
                    weight = V::select(own, limit.efc_d, weight);
                    x[limit.dof] = V::select(own, limit.sign, x[limit.dof]);
                    &limit.line
                }
                RowId::Contact(at, row) => {
                    let contact = &contacts[usize::from(at)];
                    weight = V::select(own, contact.efc_d, weight);
                    let row = usize::from(row);
                    let leg = if T::LEGS.len() == 1 { 0 } else { contact.leg };
                    each!(K < W, {
                        let to = &mut x[T::LEGS[leg][K]];
                        *to = V::select(own, contact.efc_j[row][K], *to);
                    });
                    &contact.lines[row]
                }
                RowId::Single(at) => {
                    let single = &singles[usize::from(at)];
                    weight = V::select(own, single.efc_d, weight);
                    for (dof, value) in T::LEGS[single.leg].iter().zip(&single.efc_j) {
                        x[*dof] = V::select(own, *value, x[*dof]);
                    }
                    &single.line
                }
            };
            adds = V::mask_or(adds, V::mask_and(own, line.quadratic));
        }
        is_done = lanes == 0;
        stats.updates[0] += u64::from(u32::count_ones(lanes));
        let root = weight.sqrt();
        for part in &mut x {
            *part = *part * root;
        }
        if !is_done {
            (xs[count], own_lanes[count], own_adds[count]) = (x, V::mask(lanes), adds);
            count += 1;
        }
        if is_done || count == ROWS_AT_ONCE {
            lost |= chol_updates(factor, (N, &mut xs[..count]), &own_lanes[..count], &own_adds[..count]);
            count = 0;
        }
        next += 1;
    }
    if lost != 0 {
        stats.updates[1] += u64::from(lost.count_ones());
        let mut hessian = [[V::splat(0.0); N]; N];
        rows.make_hessian::<T, N>(model, mass, &mut hessian, lost);
        let lanes = V::mask(lost);
        for i in 0..N {
            for k in 0..=i {
                factor[i][k] = V::select(lanes, hessian[i][k], factor[i][k]);
            }
        }
    }
}
