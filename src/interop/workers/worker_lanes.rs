//! The backend that runs lanes in worker processes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::workers::error::engine_error;
use crate::workers::processes::{Lost, Processes};
use crate::workers::told::Told;
use envpool_rs_engine::{
    ActionKey, Answer, Answered, Asked, Carried, Death, Dtype, Error, Fault, LeafForm, Message, Outside, Result, Row, RowOut,
    Wanted,
};
use envpool_rs_transport::{Block, Caller, Held, LineState, Operation, RowSet, flags};

/// Layout of a step's message: a constant header, followed by the bytes of the action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionForm {
    head: Vec<u8>,
    width: usize,
}

impl ActionForm {
    /// Creates the layout for a pool with this one action key, whose messages start with `head`.
    ///
    /// # Errors
    /// `Type` for a key that is encoded as numbers, because workers read bytes.
    pub fn new(key: &ActionKey, head: &[u8]) -> Result<Self> {
        match key.carried {
            Carried::Numbers => Err(Error::Type(format!("{} is encoded as numbers: expected bytes", key.name))),
            Carried::Raw(_) | Carried::Messages => Ok(Self { head: head.to_vec(), width: key.width() }),
        }
    }
}

/// Backend for the environments of worker processes.
pub struct WorkerLanes {
    block: Arc<Block>,
    processes: Box<dyn Processes>,
    action: ActionForm,
    /// Leaves of the observation, in the layout of the block's rows.
    leaves: Vec<LeafForm>,
    /// Workers whose loss was detected and not yet reported.
    noticed: Mutex<Vec<Lost>>,
    /// Replies with one of these flags have a message.
    reported: u32,
}

impl WorkerLanes {
    /// Creates the backend of `block`'s environments, all of which are idle. The block's rows consist of `leaves`; the pool may
    /// store each leaf with another dtype.
    ///
    /// # Errors
    /// `State` if the block's rows have other sizes.
    pub fn new(block: Arc<Block>, processes: Box<dyn Processes>, action: ActionForm, leaves: Vec<LeafForm>) -> Result<Self> {
        let bytes = |leaf: &LeafForm| leaf.rows * leaf.shape.iter().product::<usize>() * leaf.dtype.size();
        let is_same = |(leaf, form): (usize, &LeafForm)| {
            (0..block.num_envs()).all(|env| block.row(env, leaf, RowSet::Current).is_some_and(|(_, len)| len == bytes(form)))
        };
        if !leaves.iter().enumerate().all(is_same) {
            return Err(Error::State("the block's row sizes differ from the pool's observations".into()));
        }
        Ok(Self { block, processes, action, leaves, noticed: Mutex::default(), reported: Told::MORE })
    }

    /// Returns this backend with messages also for replies with one of `flags` (`transport::flags`).
    #[must_use]
    pub fn reporting(self, flags: u32) -> Self {
        Self { reported: self.reported | flags, ..self }
    }

    fn caller(&self) -> Caller<'_> {
        Caller::new(&self.block)
    }

    /// Stages an operation of an idle environment.
    fn set_aside(&self, lane: usize, operation: Operation, head: &[u8], body: &[u8]) -> Result<()> {
        let busy = || Error::InFlight { lane };
        let mut held = self.block.hold_idle(lane).ok_or_else(busy)?;
        held.write_request(head, body).map_err(engine_error)?;
        held.set_aside(operation);
        Ok(())
    }

    /// Copies an observation into a row, leaf by leaf. Numbers are converted as in C if the dtypes differ.
    fn copy(&self, held: &Held<'_>, set: RowSet, out: &mut Row<'_>) {
        for (index, leaf) in self.leaves.iter().enumerate() {
            let Some(from) = held.row(index, set) else { continue };
            if out.dtype(index) != leaf.dtype {
                convert(from, leaf.dtype, index, out);
            } else if let Some(to) = out.bytes(index) {
                to.copy_from_slice(from);
            }
        }
    }

    fn message(held: &Held<'_>, flags: u32) -> Result<Message> {
        held.read_reply(|bytes| Told { flags, bytes }.message()).map_err(engine_error)
    }

    /// Decodes the message of an environment's reply.
    fn told(&self, held: &Held<'_>, flags: u32) -> Result<Result<Message, Fault>> {
        held.read_reply(|bytes| self.processes.read(held.env(), Told { flags, bytes })).map_err(engine_error)
    }

    /// Returns the reply of a finished environment.
    fn answer(&self, held: &Held<'_>, out: &mut RowOut<'_>) -> Result<Answer> {
        let completion = held.completion();
        if completion.flags & (flags::FAILED | flags::LOST) != 0 {
            let told = Self::message(held, completion.flags)?;
            return Ok(Answer::Failed(Fault::raised("it failed", told)));
        }
        if completion.flags & flags::CALL != 0 {
            return Ok(Answer::Value(held.read_reply(|bytes| Message::from(bytes)).map_err(engine_error)?));
        }
        if completion.flags & flags::OBSERVATION_IN_ROW != 0 {
            self.copy(held, RowSet::Current, &mut out.observation());
        }
        if completion.flags & flags::FINAL_IN_ROW != 0 {
            self.copy(held, RowSet::Final, &mut out.final_observation());
        }
        out.rewards[0] = completion.reward;
        let message = match (completion.flags & self.reported != 0).then(|| self.told(held, completion.flags)).transpose()? {
            Some(Err(fault)) => return Ok(Answer::Failed(fault)),
            Some(Ok(message)) => Some(message),
            None => None,
        };
        Ok(Answer::Row(Answered {
            terminated: completion.terminated,
            truncated: completion.truncated,
            ended_anew: completion.flags & flags::FINAL != 0,
            message,
            ..Answered::default()
        }))
    }
}

