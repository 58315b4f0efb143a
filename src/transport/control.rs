//! The words that processes share: one line for all, one for each worker, one for each environment.
//!
//! All fields are atomics, since any process may write at any time; which of them does is said at each. Data words (relaxed) are
//! published by the state (release) of their environment, and read after it (acquire).

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

/// Says that a file is a block of this layout.
pub const MAGIC: u64 = 0x656e_7670_6f6f_6c01;

/// What all processes look at. Written once by the creator: `magic` to `poll`.
#[repr(C, align(64))]
pub struct Header {
    pub magic: AtomicU64,
    pub num_envs: AtomicU32,
    pub num_workers: AtomicU32,
    pub message_bytes: AtomicU32,
    /// 1: `WakeUp::Poll`.
    pub poll: AtomicU32,
    /// Set by the caller, for good.
    pub closing: AtomicU32,
    /// Tells one layout of rows from another; 0 before there are any. Written once by the first who maps them.
    pub layout: AtomicU64,
    pub doorbell: Doorbell,
    pub progress: Progress,
}

/// What workers sleep on. Its word is changed by the caller whenever it has posted something.
#[repr(C, align(64))]
pub struct Doorbell {
    pub word: AtomicU32,
}

/// What the caller sleeps on.
#[repr(C, align(64))]
pub struct Progress {
    /// Counts finished requests; written by whoever finishes one.
    pub finished: AtomicU32,
    /// Hands out the order of completion; likewise.
    pub tickets: AtomicU32,
    /// The caller wants to be woken when `finished` gets here. Written by the caller.
    pub wake_at: AtomicU32,
    /// 1 while the caller sleeps or is about to. Written by the caller.
    pub sleeping: AtomicU32,
}

/// One for each worker.
#[repr(C, align(64))]
pub struct WorkerLine {
    /// Changed by the caller when it has posted something for this worker.
    pub posted: AtomicU32,
    /// What the worker is at; written by it, and by the caller before a new process takes its place.
    pub activity: AtomicU32,
    /// The process that plays, 0 for none; written by it, and by the caller once it is dead.
    pub pid: AtomicU32,
}

/// Values of [`WorkerLine::activity`].
pub mod activity {
    pub const BUSY: u32 = 0;
    pub const SPINNING: u32 = 1;
    pub const SLEEPING: u32 = 2;
}

/// One for each environment. It belongs to the caller while idle or finished, to the environment's process otherwise.
#[repr(C, align(64))]
pub struct EnvLine {
    pub state: AtomicU32,
    pub operation: AtomicU32,
    pub ticket: AtomicU32,
    pub flags: AtomicU32,
    pub reward: AtomicU64,
    pub seed: AtomicU64,
    pub request_bytes: AtomicU64,
    pub reply_bytes: AtomicU64,
    pub terminated: AtomicU8,
    pub truncated: AtomicU8,
}

/// What an environment's line holds: no request, or one, and how far that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum LineState {
    /// There is none.
    Idle = 0,
    /// It waits for the environment's process.
    Requested = 1,
    /// It is being played.
    Running = 2,
    /// It is done, and its completion has not been taken.
    Finished = 3,
}

/// An idle environment that a thread of the caller's holds.
pub const HELD_IDLE: u32 = 4;

/// A finished one.
pub const HELD_FINISHED: u32 = 5;

impl LineState {
    pub(super) fn of(word: u32) -> Self {
        match word {
            1 => Self::Requested,
            2 => Self::Running,
            3 | HELD_FINISHED => Self::Finished,
            _ => Self::Idle,
        }
    }
}

/// What is asked of an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A step, whose action is the message.
    Step {
        /// The episode ends with this step, whatever the environment says.
        cut: bool,
        /// If the episode ends, the next one is to begin in the same answer.
        anew: bool,
    },
    /// A reset; further arguments are the message.
    Reset {
        /// The seed, if one was given.
        seed: Option<i64>,
    },
    /// Anything else, told by the message.
    Call,
}

const RESET: u32 = 2;
const SEEDED_RESET: u32 = 3;
const CALL: u32 = 4;
/// With two more bits: `cut` and `anew`.
const STEP: u32 = 8;
const CUT: u32 = 1;
const ANEW: u32 = 2;

impl Operation {
    /// A step of an episode that ends as the environment says, and is followed by nothing.
    pub const STEP: Self = Self::Step { cut: false, anew: false };

    pub(super) fn store(self, line: &EnvLine) {
        let (word, seed) = match self {
            Self::Step { cut, anew } => (STEP | if cut { CUT } else { 0 } | if anew { ANEW } else { 0 }, 0),
            Self::Reset { seed: None } => (RESET, 0),
            Self::Reset { seed: Some(seed) } => (SEEDED_RESET, seed),
            Self::Call => (CALL, 0),
        };
        line.seed.store(seed.cast_unsigned(), Ordering::Relaxed);
        line.operation.store(word, Ordering::Relaxed);
    }

    pub(super) fn load(line: &EnvLine) -> Self {
        match line.operation.load(Ordering::Relaxed) {
            RESET => Self::Reset { seed: None },
            word if word & !(CUT | ANEW) == STEP => Self::Step { cut: word & CUT != 0, anew: word & ANEW != 0 },
            SEEDED_RESET => Self::Reset { seed: Some(line.seed.load(Ordering::Relaxed).cast_signed()) },
            _ => Self::Call,
        }
    }
}

/// What came of a request, beside its message.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Completion {
    /// See [`flags`].
    pub flags: u32,
    /// The step's reward.
    pub reward: f64,
    /// The episode ended by the environment's rules.
    pub terminated: bool,
    /// The episode was cut.
    pub truncated: bool,
}

/// Bits of [`Completion::flags`].
pub mod flags {
    /// The observation lies in the environment's rows.
    pub const OBSERVATION_IN_ROW: u32 = 1;
    /// There is a message.
    pub const MESSAGE: u32 = 2;
    /// The environment raised; the message tells what.
    pub const FAILED: u32 = 4;
    /// The environment's step gave four values.
    pub const FOUR_VALUES: u32 = 8;
    /// An episode ended and the same step began another: the final row or the message holds the last observation.
    pub const FINAL: u32 = 16;
    /// The process that hosted the environment died.
    pub const LOST: u32 = 32;
    /// The reward is no number, and lies in the message.
    pub const REWARD_IN_MESSAGE: u32 = 64;
    /// It was a call; the message is what it returned.
    pub const CALL: u32 = 128;
    /// The final observation lies in the environment's final rows.
    pub const FINAL_IN_ROW: u32 = 256;
    /// The message is the info: numbers by their keys.
    pub const PLAIN_INFO: u32 = 512;
}

impl Completion {
    pub(super) fn store(self, line: &EnvLine) {
        line.flags.store(self.flags, Ordering::Relaxed);
        line.reward.store(self.reward.to_bits(), Ordering::Relaxed);
        line.terminated.store(self.terminated.into(), Ordering::Relaxed);
        line.truncated.store(self.truncated.into(), Ordering::Relaxed);
    }

    pub(super) fn load(line: &EnvLine) -> Self {
        Self {
            flags: line.flags.load(Ordering::Relaxed),
            reward: f64::from_bits(line.reward.load(Ordering::Relaxed)),
            terminated: line.terminated.load(Ordering::Relaxed) != 0,
            truncated: line.truncated.load(Ordering::Relaxed) != 0,
        }
    }
}
