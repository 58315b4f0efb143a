//! Access to the values of model fields in a kernel.

use crate::data::Data;
use crate::model_overrides::{BODY_POS, BODY_QUAT};
use crate::native::lane_fields::field::{LaneField, PARAMETERS};
use crate::native::lane_fields::lane_tables::LaneTables;
use crate::native::mju::{IDENTITY_QUAT, MJMINVAL, scl3, splat3, splat4};
use crate::native::model::{Actuator, Bias, Body, ContactFriction, Dof, NativeModel};
use envpool_rs_numeric::simd::Float64Lanes;

/// Source of the values of model fields that can differ between lanes. Kernels are compiled for each source, so that the
/// model's values cost nothing.
pub(in crate::native) trait FieldSource<V: Float64Lanes>: Copy {
    /// Whether values differ between lanes.
    const IS_OWN: bool;

    /// Returns `opt.gravity`.
    fn gravity(self, model: &NativeModel) -> [V; 3];
    /// Returns `body_pos` of a body.
    fn body_pos(self, id: usize, body: &Body) -> [V; 3];
    /// Returns `body_quat` of a body; `None` if it is the identity in all lanes, unless `keeps_identity` is set.
    fn body_quat(self, id: usize, body: &Body, keeps_identity: bool) -> Option<[V; 4]>;
    /// Copies the lane's `body_pos` and `body_quat` to a simulation's model. Returns `None` if that is impossible.
    fn copy_frames(self, lane: usize, data: &mut Data) -> Option<()>;
    /// Returns `body_ipos` of a body.
    fn body_ipos(self, id: usize, body: &Body) -> [V; 3];
    /// Returns `body_mass` of a body.
    fn body_mass(self, id: usize, body: &Body) -> V;
    /// Returns `body_inertia` of a body.
    fn body_inertia(self, id: usize, body: &Body) -> [V; 3];
    /// Divides `sum`, a sum over a body's subtree, by its mass (`body_subtreemass`). Returns `massless` for a massless subtree.
    fn by_subtreemass(self, id: usize, body: &Body, sum: [V; 3], massless: [V; 3]) -> [V; 3];
    /// Returns the reciprocal of a subtree's mass, or of `mjMINVAL` for a massless subtree.
    fn inv_subtreemass(self, id: usize, body: &Body) -> V;
    /// Returns `dof_damping` of a degree of freedom.
    fn dof_damping(self, number: usize, dof: &Dof) -> V;
    /// Returns a bit mask of the lanes in which Euler's method integrates damping implicitly.
    fn damped_lanes(self, model: &NativeModel) -> u32;
    /// Returns `dof_armature` of a degree of freedom.
    fn dof_armature(self, number: usize, dof: &Dof) -> V;
    /// Returns `dof_M0` of a degree of freedom whose inertia, `m0`, is constant.
    fn dof_m0(self, number: usize, m0: f64) -> V;
    /// Returns `efc_diagApprox` of a row that equals `dof_invweight0`, whose value in the model is `base`.
    fn dof_invweight0(self, number: usize, base: f64) -> V;
    /// Returns `dof_frictionloss`, whose value in the model is `base`.
    fn dof_frictionloss(self, number: usize, base: f64) -> V;
    /// Returns the fixed gain of an actuator (`actuator_gainprm[0]`).
    fn gain(self, number: usize, actuator: &Actuator) -> V;
    /// Returns the three coefficients of an actuator's affine bias (`actuator_biasprm`).
    fn bias(self, number: usize, bias: &Bias) -> [V; 3];
    /// Returns the friction coefficients of a pair's contacts.
    fn friction(self, pair: usize, base: &ContactFriction) -> [V; 5];
    /// Returns `efc_diagApprox` of a pair's contacts, whose value in the model is `base`.
    fn contact_diag_approx(self, pair: usize, base: f64) -> V;
    /// Returns a bit mask of the lanes in which MuJoCo must take the step if the pair has contacts.
    fn uncertain_lanes(self, pair: usize) -> u32;
}

