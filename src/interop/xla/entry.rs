//! C functions that XLA calls. They answer requests for metadata, execute calls, and convert errors and panics to XLA's errors.

use std::any::Any;
use std::ffi::{CString, c_int};
use std::mem::offset_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

use super::c_api::{self, Handler};
use super::call_frame::CallFrame;
use super::calls;
use super::cuda_calls;
use super::cuda_driver::CudaDriver;
use super::xla_error::{Code, Result, XlaError};
use envpool_rs_engine::FloatModeGuard;

/// Handlers of a custom call, with the name under which they are registered in XLA.
pub struct NamedHandler {
    /// Name of the custom call target.
    pub name: &'static str,
    /// C function that XLA calls for programs on its CPU platform.
    pub handler: Handler,
    /// C function that XLA calls for programs on its CUDA platform.
    pub cuda_handler: Handler,
}

/// Handlers that are registered for XLA's CPU and CUDA platforms.
pub const HANDLERS: [NamedHandler; 3] = [
    NamedHandler { name: "envpool_rs.step", handler: step, cuda_handler: step_on_cuda },
    NamedHandler { name: "envpool_rs.send", handler: send, cuda_handler: send_on_cuda },
    NamedHandler { name: "envpool_rs.recv", handler: recv, cuda_handler: recv_on_cuda },
];

/// Handler for all other platforms. It returns an error, because this package cannot copy arrays to and from their devices.
pub const OTHER_PLATFORMS: Handler = unsupported_platform;

unsafe extern "C" fn step(frame: *mut c_api::CallFrame) -> *mut c_api::Error {
    // SAFETY: XLA calls this function with a call frame that XLA owns.
    unsafe { enter(frame, calls::step) }
}

unsafe extern "C" fn send(frame: *mut c_api::CallFrame) -> *mut c_api::Error {
    // SAFETY: XLA calls this function with a call frame that XLA owns.
    unsafe { enter(frame, calls::send) }
}

unsafe extern "C" fn recv(frame: *mut c_api::CallFrame) -> *mut c_api::Error {
    // SAFETY: XLA calls this function with a call frame that XLA owns.
    unsafe { enter(frame, calls::recv) }
}

unsafe extern "C" fn step_on_cuda(frame: *mut c_api::CallFrame) -> *mut c_api::Error {
    // SAFETY: XLA calls this function with a call frame that XLA owns. `cuda_calls` does not access the arrays on the host.
    unsafe { enter(frame, |frame| cuda_calls::run(frame, CudaDriver::get()?, calls::step)) }
}

unsafe extern "C" fn send_on_cuda(frame: *mut c_api::CallFrame) -> *mut c_api::Error {
    // SAFETY: XLA calls this function with a call frame that XLA owns. `cuda_calls` does not access the arrays on the host.
    unsafe { enter(frame, |frame| cuda_calls::run(frame, CudaDriver::get()?, calls::send)) }
}

unsafe extern "C" fn recv_on_cuda(frame: *mut c_api::CallFrame) -> *mut c_api::Error {
    // SAFETY: XLA calls this function with a call frame that XLA owns. `cuda_calls` does not access the arrays on the host.
    unsafe { enter(frame, |frame| cuda_calls::run(frame, CudaDriver::get()?, calls::recv)) }
}

unsafe extern "C" fn unsupported_platform(frame: *mut c_api::CallFrame) -> *mut c_api::Error {
    let body = |_: CallFrame<'_>| {
        Err(XlaError::new(
            Code::Unimplemented,
            "envpool_rs steps environments for programs on the CPU or on CUDA devices: put the program on the CPU, \
             with jax.default_device(jax.devices(\"cpu\")[0]) or jax.device_put of its arguments",
        ))
    };
    // SAFETY: XLA calls this function with a call frame that XLA owns. The closure `body` does not read the buffers, which
    // are in the memory of another device.
    unsafe { enter(frame, body) }
}

