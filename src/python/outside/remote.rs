//! Pools in other processes: `RemoteSpec` describes the calling side, and `RemoteHost` runs the environments on a host.

use std::time::Instant;

use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::failures::{ExceptionMapper, PendingException, raised_error};
use super::inside::ReentrancyFlag;
use crate::convert::to_bytes;
use crate::raise::OrRaise;
use crate::signals::Signals;
use crate::spec::{Spec, parse_format};
use envpool_rs_engine::{
    self as engine, ActionKey, BackendSpec, Error, Format, HostLoss, LaneError, Layout, LeafSpec, NormalizationConfig, Outputs,
    PoolConfig, RecoveryConfig, RecoveryPolicy, SeedDerivation, Space, dialect_infos, dialect_observation, dialect_reward,
};
use envpool_rs_interop::remote::{self, Delivery, HostTransport, WireColumns};

/// Spec of a pool whose environments run in pools of other processes.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct RemoteSpec {
    pub spec: Py<Spec>,
    carrier: Py<PyAny>,
    /// Number of environments of each host.
    envs_per_host: Vec<usize>,
    policy: RecoveryPolicy,
    /// Size in bytes above which the arrays of a result are read-only.
    pub read_only: usize,
}

/// Number of times in a row that a host must be lost, without a reply in between, before it is no longer restarted.
const MAX_CONSECUTIVE_LOSSES: u32 = 3;

#[pymethods]
impl RemoteSpec {
    /// Creates the spec. `recovery` is `None`, `"new_episode"`, or the number of requests between snapshots.
    #[new]
    #[pyo3(signature = (spec, carrier, shares, *, recovery, read_only=None))]
    fn new(
        spec: Py<Spec>,
        carrier: Py<PyAny>,
        shares: Vec<usize>,
        recovery: Option<&Bound<'_, PyAny>>,
        read_only: Option<usize>,
    ) -> PyResult<Self> {
        let policy = match recovery {
            None => RecoveryPolicy::Raise,
            Some(recovery) => match recovery.extract() {
                Ok(every) => RecoveryPolicy::Resume { snapshot_interval: every },
                Err(_) => RecoveryPolicy::NewEpisode,
            },
        };
        let num_envs = spec.get().pool.num_envs;
        if shares.contains(&0) || shares.iter().sum::<usize>() != num_envs {
            return Err(PyValueError::new_err(format!("shares={shares:?}: expected {num_envs} environments")));
        }
        Ok(Self { spec, carrier, envs_per_host: shares, policy, read_only: read_only.unwrap_or(usize::MAX) })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.spec)?;
        visit.call(&self.carrier)
    }
}

impl RemoteSpec {
    /// Returns dialect and format of the pool's results.
    pub fn outputs(&self, format: Format) -> Outputs {
        Outputs { dialect: self.spec.get().dialect, format }
    }

    /// Returns the pool's configuration. It has no time limit, because the pools on the hosts apply the time limit.
    pub fn config(&self) -> PoolConfig {
        PoolConfig { max_episode_steps: None, ..self.spec.get().pool.clone() }
    }

    /// Returns the observation space in the pool's dialect, and the keys of infos.
    pub fn arrays(&self) -> (Space, Vec<&'static str>) {
        let spec = self.spec.get();
        let infos = dialect_infos(spec.env(), spec.dialect).into_iter();
        (dialect_observation(spec.env(), spec.dialect), infos.map(|(index, _)| spec.env().info[index].key).collect())
    }

    fn backend_spec(&self) -> BackendSpec {
        let spec = self.spec.get();
        let env = spec.env();
        let leaf = |dtype, shape: &[usize], rows| LeafSpec { rows, ..LeafSpec::new(dtype, shape) };
        let observation = dialect_observation(env, spec.dialect);
        let leaves = observation.leaves().iter().map(|each| leaf(each.space.dtype(), each.space.shape(), env.rows())).collect();
        let infos = dialect_infos(env, spec.dialect);
        BackendSpec {
            players: env.players,
            info_timings: infos.iter().map(|(index, _)| env.info[*index].timing).collect(),
            infos: infos.iter().map(|(index, dtype)| leaf(*dtype, &env.info[*index].shape, 1)).collect(),
            seeds: spec.pool.seeds.iter().copied().map(Some).collect(),
            nested_pools: Some(spec.groups.iter().map(|group| (group.num_envs, group.describe())).collect()),
            envpool_reward: dialect_reward(env, engine::Dialect::EnvPool),
            recovery: RecoveryConfig {
                policy: self.policy,
                max_consecutive_losses: MAX_CONSECUTIVE_LOSSES,
                seed_derivation: SeedDerivation::Long,
                repeats_episode: true,
            },
            ..BackendSpec::new(leaves, ActionKey::from_spec(env))
        }
    }

    /// Creates the pool, whose environments run on the hosts.
    pub fn pool(
        &self,
        py: Python<'_>,
        format: Format,
        raised: PendingException,
        inside: ReentrancyFlag,
    ) -> engine::Result<engine::Pool> {
        let spec = self.spec.get();
        // The pools on the hosts report results as they are, and this pool normalises them.
        let on_hosts = PoolConfig { normalization: NormalizationConfig::default(), ..spec.pool.clone() };
        let parts = WireColumns::from_layout(&Layout::new(spec.env(), self.outputs(WireColumns::format(format)), &on_hosts));
        let carrier = Box::new(PythonTransport { carrier: self.carrier.clone_ref(py), raised, reentrancy: inside });
        py.detach(|| remote::pool(carrier, &self.envs_per_host, parts, self.backend_spec(), self.config(), self.outputs(format)))
    }

