//! Backend that runs the lanes (environments) of a pool in worker processes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::workers::error::engine_error;
use crate::workers::process_supervisor::ProcessSupervisor;
use crate::workers::worker_payload::WorkerPayload;
use envpool_rs_engine::{
    ActionEncoding, ActionKey, BackendWaiter, Dtype, Error, HostLoss, LaneBackend, LaneError, LaneOp, LaneReply, LeafSpec,
    LostLanes, Payload, Result, Row, RowWriter, StepReply, WaitTarget,
};
use envpool_rs_transport::{Caller, CallerClaim, Operation, RequestState, RowSet, ShmSegment, flags};

/// The shared memory and the processes, which the thread that waits for replies uses, too.
struct Workers {
    segment: Arc<ShmSegment>,
    processes: Box<dyn ProcessSupervisor>,
}

impl Workers {
    fn caller(&self) -> Caller<'_> {
        Caller::new(&self.segment)
    }
}

/// Format of the message that steps an environment: a constant header, then the bytes of the action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionWireFormat {
    header: Vec<u8>,
    width: usize,
}

impl ActionWireFormat {
    /// Creates the format for a pool with a single action key. Messages start with `head`.
    ///
    /// # Errors
    /// `Type` if the actions of the key are encoded as numbers, because workers read bytes.
    pub fn new(key: &ActionKey, head: &[u8]) -> Result<Self> {
        match key.encoding {
            ActionEncoding::Numbers => Err(Error::Type(format!("{} is encoded as numbers: expected bytes", key.name))),
            ActionEncoding::Raw(_) | ActionEncoding::Payloads => Ok(Self { header: head.to_vec(), width: key.values_per_row() }),
        }
    }
}

/// Backend for environments that run in worker processes.
pub struct WorkerBackend {
    workers: Arc<Workers>,
    action: ActionWireFormat,
    /// Arrays of the observation: their shapes, and the dtypes in which the rows of `segment` store them.
    leaves: Vec<LeafSpec>,
    /// Flags that mark a reply as containing a message; a reply with any of these flags contains one.
    message_flags: u32,
    /// Index of the row's array that holds the players' rewards; `None` if the reward is in the control words.
    reward_leaf: Option<usize>,
}

impl WorkerBackend {
    /// Creates the backend for the environments of `segment`, all of which are idle. A row holds the arrays `leaves`; the
    /// pool may store each array in another dtype.
    ///
    /// # Errors
    /// `State` if the block's rows do not have the size of `leaves`.
    pub fn new(
        segment: Arc<ShmSegment>,
        processes: Box<dyn ProcessSupervisor>,
        action: ActionWireFormat,
        leaves: Vec<LeafSpec>,
    ) -> Result<Self> {
        let bytes = |leaf: &LeafSpec| leaf.rows * leaf.shape.iter().product::<usize>() * leaf.dtype.size();
        let is_same = |(leaf, form): (usize, &LeafSpec)| {
            (0..segment.num_envs()).all(|env| segment.row(env, leaf, RowSet::Current).is_some_and(|(_, len)| len == bytes(form)))
        };
        if !leaves.iter().enumerate().all(is_same) {
            return Err(Error::State("the block's row sizes differ from the pool's observations".into()));
        }
        Ok(Self {
            workers: Arc::new(Workers { segment, processes }),
            action,
            leaves,
            message_flags: WorkerPayload::MESSAGE_FLAGS,
            reward_leaf: None,
        })
    }

    /// Returns this backend, configured to read the rewards of `players` players from the rows: the array after the observation's
    /// leaves holds a float64 for each player.
    ///
    /// # Errors
    /// `State` if a row has no such array.
    pub fn with_reward_leaf(self, players: usize) -> Result<Self> {
        let leaf = self.leaves.len();
        let has_leaf =
            |env| self.workers.segment.row(env, leaf, RowSet::Current).is_some_and(|(_, len)| len == players * size_of::<f64>());
        if !(0..self.workers.segment.num_envs()).all(has_leaf) {
            return Err(Error::State("the block's rows have no rewards of players".into()));
        }
        Ok(Self { reward_leaf: Some(leaf), ..self })
    }

    /// Returns this backend, with `flags` (`transport::flags`) added to the flags that mark a reply as containing a message.
    #[must_use]
    pub fn reporting(self, flags: u32) -> Self {
        Self { message_flags: self.message_flags | flags, ..self }
    }

