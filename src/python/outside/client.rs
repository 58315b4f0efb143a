//! `WorkerClient`: sends operations to environments in worker processes one by one, through the engine's pool.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use numpy::{PyArray1, PyArrayDescr};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyTuple;

use super::actions::write_actions;
use super::failures::{ExceptionMapper, InterruptCheck};
use super::inside::ReentrancyFlag;
use super::processes::BackendContext;
use super::recycled_step::{ArrayColumn, RecycledStep};
use super::spec::engine_dtype;
use super::workers::Workers;
use crate::arrays::descriptor;
use crate::callbacks;
use crate::closing::CloseOnce;
use crate::convert::{env_ids, payloads_of};
use crate::raise::OrRaise;
use envpool_rs_engine::{
    self as engine, ActionEncoding, ActionKey, AutoresetMode, BackendSpec, Batch, Dialect, Error, FirstStepPolicy, Format,
    LaneError, LaneReplies, LeafSpec, Outputs, Payload, PoolConfig, RecoveryConfig, RecoveryPolicy, RequestBuilder, ResetOptions,
    Role,
};

/// Time in which environments may close after their client was dropped.
const DROP_TIMEOUT: Duration = Duration::from_secs(2);

/// Client of environments in worker processes. It sends each operation to a single environment, and never resets an environment
/// automatically.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct WorkerClient {
    pool: engine::Pool,
    /// Arrays of a step: leaves of the observation, then rewards, terminated and truncated flags.
    pub(super) columns: Vec<ArrayColumn>,
    /// Ids of the environments, which the infos share.
    pub(super) ids: Vec<Py<PyAny>>,
    /// Results of earlier steps, oldest first, whose objects later steps reuse if no other owner holds them.
    pub(super) recycled: Mutex<VecDeque<RecycledStep>>,
    /// Python object with the methods `failure(env_id, told, text, losses)` and `unreadable(env_id, error)`.
    pub(super) overseer: Py<PyAny>,
    dumps: Py<PyAny>,
    pub(super) loads: Py<PyAny>,
    exceptions: ExceptionMapper,
    reentrancy: ReentrancyFlag,
    closing: CloseOnce,
    /// Whether a request is being written. Writing may run Python code, which must not send other requests.
    is_sending: AtomicBool,
}

/// Guard that clears the flag `is_sending` on drop.
struct SendGuard<'a>(&'a AtomicBool);

impl Drop for SendGuard<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// dtype and shape of one environment's row in one array (leaf) of the observation.
type Leaf<'py> = (Bound<'py, PyAny>, Vec<usize>);

#[pymethods]
impl WorkerClient {
    /// Creates a client of `num_envs` environments. Each row of an observation has the arrays `leaves`.
    ///
    /// `recovery` selects the reaction to the loss of a process. `"new_episode"` starts new episodes, and `"retry"` repeats the
    /// pending operation on newly created environments. With `None`, the environments become permanently unusable.
    #[new]
    #[pyo3(signature = (workers, num_envs, *, leaves, recovery, dumps))]
    fn new(
        py: Python<'_>,
        workers: Py<Workers>,
        num_envs: i64,
        leaves: Vec<Leaf<'_>>,
        recovery: Option<&str>,
        dumps: Py<PyAny>,
    ) -> PyResult<Self> {
        let (mut forms, mut types) = (Vec::new(), Vec::new());
        for (dtype, shape) in &leaves {
            let descr = PyArrayDescr::new(py, dtype)?;
            forms.push(LeafSpec::new(engine_dtype(&descr), shape));
            types.push((descr.unbind(), shape.clone()));
        }
        let key = ActionKey {
            name: "action".to_owned(),
            shape: Vec::new(),
            rows: 1,
            discrete: None,
            counts: Vec::new(),
            is_f64: false,
            encoding: ActionEncoding::Payloads,
            hint: "",
        };
        let policy = parse_policy(recovery)?;
        let shared = BackendContext::default();
        let outside = workers.get().create_raw_backend(py, &key, forms.clone(), shared.clone())?;
        let recovery = RecoveryConfig { policy, ..RecoveryConfig::default() };
        let form = BackendSpec { recovery, probes_before_send: false, ..BackendSpec::new(forms, vec![key]) };
        let config = PoolConfig {
            autoreset_mode: AutoresetMode::Disabled,
            first_step: FirstStepPolicy::Allow,
            ..PoolConfig::new(num_envs).or_raise()?
        };
        let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
        let pool = py.detach(|| engine::Pool::with_backend(outside, form, config, outputs)).or_raise()?;
        let column = |role| pool.layout().index(role).expect("such pools have observations, rewards and flags");
        let leaf = |(index, (descr, shape)): (usize, (Py<PyArrayDescr>, Vec<usize>))| ArrayColumn {
            column: column(Role::Observation(index)),
            descr,
            shape,
        };
        let flag = |role| {
            let column = column(role);
            ArrayColumn { column, descr: descriptor(py, pool.layout().columns[column].dtype).unbind(), shape: Vec::new() }
        };
        let flags = [Role::Reward, Role::Terminated, Role::Truncated].map(flag);
        let overseer = workers.get().overseer.clone_ref(py);
        let rebuilt = overseer.bind(py).getattr("rebuilt")?.unbind();
        Ok(Self {
            columns: types.into_iter().enumerate().map(leaf).chain(flags).collect(),
            ids: (0..num_envs).map(|id| Ok(id.into_pyobject(py)?.into_any().unbind())).collect::<PyResult<_>>()?,
            recycled: Mutex::default(),
            overseer,
            dumps,
            loads: py.import("pickle")?.getattr("loads")?.unbind(),
            exceptions: ExceptionMapper { rebuilt, pending: shared.pending, timeout: None },
            reentrancy: shared.reentrancy,
            closing: CloseOnce::new(),
            is_sending: AtomicBool::new(false),
            pool,
        })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Ok(recycled) = self.recycled.try_lock() else { return Ok(()) };
        recycled.iter().try_for_each(|step| step.traverse(&visit))
    }

