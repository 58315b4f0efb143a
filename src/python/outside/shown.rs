//! Converts results of environments in worker processes: sets the dtypes of arrays, and passes payloads to Python code that
//! converts them.

use numpy::{PyArray1, PyArrayDescr};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use super::objects::ObjectTable;
use crate::callbacks;
use crate::convert::to_bytes;
use crate::transport::plain_infos::{InfoColumnBuilder, read_info};
use crate::transport::structure::LeafTree;
use envpool_rs_engine::Batch;
use envpool_rs_interop::workers::WorkerPayload;
use envpool_rs_transport::flags as transport_flags;

/// Converts batches of environments in worker processes to results.
pub struct ResultAdapter {
    /// Structure of the observation, whose leaves are arrays; `None` if observations are sent in messages.
    pub structure: Option<LeafTree>,
    /// numpy's dtypes of the leaves.
    pub descriptors: Vec<Py<PyArrayDescr>>,
    /// Python callable `tell(observation, info, ids, messages, columns, ended, restarted)`: returns observation and info with the
    /// messages added.
    pub tell: Py<PyAny>,
    /// Whether `tell` must be called for every result.
    pub always_augments: bool,
    /// Whether the caller may keep observations. If not, the next step overwrites their memory.
    pub copy: bool,
    /// Objects that were read from messages.
    pub objects: ObjectTable,
}

/// Final observations of a batch, for rows whose episode ended and whose next episode started in the same step.
pub struct FinalRows {
    /// Indices of the rows whose episode ended.
    pub rows: Vec<usize>,
    /// Final observations, in arrays that have a row for each row of the batch.
    pub observation: Py<PyAny>,
}

/// Columns of numeric infos with equal keys. Contains arrays by key, the keys whose values were Python numbers instead of numpy
/// scalars, and a mask of rows with an info.
type InfoColumns<'py> = (Bound<'py, PyDict>, Vec<Bound<'py, PyString>>, Bound<'py, PyArray1<bool>>);

impl ResultAdapter {
    /// Returns the arguments with which `tell` is called for a batch.
    pub fn arguments(
        &self,
        py: Python<'_>,
        batch: &Batch,
        ended: Option<FinalRows>,
        (observation, info): (Py<PyAny>, Py<PyAny>),
    ) -> PyResult<Py<PyTuple>> {
        let columns = if self.always_augments { None } else { info_columns(py, batch)? };
        let messages = match columns {
            Some(_) => PyList::empty(py),
            None => self.messages(py, batch)?,
        };
        let ids = PyArray1::from_iter(py, batch.lanes().iter().map(|lane| i64::from(*lane)));
        let ended = ended.map(|FinalRows { rows, observation }| (rows, observation));
        let restarted = batch.restarted.clone();
        Ok((observation, info, ids, messages, columns, ended, restarted).into_pyobject(py)?.unbind())
    }

    /// Calls `tell`, which adds the messages to observation and info.
    pub fn augment(&self, py: Python<'_>, arguments: &Py<PyTuple>) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
        let _entered = callbacks::enter(py);
        self.tell.bind(py).call1(arguments.bind(py))?.extract()
    }

    /// Returns the messages of a batch, each with its row. A message is a dict for an info of numbers, otherwise the unpickled
    /// object or the bytes.
    fn messages<'py>(&self, py: Python<'py>, batch: &Batch) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for (row, message) in &batch.payloads {
            let Some(WorkerPayload { flags, bytes }) = WorkerPayload::decode(message) else { continue };
            if flags & transport_flags::PLAIN_INFO != 0 {
                let message = PyDict::new(py);
                message.set_item(pyo3::intern!(py, "info"), read_info(py, bytes)?)?;
                list.append((*row, message))?;
            } else if let Some(object) = self.objects.take(bytes) {
                list.append((*row, object))?;
            } else {
                list.append((*row, to_bytes(py, bytes)?))?;
            }
        }
        Ok(list)
    }
}

/// Returns the infos of a batch as columns. Returns `None` if a message is not an info of numbers, or if infos have different
/// keys.
fn info_columns<'py>(py: Python<'py>, batch: &Batch) -> PyResult<Option<InfoColumns<'py>>> {
    if batch.payloads.is_empty() {
        return Ok(None);
    }
    let mut columns = InfoColumnBuilder::new(batch.rows());
    let mut present = vec![false; batch.rows()];
    for (row, message) in &batch.payloads {
        let payload = WorkerPayload::decode(message).filter(|payload| payload.flags & transport_flags::PLAIN_INFO != 0);
        let Some(payload) = payload else { return Ok(None) };
        if !columns.store_row(py, *row as usize, payload.bytes)? {
            return Ok(None);
        }
        present[*row as usize] = true;
    }
    let (columns, own) = columns.finish(py)?;
    Ok(Some((columns, own, PyArray1::from_vec(py, present))))
}
