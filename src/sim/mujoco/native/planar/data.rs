//! Arrays of a batch of planar simulations, and the arguments of a step.

use std::marker::PhantomData;

use crate::native::data::NativeData;
use crate::native::lane_fields::{FieldSource, SharedFields};
use crate::native::model::{MAX_NV, NativeModel};
use crate::native::planar::constraint::PlanarConstraints;
use crate::native::planar::fields::PlanarFields;
use crate::native::planar::model::PlanarModel;
use crate::native::planar::tree::Matrix;
use crate::native::solver::newton::SolverStats;
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// Arrays of `mjData` that a planar step uses, for a batch of simulations.
pub(super) struct PlanarData<V: Float64Lanes, const N: usize, const W: usize> {
    pub(super) model: PlanarModel,
    pub(super) fields: PlanarFields<V, N>,
    pub(super) qm: Matrix<V, N>,
    /// Factor `L'DL` of the inertia matrix (`qLD`).
    pub(super) qld: Matrix<V, N>,
    /// Reciprocal diagonal of the inertia matrix's factor (`qLDiagInv`).
    pub(super) qld_diag_inv: [V; N],
    /// `cdof` in the plane: rotation about y, and translations along x and z at `subtree_com`.
    pub(super) cdof: [[V; 3]; N],
    pub(super) subtree_com: [V; 2],
    pub(super) geom_poses: Vec<PlanarGeomPose<V>>,
    pub(super) site_xpos: Vec<[V; 2]>,
    pub(super) qfrc_smooth: [V; N],
    pub(super) qacc_smooth: [V; N],
    pub(super) rows: PlanarConstraints<V, W>,
    /// Normal force of each contact, computed only if touch sensors are requested.
    pub(super) normal_forces: Vec<V>,
}

/// World position and z axis of a geom in the plane: `geom_xpos`, and the third column of `geom_xmat`.
#[derive(Clone, Copy)]
pub(super) struct PlanarGeomPose<V> {
    pub(super) pos: [V; 2],
    pub(super) axis: [V; 3],
}

/// Arguments of the functions that compute a planar step of a batch.
pub(in crate::native) struct StepArgs<'a, V: Float64Lanes> {
    pub(in crate::native) model: &'a NativeModel,
    pub(in crate::native) data: &'a mut NativeData<V>,
    pub(in crate::native) qacc_warmstart: &'a mut [V; MAX_NV],
    pub(in crate::native) qacc: &'a mut [V; MAX_NV],
    pub(in crate::native) qfrc_constraint: &'a mut [V; MAX_NV],
    pub(in crate::native) stats: &'a mut SolverStats,
}

/// SIMD kernel `K` of a part of a planar step, along the tree `T`.
pub(super) struct Kernel<'a, 'b, K, V: Float64Lanes, T, const N: usize, const W: usize>(
    pub(super) &'a mut PlanarData<V, N, W>,
    pub(super) &'a mut StepArgs<'b, V>,
    pub(super) PhantomData<(K, T)>,
);

impl<V: Float64Lanes, const N: usize, const W: usize> PlanarData<V, N, W> {
    pub(super) fn new(model: &NativeModel, planar_model: &PlanarModel) -> Box<Self> {
        let none = V::splat(0.0);
        Box::new(Self {
            model: planar_model.clone(),
            fields: PlanarFields::new(model, planar_model, SharedFields),
            qm: [[none; N]; N],
            qld: [[none; N]; N],
            qld_diag_inv: [none; N],
            cdof: [[none; 3]; N],
            subtree_com: [none; 2],
            geom_poses: vec![PlanarGeomPose { pos: [none; 2], axis: [none; 3] }; planar_model.geoms.len()],
            site_xpos: vec![[none; 2]; planar_model.touch_sites.as_ref().map_or(0, Vec::len)],
            qfrc_smooth: [none; N],
            qacc_smooth: [none; N],
            rows: PlanarConstraints::new(model, planar_model),
            normal_forces: Vec::new(),
        })
    }
}

/// SIMD kernel that reads the values of model fields.
pub(super) struct LoadFields<'a, V: Float64Lanes, F, const N: usize, const W: usize> {
    pub(super) planar: &'a mut PlanarData<V, N, W>,
    pub(super) model: &'a NativeModel,
    pub(super) fields: F,
}

impl<V: Float64Lanes, F: FieldSource<V>, const N: usize, const W: usize> SimdKernel for LoadFields<'_, V, F, N, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { planar, model, fields } = self;
        planar.fields = PlanarFields::new(model, &planar.model, fields);
    }
}
