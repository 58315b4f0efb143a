//! Simulations (`mjData`): positions, velocities, and derived quantities.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::faults::{Fault, take_warning};
use super::fields::{DataFields, DisableFlag, RawData, RawModel, at, elements, simulation_arrays};
use super::layout::Field;
use super::library::Functions;
use super::model::{Model, ObjectKind};
use super::own_model::{Array, ModelOverrides, Number, SavedOverrides};

macro_rules! accessors {
    ($($(#[$doc:meta])* $name:ident: $width:literal * $size:ident),*) => {
        impl Data {
            $(
                $(#[$doc])*
                pub fn $name(&self) -> &[f64] {
                    self.floats(self.fields().$name, $width * self.model.sizes().$size)
                }
            )*
        }
    };
}
simulation_arrays!(accessors);

/// A simulation. Dropping it frees MuJoCo's memory.
#[derive(Debug)]
pub struct Data {
    raw: NonNull<RawData>,
    model: Model,
    /// The simulation's own model, if it differs from the shared one.
    overrides: Option<ModelOverrides>,
    /// Number of warnings of each type that have been reported.
    reported: Vec<i32>,
}

// SAFETY: the simulation has one owner, and MuJoCo allows any thread to use it.
unsafe impl Send for Data {}

/// Number of simulations that are alive.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// Counts the simulations of this process that are alive, so that tests can find leaks.
#[doc(hidden)]
pub fn live_simulations() -> usize {
    LIVE.load(Ordering::Relaxed)
}

impl Drop for Data {
    fn drop(&mut self) {
        LIVE.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: this value owns the simulation, and `drop` runs once.
        unsafe { (self.model.library().functions.mj_deleteData)(self.raw.as_ptr()) };
    }
}

/// A simulation's changes to its model, while another lane uses the memory: see [`Data::exchange`].
#[derive(Debug, Default)]
pub struct DetachedOverrides(Option<ModelOverrides>);

impl DetachedOverrides {
    /// Returns all changes, for a snapshot.
    pub fn all(&self) -> SavedOverrides {
        self.0.as_ref().map_or_else(Vec::new, ModelOverrides::save)
    }
}

impl Data {
    /// Creates a simulation in its initial state.
    ///
    /// # Errors
    /// `MujocoError` if memory runs out.
    pub fn new(model: &Model) -> Result<Self, Fault> {
        // SAFETY: the model is alive.
        let raw = model.library().call(|functions| unsafe { (functions.mj_makeData)(model.raw()) })?;
        let raw = NonNull::new(raw).ok_or_else(|| Fault::MujocoError("no memory for a simulation".into()))?;
        LIVE.fetch_add(1, Ordering::Relaxed);
        Ok(Self { raw, model: model.clone(), overrides: None, reported: vec![0; model.library().data.warnings.count] })
    }

    fn fields(&self) -> &'static DataFields {
        &self.model.library().data
    }

    fn floats(&self, field: Field, len: usize) -> &[f64] {
        // SAFETY: the field is a pointer to `len` floats, which live as long as the simulation and change only with `&mut self`.
        unsafe { elements(self.raw.as_ptr(), field, len) }
    }

    fn floats_mut(&mut self, field: Field, len: usize) -> &mut [f64] {
        if len == 0 {
            return &mut [];
        }
        // SAFETY: as in `floats`, and `&mut self` makes the access exclusive.
        unsafe { std::slice::from_raw_parts_mut(*at::<*mut f64>(self.raw.as_ptr(), field), len) }
    }

    pub(super) fn raw(&self) -> *const RawData {
        self.raw.as_ptr()
    }

    /// Returns the shared model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Returns the simulation's own model, or the shared one.
    pub(super) fn raw_model(&self) -> *const RawModel {
        self.overrides.as_ref().map_or_else(|| self.model.raw(), ModelOverrides::raw)
    }

    /// Returns an array of the simulation's model.
    pub fn model_array<T: Number>(&self, array: Array<T>) -> &[T] {
        // SAFETY: the array has this type and length; it lives as long as the model or this simulation, and changes only with
        // `&mut self`.
        unsafe { elements(self.raw_model(), array.field(self.model.library()), array.len(self.model.sizes())) }
    }

    /// Returns an array of the model that can be changed for this simulation alone.
    pub fn model_array_mut<T: Number>(&mut self, array: Array<T>) -> &mut [T] {
        let own = self.overrides.get_or_insert_with(|| ModelOverrides::new(self.model.original()));
        own.array_mut(self.model.original(), array)
    }

    /// Returns the simulation's changes to its model, for a snapshot.
    pub fn changes(&self) -> SavedOverrides {
        self.overrides.as_ref().map_or_else(Vec::new, ModelOverrides::save)
    }

    /// Restores changes that [`Data::changes`] returned.
    ///
    /// # Errors
    /// `MujocoError` for changes to another model.
    pub fn set_changes(&mut self, changes: &SavedOverrides) -> Result<(), Fault> {
        let refused = || Fault::MujocoError("changes of another model".into());
        self.overrides = match changes.is_empty() {
            true => None,
            false => Some(ModelOverrides::restored(self.model.original(), changes).ok_or_else(refused)?),
        };
        Ok(())
    }

    /// Swaps the simulation's model changes with those of another lane of the same model.
    pub fn exchange(&mut self, changed: &mut DetachedOverrides) {
        std::mem::swap(&mut self.overrides, &mut changed.0);
    }

    /// Returns the positions, mutable.
    pub fn qpos_mut(&mut self) -> &mut [f64] {
        self.floats_mut(self.fields().qpos, self.model.sizes().nq)
    }

    /// Returns the velocities, mutable.
    pub fn qvel_mut(&mut self) -> &mut [f64] {
        self.floats_mut(self.fields().qvel, self.model.sizes().nv)
    }

    /// Returns the actuator activations, mutable.
    pub fn act_mut(&mut self) -> &mut [f64] {
        self.floats_mut(self.fields().act, self.model.sizes().na)
    }

    /// Returns the controls, mutable.
    pub fn ctrl_mut(&mut self) -> &mut [f64] {
        self.floats_mut(self.fields().ctrl, self.model.sizes().nu)
    }

    /// Returns the number of contacts (`ncon`).
    pub fn ncon(&self) -> usize {
        // SAFETY: the layout says that the field is an integer.
        unsafe { *at::<i32>(self.raw.as_ptr(), self.fields().contacts) as usize }
    }

    /// Returns the simulation time in seconds, mutable.
    pub fn time_mut(&mut self) -> &mut f64 {
        // SAFETY: the layout says that the field is a float64, and `&mut self` makes the access exclusive.
        unsafe { &mut *at::<f64>(self.raw.as_ptr(), self.fields().time).cast_mut() }
    }

    /// Returns the memory of the arrays, in bytes.
    pub fn bytes(&self) -> usize {
        // SAFETY: the layout says that the field is an integer of 8 bytes.
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
        // SAFETY: the id was checked above, and `result` has room for six numbers; the function throws nothing for these object
        // types.
        unsafe {
            (self.model.library().functions.mj_objectVelocity)(self.raw_model(), self.raw.as_ptr(), number, id as i32, result, 0);
        }
        triple(&turning_and_moving, 1)
    }

    /// Calls MuJoCo with this simulation and its model.
    fn call(&mut self, work: impl FnOnce(&Functions, *const RawModel, *mut RawData)) -> Result<(), Fault> {
        self.call_with(self.raw_model(), work)
    }

    fn call_with(
        &mut self,
        model: *const RawModel,
        work: impl FnOnce(&Functions, *const RawModel, *mut RawData),
    ) -> Result<(), Fault> {
        let raw = self.raw.as_ptr();
        self.model.library().call(|functions| work(functions, model, raw))
    }

    /// Resets the simulation to its initial state (`mj_resetData`).
    ///
    /// # Errors
    /// `MujocoError` if MuJoCo reports an error.
    pub fn reset(&mut self) -> Result<(), Fault> {
        self.reported.fill(0);
        // SAFETY: model and simulation are alive and belong together.
        self.call(|functions, model, raw| unsafe { (functions.mj_resetData)(model, raw) })
    }

    /// Computes everything that follows from positions, velocities and controls (`mj_forward`).
    ///
    /// # Errors
    /// `MujocoError`, and `MujocoWarning` for bad numbers or exhausted memory.
    pub fn forward(&mut self) -> Result<(), Fault> {
        // SAFETY: as in `reset`.
        self.call(|functions, model, raw| unsafe { (functions.mj_forward)(model, raw) })?;
        self.check()
    }

    /// Computes everything that follows from positions alone, including contacts (`mj_fwdPosition`).
    ///
    /// # Errors
    /// As for `forward`.
    pub fn forward_positions(&mut self) -> Result<(), Fault> {
        // SAFETY: as in `reset`.
        self.call(|functions, model, raw| unsafe { (functions.mj_fwdPosition)(model, raw) })?;
        self.check()
    }

    /// Computes poses only (`mj_kinematics`).
    ///
    /// # Errors
    /// `MujocoError` if MuJoCo reports an error.
    pub fn kinematics(&mut self) -> Result<(), Fault> {
        // SAFETY: as in `reset`.
        self.call(|functions, model, raw| unsafe { (functions.mj_kinematics)(model, raw) })
    }

    /// Computes poses, body velocities and the sensors that depend on them, without contacts.
    ///
    /// # Errors
    /// `MujocoError` if MuJoCo reports an error.
    pub fn kinematics_and_sensors(&mut self) -> Result<(), Fault> {
        // SAFETY: as in `reset`.
        self.call(|functions, model, raw| unsafe {
            (functions.mj_kinematics)(model, raw);
            (functions.mj_comPos)(model, raw);
            (functions.mj_comVel)(model, raw);
            (functions.mj_subtreeVel)(model, raw);
            (functions.mj_sensorPos)(model, raw);
            (functions.mj_sensorVel)(model, raw);
        })
    }

    /// Computes everything that follows from positions and velocities, with actuation disabled (`mj_forward`).
    ///
    /// # Errors
    /// As for `forward`.
    pub fn forward_unactuated(&mut self) -> Result<(), Fault> {
        let library = self.model.library();
        let model = match &mut self.overrides {
            None => self.model.passive(),
            Some(own) => {
                own.set_disabled(library, DisableFlag::Actuation, true);
                own.raw()
            }
        };
        // SAFETY: as in `reset`.
        let result = self.call_with(model, |functions, model, raw| unsafe { (functions.mj_forward)(model, raw) });
        if let Some(own) = &mut self.overrides {
            own.set_disabled(library, DisableFlag::Actuation, false);
        }
        result?;
        self.check()
    }

    /// Advances by `count` steps (`mj_step`), and computes `cfrc_ext` at their end if `with_outer_forces`.
    ///
    /// # Errors
    /// `MujocoError`, and `MujocoWarning` for bad numbers or exhausted memory: MuJoCo has then reset the simulation or dropped contacts, and
    /// reports this only as a warning.
    pub fn step(&mut self, count: u32, with_outer_forces: bool) -> Result<(), Fault> {
        // SAFETY: as in `reset`.
        self.call(|functions, model, raw| unsafe {
            for _ in 0..count {
                (functions.mj_step)(model, raw);
            }
            if with_outer_forces {
                (functions.mj_rnePostConstraint)(model, raw);
            }
        })?;
        self.check()
    }

    /// Advances by one or more steps: `mj_step2`, whole steps, then `mj_step1`. Derived quantities are then those of the last
    /// step's end; the first half of the first step belongs to the previous call. With Runge-Kutta all steps are whole.
    ///
    /// # Errors
    /// As for `step`.
    pub fn step2_step1(&mut self, count: u32) -> Result<(), Fault> {
        let is_whole = self.model.is_runge_kutta();
        // SAFETY: as in `reset`.
        self.call(|functions, model, raw| unsafe {
            if !is_whole {
                (functions.mj_step2)(model, raw);
            }
            for _ in u32::from(!is_whole)..count {
                (functions.mj_step)(model, raw);
            }
            (functions.mj_step1)(model, raw);
        })?;
        self.check()
    }

    /// Computes the first half of a step (`mj_step1`), from which [`Data::step2_step1`] continues.
    ///
    /// # Errors
    /// As for `step`.
    pub fn step1(&mut self) -> Result<(), Fault> {
        // SAFETY: as in `reset`.
        self.call(|functions, model, raw| unsafe { (functions.mj_step1)(model, raw) })?;
        self.check()
    }

    /// Fails if there are warnings that have not been reported yet.
    fn check(&mut self) -> Result<(), Fault> {
        let numbers = self.fields().warnings;
        let mut is_new = false;
        for (kind, count) in self.reported.iter_mut().enumerate() {
            // SAFETY: the layout gives the number and stride of these integers, and `kind` is less than the number.
            let number = unsafe { *at::<u8>(self.raw.as_ptr(), numbers).add(kind * numbers.stride).cast::<i32>() };
            is_new |= number > *count;
            *count = number;
        }
        if !is_new {
            return Ok(());
        }
        let text = take_warning();
        Err(Fault::MujocoWarning(if text.is_empty() { "numbers or memory gave out".to_owned() } else { text }))
    }

    /// Writes the state vector (`mjSTATE_INTEGRATION`), [`Model::state_len`] numbers.
    ///
    /// # Panics
    /// If the slice has another length.
    pub fn get_state(&self, state: &mut [f64]) {
        assert_eq!(state.len(), self.model.state_len(), "numbers of a state");
        let library = self.model.library();
        // SAFETY: the slice has as many numbers as MuJoCo writes, as asserted above.
        unsafe {
            (library.functions.mj_getState)(self.model.raw(), self.raw.as_ptr(), state.as_mut_ptr(), library.model.integration);
        }
    }

    /// Restores a state vector of [`Data::get_state`]. Derived quantities are invalid until the next step.
    ///
    /// # Errors
    /// `MujocoError`, also for another length.
    pub fn set_state(&mut self, state: &[f64]) -> Result<(), Fault> {
        if state.len() != self.model.state_len() {
            return Err(Fault::MujocoError(format!("a state of {} numbers: expected {}", state.len(), self.model.state_len())));
        }
        let library = self.model.library();
        // SAFETY: the slice has as many numbers as MuJoCo reads, as checked above.
        library.call(|functions| unsafe {
            (functions.mj_setState)(self.model.raw(), self.raw.as_ptr(), state.as_ptr(), library.model.integration);
        })
    }
}

/// Defines mutable access to the arrays that a native step writes.
macro_rules! written {
    ($($name:ident $set:ident),*) => {
        impl Data {
            $(pub(super) fn $set(&mut self) -> &mut [f64] {
                let len = self.$name().len();
                self.floats_mut(self.fields().$name, len)
            })*
        }
    };
}
written! {
    qacc_warmstart qacc_warmstart_mut,
    sensordata sensordata_mut,
    xpos xpos_mut,
    xipos xipos_mut,
    site_xpos site_xpos_mut,
    cinert cinert_mut,
    cvel cvel_mut,
    cfrc_ext cfrc_ext_mut,
    qfrc_actuator qfrc_actuator_mut,
    qfrc_constraint qfrc_constraint_mut,
    ten_length ten_length_mut,
    ten_velocity ten_velocity_mut
}

fn triple(values: &[f64], id: usize) -> [f64; 3] {
    values[3 * id..][..3].try_into().expect("three numbers")
}
