//! The memory of batches, and the pointers by which rows are written.

use std::alloc::{Layout as AllocLayout, alloc_zeroed, dealloc, handle_alloc_error};
use std::sync::Arc;

use crate::contract::fault::Message;
use crate::contract::row::Element;
use crate::contract::row::Target;
use crate::contract::space::Dtype;
use crate::contract::spec::Occasion;
use crate::results::layout::{Column, Layout, Place, Role};
use crate::results::row_slot::RowSlot;

/// Cache lines and vector registers: no two buffers share one.
const ALIGNMENT: usize = 64;

/// A block of memory that outlives whoever still points into it: batches and numpy arrays share it by `Arc`.
#[derive(Debug)]
pub struct Memory {
    data: *mut u8,
    layout: AllocLayout,
}

// SAFETY: `Memory` is plain bytes; who may read or write them when is the business of `Batch` and of the arrays' owners.
unsafe impl Send for Memory {}
// SAFETY: as above; `Memory` itself hands out only the address.
unsafe impl Sync for Memory {}

impl Memory {
    /// `bytes` zero bytes.
    pub fn new(bytes: usize) -> Self {
        let layout = AllocLayout::from_size_align(bytes.max(1), ALIGNMENT).expect("a batch fits the address space");
        // SAFETY: the size is not zero.
        let data = unsafe { alloc_zeroed(layout) };
        if data.is_null() {
            handle_alloc_error(layout);
        }
        Self { data, layout }
    }

    /// Address of the first byte.
    pub fn data(&self) -> *mut u8 {
        self.data
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout, and nobody holds the `Arc` any more.
        unsafe { dealloc(self.data, self.layout) }
    }
}

/// The arrays of one batch, with room for `capacity` environments.
#[derive(Debug)]
pub struct Batch {
    memory: Vec<Arc<Memory>>,
    layout: Arc<Layout>,
    capacity: usize,
    lanes: Memory,
    pub(crate) pointers: Pointers,
    /// Environments whose results it holds; their rows come first.
    pub(crate) rows: usize,
    /// Number that the pool's user gave it, to find what belongs to it.
    pub tag: usize,
    /// What environments that are played outside of the engine told beside their arrays, with the row that it belongs to. At most one
    /// for each row, in no order.
    pub messages: Vec<(u32, Message)>,
    /// Rows of environments that have begun anew because whoever played them was lost.
    pub restarted: Vec<u32>,
    /// Rows of environments that were lost likewise, and have been brought back to where they were.
    pub resumed: Vec<u32>,
}

impl Batch {
    /// Fresh memory for `capacity` environments.
    pub fn new(layout: &Arc<Layout>, capacity: usize, tag: usize) -> Self {
        let memory: Vec<_> = layout.columns.iter().map(|column| Arc::new(Memory::new(column.stride() * capacity))).collect();
        let lanes = Memory::new(size_of::<u32>() * capacity);
        let pointers = Pointers::new(layout, &memory, lanes.data().cast());
        Self {
            memory,
            layout: Arc::clone(layout),
            capacity,
            lanes,
            pointers,
            rows: 0,
            tag,
            messages: Vec::new(),
            restarted: Vec::new(),
            resumed: Vec::new(),
        }
    }

    /// A batch of the same layout without room for anything.
    pub(crate) fn emptied(&self) -> Self {
        Self::new(&self.layout, 0, self.tag)
    }

    /// Forgets what was told of earlier rows.
    pub(crate) fn forget_messages(&mut self) {
        self.messages.clear();
        self.restarted.clear();
        self.resumed.clear();
    }

    /// The memory of column number `column`.
    pub fn memory(&self, column: usize) -> &Arc<Memory> {
        &self.memory[column]
    }

    /// Gives column number `column` fresh memory, because someone still looks at the old one.
    pub fn replace(&mut self, column: usize) {
        self.memory[column] = Arc::new(Memory::new(self.layout.columns[column].stride() * self.capacity));
        self.pointers.point(&self.layout, column, self.memory[column].data());
    }

