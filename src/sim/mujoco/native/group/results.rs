//! Writes one lane's results of a native step into MuJoCo's `mjData`.

use super::super::super::data::Data;
use super::super::algebra::sub;
use super::super::feelers::{SitePose, TouchContact};
use super::super::state::Derived;
use super::super::tables::{ContactFriction, Equality, Frame, NativeModel, Tendon, Transmission};
use super::super::welds::weld_torque_in;
use super::super::wrap::normalize3;
use super::{Batch, copy_lane};
use envpool_rs_numeric::simd::Float64Lanes;

impl<V: Float64Lanes> Batch<V> {
    /// Writes the results of a lane that `derived` requests into the simulation `data`, and overwrites the previous contents
    /// of `data`.
    pub(in crate::native) fn write_results(
        &self,
        model: &NativeModel,
        lane: usize,
        control: &[f64],
        data: &mut Data,
        derived: Derived,
    ) {
        let motion = &*self.motion;
        copy_lane(data.qpos_mut(), &motion.qpos, lane);
        copy_lane(data.qvel_mut(), &motion.qvel, lane);
        data.ctrl_mut().copy_from_slice(control);
        copy_lane(data.act_mut(), &motion.act, lane);
        copy_lane(data.mocap_pos_mut(), &motion.mocap_pos, lane);
        copy_lane(data.mocap_quat_mut(), &motion.mocap_quat, lane);
        let bodies = 1..model.bodies.len();
        if derived.xpos {
            copy_lane(&mut data.xpos_mut()[3..], motion.xpos[bodies.clone()].as_flattened(), lane);
        }
        if derived.body_motions {
            copy_lane(&mut data.xipos_mut()[3..], motion.xipos[bodies.clone()].as_flattened(), lane);
            copy_lane(&mut data.cinert_mut()[10..], motion.cinert[bodies.clone()].as_flattened(), lane);
            copy_lane(&mut data.cvel_mut()[6..], motion.cvel[bodies].as_flattened(), lane);
            copy_lane(data.qfrc_actuator_mut(), &motion.qfrc_actuator, lane);
        }
        if derived.site_xpos {
            self.write_sites(model, lane, data);
        }
        if derived.constraint_forces {
            copy_lane(data.qfrc_constraint_mut(), &self.qfrc_constraint, lane);
        }
        if derived.tendons {
            copy_lane(data.ten_length_mut(), &motion.tendons.ten_length, lane);
            copy_lane(data.ten_velocity_mut(), &motion.tendons.ten_velocity, lane);
        }
        if derived.cfrc_ext {
            self.cfrc_ext(model, lane, data.cfrc_ext_mut());
        }
        if derived.touch_sensordata {
            let values = &self.touch_values[lane * self.touch_sensors.len()..];
            for (sensor, value) in self.touch_sensors.iter().zip(values) {
                data.sensordata_mut()[sensor.sensor_adr] = *value;
            }
        }
        if derived.final_arrays.any() {
            self.write_final_arrays(model, lane, data, derived.final_arrays);
        }
    }

    /// Writes the positions of sites (`site_xpos`) of a lane into the simulation `data`.
    pub(super) fn write_sites(&self, model: &NativeModel, lane: usize, data: &mut Data) {
        for (id, (site, to)) in model.sites.iter().zip(data.site_xpos_mut().as_chunks_mut::<3>().0).enumerate() {
            let pos = self.lane_fields().map_or(site.frame.pos, |fields| fields.site_pos(id, lane));
            *to = self.motion.frame_xpos_in(lane, site.body, &Frame { pos, ..site.frame });
        }
    }

    /// Computes the values of touch sensors in the first `lanes` lanes, as `mj_sensorAcc` does.
    pub(in crate::native) fn read_touch(&mut self, model: &NativeModel, lanes: usize) {
        let mut values = std::mem::take(&mut self.touch_values);
        for (lane, values) in values.chunks_exact_mut(self.touch_sensors.len().max(1)).enumerate().take(lanes) {
            match &self.planes {
                Some(planes) if self.was_flat => planes.touch_sensordata(model, &self.touch_sensors, lane, values),
                _ => self.touch_sensordata(model, lane, values),
            }
        }
        self.touch_values = values;
    }

