//! XLA's older custom calls (`API_VERSION_STATUS_RETURNING_UNIFIED`), for releases of jax without the foreign function interface.
//! Such a call passes untyped pointers, and a string that describes the arrays.
//!
//! The function with which such a call would report a failure is not accessible in jaxlib's binary. Therefore the last result of
//! each call is an int32: 0, or the number of a failure, whose message a program gets from [`message`]. All other results of a
//! failed call are zero, except the handle.
//!
//! The string is `pool;arguments;results`, where `pool` is the pool's number. Each array is written as its dtype, a colon, and
//! its dimensions. Example: `7;uint8:16,int32:4;uint8:16,int32:`.

use std::collections::VecDeque;
use std::ffi::{c_char, c_int, c_void};

use super::built_frame::{ArrayDesc, with_frame};
use super::c_api::{self, Handler, data_type};
use super::entry::HANDLERS;
use super::unreported;
use super::xla_error::Code;
use envpool_rs_sync::ForkMutex;

/// Function for a custom call of the older interface. Its parameters are the results, the arguments, the descriptive string and
/// its length, and a status.
pub type LegacyCall = unsafe extern "C" fn(*const *mut c_void, *const *const c_void, *const c_char, usize, *mut c_void);

/// Functions for the older interface, by the names in [`HANDLERS`].
pub const LEGACY_CALLS: [(&str, LegacyCall); 3] =
    [("envpool_rs.step", step), ("envpool_rs.send", send), ("envpool_rs.recv", recv)];

/// Maximum number of failure messages that are stored. A program requests the message soon after its failure.
const MAX_FAILURES: usize = 64;

/// Number of the last failed call, and the messages of recent failed calls with their numbers.
static FAILURES: ForkMutex<(i32, VecDeque<(i32, String)>)> = ForkMutex::new((0, VecDeque::new()));

unsafe extern "C" fn step(
    results: *const *mut c_void,
    arguments: *const *const c_void,
    text: *const c_char,
    len: usize,
    _status: *mut c_void,
) {
    // SAFETY: XLA calls this function, with arrays that XLA owns and a string that describes them.
    unsafe { enter(HANDLERS[0].handler, results, arguments, text, len) }
}

unsafe extern "C" fn send(
    results: *const *mut c_void,
    arguments: *const *const c_void,
    text: *const c_char,
    len: usize,
    _status: *mut c_void,
) {
    // SAFETY: XLA calls this function, with arrays that XLA owns and a string that describes them.
    unsafe { enter(HANDLERS[1].handler, results, arguments, text, len) }
}

unsafe extern "C" fn recv(
    results: *const *mut c_void,
    arguments: *const *const c_void,
    text: *const c_char,
    len: usize,
    _status: *mut c_void,
) {
    // SAFETY: XLA calls this function, with arrays that XLA owns and a string that describes them.
    unsafe { enter(HANDLERS[2].handler, results, arguments, text, len) }
}

/// Returns the message of failure `number`; `None` if it is no longer stored.
pub fn message(number: i32) -> Option<String> {
    let failures = FAILURES.lock();
    failures.1.iter().find(|(each, _)| *each == number).map(|(_, message)| message.clone())
}

fn record_failure(message: String) -> i32 {
    let mut failures = FAILURES.lock();
    let (last, messages) = &mut *failures;
    *last = last.checked_add(1).unwrap_or(1);
    messages.truncate(MAX_FAILURES - 1);
    messages.push_front((*last, message));
    *last
}

