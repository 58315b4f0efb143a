//! Line search of the Newton solver along a direction (`PrimalSearch`), in all lanes at once.

use super::super::algebra::MJMINVAL;
use super::super::dialect::Dialect;
use super::super::line_search::{LineSearch, PrimalPnt, Request};
use super::super::rows::Constraints;
use super::super::tables::NativeModel;
use super::SolverStats;
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// Cost along a search line, as a function of the step length.
pub(in crate::native) trait CostAlong<V> {
    /// Returns the cost at a step length, and the cost's first two derivatives, as `PrimalEval` does.
    ///
    /// If `dialect.relative_cost` is set, costs are relative to the cost at the start of the line. A row that is active at
    /// the start of the line then has the constant coefficient 0, and entry 3 of the row's `quad` is the row's cost at the
    /// start of the line. This cost is subtracted at step lengths at which the row is inactive.
    fn cost_along(&self, masses: &[V; 3], length: V, dialect: &Dialect) -> [V; 3];
}

impl<V: Float64Lanes> CostAlong<V> for Constraints<V> {
    #[inline(always)]
    fn cost_along(&self, masses: &[V; 3], length: V, dialect: &Dialect) -> [V; 3] {
        if self.is_mixed() {
            return V::enter(PrimalEval { rows: self, masses, length, dialect });
        }
        let counts_from_start = dialect.relative_cost;
        let (none, two) = (V::splat(0.0), V::splat(2.0));
        let [mut constant, mut linear, mut square] = *masses;
        let mut gained = none;
        let count = self.nefc;
        let [constants, linears, squares, at_start] = &self.quad;
        let (constants, linears) = (&constants[..count], &linears[..count]);
        let (squares, at_start) = (&squares[..count], &at_start[..count]);
        let (jaref, jv) = (&self.jaref[..count], &self.jv[..count]);
        for row in 0..count {
            let is_active = match row < self.ne {
                true => V::mask(V::ALL),
                false => (jaref[row] + length * jv[row]).lt(none),
            };
            constant = constant + constants[row].select_or_zero(is_active);
            linear = linear + linears[row].select_or_zero(is_active);
            square = square + squares[row].select_or_zero(is_active);
            if counts_from_start {
                gained = gained - V::select(is_active, none, at_start[row]);
            }
        }
        let cost = length * length * square + length * linear + constant;
        let cost = if counts_from_start { gained + cost } else { cost };
        let slope = two * length * square + linear;
        let bend = two * square;
        [cost, slope, V::select(bend.le(none), V::splat(MJMINVAL), bend)]
    }
}

/// SIMD kernel of [`CostAlong`] for rows that include friction loss or elliptic cones.
struct PrimalEval<'a, V: Float64Lanes> {
    rows: &'a Constraints<V>,
    masses: &'a [V; 3],
    length: V,
    dialect: &'a Dialect,
}

impl<V: Float64Lanes> SimdKernel for PrimalEval<'_, V> {
    type Output = [V; 3];

    #[inline(always)]
    fn run(self) -> [V; 3] {
        self.rows.primal_eval(self.masses, self.length, self.dialect)
    }
}

/// SIMD kernel that searches along a direction, as `PrimalSearch` does.
pub(super) struct PrimalSearch<'a, V: Float64Lanes, R> {
    pub(super) tables: &'a NativeModel,
    pub(super) rows: &'a R,
    pub(super) masses: [V; 3],
    pub(super) tolerance: V,
    pub(super) lanes: V::Mask,
    pub(super) stats: &'a mut SolverStats,
}

impl<V: Float64Lanes, R: CostAlong<V>> SimdKernel for PrimalSearch<'_, V, R> {
    /// The kernel's output has the step length, the improvement of the cost, and a bit mask of the lanes in which MuJoCo would warn.
    type Output = (V, V, u32);

    #[inline(always)]
    fn run(self) -> (V, V, u32) {
        let Self { tables, rows, masses, tolerance, lanes, stats } = self;
        let none = V::splat(0.0);
        let dialect = &tables.dialect;
        // If the cost's second derivative is not positive, MuJoCo warns and replaces it with `mjMINVAL`.
        let flat = V::splat(MJMINVAL);
        let [start_cost, start_slope, start_bend] = rows.cost_along(&masses, none, dialect);
        let first = none - start_slope / start_bend;
        let [cost, slope, bend] = rows.cost_along(&masses, first, dialect);
        let is_flat = |bend: V| V::bits(V::mask_and(bend.le(flat), flat.le(bend)));
        let mut warned = V::bits(lanes) & (is_flat(start_bend) | is_flat(bend));
        let mut is_found = slope.abs().lt(tolerance);
        if dialect.relative_cost {
            is_found = V::mask_and(is_found, V::mask_or(cost.lt(none), V::mask_and(first.le(none), none.le(first))));
        }
        let left = V::bits(lanes) & !V::bits(is_found);
        if left == 0 {
            return (first, -cost, warned);
        }
        stats.searches += u64::from(left.count_ones());
        let mut searches = [LineSearch::default(); 8];
        let (mut lengths, mut gained) = ([0.0; 8], [0.0; 8]);
        let mut pending = 0;
        for lane in 0..V::COUNT {
            lengths[lane] = first.get(lane);
            gained[lane] = -cost.get(lane);
            if left >> lane & 1 == 0 {
                continue;
            }
            let start =
                PrimalPnt { alpha: 0.0, cost: start_cost.get(lane), deriv0: start_slope.get(lane), deriv1: start_bend.get(lane) };
            let step =
                PrimalPnt { alpha: first.get(lane), cost: cost.get(lane), deriv0: slope.get(lane), deriv1: bend.get(lane) };
            match searches[lane].begin([start, step], tolerance.get(lane), tables.ls_iterations, dialect.relative_cost) {
                Request::Eval(at) => {
                    lengths[lane] = at;
                    pending |= 1 << lane;
                }
                Request::Done(point) => (lengths[lane], gained[lane]) = (point.alpha, -point.cost),
            }
        }
        while pending != 0 {
            let asked = V::from_fn(|lane| lengths[lane]);
            let [cost, slope, bend] = rows.cost_along(&masses, asked, dialect);
            warned |= pending & is_flat(bend);
            for lane in 0..V::COUNT {
                if pending >> lane & 1 == 0 {
                    continue;
                }
                let point =
                    PrimalPnt { alpha: lengths[lane], cost: cost.get(lane), deriv0: slope.get(lane), deriv1: bend.get(lane) };
                match searches[lane].resume(point) {
                    Request::Eval(at) => lengths[lane] = at,
                    Request::Done(point) => {
                        (lengths[lane], gained[lane]) = (point.alpha, -point.cost);
                        pending &= !(1 << lane);
                    }
                }
            }
        }
        (V::from_fn(|lane| lengths[lane]), V::from_fn(|lane| gained[lane]), warned)
    }
}