    /// Computes the values of touch sensors in one lane, as `mj_sensorAcc` does.
    fn touch_sensordata(&self, model: &NativeModel, lane: usize, values: &mut [f64]) {
        for (feeler, value) in self.touch_sensors.iter().zip(values) {
            let site = &model.sites[feeler.site];
            let site_pose = SitePose {
                centre: self.motion.frame_xpos_in(lane, site.body, &site.frame),
                matrix: self.motion.frame_xmat_in(lane, site.body, &site.frame, model.dialect.pairwise_quat),
            };
            let mut sum = 0.0;
            for contact in self.rows.contacts.iter().filter(|contact| contact.lanes >> lane & 1 != 0) {
                let pair = &model.pairs[contact.pair];
                if !pair.bodies.contains(&feeler.body) {
                    continue;
                }
                let first = usize::from(contact.rows[lane]);
                // Only the first constraint row of an elliptic cone contributes to the normal force; all rows of a friction
                // pyramid do.
                let count = if model.is_elliptic { 1 } else { pair.friction().rows(false) };
                let force = (0..count).fold(0.0, |sum, row| sum + self.rows.force_in(first + row, lane));
                let [point, normal] = [contact.point, contact.normal].map(|vector| vector.map(|part| part.get(lane)));
                let is_on_second = pair.bodies[1] == feeler.body;
                sum += feeler.reading(&site_pose, &TouchContact { point, normal, force, is_on_second });
            }
            *value = sum;
        }
    }

    /// Computes `cfrc_ext` in one lane: the forces of contacts, equalities and tendon limits on bodies, about `subtree_com` of their root
    /// bodies, as `mj_rnePostConstraint` does.
    pub(in crate::native) fn cfrc_ext(&self, model: &NativeModel, lane: usize, qfrc_constraint: &mut [f64]) {
        qfrc_constraint.fill(0.0);
        for contact in self.rows.contacts.iter().filter(|contact| contact.lanes >> lane & 1 != 0) {
            let pair = &model.pairs[contact.pair];
            let first = usize::from(contact.rows[lane]);
            let row = |row: usize| self.rows.force_in(first + row, lane);
            let mut friction = pair.friction();
            if let Some(fields) = self.lane_fields() {
                friction.coefficients = fields.friction_in(contact.pair, lane);
            }
            let parts = contact_force(friction, model.is_elliptic, row);
            let frame = [contact.normal, contact.tangents[0], contact.tangents[1]].map(|axis| axis.map(|part| part.get(lane)));
            let in_world = |parts: &[f64]| {
                [0, 1, 2].map(|axis| frame[0][axis] * parts[0] + frame[1][axis] * parts[1] + frame[2][axis] * parts[2])
            };
            let (force, torque) = (in_world(&parts[..3]), in_world(&parts[3..]));
            let point = contact.point.map(|part| part.get(lane));
            for (body, sign) in pair.bodies.into_iter().zip([-1.0, 1.0]) {
                self.add_wrench(model, lane, (body, sign), (point, force, torque), qfrc_constraint);
            }
        }
        self.add_equality_wrenches(model, lane, qfrc_constraint);
        if !model.dialect.complete_cfrc_ext {
            return;
        }
        for (number, tendon) in model.tendons.iter().enumerate().filter(|(_, tendon)| !tendon.pieces().is_empty()) {
            let tension = self.tension_in(model, lane, number);
            for piece in tendon.pieces().iter().filter(|piece| piece.bodies[0] != piece.bodies[1]) {
                let points = piece.sites.map(|site| {
                    let site = &model.sites[site];
                    self.motion.frame_xpos_in(lane, site.body, &site.frame)
                });
                let (way, _) = normalize3(sub(points[1], points[0]));
                let force = way.map(|part| part * (tension / piece.divisor));
                for ((body, point), sign) in piece.bodies.into_iter().zip(points).zip([-1.0, 1.0]) {
                    self.add_wrench(model, lane, (body, sign), (point, force, [0.0; 3]), qfrc_constraint);
                }
            }
        }
    }

