//! Model fields with separate values for each simulation, and separate models for each simulation of a batch.

use std::cell::Cell;
use std::ptr::NonNull;

use thread_local::ThreadLocal;

use crate::batch::Simulations;
use crate::batch::rows::{Elements, Rows};
use crate::data::Data;
use crate::faults::Fault;
use crate::fields::RawModel;
use crate::library::Library;
use crate::model::Model;
use crate::model_overrides::ModelOverrides;
use crate::native::{LaneField, LaneFields};

/// Models that the simulations of a batch use instead of the batch's model.
#[derive(Default)]
pub(super) struct OwnModels {
    fields: Vec<ExpandedField>,
    /// A model for each simulation; empty if all simulations use the batch's model.
    models: Vec<Model>,
    /// For each thread, a copy of the struct `mjModel` whose expanded fields refer to the values of the current simulation.
    heads: ThreadLocal<Cell<Option<ModelOverrides>>>,
}

struct ExpandedField {
    elements: Elements,
    rows: Rows,
    /// Field of native steps; `None` if none depends on it; or the reason why MuJoCo's library must take the steps.
    lane_field: Result<Option<LaneField>, String>,
}

impl OwnModels {
    /// Calls `work` with the model of the simulation `sim`, in which expanded fields have the simulation's values.
    pub(super) fn with_model<R>(&self, base: &Model, sim: usize, work: impl FnOnce(*const RawModel) -> R) -> R {
        if let Some(model) = self.models.get(sim) {
            return work(model.raw());
        }
        if self.fields.is_empty() {
            return work(base.raw());
        }
        let cell = self.heads.get_or_default();
        let mut head = cell.take().unwrap_or_else(|| ModelOverrides::new(base.original()));
        for ExpandedField { elements, rows, .. } in &self.fields {
            // SAFETY: `head` is a copy of the struct `mjModel`. `rows` holds the field's values of each simulation, and
            // lives as long as the batch.
            unsafe { elements.use_at(head.raw_mut(), rows.row(sim)) };
        }
        let result = work(head.raw());
        cell.set(Some(head));
        result
    }

    /// Returns the error of a simulation with an equality constraint of another type than in the model `base`: MuJoCo would take
    /// the indices of the constraint's objects for those of objects of another kind.
    ///
    /// # Safety
    /// The simulation must exist, and nothing may write to its rows.
    pub(super) unsafe fn fault(&self, base: &Model, sim: usize) -> Option<Fault> {
        let field = self.fields.iter().find(|field| field.elements.name == "eq_type")?;
        // SAFETY: the caller guarantees that the row exists and is not written to. The caller of `expand` guarantees its size.
        let own = unsafe { field.rows.numbers::<i32>(sim, field.elements.bytes / size_of::<i32>()) };
        let changed = |(own, kind): (&i32, &i32)| own != kind && (0..EQUALITY_TYPES).contains(own);
        let constraint = own.iter().zip(base.eq_type()).position(|(own, kind)| changed((own, kind)))?;
        let (own, kind) = (own[constraint], base.eq_type()[constraint]);
        Some(Fault::MujocoError(format!("eq_type[{constraint}]={own}: expected {kind}, the type of the model's constraint")))
    }

    /// Returns the reasons why MuJoCo's library must take the steps of simulations with expanded fields or separate models.
    pub(super) fn obstacles(&self) -> impl Iterator<Item = &str> {
        let by_models = (!self.models.is_empty()).then_some("simulations have models of the caller");
        self.fields.iter().filter_map(|field| field.lane_field.as_ref().err().map(String::as_str)).chain(by_models)
    }

    /// Returns whether native steps depend on an expanded field.
    pub(super) fn has_lane_fields(&self) -> bool {
        self.fields.iter().any(|field| matches!(field.lane_field, Ok(Some(_))))
    }

    /// Returns a simulation's values of the expanded fields on which native steps depend.
    ///
    /// # Safety
    /// The simulation must exist, and nothing may write to its rows for `'a`.
    pub(super) unsafe fn lane_fields<'a>(&self, sim: usize) -> LaneFields<'a> {
        let mut fields = LaneFields::default();
        for ExpandedField { elements, rows, lane_field } in &self.fields {
            if let Ok(Some(field)) = lane_field {
                // SAFETY: the caller guarantees that the row exists and is not written to. The caller of `expand` guarantees
                // that it holds the field's elements, which are float64 numbers in all lane fields.
                fields.set(*field, unsafe { rows.numbers::<f64>(sim, elements.bytes / size_of::<f64>()) });
            }
        }
        fields
    }
}

