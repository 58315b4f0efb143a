//! Simulation with the helper methods of dm_control's class `Physics`.

use std::ops::{Deref, DerefMut};

use crate::mujoco_env::native_lanes::without_warning;
use crate::names::Names;
use envpool_rs_engine::Result;
use envpool_rs_numeric::numpy;
use envpool_rs_sim_mujoco::model_overrides::MAT_RGBA;
use envpool_rs_sim_mujoco::{Data, Fault};

/// Simulation, and whether it steps in dm_control's mode `legacy_step` (`mj_step2`, then `mj_step1`).
pub struct Physics<'a> {
    pub(crate) data: &'a mut Data,
    pub(crate) is_legacy: bool,
}

impl Deref for Physics<'_> {
    type Target = Data;

    fn deref(&self) -> &Data {
        self.data
    }
}

impl DerefMut for Physics<'_> {
    fn deref_mut(&mut self) -> &mut Data {
        self.data
    }
}

impl Physics<'_> {
    /// Advances the simulation by `count` steps.
    pub fn advance(&mut self, count: u32) -> Result<(), Fault> {
        if self.is_legacy { self.data.step2_step1(count) } else { self.data.step(count, false) }
    }

    /// Resets the simulation, and computes its derived quantities.
    ///
    /// # Errors
    /// The error that MuJoCo reports, as [`Fault`]. Warnings are ignored, because the caller then sets another state.
    pub fn restart(&mut self) -> Result<(), Fault> {
        self.data.reset()?;
        without_warning(self.data.forward_unactuated())
    }

    /// Returns an element of a body's `xmat` by its index. For example, `xmat[body, "xz"]` has the index 2.
    pub fn axes(&self, body: usize, element: usize) -> f64 {
        self.xmat()[9 * body + element]
    }
}

/// Returns a vector, given in world coordinates, in the coordinates of a frame with the given axes: `vector.dot(axes)`.
pub fn in_frame(vector: &[f64; 3], axes: &[f64]) -> [f64; 3] {
    [0, 1, 2].map(|axis| numpy::dot(vector, &[axes[axis], axes[3 + axis], axes[6 + axis]]))
}

/// Index of the element `xx` of `xmat`.
pub const XX: usize = 0;

/// Index of the element `xz` of `xmat`.
pub const XZ: usize = 2;

/// Index of the element `zz` of `xmat`.
pub const ZZ: usize = 8;

/// Materials whose colours represent the reward.
pub(crate) const MATERIALS: [&str; 3] = ["self", "effector", "target"];

/// Material ids for each of [`MATERIALS`]: the coloured material, and those with the colours for the rewards 0 and 1.
pub(crate) struct Colours([[usize; 3]; 3]);

impl Colours {
    pub(crate) fn bind(names: Names<'_>) -> Result<Self> {
        let mut materials = [[0; 3]; 3];
        for (numbers, name) in materials.iter_mut().zip(MATERIALS) {
            for (number, end) in numbers.iter_mut().zip(["", "_default", "_highlight"]) {
                *number = names.material(&format!("{name}{end}"))?;
            }
        }
        Ok(Self(materials))
    }

    /// Sets the colours that represent `reward`, in the simulation's own copy of the model.
    pub(crate) fn show(&self, physics: &mut Physics<'_>, reward: f64) {
        let share = reward.clamp(0.0, 1.0).powf(4.0);
        let colours = physics.model_array_mut(MAT_RGBA);
        for [shown, default, highlight] in self.0 {
            for part in 0..4 {
                let [none, all] = [default, highlight].map(|material| f64::from(colours[4 * material + part]));
                colours[4 * shown + part] = (share * all + (1.0 - share) * none) as f32;
            }
        }
    }
}
