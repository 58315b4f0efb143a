//! `RolloutBuffer`: arrays into which the engine writes the results of consecutive steps.

use std::sync::Arc;

use numpy::{PyArray2, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyAttributeError, PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyString, PyTuple};

use super::super::arrays::{Array, PinnedArray};
use super::super::under_lock::GilCell;
use super::array_block::{ArrayBlock, ArraySource};
use super::out_arrays::{OutCall, buffer_in, buffer_of, check_array, check_overlaps};
use super::{RecycledResult, ResultSchema};
use crate::recording::action_bytes;
use envpool_rs_engine::{ActionColumn, ActionEncoding, ActionKey, AlignedBuffer, BorrowedColumns, Layout, Role};

/// Arrays for the results of `steps` steps of all environments of a pool, and a cursor.
///
/// The arrays of observations have one slot more than the other arrays. Their slot 0 holds the observation before the first step,
/// and slot `t + 1` holds the observation of step `t`.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct RolloutBuffer {
    layout: Arc<Layout>,
    /// Arrays of the buffer by key, nested like the results of a step.
    arrays: Py<PyDict>,
    /// Number and array of each column in the buffer; the arrays contain all slots.
    columns: Vec<(usize, Py<PyUntypedArray>)>,
    /// Memory of the columns in each slot.
    slots: Vec<Arc<BorrowedColumns>>,
    rows: usize,
    /// Arrays of the actions of all steps, by name, with their memory. Empty for actions that are not checked as numbers.
    actions: Vec<(String, Py<PyUntypedArray>, AlignedBuffer)>,
    state: GilCell<RolloutState>,
}

struct RolloutState {
    /// Number of filled steps.
    filled: usize,
    /// Whether an environment's step led from its last observation to the next one: `rows` entries for each step.
    valid: Vec<bool>,
    /// Reusable Python objects for the result in each slot, created at the slot's first use.
    views: Vec<Option<Box<RecycledResult>>>,
    /// Whether the actions of a step could not be stored, because they were no arrays of the buffer's dtype.
    lacks_actions: bool,
}

/// Creates arrays for the actions of `steps` steps of `rows` environments; none if some actions are not numbers. `raw` is the dtype
/// of actions that the engine passes on as bytes.
fn action_arrays(
    py: Python<'_>,
    (keys, raw): (&[ActionKey], Option<&Py<PyAny>>),
    steps: usize,
    rows: usize,
) -> PyResult<Vec<(String, Py<PyUntypedArray>, AlignedBuffer)>> {
    if keys.iter().any(|key| key.encoding != ActionEncoding::Numbers && raw.is_none()) {
        return Ok(Vec::new());
    }
    let zeros = py.import("numpy")?.getattr("zeros")?;
    let array = |key: &ActionKey| {
        let dtype = match (raw, key.discrete) {
            (Some(dtype), _) => dtype.bind(py).clone(),
            (None, Some(_)) => PyString::new(py, "int32").into_any(),
            (None, None) if key.is_f64 => PyString::new(py, "float64").into_any(),
            (None, None) => PyString::new(py, "float32").into_any(),
        };
        let shape: Vec<_> = [steps, rows * key.rows].into_iter().chain(key.shape.iter().copied()).collect();
        let array = zeros.call1((PyTuple::new(py, shape)?, dtype))?.cast_into::<PyUntypedArray>()?;
        let bytes = array.len() * array.dtype().itemsize();
        let memory = buffer_in(&array, 0, bytes, Box::new(PinnedArray::new(&array)?));
        Ok((key.name.clone(), array.unbind(), memory))
    };
    keys.iter().map(array).collect()
}

fn busy_error() -> PyErr {
    PyRuntimeError::new_err("this rollout buffer is in use by another thread")
}

