//! Costs of friction: `dof_frictionloss`, whose force is bounded, and contacts with elliptic cones.
//!
//! The three rows of such a contact (along the normal and both tangents) share one cone with three zones (`mj_constraintUpdate`).
//! In the bottom zone (`mjCNSTRSTATE_QUADRATIC`) nothing slips, and the rows have quadratic costs. In the top zone
//! (`mjCNSTRSTATE_SATISFIED`) nothing touches. In the middle zone (`mjCNSTRSTATE_CONE`) the contact slips: the cost depends on
//! the distance from the cone and couples all three rows.

use super::algebra::cholesky;
use super::dialect::Dialect;
use envpool_rs_numeric::simd::{Float64Lanes, Lanes};

/// Returns the complement of a mask.
#[inline(always)]
fn not<V: Float64Lanes>(mask: V::Mask) -> V::Mask {
    V::differ(mask, V::mask(V::ALL))
}

/// Position on a search line, with the start of a row there.
#[derive(Clone, Copy)]
pub(super) struct OnLine<V> {
    pub(super) length: V,
    /// The row's `Jaref` at the start.
    pub(super) start: V,
    /// The row's `Jv`.
    pub(super) change: V,
    /// The row's `efc_D`.
    pub(super) weight: V,
}

/// Row of `dof_frictionloss` (`mjCNSTR_FRICTION_DOF`).
#[derive(Debug, Clone, Copy)]
pub(super) struct Rub {
    /// Largest force, `efc_frictionloss`.
    pub(super) loss: f64,
    /// Regularizer, `efc_R`.
    pub(super) resistance: f64,
}

impl Rub {
    /// Returns the lanes in `mjCNSTRSTATE_LINEARNEG`, and those in `mjCNSTRSTATE_LINEARPOS`.
    #[inline(always)]
    pub(super) fn zones<V: Float64Lanes>(&self, excess: V) -> [V::Mask; 2] {
        let reach = self.resistance * self.loss;
        [excess.le(V::all(-reach)), excess.ge(V::all(reach))]
    }

    /// Returns the row's cost, its force, and the lanes in `mjCNSTRSTATE_QUADRATIC`.
    #[inline(always)]
    pub(super) fn state<V: Float64Lanes>(&self, excess: V, weight: V) -> (V, V, V::Mask) {
        let [low, high] = self.zones(excess);
        let (loss, held) = (V::all(self.loss), V::all(-0.5 * self.resistance * self.loss * self.loss));
        let cost = V::all(0.5) * weight * excess * excess;
        let cost = V::select(low, held - loss * excess, V::select(high, held + loss * excess, cost));
        let force = V::select(low, loss, V::select(high, -loss, -weight * excess));
        (cost, force, not::<V>(V::either(low, high)))
    }

    /// Returns the coefficients of the row's cost on a line, by powers of the step length.
    #[inline(always)]
    pub(super) fn powers<V: Float64Lanes>(&self, line: &OnLine<V>, costs: [V; 3]) -> [V; 3] {
        let OnLine { length, start, change, .. } = *line;
        let (loss, half) = (V::all(self.loss), V::all(-0.5 * (self.resistance * self.loss)));
        let [low, high] = self.zones(start + length * change);
        let none = V::all(0.0);
        [
            V::select(low, loss * (half - start), V::select(high, loss * (half + start), costs[0])),
            V::select(low, -loss * change, V::select(high, loss * change, costs[1])),
            V::select(low, none, V::select(high, none, costs[2])),
        ]
    }

    /// Returns the row's cost minus that at the line's start, and its two derivatives.
    #[inline(always)]
    pub(super) fn gained<V: Float64Lanes>(&self, line: &OnLine<V>) -> [V; 3] {
        let OnLine { length, start, change, weight } = *line;
        let (loss, none, half) = (V::all(self.loss), V::all(0.0), V::all(0.5));
        let x = start + length * change;
        let ([low, high], [was_low, was_high]) = (self.zones(x), self.zones(start));
        let (holds, held) = (not::<V>(V::either(low, high)), not::<V>(V::either(was_low, was_high)));
        let cost = self.whole_cost(x, weight) - self.whole_cost(start, weight);
        let cost = V::select(V::both(held, holds), half * weight * (x - start) * (x + start), cost);
        let cost = V::select(V::both(was_low, low), loss * (start - x), cost);
        let cost = V::select(V::both(was_high, high), loss * (x - start), cost);
        let slope = V::select(low, -loss * change, V::select(high, loss * change, weight * x * change));
        let bend = V::select(holds, weight * change * change, none);
        [cost, slope, bend]
    }

