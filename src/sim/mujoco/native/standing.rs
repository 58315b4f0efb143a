//! Cylinders that stand on the ground, and slide there.
//!
//! What holds one up moves it nowhere: its rows are nothing but zeros. Their costs are there, though, in sums that others are added to.

use super::algebra::{add, scaled};
use super::lanes::Lanes;
use super::rows::{Constraint, Rows, impedance, resistance};
use super::smooth::Motion;
use super::tables::{JointKind, SameFrame, Softness, Tables};

/// A cylinder that stays upright, on the ground or above it, whatever it does.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    /// Height of the ground.
    pub(super) height: f64,
    pub(super) margin: f64,
    pub(super) radius: f64,
    /// Half its height.
    pub(super) half: f64,
    /// The constraint's share of the diagonal of the inverse mass.
    pub(super) weight: f64,
    pub(super) softness: Softness,
    /// Its tree, by number.
    pub(super) tree: usize,
}

impl Standing {
    /// Places where it touches, at most: one at the rim of each end, and two more at the lower one's.
    pub(super) const PLACES: usize = 4;

    /// Whether a shape that has such a frame of a body's stays upright and at its height: its body slides along the world's x and y alone.
    pub(super) fn is_upright(tables: &Tables, body: usize, frame: SameFrame) -> bool {
        let body = &tables.bodies[body];
        body.parent == 0
            && body.turn == [1.0, 0.0, 0.0, 0.0]
            && frame == SameFrame::Body
            && tables.joints[body.joints.clone()].iter().all(|joint| {
                joint.kind == JointKind::Slide && joint.place == [0.0; 3] && joint.along.is_some_and(|(axis, _)| axis != 2)
            })
    }

    /// Finds its rows.
    #[inline(always)]
    pub(super) fn find<V: Lanes>(&self, tables: &Tables, motion: &Motion<V>, rows: &mut Rows<V>, pair: usize) {
        let (none, one, dofs) = (V::all(0.0), V::all(1.0), tables.dofs.len());
        let (radius, half, margin) = (V::all(self.radius), V::all(self.half), V::all(self.margin));
        let place = motion.shapes[tables.pairs[pair].shapes[1]].place;
        let above = place[2] - V::all(self.height);
        let (lower, upper) = (above - half + none, above + half + none);
        if !V::any(lower.lt(margin)) {
            return;
        }
        let (down, out) = ([none, none, -half], [radius, none, none]);
        // Across its axis and the way to the rim, as long as the library makes it.
        let length = (radius * half * (radius * half)).sqrt();
        let across = [none, radius * half * (one / length) * V::all(self.radius * 3.0_f64.sqrt() / 2.0), none];
        let inwards = scaled(out, V::all(-0.5));
        let rim = [
            (lower, add(add(place, out), down)),
            (upper, add(add(place, out), [none, none, half])),
            (lower, add(add(add(place, across), down), inwards)),
            (lower, add(add(add(place, [none, -across[1], none]), down), inwards)),
        ];
        for (gap, [x, y, z]) in rim {
            let is_on = V::both(gap.le(margin), gap.lt(margin));
            if !V::any(is_on) {
                continue;
            }
            let distance = gap - margin;
            let impedance = impedance(&self.softness, distance);
            rows.note(pair, is_on, [x, y, z + -gap * V::all(0.5)], [[none, none, one], [none; 3], [none; 3]]);
            rows.room(dofs, 1);
            let constraint = Constraint {
                lanes: is_on,
                resistance: resistance(impedance, self.weight),
                impedance,
                softness: &self.softness,
                distance,
                only: 0,
                support: pair,
            };
            rows.take(motion, (dofs, 1), 1 << self.tree, &constraint);
        }
    }
}
