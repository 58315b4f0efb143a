//! `Pool`: the engine's pool under Python's roof.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use numpy::{PyArray1, PyArrayMethods, PyUntypedArray};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyString};

use super::actions::{Actions, fill_single};
use super::closing::Closing;
use super::convert::{brief_repr, bytes, entries, entry_count, env_ids, integer, reset_options, small_integer};
use super::option_values::{DecidedParts, decided_parts};
use super::outside::{Failures, Inside, Interruptions, OutsideSpec, Reader, RemoteSpec};
use super::recycled_results::RecycledResults;
use super::results::{Callables, Method, RecycledResult, Shape};
use super::signals::Signals;
use super::spec::{Spec, format_of};
use super::under_lock::UnderLock;
use crate::engine::{
    self, Batch, Call, Error, Fault, Format, Interrupt, Message, Outputs, Pictures, ResetOptions, Shot, check_seed,
    consecutive_seeds, dialect_observation,
};
use crate::random::{Parts, Pcg64};
use crate::xla::ExposedPool;

/// Environments stepped in parallel. Subclass it, so that `env.step` is the Rust method itself.
#[pyclass(subclass, frozen, module = "envpool_rs._core")]
pub struct Pool {
    pool: Arc<engine::Pool>,
    /// What XLA programs know of it, once there are any.
    exposed: OnceLock<Arc<ExposedPool>>,
    shape: Shape,
    results: UnderLock<RecycledResults>,
    players: usize,
    /// What there is besides where the environments are played outside of the engine.
    outside: Option<Elsewhere>,
    closing: Closing,
}

/// What it takes to reach environments that are played outside of the engine.
struct Elsewhere {
    /// What reads actions that are not the engine's.
    reader: Option<Arc<Reader>>,
    failures: Arc<Failures>,
    timeout: Option<Duration>,
    inside: Inside,
}

impl Elsewhere {
    fn interruptions(&self) -> Interruptions {
        Interruptions::new(self.failures.raised.clone())
    }

    /// The exception for an error of the engine's.
    fn error(&self, py: Python<'_>, interruptions: Interruptions, error: Error) -> PyErr {
        interruptions.raised().unwrap_or_else(|| self.failures.error(py, error))
    }

    /// Does something that waits, for as long as its calls may.
    fn wait<T: Send>(
        &self,
        py: Python<'_>,
        wait: impl FnOnce(&mut dyn FnMut() -> bool, Option<Instant>) -> engine::Result<T> + Send,
    ) -> PyResult<T> {
        let mut interruptions = self.interruptions();
        let deadline = self.deadline();
        let done = py.detach(|| wait(&mut || interruptions.interrupted(), deadline));
        done.map_err(|error| self.error(py, interruptions, error))
    }

    fn deadline(&self) -> Option<Instant> {
        self.timeout.and_then(|timeout| Instant::now().checked_add(timeout))
    }
}

/// Seconds that environments outside of the engine have to close, unless another time is given.
const CLOSING: f64 = 5.0;

/// The same where nobody closes them, but nobody has them any more.
const LEAVING: Duration = Duration::from_secs(2);

