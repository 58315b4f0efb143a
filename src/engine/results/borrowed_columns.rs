//! Memory of a caller for some columns of a batch.

use std::sync::Arc;

use crate::results::aligned_buffer::AlignedBuffer;
use crate::results::layout::Layout;

/// Memory of another owner for some columns of a batch, checked against the layout of the batch.
///
/// A batch borrows all buffers together, so that a step changes one reference count instead of one for each column.
#[derive(Debug)]
pub struct BorrowedColumns {
    layout: Arc<Layout>,
    /// Column numbers, each at most once, with their memory.
    buffers: Vec<(usize, AlignedBuffer)>,
    /// Number of rows for which every buffer has memory.
    rows: usize,
}

impl BorrowedColumns {
    /// Creates the memory of the columns `buffers`, given by their numbers.
    ///
    /// # Panics
    /// If a buffer is not aligned for its column's elements, or a column is given twice.
    pub fn new(layout: &Arc<Layout>, buffers: Vec<(usize, AlignedBuffer)>) -> Self {
        for (index, (column, buffer)) in buffers.iter().enumerate() {
            let alignment = layout.columns[*column].dtype.alignment();
            assert!(buffer.data().addr().is_multiple_of(alignment), "a buffer that is not aligned for its elements");
            assert!(buffers[..index].iter().all(|(other, _)| other != column), "a column with two buffers");
        }
        let rows_in = |(column, buffer): &(usize, AlignedBuffer)| buffer.rows(layout.columns[*column].stride());
        let rows = buffers.iter().map(rows_in).min().unwrap_or(usize::MAX);
        Self { layout: Arc::clone(layout), buffers, rows }
    }

    /// Returns the number and the memory of each column.
    pub fn buffers(&self) -> &[(usize, AlignedBuffer)] {
        &self.buffers
    }

    /// Returns the memory of column number `column`; `None` if the column is not borrowed.
    pub(crate) fn get(&self, column: usize) -> Option<&AlignedBuffer> {
        self.buffers.iter().find(|(other, _)| *other == column).map(|(_, buffer)| buffer)
    }

    /// Returns the number of rows for which every buffer has memory.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns whether the columns belong to batches with exactly this layout.
    pub(crate) fn is_for(&self, layout: &Arc<Layout>) -> bool {
        Arc::ptr_eq(&self.layout, layout)
    }
}
