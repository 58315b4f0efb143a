//! Tests calls of programs on CUDA devices with a driver that copies only when a stream is synchronised.

use std::ffi::{c_char, c_int, c_void};
use std::path::PathBuf;
use std::process::Command;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::{Arc, LazyLock};

use libloading::Library;

use super::built_frame::{ArrayDesc, with_frame};
use super::c_api::{self, data_type};
use super::call_frame::CallFrame;
use super::cuda_calls;
use super::cuda_driver::CudaDriver;
use super::exposed_pools::{ExposedPool, HANDLE_BYTES};
use super::test_frame::{Array, api};
use super::tests::{ENVS, actions, cart_poles, handle, played, results};
use super::xla_error::{Code, Result, XlaError};
use super::{calls, entry::HANDLERS};

/// Size of the device memory of a stream in bytes.
const DEVICE_BYTES: usize = 1 << 20;

/// Compiles the driver for tests with a macro defined, and passes the library's path to `body`.
fn with_library<R>(define: &str, body: impl FnOnce(&str) -> R) -> R {
    let folder = tempfile::tempdir().unwrap();
    let source = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/fake_cuda_driver.c"));
    let library = folder.path().join("libcuda.so.1");
    let status = Command::new("cc").args(["-shared", "-fPIC", "-O1", define, "-o"]).args([&library, &source]).status();
    assert!(status.unwrap().success(), "the driver for tests is compiled");
    body(library.to_str().unwrap())
}

/// Driver for tests, and its functions that real drivers do not have.
struct Fake {
    driver: CudaDriver,
    stream: unsafe extern "C" fn(usize) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    upload: unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> u64,
    download: unsafe extern "C" fn(*mut c_void, u64, *mut c_void, usize),
    fail: unsafe extern "C" fn(*mut c_void, c_int),
    run: unsafe extern "C" fn(*mut c_void) -> c_int,
    _library: Library,
}

static FAKE: LazyLock<Fake> = LazyLock::new(|| {
    with_library("-DTESTS", |path| {
        // SAFETY: the library has no initialisers, and the types of its functions are those of its source.
        unsafe {
            let library = Library::new(path).unwrap();
            Fake {
                driver: CudaDriver::open(path).unwrap(),
                stream: *library.get("fake_stream").unwrap(),
                free: *library.get("fake_free").unwrap(),
                upload: *library.get("fake_upload").unwrap(),
                download: *library.get("fake_download").unwrap(),
                fail: *library.get("fake_fail").unwrap(),
                run: *library.get("fake_run").unwrap(),
                _library: library,
            }
        }
    })
});

/// Call of a program on a GPU: a stream, and arrays in its device memory.
struct CudaCall {
    stream: *mut c_void,
    api: c_api::Api,
    pool: i64,
    arguments: Vec<ArrayDesc>,
    results: Vec<ArrayDesc>,
}

impl CudaCall {
    fn new(pool: i64, arguments: &[Array], results: &[Array]) -> Self {
        // SAFETY: the driver's function has no preconditions.
        let stream = unsafe { (FAKE.stream)(DEVICE_BYTES) };
        let mut api = api(0);
        api.stream_get = Some(stream_of);
        api.error_get_message = Some(message_of);
        api.error_destroy = Some(destroy);
        let upload = |array: &Array| {
            // SAFETY: the array has this number of bytes, and the stream exists.
            let address = unsafe { (FAKE.upload)(stream, array.bytes.as_ptr().cast(), array.bytes.len() * 8) };
            ArrayDesc { dtype: array.dtype, dims: array.dims.clone(), data: without_provenance_mut(address as usize) }
        };
        Self {
            stream,
            api,
            pool,
            arguments: arguments.iter().map(upload).collect(),
            results: results.iter().map(upload).collect(),
        }
    }

    /// Returns a step of three CartPoles, with actions.
    fn step(exposed: &ExposedPool, values: &[i32]) -> Self {
        Self::new(exposed.number(), &[handle(exposed), actions(values)], &results(exposed, ENVS))
    }

