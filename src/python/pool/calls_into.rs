//! Pool methods whose results are written into arrays of the caller (`out=`).

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::{Pool, busy_error};
use crate::raise::OrRaise;
use crate::results::{OutArgument, OutCall, ResultKind, RolloutBuffer, asynchronous_error};
use envpool_rs_engine::RequestBuilder;

impl Pool {
    /// Runs a prepared request, whose results are written into arrays of the caller, and returns the results.
    pub(super) fn run_into(
        &self,
        py: Python<'_>,
        mut request: RequestBuilder<'_>,
        method: ResultKind,
        out: OutArgument<'_>,
    ) -> PyResult<Py<PyAny>> {
        let out_call = if method == ResultKind::Step { OutCall::Step } else { OutCall::Reset };
        if self.pool.is_async() {
            return Err(asynchronous_error("out"));
        }
        self.check_none_deferred(py)?;
        let mut target = out.check(&self.schema, request.lanes(), out_call)?;
        target.set_resets(|| request.only_resets());
        target.store_actions(py, request.actions())?;
        let mut batch = Some(self.lend(py, target)?);
        let (heavy, deadline) = (self.pool.is_heavy(request.lanes()), self.deadline());
        let received = self.wait(py, heavy, |interrupt| request.run_until(&mut batch, interrupt, deadline));
        self.to_result(py, received, batch, method)
    }

    /// Receives results and copies them into arrays of the caller.
    pub(super) fn receive_into(&self, py: Python<'_>, method: ResultKind, out: OutArgument<'_>) -> PyResult<Py<PyAny>> {
        if self.backend.is_some() {
            self.check_callable()?;
        }
        self.check_none_deferred(py)?;
        let rows = self.call_engine(py, || self.pool.next_rows())?;
        // Another thread may send meanwhile. Its results are for the next call, because the arrays were not checked for them.
        let rows = rows.ok_or_else(|| PyRuntimeError::new_err("recv: nothing has been sent"))?;
        let out_call = if method == ResultKind::Step { OutCall::Recv } else { OutCall::RecvReset };
        let mut target = out.check(&self.schema, rows, out_call)?;
        if target.has_actions()
            && let Some((actions, only_resets)) = self.call_engine(py, || self.pool.next_step())?
        {
            target.set_resets(|| &only_resets);
            target.store_actions(py, &actions)?;
        }
        let (mut received, spare) = self.receive_batch(py, None)?;
        if let Ok(batch) = &mut received {
            if batch.rows() != rows {
                return Err(busy_error()); // another thread has received the batch that was checked
            }
            self.set_target(py, batch, target)?;
        }
        self.to_result(py, received, spare, method)
    }

    /// Creates a rollout buffer for the results of this pool.
    pub(super) fn make_rollout_buffer(
        &self,
        py: Python<'_>,
        steps: i64,
        allocate: Option<&Bound<'_, PyAny>>,
        infos: bool,
    ) -> PyResult<RolloutBuffer> {
        self.pool.check_usable().or_raise()?;
        if self.pool.is_async() {
            return Err(asynchronous_error("rollout_buffer()"));
        }
        let count = usize::try_from(steps).ok().filter(|steps| (1..isize::MAX as usize).contains(steps));
        let steps = count.ok_or_else(|| PyValueError::new_err(format!("steps={steps}: expected at least 1")))?;
        let config = self.pool.config();
        let actions = (self.pool.action_keys(), self.action_parser().and_then(|parser| parser.dtype.as_ref()));
        let buffer = RolloutBuffer::new(py, &self.schema, steps, config.num_envs, infos, allocate, actions)?;
        self.pool.keep_only_resets();
        Ok(buffer)
    }
}
