//! Costs of contacts with elliptic friction cones.
//!
//! The rows of a contact with an elliptic cone (along the normal and both tangents, then about them) share one cone with three
//! zones (`mj_constraintUpdate`). In the bottom zone (`mjCNSTRSTATE_QUADRATIC`) the contact does not slip, and the rows have
//! quadratic costs. In the top zone (`mjCNSTRSTATE_SATISFIED`) the geoms do not touch. In the middle zone
//! (`mjCNSTRSTATE_CONE`) the contact slips: the cost depends on the distance from the cone and couples all rows.
//!
//! Functions with a parameter `D` compute cones of contacts of dimension `D`. [`with_condim!`] selects the function for a cone.

use crate::native::dialect::Dialect;
use crate::native::mju::{chol_factor, dot};
use envpool_rs_numeric::simd::{Float64Lanes, Lanes};

/// Returns the complement of a mask of lanes.
#[inline(always)]
pub(in crate::native) fn not<V: Float64Lanes>(mask: V::Mask) -> V::Mask {
    V::mask_xor(mask, V::mask(V::ALL))
}

/// Contact with an elliptic friction cone (`mjCNSTR_CONTACT_ELLIPTIC`).
#[derive(Clone, Copy)]
pub(in crate::native) struct EllipticCone<V: Float64Lanes> {
    /// Index of the first of the contact's constraint rows.
    pub(in crate::native) row: usize,
    /// Dimension of the contact (`mjContact.dim`).
    pub(in crate::native) condim: usize,
    /// Friction coefficients of the contact (`mjContact.friction`).
    coefficients: [V; 5],
    /// Friction coefficient of the regularized cone (`mjContact.mu`).
    pub(in crate::native) mu: V,
    /// Mask of the lanes in which the contact is in the middle zone (`mjCNSTRSTATE_CONE`).
    pub(in crate::native) middle: V::Mask,
    line: ConeQuad<V>,
}

/// Quantities of an elliptic cone along a search line, as in `PrimalPrepare`. A quantity with two elements has its value at the
/// line's start and its change per unit step length.
#[derive(Clone, Copy)]
struct ConeQuad<V> {
    /// Normal component `N` of the cone at the start of the search line, and the change of `N` per unit step length.
    n: [V; 2],
    /// Tangential components at the start of the search line (`U`), and their changes per unit step length (`V`).
    uv_components: [[V; 5]; 2],
    /// Squared length of the tangential components at the start of the search line (`UU`).
    uu: V,
    /// Dot product of the tangential components at the start of the search line and their changes per unit step length
    /// (`UV`).
    uv: V,
    /// Squared length of the changes of the tangential components per unit step length (`VV`).
    vv: V,
    /// Stiffness of the cone in the middle zone (`Dm`).
    dm: V,
}

/// State of an elliptic cone at a step length on the search line.
struct ConeStep<V: Float64Lanes> {
    point: ConePoint<V>,
    /// Dot product of the tangential components at this step length and their changes `V` per unit step length.
    uv: V,
    /// Squared tangential length at this step length, minus the squared tangential length at the start of the line.
    further: V,
}

/// State of an elliptic cone: normal component `N`, tangential components and their length `T`, and masks of the lanes in the
/// bottom and in the middle zone.
struct ConePoint<V: Float64Lanes> {
    n: V,
    u: [V; 5],
    t: V,
    bottom: V::Mask,
    middle: V::Mask,
}

/// Result of evaluating an elliptic cone: its cost, the forces of its rows, and a mask of the lanes in the bottom zone.
pub(in crate::native) type State<V, const D: usize> = (V, [V; D], <V as Lanes>::Mask);

/// Evaluates an expression in which the constant `$dim` is the dimension of a cone's contact.
macro_rules! with_condim {
    ($cone:expr, $dim:ident => $body:expr) => {
        match $cone.condim {
            3 => {
                const $dim: usize = 3;
                $body
            }
            4 => {
                const $dim: usize = 4;
                $body
            }
            _ => {
                const $dim: usize = 6;
                $body
            }
        }
    };
}
pub(in crate::native) use with_condim;

impl<V: Float64Lanes> EllipticCone<V> {
    #[inline(always)]
    pub(in crate::native) fn new(row: usize, condim: usize, (coefficients, mu): ([V; 5], V)) -> Self {
        let none = V::splat(0.0);
        let line = ConeQuad { n: [none; 2], uv_components: [[none; 5]; 2], uu: none, uv: none, vv: none, dm: none };
        Self { row, condim, coefficients, mu, middle: V::mask(0), line }
    }

