//! `Caller`: sends requests to environments of other processes (and its own), and collects their replies.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use numpy::{PyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PySequence};

use super::super::convert;
use super::env_host::EnvHost;
use super::leaf_type::{data, new_array};
use super::plain_infos::read_info;
use super::plain_values::{plain_array, write_rows, write_value};
use super::shared_block::SharedBlock;
use crate::raise::{OrRaise, Raise};
use envpool_rs_engine::fork;
use envpool_rs_transport::{self as transport, Block, Held, Operation, RowLayout, RowSet, flags};

/// Limit of one wait, so that the caller can check whether all processes are alive.
const LOOK_AROUND: Duration = Duration::from_millis(50);

/// Size in bytes from which copying takes long enough (some 50 µs) to release the interpreter's lock.
const LARGE: usize = 1 << 19;

/// Caller's side of a block.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct Caller {
    shared: Py<SharedBlock>,
    host: Option<Py<EnvHost>>,
    generation: u32,
    /// True while actions are written into the slots: that may run Python code, which must not send others.
    writing: AtomicBool,
}

/// Ends the writing of actions when dropped.
struct Writing<'a>(&'a AtomicBool);

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Result of `take`: leaves, rewards, terminated, truncated, flags, and the union of all flags.
type Taken<'py> = (
    Option<Vec<Bound<'py, PyUntypedArray>>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<u32>>,
    u32,
);

impl Caller {
    fn block(&self) -> PyResult<&Block> {
        if fork::generation() != self.generation {
            return Err(PyRuntimeError::new_err("these environments belong to the parent process: make others after the fork"));
        }
        let block = &self.shared.get().block;
        if block.is_closing() {
            return Err(PyRuntimeError::new_err("these environments are closed"));
        }
        Ok(block)
    }

