//! Offscreen GL contexts: EGL's, or OSMesa's, which renders without a driver. One backend is opened per process, as the variable
//! `MUJOCO_GL` says; the default is EGL before OSMesa.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use crate::dynamic_library::{FunctionTable, functions, open_global};
use crate::faults::Fault;

/// Environment variable that selects the backend.
const CHOICE: &str = "MUJOCO_GL";
/// Environment variable that selects the EGL device.
const DEVICE: &str = "MUJOCO_EGL_DEVICE_ID";

/// Open GL backend.
#[derive(Debug)]
pub struct Gl {
    backend: Backend,
    process: u32,
}

#[derive(Debug)]
enum Backend {
    Egl(Egl),
    OsMesa(OsMesa),
}

static OPEN: Mutex<Option<&'static Gl>> = Mutex::new(None);

/// Number of threads that call GL, or are about to.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
/// Whether no thread may enter GL any more.
static ENDED: AtomicBool = AtomicBool::new(false);

/// Guard of a thread that calls GL; [`end`] waits until it is dropped.
#[derive(Debug)]
struct GlGuard(());

impl GlGuard {
    fn new() -> Result<Self, Fault> {
        // A thread increments the counter before it reads the flag; `end` sets the flag before it reads the counter.
        INSIDE.fetch_add(1, Ordering::SeqCst);
        let inside = Self(());
        match ENDED.load(Ordering::SeqCst) {
            false => Ok(inside),
            true => Err(Fault::Rendering("the process is about to end, and no pictures are drawn any more".into())),
        }
    }
}

