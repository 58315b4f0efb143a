//! Offscreen OpenGL contexts by EGL, or by OSMesa, which renders without a driver.
//!
//! The process opens one backend, chosen by the environment variable `MUJOCO_GL`; by default it tries EGL before OSMesa.

mod egl;
mod osmesa;

use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

use self::egl::Egl;
use self::osmesa::{OsMesa, WINDOW};
use crate::faults::Fault;
use envpool_rs_sync::ForkMutex;

/// EGL or OSMesa handle of a display, surface, configuration or context.
type Handle = *mut c_void;

/// Environment variable that selects the OpenGL backend.
const CHOICE: &str = "MUJOCO_GL";
/// Environment variable that selects the EGL device.
const DEVICE: &str = "MUJOCO_EGL_DEVICE_ID";

/// OpenGL backend (EGL or OSMesa) that the process has opened.
#[derive(Debug)]
pub struct Gl {
    backend: Backend,
    is_mesa: bool,
}

#[derive(Debug)]
enum Backend {
    Egl(Egl),
    OsMesa(OsMesa),
}

static OPEN: ForkMutex<Option<&'static Gl>> = ForkMutex::new(None);
/// Process that opened a driver, or started to; 0 if none has.
static OPENER: AtomicU32 = AtomicU32::new(0);

/// Lock that excludes the creation and destruction of contexts, and their first pictures, while other threads draw.
///
/// While MuJoCo creates a context, it looks up all GL functions, and stores them process-wide. Mesa's drivers also have state
/// that all contexts share: with Mesa 22.3, a thread that drew into its own context crashed in the driver while another thread
/// drew. So with Mesa, each picture is drawn under the exclusive lock.
///
/// Only the process that opened the driver locks it: `check_process` refuses forked children before.
static CONTEXTS: RwLock<()> = RwLock::new(());

/// Waits until no thread has locked the contexts exclusively; a thread that draws holds the guard.
pub(super) fn lock_contexts() -> RwLockReadGuard<'static, ()> {
    CONTEXTS.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until no other thread draws, creates or destroys a context, and prevents that until the guard is dropped.
pub(super) fn lock_contexts_exclusively() -> RwLockWriteGuard<'static, ()> {
    CONTEXTS.write().unwrap_or_else(PoisonError::into_inner)
}

/// Number of threads that call GL or are about to call it.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
/// Whether [`end`] has stopped all rendering for the rest of the process.
static ENDED: AtomicBool = AtomicBool::new(false);

/// Guard that a thread holds while it calls GL; [`end`] waits until all threads have dropped their guards.
#[derive(Debug)]
struct GlGuard(());

