//! Computes the derived arrays of the state at the end of a step, and writes one lane's into MuJoCo's `mjData`.

use crate::data::Data;
use crate::native::lane_fields::SharedFields;
use crate::native::model::NativeModel;
use crate::native::planar::PlanarBatch;
use crate::native::sensor::final_pass::{FinalArrays, FinalPass};
use crate::native::state::Derived;
use crate::native::step::{Batch, copy_lane};
use envpool_rs_numeric::simd::{Float64Lanes, Lanes};

/// The request for which the planar form suffices.
const SUBTREE_LINVEL: FinalArrays =
    FinalArrays { xpos: false, xmat: false, xipos: false, site_xpos: false, subtree_linvel: true };

impl<V: Float64Lanes> Batch<V> {
    /// Computes the final arrays that `derived` requests. `is_planar` says whether the planar form has the lanes' fields.
    ///
    /// # Panics
    /// If `derived` combines final arrays with arrays that they overwrite.
    pub(super) fn compute_final_arrays(&mut self, model: &NativeModel, derived: Derived, is_planar: bool) {
        assert!(!derived.excludes_final_arrays(), "{derived:?}: final arrays overwrite other requested arrays");
        let are_of_root = self.subtree_sensors.iter().all(|sensor| sensor.body == 1);
        if const { V::COUNT > 1 } && is_planar && are_of_root && derived.final_arrays == SUBTREE_LINVEL {
            self.subtree_linvel[1] = self.with_planar(model, PlanarBatch::root_linvel);
            return;
        }
        let subtree_linvel = derived.final_arrays.subtree_linvel.then_some(&mut *self.subtree_linvel);
        let data = &mut *self.data;
        enter_with_fields!(V, self.lane_tables, fields => FinalPass { model, fields, data, subtree_linvel });
    }

    /// Writes the final arrays of a lane that are requested into the simulation `data`.
    pub(super) fn write_final_arrays(&self, model: &NativeModel, lane: usize, simulation: &mut Data, arrays: FinalArrays) {
        let (data, bodies) = (&*self.data, 1..model.bodies.len());
        if arrays.xpos {
            copy_lane(&mut simulation.xpos_mut()[3..], data.xpos[bodies.clone()].as_flattened(), lane);
        }
        if arrays.xmat {
            copy_lane(simulation.xmat_mut(), data.xmat[..bodies.end].as_flattened(), lane);
        }
        if arrays.xipos {
            copy_lane(&mut simulation.xipos_mut()[3..], data.xipos[bodies].as_flattened(), lane);
        }
        if arrays.site_xpos {
            self.write_sites(model, lane, simulation);
        }
        if arrays.subtree_linvel {
            for sensor in &self.subtree_sensors {
                copy_lane(&mut simulation.sensordata_mut()[sensor.sensor_adr..][..3], &self.subtree_linvel[sensor.body], lane);
            }
        }
    }
}
