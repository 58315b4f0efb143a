//! Writes one lane's results of a native step into MuJoCo's `mjData`.

use crate::data::Data;
use crate::faults::Fault;
use crate::native::actuation::actuator_state;
use crate::native::constraint::body_equalities::weld_torque_in;
use crate::native::lane_fields::SharedFields;
use crate::native::mju::{MJMINVAL, cross, normalize3, sub3};
use crate::native::model::{ContactFriction, Equality, Frame, NativeModel, Transmission};
use crate::native::planar::PlanarBatch;
use crate::native::sensor::final_pass::final_pass;
use crate::native::sensor::library_sensors::cacc_and_cfrc_int;
use crate::native::sensor::touch_sensors::{SitePose, TouchContact};
use crate::native::state::Derived;
use crate::native::step::{Batch, copy_lane};
use crate::native::tendon::{tendon, tendon_dot};
use envpool_rs_numeric::simd::Float64Lanes;

impl<V: Float64Lanes> Batch<V> {
    /// Writes the results of a lane that `derived` requests into the simulation `data`, and overwrites the previous contents
    /// of `data`.
    pub(in crate::native) fn write_results(
        &self,
        model: &NativeModel,
        lane: usize,
        control: &[f64],
        simulation: &mut Data,
        derived: Derived,
    ) -> Result<(), Fault> {
        let data = &*self.data;
        if derived.has(Derived::SENSORDATA) {
            self.write_sensordata(model, lane, simulation)?;
        }
        copy_lane(simulation.qpos_mut(), &data.qpos, lane);
        copy_lane(simulation.qvel_mut(), &data.qvel, lane);
        simulation.ctrl_mut().copy_from_slice(control);
        copy_lane(simulation.act_mut(), &data.act, lane);
        copy_lane(simulation.mocap_pos_mut(), &data.mocap_pos, lane);
        copy_lane(simulation.mocap_quat_mut(), &data.mocap_quat, lane);
        let bodies = 1..model.bodies.len();
        if derived.has(Derived::XPOS) {
            copy_lane(&mut simulation.xpos_mut()[3..], data.xpos[bodies.clone()].as_flattened(), lane);
        }
        if derived.has(Derived::BODY_MOTIONS) {
            copy_lane(&mut simulation.xipos_mut()[3..], data.xipos[bodies.clone()].as_flattened(), lane);
            copy_lane(&mut simulation.cinert_mut()[10..], data.cinert[bodies.clone()].as_flattened(), lane);
            copy_lane(&mut simulation.cvel_mut()[6..], data.cvel[bodies].as_flattened(), lane);
            copy_lane(simulation.qfrc_actuator_mut(), &data.qfrc_actuator, lane);
        }
        if derived.has(Derived::SITE_XPOS) {
            self.write_sites(model, lane, simulation);
        }
        if derived.has(Derived::CONSTRAINT_FORCES) {
            copy_lane(simulation.qfrc_constraint_mut(), &self.qfrc_constraint, lane);
        }
        if derived.has(Derived::TENDONS) {
            copy_lane(simulation.ten_length_mut(), &data.tendons.ten_length, lane);
            copy_lane(simulation.ten_velocity_mut(), &data.tendons.ten_velocity, lane);
        }
        if derived.has(Derived::CFRC_EXT) {
            self.rne_post_constraint(model, lane, &data.qvel, simulation.cfrc_ext_mut());
        }
        if derived.has(Derived::TOUCH_SENSORDATA | Derived::SENSORDATA) {
            let values = &self.touch_values[lane * self.touch_sensors.len()..];
            for (sensor, value) in self.touch_sensors.iter().zip(values) {
                simulation.sensordata_mut()[sensor.sensor_adr] = *value;
            }
        }
        self.write_final_arrays(model, lane, simulation, derived);
        Ok(())
    }

    /// Writes the positions of sites (`site_xpos`) of a lane into the simulation `data`.
    pub(super) fn write_sites(&self, model: &NativeModel, lane: usize, simulation: &mut Data) {
        for (id, to) in simulation.site_xpos_mut().as_chunks_mut::<3>().0.iter_mut().enumerate() {
            *to = self.site_xpos_in(model, lane, id);
        }
    }

    /// Returns the position of a site in a lane.
    fn site_xpos_in(&self, model: &NativeModel, lane: usize, id: usize) -> [f64; 3] {
        let site = &model.sites[id];
        let pos = self.lane_fields().map_or(site.frame.pos, |fields| fields.site_pos(id, lane));
        self.data.frame_xpos_in(lane, site.body, &Frame { pos, ..site.frame })
    }

