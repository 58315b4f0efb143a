//! Builds call frames of XLA's foreign function interface, for tests and for calls whose arrays are copied from a GPU.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr::null_mut;

use super::c_api::{self, data_type};

/// Array in memory: its element type, dimensions and address.
#[derive(Debug, Clone)]
pub struct ArrayDesc {
    pub dtype: c_int,
    pub dims: Vec<i64>,
    pub data: *mut c_void,
}

/// Builds a call frame for the execution stage `stage`, and passes the frame to `body`. The frame's attribute `pool` is the
/// number of the pool.
pub fn with_frame<R>(
    api: &c_api::Api,
    (arguments, results): (&mut [ArrayDesc], &mut [ArrayDesc]),
    pool: i64,
    stage: c_int,
    body: impl FnOnce(&mut c_api::CallFrame) -> R,
) -> R {
    let (mut arguments, mut results) = (BufferList::new(arguments), BufferList::new(results));
    let mut number = pool;
    let mut scalar = c_api::Scalar { dtype: data_type::S64, value: (&raw mut number).cast() };
    let mut span = c_api::ByteSpan { ptr: c"pool".as_ptr(), len: 4 };
    let (mut kind, mut name, mut value) = (c_api::SCALAR, &raw mut span, (&raw mut scalar).cast::<c_void>());
    let attrs = c_api::Attrs {
        struct_size: size_of::<c_api::Attrs>(),
        extension_start: null_mut(),
        size: 1,
        types: &raw mut kind,
        names: &raw mut name,
        attrs: &raw mut value,
    };
    let mut frame = c_api::CallFrame {
        struct_size: size_of::<c_api::CallFrame>(),
        extension_start: null_mut(),
        api,
        ctx: null_mut(),
        stage,
        args: arguments.buffers(),
        rets: results.buffers(),
        attrs,
    };
    body(&mut frame)
}

/// List of buffers in a call frame: their addresses, and their kinds.
struct BufferList<'a> {
    buffers: Vec<c_api::Buffer>,
    pointers: Vec<*mut c_void>,
    kinds: Vec<c_int>,
    dims: PhantomData<&'a mut [ArrayDesc]>,
}

impl<'a> BufferList<'a> {
    fn new(arrays: &'a mut [ArrayDesc]) -> Self {
        let buffers: Vec<_> = arrays.iter_mut().map(buffer).collect();
        Self { kinds: vec![c_api::BUFFER; buffers.len()], pointers: Vec::new(), buffers, dims: PhantomData }
    }

    /// Returns the C struct for this list of buffers. The pointers in the struct are valid until the list is moved or
    /// dropped.
    fn buffers(&mut self) -> c_api::Buffers {
        self.pointers = self.buffers.iter_mut().map(|buffer| (&raw mut *buffer).cast()).collect();
        c_api::Buffers {
            struct_size: size_of::<c_api::Buffers>(),
            extension_start: null_mut(),
            size: self.pointers.len() as i64,
            types: self.kinds.as_mut_ptr(),
            values: self.pointers.as_mut_ptr(),
        }
    }
}

fn buffer(array: &mut ArrayDesc) -> c_api::Buffer {
    c_api::Buffer {
        struct_size: size_of::<c_api::Buffer>(),
        extension_start: null_mut(),
        dtype: array.dtype,
        data: array.data,
        rank: array.dims.len() as i64,
        dims: array.dims.as_mut_ptr(),
    }
}
