//! Host side of a remote pool: executes the remote pool's requests with a local pool.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::host_reply::ReplyEncoder;
use super::request::{HostRequest, Resets};
use super::wire_columns::WireColumns;
use envpool_rs_engine::{
    ActionColumn, ActionKey, Batch, Error, Interrupt, Pool, RequestBuilder, ResetOptions, Result, check_headroom,
};

/// Operation of a request, or a part of an operation.
enum Operation {
    Load(Vec<(u32, Vec<u8>)>),
    /// Reads the last observations of lanes whose states were loaded.
    Peek(Vec<u32>),
    Step(Vec<u32>, Vec<u8>),
    Reset(Resets),
    Save(Vec<u32>),
}

/// Lanes whose rows the pool computes, and whether the rows are last observations.
type PendingRows = (Vec<u32>, bool);

/// Request in execution.
#[derive(Default)]
struct Execution {
    /// Operations that have not been started, in order.
    operations: VecDeque<Operation>,
    /// Rows that the pool computes and that were not received because of an interrupt.
    unfinished: Option<PendingRows>,
    /// Whether any operation has been executed.
    has_effects: bool,
    response: ReplyEncoder,
}

/// Executes the requests of a remote pool with a synchronous local pool. A request to step may be started before earlier
/// requests are finished.
pub struct RemoteHost {
    pool: Pool,
    parts: WireColumns,
    /// Lanes of each request whose steps were started but not finished, oldest request first.
    started: Mutex<VecDeque<Vec<u32>>>,
    /// Request whose execution was interrupted, with its bytes.
    interrupted: Mutex<Option<(Vec<u8>, Execution)>>,
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
        Ok(Self { pool, parts, started: Mutex::default(), interrupted: Mutex::default(), spare: Mutex::default() })
    }

    /// Starts a request if it holds only steps and no request was interrupted. Returns whether the request was started.
    ///
    /// # Errors
    /// `Value` for bytes that do not encode a request to this pool.
    pub fn start(&self, request: &[u8]) -> Result<bool> {
        let request = decode(request)?;
        if !request.is_steps() || lock(&self.interrupted).is_some() {
            return Ok(false);
        }
        let call = prepare_steps(&self.pool, &request.steps, &request.actions)?;
        call.send(Some(self.pool.batch(0)?))?;
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
        self.report(&lanes, false, outcome, &mut response)?;
        Ok(response.finish())
    }

    /// Executes `request` and returns its reply. All operations are checked before the first is executed.
    ///
    /// After `Interrupted`, a call with the same request continues it. A call with another request finishes the interrupted
    /// request first, and discards its reply.
    ///
    /// # Errors
    /// `Value` for bytes that do not encode a request to this pool; `State` if a started request is not finished. Nothing is
    /// executed then. `Interrupted`; the errors of [`Pool::recv`] if the first operation cannot be started. The reply reports
    /// failures of lanes and errors of later operations.
    pub fn execute(&self, request: &[u8], interrupt: Interrupt<'_>) -> Result<Vec<u8>> {
        if !lock(&self.started).is_empty() {
            return Err(Error::State("a request of this host is started: expected it to be finished first".into()));
        }
        let earlier = lock(&self.interrupted).take();
        let execution = match earlier {
            Some((bytes, execution)) if bytes == request => execution,
            Some((bytes, execution)) => {
                self.proceed(&bytes, execution, interrupt)?;
                self.checked_execution(request)?
            }
            None => self.checked_execution(request)?,
        };
        self.proceed(request, execution, interrupt)
    }

    /// Checks a request, and returns its execution before the first operation.
    fn checked_execution(&self, request: &[u8]) -> Result<Execution> {
        let request = decode(request)?;
        let mut is_used = vec![false; self.pool.config().num_envs];
        for lane in request.lanes() {
            match is_used.get_mut(lane as usize) {
                Some(is_used) if !*is_used => *is_used = true,
                _ => return Err(Error::Value(format!("the request names environment {lane} twice, or this pool lacks it"))),
            }
        }
        // A single operation is checked when it starts.
        if !request.is_steps() {
            if !request.steps.is_empty() {
                prepare_steps(&self.pool, &request.steps, &request.actions)?;
            }
            request.resets.iter().try_for_each(|resets| self.prepare_reset(resets).map(|_| ()))?;
        }
        let HostRequest { loads, steps, actions, resets, saves } = request;
        let mut operations = VecDeque::new();
        operations.extend((!loads.is_empty()).then_some(Operation::Load(loads)));
        operations.extend((!steps.is_empty()).then_some(Operation::Step(steps, actions)));
        operations.extend(resets.into_iter().map(Operation::Reset));
        operations.extend((!saves.is_empty()).then_some(Operation::Save(saves)));
        Ok(Execution { operations, ..Execution::default() })
    }

    /// Executes the remaining operations of a request. If it is interrupted, stores the execution.
    fn proceed(&self, request: &[u8], mut execution: Execution, interrupt: Interrupt<'_>) -> Result<Vec<u8>> {
        loop {
            let outcome = match execution.unfinished.take() {
                Some(rows) => Some((self.pool.recv(&mut None, interrupt), rows)),
                None => match execution.operations.pop_front() {
                    Some(operation) => self.run(operation, &mut execution, interrupt),
                    None => return Ok(execution.response.finish()),
                },
            };
            let Some((outcome, (lanes, is_peek))) = outcome else { continue };
            if matches!(outcome, Err(Error::Interrupted)) {
                execution.unfinished = Some((lanes, is_peek));
                *lock(&self.interrupted) = Some((request.to_vec(), execution));
                return Err(Error::Interrupted);
            }
            match self.report(&lanes, is_peek, outcome, &mut execution.response) {
                Err(error) if !execution.has_effects => return Err(error),
                Err(error) => lanes.iter().for_each(|lane| execution.response.refused(*lane, &error.to_string())),
                Ok(batch) => *lock(&self.spare) = batch,
            }
            execution.has_effects = true;
        }
    }

    /// Executes an operation. Returns the rows that it results in, if any; they belong to the returned lanes.
    fn run(
        &self,
        operation: Operation,
        execution: &mut Execution,
        interrupt: Interrupt<'_>,
    ) -> Option<(Result<Box<Batch>>, PendingRows)> {
        let mut run = |call: Result<RequestBuilder<'_>>| {
            let mut batch = lock(&self.spare).take();
            call.and_then(|call| call.run(&mut batch, interrupt))
        };
        match operation {
            Operation::Load(loads) => {
                let lanes = self.load(&loads, execution);
                if !lanes.is_empty() {
                    execution.operations.push_front(Operation::Peek(lanes));
                }
                None
            }
            Operation::Save(lanes) => {
                self.save(&lanes, &mut execution.response);
                None
            }
            Operation::Peek(lanes) => Some((run(self.pool.peek(ids(&lanes, &self.pool).as_deref())), (lanes, true))),
            Operation::Step(lanes, actions) => Some((run(prepare_steps(&self.pool, &lanes, &actions)), (lanes, false))),
            Operation::Reset(resets) => Some((run(self.prepare_reset(&resets)), (resets.lanes, false))),
        }
    }

    fn prepare_reset(&self, Resets { options, lanes, seeds }: &Resets) -> Result<RequestBuilder<'_>> {
        self.pool.reset(ids(lanes, &self.pool).as_deref(), seeds.clone(), ResetOptions::new(options.clone()))
    }

    /// Loads states of lanes. Returns the lanes that have an observation afterwards.
    fn load(&self, loads: &[(u32, Vec<u8>)], execution: &mut Execution) -> Vec<u32> {
        let mut changed = Vec::new();
        for (lane, state) in loads {
            let id = [i64::from(*lane)];
            match self.pool.set_state(&[state], Some(&id)) {
                // An environment that was never reset has no observation, so its reply is an empty value.
                Ok(()) if self.pool.peek(Some(&id)).is_err() => execution.response.value(*lane, &[]),
                Ok(()) => changed.push(*lane),
                Err(error) => execution.response.refused(*lane, &error.to_string()),
            }
            execution.has_effects = true;
        }
        changed
    }

    fn save(&self, lanes: &[u32], response: &mut ReplyEncoder) {
        for lane in lanes {
            match self.pool.get_state(Some(&[i64::from(*lane)])) {
                Ok(states) => match response.check_room(states[0].len()) {
                    Ok(()) => response.value(*lane, &states[0]),
                    Err(error) => response.refused(*lane, &error.to_string()),
                },
                Err(error) => response.refused(*lane, &error.to_string()),
            }
        }
    }

    /// Writes the results of the lanes of one operation into the reply. Returns the batch for reuse.
    fn report(
        &self,
        lanes: &[u32],
        is_peek: bool,
        outcome: Result<Box<Batch>>,
        response: &mut ReplyEncoder,
    ) -> Result<Option<Box<Batch>>> {
        let failed = match outcome {
            Ok(batch) if is_peek => {
                response.peeked(lanes, &batch, &self.parts);
                return Ok(Some(batch));
            }
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
            match self.pool.recv(&mut None, &mut || false) {
                Ok(batch) => response.rows(&well, &batch, &self.parts),
                Err(error) => well.iter().for_each(|lane| response.refused(*lane, &error.to_string())),
            }
        }
        Ok(None)
    }
}

