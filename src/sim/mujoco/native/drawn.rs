//! The projected Gauss-Seidel method as the library has it from 3.9 on: rows in an order that is drawn anew for each sweep. Lanes with
//! different numbers of rows have different orders, so that each is swept by itself; side by side are the rows that act on one.

// Loops over parts of vectors are written out: see `algebra`.

use super::tables::Tables;

/// Two costs are equal if they differ by at most this much.
pub(super) const GROWTH: f64 = 1e-10;

/// PCG-XSH-RR with 32 bits, on the library's one stream.
struct Generator(u64);

impl Generator {
    const INCREMENT: u64 = 1;

    /// As each solve begins with it.
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

/// The orders in which so many rows are taken, sweep by sweep.
struct Orders {
    generator: Generator,
    /// Those that were drawn, one behind the other.
    drawn: Vec<u8>,
}

impl Orders {
    /// Draws them up to this one.
    fn draw(&mut self, rows: usize, number: usize) {
        while self.drawn.len() < rows * (number + 1) {
            let start = self.drawn.len();
            if start == 0 {
                self.drawn.extend(0..rows as u8);
            } else {
                self.drawn.extend_from_within(start - rows..);
            }
            // Each order is shuffled from the one before it.
            let order = &mut self.drawn[start..];
            for last in (1..rows).rev() {
                let other = self.generator.next() % (last as u32 + 1);
                order.swap(last, other as usize);
            }
        }
    }
}

/// A lane's problem, and how far it is solved.
#[derive(Default)]
pub(super) struct Problem {
    /// What a force along one row does along another, row by row.
    pub(super) coupling: Vec<f64>,
    pub(super) bias: Vec<f64>,
    pub(super) force: Vec<f64>,
    /// One by the diagonal of the coupling, and one by that.
    pub(super) inverse: Vec<f64>,
    pub(super) diagonal: Vec<f64>,
    /// What costs are measured in.
    pub(super) scale: f64,
    /// Forces before the last sweep, and where momentum has carried them.
    before: Vec<f64>,
    carried: Vec<f64>,
    /// Sweeps since momentum was last lost.
    age: i32,
    improvement: f64,
}

/// The dense dot product. It goes through no closure, nor does what calls it: see `algebra`.
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

impl Problem {
    /// Begins a problem of so many rows.
    pub(super) fn begin(&mut self, rows: usize, scale: f64) {
        self.coupling.resize(rows * rows, 0.0);
        let values =
            [&mut self.bias, &mut self.force, &mut self.inverse, &mut self.diagonal, &mut self.before, &mut self.carried];
        for values in values {
            values.resize(rows, 0.0);
        }
        (self.scale, self.age) = (scale, 0);
    }

    /// Forces go on as they went.
    #[inline(always)]
    fn carry_on(&mut self, is_first: bool) {
        let rows = self.force.len();
        let share = if is_first { 0.0 } else { f64::from(self.age - 1) / f64::from(self.age + 2) };
        let (force, before, carried) = (&mut self.force[..], &mut self.before[..rows], &mut self.carried[..rows]);
        for row in 0..rows {
            let old = force[row];
            if share > 0.0 {
                let new = old + share * (old - before[row]);
                force[row] = if new < 0.0 { 0.0 } else { new };
            }
            before[row] = old;
            carried[row] = force[row];
        }
    }

    /// The best force along a row, the others being what they are.
    #[inline(always)]
    fn visit(&mut self, row: usize) {
        let rows = self.force.len();
        let rest = self.bias[row] + dot(&self.coupling[row * rows..][..rows], &self.force);
        let old = self.force[row];
        let mut new = old - rest * self.inverse[row];
        if new < 0.0 {
            new = 0.0;
        }
        let change = new - old;
        let mut cost = 0.5 * change * change * self.diagonal[row] + change * rest;
        if cost > GROWTH {
            (new, cost) = (old, 0.0);
        }
        self.improvement -= cost;
        self.force[row] = new;
    }

    /// Momentum is lost where a sweep went against it.
    #[inline(always)]
    fn remember(&mut self, is_first: bool) {
        let rows = self.force.len();
        let (force, before, carried) = (&self.force[..], &self.before[..rows], &self.carried[..rows]);
        let mut agreement = 0.0;
        for row in 0..rows {
            agreement += (force[row] - carried[row]) * (carried[row] - before[row]);
        }
        self.age = if !is_first && agreement < 0.0 { 0 } else { self.age + 1 };
    }
}

/// The problems of all lanes, and the orders of all numbers of rows.
#[derive(Default)]
pub(super) struct Drawn {
    orders: Vec<Orders>,
    pub(super) problems: [Problem; 8],
}

impl Drawn {
    /// Goes from row to row until forces hardly change any more, in these lanes. Each row has to wait for the one before it, but not for
    /// another lane's: lanes take turns.
    #[inline(always)]
    pub(super) fn sweep(&mut self, tables: &Tables, mut lanes: u32) {
        let Self { orders, problems } = self;
        let keeps_momentum = tables.dialect.keeps_momentum;
        for iteration in 0..tables.iterations {
            let (mut most, mut left) = (0, lanes);
            while left != 0 {
                let problem = &mut problems[left.trailing_zeros() as usize & 7];
                left &= left - 1;
                problem.improvement = 0.0;
                if keeps_momentum {
                    problem.carry_on(iteration == 0);
                }
                let rows = problem.force.len();
                most = most.max(rows);
                while orders.len() <= rows {
                    orders.push(Orders { generator: Generator::new(), drawn: Vec::new() });
                }
                orders[rows].draw(rows, iteration);
            }
            for turn in 0..most {
                let mut left = lanes;
                while left != 0 {
                    let problem = &mut problems[left.trailing_zeros() as usize & 7];
                    left &= left - 1;
                    let rows = problem.force.len();
                    if turn < rows {
                        problem.visit(usize::from(orders[rows].drawn[rows * iteration + turn]));
                    }
                }
            }
            let mut left = lanes;
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                let problem = &mut problems[lane as usize & 7];
                if keeps_momentum {
                    problem.remember(iteration == 0);
                }
                if problem.improvement * problem.scale < tables.tolerance {
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
        Orders { generator: Generator::new(), drawn: Vec::new() }
    }

    #[test]
    fn each_sweep_takes_each_row_once_in_another_order() {
        for rows in [1, 2, 7, 83, 128] {
            let mut orders = orders();
            orders.draw(rows, 49);
            let mut all: Vec<_> = orders.drawn.chunks(rows).map(<[u8]>::to_vec).collect();
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
    fn orders_do_not_depend_on_which_sweep_is_asked_for_first() {
        let (mut forwards, mut at_once) = (orders(), orders());
        at_once.draw(9, 20);
        for number in [0, 3, 3, 20, 7] {
            forwards.draw(9, number);
        }
        assert_eq!(forwards.drawn, at_once.drawn);
    }

    #[test]
    fn dots_go_by_blocks_of_four_with_the_rest_added_at_once() {
        let (big, small) = (1e16, 1.0);
        // By blocks, the first four sums are (big - big) + (1 + 1); the rest, 1 + 1, comes to them as one number.
        let ones = [1.0; 6];
        assert_eq!(dot(&[big, small, -big, small, small, small], &ones), 4.0);
        assert_eq!(dot(&[big, small, small], &ones[..3]), big + small + small);
        assert_eq!(dot(&[], &[]), 0.0);
    }
}