#[pymethods]
impl RolloutBuffer {
    /// Arrays of the buffer by key, nested like the results of a step.
    #[getter]
    fn arrays<'py>(&self, py: Python<'py>) -> Bound<'py, PyDict> {
        self.arrays.bind(py).clone()
    }

    /// Number of steps that the buffer holds.
    #[getter]
    fn steps(&self) -> usize {
        self.slots.len() - 1
    }

    /// Number of filled steps: the next step's index.
    #[getter]
    fn cursor(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.state.enter(py).ok_or_else(busy_error)?.filled)
    }

    /// Actions of the steps `(steps, n, ...)`, with the dtype that environments receive; a dict if the action space is one.
    #[getter]
    fn action<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.actions.as_slice() {
            [] => {
                Err(PyAttributeError::new_err("'RolloutBuffer' object has no attribute \"action\": actions are Python objects"))
            }
            _ if self.state.enter(py).ok_or_else(busy_error)?.lacks_actions => {
                let text =
                    "action: not those of all steps were stored; expected arrays of the action space's dtype in step and send";
                Err(PyRuntimeError::new_err(text))
            }
            [(name, array, _)] if name == "action" => Ok(array.bind(py).clone().into_any()),
            several => {
                let all = PyDict::new(py);
                several.iter().try_for_each(|(name, array, _)| all.set_item(name, array))?;
                Ok(all.into_any())
            }
        }
    }

    /// Returns a mask `(steps, num_envs)` of the filled steps in which an environment acted: it was not only reset, nor lost.
    #[getter]
    fn valid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let state = self.state.enter(py).ok_or_else(busy_error)?;
        let valid = PyArray2::zeros(py, [self.steps(), self.rows], false);
        let mut mask = valid.readwrite();
        let mask = mask.as_slice_mut().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let filled = state.filled * self.rows;
        mask[..filled].copy_from_slice(&state.valid[..filled]);
        Ok(valid)
    }

    fn __len__(&self) -> usize {
        self.steps()
    }

    fn __getattr__<'py>(&self, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        let array = self.arrays.bind(name.py()).get_item(name)?;
        array.ok_or_else(|| PyAttributeError::new_err(format!("'RolloutBuffer' object has no attribute {name:?}")))
    }

    fn __dir__<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let own = ["action", "arrays", "cursor", "restart", "steps", "valid"].map(|name| PyString::new(py, name).into_any());
        Ok(own.into_iter().chain(self.arrays.bind(py).keys().iter()).collect())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("RolloutBuffer(steps={}, num_envs={}, cursor={})", self.steps(), self.rows, self.cursor(py)?))
    }

    /// Copies the last observation into the first row, and sets the cursor to 0.
    fn restart(&self, py: Python<'_>) -> PyResult<()> {
        let mut state = self.state.enter(py).ok_or_else(busy_error)?;
        let last = state.filled;
        let is_lent = |slot: &Arc<BorrowedColumns>| Arc::strong_count(slot) > 1;
        if self.slots[..1].iter().chain(self.slots.get(last + 1)).any(is_lent) {
            return Err(PyRuntimeError::new_err("restart(): a step into this buffer is in flight: recv its results first"));
        }
        for ((column, from), (_, to)) in self.slots[last].buffers().iter().zip(self.slots[0].buffers()) {
            if matches!(self.layout.columns[*column].role, Role::Observation(_)) {
                // SAFETY: both slots hold `from.bytes()` bytes, and no engine borrows their memory (checked above). `copy` allows
                // overlap, because `last` may be slot 0.
                unsafe { std::ptr::copy(from.data(), to.data(), from.bytes()) };
            }
        }
        (state.filled, state.lacks_actions) = (0, false);
        Ok(())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.arrays)
    }
}

impl RolloutBuffer {
    /// Creates the arrays for `steps` steps of `rows` environments by `allocate(shape, dtype)`, or in one block if there is no
    /// `allocate`. Includes infos if `infos` is true. Actions have arrays of numpy, if all `keys` are numbers or have the dtype `raw`.
    pub fn new(
        py: Python<'_>,
        schema: &ResultSchema,
        steps: usize,
        rows: usize,
        infos: bool,
        allocate: Option<&Bound<'_, PyAny>>,
        (keys, raw): (&[ActionKey], Option<&Py<PyAny>>),
    ) -> PyResult<Self> {
        let out_columns = schema.out_columns(infos);
        let slots = steps + 1;
        let mut columns = Vec::new();
        let size = |column: usize| slots.saturating_mul(schema.layout().columns[column].stride().saturating_mul(rows));
        let sizes = out_columns.iter().map(|column| size(*column));
        let mut source = match allocate {
            Some(allocate) => ArraySource::Function(allocate),
            None => ArraySource::Block(ArrayBlock::new(py, sizes)?),
        };
        for column in out_columns {
            let shape: Vec<_> = std::iter::once(slots).chain(schema.shape(column, rows)).collect();
            let made = source.make(&PyTuple::new(py, &shape)?, schema.descriptor(py, column), size(column))?;
            let name = || format!("allocate(...) for {}", schema.out_name(column));
            let array = made.cast_into::<PyUntypedArray>().map_err(|_| PyValueError::new_err(format!("{}: no array", name())))?;
            check_array(name, schema, column, &array, rows, Some(slots))?;
            columns.push((column, array.unbind()));
        }
        let whole =
            columns.iter().map(|(column, array)| Ok((*column, buffer_of(array.bind(py))?))).collect::<PyResult<Vec<_>>>()?;
        check_overlaps(schema, &whole)?;
        let pins = columns.iter().map(|(_, array)| PinnedArray::new(array.bind(py))).collect::<PyResult<Vec<_>>>()?;
        let owner = Arc::new(pins);
        let buffer = |slot: usize, column: usize, array: &Py<PyUntypedArray>| {
            let bytes = schema.layout().columns[column].stride() * rows;
            (column, buffer_in(array.bind(py), slot * bytes, bytes, Box::new(Arc::clone(&owner))))
        };
        let memory = |slot: usize| {
            let buffers = columns.iter().map(|(column, array)| buffer(slot, *column, array)).collect();
            Arc::new(BorrowedColumns::new(schema.layout(), buffers))
        };
        let slots: Vec<_> = (0..slots).map(memory).collect();
        let shown = |column: usize| {
            let (_, array) = columns.iter().find(|(other, _)| *other == column)?;
            let is_observation = matches!(schema.layout().columns[column].role, Role::Observation(_));
            let steps = PySlice::new(py, if is_observation { 0 } else { 1 }, isize::MAX, 1);
            Some(array.bind(py).get_item(steps))
        };
        Ok(Self {
            layout: Arc::clone(schema.layout()),
            arrays: schema.out_arrays(py, &shown)?.unbind(),
            rows,
            state: GilCell::new(RolloutState {
                filled: 0,
                valid: vec![false; steps * rows],
                views: slots.iter().map(|_| None).collect(),
                lacks_actions: false,
            }),
            columns,
            slots,
            actions: action_arrays(py, (keys, raw), steps, rows)?,
        })
    }

