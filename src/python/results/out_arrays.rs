//! The argument `out` of steps, resets and `recv`: arrays of the caller that receive results.
//!
//! Every call checks the arrays by the fields of numpy's array struct, which takes 5 to 10 ns for each array. A [`RolloutBuffer`]
//! is checked once, when it is created.

use std::sync::Arc;

use numpy::npyffi::{NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE};
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString, PyTuple};

use super::rollout_buffer::RolloutBuffer;
use super::{ColumnTree, ResultSchema};
use crate::arrays::PinnedArray;
use envpool_rs_engine::{ActionColumn, AlignedBuffer, Batch, BorrowedColumns};

/// Checked arrays of the caller that receive the results of one call.
pub enum OutTarget {
    /// Separate arrays, one for each column.
    Arrays {
        /// The caller's numpy arrays, which the result contains, each with the number of its column.
        arrays: Vec<(usize, Py<PyUntypedArray>)>,
        /// Memory of the arrays.
        columns: Arc<BorrowedColumns>,
        /// Whether the rows are copied into the arrays when they are received, because the engine has already written them
        /// elsewhere.
        is_copied: bool,
    },
    /// A slot of the caller's rollout buffer.
    Rollout {
        /// The buffer.
        buffer: Py<RolloutBuffer>,
        /// Number of the slot.
        slot: usize,
        /// Whether the step only resets each environment; empty if this is not known.
        only_resets: Vec<bool>,
        /// Whether the rows are copied into the slot when they are received, because the engine has already written them
        /// elsewhere.
        is_copied: bool,
    },
}

impl OutTarget {
    /// Returns whether the rows of a batch are copied into the caller's arrays when they are received.
    pub fn is_copied(&self) -> bool {
        match self {
            Self::Arrays { is_copied, .. } | Self::Rollout { is_copied, .. } => *is_copied,
        }
    }

    fn columns(&self) -> &Arc<BorrowedColumns> {
        match self {
            Self::Arrays { columns, .. } => columns,
            Self::Rollout { buffer, slot, .. } => buffer.get().slot(*slot),
        }
    }

    /// Moves columns of `batch` into the caller's arrays.
    pub fn borrow_columns(&self, batch: &mut Batch) {
        batch.borrow_columns(self.columns());
    }

    /// Returns whether the target stores actions.
    pub fn has_actions(&self) -> bool {
        matches!(self, Self::Rollout { .. })
    }

    /// Stores the actions of a step in the caller's rollout buffer, if the target is one.
    pub fn store_actions(&self, py: Python<'_>, actions: &[ActionColumn]) -> PyResult<()> {
        match self {
            Self::Rollout { buffer, slot, .. } => buffer.get().store_actions(py, *slot, actions),
            Self::Arrays { .. } => Ok(()),
        }
    }

    /// Sets for each environment whether the step only resets it.
    pub fn set_resets<'a>(&mut self, of_step: impl FnOnce() -> &'a [bool]) {
        if let Self::Rollout { only_resets, .. } = self {
            *only_resets = of_step().to_vec();
        }
    }

    /// Copies the rows of a received batch into the caller's arrays.
    pub fn copy_rows(&self, batch: &Batch) {
        self.columns().buffers().iter().for_each(|(column, buffer)| batch.copy_column(*column, buffer));
    }
}

