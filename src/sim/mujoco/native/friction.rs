//! `mj_constraintUpdate` and line search for rows that include friction loss or elliptic cones.

use super::algebra::TINY;
use super::cones::OnLine;
use super::dialect::Dialect;
use super::rows::Rows;
use envpool_rs_numeric::simd::Float64Lanes;

/// Returns the values of three consecutive rows.
#[inline(always)]
pub(super) fn three<V: Copy>(numbers: &[V], row: usize) -> [V; 3] {
    [numbers[row], numbers[row + 1], numbers[row + 2]]
}

impl<V: Float64Lanes> Rows<V> {
    /// Returns whether there are rows of friction loss or of elliptic cones.
    #[inline(always)]
    pub(super) fn is_mixed(&self) -> bool {
        !(self.rubs.is_empty() && self.cones.is_empty())
    }

    /// Computes states and forces of all rows, and returns their total cost, as `mj_constraintUpdate`.
    #[inline(always)]
    pub(super) fn mixed_cost(&mut self, dialect: &Dialect) -> V {
        let by_direction = dialect.slips_by_direction;
        let (none, half) = (V::all(0.0), V::all(0.5));
        let (mut cost, mut row, mut next) = (none, 0, 0);
        while row < self.count {
            let (excess, weight) = (self.excess[row], self.weight[row]);
            if next < self.cones.len() && self.cones[next].row == row {
                let [excess, weights] = [three(&self.excess, row), three(&self.weight, row)];
                let (sum, forces, bottom) = self.cones[next].state(cost, excess, weights, by_direction);
                cost = sum;
                for axis in 0..3 {
                    self.forces[row + axis] = forces[axis];
                    self.active[row + axis] = bottom;
                }
                (row, next) = (row + 3, next + 1);
                continue;
            }
            if row >= self.equal && row - self.equal < self.rubs.len() {
                let (own, force, holds) = self.rubs[row - self.equal].state(excess, weight);
                cost = cost + own;
                (self.forces[row], self.active[row]) = (force, holds);
            } else {
                let is_active = if row < self.equal { V::mask(V::ALL) } else { excess.lt(none) };
                cost = cost + (half * weight * excess * excess).keep(is_active);
                (self.forces[row], self.active[row]) = ((-weight * excess).keep(is_active), is_active);
            }
            row += 1;
        }
        cost
    }

    /// Prepares the line search of elliptic cones; that of single rows has been prepared.
    #[inline(always)]
    pub(super) fn look_along_cones(&mut self) {
        for cone in &mut self.cones {
            let row = cone.row;
            let powers = cone.look_along(three(&self.excess, row), three(&self.change, row), three(&self.weight, row));
            for (costs, power) in self.costs.iter_mut().zip(powers) {
                costs[row] = power;
            }
        }
    }

    /// Returns the cost at a step length, and its two derivatives, as `PrimalEval`.
    #[inline(always)]
    pub(super) fn mixed_cost_along(&self, masses: &[V; 3], length: V, dialect: &Dialect) -> [V; 3] {
        let (none, two, from_start) = (V::all(0.0), V::all(2.0), dialect.counts_from_start);
        let [mut constant, mut linear, mut square] = *masses;
        let [mut beside, mut slope, mut bend] = [none; 3];
        let [constants, linears, squares, at_start] = &self.costs;
        let (mut row, mut next) = (0, 0);
        while row < self.count {
            let powers = [constants[row], linears[row], squares[row]];
            if next < self.cones.len() && self.cones[next].row == row {
                let cone = &self.cones[next];
                let (bottom, costs) = cone.cost_along(length, dialect.slips_by_direction);
                if from_start {
                    beside = beside + cone.gained(length, powers, dialect);
                    slope = slope + V::select(bottom, two * length * powers[2] + powers[1], costs[1]);
                    bend = bend + V::select(bottom, two * powers[2], costs[2]);
                } else {
                    constant = constant + powers[0].keep(bottom);
                    linear = linear + powers[1].keep(bottom);
                    square = square + powers[2].keep(bottom);
                    beside = beside + costs[0];
                    slope = slope + costs[1];
                    bend = bend + costs[2];
                }
                (row, next) = (row + 3, next + 1);
                continue;
            }
            let (start, change, weight) = (self.excess[row], self.change[row], self.weight[row]);
            if row >= self.equal && row - self.equal < self.rubs.len() {
                let (rub, line) = (&self.rubs[row - self.equal], OnLine { length, start, change, weight });
                if from_start {
                    let [cost, tilt, bent] = rub.gained(&line);
                    beside = beside + cost;
                    slope = slope + tilt;
                    bend = bend + bent;
                } else {
                    let powers = rub.powers(&line, powers);
                    constant = constant + powers[0];
                    linear = linear + powers[1];
                    square = square + powers[2];
                }
            } else {
                let is_active = if row < self.equal { V::mask(V::ALL) } else { (start + length * change).lt(none) };
                constant = constant + powers[0].keep(is_active);
                linear = linear + powers[1].keep(is_active);
                square = square + powers[2].keep(is_active);
                if from_start {
                    beside = beside - V::select(is_active, none, at_start[row]);
                }
            }
            row += 1;
        }
        let cost = beside + (length * length * square + length * linear + constant);
        let slope = slope + (two * length * square + linear);
        let bend = bend + two * square;
        [cost, slope, V::select(bend.le(none), V::all(TINY), bend)]
    }

    /// Adds the number of lanes in each zone: cones in the top, middle and bottom zone, then friction loss at its lower bound, at
    /// its upper bound and in between.
    #[inline(always)]
    pub(super) fn count_zones(&self, zones: &mut [u64; 6]) {
        let count = |lanes: u32| u64::from((lanes & self.lanes).count_ones());
        for cone in &self.cones {
            let (lanes, middle, bottom) = (self.bound[cone.row].1, V::bits(cone.middle), V::bits(self.active[cone.row]));
            zones[0] += count(lanes & !middle & !bottom);
            zones[1] += count(lanes & middle);
            zones[2] += count(lanes & bottom);
        }
        for (at, rub) in self.rubs.iter().enumerate() {
            let [low, high] = rub.zones(self.excess[self.equal + at]);
            zones[3] += count(V::bits(low));
            zones[4] += count(V::bits(high));
            zones[5] += count(V::bits(self.active[self.equal + at]));
        }
    }
}