    /// Stages an operation of an idle environment, by writing it into the shared memory.
    fn write_request(&self, lane: usize, operation: Operation, head: &[u8], body: &[u8]) -> Result<()> {
        let busy = || Error::InFlight { lane };
        let mut held = self.workers.segment.claim_idle(lane).ok_or_else(busy)?;
        held.write_request(head, body).map_err(engine_error)?;
        held.stage(operation);
        Ok(())
    }

    /// Copies an observation into a batch's row, array by array. If the dtypes differ, numbers are converted as in C.
    fn copy(&self, claim: &CallerClaim<'_>, set: RowSet, out: &mut Row<'_>) {
        for (index, leaf) in self.leaves.iter().enumerate() {
            let Some(from) = claim.row(index, set) else { continue };
            if out.dtype(index) != leaf.dtype {
                convert(from, leaf.dtype, index, out);
            } else if let Some(to) = out.bytes(index) {
                to.copy_from_slice(from);
            }
        }
    }

    fn message(claim: &CallerClaim<'_>, flags: u32) -> Result<Payload> {
        claim.read_reply(|bytes| WorkerPayload { flags, bytes }.encode()).map_err(engine_error)?
    }

    /// Decodes the message in an environment's reply, with the method of the process supervisor.
    fn decode_message(&self, claim: &CallerClaim<'_>, flags: u32) -> Result<Result<Payload, LaneError>> {
        claim
            .read_reply(|bytes| self.workers.processes.decode_message(claim.env(), WorkerPayload { flags, bytes }))
            .map_err(engine_error)?
    }

    /// Reads the reply to an environment's finished request, and writes its arrays into `out`.
    fn read_reply(&self, claim: &CallerClaim<'_>, out: &mut RowWriter<'_>) -> Result<LaneReply> {
        let completion = claim.completion();
        if completion.flags & (flags::FAILED | flags::LOST) != 0 {
            let payload = Self::message(claim, completion.flags)?;
            return Ok(LaneReply::Failed(LaneError::raised("it failed", payload)));
        }
        if completion.flags & flags::CALL != 0 {
            return claim.read_reply(|bytes| Payload::copied(&[bytes])).map_err(engine_error)?.map(LaneReply::Value);
        }
        if completion.flags & flags::OBSERVATION_IN_ROW != 0 {
            self.copy(claim, RowSet::Current, &mut out.observation());
        }
        if completion.flags & flags::FINAL_IN_ROW != 0 {
            self.copy(claim, RowSet::Final, &mut out.final_observation());
        }
        match self.reward_leaf {
            None => out.rewards[0] = completion.reward,
            Some(leaf) => {
                let ended = completion.flags & flags::FINAL != 0;
                let row = claim.row(leaf, if ended { RowSet::Final } else { RowSet::Current }).unwrap_or_default();
                for (reward, bytes) in out.rewards.iter_mut().zip(row.as_chunks().0) {
                    *reward = f64::from_ne_bytes(*bytes);
                }
            }
        }
        let message = match (completion.flags & self.message_flags != 0)
            .then(|| self.decode_message(claim, completion.flags))
            .transpose()?
        {
            Some(Err(fault)) => return Ok(LaneReply::Failed(fault)),
            Some(Ok(message)) => Some(message),
            None => None,
        };
        Ok(LaneReply::Row(StepReply {
            terminated: completion.terminated,
            truncated: completion.truncated,
            did_autoreset: completion.flags & flags::FINAL != 0,
            payload: message,
            ..StepReply::default()
        }))
    }
}

/// Writes numbers of the type `dtype` into the array `leaf` of a row, whose dtype differs.
fn convert(from: &[u8], dtype: Dtype, leaf: usize, out: &mut Row<'_>) {
    macro_rules! each {
        ($type:ty) => {
            for (index, bytes) in from.as_chunks::<{ size_of::<$type>() }>().0.iter().enumerate() {
                out.write_at(leaf, index, &[<$type>::from_ne_bytes(*bytes)]);
            }
        };
    }
    match dtype {
        Dtype::Bool | Dtype::U8 => each!(u8),
        Dtype::I8 => each!(i8),
        Dtype::I16 => each!(i16),
        Dtype::I32 => each!(i32),
        Dtype::I64 => each!(i64),
        Dtype::F32 => each!(f32),
        Dtype::F64 => each!(f64),
        Dtype::Raw(_) => panic!("leaf {leaf} has raw bytes, which cannot be converted to another dtype"),
    }
}

impl LaneBackend for WorkerBackend {
    fn waiter(&self) -> Arc<dyn BackendWaiter> {
        Arc::<Workers>::clone(&self.workers)
    }

