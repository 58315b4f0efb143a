//! Costs of contacts with elliptic friction cones.
//!
//! The rows of a contact with an elliptic cone (along the normal and both tangents, then about them) share one cone with three
//! zones (`mj_constraintUpdate`). In the bottom zone (`mjCNSTRSTATE_QUADRATIC`) the contact does not slip, and the rows have
//! quadratic costs. In the top zone (`mjCNSTRSTATE_SATISFIED`) the geoms do not touch. In the middle zone
//! (`mjCNSTRSTATE_CONE`) the contact slips: the cost depends on the distance from the cone and couples all rows.
//!
//! Functions with a parameter `D` compute cones of contacts of dimension `D`. [`with_condim!`] selects the function for a cone.

use super::algebra::{chol_factor, dot};
use super::dialect::Dialect;
use envpool_rs_numeric::simd::{Float64Lanes, Lanes};

/// Returns the complement of a mask of lanes.
#[inline(always)]
pub(super) fn not<V: Float64Lanes>(mask: V::Mask) -> V::Mask {
    V::mask_xor(mask, V::mask(V::ALL))
}

/// Contact with an elliptic friction cone (`mjCNSTR_CONTACT_ELLIPTIC`).
#[derive(Clone, Copy)]
pub(super) struct EllipticCone<V: Float64Lanes> {
    /// Index of the first of the contact's constraint rows.
    pub(super) row: usize,
    /// Dimension of the contact (`mjContact.dim`).
    pub(super) condim: usize,
    /// Friction coefficients of the contact (`mjContact.friction`).
    coefficients: [V; 5],
    /// Friction coefficient of the regularized cone (`mjContact.mu`).
    pub(super) mu: V,
    /// Mask of the lanes in which the contact is in the middle zone (`mjCNSTRSTATE_CONE`).
    pub(super) middle: V::Mask,
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
    place: ConePoint<V>,
    /// Dot product of the tangential components at this step length and their changes `V` per unit step length.
    product: V,
    /// Squared tangential length at this step length, minus the squared tangential length at the start of the line.
    further: V,
}

/// State of an elliptic cone: normal component `N`, tangential components and their length `T`, and masks of the lanes in the
/// bottom and in the middle zone.
struct ConePoint<V: Float64Lanes> {
    n: V,
    along: [V; 5],
    t: V,
    bottom: V::Mask,
    middle: V::Mask,
}

/// Result of evaluating an elliptic cone: its cost, the forces of its rows, and a mask of the lanes in the bottom zone.
pub(super) type State<V, const D: usize> = (V, [V; D], <V as Lanes>::Mask);

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
pub(super) use with_condim;

impl<V: Float64Lanes> EllipticCone<V> {
    #[inline(always)]
    pub(super) fn new(row: usize, condim: usize, (coefficients, regular): ([V; 5], V)) -> Self {
        let none = V::splat(0.0);
        let line = ConeQuad { n: [none; 2], uv_components: [[none; 5]; 2], uu: none, uv: none, vv: none, dm: none };
        Self { row, condim, coefficients, mu: regular, middle: V::mask(0), line }
    }

    /// Returns a cone with the same friction, converted by `pick`, whose first row is `row`. Its zone is not yet known.
    #[inline(always)]
    pub(super) fn gathered<W: Float64Lanes>(&self, row: usize, pick: impl Fn(V) -> W + Copy) -> EllipticCone<W> {
        let mut coefficients = [W::splat(0.0); 5];
        for (to, from) in coefficients.iter_mut().zip(&self.coefficients) {
            *to = pick(*from);
        }
        EllipticCone::new(row, self.condim, (coefficients, pick(self.mu)))
    }

    /// Copies the friction of another cone in one lane.
    #[inline(always)]
    pub(super) fn copy_friction(&mut self, other: &Self, lane: usize) {
        self.mu.set(lane, other.mu.get(lane));
        for axis in 0..self.condim - 1 {
            self.coefficients[axis].set(lane, other.coefficients[axis].get(lane));
        }
    }

