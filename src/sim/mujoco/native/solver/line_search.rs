//! Line search of the Newton solver (`PrimalSearch`), as a state machine for each lane.
//!
//! The caller evaluates the cost at each step length that the search requests, and passes the result to [`LineSearch::resume`].

use crate::native::constraint::Constraints;
use crate::native::dialect::Dialect;
use crate::native::mju::MJMINVAL;
use crate::native::model::NativeModel;
use crate::native::outlined::outlined;
use crate::native::solver::newton::SolverStats;
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// Point of a line search: step length, and the first two derivatives of the cost at this step length (`PrimalPnt`).
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::native) struct PrimalPnt {
    /// Step length of the point (`alpha`).
    pub(in crate::native) alpha: f64,
    pub(in crate::native) cost: f64,
    /// First derivative of the cost by the step length (`deriv[0]`).
    pub(in crate::native) deriv0: f64,
    /// Second derivative of the cost by the step length (`deriv[1]`).
    pub(in crate::native) deriv1: f64,
}

impl PrimalPnt {
    /// Returns the step length to which a Newton step from this point leads.
    pub(in crate::native) fn next(&self) -> f64 {
        self.alpha - self.deriv0 / self.deriv1
    }
}

/// Request of a line search to its caller: evaluate the cost at another step length, or accept the result.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) enum Request {
    /// The caller must evaluate the cost at this step length (`PrimalEval`).
    Eval(f64),
    /// The search has ended with this point as its result.
    Done(PrimalPnt),
}

/// Stage of a line search, which determines how the next point is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    /// The search takes Newton steps in one direction until the cost's derivative changes its sign.
    #[default]
    OneSided,
    /// The search evaluates the first candidate inside the bracket: a Newton step from the last point.
    ByStep,
    /// The search evaluates the second candidate inside the bracket: its midpoint.
    Middle,
    /// The search evaluates a Newton step from the lower end of the bracket, which has just moved.
    BeyondFirst,
    /// The search evaluates a Newton step from the upper end of the bracket, which has just moved.
    BeyondSecond,
}

/// Line search of one lane, as a state machine.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::native) struct LineSearch {
    stage: Stage,
    evaluations: usize,
    ls_iterations: usize,
    tolerance: f64,
    /// Whether a one-sided search may end only at a point that decreases the cost.
    has_to_gain: bool,
    direction: f64,
    start: PrimalPnt,
    ends: [PrimalPnt; 2],
    beyond: [PrimalPnt; 2],
    middle: PrimalPnt,
    candidates: [PrimalPnt; 3],
    has_moved_first: bool,
}

impl LineSearch {
    /// Starts a search, given the points at step length 0 and after the first Newton step.
    pub(in crate::native) fn begin(
        &mut self,
        [start, first]: [PrimalPnt; 2],
        tolerance: f64,
        ls_iterations: usize,
        has_to_gain: bool,
    ) -> Request {
        *self = Self {
            evaluations: 2,
            ls_iterations,
            tolerance,
            has_to_gain,
            direction: if first.deriv0 < 0.0 { 1.0 } else { -1.0 },
            start,
            ends: [first, start],
            ..Self::default()
        };
        self.next_one_sided()
    }

    fn next_one_sided(&mut self) -> Request {
        let [first, _] = self.ends;
        if first.deriv0 * self.direction <= -self.tolerance && self.evaluations < self.ls_iterations {
            self.ends[1] = first;
            self.stage = Stage::OneSided;
            return Request::Eval(first.next());
        }
        if self.evaluations >= self.ls_iterations {
            return Request::Done(first);
        }
        self.beyond[1] = first;
        self.stage = Stage::ByStep;
        Request::Eval(first.next())
    }

    fn bracket(&mut self) -> Request {
        let [first, second] = self.ends;
        if self.evaluations < self.ls_iterations {
            self.stage = Stage::Middle;
            return Request::Eval(0.5 * (first.alpha + second.alpha));
        }
        Request::Done(if first.cost <= second.cost && first.cost < self.start.cost {
            first
        } else if second.cost <= first.cost && second.cost < self.start.cost {
            second
        } else {
            self.start
        })
    }