    /// Returns the environments of an argument; all for `None`.
    fn ids(block: &Block, ids: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<usize>> {
        let Some(ids) = ids else { return Ok((0..block.num_envs()).collect()) };
        convert::env_ids(ids)?.into_iter().map(|id| Self::one(block, id)).collect()
    }

    fn one(block: &Block, env_id: i64) -> PyResult<usize> {
        let last = block.num_envs() - 1;
        let id = usize::try_from(env_id).ok().filter(|id| *id <= last);
        id.ok_or_else(|| transport::Error::Index(format!("env_id {env_id}: expected 0 to {last}")).into_py_err())
    }

    /// Sends a request to each of `ids`. Claims the environments while it writes: pickling an action runs Python code, which may
    /// call back or let another thread run.
    fn send(
        &self,
        ids: &[usize],
        write: impl FnOnce(&mut [Held<'_>]) -> PyResult<()>,
        operation: impl Fn(usize) -> Operation,
    ) -> PyResult<()> {
        let caller = transport::Caller::new(self.block()?);
        caller.check_idle(ids).or_raise()?;
        if self.writing.swap(true, Ordering::Acquire) {
            return Err(PyRuntimeError::new_err("another request is being sent: expected one sender at a time"));
        }
        let _writing = Writing(&self.writing);
        let mut held = caller.hold_idle(ids).or_raise()?;
        let written = write(&mut held);
        if fork::generation() != self.generation {
            // Pickling an action has forked: this is the child, and only the parent may release the claims.
            held.into_iter().for_each(std::mem::forget);
            return written.and_then(|()| self.block().map(drop));
        }
        written?;
        held.into_iter().enumerate().for_each(|(k, held)| held.post(operation(k)));
        caller.ring(ids);
        Ok(())
    }

    /// Runs requests of the caller's own environments, while fewer than `count` of `among` are finished.
    fn play_own_share(&self, py: Python<'_>, block: &Block, among: Option<&[usize]>, count: usize) -> PyResult<()> {
        let Some(host) = &self.host else { return Ok(()) };
        let caller = transport::Caller::new(block);
        host.get().play_until(py, || caller.has_finished(among, count)).map_or(Ok(()), Err)
    }
}

#[pymethods]
impl Caller {
    /// Creates the caller of `block`; `host` runs the caller's own environments.
    #[new]
    #[pyo3(signature = (block, host=None))]
    fn new(block: Py<SharedBlock>, host: Option<Py<EnvHost>>) -> Self {
        fork::watch();
        Self { shared: block, host, generation: fork::generation(), writing: AtomicBool::new(false) }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.host.iter().try_for_each(|host| visit.call(host))
    }

    /// Sends an action to each of `ids` (`None`: all).
    fn send_steps(&self, ids: Option<&Bound<'_, PyAny>>, actions: &Bound<'_, PyAny>, dumps: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = Self::ids(self.block()?, ids)?;
        self.send(&ids, |held| write_actions(held, actions, dumps), |_| Operation::STEP)
    }

    /// Sends a reset to each of `ids` (`None`: all). Each has a seed (or `None`); the pickled keywords apply to all.
    #[pyo3(signature = (ids, seeds=None, keywords=None))]
    fn send_resets(
        &self,
        ids: Option<&Bound<'_, PyAny>>,
        seeds: Option<Vec<Option<i64>>>,
        keywords: Option<&[u8]>,
    ) -> PyResult<()> {
        let block = self.block()?;
        let ids = Self::ids(block, ids)?;
        transport::Caller::new(block).check_idle(&ids).or_raise()?;
        if let Some(seeds) = seeds.as_ref().filter(|seeds| seeds.len() != ids.len()) {
            let text = format!("seed has {} entries: expected {}, one for each environment", seeds.len(), ids.len());
            return Err(PyValueError::new_err(text));
        }
        let seed = |k: usize| seeds.as_ref().and_then(|seeds| seeds[k]);
        self.send(&ids, |held| write_to_all(held, keywords.unwrap_or_default()), |k| Operation::Reset { seed: seed(k) })
    }

    /// Sends a pickled call to an environment.
    fn send_call(&self, env_id: i64, payload: &[u8]) -> PyResult<()> {
        let env = Self::one(self.block()?, env_id)?;
        self.send(&[env], |held| write_to_all(held, payload), |_| Operation::Call)
    }

    /// Returns up to `count` of `ids` (`None`: all) that have finished, in order of completion. Returns fewer after `timeout`
    /// seconds or some 50 ms.
    #[pyo3(signature = (ids, count, timeout=None))]
    fn wait<'py>(
        &self,
        py: Python<'py>,
        ids: Option<&Bound<'py, PyAny>>,
        count: usize,
        timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let block = self.block()?;
        let among = ids.map(|ids| Self::ids(block, Some(ids))).transpose()?;
        let limit = match timeout {
            None => LOOK_AROUND,
            Some(seconds) if seconds >= 0.0 => Duration::try_from_secs_f64(seconds).unwrap_or(LOOK_AROUND).min(LOOK_AROUND),
            Some(seconds) => return Err(PyValueError::new_err(format!("timeout={seconds}: expected at least 0"))),
        };
        let among = among.as_deref();
        self.play_own_share(py, block, among, count)?;
        let caller = transport::Caller::new(block);
        if !caller.has_finished(among, count) {
            py.detach(|| caller.wait(among, count, limit));
            py.check_signals()?;
        }
        let finished: Vec<i64> = caller.finished(among, count).into_iter().map(|env| env as i64).collect();
        Ok(PyArray1::from_vec(py, finished))
    }

    /// Collects the replies of `ids` (`None`: all), which are idle afterwards. Without `copy`, returns no observations.
    #[pyo3(signature = (ids, copy=true))]
    fn take<'py>(&self, py: Python<'py>, ids: Option<&Bound<'py, PyAny>>, copy: bool) -> PyResult<Taken<'py>> {
        let block = self.block()?;
        let ids = Self::ids(block, ids)?;
        let held = transport::Caller::new(block).hold_finished(&ids).or_raise()?;
        let leaves = if copy { self.leaves(py, block, &held)? } else { None };
        let completions: Vec<_> = held.iter().map(Held::completion).collect();
        held.into_iter().for_each(Held::release);
        Ok((
            leaves,
            PyArray1::from_iter(py, completions.iter().map(|completion| completion.reward)),
            PyArray1::from_iter(py, completions.iter().map(|completion| completion.terminated)),
            PyArray1::from_iter(py, completions.iter().map(|completion| completion.truncated)),
            PyArray1::from_iter(py, completions.iter().map(|completion| completion.flags)),
            completions.iter().fold(0, |all, completion| all | completion.flags),
        ))
    }

    /// Returns copies of the leaves of one environment's last observation.
    fn rows<'py>(&self, py: Python<'py>, env_id: i64) -> PyResult<Vec<Bound<'py, PyUntypedArray>>> {
        let block = self.block()?;
        self.copies(py, &[block.hold_quiet(Self::one(block, env_id)?).or_raise()?], None)
    }

    /// Returns the message of an environment's last reply; empty if there was none.
    fn message<'py>(&self, py: Python<'py>, env_id: i64) -> PyResult<Bound<'py, PyBytes>> {
        let block = self.block()?;
        block.hold_quiet(Self::one(block, env_id)?).or_raise()?.read_reply(|bytes| PyBytes::new(py, bytes)).or_raise()
    }

    /// Returns the numeric infos of the last replies of `ids` (`None`: all). An entry is an empty dict if there is no info, or
    /// one of another kind.
    fn infos<'py>(&self, py: Python<'py>, ids: Option<&Bound<'py, PyAny>>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let block = self.block()?;
        let info = |env: usize| {
            let held = block.hold_quiet(env).or_raise()?;
            match held.completion().flags & flags::PLAIN_INFO {
                0 => Ok(PyDict::new(py)),
                _ => held.read_reply(|message| read_info(py, message)).or_raise()?,
            }
        };
        Self::ids(block, ids)?.into_iter().map(info).collect()
    }

    /// Returns the state of each environment's request: 0 idle, 1 requested, 2 running, 3 finished.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let block = self.block()?;
        Ok(PyArray1::from_iter(py, (0..block.num_envs()).map(|env| block.state(env) as u8)))
    }

    /// Marks the requests of a dead worker process as lost, and returns their environments.
    fn lose_worker(&self, worker: usize) -> PyResult<Vec<usize>> {
        let block = self.block()?;
        check_worker(block, worker)?;
        // SAFETY: the Python side has waited for the process, which no longer exists; `lose_worker` refuses threads of this
        // process.
        unsafe { transport::Caller::new(block).lose_worker(worker) }.or_raise()
    }

    /// Prepares the block for a new process of a worker.
    fn renew_worker(&self, worker: usize) -> PyResult<()> {
        let block = self.block()?;
        check_worker(block, worker)?;
        transport::Caller::new(block).renew_worker(worker);
        Ok(())
    }

    /// Requests that all workers end. Closing twice is allowed, and closing in a forked child does nothing.
    fn close(&self) {
        if fork::generation() == self.generation {
            self.shared.get().block.close();
        }
    }
}