    /// Computes the state of the cone from `Jaref` of its rows.
    #[inline(always)]
    fn place<const D: usize>(&self, excess: &[V; D]) -> ConePoint<V> {
        let (none, regular) = (V::splat(0.0), self.mu);
        let upright = excess[0] * regular;
        let mut along = [none; 5];
        for axis in 0..D - 1 {
            along[axis] = excess[1 + axis] * self.coefficients[axis];
        }
        let length = dot(&along, &along, D - 1).sqrt();
        let is_upright = length.le(none);
        let top = V::mask_or(upright.ge(regular * length), V::mask_and(is_upright, none.le(upright)));
        let bottom = V::mask_or((regular * upright + length).le(none), V::mask_and(is_upright, upright.lt(none)));
        let bottom = V::mask_and(bottom, not::<V>(top));
        ConePoint { n: upright, along, t: length, bottom, middle: not::<V>(V::mask_or(top, bottom)) }
    }

    /// Returns `Dm`, the stiffness in the middle zone, from the normal row's `efc_D`.
    #[inline(always)]
    fn stiffness(&self, weight: V) -> V {
        let square = self.mu * self.mu;
        weight / (square * (V::splat(1.0) + square))
    }

    /// Computes zone, forces and cost of the cone, as `mj_constraintUpdate` does.
    ///
    /// The returned cost is `sum`, the cost of all previous rows, plus the cost of the cone. `by_direction` is
    /// [`Dialect::slips_by_direction`].
    #[inline(always)]
    pub(super) fn state<const D: usize>(&mut self, sum: V, excess: [V; D], weights: [V; D], by_direction: bool) -> State<V, D> {
        let (none, half) = (V::splat(0.0), V::splat(0.5));
        let ConePoint { n: upright, along, t: length, bottom, middle } = self.place(&excess);
        self.middle = middle;
        let mut held = sum;
        let mut forces = [none; D];
        for axis in 0..D {
            held = held + half * weights[axis] * excess[axis] * excess[axis];
            forces[axis] = (-weights[axis] * excess[axis]).select_or_zero(bottom);
        }
        let mut cost = V::select(bottom, held, sum);
        if V::any(middle) {
            let stiffness = self.stiffness(weights[0]);
            let apart = upright - self.mu * length;
            cost = V::select(middle, sum + half * stiffness * apart * apart, cost);
            let force = -stiffness * apart * self.mu;
            forces[0] = V::select(middle, force, forces[0]);
            for axis in 0..D - 1 {
                let slipping = if by_direction { -force * (along[axis] / length) } else { -force / length * along[axis] };
                forces[1 + axis] = V::select(middle, slipping * self.coefficients[axis], forces[1 + axis]);
            }
        }
        (cost, forces, bottom)
    }

    /// Computes the Cholesky factor (lower triangle) of the cone's Hessian in the middle zone.
    #[inline(always)]
    pub(super) fn cone_hessian<const D: usize>(&self, excess: &[V; D], weight: V, dialect: &Dialect) -> [[V; D]; D] {
        let regular = self.mu;
        let ConePoint { n: upright, along, t: length, .. } = self.place(excess);
        let stiffness = self.stiffness(weight);
        let (one, none) = (V::splat(1.0), V::splat(0.0));
        let (mut along, mut turn) = (along, -regular / length);
        let mut square = regular * upright / (length * length * length);
        let mut rest = regular * regular - regular * upright / length;
        if dialect.slips_by_direction {
            for part in &mut along {
                *part = *part / length;
            }
            (turn, square) = (-regular, regular * (upright / length));
            rest = regular * regular - square;
        }
        // Element `[j][k]` is entry (k, j) of MuJoCo's upper triangle.
        let mut bent = [[none; D]; D];
        bent[0][0] = one;
        for j in 1..D {
            bent[j][0] = turn * along[j - 1];
            for k in 1..=j {
                bent[j][k] = square * along[j - 1] * along[k - 1];
            }
            bent[j][j] = bent[j][j] + rest;
        }
        let scale = |axis: usize| if axis == 0 { regular } else { self.coefficients[axis - 1] };
        for k in 0..D {
            let by = stiffness * scale(k);
            for j in k..D {
                bent[j][k] = bent[j][k] * (by * scale(j));
            }
        }
        chol_factor(bent.as_flattened_mut(), D, dialect.clears_columns);
        bent
    }