    /// Returns the force that lengthens a tendon in one lane: of constraints, actuators, and of its spring and damper.
    fn tension_in(&self, model: &NativeModel, lane: usize, number: usize) -> f64 {
        let (tendon, motion) = (&model.tendons[number], &*self.motion);
        let before = |has: fn(&Tendon) -> bool| model.tendons[..number].iter().filter(|tendon| has(tendon)).count();
        let mut tension = 0.0;
        if tendon.friction.is_some() {
            let first = self.rows.ne + model.frictions.len();
            tension += self.rows.force_in(first + before(|tendon| tendon.friction.is_some()), lane);
        }
        if tendon.limit.is_some() {
            let limit = &self.rows.tendon_limits[before(|tendon| tendon.limit.is_some())];
            if limit.lanes >> lane & 1 != 0 {
                tension += limit.sign.get(lane) * self.rows.force_in(usize::from(limit.rows[lane]), lane);
            }
        }
        for (motor, force) in model.actuators.iter().zip(&motion.actuator_force) {
            if matches!(motor.transmission, Transmission::Tendon(own) if own == number) {
                tension += motor.gear * force.get(lane);
            }
        }
        let length = motion.tendons.ten_length[number].get(lane);
        let spring = tendon.spring.as_ref().map_or(0.0, |spring| spring.force(length));
        tension + (spring + -tendon.damping * motion.tendons.ten_velocity[number].get(lane))
    }

    /// Adds the forces of connects and welds on their bodies in one lane.
    fn add_equality_wrenches(&self, model: &NativeModel, lane: usize, qfrc_constraint: &mut [f64]) {
        let mut first = 0;
        for equality in &model.equalities {
            if let Equality::Bodies(equality) = equality {
                let row = |row: usize| self.rows.force_in(first + row, lane);
                let force = [row(0), row(1), row(2)];
                let turning = if equality.weld.is_some() { [row(3), row(4), row(5)] } else { [0.0; 3] };
                let torque = weld_torque_in(model, &self.motion, lane, (equality, turning));
                for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                    let body = equality.bodies[side];
                    let point = self.motion.frame_xpos_in(lane, body, &equality.anchors[side].frame());
                    self.add_wrench(model, lane, (body, sign), (point, force, torque), qfrc_constraint);
                }
            }
            first += equality.rows();
        }
    }

    /// Adds the wrench of a force and a torque that act at a point of a body, about `subtree_com` of the body's root body.
    fn add_wrench(
        &self,
        model: &NativeModel,
        lane: usize,
        (body, sign): (usize, f64),
        (point, force, own_torque): ([f64; 3], [f64; 3], [f64; 3]),
        qfrc_constraint: &mut [f64],
    ) {
        if body == 0 {
            return;
        }
        let centre = self.motion.subtree_com[model.bodies[body].root].map(|part| part.get(lane));
        let arm: [f64; 3] = [0, 1, 2].map(|axis| centre[axis] - point[axis]);
        let torque =
            [arm[1] * force[2] - arm[2] * force[1], arm[2] * force[0] - arm[0] * force[2], arm[0] * force[1] - arm[1] * force[0]];
        let sum = &mut qfrc_constraint[6 * body..][..6];
        for axis in 0..3 {
            sum[axis] += sign * (own_torque[axis] - torque[axis]);
            sum[3 + axis] += sign * force[axis];
        }
    }
}

/// Returns force and torque of a contact in the contact's frame, as `mj_contactForce` does. The function `row` returns the force
/// of each constraint row of the contact.
fn contact_force(friction: ContactFriction, is_elliptic: bool, row: impl Fn(usize) -> f64) -> [f64; 6] {
    let mut parts = [0.0; 6];
    if is_elliptic || friction.condim == 1 {
        parts[..friction.condim].iter_mut().enumerate().for_each(|(axis, part)| *part = row(axis));
        return parts;
    }
    for axis in 1..friction.condim {
        let [one, other] = [row(2 * axis - 2), row(2 * axis - 1)];
        parts[0] = parts[0] + one + other;
        parts[axis] = (one - other) * friction.coefficients[axis - 1];
    }
    parts
}