/// Writes numbers of one type into an array of another.
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

impl Outside for WorkerLanes {
    fn begin(&self, lane: usize, asked: Asked<'_>) -> Result<()> {
        match asked {
            Asked::Step { action, cut, anew } => {
                let bytes = action.bytes(0, self.action.width);
                // Messages contain their own header.
                let head = if action.is_message(0) { &[][..] } else { &self.action.head };
                self.set_aside(lane, Operation::Step { cut, anew }, head, bytes)
            }
            Asked::Reset { seed, options } => {
                // Seeds of a pool fit into an int64. Seeds of single-environment requests, which set more `reported` flags, may
                // be negative.
                if self.reported == Told::MORE && seed.is_some_and(|seed| i64::try_from(seed).is_err()) {
                    return Err(Error::Value(format!("the seed of environment {lane} exceeds an int64")));
                }
                let seed = seed.map(u64::cast_signed);
                let keywords = options.message().map_or(&[][..], Message::bytes);
                self.set_aside(lane, Operation::Reset { seed }, keywords, &[])
            }
            Asked::Next { .. } => self.set_aside(lane, Operation::Reset { seed: None }, &[], &[]),
            Asked::Call(payload) => self.set_aside(lane, Operation::Call, payload.bytes(), &[]),
            Asked::Save | Asked::Load(_) => Err(Error::State("environments of worker processes have no snapshots".into())),
        }
    }

    fn ring(&self, lanes: &[u32]) {
        let envs: Vec<_> = lanes.iter().map(|lane| *lane as usize).collect();
        for env in &envs {
            let posted = self.block.post_set_aside(*env);
            debug_assert!(posted, "the pool asks a lane one thing at a time");
        }
        self.caller().ring(&envs);
    }

    fn has_answered(&self, lane: usize) -> bool {
        self.block.state(lane) == LineState::Finished
    }

    fn first_answered(&self, most: usize, found: &mut Vec<u32>) {
        found.extend(self.caller().finished(None, most).into_iter().map(|env| env as u32));
    }

    fn wait(&self, wanted: Wanted<'_>, until: Instant) -> Result<()> {
        let among: Option<Vec<usize>> = wanted.lanes.map(|lanes| lanes.iter().map(|lane| *lane as usize).collect());
        let caller = self.caller();
        self.processes.play_own(&self.block, &|| caller.has_finished(among.as_deref(), wanted.count))?;
        let limit = until.saturating_duration_since(Instant::now()).max(Duration::from_micros(1));
        caller.wait(among.as_deref(), wanted.count, limit);
        Ok(())
    }

    fn finish(&self, lane: usize, out: &mut RowOut<'_>) -> Answer {
        let Some(held) = self.block.hold_finished(lane) else {
            return Answer::Failed(Fault::raised(format!("env_id {lane} has no result to be taken"), Vec::new()));
        };
        let answer = self.answer(&held, out);
        held.release();
        answer.unwrap_or_else(|error| Answer::Failed(Fault::raised(error.to_string(), Vec::new())))
    }

    fn show(&self, lane: usize, out: &mut RowOut<'_>) -> Option<Message> {
        let held = self.block.hold_idle(lane)?;
        self.copy(&held, RowSet::Current, &mut out.observation());
        None
    }

    fn notice(&self) {
        while let Some(lost) = self.processes.lost() {
            self.noticed.lock().unwrap_or_else(PoisonError::into_inner).push(lost);
        }
    }

    fn look_around(&self) -> Option<Death> {
        let Lost { worker, fault } = self.noticed.lock().unwrap_or_else(PoisonError::into_inner).pop()?;
        let hosted = |env: &usize| self.block.worker_of(*env) == Some(worker);
        let lanes = (0..self.block.num_envs()).filter(hosted).map(|env| env as u32).collect();
        // SAFETY: the worker's process has ended, by the contract of `Processes`.
        let lost = unsafe { self.caller().lose_worker(worker) }.unwrap_or_default();
        for env in &lost {
            if let Some(held) = self.block.hold_finished(*env) {
                held.release();
            }
        }
        Some(Death { place: worker, lanes, lost: lost.into_iter().map(|env| env as u32).collect(), fault })
    }

    fn renew(&self, place: usize) -> Result<(), Fault> {
        self.caller().renew_worker(place);
        self.processes.renew(place)
    }

    fn close(&self, until: Instant, by_force: bool) -> Vec<Fault> {
        let failures = self.processes.end(&self.block, until, by_force);
        self.block.close();
        failures
    }
}