    /// Computes what sensors read of the state at the start of the last step, and that the step has overwritten or not computed.
    pub(super) fn compute_sensor_inputs(&mut self, model: &NativeModel) {
        let Self { data, sensor_inputs, lane_tables, subtree_linvel, .. } = &mut *self;
        let subtree_linvel = Some(&mut **subtree_linvel);
        sensor_inputs.swap_state(data);
        with_fields!(lane_tables, fields => final_pass(model, fields, data, subtree_linvel));
        if !model.tendons.is_empty() {
            tendon(model, data);
        }
        actuator_state(model, data, &mut sensor_inputs.actuator_length, &mut sensor_inputs.actuator_velocity);
        sensor_inputs.swap_state(data);
    }

    /// Computes the sensors of a lane, except touch sensors, in the simulation `simulation`.
    fn write_sensordata(&self, model: &NativeModel, lane: usize, simulation: &mut Data) -> Result<(), Fault> {
        let (data, inputs, bodies) = (&*self.data, &self.sensor_inputs, model.bodies.len());
        copy_lane(simulation.qpos_mut(), &inputs.qpos, lane);
        copy_lane(simulation.qvel_mut(), &inputs.qvel, lane);
        copy_lane(simulation.xpos_mut(), data.xpos[..bodies].as_flattened(), lane);
        copy_lane(simulation.xquat_mut(), data.xquat[..bodies].as_flattened(), lane);
        copy_lane(simulation.xmat_mut(), data.xmat[..bodies].as_flattened(), lane);
        copy_lane(simulation.xipos_mut(), data.xipos[..bodies].as_flattened(), lane);
        copy_lane(simulation.ximat_mut(), data.ximat[..bodies].as_flattened(), lane);
        // The inertial frame of the world body is never computed.
        copy_lane(&mut simulation.ximat_mut()[..9], &data.xmat[0], lane);
        for ((id, body), to) in model.bodies.iter().enumerate().zip(simulation.xiquat_mut().as_chunks_mut::<4>().0) {
            *to = data.frame_xquat_in(lane, model, id, &body.inertial);
        }
        copy_lane(simulation.subtree_com_mut(), data.subtree_com[..bodies].as_flattened(), lane);
        copy_lane(simulation.subtree_linvel_mut(), self.subtree_linvel[..bodies].as_flattened(), lane);
        copy_lane(simulation.cvel_mut(), data.cvel[..bodies].as_flattened(), lane);
        for &id in &self.sensors.sites {
            let site = &model.sites[id];
            simulation.site_xpos_mut()[3 * id..][..3].copy_from_slice(&self.site_xpos_in(model, lane, id));
            if let Some(to) = simulation.site_xquat_mut().as_chunks_mut::<4>().0.get_mut(id) {
                *to = data.frame_xquat_in(lane, model, site.body, &site.frame);
            }
            let xmat = data.frame_xmat_in(lane, site.body, &site.frame, model.dialect.pairwise_quat);
            simulation.site_xmat_mut()[9 * id..][..9].copy_from_slice(&xmat);
        }
        copy_lane(simulation.ten_length_mut(), &data.tendons.ten_length, lane);
        copy_lane(simulation.ten_velocity_mut(), &data.tendons.ten_velocity, lane);
        copy_lane(simulation.actuator_length_mut(), &inputs.actuator_length, lane);
        copy_lane(simulation.actuator_velocity_mut(), &inputs.actuator_velocity, lane);
        copy_lane(simulation.actuator_force_mut(), &data.actuator_force, lane);
        copy_lane(simulation.qfrc_actuator_mut(), &data.qfrc_actuator, lane);
        if self.sensors.read_cacc {
            self.rne_post_constraint(model, lane, &inputs.qvel, simulation.cfrc_ext_mut());
            let cfrc_ext = simulation.cfrc_ext().as_chunks().0;
            let [cacc, cfrc_int] = cacc_and_cfrc_int((model, data, lane), [&inputs.qvel, &self.qacc], cfrc_ext);
            simulation.cacc_mut().copy_from_slice(cacc.as_flattened());
            simulation.cfrc_int_mut().copy_from_slice(cfrc_int.as_flattened());
        }
        simulation.sensors()
    }

