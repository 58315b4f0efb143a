//! `EnvHost`: runs requests on Python environments in one process.

mod results;

use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use self::results::{contains_only_arrays, is_time_limit, observation_and_info, step_values};
use super::plain_infos::write_info;
use super::plain_values::read_value;
use super::shared_block::SharedBlock;
use super::structure::LeafTree;
use crate::callbacks;
use crate::convert::to_bytes;
use crate::raise::OrRaise;
use envpool_rs_engine::fork;
use envpool_rs_transport::{Completion, Operation, RequestState, RowSet, ShmSegment, Worker, WorkerClaim, flags};

/// A Python environment that this process runs.
struct HostedEnv {
    id: usize,
    env: Py<PyAny>,
    structure: Option<LeafTree>,
    /// Names of the keyword arguments that the environment's `reset` requires. An argument that the caller does not pass is
    /// `None`.
    required: Vec<Py<PyString>>,
    /// Callable that returns whether a pair, of which the second part is a dict, is an observation. `None` if no observation of the
    /// environment is such a pair.
    is_observation: Option<Py<PyAny>>,
}

/// Python environments of one process, and the callables that run requests on them.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct EnvHost {
    shared: Py<SharedBlock>,
    block: Arc<ShmSegment>,
    hosted: Vec<HostedEnv>,
    /// Fork generation of the process that runs the environments.
    generation: u32,
    lenient: bool,
    conform: Py<PyAny>,
    dumps: Py<PyAny>,
    loads: Py<PyAny>,
    failure: Py<PyAny>,
    call: Py<PyAny>,
    /// By environment, an object whose method `keywords` changes the keyword arguments of resets; empty for most hosts.
    schedules: Option<Py<PyDict>>,
}

/// Values of a step request that decide how the step ends: whether the episode is truncated, and whether the next episode starts.
#[derive(Clone, Copy)]
struct EndOfEpisode {
    /// Whether the episode is truncated at this step, whatever the environment returns.
    is_truncated: bool,
    /// Whether the next episode starts in the same reply (same-step autoreset).
    autoreset: bool,
}

/// Reply of an environment, before it is written into shared memory.
#[derive(Default)]
struct Reply<'py> {
    completion: Completion,
    /// Parts of the reply that do not fit into the control words and the rows.
    message: Option<Bound<'py, PyDict>>,
    /// Info in the numeric encoding. The encoded info is the complete message if the message has no other part. Otherwise, the
    /// info becomes a part of the pickled message.
    plain_info: Option<Vec<u8>>,
    info: Option<Bound<'py, PyAny>>,
}

impl<'py> Reply<'py> {
    fn add(&mut self, key: &Bound<'py, PyAny>, value: &Bound<'py, PyAny>) -> PyResult<()> {
        let py = key.py();
        let message = self.message.get_or_insert_with(|| PyDict::new(py));
        if let Some(info) = self.info.take() {
            message.set_item(intern!(py, "info"), info)?;
        }
        message.set_item(key, value)
    }

    /// Adds an info to the reply. The numeric encoding is used if the info is the message's only part and takes at most `most`
    /// bytes.
    fn add_info(&mut self, info: &Bound<'py, PyAny>, most: usize) -> PyResult<()> {
        if self.message.is_none()
            && let Some(plain) = write_info(info, most)
        {
            (self.plain_info, self.info) = (Some(plain), Some(info.clone()));
            return Ok(());
        }
        self.add(intern!(info.py(), "info"), info)
    }
}

