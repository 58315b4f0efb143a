//! Model fields with values for each simulation, and models for each simulation.

use std::cell::Cell;

use thread_local::ThreadLocal;

use super::super::data::Data;
use super::super::faults::Fault;
use super::super::fields::RawModel;
use super::super::library::Library;
use super::super::model::Model;
use super::Simulations;
use super::rows::{Elements, Rows};

/// Models that simulations use instead of the batch's.
#[derive(Default)]
pub(super) struct OwnModels {
    fields: Vec<ExpandedField>,
    /// A model for each simulation; empty if they use the batch's.
    models: Vec<Model>,
    /// Copies of the struct `mjModel`, one for each thread, whose fields refer to a simulation's values.
    heads: ThreadLocal<Cell<Option<Vec<u64>>>>,
}

/// Field of the model with values for each simulation.
struct ExpandedField {
    elements: Elements,
    rows: Rows,
}

impl OwnModels {
    /// Runs `work` with the model of a simulation.
    pub(super) fn with_model<R>(&self, base: &Model, sim: usize, work: impl FnOnce(*const RawModel) -> R) -> R {
        if let Some(model) = self.models.get(sim) {
            return work(model.raw());
        }
        if self.fields.is_empty() {
            return work(base.raw());
        }
        let cell = self.heads.get_or_default();
        let mut head = cell.take().unwrap_or_else(|| copy_of_struct(base));
        for ExpandedField { elements, rows } in &self.fields {
            // SAFETY: `head` is a copy of the struct. The rows have the values of each simulation, and live as long as the batch.
            unsafe { elements.use_at(head.as_mut_ptr().cast(), rows.row(sim)) };
        }
        let result = work(head.as_ptr().cast());
        cell.set(Some(head));
        result
    }

    /// Returns the names of the expanded fields, and whether simulations have models of the caller.
    pub(super) fn changes(&self) -> (impl Iterator<Item = &str>, bool) {
        (self.fields.iter().map(|field| field.elements.name.as_str()), !self.models.is_empty())
    }
}

fn copy_of_struct(model: &Model) -> Vec<u64> {
    let bytes = model.library().model.bytes;
    let mut head = vec![0_u64; bytes.div_ceil(size_of::<u64>())];
    // SAFETY: the struct has `bytes` bytes, and `head` has room for them.
    unsafe { std::ptr::copy_nonoverlapping(model.raw().cast::<u8>(), head.as_mut_ptr().cast(), bytes) };
    head
}

/// Fields of a model that `mj_setConst` may change.
#[derive(Default)]
pub struct ModelFields(Vec<Elements>);

impl ModelFields {
    /// Adds a field of `mjModel`, of `bytes` bytes. Does nothing if this version has no such field.
    ///
    /// # Safety
    /// The field must have as many bytes in the models that are compared.
    pub unsafe fn add(&mut self, library: &Library, name: &str, bytes: usize) {
        self.0.extend(Elements::find(library.layout(), "mjModel", name, bytes));
    }
}

/// Values of a field that `mj_setConst` has changed for a simulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedField {
    /// Number of the simulation.
    pub sim: usize,
    /// Name of the field.
    pub name: String,
    /// Its elements.
    pub bytes: Vec<u8>,
}

/// Model that is deleted with this value.
struct Scratch<'a>(&'a Model, *mut RawModel);

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        if let Some(model) = std::ptr::NonNull::new(self.1) {
            self.0.library().delete_model(model);
        }
    }
}

impl Simulations {
    /// Gives a field of the model, of `bytes` bytes, values for each simulation, which start as the model's.
    ///
    /// # Errors
    /// `Library` if this version has no such field.
    ///
    /// # Safety
    /// The field must have as many bytes, and rows must have room for them.
    pub unsafe fn expand(&mut self, name: &str, bytes: usize, rows: Rows) -> Result<(), Fault> {
        let elements = Elements::find(self.model.library().layout(), "mjModel", name, bytes)?;
        for sim in 0..self.config.nsim {
            // SAFETY: the caller guarantees the sizes, and `&mut self` exclusive access.
            unsafe { elements.copy_to(self.model.raw(), rows.row(sim)) };
        }
        self.own_models.fields.push(ExpandedField { elements, rows });
        self.own_models.heads = ThreadLocal::new();
        Ok(())
    }