    /// Computes the values of touch sensors in the first `lanes` lanes, as `mj_sensorAcc` does.
    pub(in crate::native) fn read_touch(&mut self, model: &NativeModel, lanes: usize) {
        let mut values = std::mem::take(&mut self.touch_values);
        for (lane, values) in values.chunks_exact_mut(self.touch_sensors.len().max(1)).enumerate().take(lanes) {
            match &self.planar {
                Some(planar) if self.used_planar => planar.touch_sensordata(model, &self.touch_sensors, lane, values),
                _ => self.touch_sensordata(model, lane, values),
            }
        }
        self.touch_values = values;
    }

    /// Computes the values of touch sensors in one lane, as `mj_sensorAcc` does.
    fn touch_sensordata(&self, model: &NativeModel, lane: usize, values: &mut [f64]) {
        for (sensor, value) in self.touch_sensors.iter().zip(values) {
            let site = &model.sites[sensor.site];
            let site_pose = SitePose {
                centre: self.data.frame_xpos_in(lane, site.body, &site.frame),
                matrix: self.data.frame_xmat_in(lane, site.body, &site.frame, model.dialect.pairwise_quat),
            };
            let mut sum = 0.0;
            for contact in self.rows.contacts.iter().filter(|contact| contact.lanes >> lane & 1 != 0) {
                let pair = &model.pairs[contact.pair];
                if !pair.bodies.contains(&sensor.body) {
                    continue;
                }
                let first = usize::from(contact.rows[lane]);
                // Only the first constraint row of an elliptic cone contributes to the normal force; all rows of a friction
                // pyramid do.
                let count = if model.is_elliptic { 1 } else { pair.friction().rows(false) };
                let force = (0..count).fold(0.0, |sum, row| sum + self.rows.force_in(first + row, lane));
                let [pos, normal] = [contact.pos, contact.normal].map(|vector| vector.map(|part| part.get(lane)));
                let is_on_second = pair.bodies[1] == sensor.body;
                sum += sensor.reading(&site_pose, &TouchContact { pos, normal, force, is_on_second });
            }
            *value = sensor.apply_cutoff(sum);
        }
    }

    /// Computes `cfrc_ext` in one lane, as `mj_rnePostConstraint` does: the forces of contacts, equalities and tendon limits on
    /// bodies, about `subtree_com` of their root bodies.
    pub(in crate::native) fn rne_post_constraint(&self, model: &NativeModel, lane: usize, qvel: &[V], cfrc_ext: &mut [f64]) {
        cfrc_ext.fill(0.0);
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
            let pos = contact.pos.map(|part| part.get(lane));
            for (body, sign) in pair.bodies.into_iter().zip([-1.0, 1.0]) {
                self.add_wrench(model, lane, (body, sign), (pos, force, torque), cfrc_ext);
            }
        }
        self.add_equality_wrenches(model, lane, cfrc_ext);
        if !model.dialect.complete_cfrc_ext {
            return;
        }
        for (number, tendon) in model.tendons.iter().enumerate().filter(|(_, tendon)| !tendon.pieces().is_empty()) {
            let tension = self.tension_in(model, lane, number, qvel);
            for piece in tendon.pieces() {
                for (bodies, points) in self.data.tendons.lines_in(model, piece, lane) {
                    let (way, length) = normalize3(sub3(points[1], points[0]));
                    if bodies[0] == bodies[1] || length < MJMINVAL {
                        continue;
                    }
                    let force = way.map(|part| part * (tension / piece.divisor));
                    for ((body, pos), sign) in bodies.into_iter().zip(points).zip([-1.0, 1.0]) {
                        self.add_wrench(model, lane, (body, sign), (pos, force, [0.0; 3]), cfrc_ext);
                    }
                }
            }
        }
    }

    /// Returns the force that lengthens a tendon in one lane: of constraints, actuators, of its spring, damper and inertia.
    fn tension_in(&self, model: &NativeModel, lane: usize, number: usize, qvel: &[V]) -> f64 {
        let (tendon, data) = (&model.tendons[number], &*self.data);
        let mut tension = 0.0;
        for row in self.rows.tendon_rows[number].iter().filter(|row| row.lanes >> lane & 1 != 0) {
            tension += row.sign.get(lane) * self.rows.force_in(usize::from(row.rows[lane]), lane);
        }
        for (actuator, force) in model.actuators.iter().zip(&data.actuator_force) {
            if matches!(actuator.transmission, Transmission::Tendon(own) if own == number) {
                tension += actuator.gear * force.get(lane);
            }
        }
        let length = data.tendons.ten_length[number].get(lane);
        let spring = tendon.spring.as_ref().map_or(0.0, |spring| spring.force(length));
        let tension = tension + (spring + -tendon.damping * data.tendons.ten_velocity[number].get(lane));
        if tendon.armature == 0.0 {
            return tension;
        }
        let row = data.tendons.row(tendon).iter().zip(&tendon.colind);
        let jdotv = tendon_dot(model, data, tendon, qvel).get(lane);
        let acceleration = row.fold(jdotv, |sum, (entry, dof)| sum + entry.get(lane) * self.qacc[*dof].get(lane));
        tension - tendon.armature * acceleration
    }

    /// Adds the forces of connects and welds on their bodies in one lane.
    fn add_equality_wrenches(&self, model: &NativeModel, lane: usize, cfrc_ext: &mut [f64]) {
        let mut first = 0;
        for equality in &model.equalities {
            if let Equality::Bodies(equality) = equality {
                let row = |row: usize| self.rows.force_in(first + row, lane);
                let force = [row(0), row(1), row(2)];
                let turning = if equality.weld.is_some() { [row(3), row(4), row(5)] } else { [0.0; 3] };
                let torque = weld_torque_in(model, &self.data, lane, (equality, turning));
                for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                    let body = equality.bodies[side];
                    let pos = self.data.frame_xpos_in(lane, body, &equality.anchors[side].frame());
                    self.add_wrench(model, lane, (body, sign), (pos, force, torque), cfrc_ext);
                }
            }
            first += equality.rows();
        }
    }

    /// Adds the wrench of a force and a torque that act at a point of a body, about `subtree_com` of the body's root body
    /// (`mju_transformSpatial`).
    fn add_wrench(
        &self,
        model: &NativeModel,
        lane: usize,
        (body, sign): (usize, f64),
        (pos, force, own_torque): ([f64; 3], [f64; 3], [f64; 3]),
        cfrc_ext: &mut [f64],
    ) {
        if body == 0 {
            return;
        }
        let centre = self.data.subtree_com[model.bodies[body].root].map(|part| part.get(lane));
        let torque: [f64; 3] = cross(sub3(centre, pos), force);
        let sum = &mut cfrc_ext[6 * body..][..6];
        for axis in 0..3 {
            sum[axis] += sign * (own_torque[axis] - torque[axis]);
            sum[3 + axis] += sign * force[axis];
        }
    }
}

