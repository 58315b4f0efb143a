//! Errors and warnings of MuJoCo. MuJoCo reports an error by a handler that must not return, and a warning by one that may.
//! Without handlers, an error ends the process and a warning is written to `MUJOCO_LOG.TXT` in the working directory.
//!
//! Handlers can be set per thread, and are set for the duration of each call; the process-wide ones belong to Python's package.
//! An error unwinds as a panic through MuJoCo's frames, which are compiled with unwind tables, and is caught at the call.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use thiserror::Error;

/// Failure of a MuJoCo call.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// The MuJoCo library is missing or unusable.
    #[error("{0}")]
    Library(String),
    /// A file is not a valid model.
    #[error("{}: {reason}", path.display())]
    Model {
        /// Path of the model file.
        path: PathBuf,
        /// MuJoCo's error message.
        reason: String,
    },
    /// MuJoCo reported an error.
    #[error("MuJoCo reports an error: {0}")]
    MujocoError(String),
    /// The operating system refuses to create threads for MuJoCo's model compiler.
    #[error("MuJoCo reads models by threads of its own, which the system refuses: {0}")]
    Threads(String),
    /// Rendering is not available.
    #[error("{0}")]
    Rendering(String),
    /// MuJoCo warned of bad numbers or exhausted memory.
    #[error("MuJoCo gives a warning: {0}")]
    MujocoWarning(String),
}

thread_local! {
    /// Message of the last MuJoCo warning in this thread.
    static WARNING: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Panic payload that carries an error message of MuJoCo's.
struct Thrown(String);

/// Leading fields of the log message that MuJoCo 4.0 and later pass to the handler.
#[repr(C)]
pub(crate) struct LogMessage {
    level: c_int,
    topic: c_int,
    subject: [c_char; 1024],
}

/// Levels of MuJoCo's log messages, for warnings and for errors.
const WARNING_LEVEL: c_int = 2;
const ERROR_LEVEL: c_int = 3;

pub(crate) type TextHandler = unsafe extern "C-unwind" fn(*const c_char);
pub(crate) type LogHandler = unsafe extern "C-unwind" fn(*const LogMessage);

/// MuJoCo's functions that set the calling thread's handlers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Handlers {
    /// The functions of MuJoCo 3: one handler for errors and one for warnings, each with a getter and a setter.
    Texts {
        error: unsafe extern "C" fn() -> Option<TextHandler>,
        set_error: unsafe extern "C" fn(Option<TextHandler>),
        warning: unsafe extern "C" fn() -> Option<TextHandler>,
        set_warning: unsafe extern "C" fn(Option<TextHandler>),
    },
    /// The function of MuJoCo 4.0 and later: one handler for all messages; the setter returns the previous handler.
    Log(unsafe extern "C" fn(Option<LogHandler>) -> Option<LogHandler>),
}

/// Handlers that the thread had before a call, to restore after it.
enum PreviousHandlers {
    Texts(Option<TextHandler>, Option<TextHandler>),
    Log(Option<LogHandler>),
}

struct HandlerGuard {
    handlers: Handlers,
    before: PreviousHandlers,
}

impl Handlers {
    /// Runs `work`, which calls MuJoCo, with handlers set on this thread.
    ///
    /// # Errors
    /// `MujocoError` if MuJoCo reports an error.
    pub(super) fn during<R>(self, work: impl FnOnce() -> R) -> Result<R, Fault> {
        let turn = HandlerGuard::begin(self);
        let result = catch_unwind(AssertUnwindSafe(work));
        drop(turn);
        result.map_err(|thrown| match thrown.downcast::<Thrown>() {
            Ok(error) => Fault::MujocoError(error.0),
            Err(other) => resume_unwind(other),
        })
    }
}

impl HandlerGuard {
    fn begin(handlers: Handlers) -> Self {
        // SAFETY: the functions are MuJoCo's and affect this thread only; our handlers are static functions.
        let before = unsafe {
            match handlers {
                Handlers::Texts { error, set_error, warning, set_warning } => {
                    let before = PreviousHandlers::Texts(error(), warning());
                    set_error(Some(on_error));
                    set_warning(Some(on_warning));
                    before
                }
                Handlers::Log(set) => PreviousHandlers::Log(set(Some(on_message))),
            }
        };
        Self { handlers, before }
    }
}