/// Runs `body` on a call frame, unless the frame only requests the handler's metadata.
///
/// # Safety
/// `frame` and everything that it points to must conform to the interface's rules for a call frame until this function returns.
unsafe fn enter(frame: *mut c_api::CallFrame, body: impl Fn(CallFrame<'_>) -> Result<()>) -> *mut c_api::Error {
    // SAFETY: by the contract of `enter`, `frame` is valid.
    let frame = unsafe { &*frame };
    // SAFETY: by the contract of `enter`, `frame.extension_start` is null or points to an extension of XLA's interface.
    let done = match unsafe { frame.extension_start.as_ref() } {
        // SAFETY: an extension of the kind `METADATA_EXTENSION` is a metadata extension.
        Some(extension) if extension.kind == c_api::METADATA_EXTENSION => unsafe {
            describe(frame, &*frame.extension_start.cast::<c_api::MetadataExtension>())
        },
        // SAFETY: `run` and `enter` have the same contract for `frame`.
        _ => catch_unwind(AssertUnwindSafe(|| unsafe { run(frame, &body) }))
            .unwrap_or_else(|panic| Err(XlaError::new(Code::Internal, format!("envpool_rs panicked: {}", text(&*panic))))),
    };
    match done {
        Ok(()) => null_mut(),
        // SAFETY: `report` and `enter` have the same contract for `frame`.
        Err(failure) => unsafe { report(frame, &failure) },
    }
}

/// Runs `body` on a call frame, in the floating-point mode that the engine uses everywhere.
///
/// # Safety
/// `frame` must fulfil the contract of `enter`.
unsafe fn run(frame: &c_api::CallFrame, body: impl Fn(CallFrame<'_>) -> Result<()>) -> Result<()> {
    let _standard = FloatModeGuard::enter();
    // SAFETY: `enter` requires of `frame` what `CallFrame::new` requires.
    body(unsafe { CallFrame::new(frame) }?)
}

/// Reports the interface version that the handler supports. The handler supports the runtime's own version if that version has
/// the same layout of the structs that this crate uses. Each call checks the sizes of the structs, which the runtime passes with
/// them.
///
/// # Safety
/// `frame` must fulfil the contract of `enter`, and have a metadata extension.
unsafe fn describe(frame: &c_api::CallFrame, extension: &c_api::MetadataExtension) -> Result<()> {
    // SAFETY: by the contract of `enter`, `frame.api` is null or valid.
    let version = unsafe { frame.api.as_ref() }.map(|api| (api.api_version.major_version, api.api_version.minor_version));
    let (major, minor) = version.unwrap_or(c_api::VERSION_WITHOUT_API);
    if major != c_api::MAJOR_VERSION {
        return Err(XlaError::new(
            Code::Unimplemented,
            format!("this release of XLA has version {major}.{minor} of its foreign function interface: envpool_rs knows 0.x"),
        ));
    }
    let metadata = extension.metadata;
    // SAFETY: the runtime owns the metadata and passes it to be filled in. By the contract of `enter`, no other thread accesses
    // it meanwhile.
    unsafe {
        if (*metadata).struct_size >= offset_of!(c_api::Metadata, traits) + size_of::<u32>() {
            (*metadata).api_version.major_version = major;
            (*metadata).api_version.minor_version = minor;
            (*metadata).traits = 0; // without the trait of command buffers, so that XLA does not record and replay calls
        } // A runtime with a smaller struct rejects the handler, which then has no version.
    }
    Ok(())
}

/// Creates the runtime's error object for a failed call.
///
/// # Safety
/// `frame` must fulfil the contract of `enter`.
unsafe fn report(frame: &c_api::CallFrame, failure: &XlaError) -> *mut c_api::Error {
    let message = CString::new(failure.message.replace('\0', "\u{fffd}")).unwrap_or_default();
    let mut args = c_api::ErrorCreateArgs {
        struct_size: offset_of!(c_api::ErrorCreateArgs, errc) + size_of::<c_int>(),
        extension_start: null_mut(),
        message: message.as_ptr(),
        errc: failure.code.number(),
    };
    // SAFETY: by the contract of `enter`, `frame.api` is null or valid.
    match unsafe { frame.api.as_ref() }.and_then(|api| api.error_create) {
        // SAFETY: `create` is the runtime's own function, and it copies the message.
        Some(create) => unsafe { create(&mut args) },
        None => {
            // In practice, this code is unreachable: a runtime without this function could not have registered the handler.
            // To return would report success, with results that the call has not written.
            eprintln!("envpool_rs: {} (and XLA takes no errors)", failure.message);
            std::process::abort()
        }
    }
}

/// Returns the message with which a thread panicked.
fn text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
