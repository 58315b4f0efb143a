//! Control words that processes share: a header for all processes, and one group of words (64 bytes or more) for each worker and
//! each environment.
//!
//! All fields are atomics, because any process may write at any time; the comments on the fields name the writers. Data words are
//! accessed with relaxed ordering. Storing the environment's state (release) publishes them, and they are read after loading the
//! state (acquire).

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

/// Number at the start of the file that identifies a block of this layout.
pub const MAGIC: u64 = 0x656e_7670_6f6f_6c01;

/// Control words for all processes. The creator of the block writes the words from `magic` to `poll` once.
#[repr(C, align(64))]
pub struct Header {
    pub magic: AtomicU64,
    pub num_envs: AtomicU32,
    pub num_workers: AtomicU32,
    pub message_bytes: AtomicU32,
    /// 1 if processes wake each other by `WakeStrategy::Poll`, otherwise 0.
    pub poll: AtomicU32,
    /// Non-zero once the caller has closed the block.
    pub closing: AtomicU32,
    /// Fingerprint of the row layout; 0 before rows are mapped. Written once by the first process that maps rows.
    pub layout: AtomicU64,
    pub doorbell: Doorbell,
    pub progress: CompletionSignal,
}

/// Word on which workers sleep. The caller changes it after posting requests.
#[repr(C, align(64))]
pub struct Doorbell {
    pub word: AtomicU32,
}

/// Words on which the caller sleeps.
#[repr(C, align(64))]
pub struct CompletionSignal {
    /// Number of finished requests; each process increments it for each request that it finishes.
    pub finished: AtomicU32,
    /// Next ticket. Tickets order completions; each process increments the word for each request that it finishes.
    pub tickets: AtomicU32,
    /// Value of `finished` at which a process must wake the caller. Written by the caller.
    pub wake_at: AtomicU32,
    /// 1 while the caller sleeps or is about to sleep, otherwise 0. Written by the caller, and cleared by the process that wakes
    /// it.
    pub sleeping: AtomicU32,
}

/// Control words of one worker.
#[repr(C, align(64))]
pub struct WorkerLine {
    /// Counter that the caller changes when it has posted a request for this worker.
    pub posted: AtomicU32,
    /// One of the values in [`activity`]. Written by the worker, and by the caller before a new process replaces the worker.
    pub activity: AtomicU32,
    /// Process id of the worker; 0 if no process runs. Written by the worker, and by the caller after the worker has died.
    pub pid: AtomicU32,
}

/// Values of [`WorkerLine::activity`].
pub mod activity {
    pub const BUSY: u32 = 0;
    pub const SPINNING: u32 = 1;
    pub const SLEEPING: u32 = 2;
}

/// Control words of one environment. The caller owns the words in the states idle and finished; the process that runs the
/// environment owns them in the states requested and running.
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

/// State of an environment's request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum RequestState {
    /// There is no request.
    Idle = 0,
    /// The request was posted, and no process has claimed it.
    Requested = 1,
    /// The request is being executed.
    Running = 2,
    /// The request is finished, and its completion has not been taken.
    Finished = 3,
}

/// State word of an idle environment that a thread of the caller has claimed.
pub const CLAIMED_IDLE: u32 = 4;

/// State word of a finished environment that a thread of the caller has claimed.
pub const CLAIMED_FINISHED: u32 = 5;

impl RequestState {
    pub(super) fn of(word: u32) -> Self {
        match word {
            1 => Self::Requested,
            2 => Self::Running,
            3 | CLAIMED_FINISHED => Self::Finished,
            _ => Self::Idle,
        }
    }
}

/// Operation that the environment must run for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A step of the environment. The message holds the action.
    Step {
        /// Whether the episode is truncated at this step.
        truncate: bool,
        /// Whether the next episode starts in this reply if the episode ends (same-step autoreset).
        autoreset: bool,
    },
    /// A reset of the environment. The message holds further arguments.
    Reset {
        /// Seed, if one was given.
        seed: Option<i64>,
        /// Whether the caller resets the environment again before the first step of the episode.
        is_discarded: bool,
    },
    /// Another operation, which the message describes.
    Call,
}

const CALL: u32 = 4;
/// Code of a reset in the operation word, combined with the bits `SEEDED` and `DISCARDED`.
const RESET: u32 = 16;
const SEEDED: u32 = 1;
const DISCARDED: u32 = 2;
/// Code of a step in the operation word, combined with the bits `CUT` (truncated) and `AUTORESET`.
const STEP: u32 = 8;
const CUT: u32 = 1;
const AUTORESET: u32 = 2;

impl Operation {
    /// A step that does not truncate the episode, and does not start the next one.
    pub const STEP: Self = Self::Step { truncate: false, autoreset: false };

    pub(super) fn store(self, line: &EnvLine) {
        let (word, seed) = match self {
            Self::Step { truncate, autoreset } => {
                (STEP | if truncate { CUT } else { 0 } | if autoreset { AUTORESET } else { 0 }, 0)
            }
            Self::Reset { seed, is_discarded } => {
                let bits = if seed.is_some() { SEEDED } else { 0 } | if is_discarded { DISCARDED } else { 0 };
                (RESET | bits, seed.unwrap_or_default())
            }
            Self::Call => (CALL, 0),
        };
        line.seed.store(seed.cast_unsigned(), Ordering::Relaxed);
        line.operation.store(word, Ordering::Relaxed);
    }

    pub(super) fn load(line: &EnvLine) -> Self {
        match line.operation.load(Ordering::Relaxed) {
            word if word & !(CUT | AUTORESET) == STEP => {
                Self::Step { truncate: word & CUT != 0, autoreset: word & AUTORESET != 0 }
            }
            word if word & !(SEEDED | DISCARDED) == RESET => Self::Reset {
                seed: (word & SEEDED != 0).then(|| line.seed.load(Ordering::Relaxed).cast_signed()),
                is_discarded: word & DISCARDED != 0,
            },
            _ => Self::Call,
        }
    }
}

/// Result of a request, except its message.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Completion {
    /// Bits that are defined in [`flags`].
    pub flags: u32,
    /// Reward of the step.
    pub reward: f64,
    /// Whether the episode ended by the environment's rules.
    pub terminated: bool,
    /// Whether the episode was truncated.
    pub truncated: bool,
}

/// Meaning of the bits of [`Completion::flags`].
pub mod flags {
    /// The observation is in the environment's rows.
    pub const OBSERVATION_IN_ROW: u32 = 1;
    /// The reply has a message: bytes besides the rows, such as pickled infos or an exception.
    pub const MESSAGE: u32 = 2;
    /// The environment raised an exception, which the message contains.
    pub const FAILED: u32 = 4;
    /// The environment's step returned four values (the old gym API).
    pub const FOUR_VALUES: u32 = 8;
    /// An episode ended, and the same step started the next one. The final row or the message holds the last observation.
    pub const FINAL: u32 = 16;
    /// The process that ran the environment died.
    pub const LOST: u32 = 32;
    /// The reward is not a numeric scalar but another object, such as an array or `None`, which the message contains.
    pub const REWARD_IN_MESSAGE: u32 = 64;
    /// The request was a call, and the message is its return value.
    pub const CALL: u32 = 128;
    /// The final observation is in the environment's final rows.
    pub const FINAL_IN_ROW: u32 = 256;
    /// The message is an info dict whose values are numbers.
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
