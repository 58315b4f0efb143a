//! Constraint row of the friction loss of a degree of freedom, whose force is bounded.

use crate::native::solver::cones::not;
use envpool_rs_numeric::simd::Float64Lanes;

/// Step length on a search line, with the values of one constraint row that determine the row's cost at this step length.
#[derive(Clone, Copy)]
pub(in crate::native) struct LinePoint<V> {
    pub(in crate::native) alpha: V,
    /// The row's `Jaref` at the start of the line.
    pub(in crate::native) jaref: V,
    /// The row's `Jv`, the change of `Jaref` per unit step length.
    pub(in crate::native) jv: V,
    /// The row's constraint mass, `efc_D`.
    pub(in crate::native) efc_d: V,
}

/// Constraint row of `dof_frictionloss` (`mjCNSTR_FRICTION_DOF`), with constants of its cost.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct FrictionRow<V> {
    /// Largest force of the row (`efc_frictionloss`).
    frictionloss: V,
    /// `Jaref` at which the force reaches its bound: `efc_R * frictionloss`.
    reach: V,
    /// `-0.5 * efc_R * frictionloss`
    half: V,
    /// `-0.5 * efc_R * frictionloss * frictionloss`
    held: V,
}

impl<V: Float64Lanes> FrictionRow<V> {
    /// Creates the row, given `efc_frictionloss` and `efc_R`.
    #[inline(always)]
    pub(in crate::native) fn new(frictionloss: V, efc_r: V) -> Self {
        let (reach, minus) = (efc_r * frictionloss, V::splat(-0.5));
        Self { frictionloss, reach, half: minus * reach, held: minus * efc_r * frictionloss * frictionloss }
    }

    /// Converts the row's numbers by `pick`.
    #[inline(always)]
    pub(in crate::native) fn map<W>(&self, pick: impl Fn(V) -> W) -> FrictionRow<W> {
        let Self { frictionloss, reach, half, held } = *self;
        FrictionRow { frictionloss: pick(frictionloss), reach: pick(reach), half: pick(half), held: pick(held) }
    }

    /// Returns two masks: the lanes in which the row's state is `mjCNSTRSTATE_LINEARNEG`, and the lanes in which the state is
    /// `mjCNSTRSTATE_LINEARPOS`.
    #[inline(always)]
    pub(in crate::native) fn zones(&self, jaref: V) -> [V::Mask; 2] {
        [jaref.le(-self.reach), jaref.ge(self.reach)]
    }

    /// Returns the row's cost, its force, and a mask of the lanes in which the row is in the zone `mjCNSTRSTATE_QUADRATIC`.
    #[inline(always)]
    pub(in crate::native) fn state(&self, jaref: V, efc_d: V) -> (V, V, V::Mask) {
        let [low, high] = self.zones(jaref);
        let (frictionloss, held) = (self.frictionloss, self.held);
        let cost = V::splat(0.5) * efc_d * jaref * jaref;
        let cost = V::select(low, held - frictionloss * jaref, V::select(high, held + frictionloss * jaref, cost));
        let force = V::select(low, frictionloss, V::select(high, -frictionloss, -efc_d * jaref));
        (cost, force, not::<V>(V::mask_or(low, high)))
    }

    /// Returns the coefficients of the row's cost on a search line, which is a polynomial in the step length.
    #[inline(always)]
    pub(in crate::native) fn powers(&self, line: &LinePoint<V>, costs: [V; 3]) -> [V; 3] {
        let LinePoint { alpha, jaref, jv, .. } = *line;
        let (frictionloss, half) = (self.frictionloss, self.half);
        let [low, high] = self.zones(jaref + alpha * jv);
        let none = V::splat(0.0);
        [
            V::select(low, frictionloss * (half - jaref), V::select(high, frictionloss * (half + jaref), costs[0])),
            V::select(low, -frictionloss * jv, V::select(high, frictionloss * jv, costs[1])),
            V::select(low, none, V::select(high, none, costs[2])),
        ]
    }

    /// Returns the row's cost minus its cost at the start of the search line, and its first two derivatives by the step length.
    #[inline(always)]
    pub(in crate::native) fn cost_dif(&self, line: &LinePoint<V>) -> [V; 3] {
        let LinePoint { alpha, jaref, jv, efc_d } = *line;
        let (frictionloss, none, half) = (self.frictionloss, V::splat(0.0), V::splat(0.5));
        let x = jaref + alpha * jv;
        let ([low, high], [was_low, was_high]) = (self.zones(x), self.zones(jaref));
        let (holds, held) = (not::<V>(V::mask_or(low, high)), not::<V>(V::mask_or(was_low, was_high)));
        let cost = self.whole_cost(x, efc_d) - self.whole_cost(jaref, efc_d);
        let cost = V::select(V::mask_and(held, holds), half * efc_d * (x - jaref) * (x + jaref), cost);
        let cost = V::select(V::mask_and(was_low, low), frictionloss * (jaref - x), cost);
        let cost = V::select(V::mask_and(was_high, high), frictionloss * (x - jaref), cost);
        let deriv0 = V::select(low, -frictionloss * jv, V::select(high, frictionloss * jv, efc_d * x * jv));
        let deriv1 = V::select(holds, efc_d * jv * jv, none);
        [cost, deriv0, deriv1]
    }

    /// Returns the row's total cost if its `Jaref` is `x`.
    #[inline(always)]
    fn whole_cost(&self, x: V, efc_d: V) -> V {
        let (frictionloss, half) = (self.frictionloss, self.half);
        let [low, high] = self.zones(x);
        V::select(low, frictionloss * (half - x), V::select(high, frictionloss * (half + x), V::splat(0.5) * efc_d * x * x))
    }
}