    /// Prepares the cone for a line search, as `PrimalPrepare` does. Returns three coefficients of a polynomial in the step
    /// length. In the bottom zone, the cone's cost is this polynomial.
    #[inline(always)]
    pub(super) fn prepare<const D: usize>(&mut self, excess: [V; D], change: [V; D], weights: [V; D]) -> [V; 3] {
        let (none, half) = (V::splat(0.0), V::splat(0.5));
        let force = weights[0] * excess[0];
        let [mut constant, mut linear] = [excess[0] * force, change[0] * force];
        let mut square = change[0] * weights[0] * change[0];
        let mut line = ConeQuad {
            n: [excess[0] * self.mu, change[0] * self.mu],
            uv_components: [[none; 5]; 2],
            uu: none,
            uv: none,
            vv: none,
            dm: self.stiffness(weights[0]),
        };
        for axis in 1..D {
            let friction = self.coefficients[axis - 1];
            let force = weights[axis] * excess[axis];
            constant = constant + excess[axis] * force;
            linear = linear + change[axis] * force;
            square = square + change[axis] * weights[axis] * change[axis];
            let [at, way] = [excess[axis] * friction, change[axis] * friction];
            (line.uv_components[0][axis - 1], line.uv_components[1][axis - 1]) = (at, way);
            line.uu = line.uu + at * at;
            line.uv = line.uv + at * way;
            line.vv = line.vv + way * way;
        }
        self.line = line;
        [constant * half, linear, square * half]
    }

    /// Computes the state of the cone from its normal component and squared tangential length, as `PrimalEval` does.
    #[inline(always)]
    fn place_on_line(&self, upright: V, square: V) -> ConePoint<V> {
        let (none, regular) = (V::splat(0.0), self.mu);
        let is_upright = square.le(none);
        let length = square.sqrt();
        let slips = not::<V>(is_upright);
        let is_below = upright.lt(none);
        let is_above = upright.ge(regular * length);
        let top = V::mask_or(V::mask_and(is_upright, not::<V>(is_below)), V::mask_and(slips, is_above));
        let is_deep = (regular * upright + length).le(none);
        let bottom = V::mask_and(V::mask_or(V::mask_and(is_upright, is_below), V::mask_and(slips, is_deep)), not::<V>(top));
        ConePoint {
            n: upright,
            along: [none; 5],
            t: length.select_or_zero(slips),
            bottom,
            middle: not::<V>(V::mask_or(top, bottom)),
        }
    }

    /// Computes the state of the cone at a step length on the prepared search line.
    #[inline(always)]
    fn step(&self, length: V, by_direction: bool) -> ConeStep<V> {
        let (two, none) = (V::splat(2.0), V::splat(0.0));
        let ConeQuad { n: [start, way], uv_components: [from, turn], uu: square, uv: product, vv: change, .. } = self.line;
        let upright = start + length * way;
        if !by_direction {
            let further = length * (two * product + length * change);
            let place = self.place_on_line(upright, square + further);
            return ConeStep { place, product: product + length * change, further };
        }
        let ([mut square, mut product, mut further], mut along) = ([none; 3], [none; 5]);
        for axis in 0..self.condim - 1 {
            let moved = length * turn[axis];
            along[axis] = from[axis] + moved;
            square = square + along[axis] * along[axis];
            product = product + along[axis] * turn[axis];
            further = further + moved * (from[axis] + along[axis]);
        }
        let place = ConePoint { along, ..self.place_on_line(upright, square) };
        ConeStep { place, product, further }
    }