fn busy() -> PyErr {
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
        let format = format_of(layout)?;
        let callables = |ends_in_steps| Callables { ends_in_steps, finish, timestep_type, observation_type };
        if let Ok(spec) = spec.cast::<OutsideSpec>() {
            return Self::outside(py, spec.get(), format, callables(spec.get().config.has_final_columns()));
        }
        if let Ok(spec) = spec.cast::<RemoteSpec>() {
            let spec = spec.get();
            return Self::remote(py, spec, format, callables(spec.config().has_final_columns()));
        }
        let spec = spec.cast::<Spec>()?.get();
        Self::native(py, spec, format, callables(spec.pool.has_final_columns()))
    }

    /// What was decided where options left it open, and why.
    #[getter]
    fn decided<'py>(&self, py: Python<'py>) -> PyResult<Vec<DecidedParts<'py>>> {
        self.pool.decided().iter().map(|decided| decided_parts(py, decided)).collect()
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self) -> bool {
        self.pool.is_closed()
    }

    /// `send` and `recv` in one call.
    #[pyo3(signature = (action, env_id=None))]
    fn step(&self, py: Python<'_>, action: &Bound<'_, PyAny>, env_id: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let call = self.prepare_step(py, action, env_id)?;
        self.run(py, call, Method::Step)
    }

    /// Queues one step of some environments.
    #[pyo3(signature = (action, env_id=None))]
    fn send(&self, py: Python<'_>, action: &Bound<'_, PyAny>, env_id: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let call = self.prepare_step(py, action, env_id)?;
        self.send_call(py, call)
    }

    /// Waits for the next batch.
    #[pyo3(signature = (reset=false, return_info=true))]
    fn recv(&self, py: Python<'_>, reset: bool, return_info: bool) -> PyResult<Py<PyAny>> {
        self.receive(py, if reset { Method::Reset { with_info: return_info } } else { Method::Step })
    }

    /// Waits for the next batch, and returns its arrays, each with the name of what it holds.
    #[pyo3(name = "_recv_columns")]
    fn recv_columns(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.receive(py, Method::Columns)
    }

    /// Queues a reset of all environments, to be received in batches.
    fn async_reset(&self, py: Python<'_>) -> PyResult<()> {
        self.send_reset(py, None, None, None, false)
    }

    /// Queues a reset, to be received by `recv(reset=True)`.
    #[pyo3(name = "_send_reset", signature = (env_id=None, seed=None, options=None, all_rows=false))]
    fn send_reset(
        &self,
        py: Python<'_>,
        env_id: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
        all_rows: bool,
    ) -> PyResult<()> {
        let arguments = self.reset_arguments(py, env_id, seed, options)?;
        let call = self.prepare_reset(py, arguments, all_rows)?;
        self.send_call(py, call)
    }

    /// `recv` that waits so many seconds at most; for those of the pool's own timeout where there are none.
    #[pyo3(name = "_recv_within", signature = (seconds, reset=false))]
    fn recv_within(&self, py: Python<'_>, seconds: Option<f64>, reset: bool) -> PyResult<Py<PyAny>> {
        let method = if reset { Method::Reset { with_info: true } } else { Method::Step };
        self.pool.check_usable()?;
        let patience = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
        let deadline = patience.and_then(|patience| Instant::now().checked_add(patience));
        if let Some(outside) = &self.outside {
            return self.recv_outside_until(py, outside, method, deadline.or_else(|| outside.deadline()));
        }
        let mut spare = self.pool.is_async().then(|| self.acquire(py)).transpose()?;
        let mut signals = Signals::default();
        let received = py.detach(|| self.pool.recv_until(&mut spare, &mut || signals.interrupted(), deadline));
        self.conclude(py, received, spare, signals, method)
    }

    /// Copies of the environments' bit generators, as numpy's `PCG64.state` has them: `state`, `inc`, and `uinteger` where there is one;
    /// nothing for those that draw from another generator.
    #[pyo3(name = "_bit_generators", signature = (env_ids=None))]
    fn bit_generators(&self, env_ids: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Option<Parts>>> {
        let ids = env_ids.filter(|ids| !ids.is_none()).map(super::convert::env_ids).transpose()?;
        let generators = self.pool.bit_generators(ids.as_deref())?;
        Ok(generators.iter().map(|generator| generator.as_ref().map(Pcg64::parts)).collect())
    }

    /// Resets environments now.
    #[pyo3(signature = (env_id=None, seed=None, options=None, return_info=true, all_rows=false))]
    fn reset_envs(
        &self,
        py: Python<'_>,
        env_id: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
        return_info: bool,
        all_rows: bool,
    ) -> PyResult<Py<PyAny>> {
        let arguments = self.reset_arguments(py, env_id, seed, options)?;
        if arguments.ids.is_none() {
            self.drain(py)?;
        }
        let call = self.prepare_reset(py, arguments, all_rows)?;
        self.run(py, call, Method::Reset { with_info: return_info })
    }

    /// Snapshots of environments with their generators.
    #[pyo3(signature = (env_ids=None))]
    fn get_state<'py>(&self, py: Python<'py>, env_ids: Option<&Bound<'py, PyAny>>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let ids = env_ids.filter(|ids| !ids.is_none()).map(super::convert::env_ids).transpose()?;
        self.check_callable()?;
        let states = self.ask_and_wait(py, |pool, interrupt| pool.get_state_until(ids.as_deref(), interrupt, None))?;
        Ok(states.iter().map(|state| PyBytes::new(py, state)).collect())
    }

    /// Restores snapshots of the same task and options.
    #[pyo3(signature = (state, env_ids=None))]
    fn set_state(&self, py: Python<'_>, state: &Bound<'_, PyAny>, env_ids: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
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
        self.ask_and_wait(py, |pool, interrupt| pool.set_state_until(&bytes, ids.as_deref(), interrupt, None))
    }

    /// Pictures of environments; with `depth` beside how far away each pixel is.
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
        let shot = Shot { width, height, camera, depth };
        let mut signals = Signals::default();
        let drawn = py.detach(|| self.pool.render(ids.as_deref(), shot, &mut || signals.interrupted()));
        let Pictures { count, width, height, pixels, depth: distances } = drawn.map_err(|error| signals.error(error))?;
        let (width, height) = (width as usize, height as usize);
        let pixels = PyArray1::from_vec(py, pixels).reshape((count, height, width, 3))?;
        if !depth {
            return Ok(pixels.into_any());
        }
        let distances = PyArray1::from_vec(py, distances).reshape((count, height, width))?;
        Ok((pixels, distances).into_pyobject(py)?.into_any())
    }

    /// Environments in text.
    #[pyo3(signature = (env_ids=None))]
    fn draw_texts(&self, py: Python<'_>, env_ids: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
        let ids = env_ids.filter(|ids| !ids.is_none()).map(super::convert::env_ids).transpose()?;
        let mut signals = Signals::default();
        let texts = py.detach(|| self.pool.render_text(ids.as_deref(), &mut || signals.interrupted()));
        texts.map_err(|error| signals.error(error))
    }

    /// Asks environments that are played outside of the engine for something else; what each answers.
    #[pyo3(name = "_ask", signature = (env_ids, payloads))]
    fn ask<'py>(
        &self,
        py: Python<'py>,
        env_ids: Option<&Bound<'py, PyAny>>,
        payloads: Vec<PyBackedBytes>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let ids = env_ids.filter(|ids| !ids.is_none()).map(super::convert::env_ids).transpose()?;
        let payloads: Vec<Message> = payloads.iter().map(|payload| Message::from(&payload[..])).collect();
        self.check_callable()?;
        let answers = match &self.outside {
            Some(outside) => outside.wait(py, |interrupt, _| self.pool.ask(ids.as_deref(), &payloads, interrupt, None))?,
            None => self.pool.ask(ids.as_deref(), &payloads, &mut || false, None)?,
        };
        let lanes = ids.unwrap_or_else(|| (0..answers.len() as i64).collect());
        let answer = |(lane, answer): (i64, Result<Message, Fault>)| match answer {
            Ok(answer) => Ok(PyBytes::new(py, answer.bytes())),
            Err(fault) => Err(self.fault(py, lane as usize, &fault)),
        };
        lanes.into_iter().zip(answers).map(answer).collect()
    }

    /// Frees all environments.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.end(py, None, false)
    }

    /// The same; those that are played outside of the engine have `timeout` seconds to end in good order.
    #[pyo3(name = "_end", signature = (timeout, terminate))]
    fn end(&self, py: Python<'_>, timeout: Option<f64>, terminate: bool) -> PyResult<()> {
        let patience = Duration::try_from_secs_f64(timeout.unwrap_or(CLOSING).max(0.0)).ok();
        let until = patience.and_then(|patience| Instant::now().checked_add(patience));
        let faults = match (&self.outside, until) {
            (Some(_), until) => {
                let until = until.unwrap_or_else(|| Instant::now() + Duration::from_secs(1 << 30));
                self.closing.once(py, || self.pool.close_until(until, terminate))?
            }
            (None, _) if self.pool.is_outside() => {
                let pool = Arc::clone(&self.pool);
                self.closing.in_background(py, move || pool.close())?;
                Vec::new()
            }
            (None, _) => {
                py.detach(|| self.pool.close());
                Vec::new()
            }
        };
        // Dropped outside of the list: they may run Python code.
        let results = self.results.enter(py).map(|mut results| results.take_all());
        drop(results);
        self.check_callable()?;
        faults.first().map_or(Ok(()), |fault| Err(self.fault(py, 0, fault)))
    }

    /// Visits the callables that make results, for the garbage collector.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.shape.traverse(&visit)
    }
}

