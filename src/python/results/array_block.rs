//! Allocates several numpy arrays in one block of memory.

use numpy::{PyArrayDescr, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};

/// Alignment of each array in bytes: the size of a cache line.
const ALIGNMENT: usize = 64;

/// Size of a huge page in bytes, on x86-64 and most systems with aarch64.
const HUGE_PAGE: usize = 2 << 20;

/// Number of bytes from which a block is made of huge pages.
const HUGE_FROM: usize = 256 << 10;

/// Zero-filled memory that is divided into arrays.
///
/// Blocks of at least 256 KiB start at a huge page and have at least 4 MiB, because numpy requests huge pages from the system only for
/// such arrays. The system allocates the unused bytes only as far as they share a huge page with used ones.
pub struct ArrayBlock<'py> {
    /// The block, as an array of bytes.
    bytes: Bound<'py, PyAny>,
    /// Offset of the next array.
    offset: usize,
}

/// Source of arrays: a function of the caller, or a block.
pub enum ArraySource<'a, 'py> {
    /// The caller's `allocate(shape, dtype)`.
    Function(&'a Bound<'py, PyAny>),
    /// A block for all arrays.
    Block(ArrayBlock<'py>),
}

impl<'py> ArraySource<'_, 'py> {
    /// Returns an array of this shape and dtype, of `size` bytes.
    ///
    /// # Errors
    /// As [`ArrayBlock::take`], or the exception of the caller's function.
    pub fn make(
        &mut self,
        shape: &Bound<'py, PyTuple>,
        dtype: &Bound<'py, PyArrayDescr>,
        size: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Function(allocate) => allocate.call1((shape, dtype)),
            Self::Block(block) => block.take(shape, dtype, size),
        }
    }
}

impl<'py> ArrayBlock<'py> {
    /// Allocates a block for arrays of these sizes in bytes.
    ///
    /// # Errors
    /// numpy's exceptions if there is not enough memory.
    pub fn new(py: Python<'py>, sizes: impl Iterator<Item = usize>) -> PyResult<Self> {
        let total = sizes.fold(ALIGNMENT, |total, size| total.saturating_add(size).saturating_add(ALIGNMENT));
        let (alignment, total) = match total {
            HUGE_FROM.. => (HUGE_PAGE, total.div_ceil(HUGE_PAGE).saturating_add(1).saturating_mul(HUGE_PAGE)),
            _ => (ALIGNMENT, total + ALIGNMENT),
        };
        let zeros = py.import("numpy")?.getattr("zeros")?;
        let bytes = zeros.call1((total.min(isize::MAX as usize), "uint8"))?;
        let start = bytes.cast::<PyUntypedArray>()?.as_array_ptr();
        // SAFETY: the pointer is that of an existing array.
        let offset = unsafe { (*start).fields.data }.align_offset(alignment);
        Ok(Self { bytes, offset })
    }

    /// Returns an array of the next unused bytes of the block.
    ///
    /// # Errors
    /// `ValueError` if the rest of the block is too small.
    pub fn take(
        &mut self,
        shape: &Bound<'py, PyTuple>,
        dtype: &Bound<'py, PyArrayDescr>,
        size: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (start, end) = (self.offset, self.offset + size);
        self.offset = end.next_multiple_of(ALIGNMENT);
        let part = self.bytes.get_item(PySlice::new(self.bytes.py(), start as isize, end as isize, 1))?;
        part.call_method1("view", (dtype,))?.call_method1("reshape", (shape,))
    }
}