#[pymethods]
impl EnvHost {
    /// Creates the host of the environments `envs`, which have the ids `env_ids` in the block.
    #[expect(clippy::too_many_arguments, reason = "Python's keywords name them")]
    #[new]
    #[pyo3(signature = (
        block, env_ids, envs, structures, *, lenient, conform, dumps, failure, call, required=None, is_observation=None,
        schedules=None
    ))]
    fn new(
        block: &Bound<'_, SharedBlock>,
        env_ids: Vec<usize>,
        envs: Vec<Py<PyAny>>,
        structures: Vec<Bound<'_, PyAny>>,
        lenient: bool,
        conform: Py<PyAny>,
        dumps: Py<PyAny>,
        failure: Py<PyAny>,
        call: Py<PyAny>,
        required: Option<Vec<Vec<Py<PyString>>>>,
        is_observation: Option<Vec<Option<Py<PyAny>>>>,
        schedules: Option<Py<PyDict>>,
    ) -> PyResult<Self> {
        let shared = block.get();
        if envs.len() != env_ids.len() || structures.len() != env_ids.len() {
            return Err(PyValueError::new_err("env_ids, envs and structures: expected as many of each"));
        }
        if let Some(id) = env_ids.iter().find(|id| **id >= shared.block.num_envs()) {
            return Err(PyIndexError::new_err(format!("env_id {id}: expected one of the block's")));
        }
        let required = required.unwrap_or_default().into_iter().chain(std::iter::repeat_with(Vec::new));
        let is_observation = is_observation.unwrap_or_default().into_iter().chain(std::iter::repeat_with(|| None));
        type Parts<'py> = (((usize, Py<PyAny>), Bound<'py, PyAny>), (Vec<Py<PyString>>, Option<Py<PyAny>>));
        let host = |(((id, env), structure), (required, is_observation)): Parts<'_>| {
            let structure = if structure.is_none() { None } else { Some(LeafTree::new(&structure)?) };
            Ok(HostedEnv { id, env, structure, required, is_observation })
        };
        let envs = env_ids.into_iter().zip(envs).zip(structures).zip(required.zip(is_observation));
        let hosted = envs.map(host).collect::<PyResult<Vec<_>>>()?;
        let loads = block.py().import("pickle")?.getattr("loads")?.unbind();
        fork::install_handler();
        Ok(Self {
            shared: block.clone().unbind(),
            block: Arc::clone(&shared.block),
            hosted,
            generation: fork::generation(),
            lenient,
            conform,
            dumps,
            loads,
            failure,
            call,
            schedules,
        })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Self { hosted, conform, dumps, failure, call, schedules, .. } = self;
        schedules.as_ref().map_or(Ok(()), |schedules| visit.call(schedules))?;
        let of_envs = hosted.iter().flat_map(|hosted| std::iter::once(&hosted.env).chain(&hosted.is_observation));
        of_envs.chain([conform, dumps, failure, call]).try_for_each(|object| visit.call(object))
    }

    /// Runs the requests of a worker until the block closes.
    fn serve(&self, py: Python<'_>, worker: usize) -> PyResult<()> {
        let mut worker = Worker::new(&self.block, worker).or_raise()?;
        while !self.block.is_closing() {
            let Some(playing) = worker.try_next() else {
                py.detach(|| worker.wait());
                py.check_signals()?;
                continue;
            };
            // A worker ignores interrupts, because the calling process decides when workers end.
            self.run_request(py, playing);
        }
        Ok(())
    }
}

impl EnvHost {
    /// Returns the ids of the environments that this process runs.
    fn env_ids(&self) -> impl Iterator<Item = usize> {
        self.hosted.iter().map(|hosted| hosted.id)
    }

    /// Runs an environment's request. Returns the interrupt that a signal handler raised inside the environment.
    fn run_request(&self, py: Python<'_>, mut claim: WorkerClaim<'_>) -> Option<PyErr> {
        let (completion, interrupted) = match self.answer(py, &mut claim) {
            Ok(completion) => (completion, None),
            Err(error) => {
                let interrupted = error.is_instance_of::<PyKeyboardInterrupt>(py).then(|| error.clone_ref(py));
                (self.answer_failure(py, &mut claim, error), interrupted)
            }
        };
        claim.finish(completion);
        interrupted
    }

    /// Runs pending requests of this host's environments until `enough` returns true. Returns the interrupt that a signal handler
    /// raised inside an environment.
    pub fn run_requests_until(&self, py: Python<'_>, enough: impl Fn() -> bool) -> Option<PyErr> {
        let _entered = callbacks::enter(py);
        for env in self.env_ids() {
            if self.block.state(env) != RequestState::Requested {
                continue;
            }
            if enough() {
                break;
            }
            if let Some(raised) = self.block.claim_requested(env).and_then(|playing| self.run_request(py, playing)) {
                return Some(raised);
            }
        }
        None
    }