    /// Returns the row's cost at a value of `Jaref`.
    #[inline(always)]
    fn whole_cost<V: Float64Lanes>(&self, x: V, weight: V) -> V {
        let (loss, half) = (V::all(self.loss), V::all(-0.5 * (self.resistance * self.loss)));
        let [low, high] = self.zones(x);
        V::select(low, loss * (half - x), V::select(high, loss * (half + x), V::all(0.5) * weight * x * x))
    }
}

/// Contact with an elliptic friction cone (`mjCNSTR_CONTACT_ELLIPTIC`).
#[derive(Clone, Copy)]
pub(super) struct Cone<V: Float64Lanes> {
    /// Index of the first of its three rows.
    pub(super) row: usize,
    /// Friction coefficient of the contact.
    pub(super) friction: f64,
    /// `mu`: friction coefficient of the regularized cone.
    pub(super) regular: V,
    /// Lanes in the middle zone, `mjCNSTRSTATE_CONE`.
    pub(super) middle: V::Mask,
    line: Line<V>,
}

/// Cone along a search line: normal and tangential components (`U`, `V`) at the start and of the step.
#[derive(Clone, Copy)]
struct Line<V> {
    /// Normal components of the start and of the step.
    upright: [V; 2],
    /// `U` and `V`: tangential components of the start and of the step.
    along: [[V; 2]; 2],
    /// `UU`: squared tangential length at the start.
    square: V,
    /// `UV`: product of the tangential components at the start and of the step.
    product: V,
    /// `VV`: squared tangential length of the step.
    change: V,
    /// `Dm`: stiffness in the middle zone.
    stiffness: V,
}

/// Cone state at a step length.
struct Reached<V: Float64Lanes> {
    place: Place<V>,
    /// Product of the tangential components at this step length and of the step.
    product: V,
    /// Squared tangential length, minus that at the start.
    further: V,
}

/// Cone state: normal component `N`, tangential component `U` with length `T`, and the lanes of two zones.
struct Place<V: Float64Lanes> {
    upright: V,
    along: [V; 2],
    length: V,
    bottom: V::Mask,
    middle: V::Mask,
}

/// Cost of a cone, the forces of its rows, and the lanes in the bottom zone.
pub(super) type State<V> = (V, [V; 3], <V as Lanes>::Mask);

impl<V: Float64Lanes> Cone<V> {
    pub(super) fn new(row: usize, friction: f64, regular: V) -> Self {
        let none = V::all(0.0);
        let line = Line { upright: [none; 2], along: [[none; 2]; 2], square: none, product: none, change: none, stiffness: none };
        Self { row, friction, regular, middle: V::mask(0), line }
    }

    /// Returns the cone with other row indices.
    #[inline(always)]
    pub(super) fn at(&self, row: usize) -> Self {
        Self { row, ..*self }
    }

    /// Computes the cone state from `Jaref`.
    #[inline(always)]
    fn place(&self, excess: [V; 3]) -> Place<V> {
        let (none, friction, regular) = (V::all(0.0), V::all(self.friction), self.regular);
        let upright = excess[0] * regular;
        let along = [excess[1] * friction, excess[2] * friction];
        let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
        let is_upright = length.le(none);
        let top = V::either(upright.ge(regular * length), V::both(is_upright, none.le(upright)));
        let bottom = V::either((regular * upright + length).le(none), V::both(is_upright, upright.lt(none)));
        let bottom = V::both(bottom, not::<V>(top));
        Place { upright, along, length, bottom, middle: not::<V>(V::either(top, bottom)) }
    }

    /// Returns `Dm`, the stiffness in the middle zone, from the normal row's `efc_D`.
    #[inline(always)]
    fn stiffness(&self, weight: V) -> V {
        let square = self.regular * self.regular;
        weight / (square * (V::all(1.0) + square))
    }

