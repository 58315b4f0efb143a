//! MuJoCo simulations (`mjData`): creation, access to their arrays, and saved states.

mod stepping;

use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::faults::Fault;
use crate::fields::{DataFields, RawData, RawModel, at, elements, simulation_arrays};
use crate::layout::Field;
use crate::model::{Model, ObjectKind};
use crate::model_overrides::{Array, HFIELD_DATA, ModelOverrides, Number, SavedOverrides, Values};

macro_rules! accessors {
    ($($name:ident: $width:literal * $size:ident),*) => {
        impl Data {
            $(
                #[doc = concat!("`", stringify!($name), "` of `mjData`: ", $width, " for each of `", stringify!($size), "`")]
                pub fn $name(&self) -> &[f64] {
                    self.floats(self.fields().$name, $width * self.model.sizes().$size)
                }
            )*
        }
    };
}
simulation_arrays!(accessors);

/// MuJoCo simulation (`mjData`) of a model; `mj_deleteData` frees it on drop.
#[derive(Debug)]
pub struct Data {
    raw: NonNull<RawData>,
    model: Model,
    /// Copy of the model that contains this simulation's changes; `None` if the simulation uses the shared model.
    overrides: Option<ModelOverrides>,
}

// SAFETY: only this `Data` refers to its `mjData`, and MuJoCo allows any one thread at a time to use an `mjData`.
unsafe impl Send for Data {}

/// Number of simulations in this process that have not been dropped.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// Counts the simulations of this process that are alive, so that tests can find leaks.
#[doc(hidden)]
pub fn live_simulations() -> usize {
    LIVE.load(Ordering::Relaxed)
}

impl Drop for Data {
    fn drop(&mut self) {
        LIVE.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: this `Data` owns its `mjData`, which `drop` deletes once.
        unsafe { (self.model.library().functions.mj_deleteData)(self.raw.as_ptr()) };
    }
}

/// Model arrays that one environment changed, while another one uses the simulation: see [`Data::exchange`].
#[derive(Debug, Default)]
pub struct DetachedOverrides(Option<ModelOverrides>);

impl DetachedOverrides {
    /// Returns copies of the changed model arrays, for a snapshot.
    pub fn all(&self) -> SavedOverrides {
        self.0.as_ref().map_or_else(Vec::new, ModelOverrides::save)
    }

    /// Returns the elements of a model array that was changed; `None` if the array is the shared model's.
    pub fn array(&self, array: Array<f64>) -> Option<&[f64]> {
        self.0.as_ref()?.own_array(array)
    }

    /// Returns the types of the geoms (`geom_type`); `None` if they are the shared model's.
    pub fn geom_types(&self) -> Option<&[i32]> {
        self.arrays().find_map(|(_, values)| if let Values::Shapes(types) = values { Some(&**types) } else { None })
    }

    /// Returns the heights of the height fields (`hfield_data`); `None` if they are the shared model's.
    pub fn heights(&self) -> Option<&[f32]> {
        self.arrays().find_map(|(name, values)| match values {
            Values::Singles(heights) if name == HFIELD_DATA.name() => Some(&**heights),
            _ => None,
        })
    }

    pub(super) fn arrays(&self) -> impl Iterator<Item = (&str, &Values)> {
        self.0.iter().flat_map(ModelOverrides::changed)
    }
}

impl Data {
    /// Creates a simulation in its initial state.
    ///
    /// # Errors
    /// `MujocoError` if memory runs out.
    pub fn new(model: &Model) -> Result<Self, Fault> {
        // SAFETY: `model` keeps its `mjModel` alive, and `mj_makeData` only reads it.
        let raw = model.library().call(|functions| unsafe { (functions.mj_makeData)(model.raw()) })?;
        let raw = NonNull::new(raw).ok_or_else(|| Fault::MujocoError("no memory for a simulation".into()))?;
        LIVE.fetch_add(1, Ordering::Relaxed);
        Ok(Self { raw, model: model.clone(), overrides: None })
    }