/// The argument `out`, not yet checked against the number of rows.
pub enum OutArgument<'py> {
    /// Column number and array of each entry of a dict.
    Arrays(Vec<(usize, Bound<'py, PyUntypedArray>)>),
    /// A rollout buffer.
    Rollout(Bound<'py, RolloutBuffer>),
}

/// Kinds of calls that write results into the arrays of an argument `out`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutCall {
    /// A step, whose rows are written into the arrays.
    Step,
    /// A reset, whose rows are written into the arrays.
    Reset,
    /// `recv` of a step's result, whose rows are copied into the arrays.
    Recv,
    /// `recv` of a reset's result, whose rows are copied into the arrays.
    RecvReset,
}

impl<'py> OutArgument<'py> {
    /// Parses the argument `out`. Runs Python code if an array is not a numpy array.
    ///
    /// # Errors
    /// `TypeError` if the argument is neither a dict of arrays nor a rollout buffer; `ValueError` for unknown keys.
    pub fn parse(schema: &ResultSchema, out: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(buffer) = out.cast_exact::<RolloutBuffer>() {
            return Ok(Self::Rollout(buffer.clone()));
        }
        let mut arrays = Vec::with_capacity(8);
        for_each_item("out", out, |key, value| {
            let text = key.cast::<PyString>().ok();
            match text.as_ref().map(|key| key.to_str()).transpose()? {
                Some("obs") => parse_tree("out[\"obs\"]", &schema.observation, value, &mut arrays),
                Some("info") => parse_infos(schema, value, &mut arrays),
                Some(name) if let Some(column) = schema.flag(name) => {
                    arrays.push((column, numpy_array(|| format!("out[{name:?}]"), value)?));
                    Ok(())
                }
                _ => {
                    let flags: String = schema.flag_names().map(|name| format!(", {name:?}")).collect();
                    Err(unknown("out", key, &format!("\"obs\"{flags}, \"info\"")))
                }
            }
        })?;
        Ok(Self::Arrays(arrays))
    }

    /// Checks the arrays against a call with `rows` environments.
    ///
    /// # Errors
    /// `ValueError` for another dtype, shape or order, for arrays that are read-only or overlap, and for a buffer of another pool;
    /// `RuntimeError` for a full buffer.
    pub fn check(self, schema: &ResultSchema, rows: usize, call: OutCall) -> PyResult<OutTarget> {
        let is_copied = matches!(call, OutCall::Recv | OutCall::RecvReset);
        match self {
            Self::Arrays(arrays) => {
                let mut buffers = Vec::with_capacity(arrays.len());
                for (column, array) in &arrays {
                    check_array(|| schema.out_name(*column), schema, *column, array, rows, None)?;
                    buffers.push((*column, buffer_of(array)?));
                }
                check_overlaps(schema, &buffers)?;
                let columns = Arc::new(BorrowedColumns::new(schema.layout(), buffers));
                let arrays = arrays.into_iter().map(|(column, array)| (column, array.unbind())).collect();
                Ok(OutTarget::Arrays { arrays, columns, is_copied })
            }
            Self::Rollout(buffer) => {
                let slot = buffer.get().next_slot(buffer.py(), schema, rows, call)?;
                Ok(OutTarget::Rollout { buffer: buffer.unbind(), slot, only_resets: Vec::new(), is_copied })
            }
        }
    }
}

/// Returns the error for a key in the argument `out` that names no array.
fn unknown(name: &str, key: &Bound<'_, PyAny>, known: &str) -> PyErr {
    let key = key.repr().map_or_else(|_| "a key".to_owned(), |key| key.to_string());
    PyValueError::new_err(format!("{name} has the key {key}: expected {known}"))
}

/// Calls `act` with each key and value of a mapping.
fn for_each_item<'py>(
    name: &str,
    mapping: &Bound<'py, PyAny>,
    mut act: impl FnMut(&Bound<'py, PyAny>, &Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    if let Ok(dict) = mapping.cast::<PyDict>() {
        return dict.iter().try_for_each(|(key, value)| act(&key, &value));
    }
    let Ok(mapping) = mapping.cast::<PyMapping>() else {
        let kind = mapping.get_type().name()?;
        let expected = if name == "out" { "a dict of arrays by key, or a RolloutBuffer" } else { "a dict of arrays by key" };
        return Err(PyTypeError::new_err(format!("{name} is a {kind}: expected {expected}")));
    };
    for item in mapping.items()?.iter() {
        let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
        act(&key, &value)?;
    }
    Ok(())
}

type Arrays<'py> = Vec<(usize, Bound<'py, PyUntypedArray>)>;

