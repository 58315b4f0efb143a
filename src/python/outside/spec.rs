//! `OutsideSpec`: specification of a pool whose environments run in worker processes.

use std::sync::Arc;
use std::time::Duration;

use numpy::{PyArrayDescr, PyArrayDescrMethods};
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use super::actions::ActionParser;
use super::failures::ExceptionMapper;
use super::processes::BackendContext;
use super::shown::ResultAdapter;
use super::workers::Workers;
use crate::raise::OrRaise;
use crate::spec::{parse_autoreset_mode, parse_dialect};
use crate::transport::plain_values::row_head;
use crate::transport::structure::LeafTree;
use envpool_rs_engine::{
    ActionEncoding, ActionKey, BackendSpec, Dialect, Dtype, FirstStepPolicy, LaneBackend, LeafSpec, PoolConfig, RecoveryConfig,
    RecoveryPolicy,
};

/// Specification of a pool whose environments run in worker processes. It holds the workers, the environments' arrays and
/// options, and the format of results.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct OutsideSpec {
    workers: Py<Workers>,
    pub dialect: Dialect,
    pub config: PoolConfig,
    pub backend_spec: BackendSpec,
    /// Specifications of the observation's leaves, with the dtypes of the environments' rows, in the order in which the rows
    /// store them.
    rows: Vec<LeafSpec>,
    /// Whether an array after these leaves holds the rewards of all players.
    has_reward_leaf: bool,
    /// Header of the messages that contain actions.
    action_head: Vec<u8>,
    pub adapter: Arc<ResultAdapter>,
    pub action_parser: Arc<ActionParser>,
    pub exceptions: Arc<ExceptionMapper>,
    pub timeout: Option<Duration>,
    pub shared: BackendContext,
}

/// Leaf as Python passes it: dtype of rows, shape of one row (of one player, if players share spaces), dtype of results.
type Leaf<'py> = (Bound<'py, PyAny>, Vec<usize>, Bound<'py, PyAny>);

/// Returns the engine's dtype for a numpy dtype; a dtype of raw bytes if the engine has no equivalent.
pub(super) fn engine_dtype(descr: &Bound<'_, PyArrayDescr>) -> Dtype {
    match (descr.kind(), descr.itemsize()) {
        (b'b', 1) => Dtype::Bool,
        (b'u', 1) => Dtype::U8,
        (b'i', 1) => Dtype::I8,
        (b'i', 4) => Dtype::I32,
        (b'i', 8) => Dtype::I64,
        (b'f', 4) => Dtype::F32,
        (b'f', 8) => Dtype::F64,
        (_, bytes) => Dtype::Raw(bytes as u32),
    }
}

