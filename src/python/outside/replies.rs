//! Converts replies of environments in worker processes to the results of a `WorkerClient`.

use std::sync::PoisonError;

use numpy::PyArray1;
use pyo3::exceptions::PyException;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use super::client::WorkerClient;
use super::failures::ExceptionMapper;
use super::recycled_step::{ArrayColumn, KEPT_STEPS, RecycledStep};
use crate::callbacks;
use crate::convert::to_bytes;
use crate::raise::OrRaise;
use crate::transport::plain_infos::read_info;
use envpool_rs_engine::{Batch, LaneError, LaneReplies, Payload};
use envpool_rs_interop::workers::WorkerPayload;
use envpool_rs_transport::flags;

impl WorkerClient {
    /// Creates the Python object `EnvFailure` for an environment's error.
    pub(super) fn failure<'py>(&self, py: Python<'py>, lane: usize, fault: &LaneError) -> PyResult<Bound<'py, PyAny>> {
        let (payload, losses) = ExceptionMapper::payload_and_losses(fault);
        let _entered = callbacks::enter(py);
        let payload = to_bytes(py, payload).or_else(|_| to_bytes(py, &[]))?; // without memory, only the message
        self.overseer.bind(py).call_method1("failure", (lane, payload, fault.to_string(), losses))
    }

    /// Converts the value that an environment returned for a call. Without memory for it, returns a failure of the environment, so
    /// that the values of the others are not lost.
    pub(super) fn value<'py>(&self, py: Python<'py>, lane: u32, value: &Payload) -> PyResult<Bound<'py, PyAny>> {
        match to_bytes(py, value.bytes()) {
            Ok(bytes) => Ok(bytes.into_any()),
            Err(error) => self.unreadable(py, lane, error),
        }
    }

    /// Returns the failure of an environment whose message cannot be read because of `error`.
    ///
    /// # Errors
    /// `error`, unless it is an `Exception`, such as `MemoryError`.
    fn unreadable<'py>(&self, py: Python<'py>, lane: u32, error: PyErr) -> PyResult<Bound<'py, PyAny>> {
        if !error.is_instance_of::<PyException>(py) {
            return Err(error);
        }
        let _entered = callbacks::enter(py);
        let overseer = self.overseer.bind(py);
        let failure = overseer.call_method1("unreadable", (lane, error.value(py)))?;
        overseer.call_method1("failure", (lane, failure, "", 0))
    }

    /// Converts replies to steps of all environments to the tuple that `step` documents. Reuses the objects of `step`, into whose
    /// batch the replies were collected.
    pub(super) fn step_to_python<'py>(
        &self,
        py: Python<'py>,
        replies: LaneReplies,
        mut step: RecycledStep,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let messages = self.parse_messages(py, &replies.batch)?;
        if replies.failures.is_empty() && messages.others.is_none() && messages.unreadable.is_none() {
            let infos = match &messages.infos {
                None => Some(step.infos(py, &self.ids)?),
                Some(infos) => self.numbered_infos(py, infos)?,
            };
            if let Some(infos) = infos {
                let mut arrays = step.fill(py, &self.columns, replies.batch)?;
                let flags = arrays.split_off(self.leaves().len());
                let [rewards, terminated, truncated] = <[_; 3]>::try_from(flags).expect("three arrays follow the leaves");
                self.recycled.lock().unwrap_or_else(PoisonError::into_inner).push_back(step);
                let leaves = PyList::new(py, arrays)?;
                return (leaves, rewards, terminated, truncated, messages.four_values, infos).into_pyobject(py);
            }
        }
        self.with_messages(py, &replies, messages)
    }

    /// Returns the oldest recycled step and its batch, without those parts that other owners hold; an empty step until
    /// [`KEPT_STEPS`] steps are recycled.
    pub(super) fn recycled_step(&self, py: Python<'_>) -> PyResult<(RecycledStep, Option<Box<Batch>>)> {
        let mut recycled = self.recycled.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = if recycled.len() >= KEPT_STEPS { recycled.pop_front() } else { None };
        drop(recycled); // parts that are dropped below may run Python code
        let mut step = oldest.unwrap_or_default();
        let batch = step.release(py, &self.columns).or_raise()?;
        Ok((step, batch))
    }

    /// Returns the columns of the observation's leaves.
    fn leaves(&self) -> &[ArrayColumn] {
        &self.columns[..self.columns.len() - 3]
    }

    /// Converts replies to resets to the leaves or the tuple that `reset` documents.
    pub(super) fn reset_to_python<'py>(&self, py: Python<'py>, replies: LaneReplies) -> PyResult<Bound<'py, PyAny>> {
        let LaneReplies { batch, failures, .. } = &replies;
        match failures.is_empty() && batch.payloads.is_empty() && batch.restarted.is_empty() {
            true => Ok(PyList::new(py, arrays(py, self.leaves(), batch)?)?.into_any()),
            false => Ok(self.to_python(py, &replies)?.into_any()),
        }
    }

    /// Converts replies to steps and resets to the tuple that `take` documents.
    pub(super) fn to_python<'py>(&self, py: Python<'py>, replies: &LaneReplies) -> PyResult<Bound<'py, PyTuple>> {
        let messages = self.parse_messages(py, &replies.batch)?;
        self.with_messages(py, replies, messages)
    }

    fn with_messages<'py>(
        &self,
        py: Python<'py>,
        replies: &LaneReplies,
        messages: ParsedMessages<'py>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let LaneReplies { batch, failures: faults, .. } = replies;
        let mut leaves = arrays(py, &self.columns, batch)?;
        let flags = leaves.split_off(self.leaves().len());
        let ParsedMessages { four_values, infos, others, unreadable } = messages;
        let failures = unreadable.unwrap_or_else(|| PyDict::new(py));
        for (row, fault) in faults {
            let lane = batch.lanes()[*row];
            failures.set_item(lane, self.failure(py, lane as usize, fault)?)?;
        }
        let others = others.unwrap_or_else(|| PyDict::new(py));
        let [rewards, terminated, truncated] = <[_; 3]>::try_from(flags).expect("three arrays follow the leaves");
        (leaves, rewards, terminated, truncated, four_values, infos, others, failures, &batch.restarted).into_pyobject(py)
    }

    /// Reads the messages with which environments supplemented their rows.
    fn parse_messages<'py>(&self, py: Python<'py>, batch: &Batch) -> PyResult<ParsedMessages<'py>> {
        let mut parsed = ParsedMessages::default();
        if batch.payloads.is_empty() && batch.restarted.is_empty() {
            return Ok(parsed);
        }
        let mut infos: Vec<Option<Bound<'py, PyAny>>> = vec![None; batch.rows()];
        let mut four_values = vec![false; batch.rows()];
        for (row, message) in &batch.payloads {
            let (Some(WorkerPayload { flags: of, bytes }), row) = (WorkerPayload::decode(message), *row as usize) else {
                continue;
            };
            four_values[row] = of & flags::FOUR_VALUES != 0;
            let read = match () {
                () if of & flags::PLAIN_INFO != 0 => read_info(py, bytes).map(|info| infos[row] = Some(info.into_any())),
                () if of & flags::MESSAGE != 0 => self.read(py, bytes).and_then(|message| {
                    infos[row] = message.get_item("info")?;
                    if message.len() > usize::from(infos[row].is_some()) {
                        parsed.others.get_or_insert_with(|| PyDict::new(py)).set_item(row, message)?;
                    }
                    Ok(())
                }),
                () => Ok(()),
            };
            if let Err(error) = read {
                let lane = batch.lanes()[row];
                let failure = self.unreadable(py, lane, error)?;
                parsed.unreadable.get_or_insert_with(|| PyDict::new(py)).set_item(lane, failure)?;
            }
        }
        for row in &batch.restarted {
            let info = infos[*row as usize].take().and_then(|info| info.cast_into::<PyDict>().ok());
            let info = info.unwrap_or_else(|| PyDict::new(py));
            info.set_item("restarted", true)?;
            infos[*row as usize] = Some(info.into_any());
        }
        if infos.iter().any(Option::is_some) {
            parsed.infos = Some(infos.into_iter().map(|info| info.unwrap_or_else(|| PyDict::new(py).into_any())).collect());
        }
        if four_values.contains(&true) {
            parsed.four_values = Some(PyArray1::from_vec(py, four_values));
        }
        Ok(parsed)
    }

    /// Unpickles a message, which must be a dict.
    fn read<'py>(&self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyDict>> {
        let _entered = callbacks::enter(py);
        Ok(self.loads.bind(py).call1((to_bytes(py, bytes)?,))?.cast_into::<PyDict>()?)
    }

    /// Adds the entry `env_id` to each info, and returns the infos as an array; `None` if an info is not exactly a `dict`.
    fn numbered_infos<'py>(&self, py: Python<'py>, infos: &[Bound<'py, PyAny>]) -> PyResult<Option<Bound<'py, PyAny>>> {
        for (info, id) in infos.iter().zip(&self.ids) {
            let Ok(info) = info.cast_exact::<PyDict>() else { return Ok(None) };
            info.set_item(intern!(py, "env_id"), id)?;
        }
        let infos = infos.iter().map(|info| info.clone().unbind()).collect();
        Ok(Some(PyArray1::from_vec(py, infos).into_any()))
    }
}

/// Contents of a batch's messages, by part. A part is `None` if no message contains it.
#[derive(Default)]
struct ParsedMessages<'py> {
    /// Whether the step returned four values (the old gym API), for each row.
    four_values: Option<Bound<'py, PyArray1<bool>>>,
    /// Info of each row; `None` if all infos are empty.
    infos: Option<Vec<Bound<'py, PyAny>>>,
    /// Messages with entries other than the info, by row.
    others: Option<Bound<'py, PyDict>>,
    /// Failures of environments whose messages could not be read, by environment.
    unreadable: Option<Bound<'py, PyDict>>,
}

/// Returns numpy arrays that share the memory of a batch's columns. The engine does not write into the batch again.
fn arrays<'py>(py: Python<'py>, columns: &[ArrayColumn], batch: &Batch) -> PyResult<Vec<Bound<'py, PyAny>>> {
    columns.iter().map(|column| Ok(column.array(py, batch)?.object().bind(py).clone())).collect()
}
