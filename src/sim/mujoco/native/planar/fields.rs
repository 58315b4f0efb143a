//! Values of model fields in SIMD vectors, which can differ between the lanes of a planar step.

use crate::native::lane_fields::FieldSource;
use crate::native::model::NativeModel;
use crate::native::planar::model::PlanarModel;
use crate::native::planar::tree::MAX_PLANAR_NV;
use envpool_rs_numeric::simd::Float64Lanes;

#[derive(Clone, Copy)]
pub(super) struct PlanarFriction<V> {
    pub(super) sliding: V,
    /// Approximate diagonal of `J * inv(M) * J'` for the contact's first row (`efc_diagApprox`).
    pub(super) diag_approx: V,
}

pub(super) struct PlanarFields<V, const N: usize> {
    /// Gravity along x and z.
    pub(super) gravity: [V; 2],
    pub(super) mass: [V; MAX_PLANAR_NV],
    /// Sum of the masses of each body and its descendants, as `mj_crb` computes it.
    pub(super) composite_mass: [V; MAX_PLANAR_NV],
    pub(super) inertia: [[V; 3]; MAX_PLANAR_NV],
    /// Reciprocal of `body_subtreemass` of the root body.
    pub(super) by_tree_mass: V,
    pub(super) armature: [V; N],
    pub(super) damping: [V; N],
    /// Bit mask of the lanes in which Euler's method integrates damping implicitly.
    pub(super) damped: u32,
    /// `efc_diagApprox` of the limit of each joint.
    pub(super) limits: [V; N],
    pub(super) gains: Vec<V>,
    pub(super) grounds: Vec<PlanarFriction<V>>,
    pub(super) rounds: Vec<PlanarFriction<V>>,
}

impl<V: Float64Lanes, const N: usize> PlanarFields<V, N> {
    #[inline(always)]
    pub(super) fn new(model: &NativeModel, planar_model: &PlanarModel, fields: impl FieldSource<V>) -> Self {
        let none = V::splat(0.0);
        let [x, _, z] = fields.gravity(model);
        let mut read = Self {
            gravity: [x, z],
            mass: [none; MAX_PLANAR_NV],
            composite_mass: [none; MAX_PLANAR_NV],
            inertia: [[none; 3]; MAX_PLANAR_NV],
            by_tree_mass: fields.inv_subtreemass(1, &model.bodies[1]),
            armature: [none; N],
            damping: [none; N],
            damped: fields.damped_lanes(model),
            limits: [none; N],
            gains: Vec::new(),
            grounds: Vec::new(),
            rounds: Vec::new(),
        };
        for (id, body) in model.bodies.iter().enumerate().skip(1) {
            read.mass[id] = fields.body_mass(id, body);
            read.inertia[id] = fields.body_inertia(id, body);
        }
        read.composite_mass = read.mass;
        for (id, body) in model.bodies.iter().enumerate().skip(2).rev() {
            read.composite_mass[body.parent] = read.composite_mass[body.parent] + read.composite_mass[id];
        }
        for (number, (dof, joint)) in model.dofs.iter().zip(&model.joints).enumerate().take(N) {
            read.armature[number] = fields.dof_armature(number, dof);
            read.damping[number] = fields.dof_damping(number, dof);
            if let Some(limit) = &joint.limit {
                read.limits[number] = fields.dof_invweight0(number, limit.diag_approx);
            }
        }
        for (number, actuator) in model.actuators.iter().enumerate() {
            read.gains.push(fields.gain(number, actuator));
        }
        for ground in &planar_model.grounds {
            read.grounds.push(friction_of(model, fields, ground.pair));
        }
        for round in &planar_model.rounds {
            read.rounds.push(friction_of(model, fields, round.pair));
        }
        read
    }
}

#[inline(always)]
fn friction_of<V: Float64Lanes>(model: &NativeModel, fields: impl FieldSource<V>, number: usize) -> PlanarFriction<V> {
    let pair = &model.pairs[number];
    let sliding = fields.friction(number, &pair.friction())[0];
    PlanarFriction { sliding, diag_approx: fields.contact_diag_approx(number, pair.diag_approx()) }
}
