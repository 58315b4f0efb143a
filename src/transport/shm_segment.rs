//! The shared-memory block: one file that all processes map.
//!
//! | part | offset |
//! |---|---|
//! | [`Header`]; [`WorkerLine`] per worker; [`EnvLine`] per environment; each environment's worker; message slots | 0 |
//! | rows, once their layout is known | after the control part, page-aligned |
//! | long messages | [`SPILL`](super::spill::SPILL) |

use std::fs::File;
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use memmap2::MmapRaw;

use super::control::{Completion, EnvLine, Header, MAGIC, Operation, RequestState, WorkerLine, activity};
use super::layout::{RowLayout, RowSet};
use super::spill::{Direction, file_bytes};
use super::spin::CallerWaitEstimate;
use super::wake_up::{WAKE_ALL, WakeStrategy};
use super::{Error, Result, shared_file};

/// Alignment of the rows in bytes: the largest page size of known machines.
const PAGE: usize = 1 << 16;

/// Maximum number of environments, so that the file with the ranges for their long messages does not exceed the file sizes of
/// common file systems.
const MAX_ENVS: usize = 1 << 16;

/// Maximum size of a slot in bytes.
const MAX_MESSAGE_BYTES: usize = 1 << 26;

/// Value that replaces a worker's number if the caller itself runs the environment.
const CALLER: u32 = u32::MAX;

/// Shared memory of a caller and its workers: control words, message slots and rows.
pub struct ShmSegment {
    file: File,
    control: MmapRaw,
    control_layout: ControlLayout,
    rows: OnceLock<(RowLayout, MmapRaw)>,
    caller_waits: CallerWaitEstimate,
}

/// Layout of the control part of the file: numbers of workers and environments, and offsets in bytes.
#[derive(Debug, Clone, Copy)]
struct ControlLayout {
    num_envs: usize,
    num_workers: usize,
    message_bytes: usize,
    wake_up: WakeStrategy,
    workers: usize,
    envs: usize,
    worker_of: usize,
    slots: usize,
    end: usize,
}

impl ControlLayout {
    fn new(num_envs: usize, num_workers: usize, message_bytes: usize, wake_up: WakeStrategy) -> Result<Self> {
        if num_envs == 0 || num_envs > MAX_ENVS {
            return Err(Error::Value(format!("{num_envs} environments: expected 1 to {MAX_ENVS}")));
        }
        if message_bytes > MAX_MESSAGE_BYTES {
            return Err(Error::Value(format!("message_bytes={message_bytes}: expected at most {MAX_MESSAGE_BYTES}")));
        }
        let message_bytes = message_bytes.next_multiple_of(64);
        let workers = size_of::<Header>();
        let envs = workers + num_workers * size_of::<WorkerLine>();
        let worker_of = envs + num_envs * size_of::<EnvLine>();
        let slots = (worker_of + num_envs * size_of::<u32>()).next_multiple_of(64);
        let end = (slots + 2 * num_envs * message_bytes).next_multiple_of(PAGE);
        Ok(Self { num_envs, num_workers, message_bytes, wake_up, workers, envs, worker_of, slots, end })
    }
}

// SAFETY: all data in the mappings is accessed through atomics, except rows and messages. Rows and messages are accessed through
// claims (`claims.rs`), of which at most one exists per environment, in any thread of any process.
unsafe impl Sync for ShmSegment {}
// SAFETY: mappings are not bound to threads. They are accessed through atomics, or through claims, of which at most one exists
// per environment.
unsafe impl Send for ShmSegment {}

impl ShmSegment {
    /// Creates a block. `worker_of` has the number of each environment's worker; `None`: the caller runs the environment itself.
    /// `message_bytes` is the size of each message slot; longer messages are stored elsewhere in the file.
    ///
    /// # Errors
    /// `Value` if there are no or too many environments, or the slots are too large; `System` if the system provides no memory.
    pub fn create(worker_of: &[Option<u32>], message_bytes: usize, wake_up: WakeStrategy) -> Result<Self> {
        let num_workers = worker_of.iter().flatten().max().map_or(0, |last| *last as usize + 1);
        if num_workers > MAX_ENVS {
            return Err(Error::Value(format!("worker {}: expected at most {MAX_ENVS} workers", num_workers - 1)));
        }
        let plan = ControlLayout::new(worker_of.len(), num_workers, message_bytes, wake_up)?;
        let error_context = || Error::system("shared memory for environments");
        let file = shared_file::create().map_err(error_context())?;
        file.set_len(file_bytes(plan.num_envs).max(plan.end as u64)).map_err(error_context())?;
        shared_file::allocate(&file, 0, plan.end).map_err(error_context())?;
        let control = shared_file::map(&file, 0, plan.end).map_err(error_context())?;
        let segment =
            Self { file, control, control_layout: plan, rows: OnceLock::new(), caller_waits: CallerWaitEstimate::default() };
        for (env, worker) in worker_of.iter().enumerate() {
            segment.worker_word(env).store(worker.unwrap_or(CALLER), Ordering::Relaxed);
        }
        let header = segment.header();
        for (word, value) in [(&header.num_envs, plan.num_envs), (&header.num_workers, num_workers)] {
            word.store(value as u32, Ordering::Relaxed);
        }
        header.message_bytes.store(plan.message_bytes as u32, Ordering::Relaxed);
        header.poll.store((wake_up == WakeStrategy::Poll).into(), Ordering::Relaxed);
        header.magic.store(MAGIC, Ordering::Release);
        Ok(segment)
    }

