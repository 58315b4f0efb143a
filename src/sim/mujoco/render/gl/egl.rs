//! OpenGL contexts by EGL, on a device or on the surfaceless platform.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

use crate::dynamic_library::{FunctionTable, functions, open_global};
use crate::render::gl::{DEVICE, Handle, PreviousContext};

// The following constants have the names and values of EGL's headers.
pub(super) const EGL_NONE: c_int = 0x3038;

pub(super) const EGL_EXTENSIONS_OF_NO_DISPLAY: *mut c_void = null_mut();

pub(super) const EGL_OPENGL_API: c_uint = 0x30A2;

pub(super) const EGL_VENDOR: c_int = 0x3053;

pub(super) const EGL_PLATFORM_DEVICE: c_uint = 0x313F;

pub(super) const EGL_PLATFORM_SURFACELESS: c_uint = 0x31DD;

pub(super) const EGL_CONTEXT_CLIENT_TYPE: c_int = 0x3097;

pub(super) const EGL_DRAW: c_int = 0x3059;

pub(super) const EGL_READ: c_int = 0x305A;

/// Attributes of the requested EGL configuration: 8 bits per colour channel, 24 bits of depth, 8 bits of stencil, pbuffer
/// surfaces, desktop OpenGL. The Python package `mujoco` requests the same.
pub(super) const EGL_CONFIG: [c_int; 19] =
    [0x3024, 8, 0x3023, 8, 0x3022, 8, 0x3021, 8, 0x3025, 24, 0x3026, 8, 0x303F, 0x308E, 0x3033, 0x0001, 0x3040, 0x0008, EGL_NONE];
/// Maximum number of EGL devices that are tried.
pub(super) const MAX_DEVICES: usize = 64;

functions! {
    EglFunctions: "C";
    eglInitialize(Handle, *mut c_int, *mut c_int) -> c_uint;
    eglChooseConfig(Handle, *const c_int, *mut Handle, c_int, *mut c_int) -> c_uint;
    eglGetProcAddress(*const c_char) -> Option<unsafe extern "C" fn()>;
    eglBindAPI(c_uint) -> c_uint;
    eglQueryAPI() -> c_uint;
    eglCreateContext(Handle, Handle, Handle, *const c_int) -> Handle;
    eglDestroyContext(Handle, Handle) -> c_uint;
    eglQueryContext(Handle, Handle, c_int, *mut c_int) -> c_uint;
    eglMakeCurrent(Handle, Handle, Handle, Handle) -> c_uint;
    eglQueryString(Handle, c_int) -> *const c_char;
    eglGetCurrentContext() -> Handle;
    eglGetCurrentDisplay() -> Handle;
    eglGetCurrentSurface(c_int) -> Handle;
}

/// EGL display of a device or of the surfaceless platform.
///
/// Other users of EGL in the process share the display. SDL, and so pygame, terminates it when it closes a window without a screen.
/// All contexts are lost then, and the next one initializes the display again.
#[derive(Debug)]
pub(super) struct Egl {
    pub(super) display: Handle,
    pub(super) functions: EglFunctions,
    pub(super) _library: libloading::Library,
}

// SAFETY: EGL's functions, displays and configurations may be used by any thread.
unsafe impl Send for Egl {}

// SAFETY: any number of threads may use EGL's functions, displays and configurations at the same time.
unsafe impl Sync for Egl {}

impl Egl {
    pub(super) fn open() -> Result<Self, String> {
        // SAFETY: the initialization of libEGL has no preconditions.
        let library = unsafe { open_global(&["libEGL.so.1", "libEGL.so"]) }?;
        let functions = EglFunctions::find(&library).map_err(|missing| missing.to_string())?;
        // The first display is used that can be initialized and has a configuration for desktop OpenGL.
        let display = Self::displays(&functions)?.into_iter().find(|display| initialize(&functions, *display).is_some());
        let display = display.ok_or("libEGL has no display with desktop GL (a driver is missing: libgl1-mesa-dri)")?;
        Ok(Self { display, functions, _library: library })
    }

    /// Returns whether the display's driver is one of Mesa's.
    pub(super) fn is_mesa(&self) -> bool {
        // SAFETY: the display is initialized, and EGL returns null or a static string that ends with NUL.
        unsafe {
            let vendor = (self.functions.eglQueryString)(self.display, EGL_VENDOR);
            !vendor.is_null() && CStr::from_ptr(vendor).to_bytes().starts_with(b"Mesa")
        }
    }

