//! Sensors that the library's `mj_sensorPos`, `mj_sensorVel` and `mj_sensorAcc` read from the arrays of a native step.
//!
//! A sensor is a short formula of poses, velocities or forces of a few objects, which differs between versions of MuJoCo. The
//! native step writes these arrays of one lane to `mjData`, and the library computes the sensors, with their bounds (cutoff).
//! `mj_sensorAcc` computes no touch sensors, because `mjData` then has no contacts: see [`super::touch_sensors`].

use crate::mjt::{MJOBJ_CAMERA, MJOBJ_GEOM, MJOBJ_SITE, MJSENS_ACTUATORVEL, MJSENS_TOUCH};
use crate::native::data::{NativeData, arrays, in_lane};
use crate::native::mju::{add6, cross_force, mul_inert_vec};
use crate::native::model::reader::{Reader, all};
use crate::native::model::{NativeModel, Unsupported};
use envpool_rs_numeric::simd::Float64Lanes;

/// Parts of `mjData` that the model's sensors read.
#[derive(Debug, Clone, Default)]
pub(in crate::native) struct Sensors {
    /// Sites to which sensors or their frames of reference are attached.
    pub(in crate::native) sites: Vec<usize>,
    /// Whether any sensor reads the results of `mj_rnePostConstraint`.
    pub(in crate::native) read_cacc: bool,
}

arrays! {
    /// State at the start of the last step, to which the sensors belong, and the lengths and velocities of the actuators.
    pub(in crate::native) struct SensorInputs(model, none) -> Self {}
    qpos: Vec<V> = vec![none; model.nq];
    qvel: Vec<V> = vec![none; model.dofs.len()];
    actuator_length: Vec<V> = vec![none; model.actuators.len()];
    actuator_velocity: Vec<V> = vec![none; model.actuators.len()];
}

impl<V: Float64Lanes> SensorInputs<V> {
    /// Copies the state at the start of a step.
    pub(in crate::native) fn set_state(&mut self, data: &NativeData<V>) {
        for (kept, state) in self.qpos.iter_mut().zip(&data.qpos).chain(self.qvel.iter_mut().zip(&data.qvel)) {
            *kept = *state;
        }
    }

    /// Swaps the copied state with the state of `data`.
    pub(in crate::native) fn swap_state(&mut self, data: &mut NativeData<V>) {
        let positions = self.qpos.iter_mut().zip(&mut data.qpos);
        for (kept, state) in positions.chain(self.qvel.iter_mut().zip(&mut data.qvel)) {
            std::mem::swap(kept, state);
        }
    }
}

/// Finds out which parts of `mjData` the model's sensors read.
pub(in crate::native) fn read_sensors(reader: &Reader<'_>, model: &NativeModel) -> Result<Sensors, Unsupported> {
    let count = reader.size("nsensor")?;
    let kinds = reader.integers("sensor_type", count)?;
    let [objtypes, reftypes, refids] =
        all(["sensor_objtype", "sensor_reftype", "sensor_refid"].map(|name| reader.integers(name, count)))?;
    let objects = reader.indices("sensor_objid", count)?;
    let mut sensors = Sensors::default();
    for sensor in 0..count {
        let (kind, object) = (kinds[sensor], objects[sensor]);
        match kind {
            MJSENS_TOUCH => continue,
            // From `mjSENS_ACCELEROMETER` to `mjSENS_TORQUE`, from `mjSENS_JOINTPOS` to `mjSENS_BALLANGVEL`, and from
            // `mjSENS_FRAMEPOS` to `mjSENS_SUBTREELINVEL`.
            1..=5 | 9..=19 | 26..=36 => {}
            _ => return Err(format!("{} sensors", named(kind))),
        }
        if kind == MJSENS_ACTUATORVEL && model.actuators[object].transmission.drops_zeros() {
            return Err("velocities of actuators of sites or slider-cranks".into());
        }
        sensors.read_cacc |= [1, 4, 5, 33, 34].contains(&kind);
        let frames = [(objtypes[sensor], object as i64), (reftypes[sensor], refids[sensor])];
        for (objtype, id) in frames.into_iter().filter(|(_, id)| *id >= 0) {
            match objtype {
                MJOBJ_SITE => sensors.sites.push(id as usize),
                MJOBJ_GEOM | MJOBJ_CAMERA => return Err("sensors of geoms or cameras".into()),
                _ => {}
            }
        }
    }
    sensors.sites.sort_unstable();
    sensors.sites.dedup();
    Ok(sensors)
}

/// Returns the name in MJCF of a kind of sensor that only the library computes.
fn named(kind: i64) -> &'static str {
    match kind {
        6 => "magnetometer",
        7 => "rangefinder",
        8 => "camprojection",
        20..=25 => "jointlimit and tendonlimit",
        37 => "subtreeangmom",
        38 => "insidesite",
        39..=41 => "distance, normal and fromto",
        42 => "contact",
        _ => "energy, clock, user and tactile",
    }
}

/// Computes `cacc` and `cfrc_int` in one lane, as `mj_rnePostConstraint` does, given the lane's `cfrc_ext`.
pub(in crate::native) fn cacc_and_cfrc_int<V: Float64Lanes>(
    (model, data, lane): (&NativeModel, &NativeData<V>, usize),
    [qvel, qacc]: [&[V]; 2],
    cfrc_ext: &[[f64; 6]],
) -> [Vec<[f64; 6]>; 2] {
    let mut cacc = vec![[0.0; 6]; model.bodies.len()];
    let mut cfrc_int = cacc.clone();
    cacc[0] = in_lane(&data.cacc[0], lane);
    for (id, body) in model.bodies.iter().enumerate().skip(1) {
        let dofs = || body.dofs.clone();
        let by_velocity = mul_dof_vec(&data.cdof_dot[dofs()], &qvel[dofs()], lane);
        let by_acceleration = mul_dof_vec(&data.cdof[dofs()], &qacc[dofs()], lane);
        cacc[id] = add6(&add6(&cacc[body.parent], &by_velocity), &by_acceleration);
        let (inertia, velocity) = (in_lane(&data.cinert[id], lane), in_lane(&data.cvel[id], lane));
        let force = mul_inert_vec(&inertia, &cacc[id]);
        let turning = cross_force(&velocity, &mul_inert_vec(&inertia, &velocity));
        let cfrc_body = add6(&force, &turning);
        for part in 0..6 {
            cfrc_int[id][part] = cfrc_body[part] - cfrc_ext[id][part];
        }
    }
    for (id, body) in model.bodies.iter().enumerate().skip(1).rev() {
        cfrc_int[body.parent] = add6(&cfrc_int[body.parent], &cfrc_int[id]);
    }
    [cacc, cfrc_int]
}

/// Returns the product of a body's motion axes and a vector in one lane, as `mju_mulDofVec` does.
fn mul_dof_vec<V: Float64Lanes>(axes: &[[V; 6]], vec: &[V], lane: usize) -> [f64; 6] {
    let mut product = [0.0; 6];
    for (axis, number) in axes.iter().zip(vec) {
        let (axis, number) = (in_lane(axis, lane), number.get(lane));
        if axes.len() == 1 {
            return axis.map(|part| part * number);
        }
        if number != 0.0 {
            product = add6(&product, &axis.map(|part| part * number));
        }
    }
    product
}