    /// Row number `row`, to be written.
    ///
    /// # Panics
    /// Where it has no such row.
    #[inline]
    pub(crate) fn row(&mut self, row: usize) -> RowSlot<'_> {
        assert!(row < self.capacity, "a row that there is no room for");
        // SAFETY: the row exists, and the batch is borrowed exclusively.
        unsafe { RowSlot::new(&self.pointers, row) }
    }

    /// Whether it has exactly these columns, and room for `rows` rows.
    #[inline]
    pub(crate) fn fits(&self, layout: &Arc<Layout>, rows: usize) -> bool {
        Arc::ptr_eq(&self.layout, layout) && self.capacity >= rows
    }

    /// Environments whose results it holds.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The layout of its arrays.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The bytes of column number `column`, as far as rows are filled.
    pub fn bytes(&self, column: usize) -> &[u8] {
        let len = self.layout.columns[column].stride() * self.rows;
        // SAFETY: the memory holds `capacity >= rows` rows, all initialised, and a batch outside the engine is written by nobody.
        unsafe { std::slice::from_raw_parts(self.memory[column].data(), len) }
    }

    /// Sets the rows of column number `column` that `which` names to zero.
    pub fn zero_rows(&mut self, column: usize, which: impl Fn(usize) -> bool) {
        let stride = self.layout.columns[column].stride();
        for row in (0..self.rows).filter(|row| which(*row)) {
            // SAFETY: the row lies inside the memory, which nobody else writes; all zero bytes are a value of every element type.
            unsafe { std::ptr::write_bytes(self.memory[column].data().add(row * stride), 0, stride) };
        }
    }

    /// The column that plays `role`, as far as rows are filled; flags read as `u8`. `None` where the layout has no such column or
    /// its element type is another.
    pub fn values<T: Element>(&self, role: Role) -> Option<&[T]> {
        let index = self.layout.index(role)?;
        let (dtype, bytes) = (self.layout.columns[index].dtype, self.bytes(index));
        let fits = dtype == T::DTYPE || (dtype == Dtype::Bool && T::DTYPE == Dtype::U8);
        // SAFETY: the memory is aligned for every element type and initialised, and `T` (the trait is sealed) is of the column's.
        fits.then(|| unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<T>()) })
    }

    /// The lane of each filled row; meaningful for rows handed out by a ring.
    pub fn lanes(&self) -> &[u32] {
        // SAFETY: `capacity >= rows` initialised (zeroed at first) values; a batch outside the ring is written by nobody.
        unsafe { std::slice::from_raw_parts(self.lanes.data().cast(), self.rows) }
    }

    /// Says which lanes its rows, all filled, are of.
    pub(crate) fn set_lanes(&mut self, lanes: impl Iterator<Item = usize>) {
        self.rows = 0;
        for lane in lanes {
            assert!(self.rows < self.capacity, "more rows than there is room for");
            // SAFETY: the row lies below `capacity`, as asserted, and no other thread accesses this memory.
            unsafe { self.lanes.data().cast::<u32>().add(self.rows).write(lane as u32) };
            self.rows += 1;
        }
    }

    /// Drops the rows that `keep` refuses, moving the others up.
    pub(crate) fn compact(&mut self, keep: impl Fn(usize) -> bool) {
        let kept: Vec<_> = (0..self.rows).filter(|row| keep(*row)).collect();
        let lanes: Vec<_> = kept.iter().map(|row| self.lanes()[*row]).collect();
        // SAFETY: at most `capacity` values go into memory that nobody else looks at.
        unsafe { std::ptr::copy_nonoverlapping(lanes.as_ptr(), self.lanes.data().cast(), lanes.len()) };
        for (memory, column) in self.memory.iter().zip(&self.layout.columns) {
            let stride = column.stride();
            for (to, from) in kept.iter().enumerate() {
                // SAFETY: both rows lie inside the memory; `copy` allows overlap.
                unsafe { std::ptr::copy(memory.data().add(from * stride), memory.data().add(to * stride), stride) };
            }
        }
        let moved = |from: u32| kept.binary_search(&(from as usize)).ok().map(|to| to as u32);
        self.restarted = self.restarted.drain(..).filter_map(moved).collect();
        self.resumed = self.resumed.drain(..).filter_map(moved).collect();
        self.messages = self.messages.drain(..).filter_map(|(row, message)| Some((moved(row)?, message))).collect();
        self.rows = kept.len();
    }
}

/// The addresses of a batch's columns, by role; null where the layout has no such column.
#[derive(Debug)]
pub struct Pointers {
    pub leaves: Vec<Target>,
    pub infos: Vec<Target>,
    pub final_leaves: Vec<Target>,
    pub final_infos: Vec<Target>,
    pub reward: *mut u8,
    pub reward_is_f64: bool,
    pub players: usize,
    pub terminated: *mut u8,
    pub truncated: *mut u8,
    pub done: *mut u8,
    pub discount: *mut f32,
    pub step_type: *mut i32,
    /// Whether the infos of a row are of this step: for each, and after what it is told.
    pub info_present: Vec<(*mut u8, Occasion)>,
    /// Whether rows of ended episodes show the next one's beginning.
    pub shows_next: bool,
    pub env_id: *mut i32,
    pub player_env_id: *mut i32,
    pub elapsed_step: *mut i32,
    pub episode_return: *mut f64,
    pub episode_length: *mut i64,
    pub episode_time: *mut f64,
    /// Lane of each row, where rows are first come, first served.
    pub lane: *mut u32,
}