    /// Returns a cone with the same friction, converted by `pick`, whose first row is `row`. Its zone is not yet known.
    #[inline(always)]
    pub(in crate::native) fn gathered<W: Float64Lanes>(&self, row: usize, pick: impl Fn(&V) -> W + Copy) -> EllipticCone<W> {
        let mut coefficients = [W::splat(0.0); 5];
        for (to, from) in coefficients.iter_mut().zip(&self.coefficients) {
            *to = pick(from);
        }
        EllipticCone::new(row, self.condim, (coefficients, pick(&self.mu)))
    }

    /// Copies the friction of another cone in one lane.
    #[inline(always)]
    pub(in crate::native) fn copy_friction(&mut self, other: &Self, lane: usize) {
        self.mu.set(lane, other.mu.get(lane));
        for axis in 0..self.condim - 1 {
            self.coefficients[axis].set(lane, other.coefficients[axis].get(lane));
        }
    }

    /// Computes the state of the cone from `Jaref` of its rows.
    #[inline(always)]
    fn point<const D: usize>(&self, jaref: &[V; D]) -> ConePoint<V> {
        let (none, mu) = (V::splat(0.0), self.mu);
        let n = jaref[0] * mu;
        let mut u = [none; 5];
        for axis in 0..D - 1 {
            u[axis] = jaref[1 + axis] * self.coefficients[axis];
        }
        let t = dot(&u, &u, D - 1).sqrt();
        let is_upright = t.le(none);
        let top = V::mask_or(n.ge(mu * t), V::mask_and(is_upright, none.le(n)));
        let bottom = V::mask_or((mu * n + t).le(none), V::mask_and(is_upright, n.lt(none)));
        let bottom = V::mask_and(bottom, not::<V>(top));
        ConePoint { n, u, t, bottom, middle: not::<V>(V::mask_or(top, bottom)) }
    }

    /// Returns `Dm`, the stiffness in the middle zone, from the normal row's `efc_D`.
    #[inline(always)]
    fn dm(&self, efc_d: V) -> V {
        let square = self.mu * self.mu;
        efc_d / (square * (V::splat(1.0) + square))
    }

    /// Computes zone, forces and cost of the cone, as `mj_constraintUpdate` does.
    ///
    /// The returned cost is `sum`, the cost of all previous rows, plus the cost of the cone. `by_direction` is
    /// [`Dialect::slips_by_direction`].
    #[inline(always)]
    pub(in crate::native) fn state<const D: usize>(
        &mut self,
        sum: V,
        jaref: [V; D],
        efc_d: [V; D],
        by_direction: bool,
    ) -> State<V, D> {
        let (none, half) = (V::splat(0.0), V::splat(0.5));
        let ConePoint { n, u, t, bottom, middle } = self.point(&jaref);
        self.middle = middle;
        let mut quadratic_cost = sum;
        let mut forces = [none; D];
        for axis in 0..D {
            quadratic_cost = quadratic_cost + half * efc_d[axis] * jaref[axis] * jaref[axis];
            forces[axis] = (-efc_d[axis] * jaref[axis]).select_or_zero(bottom);
        }
        let mut cost = V::select(bottom, quadratic_cost, sum);
        if V::any(middle) {
            let dm = self.dm(efc_d[0]);
            let nmt = n - self.mu * t;
            cost = V::select(middle, sum + half * dm * nmt * nmt, cost);
            let force = -dm * nmt * self.mu;
            forces[0] = V::select(middle, force, forces[0]);
            for axis in 0..D - 1 {
                let slipping = if by_direction { -force * (u[axis] / t) } else { -force / t * u[axis] };
                forces[1 + axis] = V::select(middle, slipping * self.coefficients[axis], forces[1 + axis]);
            }
        }
        (cost, forces, bottom)
    }

    /// Computes the Cholesky factor (lower triangle) of the cone's Hessian in the middle zone.
    #[inline(always)]
    pub(in crate::native) fn cone_hessian<const D: usize>(&self, jaref: &[V; D], efc_d: V, dialect: &Dialect) -> [[V; D]; D] {
        let mu = self.mu;
        let ConePoint { n, u, t, .. } = self.point(jaref);
        let dm = self.dm(efc_d);
        let (one, none) = (V::splat(1.0), V::splat(0.0));
        let (mut u, mut turn) = (u, -mu / t);
        let mut square = mu * n / (t * t * t);
        let mut rest = mu * mu - mu * n / t;
        if dialect.slips_by_direction {
            for part in &mut u {
                *part = *part / t;
            }
            (turn, square) = (-mu, mu * (n / t));
            rest = mu * mu - square;
        }
        // Element `[j][k]` is entry (k, j) of MuJoCo's upper triangle.
        let mut hessian = [[none; D]; D];
        hessian[0][0] = one;
        for j in 1..D {
            hessian[j][0] = turn * u[j - 1];
            for k in 1..=j {
                hessian[j][k] = square * u[j - 1] * u[k - 1];
            }
            hessian[j][j] = hessian[j][j] + rest;
        }
        let scale = |axis: usize| if axis == 0 { mu } else { self.coefficients[axis - 1] };
        for k in 0..D {
            let by = dm * scale(k);
            for j in k..D {
                hessian[j][k] = hessian[j][k] * (by * scale(j));
            }
        }
        chol_factor(hessian.as_flattened_mut(), D, dialect.clears_columns);
        hessian
    }

