//! `Pool`: Python class that wraps the engine's pool.

mod calls;
mod calls_into;
mod create;
mod episode_options;
mod recorded;
mod resets;
mod results;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyString};

use self::recorded::RecordedColumns;
use super::closing::CloseOnce;
use super::convert::{brief_repr, bytes, entries, flag, payloads_of, small_integer, to_bytes, wrong_type};
use super::option_values::{DecisionParts, decision_parts};
use super::outside::{ActionParser, ExceptionMapper, OutsideSpec, ReentrancyFlag, RemoteSpec};
use super::recording::{ChunkLimits, Recorder};
use super::recycled_results::RecycledResults;
use super::results::{Callables, OutArgument, ResultKind, ResultSchema, RolloutBuffer};
use super::spec::{Spec, parse_format};
use super::under_lock::GilCell;
use crate::raise::OrRaise;
use envpool_rs_engine::{self as engine, FIRST_INTERVAL, FrameBatch, INTERVALS, LaneError, Payload, RenderArgs};
use envpool_rs_interop::xla::ExposedPool;
use envpool_rs_numeric::random::{Pcg64, Pcg64State};

/// Statistics of a pool: times, counts, ends of intervals, histogram, and numbers of each environment.
type StatisticsParts = ([f64; 3], [usize; 2], Vec<f64>, Vec<u64>, [Vec<u64>; 6]);

/// Python class of a pool: many environments that are stepped in parallel.
#[pyclass(subclass, frozen, module = "envpool_rs._core")]
pub struct Pool {
    pool: Arc<engine::Pool>,
    /// Registration of the pool for XLA programs, created at the first use.
    exposed: OnceLock<Arc<ExposedPool>>,
    schema: ResultSchema,
    results: GilCell<RecycledResults>,
    players: usize,
    /// Additional state of a pool whose environments run in a backend; `None` for other pools.
    backend: Option<BackendState>,
    closing: CloseOnce,
    /// Whether results are recorded; separate from the recorder, because every call reads it.
    is_recording: AtomicBool,
    /// Recorder of results.
    recorder: GilCell<Option<Box<Recorder>>>,
}

/// Additional state of a pool whose environments run in a backend.
struct BackendState {
    /// Parser of actions; `None` if the engine checks the actions itself.
    action_parser: Option<Arc<ActionParser>>,
    exceptions: Arc<ExceptionMapper>,
    timeout: Option<Duration>,
    reentrancy: ReentrancyFlag,
}

/// Default number of seconds in which environments of a backend may close.
const CLOSE_SECONDS: f64 = 5.0;

/// Time in which environments of a backend may close if the pool is dropped without `close`.
const DROP_TIMEOUT: Duration = Duration::from_secs(2);

fn reset_flag(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    flag("reset", object)
}

fn return_info_flag(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    flag("return_info", object)
}

fn infos_flag(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    flag("infos", object)
}

fn busy_error() -> PyErr {
    PyRuntimeError::new_err("this pool is in use by another thread")
}

#[pymethods]
impl Pool {
    #[new]
    #[pyo3(signature = (spec, layout, finish=None, timestep_type=None, observation_type=None))]
    fn new(
        py: Python<'_>,
        spec: &Bound<'_, PyAny>,
        layout: &str,
        finish: Option<Py<PyAny>>,
        timestep_type: Option<Py<PyAny>>,
        observation_type: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let format = parse_format(layout)?;
        let callables = |ends_in_steps| Callables { is_same_step: ends_in_steps, finish, timestep_type, observation_type };
        if let Ok(spec) = spec.cast::<OutsideSpec>() {
            return Self::over_workers(py, spec.get(), format, callables(spec.get().config.has_final_columns()));
        }
        if let Ok(spec) = spec.cast::<RemoteSpec>() {
            let spec = spec.get();
            return Self::over_hosts(py, spec, format, callables(spec.config().has_final_columns()));
        }
        let spec = spec.cast::<Spec>()?.get();
        Self::native(py, spec, format, callables(spec.pool.has_final_columns()))
    }

