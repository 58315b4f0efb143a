//! Access to the elements of a batch's columns, for normalisation, which changes results.

use crate::contract::row::Element;
use crate::contract::space::Dtype;
use crate::results::batch::Batch;

impl Batch {
    /// Returns the elements of the filled rows in column number `column`, which may be hidden. Flags are `u8`.
    ///
    /// # Panics
    /// If the column has another element type.
    pub(crate) fn cells<T: Element>(&self, column: usize) -> &[T] {
        let (bytes, dtype) = (self.bytes(column), self.layout().column(column).dtype);
        assert!(dtype == T::DTYPE || (dtype == Dtype::Bool && T::DTYPE == Dtype::U8), "a column of another type");
        // SAFETY: the memory is aligned for the column's elements (`BorrowedColumns::new`) and initialised. The assertion checks that
        // `T`, which implements a sealed trait, is the column's element type, or `u8` for flags.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<T>()) }
    }

    /// Returns the elements of the filled rows in column number `column`, for writing.
    ///
    /// # Panics
    /// If the column has another element type.
    pub(crate) fn cells_mut<T: Element>(&mut self, column: usize) -> &mut [T] {
        let (data, len) = (self.buffer(column).data(), self.cells::<T>(column).len());
        // SAFETY: the memory holds `len` elements of type `T` (`cells`), and `&mut self` excludes other accesses by the engine. A
        // lender of a borrowed buffer does not access it until the batch is handed out.
        unsafe { std::slice::from_raw_parts_mut(data.cast(), len) }
    }

    /// Returns the elements of two different columns, the second one for writing.
    ///
    /// # Panics
    /// If a column has another element type, or if the columns are the same.
    pub(crate) fn cells_of_two<S: Element, T: Element>(&mut self, from: usize, to: usize) -> (&[S], &mut [T]) {
        assert_ne!(from, to, "a column cannot be read and written at once");
        let (data, len) = (self.buffer(to).data(), self.cells::<T>(to).len());
        // SAFETY: column `to` holds `len` elements of type `T` (`cells`), and `&mut self` excludes other accesses by the engine.
        // Column `from` has other memory, because a buffer is borrowed for one column only.
        (self.cells(from), unsafe { std::slice::from_raw_parts_mut(data.cast(), len) })
    }
}