    fn fields(&self) -> &'static DataFields {
        &self.model.library().data
    }

    fn floats(&self, field: Field, len: usize) -> &[f64] {
        // SAFETY: the `mjData` field `field` points to `len` float64 values. The values live as long as the simulation, and
        // change only with `&mut self`.
        unsafe { elements(self.raw.as_ptr(), field, len) }
    }

    fn floats_mut(&mut self, field: Field, len: usize) -> &mut [f64] {
        if len == 0 {
            return &mut [];
        }
        // SAFETY: the `mjData` field `field` is a pointer to `len` float64 values that live as long as the simulation. `&mut
        // self` makes the access exclusive.
        unsafe { std::slice::from_raw_parts_mut(*at::<*mut f64>(self.raw.as_ptr(), field), len) }
    }

    pub(super) fn raw(&self) -> *const RawData {
        self.raw.as_ptr()
    }

    /// Returns the shared model from which the simulation was created.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Returns the simulation's own copy of the model if it has one, else the shared model.
    pub(super) fn raw_model(&self) -> *const RawModel {
        self.overrides.as_ref().map_or_else(|| self.model.raw(), ModelOverrides::raw)
    }

    /// Returns an array of the `mjModel` that this simulation uses: its own copy or the shared model.
    pub fn model_array<T: Number>(&self, array: Array<T>) -> &[T] {
        // SAFETY: `array` gives the element type and the length of the `mjModel` array. The elements live as long as the
        // model or this simulation, and change only with `&mut self`.
        unsafe { elements(self.raw_model(), array.field(self.model.library()), array.len(self.model.sizes())) }
    }

    /// Returns a mutable array of this simulation's own copy of the model; other simulations are unaffected.
    pub fn model_array_mut<T: Number>(&mut self, array: Array<T>) -> &mut [T] {
        let own = self.overrides.get_or_insert_with(|| ModelOverrides::new(self.model.original()));
        own.array_mut(self.model.original(), array)
    }

    /// Calls `work` while the heights of the height fields (`hfield_data`) are `heights`; `None` leaves them as they are. If `work`
    /// panics, the simulation must not be used again.
    ///
    /// # Panics
    /// If the model has another number of heights.
    pub(super) fn with_heights<T>(&mut self, heights: Option<&[f32]>, work: impl FnOnce(&mut Self) -> T) -> T {
        let Some(heights) = heights else { return work(self) };
        assert_eq!(heights.len(), HFIELD_DATA.len(self.model.sizes()), "numbers of heights");
        let mut own = self.overrides.take().unwrap_or_else(|| ModelOverrides::new(self.model.original()));
        let mut pointer = heights.as_ptr();
        own.swap_heights(self.model.library(), &mut pointer);
        self.overrides = Some(own);
        let done = work(self);
        if let Some(own) = &mut self.overrides {
            own.swap_heights(self.model.library(), &mut pointer);
        }
        done
    }

    /// Sets the gravity (`opt.gravity`) of this simulation's own copy of the model, in m/s².
    pub fn set_gravity(&mut self, gravity: [f64; 3]) {
        let own = self.overrides.get_or_insert_with(|| ModelOverrides::new(self.model.original()));
        own.set_gravity(self.model.library(), gravity);
    }

    /// Returns copies of the model arrays that this simulation changed, for a snapshot.
    pub fn changes(&self) -> SavedOverrides {
        self.overrides.as_ref().map_or_else(Vec::new, ModelOverrides::save)
    }

    /// Restores the model arrays that this simulation had changed when [`Data::changes`] copied them.
    ///
    /// # Errors
    /// `MujocoError` if the changes belong to another model.
    pub fn set_changes(&mut self, changes: &SavedOverrides) -> Result<(), Fault> {
        let refused = || Fault::MujocoError("changes of another model".into());
        self.overrides = match changes.is_empty() {
            true => None,
            false => Some(ModelOverrides::restored(self.model.original(), changes).ok_or_else(refused)?),
        };
        Ok(())
    }

    /// Swaps the changed model arrays with those that were stored for another environment of the same model.
    pub fn exchange(&mut self, changed: &mut DetachedOverrides) {
        std::mem::swap(&mut self.overrides, &mut changed.0);
    }

    /// Returns the orientations of the inertial frames (`xiquat`), mutable; empty before MuJoCo 4.0.
    pub(super) fn xiquat_mut(&mut self) -> &mut [f64] {
        self.fields().xiquat.map_or_else(Default::default, |field| self.floats_mut(field, 4 * self.model.sizes().nbody))
    }

    /// Returns the orientations of the sites (`site_xquat`), mutable; empty before MuJoCo 4.0.
    pub(super) fn site_xquat_mut(&mut self) -> &mut [f64] {
        self.fields().site_xquat.map_or_else(Default::default, |field| self.floats_mut(field, 4 * self.model.sizes().nsite))
    }

    /// Returns the number of contacts in `mjData.contact` (`ncon`).
    pub fn ncon(&self) -> usize {
        // SAFETY: the layout table says that `ncon` is a 4-byte integer of `mjData`.
        unsafe { *at::<i32>(self.raw.as_ptr(), self.fields().contacts) as usize }
    }

    /// Iterates over the warning counters (`mjData.warning`): `lastinfo` and `number` of each kind of warning.
    pub(super) fn warnings_mut(&mut self) -> impl Iterator<Item = &mut [i32; 2]> {
        let (raw, numbers) = (self.raw.as_ptr(), self.fields().warnings);
        // SAFETY: the layout table gives number, stride and place of the counters `number`, each of which follows its `lastinfo`.
        // `&mut self` makes the access exclusive.
        (0..numbers.count).map(move |kind| unsafe {
            &mut *at::<u8>(raw, numbers).cast_mut().add(kind * numbers.stride).cast::<i32>().sub(1).cast::<[i32; 2]>()
        })
    }

    /// Returns the simulation time in seconds, mutable.
    pub fn time_mut(&mut self) -> &mut f64 {
        // SAFETY: the layout table says that `time` is a float64 of `mjData`, and `&mut self` makes the access exclusive.
        unsafe { &mut *at::<f64>(self.raw.as_ptr(), self.fields().time).cast_mut() }
    }

    /// Returns the size of the simulation's arrays (`nbuffer`), in bytes.
    pub fn bytes(&self) -> usize {
        // SAFETY: the layout table says that `nbuffer` is an 8-byte integer of `mjData`.
        unsafe { *at::<i64>(self.raw.as_ptr(), self.fields().nbuffer) as usize }
    }

    /// Returns the position of a body's frame (`xpos`).
    pub fn body(&self, id: usize) -> [f64; 3] {
        triple(self.xpos(), id)
    }

    /// Returns the position of a site (`site_xpos`).
    pub fn site(&self, id: usize) -> [f64; 3] {
        triple(self.site_xpos(), id)
    }

    /// Returns the position of a geom (`geom_xpos`).
    pub fn geom(&self, id: usize) -> [f64; 3] {
        triple(self.geom_xpos(), id)
    }

    /// Returns the linear velocity of a body, geom or site in world axes (`mj_objectVelocity`).
    ///
    /// # Panics
    /// If the model has no such object, or objects of this type have no velocity.
    pub fn velocity(&self, kind: ObjectKind, id: usize) -> [f64; 3] {
        let sizes = self.model.sizes();
        let count = match kind {
            ObjectKind::Body => sizes.nbody,
            ObjectKind::Geom => sizes.ngeom,
            ObjectKind::Site => sizes.nsite,
            _ => 0,
        };
        assert!(id < count, "{kind:?} {id}: there are {count} that move");
        let mut turning_and_moving = [0.0; 6];
        let (number, result) = (self.model.number_of(kind), turning_and_moving.as_mut_ptr());
        // SAFETY: `id` is less than the number of objects of the type `kind`, as checked above, and `result` has the six
        // elements that `mj_objectVelocity` writes. `mj_objectVelocity` raises no error for bodies, geoms and sites.
        unsafe {
            (self.model.library().functions.mj_objectVelocity)(self.raw_model(), self.raw.as_ptr(), number, id as i32, result, 0);
        }
        triple(&turning_and_moving, 1)
    }

    /// Computes the Jacobians of a site's position and orientation (`mj_jacSite`), each with three rows of `nv` numbers.
    ///
    /// # Panics
    /// If the model has no such site.
    pub fn site_jacobians(&self, site: usize) -> [Vec<f64>; 2] {
        let sizes = self.model.sizes();
        assert!(site < sizes.nsite, "site {site}: there are {}", sizes.nsite);
        let mut jacobians = [vec![0.0; 3 * sizes.nv], vec![0.0; 3 * sizes.nv]];
        let [positions, turns] = &mut jacobians;
        let (positions, turns) = (positions.as_mut_ptr(), turns.as_mut_ptr());
        // SAFETY: `site` is less than the number of sites, as checked above, and both arrays have the `3 * nv` elements that
        // `mj_jacSite` writes. `mj_jacSite` raises no error for a site of the model.
        unsafe {
            (self.model.library().functions.mj_jacSite)(self.raw_model(), self.raw.as_ptr(), positions, turns, site as i32);
        }
        jacobians
    }

    /// Writes the simulation's state vector (`mjSTATE_INTEGRATION`) to `state`.
    ///
    /// # Panics
    /// If the length of `state` is not [`Model::state_len`].
    pub fn get_state(&self, state: &mut [f64]) {
        assert_eq!(state.len(), self.model.state_len(), "numbers of a state");
        let library = self.model.library();
        // SAFETY: `state` has as many elements as `mj_getState` writes, as asserted above.
        unsafe {
            (library.functions.mj_getState)(self.model.raw(), self.raw.as_ptr(), state.as_mut_ptr(), library.model.integration);
        }
    }

    /// Restores a state vector that [`Data::get_state`] wrote. Derived quantities are invalid until the next step.
    ///
    /// # Errors
    /// `MujocoError` if MuJoCo reports an error, or if the length of `state` is not [`Model::state_len`].
    pub fn set_state(&mut self, state: &[f64]) -> Result<(), Fault> {
        if state.len() != self.model.state_len() {
            return Err(Fault::MujocoError(format!("a state of {} numbers: expected {}", state.len(), self.model.state_len())));
        }
        let library = self.model.library();
        // SAFETY: `state` has as many elements as `mj_setState` reads, as checked above.
        library.call(|functions| unsafe {
            (functions.mj_setState)(self.model.raw(), self.raw.as_ptr(), state.as_ptr(), library.model.integration);
        })
    }
}

