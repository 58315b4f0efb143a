//! Order in which the Newton solver adds the Hessians of elliptic cones to its own, lane by lane.

use super::super::cones::EllipticCone;
use super::super::friction::rows_from;
use super::super::rows::Constraints;
use envpool_rs_numeric::simd::Float64Lanes;

/// Cones in the middle zone, one for each lane, whose Hessians the solver adds to its own at once.
#[derive(Clone, Copy)]
pub(in crate::native) struct ConeTurn {
    /// Index of each lane's cone.
    cones: [u16; 8],
    /// Bit mask of the lanes that have a cone; never 0.
    pub(super) lanes: u32,
    condim: usize,
}

impl ConeTurn {
    /// Returns the index of the cone of the first lane that has one.
    #[inline(always)]
    pub(super) fn first_cone(&self) -> usize {
        usize::from(self.cones[self.lanes.trailing_zeros() as usize & 7])
    }
}

/// Distributes the cones that are in the middle zone in lanes of `live` to turns. Each lane's cones keep their order.
///
/// Lanes have contacts of different geoms, so lanes with different cones share a turn.
pub(super) fn cone_turns<V: Float64Lanes>(cones: &[EllipticCone<V>], live: u32, turns: &mut Vec<ConeTurn>) {
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

impl<V: Float64Lanes> Constraints<V> {
    /// Gathers the cones of a turn, each from its own lane: the cone, `Jaref` of its rows, `efc_D` of its first row, and its rows
    /// of `efc_J`.
    #[inline(always)]
    pub(super) fn cones_of<const D: usize, const N: usize>(
        &self,
        turn: &ConeTurn,
        n: usize,
    ) -> (EllipticCone<V>, [V; D], V, [[V; N]; D]) {
        let first = turn.first_cone();
        let mut gathered = self.cones[first];
        let row = gathered.row;
        let (mut excess, mut weight) = (rows_from::<V, D>(&self.jaref, row), self.efc_d[row]);
        let mut jacobian = [[V::splat(0.0); N]; D];
        for part in 0..D {
            jacobian[part][..n].copy_from_slice(self.jacobian_row(row + part, n));
        }
        for lane in 0..V::COUNT {
            let number = usize::from(turn.cones[lane]);
            if turn.lanes >> lane & 1 == 0 || number == first {
                continue;
            }
            let (cone, row) = (&self.cones[number], self.cones[number].row);
            gathered.copy_friction(cone, lane);
            weight.set(lane, self.efc_d[row].get(lane));
            for part in 0..D {
                excess[part].set(lane, self.jaref[row + part].get(lane));
                for (to, from) in jacobian[part][..n].iter_mut().zip(self.jacobian_row(row + part, n)) {
                    to.set(lane, from.get(lane));
                }
            }
        }
        (gathered, excess, weight, jacobian)
    }
}