    /// Prepares the cone for a line search, as `PrimalPrepare` does. Returns three coefficients of a polynomial in the step
    /// length. In the bottom zone, the cone's cost is this polynomial.
    #[inline(always)]
    pub(in crate::native) fn prepare<const D: usize>(&mut self, jaref: [V; D], jv: [V; D], efc_d: [V; D]) -> [V; 3] {
        let (none, half) = (V::splat(0.0), V::splat(0.5));
        let force = efc_d[0] * jaref[0];
        let [mut constant, mut linear] = [jaref[0] * force, jv[0] * force];
        let mut square = jv[0] * efc_d[0] * jv[0];
        let mut line = ConeQuad {
            n: [jaref[0] * self.mu, jv[0] * self.mu],
            uv_components: [[none; 5]; 2],
            uu: none,
            uv: none,
            vv: none,
            dm: self.dm(efc_d[0]),
        };
        for axis in 1..D {
            let friction = self.coefficients[axis - 1];
            let force = efc_d[axis] * jaref[axis];
            constant = constant + jaref[axis] * force;
            linear = linear + jv[axis] * force;
            square = square + jv[axis] * efc_d[axis] * jv[axis];
            let [u, v] = [jaref[axis] * friction, jv[axis] * friction];
            (line.uv_components[0][axis - 1], line.uv_components[1][axis - 1]) = (u, v);
            line.uu = line.uu + u * u;
            line.uv = line.uv + u * v;
            line.vv = line.vv + v * v;
        }
        self.line = line;
        [constant * half, linear, square * half]
    }

    /// Computes the state of the cone from its normal component and squared tangential length, as `PrimalEval` does.
    #[inline(always)]
    fn point_on_line(&self, n: V, tt: V) -> ConePoint<V> {
        let (none, mu) = (V::splat(0.0), self.mu);
        let is_upright = tt.le(none);
        let t = tt.sqrt();
        let slips = not::<V>(is_upright);
        let is_below = n.lt(none);
        let is_above = n.ge(mu * t);
        let top = V::mask_or(V::mask_and(is_upright, not::<V>(is_below)), V::mask_and(slips, is_above));
        let is_deep = (mu * n + t).le(none);
        let bottom = V::mask_and(V::mask_or(V::mask_and(is_upright, is_below), V::mask_and(slips, is_deep)), not::<V>(top));
        ConePoint { n, u: [none; 5], t: t.select_or_zero(slips), bottom, middle: not::<V>(V::mask_or(top, bottom)) }
    }

    /// Computes the state of the cone at a step length on the prepared search line.
    #[inline(always)]
    fn step(&self, alpha: V, by_direction: bool) -> ConeStep<V> {
        let (two, none) = (V::splat(2.0), V::splat(0.0));
        let ConeQuad { n: [n0, n1], uv_components: [u0, v], uu, uv, vv, .. } = self.line;
        let n = n0 + alpha * n1;
        if !by_direction {
            let further = alpha * (two * uv + alpha * vv);
            let point = self.point_on_line(n, uu + further);
            return ConeStep { point, uv: uv + alpha * vv, further };
        }
        let ([mut uu, mut uv, mut further], mut u) = ([none; 3], [none; 5]);
        for axis in 0..self.condim - 1 {
            let moved = alpha * v[axis];
            u[axis] = u0[axis] + moved;
            uu = uu + u[axis] * u[axis];
            uv = uv + u[axis] * v[axis];
            further = further + moved * (u0[axis] + u[axis]);
        }
        let point = ConePoint { u, ..self.point_on_line(n, uu) };
        ConeStep { point, uv, further }
    }

