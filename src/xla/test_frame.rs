//! Call frames for tests, laid out as a runtime does.

use std::ffi::{CStr, c_int, c_void};
use std::ptr::{null, null_mut};

use super::c_api::{self, data_type};

/// An array: element type, dimensions, bytes.
pub struct Array {
    pub dtype: c_int,
    pub dims: Vec<i64>,
    pub bytes: Vec<u64>,
}

impl Array {
    /// Of these values, in one dimension.
    pub fn of<T: Copy>(dtype: c_int, values: &[T]) -> Self {
        let array = Self::zeros::<T>(dtype, values.len());
        // SAFETY: there is room for the values, in whole words.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), array.bytes.as_ptr().cast_mut().cast(), values.len()) };
        array
    }

    /// Room for so many values.
    pub fn zeros<T>(dtype: c_int, len: usize) -> Self {
        Self { dtype, dims: vec![len as i64], bytes: vec![0; (len * size_of::<T>()).div_ceil(8)] }
    }

    /// The bytes as values.
    pub fn values<T: Copy>(&self, len: usize) -> Vec<T> {
        assert!(len * size_of::<T>() <= self.bytes.len() * 8);
        // SAFETY: they are as many, and any bits are numbers.
        unsafe { std::slice::from_raw_parts(self.bytes.as_ptr().cast::<T>(), len) }.to_vec()
    }
}

/// What a runtime tells its handlers, with the attribute `pool`.
pub struct TestCall {
    pub arguments: Vec<Array>,
    pub results: Vec<Array>,
    pub pool: i64,
    pub stage: c_int,
    /// Taken off the frame's size.
    pub missing_bytes: usize,
}

/// The runtime's error: its code and message.
pub type Reported = Option<(c_int, String)>;

impl TestCall {
    /// A call in the execute stage.
    pub fn new(pool: i64, arguments: Vec<Array>, results: Vec<Array>) -> Self {
        Self { arguments, results, pool, stage: c_api::EXECUTE, missing_bytes: 0 }
    }

    /// Calls a handler.
    pub fn call(&mut self, handler: c_api::Handler) -> Reported {
        let api = api(0);
        let (arguments, results) = (Lists::new(&mut self.arguments), Lists::new(&mut self.results));
        let (arguments, results) = (arguments.buffers(), results.buffers());
        let mut number = self.pool;
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
            struct_size: size_of::<c_api::CallFrame>() - self.missing_bytes,
            extension_start: null_mut(),
            api: &raw const api,
            ctx: null_mut(),
            stage: self.stage,
            args: arguments.0,
            rets: results.0,
            attrs,
        };
        // SAFETY: the frame is complete, and what it points to lives until the end of this function.
        taken(unsafe { handler(&raw mut frame) })
    }
}

/// Asks a handler for its metadata, as a runtime of this major version, or one that keeps its version to itself.
pub fn version_of(handler: c_api::Handler, major: Option<c_int>) -> (c_int, c_int, Reported) {
    let api = major.map(api);
    let mut metadata = c_api::Metadata {
        struct_size: size_of::<c_api::Metadata>(),
        api_version: c_api::ApiVersion {
            struct_size: size_of::<c_api::ApiVersion>(),
            extension_start: null_mut(),
            major_version: -1,
            minor_version: -1,
        },
        traits: 7,
    };
    let mut extension = c_api::MetadataExtension {
        extension_base: c_api::Extension {
            struct_size: size_of::<c_api::Extension>(),
            kind: c_api::METADATA_EXTENSION,
            next: null_mut(),
        },
        metadata: &raw mut metadata,
    };
    let mut call = TestCall::new(0, vec![], vec![]);
    let (arguments, results) = (Lists::new(&mut call.arguments).buffers(), Lists::new(&mut call.results).buffers());
    let mut frame = c_api::CallFrame {
        struct_size: size_of::<c_api::CallFrame>(),
        extension_start: (&raw mut extension).cast(),
        api: api.as_ref().map_or(null(), |api| &raw const *api),
        ctx: null_mut(),
        stage: c_api::EXECUTE,
        args: arguments.0,
        rets: results.0,
        attrs: c_api::Attrs {
            struct_size: size_of::<c_api::Attrs>(),
            extension_start: null_mut(),
            size: 0,
            types: null_mut(),
            names: null_mut(),
            attrs: null_mut(),
        },
    };
    // SAFETY: as in `call`.
    let reported = taken(unsafe { handler(&raw mut frame) });
    (metadata.api_version.major_version, metadata.api_version.minor_version, reported)
}

fn api(major: c_int) -> c_api::Api {
    c_api::Api {
        struct_size: size_of::<c_api::Api>(),
        extension_start: null_mut(),
        api_version: c_api::ApiVersion {
            struct_size: size_of::<c_api::ApiVersion>(),
            extension_start: null_mut(),
            major_version: major,
            minor_version: 3,
        },
        internal_api: null(),
        error_create: Some(create),
    }
}

unsafe extern "C" fn create(args: *mut c_api::ErrorCreateArgs) -> *mut c_api::Error {
    // SAFETY: the handler passes its own arguments, with a message that ends in zero.
    let (code, message) = unsafe { ((*args).errc, CStr::from_ptr((*args).message).to_string_lossy().into_owned()) };
    Box::into_raw(Box::new((code, message))).cast()
}

fn taken(error: *mut c_api::Error) -> Reported {
    // SAFETY: what is not null was made by `create`.
    (!error.is_null()).then(|| *unsafe { Box::from_raw(error.cast::<(c_int, String)>()) })
}

/// The lists that a frame points to.
struct Lists {
    buffers: Vec<c_api::Buffer>,
    pointers: Vec<*mut c_void>,
    kinds: Vec<c_int>,
}

/// A list with the memory that it points to.
struct Listed(c_api::Buffers, #[expect(dead_code, reason = "kept alive")] Lists);

impl Lists {
    fn new(arrays: &mut [Array]) -> Self {
        let mut buffers: Vec<_> = arrays.iter_mut().map(buffer).collect();
        let pointers = buffers.iter_mut().map(|buffer| (&raw mut *buffer).cast()).collect();
        Self { kinds: vec![c_api::BUFFER; buffers.len()], buffers, pointers }
    }

    fn buffers(mut self) -> Listed {
        let list = c_api::Buffers {
            struct_size: size_of::<c_api::Buffers>(),
            extension_start: null_mut(),
            size: self.buffers.len() as i64,
            types: self.kinds.as_mut_ptr(),
            values: self.pointers.as_mut_ptr(),
        };
        Listed(list, self)
    }
}

fn buffer(array: &mut Array) -> c_api::Buffer {
    c_api::Buffer {
        struct_size: size_of::<c_api::Buffer>(),
        extension_start: null_mut(),
        dtype: array.dtype,
        data: array.bytes.as_mut_ptr().cast(),
        rank: array.dims.len() as i64,
        dims: array.dims.as_mut_ptr(),
    }
}