impl Drop for HandlerGuard {
    fn drop(&mut self) {
        // SAFETY: the functions are MuJoCo's and affect this thread only; the handlers are those that the thread had before.
        unsafe {
            match (&self.handlers, &self.before) {
                (Handlers::Texts { set_error, set_warning, .. }, PreviousHandlers::Texts(error, warning)) => {
                    set_error(*error);
                    set_warning(*warning);
                }
                (Handlers::Log(set), PreviousHandlers::Log(before)) => _ = set(*before),
                _ => {}
            }
        }
    }
}

/// Returns the last warning of this thread, and clears it.
pub(super) fn take_warning() -> String {
    WARNING.with_borrow_mut(std::mem::take)
}

unsafe extern "C-unwind" fn on_error(text: *const c_char) {
    // SAFETY: MuJoCo passes a NUL-terminated string.
    resume_unwind(Box::new(Thrown(unsafe { text_of(text) })));
}

unsafe extern "C-unwind" fn on_warning(text: *const c_char) {
    // SAFETY: MuJoCo passes a NUL-terminated string.
    let text = unsafe { text_of(text) };
    WARNING.with_borrow_mut(|last| *last = text);
}

unsafe extern "C-unwind" fn on_message(message: *const LogMessage) {
    // SAFETY: MuJoCo passes a message that lives for the duration of this call, with a NUL-terminated subject.
    unsafe {
        match (*message).level {
            ERROR_LEVEL => on_error((*message).subject.as_ptr()),
            WARNING_LEVEL => on_warning((*message).subject.as_ptr()),
            _ => {}
        }
    }
}

/// Copies a message.
///
/// # Safety
/// `text` must be null or NUL-terminated.
unsafe fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return "without a word".to_owned();
    }
    // SAFETY: the caller guarantees that the string is NUL-terminated, and it is not null, as checked above.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    // Stand-ins for the thread-local handlers of MuJoCo 3.
    thread_local! {
        static SET: RefCell<[Option<TextHandler>; 2]> = const { RefCell::new([None, None]) };
    }

    unsafe extern "C" fn error() -> Option<TextHandler> {
        SET.with_borrow(|set| set[0])
    }
    unsafe extern "C" fn set_error(handler: Option<TextHandler>) {
        SET.with_borrow_mut(|set| set[0] = handler);
    }
    unsafe extern "C" fn warning() -> Option<TextHandler> {
        SET.with_borrow(|set| set[1])
    }
    unsafe extern "C" fn set_warning(handler: Option<TextHandler>) {
        SET.with_borrow_mut(|set| set[1] = handler);
    }

    #[test]
    fn an_error_becomes_a_value_a_warning_is_kept_and_what_was_set_before_is_set_again() {
        let handlers = Handlers::Texts { error, set_error, warning, set_warning };
        let tell = |which: usize, text: &CStr| {
            let handler = SET.with_borrow(|set| set[which]).expect("one is set during calls");
            // SAFETY: the string is NUL-terminated.
            unsafe { handler(text.as_ptr()) }
        };
        assert_eq!(handlers.during(|| tell(0, c"stack overflow")), Err(Fault::MujocoError("stack overflow".into())));
        assert_eq!(handlers.during(|| tell(1, c"a huge number")), Ok(()));
        assert_eq!((take_warning(), take_warning()), ("a huge number".to_owned(), String::new()));
        assert!(SET.with_borrow(|set| set.iter().all(Option::is_none)));
    }

    #[test]
    fn a_panic_that_is_not_the_librarys_goes_on() {
        let handlers = Handlers::Texts { error, set_error, warning, set_warning };
        let panicked = catch_unwind(|| handlers.during(|| resume_unwind(Box::new(7_u8))));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&7_u8));
    }
}