/// Parses the entry of `out` for the observation: arrays that are nested like the observation. Leaves may be missing.
fn parse_tree<'py>(name: &str, tree: &ColumnTree, value: &Bound<'py, PyAny>, arrays: &mut Arrays<'py>) -> PyResult<()> {
    match tree {
        ColumnTree::Column(column) => {
            arrays.push((*column, numpy_array(|| name.to_owned(), value)?));
            Ok(())
        }
        ColumnTree::Text(..) => Err(PyValueError::new_err(format!("{name}: expected no array, because strings are no numbers"))),
        ColumnTree::Dict(parts) => for_each_item(name, value, |key, value| {
            for (known, part) in parts {
                if known.bind(value.py()).eq(key)? {
                    return parse_tree(&format!("{name}[{}]", key.repr()?), part, value, arrays);
                }
            }
            let known: Vec<_> = parts.iter().map(|(key, _)| key.bind(value.py()).repr().map(|key| key.to_string())).collect();
            Err(unknown(name, key, &known.into_iter().collect::<PyResult<Vec<_>>>()?.join(", ")))
        }),
        ColumnTree::Tuple(parts) => {
            let expected = || PyTypeError::new_err(format!("{name}: expected a tuple of {} arrays or None", parts.len()));
            let values = value.cast::<PyTuple>().map_err(|_| expected())?;
            if parts.is_empty() || values.len() != parts.len() {
                return Err(expected());
            }
            for (index, (part, value)) in parts.iter().zip(values.iter()).enumerate() {
                if !value.is_none() {
                    parse_tree(&format!("{name}[{index}]"), part, &value, arrays)?;
                }
            }
            Ok(())
        }
    }
}

/// Parses the entry of `out` for the infos: arrays that are nested like the info dict.
fn parse_infos<'py>(schema: &ResultSchema, value: &Bound<'py, PyAny>, arrays: &mut Arrays<'py>) -> PyResult<()> {
    for_each_item("out[\"info\"]", value, |key, value| {
        if let Some((players, id, column)) = schema.players(value.py())
            && players.as_any().eq(key)?
        {
            return for_each_item("out[\"info\"][\"players\"]", value, |key, value| {
                if !id.as_any().eq(key)? {
                    return Err(unknown("out[\"info\"][\"players\"]", key, "\"env_id\""));
                }
                arrays.push((column, numpy_array(|| schema.out_name(column), value)?));
                Ok(())
            });
        }
        for (known, column) in schema.info_columns(value.py()) {
            if known.as_any().eq(key)? {
                arrays.push((column, numpy_array(|| schema.out_name(column), value)?));
                return Ok(());
            }
        }
        let known: Vec<_> = schema.info_columns(value.py()).map(|(key, _)| format!("{:?}", key.to_string())).collect();
        let known = known.join(", ");
        Err(unknown("out[\"info\"]", key, if known.is_empty() { "no key" } else { &known }))
    })
}

/// Returns a numpy array that shares the memory of `value`: a numpy array, or an array of another library on the CPU.
fn numpy_array<'py>(name: impl Fn() -> String, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    let py = value.py();
    let refused = |error: Option<PyErr>| {
        let kind = value.get_type().name().map_or_else(|_| "an object".to_owned(), |name| format!("a {name}"));
        let why = error.map_or_else(String::new, |error| format!(" ({})", error.value(py)));
        PyTypeError::new_err(format!("{} is {kind}: expected a numpy array, or a tensor on the CPU{why}", name()))
    };
    if !value.hasattr("__dlpack__")? {
        return Err(refused(None));
    }
    let from = |value: &Bound<'py, PyAny>| py.import("numpy")?.call_method1("from_dlpack", (value,));
    let array = match from(value) {
        Ok(array) => array.cast_into::<PyUntypedArray>()?,
        Err(error) if error.is_instance_of::<pyo3::exceptions::PyException>(py) => return Err(refused(Some(error))),
        Err(error) => return Err(error),
    };
    if flags(&array) & NPY_ARRAY_WRITEABLE == 0 && value.hasattr("detach")? {
        // Tensors of torch are converted by their `numpy` method, because numpy before 2.1 imports every dlpack capsule as
        // read-only. The detached tensor keeps the memory alive, even if the caller's tensor gets other memory.
        return Ok(value.call_method0("detach")?.call_method0("numpy")?.cast_into()?);
    }
    Ok(array)
}

fn flags(array: &Bound<'_, PyUntypedArray>) -> i32 {
    // SAFETY: `array` is a live array, and the interpreter's lock is held.
    unsafe { (*array.as_array_ptr()).fields.flags }
}

