//! Order in which the Newton solver adds the Hessians of elliptic cones to its own, lane by lane.

use crate::native::solver::cones::EllipticCone;
use envpool_rs_numeric::simd::Float64Lanes;

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