/// Source of the model's values, which all lanes share.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct SharedFields;

impl<V: Float64Lanes> FieldSource<V> for SharedFields {
    const IS_OWN: bool = false;

    #[inline(always)]
    fn gravity(self, model: &NativeModel) -> [V; 3] {
        splat3(&model.gravity)
    }

    #[inline(always)]
    fn body_pos(self, _id: usize, body: &Body) -> [V; 3] {
        splat3(&body.pos)
    }

    #[inline(always)]
    fn body_quat(self, _id: usize, body: &Body, keeps_identity: bool) -> Option<[V; 4]> {
        if keeps_identity || body.quat != IDENTITY_QUAT { Some(splat4(&body.quat)) } else { None }
    }

    fn copy_frames(self, _lane: usize, data: &mut Data) -> Option<()> {
        data.set_changes(&Vec::new()).ok()
    }

    #[inline(always)]
    fn body_ipos(self, _id: usize, body: &Body) -> [V; 3] {
        splat3(&body.inertial.pos)
    }

    #[inline(always)]
    fn body_mass(self, _id: usize, body: &Body) -> V {
        V::splat(body.mass)
    }

    #[inline(always)]
    fn body_inertia(self, _id: usize, body: &Body) -> [V; 3] {
        splat3(&body.inertia)
    }

    #[inline(always)]
    fn by_subtreemass(self, _id: usize, body: &Body, sum: [V; 3], massless: [V; 3]) -> [V; 3] {
        match body.inv_subtreemass {
            Some(inv_subtreemass) => scl3(sum, V::splat(inv_subtreemass)),
            None => massless,
        }
    }

    #[inline(always)]
    fn inv_subtreemass(self, _id: usize, body: &Body) -> V {
        V::splat(body.inv_subtreemass.unwrap_or(1.0 / MJMINVAL))
    }

    #[inline(always)]
    fn dof_damping(self, _number: usize, dof: &Dof) -> V {
        V::splat(dof.damping)
    }

    #[inline(always)]
    fn damped_lanes(self, model: &NativeModel) -> u32 {
        if model.eulerdamp { V::ALL } else { 0 }
    }

    #[inline(always)]
    fn dof_armature(self, _number: usize, dof: &Dof) -> V {
        V::splat(dof.armature)
    }

    #[inline(always)]
    fn dof_m0(self, _number: usize, m0: f64) -> V {
        V::splat(m0)
    }

    #[inline(always)]
    fn dof_invweight0(self, _number: usize, base: f64) -> V {
        V::splat(base)
    }

    #[inline(always)]
    fn dof_frictionloss(self, _number: usize, base: f64) -> V {
        V::splat(base)
    }

    #[inline(always)]
    fn gain(self, _number: usize, actuator: &Actuator) -> V {
        V::splat(actuator.gain)
    }

    #[inline(always)]
    fn bias(self, _number: usize, bias: &Bias) -> [V; 3] {
        splat3(&[bias.constant, bias.by_length, bias.by_velocity])
    }

    #[inline(always)]
    fn friction(self, _pair: usize, base: &ContactFriction) -> [V; 5] {
        let [one, other, torsion, rolling, last] = base.coefficients;
        [V::splat(one), V::splat(other), V::splat(torsion), V::splat(rolling), V::splat(last)]
    }

    #[inline(always)]
    fn contact_diag_approx(self, _pair: usize, base: f64) -> V {
        V::splat(base)
    }

    #[inline(always)]
    fn uncertain_lanes(self, _pair: usize) -> u32 {
        0
    }
}

impl<V: Float64Lanes> FieldSource<V> for &LaneTables<V> {
    const IS_OWN: bool = true;

    #[inline(always)]
    fn gravity(self, _model: &NativeModel) -> [V; 3] {
        self.vector(LaneField::Gravity, 0)
    }

