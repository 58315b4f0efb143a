//! Newton's method, as in [`super::super::newton`], along trees that are known at compile time.

use std::marker::PhantomData;

use super::super::algebra::{TINY, dot as dot_first, first};
use super::super::dialect::Dialect;
use super::super::newton::{Beginning, CostAlong, Counts, Problem, minimized, update};
use super::super::tables::Tables;
use super::lines::{Contact, Line, Number, Rows, Single, each_row};
use super::plane::{Plane, Step};
use super::tree::{Matrix, Tree, dot, dot_leg, each, solve, times};
use envpool_rs_numeric::simd::{Float64Lanes, Work};

/// Newton solver, `mj_solNewton`.
pub(super) struct Newton<'a, 'b, V: Float64Lanes, T, const N: usize, const W: usize>(
    pub(super) &'a mut Plane<V, N, W>,
    pub(super) &'a mut Step<'b, V>,
    pub(super) PhantomData<T>,
);

impl<V: Float64Lanes> Line<V> {
    /// Computes whether the row is active, and returns its cost.
    #[inline(always)]
    fn cost(&mut self, weight: V) -> V {
        self.active = self.excess.lt(V::all(0.0));
        (V::all(0.5) * weight * self.excess * self.excess).keep(self.active)
    }

    #[inline(always)]
    fn force(&self, weight: V) -> V {
        (-weight * self.excess).keep(self.active)
    }

    /// Sets the row's `Jv` and the coefficients of its cost on the search line.
    #[inline(always)]
    fn turn(&mut self, step: V, weight: V, counts_from_start: bool) {
        let half = V::all(0.5);
        let force = weight * self.excess;
        let cost = self.excess * force * half;
        self.change = step;
        if counts_from_start {
            self.costs[0] = V::select(self.active, V::all(0.0), cost);
            self.costs[3] = cost.keep(self.active);
        } else {
            self.costs[0] = cost;
        }
        self.costs[1] = step * force;
        self.costs[2] = step * weight * step * half;
    }

    #[inline(always)]
    fn go(&mut self, length: V) {
        self.excess = self.excess + self.change * length;
        self.was_active = self.active;
    }
}

/// Partial sums of the cost along a line and its derivatives, as in `PrimalEval`.
struct Along<V> {
    length: V,
    sums: [V; 3],
    gained: V,
}