    /// Returns the offscreen displays in the order in which they are tried: all EGL devices, then the surfaceless platform.
    fn displays(functions: &EglFunctions) -> Result<Vec<Handle>, String> {
        type Devices = unsafe extern "C" fn(c_int, *mut Handle, *mut c_int) -> c_uint;
        type Display = unsafe extern "C" fn(c_uint, Handle, *const c_int) -> Handle;
        let find = functions.eglGetProcAddress;
        // SAFETY: the function names are NUL-terminated, and the function types agree with EGL's extensions. For a missing
        // extension EGL returns null.
        let (devices, display) = unsafe {
            let devices =
                find(c"eglQueryDevicesEXT".as_ptr()).map(|found| std::mem::transmute::<unsafe extern "C" fn(), Devices>(found));
            let display = find(c"eglGetPlatformDisplayEXT".as_ptr())
                .map(|found| std::mem::transmute::<unsafe extern "C" fn(), Display>(found));
            (devices, display.ok_or("libEGL has no displays without a screen")?)
        };
        let mut handles = [null_mut(); MAX_DEVICES];
        let mut count: c_int = 0;
        if let Some(devices) = devices {
            // SAFETY: `handles` has space for `MAX_DEVICES` devices.
            unsafe { devices(MAX_DEVICES as c_int, handles.as_mut_ptr(), &raw mut count) };
        }
        let found = &handles[..usize::try_from(count).unwrap_or(0).min(MAX_DEVICES)];
        // SAFETY: the device handle comes from EGL, and a null attribute list means no attributes.
        let of_device = |device: &Handle| unsafe { display(EGL_PLATFORM_DEVICE, *device, null()) };
        if let Ok(number) = std::env::var(DEVICE) {
            let device = number.trim().parse().ok().and_then(|number: usize| found.get(number));
            let device =
                device.ok_or_else(|| format!("{DEVICE}={number}: expected one of EGL's {} devices, from 0", found.len()))?;
            return Ok(vec![of_device(device)]);
        }
        // SAFETY: the surfaceless platform takes the default native display, and a null attribute list means no attributes.
        let surfaceless = unsafe { display(EGL_PLATFORM_SURFACELESS, EGL_EXTENSIONS_OF_NO_DISPLAY, null()) };
        Ok(found.iter().map(of_device).chain([surfaceless]).filter(|display| !display.is_null()).collect())
    }

    pub(super) fn create(&self) -> Handle {
        let Some(config) = initialize(&self.functions, self.display) else { return null_mut() };
        // SAFETY: `display` and `config` come from EGL; the new context shares no objects with another context, and has no
        // attributes. The API that was bound to the calling thread is restored afterwards.
        unsafe {
            let api = (self.functions.eglQueryAPI)();
            (self.functions.eglBindAPI)(EGL_OPENGL_API);
            let context = (self.functions.eglCreateContext)(self.display, config, null_mut(), null());
            (self.functions.eglBindAPI)(api);
            context
        }
    }

    /// Returns whether the display still has the context, which it loses when it is terminated.
    pub(super) fn has(&self, context: Handle) -> bool {
        let mut kind = 0;
        // SAFETY: EGL compares the handle with those of the display's contexts, and writes one number.
        unsafe { (self.functions.eglQueryContext)(self.display, context, EGL_CONTEXT_CLIENT_TYPE, &raw mut kind) != 0 }
    }

    pub(super) fn enter(&self, context: Handle) -> (PreviousContext, bool) {
        // SAFETY: EGL's functions have no preconditions. The GL context belongs to this display, and `&mut` borrows the
        // context exclusively.
        unsafe {
            let api = (self.functions.eglQueryAPI)();
            (self.functions.eglBindAPI)(EGL_OPENGL_API);
            let before = PreviousContext::Egl {
                api,
                display: (self.functions.eglGetCurrentDisplay)(),
                draw: (self.functions.eglGetCurrentSurface)(EGL_DRAW),
                read: (self.functions.eglGetCurrentSurface)(EGL_READ),
                context: (self.functions.eglGetCurrentContext)(),
            };
            (before, (self.functions.eglMakeCurrent)(self.display, null_mut(), null_mut(), context) != 0)
        }
    }

    pub(super) fn leave(&self, before: &PreviousContext) {
        let PreviousContext::Egl { api, display, draw, read, context } = *before else { return };
        // SAFETY: the saved handles describe the GL context that was current in this thread before `enter`.
        unsafe {
            let display = if context.is_null() { self.display } else { display };
            (self.functions.eglMakeCurrent)(display, draw, read, context);
            (self.functions.eglBindAPI)(api);
        }
    }
}

/// Initializes a display, which changes nothing if it is initialized. Returns a configuration for desktop OpenGL, if there is one.
fn initialize(functions: &EglFunctions, display: Handle) -> Option<Handle> {
    let (mut config, mut count): (Handle, c_int) = (null_mut(), 0);
    // SAFETY: `display` comes from EGL, the attribute list is terminated, and `eglChooseConfig` may write one configuration.
    let is_usable = unsafe {
        (functions.eglInitialize)(display, null_mut(), null_mut()) != 0
            && (functions.eglChooseConfig)(display, EGL_CONFIG.as_ptr(), &raw mut config, 1, &raw mut count) != 0
            && count > 0
    };
    is_usable.then_some(config)
}
