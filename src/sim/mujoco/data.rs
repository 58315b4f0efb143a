//! One simulation: positions, velocities, and what follows from them.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::faults::{Fault, take_warning};
use super::fields::{DataFields, Flag, RawData, RawModel, at, elements, simulation_arrays};
use super::layout::Field;
use super::library::Functions;
use super::model::{Model, ObjectKind};
use super::own_model::{Array, Changes, Number, OwnModel};

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

/// A simulation. Dropped, it is ended.
#[derive(Debug)]
pub struct Data {
    raw: NonNull<RawData>,
    model: Model,
    /// The model as it is for this one, if it differs.
    own: Option<OwnModel>,
    /// How many warnings of each kind have been told.
    told: Vec<i32>,
}

// SAFETY: nobody else has it, and the library does not care which thread works at it.
unsafe impl Send for Data {}

/// How many simulations there are.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// Counts the simulations of this process that have not been ended, so that tests can look for those that are left behind.
#[doc(hidden)]
pub fn live_simulations() -> usize {
    LIVE.load(Ordering::Relaxed)
}

impl Drop for Data {
    fn drop(&mut self) {
        LIVE.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: it is this value's own, and this is its end.
        unsafe { (self.model.library().functions.mj_deleteData)(self.raw.as_ptr()) };
    }
}

/// What a simulation has changed of its model, where it has no memory of its own: see [`Data::exchange`].
#[derive(Debug, Default)]
pub struct Changed(Option<OwnModel>);

impl Changed {
    /// All of it.
    pub fn all(&self) -> Changes {
        self.0.as_ref().map_or_else(Vec::new, OwnModel::save)
    }
}

impl Data {
    /// A simulation at its beginning.
    ///
    /// # Errors
    /// `Refused` where there is not enough memory.
    pub fn new(model: &Model) -> Result<Self, Fault> {
        // SAFETY: the model is there.
        let raw = model.library().call(|functions| unsafe { (functions.mj_makeData)(model.raw()) })?;
        let raw = NonNull::new(raw).ok_or_else(|| Fault::Refused("no memory for a simulation".into()))?;
        LIVE.fetch_add(1, Ordering::Relaxed);
        Ok(Self { raw, model: model.clone(), own: None, told: vec![0; model.library().data.warnings.count] })
    }