    /// Sends one action to each environment of `ids` (`None`: all).
    fn send_steps(&self, py: Python<'_>, ids: Option<&Bound<'_, PyAny>>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let _sending = self.acquire_sender()?;
        let ids = ids.map(env_ids).transpose()?;
        let call = self.step_call(py, ids.as_deref(), actions)?;
        self.call_engine(py, |_| call.submit())
    }

    /// Steps all environments: `send_steps`, `wait` and `take` in one call.
    ///
    /// If no environment failed, and no reply's message contains more than an info, returns leaves, rewards, terminated,
    /// truncated, `four_values`, and an array of infos with `env_id`. Otherwise returns the tuple that `take` returns.
    fn step<'py>(&self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        let sending = self.acquire_sender()?;
        let call = self.step_call(py, None, actions)?;
        let (step, batch) = self.recycled_step(py)?;
        let replies = self.call_and_collect(py, sending, call, None, batch)?;
        self.step_to_python(py, replies, step)
    }

    /// Resets the environments `ids`: `send_resets` without seeds and keyword arguments, `wait` and `take` in one call.
    ///
    /// If no environment failed, and no reply has a message, returns the leaves. Otherwise returns the tuple that `take` returns.
    fn reset<'py>(&self, py: Python<'py>, ids: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let sending = self.acquire_sender()?;
        let ids = env_ids(ids)?;
        let call = self.call_engine(py, |pool| pool.reset(Some(&ids), Vec::new(), ResetOptions::default()))?;
        let replies = self.call_and_collect(py, sending, call, Some(&ids), None)?;
        self.reset_to_python(py, replies)
    }

    /// Sends a reset to each environment of `ids` (`None`: all). Each has a seed (or `None`); the pickled keyword arguments apply
    /// to all of them.
    #[pyo3(signature = (ids, seeds=None, keywords=None))]
    fn send_resets(
        &self,
        py: Python<'_>,
        ids: Option<&Bound<'_, PyAny>>,
        seeds: Option<Vec<Option<i64>>>,
        keywords: Option<&[u8]>,
    ) -> PyResult<()> {
        let _sending = self.acquire_sender()?;
        let ids = ids.map(env_ids).transpose()?;
        let seeds = seeds.unwrap_or_default().into_iter().map(|seed| seed.map(i64::cast_unsigned)).collect();
        let keywords = keywords.map(|keywords| Payload::copied(&[keywords])).transpose().or_raise()?;
        let options = keywords.map_or_else(ResetOptions::default, ResetOptions::from_payload);
        self.call_engine(py, |pool| pool.reset(ids.as_deref(), seeds, options)?.submit())
    }

    /// Sends one pickled call to each environment of `ids` (`None`: all).
    fn send_calls(&self, py: Python<'_>, ids: Option<&Bound<'_, PyAny>>, payloads: Vec<PyBackedBytes>) -> PyResult<()> {
        let _sending = self.acquire_sender()?;
        let ids = ids.map(env_ids).transpose()?;
        let payloads = payloads_of(&payloads)?;
        self.call_engine(py, |pool| pool.submit_calls(ids.as_deref(), &payloads))
    }

    /// Waits until `count` of the environments `ids` (`None`: all) that are in flight have replied, but at most for `seconds`.
    #[pyo3(signature = (ids, count=None, seconds=None))]
    fn wait(&self, py: Python<'_>, ids: Option<&Bound<'_, PyAny>>, count: Option<usize>, seconds: Option<f64>) -> PyResult<()> {
        let ids = ids.map(env_ids).transpose()?;
        let limit = seconds.map(|seconds| {
            let bad = |_| PyValueError::new_err(format!("timeout={seconds}: expected at least 0"));
            if seconds.is_infinite() { Ok(Duration::MAX) } else { Duration::try_from_secs_f64(seconds).map_err(bad) }
        });
        let deadline = limit.transpose()?.and_then(|limit| Instant::now().checked_add(limit));
        self.run_waiting(py, |pool, interrupt| pool.wait_lanes(ids.as_deref(), count.unwrap_or(usize::MAX), interrupt, deadline))
    }

    /// Returns up to `count` of the environments `ids` (`None`: all) that have replied, in order of completion.
    #[pyo3(signature = (ids, count=None))]
    fn completed<'py>(
        &self,
        py: Python<'py>,
        ids: Option<&Bound<'py, PyAny>>,
        count: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let ids = ids.map(env_ids).transpose()?;
        let completed = self.call_engine(py, |pool| pool.completed_lanes(ids.as_deref()))?;
        Ok(PyArray1::from_iter(py, completed.into_iter().map(i64::from).take(count.unwrap_or(usize::MAX))))
    }

    /// Takes the replies of the environments `ids` (`None`: all) to steps and resets, as a tuple that `_core.pyi` documents.
    fn take<'py>(&self, py: Python<'py>, ids: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyTuple>> {
        let ids = ids.map(env_ids).transpose()?;
        let replies = self.call_engine(py, |pool| pool.collect_lanes(ids.as_deref()))?;
        self.to_python(py, &replies)
    }

    /// Takes the replies of the environments `ids` (`None`: all) to calls. Each is a pickled value or a failure.
    fn take_values<'py>(&self, py: Python<'py>, ids: Option<&Bound<'py, PyAny>>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let ids = ids.map(env_ids).transpose()?;
        let LaneReplies { batch, values, failures: faults } = self.call_engine(py, |pool| pool.collect_lanes(ids.as_deref()))?;
        let mut replies: Vec<_> = batch.lanes().iter().map(|_| py.None().into_bound(py)).collect();
        for (row, value) in values {
            replies[row] = self.value(py, batch.lanes()[row], &value)?;
        }
        for (row, fault) in faults {
            replies[row] = self.failure(py, batch.lanes()[row] as usize, &fault)?;
        }
        Ok(replies)
    }

    /// Takes the replies of the environments `ids` and discards them.
    fn discard(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = env_ids(ids)?;
        self.call_engine(py, |pool| pool.discard_lanes(Some(&ids)))
    }

    /// Sends one pickled call to each environment of `ids` (`None`: all) and waits. Returns a pickled value or a failure for
    /// each. After an interrupt, late replies are discarded.
    fn call<'py>(
        &self,
        py: Python<'py>,
        ids: Option<&Bound<'py, PyAny>>,
        payloads: Vec<PyBackedBytes>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let _sending = self.acquire_sender()?;
        let ids = ids.map(env_ids).transpose()?;
        let payloads = payloads_of(&payloads)?;
        let replies = self.run_waiting(py, |pool, interrupt| pool.call_lanes(ids.as_deref(), &payloads, interrupt, None))?;
        let lanes = ids.unwrap_or_else(|| (0..replies.len() as i64).collect());
        let reply = |(lane, reply): (i64, Result<Payload, LaneError>)| match reply {
            Ok(value) => self.value(py, lane as u32, &value),
            Err(fault) => self.failure(py, lane as usize, &fault),
        };
        lanes.into_iter().zip(replies).map(reply).collect()
    }

    /// Ids of the environments with a request whose reply has not been collected.
    #[getter]
    fn in_flight<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let flying = self.call_engine(py, |pool| pool.lanes_in_flight())?;
        Ok(PyArray1::from_iter(py, flying.into_iter().map(i64::from)))
    }

    /// Records the seed that a method call has set in an environment.
    fn note_seed(&self, py: Python<'_>, env_id: usize, seed: i64) -> PyResult<()> {
        self.call_engine(py, |pool| {
            pool.record_seed(env_id, seed.cast_unsigned());
            Ok(())
        })
    }

    /// Closes the environments within `seconds`, and ends all processes. Returns the exceptions that environments raised. A
    /// second call waits until the first has returned.
    fn end<'py>(&self, py: Python<'py>, seconds: f64, by_force: bool) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let limit = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::from_secs(1 << 30));
        let until = Instant::now().checked_add(limit).unwrap_or_else(|| Instant::now() + Duration::from_secs(1 << 30));
        let faults = self.closing.close(py, || self.pool.close_until(until, by_force))?;
        let recycled = std::mem::take(&mut *self.recycled.lock().unwrap_or_else(PoisonError::into_inner));
        drop(recycled); // after the mutex is unlocked, because dropping may run Python code
        self.check_callable()?;
        faults.iter().map(|fault| self.failure(py, 0, fault)).collect()
    }
}

