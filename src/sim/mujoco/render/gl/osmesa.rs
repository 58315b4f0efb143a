//! OpenGL contexts by OSMesa, which renders into memory without a driver.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;

use crate::dynamic_library::{FunctionTable, functions, open_global};
use crate::render::gl::{Handle, PreviousContext};

// The following constants have the names and values of OSMesa's headers.
pub(super) const MESA_RGBA: c_uint = 0x1908;

pub(super) const MESA_FLOAT: c_uint = 0x1406;

pub(super) const MESA_TYPE: c_int = 0x23;

/// Width and height in pixels of the window buffer that OSMesa requires.
pub(super) const WINDOW: c_int = 16;

functions! {
    OsMesaFunctions: "C";
    OSMesaCreateContextExt(c_uint, c_int, c_int, c_int, Handle) -> Handle;
    OSMesaDestroyContext(Handle);
    OSMesaMakeCurrent(Handle, *mut c_void, c_uint, c_int, c_int) -> u8;
    OSMesaGetCurrentContext() -> Handle;
    OSMesaGetColorBuffer(Handle, *mut c_int, *mut c_int, *mut c_int, *mut *mut c_void) -> u8;
    OSMesaGetIntegerv(c_int, *mut c_int);
}

/// OSMesa library, which renders into memory.
#[derive(Debug)]
pub(super) struct OsMesa {
    pub(super) functions: OsMesaFunctions,
    pub(super) _library: libloading::Library,
}

impl OsMesa {
    pub(super) fn open() -> Result<Self, String> {
        // SAFETY: the initialization of libOSMesa has no preconditions.
        let library = unsafe { open_global(&["libOSMesa.so.8", "libOSMesa.so", "libOSMesa.so.6"]) }?;
        let functions = OsMesaFunctions::find(&library).map_err(|missing| missing.to_string())?;
        Ok(Self { functions, _library: library })
    }

    /// Creates a context with as many depth and stencil bits as the Python package `mujoco` requests.
    pub(super) fn create(&self) -> Handle {
        // SAFETY: `OSMesaCreateContextExt` has no preconditions; the new context shares no objects with another context.
        unsafe { (self.functions.OSMesaCreateContextExt)(MESA_RGBA, 24, 8, 0, null_mut()) }
    }

    pub(super) fn enter(&self, context: Handle, window: *mut f32) -> (PreviousContext, bool) {
        let (mut buffer, mut kind, mut width, mut height, mut format) = (null_mut(), 0, 0, 0, 0);
        // SAFETY: the queries concern only the calling thread. The window buffer lives as long as the context, and has
        // `WINDOW` x `WINDOW` pixels.
        unsafe {
            let before = (self.functions.OSMesaGetCurrentContext)();
            if !before.is_null() {
                (self.functions.OSMesaGetColorBuffer)(before, &raw mut width, &raw mut height, &raw mut format, &raw mut buffer);
                (self.functions.OSMesaGetIntegerv)(MESA_TYPE, &raw mut kind);
            }
            let before = PreviousContext::OsMesa { context: before, buffer, kind, width, height };
            (before, (self.functions.OSMesaMakeCurrent)(context, window.cast(), MESA_FLOAT, WINDOW, WINDOW) != 0)
        }
    }

    pub(super) fn leave(&self, before: &PreviousContext) {
        let PreviousContext::OsMesa { context, buffer, kind, width, height } = *before else { return };
        // SAFETY: the saved values describe the GL context that was current in this thread before; a null handle releases
        // the current context.
        unsafe {
            match context.is_null() {
                true => (self.functions.OSMesaMakeCurrent)(null_mut(), null_mut(), 0, 0, 0),
                false => (self.functions.OSMesaMakeCurrent)(context, buffer, kind as c_uint, width, height),
            }
        };
    }
}
