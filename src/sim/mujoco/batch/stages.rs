//! Stages of `mj_forward`, up to which calls compute derived quantities.

use super::super::fields::{RawData, RawModel, at};
use super::super::library::{Functions, Library};

/// Stage up to which a call computes derived quantities (`mjtStage`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// None.
    None,
    /// What follows from positions.
    Position,
    /// What follows from positions and velocities.
    Velocity,
    /// All of `mj_forward`.
    Acceleration,
}

/// `mjtEnableBit.mjENBL_ENERGY`.
const ENERGY: i32 = 2;

/// Computes the stages of `mj_forward` up to `stage`.
///
/// # Safety
/// Model and simulation must be alive and have the same sizes.
pub(super) unsafe fn compute_stages(
    library: &Library,
    functions: &Functions,
    (model, raw): (*const RawModel, *mut RawData),
    stage: Stage,
) {
    // SAFETY: the caller guarantees model and simulation; the layout says that the field is an integer.
    unsafe {
        let flags = library.layout().any_field("mjModel.opt.enableflags");
        let has_energy = flags.is_some_and(|flags| *at::<i32>(model, flags) & ENERGY != 0);
        match stage {
            Stage::None => {}
            Stage::Acceleration => (functions.mj_forward)(model, raw),
            Stage::Position | Stage::Velocity => {
                (functions.mj_fwdPosition)(model, raw);
                (functions.mj_sensorPos)(model, raw);
                if has_energy {
                    (functions.mj_energyPos)(model, raw);
                }
                if stage == Stage::Velocity {
                    (functions.mj_fwdVelocity)(model, raw);
                    (functions.mj_sensorVel)(model, raw);
                    if has_energy {
                        (functions.mj_energyVel)(model, raw);
                    }
                }
            }
        }
    }
}
