//! Arrays in the caller's memory with a row for each simulation, and copies of fields to them.

use crate::faults::Fault;
use crate::fields::at;
use crate::layout::{Field, Layout};

/// Array with a row for each simulation, in memory that the caller owns.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    data: *mut u8,
    /// Distance between rows, in bytes.
    stride: usize,
}

// SAFETY: `Rows` holds only an address. A row is accessed only by the one thread that runs an operation on the row's
// simulation.
unsafe impl Send for Rows {}
// SAFETY: `Rows` holds only an address. A row is accessed only by the one thread that runs an operation on the row's
// simulation.
unsafe impl Sync for Rows {}

impl Rows {
    /// Creates a reference to the array at `data`, whose rows are `stride` bytes apart.
    ///
    /// # Safety
    /// The memory must be aligned to 8 bytes, and valid for reads and writes of `stride` bytes per simulation as long as
    /// this `Rows` or a copy of it is used. No other thread may access it during a call of
    /// [`Simulations`](crate::batch::Simulations).
    pub unsafe fn new(data: *mut u8, stride: usize) -> Self {
        Self { data, stride }
    }

    /// Returns the address of the row with the index `row`.
    ///
    /// # Safety
    /// The array must have a row with this index.
    pub(super) unsafe fn row(self, row: usize) -> *mut u8 {
        // SAFETY: the caller guarantees that the row exists, so its address lies in the array.
        unsafe { self.data.add(row * self.stride) }
    }

    /// Returns the row with the index `row` as a slice of `len` numbers.
    ///
    /// # Safety
    /// The array must have this row, rows must hold `len` numbers of the type `T`, and nothing else may access the row for
    /// `'a`.
    pub(super) unsafe fn numbers<'a, T>(self, row: usize, len: usize) -> &'a mut [T] {
        debug_assert!(len * size_of::<T>() <= self.stride, "{len} numbers in rows of {} bytes", self.stride);
        // SAFETY: the caller guarantees that the row exists, that it holds `len` numbers of the type `T`, and that access
        // is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.row(row).cast(), len) }
    }
}

/// Location of a field's elements in the struct `mjModel` or `mjData`.
#[derive(Debug, Clone)]
pub struct Elements {
    pub(super) name: String,
    field: Field,
    pub(super) bytes: usize,
}

impl Elements {
    /// Finds the elements of the field `name` in the struct `of`. The elements have `bytes` bytes in total.
    pub(super) fn find(layout: &Layout, of: &str, name: &str, bytes: usize) -> Result<Self, Fault> {
        let field = layout.any_field(&format!("{of}.{name}"));
        let field = field.ok_or_else(|| Fault::Library(format!("this version of MuJoCo has no {of}.{name}")))?;
        if !field.kind.is_pointer() && field.count * field.stride != bytes {
            return Err(Fault::Library(format!("{of}.{name} has {} bytes: not {bytes}", field.count * field.stride)));
        }
        Ok(Self { name: name.to_owned(), field, bytes })
    }

    /// Returns the address of the field's elements in the struct at `of`.
    ///
    /// # Safety
    /// `of` must be a struct of the type in which the field was found.
    pub(super) unsafe fn of(&self, of: *const impl Sized) -> *const u8 {
        // SAFETY: the caller guarantees the type of the struct, and the layout says whether its field is a pointer.
        unsafe { if self.field.kind.is_pointer() { *at::<*const u8>(of, self.field) } else { at::<u8>(of, self.field) } }
    }

    /// Copies the field's elements from the struct at `of` to `to`.
    ///
    /// # Safety
    /// `of` must be a struct of the type in which the field was found, its elements must have the expected number of bytes,
    /// and `to` must have room for them.
    pub(super) unsafe fn copy_to(&self, of: *const impl Sized, to: *mut u8) {
        // SAFETY: the caller of `copy_to` guarantees the type of the struct.
        let from = unsafe { self.of(of) };
        // A pointer to an array that MuJoCo has not allocated is null.
        if self.bytes > 0 && !from.is_null() {
            // SAFETY: the caller guarantees that both ranges are valid; MuJoCo's memory and the caller's memory do not
            // overlap.
            unsafe { std::ptr::copy_nonoverlapping(from, to, self.bytes) };
        }
    }

    /// Makes a struct use the elements at `from`. If the field is a pointer, the pointer is set to `from`; otherwise the
    /// elements are copied into the struct.
    ///
    /// # Safety
    /// `of` must be a copy of a struct of the type in which the field was found, and `from` must have as many bytes as the
    /// field. A pointer field is valid only as long as `from` is.
    pub(super) unsafe fn use_at(&self, of: *mut u8, from: *mut u8) {
        // SAFETY: the caller guarantees the type of the struct, and the layout gives the field's offset in it.
        unsafe {
            let field = of.add(self.field.offset);
            match self.field.kind.is_pointer() {
                true => field.cast::<*mut u8>().write(from),
                false => std::ptr::copy_nonoverlapping(from, field, self.bytes),
            }
        }
    }
}
