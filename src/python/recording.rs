//! Recording of a pool: copies of the rows and actions of all results, in chunks that Python writes to files.

use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::results::RolloutBuffer;
use envpool_rs_engine::{ActionColumn, ActionEncoding, ActionKey, Batch, RequestBuilder};

/// Content of a recorded row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum RowKind {
    /// Environment without a request: the row repeats its last observation.
    Unchanged = 0,
    /// First observation of an episode, after `reset`.
    Reset = 1,
    /// Result of a step; in the next-step mode, after an end, the first observation of the next episode.
    Step = 2,
    /// First observation of an episode that the pool began because the environment was lost.
    Restart = 3,
    /// Result of a step from a state that `set_state` has set.
    Moved = 4,
}

/// Bytes of a chunk that are not in its rollout buffer: kinds `(rows,)` uint8, environments `(rows,)` uint32 and actions of all
/// rows, and the number of rows of each slot.
pub type ChunkParts<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Vec<Bound<'py, PyBytes>>, Vec<usize>);

/// State of the recording of one pool.
pub struct Recorder {
    /// Memory for the rows of the chunk's results, one slot for each.
    chunk: Py<RolloutBuffer>,
    /// Python function that takes a full chunk's parts, and returns the next chunk; `None` ends the recording.
    next: Py<PyAny>,
    kinds: Vec<u8>,
    lanes: Vec<u32>,
    counts: Vec<usize>,
    /// Actions of the chunk's rows, one array for each action key.
    actions: Vec<Vec<u8>>,
    /// What each environment does: the kind of its next row.
    pending: Vec<RowKind>,
    /// Whether `set_state` has changed the state of an environment since its last row.
    moved: Vec<bool>,
    /// Latest action of each environment, one array for each action key.
    latest: Vec<Vec<u8>>,
}

impl Recorder {
    /// Creates the recorder of a pool with `num_envs` environments.
    ///
    /// # Errors
    /// `ValueError` if the pool's actions are Python objects.
    pub fn new(chunk: Py<RolloutBuffer>, next: Py<PyAny>, keys: &[ActionKey], num_envs: usize) -> PyResult<Self> {
        if keys.iter().any(|key| key.encoding == ActionEncoding::Payloads) {
            return Err(PyValueError::new_err("env has actions that are no arrays of numbers: expected one whose actions are"));
        }
        Ok(Self {
            chunk,
            next,
            kinds: Vec::new(),
            lanes: Vec::new(),
            counts: Vec::new(),
            actions: keys.iter().map(|_| Vec::new()).collect(),
            pending: vec![RowKind::Unchanged; num_envs],
            moved: vec![false; num_envs],
            latest: keys.iter().map(|key| vec![0; row_bytes(key) * num_envs]).collect(),
        })
    }

    /// Stores the actions of a step that was prepared.
    pub fn note_step(&mut self, request: &mut RequestBuilder<'_>) {
        let lanes: Vec<usize> = request.env_ids().collect();
        let is_all = lanes.len() == self.pending.len() && lanes.iter().enumerate().all(|(row, lane)| row == *lane);
        for (latest, column) in self.latest.iter_mut().zip(request.actions()) {
            let bytes = bytes_of(column);
            if is_all && bytes.len() == latest.len() {
                latest.copy_from_slice(bytes);
                continue;
            }
            let stride = latest.len() / self.pending.len();
            for (row, lane) in lanes.iter().enumerate() {
                latest[lane * stride..][..stride].copy_from_slice(&bytes[row * stride..][..stride]);
            }
        }
        lanes.iter().for_each(|lane| self.pending[*lane] = RowKind::Step);
    }

    /// Stores that environments are reset: `ids`, or all.
    pub fn note_reset(&mut self, ids: Option<&[i64]>) {
        match ids {
            None => self.pending.fill(RowKind::Reset),
            Some(ids) => ids.iter().for_each(|id| self.pending[*id as usize] = RowKind::Reset),
        }
    }

    /// Stores that `set_state` has changed environments: `ids`, or all.
    pub fn note_moved(&mut self, ids: Option<&[i64]>) {
        match ids {
            None => self.moved.fill(true),
            Some(ids) => ids.iter().for_each(|id| self.moved[*id as usize] = true),
        }
    }

    /// Copies the rows of a batch into the chunk; returns whether the chunk is full.
    pub fn record(&mut self, batch: &Batch, has_finals: bool) -> bool {
        self.chunk.get().copy_batch(self.counts.len(), batch, has_finals);
        for (row, lane) in batch.lanes().iter().enumerate() {
            let lane = *lane as usize;
            let kind = std::mem::replace(&mut self.pending[lane], RowKind::Unchanged);
            let moved = kind != RowKind::Unchanged && std::mem::take(&mut self.moved[lane]);
            self.kinds.push(match kind {
                RowKind::Step if batch.restarted.contains(&(row as u32)) => RowKind::Restart as u8,
                RowKind::Step if moved => RowKind::Moved as u8,
                other => other as u8,
            });
        }
        self.lanes.extend_from_slice(batch.lanes());
        let is_all =
            batch.rows() == self.pending.len() && batch.lanes().iter().enumerate().all(|(row, lane)| row == *lane as usize);
        for (actions, latest) in self.actions.iter_mut().zip(&self.latest) {
            let stride = latest.len() / self.pending.len();
            match is_all {
                true => actions.extend_from_slice(latest),
                false => {
                    batch.lanes().iter().for_each(|lane| actions.extend_from_slice(&latest[*lane as usize * stride..][..stride]))
                }
            }
        }
        self.counts.push(batch.rows());
        self.counts.len() > self.chunk.get().last_slot()
    }

    /// Takes what the chunk has beside its rollout buffer.
    pub fn take_parts<'py>(&mut self, py: Python<'py>) -> ChunkParts<'py> {
        let lanes: Vec<u8> = self.lanes.iter().flat_map(|lane| lane.to_ne_bytes()).collect();
        let actions = self.actions.iter_mut().map(|bytes| PyBytes::new(py, &std::mem::take(bytes))).collect();
        let kinds = PyBytes::new(py, &std::mem::take(&mut self.kinds));
        self.lanes.clear();
        (kinds, PyBytes::new(py, &lanes), actions, std::mem::take(&mut self.counts))
    }

    /// Gives the full chunk to Python; returns this recorder with the next chunk, or `None` if the recording ends.
    pub fn with_next_chunk(mut self: Box<Self>, py: Python<'_>) -> PyResult<Option<Box<Self>>> {
        let parts = self.take_parts(py);
        let next = self.next.bind(py).call1(parts)?;
        if next.is_none() {
            return Ok(None);
        }
        self.chunk = next.cast_into::<RolloutBuffer>()?.unbind();
        Ok(Some(self))
    }

    /// Visits the Python objects, for the garbage collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.chunk)?;
        visit.call(&self.next)
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

/// Returns the memory of a column's values, in the byte order of this machine.
fn bytes_of(column: &ActionColumn) -> &[u8] {
    fn raw<T>(values: &[T]) -> &[u8] {
        // SAFETY: the values are initialised numbers without padding, and a byte has no alignment.
        unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
    }
    match column {
        ActionColumn::I32(values) => raw(values),
        ActionColumn::F32(values) => raw(values),
        ActionColumn::F64(values) => raw(values),
        ActionColumn::Raw(bytes) | ActionColumn::Payloads { bytes, .. } => bytes,
    }
}