    /// Returns `returned`, the result of an environment's method. If the method has forked the process, the child exits instead,
    /// before it can write into rows and messages of its parent.
    fn exit_if_forked<T>(&self, returned: T) -> T {
        if fork::generation() != self.generation {
            end_fork();
        }
        returned
    }

    fn answer(&self, py: Python<'_>, claim: &mut WorkerClaim<'_>) -> PyResult<Completion> {
        let env = claim.env();
        let hosted = self
            .hosted
            .iter()
            .find(|hosted| hosted.id == env)
            .ok_or_else(|| PyRuntimeError::new_err(format!("environment {env} is not in this process")))?;
        let mut reply = match claim.operation() {
            Operation::Step { truncate, autoreset } => {
                self.step(py, hosted, claim, EndOfEpisode { is_truncated: truncate, autoreset })?
            }
            Operation::Reset { seed, is_discarded } => self.answer_reset(py, hosted, (seed, is_discarded), claim)?,
            Operation::Call => return self.answer_call(py, claim),
        };
        if let (None, Some(info)) = (&reply.message, &reply.plain_info) {
            claim.write_reply(info).or_raise()?;
            reply.completion.flags |= flags::PLAIN_INFO;
        }
        if let Some(message) = reply.message {
            let pickled = self.dumps.bind(py).call1((message,))?.cast_into::<PyBytes>()?;
            claim.write_reply(pickled.as_bytes()).or_raise()?;
            reply.completion.flags |= flags::MESSAGE;
        }
        Ok(reply.completion)
    }

    fn answer_call(&self, py: Python<'_>, claim: &mut WorkerClaim<'_>) -> PyResult<Completion> {
        let payload = claim.read_request(|bytes| to_bytes(py, bytes)).or_raise()??;
        let answer = self.exit_if_forked(self.call.bind(py).call1((claim.env(), payload)))?.cast_into::<PyBytes>()?;
        claim.write_reply(answer.as_bytes()).or_raise()?;
        Ok(Completion { flags: flags::CALL | flags::MESSAGE, ..Completion::default() })
    }

    /// Writes an exception as the reply, and returns the completion of the request.
    fn answer_failure(&self, py: Python<'_>, claim: &mut WorkerClaim<'_>, error: PyErr) -> Completion {
        let asked = claim.operation();
        let operation = match asked {
            Operation::Step { .. } => "step",
            Operation::Reset { .. } => "reset",
            Operation::Call => "call",
        };
        let call = if asked == Operation::Call { flags::CALL } else { 0 };
        let described = self.failure.bind(py).call1((claim.env(), operation, error.into_value(py)));
        let written = described.and_then(|bytes| {
            let bytes = bytes.cast_into::<PyBytes>()?;
            claim.write_reply(bytes.as_bytes()).or_raise()
        });
        let message = if written.is_ok() { flags::MESSAGE } else { 0 };
        Completion { flags: flags::FAILED | call | message, ..Completion::default() }
    }