    fn stage(&mut self, lane: usize, asked: LaneOp<'_>) -> Result<()> {
        match asked {
            LaneOp::Step { action, truncate, autoreset } => {
                let bytes = action.bytes(0, self.action.width);
                // An action that is a payload already contains the message's header.
                let head = if action.is_payload(0) { &[][..] } else { &self.action.header };
                self.write_request(lane, Operation::Step { truncate, autoreset }, head, bytes)
            }
            LaneOp::Reset { seed, options, is_discarded, .. } => {
                // The seeds of a pool must fit into an int64. If the backend was configured by `reporting`, its seeds are int64
                // numbers from Python that were cast to u64, so a negative seed exceeds the int64 range.
                if self.message_flags == WorkerPayload::MESSAGE_FLAGS && seed.is_some_and(|seed| i64::try_from(seed).is_err()) {
                    return Err(Error::Value(format!("the seed of environment {lane} exceeds an int64")));
                }
                let seed = seed.map(u64::cast_signed);
                let keywords = options.message().map_or(&[][..], Payload::bytes);
                self.write_request(lane, Operation::Reset { seed, is_discarded }, keywords, &[])
            }
            LaneOp::Next { .. } => self.write_request(lane, Operation::Reset { seed: None, is_discarded: false }, &[], &[]),
            LaneOp::Call(payload) => self.write_request(lane, Operation::Call, payload.bytes(), &[]),
            LaneOp::Save | LaneOp::Load(_) => Err(Error::State("environments of worker processes have no snapshots".into())),
        }
    }

    fn submit(&mut self, lanes: &[u32]) {
        let envs: Vec<_> = lanes.iter().map(|lane| *lane as usize).collect();
        for env in &envs {
            let posted = self.workers.segment.post_staged(*env);
            debug_assert!(posted, "the pool asks a lane one thing at a time");
        }
        self.workers.caller().ring_doorbell(&envs);
    }

    fn is_completed(&mut self, lane: usize) -> bool {
        self.workers.segment.state(lane) == RequestState::Finished
    }

    fn completed_lanes(&mut self, most: usize, found: &mut Vec<u32>) {
        found.extend(self.workers.caller().finished(None, most).into_iter().map(|env| env as u32));
    }

    fn collect(&mut self, lane: usize, out: &mut RowWriter<'_>) -> LaneReply {
        let Some(held) = self.workers.segment.claim_finished(lane) else {
            return LaneReply::Failed(LaneError::raised(format!("env_id {lane} has no result to be taken"), Vec::new()));
        };
        let answer = self.read_reply(&held, out);
        held.release();
        answer.unwrap_or_else(|error| LaneReply::Failed(LaneError::raised(error.to_string(), Vec::new())))
    }

    fn peek(&mut self, lane: usize, out: &mut RowWriter<'_>) -> Option<Payload> {
        let held = self.workers.segment.claim_idle(lane)?;
        self.copy(&held, RowSet::Current, &mut out.observation());
        None
    }

    fn lose_host(&mut self, host: usize) -> LostLanes {
        let segment = &self.workers.segment;
        let hosted = |env: &usize| segment.worker_of(*env) == Some(host);
        let lanes = (0..segment.num_envs()).filter(hosted).map(|env| env as u32).collect();
        // SAFETY: by the contract of `ProcessSupervisor`, the process of a worker that it returns as lost has ended.
        let lost = unsafe { self.workers.caller().lose_worker(host) }.unwrap_or_default();
        for env in &lost {
            if let Some(held) = segment.claim_finished(*env) {
                held.release();
            }
        }
        LostLanes { lanes, lost: lost.into_iter().map(|env| env as u32).collect() }
    }

    fn restart_host(&mut self, host: usize) -> Result<(), LaneError> {
        self.workers.caller().prepare_restart(host);
        self.workers.processes.restart(host)
    }
}

impl BackendWaiter for Workers {
    fn wait(&self, wanted: WaitTarget<'_>, until: Instant) -> Result<()> {
        let among: Option<Vec<usize>> = wanted.lanes.map(|lanes| lanes.iter().map(|lane| *lane as usize).collect());
        let caller = self.caller();
        self.processes.run_local(&self.segment, &|| caller.has_finished(among.as_deref(), wanted.count))?;
        let limit = until.saturating_duration_since(Instant::now()).max(Duration::from_micros(1));
        caller.wait(among.as_deref(), wanted.count, limit);
        Ok(())
    }

    fn next_loss(&self) -> Option<HostLoss> {
        self.processes.next_loss()
    }

    fn close(&self, until: Instant, by_force: bool) -> Vec<LaneError> {
        let failures = self.processes.end(&self.segment, until, by_force);
        self.segment.close();
        failures
    }
}
