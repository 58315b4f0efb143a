//! Results of a pool: batches as tuples, dicts and arrays, which are reused while no other owner holds them.
//!
//! A [`RecycledResult`] is a batch together with its Python objects. Before the engine writes into the batch again,
//! [`RecycledResult::release`] gives up every object that another owner can see. If another owner holds an array, that owner
//! keeps it, and the batch gets new memory. A dict that was changed, or that another owner holds, is replaced. So a loop that
//! drops its results allocates nothing, and a loop that keeps every observation costs one array per step.

mod array_block;
mod infos;
mod into_arrays;
mod make_arrays;
mod out_arrays;
mod out_columns;
mod rollout_buffer;
mod schema;

use std::sync::{Arc, Mutex};

use numpy::PyArrayDescr;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

pub use self::out_arrays::{OutArgument, OutCall, OutTarget, asynchronous_error};
pub use self::rollout_buffer::RolloutBuffer;
pub use self::schema::column_name;
use self::schema::object;
use super::arrays::Array;
use super::contents::Container;
use super::outside::{FinalRows, ResultAdapter};
use super::refcount;
use envpool_rs_engine::{self as engine, Batch, Dialect, Format, Layout, Role};

/// Description of a pool's results: the arrays, and how they are nested.
pub struct ResultSchema {
    layout: Arc<Layout>,
    format: Format,
    dialect: Dialect,
    /// Columns of the observation, nested like the observation space.
    pub observation: ColumnTree,
    final_observation: Option<ColumnTree>,
    /// Columns of the flags that follow the observation in a step's tuple.
    flags: Vec<usize>,
    /// Columns of the info dict, with their keys, in order.
    infos: Vec<(Py<PyString>, usize)>,
    /// Columns of the final infos of ended episodes: key, column, and column of the mask if the mask is not `done`.
    final_infos: Vec<(Py<PyString>, usize, Option<usize>)>,
    /// Dict of player ids in the info: key of the dict, key of the ids in the dict, and column.
    players: Option<(Py<PyString>, Py<PyString>, usize)>,
    truncated: Option<(Py<PyString>, usize)>,
    episode: Option<Episode>,
    done: Option<usize>,
    finish: Option<Py<PyAny>>,
    timestep_type: Option<Py<PyAny>>,
    observation_type: Option<Py<PyAny>>,
    /// For each column, whether it is an entry of the info dict, or of a dict inside the info.
    in_info: Vec<bool>,
    /// numpy's dtype of each column.
    descriptors: Vec<Py<PyArrayDescr>>,
    /// Converter of payloads, for pools whose environments run in worker processes.
    adapter: Option<Arc<ResultAdapter>>,
    /// Whether the environments run in pools of other processes. If so, infos report lost processes.
    is_remote: bool,
    /// Size of a result in bytes above which its arrays, except infos, are read-only.
    read_only: usize,
}

/// Tree of columns with the structure of a space.
pub enum ColumnTree {
    /// A single column.
    Column(usize),
    /// A column of characters, returned as a tuple of `str`. The strings that were returned last are stored, because most rows
    /// repeat them.
    Text(usize, Mutex<Vec<Py<PyString>>>),
    /// Subtrees by key of a dict.
    Dict(Vec<(Py<PyAny>, ColumnTree)>),
    /// Subtrees by position in a tuple.
    Tuple(Vec<ColumnTree>),
}

struct Episode {
    total: usize,
    length: usize,
    time: usize,
}

/// Kind of result that a method returns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ResultKind {
    /// Result of a step, as `step` returns it.
    Step,
    /// Result of a reset, as `reset` returns it.
    Reset {
        /// Whether the result includes the info.
        with_info: bool,
    },
    /// The batch's arrays as a list, each with its name.
    Columns,
}

/// A batch together with its Python objects, which are reused.
pub struct RecycledResult {
    /// The batch; `None` while the engine holds it.
    batch: Option<Box<Batch>>,
    /// numpy array of each column.
    arrays: Vec<Option<Array>>,
    info: Option<Container>,
    players: Option<Container>,
    step: Option<Py<PyTuple>>,
    /// Dicts and tuples that the step's observation contains, if it is nested.
    containers: Vec<Container>,
    rows: usize,
    /// Whether the last conversion raised a Python exception. The batch then waits until its conversion is repeated.
    is_deferred: bool,
    /// Arguments for the Python callables that convert payloads. They are stored until the conversion succeeds.
    payload_arguments: Option<Py<PyTuple>>,
    /// Arrays of the caller that receive the results of the call in progress.
    target: Option<OutTarget>,
}