    /// Sets an expanded field's values of a simulation.
    ///
    /// # Panics
    /// If the field is not expanded, there is no such simulation, or the number of bytes differs.
    pub fn set_expanded(&mut self, change: &ChangedField) {
        let field = self.own_models.fields.iter().find(|field| field.elements.name == change.name);
        let ExpandedField { elements, rows } = field.expect("an expanded field");
        assert!(change.sim < self.config.nsim && change.bytes.len() == elements.bytes, "values of a simulation");
        // SAFETY: the row exists and has as many bytes, as asserted, and `&mut self` gives exclusive access.
        unsafe { std::ptr::copy_nonoverlapping(change.bytes.as_ptr(), rows.row(change.sim), change.bytes.len()) };
    }

    /// Returns whether a field is expanded.
    pub fn is_expanded(&self, name: &str) -> bool {
        self.own_models.fields.iter().any(|field| field.elements.name == name)
    }

    /// Makes each simulation use its model of `models`, or the batch's if there are none.
    ///
    /// # Panics
    /// If there are neither none nor as many as simulations.
    pub fn set_models(&mut self, models: Vec<Model>) {
        assert!(models.is_empty() || models.len() == self.config.nsim, "a model for each simulation");
        self.own_models.models = models;
    }

    /// Computes the constants of a simulation's model from its values (`mj_setConst`). Stores those of expanded fields, and
    /// returns those of other `fields` that differ from the batch's model.
    ///
    /// # Errors
    /// `MujocoError` if MuJoCo reports an error, which is also the simulation's.
    ///
    /// # Safety
    /// No other thread may run an operation on this simulation, or access its rows.
    pub unsafe fn set_const(&self, sim: usize, fields: &ModelFields) -> Result<Vec<ChangedField>, Fault> {
        assert!(sim < self.config.nsim, "number of a simulation");
        let found = self.compute_constants(sim, fields);
        self.note(sim, found.as_ref().err().cloned());
        found
    }

    fn compute_constants(&self, sim: usize, fields: &ModelFields) -> Result<Vec<ChangedField>, Fault> {
        let (library, base) = (self.model.library(), self.model.raw());
        // SAFETY: the base model is alive; MuJoCo allocates the copy.
        let copy = library.call(|functions| unsafe { (functions.mj_copyModel)(std::ptr::null_mut(), base) })?;
        let scratch = Scratch(&self.model, copy);
        if scratch.1.is_null() {
            return Err(Fault::MujocoError("no memory for a model".into()));
        }
        for ExpandedField { elements, rows } in &self.own_models.fields {
            // SAFETY: the copy has the model's sizes, so that its elements have as many bytes as a row.
            unsafe { std::ptr::copy_nonoverlapping(rows.row(sim), elements.of(scratch.1).cast_mut(), elements.bytes) };
        }
        let mut data = Data::new(&self.model)?;
        // SAFETY: the copy is this function's own, and has the sizes of the simulation's model.
        data.call_with(scratch.1, |functions, _, raw| unsafe { (functions.mj_setConst)(scratch.1, raw) })?;
        for ExpandedField { elements, rows } in &self.own_models.fields {
            // SAFETY: the copy has the model's sizes, and the caller guarantees exclusive access to the row.
            unsafe { elements.copy_to(scratch.1, rows.row(sim)) };
        }
        let mut changed = Vec::new();
        for elements in fields.0.iter().filter(|field| field.bytes > 0 && !self.is_expanded(&field.name)) {
            // SAFETY: both models have these sizes, as the caller of `ModelFields::add` guarantees.
            let [old, new] = [base, scratch.1.cast_const()]
                .map(|model| unsafe { std::slice::from_raw_parts(elements.of(model), elements.bytes) });
            if old != new {
                changed.push(ChangedField { sim, name: elements.name.clone(), bytes: new.to_vec() });
            }
        }
        Ok(changed)
    }
}