impl Drop for Pool {
    /// Environments outside of the engine have a moment to end in good order, but for those that are busy: nobody waits for them.
    fn drop(&mut self) {
        if self.outside.is_some() && !self.pool.is_closed() {
            let leave = |py: Python<'_>| {
                // Python code that runs with an exception pending raises SystemError instead of the exception.
                let pending = PyErr::take(py);
                py.detach(|| self.pool.close_until(Instant::now() + LEAVING, true));
                if let Some(pending) = pending {
                    pending.restore(py);
                }
            };
            let _told_to_nobody = Python::try_attach(leave);
        }
    }
}

impl Pool {
    fn native(py: Python<'_>, spec: &Spec, format: Format, callables: Callables) -> PyResult<Self> {
        let outputs = Outputs { dialect: spec.dialect, format };
        let config = spec.pool.clone();
        let mut signals = Signals::default();
        let pool = py.detach(|| engine::Pool::mixed_unless(&spec.groups, config, outputs, &mut || signals.interrupted()));
        let pool = pool.map_err(|error| signals.error(error))?;
        let env = spec.env();
        let keys: Vec<_> = env.info.iter().map(|info| info.key).collect();
        let observation = dialect_observation(env, spec.dialect);
        let shape = Shape::new(py, pool.layout(), &observation, &keys, (spec.dialect, format), callables);
        Ok(Self::around(pool, shape, env.players, None))
    }

