//! Batches of simulations of one model, whose states are rows of an array in the caller's memory.
//!
//! A simulation's state is its row of the state array (`mjSTATE_INTEGRATION`). An operation loads the row into the thread's
//! `mjData`, runs, copies the outputs to the caller's memory, and saves the row. Simulations are independent of each other, so
//! callers may run parts of a call on several threads with the same results. If an operation fails for a simulation, the
//! simulation's row is unchanged.

mod native_rollout;
mod native_steps;
mod operation;
mod own_models;
mod rows;
mod stages;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

pub use self::operation::{Operation, Rays, Record, Source};
use self::operation::{Persistent, Run};
use self::own_models::OwnModels;
pub use self::own_models::{ChangedField, ModelFields};
use self::rows::Elements;
pub use self::rows::Rows;
pub use self::stages::Stage;
use crate::data::Data;
use crate::faults::Fault;
use crate::model::Model;
use crate::native::Stepper;
use crate::workspace::Workspace;

/// Arrays in the caller's memory that a batch writes. Each has a row for each simulation.
#[derive(Debug, Clone, Copy)]
pub struct BatchArrays {
    /// State vectors (`mjSTATE_INTEGRATION`), as `float64`.
    pub state: Rows,
    /// Warning counters as `int32`: for each of MuJoCo's warnings, `lastinfo` and `number` of `mjData.warning`.
    pub warnings: Rows,
    /// Status of each simulation's last call as `int32`: 1 if it failed, otherwise 0.
    pub status: Rows,
}

/// Settings of a batch.
#[derive(Debug, Clone, Copy)]
pub struct BatchConfig {
    /// Number of simulations.
    pub nsim: usize,
    /// Whether each simulation keeps its own `mjData` between calls.
    pub is_persistent: bool,
    /// Whether a simulation fails if MuJoCo warns of invalid numbers or exhausted memory, and is not reset.
    pub raises_unstable: bool,
}

/// Field of `mjData` that is copied to the caller's memory after each operation.
struct Output {
    elements: Elements,
    rows: Rows,
}

/// Batch of simulations of one model.
pub struct Simulations {
    model: Model,
    config: BatchConfig,
    arrays: BatchArrays,
    outputs: Vec<Output>,
    own_models: OwnModels,
    /// Simulations (`mjData`) of the threads, which a batch without persistent simulations uses.
    workspace: Workspace,
    /// `mjData` of each simulation in a persistent batch; empty in other batches.
    persistent: Vec<Mutex<Option<Persistent>>>,
    stepper: Option<Stepper>,
    errors: Mutex<BTreeMap<usize, String>>,
    /// Number of steps that MuJoCo's library has taken, summed over simulations.
    library_steps: AtomicU64,
    /// Number of constraint rows of each simulation, as [`Lane::nefc`](crate::native::Lane::nefc). Any value gives the same results.
    nefc: Vec<AtomicUsize>,
}

impl Simulations {
    /// Creates simulations in the model's initial state, and writes their rows in `arrays`. `stepper` takes the steps that
    /// it supports.
    ///
    /// # Errors
    /// `MujocoError` if memory runs out.
    ///
    /// # Safety
    /// The arrays must have a row for each simulation. A row has [`Model::state_len`] numbers in `state`, two numbers for
    /// each of [`Simulations::warning_count`] warnings in `warnings`, and one number in `status`.
    pub unsafe fn new(model: &Model, config: BatchConfig, arrays: BatchArrays, stepper: Option<Stepper>) -> Result<Self, Fault> {
        let data = Data::new(model)?;
        for sim in 0..config.nsim {
            // SAFETY: the caller of `new` guarantees that `arrays.state` has a row for each simulation, and nothing else
            // uses the rows yet.
            data.get_state(unsafe { arrays.state.numbers(sim, model.state_len()) });
        }
        let mut persistent = Vec::new();
        if config.is_persistent {
            persistent.resize_with(config.nsim, Mutex::default);
        }
        Ok(Self {
            model: model.clone(),
            config,
            arrays,
            outputs: Vec::new(),
            own_models: OwnModels::default(),
            workspace: Workspace::new(model),
            persistent,
            stepper,
            errors: Mutex::default(),
            library_steps: AtomicU64::new(0),
            nefc: (0..config.nsim).map(|_| AtomicUsize::new(0)).collect(),
        })
    }

    /// Returns the number of kinds of warnings that MuJoCo counts.
    pub fn warning_count(model: &Model) -> usize {
        model.library().data.warnings.count
    }

    /// Binds the field `name` of `mjData`, of `bytes` bytes, to `rows`: each operation copies the field to the simulation's
    /// row of `rows`.
    ///
    /// # Errors
    /// `Library` if this version of MuJoCo has no such field.
    ///
    /// # Safety
    /// The field must have `bytes` bytes in the model's simulations, and each row of `rows` must have room for them.
    pub unsafe fn bind(&mut self, name: &str, bytes: usize, rows: Rows) -> Result<(), Fault> {
        let elements = Elements::find(self.model.library().layout(), "mjData", name, bytes)?;
        self.outputs.push(Output { elements, rows });
        Ok(())
    }