    /// Attaches to the block in a file that another process created.
    ///
    /// # Errors
    /// `Value` if the file is not a block, `System` if it cannot be mapped.
    pub fn attach(file: File) -> Result<Self> {
        let error_context = || Error::system("shared memory of environments");
        let none = || Error::Value("the file is not a shared-memory block of envpool_rs".to_owned());
        let bytes = file.metadata().map_err(error_context())?.len();
        if bytes < PAGE as u64 {
            return Err(none());
        }
        let first = shared_file::map(&file, 0, size_of::<Header>()).map_err(error_context())?;
        // SAFETY: the mapping has the length of a header and is page-aligned, and any bytes are valid atomics.
        let header = unsafe { &*first.as_ptr().cast::<Header>() };
        if header.magic.load(Ordering::Acquire) != MAGIC {
            return Err(none());
        }
        let [num_envs, num_workers, message_bytes] =
            [&header.num_envs, &header.num_workers, &header.message_bytes].map(|word| word.load(Ordering::Relaxed) as usize);
        let wake_up = if header.poll.load(Ordering::Relaxed) == 1 { WakeStrategy::Poll } else { WakeStrategy::best() };
        let plan = ControlLayout::new(num_envs, num_workers.min(MAX_ENVS), message_bytes, wake_up)?;
        if bytes < plan.end as u64 {
            return Err(none());
        }
        let control = shared_file::map(&file, 0, plan.end).map_err(error_context())?;
        Ok(Self { file, control, control_layout: plan, rows: OnceLock::new(), caller_waits: CallerWaitEstimate::default() })
    }

    /// Returns the file, which other processes need to [attach](Self::attach) to the block.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Returns the number of environments in the block.
    #[must_use]
    pub fn num_envs(&self) -> usize {
        self.control_layout.num_envs
    }

    /// Returns the number of worker processes of the block.
    #[must_use]
    pub fn num_workers(&self) -> usize {
        self.control_layout.num_workers
    }

    /// Returns the size of a message slot in bytes.
    #[must_use]
    pub fn message_bytes(&self) -> usize {
        self.control_layout.message_bytes
    }

    /// Returns the mechanism by which processes wake each other.
    #[must_use]
    pub fn wake_up(&self) -> WakeStrategy {
        self.control_layout.wake_up
    }

    /// Returns a reference to control words at `offset` in the mapping.
    ///
    /// # Safety
    /// All fields of `T` are atomics, for which any bytes are valid. The range is inside the mapping and aligned.
    unsafe fn part<T>(&self, offset: usize) -> &T {
        debug_assert!(offset + size_of::<T>() <= self.control_layout.end && offset.is_multiple_of(align_of::<T>()));
        // SAFETY: the caller guarantees that the range is inside the mapping and aligned, and the mapping lives as long as
        // `self`.
        unsafe { &*self.control.as_ptr().add(offset).cast::<T>() }
    }

    pub(super) fn header(&self) -> &Header {
        // SAFETY: all fields of `Header` are atomics. The header is at offset 0 of the control part, and mappings are
        // page-aligned.
        unsafe { self.part(0) }
    }

    pub(super) fn worker(&self, worker: usize) -> &WorkerLine {
        assert!(worker < self.control_layout.num_workers);
        // SAFETY: all fields of `WorkerLine` are atomics. `ControlLayout::new` reserves one line per worker, at multiples of the
        // alignment.
        unsafe { self.part(self.control_layout.workers + worker * size_of::<WorkerLine>()) }
    }

    pub(super) fn env(&self, env: usize) -> &EnvLine {
        assert!(env < self.control_layout.num_envs);
        // SAFETY: all fields of `EnvLine` are atomics. `ControlLayout::new` reserves one line per environment, at multiples of
        // the alignment.
        unsafe { self.part(self.control_layout.envs + env * size_of::<EnvLine>()) }
    }

    fn worker_word(&self, env: usize) -> &AtomicU32 {
        assert!(env < self.control_layout.num_envs);
        // SAFETY: the word is atomic. `ControlLayout::new` reserves one word per environment after the `EnvLine`s, whose size
        // keeps the words aligned.
        unsafe { self.part(self.control_layout.worker_of + env * size_of::<u32>()) }
    }

    /// Returns the number of the worker that runs an environment; `None` if the caller runs it.
    #[must_use]
    pub fn worker_of(&self, env: usize) -> Option<usize> {
        let word = self.worker_word(env).load(Ordering::Relaxed) as usize;
        (word < self.control_layout.num_workers).then_some(word)
    }