    /// Computes zone, forces and cost of the cone, as `mj_constraintUpdate`.
    ///
    /// The cost is added to `sum`, the cost of all rows before. `by_direction` is [`Dialect::slips_by_direction`].
    #[inline(always)]
    pub(super) fn state(&mut self, sum: V, excess: [V; 3], weights: [V; 3], by_direction: bool) -> State<V> {
        let (none, half) = (V::all(0.0), V::all(0.5));
        let Place { upright, along, length, bottom, middle } = self.place(excess);
        self.middle = middle;
        let mut held = sum;
        let mut forces = [none; 3];
        for axis in 0..3 {
            held = held + half * weights[axis] * excess[axis] * excess[axis];
            forces[axis] = (-weights[axis] * excess[axis]).keep(bottom);
        }
        let mut cost = V::select(bottom, held, sum);
        if V::any(middle) {
            let stiffness = self.stiffness(weights[0]);
            let apart = upright - self.regular * length;
            cost = V::select(middle, sum + half * stiffness * apart * apart, cost);
            let force = -stiffness * apart * self.regular;
            forces[0] = V::select(middle, force, forces[0]);
            for axis in 0..2 {
                let slipping = if by_direction { -force * (along[axis] / length) } else { -force / length * along[axis] };
                forces[1 + axis] = V::select(middle, slipping * V::all(self.friction), forces[1 + axis]);
            }
        }
        (cost, forces, bottom)
    }

    /// Computes the Cholesky factor (lower triangle) of the cone's Hessian in the middle zone.
    #[inline(always)]
    pub(super) fn bent(&self, excess: [V; 3], weight: V, dialect: &Dialect) -> [[V; 3]; 3] {
        let (friction, regular) = (V::all(self.friction), self.regular);
        let Place { upright, along, length, .. } = self.place(excess);
        let stiffness = self.stiffness(weight);
        let (one, none) = (V::all(1.0), V::all(0.0));
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
        cholesky(&mut bent, dialect.clears_columns);
        bent
    }

    /// Prepares the cone's line search, as `PrimalPrepare`. Returns the coefficients of its cost in the bottom zone, by powers of
    /// the step length.
    #[inline(always)]
    pub(super) fn look_along(&mut self, excess: [V; 3], change: [V; 3], weights: [V; 3]) -> [V; 3] {
        let (friction, none, half) = (V::all(self.friction), V::all(0.0), V::all(0.5));
        let force = weights[0] * excess[0];
        let [mut constant, mut linear] = [excess[0] * force, change[0] * force];
        let mut square = change[0] * weights[0] * change[0];
        let mut line = Line {
            upright: [excess[0] * self.regular, change[0] * self.regular],
            along: [[none; 2]; 2],
            square: none,
            product: none,
            change: none,
            stiffness: self.stiffness(weights[0]),
        };
        for axis in 1..3 {
            let force = weights[axis] * excess[axis];
            constant = constant + excess[axis] * force;
            linear = linear + change[axis] * force;
            square = square + change[axis] * weights[axis] * change[axis];
            let [at, way] = [excess[axis] * friction, change[axis] * friction];
            (line.along[0][axis - 1], line.along[1][axis - 1]) = (at, way);
            line.square = line.square + at * at;
            line.product = line.product + at * way;
            line.change = line.change + way * way;
        }
        self.line = line;
        [constant * half, linear, square * half]
    }

    /// Computes the cone state on a line in the way of `PrimalEval`.
    #[inline(always)]
    fn place_on_line(&self, upright: V, square: V) -> Place<V> {
        let (none, regular) = (V::all(0.0), self.regular);
        let is_upright = square.le(none);
        let length = square.sqrt();
        let slips = not::<V>(is_upright);
        let is_below = upright.lt(none);
        let is_above = upright.ge(regular * length);
        let top = V::either(V::both(is_upright, not::<V>(is_below)), V::both(slips, is_above));
        let is_deep = (regular * upright + length).le(none);
        let bottom = V::both(V::either(V::both(is_upright, is_below), V::both(slips, is_deep)), not::<V>(top));
        Place { upright, along: [none; 2], length: length.keep(slips), bottom, middle: not::<V>(V::either(top, bottom)) }
    }

