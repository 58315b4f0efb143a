//! Host side of a remote pool: executes the remote pool's requests with a local pool.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::host_reply::ReplyEncoder;
use super::request::{HostRequest, Resets};
use super::wire_columns::WireColumns;
use envpool_rs_engine::{ActionColumn, ActionKey, Batch, Error, Interrupt, Pool, RequestBuilder, ResetOptions, Result};

/// Executes the requests of a remote pool with a synchronous local pool. A request to step may be started before earlier
/// requests are finished.
pub struct RemoteHost {
    pool: Pool,
    parts: WireColumns,
    /// Lanes of each request whose steps were started but not finished, oldest request first.
    started: Mutex<VecDeque<Vec<u32>>>,
    spare: Mutex<Option<Box<Batch>>>,
}

impl RemoteHost {
    /// Creates a host that runs the lanes of a remote pool in the local pool `pool`.
    ///
    /// # Errors
    /// `State` if the pool is asynchronous.
    pub fn new(pool: Pool) -> Result<Self> {
        if pool.is_async() {
            return Err(Error::State("a remote host needs a synchronous pool".into()));
        }
        let parts = WireColumns::from_layout(pool.layout());
        Ok(Self { pool, parts, started: Mutex::default(), spare: Mutex::default() })
    }

    /// Starts a request if it holds only steps. Returns whether the request was started.
    ///
    /// # Errors
    /// `Value` for bytes that do not encode a request to this pool.
    pub fn start(&self, request: &[u8]) -> Result<bool> {
        let request = decode(request)?;
        if !request.is_steps() {
            return Ok(false);
        }
        let call = prepare_steps(&self.pool, &request)?;
        call.send(Some(self.pool.batch(0)))?;
        lock(&self.started).push_back(request.steps);
        Ok(true)
    }

    /// Finishes the oldest started request, and returns its reply.
    ///
    /// # Errors
    /// The errors of [`Pool::recv`], except failures of lanes, which the reply reports. After an error the request remains the
    /// oldest one.
    pub fn finish(&self, interrupt: Interrupt<'_>) -> Result<Vec<u8>> {
        let outcome = match self.pool.recv(&mut None, interrupt) {
            Err(error) if !matches!(error, Error::Failed(_)) => return Err(error),
            outcome => outcome,
        };
        let lanes = lock(&self.started).pop_front().unwrap_or_default();
        let mut response = ReplyEncoder::default();
        self.report(&lanes, outcome, &mut response)?;
        Ok(response.finish())
    }

    /// Finishes all started requests, executes `request`, and returns its reply.
    ///
    /// # Errors
    /// `Value` for bytes that do not encode a request to this pool; otherwise the errors of [`Pool::recv`], except failures of
    /// lanes, which the reply reports.
    pub fn execute(&self, request: &[u8], interrupt: Interrupt<'_>) -> Result<Vec<u8>> {
        let request = decode(request)?;
        let mut response = ReplyEncoder::default();
        self.load(&request.loads, &mut response, interrupt)?;
        if !request.steps.is_empty() {
            let mut batch = lock(&self.spare).take();
            let outcome = prepare_steps(&self.pool, &request)?.run(&mut batch, interrupt);
            *lock(&self.spare) = self.report(&request.steps, outcome, &mut response)?.or(batch);
        }
        for Resets { options, lanes, seeds } in request.resets {
            let call = self.pool.reset(ids(&lanes, &self.pool).as_deref(), seeds, ResetOptions::new(options))?;
            let outcome = call.run(&mut None, interrupt);
            self.report(&lanes, outcome, &mut response)?;
        }
        for lane in request.saves {
            match self.pool.get_state(Some(&[i64::from(lane)])) {
                Ok(states) => response.value(lane, &states[0]),
                Err(error) => response.refused(lane, &error.to_string()),
            }
        }
        Ok(response.finish())
    }

    fn load(&self, loads: &[(u32, Vec<u8>)], response: &mut ReplyEncoder, interrupt: Interrupt<'_>) -> Result<()> {
        let mut changed = Vec::new();
        for (lane, state) in loads {
            let id = [i64::from(*lane)];
            match self.pool.set_state(&[state], Some(&id)) {
                // An environment that was never reset has no observation, so its reply is an empty value.
                Ok(()) if self.pool.peek(Some(&id)).is_err() => response.value(*lane, &[]),
                Ok(()) => changed.push(*lane),
                Err(error) => response.refused(*lane, &error.to_string()),
            }
        }
        if changed.is_empty() {
            return Ok(());
        }
        let shown = self.pool.peek(ids(&changed, &self.pool).as_deref())?.run(&mut None, interrupt)?;
        response.peeked(&changed, &shown, &self.parts);
        Ok(())
    }