    fn outside(py: Python<'_>, spec: &OutsideSpec, format: Format, callables: Callables) -> PyResult<Self> {
        let outputs = Outputs { dialect: spec.dialect, format };
        let outside = spec.outside(py)?;
        let pool = py.detach(|| engine::Pool::outside(outside, spec.form.clone(), spec.config.clone(), outputs))?;
        let shape = Shape::outside(py, pool.layout(), Arc::clone(&spec.shown), (spec.dialect, format), callables);
        let (reader, failures) = (Some(Arc::clone(&spec.reader)), Arc::clone(&spec.failures));
        let inside = spec.shared.inside.clone();
        Ok(Self::around(pool, shape, 1, Some(Elsewhere { reader, failures, timeout: spec.timeout, inside })))
    }

    fn remote(py: Python<'_>, spec: &RemoteSpec, format: Format, callables: Callables) -> PyResult<Self> {
        let outputs = spec.outputs(format);
        let (failures, inside) = (Arc::new(spec.failures(py)?), Inside::default());
        let pool = spec.pool(py, format, failures.raised.clone(), inside.clone())?;
        let (observation, keys) = spec.arrays();
        let shape = Shape::new(py, pool.layout(), &observation, &keys, (outputs.dialect, format), callables);
        let shape = shape.remote(spec.read_only);
        let players = spec.spec.get().env().players;
        Ok(Self::around(pool, shape, players, Some(Elsewhere { reader: None, failures, timeout: None, inside })))
    }

    fn around(pool: engine::Pool, shape: Shape, players: usize, outside: Option<Elsewhere>) -> Self {
        let results = UnderLock::new(RecycledResults::new(&shape, pool.ring_places()));
        Self { pool: Arc::new(pool), exposed: OnceLock::new(), shape, results, players, outside, closing: Closing::new() }
    }

    /// Refuses code that runs in the middle of another call of the pool's, and raises what was raised while an earlier call waited for
    /// something else, which got its result.
    fn check_callable(&self) -> PyResult<()> {
        let Some(outside) = &self.outside else { return Ok(()) };
        if outside.inside.is_mine() {
            return Err(busy());
        }
        outside.failures.raised.take().map_or(Ok(()), Err)
    }