    #[inline(always)]
    fn body_pos(self, id: usize, _body: &Body) -> [V; 3] {
        self.vector(LaneField::BodyPos, id)
    }

    #[inline(always)]
    fn body_quat(self, id: usize, _body: &Body, _keeps_identity: bool) -> Option<[V; 4]> {
        Some(self.vector(LaneField::BodyQuat, id))
    }

    fn copy_frames(self, lane: usize, data: &mut Data) -> Option<()> {
        for (array, field) in [(BODY_POS, LaneField::BodyPos), (BODY_QUAT, LaneField::BodyQuat)] {
            for (to, from) in data.model_array_mut(array).iter_mut().zip(&self.values[field as usize]) {
                *to = from.get(lane);
            }
        }
        Some(())
    }

    #[inline(always)]
    fn body_ipos(self, id: usize, _body: &Body) -> [V; 3] {
        self.vector(LaneField::BodyIpos, id)
    }

    #[inline(always)]
    fn body_mass(self, id: usize, _body: &Body) -> V {
        self.number(LaneField::BodyMass, id)
    }

    #[inline(always)]
    fn body_inertia(self, id: usize, _body: &Body) -> [V; 3] {
        self.vector(LaneField::BodyInertia, id)
    }

    #[inline(always)]
    fn by_subtreemass(self, id: usize, _body: &Body, sum: [V; 3], massless: [V; 3]) -> [V; 3] {
        let mass = self.number(LaneField::BodySubtreemass, id);
        let (is_massless, by) = (mass.lt(V::splat(MJMINVAL)), V::splat(1.0) / mass);
        let mut centre = scl3(sum, by);
        for axis in 0..3 {
            centre[axis] = V::select(is_massless, massless[axis], centre[axis]);
        }
        centre
    }

    #[inline(always)]
    fn inv_subtreemass(self, id: usize, _body: &Body) -> V {
        V::splat(1.0) / self.number(LaneField::BodySubtreemass, id).larger(V::splat(MJMINVAL))
    }

    #[inline(always)]
    fn dof_damping(self, number: usize, _dof: &Dof) -> V {
        self.number(LaneField::DofDamping, number)
    }

    #[inline(always)]
    fn damped_lanes(self, model: &NativeModel) -> u32 {
        if model.disables_eulerdamp { 0 } else { self.damped }
    }

    #[inline(always)]
    fn dof_armature(self, number: usize, _dof: &Dof) -> V {
        self.number(LaneField::DofArmature, number)
    }

    #[inline(always)]
    fn dof_m0(self, number: usize, _m0: f64) -> V {
        self.number(LaneField::DofM0, number)
    }

    #[inline(always)]
    fn dof_invweight0(self, number: usize, _base: f64) -> V {
        self.number(LaneField::DofInvweight0, number)
    }

    #[inline(always)]
    fn dof_frictionloss(self, number: usize, _base: f64) -> V {
        self.number(LaneField::DofFrictionloss, number)
    }

    #[inline(always)]
    fn gain(self, number: usize, _motor: &Actuator) -> V {
        self.number(LaneField::ActuatorGainprm, PARAMETERS * number)
    }

    #[inline(always)]
    fn bias(self, number: usize, _bias: &Bias) -> [V; 3] {
        let (field, at) = (LaneField::ActuatorBiasprm, PARAMETERS * number);
        [self.number(field, at), self.number(field, at + 1), self.number(field, at + 2)]
    }

    #[inline(always)]
    fn friction(self, pair: usize, _base: &ContactFriction) -> [V; 5] {
        self.frictions[pair].coefficients
    }

    #[inline(always)]
    fn contact_diag_approx(self, pair: usize, _base: f64) -> V {
        self.frictions[pair].diag_approx
    }

    #[inline(always)]
    fn uncertain_lanes(self, pair: usize) -> u32 {
        self.uncertain[pair]
    }
}
