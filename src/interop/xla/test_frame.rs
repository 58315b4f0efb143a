//! Call frames for tests, with the same memory layout as the call frames of an XLA runtime.

use std::ffi::{CStr, c_int};
use std::ptr::{null, null_mut};

use super::built_frame::{ArrayDesc, with_frame};
use super::c_api;

/// Array of a test call: its element type, dimensions and bytes.
pub struct Array {
    pub dtype: c_int,
    pub dims: Vec<i64>,
    pub bytes: Vec<u64>,
}

impl Array {
    /// Creates a one-dimensional array with the elements `values`.
    pub fn from_values<T: Copy>(dtype: c_int, values: &[T]) -> Self {
        let array = Self::zeros::<T>(dtype, values.len());
        // SAFETY: `zeros` allocates `values.len()` elements, rounded up to whole words.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), array.bytes.as_ptr().cast_mut().cast(), values.len()) };
        array
    }

    /// Creates a one-dimensional array of `len` zeros.
    pub fn zeros<T>(dtype: c_int, len: usize) -> Self {
        Self { dtype, dims: vec![len as i64], bytes: vec![0; (len * size_of::<T>()).div_ceil(8)] }
    }

    /// Returns the array's bytes as `len` values of the type `T`.
    pub fn values<T: Copy>(&self, len: usize) -> Vec<T> {
        assert!(len * size_of::<T>() <= self.bytes.len() * 8);
        // SAFETY: the assertion checks that the array has `len` elements, and every bit pattern is a valid number.
        unsafe { std::slice::from_raw_parts(self.bytes.as_ptr().cast::<T>(), len) }.to_vec()
    }
}

/// Call for a test: the data that a runtime passes to a handler, with the attribute `pool`.
pub struct TestCall {
    pub arguments: Vec<Array>,
    pub results: Vec<Array>,
    pub pool: i64,
    pub stage: c_int,
    /// Number of bytes by which the frame's stated size is too small.
    pub missing_bytes: usize,
}

/// Error that the runtime received from a handler: its code and message; `None` for success.
pub type Reported = Option<(c_int, String)>;

impl TestCall {
    /// Creates a test call in the execute stage, whose frame is valid.
    pub fn new(pool: i64, arguments: Vec<Array>, results: Vec<Array>) -> Self {
        Self { arguments, results, pool, stage: c_api::EXECUTE, missing_bytes: 0 }
    }

    /// Calls a handler with the test call's frame, and returns its error.
    pub fn call(&mut self, handler: c_api::Handler) -> Reported {
        let (mut arguments, mut results) = (describe(&mut self.arguments), describe(&mut self.results));
        let missing = self.missing_bytes;
        with_frame(&api(0), (&mut arguments, &mut results), self.pool, self.stage, |frame| {
            frame.struct_size -= missing;
            // SAFETY: the frame is complete, and the arrays that it points to live until the call returns.
            take_error(unsafe { handler(frame) })
        })
    }
}

/// Requests a handler's metadata as an XLA runtime does. `major` is the runtime's major version, or `None` for a runtime that
/// does not report its version. Returns the version that the handler reports, and the error.
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
    let api = api.as_ref();
    let reported = with_frame(&self::api(0), (&mut [], &mut []), 0, c_api::EXECUTE, |frame| {
        frame.api = api.map_or(null(), |api| &raw const *api);
        frame.extension_start = (&raw mut extension).cast();
        frame.attrs.size = 0;
        // SAFETY: the frame is complete, and the extension that it points to lives until the call returns.
        take_error(unsafe { handler(frame) })
    });
    (metadata.api_version.major_version, metadata.api_version.minor_version, reported)
}

/// Returns a runtime's table of functions, with the major version `major`.
pub fn api(major: c_int) -> c_api::Api {
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
        error_get_message: None,
        error_destroy: None,
        handler_register: null(),
        stream_get: None,
    }
}

unsafe extern "C" fn create(args: *mut c_api::ErrorCreateArgs) -> *mut c_api::Error {
    // SAFETY: the handler passes valid arguments, with a NUL-terminated message.
    let (code, message) = unsafe { ((*args).errc, CStr::from_ptr((*args).message).to_string_lossy().into_owned()) };
    Box::into_raw(Box::new((code, message))).cast()
}

fn take_error(error: *mut c_api::Error) -> Reported {
    // SAFETY: a non-null error was created by `create`, which leaks it from a box.
    (!error.is_null()).then(|| *unsafe { Box::from_raw(error.cast::<(c_int, String)>()) })
}

fn describe(arrays: &mut [Array]) -> Vec<ArrayDesc> {
    let each =
        |array: &mut Array| ArrayDesc { dtype: array.dtype, dims: array.dims.clone(), data: array.bytes.as_mut_ptr().cast() };
    arrays.iter_mut().map(each).collect()
}