/// Bound on the number of MuJoCo's types of equality constraints (`mjtEq`). MuJoCo reports an error for other types.
const EQUALITY_TYPES: i32 = 64;

/// Fields of `mjModel` that `mj_setConst` may change.
#[derive(Default)]
pub struct ModelFields(Vec<Elements>);

impl ModelFields {
    /// Adds the field `name` of `mjModel`, of `bytes` bytes. Does nothing if this version of MuJoCo has no such field.
    ///
    /// # Safety
    /// The field must have `bytes` bytes in all models that [`Simulations::set_const`] compares.
    pub unsafe fn add(&mut self, library: &Library, name: &str, bytes: usize) {
        self.0.extend(Elements::find(library.layout(), "mjModel", name, bytes));
    }
}

/// Values of a field that `mj_setConst` has changed for a simulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedField {
    /// Index of the simulation in the batch.
    pub sim: usize,
    /// Name of the field of `mjModel`.
    pub name: String,
    /// Its elements.
    pub bytes: Vec<u8>,
}

/// Temporary copy of a model, which is deleted on drop, and a simulation of it.
struct Scratch<'a> {
    base: &'a Model,
    model: NonNull<RawModel>,
    data: Data,
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        self.base.library().delete_model(self.model);
    }
}

impl<'a> Scratch<'a> {
    fn new(base: &'a Model) -> Result<Self, Fault> {
        let data = Data::new(base)?;
        // SAFETY: the base model is alive, and `mj_copyModel` allocates the copy.
        let copy = base.library().call(|functions| unsafe { (functions.mj_copyModel)(std::ptr::null_mut(), base.raw()) })?;
        let model = NonNull::new(copy).ok_or_else(|| Fault::MujocoError("no memory for a model".into()))?;
        Ok(Self { base, model, data })
    }

    /// Restores copy and simulation to what `new` creates, without allocating memory.
    fn restore(&mut self) -> Result<(), Fault> {
        let (base, copy) = (self.base.raw(), self.model.as_ptr());
        // SAFETY: both models are alive and have the same sizes, so `mj_copyModel` copies into the memory of the copy, which only
        // this struct uses.
        self.base.library().call(|functions| unsafe { (functions.mj_copyModel)(copy, base) })?;
        self.data.reset()
    }
}

impl Simulations {
    /// Expands the field `name` of the model, of `bytes` bytes: each simulation gets its own values, which are initially the
    /// model's.
    ///
    /// # Errors
    /// `Library` if this version of MuJoCo has no such field.
    ///
    /// # Safety
    /// The field must have `bytes` bytes, and each row of `rows` must have room for them.
    pub unsafe fn expand(&mut self, name: &str, bytes: usize, rows: Rows) -> Result<(), Fault> {
        let elements = Elements::find(self.model.library().layout(), "mjModel", name, bytes)?;
        for sim in 0..self.config.nsim {
            // SAFETY: the caller guarantees the sizes of the field and of the rows. `&mut self` guarantees exclusive access
            // to the rows.
            unsafe { elements.copy_to(self.model.raw(), rows.row(sim)) };
        }
        let lane_field = self.stepper.as_ref().map_or_else(|| LaneField::named(name), |stepper| stepper.lane_field(name));
        self.own_models.fields.push(ExpandedField { elements, rows, lane_field });
        self.own_models.heads = ThreadLocal::new();
        Ok(())
    }

    /// Sets the values of an expanded field for one simulation.
    ///
    /// # Panics
    /// If the field is not expanded, if the simulation does not exist, or if the number of bytes differs.
    pub fn set_expanded(&mut self, change: &ChangedField) {
        let field = self.own_models.fields.iter().find(|field| field.elements.name == change.name);
        let ExpandedField { elements, rows, .. } = field.expect("an expanded field");
        assert!(change.sim < self.config.nsim && change.bytes.len() == elements.bytes, "values of a simulation");
        // SAFETY: the assertions above check that the row exists and has as many bytes. `&mut self` guarantees exclusive
        // access to the rows.
        unsafe { std::ptr::copy_nonoverlapping(change.bytes.as_ptr(), rows.row(change.sim), change.bytes.len()) };
    }

