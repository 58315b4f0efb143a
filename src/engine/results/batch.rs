//! The memory of batches.

use std::sync::Arc;

use crate::contract::fault::Message;
use crate::contract::row::Element;
use crate::contract::space::Dtype;
use crate::results::layout::{Layout, Role};
use crate::results::memory::Memory;
use crate::results::pointers::Pointers;
use crate::results::row_slot::RowSlot;

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

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