// SAFETY: addresses only; rows are written by whoever has their `RowSlot`.
unsafe impl Send for Pointers {}
// SAFETY: as above.
unsafe impl Sync for Pointers {}

impl Pointers {
    fn new(layout: &Layout, memory: &[Arc<Memory>], lane: *mut u32) -> Self {
        const NULL: *mut u8 = std::ptr::null_mut();
        let absent = Target { data: NULL, stride: 0, dtype: Dtype::F32, len: 0 };
        let reward = layout.index(Role::Reward).map(|index| &layout.columns[index]);
        let mut pointers = Self {
            leaves: vec![absent; layout.leaves.len()],
            infos: vec![absent; layout.infos.len()],
            final_leaves: vec![absent; layout.final_leaves.len()],
            final_infos: vec![absent; layout.final_infos.len()],
            reward: NULL,
            reward_is_f64: reward.is_some_and(|column| column.dtype == Dtype::F64),
            players: reward.map_or(1, |column| column.rows),
            terminated: NULL,
            truncated: NULL,
            done: NULL,
            discount: NULL.cast(),
            step_type: NULL.cast(),
            info_present: layout.occasions.iter().map(|occasion| (NULL, *occasion)).collect(),
            shows_next: !layout.final_leaves.is_empty(),
            env_id: NULL.cast(),
            player_env_id: NULL.cast(),
            elapsed_step: NULL.cast(),
            episode_return: NULL.cast(),
            episode_length: NULL.cast(),
            episode_time: NULL.cast(),
            lane,
        };
        for (column, memory) in memory.iter().enumerate() {
            pointers.point(layout, column, memory.data());
        }
        pointers
    }

    /// Lets everything that lies in column number `column` point into memory at `data`.
    fn point(&mut self, layout: &Layout, column: usize, data: *mut u8) {
        match layout.columns[column].role {
            Role::Observation(_) => point_places(&mut self.leaves, layout.leaves.iter().map(Some), layout, column, data),
            Role::FinalObservation(_) => {
                point_places(&mut self.final_leaves, layout.final_leaves.iter().map(Some), layout, column, data);
            }
            Role::Info(_) => point_places(&mut self.infos, layout.infos.iter().map(Option::as_ref), layout, column, data),
            Role::FinalInfo(_) => {
                point_places(&mut self.final_infos, layout.final_infos.iter().map(Option::as_ref), layout, column, data);
            }
            Role::InfoPresent(_) => {
                let before = layout.columns[..column].iter().filter(|column| matches!(column.role, Role::InfoPresent(_)));
                self.info_present[before.count()].0 = data;
            }
            Role::Reward => self.reward = data,
            Role::Terminated => self.terminated = data,
            Role::Truncated => self.truncated = data,
            Role::Done => self.done = data,
            Role::Discount => self.discount = data.cast(),
            Role::StepType => self.step_type = data.cast(),
            Role::EnvId => self.env_id = data.cast(),
            Role::PlayerEnvId => self.player_env_id = data.cast(),
            Role::ElapsedStep => self.elapsed_step = data.cast(),
            Role::EpisodeReturn => self.episode_return = data.cast(),
            Role::EpisodeLength => self.episode_length = data.cast(),
            Role::EpisodeTime => self.episode_time = data.cast(),
        }
    }
}

/// Lets those of `targets` whose place is in column number `column` point into memory at `data`.
fn point_places<'a>(
    targets: &mut [Target],
    places: impl Iterator<Item = Option<&'a Place>>,
    layout: &Layout,
    column: usize,
    data: *mut u8,
) {
    let Column { dtype, .. } = layout.columns[column];
    let stride = layout.columns[column].stride();
    for (target, place) in targets.iter_mut().zip(places) {
        if let Some(place) = place.filter(|place| place.column == column) {
            // SAFETY: the offset lies inside the column's first row.
            let data = unsafe { data.add(place.offset) };
            *target = Target { data, stride, dtype, len: place.len };
        }
    }
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
