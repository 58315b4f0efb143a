//! Stages of `mj_forward`: a call selects the last stage that it computes.

use crate::fields::{RawData, RawModel, at};
use crate::library::{Functions, Library};

/// Last stage of `mj_forward` (`mjtStage`) that a call computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// None.
    None,
    /// Quantities that depend on positions (`mjSTAGE_POS`).
    Position,
    /// Quantities that depend on positions and velocities (`mjSTAGE_VEL`).
    Velocity,
    /// All of `mj_forward`.
    Acceleration,
}

/// `mjtEnableBit.mjENBL_ENERGY`.
const ENERGY: i32 = 2;

/// Computes the stages of `mj_forward` up to `stage`.
///
/// # Safety
/// The model and `mjData` must be alive, and `mjData` must have been made for a model of these sizes.
pub(super) unsafe fn compute_stages(
    library: &Library,
    functions: &Functions,
    (model, raw): (*const RawModel, *mut RawData),
    stage: Stage,
) {
    // SAFETY: the caller guarantees that the model and `mjData` are valid; the layout says that the accessed field is an
    // integer.
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