/// Number of bytes above which a request needs a check of the memory for its copy.
const LARGE_REQUEST: usize = 1 << 20;

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

fn decode(request: &[u8]) -> Result<HostRequest> {
    // Steps are small; states are copied out of their request.
    if request.len() > LARGE_REQUEST {
        check_headroom(2 * request.len(), || "a request".to_owned())?;
    }
    HostRequest::decode(request).ok_or_else(|| Error::Value("the bytes are not a valid request".into()))
}

/// Converts lanes to environment ids of the pool. Returns `None` if `lanes` contains all lanes of the pool in order.
fn ids(lanes: &[u32], pool: &Pool) -> Option<Vec<i64>> {
    let all = lanes.len() == pool.config().num_envs && lanes.iter().zip(0..).all(|(lane, index)| *lane == index);
    (!all).then(|| lanes.iter().map(|lane| i64::from(*lane)).collect())
}

/// Prepares a pool's step of `lanes` with the encoded `actions`.
fn prepare_steps<'a>(pool: &'a Pool, lanes: &[u32], actions: &[u8]) -> Result<RequestBuilder<'a>> {
    let mut call = pool.step(ids(lanes, pool).as_deref())?;
    let widths: Vec<_> = pool.action_keys().iter().map(bytes_of).collect();
    let row: usize = widths.iter().sum();
    if row * lanes.len() != actions.len() {
        return Err(Error::Value("the bytes are not valid actions of this pool".into()));
    }
    let mut first = 0;
    for (column, width) in call.actions().iter_mut().zip(widths) {
        column.clear();
        for action in actions.chunks(row) {
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

    fn host(lanes: u32) -> RemoteHost {
        let mut registry = Registry::default();
        registry.add(acrobot::tasks());
        let task = registry.task("Acrobot-v1").unwrap();
        let config = PoolConfig::new(i64::from(lanes)).unwrap().num_threads(1).unwrap();
        let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
        let host = RemoteHost::new(Pool::new(task, &task.resolve(&[]).unwrap(), config, outputs).unwrap()).unwrap();
        let mut first = HostRequest::default();
        (0..lanes).for_each(|lane| first.reset(lane, Some(lane.into()), Vec::new()));
        host.execute(&first.encode(), &mut || false).unwrap();
        host
    }

    fn steps(host: &RemoteHost, lanes: impl Iterator<Item = u32>) -> HostRequest {
        let steps: Vec<u32> = lanes.collect();
        let actions = vec![0; steps.len() * host.pool.action_keys().iter().map(bytes_of).sum::<usize>()];
        HostRequest { steps, actions, ..HostRequest::default() }
    }

    #[test]
    fn an_interrupted_reply_is_received_with_its_own_lanes() {
        const LANES: u32 = 20_000;
        let host = host(LANES);
        let steps = steps(&host, 0..LANES);
        assert!(host.start(&steps.encode()).unwrap());
        assert!(matches!(host.finish(&mut || true), Err(Error::Interrupted)));
        assert_eq!(lock(&host.started).front(), Some(&steps.steps));
        host.finish(&mut || false).unwrap();
        assert!(lock(&host.started).is_empty());
    }

    #[test]
    fn an_interrupted_execution_continues_with_the_same_request() {
        const LANES: u32 = 20_000;
        let (interrupted, expected) = (host(LANES), host(LANES));
        let mut request = steps(&expected, 0..LANES - 2);
        request.reset(LANES - 2, Some(9), Vec::new());
        request.saves.push(LANES - 1);
        let bytes = request.encode();
        assert!(matches!(interrupted.execute(&bytes, &mut || true), Err(Error::Interrupted)));
        assert!(!interrupted.start(&steps(&expected, 0..1).encode()).unwrap());
        let expected_reply = expected.execute(&bytes, &mut || false).unwrap();
        assert!(interrupted.execute(&bytes, &mut || false).unwrap() == expected_reply);
        assert!(interrupted.pool.get_state(None).unwrap() == expected.pool.get_state(None).unwrap());
    }

    #[test]
    fn another_request_finishes_an_interrupted_execution_first() {
        const LANES: u32 = 20_000;
        let (interrupted, expected) = (host(LANES), host(LANES));
        let (first, second) = (steps(&expected, 0..LANES).encode(), steps(&expected, 0..2).encode());
        assert!(matches!(interrupted.execute(&first, &mut || true), Err(Error::Interrupted)));
        expected.execute(&first, &mut || false).unwrap();
        assert_eq!(interrupted.execute(&second, &mut || false).unwrap(), expected.execute(&second, &mut || false).unwrap());
        assert!(interrupted.pool.get_state(None).unwrap() == expected.pool.get_state(None).unwrap());
    }

    #[test]
    fn a_request_is_checked_completely_before_its_first_operation() {
        let host = host(4);
        let before = host.pool.get_state(None).unwrap();
        let saved = host.pool.get_state(Some(&[3])).unwrap().remove(0);
        let mut unknown_option = steps(&host, 0..1);
        unknown_option.reset(1, None, vec![("wind".into(), 1.0)]);
        let mut twice = steps(&host, 0..1);
        twice.reset(0, None, Vec::new());
        let mut beyond = steps(&host, 0..1);
        beyond.saves.push(4);
        let short = HostRequest { loads: vec![(1, saved)], actions: vec![0], ..steps(&host, 0..1) };
        for request in [unknown_option, twice, beyond, short] {
            assert!(host.execute(&request.encode(), &mut || false).is_err(), "{request:?}");
            assert!(host.pool.get_state(None).unwrap() == before, "{request:?}");
        }
    }
}
