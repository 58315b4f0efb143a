//! Simulations in a plane, and what a step is of.

use super::super::newton::Counts;
use super::super::smooth::Motion;
use super::super::tables::{DOFS, Tables};
use super::lines::Rows;
use super::tables::Flat;
use super::tree::Matrix;
use envpool_rs_numeric::simd::Float64Lanes;

/// Simulations side by side, and what follows from their states.
pub(super) struct Plane<V: Float64Lanes, const N: usize, const W: usize> {
    pub(super) flat: Flat,
    pub(super) mass: Matrix<V, N>,
    /// The mass matrix, factored.
    pub(super) factor: Matrix<V, N>,
    /// One by its diagonal.
    pub(super) inverse: [V; N],
    /// Motions that degrees of freedom stand for: turn about y, and moves along x and z where all mass is.
    pub(super) motions: [[V; 3]; N],
    /// Where all mass is.
    pub(super) centre: [V; 2],
    pub(super) shapes: Vec<Placed<V>>,
    /// Forces along the degrees of freedom, all but those of constraints.
    pub(super) forces: [V; N],
    /// Accelerations without constraints.
    pub(super) smooth: [V; N],
    pub(super) rows: Rows<V, W>,
}

/// Where a shape is, and where its third axis points.
#[derive(Clone, Copy)]
pub(super) struct Placed<V> {
    pub(super) place: [V; 2],
    pub(super) axis: [V; 3],
}

/// What a step is of.
pub(in super::super) struct Step<'a, V: Float64Lanes> {
    pub(in super::super) tables: &'a Tables,
    pub(in super::super) motion: &'a mut Motion<V>,
    /// Accelerations that the solver begins with: those of the last step.
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
