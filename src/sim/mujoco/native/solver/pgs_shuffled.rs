//! `mj_solPGS` of MuJoCo 3.16 and later, in which each sweep visits the constraint rows in a shuffled order (`shuffle_int`).
//!
//! Lanes with different row counts have different orders, so each lane is solved separately. A SIMD vector holds adjacent
//! columns of one row of `efc_AR`.

// The loops of this module use no closures, for the reason that the module `mju` gives.

use crate::native::model::NativeModel;

/// Largest accepted increase of the cost when the force of one row is updated.
pub(in crate::native) const MAX_COST_GROWTH: f64 = 1e-10;

/// PCG-XSH-RR random number generator with 32-bit output, on the stream that MuJoCo uses to shuffle rows.
struct Pcg32(u64);

impl Pcg32 {
    const INCREMENT: u64 = 1;

    /// Creates the generator in the state that MuJoCo gives it at the start of each solve.
    fn new() -> Self {
        let mut generator = Self(0);
        generator.next();
        generator
    }

    fn next(&mut self) -> u32 {
        let old = self.0;
        self.0 = old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(Self::INCREMENT);
        ((((old >> 18) ^ old) >> 27) as u32).rotate_right((old >> 59) as u32)
    }
}

/// Shuffled row orders for the sweeps of a solve with a given number of rows.
struct Orders {
    generator: Pcg32,
    /// Generated orders, concatenated. Each order has one entry per row.
    generated: Vec<u8>,
}

impl Orders {
    /// Generates shuffled row orders until the order for the sweep with the index `number` exists.
    fn generate(&mut self, rows: usize, number: usize) {
        while self.generated.len() < rows * (number + 1) {
            let start = self.generated.len();
            if start == 0 {
                self.generated.extend(0..rows as u8);
            } else {
                self.generated.extend_from_within(start - rows..);
            }
            // As in MuJoCo, each order is a shuffle of the previous one.
            let order = &mut self.generated[start..];
            for last in (1..rows).rev() {
                let other = self.generator.next() % (last as u32 + 1);
                order.swap(last, other as usize);
            }
        }
    }
}

/// PGS problem of one lane: `efc_AR`, `efc_b` and the current forces.
#[derive(Default)]
pub(in crate::native) struct LanePgs {
    /// Matrix of the dual problem (`efc_AR`), row by row.
    pub(in crate::native) efc_ar: Vec<f64>,
    pub(in crate::native) efc_b: Vec<f64>,
    pub(in crate::native) efc_force: Vec<f64>,
    /// Reciprocal of the diagonal of `efc_AR` (`ARdiaginv` in MuJoCo).
    pub(in crate::native) ar_inv: Vec<f64>,
    /// Diagonal of `efc_AR`: the reciprocal of `ar_inv`.
    pub(in crate::native) ar_diag: Vec<f64>,
    /// Factor by which the change of the cost is multiplied before it is compared with the tolerance.
    pub(in crate::native) scale: f64,
    /// Constraint forces before the last PGS iteration.
    force_prev: Vec<f64>,
    /// Constraint forces after extrapolation by Nesterov momentum.
    force_momentum: Vec<f64>,
    /// Number of PGS iterations since the Nesterov momentum was last reset.
    nesterov_k: i32,
    improvement: f64,
}

/// Returns the dense dot product of two vectors, as `mju_dot` does. This function uses no closures, for the reason that the
/// module `mju` gives.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (blocks, rest) = a.as_chunks::<4>();
    let (others, other_rest) = b.as_chunks::<4>();
    let mut sum = 0.0;
    if !blocks.is_empty() {
        let mut sums = [0.0; 4];
        for part in 0..4 {
            sums[part] = blocks[0][part] * others[0][part];
        }
        for block in 1..blocks.len() {
            for part in 0..4 {
                sums[part] += blocks[block][part] * others[block][part];
            }
        }
        sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    }
    match rest.len() {
        1 => sum + rest[0] * other_rest[0],
        2 => sum + (rest[0] * other_rest[0] + rest[1] * other_rest[1]),
        3 => sum + (rest[0] * other_rest[0] + rest[1] * other_rest[1] + rest[2] * other_rest[2]),
        _ => sum,
    }
}

/// Returns the force and the change of the cost of a reverted update. The rare call is a branch: a selection would delay the next
/// update until the cost is known.
#[cold]
#[inline(never)]
fn reverted(old: f64) -> (f64, f64) {
    (old, 0.0)
}

impl LanePgs {
    /// Resizes the lane's PGS problem to `rows` constraint rows.
    pub(in crate::native) fn begin(&mut self, rows: usize, scale: f64) {
        self.efc_ar.resize(rows * rows, 0.0);
        let values = [
            &mut self.efc_b,
            &mut self.efc_force,
            &mut self.ar_inv,
            &mut self.ar_diag,
            &mut self.force_prev,
            &mut self.force_momentum,
        ];
        for values in values {
            values.resize(rows, 0.0);
        }
        (self.scale, self.nesterov_k) = (scale, 0);
    }