/// Python callables that convert results, and the autoreset mode.
pub struct Callables {
    /// Whether a step that ends an episode returns the first observation of the next episode, and the last observation as final
    /// observation (same-step autoreset).
    pub is_same_step: bool,
    pub finish: Option<Py<PyAny>>,
    pub timestep_type: Option<Py<PyAny>>,
    pub observation_type: Option<Py<PyAny>>,
}

impl RecycledResult {
    /// Creates a result for `batch`; `None` if the engine holds the batch.
    pub fn new(schema: &ResultSchema, batch: Option<Box<Batch>>) -> Self {
        let arrays = schema.layout.columns.iter().map(|_| None).collect();
        Self {
            batch,
            arrays,
            info: None,
            players: None,
            step: None,
            containers: Vec::new(),
            rows: 0,
            is_deferred: false,
            payload_arguments: None,
            target: None,
        }
    }

    /// Returns whether this object (not the engine) holds the batch, and the batch's last result is unchanged and has no other
    /// owner. Not inlined, so that its pointers stay in registers: 10 ns of each step.
    #[inline(never)]
    pub fn is_untouched(&self, py: Python<'_>) -> bool {
        let (Some(step), Some(info)) = (&self.step, &self.info) else { return false };
        refcount::is_exact()
            && self.batch.is_some()
            && refcount::count(step.as_ptr()) == 1
            && self.info_is_untouched(py, info, 2)
            && self.containers.iter().all(|container| container.is_untouched(py, 2))
            && self.arrays.iter().flatten().all(|array| array.is_untouched(2))
    }

    #[inline(always)]
    fn info_is_untouched(&self, py: Python<'_>, info: &Container, owners: u32) -> bool {
        info.is_untouched(py, owners) && self.players.as_ref().is_none_or(|players| players.is_untouched(py, 2))
    }

    /// Returns the reusable tuple of the last step.
    pub fn step_again(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.step.as_ref().map(|step| step.clone_ref(py).into_any())
    }

    /// Returns whether `object` is the reusable tuple of the last step.
    pub fn is_step(&self, object: &Py<PyAny>) -> bool {
        self.step.as_ref().is_some_and(|step| step.as_ptr() == object.as_ptr())
    }

    /// Takes the batch of a result that is unchanged and has no other owner, so that the engine can write into the batch.
    #[inline]
    pub fn take(&mut self) -> Box<Batch> {
        self.batch.take().expect("an untouched result has its batch")
    }

    /// Takes the batch, so that the engine can write into it. Objects that other owners hold stay with their owners.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory that replaces that of another owner; the batch stays here then.
    pub fn release(&mut self, py: Python<'_>, schema: &ResultSchema) -> engine::Result<Box<Batch>> {
        self.release_shared(py, schema)?;
        Ok(self.take())
    }

    /// Replaces every object that another owner holds or that was changed.
    #[cold]
    fn release_shared(&mut self, py: Python<'_>, schema: &ResultSchema) -> engine::Result<()> {
        self.step = None;
        self.containers.clear();
        let exact = refcount::is_exact();
        let info_owned = |result: &Self| result.info.as_ref().is_some_and(|info| result.info_is_untouched(py, info, 1));
        let in_info = |result: &Self, column: usize| schema.in_info[column] && result.info.is_some();
        let entries_owned = |result: &Self| {
            let entries = result.arrays.iter().enumerate().filter(|(column, _)| schema.in_info[*column]);
            entries.map(|(_, array)| array).all(|array| array.as_ref().is_some_and(|array| array.is_untouched(2)))
        };
        if !(exact && info_owned(self) && entries_owned(self)) {
            (self.info, self.players) = (None, None);
        }
        let shares = schema.overwrites_observations();
        for column in 0..self.arrays.len() {
            if shares && matches!(schema.layout.columns[column].role, Role::Observation(_)) {
                continue; // by design, the next step overwrites observations that are held
            }
            let owners = if in_info(self, column) { 2 } else { 1 };
            let keep = exact && self.arrays[column].as_ref().is_some_and(|array| array.is_untouched(owners));
            if !keep && self.arrays[column].is_some() {
                self.batch.as_mut().expect("only results with a batch are released").replace(column)?;
                self.arrays[column] = None;
            }
        }
        Ok(())
    }

