//! Solves the systems of the Newton solver, whose Hessian includes that of elliptic cones.

use crate::native::constraint::Constraints;
use crate::native::model::{MAX_NV, NativeModel};
use crate::native::solver::cone_turns::{ConeTurn, cone_turns};
use crate::native::solver::cones::{EllipticCone, with_condim};
use crate::native::solver::constraint_update::rows_from;
use crate::native::solver::newton::hessian::{DenseMatrix, MAX_UPDATES, chol_solve, chol_updates};
use crate::native::solver::newton::vectors::copy_lane;
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// Memory of the Newton solver, which its kernels extend to the sizes that they need.
pub(in crate::native) struct SolverMemory<V> {
    /// Cholesky factor of the Hessian.
    pub(super) factor: Vec<V>,
    /// Copy of the factor that includes elliptic cones, or the factor of a Hessian that lost its rank.
    pub(super) whole: Vec<V>,
    /// Vectors by which the factor is updated at once.
    pub(super) updates: Vec<[V; MAX_NV]>,
    /// Order in which the Hessians of elliptic cones are added.
    turns: Vec<ConeTurn>,
    /// Rows of `efc_J` of a turn.
    jacobian: Vec<V>,
}

impl<V> Default for SolverMemory<V> {
    fn default() -> Self {
        Self { factor: Vec::new(), whole: Vec::new(), updates: Vec::new(), turns: Vec::new(), jacobian: Vec::new() }
    }
}

/// SIMD kernel that replaces the gradient `x` by `Mgrad`, the inverse Hessian times the gradient; the Hessian is given by its
/// Cholesky factor. In the lanes of `live`, the Hessian includes the cones that are in their middle zone (`HessianCone`).
pub(super) struct UpdateGradient<'a, V: Float64Lanes> {
    pub(super) rows: &'a mut Constraints<V>,
    pub(super) model: &'a NativeModel,
    pub(super) factor: &'a [V],
    pub(super) x: &'a mut [V],
    pub(super) live: u32,
}

impl<V: Float64Lanes> SimdKernel for UpdateGradient<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { rows, model, factor, x, live } = self;
        let (dialect, n) = (&model.dialect, x.len());
        let mut memory = std::mem::take(&mut rows.memory);
        cone_turns(&rows.cones, live, &mut memory.turns);
        let SolverMemory { turns, whole: all, jacobian, updates, .. } = &mut memory;
        let mut whole = factor;
        if !turns.is_empty() {
            all.clear();
            all.extend_from_slice(factor);
            jacobian.resize(MAX_UPDATES * n, V::splat(0.0));
            updates.resize(MAX_UPDATES, [V::splat(0.0); MAX_NV]);
            for turn in &*turns {
                let condim = with_condim!(rows.cones[turn.first_cone()], DIM => {
                    let (cone, jaref, efc_d) = rows.cones_of::<DIM>(turn, n, jacobian);
                    let cone_hessian = cone.cone_hessian::<DIM>(&jaref, efc_d, dialect);
                    for part in 0..DIM {
                        let x = &mut updates[part][..n];
                        x.fill(V::splat(0.0));
                        for row in part..DIM {
                            for (sum, value) in x.iter_mut().zip(&jacobian[row * n..]) {
                                *sum = *sum + *value * cone_hessian[row][part];
                            }
                        }
                    }
                    DIM
                });
                let lanes = [V::mask(turn.lanes); MAX_UPDATES];
                let mut matrix = DenseMatrix { elements: all, size: n };
                chol_updates(&mut matrix, (n, &mut updates[..condim]), &lanes[..condim], &lanes[..condim]);
            }
            whole = all;
        }
        chol_solve(whole, x, dialect.solves_by_columns);
        rows.memory = memory;
    }
}

impl<V: Float64Lanes> Constraints<V> {
    /// Gathers the cones of a turn, each from its own lane: the cone, `Jaref` of its rows, and `efc_D` of its first row. Its rows of
    /// `efc_J` are written into `jacobian`.
    #[inline(always)]
    fn cones_of<const D: usize>(&self, turn: &ConeTurn, n: usize, jacobian: &mut [V]) -> (EllipticCone<V>, [V; D], V) {
        let first = turn.first_cone();
        let mut gathered = self.cones[first];
        let row = gathered.row;
        let (mut jaref, mut efc_d) = (rows_from::<V, D>(&self.jaref, row), self.efc_d[row]);
        jacobian[..D * n].copy_from_slice(&self.efc_j[row * n..][..D * n]);
        for lane in 0..V::COUNT {
            let number = usize::from(turn.cones[lane]);
            if turn.lanes >> lane & 1 == 0 || number == first {
                continue;
            }
            let (cone, row) = (&self.cones[number], self.cones[number].row);
            gathered.copy_friction(cone, lane);
            efc_d.set(lane, self.efc_d[row].get(lane));
            for part in 0..D {
                jaref[part].set(lane, self.jaref[row + part].get(lane));
            }
            copy_lane(jacobian, &self.efc_j[row * n..][..D * n], lane);
        }
        (gathered, jaref, efc_d)
    }
}