    /// Writes the results of the lanes of one request into the reply. Returns the batch for reuse.
    fn report(&self, lanes: &[u32], outcome: Result<Box<Batch>>, response: &mut ReplyEncoder) -> Result<Option<Box<Batch>>> {
        let failed = match outcome {
            Ok(batch) => {
                response.rows(lanes, &batch, &self.parts);
                return Ok(Some(batch));
            }
            Err(Error::Failed(failed)) => failed,
            Err(error) => return Err(error),
        };
        let first = failed.lane as u32;
        let has_failed = |lane: &u32| *lane == first || failed.others.contains(lane);
        lanes.iter().filter(|lane| has_failed(lane)).for_each(|lane| response.panicked(*lane, &failed.fault.to_string()));
        if failed.rows_pending > 0 {
            let well: Vec<_> = lanes.iter().copied().filter(|lane| !has_failed(lane)).collect();
            // The rows of the lanes that did not fail are complete, so `recv` does not wait here. Interrupts are ignored,
            // because the failure and the complete rows belong to one reply.
            let batch = self.pool.recv(&mut None, &mut || false)?;
            response.rows(&well, &batch, &self.parts);
        }
        Ok(None)
    }
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

fn decode(request: &[u8]) -> Result<HostRequest> {
    HostRequest::decode(request).ok_or_else(|| Error::Value("the bytes are not a valid request".into()))
}

/// Converts lanes to environment ids of the pool. Returns `None` if `lanes` contains all lanes of the pool in order.
fn ids(lanes: &[u32], pool: &Pool) -> Option<Vec<i64>> {
    let all = lanes.len() == pool.config().num_envs && lanes.iter().zip(0..).all(|(lane, index)| *lane == index);
    (!all).then(|| lanes.iter().map(|lane| i64::from(*lane)).collect())
}

/// Prepares a pool's step of the lanes that `request` steps, with the actions in the request.
fn prepare_steps<'a>(pool: &'a Pool, request: &HostRequest) -> Result<RequestBuilder<'a>> {
    let mut call = pool.step(ids(&request.steps, pool).as_deref())?;
    let widths: Vec<_> = pool.action_keys().iter().map(bytes_of).collect();
    let row: usize = widths.iter().sum();
    if row * request.steps.len() != request.actions.len() {
        return Err(Error::Value("the bytes are not valid actions of this pool".into()));
    }
    let mut first = 0;
    for (column, width) in call.actions().iter_mut().zip(widths) {
        column.clear();
        for action in request.actions.chunks(row) {
            append(column, &action[first..first + width]);
        }
        first += width;
    }
    Ok(call)
}

/// Returns the number of bytes of one environment's actions for one action key.
pub fn bytes_of(key: &ActionKey) -> usize {
    key.values_per_row() * if key.discrete.is_none() && key.is_f64 { 8 } else { 4 }
}

fn append(column: &mut ActionColumn, bytes: &[u8]) {
    match column {
        ActionColumn::I32(to) => to.extend(bytes.as_chunks().0.iter().map(|bytes| i32::from_ne_bytes(*bytes))),
        ActionColumn::F32(to) => to.extend(bytes.as_chunks().0.iter().map(|bytes| f32::from_ne_bytes(*bytes))),
        ActionColumn::F64(to) => to.extend(bytes.as_chunks().0.iter().map(|bytes| f64::from_ne_bytes(*bytes))),
        ActionColumn::Raw(to) => to.extend_from_slice(bytes),
        ActionColumn::Payloads { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use envpool_rs_engine::Registry;
    use envpool_rs_engine::{Dialect, Format, Outputs, PoolConfig};
    use envpool_rs_envs_classic::classic_control::acrobot;

    #[test]
    fn an_interrupted_reply_is_received_with_its_own_lanes() {
        const LANES: u32 = 100_000;
        let mut registry = Registry::default();
        registry.add(acrobot::tasks());
        let task = registry.task("Acrobot-v1").unwrap();
        let config = PoolConfig::new(i64::from(LANES)).unwrap().num_threads(1).unwrap();
        let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
        let host = RemoteHost::new(Pool::new(task, &task.resolve(&[]).unwrap(), config, outputs).unwrap()).unwrap();
        let mut first = HostRequest::default();
        (0..LANES).for_each(|lane| first.reset(lane, Some(lane.into()), Vec::new()));
        host.execute(&first.encode(), &mut || false).unwrap();
        let steps = HostRequest {
            steps: (0..LANES).collect(),
            actions: vec![0; LANES as usize * host.pool.action_keys().iter().map(bytes_of).sum::<usize>()],
            ..HostRequest::default()
        };
        assert!(host.start(&steps.encode()).unwrap());
        assert!(matches!(host.finish(&mut || true), Err(Error::Interrupted)));
        assert_eq!(lock(&host.started).front(), Some(&steps.steps));
        host.finish(&mut || false).unwrap();
        assert!(lock(&host.started).is_empty());
    }
}