/// Checks that an array has exactly the size of `slots` copies of a column of `rows` environments, and that the engine may write
/// into it.
pub fn check_array(
    name: impl Fn() -> String,
    schema: &ResultSchema,
    column: usize,
    array: &Bound<'_, PyUntypedArray>,
    rows: usize,
    slots: Option<usize>,
) -> PyResult<()> {
    const WANTED: i32 = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE;
    let (wanted, shape) = (schema.descriptor(array.py(), column), slots.into_iter().chain(schema.shape(column, rows)));
    let is_like = || array.dtype().is(wanted) || array.dtype().is_equiv_to(wanted);
    if flags(array) & WANTED == WANTED && array.shape().iter().copied().eq(shape.clone()) && is_like() {
        return Ok(());
    }
    let text = |shape: &[usize]| PyTuple::new(array.py(), shape).and_then(|shape| shape.repr()).map(|text| text.to_string());
    let (name, got, expected) = (name(), text(array.shape())?, text(&shape.collect::<Vec<_>>())?);
    let (dtype, wanted) = (array.dtype().to_string(), wanted.to_string());
    let missing = WANTED & !flags(array);
    let mismatch = if got != expected || !array.dtype().is_equiv_to(schema.descriptor(array.py(), column)) {
        String::new()
    } else if missing & NPY_ARRAY_C_CONTIGUOUS != 0 {
        " in another order".to_owned()
    } else if missing & NPY_ARRAY_WRITEABLE != 0 {
        " and read-only".to_owned()
    } else {
        " and not aligned".to_owned()
    };
    Err(PyValueError::new_err(format!(
        "{name} is {dtype} {got}{mismatch}: expected a writable, C-contiguous array of {wanted} {expected}; \
         np.zeros({expected}, {wanted:?}) makes one"
    )))
}

/// Returns the memory of a C-contiguous, writable array as a buffer that pins the array.
pub fn buffer_of(array: &Bound<'_, PyUntypedArray>) -> PyResult<AlignedBuffer> {
    let bytes = array.len() * array.dtype().itemsize();
    Ok(buffer_in(array, 0, bytes, Box::new(PinnedArray::new(array)?)))
}

/// Returns `bytes` bytes of a C-contiguous, writable array, starting at byte `start`. `owner` pins the array.
///
/// # Panics
/// If these bytes are not inside the array.
pub fn buffer_in(
    array: &Bound<'_, PyUntypedArray>,
    start: usize,
    bytes: usize,
    owner: Box<dyn std::any::Any + Send + Sync>,
) -> AlignedBuffer {
    assert!(start + bytes <= array.len() * array.dtype().itemsize(), "bytes beyond the array");
    // SAFETY: the array is live, its elements are contiguous and initialised (numpy's memory always is, for numbers), and the
    // assertion bounds the range. `owner` pins the array, which keeps the memory alive and in its place.
    unsafe {
        let data: *mut u8 = (*array.as_array_ptr()).fields.data.cast();
        AlignedBuffer::borrowed(data.add(start), bytes, owner)
    }
}

/// Rejects arrays that share memory.
pub fn check_overlaps(schema: &ResultSchema, buffers: &[(usize, AlignedBuffer)]) -> PyResult<()> {
    let range = |(_, buffer): &(usize, AlignedBuffer)| (buffer.data().addr(), buffer.data().addr() + buffer.bytes());
    for (index, one) in buffers.iter().enumerate() {
        let (start, end) = range(one);
        let shares = |other: &&(usize, AlignedBuffer)| {
            let (first, last) = range(other);
            start < last && first < end
        };
        if let Some(other) = buffers[..index].iter().find(shares) {
            let (one, other) = (schema.out_name(one.0), schema.out_name(other.0));
            return Err(PyValueError::new_err(format!("{other} and {one} share memory: expected an array for each")));
        }
    }
    Ok(())
}

/// Returns the error for a pool whose rows follow the order of completion.
pub fn asynchronous_error(call: &str) -> PyErr {
    PyRuntimeError::new_err(format!(
        "{call}: expected a synchronous pool (batch_size == num_envs); recv(out=...) copies the rows of an asynchronous one"
    ))
}
