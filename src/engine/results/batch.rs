//! Result arrays of one batch, and their memory.

use std::sync::Arc;

use crate::contract::error::Result;
use crate::contract::lane_error::Payload;
use crate::contract::row::Element;
use crate::contract::space::Dtype;
use crate::results::aligned_buffer::AlignedBuffer;
use crate::results::borrowed_columns::BorrowedColumns;
use crate::results::layout::{Column, Layout, Role};
use crate::results::pointers::BatchPointers;
use crate::results::row_slot::RowSlot;
use crate::results::spare_buffers::SpareBuffers;

/// Result arrays of one batch, with capacity for `capacity` environments.
#[derive(Debug)]
pub struct Batch {
    /// Own memory of each column.
    memory: Vec<Arc<AlignedBuffer>>,
    /// Memory of other owners that some columns are in, instead of the batch's own memory.
    borrowed: Option<Arc<BorrowedColumns>>,
    layout: Arc<Layout>,
    capacity: usize,
    /// Number of rows for which every column has memory: `capacity`, or fewer with borrowed buffers.
    room: usize,
    lanes: AlignedBuffer,
    /// Memory that replaces memory of the batch.
    spares: Arc<SpareBuffers>,
    pub(crate) pointers: BatchPointers,
    /// Number of environments whose results the batch holds, in rows `0..rows`.
    pub(crate) rows: usize,
    /// Number that the pool's user chose in order to associate data with the batch.
    pub tag: usize,
    /// Opaque payloads of backend environments, each with its row number. At most one payload per row, in any order.
    pub payloads: Vec<(u32, Payload)>,
    /// Rows of environments that started a new episode because their host was lost.
    pub restarted: Vec<u32>,
    /// Rows of environments whose host was lost and whose state has been restored.
    pub resumed: Vec<u32>,
}

impl Batch {
    /// Allocates a batch for the results of `capacity` environments.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory.
    pub fn new(layout: &Arc<Layout>, capacity: usize, tag: usize) -> Result<Self> {
        Self::with_spares(layout, capacity, tag, &Arc::default())
    }

    /// Allocates a batch for the results of `capacity` environments, whose memory returns to `spares`.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory.
    pub(crate) fn with_spares(layout: &Arc<Layout>, capacity: usize, tag: usize, spares: &Arc<SpareBuffers>) -> Result<Self> {
        let zeros = |bytes| AlignedBuffer::new(bytes).map(|buffer| buffer.returning_to(spares));
        Self::from_buffers(layout, capacity, tag, spares, zeros)
    }

    /// Creates a batch for the results of `capacity` environments, whose memory comes from `spares`, with old content, and returns
    /// there.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory.
    pub(crate) fn recycled(layout: &Arc<Layout>, capacity: usize, tag: usize, spares: &Arc<SpareBuffers>) -> Result<Self> {
        Self::from_buffers(layout, capacity, tag, spares, |bytes| AlignedBuffer::recycled(bytes, spares))
    }

    fn from_buffers(
        layout: &Arc<Layout>,
        capacity: usize,
        tag: usize,
        spares: &Arc<SpareBuffers>,
        buffer: impl Fn(usize) -> Result<AlignedBuffer>,
    ) -> Result<Self> {
        let column = |column: &Column| Ok(Arc::new(buffer(column.stride().saturating_mul(capacity))?));
        let memory: Vec<_> = layout.all_columns().map(column).collect::<Result<_>>()?;
        let lanes = buffer(size_of::<u32>() * capacity)?;
        let pointers = BatchPointers::new(layout, &memory, lanes.data().cast());
        Ok(Self {
            memory,
            borrowed: None,
            layout: Arc::clone(layout),
            capacity,
            room: capacity,
            lanes,
            spares: Arc::clone(spares),
            pointers,
            rows: 0,
            tag,
            payloads: Vec::new(),
            restarted: Vec::new(),
            resumed: Vec::new(),
        })
    }

    /// Returns a batch of the same layout with capacity 0.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory.
    pub(crate) fn without_rows(&self) -> Result<Self> {
        Self::new(&self.layout, 0, self.tag)
    }

    /// Clears the payloads, `restarted` and `resumed` of the previous results.
    pub(crate) fn clear_payloads(&mut self) {
        self.payloads.clear();
        self.restarted.clear();
        self.resumed.clear();
    }

