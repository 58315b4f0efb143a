//! Sensors (`mj_sensorPos`, `mj_sensorVel`, `mj_sensorAcc`, which call `mj_computeSensorPos` and others), and derived arrays of
//! the final state.

pub(super) mod final_pass;
pub(super) mod library_sensors;
pub(super) mod touch_sensors;