    /// Evaluates the cone's cost on its search line, as `PrimalEval` does. Returns a mask of the lanes in the bottom zone, and
    /// the cost in the middle zone with its first two derivatives.
    #[inline(always)]
    pub(in crate::native) fn primal_eval(&self, alpha: V, by_direction: bool) -> (V::Mask, [V; 3]) {
        let (half, none, mu) = (V::splat(0.5), V::splat(0.0), self.mu);
        let ConeQuad { n: [_, n0], uv_components: [_, v], vv, dm, .. } = self.line;
        let ConeStep { point, uv, .. } = self.step(alpha, by_direction);
        if !V::any(point.middle) {
            return (point.bottom, [none; 3]);
        }
        let t1 = uv / point.t;
        let nmt = point.n - mu * point.t;
        let nmt1 = n0 - mu * t1;
        let bend = if by_direction {
            // `square` is the squared length of the part of `V` that is orthogonal to the direction of slip.
            let mut direction = point.u;
            for part in &mut direction {
                *part = *part / point.t;
            }
            let mut square = none;
            for one in 0..self.condim - 1 {
                for other in one + 1..self.condim - 1 {
                    let across = direction[one] * v[other] - direction[other] * v[one];
                    square = square + across * across;
                }
            }
            nmt1 * nmt1 - (point.n / point.t - mu) * (mu * square)
        } else {
            let t2 = vv / point.t - uv * t1 / (point.t * point.t);
            nmt1 * nmt1 + nmt * (-mu * t2)
        };
        let costs = [half * dm * nmt * nmt, dm * nmt * nmt1, dm * bend];
        (
            point.bottom,
            [costs[0].select_or_zero(point.middle), costs[1].select_or_zero(point.middle), costs[2].select_or_zero(point.middle)],
        )
    }

    /// Returns the cone's cost minus its cost at the start of the search line, as `ellipticCostDif` does. `powers` is the array
    /// of coefficients from [`EllipticCone::prepare`].
    #[inline(always)]
    pub(in crate::native) fn cost_dif(&self, alpha: V, powers: [V; 3], by_direction: bool) -> V {
        let (two, half, none, mu) = (V::splat(2.0), V::splat(0.5), V::splat(0.0), self.mu);
        let ConeQuad { n: [n0, n1], uu, dm, .. } = self.line;
        let was = self.point_on_line(n0, uu);
        let ConeStep { point: is, further, .. } = self.step(alpha, by_direction);
        let [constant, linear, bent] = powers;
        let held = alpha * alpha * bent + alpha * linear;
        let [before, after] = [n0 - mu * was.t, is.n - mu * is.t];
        let is_top = not::<V>(V::mask_or(is.bottom, is.middle));
        let was_top = not::<V>(V::mask_or(was.bottom, was.middle));
        let longer = further / (is.t + was.t);
        let closer = alpha * n1 - mu * longer;
        let mut dif = (half * dm * closer * (two * before + closer)).select_or_zero(V::mask_and(was.middle, is.middle));
        let leap = alpha * (alpha * bent + linear);
        let gap = |point: &ConePoint<V>, n: V| {
            let beyond = mu * n + point.t;
            half * dm * beyond * beyond
        };
        dif = V::select(V::mask_and(was.middle, is.bottom), leap + gap(&was, n0), dif);
        dif = V::select(V::mask_and(was.bottom, is.middle), leap - gap(&is, is.n), dif);
        dif = V::select(V::mask_and(was.bottom, is.bottom), held, dif);
        dif = V::select(V::mask_and(was_top, is.bottom), held + constant, dif);
        dif = V::select(V::mask_and(was_top, is.middle), half * dm * after * after, dif);
        dif = V::select(V::mask_and(was.middle, is_top), V::splat(-0.5) * dm * before * before, dif);
        V::select(V::mask_and(was.bottom, is_top), none - constant, dif)
    }
}

/// Cones in the middle zone, one for each lane, whose Hessians the solver adds to its own at once.
#[derive(Clone, Copy)]
pub(in crate::native) struct ConeTurn {
    /// Index of each lane's cone.
    pub(in crate::native) cones: [u16; 8],
    /// Bit mask of the lanes that have a cone; never 0.
    pub(in crate::native) lanes: u32,
    condim: usize,
}

impl ConeTurn {
    /// Returns the index of the cone of the first lane that has one.
    #[inline(always)]
    pub(in crate::native) fn first_cone(&self) -> usize {
        usize::from(self.cones[self.lanes.trailing_zeros() as usize & 7])
    }
}

/// Distributes the cones that are in the middle zone in lanes of `live` to turns. Each lane's cones keep their order.
///
/// Lanes have contacts of different geoms, so lanes with different cones share a turn.
pub(in crate::native) fn cone_turns<V: Float64Lanes>(cones: &[EllipticCone<V>], live: u32, turns: &mut Vec<ConeTurn>) {
    turns.clear();
    let mut next = [0; 8];
    for (number, cone) in cones.iter().enumerate() {
        let mut left = V::bits(cone.middle) & live;
        while left != 0 {
            let lane = left.trailing_zeros() as usize & 7;
            left &= left - 1;
            let is_free = |turn: &ConeTurn| turn.condim == cone.condim;
            let at = (next[lane]..turns.len()).find(|at| is_free(&turns[*at])).unwrap_or(turns.len());
            if at == turns.len() {
                turns.push(ConeTurn { cones: [number as u16; 8], lanes: 0, condim: cone.condim });
            }
            turns[at].cones[lane] = number as u16;
            turns[at].lanes |= 1 << lane;
            next[lane] = at + 1;
        }
    }
}
