//! Checks and reads the call frames that XLA passes to handlers.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::mem::offset_of;

use super::c_api::{self, data_type};
use super::xla_error::{Result, XlaError};

/// Checked call frame, the input of a handler: buffers of arguments and results, and attributes.
#[derive(Clone, Copy)]
pub struct CallFrame<'a> {
    raw: &'a c_api::CallFrame,
}

/// Argument or result of a call: an array in memory, in C order.
#[derive(Clone, Copy)]
pub struct Buffer<'a> {
    dtype: c_int,
    data: *mut c_void,
    len: usize,
    lifetime: PhantomData<&'a ()>,
}

mod sealed {
    /// Prevents implementations of [`super::Scalar`] for other types, because memory is read and written according to `TYPE`.
    pub trait Sealed {}
}

/// Type of the elements of an argument or result.
pub trait Scalar: Copy + sealed::Sealed {
    /// Number of the element type in XLA's interface (`XLA_FFI_DataType`).
    const TYPE: c_int;
}

macro_rules! scalar {
    ($($type:ty => $name:ident),*) => {$(
        impl sealed::Sealed for $type {}
        impl Scalar for $type {
            const TYPE: c_int = data_type::$name;
        }
    )*};
}
scalar!(i8 => S8, i16 => S16, i32 => S32, i64 => S64, u8 => U8, u16 => U16, u32 => U32, u64 => U64, f32 => F32, f64 => F64);

impl<'a> CallFrame<'a> {
    /// Checks and reads a call frame.
    ///
    /// # Safety
    /// Until `'a` ends, `raw` and everything that it points to must conform to the interface's rules for a frame in the execute
    /// stage.
    ///
    /// # Errors
    /// If the frame is smaller than the structs of `c_api`, or if it belongs to another stage.
    pub unsafe fn new(raw: &'a c_api::CallFrame) -> Result<Self> {
        let needed = offset_of!(c_api::CallFrame, attrs) + size_of::<c_api::Attrs>();
        check_size("call frame", raw.struct_size, needed)?;
        check_size("arguments", raw.args.struct_size, size_of::<c_api::Buffers>())?;
        check_size("results", raw.rets.struct_size, size_of::<c_api::Buffers>())?;
        check_size("attributes", raw.attrs.struct_size, size_of::<c_api::Attrs>())?;
        match raw.stage {
            c_api::EXECUTE => Ok(Self { raw }),
            stage => Err(XlaError::invalid_frame(format!("call in stage {stage}: expected the execute stage only"))),
        }
    }

    /// Returns the number of the call's arguments.
    pub fn arguments(&self) -> usize {
        usize::try_from(self.raw.args.size).unwrap_or(0)
    }

    /// Returns the number of the call's results.
    pub fn results(&self) -> usize {
        usize::try_from(self.raw.rets.size).unwrap_or(0)
    }

    /// Returns argument number `index`.
    ///
    /// # Errors
    /// If there is no such argument, or it is not an array.
    pub fn argument(&self, index: usize) -> Result<Buffer<'a>> {
        buffer("argument", &self.raw.args, index)
    }

    /// Returns result number `index`.
    ///
    /// # Errors
    /// If there is no such result, or it is not an array.
    pub fn result(&self, index: usize) -> Result<Buffer<'a>> {
        buffer("result", &self.raw.rets, index)
    }

    /// Returns the runtime's table of functions, and the context of the call.
    pub fn runtime(&self) -> (Option<&'a c_api::Api>, *mut c_void) {
        // SAFETY: by the contract of `new`, `api` is null or valid.
        (unsafe { self.raw.api.as_ref() }, self.raw.ctx)
    }

    /// Returns the int64 attribute `name` of the call.
    ///
    /// # Errors
    /// If there is no attribute of this name and type.
    pub fn integer(&self, name: &str) -> Result<i64> {
        let attrs = &self.raw.attrs;
        for index in 0..usize::try_from(attrs.size).unwrap_or(0) {
            // SAFETY: by the contract of `new`, the arrays of attribute types, names and values have `size` entries, and
            // each name is a span of bytes.
            let (kind, span, value) = unsafe { (*attrs.types.add(index), &**attrs.names.add(index), *attrs.attrs.add(index)) };
            // SAFETY: by the contract of `new`, `span` is a valid span of bytes.
            let is_it = span.len == name.len()
                && unsafe { std::slice::from_raw_parts(span.ptr.cast::<u8>(), span.len) } == name.as_bytes();
            if is_it && kind == c_api::SCALAR {
                // SAFETY: by the contract of `new`, an attribute of this kind is a scalar.
                let scalar = unsafe { &*value.cast::<c_api::Scalar>() };
                if scalar.dtype == data_type::S64 {
                    // SAFETY: by the contract of `new`, the scalar's value has the type that its `dtype` names.
                    return Ok(unsafe { scalar.value.cast::<i64>().read_unaligned() });
                }
            }
        }
        Err(XlaError::invalid_frame(format!("the call has no int64 attribute {name:?}")))
    }
}