impl Drop for GlGuard {
    fn drop(&mut self) {
        INSIDE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Prevents further rendering, and waits at most `longest` for threads that render.
///
/// It is for a process that is about to end: drivers shut down in its last moments, when pool threads may still render. Resources
/// of contexts are left to the drivers.
pub fn end(longest: Duration) {
    ENDED.store(true, Ordering::SeqCst);
    let until = Instant::now() + longest;
    loop {
        // A locked mutex means that a driver is being opened. A forked process has none of the threads that were counted.
        let is_over = match OPEN.try_lock() {
            Ok(open) => open.is_none_or(|gl| !gl.is_here() || INSIDE.load(Ordering::SeqCst) == 0),
            Err(TryLockError::Poisoned(_)) => true,
            Err(TryLockError::WouldBlock) => false,
        };
        if is_over || Instant::now() > until {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Returns the process's backend, opened on the first call.
///
/// # Errors
/// `Picture` if there is none, naming what to install; if `MUJOCO_GL` names another; in a child of a process that has used it;
/// after [`end`].
pub fn open() -> Result<&'static Gl, Fault> {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let _inside = GlGuard::new()?;
    if let Some(gl) = *open {
        gl.check_process()?;
        return Ok(gl);
    }
    let chosen = std::env::var(CHOICE).unwrap_or_default().to_lowercase();
    let way = match chosen.as_str() {
        "egl" => Egl::open().map(Backend::Egl).map_err(|reason| missing(&[reason])),
        "osmesa" => OsMesa::open().map(Backend::OsMesa).map_err(|reason| missing(&[reason])),
        "" => Egl::open()
            .map(Backend::Egl)
            .or_else(|egl| OsMesa::open().map(Backend::OsMesa).map_err(|osmesa| missing(&[egl, osmesa]))),
        _ => {
            Err(Fault::Rendering(format!("{CHOICE}={chosen}: expected egl or osmesa (or nothing), which draw without a screen")))
        }
    }?;
    // The backend lives as long as the process, as its library does.
    let gl: &'static Gl = Box::leak(Box::new(Gl { backend: way, process: std::process::id() }));
    *open = Some(gl);
    Ok(gl)
}

fn missing(reasons: &[String]) -> Fault {
    Fault::Rendering(format!(
        "pictures need a GL that draws without a screen, libEGL.so.1 or libOSMesa.so.8 (Debian: apt-get install libosmesa6, or libegl1 and libgl1-mesa-dri): {}",
        reasons.join("; ")
    ))
}

/// GL context.
#[derive(Debug)]
pub struct Context {
    gl: &'static Gl,
    raw: *mut c_void,
    /// OSMesa's window buffer, which is never drawn to.
    window: Vec<f32>,
}

// SAFETY: a context is current in at most one thread, and only while a `Current` borrows it exclusively.
unsafe impl Send for Context {}

/// Guard of the calling thread's current context.
#[derive(Debug)]
pub struct Current<'a> {
    before: PreviousContext,
    context: &'a Context,
    _inside: GlGuard,
}

#[derive(Debug)]
enum PreviousContext {
    Egl { api: c_uint, display: *mut c_void, draw: *mut c_void, read: *mut c_void, context: *mut c_void },
    OsMesa { context: *mut c_void, buffer: *mut c_void, kind: c_int, width: c_int, height: c_int },
}

impl Gl {
    /// Returns the name, as in `MUJOCO_GL`.
    pub fn name(&self) -> &'static str {
        match self.backend {
            Backend::Egl(_) => "egl",
            Backend::OsMesa(_) => "osmesa",
        }
    }

    /// Returns whether this process opened the backend; a driver's threads do not survive a fork.
    pub fn is_here(&self) -> bool {
        self.process == std::process::id()
    }

    fn check_process(&self) -> Result<(), Fault> {
        match self.is_here() {
            true => Ok(()),
            false => Err(Fault::Rendering(
                "the parent of this process has drawn pictures before the fork, and GL does not survive one: start processes that draw by \"spawn\" or \"forkserver\""
                    .into(),
            )),
        }
    }

    /// Creates a context.
    ///
    /// # Errors
    /// `Picture` if the driver refuses, in a forked process, and after [`end`].
    pub fn context(&'static self) -> Result<Context, Fault> {
        self.check_process()?;
        let _inside = GlGuard::new()?;
        let (raw, window) = match &self.backend {
            Backend::Egl(egl) => (egl.create(), Vec::new()),
            Backend::OsMesa(mesa) => (mesa.create(), vec![0.0; (4 * WINDOW * WINDOW) as usize]),
        };
        match raw.is_null() {
            true => Err(Fault::Rendering(format!("{} gives no GL context", self.name()))),
            false => Ok(Context { gl: self, raw, window }),
        }
    }
}

impl Context {
    /// Makes the context current in the calling thread until the guard is dropped; the previous context is then restored.
    ///
    /// # Errors
    /// `Picture` if the driver refuses, and after [`end`].
    pub fn enter(&mut self) -> Result<Current<'_>, Fault> {
        self.gl.check_process()?;
        let inside = GlGuard::new()?;
        let (before, is_current) = match &self.gl.backend {
            Backend::Egl(egl) => egl.enter(self.raw),
            Backend::OsMesa(mesa) => mesa.enter(self.raw, self.window.as_mut_ptr()),
        };
        let current = Current { before, context: self, _inside: inside };
        match is_current {
            true => Ok(current),
            false => Err(Fault::Rendering(format!("{} does not give this thread its GL context", self.gl.name()))),
        }
    }
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        match &self.context.gl.backend {
            Backend::Egl(egl) => egl.leave(&self.before),
            Backend::OsMesa(mesa) => mesa.leave(&self.before),
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if !self.gl.is_here() {
            return; // the context belongs to the parent process, which still has it
        }
        let Ok(_inside) = GlGuard::new() else { return };
        // SAFETY: this value owns the context, which is current in no thread, and `drop` runs once.
        unsafe {
            match &self.gl.backend {
                Backend::Egl(egl) => _ = (egl.functions.eglDestroyContext)(egl.display, self.raw),
                Backend::OsMesa(mesa) => (mesa.functions.OSMesaDestroyContext)(self.raw),
            }
        }
    }
}

// EGL constants.
const EGL_NONE: c_int = 0x3038;
const EGL_EXTENSIONS_OF_NO_DISPLAY: *mut c_void = null_mut();
const EGL_OPENGL_API: c_uint = 0x30A2;
const EGL_PLATFORM_DEVICE: c_uint = 0x313F;
const EGL_PLATFORM_SURFACELESS: c_uint = 0x31DD;
const EGL_DRAW: c_int = 0x3059;
const EGL_READ: c_int = 0x305A;
/// EGL configuration: eight bits per colour, 24 for depth, a surface of no size, desktop GL, as MuJoCo's own package requests.
const EGL_CONFIG: [c_int; 19] =
    [0x3024, 8, 0x3023, 8, 0x3022, 8, 0x3021, 8, 0x3025, 24, 0x3026, 8, 0x303F, 0x308E, 0x3033, 0x0001, 0x3040, 0x0008, EGL_NONE];
/// Maximum number of devices that are tried.
const MAX_DEVICES: usize = 64;

type Handle = *mut c_void;

functions! {
    /// Functions of EGL.
    EglFunctions: "C";
    eglInitialize(Handle, *mut c_int, *mut c_int) -> c_uint;
    eglChooseConfig(Handle, *const c_int, *mut Handle, c_int, *mut c_int) -> c_uint;
    eglGetProcAddress(*const c_char) -> Option<unsafe extern "C" fn()>;
    eglBindAPI(c_uint) -> c_uint;
    eglQueryAPI() -> c_uint;
    eglCreateContext(Handle, Handle, Handle, *const c_int) -> Handle;
    eglDestroyContext(Handle, Handle) -> c_uint;
    eglMakeCurrent(Handle, Handle, Handle, Handle) -> c_uint;
    eglGetCurrentContext() -> Handle;
    eglGetCurrentDisplay() -> Handle;
    eglGetCurrentSurface(c_int) -> Handle;
}

/// EGL on the display of a device, or surfaceless.
#[derive(Debug)]
struct Egl {
    display: Handle,
    config: Handle,
    functions: EglFunctions,
    _library: libloading::Library,
}

// SAFETY: EGL's functions, displays and configurations may be used by any thread.
unsafe impl Send for Egl {}
// SAFETY: as above.
unsafe impl Sync for Egl {}

impl Egl {
    fn open() -> Result<Self, String> {
        // SAFETY: the initialization of a GL library has no preconditions.
        let library = unsafe { open_global(&["libEGL.so.1", "libEGL.so"]) }?;
        let functions = EglFunctions::find(&library).map_err(|missing| missing.to_string())?;
        // The first display that starts and has a configuration for desktop GL.
        let chosen = Self::displays(&functions)?.into_iter().find_map(|display| {
            let (mut config, mut count): (Handle, c_int) = (null_mut(), 0);
            // SAFETY: the display is EGL's, the attribute list is terminated, and there is room for one configuration.
            let is_usable = unsafe {
                (functions.eglInitialize)(display, null_mut(), null_mut()) != 0
                    && (functions.eglChooseConfig)(display, EGL_CONFIG.as_ptr(), &raw mut config, 1, &raw mut count) != 0
                    && count > 0
            };
            is_usable.then_some((display, config))
        });
        let (display, config) = chosen.ok_or("libEGL has no display with desktop GL (a driver is missing: libgl1-mesa-dri)")?;
        Ok(Self { display, config, functions, _library: library })
    }

