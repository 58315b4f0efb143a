//! C functions that XLA calls. They answer requests for metadata, run a call, and convert errors and panics.

use std::any::Any;
use std::ffi::{CString, c_int};
use std::mem::offset_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

use super::c_api::{self, Handler};
use super::call_frame::CallFrame;
use super::calls;
use super::xla_error::{Code, Result, XlaError};
use envpool_rs_engine::FloatModeGuard;

/// A handler, with the name under which it is registered.
pub struct NamedHandler {
    /// Name of the custom call target.
    pub name: &'static str,
    /// Function for XLA's CPU platform.
    pub handler: Handler,
}

/// Handlers for XLA's CPU platform.
pub const HANDLERS: [NamedHandler; 3] = [
    NamedHandler { name: "envpool_rs.step", handler: step },
    NamedHandler { name: "envpool_rs.send", handler: send },
    NamedHandler { name: "envpool_rs.recv", handler: recv },
];

/// Handler for all other platforms. It returns an error, because environments are stepped on the CPU.
pub const OTHER_PLATFORMS: Handler = unsupported_platform;

unsafe extern "C" fn step(frame: *mut c_api::CallFrame) -> *mut c_api::Error {
    // SAFETY: XLA calls this function, with a frame that it owns.
    unsafe { enter(frame, calls::step) }
}

unsafe extern "C" fn send(frame: *mut c_api::CallFrame) -> *mut c_api::Error {
    // SAFETY: XLA calls this function, with a frame that it owns.
    unsafe { enter(frame, calls::send) }
}

unsafe extern "C" fn recv(frame: *mut c_api::CallFrame) -> *mut c_api::Error {
    // SAFETY: XLA calls this function, with a frame that it owns.
    unsafe { enter(frame, calls::recv) }
}

unsafe extern "C" fn unsupported_platform(frame: *mut c_api::CallFrame) -> *mut c_api::Error {
    let body = |_: CallFrame<'_>| {
        Err(XlaError::new(
            Code::Unimplemented,
            "envpool_rs steps environments on the CPU: put the program there, \
             with jax.default_device(jax.devices(\"cpu\")[0]) or jax.device_put of its arguments",
        ))
    };
    // SAFETY: XLA calls this function, with a frame that it owns. `body` does not read the buffers, which are in another device's
    // memory.
    unsafe { enter(frame, body) }
}

/// Runs `body` on a frame, unless the frame only asks for the handler's metadata.
///
/// # Safety
/// `frame` and all that it points to must conform to the interface's rules for a call frame until this function returns.
unsafe fn enter(frame: *mut c_api::CallFrame, body: impl Fn(CallFrame<'_>) -> Result<()>) -> *mut c_api::Error {
    // SAFETY: `frame` is valid by the contract of this function.
    let frame = unsafe { &*frame };
    // SAFETY: the pointer is null or points to an extension of XLA's interface (contract of this function).
    let done = match unsafe { frame.extension_start.as_ref() } {
        // SAFETY: an extension of this kind is a metadata extension.
        Some(extension) if extension.kind == c_api::METADATA_EXTENSION => unsafe {
            describe(frame, &*frame.extension_start.cast::<c_api::MetadataExtension>())
        },
        // SAFETY: the contract of `run` is the contract of this function.
        _ => catch_unwind(AssertUnwindSafe(|| unsafe { run(frame, &body) }))
            .unwrap_or_else(|panic| Err(XlaError::new(Code::Internal, format!("envpool_rs panicked: {}", text(&*panic))))),
    };
    match done {
        Ok(()) => null_mut(),
        // SAFETY: the contract of `report` is the contract of this function.
        Err(failure) => unsafe { report(frame, &failure) },
    }
}

/// Runs `body` on a frame, with the floating-point mode that the engine uses everywhere.
///
/// # Safety
/// `frame` must fulfil the contract of `enter`.
unsafe fn run(frame: &c_api::CallFrame, body: impl Fn(CallFrame<'_>) -> Result<()>) -> Result<()> {
    let _standard = FloatModeGuard::enter();
    // SAFETY: the contract of `CallFrame::new` is the contract of this function.
    body(unsafe { CallFrame::new(frame) }?)
}

/// Reports the interface version that the handler supports. This is the runtime's own version if that version has the same layout
/// of the structs used in this crate. Each call checks the structs' sizes, which the runtime passes with them.
///
/// # Safety
/// `frame` must fulfil the contract of `enter`, and have a metadata extension.
unsafe fn describe(frame: &c_api::CallFrame, extension: &c_api::MetadataExtension) -> Result<()> {
    // SAFETY: `frame.api` is null or valid (contract of this function).
    let version = unsafe { frame.api.as_ref() }.map(|api| (api.api_version.major_version, api.api_version.minor_version));
    let (major, minor) = version.unwrap_or(c_api::VERSION_WITHOUT_API);
    if major != c_api::MAJOR_VERSION {
        return Err(XlaError::new(
            Code::Unimplemented,
            format!("this release of XLA has version {major}.{minor} of its foreign function interface: envpool_rs knows 0.x"),
        ));
    }
    let metadata = extension.metadata;
    // SAFETY: the metadata belongs to the runtime, which passes it to be filled in, and no other thread accesses it meanwhile
    // (contract of this function).
    unsafe {
        if (*metadata).struct_size >= offset_of!(c_api::Metadata, traits) + size_of::<u32>() {
            (*metadata).api_version.major_version = major;
            (*metadata).api_version.minor_version = minor;
            (*metadata).traits = 0;
        } // otherwise the runtime rejects the handler, which has claimed no version
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
    // SAFETY: `frame.api` is null or valid (contract of this function).
    match unsafe { frame.api.as_ref() }.and_then(|api| api.error_create) {
        // SAFETY: `create` is the runtime's own function, and it copies the message.
        Some(create) => unsafe { create(&mut args) },
        None => {
            // This code is unreachable in practice: a runtime without this function could not have registered the handler.
            // Aborting is better than continuing without results.
            eprintln!("envpool_rs: {} (and XLA takes no errors)", failure.message);
            std::process::abort()
        }
    }
}

/// Returns the message of a panic.
fn text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