    pub fn failures(&self, py: Python<'_>) -> PyResult<ExceptionMapper> {
        let rebuilt = self.carrier.bind(py).getattr("rebuilt")?.unbind();
        Ok(ExceptionMapper { rebuilt, pending: PendingException::default(), timeout: None })
    }
}

/// Transport of requests and replies that a Python object implements.
struct PythonTransport {
    /// Python object with the methods `send(place, number, request)`, `wait(seconds)`, `forget(arrivals)`, `lost()`,
    /// `renew(place, next)` and `close()`.
    carrier: Py<PyAny>,
    raised: PendingException,
    reentrancy: ReentrancyFlag,
}

/// Received reply: number of the host, number of the request, the reply or `None`, and the message and pickled form of the
/// exception.
type ArrivalParts = (usize, u64, Option<Vec<u8>>, String, Vec<u8>);

/// Maximum number of attempts of a Python call, because an interrupt may abort each attempt before it has an effect.
const MAX_ATTEMPTS: usize = 100;

impl PythonTransport {
    /// Calls Python code and returns its result. If the code raises, stores the exception for the waiting caller.
    ///
    /// # Errors
    /// `Interrupted` if Python code raised.
    fn call<T>(&self, ask: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> engine::Result<T> {
        self.raised.call(&self.carrier, ask).ok_or(Error::Interrupted)
    }
}

impl HostTransport for PythonTransport {
    fn send(&self, host_index: usize, number: u64, request: &[u8]) -> engine::Result<()> {
        let _inside = self.reentrancy.enter();
        self.call(|carrier| {
            let request = to_bytes(carrier.py(), request)?;
            carrier.call_method1("send", (host_index, number, request)).map(|_| ())
        })
    }

    fn wait(&self, until: Instant) -> engine::Result<Vec<Delivery>> {
        let seconds = until.saturating_duration_since(Instant::now()).as_secs_f64();
        let arrived = self.call(|carrier| carrier.call_method1("wait", (seconds,))?.extract::<Vec<ArrivalParts>>());
        if self.raised.is_some() {
            return Err(Error::Interrupted); // the next wait returns all arrivals again
        }
        let arrived = arrived?;
        if !arrived.is_empty() {
            let taken: Vec<_> = arrived.iter().map(|(host_index, number, ..)| (*host_index, *number)).collect();
            (0..MAX_ATTEMPTS).any(|_| self.call(|carrier| carrier.call_method1("forget", (taken.clone(),)).map(|_| ())).is_ok());
        }
        let arrival = |(host_index, number, answer, text, payload): ArrivalParts| Delivery {
            host: host_index,
            number,
            reply: answer.ok_or_else(|| raised_error(&text, &payload)),
        };
        Ok(arrived.into_iter().map(arrival).collect())
    }

    fn next_loss(&self) -> Option<HostLoss> {
        let lost = self.call(|carrier| carrier.call_method0("lost")?.extract::<Option<(usize, String, Vec<u8>)>>());
        lost.ok().flatten().map(|(host, text, payload)| HostLoss { host, fault: LaneError::host_lost(text, payload) })
    }

    fn restart(&self, host_index: usize, next: u64) -> Result<(), LaneError> {
        let _inside = self.reentrancy.enter();
        let renewed =
            self.call(|carrier| carrier.call_method1("renew", (host_index, next))?.extract::<Option<(String, Vec<u8>)>>());
        match renewed {
            Ok(None) => Ok(()),
            Ok(Some((text, payload))) => Err(LaneError::host_lost(text, payload)),
            Err(_) => Err(LaneError::host_lost("its host could not be restarted", Vec::new())),
        }
    }

    fn close(&self, _until: Instant, _by_force: bool) -> Vec<LaneError> {
        let _reported_by_exception = self.call(|carrier| carrier.call_method0("close").map(|_| ()));
        Vec::new()
    }
}

/// Pool on a host, which executes the requests that the caller's pool sends.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct RemoteHost {
    host: remote::RemoteHost,
}

#[pymethods]
impl RemoteHost {
    /// Creates the pool for `spec`, with environments that are not yet reset. `layout` is the result format of the remote pool.
    #[new]
    fn new(py: Python<'_>, spec: Py<Spec>, layout: &str) -> PyResult<Self> {
        let spec = spec.get();
        let outputs = Outputs { dialect: spec.dialect, format: WireColumns::format(parse_format(layout)?) };
        let mut signals = Signals::default();
        let made = py.detach(|| {
            let pool =
                engine::Pool::with_groups_interruptible(&spec.groups, spec.pool.clone(), outputs, &mut || signals.interrupted())?;
            remote::RemoteHost::new(pool)
        });
        Ok(Self { host: made.map_err(|error| signals.into_exception(error))? })
    }

    /// Starts a request if all its operations are steps. Returns whether the request was started.
    fn begin(&self, py: Python<'_>, request: &[u8]) -> PyResult<bool> {
        py.detach(|| self.host.start(request)).or_raise()
    }

    /// Finishes the oldest started request, and returns its reply.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Self::answer(py, |signals| self.host.finish(&mut || signals.interrupted()))
    }

    /// Runs a request after all requests that were started before, and returns its reply.
    fn play<'py>(&self, py: Python<'py>, request: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        Self::answer(py, |signals| self.host.execute(request, &mut || signals.interrupted()))
    }
}

impl RemoteHost {
    fn answer<'py>(
        py: Python<'py>,
        play: impl FnOnce(&mut Signals) -> engine::Result<Vec<u8>> + Send,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut signals = Signals::default();
        let answer = py.detach(|| play(&mut signals));
        to_bytes(py, &answer.map_err(|error| signals.into_exception(error))?)
    }
}
