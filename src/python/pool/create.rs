//! Creates pools from their specs: in this process, in worker processes, or on remote hosts.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;

use super::{BackendState, Pool};
use crate::closing::CloseOnce;
use crate::outside::{OutsideSpec, ReentrancyFlag, RemoteSpec};
use crate::raise::OrRaise;
use crate::recycled_results::RecycledResults;
use crate::results::{Callables, ResultSchema};
use crate::signals::Signals;
use crate::spec::Spec;
use crate::under_lock::GilCell;
use envpool_rs_engine::{self as engine, Format, Outputs, dialect_observation};

impl Pool {
    pub(super) fn native(py: Python<'_>, spec: &Spec, format: Format, callables: Callables) -> PyResult<Self> {
        let outputs = Outputs { dialect: spec.dialect, format };
        let config = spec.pool.clone();
        let mut signals = Signals::default();
        let pool =
            py.detach(|| engine::Pool::with_groups_interruptible(&spec.groups, config, outputs, &mut || signals.interrupted()));
        let pool = pool.map_err(|error| signals.into_exception(error))?;
        let env = spec.env();
        let keys: Vec<_> = env.info.iter().map(|info| info.key).collect();
        let observation = dialect_observation(env, spec.dialect);
        let shape = ResultSchema::new(py, pool.layout(), &observation, &keys, (spec.dialect, format), callables);
        Ok(Self::with_backend(pool, shape, env.players, None))
    }

    pub(super) fn over_workers(py: Python<'_>, spec: &OutsideSpec, format: Format, callables: Callables) -> PyResult<Self> {
        let outputs = Outputs { dialect: spec.dialect, format };
        let outside = spec.backend(py)?;
        let pool = py
            .detach(|| engine::Pool::with_backend(outside, spec.backend_spec.clone(), spec.config.clone(), outputs))
            .or_raise()?;
        let shape = ResultSchema::for_workers(py, pool.layout(), Arc::clone(&spec.adapter), (spec.dialect, format), callables);
        let (reader, failures) = (Some(Arc::clone(&spec.action_parser)), Arc::clone(&spec.exceptions));
        let inside = spec.shared.reentrancy.clone();
        Ok(Self::with_backend(
            pool,
            shape,
            1,
            Some(BackendState { action_parser: reader, exceptions: failures, timeout: spec.timeout, reentrancy: inside }),
        ))
    }

    pub(super) fn over_hosts(py: Python<'_>, spec: &RemoteSpec, format: Format, callables: Callables) -> PyResult<Self> {
        let outputs = spec.outputs(format);
        let (failures, inside) = (Arc::new(spec.failures(py)?), ReentrancyFlag::default());
        let pool = spec.pool(py, format, failures.pending.clone(), inside.clone()).or_raise()?;
        let (observation, keys) = spec.arrays();
        let shape = ResultSchema::new(py, pool.layout(), &observation, &keys, (outputs.dialect, format), callables);
        let shape = shape.remote(spec.read_only);
        let players = spec.spec.get().env().players;
        Ok(Self::with_backend(
            pool,
            shape,
            players,
            Some(BackendState { action_parser: None, exceptions: failures, timeout: None, reentrancy: inside }),
        ))
    }

    pub(super) fn with_backend(pool: engine::Pool, shape: ResultSchema, players: usize, backend: Option<BackendState>) -> Self {
        let results = GilCell::new(RecycledResults::new(&shape, pool.ring_slots()));
        Self {
            pool: Arc::new(pool),
            exposed: OnceLock::new(),
            schema: shape,
            results,
            players,
            backend,
            closing: CloseOnce::new(),
            is_recording: AtomicBool::new(false),
            recorder: GilCell::new(None),
        }
    }
}
