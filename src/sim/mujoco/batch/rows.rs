//! Memory of arrays with a row for each simulation, and copies of fields of MuJoCo's structs into it.

use super::super::faults::Fault;
use super::super::fields::at;
use super::super::layout::{Field, Layout};

/// Array with a row for each simulation, in memory of another owner.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    data: *mut u8,
    /// Distance between rows, in bytes.
    stride: usize,
}

// SAFETY: the value is an address. Its users access a row only while they run that row's simulation, which one thread does.
unsafe impl Send for Rows {}
// SAFETY: as for `Send`.
unsafe impl Sync for Rows {}

impl Rows {
    /// Creates a reference to rows at `data`.
    ///
    /// # Safety
    /// The memory must be valid for reads and writes of `stride` bytes per simulation, and aligned to 8 bytes, as long as the
    /// value or a copy of it is used. No other thread may access it during a call of [`Simulations`](super::Simulations).
    pub unsafe fn new(data: *mut u8, stride: usize) -> Self {
        Self { data, stride }
    }

    /// Returns the address of a row.
    ///
    /// # Safety
    /// There must be a row with this number.
    pub(super) unsafe fn row(self, row: usize) -> *mut u8 {
        // SAFETY: the caller guarantees that the row exists, so it lies within the memory.
        unsafe { self.data.add(row * self.stride) }
    }

    /// Returns a row as numbers.
    ///
    /// # Safety
    /// There must be a row with this number, which nothing else accesses for `'a`, and rows of `len` numbers of this type.
    pub(super) unsafe fn numbers<'a, T>(self, row: usize, len: usize) -> &'a mut [T] {
        debug_assert!(len * size_of::<T>() <= self.stride, "{len} numbers in rows of {} bytes", self.stride);
        // SAFETY: the caller guarantees the row, its type and the exclusive access.
        unsafe { std::slice::from_raw_parts_mut(self.row(row).cast(), len) }
    }
}

/// Elements of a field of `mjModel` or `mjData`.
#[derive(Debug, Clone)]
pub(super) struct Elements {
    pub(super) name: String,
    field: Field,
    pub(super) bytes: usize,
}

impl Elements {
    /// Finds the elements of a field of the struct `of`, which have `bytes` bytes.
    ///
    /// # Errors
    /// `Library` if this version has no such field, or one of other elements.
    pub(super) fn find(layout: &Layout, of: &str, name: &str, bytes: usize) -> Result<Self, Fault> {
        let field = layout.any_field(&format!("{of}.{name}"));
        let field = field.ok_or_else(|| Fault::Library(format!("this version of MuJoCo has no {of}.{name}")))?;
        if !field.kind.is_pointer() && field.count * field.stride != bytes {
            return Err(Fault::Library(format!("{of}.{name} has {} bytes: not {bytes}", field.count * field.stride)));
        }
        Ok(Self { name: name.to_owned(), field, bytes })
    }

    /// Returns the address of the elements in a struct.
    ///
    /// # Safety
    /// The struct must be the one that the elements were found in.
    pub(super) unsafe fn of(&self, of: *const impl Sized) -> *const u8 {
        // SAFETY: the caller guarantees the struct, and the layout says whether its field is a pointer.
        unsafe { if self.field.kind.is_pointer() { *at::<*const u8>(of, self.field) } else { at::<u8>(of, self.field) } }
    }

    /// Copies the elements from a struct to `to`.
    ///
    /// # Safety
    /// The struct must be the one that the elements were found in, of the model whose arrays have these sizes, and `to` must
    /// have room for them.
    pub(super) unsafe fn copy_to(&self, of: *const impl Sized, to: *mut u8) {
        // SAFETY: the caller guarantees the struct.
        let from = unsafe { self.of(of) };
        // Arrays that MuJoCo has not allocated are null.
        if self.bytes > 0 && !from.is_null() {
            // SAFETY: the caller guarantees both ranges; MuJoCo's memory and the caller's do not overlap.
            unsafe { std::ptr::copy_nonoverlapping(from, to, self.bytes) };
        }
    }

    /// Makes a struct use the elements at `from`: a pointer to them, or a copy of those that lie in the struct itself.
    ///
    /// # Safety
    /// `of` must be a copy of the struct that the elements were found in, and `from` must have `bytes` bytes. A pointer is valid
    /// as long as `from` is.
    pub(super) unsafe fn use_at(&self, of: *mut u8, from: *mut u8) {
        // SAFETY: the caller guarantees the struct, in which the layout says where the field lies.
        unsafe {
            let field = of.add(self.field.offset);
            match self.field.kind.is_pointer() {
                true => field.cast::<*mut u8>().write(from),
                false => std::ptr::copy_nonoverlapping(from, field, self.bytes),
            }
        }
    }
}