    /// Moves one end of the bracket to a candidate whose slope has the same sign and is smaller, as `updateBracket` does.
    /// Returns whether the end has moved.
    fn update_bracket(end: &mut PrimalPnt, candidates: &[PrimalPnt; 3]) -> bool {
        let mut has_moved = false;
        for candidate in candidates {
            let is_nearer = (end.deriv0 < 0.0 && candidate.deriv0 < 0.0 && end.deriv0 < candidate.deriv0)
                || (end.deriv0 > 0.0 && candidate.deriv0 > 0.0 && end.deriv0 > candidate.deriv0);
            if is_nearer {
                *end = *candidate;
                has_moved = true;
            }
        }
        has_moved
    }

    fn move_second(&mut self) -> Request {
        if Self::update_bracket(&mut self.ends[1], &self.candidates) {
            self.stage = Stage::BeyondSecond;
            return Request::Eval(self.ends[1].next());
        }
        if !self.has_moved_first {
            return Request::Done(self.middle);
        }
        self.bracket()
    }

    /// Passes to the search the point that it requested, and returns its next request.
    pub(in crate::native) fn resume(&mut self, point: PrimalPnt) -> Request {
        self.evaluations += 1;
        match self.stage {
            Stage::OneSided => {
                self.ends[0] = point;
                let is_level = point.deriv0.abs() < self.tolerance;
                if is_level && (!self.has_to_gain || point.cost < 0.0) { Request::Done(point) } else { self.next_one_sided() }
            }
            Stage::ByStep => {
                self.beyond[0] = point;
                self.bracket()
            }
            Stage::Middle => {
                self.middle = point;
                self.candidates = [self.beyond[0], self.beyond[1], point];
                let good = self.candidates.iter().filter(|candidate| candidate.deriv0.abs() < self.tolerance);
                let best = good.fold(None, |best: Option<&PrimalPnt>, point| match best {
                    Some(best) if point.cost < best.cost => Some(point),
                    best => best.or(Some(point)),
                });
                if let Some(best) = best {
                    return Request::Done(*best);
                }
                self.has_moved_first = Self::update_bracket(&mut self.ends[0], &self.candidates);
                if self.has_moved_first {
                    self.stage = Stage::BeyondFirst;
                    return Request::Eval(self.ends[0].next());
                }
                self.move_second()
            }
            Stage::BeyondFirst => {
                self.beyond[0] = point;
                self.move_second()
            }
            Stage::BeyondSecond => {
                self.beyond[1] = point;
                self.bracket()
            }
        }
    }
}

/// Cost along a search line, as a function of the step length.
pub(in crate::native) trait LineCost<V> {
    /// Returns the cost at a step length, relative to the line's start if `dialect.relative_cost` is set, and its first two
    /// derivatives, as `PrimalEval` does.
    fn primal_eval(&self, quad_gauss: &[V; 3], alpha: V, dialect: &Dialect) -> [V; 3];
}

impl<V: Float64Lanes> LineCost<V> for Constraints<V> {
    #[inline(always)]
    fn primal_eval(&self, quad_gauss: &[V; 3], alpha: V, dialect: &Dialect) -> [V; 3] {
        if self.is_mixed() {
            return primal_eval(self, quad_gauss, alpha, dialect);
        }
        let relative_cost = dialect.relative_cost;
        let (none, two) = (V::splat(0.0), V::splat(2.0));
        let [mut constant, mut linear, mut square] = *quad_gauss;
        let mut cost_dif = none;
        let count = self.nefc;
        let [constants, linears, squares, at_start] = &self.quad;
        let (constants, linears) = (&constants[..count], &linears[..count]);
        let (squares, at_start) = (&squares[..count], &at_start[..count]);
        let (jaref, jv) = (&self.jaref[..count], &self.jv[..count]);
        for row in 0..count {
            let is_active = match row < self.ne {
                true => V::mask(V::ALL),
                false => (jaref[row] + alpha * jv[row]).lt(none),
            };
            constant = constant + constants[row].select_or_zero(is_active);
            linear = linear + linears[row].select_or_zero(is_active);
            square = square + squares[row].select_or_zero(is_active);
            if relative_cost {
                cost_dif = cost_dif - V::select(is_active, none, at_start[row]);
            }
        }
        let cost = alpha * alpha * square + alpha * linear + constant;
        let cost = if relative_cost { cost_dif + cost } else { cost };
        let deriv0 = two * alpha * square + linear;
        let deriv1 = two * square;
        [cost, deriv0, V::select(deriv1.le(none), V::splat(MJMINVAL), deriv1)]
    }
}

