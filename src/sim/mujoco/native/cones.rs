//! Costs of constraint rows with friction: rows of `dof_frictionloss`, whose force is bounded, and rows of contacts with
//! elliptic cones.
//!
//! The three rows of a contact with an elliptic cone (along the normal and both tangents) share one cone with three zones
//! (`mj_constraintUpdate`). In the bottom zone (`mjCNSTRSTATE_QUADRATIC`) the contact does not slip, and the rows have
//! quadratic costs. In the top zone (`mjCNSTRSTATE_SATISFIED`) the geoms do not touch. In the middle zone
//! (`mjCNSTRSTATE_CONE`) the contact slips: the cost depends on the distance from the cone and couples all three rows.

use super::algebra::chol_factor;
use super::dialect::Dialect;
use envpool_rs_numeric::simd::{Float64Lanes, Lanes};

/// Returns the complement of a mask of lanes.
#[inline(always)]
fn not<V: Float64Lanes>(mask: V::Mask) -> V::Mask {
    V::mask_xor(mask, V::mask(V::ALL))
}

/// Step length on a search line, with the values of one constraint row that determine the row's cost at this step length.
#[derive(Clone, Copy)]
pub(super) struct LinePoint<V> {
    pub(super) alpha: V,
    /// The row's `Jaref` at the start of the line.
    pub(super) jaref: V,
    /// The row's `Jv`, the change of `Jaref` per unit step length.
    pub(super) jv: V,
    /// The row's constraint mass, `efc_D`.
    pub(super) efc_d: V,
}

/// Constraint row of `dof_frictionloss` (`mjCNSTR_FRICTION_DOF`).
#[derive(Debug, Clone, Copy)]
pub(super) struct FrictionRow {
    /// Largest force of the row (`efc_frictionloss`).
    pub(super) frictionloss: f64,
    /// Regularizer of the constraint row (`efc_R`).
    pub(super) efc_r: f64,
}

impl FrictionRow {
    /// Returns two masks: the lanes in which the row's state is `mjCNSTRSTATE_LINEARNEG`, and the lanes in which the state is
    /// `mjCNSTRSTATE_LINEARPOS`.
    #[inline(always)]
    pub(super) fn zones<V: Float64Lanes>(&self, excess: V) -> [V::Mask; 2] {
        let reach = self.efc_r * self.frictionloss;
        [excess.le(V::splat(-reach)), excess.ge(V::splat(reach))]
    }

    /// Returns the row's cost, its force, and a mask of the lanes in which the row is in the zone `mjCNSTRSTATE_QUADRATIC`.
    #[inline(always)]
    pub(super) fn state<V: Float64Lanes>(&self, excess: V, weight: V) -> (V, V, V::Mask) {
        let [low, high] = self.zones(excess);
        let (loss, held) = (V::splat(self.frictionloss), V::splat(-0.5 * self.efc_r * self.frictionloss * self.frictionloss));
        let cost = V::splat(0.5) * weight * excess * excess;
        let cost = V::select(low, held - loss * excess, V::select(high, held + loss * excess, cost));
        let force = V::select(low, loss, V::select(high, -loss, -weight * excess));
        (cost, force, not::<V>(V::mask_or(low, high)))
    }

    /// Returns the coefficients of the row's cost on a search line, which is a polynomial in the step length.
    #[inline(always)]
    pub(super) fn powers<V: Float64Lanes>(&self, line: &LinePoint<V>, costs: [V; 3]) -> [V; 3] {
        let LinePoint { alpha: length, jaref: start, jv: change, .. } = *line;
        let (loss, half) = (V::splat(self.frictionloss), V::splat(-0.5 * (self.efc_r * self.frictionloss)));
        let [low, high] = self.zones(start + length * change);
        let none = V::splat(0.0);
        [
            V::select(low, loss * (half - start), V::select(high, loss * (half + start), costs[0])),
            V::select(low, -loss * change, V::select(high, loss * change, costs[1])),
            V::select(low, none, V::select(high, none, costs[2])),
        ]
    }

