//! Executes the calls of programs on CUDA devices, whose arrays are in the memory of a GPU.
//!
//! A call copies its arguments to the host, waits for the copies, and executes the call with the copies. It then copies the
//! results to the GPU, and waits again, because the host memory of the results is reused. Copies run in the program's stream, so
//! they follow the work that computes the arguments, and precede the work that reads the results.

use std::cell::Cell;
use std::mem::offset_of;
use std::ptr::null_mut;

use super::built_frame::{ArrayDesc, with_frame};
use super::c_api::{self, data_type};
use super::call_frame::{Buffer, CallFrame};
use super::cuda_driver::{CudaDriver, DeviceAddress, Stream};
use super::xla_error::{Code, Result, XlaError};

thread_local! {
    /// Host memory of the thread's last call, which the next call reuses.
    static HOST_MEMORY: Cell<Vec<u64>> = const { Cell::new(Vec::new()) };
}

/// Executes `call` with copies of the arrays of `frame`, which are in the memory of a GPU.
///
/// # Errors
/// Those of `call`, of the driver, and of a runtime that has no stream for the call.
pub fn run(frame: CallFrame<'_>, driver: &CudaDriver, call: fn(CallFrame<'_>) -> Result<()>) -> Result<()> {
    let arguments = (0..frame.arguments()).map(|index| frame.argument(index)).collect::<Result<Vec<_>>>()?;
    let results = (0..frame.results()).map(|index| frame.result(index)).collect::<Result<Vec<_>>>()?;
    let copies = Copies { driver, stream: stream(frame)?, are_pending: Cell::new(false) };
    let words = words(arguments.iter().chain(&results))?;
    let mut memory = HOST_MEMORY.take();
    memory.resize(memory.len().max(words), 0);
    let mut next = memory.as_mut_ptr();
    let mut place = |array: &Buffer<'_>| {
        let bytes = bytes(array).expect("`words` has checked the array");
        let host = HostCopy { device: array.data().addr() as DeviceAddress, host: next.cast(), bytes };
        next = next.wrapping_add(bytes.div_ceil(8));
        host
    };
    let argument_copies: Vec<_> = arguments.iter().map(&mut place).collect();
    let result_copies: Vec<_> = results.iter().map(&mut place).collect();

    let done = copies
        .to_host(&argument_copies)
        .and_then(|()| {
            let mut arrays = (described(&arguments, &argument_copies), described(&results, &result_copies));
            // SAFETY: the arrays are initialised parts of `memory`, which no copy accesses at present.
            unsafe { call_on_host(frame, (&mut arrays.0, &mut arrays.1), call) }
        })
        .and_then(|()| copies.to_device(&result_copies));
    match copies.are_pending.get() {
        true => std::mem::forget(memory), // the GPU may still access the memory
        false => HOST_MEMORY.set(memory),
    }
    done
}

/// Copies between the host and a GPU, in one stream.
struct Copies<'a> {
    driver: &'a CudaDriver,
    stream: Stream,
    /// Whether copies were queued that may not be complete.
    are_pending: Cell<bool>,
}

/// Array in the memory of a GPU, and the host memory of its copy. The host memory is part of an allocation that is freed or
/// reused only if no copies are pending.
struct HostCopy {
    device: DeviceAddress,
    host: *mut u8,
    bytes: usize,
}

impl Copies<'_> {
    /// Copies arrays from the GPU to the host, and waits for the copies.
    fn to_host(&self, arrays: &[HostCopy]) -> Result<()> {
        self.run(arrays, |array| {
            // SAFETY: by the contract of `CallFrame::new`, the array has `bytes` bytes on the GPU, and the host memory has as many.
            // No code accesses it before `run` has synchronised the stream.
            unsafe { self.driver.copy_to_host(array.host, array.device, array.bytes, self.stream) }
        })
    }

    /// Copies arrays from the host to the GPU, and waits for the copies.
    fn to_device(&self, arrays: &[HostCopy]) -> Result<()> {
        self.run(arrays, |array| {
            // SAFETY: by the contract of `CallFrame::new`, the array has `bytes` bytes on the GPU, and the host memory has as many.
            // No code writes to it before `run` has synchronised the stream.
            unsafe { self.driver.copy_to_device(array.device, array.host, array.bytes, self.stream) }
        })
    }

    /// Queues a copy of each array that is not empty, and waits for the copies, also if one could not be queued.
    fn run(&self, arrays: &[HostCopy], copy: impl Fn(&HostCopy) -> Result<()>) -> Result<()> {
        self.are_pending.set(true);
        let queued = arrays.iter().filter(|array| array.bytes > 0).try_for_each(copy);
        // SAFETY: the runtime returned the stream for this call.
        let synchronized = unsafe { self.driver.synchronize(self.stream) };
        self.are_pending.set(synchronized.is_err());
        queued.and(synchronized)
    }
}