#[pymethods]
impl OutsideSpec {
    #[expect(clippy::too_many_arguments, reason = "Python's keywords name them")]
    #[new]
    #[pyo3(signature = (
        workers, *, dialect, num_envs, batch_size, autoreset_mode, max_episode_steps, record_episode_statistics, seeds, restart,
        timeout, copy, leaves, structure, tells_always, action, rows_of_actions, take_apart, dumps, tell, rebuilt, task,
        players=None, shared_spaces=false
    ))]
    fn new(
        py: Python<'_>,
        workers: Py<Workers>,
        dialect: &str,
        num_envs: i64,
        batch_size: i64,
        autoreset_mode: &Bound<'_, PyAny>,
        max_episode_steps: Option<u32>,
        record_episode_statistics: bool,
        seeds: Option<Vec<Option<u64>>>,
        restart: bool,
        timeout: Option<&Bound<'_, PyAny>>,
        copy: bool,
        leaves: Vec<Leaf<'_>>,
        structure: Option<&Bound<'_, PyAny>>,
        tells_always: bool,
        action: Option<(Bound<'_, PyAny>, Vec<usize>)>,
        rows_of_actions: Py<PyAny>,
        take_apart: Py<PyAny>,
        dumps: Py<PyAny>,
        tell: Py<PyAny>,
        rebuilt: Py<PyAny>,
        task: String,
        players: Option<usize>,
        shared_spaces: bool,
    ) -> PyResult<Self> {
        let mut config = PoolConfig::new(num_envs).or_raise()?.batch_size(batch_size).or_raise()?;
        config.autoreset_mode = self::parse_autoreset_mode(autoreset_mode)?;
        config.first_step = match parse_dialect(dialect)? {
            Dialect::EnvPool => FirstStepPolicy::Reset,
            Dialect::Gymnasium => FirstStepPolicy::Allow,
        };
        (config.max_episode_steps, config.episode_statistics) = (max_episode_steps, record_episode_statistics);
        let dialect = parse_dialect(dialect)?;
        let (mut rows, mut results, mut descriptors) = (Vec::new(), Vec::new(), Vec::new());
        for (of_rows, shape, of_results) in &leaves {
            let (of_rows, of_results) = (PyArrayDescr::new(py, of_rows)?, PyArrayDescr::new(py, of_results)?);
            let rows_per_env = if shared_spaces { players.unwrap_or(1) } else { 1 };
            rows.push(LeafSpec { rows: rows_per_env, ..LeafSpec::new(engine_dtype(&of_rows), shape) });
            results.push(LeafSpec { rows: rows_per_env, ..LeafSpec::new(engine_dtype(&of_results), shape) });
            descriptors.push(of_results.unbind());
        }
        let action_dtype = action.as_ref().map(|(dtype, _)| dtype.clone().unbind());
        let (key, head) = action_key(py, action)?;
        let structure = structure.map(LeafTree::new).transpose()?;
        if structure.as_ref().is_some_and(|structure| structure.leaves() != leaves.len()) {
            return Err(PyValueError::new_err("structure: expected one leaf for each entry of leaves"));
        }
        let policy = if restart { RecoveryPolicy::NewEpisode } else { RecoveryPolicy::Raise };
        let form = BackendSpec {
            players: players.unwrap_or(1),
            seeds: seeds.unwrap_or_default(),
            recovery: RecoveryConfig { policy, ..RecoveryConfig::default() },
            task,
            ..BackendSpec::new(results, vec![key])
        };
        let seconds = timeout.map(|timeout| timeout.extract::<f64>()).transpose()?;
        let shared = BackendContext::default();
        let (raised, objects) = (shared.pending.clone(), shared.objects.clone());
        Ok(Self {
            workers,
            dialect,
            config,
            backend_spec: form,
            rows,
            has_reward_leaf: players.is_some(),
            action_head: head,
            adapter: Arc::new(ResultAdapter { structure, descriptors, tell, always_augments: tells_always, copy, objects }),
            action_parser: Arc::new(ActionParser { rows: rows_of_actions, split_dict: take_apart, dumps, dtype: action_dtype }),
            exceptions: Arc::new(ExceptionMapper { rebuilt, pending: raised, timeout: timeout.map(ToString::to_string) }),
            // A timeout that is too long for `Duration` means no time limit.
            timeout: seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            shared,
        })
    }

    /// Visits the workers for the garbage collector. Objects that several pools share by `Arc` are not visited, because the
    /// collector would count them once for each owner.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.workers)
    }
}

/// Returns the key of the action array, and the header of its messages. Without `action`, each action is sent as a separate
/// message.
fn action_key(py: Python<'_>, action: Option<(Bound<'_, PyAny>, Vec<usize>)>) -> PyResult<(ActionKey, Vec<u8>)> {
    let (carried, shape, head) = match action {
        None => (ActionEncoding::Payloads, Vec::new(), Vec::new()),
        Some((dtype, shape)) => {
            let descr = PyArrayDescr::new(py, dtype)?;
            let head = row_head(&descr, &shape);
            (ActionEncoding::Raw(descr.itemsize()), shape, head)
        }
    };
    let (counts, discrete) = (Vec::new(), None);
    Ok((
        ActionKey { name: "action".to_owned(), shape, rows: 1, discrete, counts, is_f64: false, encoding: carried, hint: "" },
        head,
    ))
}

impl OutsideSpec {
    /// Creates the backend that runs the environments in worker processes.
    pub fn backend(&self, py: Python<'_>) -> PyResult<Box<dyn LaneBackend>> {
        self.workers.get().create_backend(
            py,
            &self.backend_spec.actions[0],
            &self.action_head,
            self.rows.clone(),
            self.has_reward_leaf.then_some(self.backend_spec.players),
            self.shared.clone(),
        )
    }
}