impl Caller {
    fn leaves<'py>(
        &self,
        py: Python<'py>,
        block: &Block,
        held: &[Held<'_>],
    ) -> PyResult<Option<Vec<Bound<'py, PyUntypedArray>>>> {
        if !block.layout().is_some_and(RowLayout::is_uniform) {
            return Ok(None);
        }
        self.copies(py, held, Some(held.len())).map(Some)
    }

    /// Copies observations: an array for each leaf, with `rows` as its first dimension if given.
    fn copies<'py>(&self, py: Python<'py>, held: &[Held<'_>], rows: Option<usize>) -> PyResult<Vec<Bound<'py, PyUntypedArray>>> {
        let first = held.first().map_or(0, Held::env);
        let copy = |(index, leaf): (usize, &super::leaf_type::LeafType)| {
            let array = new_array(leaf.descr(py), &leaf.shape_of(rows))?;
            let to = NewElements { begin: data(&array), bytes: leaf.bytes * held.len() };
            let copy = || copy_rows(held, index, to);
            let copied = if leaf.bytes * held.len() > LARGE { py.detach(copy) } else { copy() };
            if copied { Ok(array) } else { Err(PyRuntimeError::new_err("these environments have no rows of this leaf")) }
        };
        self.shared.get().leaves_of(first).iter().enumerate().map(copy).collect()
    }
}

/// Elements of a new array without other holders.
struct NewElements {
    begin: *mut u8,
    bytes: usize,
}

// SAFETY: `copies` creates the array and hands it out only after it is filled, so one thread at a time accesses it.
unsafe impl Send for NewElements {}

/// Copies a leaf's row of each environment to `to`, one after the other. Returns false if an environment has no such row, or one
/// of another length.
fn copy_rows(held: &[Held<'_>], leaf: usize, to: NewElements) -> bool {
    let NewElements { begin, bytes } = to;
    let mut copied = 0;
    for env in held {
        let Some(row) = env.row(leaf, RowSet::Current).filter(|row| copied + row.len() <= bytes) else { return false };
        // SAFETY: the array has room for the row after the previous ones: `copied + row.len() <= bytes` is checked above.
        unsafe { begin.add(copied).copy_from_nonoverlapping(row.as_ptr(), row.len()) };
        copied += row.len();
    }
    copied == bytes
}

fn write_to_all(held: &mut [Held<'_>], message: &[u8]) -> PyResult<()> {
    held.iter_mut().try_for_each(|env| env.write_request(message, &[])).or_raise()
}

fn check_worker(block: &Block, worker: usize) -> PyResult<()> {
    let count = block.num_workers();
    if worker < count {
        return Ok(());
    }
    Err(transport::Error::Index(format!("worker={worker}: expected one of {count}")).into_py_err())
}

/// Writes an action for each environment: rows of a plain array, or objects one by one.
fn write_actions(held: &mut [Held<'_>], actions: &Bound<'_, PyAny>, dumps: &Bound<'_, PyAny>) -> PyResult<()> {
    let array = actions.cast::<PyUntypedArray>().ok().filter(|array| array.ndim() > 0);
    let count = match &array {
        Some(array) => array.shape()[0],
        None => actions.len()?,
    };
    if count != held.len() {
        let text = format!("action has {count} entries: expected {}, one for each environment", held.len());
        return Err(PyValueError::new_err(text));
    }
    if let Some(array) = array
        && let Some(rows) = plain_array(array)?
    {
        return write_rows(held, &rows);
    }
    if let Ok(list) = actions.cast::<PyList>() {
        // An index each time: pickling may run code that changes the list.
        return held.iter_mut().enumerate().try_for_each(|(k, env)| write_value(env, &list.get_item(k)?, dumps));
    }
    let sequence = actions.cast::<PySequence>().ok();
    for (k, env) in held.iter_mut().enumerate() {
        let action = match sequence {
            Some(sequence) => sequence.get_item(k)?,
            None => actions.get_item(k)?,
        };
        write_value(env, &action, dumps)?;
    }
    Ok(())
}