impl Drop for WorkerClient {
    /// Closes the environments. Idle environments have 2 s to close; the client does not wait for environments that are executing
    /// a request.
    fn drop(&mut self) {
        if self.pool.is_closed() {
            return;
        }
        let leave = |py: Python<'_>| {
            // A pending exception is stored until the end of this function, because Python code that runs with a pending
            // exception raises SystemError.
            let pending = PyErr::take(py);
            py.detach(|| self.pool.close_until(Instant::now() + DROP_TIMEOUT, true));
            if let Some(pending) = pending {
                pending.restore(py);
            }
        };
        let _ignored = Python::try_attach(leave);
    }
}

impl WorkerClient {
    /// Sets the flag `is_sending`, so that no other request can be sent until the guard is dropped.
    ///
    /// # Errors
    /// `RuntimeError` while another request is being sent.
    fn acquire_sender(&self) -> PyResult<SendGuard<'_>> {
        if self.is_sending.swap(true, Ordering::Acquire) {
            return Err(PyRuntimeError::new_err("another request is being sent: expected one sender at a time"));
        }
        Ok(SendGuard(&self.is_sending))
    }

    /// Rejects calls from code that runs inside another call of this client. Raises the exception that an earlier call stored, if
    /// any.
    fn check_callable(&self) -> PyResult<()> {
        if self.reentrancy.is_current_thread() {
            return Err(PyRuntimeError::new_err("this pool is in use by another thread"));
        }
        self.exceptions.pending.take().map_or(Ok(()), Err)
    }

    /// Runs a pool method that never waits for environments. Releases the interpreter's lock, because the method may need a mutex
    /// whose holder waits for that lock.
    fn call_engine<'a, T: Send>(
        &'a self,
        py: Python<'_>,
        ask: impl FnOnce(&'a engine::Pool) -> engine::Result<T> + Send,
    ) -> PyResult<T> {
        self.check_callable()?;
        py.detach(|| ask(&self.pool)).map_err(|error| self.exceptions.to_exception(py, error))
    }

    /// Runs a pool method that waits for environments.
    fn run_waiting<T: Send>(
        &self,
        py: Python<'_>,
        wait: impl FnOnce(&engine::Pool, &mut dyn FnMut() -> bool) -> engine::Result<T> + Send,
    ) -> PyResult<T> {
        self.check_callable()?;
        let mut interruptions = InterruptCheck::new(Some(self.exceptions.pending.clone()));
        let done = py.detach(|| wait(&self.pool, &mut || interruptions.interrupted()));
        done.map_err(|error: Error| interruptions.raised().unwrap_or_else(|| self.exceptions.to_exception(py, error)))
    }

    /// Sends a request to the environments `ids`, waits for their replies, and collects them, in the memory of `batch` if given.
    fn call_and_collect(
        &self,
        py: Python<'_>,
        sending: SendGuard<'_>,
        call: RequestBuilder<'_>,
        ids: Option<&[i64]>,
        batch: Option<Box<Batch>>,
    ) -> PyResult<LaneReplies> {
        self.run_waiting(py, |pool, interrupt| {
            call.submit()?;
            drop(sending);
            pool.wait_lanes(ids, usize::MAX, interrupt, None)?;
            pool.collect_lanes_into(ids, batch)
        })
    }

    /// Prepares a step of the environments `ids`, with their actions.
    fn step_call(&self, py: Python<'_>, ids: Option<&[i64]>, actions: &Bound<'_, PyAny>) -> PyResult<RequestBuilder<'_>> {
        let mut call = self.call_engine(py, |pool| pool.step(ids))?;
        let _entered = callbacks::enter(py);
        write_actions(&mut call, actions, self.dumps.bind(py))?;
        Ok(call)
    }
}

fn parse_policy(recovery: Option<&str>) -> PyResult<RecoveryPolicy> {
    match recovery {
        None => Ok(RecoveryPolicy::Raise),
        Some("new_episode") => Ok(RecoveryPolicy::NewEpisode),
        Some("retry") => Ok(RecoveryPolicy::Retry),
        Some(other) => Err(PyValueError::new_err(format!("recovery={other:?}: expected None, 'new_episode' or 'retry'"))),
    }
}