    /// Stores a filled batch and returns its result. After a Python exception, the batch waits for [`Self::convert_again`].
    pub fn wrap(
        &mut self,
        py: Python<'_>,
        schema: &ResultSchema,
        mut batch: Box<Batch>,
        method: ResultKind,
    ) -> PyResult<Py<PyAny>> {
        // A batch that `recv` returns after a failure is in the pool's memory, not in the caller's arrays.
        let target = self.target.take().filter(|target| batch.is_borrowed() || target.is_copied());
        let shown = if let Some(target) = target {
            self.wrap_into(py, schema, batch, method, target)
        } else {
            batch.reclaim_columns();
            let rows = batch.rows();
            self.batch = Some(batch);
            self.assemble(py, schema, rows, method)
        };
        self.set_deferred(shown.is_err());
        shown
    }

    /// Repeats a conversion that raised a Python exception.
    pub fn convert_again(&mut self, py: Python<'_>, schema: &ResultSchema, method: ResultKind) -> PyResult<Py<PyAny>> {
        let shown = match self.payload_arguments {
            Some(_) => self.convert_payloads(py, schema, method),
            None => self.assemble(py, schema, self.rows, method),
        };
        self.set_deferred(shown.is_err());
        shown
    }

    fn set_deferred(&mut self, is_deferred: bool) {
        self.is_deferred = is_deferred;
        if is_deferred {
            self.step = None; // otherwise the batch would count as untouched, and the engine would write into it
        }
    }

    /// Stores a filled batch and returns the last result again, whose arrays then contain the new data. Leaves the batch in
    /// `batch` instead if the last result is not that of a step with the same number of rows.
    #[inline]
    pub fn reuse(&mut self, py: Python<'_>, batch: &mut Option<Box<Batch>>) -> Option<Py<PyAny>> {
        let step = self.step.as_ref()?;
        if batch.as_ref()?.rows() != self.rows {
            return None;
        }
        self.batch = batch.take();
        Some(step.clone_ref(py).into_any())
    }

    #[inline(never)]
    fn assemble(&mut self, py: Python<'_>, schema: &ResultSchema, rows: usize, method: ResultKind) -> PyResult<Py<PyAny>> {
        self.make_arrays(py, schema, rows)?;
        if method == ResultKind::Columns {
            self.step = None;
            self.containers.clear();
            let columns = schema.layout.columns.iter().zip(&self.arrays);
            let named = columns
                .map(|(column, array)| (column_name(column.role), array.as_ref().map(|array| array.object().clone_ref(py))));
            return Ok(PyList::new(py, named.collect::<Vec<_>>())?.into_any().unbind());
        }
        if schema.format == Format::Dm && schema.adapter.is_none() {
            return self.timestep(py, schema);
        }
        self.containers.clear();
        let observation = schema.observation.build_from(py, &self.arrays, &mut self.containers)?;
        if !schema.has_extras(self.batch.as_ref().expect("the batch to show")) {
            let info = self.info_dict(py, schema, method, false)?.into_any();
            return self.result(py, schema, method, observation, info);
        }
        // Objects that contain payloads, reports of lost environments or final observations belong only to this result, and are
        // not reused.
        (self.step, self.info, self.players) = (None, None, None);
        self.containers.clear();
        let info = self.info_dict(py, schema, method, true)?;
        if let Some(shown) = &schema.adapter {
            self.payload_arguments = Some(self.arguments(py, schema, shown, (observation, info.into_any()))?);
            return self.convert_payloads(py, schema, method);
        }
        let restarted = schema.restarted(py, self.batch.as_ref().expect("the batch to show"));
        info.bind(py).set_item("restarted", &restarted)?;
        if schema.dialect == Dialect::Gymnasium {
            info.bind(py).set_item("_restarted", restarted.call_method0("copy")?)?;
        }
        self.result(py, schema, method, observation, info.into_any())
    }

    /// Calls the Python callables that convert the payloads, and creates the result. After an exception, the call can be
    /// repeated.
    fn convert_payloads(&mut self, py: Python<'_>, schema: &ResultSchema, method: ResultKind) -> PyResult<Py<PyAny>> {
        let (adapter, arguments) = (schema.adapter.as_ref(), self.payload_arguments.as_ref());
        let (adapter, arguments) = adapter.zip(arguments).expect("`assemble` has stored the arguments");
        let (observation, info) = adapter.augment(py, arguments)?;
        let shown = self.result(py, schema, method, observation, info)?;
        self.payload_arguments = None;
        Ok(shown)
    }

