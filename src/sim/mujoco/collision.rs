//! MuJoCo's table of collision functions (`mjCOLLISIONFUNC`), which find the contacts of two geoms.

use std::ffi::c_int;

use crate::data::Data;
use crate::faults::{Fault, take_warning};
use crate::fields::{RawData, RawModel};
use crate::library::Library;
use crate::model_overrides::GEOM_TYPE;

/// Number of geom types (`mjNGEOMTYPES`) in all supported versions of MuJoCo.
const GEOM_TYPES: usize = 9;

/// Maximum number of contacts that a collision function writes (`mjMAXCONPAIR`).
pub(super) const MAX_PAIR_CONTACTS: usize = 50;

/// Function that finds the contacts of two geoms (`mjfCollision`), and returns their number. Its arguments are model,
/// simulation, array of contacts, ids of the geoms and margin. The contacts are `mjContact`, or `mjPreContact` since MuJoCo
/// 3.9; in both, the first ten float64 values are the distance, the position, the normal and the first tangent.
type CollisionFunction = unsafe extern "C-unwind" fn(*const RawModel, *mut RawData, *mut f64, c_int, c_int, f64) -> c_int;

/// MuJoCo's collision function for each pair of geom types, the smaller type first.
#[derive(Debug, Clone, Copy)]
pub(super) struct CollisionFunctions([[Option<CollisionFunction>; GEOM_TYPES]; GEOM_TYPES]);

/// World pose of a geom: `geom_xpos` and `geom_xmat`.
#[derive(Debug, Clone, Copy)]
pub(super) struct GeomPose {
    pub(super) pos: [f64; 3],
    pub(super) mat: [f64; 9],
}

impl Library {
    /// Returns MuJoCo's collision functions; `None` if the library does not export them.
    pub(super) fn collision_functions(&self) -> Option<CollisionFunctions> {
        // SAFETY: in all supported versions, `mjCOLLISIONFUNC` is a table of `GEOM_TYPES` by `GEOM_TYPES` function pointers, of
        // which some are null.
        let table = unsafe { self.symbols().get::<*const CollisionFunctions>(b"mjCOLLISIONFUNC") }.ok()?;
        // SAFETY: the table is static data of the library, which stays open until the process ends.
        Some(unsafe { **table })
    }
}

impl Data {
    /// Finds the contacts of two geoms with the given ids and poses, the geom with the smaller type first, and writes them to
    /// `contacts`. Returns their number; `None` if MuJoCo has warned, or has no collision function for the geoms' types.
    ///
    /// The simulation's arrays are overwritten.
    /// Fails with `MujocoError` if MuJoCo reports an error; the simulation must not be used again.
    ///
    /// # Panics
    /// If `contacts` has no room for [`MAX_PAIR_CONTACTS`] contacts of `stride` float64 values, or if the model has no such geom.
    ///
    /// # Safety
    /// The functions must be those of the simulation's library, and write at most `stride` float64 values for each contact.
    pub(super) unsafe fn collide(
        &mut self,
        CollisionFunctions(table): &CollisionFunctions,
        ids: [usize; 2],
        poses: &[GeomPose; 2],
        margin: f64,
        (contacts, stride): (&mut [f64], usize),
    ) -> Result<Option<usize>, Fault> {
        let [first, second] = ids.map(|id| self.model_array(GEOM_TYPE)[id] as usize);
        let Some(function) = table[first][second] else { return Ok(None) };
        assert!(contacts.len() >= stride * MAX_PAIR_CONTACTS, "{} numbers of contacts", contacts.len());
        for (id, pose) in ids.into_iter().zip(poses) {
            self.geom_xpos_mut()[3 * id..][..3].copy_from_slice(&pose.pos);
            self.geom_xmat_mut()[9 * id..][..9].copy_from_slice(&pose.mat);
        }
        let (model, data) = (self.raw_model(), self.raw().cast_mut());
        let [one, other] = ids.map(|id| id as c_int);
        // SAFETY: model and simulation belong together, the function is the one for the types of the two geoms, and
        // `contacts` has room for `MAX_PAIR_CONTACTS` contacts of `stride` float64 values, of which the caller guarantees that
        // the function does not write more.
        let mut call = || unsafe { function(model, data, contacts.as_mut_ptr(), one, other, margin) };
        let count = self.model().library().call(|_| call())?;
        Ok(take_warning().is_empty().then_some(count as usize))
    }
}
