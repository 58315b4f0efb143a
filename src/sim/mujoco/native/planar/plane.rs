//! Planar batch of simulations, and the arguments of a step.

use super::super::newton::Counts;
use super::super::smooth::Motion;
use super::super::tables::{DOFS, Tables};
use super::lines::Rows;
use super::tables::Flat;
use super::tree::Matrix;
use envpool_rs_numeric::simd::Float64Lanes;

/// The arrays of `mjData` that a planar step uses, for a batch of simulations.
pub(super) struct Plane<V: Float64Lanes, const N: usize, const W: usize> {
    pub(super) flat: Flat,
    pub(super) mass: Matrix<V, N>,
    /// `qLD`: factor of the inertia matrix.
    pub(super) factor: Matrix<V, N>,
    /// `qLDiagInv`: reciprocal diagonal of the factor.
    pub(super) inverse: [V; N],
    /// `cdof` in the plane: rotation about y, and translations along x and z at `subtree_com`.
    pub(super) motions: [[V; 3]; N],
    /// `subtree_com` of the root.
    pub(super) centre: [V; 2],
    pub(super) shapes: Vec<Placed<V>>,
    /// `qfrc_smooth`: all forces but those of constraints.
    pub(super) forces: [V; N],
    /// `qacc_smooth`.
    pub(super) smooth: [V; N],
    pub(super) rows: Rows<V, W>,
}

/// World position and z axis of a geom: `geom_xpos`, and the third column of `geom_xmat`.
#[derive(Clone, Copy)]
pub(super) struct Placed<V> {
    pub(super) place: [V; 2],
    pub(super) axis: [V; 3],
}

/// Arguments of a step.
pub(in super::super) struct Step<'a, V: Float64Lanes> {
    pub(in super::super) tables: &'a Tables,
    pub(in super::super) motion: &'a mut Motion<V>,
    /// `qacc_warmstart`.
    pub(in super::super) warm: &'a mut [V; DOFS],
    pub(in super::super) accelerations: &'a mut [V; DOFS],
    pub(in super::super) constraint_forces: &'a mut [V; DOFS],
    pub(in super::super) counts: &'a mut Counts,
}

impl<V: Float64Lanes, const N: usize, const W: usize> Plane<V, N, W> {
    pub(super) fn new(tables: &Tables, flat: &Flat) -> Box<Self> {
        let none = V::all(0.0);
        Box::new(Self {
            flat: flat.clone(),
            mass: [[none; N]; N],
            factor: [[none; N]; N],
            inverse: [none; N],
            motions: [[none; 3]; N],
            centre: [none; 2],
            shapes: vec![Placed { place: [none; 2], axis: [none; 3] }; flat.shapes.len()],
            forces: [none; N],
            smooth: [none; N],
            rows: Rows::new(tables, flat),
        })
    }
}