    /// Returns the batch's own memory of column number `column`, which holds no results while the column is borrowed.
    pub fn memory(&self, column: usize) -> &Arc<AlignedBuffer> {
        &self.memory[column]
    }

    /// Returns the memory that holds the rows of column number `column`.
    pub(crate) fn buffer(&self, column: usize) -> &AlignedBuffer {
        let borrowed = self.borrowed.as_ref().and_then(|columns| columns.get(column));
        borrowed.unwrap_or(&self.memory[column])
    }

    /// Gives column number `column` other memory, because the old memory is still referenced outside of the batch.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory; the column then keeps its memory.
    ///
    /// # Panics
    /// If the column is in a borrowed buffer.
    pub fn replace(&mut self, column: usize) -> Result<()> {
        assert!(!self.is_borrowed(), "borrowed columns are returned first");
        let bytes = self.layout.columns[column].stride() * self.capacity;
        self.memory[column] = Arc::new(AlignedBuffer::recycled(bytes, &self.spares)?);
        self.pointers.set_column(&self.layout, column, self.memory[column].data());
        Ok(())
    }

    /// Moves columns into memory of another owner, until [`Batch::return_columns`]. The memory may hold fewer rows than the batch's
    /// capacity; the batch then has room only for these rows.
    ///
    /// # Panics
    /// If the memory is for another layout, or columns are borrowed already.
    pub fn borrow_columns(&mut self, columns: &Arc<BorrowedColumns>) {
        assert!(columns.is_for(&self.layout), "columns of another layout");
        assert!(!self.is_borrowed(), "columns that are borrowed already");
        self.room = self.capacity.min(columns.rows());
        for (column, buffer) in columns.buffers() {
            self.pointers.set_column(&self.layout, *column, buffer.data());
        }
        self.borrowed = Some(Arc::clone(columns));
    }

    /// Returns whether a column is in borrowed memory.
    #[inline]
    pub fn is_borrowed(&self) -> bool {
        self.borrowed.is_some()
    }

    /// Moves borrowed columns back into the batch's own memory, whose rows keep their old content.
    pub fn return_columns(&mut self) {
        let Some(columns) = self.borrowed.take() else { return };
        for (column, _) in columns.buffers() {
            self.pointers.set_column(&self.layout, *column, self.memory[*column].data());
        }
        self.room = self.capacity;
    }

    /// Moves borrowed columns back into the batch's own memory, together with the filled rows.
    pub fn reclaim_columns(&mut self) {
        for (column, _) in self.borrowed.iter().flat_map(|columns| columns.buffers()) {
            self.copy_column(*column, &self.memory[*column]);
        }
        self.return_columns();
    }

    /// Copies the filled rows of column number `column` to the start of `buffer`.
    ///
    /// # Panics
    /// If the buffer holds fewer rows.
    pub fn copy_column(&self, column: usize, buffer: &AlignedBuffer) {
        assert!(self.rows <= buffer.rows(self.layout.columns[column].stride()), "more rows than the buffer holds");
        let bytes = self.bytes(column);
        // SAFETY: the assertion bounds the copy by the buffer's size. The source is initialised memory of this batch. `copy`
        // allows overlap, because the buffer may be this column's memory.
        unsafe { std::ptr::copy(bytes.as_ptr(), buffer.data(), bytes.len()) };
    }

