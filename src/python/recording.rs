//! Recording of a pool: rows and actions of all results, in chunks that a thread appends to a file.

mod chunk_writer;
mod frame_stacks;

use std::fs::File;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use chunk_writer::Chunk;
pub use chunk_writer::ChunkWriter;
pub use frame_stacks::FrameStacks;

use envpool_rs_engine::{ActionColumn, ActionEncoding, ActionKey, Batch, Layout, RequestBuilder, Role};

/// Content of a recorded row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum RowKind {
    /// Environment without a request: the row repeats its last observation.
    Unchanged = 0,
    /// First observation of an episode: after `reset`, after a step that only resets, and if the environment was lost.
    Reset = 1,
    /// Result of a step.
    Step = 2,
    /// Result of a step from a state that `set_state` has set.
    Moved = 3,
}

/// First sections of a chunk: numbers of rows of the results (`u32`), kinds of the rows (`u8`), and their environments (`u32`).
/// Sections with the rows' actions follow, one for each action key, and then those of the recorded columns.
const COUNTS: usize = 0;
const KINDS: usize = 1;
const LANES: usize = 2;
const ACTIONS: usize = 3;

/// Sizes of a chunk that end it.
#[derive(Debug, Clone, Copy)]
pub struct ChunkLimits {
    /// Bytes of its sections.
    pub stored: usize,
    /// Bytes of its rows with whole frame stacks, which readers decode at once.
    pub decoded: usize,
    /// Time since its first row.
    pub age: Duration,
}

/// State of the recording of one pool.
pub struct Recorder {
    /// Numbers of the recorded columns.
    columns: Vec<usize>,
    /// Encoder of the first column, if it holds frame stacks.
    stacks: Option<FrameStacks>,
    /// Numbers of the columns `terminated` and `truncated`.
    flags: [usize; 2],
    limits: ChunkLimits,
    chunk: Chunk,
    started: Instant,
    decoded: usize,
    writer: Arc<ChunkWriter>,
    /// Whether a chunk was given to the writer since the last check of its progress.
    pub is_unchecked: bool,
    /// What each environment does: the kind of its next row. Not filled while `is_step` is set.
    pending: Vec<RowKind>,
    /// Whether all environments do a step.
    is_step: bool,
    /// Whether `set_state` has changed the state of an environment since its last row.
    moved: Vec<bool>,
    has_moved: bool,
    /// Latest action of each environment, one array for each action key.
    latest: Vec<Vec<u8>>,
}

impl Recorder {
    /// Creates the recorder of a pool with `num_envs` environments, and a thread that appends chunks to `file`.
    ///
    /// # Errors
    /// `ValueError` if the pool's actions are Python objects; `OSError` if no thread can be started.
    pub fn new(
        file: File,
        columns: Vec<usize>,
        stacks: Option<FrameStacks>,
        layout: &Layout,
        keys: &[ActionKey],
        num_envs: usize,
        limits: ChunkLimits,
    ) -> PyResult<Self> {
        if keys.iter().any(|key| key.encoding == ActionEncoding::Payloads) {
            return Err(PyValueError::new_err("env has actions that are no arrays of numbers: expected one whose actions are"));
        }
        let flags = [Role::Terminated, Role::Truncated].map(|role| layout.index_of_all(role).expect("layouts have both flags"));
        let writer = Arc::new(ChunkWriter::new());
        writer.start(file)?;
        let extra = if stacks.is_some() { FrameStacks::SECTIONS - 1 } else { 0 };
        Ok(Self {
            chunk: Chunk::new(ACTIONS + keys.len() + columns.len() + extra),
            columns,
            stacks,
            flags,
            limits,
            started: Instant::now(),
            decoded: 0,
            writer,
            is_unchecked: false,
            pending: vec![RowKind::Unchanged; num_envs],
            is_step: false,
            moved: vec![false; num_envs],
            has_moved: false,
            latest: keys.iter().map(|key| vec![0; row_bytes(key) * num_envs]).collect(),
        })
    }