    /// Stores the actions of a step whose results are written into slot `slot`.
    pub fn store_actions(&self, py: Python<'_>, slot: usize, actions: &[ActionColumn]) -> PyResult<()> {
        if !(1..=self.steps()).contains(&slot) {
            return Ok(());
        }
        for (index, (_, _, memory)) in self.actions.iter().enumerate() {
            let size = memory.bytes() / self.steps();
            let column = actions.get(index).filter(|column| !matches!(column, ActionColumn::Payloads { .. }));
            let bytes = column.map_or(&[][..], action_bytes);
            if bytes.len() != size {
                self.state.enter(py).ok_or_else(busy_error)?.lacks_actions = true;
            } else {
                // SAFETY: the memory has `size` bytes for each step, and the array's owner pins it. Python code does not run
                // meanwhile, because the caller holds the interpreter's lock.
                unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.data().add((slot - 1) * size), size) };
            }
        }
        Ok(())
    }

    /// Stores in which rows of the step in slot `slot` an environment acted: not where `only_resets`, nor where it was `lost`.
    pub fn store_resets(&self, py: Python<'_>, slot: usize, only_resets: &[bool], lost: &[u32]) -> PyResult<()> {
        let mut state = self.state.enter(py).ok_or_else(busy_error)?;
        let step = slot.checked_sub(1).and_then(|step| state.valid.chunks_mut(self.rows.max(1)).nth(step));
        if let Some(step) = step {
            step.fill(false);
            step.iter_mut().zip(only_resets).for_each(|(valid, only_resets)| *valid = !only_resets);
            lost.iter().for_each(|row| step[*row as usize] = false);
        }
        Ok(())
    }

    /// Returns the memory of a slot's columns.
    pub fn slot(&self, slot: usize) -> &Arc<BorrowedColumns> {
        &self.slots[slot]
    }

    /// Returns the slot for the next call.
    ///
    /// # Errors
    /// `ValueError` for a buffer of another pool or a call with fewer environments; `RuntimeError` for a full buffer.
    pub fn next_slot(&self, py: Python<'_>, schema: &ResultSchema, rows: usize, call: OutCall) -> PyResult<usize> {
        if !Arc::ptr_eq(&self.layout, schema.layout()) {
            return Err(PyValueError::new_err("out is the RolloutBuffer of another pool: expected one that this pool has made"));
        }
        if rows != self.rows {
            let expected = format!("all {} environments", self.rows);
            return Err(PyValueError::new_err(format!(
                "out is a RolloutBuffer, and env_id has {rows} entries: expected {expected}"
            )));
        }
        if matches!(call, OutCall::Reset | OutCall::RecvReset) {
            return Ok(0);
        }
        let (filled, steps) = (self.state.enter(py).ok_or_else(busy_error)?.filled, self.steps());
        if filled == steps {
            let full = format!("out is a RolloutBuffer whose {steps} steps are filled: call restart() before the next step");
            return Err(PyRuntimeError::new_err(full));
        }
        Ok(filled + 1)
    }

    /// Takes the reusable Python objects of a slot out of the buffer. Creates new objects if the caller has changed an array.
    pub fn take_view(&self, py: Python<'_>, slot: usize) -> PyResult<Box<RecycledResult>> {
        let known = self.state.enter(py).ok_or_else(busy_error)?.views[slot].take();
        if let Some(view) = known.filter(|view| view.has_unmodified_arrays()) {
            return Ok(view);
        }
        let mut arrays: Vec<_> = self.layout.columns.iter().map(|_| None).collect();
        for (column, array) in &self.columns {
            let row = array.bind(py).get_item(slot)?.cast_into::<PyUntypedArray>()?;
            arrays[*column] = Some(Array::made(row));
        }
        Ok(Box::new(RecycledResult::over_arrays(self.rows, arrays)))
    }

    /// Puts the Python objects of a filled slot back, and moves the cursor to the next slot.
    pub fn restore_view(&self, py: Python<'_>, slot: usize, view: Box<RecycledResult>) -> PyResult<()> {
        let mut state = self.state.enter(py).ok_or_else(busy_error)?;
        state.filled = slot;
        let earlier = state.views[slot].replace(view);
        drop(state);
        drop(earlier); // dropped while the cell is not borrowed: dropping may run Python code
        Ok(())
    }
}