/// Converts a legacy call into a call frame, and runs a handler of the current interface.
///
/// # Safety
/// `text` must have `len` bytes, and describe correctly what `arguments` and `results` point to.
unsafe fn enter(handler: Handler, results: *const *mut c_void, arguments: *const *const c_void, text: *const c_char, len: usize) {
    // SAFETY: by the contract of `enter`, `text` has `len` bytes.
    let text = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), len) };
    let Some(mut call) = std::str::from_utf8(text).ok().and_then(LegacyCallArgs::parse) else {
        // The program was not made by this package, so the locations of its results are unknown.
        unreported::record(format!("unknown description of a custom call: {:?}", String::from_utf8_lossy(text)));
        return;
    };
    for (index, array) in call.arguments.iter_mut().enumerate() {
        // SAFETY: by the contract of `enter`, `arguments` has as many entries as the string describes. The handler does not write
        // to arguments.
        array.data = unsafe { *arguments.add(index) }.cast_mut();
    }
    for (index, array) in call.results.iter_mut().enumerate() {
        // SAFETY: by the contract of `enter`, `results` has as many entries as the string describes.
        array.data = unsafe { *results.add(index) };
    }
    let failed = call.results.pop().expect("there are at least two");
    // SAFETY: by the contract of `enter`, the arrays that `text` describes exist.
    let number = match unsafe { call.run(handler) } {
        None => 0,
        Some(message) => {
            // SAFETY: by the contract of `enter`, the arrays that `text` describes exist.
            unsafe { call.zero_results() };
            record_failure(message)
        }
    };
    // SAFETY: the last result is an int32, as `LegacyCallArgs::parse` has checked, and its memory exists by the contract of
    // `enter`.
    unsafe { failed.data.cast::<i32>().write_unaligned(number) };
}

/// Arrays of a call of the older interface: their descriptions, parsed from the string, and their addresses.
#[derive(Debug)]
struct LegacyCallArgs {
    pool: i64,
    arguments: Vec<ArrayDesc>,
    results: Vec<ArrayDesc>,
}

impl LegacyCallArgs {
    /// Parses the descriptive string. Returns `None` if the string is invalid. A valid string describes at least two results: the
    /// first as large as the first argument, the last an int32.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(';');
        let pool = parts.next()?.parse().ok()?;
        let mut arrays = || -> Option<Vec<_>> { parts.next()?.split(',').map(array).collect() };
        let (arguments, results) = (arrays()?, arrays()?);
        let [first, .., last] = results.as_slice() else { return None };
        let is_handed_on = arguments.first().is_some_and(|handle| size(handle) == size(first));
        let ends = last.dtype == data_type::S32 && last.dims.is_empty() && parts.next().is_none();
        (is_handed_on && ends).then_some(Self { pool, arguments, results })
    }

    /// Runs the handler, and returns the error message if it failed.
    ///
    /// # Safety
    /// The addresses of all arrays must be set and valid.
    unsafe fn run(&mut self, handler: Handler) -> Option<String> {
        let api = c_api::Api {
            struct_size: size_of::<c_api::Api>(),
            extension_start: std::ptr::null_mut(),
            api_version: c_api::ApiVersion {
                struct_size: size_of::<c_api::ApiVersion>(),
                extension_start: std::ptr::null_mut(),
                major_version: c_api::MAJOR_VERSION,
                minor_version: c_api::VERSION_WITHOUT_API.1,
            },
            internal_api: std::ptr::null(),
            error_create: Some(create_error),
            error_get_message: None,
            error_destroy: None,
            handler_register: std::ptr::null(),
            stream_get: None,
        };
        with_frame(&api, (&mut self.arguments, &mut self.results), self.pool, c_api::EXECUTE, |frame| {
            // SAFETY: the frame is complete, and its arrays exist by the contract of `run`.
            let error = unsafe { handler(frame) };
            // SAFETY: a non-null error was created by `create_error`, which leaks it from a box.
            (!error.is_null()).then(|| *unsafe { Box::from_raw(error.cast::<String>()) })
        })
    }

    /// Copies the handle to the first result, and sets all other results to zero.
    ///
    /// # Safety
    /// The addresses of all arrays must be set and valid.
    unsafe fn zero_results(&mut self) {
        for (index, array) in self.results.iter().enumerate() {
            // SAFETY: by the contract of `zero_results`, the arrays exist. `parse` has checked that the first result is as large
            // as the first argument.
            unsafe {
                match index {
                    0 => std::ptr::copy(self.arguments[0].data.cast::<u8>(), array.data.cast(), size(array)),
                    _ => array.data.cast::<u8>().write_bytes(0, size(array)),
                }
            }
        }
    }
}

