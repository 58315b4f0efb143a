//! Access to the values of model fields in a kernel.

use crate::data::Data;
use crate::model_overrides::{BODY_POS, BODY_QUAT, GEOM_POS, GEOM_SIZE};
use crate::native::lane_fields::field::{LaneField, PARAMETERS};
use crate::native::lane_fields::lane_tables::LaneTables;
use crate::native::mju::{IDENTITY_QUAT, MJMINVAL, first, scl3, splat3, splat4};
use crate::native::model::{Actuator, Bias, Body, ContactFriction, Dof, Geom, LibraryPair, NativeModel};
use envpool_rs_numeric::simd::Float64Lanes;

/// Declares [`FieldSource`] and its two implementations. Each method has the expression for the model's values, and after `own` that
/// for the lanes' values, with the [`LaneTables`] `$lanes`.
macro_rules! field_sources {
    ($lanes:ident; $($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $result:ty { $shared:expr; own $own:expr })*) => {
        /// Source of fields that can differ between lanes. Kernels are compiled for each, so that shared values cost nothing.
        pub(in crate::native) trait FieldSource<V: Float64Lanes>: Copy {
            /// Whether values differ between lanes.
            const IS_OWN: bool;

            $($(#[$doc])* fn $name(self, $($arg: $type),*) -> $result;)*
        }

        #[allow(unused_variables, reason = "each source reads other arguments")]
        impl<V: Float64Lanes> FieldSource<V> for SharedFields {
            const IS_OWN: bool = false;

            $(#[inline(always)] fn $name(self, $($arg: $type),*) -> $result { $shared })*
        }

        #[allow(unused_variables, reason = "each source reads other arguments")]
        impl<V: Float64Lanes> FieldSource<V> for &LaneTables<V> {
            const IS_OWN: bool = true;

            $(#[inline(always)] fn $name(self, $($arg: $type),*) -> $result { let $lanes = self; $own })*
        }
    };
}

/// Source of the model's values, which all lanes share.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct SharedFields;

field_sources! { lanes;
    /// Returns `opt.gravity`.
    fn gravity(model: &NativeModel) -> [V; 3] {
        splat3(&model.gravity); own lanes.vector(LaneField::Gravity, 0)
    }
    fn body_pos(id: usize, body: &Body) -> [V; 3] {
        splat3(&body.pos); own lanes.vector(LaneField::BodyPos, id)
    }
    /// Returns `body_quat` of a body; `None` if it is the identity in all lanes, unless `keeps_identity` is set.
    fn body_quat(id: usize, body: &Body, keeps_identity: bool) -> Option<[V; 4]> {
        if keeps_identity || body.quat != IDENTITY_QUAT { Some(splat4(&body.quat)) } else { None };
        own Some(lanes.vector(LaneField::BodyQuat, id))
    }
    /// Copies the lane's `body_pos` and `body_quat` to a simulation's model. Returns `None` if that is impossible.
    fn copy_frames(lane: usize, data: &mut Data) -> Option<()> {
        data.set_changes(&Vec::new()).ok(); own copy_own_frames(lanes, lane, data)
    }
    /// Copies the lane's shapes of a pair's geoms to a simulation's model. Returns `None` if that is impossible.
    fn copy_shapes(lane: usize, pair: &LibraryPair, data: &mut Data) -> Option<()> {
        if !pair.reads_own_sizes() { Some(()) } else { data.set_changes(&Vec::new()).ok() };
        own copy_own_shapes(lanes, lane, pair, data)
    }
    fn geom_pos(geom: &Geom) -> [V; 3] {
        splat3(&geom.frame.pos); own lanes.vector(LaneField::GeomPos, geom.id)
    }
    fn body_ipos(id: usize, body: &Body) -> [V; 3] {
        splat3(&body.inertial.pos); own lanes.vector(LaneField::BodyIpos, id)
    }
    fn body_mass(id: usize, body: &Body) -> V {
        V::splat(body.mass); own lanes.number(LaneField::BodyMass, id)
    }
    fn body_inertia(id: usize, body: &Body) -> [V; 3] {
        splat3(&body.inertia); own lanes.vector(LaneField::BodyInertia, id)
    }
    /// Divides `sum`, a sum over a body's subtree, by its mass (`body_subtreemass`). Returns `massless` for a massless subtree.
    fn by_subtreemass(id: usize, body: &Body, sum: [V; 3], massless: [V; 3]) -> [V; 3] {
        match body.inv_subtreemass {
            Some(inv_subtreemass) => scl3(sum, V::splat(inv_subtreemass)),
            None => massless,
        };
        own by_own_mass(lanes.number(LaneField::BodySubtreemass, id), sum, massless)
    }
    /// Returns the reciprocal of a subtree's mass, or of `mjMINVAL` for a massless subtree.
    fn inv_subtreemass(id: usize, body: &Body) -> V {
        V::splat(body.inv_subtreemass.unwrap_or(1.0 / MJMINVAL));
        own V::splat(1.0) / lanes.number(LaneField::BodySubtreemass, id).larger(V::splat(MJMINVAL))
    }
    /// Returns `dof_damping` of a degree of freedom.
    fn dof_damping(number: usize, dof: &Dof) -> V {
        V::splat(dof.damping); own lanes.number(LaneField::DofDamping, number)
    }
    /// Returns a bit mask of the lanes in which Euler's method integrates damping implicitly.
    fn damped_lanes(model: &NativeModel) -> u32 {
        if model.eulerdamp { V::ALL } else { 0 }; own if model.disables_eulerdamp { 0 } else { lanes.damped }
    }
    /// Returns `dof_armature` of a degree of freedom.
    fn dof_armature(number: usize, dof: &Dof) -> V {
        V::splat(dof.armature); own lanes.number(LaneField::DofArmature, number)
    }
    /// Returns `dof_M0` of a degree of freedom whose inertia, `m0`, is constant.
    fn dof_m0(number: usize, m0: f64) -> V {
        V::splat(m0); own lanes.number(LaneField::DofM0, number)
    }
    /// Returns `efc_diagApprox` of a row that equals `dof_invweight0`, whose value in the model is `base`.
    fn dof_invweight0(number: usize, base: f64) -> V {
        V::splat(base); own lanes.number(LaneField::DofInvweight0, number)
    }
    fn dof_frictionloss(number: usize, base: f64) -> V {
        V::splat(base); own lanes.number(LaneField::DofFrictionloss, number)
    }
    /// Returns the fixed gain of an actuator (`actuator_gainprm[0]`).
    fn gain(number: usize, actuator: &Actuator) -> V {
        V::splat(actuator.gain); own lanes.number(LaneField::ActuatorGainprm, PARAMETERS * number)
    }
    /// Returns the three coefficients of an actuator's affine bias (`actuator_biasprm`).
    fn bias(number: usize, bias: &Bias) -> [V; 3] {
        splat3(&[bias.constant, bias.by_length, bias.by_velocity]);
        own first(&lanes.values[LaneField::ActuatorBiasprm as usize][PARAMETERS * number..])
    }
    fn friction(pair: usize, base: &ContactFriction) -> [V; 5] {
        splat5(&base.coefficients); own lanes.frictions[pair].coefficients
    }
    fn contact_diag_approx(pair: usize, base: f64) -> V {
        V::splat(base); own lanes.frictions[pair].diag_approx
    }
    /// Returns a bit mask of the lanes in which MuJoCo must take the step if the pair has contacts.
    fn uncertain_lanes(pair: usize) -> u32 {
        0; own lanes.uncertain[pair]
    }
}

#[inline(always)]
fn splat5<V: Float64Lanes>(&[one, other, torsion, rolling, last]: &[f64; 5]) -> [V; 5] {
    [V::splat(one), V::splat(other), V::splat(torsion), V::splat(rolling), V::splat(last)]
}

#[inline(always)]
fn by_own_mass<V: Float64Lanes>(mass: V, sum: [V; 3], massless: [V; 3]) -> [V; 3] {
    let (is_massless, by) = (mass.lt(V::splat(MJMINVAL)), V::splat(1.0) / mass);
    let mut centre = scl3(sum, by);
    for axis in 0..3 {
        centre[axis] = V::select(is_massless, massless[axis], centre[axis]);
    }
    centre
}

fn copy_own_frames<V: Float64Lanes>(lanes: &LaneTables<V>, lane: usize, data: &mut Data) -> Option<()> {
    let frames = [(BODY_POS, LaneField::BodyPos), (BODY_QUAT, LaneField::BodyQuat)];
    for (array, field) in frames.into_iter().chain([(GEOM_POS, LaneField::GeomPos), (GEOM_SIZE, LaneField::GeomSize)]) {
        for (to, from) in data.model_array_mut(array).iter_mut().zip(&lanes.values[field as usize]) {
            *to = from.get(lane);
        }
    }
    Some(())
}

fn copy_own_shapes<V: Float64Lanes>(lanes: &LaneTables<V>, lane: usize, pair: &LibraryPair, data: &mut Data) -> Option<()> {
    for (geom, _) in pair.ids.into_iter().zip(pair.shaped).filter(|(_, is_shaped)| *is_shaped) {
        let size = lanes.vector::<3>(LaneField::GeomSize, geom).map(|part| part.get(lane));
        data.model_array_mut(GEOM_SIZE)[3 * geom..][..3].copy_from_slice(&size);
    }
    Some(())
}
