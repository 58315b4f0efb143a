//! Results of environments that are played outside of the engine: their arrays' types, and what Python adds to them.

use numpy::{PyArray1, PyArrayDescr};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use super::objects::Objects;
use crate::callbacks;
use crate::transport::plain_infos::{Columns, read_info};
use crate::transport::structure::Structure;
use envpool_rs_engine::Batch;
use envpool_rs_interop::workers::Told;
use envpool_rs_transport::flags as transport_flags;

/// What results are made of.
pub struct Shown {
    /// The observation's, over its leaves; `None` where it travels by message.
    pub structure: Option<Structure>,
    /// numpy's types for the leaves.
    pub descriptors: Vec<Py<PyArrayDescr>>,
    /// `tell(observation, info, ids, messages, columns, ended, restarted)`: the observation and info of a result with more to it.
    pub tell: Py<PyAny>,
    /// Whether every result has more to it.
    pub always: bool,
    /// Whether observations are the caller's own, instead of what the next step overwrites.
    pub copy: bool,
    /// What was read of messages.
    pub objects: Objects,
}

/// Rows whose episode ended in the same step as the next one began.
pub struct Ended {
    /// Their numbers.
    pub rows: Vec<usize>,
    /// Last observations, in arrays with a row for each of the batch.
    pub observation: Py<PyAny>,
}

/// Infos that are numbers under the same keys: an array by key, keys whose numbers were Python's own, and which rows have an info.
type InfoColumns<'py> = (Bound<'py, PyDict>, Vec<Bound<'py, PyString>>, Bound<'py, PyArray1<bool>>);

impl Shown {
    /// What `tell` is called with.
    pub fn arguments(
        &self,
        py: Python<'_>,
        batch: &Batch,
        ended: Option<Ended>,
        (observation, info): (Py<PyAny>, Py<PyAny>),
    ) -> PyResult<Py<PyTuple>> {
        let columns = if self.always { None } else { info_columns(py, batch)? };
        let messages = match columns {
            Some(_) => PyList::empty(py),
            None => self.messages(py, batch)?,
        };
        let ids = PyArray1::from_iter(py, batch.lanes().iter().map(|lane| i64::from(*lane)));
        let ended = ended.map(|Ended { rows, observation }| (rows, observation));
        let restarted = batch.restarted.clone();
        Ok((observation, info, ids, messages, columns, ended, restarted).into_pyobject(py)?.unbind())
    }

    /// Has Python add what was told.
    pub fn tell(&self, py: Python<'_>, arguments: &Py<PyTuple>) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
        let _entered = callbacks::enter(py);
        self.tell.bind(py).call1(arguments.bind(py))?.extract()
    }

    /// Rows and what was told with them: an info of numbers as the dict that it was, all else as it was read, or as bytes.
    fn messages<'py>(&self, py: Python<'py>, batch: &Batch) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for (row, message) in &batch.messages {
            let Some(Told { flags, bytes }) = Told::of(message) else { continue };
            if flags & transport_flags::PLAIN_INFO != 0 {
                let told = PyDict::new(py);
                told.set_item(pyo3::intern!(py, "info"), read_info(py, bytes)?)?;
                list.append((*row, told))?;
            } else if let Some(object) = self.objects.take(bytes) {
                list.append((*row, object))?;
            } else {
                list.append((*row, PyBytes::new(py, bytes)))?;
            }
        }
        Ok(list)
    }
}

/// The infos of a batch, if all that are there are numbers, and nothing else was told.
fn info_columns<'py>(py: Python<'py>, batch: &Batch) -> PyResult<Option<InfoColumns<'py>>> {
    if batch.messages.is_empty() {
        return Ok(None);
    }
    let mut columns = Columns::new(batch.rows());
    let mut present = vec![false; batch.rows()];
    for (row, message) in &batch.messages {
        let told = Told::of(message).filter(|told| told.flags & transport_flags::PLAIN_INFO != 0);
        let Some(told) = told else { return Ok(None) };
        if !columns.take(py, *row as usize, told.bytes)? {
            return Ok(None);
        }
        present[*row as usize] = true;
    }
    let (columns, own) = columns.finish(py)?;
    Ok(Some((columns, own, PyArray1::from_vec(py, present))))
}