    fn answer_reset<'py>(
        &self,
        py: Python<'py>,
        hosted: &HostedEnv,
        (seed, is_discarded): (Option<i64>, bool),
        claim: &mut WorkerClaim<'_>,
    ) -> PyResult<Reply<'py>> {
        let keywords = claim.read_request(|bytes| (!bytes.is_empty()).then(|| to_bytes(py, bytes)).transpose()).or_raise()??;
        let mut keywords = match keywords {
            Some(pickled) => Some(self.loads.bind(py).call1((pickled,))?.cast_into::<PyDict>()?),
            None => None,
        };
        if let Some(seed) = seed {
            keywords.get_or_insert_with(|| PyDict::new(py)).set_item(intern!(py, "seed"), seed)?;
        }
        for name in &hosted.required {
            let keywords = keywords.get_or_insert_with(|| PyDict::new(py));
            if !keywords.contains(name)? {
                keywords.set_item(name, py.None())?;
            }
        }
        let mut reply = Reply::default();
        self.reset(py, hosted, (keywords.as_ref(), !is_discarded), claim, &mut reply)?;
        Ok(reply)
    }

    /// Resets an environment, and adds its results to `reply`. The reset may take an entry of the environment's queue, if
    /// `takes_queued`.
    fn reset<'py>(
        &self,
        py: Python<'py>,
        hosted: &HostedEnv,
        (keywords, takes_queued): (Option<&Bound<'py, PyDict>>, bool),
        claim: &mut WorkerClaim<'_>,
        reply: &mut Reply<'py>,
    ) -> PyResult<()> {
        let scheduled = self.scheduled(py, hosted, keywords, takes_queued)?;
        let keywords = scheduled.as_ref().or(keywords);
        let result = self.exit_if_forked(hosted.env.bind(py).call_method(intern!(py, "reset"), (), keywords))?;
        match observation_and_info(&result, hosted.is_observation.as_ref())? {
            Some((observation, info)) => {
                self.add_info(reply, &info)?;
                self.add_observation(hosted, claim, reply, &observation, RowSet::Current)
            }
            None => self.add_observation(hosted, claim, reply, &result, RowSet::Current),
        }
    }

    /// Returns the keyword arguments of a reset with options and seeds that were given earlier; `None` if there are none.
    fn scheduled<'py>(
        &self,
        py: Python<'py>,
        hosted: &HostedEnv,
        keywords: Option<&Bound<'py, PyDict>>,
        takes_queued: bool,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(schedules) = self.schedules.as_ref().map(|schedules| schedules.bind(py)).filter(|each| !each.is_empty()) else {
            return Ok(None);
        };
        let Some(schedule) = schedules.get_item(hosted.id)? else { return Ok(None) };
        Ok(Some(schedule.call_method1(intern!(py, "keywords"), (keywords, takes_queued))?.cast_into::<PyDict>()?))
    }

    fn step<'py>(
        &self,
        py: Python<'py>,
        hosted: &HostedEnv,
        claim: &mut WorkerClaim<'_>,
        end: EndOfEpisode,
    ) -> PyResult<Reply<'py>> {
        let mut reply = Reply::default();
        let loads = self.loads.bind(py);
        let action = claim.read_request(|bytes| read_value(py, bytes, loads)).or_raise()??;
        let result = self.exit_if_forked(hosted.env.bind(py).call_method1(intern!(py, "step"), (action,)))?;
        let values = step_values(&result)?;
        let (observation, reward, info) = (&values[0], &values[1], &values[values.len() - 1]);
        self.add_reward(&mut reply, reward)?;
        if values.len() == 5 {
            (reply.completion.terminated, reply.completion.truncated) = (values[2].is_truthy()?, values[3].is_truthy()?);
        } else {
            reply.completion.flags |= flags::FOUR_VALUES;
            let (done, at_limit) = (values[2].is_truthy()?, is_time_limit(info)?);
            (reply.completion.terminated, reply.completion.truncated) = (done && !at_limit, done && at_limit);
        }
        let ended = reply.completion.terminated || reply.completion.truncated;
        if (ended || end.is_truncated) && end.autoreset {
            reply.completion.flags |= flags::FINAL;
            self.add_observation(hosted, claim, &mut reply, observation, RowSet::Final)?;
            if !self.lenient && reply.completion.flags & flags::FINAL_IN_ROW != 0 && !contains_only_arrays(observation) {
                // The observation is added in the form in which the environment returned it: a row would turn a Python number
                // into a numpy scalar.
                reply.add(intern!(py, "final_observation"), observation)?;
            }
            if self.has_info(info)? {
                reply.add(intern!(py, "final_info"), info)?;
            }
            // The values of the terminal step are pickled before the reset, because the environment may reuse its objects.
            let terminal = reply.message.take().map(|message| self.dumps.bind(py).call1((message,)));
            self.reset(py, hosted, (None, true), claim, &mut reply)?;
            if let Some(pickled) = terminal {
                reply.add(intern!(py, "terminal"), &pickled?)?;
            }
            return Ok(reply);
        }
        self.add_info(&mut reply, info)?;
        self.add_observation(hosted, claim, &mut reply, observation, RowSet::Current)?;
        Ok(reply)
    }
}

/// Ends a process that an environment forked, because two processes must not answer the same request.
fn end_fork() -> ! {
    #[cfg(unix)]
    // SAFETY: `_exit` ends the process at once, without running the exit handlers, which belong to the parent.
    unsafe {
        libc::_exit(0)
    }
    #[cfg(not(unix))]
    std::process::exit(0)
}