fn array(text: &str) -> Option<ArrayDesc> {
    let (dtype, dims) = text.split_once(':')?;
    let dims: Option<Vec<i64>> = dims.split('x').filter(|size| !size.is_empty()).map(|size| size.parse().ok()).collect();
    let described = ArrayDesc { dtype: dtype_named(dtype)?, dims: dims?, data: std::ptr::null_mut() };
    let sizes = described.dims.iter().map(|size| usize::try_from(*size).ok());
    let len = sizes.chain([Some(8)]).try_fold(1_usize, |len, size| len.checked_mul(size?))?;
    (len <= isize::MAX as usize).then_some(described)
}

/// Returns the size of an array in bytes.
fn size(array: &ArrayDesc) -> usize {
    let each = data_type::size(array.dtype).expect("`dtype_named` returns types with sizes");
    array.dims.iter().map(|size| *size as usize).product::<usize>() * each
}

fn dtype_named(name: &str) -> Option<c_int> {
    Some(match name {
        "bool" => data_type::PRED,
        "int8" => data_type::S8,
        "int16" => data_type::S16,
        "int32" => data_type::S32,
        "int64" => data_type::S64,
        "uint8" => data_type::U8,
        "uint16" => data_type::U16,
        "uint32" => data_type::U32,
        "uint64" => data_type::U64,
        "float32" => data_type::F32,
        "float64" => data_type::F64,
        _ => return None,
    })
}

/// Stores the message of an error, preceded by the name of its status code, as jax displays errors of the current interface.
unsafe extern "C" fn create_error(args: *mut c_api::ErrorCreateArgs) -> *mut c_api::Error {
    // SAFETY: the handler passes valid arguments, with a NUL-terminated message.
    let (code, message) = unsafe { ((*args).errc, std::ffi::CStr::from_ptr((*args).message).to_string_lossy()) };
    let message = match Code::name(code) {
        Some(name) => format!("{name}: {message}"),
        None => message.into_owned(),
    };
    Box::into_raw(Box::new(message)).cast()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(text: &str) -> Option<LegacyCallArgs> {
        LegacyCallArgs::parse(text)
    }

    #[test]
    fn the_descriptor_names_the_dtypes_and_shapes_behind_the_pointers() {
        let call = parsed("-3;uint8:16,float32:4x2;uint8:16,float64:2x0x3,int32:").unwrap();
        assert_eq!((call.pool, call.arguments.len(), call.results.len()), (-3, 2, 3));
        assert_eq!((call.arguments[1].dtype, &call.arguments[1].dims), (data_type::F32, &vec![4, 2]));
        assert_eq!([size(&call.arguments[1]), size(&call.results[1]), size(&call.results[2])], [32, 0, 4]);
    }

    #[test]
    fn invalid_descriptors_are_refused() {
        for text in [
            "",
            "7",
            "7;uint8:16",
            "x;uint8:16;uint8:16,int32:",
            "7;uint8:16;uint8:16",                   // one result
            "7;uint8:16;uint8:16,int64:",            // the last result has no int32
            "7;uint8:16;uint8:16,int32:1",           // the last result has a dimension
            "7;uint8:8;uint8:16,int32:",             // the first result differs in size
            "7;uint8:16;uint8:16,int32:;",           // a field too many
            "7;complex64:16;uint8:16,int32:",        // no such type
            "7;uint8:16,float32:-1;uint8:16,int32:", // negative
            "7;uint8:16;uint8:16,float64:4611686018427387904x4,int32:",
        ] {
            assert!(parsed(text).is_none(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_descriptor_is_parsed_or_refused(text in "[0-9a-z:;,x-]{0,60}") {
            if let Some(call) = parsed(&text) {
                prop_assert!(call.results.len() > 1 && call.results.iter().all(|each| size(each) <= isize::MAX as usize));
            }
        }
    }
}