/// Returns force and torque of a contact in its frame, as `mj_contactForce` (`mju_decodePyramid`) does. The function `row` returns the force
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

impl<V: Float64Lanes> Batch<V> {
    /// Computes the final arrays that `derived` requests. `is_planar` says whether the planar form has the lanes' fields.
    pub(super) fn compute_final_arrays(&mut self, model: &NativeModel, derived: Derived, is_planar: bool) {
        assert!(!derived.has(Derived::OVERWRITTEN), "{derived:?}: final arrays overwrite other requested arrays");
        let are_of_root = self.subtree_sensors.iter().all(|sensor| sensor.body == 1);
        if const { V::COUNT > 1 } && is_planar && are_of_root && derived.only(Derived::FINAL) == Derived::FINAL_SUBTREE_LINVEL {
            self.subtree_linvel[1] = self.with_planar(model, PlanarBatch::root_linvel);
            return;
        }
        let subtree_linvel = derived.has(Derived::FINAL_SUBTREE_LINVEL).then_some(&mut *self.subtree_linvel);
        let data = &mut *self.data;
        with_fields!(self.lane_tables, fields => final_pass(model, fields, data, subtree_linvel));
    }

    /// Writes the final arrays of a lane that are requested into the simulation `data`.
    pub(super) fn write_final_arrays(&self, model: &NativeModel, lane: usize, simulation: &mut Data, derived: Derived) {
        let (data, bodies) = (&*self.data, 1..model.bodies.len());
        if derived.has(Derived::FINAL_XPOS) {
            copy_lane(&mut simulation.xpos_mut()[3..], data.xpos[bodies.clone()].as_flattened(), lane);
        }
        if derived.has(Derived::FINAL_XMAT) {
            copy_lane(simulation.xmat_mut(), data.xmat[..bodies.end].as_flattened(), lane);
        }
        if derived.has(Derived::FINAL_XIPOS) {
            copy_lane(&mut simulation.xipos_mut()[3..], data.xipos[bodies].as_flattened(), lane);
        }
        if derived.has(Derived::FINAL_SITE_XPOS) {
            self.write_sites(model, lane, simulation);
        }
        if derived.has(Derived::FINAL_SUBTREE_LINVEL) {
            for sensor in &self.subtree_sensors {
                copy_lane(&mut simulation.sensordata_mut()[sensor.sensor_adr..][..3], &self.subtree_linvel[sensor.body], lane);
            }
        }
    }
}