outlined!(
    /// [`LineCost`] of rows that include friction loss or elliptic cones.
    fn primal_eval<V: Float64Lanes>(rows: &Constraints<V>, quad_gauss: &[V; 3], alpha: V, dialect: &Dialect) -> [V; 3] {
        rows.primal_eval(quad_gauss, alpha, dialect)
    }
);

/// SIMD kernel that searches along a direction, as `PrimalSearch` does.
pub(super) struct PrimalSearch<'a, V: Float64Lanes, R> {
    pub(super) model: &'a NativeModel,
    pub(super) rows: &'a R,
    pub(super) quad_gauss: [V; 3],
    pub(super) tolerance: V,
    pub(super) lanes: V::Mask,
    pub(super) stats: &'a mut SolverStats,
}

impl<V: Float64Lanes, R: LineCost<V>> SimdKernel for PrimalSearch<'_, V, R> {
    /// The kernel's output has the step length, the improvement of the cost, and a bit mask of the lanes in which MuJoCo would warn.
    type Output = (V, V, u32);

    #[inline(always)]
    fn run(self) -> (V, V, u32) {
        let Self { model, rows, quad_gauss, tolerance, lanes, stats } = self;
        let none = V::splat(0.0);
        let dialect = &model.dialect;
        // If the cost's second derivative is not positive, MuJoCo warns and replaces it with `mjMINVAL`.
        let flat = V::splat(MJMINVAL);
        let [start_cost, start_deriv0, start_deriv1] = rows.primal_eval(&quad_gauss, none, dialect);
        let first = none - start_deriv0 / start_deriv1;
        let [cost, deriv0, deriv1] = rows.primal_eval(&quad_gauss, first, dialect);
        let has_flat_deriv1 = |deriv1: V| V::bits(V::mask_and(deriv1.le(flat), flat.le(deriv1)));
        let mut warned = V::bits(lanes) & (has_flat_deriv1(start_deriv1) | has_flat_deriv1(deriv1));
        let mut is_found = deriv0.abs().lt(tolerance);
        if dialect.relative_cost {
            is_found = V::mask_and(is_found, V::mask_or(cost.lt(none), V::mask_and(first.le(none), none.le(first))));
        }
        let left = V::bits(lanes) & !V::bits(is_found);
        if left == 0 {
            return (first, -cost, warned);
        }
        stats.searches += u64::from(left.count_ones());
        let mut searches = [const { None }; 8];
        let (mut lengths, mut cost_dif) = ([0.0; 8], [0.0; 8]);
        let mut pending = 0;
        for lane in 0..V::COUNT {
            lengths[lane] = first.get(lane);
            cost_dif[lane] = -cost.get(lane);
            if left >> lane & 1 == 0 {
                continue;
            }
            let start = PrimalPnt {
                alpha: 0.0,
                cost: start_cost.get(lane),
                deriv0: start_deriv0.get(lane),
                deriv1: start_deriv1.get(lane),
            };
            let step =
                PrimalPnt { alpha: first.get(lane), cost: cost.get(lane), deriv0: deriv0.get(lane), deriv1: deriv1.get(lane) };
            let search = searches[lane].insert(LineSearch::default());
            match search.begin([start, step], tolerance.get(lane), model.ls_iterations, dialect.relative_cost) {
                Request::Eval(at) => {
                    lengths[lane] = at;
                    pending |= 1 << lane;
                }
                Request::Done(point) => (lengths[lane], cost_dif[lane]) = (point.alpha, -point.cost),
            }
        }
        while pending != 0 {
            let alpha = V::from_fn(|lane| lengths[lane]);
            let [cost, deriv0, deriv1] = rows.primal_eval(&quad_gauss, alpha, dialect);
            warned |= pending & has_flat_deriv1(deriv1);
            for lane in 0..V::COUNT {
                if pending >> lane & 1 == 0 {
                    continue;
                }
                let point =
                    PrimalPnt { alpha: lengths[lane], cost: cost.get(lane), deriv0: deriv0.get(lane), deriv1: deriv1.get(lane) };
                let search = searches[lane].as_mut().expect("it has begun");
                match search.resume(point) {
                    Request::Eval(at) => lengths[lane] = at,
                    Request::Done(point) => {
                        (lengths[lane], cost_dif[lane]) = (point.alpha, -point.cost);
                        pending &= !(1 << lane);
                    }
                }
            }
        }
        (V::from_fn(|lane| lengths[lane]), V::from_fn(|lane| cost_dif[lane]), warned)
    }
}