    /// Options whose values were decided at load time, each with its value and the reason.
    #[getter]
    fn decided<'py>(&self, py: Python<'py>) -> PyResult<Vec<DecisionParts<'py>>> {
        self.pool.decided().iter().map(|decided| decision_parts(py, decided)).collect()
    }

    /// Returns whether `close` was called.
    #[getter]
    fn closed(&self) -> bool {
        self.pool.is_closed()
    }

    /// Sends actions and receives the next results. If `out` is given, the results are written into its arrays.
    #[pyo3(signature = (action, env_id=None, *, out=None))]
    fn step(
        &self,
        py: Python<'_>,
        action: &Bound<'_, PyAny>,
        env_id: Option<&Bound<'_, PyAny>>,
        out: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        if let Some(out) = out {
            self.forget_delivered(py)?;
            let out = OutArgument::parse(&self.schema, out)?;
            let call = self.prepare_step(py, action, env_id)?;
            return self.run_into(py, call, ResultKind::Step, out);
        }
        let call = self.prepare_step(py, action, env_id)?;
        self.run(py, call, ResultKind::Step)
    }

    /// Sends one step of some environments without waiting for results.
    #[pyo3(signature = (action, env_id=None))]
    fn send(&self, py: Python<'_>, action: &Bound<'_, PyAny>, env_id: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let call = self.prepare_step(py, action, env_id)?;
        self.send_call(py, call)
    }

    /// Waits for the next batch of results. If `out` is given, the results are copied into its arrays.
    #[pyo3(signature = (reset=false, return_info=true, *, out=None))]
    fn recv(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = reset_flag)] reset: bool,
        #[pyo3(from_py_with = return_info_flag)] return_info: bool,
        out: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let method = if reset { ResultKind::Reset { with_info: return_info } } else { ResultKind::Step };
        match out {
            None => self.receive(py, method, None),
            Some(out) => self.receive_into(py, method, OutArgument::parse(&self.schema, out)?),
        }
    }

    /// Creates a rollout buffer for the results of `steps` steps. `allocate(shape, dtype)` creates the buffer's arrays.
    #[pyo3(signature = (steps, allocate=None, *, infos=true))]
    fn rollout_buffer(
        &self,
        py: Python<'_>,
        steps: &Bound<'_, PyAny>,
        allocate: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = infos_flag)] infos: bool,
    ) -> PyResult<RolloutBuffer> {
        if let Some(wrong) = allocate.filter(|allocate| !allocate.is_callable()) {
            return Err(wrong_type("allocate", wrong, "a function or None"));
        }
        self.make_rollout_buffer(py, small_integer("steps", steps)?, allocate, infos)
    }

    /// Describes the columns of a recording: the observation with numbers instead of arrays, the name, dtype and row shape of each
    /// column, and whether the observation is stored as frames of stacks of `depth` frames.
    #[pyo3(name = "_recorded_columns")]
    fn recorded_columns<'py>(&self, py: Python<'py>, infos: Vec<String>, depth: usize) -> PyResult<RecordedColumns<'py>> {
        self.describe_recording(py, &infos, depth)
    }

    /// Starts to append results to the file `path`, in chunks that end after `stored` bytes, `decoded` bytes with whole frame
    /// stacks, or `seconds`.
    #[pyo3(name = "_start_recording")]
    fn start_recording(
        &self,
        py: Python<'_>,
        path: PathBuf,
        infos: Vec<String>,
        depth: usize,
        limits: (usize, usize, f64),
    ) -> PyResult<()> {
        let (stored, decoded, seconds) = limits;
        let age = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        self.begin_recording(py, path, &infos, depth, ChunkLimits { stored, decoded, age })
    }

    /// Waits until all recorded results are in the file.
    #[pyo3(name = "_flush_recording")]
    fn flush_recording(&self, py: Python<'_>) -> PyResult<()> {
        self.flush_recorded(py)
    }

    /// Stops recording after all results are in the file; raises the error of a file that could not be written.
    #[pyo3(name = "_stop_recording")]
    fn stop_recording(&self, py: Python<'_>) -> PyResult<()> {
        self.end_recording(py)
    }

    /// Waits for the next batch, and returns its arrays as a list of names and arrays.
    #[pyo3(name = "_recv_columns")]
    fn recv_columns(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.receive(py, ResultKind::Columns, None)
    }

    /// Sends a reset of all environments. The results are received in batches.
    fn async_reset(&self, py: Python<'_>) -> PyResult<()> {
        self.send_reset(py, None, None, None, false)
    }

    /// Sends a reset, whose result is received by `recv(reset=True)`.
    #[pyo3(name = "_send_reset", signature = (env_id=None, seed=None, options=None, all_rows=false))]
    fn send_reset(
        &self,
        py: Python<'_>,
        env_id: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
        all_rows: bool,
    ) -> PyResult<()> {
        self.forget_delivered(py)?;
        let arguments = self.reset_arguments(py, env_id, seed, options)?;
        let call = self.prepare_reset(py, arguments, all_rows)?;
        self.send_call(py, call)
    }

    /// Waits for the next batch for at most `seconds`; `None` selects the pool's own timeout.
    #[pyo3(name = "_recv_within", signature = (seconds, reset=false))]
    fn recv_within(&self, py: Python<'_>, seconds: Option<f64>, reset: bool) -> PyResult<Py<PyAny>> {
        let method = if reset { ResultKind::Reset { with_info: true } } else { ResultKind::Step };
        let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
        self.receive(py, method, limit.and_then(|limit| Instant::now().checked_add(limit)))
    }

    /// Returns the number of rows that the next `recv` returns; `None` if no result of a sync pool is in flight.
    #[pyo3(name = "_next_rows")]
    fn next_rows(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        let deferred = self.results.enter(py).ok_or_else(busy_error)?.deferred_rows();
        if deferred.is_some() {
            return Ok(deferred);
        }
        self.call_engine(py, || self.pool.next_rows())
    }

    /// Receives the request in flight of a synchronous pool; without one, returns the result of the last call again.
    #[pyo3(name = "_recv_again")]
    fn recv_again(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if self.next_rows(py)?.is_some() {
            return self.receive(py, ResultKind::Step, None);
        }
        let delivered = self.results.enter(py).ok_or_else(busy_error)?.delivered(py);
        delivered.map(|(result, _)| result).ok_or_else(|| PyRuntimeError::new_err("recv: nothing has been sent"))
    }

    /// Returns the number of results that calls have returned, or have lost to an exception.
    #[pyo3(name = "_deliveries")]
    fn deliveries(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.results.enter(py).ok_or_else(busy_error)?.deliveries)
    }

    /// Returns statistics of the pool's work since the first call: seconds of recording, of waiting callers and of working
    /// workers; numbers of workers and of environments in flight; ends of the intervals in seconds, and the pool's histogram; for
    /// each environment numbers of steps, their nanoseconds, those of the longest step, numbers of resets and of restarts, and
    /// histograms.
    #[pyo3(name = "_statistics")]
    fn statistics(&self, py: Python<'_>) -> PyResult<StatisticsParts> {
        self.pool.check_usable().or_raise()?;
        let found = self.call_engine(py, || Ok(self.pool.statistics()))?;
        let ends = (0..INTERVALS - 1).map(|interval| FIRST_INTERVAL as f64 * 1e-9 * (interval as f64).exp2()).collect();
        let times = [found.elapsed, found.caller_wait, found.worker_time].map(|time| time.as_secs_f64());
        let lanes = [found.steps, found.time, found.longest, found.resets, found.restarts, found.histograms];
        Ok((times, [found.workers, found.in_flight], ends, found.histogram.to_vec(), lanes))
    }

    /// Returns copies of the environments' bit generators, as numpy's `PCG64.state`: `state`, `inc`, and `uinteger` if there is
    /// one. Entries are `None` for environments that draw from another generator.
    #[pyo3(name = "_bit_generators", signature = (env_ids=None))]
    fn bit_generators(&self, py: Python<'_>, env_ids: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Option<Pcg64State>>> {
        let ids = env_ids.filter(|ids| !ids.is_none()).map(super::convert::env_ids).transpose()?;
        self.check_callable()?;
        let generators = self.call_engine(py, || self.pool.bit_generators(ids.as_deref()))?;
        Ok(generators.iter().map(|generator| generator.as_ref().map(Pcg64::state)).collect())
    }

    /// Resets environments and returns the results. If `out` is given, the results are written into its arrays.
    #[expect(clippy::too_many_arguments, reason = "they are the keyword arguments of a Python method")]
    #[pyo3(signature = (env_id=None, seed=None, options=None, return_info=true, all_rows=false, *, out=None))]
    fn reset_envs(
        &self,
        py: Python<'_>,
        env_id: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
        return_info: bool,
        all_rows: bool,
        out: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        self.forget_delivered(py)?;
        let method = ResultKind::Reset { with_info: return_info };
        let out = out.map(|out| OutArgument::parse(&self.schema, out)).transpose()?;
        let arguments = self.reset_arguments(py, env_id, seed, options)?;
        if arguments.ids.is_none() {
            self.drain(py)?;
        }
        let call = self.prepare_reset(py, arguments, all_rows)?;
        match out {
            None => self.run(py, call, method),
            Some(out) => self.run_into(py, call, method, out),
        }
    }

    /// Returns snapshots of environments, each with its random generator.
    #[pyo3(signature = (env_ids=None))]
    fn get_state<'py>(&self, py: Python<'py>, env_ids: Option<&Bound<'py, PyAny>>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let ids = env_ids.filter(|ids| !ids.is_none()).map(super::convert::env_ids).transpose()?;
        self.check_callable()?;
        let states = self.wait(py, true, |interrupt| self.pool.get_state_until(ids.as_deref(), interrupt, None))?;
        states.into_iter().map(|state| to_bytes(py, &state)).collect() // frees each state after its copy
    }

    /// Restores the states of environments from snapshots of environments with the same task and options.
    #[pyo3(signature = (state, env_ids=None))]
    fn set_state(&self, py: Python<'_>, state: &Bound<'_, PyAny>, env_ids: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.restore(py, state, env_ids, true)
    }

    /// Restores states that differ from the current ones in options and queues of later episodes only, so that recordings continue.
    #[pyo3(name = "_set_changed_state", signature = (state, env_ids=None))]
    fn set_changed_state(&self, py: Python<'_>, state: &Bound<'_, PyAny>, env_ids: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.restore(py, state, env_ids, false)
    }

    /// Renders frames of environments as uint8 `(n, height, width, 3)`. With `depth`, returns also the distance of each pixel
    /// from the camera.
    #[pyo3(signature = (env_ids, width, height, camera=None, depth=false))]
    fn draw_pictures<'py>(
        &self,
        py: Python<'py>,
        env_ids: Option<&Bound<'py, PyAny>>,
        width: &Bound<'py, PyAny>,
        height: &Bound<'py, PyAny>,
        camera: Option<&Bound<'py, PyAny>>,
        depth: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ids = env_ids.filter(|ids| !ids.is_none()).map(super::convert::env_ids).transpose()?;
        let (width, height) = (small_integer("width", width)?, small_integer("height", height)?);
        let camera = camera.map(|camera| small_integer("camera_id", camera)).transpose()?;
        let shot = RenderArgs { width, height, camera, depth };
        self.check_callable()?;
        let drawn = self.wait(py, true, |interrupt| self.pool.render(ids.as_deref(), shot, interrupt))?;
        let FrameBatch { count, width, height, pixels, depth: distances } = drawn;
        let (width, height) = (width as usize, height as usize);
        let pixels = PyArray1::from_vec(py, pixels).reshape((count, height, width, 3))?;
        if !depth {
            return Ok(pixels.into_any());
        }
        let distances = PyArray1::from_vec(py, distances).reshape((count, height, width))?;
        Ok((pixels, distances).into_pyobject(py)?.into_any())
    }

    /// Renders the selected environments as text.
    #[pyo3(signature = (env_ids=None))]
    fn draw_texts(&self, py: Python<'_>, env_ids: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
        let ids = env_ids.filter(|ids| !ids.is_none()).map(super::convert::env_ids).transpose()?;
        self.check_callable()?;
        self.wait(py, true, |interrupt| self.pool.render_text(ids.as_deref(), interrupt))
    }

    /// Sets options of the next episodes of environments.
    #[pyo3(name = "_set_options", signature = (options, env_ids=None))]
    fn set_options(&self, py: Python<'_>, options: &Bound<'_, PyDict>, env_ids: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.set_episode_options(py, options, env_ids)
    }

    /// Returns the options in force in environments: a list of values by option.
    #[pyo3(name = "_get_options", signature = (env_ids=None))]
    fn get_options<'py>(&self, py: Python<'py>, env_ids: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyDict>> {
        self.episode_options(py, env_ids)
    }

    /// Appends resets to the queues of environments.
    #[pyo3(name = "_queue_resets", signature = (env_ids, seeds, options))]
    fn queue_resets(
        &self,
        py: Python<'_>,
        env_ids: Option<&Bound<'_, PyAny>>,
        seeds: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        self.queue_episode_resets(py, env_ids, seeds, options)
    }

    /// Returns the number of queued resets of environments.
    #[pyo3(name = "_queued_resets", signature = (env_ids=None))]
    fn queued_resets(&self, py: Python<'_>, env_ids: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<usize>> {
        self.queued_episode_resets(py, env_ids)
    }

    /// Removes all queued resets of environments.
    #[pyo3(name = "_clear_resets", signature = (env_ids=None))]
    fn clear_resets(&self, py: Python<'_>, env_ids: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.clear_queued_resets(py, env_ids)
    }

    /// Sends a pickled call to each environment of a backend, and returns the pickled replies.
    #[pyo3(name = "_ask", signature = (env_ids, payloads))]
    fn ask<'py>(
        &self,
        py: Python<'py>,
        env_ids: Option<&Bound<'py, PyAny>>,
        payloads: Vec<PyBackedBytes>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let ids = env_ids.filter(|ids| !ids.is_none()).map(super::convert::env_ids).transpose()?;
        let payloads = payloads_of(&payloads)?;
        self.check_callable()?;
        let answers = self.wait(py, true, |interrupt| self.pool.call_lanes(ids.as_deref(), &payloads, interrupt, None))?;
        let lanes = ids.unwrap_or_else(|| (0..answers.len() as i64).collect());
        let answer = |(lane, answer): (i64, Result<Payload, LaneError>)| match answer {
            Ok(answer) => to_bytes(py, answer.bytes()),
            Err(fault) => Err(self.fault(py, lane as usize, &fault)),
        };
        lanes.into_iter().zip(answers).map(answer).collect()
    }

    /// Closes the pool and frees all environments.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.end(py, None, false)
    }

    /// Closes the pool and frees all environments. Environments of a backend have `timeout` seconds to close before their
    /// processes are ended by force.
    #[pyo3(name = "_end", signature = (timeout, terminate))]
    fn end(&self, py: Python<'_>, timeout: Option<f64>, terminate: bool) -> PyResult<()> {
        let patience = Duration::try_from_secs_f64(timeout.unwrap_or(CLOSE_SECONDS).max(0.0)).ok();
        let until = patience.and_then(|patience| Instant::now().checked_add(patience));
        let faults = match (&self.backend, until) {
            (Some(_), until) => {
                let until = until.unwrap_or_else(|| Instant::now() + Duration::from_secs(1 << 30));
                self.closing.close(py, || self.pool.close_until(until, terminate))?
            }
            (None, _) if self.pool.has_backend() => {
                let pool = Arc::clone(&self.pool);
                self.closing.close_in_background(py, move || pool.close())?;
                Vec::new()
            }
            (None, _) => {
                py.detach(|| self.pool.close());
                Vec::new()
            }
        };
        // The results are dropped after they were taken out of the list, because dropping them may run Python code.
        let results = self.results.enter(py).map(|mut results| results.take_all());
        drop(results);
        self.check_callable()?;
        faults.first().map_or(Ok(()), |fault| Err(self.fault(py, 0, fault)))
    }

    /// Visits the Python callables that convert results, for the garbage collector.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.schema.traverse(&visit)?;
        self.results.inspect(|results| results.traverse(&visit)).unwrap_or(Ok(()))
    }
}