    fn fault(&self, py: Python<'_>, lane: usize, fault: &Fault) -> PyErr {
        match &self.outside {
            Some(outside) => outside.failures.rebuilt(py, lane, fault, None),
            None => Error::from(fault.clone()).into(),
        }
    }

    /// Asks the pool for something that takes no time but may lock what a thread holds that waits for the interpreter's lock.
    #[inline]
    fn ask_pool<'a, T: Send>(
        &'a self,
        py: Python<'_>,
        ask: impl FnOnce(&'a engine::Pool) -> engine::Result<T> + Send,
    ) -> PyResult<T> {
        match &self.outside {
            None => Ok(ask(&self.pool)?),
            Some(outside) => py.detach(|| ask(&self.pool)).map_err(|error| outside.failures.error(py, error)),
        }
    }

    /// Asks the pool for something that environments outside of the engine take their time for.
    fn ask_and_wait<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&engine::Pool, Interrupt<'_>) -> engine::Result<T> + Send,
    ) -> PyResult<T> {
        match &self.outside {
            None => {
                let mut signals = Signals::default();
                let asked = py.detach(|| ask(&self.pool, &mut || signals.interrupted()));
                asked.map_err(|error| signals.error(error))
            }
            Some(outside) => outside.wait(py, |interrupt, _| ask(&self.pool, interrupt)),
        }
    }

    /// The options of a reset: numbers by name, or whatever the environments take that are played outside of the engine.
    fn reset_options(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<ResetOptions> {
        let reader = self.outside.as_ref().and_then(|outside| outside.reader.as_ref());
        let (Some(reader), Some(options)) = (reader, options) else { return reset_options(options) };
        let keywords = PyDict::new(py);
        keywords.set_item("options", options)?;
        let pickled = reader.dumps.bind(py).call1((keywords,))?.cast_into::<PyBytes>()?;
        Ok(ResetOptions::opaque(Message::from(pickled.as_bytes())))
    }

    /// Converts the arguments of a reset.
    fn reset_arguments(
        &self,
        py: Python<'_>,
        env_id: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<ResetArguments> {
        let ids = env_id.filter(|ids| !ids.is_none()).map(env_ids).transpose()?;
        let count = ids.as_ref().map_or(self.pool.config().num_envs, Vec::len);
        let seeds = reset_seeds(seed.filter(|seed| !seed.is_none()), ids.as_deref(), count)?;
        let options = self.reset_options(py, options)?;
        self.check_callable()?;
        Ok(ResetArguments { ids, seeds, options })
    }

    fn prepare_reset(&self, py: Python<'_>, arguments: ResetArguments, all_rows: bool) -> PyResult<Call<'_>> {
        let ResetArguments { ids, seeds, options } = arguments;
        self.ask_pool(py, |pool| match ids {
            Some(ids) if all_rows => masked_reset(pool, &ids, &seeds, options),
            ids => pool.reset(ids.as_deref(), seeds, options),
        })
    }

    #[inline]
    fn prepare_step(&self, py: Python<'_>, action: &Bound<'_, PyAny>, env_id: Option<&Bound<'_, PyAny>>) -> PyResult<Call<'_>> {
        if self.outside.is_some() {
            return self.prepare_step_outside(py, action, env_id);
        }
        if let (None, Ok(array)) = (env_id, action.cast_exact::<PyUntypedArray>()) {
            // What trainers do: all environments, one array.
            let mut call = self.pool.step(None)?;
            if let Some(filled) = fill_single(&mut call, self.pool.action_keys(), array) {
                return filled.map(|()| call);
            }
        }
        let actions = Actions::new(action, env_id)?;
        let mut call = self.pool.step(actions.ids.as_deref())?;
        actions.fill(&mut call, self.pool.action_keys(), self.players)?;
        Ok(call)
    }

    #[inline(never)]
    fn prepare_step_outside(
        &self,
        py: Python<'_>,
        action: &Bound<'_, PyAny>,
        env_id: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Call<'_>> {
        self.pool.check_usable()?;
        self.check_callable()?;
        let Some(reader) = self.outside.as_ref().and_then(|outside| outside.reader.as_ref()) else {
            let actions = Actions::new(action, env_id)?;
            let mut call = self.ask_pool(py, |pool| pool.step(actions.ids.as_deref()))?;
            actions.fill(&mut call, self.pool.action_keys(), self.players)?;
            return Ok(call);
        };
        let taken = reader.take(action, env_id)?;
        let mut call = self.ask_pool(py, |pool| pool.step(taken.ids.as_deref()))?;
        self.check_callable()?; // before anything is sent
        reader.fill(&mut call, self.pool.action_keys()[0].carried, &taken)?;
        Ok(call)
    }

    /// Plays a prepared call and shows its results.
    #[inline]
    fn run(&self, py: Python<'_>, call: Call<'_>, method: Method) -> PyResult<Py<PyAny>> {
        if let Some(outside) = &self.outside {
            return self.run_outside(py, outside, call, method);
        }
        let mut batch = Some(self.acquire(py)?);
        let mut signals = Signals::default();
        let received = match self.pool.is_heavy(call.lanes()) {
            true => py.detach(|| call.run(&mut batch, &mut || signals.interrupted())),
            false => call.run(&mut batch, &mut || signals.interrupted()),
        };
        self.conclude(py, received, batch, signals, method)
    }

    #[inline]
    fn receive(&self, py: Python<'_>, method: Method) -> PyResult<Py<PyAny>> {
        self.pool.check_usable()?;
        if let Some(outside) = &self.outside {
            return self.recv_outside(py, outside, method);
        }
        let mut spare = self.pool.is_async().then(|| self.acquire(py)).transpose()?;
        let mut signals = Signals::default();
        let heavy = self.pool.is_heavy(self.pool.config().batch_size);
        let received = match heavy || !self.pool.is_async() {
            true => py.detach(|| self.pool.recv(&mut spare, &mut || signals.interrupted())),
            false => self.pool.recv(&mut spare, &mut || signals.interrupted()),
        };
        self.conclude(py, received, spare, signals, method)
    }

    #[inline(never)]
    fn recv_outside(&self, py: Python<'_>, outside: &Elsewhere, method: Method) -> PyResult<Py<PyAny>> {
        self.recv_outside_until(py, outside, method, outside.deadline())
    }

    fn recv_outside_until(
        &self,
        py: Python<'_>,
        outside: &Elsewhere,
        method: Method,
        deadline: Option<Instant>,
    ) -> PyResult<Py<PyAny>> {
        self.check_callable()?;
        if let Some(untold) = self.show_untold(py)? {
            return Ok(untold);
        }
        let mut spare = self.pool.is_async().then(|| self.acquire(py)).transpose()?;
        let received = outside.wait(py, |interrupt, _| self.pool.recv_until(&mut spare, interrupt, deadline));
        self.conclude_outside(py, received, spare, method)
    }

    #[inline(never)]
    fn run_outside(&self, py: Python<'_>, outside: &Elsewhere, call: Call<'_>, method: Method) -> PyResult<Py<PyAny>> {
        self.check_all_told(py)?;
        let mut batch = Some(self.acquire(py)?);
        let received = outside.wait(py, |interrupt, deadline| call.run_until(&mut batch, interrupt, deadline));
        self.conclude_outside(py, received, batch, method)
    }

    /// As `conclude`, of environments that may have more to tell than the batch's arrays.
    fn conclude_outside(
        &self,
        py: Python<'_>,
        received: PyResult<Box<Batch>>,
        spare: Option<Box<Batch>>,
        method: Method,
    ) -> PyResult<Py<PyAny>> {
        let mut results = self.results.enter(py).ok_or_else(busy)?;
        if let Some(spare) = spare {
            results.put_back(spare);
        }
        let batch = received?;
        let tag = batch.tag;
        let again = method == Method::Step && !self.shape.tells(&batch);
        let mut batch = Some(batch);
        let result = results.get(tag).filter(|_| again);
        if let Some(again) = result.and_then(|result| result.show_again(py, &mut batch)) {
            return Ok(again);
        }
        let result = results.take(tag);
        drop(results);
        let shown = result.zip(batch).ok_or_else(|| self.without_objects())?;
        self.show(py, shown, method)
    }

    /// Shows a received batch, and puts memory that was not needed back.
    #[inline]
    fn conclude(
        &self,
        py: Python<'_>,
        received: engine::Result<Box<Batch>>,
        spare: Option<Box<Batch>>,
        signals: Signals,
        method: Method,
    ) -> PyResult<Py<PyAny>> {
        let mut results = self.results.enter(py).ok_or_else(busy)?;
        if let Some(spare) = spare {
            results.put_back(spare);
        }
        let mut batch = received.map_err(|error| signals.error(error))?;
        if !results.knows(&batch) {
            drop(results);
            self.adopt(py, &mut batch)?;
            results = self.results.enter(py).ok_or_else(busy)?;
        }
        let tag = batch.tag;
        let mut batch = Some(batch);
        let result = results.get(tag).filter(|_| method == Method::Step);
        if let Some(again) = result.and_then(|result| result.show_again(py, &mut batch)) {
            return Ok(again);
        }
        let result = results.take(tag);
        drop(results);
        let shown = result.zip(batch).ok_or_else(|| self.without_objects())?;
        self.show(py, shown, method)
    }

    /// The error for a batch whose objects are gone: a signal handler or another thread has closed the pool.
    #[cold]
    fn without_objects(&self) -> PyErr {
        self.pool.check_usable().map_or_else(PyErr::from, |()| busy())
    }

    /// Finds objects for a batch that an XLA program sent its steps with.
    #[cold]
    fn adopt(&self, py: Python<'_>, batch: &mut Batch) -> PyResult<()> {
        let old = self.acquire(py)?;
        self.results.enter(py).ok_or_else(busy)?.adopt(&self.shape, batch, old);
        Ok(())
    }

    /// What XLA programs know of it.
    pub fn exposed(&self) -> PyResult<&ExposedPool> {
        self.pool.check_usable()?;
        if self.outside.is_some() {
            return Err(PyRuntimeError::new_err("programs of XLA reach native environments only"));
        }
        Ok(self.exposed.get_or_init(|| ExposedPool::new(&self.pool)))
    }

    #[inline(never)]
    fn show(
        &self,
        py: Python<'_>,
        (mut result, batch): (Box<RecycledResult>, Box<Batch>),
        method: Method,
    ) -> PyResult<Py<PyAny>> {
        let tag = batch.tag;
        let shown = result.show(py, &self.shape, batch, method);
        let is_untold = result.is_untold();
        let mut results = self.results.enter(py).ok_or_else(busy)?;
        results.restore(tag, result);
        if is_untold {
            results.keep_untold(tag, method);
        }
        shown
    }

    /// The oldest result that Python raised out of, if there is one.
    fn show_untold(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let taken = {
            let mut results = self.results.enter(py).ok_or_else(busy)?;
            results.oldest_untold().and_then(|(tag, method)| Some((tag, method, results.take(tag)?)))
        };
        let Some((tag, method, mut result)) = taken else { return Ok(None) };
        let shown = result.tell(py, &self.shape, method);
        let mut results = self.results.enter(py).ok_or_else(busy)?;
        results.restore(tag, result);
        if shown.is_ok() {
            results.take_untold();
        }
        shown.map(Some)
    }

    /// Refuses to answer a request at once where there is an older result.
    fn check_all_told(&self, py: Python<'_>) -> PyResult<()> {
        match self.results.enter(py).ok_or_else(busy)?.oldest_untold() {
            None => Ok(()),
            Some(_) => Err(PyRuntimeError::new_err("results of an earlier send are waiting: recv them first")),
        }
    }

    #[inline]
    fn acquire(&self, py: Python<'_>) -> PyResult<Box<Batch>> {
        let mut results = self.results.enter(py).ok_or_else(busy)?;
        match results.acquire(py, &self.shape, &self.pool) {
            Ok(batch) => Ok(batch),
            Err(index) => {
                let result = results.take(index);
                drop(results);
                self.release(py, index, result.expect("it was seen to be held"))
            }
        }
    }

    /// The batch of a result that someone still holds.
    #[cold]
    fn release(&self, py: Python<'_>, index: usize, mut result: Box<RecycledResult>) -> PyResult<Box<Batch>> {
        let batch = result.release(py, &self.shape);
        self.results.enter(py).ok_or_else(busy)?.restore(index, result);
        Ok(batch)
    }

    fn send_call(&self, py: Python<'_>, call: Call<'_>) -> PyResult<()> {
        self.reclaim(py)?;
        let batch = (!self.pool.is_async()).then(|| self.acquire(py)).transpose()?;
        match &self.outside {
            None => Ok(call.send(batch)?),
            Some(outside) => py.detach(|| call.send(batch)).map_err(|error| outside.failures.error(py, error)),
        }
    }

    /// Takes back the batches that an XLA program received steps of Python's in.
    fn reclaim(&self, py: Python<'_>) -> PyResult<()> {
        let Some(exposed) = self.exposed.get().filter(|_| !self.pool.is_async()) else { return Ok(()) };
        let mut results = self.results.enter(py).ok_or_else(busy)?;
        exposed.reclaim(|batch| results.knows(batch)).into_iter().for_each(|batch| results.put_back(batch));
        Ok(())
    }

    /// Waits for what is in flight and throws it away, so that a reset of all environments always goes through.
    fn drain(&self, py: Python<'_>) -> PyResult<()> {
        let thrown = match &self.outside {
            Some(outside) => outside.wait(py, |interrupt, deadline| self.pool.drain_until(interrupt, deadline))?,
            None => {
                let mut signals = Signals::default();
                let thrown = py.detach(|| self.pool.drain(&mut || signals.interrupted()));
                thrown.map_err(|error| signals.error(error))?
            }
        };
        let untold = self.results.enter(py).ok_or_else(busy)?.forget_untold();
        drop(untold); // outside of the list: it may run Python code
        let mut results = self.results.enter(py).ok_or_else(busy)?;
        thrown.into_iter().for_each(|batch| results.put_back(batch));
        Ok(())
    }
}

/// What a reset is asked for.
struct ResetArguments {
    ids: Option<Vec<i64>>,
    seeds: Vec<Option<u64>>,
    options: ResetOptions,
}

/// A reset of `ids` with a row for every environment.
fn masked_reset<'a>(
    pool: &'a engine::Pool,
    ids: &[i64],
    seeds: &[Option<u64>],
    options: ResetOptions,
) -> engine::Result<Call<'a>> {
    if pool.is_async() {
        return Err(Error::Value("all_rows needs a pool whose batch_size is num_envs".into()));
    }
    drop(pool.reset(Some(ids), Vec::new(), options.clone())?); // checks the ids
    let count = pool.config().num_envs;
    let (mut only, mut lane_seeds) = (vec![false; count], vec![None; count]);
    for (index, id) in ids.iter().enumerate() {
        only[*id as usize] = true;
        lane_seeds[*id as usize] = seeds.get(index).copied().flatten();
    }
    pool.reset_masked(only, lane_seeds, options)
}

/// The seeds of a reset, one per environment that it is for; none at all where it is without.
fn reset_seeds(seed: Option<&Bound<'_, PyAny>>, ids: Option<&[i64]>, count: usize) -> PyResult<Vec<Option<u64>>> {
    let Some(seed) = seed else { return Ok(Vec::new()) };
    if seed.try_iter().is_ok() {
        let entry = |entry: PyResult<Bound<'_, PyAny>>| {
            let entry = entry?;
            if entry.is_none() { Ok(None) } else { Ok(Some(check_seed(integer("seed", &entry)?)?)) }
        };
        let seeds = entries(seed, count, entry)?;
        return match seeds.len() == count {
            true => Ok(seeds),
            false => {
                let got = entry_count(seeds.len(), count);
                Err(PyValueError::new_err(format!("seed has {got}: expected {count}")))
            }
        };
    }
    let first = integer("seed", seed)?;
    match ids {
        None => Ok(consecutive_seeds(first, count)?.into_iter().map(Some).collect()),
        Some(ids) => ids.iter().map(|id| Ok(Some(check_seed(first.saturating_add(i128::from(*id)))?))).collect(),
    }
}
