//! Results of the state at the end of a step: poses of bodies and sites, and velocities of subtrees.
//!
//! `mj_step` leaves derived arrays that belong to the state before its last integration. dm_control then calls `mj_step1`, which
//! computes them again for the final state. This module computes those that a task reads.

use crate::mjt::MJSENS_SUBTREELINVEL;
use crate::native::constraint::object_velocity;
use crate::native::data::NativeData;
use crate::native::kinematics::{com_pos, kinematics};
use crate::native::lane_fields::FieldSource;
use crate::native::mju::{add3, scl3, sub3};
use crate::native::model::reader::{Reader, all};
use crate::native::model::{MAX_NBODY, NativeModel, Unsupported};
use crate::native::outlined::outlined;
use crate::native::smooth::com_vel;
use envpool_rs_numeric::simd::Float64Lanes;

/// Sensor of the linear velocity of a body's subtree (`mjSENS_SUBTREELINVEL` of `mj_computeSensorVel`).
#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct SubtreeSensor {
    pub(in crate::native) body: usize,
    /// Index of the sensor's first value in `sensordata` (`sensor_adr`).
    pub(in crate::native) sensor_adr: usize,
}

/// Reads all sensors of subtrees' linear velocities of the model.
pub(in crate::native) fn read_subtree_sensors(reader: &Reader<'_>) -> Result<Vec<SubtreeSensor>, Unsupported> {
    let count = reader.size("nsensor")?;
    let kinds = reader.integers("sensor_type", count)?;
    let [bodies, adrs] = all(["sensor_objid", "sensor_adr"].map(|name| reader.indices(name, count)))?;
    let cutoffs = reader.floats("sensor_cutoff", count)?;
    let sensor = |sensor: usize| match cutoffs[sensor] == 0.0 {
        true => Ok(SubtreeSensor { body: bodies[sensor], sensor_adr: adrs[sensor] }),
        false => Err("a sensor of a subtree's velocity that is bounded (cutoff)".to_owned()),
    };
    (0..count).filter(|sensor| kinds[*sensor] == MJSENS_SUBTREELINVEL).map(sensor).collect()
}

outlined!(
    /// Computes the derived arrays of the present state: `mj_kinematics`, and if velocities of subtrees are requested, `mj_comPos`,
    /// `mj_comVel` and `mj_subtreeVel`. `subtree_linvel` is the linear velocity of each body's subtree.
    pub(in crate::native) fn final_pass<V: Float64Lanes, F: FieldSource<V>>(
        model: &NativeModel,
        fields: F,
        data: &mut NativeData<V>,
        subtree_linvel: Option<&mut [[V; 3]; MAX_NBODY]>,
    ) {
        kinematics::<V, F, true>(model, fields, data);
        if let Some(subtree_linvel) = subtree_linvel {
            com_pos(model, fields, data);
            com_vel(model, data);
            sum_subtree_linvel(model, fields, data, subtree_linvel);
        }
    }
);

/// Computes `subtree_linvel`, as `mj_subtreeVel` does, and the entries of `subtree_com` of bodies that are not roots.
#[inline(always)]
fn sum_subtree_linvel<V: Float64Lanes>(
    model: &NativeModel,
    fields: impl FieldSource<V>,
    data: &mut NativeData<V>,
    sums: &mut [[V; 3]; MAX_NBODY],
) {
    for (id, body) in model.bodies.iter().enumerate() {
        sums[id] = [V::splat(0.0); 3];
        if id > 0 {
            let offset = sub3(data.xipos[id], data.subtree_com[body.root]);
            sums[id] = scl3(object_velocity(&data.cvel[id], offset), fields.body_mass(id, body));
        }
    }
    for (id, body) in model.bodies.iter().enumerate().rev() {
        if id > 0 {
            sums[body.parent] = add3(sums[body.parent], sums[id]);
        }
        // MuJoCo divides by at least `mjMINVAL`.
        sums[id] = scl3(sums[id], fields.inv_subtreemass(id, body));
        if id == 0 || body.root != id {
            data.subtree_com[id] = fields.by_subtreemass(id, body, data.subtree_com[id], data.xipos[id]);
        }
    }
}