    /// Returns the thread that writes the chunks.
    pub fn writer(&self) -> &Arc<ChunkWriter> {
        &self.writer
    }

    /// Stores the actions of a step that was prepared, and which environments it only resets.
    ///
    /// # Errors
    /// `ValueError` for actions that are Python objects.
    pub fn note_step(&mut self, request: &mut RequestBuilder<'_>) -> PyResult<()> {
        if request.actions().iter().any(|column| matches!(column, ActionColumn::Payloads { .. })) {
            return Err(PyValueError::new_err("action is no array of numbers: expected one, because the pool is recorded"));
        }
        let is_all = request.has_all_lanes();
        if is_all {
            for (latest, column) in self.latest.iter_mut().zip(request.actions()) {
                latest.copy_from_slice(action_bytes(column));
            }
            self.is_step = !request.only_resets().contains(&true);
            if self.is_step {
                return Ok(());
            }
        }
        self.fill_pending();
        let lanes: Vec<usize> = request.env_ids().collect();
        for (latest, column) in self.latest.iter_mut().zip(request.actions()).filter(|_| !is_all) {
            let stride = latest.len() / self.pending.len();
            for (action, lane) in action_bytes(column).chunks(stride.max(1)).zip(&lanes) {
                latest[lane * stride..][..stride].copy_from_slice(action);
            }
        }
        for (lane, only_resets) in lanes.iter().zip(request.only_resets()) {
            self.pending[*lane] = if *only_resets { RowKind::Reset } else { RowKind::Step };
        }
        Ok(())
    }

    /// Stores that environments are reset: `ids`, or all.
    pub fn note_reset(&mut self, ids: Option<&[i64]>) {
        self.fill_pending();
        match ids {
            None => self.pending.fill(RowKind::Reset),
            Some(ids) => ids.iter().for_each(|id| self.pending[*id as usize] = RowKind::Reset),
        }
    }

    fn fill_pending(&mut self) {
        if std::mem::take(&mut self.is_step) {
            self.pending.fill(RowKind::Step);
        }
    }

    /// Stores that `set_state` has changed environments: `ids`, or all.
    pub fn note_moved(&mut self, ids: Option<&[i64]>) {
        self.has_moved = true;
        match ids {
            None => self.moved.fill(true),
            Some(ids) => ids.iter().for_each(|id| self.moved[*id as usize] = true),
        }
    }

    /// Copies the rows of a batch into the chunk, and gives the chunk to the writer if it is full.
    pub fn record(&mut self, batch: &Batch) {
        let (rows, lanes) = (batch.rows(), batch.lanes());
        if self.chunk.sections[COUNTS].is_empty() {
            self.started = Instant::now();
        }
        let is_all = rows == self.pending.len() && lanes.iter().enumerate().all(|(row, lane)| row == *lane as usize);
        self.add_kinds(batch, is_all);
        let [terminated, truncated] = self.flags.map(|column| batch.bytes(column));
        let has_ends = terminated.iter().chain(truncated).fold(0, |any, flag| any | flag) != 0;
        let (head, mut sections) = self.chunk.sections.split_at_mut(ACTIONS + self.latest.len());
        head[COUNTS].extend_from_slice(&(rows as u32).to_ne_bytes());
        head[LANES].extend_from_slice(as_bytes(lanes));
        for (section, latest) in head[ACTIONS..].iter_mut().zip(&self.latest) {
            let stride = latest.len() / self.pending.len();
            match is_all {
                true => section.extend_from_slice(latest),
                false => lanes.iter().for_each(|lane| section.extend_from_slice(&latest[*lane as usize * stride..][..stride])),
            }
        }
        let is_end = |row: usize| terminated[row] | truncated[row] != 0;
        let mut columns = self.columns.as_slice();
        if let Some(stacks) = &mut self.stacks {
            let kinds = &head[KINDS][head[KINDS].len() - rows..];
            let row_of = |row: usize| (lanes[row] as usize, kinds[row], is_end(row));
            let (own, others) = sections.split_first_chunk_mut().expect("a column of stacks has its sections");
            stacks.encode(batch, columns[0], row_of, own);
            (columns, sections) = (&columns[1..], others);
        }
        for (column, section) in columns.iter().zip(sections) {
            let bytes = batch.bytes(*column);
            match batch.layout().column(*column).role {
                Role::FinalObservation(_) | Role::FinalInfo(_) if !has_ends => {}
                Role::FinalObservation(_) | Role::FinalInfo(_) => {
                    let stride = bytes.len() / rows;
                    (0..rows)
                        .filter(|row| is_end(*row))
                        .for_each(|row| section.extend_from_slice(&bytes[row * stride..][..stride]));
                }
                _ => section.extend_from_slice(bytes),
            }
        }
        self.decoded += self.stacks.as_ref().map_or(0, |stacks| stacks.decoded_bytes(rows));
        let stored = self.chunk.bytes();
        let is_full = stored >= self.limits.stored || self.decoded + stored >= self.limits.decoded;
        if is_full || self.started.elapsed() >= self.limits.age {
            self.hand_over();
        }
    }