    fn call(&mut self, call: fn(CallFrame<'_>) -> Result<()>) -> Result<()> {
        let (stream, arrays) = (self.stream, (&mut self.arguments[..], &mut self.results[..]));
        with_frame(&self.api, arrays, self.pool, c_api::EXECUTE, |frame| {
            frame.ctx = stream;
            // SAFETY: the frame is complete. Its arrays exist in the stream's device memory, which `run` does not access itself.
            cuda_calls::run(unsafe { CallFrame::new(frame) }?, &FAKE.driver, call)
        })
    }

    /// Returns the first `len` bytes of result `index`, from device memory.
    fn result(&self, index: usize, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        let from = self.results[index].data.addr() as u64;
        // SAFETY: results have more than `len` bytes of device memory.
        unsafe { (FAKE.download)(self.stream, from, bytes.as_mut_ptr().cast(), len) };
        bytes
    }

    /// Lets the driver's functions fail after a number of calls.
    fn fail_after(&self, successes: c_int) {
        // SAFETY: the stream exists.
        unsafe { (FAKE.fail)(self.stream, successes) };
    }

    /// Runs the pending copies, and returns their number.
    fn run_pending(&self) -> c_int {
        // SAFETY: the stream exists, and pending copies access memory that exists, as the tests check.
        unsafe { (FAKE.run)(self.stream) }
    }
}

impl Drop for CudaCall {
    fn drop(&mut self) {
        // SAFETY: the stream exists, and is not used again.
        unsafe { (FAKE.free)(self.stream) };
    }
}

const NO_STREAM: &std::ffi::CStr = c"no GPU runs this program";

unsafe extern "C" fn stream_of(args: *mut c_api::StreamGetArgs) -> *mut c_api::Error {
    // SAFETY: the handler passes valid arguments.
    let args = unsafe { &mut *args };
    args.stream = args.ctx;
    if args.ctx.is_null() { Box::into_raw(Box::new(NO_STREAM.as_ptr())).cast() } else { null_mut() }
}

unsafe extern "C" fn message_of(args: *mut c_api::ErrorGetMessageArgs) {
    // SAFETY: the handler passes valid arguments, and the error of `stream_of`.
    unsafe { (*args).message = *(*args).error.cast::<*const c_char>() };
}

unsafe extern "C" fn destroy(args: *mut c_api::ErrorDestroyArgs) {
    // SAFETY: the handler passes valid arguments, and the error of `stream_of`, which it does not use again.
    drop(unsafe { Box::from_raw((*args).error.cast::<*const c_char>()) });
}

fn assert_fails<T>(done: Result<T>, code: Code, text: &str) {
    let error = done.err().expect("it fails");
    assert!(error.code == code && error.message.contains(text), "{error:?}");
}

/// Compares a call's results in device memory with a batch of the pool's own.
fn assert_results(call: &CudaCall, exposed: &ExposedPool, batch: &envpool_rs_engine::Batch) {
    assert_eq!(call.result(0, HANDLE_BYTES), exposed.handle());
    for (index, column) in exposed.results().iter().enumerate() {
        let bytes = batch.bytes(*column);
        assert_eq!(call.result(index + 1, bytes.len()), bytes, "{:?}", batch.layout().columns[*column].role);
    }
}

#[test]
fn steps_of_arrays_on_a_gpu_have_the_pools_results() {
    let (mine, other) = (ExposedPool::new(&cart_poles()), cart_poles());
    for number in 0..40 {
        let values = [number % 2, 1, 0];
        let mut call = CudaCall::step(&mine, &values);
        call.call(calls::step).unwrap();
        assert_results(&call, &mine, &played(&other, &values));
        assert_eq!(call.run_pending(), 0, "the call has waited for its copies");
    }
}

#[test]
fn send_and_recv_of_arrays_on_a_gpu_have_the_pools_results() {
    let (mine, other) = (ExposedPool::new(&cart_poles()), cart_poles());
    let first: Vec<_> = results(&mine, 0).into_iter().take(1).collect();
    let mut send = CudaCall::new(mine.number(), &[handle(&mine), actions(&[0, 1, 0])], &first);
    send.call(calls::send).unwrap();
    assert_eq!(send.result(0, HANDLE_BYTES), mine.handle());
    let mut recv = CudaCall::new(mine.number(), &[handle(&mine)], &results(&mine, ENVS));
    recv.call(calls::recv).unwrap();
    assert_results(&recv, &mine, &played(&other, &[0, 1, 0]));
    assert_fails(recv.call(calls::recv), Code::FailedPrecondition, "recv: nothing has been sent");
}

#[test]
fn empty_arrays_are_not_copied() {
    let exposed = ExposedPool::new(&cart_poles());
    let arguments = [handle(&exposed), actions(&[]), Array::zeros::<i32>(data_type::S32, 0)];
    let mut call = CudaCall::new(exposed.number(), &arguments, &results(&exposed, 0));
    call.call(calls::step).unwrap();
    assert_eq!(call.result(0, HANDLE_BYTES), exposed.handle());
}

#[test]
fn errors_of_the_pool_are_errors_of_the_call() {
    let (exposed, other) = (ExposedPool::new(&cart_poles()), cart_poles());
    let mut call = CudaCall::step(&exposed, &[0, 2, 1]);
    assert_fails(call.call(calls::step), Code::InvalidArgument, "action[1] is 2");
    let mut call = CudaCall::step(&exposed, &[0, 1, 1]);
    call.call(calls::step).unwrap();
    assert_results(&call, &exposed, &played(&other, &[0, 1, 1]));
}

#[test]
fn each_failure_of_the_driver_is_an_error_and_the_pool_stays_usable() {
    let exposed = ExposedPool::new(&cart_poles());
    let (results, mut successes) = (exposed.results().len() as c_int + 1, 0);
    // Two arguments, their synchronisation, the results, and their synchronisation.
    let calls_of_driver = 2 + 1 + results + 1;
    loop {
        let mut call = CudaCall::step(&exposed, &[0, 1, 0]);
        call.fail_after(successes);
        let Err(error) = call.call(calls::step) else { break };
        let function = match successes {
            0 | 1 => "cuMemcpyDtoHAsync_v2 of ",
            2 => "cuStreamSynchronize",
            _ if successes == calls_of_driver - 1 => "cuStreamSynchronize",
            _ => "cuMemcpyHtoDAsync_v2 of ",
        };
        let is_from_it = error.message.starts_with(function) && error.message.ends_with(": CUDA error 719: unknown error");
        assert!(error.code == Code::Internal && is_from_it, "{error:?}");
        // Memory of pending copies still exists, although the call has failed.
        call.run_pending();
        successes += 1;
    }
    assert_eq!(successes, calls_of_driver);
}

#[test]
fn addresses_that_the_driver_refuses_are_errors() {
    let exposed = ExposedPool::new(&cart_poles());
    let mut call = CudaCall::step(&exposed, &[0, 1, 0]);
    call.arguments[1].data = without_provenance_mut(4096);
    let expected = "cuMemcpyDtoHAsync_v2 of 12 bytes: CUDA error 1: invalid argument";
    assert_eq!(call.call(calls::step), Err(XlaError::new(Code::Internal, expected)));
}

#[test]
fn arrays_of_unknown_types_or_sizes_are_refused() {
    let exposed = ExposedPool::new(&cart_poles());
    let refuse = |change: &dyn Fn(&mut CudaCall), text| {
        let mut call = CudaCall::step(&exposed, &[0, 1, 0]);
        change(&mut call);
        assert_fails(call.call(calls::step), Code::InvalidArgument, text);
    };
    refuse(&|call| call.arguments[1].dtype = 15, "3 elements of XLA's type 15");
    refuse(&|call| call.results[1].dims = vec![i64::MAX], "elements of XLA's type 11");
    refuse(&|call| call.results.truncate(2), "2 results: expected");
}

#[test]
fn a_runtime_without_a_stream_gets_an_error() {
    let exposed = ExposedPool::new(&cart_poles());
    let mut call = CudaCall::step(&exposed, &[0, 1, 0]);
    let stream = std::mem::replace(&mut call.stream, null_mut());
    assert_fails(call.call(calls::step), Code::Internal, "XLA has no stream for the call: no GPU runs this program");
    call.stream = stream;
    call.api.struct_size -= 8;
    assert_fails(call.call(calls::step), Code::Unimplemented, "no function that returns a call's stream");
    call.api.struct_size += 8;
    call.api.stream_get = None;
    assert_fails(call.call(calls::step), Code::Unimplemented, "no function that returns a call's stream");
}

#[test]
fn a_driver_that_cannot_be_used_is_an_error_that_names_it() {
    let advice = "expected NVIDIA's CUDA driver; install it, or run the program on the CPU";
    let open = |path: &str| CudaDriver::open(path).map(drop);
    assert_fails(open("libmissing_cuda.so.1"), Code::FailedPrecondition, "libmissing_cuda.so.1: ");
    assert_fails(open("libmissing_cuda.so.1"), Code::FailedPrecondition, advice);
    with_library("-DNO_SYNCHRONIZE", |path| assert_fails(open(path), Code::FailedPrecondition, "cuStreamSynchronize"));
    with_library("-DINIT_FAILS", |path| {
        assert_fails(open(path), Code::Internal, "libcuda.so.1: CUDA error 100: no CUDA-capable device is detected");
    });
}

#[test]
fn handlers_without_a_driver_return_an_error_that_names_it() {
    if CudaDriver::get().is_ok() {
        return; // the machine has a GPU, whose driver would refuse the stream for tests
    }
    let exposed: Arc<ExposedPool> = ExposedPool::new(&cart_poles());
    for named in &HANDLERS {
        let mut call = super::test_frame::TestCall::new(exposed.number(), vec![handle(&exposed)], results(&exposed, ENVS));
        let (code, message) = call.call(named.cuda_handler).expect("there is no driver");
        assert!(code == Code::FailedPrecondition.number() && message.starts_with("libcuda.so.1: "), "{code}: {message}");
    }
}