    /// Returns the offscreen displays in the order in which they are tried: devices, then the surfaceless one.
    fn displays(functions: &EglFunctions) -> Result<Vec<Handle>, String> {
        type Devices = unsafe extern "C" fn(c_int, *mut Handle, *mut c_int) -> c_uint;
        type Display = unsafe extern "C" fn(c_uint, Handle, *const c_int) -> Handle;
        let find = functions.eglGetProcAddress;
        // SAFETY: the names are NUL-terminated, and the types are those of EGL's extensions; for a missing extension EGL returns
        // null.
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
            // SAFETY: there is room for `MAX_DEVICES` devices.
            unsafe { devices(MAX_DEVICES as c_int, handles.as_mut_ptr(), &raw mut count) };
        }
        let found = &handles[..usize::try_from(count).unwrap_or(0).min(MAX_DEVICES)];
        // SAFETY: the devices are EGL's own; there are no attributes.
        let of_device = |device: &Handle| unsafe { display(EGL_PLATFORM_DEVICE, *device, null()) };
        if let Ok(number) = std::env::var(DEVICE) {
            let device = number.trim().parse().ok().and_then(|number: usize| found.get(number));
            let device =
                device.ok_or_else(|| format!("{DEVICE}={number}: expected one of EGL's {} devices, from 0", found.len()))?;
            return Ok(vec![of_device(device)]);
        }
        // SAFETY: the surfaceless platform has no native display, and there are no attributes.
        let surfaceless = unsafe { display(EGL_PLATFORM_SURFACELESS, EGL_EXTENSIONS_OF_NO_DISPLAY, null()) };
        Ok(found.iter().map(of_device).chain([surfaceless]).filter(|display| !display.is_null()).collect())
    }

