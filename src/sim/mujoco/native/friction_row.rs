//! Constraint row of the friction loss of a degree of freedom, whose force is bounded.

use super::cones::not;
use envpool_rs_numeric::simd::Float64Lanes;

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

/// Constraint row of `dof_frictionloss` (`mjCNSTR_FRICTION_DOF`), with constants of its cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrictionRow<V> {
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
    pub(super) fn new(frictionloss: V, efc_r: V) -> Self {
        let (reach, minus) = (efc_r * frictionloss, V::splat(-0.5));
        Self { frictionloss, reach, half: minus * reach, held: minus * efc_r * frictionloss * frictionloss }
    }

    /// Converts the row's numbers by `pick`.
    #[inline(always)]
    pub(super) fn map<W>(&self, pick: impl Fn(V) -> W) -> FrictionRow<W> {
        let Self { frictionloss, reach, half, held } = *self;
        FrictionRow { frictionloss: pick(frictionloss), reach: pick(reach), half: pick(half), held: pick(held) }
    }

    /// Returns two masks: the lanes in which the row's state is `mjCNSTRSTATE_LINEARNEG`, and the lanes in which the state is
    /// `mjCNSTRSTATE_LINEARPOS`.
    #[inline(always)]
    pub(super) fn zones(&self, excess: V) -> [V::Mask; 2] {
        [excess.le(-self.reach), excess.ge(self.reach)]
    }

    /// Returns the row's cost, its force, and a mask of the lanes in which the row is in the zone `mjCNSTRSTATE_QUADRATIC`.
    #[inline(always)]
    pub(super) fn state(&self, excess: V, weight: V) -> (V, V, V::Mask) {
        let [low, high] = self.zones(excess);
        let (loss, held) = (self.frictionloss, self.held);
        let cost = V::splat(0.5) * weight * excess * excess;
        let cost = V::select(low, held - loss * excess, V::select(high, held + loss * excess, cost));
        let force = V::select(low, loss, V::select(high, -loss, -weight * excess));
        (cost, force, not::<V>(V::mask_or(low, high)))
    }

    /// Returns the coefficients of the row's cost on a search line, which is a polynomial in the step length.
    #[inline(always)]
    pub(super) fn powers(&self, line: &LinePoint<V>, costs: [V; 3]) -> [V; 3] {
        let LinePoint { alpha: length, jaref: start, jv: change, .. } = *line;
        let (loss, half) = (self.frictionloss, self.half);
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
    pub(super) fn cost_dif(&self, line: &LinePoint<V>) -> [V; 3] {
        let LinePoint { alpha: length, jaref: start, jv: change, efc_d: weight } = *line;
        let (loss, none, half) = (self.frictionloss, V::splat(0.0), V::splat(0.5));
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
    fn whole_cost(&self, x: V, weight: V) -> V {
        let (loss, half) = (self.frictionloss, self.half);
        let [low, high] = self.zones(x);
        V::select(low, loss * (half - x), V::select(high, loss * (half + x), V::splat(0.5) * weight * x * x))
    }
}