    /// Appends the kinds of a batch's rows.
    fn add_kinds(&mut self, batch: &Batch, is_all: bool) {
        let kinds = &mut self.chunk.sections[KINDS];
        if is_all && self.is_step && !self.has_moved && batch.restarted.is_empty() {
            kinds.resize(kinds.len() + batch.rows(), RowKind::Step as u8);
            self.is_step = false;
            return;
        }
        if std::mem::take(&mut self.is_step) {
            self.pending.fill(RowKind::Step);
        }
        for (row, lane) in batch.lanes().iter().enumerate() {
            let lane = *lane as usize;
            let kind = std::mem::replace(&mut self.pending[lane], RowKind::Unchanged);
            let moved = kind != RowKind::Unchanged && std::mem::take(&mut self.moved[lane]);
            kinds.push(match kind {
                RowKind::Step if batch.restarted.contains(&(row as u32)) => RowKind::Reset as u8,
                RowKind::Step if moved => RowKind::Moved as u8,
                other => other as u8,
            });
        }
        self.has_moved = self.has_moved && self.moved.contains(&true);
    }

    /// Gives the chunk to the writer, if it has rows.
    pub fn hand_over(&mut self) {
        if !self.chunk.sections[COUNTS].is_empty() {
            let free = self.writer.exchange(std::mem::take(&mut self.chunk));
            self.chunk = free;
            (self.decoded, self.is_unchecked) = (0, true);
        }
    }
}

/// Number of bytes of one environment's action.
fn row_bytes(key: &ActionKey) -> usize {
    let values = key.values_per_row();
    match key.encoding {
        ActionEncoding::Numbers if key.discrete.is_none() && key.is_f64 => values * size_of::<f64>(),
        ActionEncoding::Numbers => values * size_of::<f32>(),
        ActionEncoding::Raw(_) | ActionEncoding::Payloads => values,
    }
}

/// Number without padding.
trait Number {}
impl Number for i32 {}
impl Number for u32 {}
impl Number for f32 {}
impl Number for f64 {}

/// Returns the memory of numbers, in the byte order of this machine.
fn as_bytes<T: Number>(values: &[T]) -> &[u8] {
    // SAFETY: the values are initialised numbers without padding, and a byte has no alignment.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// Returns the memory of a column's values.
pub fn action_bytes(column: &ActionColumn) -> &[u8] {
    match column {
        ActionColumn::I32(values) => as_bytes(values),
        ActionColumn::F32(values) => as_bytes(values),
        ActionColumn::F64(values) => as_bytes(values),
        ActionColumn::Raw(bytes) | ActionColumn::Payloads { bytes, .. } => bytes,
    }
}