    /// Evaluates the cone's cost on its search line, as `PrimalEval` does. Returns a mask of the lanes in the bottom zone, and
    /// the cost in the middle zone with its first two derivatives.
    #[inline(always)]
    pub(super) fn cost_along(&self, length: V, by_direction: bool) -> (V::Mask, [V; 3]) {
        let (half, none, regular) = (V::splat(0.5), V::splat(0.0), self.mu);
        let ConeQuad { n: [_, way], uv_components: [_, turn], vv: change, dm: stiffness, .. } = self.line;
        let ConeStep { place, product, .. } = self.step(length, by_direction);
        if !V::any(place.middle) {
            return (place.bottom, [none; 3]);
        }
        let first = product / place.t;
        let apart = place.n - regular * place.t;
        let closing = way - regular * first;
        let bend = if by_direction {
            // `square` is the squared length of the part of `V` that is orthogonal to the direction of slip.
            let mut direction = place.along;
            for part in &mut direction {
                *part = *part / place.t;
            }
            let mut square = none;
            for one in 0..self.condim - 1 {
                for other in one + 1..self.condim - 1 {
                    let across = direction[one] * turn[other] - direction[other] * turn[one];
                    square = square + across * across;
                }
            }
            closing * closing - (place.n / place.t - regular) * (regular * square)
        } else {
            let second = change / place.t - product * first / (place.t * place.t);
            closing * closing + apart * (-regular * second)
        };
        let costs = [half * stiffness * apart * apart, stiffness * apart * closing, stiffness * bend];
        (
            place.bottom,
            [costs[0].select_or_zero(place.middle), costs[1].select_or_zero(place.middle), costs[2].select_or_zero(place.middle)],
        )
    }

    /// Returns the cone's cost minus its cost at the start of the search line. `powers` is the array of coefficients from
    /// [`EllipticCone::prepare`].
    #[inline(always)]
    pub(super) fn cost_dif(&self, length: V, powers: [V; 3], by_direction: bool) -> V {
        let (two, half, none, regular) = (V::splat(2.0), V::splat(0.5), V::splat(0.0), self.mu);
        let ConeQuad { n: [start, way], uu: square, dm: stiffness, .. } = self.line;
        let was = self.place_on_line(start, square);
        let ConeStep { place: is, further, .. } = self.step(length, by_direction);
        let [constant, linear, bent] = powers;
        let held = length * length * bent + length * linear;
        let [before, after] = [start - regular * was.t, is.n - regular * is.t];
        let is_top = not::<V>(V::mask_or(is.bottom, is.middle));
        let was_top = not::<V>(V::mask_or(was.bottom, was.middle));
        let longer = further / (is.t + was.t);
        let closer = length * way - regular * longer;
        let mut gained = (half * stiffness * closer * (two * before + closer)).select_or_zero(V::mask_and(was.middle, is.middle));
        let leap = length * (length * bent + linear);
        let gap = |place: &ConePoint<V>, upright: V| {
            let beyond = regular * upright + place.t;
            half * stiffness * beyond * beyond
        };
        gained = V::select(V::mask_and(was.middle, is.bottom), leap + gap(&was, start), gained);
        gained = V::select(V::mask_and(was.bottom, is.middle), leap - gap(&is, is.n), gained);
        gained = V::select(V::mask_and(was.bottom, is.bottom), held, gained);
        gained = V::select(V::mask_and(was_top, is.bottom), held + constant, gained);
        gained = V::select(V::mask_and(was_top, is.middle), half * stiffness * after * after, gained);
        gained = V::select(V::mask_and(was.middle, is_top), V::splat(-0.5) * stiffness * before * before, gained);
        V::select(V::mask_and(was.bottom, is_top), none - constant, gained)
    }
}