impl<V: Float64Lanes> Along<V> {
    /// Adds a row, once or twice.
    #[inline(always)]
    fn add(&mut self, line: &Line<V>, counts_from_start: bool, is_twice: bool) {
        let none = V::all(0.0);
        let is_active = (line.excess + self.length * line.change).lt(none);
        let parts = [line.costs[0].keep(is_active), line.costs[1].keep(is_active), line.costs[2].keep(is_active)];
        let saved = V::select(is_active, none, line.costs[3]);
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

impl<V: Float64Lanes, const W: usize> Rows<V, W> {
    /// Computes which rows are active, and returns the rows' cost, as `mj_constraintUpdate`.
    #[inline(always)]
    fn cost(&mut self) -> V {
        let mut cost = V::all(0.0);
        for limit in &mut self.limits {
            cost = cost + limit.line.cost(limit.weight);
        }
        for contact in &mut self.contacts {
            each_row!(contact, |ROW, is_twice| {
                let part = contact.lines[ROW].cost(contact.weight);
                cost = cost + part;
                if is_twice {
                    cost = cost + part;
                }
            });
        }
        for single in &mut self.singles {
            cost = cost + single.line.cost(single.weight);
        }
        cost
    }

    /// Computes `Jaref = J * qacc - aref`.
    #[inline(always)]
    fn exceed<T: Tree<N, W>, const N: usize>(&mut self, accelerations: &[V; N]) {
        for limit in &mut self.limits {
            limit.line.excess = limit.sign * accelerations[limit.dof] - limit.line.wanted;
        }
        for contact in &mut self.contacts {
            each_row!(contact, |ROW, _is_twice| {
                let line = &mut contact.lines[ROW];
                line.excess = dot_leg::<T, V, N, W>(contact.leg, &contact.jacobian[ROW], accelerations) - line.wanted;
            });
        }
        for Single { leg, jacobian, line, .. } in &mut self.singles {
            line.excess = dot_leg::<T, V, N, W>(*leg, jacobian, accelerations) - line.wanted;
        }
    }

    /// Saves `Jaref` in [`Line::change`].
    #[inline(always)]
    fn remember(&mut self) {
        for limit in &mut self.limits {
            limit.line.change = limit.line.excess;
        }
        for contact in &mut self.contacts {
            for line in &mut contact.lines {
                line.change = line.excess;
            }
        }
        for single in &mut self.singles {
            single.line.change = single.line.excess;
        }
    }

    /// Restores what [`Rows::remember`] saved, except in the lanes of `but`.
    #[inline(always)]
    fn recall(&mut self, but: V::Mask) {
        for limit in &mut self.limits {
            limit.line.excess = V::select(but, limit.line.excess, limit.line.change);
        }
        for contact in &mut self.contacts {
            for line in &mut contact.lines {
                line.excess = V::select(but, line.excess, line.change);
            }
        }
        for single in &mut self.singles {
            single.line.excess = V::select(but, single.line.excess, single.line.change);
        }
    }

    /// Advances by a step length along the search line.
    #[inline(always)]
    fn go(&mut self, length: V) {
        for limit in &mut self.limits {
            limit.line.go(length);
        }
        for contact in &mut self.contacts {
            for line in &mut contact.lines {
                line.go(length);
            }
        }
        for single in &mut self.singles {
            single.line.go(length);
        }
    }

    /// Returns `qfrc_constraint`.
    #[inline(always)]
    fn forces<T: Tree<N, W>, const N: usize>(&self) -> [V; N] {
        let mut forces = [V::all(0.0); N];
        for limit in &self.limits {
            forces[limit.dof] = forces[limit.dof] + limit.sign * limit.line.force(limit.weight);
        }
        for contact in &self.contacts {
            if T::LEGS.len() == 1 || contact.leg == 0 {
                add_forces::<T, V, N, W, 0>(contact, &mut forces);
            } else {
                add_forces::<T, V, N, W, 1>(contact, &mut forces);
            }
        }
        for Single { leg, jacobian, weight, line } in &self.singles {
            let force = line.force(*weight);
            for (dof, value) in T::LEGS[*leg].iter().zip(jacobian) {
                forces[*dof] = forces[*dof] + *value * force;
            }
        }
        forces
    }

    /// Computes the Cholesky factor (lower triangle) of the Hessian `M + J' * D * J` in the lanes of `live`.
    #[inline(always)]
    fn hessian<T: Tree<N, W>, const N: usize>(
        &self,
        tables: &Tables,
        mass: &Matrix<V, N>,
        hessian: &mut Matrix<V, N>,
        live: u32,
    ) {
        each!(I < N, {
            for k in 0..=I {
                hessian[I][k] = V::all(0.0);
            }
        });
        for limit in &self.limits {
            let weight = limit.weight.keep(limit.line.active);
            hessian[limit.dof][limit.dof] = hessian[limit.dof][limit.dof] + limit.sign * (limit.sign * weight);
        }
        for contact in &self.contacts {
            if T::LEGS.len() == 1 || contact.leg == 0 {
                add_squares::<T, V, N, W, 0>(contact, hessian, live);
            } else {
                add_squares::<T, V, N, W, 1>(contact, hessian, live);
            }
        }
        for Single { leg, jacobian, weight, line } in &self.singles {
            let (weight, dofs) = (weight.keep(line.active), &T::LEGS[*leg]);
            for (at, i) in dofs.iter().enumerate() {
                let scaled = jacobian[at] * weight;
                for (k, value) in dofs.iter().zip(jacobian).take(at + 1) {
                    hessian[*i][*k] = hessian[*i][*k] + *value * scaled;
                }
            }
        }
        each!(I < N, {
            for &k in T::ABOVE[I] {
                hessian[I][k] = hessian[I][k] + mass[I][k];
            }
            hessian[I][I] = hessian[I][I] + mass[I][I];
        });
        each!(J < N, {
            let row = hessian[J];
            let square = if J > 0 { row[J] - dot_first(&row, &row, J) } else { row[J] };
            let is_lost = square.lt(V::all(TINY));
            let diagonal = V::select(is_lost, V::all(TINY), square).sqrt();
            hessian[J][J] = diagonal;
            let by = V::all(1.0) / diagonal;
            for i in J + 1..N {
                let value = if J > 0 { hessian[i][J] - dot_first(&hessian[i], &row, J) } else { hessian[i][J] };
                hessian[i][J] = value * by;
            }
            if tables.dialect.clears_columns && V::any(is_lost) {
                for i in J + 1..N {
                    hessian[i][J] = V::select(is_lost, V::all(0.0), hessian[i][J]);
                }
            }
        });
    }
}

impl<V: Float64Lanes, const W: usize> CostAlong<V> for Rows<V, W> {
    #[inline(always)]
    fn cost_along(&self, masses: &[V; 3], length: V, dialect: &Dialect) -> [V; 3] {
        let counts_from_start = dialect.counts_from_start;
        let (none, two) = (V::all(0.0), V::all(2.0));
        let mut along = Along { length, sums: *masses, gained: none };
        for limit in &self.limits {
            along.add(&limit.line, counts_from_start, false);
        }
        for contact in &self.contacts {
            each_row!(contact, |ROW, is_twice| { along.add(&contact.lines[ROW], counts_from_start, is_twice) });
        }
        for single in &self.singles {
            along.add(&single.line, counts_from_start, false);
        }
        let Along { sums: [constant, linear, square], gained, .. } = along;
        let cost = length * length * square + length * linear + constant;
        let cost = if counts_from_start { gained + cost } else { cost };
        let slope = two * length * square + linear;
        let bend = two * square;
        [cost, slope, V::select(bend.le(none), V::all(TINY), bend)]
    }
}

#[inline(always)]
fn add_forces<T: Tree<N, W>, V: Float64Lanes, const N: usize, const W: usize, const LEG: usize>(
    contact: &Contact<V, W>,
    forces: &mut [V; N],
) {
    each_row!(contact, |ROW, is_twice| {
        let (line, row) = (&contact.lines[ROW], &contact.jacobian[ROW]);
        let force = line.force(contact.weight);
        each!(K < W, {
            let sum = &mut forces[T::LEGS[LEG][K]];
            let part = row[K] * force;
            *sum = *sum + part;
            if is_twice {
                *sum = *sum + part;
            }
        });
    });
}

#[inline(always)]
fn add_squares<T: Tree<N, W>, V: Float64Lanes, const N: usize, const W: usize, const LEG: usize>(
    contact: &Contact<V, W>,
    hessian: &mut Matrix<V, N>,
    live: u32,
) {
    each_row!(contact, |ROW, is_twice| {
        let (line, row) = (&contact.lines[ROW], &contact.jacobian[ROW]);
        if V::bits(line.active) & live != 0 {
            let weight = contact.weight.keep(line.active);
            each!(I < W, {
                let scaled = row[I] * weight;
                for k in 0..=I {
                    let sum = &mut hessian[T::LEGS[LEG][I]][T::LEGS[LEG][k]];
                    let part = row[k] * scaled;
                    *sum = *sum + part;
                    if is_twice {
                        *sum = *sum + part;
                    }
                }
            });
        }
    });
}

/// Solves with a Cholesky factor, as `mju_cholSolve`. The back substitution runs by unknowns or by columns.
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

/// Primal problem of a planar robot.
struct Whole<'a, V: Float64Lanes, T, const N: usize, const W: usize> {
    tables: &'a Tables,
    mass: &'a Matrix<V, N>,
    factor: &'a Matrix<V, N>,
    inverse: &'a [V; N],
    rows: &'a mut Rows<V, W>,
    tree: PhantomData<T>,
}

impl<V: Float64Lanes, T, const N: usize, const W: usize> CostAlong<V> for Whole<'_, V, T, N, W> {
    #[inline(always)]
    fn cost_along(&self, masses: &[V; 3], length: V, dialect: &Dialect) -> [V; 3] {
        self.rows.cost_along(masses, length, dialect)
    }
}

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> Problem<V, N> for Whole<'_, V, T, N, W> {
    #[inline(always)]
    fn lanes(&self) -> u32 {
        self.rows.lanes
    }

    #[inline(always)]
    fn scale(&self) -> V {
        scale(self.tables, self.mass)
    }

    #[inline(always)]
    fn times_mass(&self, v: &[V; N]) -> [V; N] {
        times::<T, V, N, W>(self.mass, v)
    }

    #[inline(always)]
    fn solve_mass(&self, x: &mut [V; N]) {
        solve::<T, V, N, W>(self.factor, self.inverse, x);
    }

    #[inline(always)]
    fn dot(a: &[V; N], b: &[V; N]) -> V {
        dot(a, b)
    }

    #[inline(always)]
    fn exceed(&mut self, accelerations: &[V; N]) {
        self.rows.exceed::<T, N>(accelerations);
    }

    #[inline(always)]
    fn exceed_anew(&mut self, accelerations: &[V; N]) {
        self.rows.remember();
        self.rows.exceed::<T, N>(accelerations);
    }

    #[inline(always)]
    fn recall(&mut self, but: V::Mask) {
        self.rows.recall(but);
    }

    #[inline(always)]
    fn cost(&mut self) -> V {
        self.rows.cost()
    }

    #[inline(always)]
    fn forces(&self) -> [V; N] {
        self.rows.forces::<T, N>()
    }

    #[inline(always)]
    fn hessian(&self, factor: &mut [[V; N]; N], live: u32) {
        self.rows.hessian::<T, N>(self.tables, self.mass, factor, live);
    }

    #[inline(always)]
    fn update_factor(&mut self, factor: &mut [[V; N]; N], live: u32, counts: &mut Counts) {
        update_factor::<V, T, N, W>(self.tables, self.rows, self.mass, factor, live, counts);
    }

    #[inline(always)]
    fn solved(&self, factor: &[[V; N]; N], gradient: &[V; N], _live: u32) -> [V; N] {
        solved(factor, gradient, self.tables.dialect.solves_by_columns)
    }

    #[inline(always)]
    fn look_along(&mut self, direction: &[V; N]) {
        let (rows, from_start) = (&mut *self.rows, self.tables.dialect.counts_from_start);
        for limit in &mut rows.limits {
            limit.line.turn(limit.sign * direction[limit.dof], limit.weight, from_start);
        }
        for contact in &mut rows.contacts {
            each_row!(contact, |ROW, _is_twice| {
                let step = dot_leg::<T, V, N, W>(contact.leg, &contact.jacobian[ROW], direction);
                contact.lines[ROW].turn(step, contact.weight, from_start);
            });
        }
        for Single { leg, jacobian, weight, line } in &mut rows.singles {
            line.turn(dot_leg::<T, V, N, W>(*leg, jacobian, direction), *weight, from_start);
        }
    }

    #[inline(always)]
    fn go(&mut self, length: V) {
        self.rows.go(length);
    }
}

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> Work for Newton<'_, '_, V, T, N, W> {
    /// Lanes in which MuJoCo warns, as bits; they have to fall back to MuJoCo.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(plane, step, tree) = self;
        let tables = step.tables;
        let (smooth, applied, warm): ([V; N], [V; N], [V; N]) = (plane.smooth, plane.forces, first(step.warm));
        let (mass, factor, inverse) = (&plane.mass, &plane.factor, &plane.inverse);
        let mut problem = Whole { tables, mass, factor, inverse, rows: &mut plane.rows, tree };
        let beginning = Beginning { applied: &applied, warm: &warm, smooth: &smooth, is_begun: false };
        let (result, forces, alarms) = minimized(&mut problem, tables, beginning, step.counts);
        let lanes = V::mask(plane.rows.lanes);
        for i in 0..N {
            step.accelerations[i] = V::select(lanes, result[i], smooth[i]);
            step.constraint_forces[i] = forces[i].keep(lanes);
        }
        alarms
    }
}