    /// Returns the row's cost minus its cost at the start of the search line, and its first two derivatives by the step length.
    #[inline(always)]
    pub(super) fn cost_dif<V: Float64Lanes>(&self, line: &LinePoint<V>) -> [V; 3] {
        let LinePoint { alpha: length, jaref: start, jv: change, efc_d: weight } = *line;
        let (loss, none, half) = (V::splat(self.frictionloss), V::splat(0.0), V::splat(0.5));
        let x = start + length * change;
        let ([low, high], [was_low, was_high]) = (self.zones(x), self.zones(start));
        let (holds, held) = (not::<V>(V::mask_or(low, high)), not::<V>(V::mask_or(was_low, was_high)));
        let cost = self.whole_cost(x, weight) - self.whole_cost(start, weight);
        let cost = V::select(V::mask_and(held, holds), half * weight * (x - start) * (x + start), cost);
        let cost = V::select(V::mask_and(was_low, low), loss * (start - x), cost);
        let cost = V::select(V::mask_and(was_high, high), loss * (x - start), cost);
        let slope = V::select(low, -loss * change, V::select(high, loss * change, weight * x * change));
        let bend = V::select(holds, weight * change * change, none);
        [cost, slope, bend]
    }

    /// Returns the row's total cost if its `Jaref` is `x`.
    #[inline(always)]
    fn whole_cost<V: Float64Lanes>(&self, x: V, weight: V) -> V {
        let (loss, half) = (V::splat(self.frictionloss), V::splat(-0.5 * (self.efc_r * self.frictionloss)));
        let [low, high] = self.zones(x);
        V::select(low, loss * (half - x), V::select(high, loss * (half + x), V::splat(0.5) * weight * x * x))
    }
}

/// Contact with an elliptic friction cone (`mjCNSTR_CONTACT_ELLIPTIC`).
#[derive(Clone, Copy)]
pub(super) struct EllipticCone<V: Float64Lanes> {
    /// Index of the first of the contact's three constraint rows.
    pub(super) row: usize,
    /// Friction coefficient of the contact.
    pub(super) friction: f64,
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
    /// For each of the cone's two tangential components: the value at the start of the search line (`U`), and the change per
    /// unit step length (`V`).
    uv_components: [[V; 2]; 2],
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
    along: [V; 2],
    t: V,
    bottom: V::Mask,
    middle: V::Mask,
}

/// Result of evaluating an elliptic cone: its cost, the forces of its three rows, and a mask of the lanes in the bottom zone.
pub(super) type State<V> = (V, [V; 3], <V as Lanes>::Mask);

impl<V: Float64Lanes> EllipticCone<V> {
    pub(super) fn new(row: usize, friction: f64, regular: V) -> Self {
        let none = V::splat(0.0);
        let line = ConeQuad { n: [none; 2], uv_components: [[none; 2]; 2], uu: none, uv: none, vv: none, dm: none };
        Self { row, friction, mu: regular, middle: V::mask(0), line }
    }

    /// Returns a copy of the cone in which the index of the first row is `row`.
    #[inline(always)]
    pub(super) fn at(&self, row: usize) -> Self {
        Self { row, ..*self }
    }