    /// Combines observation, flags and info into the result.
    fn result(
        &mut self,
        py: Python<'_>,
        schema: &ResultSchema,
        method: ResultKind,
        observation: Py<PyAny>,
        info: Py<PyAny>,
    ) -> PyResult<Py<PyAny>> {
        if schema.format == Format::Dm {
            return self.timestep_of(py, schema, observation, info);
        }
        if let ResultKind::Reset { with_info } = method {
            self.step = None;
            return match with_info {
                true => Ok((observation, info).into_pyobject(py)?.into_any().unbind()),
                false => Ok(observation),
            };
        }
        let flags = schema.flags.iter().map(|column| object(&self.arrays, *column).clone_ref(py));
        let parts: Vec<_> = std::iter::once(observation).chain(flags).chain([info]).collect();
        let step = PyTuple::new(py, parts)?;
        if schema.is_reusable() && self.info.is_some() {
            self.step = Some(step.clone().unbind());
        }
        Ok(step.into_any().unbind())
    }

    /// Returns the arguments of the Python conversion: the result's arrays, payloads, and final observations.
    fn arguments(
        &self,
        py: Python<'_>,
        schema: &ResultSchema,
        shown: &ResultAdapter,
        result: (Py<PyAny>, Py<PyAny>),
    ) -> PyResult<Py<PyTuple>> {
        let batch = self.batch.as_ref().expect("the batch to show");
        let ended = match (&schema.final_observation, schema.done) {
            (Some(structure), Some(done)) if schema.has_autoreset(batch) => {
                let mask = batch.bytes(done).iter().enumerate();
                let rows = mask.filter(|(row, done)| **done != 0 && !batch.restarted.contains(&(*row as u32)));
                Some(FinalRows { rows: rows.map(|(row, _)| row).collect(), observation: structure.build(py, &self.arrays)? })
            }
            _ => None,
        };
        shown.arguments(py, batch, ended, result)
    }

    fn info_dict(
        &mut self,
        py: Python<'_>,
        schema: &ResultSchema,
        method: ResultKind,
        reports_loss: bool,
    ) -> PyResult<Py<PyDict>> {
        if let (Some(info), ResultKind::Step, true) = (&self.info, method, schema.is_reusable()) {
            return Ok(info.object(py).cast_into::<PyDict>()?.unbind());
        }
        let info = PyDict::new(py);
        for (position, (key, column)) in schema.infos.iter().enumerate() {
            info.set_item(key, object(&self.arrays, *column))?;
            if let (0, Some((outer, inner, column))) = (position, &schema.players) {
                let players = PyDict::new(py);
                players.set_item(inner, object(&self.arrays, *column))?;
                info.set_item(outer, &players)?;
                self.players = Some(Container::dict(&players));
            }
        }
        if let (Some((key, column)), ResultKind::Step) = (&schema.truncated, method) {
            info.set_item(key, object(&self.arrays, *column))?;
        }
        if method == ResultKind::Step {
            self.add_ended_episodes(py, schema, &info)?;
        }
        let is_reusable = schema.is_reusable() && method == ResultKind::Step && !reports_loss;
        self.info = is_reusable.then(|| Container::dict(&info));
        if !is_reusable {
            self.players = None;
        }
        Ok(info.unbind())
    }

    /// Returns whether this object holds the batch. Returns false while the engine holds it, or while the batch waits for another
    /// conversion.
    pub fn has_batch(&self) -> bool {
        self.batch.is_some() && !self.is_deferred
    }

    /// Returns the number of rows of the last result.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Discards a result that waits for another conversion. Dropping the returned arguments may run Python code.
    pub fn take_deferred(&mut self) -> Option<Py<PyTuple>> {
        self.is_deferred = false;
        self.payload_arguments.take()
    }

    /// Takes back a batch that was not used, or whose results are discarded. Dropping the returned arrays may run Python code.
    #[must_use]
    pub fn put_back(&mut self, mut batch: Box<Batch>) -> Option<OutTarget> {
        batch.return_columns();
        self.batch = Some(batch);
        self.target.take()
    }
}
