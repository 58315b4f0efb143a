//! Parses actions of environments in worker processes. Python checks the actions, and the engine passes them on as bytes.

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::callbacks;
use crate::convert::env_ids;
use crate::raise::OrRaise;
use crate::transport::plain_values::{append_value, element_bytes, plain_array, row_head};
use envpool_rs_engine::{ActionEncoding, RequestBuilder};

/// Uses Python callables to check batches of actions and to split them into one action per environment.
pub struct ActionParser {
    /// Python callable `rows(action, count)`: checks `action` and returns an array or a list with one row for each of `count`
    /// environments.
    pub rows: Py<PyAny>,
    /// Python callable `take_apart(dict, env_id)`: returns the actions of a dict, and the environment ids from the dict or the
    /// argument.
    pub split_dict: Py<PyAny>,
    /// Python callable that pickles an object.
    pub dumps: Py<PyAny>,
    /// Dtype of the array of actions; `None` if actions are objects.
    pub dtype: Option<Py<PyAny>>,
}

/// Parsed actions, with the ids of their environments.
pub struct ParsedActions<'py> {
    action: Bound<'py, PyAny>,
    /// Environment ids; `None` for all environments.
    pub ids: Option<Vec<i64>>,
}

impl ActionParser {
    /// Splits an `action` argument into the actions and the environment ids.
    pub fn parse<'py>(&self, action: &Bound<'py, PyAny>, env_id: Option<&Bound<'py, PyAny>>) -> PyResult<ParsedActions<'py>> {
        let ids = |ids: Option<&Bound<'py, PyAny>>| ids.filter(|ids| !ids.is_none()).map(env_ids).transpose();
        if !action.is_instance_of::<PyDict>() {
            return Ok(ParsedActions { action: action.clone(), ids: ids(env_id)? });
        }
        let _entered = callbacks::enter(action.py());
        let (action, env_id): (Bound<'py, PyAny>, Bound<'py, PyAny>) =
            self.split_dict.bind(action.py()).call1((action, env_id))?.extract()?;
        Ok(ParsedActions { action, ids: ids(Some(&env_id))? })
    }

    /// Fills the action array of the prepared step with the parsed actions.
    pub fn fill(&self, request: &mut RequestBuilder<'_>, carried: ActionEncoding, taken: &ParsedActions<'_>) -> PyResult<()> {
        let py = taken.action.py();
        let _entered = callbacks::enter(py);
        let rows = self.rows.bind(py).call1((&taken.action, request.lanes()))?;
        // Rows that are not an array of the action space's dtype are passed as pickled objects.
        if matches!(carried, ActionEncoding::Raw(_)) && !rows.is_instance_of::<PyList>() {
            let rows = rows
                .cast::<PyUntypedArray>()
                .map_err(|_| PyTypeError::new_err("action: expected one array with a row for each environment"))?;
            let rows = plain_array(rows)?.ok_or_else(|| PyTypeError::new_err("action: expected plain numbers"))?;
            return request.set_raw_action(0, element_bytes(&rows)).or_raise();
        }
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        let mut append = |row: &Bound<'_, PyAny>| -> PyResult<()> {
            append_value(&mut bytes, row, self.dumps.bind(py))?;
            ends.push(bytes.len());
            Ok(())
        };
        match rows.cast::<PyList>() {
            // The list is indexed again for each element, because pickling may run code that changes the list.
            Ok(list) => (0..request.lanes()).try_for_each(|index| append(&list.get_item(index)?))?,
            Err(_) if rows.len()? == request.lanes() => rows.try_iter()?.try_for_each(|row| append(&row?))?,
            Err(_) => return Err(PyRuntimeError::new_err("action: expected one row for each environment")),
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        request.set_action_messages(0, starts.zip(&ends).map(|(start, end)| &bytes[start..*end])).or_raise()
    }
}

/// Writes an action for each environment of a request: rows of an array of numbers, or objects one by one.
pub fn write_actions(request: &mut RequestBuilder<'_>, actions: &Bound<'_, PyAny>, dumps: &Bound<'_, PyAny>) -> PyResult<()> {
    let array = actions.cast::<PyUntypedArray>().ok().filter(|array| array.ndim() > 0);
    let (count, lanes) = (array.map_or_else(|| actions.len(), |array| Ok(array.shape()[0]))?, request.lanes());
    if count != lanes {
        let text = format!("action has {count} entries: expected {lanes}, one for each environment");
        return Err(PyValueError::new_err(text));
    }
    let (mut bytes, mut ends) = (Vec::new(), Vec::with_capacity(lanes));
    match array.map(plain_array).transpose()?.flatten() {
        Some(rows) => {
            let head = row_head(&rows.dtype(), &rows.shape()[1..]);
            let elements = element_bytes(&rows);
            let width = elements.len().checked_div(lanes).unwrap_or(0);
            bytes.reserve_exact(lanes * head.len() + elements.len());
            for lane in 0..lanes {
                bytes.extend_from_slice(&head);
                bytes.extend_from_slice(&elements[lane * width..(lane + 1) * width]);
                ends.push(bytes.len());
            }
        }
        None => {
            // The list is indexed again for each element, because pickling may run code that changes the list.
            let list = actions.cast::<PyList>().ok();
            for lane in 0..lanes {
                let action = list.map_or_else(|| actions.get_item(lane), |list| list.get_item(lane))?;
                append_value(&mut bytes, &action, dumps)?;
                ends.push(bytes.len());
            }
        }
    }
    let starts = std::iter::once(0).chain(ends.iter().copied());
    request.set_action_messages(0, starts.zip(&ends).map(|(start, end)| &bytes[start..*end])).or_raise()
}