    /// Computes the state of the cone from `Jaref` of its three rows.
    #[inline(always)]
    fn place(&self, excess: [V; 3]) -> ConePoint<V> {
        let (none, friction, regular) = (V::splat(0.0), V::splat(self.friction), self.mu);
        let upright = excess[0] * regular;
        let along = [excess[1] * friction, excess[2] * friction];
        let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
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
    pub(super) fn state(&mut self, sum: V, excess: [V; 3], weights: [V; 3], by_direction: bool) -> State<V> {
        let (none, half) = (V::splat(0.0), V::splat(0.5));
        let ConePoint { n: upright, along, t: length, bottom, middle } = self.place(excess);
        self.middle = middle;
        let mut held = sum;
        let mut forces = [none; 3];
        for axis in 0..3 {
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
            for axis in 0..2 {
                let slipping = if by_direction { -force * (along[axis] / length) } else { -force / length * along[axis] };
                forces[1 + axis] = V::select(middle, slipping * V::splat(self.friction), forces[1 + axis]);
            }
        }
        (cost, forces, bottom)
    }

    /// Computes the Cholesky factor (lower triangle) of the cone's Hessian in the middle zone.
    #[inline(always)]
    pub(super) fn cone_hessian(&self, excess: [V; 3], weight: V, dialect: &Dialect) -> [[V; 3]; 3] {
        let (friction, regular) = (V::splat(self.friction), self.mu);
        let ConePoint { n: upright, along, t: length, .. } = self.place(excess);
        let stiffness = self.stiffness(weight);
        let (one, none) = (V::splat(1.0), V::splat(0.0));
        let (mut along, mut turn) = (along, -regular / length);
        let mut square = regular * upright / (length * length * length);
        let mut rest = regular * regular - regular * upright / length;
        if dialect.slips_by_direction {
            along = [along[0] / length, along[1] / length];
            (turn, square) = (-regular, regular * (upright / length));
            rest = regular * regular - square;
        }
        let upper = [
            one,
            turn * along[0],
            turn * along[1],
            square * along[0] * along[0] + rest,
            square * along[1] * along[0],
            square * along[1] * along[1] + rest,
        ];
        let [by, other] = [stiffness * regular, stiffness * friction];
        let mut bent = [
            [upper[0] * (by * regular), none, none],
            [upper[1] * (by * friction), upper[3] * (other * friction), none],
            [upper[2] * (by * friction), upper[4] * (other * friction), upper[5] * (other * friction)],
        ];
        chol_factor(&mut bent, dialect.clears_columns);
        bent
    }

    /// Prepares the cone for a line search, as `PrimalPrepare` does. Returns three coefficients of a polynomial in the step
    /// length. In the bottom zone, the cone's cost is this polynomial.
    #[inline(always)]
    pub(super) fn prepare(&mut self, excess: [V; 3], change: [V; 3], weights: [V; 3]) -> [V; 3] {
        let (friction, none, half) = (V::splat(self.friction), V::splat(0.0), V::splat(0.5));
        let force = weights[0] * excess[0];
        let [mut constant, mut linear] = [excess[0] * force, change[0] * force];
        let mut square = change[0] * weights[0] * change[0];
        let mut line = ConeQuad {
            n: [excess[0] * self.mu, change[0] * self.mu],
            uv_components: [[none; 2]; 2],
            uu: none,
            uv: none,
            vv: none,
            dm: self.stiffness(weights[0]),
        };
        for axis in 1..3 {
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
            along: [none; 2],
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
        let ([mut square, mut product, mut further], mut along) = ([none; 3], [none; 2]);
        for axis in 0..2 {
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
            let direction = [place.along[0] / place.t, place.along[1] / place.t];
            let across = direction[0] * turn[1] - direction[1] * turn[0];
            closing * closing - (place.n / place.t - regular) * (regular * (across * across))
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
    pub(super) fn cost_dif(&self, length: V, powers: [V; 3], dialect: &Dialect) -> V {
        let (two, half, none, regular) = (V::splat(2.0), V::splat(0.5), V::splat(0.0), self.mu);
        let ConeQuad { n: [start, way], uu: square, dm: stiffness, .. } = self.line;
        let was = self.place_on_line(start, square);
        let ConeStep { place: is, further, .. } = self.step(length, dialect.slips_by_direction);
        let [constant, linear, bent] = powers;
        let held = length * length * bent + length * linear;
        let [before, after] = [start - regular * was.t, is.n - regular * is.t];
        if !dialect.zonewise_cone_cost {
            let at_start = (half * stiffness * before * before).select_or_zero(was.middle);
            let at_start = V::select(was.bottom, constant, at_start);
            let at_end = (half * stiffness * after * after).select_or_zero(is.middle);
            let at_end = V::select(is.bottom, held + constant, at_end);
            let slipped = half * stiffness * (after - before) * (after + before);
            let gained = V::select(V::mask_and(was.middle, is.middle), slipped, at_end - at_start);
            return V::select(V::mask_and(was.bottom, is.bottom), held, gained);
        }
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