    /// Computes the cone state at a step length of the prepared line.
    #[inline(always)]
    fn reach(&self, length: V, by_direction: bool) -> Reached<V> {
        let (two, none) = (V::all(2.0), V::all(0.0));
        let Line { upright: [start, way], along: [from, turn], square, product, change, .. } = self.line;
        let upright = start + length * way;
        if !by_direction {
            let further = length * (two * product + length * change);
            let place = self.place_on_line(upright, square + further);
            return Reached { place, product: product + length * change, further };
        }
        let ([mut square, mut product, mut further], mut along) = ([none; 3], [none; 2]);
        for axis in 0..2 {
            let moved = length * turn[axis];
            along[axis] = from[axis] + moved;
            square = square + along[axis] * along[axis];
            product = product + along[axis] * turn[axis];
            further = further + moved * (from[axis] + along[axis]);
        }
        let place = Place { along, ..self.place_on_line(upright, square) };
        Reached { place, product, further }
    }

    /// Evaluates the cone on its line, as `PrimalEval`: the lanes in the bottom zone, and the middle zone's cost with two
    /// derivatives.
    #[inline(always)]
    pub(super) fn cost_along(&self, length: V, by_direction: bool) -> (V::Mask, [V; 3]) {
        let (half, none, regular) = (V::all(0.5), V::all(0.0), self.regular);
        let Line { upright: [_, way], along: [_, turn], change, stiffness, .. } = self.line;
        let Reached { place, product, .. } = self.reach(length, by_direction);
        if !V::any(place.middle) {
            return (place.bottom, [none; 3]);
        }
        let first = product / place.length;
        let apart = place.upright - regular * place.length;
        let closing = way - regular * first;
        let bend = if by_direction {
            let direction = [place.along[0] / place.length, place.along[1] / place.length];
            let across = direction[0] * turn[1] - direction[1] * turn[0];
            closing * closing - (place.upright / place.length - regular) * (regular * (across * across))
        } else {
            let second = change / place.length - product * first / (place.length * place.length);
            closing * closing + apart * (-regular * second)
        };
        let costs = [half * stiffness * apart * apart, stiffness * apart * closing, stiffness * bend];
        (place.bottom, [costs[0].keep(place.middle), costs[1].keep(place.middle), costs[2].keep(place.middle)])
    }

    /// Returns the cone's cost minus that at the line's start. `powers` are the coefficients from [`Cone::look_along`].
    #[inline(always)]
    pub(super) fn gained(&self, length: V, powers: [V; 3], dialect: &Dialect) -> V {
        let (two, half, none, regular) = (V::all(2.0), V::all(0.5), V::all(0.0), self.regular);
        let Line { upright: [start, way], square, stiffness, .. } = self.line;
        let was = self.place_on_line(start, square);
        let Reached { place: is, further, .. } = self.reach(length, dialect.slips_by_direction);
        let [constant, linear, bent] = powers;
        let held = length * length * bent + length * linear;
        let [before, after] = [start - regular * was.length, is.upright - regular * is.length];
        if !dialect.tells_zones_apart {
            let at_start = (half * stiffness * before * before).keep(was.middle);
            let at_start = V::select(was.bottom, constant, at_start);
            let at_end = (half * stiffness * after * after).keep(is.middle);
            let at_end = V::select(is.bottom, held + constant, at_end);
            let slipped = half * stiffness * (after - before) * (after + before);
            let gained = V::select(V::both(was.middle, is.middle), slipped, at_end - at_start);
            return V::select(V::both(was.bottom, is.bottom), held, gained);
        }
        let is_top = not::<V>(V::either(is.bottom, is.middle));
        let was_top = not::<V>(V::either(was.bottom, was.middle));
        let longer = further / (is.length + was.length);
        let closer = length * way - regular * longer;
        let mut gained = (half * stiffness * closer * (two * before + closer)).keep(V::both(was.middle, is.middle));
        let leap = length * (length * bent + linear);
        let gap = |place: &Place<V>, upright: V| {
            let beyond = regular * upright + place.length;
            half * stiffness * beyond * beyond
        };
        gained = V::select(V::both(was.middle, is.bottom), leap + gap(&was, start), gained);
        gained = V::select(V::both(was.bottom, is.middle), leap - gap(&is, is.upright), gained);
        gained = V::select(V::both(was.bottom, is.bottom), held, gained);
        gained = V::select(V::both(was_top, is.bottom), held + constant, gained);
        gained = V::select(V::both(was_top, is.middle), half * stiffness * after * after, gained);
        gained = V::select(V::both(was.middle, is_top), V::all(-0.5) * stiffness * before * before, gained);
        V::select(V::both(was.bottom, is_top), none - constant, gained)
    }
}