    /// Returns the address of the slot for a message of `bytes` bytes; `None` if the message does not fit.
    pub(super) fn slot(&self, env: usize, direction: Direction, bytes: usize) -> Option<NonNull<u8>> {
        if bytes > self.control_layout.message_bytes || env >= self.control_layout.num_envs {
            return None;
        }
        let offset = self.control_layout.slots + (2 * env + direction as usize) * self.control_layout.message_bytes;
        // SAFETY: `ControlLayout::new` reserves all slots inside the mapping, and `env` is checked above.
        NonNull::new(unsafe { self.control.as_mut_ptr().add(offset) })
    }

    /// Maps the rows of all environments. The creator of the block maps the rows first; all processes pass equal layouts.
    ///
    /// # Errors
    /// `State` if the rows are already mapped; `Value` if the layout has another number of environments or differs from the other
    /// processes' layout; `System` if the system provides no memory.
    pub fn map_rows(&self, layout: RowLayout, envs: usize) -> Result<()> {
        if envs != self.control_layout.num_envs {
            return Err(Error::Value(format!("rows of {envs} environments: expected {}", self.control_layout.num_envs)));
        }
        // All processes must use one layout, because rows of two different layouts would overlap.
        let (mine, known) = (layout.fingerprint(), &self.header().layout);
        let theirs = known.compare_exchange(0, mine, Ordering::SeqCst, Ordering::SeqCst).unwrap_or_else(|theirs| theirs);
        if theirs != 0 && theirs != mine {
            return Err(Error::Value("these rows are laid out otherwise than those of the block's other processes".to_owned()));
        }
        let bytes = layout.bytes().max(1);
        let error_context = || Error::system(format!("{} MiB of shared memory for observations", bytes >> 20));
        let end = (self.control_layout.end + bytes) as u64;
        if self.file.metadata().map_err(error_context())?.len() < end {
            self.file.set_len(end).map_err(error_context())?;
        }
        shared_file::allocate(&self.file, self.control_layout.end as u64, bytes).map_err(error_context())?;
        let mapping = shared_file::map(&self.file, self.control_layout.end as u64, bytes).map_err(error_context())?;
        self.rows.set((layout, mapping)).map_err(|_| Error::State("the rows have been mapped before".to_owned()))
    }

    /// Returns the layout of the rows; `None` before they are mapped.
    #[must_use]
    pub fn layout(&self) -> Option<&RowLayout> {
        self.rows.get().map(|(layout, _)| layout)
    }

    /// Returns address and length of an environment's row. Only the holder of the environment's claim may access the row.
    #[must_use]
    pub fn row(&self, env: usize, leaf: usize, set: RowSet) -> Option<(NonNull<u8>, usize)> {
        let (layout, mapping) = self.rows.get()?;
        let (offset, bytes) = layout.span(env, leaf, set)?;
        // SAFETY: `RowLayout::span` returns ranges inside `RowLayout::bytes`, and `map_rows` has mapped this many bytes.
        NonNull::new(unsafe { mapping.as_mut_ptr().add(offset) }).map(|begin| (begin, bytes))
    }

    /// Returns the state of an environment's request.
    #[must_use]
    pub fn state(&self, env: usize) -> RequestState {
        RequestState::of(self.env(env).state.load(Ordering::Acquire))
    }

    /// Returns the operation of an environment's request.
    #[must_use]
    pub fn operation(&self, env: usize) -> Operation {
        Operation::load(self.env(env))
    }

    /// Returns the completion of an environment's last finished request.
    #[must_use]
    pub fn completion(&self, env: usize) -> Completion {
        Completion::load(self.env(env))
    }

    /// Publishes the completion of a running request. Wakes the caller if the number of completions reaches the number that it
    /// waits for.
    pub(super) fn finish(&self, env: usize, completion: Completion) {
        let (line, progress) = (self.env(env), &self.header().progress);
        completion.store(line);
        line.ticket.store(progress.tickets.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        line.state.store(RequestState::Finished as u32, Ordering::Release);
        let finished = progress.finished.fetch_add(1, Ordering::SeqCst).wrapping_add(1);
        let due = finished.wrapping_sub(progress.wake_at.load(Ordering::SeqCst)).cast_signed() >= 0;
        if due && progress.sleeping.swap(0, Ordering::SeqCst) == 1 {
            self.control_layout.wake_up.wake(&progress.finished, WAKE_ALL);
        }
    }

    /// Signals all workers to end.
    pub fn close(&self) {
        let header = self.header();
        header.closing.store(1, Ordering::SeqCst);
        header.doorbell.word.fetch_add(1, Ordering::SeqCst);
        self.control_layout.wake_up.wake(&header.doorbell.word, WAKE_ALL);
    }

    /// Returns whether workers have been signalled to end.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.header().closing.load(Ordering::Relaxed) != 0
    }

    pub(super) fn caller_wait_estimate(&self) -> &CallerWaitEstimate {
        &self.caller_waits
    }

    /// Returns the number of workers that are spinning while they wait.
    pub(super) fn spinning(&self) -> usize {
        let spins = |worker: &usize| self.worker(*worker).activity.load(Ordering::Relaxed) == activity::SPINNING;
        (0..self.control_layout.num_workers).filter(spins).count()
    }
}
