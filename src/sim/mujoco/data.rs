//! One simulation: positions, velocities, and what follows from them.

use std::ptr::NonNull;

use super::faults::{Fault, take_warning};
use super::fields::{DataFields, RawData, at, floats, simulation_arrays};
use super::layout::Field;
use super::model::Model;

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
}

// SAFETY: nobody else has it, and the library does not care which thread works at it.
unsafe impl Send for Data {}

impl Drop for Data {
    fn drop(&mut self) {
        // SAFETY: it is this value's own, and this is its end.
        unsafe { (self.model.library().functions.mj_deleteData)(self.raw.as_ptr()) };
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
        Ok(Self { raw, model: model.clone() })
    }

    fn fields(&self) -> &'static DataFields {
        &self.model.library().data
    }

    fn floats(&self, field: Field, len: usize) -> &[f64] {
        // SAFETY: the field is the address of so many floats, which live as long as the simulation and change only with `&mut self`.
        unsafe { floats(self.raw.as_ptr(), field, len) }
    }

    fn floats_mut(&mut self, field: Field, len: usize) -> &mut [f64] {
        if len == 0 {
            return &mut [];
        }
        // SAFETY: as in `floats`, and nobody else has it.
        unsafe { std::slice::from_raw_parts_mut(*at::<*mut f64>(self.raw.as_ptr(), field), len) }
    }

    /// What it is of.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Positions, to be set.
    pub fn qpos_mut(&mut self) -> &mut [f64] {
        self.floats_mut(self.fields().qpos, self.model.sizes().nq)
    }

    /// Velocities, to be set.
    pub fn qvel_mut(&mut self) -> &mut [f64] {
        self.floats_mut(self.fields().qvel, self.model.sizes().nv)
    }

    /// Controls, to be set.
    pub fn ctrl_mut(&mut self) -> &mut [f64] {
        self.floats_mut(self.fields().ctrl, self.model.sizes().nu)
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

    /// Brings it back to its beginning.
    ///
    /// # Errors
    /// `Refused`.
    pub fn reset(&mut self) -> Result<(), Fault> {
        // SAFETY: both are there, and belong together.
        self.model.library().call(|functions| unsafe { (functions.mj_resetData)(self.model.raw(), self.raw.as_ptr()) })
    }

    /// Computes what follows from positions, velocities and controls.
    ///
    /// # Errors
    /// `Refused`, and `Warned` where numbers or memory give out.
    pub fn forward(&mut self) -> Result<(), Fault> {
        // SAFETY: as in `reset`.
        self.model.library().call(|functions| unsafe { (functions.mj_forward)(self.model.raw(), self.raw.as_ptr()) })?;
        self.check()
    }

    /// Goes on by so many steps, and computes the bodies' outer forces at their end if they are asked for.
    ///
    /// # Errors
    /// `Refused`, and `Warned` where numbers or memory give out: the library has then gone back to the beginning, or done without some
    /// contacts, and says so to nobody.
    pub fn step(&mut self, count: u32, with_outer_forces: bool) -> Result<(), Fault> {
        let (model, raw) = (self.model.raw(), self.raw.as_ptr());
        // SAFETY: as in `reset`.
        self.model.library().call(|functions| unsafe {
            for _ in 0..count {
                (functions.mj_step)(model, raw);
            }
            if with_outer_forces {
                (functions.mj_rnePostConstraint)(model, raw);
            }
        })?;
        self.check()
    }

    /// Whether there was a warning since the last reset.
    fn check(&self) -> Result<(), Fault> {
        let numbers = self.fields().warnings;
        // SAFETY: the field is so many integers, so far apart.
        let was_warned = (0..numbers.count).any(|kind| unsafe {
            let first = at::<u8>(self.raw.as_ptr(), numbers);
            *first.add(kind * numbers.stride).cast::<i32>() != 0
        });
        if !was_warned {
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

fn triple(values: &[f64], id: usize) -> [f64; 3] {
    values[3 * id..][..3].try_into().expect("three numbers")
}