    fn fields(&self) -> &'static DataFields {
        &self.model.library().data
    }

    fn floats(&self, field: Field, len: usize) -> &[f64] {
        // SAFETY: the field is the address of so many floats, which live as long as the simulation and change only with `&mut self`.
        unsafe { elements(self.raw.as_ptr(), field, len) }
    }

    fn floats_mut(&mut self, field: Field, len: usize) -> &mut [f64] {
        if len == 0 {
            return &mut [];
        }
        // SAFETY: as in `floats`, and nobody else has it.
        unsafe { std::slice::from_raw_parts_mut(*at::<*mut f64>(self.raw.as_ptr(), field), len) }
    }

    pub(super) fn raw(&self) -> *const RawData {
        self.raw.as_ptr()
    }

    /// What it is of.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The model as it is for this one.
    pub(super) fn raw_model(&self) -> *const RawModel {
        self.own.as_ref().map_or_else(|| self.model.raw(), OwnModel::raw)
    }

    /// An array of its model, as it is for this one.
    pub fn model_array<T: Number>(&self, array: Array<T>) -> &[T] {
        // SAFETY: the array is of this type; it lives as long as the model, or as this, and changes only with `&mut self`.
        unsafe { elements(self.raw_model(), array.field(self.model.library()), array.len(self.model.sizes())) }
    }

    /// An array of its model, to be changed for this one alone.
    pub fn model_array_mut<T: Number>(&mut self, array: Array<T>) -> &mut [T] {
        let own = self.own.get_or_insert_with(|| OwnModel::new(self.model.original()));
        own.array_mut(self.model.original(), array)
    }

    /// What was changed of its model.
    pub fn changes(&self) -> Changes {
        self.own.as_ref().map_or_else(Vec::new, OwnModel::save)
    }

    /// Takes over what [`Data::changes`] gave.
    ///
    /// # Errors
    /// `Refused` for changes of another model's.
    pub fn set_changes(&mut self, changes: &Changes) -> Result<(), Fault> {
        let refused = || Fault::Refused("changes of another model".into());
        self.own = match changes.is_empty() {
            true => None,
            false => Some(OwnModel::restored(self.model.original(), changes).ok_or_else(refused)?),
        };
        Ok(())
    }

    /// Exchanges what was changed of its model for what was changed for another simulation of the same, whose turn it is.
    pub fn exchange(&mut self, changed: &mut Changed) {
        std::mem::swap(&mut self.own, &mut changed.0);
    }

    /// Positions, to be set.
    pub fn qpos_mut(&mut self) -> &mut [f64] {
        self.floats_mut(self.fields().qpos, self.model.sizes().nq)
    }

    /// Velocities, to be set.
    pub fn qvel_mut(&mut self) -> &mut [f64] {
        self.floats_mut(self.fields().qvel, self.model.sizes().nv)
    }

    /// States of actuators, to be set.
    pub fn act_mut(&mut self) -> &mut [f64] {
        self.floats_mut(self.fields().act, self.model.sizes().na)
    }

    /// Controls, to be set.
    pub fn ctrl_mut(&mut self) -> &mut [f64] {
        self.floats_mut(self.fields().ctrl, self.model.sizes().nu)
    }

    /// Pairs that touch.
    pub fn contacts(&self) -> usize {
        // SAFETY: the field is an integer.
        unsafe { *at::<i32>(self.raw.as_ptr(), self.fields().contacts) as usize }
    }

    /// Seconds since its beginning, to be set.
    pub fn time_mut(&mut self) -> &mut f64 {
        // SAFETY: the field is a float64, and nobody else has it.
        unsafe { &mut *at::<f64>(self.raw.as_ptr(), self.fields().time).cast_mut() }
    }

    /// Bytes that its arrays take.
    pub fn bytes(&self) -> usize {
        // SAFETY: the field is an integer of 8 bytes.
        unsafe { *at::<i64>(self.raw.as_ptr(), self.fields().nbuffer) as usize }
    }

    /// Position of a body's frame.
    pub fn body(&self, id: usize) -> [f64; 3] {
        triple(self.xpos(), id)
    }

    /// Position of a site.
    pub fn site(&self, id: usize) -> [f64; 3] {
        triple(self.site_xpos(), id)
    }

    /// Position of a geometry.
    pub fn geom(&self, id: usize) -> [f64; 3] {
        triple(self.geom_xpos(), id)
    }

    /// Velocity of a body, a geometry or a site along the world's axes.
    ///
    /// # Panics
    /// Where the model has no such thing, or things of this kind do not move.
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
        // SAFETY: there is such a thing, and room for six numbers; it throws nothing for kinds that move.
        unsafe {
            (self.model.library().functions.mj_objectVelocity)(self.raw_model(), self.raw.as_ptr(), number, id as i32, result, 0);
        }
        triple(&turning_and_moving, 1)
    }

    /// Calls the library for it and the model as it is for it.
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

    /// Brings it back to its beginning.
    ///
    /// # Errors
    /// `Refused`.
    pub fn reset(&mut self) -> Result<(), Fault> {
        self.told.fill(0);
        // SAFETY: both are there, and belong together.
        self.call(|functions, model, raw| unsafe { (functions.mj_resetData)(model, raw) })
    }

    /// Computes what follows from positions, velocities and controls.
    ///
    /// # Errors
    /// `Refused`, and `Warned` where numbers or memory give out.
    pub fn forward(&mut self) -> Result<(), Fault> {
        // SAFETY: as in `reset`.
        self.call(|functions, model, raw| unsafe { (functions.mj_forward)(model, raw) })?;
        self.check()
    }

    /// Computes what follows from positions alone, and with it what touches.
    ///
    /// # Errors
    /// As for `forward`.
    pub fn forward_positions(&mut self) -> Result<(), Fault> {
        // SAFETY: as in `reset`.
        self.call(|functions, model, raw| unsafe { (functions.mj_fwdPosition)(model, raw) })?;
        self.check()
    }

    /// Computes where everything is, and nothing else.
    ///
    /// # Errors
    /// `Refused`.
    pub fn place(&mut self) -> Result<(), Fault> {
        // SAFETY: as in `reset`.
        self.call(|functions, model, raw| unsafe { (functions.mj_kinematics)(model, raw) })
    }

    /// Computes where everything is and how it moves, and what sensors of that say; but not what touches.
    ///
    /// # Errors
    /// `Refused`.
    pub fn place_and_move(&mut self) -> Result<(), Fault> {
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

    /// Computes what follows from positions and velocities, as if there were no actuators.
    ///
    /// # Errors
    /// As for `forward`.
    pub fn forward_passively(&mut self) -> Result<(), Fault> {
        let library = self.model.library();
        let model = match &mut self.own {
            None => self.model.passive(),
            Some(own) => {
                own.set_disabled(library, Flag::Actuation, true);
                own.raw()
            }
        };
        // SAFETY: as in `reset`.
        let result = self.call_with(model, |functions, model, raw| unsafe { (functions.mj_forward)(model, raw) });
        if let Some(own) = &mut self.own {
            own.set_disabled(library, Flag::Actuation, false);
        }
        result?;
        self.check()
    }

    /// Goes on by so many steps, and computes the bodies' outer forces at their end if they are asked for.
    ///
    /// # Errors
    /// `Refused`, and `Warned` where numbers or memory give out: the library has then gone back to the beginning, or done without some
    /// contacts, and says so to nobody.
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

    /// Goes on by so many steps, one or more, after which what follows from positions and velocities is that of their end: the first half
    /// of each step has been done with the step before.
    ///
    /// # Errors
    /// As for `step`.
    pub fn step_from_halfway(&mut self, count: u32) -> Result<(), Fault> {
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

    /// Computes what follows from positions and velocities: the first half of a step, which [`Data::step_from_halfway`] goes on from.
    ///
    /// # Errors
    /// As for `step`.
    pub fn finish_halfway(&mut self) -> Result<(), Fault> {
        // SAFETY: as in `reset`.
        self.call(|functions, model, raw| unsafe { (functions.mj_step1)(model, raw) })?;
        self.check()
    }

    /// Whether there were warnings that have not been told yet.
    fn check(&mut self) -> Result<(), Fault> {
        let numbers = self.fields().warnings;
        let mut is_new = false;
        for (kind, told) in self.told.iter_mut().enumerate() {
            // SAFETY: the field is as many integers, so far apart.
            let number = unsafe { *at::<u8>(self.raw.as_ptr(), numbers).add(kind * numbers.stride).cast::<i32>() };
            is_new |= number > *told;
            *told = number;
        }
        if !is_new {
            return Ok(());
        }
        let text = take_warning();
        Err(Fault::Warned(if text.is_empty() { "numbers or memory gave out".to_owned() } else { text }))
    }

    /// Writes all that it takes to go on from here: [`Model::state_len`] numbers.
    ///
    /// # Panics
    /// Where there is room for another number of them.
    pub fn get_state(&self, state: &mut [f64]) {
        assert_eq!(state.len(), self.model.state_len(), "numbers of a state");
        let library = self.model.library();
        // SAFETY: there is room for as many numbers as the library writes.
        unsafe {
            (library.functions.mj_getState)(self.model.raw(), self.raw.as_ptr(), state.as_mut_ptr(), library.model.integration);
        }
    }

    /// Goes to what [`Data::get_state`] gave. What follows from positions and velocities is not there before a step.
    ///
    /// # Errors
    /// `Refused`, for another number of numbers, too.
    pub fn set_state(&mut self, state: &[f64]) -> Result<(), Fault> {
        if state.len() != self.model.state_len() {
            return Err(Fault::Refused(format!("a state of {} numbers: expected {}", state.len(), self.model.state_len())));
        }
        let library = self.model.library();
        // SAFETY: there are as many numbers as the library reads.
        library.call(|functions| unsafe {
            (functions.mj_setState)(self.model.raw(), self.raw.as_ptr(), state.as_ptr(), library.model.integration);
        })
    }
}

/// Arrays that a step of our own writes.
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