    /// Extrapolates the constraint forces by Nesterov momentum, before a sweep.
    #[inline(always)]
    fn extrapolate(&mut self, is_first: bool) {
        let rows = self.efc_force.len();
        let share = if is_first { 0.0 } else { f64::from(self.nesterov_k - 1) / f64::from(self.nesterov_k + 2) };
        let (force, force_prev, force_momentum) =
            (&mut self.efc_force[..], &mut self.force_prev[..rows], &mut self.force_momentum[..rows]);
        for row in 0..rows {
            let old = force[row];
            if share > 0.0 {
                let new = old + share * (old - force_prev[row]);
                force[row] = if new < 0.0 { 0.0 } else { new };
            }
            force_prev[row] = old;
            force_momentum[row] = force[row];
        }
    }

    /// Minimizes the cost over the force of one constraint row, while the forces of all other rows are fixed (`residual`,
    /// `costChange`).
    #[inline(always)]
    fn update_row(&mut self, row: usize) {
        let rows = self.efc_force.len();
        let rest = self.efc_b[row] + dot(&self.efc_ar[row * rows..][..rows], &self.efc_force);
        let old = self.efc_force[row];
        let mut new = old - rest * self.ar_inv[row];
        if new < 0.0 {
            new = 0.0;
        }
        let change = new - old;
        let mut cost = 0.5 * change * change * self.ar_diag[row] + change * rest;
        if cost > MAX_COST_GROWTH {
            (new, cost) = reverted(old);
        }
        self.improvement -= cost;
        self.efc_force[row] = new;
    }

    /// Restarts the momentum if the last sweep changed the forces in the direction opposite to the momentum.
    #[inline(always)]
    fn restart_check(&mut self, is_first: bool) {
        let rows = self.efc_force.len();
        let (force, force_prev, force_momentum) = (&self.efc_force[..], &self.force_prev[..rows], &self.force_momentum[..rows]);
        let mut agreement = 0.0;
        for row in 0..rows {
            agreement += (force[row] - force_momentum[row]) * (force_momentum[row] - force_prev[row]);
        }
        self.nesterov_k = if !is_first && agreement < 0.0 { 0 } else { self.nesterov_k + 1 };
    }
}

/// PGS problems of all lanes, with the shuffled row orders for each number of rows.
#[derive(Default)]
pub(in crate::native) struct ShuffledPgs {
    orders: Vec<Orders>,
    pub(in crate::native) problems: [LanePgs; 8],
}

impl ShuffledPgs {
    /// Sweeps over all constraint rows of the given lanes, and updates each row's force, until a sweep improves the cost by
    /// less than the tolerance.
    ///
    /// An update depends on the previous update of the same lane, but not on other lanes. Therefore updates of different
    /// lanes alternate.
    #[inline(always)]
    pub(in crate::native) fn sweep(&mut self, model: &NativeModel, mut lanes: u32) {
        let Self { orders, problems } = self;
        for iteration in 0..model.iterations {
            let (mut most, mut left) = (0, lanes);
            while left != 0 {
                let problem = &mut problems[left.trailing_zeros() as usize & 7];
                left &= left - 1;
                problem.improvement = 0.0;
                problem.extrapolate(iteration == 0);
                let rows = problem.efc_force.len();
                most = most.max(rows);
                while orders.len() <= rows {
                    orders.push(Orders { generator: Pcg32::new(), generated: Vec::new() });
                }
                orders[rows].generate(rows, iteration);
            }
            for turn in 0..most {
                let mut left = lanes;
                while left != 0 {
                    let problem = &mut problems[left.trailing_zeros() as usize & 7];
                    left &= left - 1;
                    let rows = problem.efc_force.len();
                    if turn < rows {
                        problem.update_row(usize::from(orders[rows].generated[rows * iteration + turn]));
                    }
                }
            }
            let mut left = lanes;
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                let problem = &mut problems[lane as usize & 7];
                problem.restart_check(iteration == 0);
                if problem.improvement * problem.scale < model.tolerance {
                    lanes &= !(1 << lane);
                }
            }
            if lanes == 0 {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders() -> Orders {
        Orders { generator: Pcg32::new(), generated: Vec::new() }
    }

    #[test]
    fn each_sweep_visits_each_row_once_in_a_new_order() {
        for rows in [1, 2, 7, 83, 128] {
            let mut orders = orders();
            orders.generate(rows, 49);
            let mut all: Vec<_> = orders.generated.chunks(rows).map(<[u8]>::to_vec).collect();
            assert_eq!(all.len(), 50);
            for order in &all {
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert!(sorted.iter().copied().eq(0..rows as u8), "{order:?}");
            }
            all.dedup();
            assert!(rows < 7 || all.len() == 50, "{rows} rows: {} orders", all.len());
        }
    }

    #[test]
    fn orders_do_not_depend_on_the_order_of_requests() {
        let (mut forwards, mut at_once) = (orders(), orders());
        at_once.generate(9, 20);
        for number in [0, 3, 3, 20, 7] {
            forwards.generate(9, number);
        }
        assert_eq!(forwards.generated, at_once.generated);
    }

    #[test]
    fn dot_products_add_blocks_of_four_and_then_the_remainder() {
        let (big, small) = (1e16, 1.0);
        // `mju_dot` adds the first four terms in a block of four: (big - big) + (1 + 1). The remaining two terms, 1 + 1, are
        // added as one number.
        let ones = [1.0; 6];
        assert_eq!(dot(&[big, small, -big, small, small, small], &ones), 4.0);
        assert_eq!(dot(&[big, small, small], &ones[..3]), big + small + small);
        assert_eq!(dot(&[], &[]), 0.0);
    }
}
