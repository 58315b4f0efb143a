//! NVIDIA's CUDA driver, opened when a program on a GPU calls a pool for the first time.
//!
//! The driver is opened by name, so the package has no dependency on CUDA. XLA has loaded the driver already in a process with
//! programs on GPUs. All failures are errors, with the names of the driver's file and function.

use std::error::Error as _;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::null;

use libloading::Library;

use super::xla_error::{Code, Result, XlaError};
use envpool_rs_sync::ForkOnce;

/// File name of the driver, which the system's loader finds.
const FILE: &str = "libcuda.so.1";

/// `CUDA_SUCCESS`: result of a driver function without a failure.
const SUCCESS: c_int = 0;

/// Stream of a GPU (`CUstream`): the queue of a program's work.
pub type Stream = *mut c_void;

/// Address in a GPU's memory (`CUdeviceptr`).
pub type DeviceAddress = u64;

/// Functions of the CUDA driver that copy memory, with the types of the header `cuda.h`.
pub struct CudaDriver {
    get_error_string: unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int,
    copy_to_host: unsafe extern "C" fn(*mut c_void, DeviceAddress, usize, Stream) -> c_int,
    copy_to_device: unsafe extern "C" fn(DeviceAddress, *const c_void, usize, Stream) -> c_int,
    synchronize: unsafe extern "C" fn(Stream) -> c_int,
    /// Library of the functions, which is never closed while they are used.
    _library: Library,
}

impl CudaDriver {
    /// Returns the process's driver. Opens and initialises it first, unless an earlier call has done that.
    ///
    /// # Errors
    /// If the driver is missing, incomplete, or cannot be initialised. A later call then tries again.
    pub fn get() -> Result<&'static Self> {
        static DRIVER: ForkOnce<CudaDriver> = ForkOnce::new();
        match DRIVER.get() {
            Some(driver) => Ok(driver),
            None => {
                let driver = Self::open(FILE)?;
                Ok(DRIVER.get_or_init(|| driver))
            }
        }
    }

    /// Opens and initialises the driver in the library `file`.
    ///
    /// # Errors
    /// As [`CudaDriver::get`].
    pub fn open(file: &str) -> Result<Self> {
        // SAFETY: the initialisers of NVIDIA's driver may run on any thread at any time.
        let library = unsafe { Library::new(file) }.map_err(|error| unusable(file, &error))?;
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the types of the fields are those of this function in `cuda.h`.
                *unsafe { library.get($name) }.map_err(|error| unusable(file, &error))?
            };
        }
        let initialize: unsafe extern "C" fn(c_uint) -> c_int = function!("cuInit");
        let driver = Self {
            get_error_string: function!("cuGetErrorString"),
            copy_to_host: function!("cuMemcpyDtoHAsync_v2"),
            copy_to_device: function!("cuMemcpyHtoDAsync_v2"),
            synchronize: function!("cuStreamSynchronize"),
            _library: library,
        };
        // SAFETY: `cuInit` accepts the flags 0 at any time, also repeatedly.
        driver.check(unsafe { initialize(0) }, || format!("cuInit of {file}"))?;
        Ok(driver)
    }

    /// Queues a copy from a GPU's memory to the `len` bytes at `host`. Bytes of `host` are valid after [`CudaDriver::synchronize`].
    ///
    /// # Safety
    /// `device` and `host` must be valid for `len` bytes, and no code may access `host`, until the stream has been synchronised.
    pub unsafe fn copy_to_host(&self, host: *mut u8, device: DeviceAddress, len: usize, stream: Stream) -> Result<()> {
        // SAFETY: the contract of this function is the driver's.
        let result = unsafe { (self.copy_to_host)(host.cast(), device, len, stream) };
        self.check(result, || format!("cuMemcpyDtoHAsync_v2 of {len} bytes"))
    }

    /// Queues a copy of the `len` bytes at `host` to a GPU's memory.
    ///
    /// # Safety
    /// `device` and `host` must be valid for `len` bytes, and no code may write to `host`, until the stream has been synchronised.
    pub unsafe fn copy_to_device(&self, device: DeviceAddress, host: *const u8, len: usize, stream: Stream) -> Result<()> {
        // SAFETY: the contract of this function is the driver's.
        let result = unsafe { (self.copy_to_device)(device, host.cast(), len, stream) };
        self.check(result, || format!("cuMemcpyHtoDAsync_v2 of {len} bytes"))
    }

    /// Waits until all work in the stream is complete.
    ///
    /// # Safety
    /// `stream` must be an existing stream, or null for the default stream.
    pub unsafe fn synchronize(&self, stream: Stream) -> Result<()> {
        // SAFETY: the contract of this function is the driver's.
        self.check(unsafe { (self.synchronize)(stream) }, || "cuStreamSynchronize".to_owned())
    }

    /// Returns the error of the driver function `call`, if its result is a failure.
    fn check(&self, result: c_int, call: impl FnOnce() -> String) -> Result<()> {
        if result == SUCCESS {
            return Ok(());
        }
        let mut text = null();
        // SAFETY: the function writes the address of a static string, or null for an unknown error.
        let known = unsafe { (self.get_error_string)(result, &mut text) } == SUCCESS && !text.is_null();
        // SAFETY: `known` says that the driver wrote the address of a string that ends with NUL.
        let text = if known { unsafe { CStr::from_ptr(text) }.to_string_lossy() } else { "unknown error".into() };
        Err(XlaError::new(Code::Internal, format!("{}: CUDA error {result}: {text}", call())))
    }
}

/// Creates the error for a driver that is missing or incomplete.
fn unusable(file: &str, error: &libloading::Error) -> XlaError {
    // The loader's own text, which names the missing file or function.
    let why = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    let message = format!(
        "{file}: {why}: expected NVIDIA's CUDA driver; install it, or run the program on the CPU, \
         with jax.default_device(jax.devices(\"cpu\")[0])"
    );
    XlaError::new(Code::FailedPrecondition, message)
}