    fn create(&self) -> Handle {
        // SAFETY: display and configuration are EGL's; nothing is shared, and there are no attributes. The calling thread's bound
        // API is restored afterwards.
        unsafe {
            let api = (self.functions.eglQueryAPI)();
            (self.functions.eglBindAPI)(EGL_OPENGL_API);
            let context = (self.functions.eglCreateContext)(self.display, self.config, null_mut(), null());
            (self.functions.eglBindAPI)(api);
            context
        }
    }

    fn enter(&self, context: Handle) -> (PreviousContext, bool) {
        // SAFETY: the functions have no preconditions; the context is of this display, and exclusively borrowed.
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

    fn leave(&self, before: &PreviousContext) {
        let PreviousContext::Egl { api, display, draw, read, context } = *before else { return };
        // SAFETY: the values describe the previously current context of this thread.
        unsafe {
            let display = if context.is_null() { self.display } else { display };
            (self.functions.eglMakeCurrent)(display, draw, read, context);
            (self.functions.eglBindAPI)(api);
        }
    }
}

// OSMesa constants.
const MESA_RGBA: c_uint = 0x1908;
const MESA_FLOAT: c_uint = 0x1406;
const MESA_TYPE: c_int = 0x23;
/// Width and height of the window, in pixels.
const WINDOW: c_int = 16;

functions! {
    /// Functions of OSMesa.
    OsMesaFunctions: "C";
    OSMesaCreateContextExt(c_uint, c_int, c_int, c_int, Handle) -> Handle;
    OSMesaDestroyContext(Handle);
    OSMesaMakeCurrent(Handle, *mut c_void, c_uint, c_int, c_int) -> u8;
    OSMesaGetCurrentContext() -> Handle;
    OSMesaGetColorBuffer(Handle, *mut c_int, *mut c_int, *mut c_int, *mut *mut c_void) -> u8;
    OSMesaGetIntegerv(c_int, *mut c_int);
}

/// OSMesa, which renders into memory.
#[derive(Debug)]
struct OsMesa {
    functions: OsMesaFunctions,
    _library: libloading::Library,
}

impl OsMesa {
    fn open() -> Result<Self, String> {
        // SAFETY: the initialization of a GL library has no preconditions.
        let library = unsafe { open_global(&["libOSMesa.so.8", "libOSMesa.so", "libOSMesa.so.6"]) }?;
        let functions = OsMesaFunctions::find(&library).map_err(|missing| missing.to_string())?;
        Ok(Self { functions, _library: library })
    }

    /// Creates a context with the depth and stencil bits that MuJoCo's own package requests.
    fn create(&self) -> Handle {
        // SAFETY: nothing is shared.
        unsafe { (self.functions.OSMesaCreateContextExt)(MESA_RGBA, 24, 8, 0, null_mut()) }
    }

    fn enter(&self, context: Handle, window: *mut f32) -> (PreviousContext, bool) {
        let (mut buffer, mut kind, mut width, mut height, mut format) = (null_mut(), 0, 0, 0, 0);
        // SAFETY: the queries concern the calling thread; the window lives as long as the context, and has the given size.
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

    fn leave(&self, before: &PreviousContext) {
        let PreviousContext::OsMesa { context, buffer, kind, width, height } = *before else { return };
        // SAFETY: the values describe the previously current context of this thread; null releases the current context.
        unsafe {
            match context.is_null() {
                true => (self.functions.OSMesaMakeCurrent)(null_mut(), null_mut(), 0, 0, 0),
                false => (self.functions.OSMesaMakeCurrent)(context, buffer, kind as c_uint, width, height),
            }
        };
    }
}
