//! Creates pools of each kind from their specs.

use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;

use super::{BackendPart, Pool};
use crate::closing::Closing;
use crate::outside::{Inside, OutsideSpec, RemoteSpec};
use crate::raise::OrRaise;
use crate::recycled_results::RecycledResults;
use crate::results::{Callables, Shape};
use crate::signals::Signals;
use crate::spec::Spec;
use crate::under_lock::UnderLock;
use envpool_rs_engine::{self as engine, Format, Outputs, dialect_observation};

impl Pool {
    pub(super) fn native(py: Python<'_>, spec: &Spec, format: Format, callables: Callables) -> PyResult<Self> {
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

    pub(super) fn outside(py: Python<'_>, spec: &OutsideSpec, format: Format, callables: Callables) -> PyResult<Self> {
        let outputs = Outputs { dialect: spec.dialect, format };
        let outside = spec.outside(py)?;
        let pool = py.detach(|| engine::Pool::outside(outside, spec.form.clone(), spec.config.clone(), outputs)).or_raise()?;
        let shape = Shape::outside(py, pool.layout(), Arc::clone(&spec.shown), (spec.dialect, format), callables);
        let (reader, failures) = (Some(Arc::clone(&spec.reader)), Arc::clone(&spec.failures));
        let inside = spec.shared.inside.clone();
        Ok(Self::around(pool, shape, 1, Some(BackendPart { reader, failures, timeout: spec.timeout, inside })))
    }

    pub(super) fn remote(py: Python<'_>, spec: &RemoteSpec, format: Format, callables: Callables) -> PyResult<Self> {
        let outputs = spec.outputs(format);
        let (failures, inside) = (Arc::new(spec.failures(py)?), Inside::default());
        let pool = spec.pool(py, format, failures.raised.clone(), inside.clone()).or_raise()?;
        let (observation, keys) = spec.arrays();
        let shape = Shape::new(py, pool.layout(), &observation, &keys, (outputs.dialect, format), callables);
        let shape = shape.remote(spec.read_only);
        let players = spec.spec.get().env().players;
        Ok(Self::around(pool, shape, players, Some(BackendPart { reader: None, failures, timeout: None, inside })))
    }

    pub(super) fn around(pool: engine::Pool, shape: Shape, players: usize, backend: Option<BackendPart>) -> Self {
        let results = UnderLock::new(RecycledResults::new(&shape, pool.ring_places()));
        Self { pool: Arc::new(pool), exposed: OnceLock::new(), shape, results, players, backend, closing: Closing::new() }
    }
}