    /// Returns row number `row` for writing.
    ///
    /// # Panics
    /// If the row is not below [`Batch::room`].
    #[inline]
    pub(crate) fn row(&mut self, row: usize) -> RowSlot<'_> {
        assert!(row < self.room, "a row that there is no room for");
        // SAFETY: the assertion checks that the row exists, and `&mut self` makes the access exclusive.
        unsafe { RowSlot::new(&self.pointers, row) }
    }

    /// Returns whether the batch has exactly this layout, and capacity for `rows` rows.
    #[inline]
    pub(crate) fn fits(&self, layout: &Arc<Layout>, rows: usize) -> bool {
        Arc::ptr_eq(&self.layout, layout) && self.capacity >= rows
    }

    /// Returns the number of rows for which every column has memory.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        self.room
    }

    /// Returns the number of environments whose results the batch holds.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the layout of the batch's arrays.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the bytes of the filled rows in column number `column`.
    pub fn bytes(&self, column: usize) -> &[u8] {
        let len = self.layout.column(column).stride() * self.rows;
        // SAFETY: the column's memory holds `room >= rows` rows, initialised by `AlignedBuffer::new` or by the lender of a
        // borrowed buffer. The engine writes only to batches that it owns exclusively, so no engine thread writes while a caller
        // reads.
        unsafe { std::slice::from_raw_parts(self.buffer(column).data(), len) }
    }

    /// Zeroes the rows of column number `column` that `which` selects.
    pub fn zero_rows(&mut self, column: usize, which: impl Fn(usize) -> bool) {
        let stride = self.layout.columns[column].stride();
        for row in (0..self.rows).filter(|row| which(*row)) {
            // SAFETY: `row < rows <= room`, so the row is inside the memory; `&mut self` excludes other writers. Zero bytes
            // are a valid value of every element type.
            unsafe { std::ptr::write_bytes(self.buffer(column).data().add(row * stride), 0, stride) };
        }
    }

    /// Returns the filled rows of the column with role `role`. `T` is the element type, `u8` for flags. `None` if the layout has
    /// no such column or the element type differs.
    pub fn values<T: Element>(&self, role: Role) -> Option<&[T]> {
        let index = self.layout.index(role)?;
        let (dtype, bytes) = (self.layout.columns[index].dtype, self.bytes(index));
        let fits = dtype == T::DTYPE || (dtype == Dtype::Bool && T::DTYPE == Dtype::U8);
        // SAFETY: `AlignedBuffer` is aligned for the column's elements (`BorrowedColumns::new`) and initialised; `fits` checked that
        // `T`, which implements a sealed trait, is the column's element type, or `u8` for flags.
        fits.then(|| unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<T>()) })
    }

    /// Returns the lane of each filled row.
    pub fn lanes(&self) -> &[u32] {
        // SAFETY: the memory holds `capacity >= rows` values, which `AlignedBuffer::new` zeroed. The engine writes only to batches
        // that it owns exclusively.
        unsafe { std::slice::from_raw_parts(self.lanes.data().cast(), self.rows) }
    }

    /// Sets the number of filled rows, and the lane of each row.
    pub(crate) fn set_lanes(&mut self, lanes: impl Iterator<Item = usize>) {
        self.rows = 0;
        for lane in lanes {
            assert!(self.rows < self.room, "more rows than there is room for");
            // SAFETY: the assertion checks that the row is below `room`, at most `capacity`, and `&mut self` excludes access by other threads.
            unsafe { self.lanes.data().cast::<u32>().add(self.rows).write(lane as u32) };
            self.rows += 1;
        }
    }

    /// Removes the rows for which `keep` returns false, and moves the remaining rows up. Changes only the batch's own memory;
    /// borrowed buffers keep all rows.
    pub(crate) fn compact(&mut self, keep: impl Fn(usize) -> bool) {
        self.reclaim_columns();
        let remaining_rows: Vec<_> = (0..self.rows).filter(|row| keep(*row)).collect();
        let lanes: Vec<_> = remaining_rows.iter().map(|row| self.lanes()[*row]).collect();
        // SAFETY: at most `capacity` values are written, and `&mut self` excludes access by other threads.
        unsafe { std::ptr::copy_nonoverlapping(lanes.as_ptr(), self.lanes.data().cast(), lanes.len()) };
        for (memory, column) in self.memory.iter().zip(self.layout.all_columns()) {
            let stride = column.stride();
            for (to, from) in remaining_rows.iter().enumerate() {
                // SAFETY: `from < rows` and `to <= from`, so both rows are inside the memory; `copy` allows overlap.
                unsafe { std::ptr::copy(memory.data().add(from * stride), memory.data().add(to * stride), stride) };
            }
        }
        let moved = |from: u32| remaining_rows.binary_search(&(from as usize)).ok().map(|to| to as u32);
        self.restarted = self.restarted.drain(..).filter_map(moved).collect();
        self.resumed = self.resumed.drain(..).filter_map(moved).collect();
        self.payloads = self.payloads.drain(..).filter_map(|(row, message)| Some((moved(row)?, message))).collect();
        self.rows = remaining_rows.len();
    }
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