    /// Returns whether the field `name` is expanded, so that each simulation has its own values.
    pub fn is_expanded(&self, name: &str) -> bool {
        self.own_models.fields.iter().any(|field| field.elements.name == name)
    }

    /// Sets the model of each simulation. If `models` is empty, all simulations use the batch's model.
    ///
    /// # Panics
    /// If `models` is not empty and has another length than the batch.
    pub fn set_models(&mut self, models: Vec<Model>) {
        assert!(models.is_empty() || models.len() == self.config.nsim, "a model for each simulation");
        self.own_models.models = models;
    }

    /// Computes the constants of the simulations' models from their values (`mj_setConst`). Stores the constants that are
    /// expanded fields. Returns the other fields of `fields` whose values differ from the batch's model. Simulations for which MuJoCo
    /// reports an error count as failed. Stops before the next simulation if `is_cancelled` returns true.
    ///
    /// # Safety
    /// No other thread may run an operation on these simulations, or access their rows.
    pub unsafe fn set_const(
        &self,
        sims: &[usize],
        fields: &ModelFields,
        is_cancelled: &mut dyn FnMut() -> bool,
    ) -> Vec<ChangedField> {
        let (mut changed, mut scratch) = (Vec::new(), None);
        for &sim in sims {
            assert!(sim < self.config.nsim, "number of a simulation");
            if is_cancelled() {
                break;
            }
            // SAFETY: the caller guarantees exclusive access to the simulation's rows, and the simulation exists.
            let fault = unsafe { self.own_models.fault(&self.model, sim) };
            let found = fault.map_or_else(|| self.compute_constants(&mut scratch, sim, fields), Err);
            self.note(sim, found.as_ref().err().cloned());
            changed.extend(found.into_iter().flatten());
        }
        changed
    }

    /// Computes the constants of one simulation in `scratch`, which simulations use one after another. Allocating a copy and a
    /// simulation for each of 1,024 Humanoids took 44 ms of processor time instead of 37.
    fn compute_constants<'a>(
        &'a self,
        scratch: &mut Option<Scratch<'a>>,
        sim: usize,
        fields: &ModelFields,
    ) -> Result<Vec<ChangedField>, Fault> {
        let mut taken = match scratch.take() {
            Some(mut used) => {
                used.restore()?;
                used
            }
            None => Scratch::new(&self.model)?,
        };
        let (copy, base) = (taken.model.as_ptr(), self.model.raw());
        for ExpandedField { elements, rows, .. } in &self.own_models.fields {
            // SAFETY: the copy has the sizes of the batch's model, so its field has as many bytes as the row.
            unsafe { std::ptr::copy_nonoverlapping(rows.row(sim), elements.of(copy).cast_mut(), elements.bytes) };
        }
        // SAFETY: only this function uses the copy of the model, and the copy has the sizes of the simulation's model.
        taken.data.call_with(copy, |functions, _, raw| unsafe { (functions.mj_setConst)(copy, raw) })?;
        for ExpandedField { elements, rows, .. } in &self.own_models.fields {
            // SAFETY: the copy has the sizes of the batch's model. The caller guarantees exclusive access to the
            // simulation's rows.
            unsafe { elements.copy_to(copy, rows.row(sim)) };
        }
        let mut changed = Vec::new();
        for elements in fields.0.iter().filter(|field| field.bytes > 0 && !self.is_expanded(&field.name)) {
            // SAFETY: the field has as many bytes in both models, as the caller of `ModelFields::add` guarantees.
            let [old, new] =
                [base, copy.cast_const()].map(|model| unsafe { std::slice::from_raw_parts(elements.of(model), elements.bytes) });
            if old != new {
                changed.push(ChangedField { sim, name: elements.name.clone(), bytes: new.to_vec() });
            }
        }
        *scratch = Some(taken);
        Ok(changed)
    }
}