/// Defines methods that return mutable slices of `mjData` arrays.
macro_rules! written {
    ($visibility:vis, $($name:ident $set:ident),*) => {
        impl Data {
            $(
                #[doc = concat!("`", stringify!($name), "` of `mjData`, mutable")]
                $visibility fn $set(&mut self) -> &mut [f64] {
                    let len = self.$name().len();
                    self.floats_mut(self.fields().$name, len)
                }
            )*
        }
    };
}
written! { pub,
    qpos qpos_mut, qvel qvel_mut, act act_mut, ctrl ctrl_mut, qacc_warmstart qacc_warmstart_mut, mocap_pos mocap_pos_mut, mocap_quat mocap_quat_mut
}
// Arrays that a native step writes.
written! { pub(super),
    sensordata sensordata_mut, xpos xpos_mut, geom_xpos geom_xpos_mut,
    geom_xmat geom_xmat_mut, xmat xmat_mut, xipos xipos_mut, site_xpos site_xpos_mut, cinert cinert_mut, cvel cvel_mut,
    cfrc_ext cfrc_ext_mut, qfrc_actuator qfrc_actuator_mut, qfrc_constraint qfrc_constraint_mut,
    ten_length ten_length_mut, ten_velocity ten_velocity_mut, xquat xquat_mut, ximat ximat_mut, site_xmat site_xmat_mut,
    subtree_com subtree_com_mut, subtree_linvel subtree_linvel_mut, cacc cacc_mut, cfrc_int cfrc_int_mut,
    actuator_length actuator_length_mut, actuator_velocity actuator_velocity_mut, actuator_force actuator_force_mut
}

fn triple(values: &[f64], id: usize) -> [f64; 3] {
    values[3 * id..][..3].try_into().expect("three numbers")
}