/// Returns entry `index` of `buffers`, which must be part of a frame that fulfils the contract of `CallFrame::new`.
fn buffer<'a>(kind: &str, buffers: &'a c_api::Buffers, index: usize) -> Result<Buffer<'a>> {
    if index >= usize::try_from(buffers.size).unwrap_or(0) {
        return Err(XlaError::invalid_frame(format!("the call has no {kind} number {index}")));
    }
    // SAFETY: by the contract of `CallFrame::new`, the arrays `types` and `values` of `buffers` have `size` entries; `index`
    // was checked to be less than `size`.
    let (tag, value) = unsafe { (*buffers.types.add(index), *buffers.values.add(index)) };
    if tag != c_api::BUFFER {
        return Err(XlaError::invalid_frame(format!("{kind} number {index} is no array")));
    }
    // SAFETY: by the contract of `CallFrame::new`, an entry of this kind is a buffer.
    let raw = unsafe { &*value.cast::<c_api::Buffer>() };
    check_size("buffer", raw.struct_size, size_of::<c_api::Buffer>())?;
    let rank = usize::try_from(raw.rank).unwrap_or(0);
    // SAFETY: by the contract of `CallFrame::new`, `dims` has `rank` entries. If `rank` is 0, `dims` may be null and is not read.
    let dims = if rank == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(raw.dims, rank) } };
    let len = dims.iter().try_fold(1usize, |len, size| len.checked_mul(usize::try_from(*size).ok()?));
    let len = len.ok_or_else(|| XlaError::invalid_frame(format!("{kind} number {index} has the shape {dims:?}")))?;
    Ok(Buffer { dtype: raw.dtype, data: raw.data, len, lifetime: PhantomData })
}

fn check_size(what: &str, size: usize, needed: usize) -> Result<()> {
    match size >= needed {
        true => Ok(()),
        false => Err(XlaError::invalid_frame(format!(
            "XLA's {what} has {size} bytes, expected at least {needed}: this release of XLA is too old or too new for envpool_rs"
        ))),
    }
}

impl<'a> Buffer<'a> {
    /// Returns the element type of the array (`XLA_FFI_DataType`).
    pub fn dtype(&self) -> c_int {
        self.dtype
    }

    /// Returns the address of the array, which may be in another device's memory.
    pub fn data(&self) -> *mut c_void {
        self.data
    }

    /// Returns the number of elements of the array.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the elements of an argument if they have the type `T`, otherwise `None`. Bools are read as `u8`.
    pub fn values<T: Scalar>(&self) -> Option<&'a [T]> {
        if !self.is_of::<T>() {
            return None;
        }
        if self.len == 0 {
            return Some(&[]);
        }
        let data = self.data.cast::<T>();
        // SAFETY: by the contract of `CallFrame::new`, an argument holds `len` initialised elements of its type, which no thread
        // writes during the call. `is_of` checks the type, and every bit pattern is a value of `T`.
        (!data.is_null() && data.is_aligned()).then(|| unsafe { std::slice::from_raw_parts(data, self.len) })
    }

    /// Writes the elements of a result.
    ///
    /// # Panics
    /// If the number or the type of the values differs from the result's.
    pub fn write<T: Scalar>(&self, values: impl ExactSizeIterator<Item = T>) {
        assert!(self.is_of::<T>() && values.len() == self.len, "values of another type or number");
        for (index, value) in values.enumerate().take(self.len) {
            // SAFETY: by the contract of `CallFrame::new`, a result has memory for `len` elements of its type. The assertions
            // check the number and the type.
            unsafe { self.data.cast::<T>().add(index).write_unaligned(value) };
        }
    }

    /// Writes the elements of a result as bytes; each element has `size` bytes.
    ///
    /// # Panics
    /// If the number of bytes or the element size differs from the result's.
    pub fn copy(&self, bytes: &[u8], size: usize) {
        assert!(bytes.len() == self.len * size && self.has_size(size), "bytes of another number");
        // SAFETY: by the contract of `CallFrame::new`, a result has memory for `len` elements of its type, whose size is asserted
        // above. The memory does not overlap with this crate's memory.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.data.cast::<u8>(), bytes.len()) };
    }

    fn is_of<T: Scalar>(&self) -> bool {
        self.dtype == T::TYPE || (self.dtype == data_type::PRED && T::TYPE == data_type::U8)
    }

    fn has_size(&self, size: usize) -> bool {
        data_type::size(self.dtype) == Some(size)
    }
}