impl Drop for Pool {
    /// Closes a pool with a backend. Idle environments have 2 s to close; the pool does not wait for environments that are
    /// executing a request.
    fn drop(&mut self) {
        if self.backend.is_some() && !self.pool.is_closed() {
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
}

impl Pool {
    /// Restores states of environments; `is_moved`: whether these may differ from their current states.
    fn restore(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyAny>,
        env_ids: Option<&Bound<'_, PyAny>>,
        is_moved: bool,
    ) -> PyResult<()> {
        self.check_none_deferred(py)?;
        self.forget_delivered(py)?; // the environments leave the states of that result
        let ids = env_ids.filter(|ids| !ids.is_none()).map(super::convert::env_ids).transpose()?;
        if bytes(state).is_some() {
            return Err(PyTypeError::new_err("state is bytes: expected a sequence with one bytes object per environment"));
        }
        let wrong = |name, got: &Bound<'_, PyAny>, expected| {
            PyTypeError::new_err(format!("{name}={}: expected {expected}", brief_repr(got)))
        };
        let count = ids.as_ref().map_or(self.pool.config().num_envs, Vec::len);
        if state.is_instance_of::<PyString>() || state.try_iter().is_err() {
            return Err(wrong("state".to_owned(), state, "a sequence of bytes"));
        }
        let mut index = 0;
        let states = entries(state, count, |each| {
            let each = each?;
            let name = format!("state[{index}]");
            index += 1;
            bytes(&each).ok_or_else(|| wrong(name, &each, "bytes, as get_state returns them"))
        })?;
        let bytes: Vec<_> = states.iter().map(|state| state.as_bytes()).collect();
        self.check_callable()?;
        if is_moved {
            self.note_moved(py, ids.as_deref())?;
        }
        self.wait(py, true, |interrupt| self.pool.set_state_until(&bytes, ids.as_deref(), interrupt, None))
    }

    /// Returns the engine's pool.
    pub fn engine_pool(&self) -> &engine::Pool {
        &self.pool
    }

    /// Returns the registration of the pool for XLA programs.
    ///
    /// # Errors
    /// `RuntimeError` if the environments run in a backend.
    pub fn exposed(&self) -> PyResult<&ExposedPool> {
        self.pool.check_usable().or_raise()?;
        if self.backend.is_some() {
            return Err(PyRuntimeError::new_err("XLA programs support native environments only"));
        }
        if self.is_recording.load(Ordering::Relaxed) {
            return Err(PyRuntimeError::new_err(
                "this pool is recorded, and the steps of XLA programs would be missing: close the recording",
            ));
        }
        Ok(self.exposed.get_or_init(|| ExposedPool::new(&self.pool)))
    }
}