impl GlGuard {
    fn new() -> Result<Self, Fault> {
        // A thread increments `INSIDE` before it reads `ENDED`, and `end` sets `ENDED` before it reads `INSIDE`. So either
        // the thread sees that `ENDED` is set, or `end` sees that `INSIDE` is not 0.
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

/// Prevents further rendering, and waits for threads that are rendering, for at most `longest`.
///
/// A process calls this function before it exits. GL drivers shut down during the exit, when threads of a pool may still
/// render. The drivers free the resources of GL contexts themselves.
pub fn end(longest: Duration) {
    ENDED.store(true, Ordering::SeqCst);
    let until = Instant::now() + longest;
    loop {
        // If the mutex `OPEN` is locked, another thread is opening a driver. In a forked process, the threads that `INSIDE`
        // counts do not exist.
        let is_over = match OPEN.try_lock() {
            Some(open) => open.is_none_or(|gl| !gl.is_here() || INSIDE.load(Ordering::SeqCst) == 0),
            None => false,
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
/// `Rendering` in four cases: no backend is available (the error names the package to install); `MUJOCO_GL` names a backend
/// other than the one that is open; the process is a forked child of a process that has used GL; [`end`] was called.
pub fn open() -> Result<&'static Gl, Fault> {
    let mut open = OPEN.lock();
    let _inside = GlGuard::new()?;
    check_process()?;
    if let Some(gl) = *open {
        return Ok(gl);
    }
    OPENER.store(std::process::id(), Ordering::SeqCst);
    let backend = open_backend().inspect_err(|_| OPENER.store(0, Ordering::SeqCst))?;
    // The backend is leaked on purpose, because its library stays open until the process ends.
    let is_mesa = if let Backend::Egl(egl) = &backend { egl.is_mesa() } else { true };
    let gl: &'static Gl = Box::leak(Box::new(Gl { is_mesa, backend }));
    *open = Some(gl);
    Ok(gl)
}

fn open_backend() -> Result<Backend, Fault> {
    let chosen = std::env::var(CHOICE).unwrap_or_default().to_lowercase();
    match chosen.as_str() {
        "egl" => Egl::open().map(Backend::Egl).map_err(|reason| missing(&[reason])),
        "osmesa" => OsMesa::open().map(Backend::OsMesa).map_err(|reason| missing(&[reason])),
        "" => Egl::open()
            .map(Backend::Egl)
            .or_else(|egl| OsMesa::open().map(Backend::OsMesa).map_err(|osmesa| missing(&[egl, osmesa]))),
        _ => {
            Err(Fault::Rendering(format!("{CHOICE}={chosen}: expected egl or osmesa (or nothing), which draw without a screen")))
        }
    }
}

/// Refuses a forked child of the process that has opened a driver, or was about to when it forked.
pub(super) fn check_process() -> Result<(), Fault> {
    match OPENER.load(Ordering::SeqCst) {
        0 => Ok(()),
        process if process == std::process::id() => Ok(()),
        _ => Err(Fault::Rendering(
            "the parent of this process has drawn pictures before the fork, and GL does not survive one: start processes that draw by \"spawn\" or \"forkserver\""
                .into(),
        )),
    }
}

fn missing(reasons: &[String]) -> Fault {
    Fault::Rendering(format!(
        "pictures need a GL that draws without a screen, libEGL.so.1 or libOSMesa.so.8 (Debian: apt-get install libosmesa6, or libegl1 and libgl1-mesa-dri): {}",
        reasons.join("; ")
    ))
}

/// OpenGL context.
#[derive(Debug)]
pub struct Context {
    gl: &'static Gl,
    raw: *mut c_void,
    /// Memory that OSMesa requires as the buffer of a window. Pictures are not drawn into it.
    window: Vec<f32>,
}

// SAFETY: a context is current in at most one thread, and only while a `Current` borrows the context exclusively.
unsafe impl Send for Context {}

/// Guard that keeps a context current in the calling thread until it is dropped.
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
    /// Returns the name of the backend, as in `MUJOCO_GL`.
    pub fn name(&self) -> &'static str {
        match self.backend {
            Backend::Egl(_) => "egl",
            Backend::OsMesa(_) => "osmesa",
        }
    }

    /// Returns whether the current process opened the backend. A forked child cannot use the backend of its parent, because
    /// the driver's threads do not survive a fork.
    pub fn is_here(&self) -> bool {
        check_process().is_ok()
    }

    /// Creates an OpenGL context.
    ///
    /// # Errors
    /// `Rendering` if the driver refuses, if the process is a forked child, or if [`end`] was called.
    pub fn context(&'static self) -> Result<Context, Fault> {
        check_process()?;
        let _inside = GlGuard::new()?;
        let _alone = lock_contexts_exclusively();
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
    /// Returns whether only one thread of the process may draw at a time.
    pub fn draws_alone(&self) -> bool {
        self.gl.is_mesa
    }

    /// Returns whether the driver still has the context. A forked process, which may not ask the driver, assumes that.
    pub fn is_alive(&self) -> bool {
        match &self.gl.backend {
            Backend::Egl(egl) if self.gl.is_here() => egl.has(self.raw),
            _ => true,
        }
    }

    /// Makes the context current in the calling thread until the returned guard is dropped, which restores the previous context.
    ///
    /// # Errors
    /// `Rendering` if the driver refuses, or if [`end`] was called.
    pub fn enter(&mut self) -> Result<Current<'_>, Fault> {
        check_process()?;
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
            return; // In a forked process, the context still belongs to the parent process.
        }
        let Ok(_inside) = GlGuard::new() else { return };
        let _alone = lock_contexts_exclusively();
        // SAFETY: this `Context` owns its GL context, which is current in no thread, and which `drop` destroys once.
        unsafe {
            match &self.gl.backend {
                Backend::Egl(egl) => _ = (egl.functions.eglDestroyContext)(egl.display, self.raw),
                Backend::OsMesa(mesa) => (mesa.functions.OSMesaDestroyContext)(self.raw),
            }
        }
    }
}