/// Returns the size of an array in bytes; `None` for an unknown type or a size that no memory has.
fn bytes(array: &Buffer<'_>) -> Option<usize> {
    array.len().checked_mul(data_type::size(array.dtype())?).filter(|bytes| *bytes <= isize::MAX as usize / 2)
}

/// Returns the number of words of 8 bytes in which copies of all `arrays` fit.
fn words<'a>(arrays: impl Iterator<Item = &'a Buffer<'a>>) -> Result<usize> {
    let mut words = 0_usize;
    for array in arrays {
        let bytes = bytes(array).ok_or_else(|| {
            let (len, dtype) = (array.len(), array.dtype());
            XlaError::invalid_frame(format!(
                "an array has {len} elements of XLA's type {dtype}: expected bools, integers or floats"
            ))
        })?;
        words = words.saturating_add(bytes.div_ceil(8));
    }
    Ok(words)
}

/// Returns the descriptions of the host copies of `arrays`.
fn described(arrays: &[Buffer<'_>], copies: &[HostCopy]) -> Vec<ArrayDesc> {
    let describe = |(array, copy): (&Buffer<'_>, &HostCopy)| ArrayDesc {
        dtype: array.dtype(),
        dims: vec![array.len() as i64],
        data: copy.host.cast(),
    };
    arrays.iter().zip(copies).map(describe).collect()
}

/// Executes `call` with the attributes of `frame`, and with other arrays.
///
/// # Safety
/// The arrays must be initialised host memory that no other code accesses, with the lengths and types of their descriptions.
unsafe fn call_on_host(
    frame: CallFrame<'_>,
    arrays: (&mut [ArrayDesc], &mut [ArrayDesc]),
    call: fn(CallFrame<'_>) -> Result<()>,
) -> Result<()> {
    let (api, _) = frame.runtime();
    let api = api.ok_or_else(|| XlaError::invalid_frame("the call has no table of XLA's functions"))?;
    with_frame(api, arrays, frame.integer("pool")?, c_api::EXECUTE, |built| {
        // SAFETY: `with_frame` builds a complete frame, whose arrays exist by the contract of `call_on_host`.
        call(unsafe { CallFrame::new(built) }?)
    })
}

/// Returns the stream in which the program's work of this call runs.
fn stream(frame: CallFrame<'_>) -> Result<Stream> {
    let (api, ctx) = frame.runtime();
    let needed = offset_of!(c_api::Api, stream_get) + size_of::<usize>();
    let api = api.filter(|api| api.struct_size >= needed);
    let Some((api, get)) = api.and_then(|api| Some((api, api.stream_get?))) else {
        return Err(XlaError::new(Code::Unimplemented, "this release of XLA has no function that returns a call's stream"));
    };
    let mut args = c_api::StreamGetArgs {
        struct_size: size_of::<c_api::StreamGetArgs>(),
        extension_start: null_mut(),
        ctx,
        stream: null_mut(),
    };
    // SAFETY: `get` is the runtime's own function, and `ctx` is the context of this call.
    let error = unsafe { get(&mut args) };
    if error.is_null() {
        return Ok(args.stream);
    }
    // SAFETY: the runtime has returned `error` to this call, which owns it.
    let why = unsafe { take_message(api, error) };
    Err(XlaError::new(Code::Internal, format!("XLA has no stream for the call: {why}")))
}

/// Returns the message of an error of the runtime, and frees the error.
///
/// # Safety
/// `error` must be an error of the runtime with the functions `api`, and is invalid afterwards.
unsafe fn take_message(api: &c_api::Api, error: *mut c_api::Error) -> String {
    let mut message = String::from("no message");
    if let Some(get) = api.error_get_message {
        let struct_size = size_of::<c_api::ErrorGetMessageArgs>();
        let mut args = c_api::ErrorGetMessageArgs { struct_size, extension_start: null_mut(), error, message: std::ptr::null() };
        // SAFETY: by the contract of `take_message`, `error` is valid. The runtime writes a string that the error owns, which ends
        // with NUL.
        unsafe {
            get(&mut args);
            if !args.message.is_null() {
                message = std::ffi::CStr::from_ptr(args.message).to_string_lossy().into_owned();
            }
        }
    }
    if let Some(destroy) = api.error_destroy {
        let struct_size = size_of::<c_api::ErrorDestroyArgs>();
        // SAFETY: by the contract of `take_message`, `error` is valid, and it is not used again.
        unsafe { destroy(&mut c_api::ErrorDestroyArgs { struct_size, extension_start: null_mut(), error }) };
    }
    message
}
