//! Moment arms that depend on the positions (`mj_transmission`): of sites, slider-cranks, joints in the parent's frame.

use crate::native::constraint::jac_point;
use crate::native::data::NativeData;
use crate::native::mju::{
    conjugate, cross, dot3, first, mul_mat_vec3, normalize4, quat_to_vel, rot_vec_quat, scl3, splat3, sub3,
};
use crate::native::model::{Actuator, NativeModel, Site, SliderCrank, Transmission};
use crate::native::outlined::outlined;
use envpool_rs_numeric::simd::Float64Lanes;

/// Returns the rotation of a ball joint, or of a free joint if `position` is that of its quaternion.
#[inline(always)]
fn joint_quat<V: Float64Lanes>(model: &NativeModel, data: &NativeData<V>, position: usize) -> [V; 4] {
    normalize4(first(&data.qpos[position..]), model.dialect.pairwise_quat)
}

outlined!(
    /// Returns the length of an actuator whose length is neither that of a tendon nor that of a slide or hinge.
    pub(super) fn length<V: Float64Lanes>(model: &NativeModel, actuator: &Actuator, data: &NativeData<V>) -> V {
        match &actuator.transmission {
            Transmission::Ball { qposadr, is_in_parent } => {
                let quat = joint_quat(model, data, *qposadr);
                let gear = gear_axis(&quat, &actuator.wrench, *is_in_parent);
                dot3(&quat_to_vel(&quat), &gear)
            }
            Transmission::SliderCrank(crank) => Crank::new(model, data, crank).length * V::splat(actuator.wrench[0]),
            _ => V::splat(0.0),
        }
    }
);

/// Returns the gear of a ball joint about the axes of its child, or of the parent.
#[inline(always)]
fn gear_axis<V: Float64Lanes>(quat: &[V; 4], wrench: &[f64; 6], is_in_parent: bool) -> [V; 3] {
    let gear = splat3(&[wrench[0], wrench[1], wrench[2]]);
    if is_in_parent { rot_vec_quat(gear, &conjugate(*quat)) } else { gear }
}

outlined!(
    /// Writes the moment arms of an actuator to `moment`, one for each degree of freedom in [`Actuator::moment`].
    pub(super) fn moment<V: Float64Lanes>(model: &NativeModel, actuator: &Actuator, data: &NativeData<V>, moment: &mut [V]) {
        let w = &actuator.wrench;
        match &actuator.transmission {
            Transmission::Ball { qposadr, is_in_parent } => {
                moment[..3].copy_from_slice(&gear_axis(&joint_quat(model, data, *qposadr), w, *is_in_parent));
            }
            Transmission::Free { qposadr, is_in_parent } => {
                let quat = joint_quat(model, data, *qposadr + 3);
                moment[..3].copy_from_slice(&splat3(&[w[0], w[1], w[2]]));
                moment[3..6].copy_from_slice(&gear_axis(&quat, &[w[3], w[4], w[5], 0.0, 0.0, 0.0], *is_in_parent));
            }
            Transmission::Site(site) => site_moment(model, data, (site, w), actuator, moment),
            Transmission::SliderCrank(crank) => Crank::new(model, data, crank).moment(data, crank, actuator, moment),
            Transmission::Joint(_) | Transmission::Tendon(_) => unreachable!("their moment arms are known"),
        }
    }
);

#[inline(always)]
fn site_moment<V: Float64Lanes>(
    model: &NativeModel,
    data: &NativeData<V>,
    (site, w): (&Site, &[f64; 6]),
    actuator: &Actuator,
    moment: &mut [V],
) {
    let none = V::splat(0.0);
    let matrix = data.frame_xmat(model, site.body, &site.frame);
    let force = mul_mat_vec3(&matrix, splat3(&[w[0], w[1], w[2]]));
    let torque = mul_mat_vec3(&matrix, splat3(&[w[3], w[4], w[5]]));
    let offset = sub3(data.frame_xpos(site.body, &site.frame), data.subtree_com[model.bodies[site.body].root]);
    for (to, (dof, _)) in moment.iter_mut().zip(&actuator.moment) {
        let cdof = &data.cdof[*dof];
        let along = jac_point(cdof, &offset);
        let moving = none + along[0] * force[0] + along[1] * force[1] + along[2] * force[2];
        *to = moving + (none + cdof[0] * torque[0] + cdof[1] * torque[1] + cdof[2] * torque[2]);
    }
}

/// Slider-crank in its present position: the positions of both sites, and the derivatives of the length.
struct Crank<V> {
    pin: [V; 3],
    slider: [V; 3],
    axis: [V; 3],
    length: V,
    by_axis: [V; 3],
    by_vec: [V; 3],
}

impl<V: Float64Lanes> Crank<V> {
    #[inline(always)]
    fn new(model: &NativeModel, data: &NativeData<V>, crank: &SliderCrank) -> Self {
        let [pin, slider] = [&crank.pin, &crank.slider];
        let matrix = data.frame_xmat(model, slider.body, &slider.frame);
        let axis = [matrix[2], matrix[5], matrix[8]];
        let [pin, slider] = [pin, slider].map(|site| data.frame_xpos(site.body, &site.frame));
        let vec = sub3(pin, slider);
        let (none, along) = (V::splat(0.0), dot3(&vec, &axis));
        let determinant = along * along + V::splat(crank.rod * crank.rod) - dot3(&vec, &vec);
        let is_short = determinant.le(none);
        let root = determinant.sqrt();
        let length = V::select(is_short, along, along - root);
        let (by_root, rest) = (V::splat(1.0) / root, V::splat(1.0) - along / root);
        let (mut by_axis, mut by_vec) = (scl3(vec, rest), scl3(axis, rest));
        for part in 0..3 {
            by_vec[part] = V::select(is_short, axis[part], by_vec[part] + vec[part] * by_root);
            by_axis[part] = V::select(is_short, vec[part], by_axis[part]);
        }
        Self { pin, slider, axis, length, by_axis, by_vec }
    }

    /// Writes the moment arms of the slider-crank, whose axis turns with the slider's body (`mj_jacPointAxis`).
    #[inline(always)]
    fn moment(&self, data: &NativeData<V>, crank: &SliderCrank, actuator: &Actuator, moment: &mut [V]) {
        let none = V::splat(0.0);
        let [pin_offset, offset] =
            [sub3(self.pin, data.subtree_com[crank.roots[0]]), sub3(self.slider, data.subtree_com[crank.roots[1]])];
        for ((to, (dof, _)), moves) in moment.iter_mut().zip(&actuator.moment).zip(&crank.moves) {
            let cdof = &data.cdof[*dof];
            let mut along = if moves[0] { jac_point(cdof, &pin_offset) } else { [none; 3] };
            let mut turned = [none; 3];
            if moves[1] {
                along = sub3(along, jac_point(cdof, &offset));
                turned = cross([cdof[0], cdof[1], cdof[2]], self.axis);
            }
            let mut sum = none;
            for part in 0..3 {
                sum = sum + (self.by_axis[part] * turned[part] + self.by_vec[part] * along[part]);
            }
            *to = sum * V::splat(actuator.wrench[0]);
        }
    }
}
