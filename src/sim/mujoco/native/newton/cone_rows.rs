//! Gathers the elliptic cones whose Hessians the Newton solver adds to its own at once.

use super::super::cone_turns::ConeTurn;
use super::super::cones::EllipticCone;
use super::super::friction::rows_from;
use super::super::rows::Constraints;
use super::vectors::copy_lane;
use envpool_rs_numeric::simd::Float64Lanes;

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
                copy_lane(&mut jacobian[part], self.jacobian_row(row + part, n), lane);
            }
        }
        (gathered, excess, weight, jacobian)
    }
}