    /// Returns the error message of the simulation's last call, or an empty string if the call succeeded.
    pub fn error(&self, sim: usize) -> String {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).get(&sim).cloned().unwrap_or_default()
    }

    /// Returns the number of simulations in `ids` whose last call failed.
    pub fn count_failed(&self, ids: &[usize]) -> usize {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        if errors.is_empty() { 0 } else { ids.iter().filter(|sim| errors.contains_key(sim)).count() }
    }

    /// Returns the number of steps, summed over simulations, that MuJoCo's library has taken.
    pub fn library_steps(&self) -> u64 {
        self.library_steps.load(Ordering::Relaxed)
    }

    /// Returns whether the native stepper can begin the next step of any simulation.
    pub fn steps_natively(&mut self) -> bool {
        self.usable_stepper().is_some() && self.obstacles_by_values().values().sum::<usize>() < self.config.nsim
    }

    /// Sorts the simulations of a step so that those with similar numbers of constraint rows are next to each other, because the native
    /// stepper takes less time for such simulations. Those with most rows come first, so that all threads finish at about the same time.
    pub fn sort_for_step(&self, ids: &mut [usize]) {
        ids.sort_by_key(|sim| Reverse(self.nefc.get(*sim).map_or(0, |nefc| nefc.load(Ordering::Relaxed))));
    }

    /// Runs an operation on the simulations `ids`, which are a part of a call: the entries of the call that start at the entry `first`.
    ///
    /// `is_cancelled` is called between steps. If it returns true, the remaining simulations keep their states.
    ///
    /// # Panics
    /// If `ids` has an id that no simulation has, or the same id twice.
    ///
    /// # Safety
    /// No other thread may run an operation on a simulation of `ids`, or access its rows. Addresses in `operation` must be
    /// valid for the entries of `ids`.
    pub unsafe fn run(&self, operation: &Operation, first: usize, ids: &[usize], is_cancelled: &mut dyn FnMut() -> bool) {
        // Equal ids would give several entries exclusive access to the same rows.
        let mut sorted = ids.to_vec();
        sorted.sort_unstable();
        assert!(
            sorted.is_sorted_by(|one, next| one < next) && sorted.last().is_none_or(|last| *last < self.config.nsim),
            "ids={ids:?}: expected different ids below {}",
            self.config.nsim
        );
        if let Operation::Step { count, stage } = *operation
            && self.run_native(ids, count, stage, is_cancelled)
        {
            return;
        }
        if self.roll_out_natively(operation, first, ids, is_cancelled) {
            return;
        }
        for (entry, sim) in (first..).zip(ids) {
            if is_cancelled() {
                return;
            }
            self.run_one(operation, entry, *sim, is_cancelled);
        }
    }

    /// Runs an operation by MuJoCo's library, and records whether it failed. Returns false if the call was cancelled.
    fn run_one(&self, operation: &Operation, entry: usize, sim: usize, is_cancelled: &mut dyn FnMut() -> bool) -> bool {
        // SAFETY: `run` has checked that the id `sim` exists, and its caller guarantees exclusive access to the simulation's rows.
        if let Some(fault) = unsafe { self.own_models.fault(&self.model, sim) } {
            self.note(sim, Some(fault));
            return false;
        }
        let mut run = Run { batch: self, operation, entry, sim, is_cancelled };
        let outcome = if self.config.is_persistent { run.on_own_data() } else { run.on_thread_data() };
        let is_complete = matches!(outcome, Ok(true));
        self.note(sim, outcome.err());
        is_complete
    }

    /// Records the error of a simulation's call, or that the call succeeded if `fault` is `None`.
    fn note(&self, sim: usize, fault: Option<Fault>) {
        // SAFETY: `run` has checked that the id `sim` exists, and its caller guarantees exclusive access to the
        // simulation's rows.
        let status = unsafe { &mut self.arrays.status.numbers::<i32>(sim, 1)[0] };
        if *status == 0 && fault.is_none() {
            return;
        }
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        *status = i32::from(fault.is_some());
        match fault {
            Some(Fault::MujocoError(text) | Fault::MujocoWarning(text)) => errors.insert(sim, text),
            Some(fault) => errors.insert(sim, fault.to_string()),
            None => errors.remove(&sim),
        };
    }

    /// Returns a simulation's state vector, which is its row of `arrays.state`.
    ///
    /// # Safety
    /// The simulation must exist, and nothing else may access its row for `'a`.
    #[allow(clippy::mut_from_ref)]
    unsafe fn state(&self, sim: usize) -> &mut [f64] {
        // SAFETY: the caller guarantees that the row exists and that access is exclusive. The caller of `new` guarantees
        // the row's length.
        unsafe { self.arrays.state.numbers(sim, self.model.state_len()) }
    }

    /// Copies the bound fields of a simulation's `mjData` to the caller's memory.
    fn copy_outputs(&self, sim: usize, data: &Data) {
        for Output { elements, rows } in &self.outputs {
            // SAFETY: the caller of `bind` guarantees the size of the field and of the row. The caller of `run` guarantees
            // exclusive access to the row.
            unsafe { elements.copy_to(data.raw(), rows.row(sim)) };
        }
    }
}