/// Returns the cost scale: `1 / (meaninertia * nv)`, or the reciprocal trace of the inertia matrix.
#[inline(always)]
fn scale<V: Float64Lanes, const N: usize>(tables: &Tables, mass: &Matrix<V, N>) -> V {
    if !tables.has_islands && !tables.dialect.measures_by_trace {
        return V::all(1.0 / (tables.mean_inertia * N as f64));
    }
    let mut sum = V::all(0.0);
    for dof in 0..N {
        sum = sum + mass[dof][dof];
    }
    V::all(1.0) / sum
}

/// Updates the factored Hessian for rows that became active or inactive, as `HessianIncremental`: each lane with its own next
/// row.
#[inline(always)]
fn update_factor<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize>(
    tables: &Tables,
    rows: &mut Rows<V, W>,
    mass: &Matrix<V, N>,
    factor: &mut Matrix<V, N>,
    live: u32,
    counts: &mut Counts,
) {
    let Rows { limits, contacts, singles, changed, .. } = rows;
    changed.iter_mut().for_each(Vec::clear);
    let mut note = |line: &Line<V>, number: Number| {
        let mut left = live & V::bits(V::differ(line.was_active, line.active));
        while left != 0 {
            changed[left.trailing_zeros() as usize].push(number);
            left &= left - 1;
        }
    };
    for (at, limit) in limits.iter().enumerate() {
        note(&limit.line, Number::Limit(at as u16));
    }
    for (at, contact) in contacts.iter().enumerate() {
        for row in [0, 1, 2, if contact.is_twin { 2 } else { 3 }] {
            note(&contact.lines[row], Number::Contact(at as u16, row as u16));
        }
    }
    for (at, single) in singles.iter().enumerate() {
        note(&single.line, Number::Single(at as u16));
    }
    let (mut lost, mut next) = (0, 0);
    loop {
        let (mut lanes, mut adds, mut weight, mut x) = (0, V::mask(0), V::all(0.0), [V::all(0.0); N]);
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
                Number::Limit(at) => {
                    let limit = &limits[usize::from(at)];
                    weight = V::select(own, limit.weight, weight);
                    x[limit.dof] = V::select(own, limit.sign, x[limit.dof]);
                    &limit.line
                }
                Number::Contact(at, row) => {
                    let contact = &contacts[usize::from(at)];
                    weight = V::select(own, contact.weight, weight);
                    let row = usize::from(row);
                    let leg = if T::LEGS.len() == 1 { 0 } else { contact.leg };
                    each!(K < W, {
                        let to = &mut x[T::LEGS[leg][K]];
                        *to = V::select(own, contact.jacobian[row][K], *to);
                    });
                    &contact.lines[row]
                }
                Number::Single(at) => {
                    let single = &singles[usize::from(at)];
                    weight = V::select(own, single.weight, weight);
                    for (dof, value) in T::LEGS[single.leg].iter().zip(&single.jacobian) {
                        x[*dof] = V::select(own, *value, x[*dof]);
                    }
                    &single.line
                }
            };
            adds = V::either(adds, V::both(own, line.active));
        }
        if lanes == 0 {
            break;
        }
        counts.updates[0] += u64::from(u32::count_ones(lanes));
        let root = weight.sqrt();
        for part in &mut x {
            *part = *part * root;
        }
        lost |= update(factor, x, V::mask(lanes), adds);
        next += 1;
    }
    if lost != 0 {
        counts.updates[1] += u64::from(lost.count_ones());
        let mut anew = [[V::all(0.0); N]; N];
        rows.hessian::<T, N>(tables, mass, &mut anew, lost);
        let lanes = V::mask(lost);
        for i in 0..N {
            for k in 0..=i {
                factor[i][k] = V::select(lanes, anew[i][k], factor[i][k]);
            }
        }
    }
}
