//! `RecycledStep`: the Python objects of a step of environments in worker processes, which later steps reuse.

use numpy::{PyArray1, PyArrayDescr, PyArrayMethods, PyUntypedArray};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Array, elements};
use crate::contents::Container;
use crate::refcount;
use envpool_rs_engine::{self as engine, Batch};

/// Number of steps whose objects are kept for reuse: a loop holds the last result while it asks for the next.
pub const KEPT_STEPS: usize = 2;

/// Column of a batch as a numpy array.
pub struct ArrayColumn {
    /// Index of the column in the batch.
    pub column: usize,
    pub descr: Py<PyArrayDescr>,
    /// Shape of one environment's row.
    pub shape: Vec<usize>,
}

impl ArrayColumn {
    /// Returns a numpy array that shares the column's memory.
    pub fn array(&self, py: Python<'_>, batch: &Batch) -> PyResult<Array> {
        let sizes: Vec<_> = std::iter::once(batch.rows()).chain(self.shape.iter().copied()).collect();
        Array::new(batch.memory(self.column), self.descr.bind(py), &sizes)
    }
}

/// A step's batch with its Python objects. Only objects that no other owner holds, and that are unchanged, are used again.
#[derive(Default)]
pub struct RecycledStep {
    /// `None` while the engine holds it.
    batch: Option<Box<Batch>>,
    /// Array of each column.
    arrays: Vec<Option<Array>>,
    infos: Option<NumberedInfos>,
}

/// Infos whose only entry is `env_id`, and their array.
struct NumberedInfos {
    array: Array,
    dicts: Vec<Container>,
}

impl RecycledStep {
    /// Takes the batch, so that the engine can write into it. Arrays that other owners hold keep the batch's old memory.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory that replaces that of another owner.
    pub fn release(&mut self, py: Python<'_>, columns: &[ArrayColumn]) -> engine::Result<Option<Box<Batch>>> {
        let Some(mut batch) = self.batch.take() else { return Ok(None) };
        for (array, ArrayColumn { column, .. }) in self.arrays.iter_mut().zip(columns) {
            if !(refcount::is_exact() && array.as_ref().is_some_and(|array| array.is_untouched(1))) {
                batch.replace(*column)?;
                *array = None;
            }
        }
        self.infos.take_if(|infos| !infos.is_free(py));
        Ok(Some(batch))
    }

    /// Stores a filled batch, and returns the arrays of its columns.
    pub fn fill<'py>(&mut self, py: Python<'py>, columns: &[ArrayColumn], batch: Box<Batch>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.arrays.resize_with(columns.len(), || None);
        for (array, column) in self.arrays.iter_mut().zip(columns).filter(|(array, _)| array.is_none()) {
            *array = Some(column.array(py, &batch)?);
        }
        self.batch = Some(batch);
        Ok(self.arrays.iter().flatten().map(|array| array.object().bind(py).clone()).collect())
    }

    /// Returns an array of infos that have no other entry than `env_id`, one for each of `ids`.
    pub fn infos<'py>(&mut self, py: Python<'py>, ids: &[Py<PyAny>]) -> PyResult<Bound<'py, PyAny>> {
        let infos = match self.infos.take() {
            Some(infos) => infos.renewed(py, ids)?,
            None => NumberedInfos::new(py, ids)?,
        };
        let array = infos.array.object().bind(py).clone();
        self.infos = Some(infos);
        Ok(array)
    }

    /// Visits the objects that a user may have changed, for the garbage collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Some(NumberedInfos { array, dicts }) = &self.infos else { return Ok(()) };
        // numpy's arrays do not show their objects to the collector. This object shows those of an array that it alone holds.
        let references = if refcount::count(array.object().as_ptr()) == 1 { 2 } else { 1 };
        dicts.iter().try_for_each(|dict| (0..references).try_for_each(|_| dict.traverse(visit)))
    }
}

impl NumberedInfos {
    fn new(py: Python<'_>, ids: &[Py<PyAny>]) -> PyResult<Self> {
        let dicts: Vec<_> = ids.iter().map(|id| numbered_info(py, id)).collect::<PyResult<_>>()?;
        let array = PyArray1::from_vec(py, dicts.iter().map(|dict| dict.object(py).unbind()).collect());
        Ok(Self { array: Array::made(array.as_untyped().clone()), dicts })
    }

    /// Returns whether no other owner holds the array, which contains the dicts.
    fn is_free(&self, py: Python<'_>) -> bool {
        let Ok(array) = self.array.object().bind(py).cast::<PyUntypedArray>() else { return false };
        let contains = |dicts: &[Py<PyAny>]| dicts.iter().map(Py::as_ptr).eq(self.dicts.iter().map(Container::as_ptr));
        refcount::is_exact() && self.array.is_unchanged(1) && elements(array).is_some_and(contains)
    }

    /// Returns these infos, with new dicts in place of those that another owner holds or has changed. The array must be free.
    fn renewed(mut self, py: Python<'_>, ids: &[Py<PyAny>]) -> PyResult<Self> {
        for (row, (dict, id)) in self.dicts.iter_mut().zip(ids).enumerate() {
            if !dict.is_untouched(py, 2) {
                *dict = numbered_info(py, id)?;
                self.array.object().bind(py).set_item(row, dict.object(py))?;
            }
        }
        Ok(self)
    }
}

/// Creates the info of an environment. The client owns `id`, so that the address of the dict's value is not reused.
fn numbered_info(py: Python<'_>, id: &Py<PyAny>) -> PyResult<Container> {
    let info = PyDict::new(py);
    info.set_item(intern!(py, "env_id"), id)?;
    Ok(Container::dict(&info))
}
