//! Errors and warnings of MuJoCo as Rust values.
//!
//! MuJoCo reports an error by calling a handler that must not return, and a warning by calling a handler that may return.
//! Without handlers, an error ends the process, and a warning is written to `MUJOCO_LOG.TXT` in the working directory.
//!
//! Handlers can be set per thread, and this module sets them for the duration of each call. The process-wide handlers belong to
//! the Python package `mujoco`. The error handler panics: the panic unwinds through MuJoCo's frames, which are compiled with
//! unwind tables, and is caught after the call.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use thiserror::Error;

/// Error of a MuJoCo call, or of loading MuJoCo.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// The MuJoCo library is missing or unusable.
    #[error("{0}")]
    Library(String),
    /// The registered generator fails to make a model or a file's contents.
    #[error("{name:?} cannot be made: {reason}")]
    Unmade {
        /// Name that was given to the generator.
        name: String,
        /// The generator's error message.
        reason: String,
    },
    /// The model file is missing or invalid.
    #[error("{}: {reason}", path.display())]
    Model {
        /// Path of the model file.
        path: PathBuf,
        /// MuJoCo's error message.
        reason: String,
    },
    /// The model lacks objects or coordinates that the caller needs; the string names them.
    #[error("{0}")]
    OtherModel(String),
    /// MuJoCo reported an error.
    #[error("MuJoCo reports an error: {0}")]
    MujocoError(String),
    /// The operating system refuses to create threads for MuJoCo's model compiler.
    #[error("MuJoCo reads models by threads of its own, which the system refuses: {0}")]
    Threads(String),
    /// Rendering is not available; the string holds the reason.
    #[error("{0}")]
    Rendering(String),
    /// MuJoCo warned of bad numbers or exhausted memory.
    #[error("MuJoCo gives a warning: {0}")]
    MujocoWarning(String),
}

thread_local! {
    /// Message of the last MuJoCo warning in the current thread that has not been reported.
    static WARNING: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Panic payload that carries a MuJoCo error message.
struct Thrown(String);

/// First fields of the log message (`mjLogMessage`) that MuJoCo 4.0 and later pass to the handler.
#[repr(C)]
pub(crate) struct LogMessage {
    level: c_int,
    topic: c_int,
    subject: [c_char; 1024],
}

/// Levels of MuJoCo's log messages (`mjLogMessage`): warnings and errors.
const WARNING_LEVEL: c_int = 2;
const ERROR_LEVEL: c_int = 3;

pub(crate) type TextHandler = unsafe extern "C-unwind" fn(*const c_char);
pub(crate) type LogHandler = unsafe extern "C-unwind" fn(*const LogMessage);

/// MuJoCo functions that set the calling thread's error and warning handlers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Handlers {
    /// Getters and setters of MuJoCo 3, which has separate handlers for errors and for warnings.
    Texts {
        error: unsafe extern "C" fn() -> Option<TextHandler>,
        set_error: unsafe extern "C" fn(Option<TextHandler>),
        warning: unsafe extern "C" fn() -> Option<TextHandler>,
        set_warning: unsafe extern "C" fn(Option<TextHandler>),
    },
    /// Function of MuJoCo 4.0 and later, which sets the handler for all messages and returns the previous one.
    Log(unsafe extern "C" fn(Option<LogHandler>) -> Option<LogHandler>),
}

impl Handlers {
    /// Calls `work`, which calls MuJoCo, with this crate's error and warning handlers on the calling thread.
    pub(super) fn during<R>(self, work: impl FnOnce() -> R) -> Result<R, Fault> {
        let attempt = || catch_unwind(AssertUnwindSafe(work));
        // SAFETY: the setters are MuJoCo's and affect only the calling thread. This crate's handlers are static functions, and the
        // restored handlers are those that the thread had before the call.
        let result = unsafe {
            match self {
                Self::Texts { error, set_error, warning, set_warning } => {
                    let (own_error, own_warning) = (error(), warning());
                    set_error(Some(on_error));
                    set_warning(Some(on_warning));
                    let result = attempt();
                    set_error(own_error);
                    set_warning(own_warning);
                    result
                }
                Self::Log(set) => {
                    let own = set(Some(on_message));
                    let result = attempt();
                    set(own);
                    result
                }
            }
        };
        result.map_err(|thrown| match thrown.downcast::<Thrown>() {
            Ok(error) => Fault::MujocoError(error.0),
            Err(other) => resume_unwind(other),
        })
    }
}

/// Returns the last MuJoCo warning of the current thread, and clears it.
pub(super) fn take_warning() -> String {
    WARNING.with_borrow_mut(std::mem::take)
}

unsafe extern "C-unwind" fn on_error(text: *const c_char) {
    // SAFETY: MuJoCo passes its message to the handler as a NUL-terminated string.
    resume_unwind(Box::new(Thrown(unsafe { text_of(text) })));
}

unsafe extern "C-unwind" fn on_warning(text: *const c_char) {
    // SAFETY: MuJoCo passes its message to the handler as a NUL-terminated string.
    let text = unsafe { text_of(text) };
    WARNING.with_borrow_mut(|last| *last = text);
}

unsafe extern "C-unwind" fn on_message(message: *const LogMessage) {
    // SAFETY: the log message that MuJoCo passes lives for the duration of this call, and its subject is NUL-terminated.
    unsafe {
        match (*message).level {
            ERROR_LEVEL => on_error((*message).subject.as_ptr()),
            WARNING_LEVEL => on_warning((*message).subject.as_ptr()),
            _ => {}
        }
    }
}

/// Copies a C string to a `String`; a null pointer is converted to a fixed phrase.
///
/// # Safety
/// `text` must be null or NUL-terminated.
unsafe fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return "without a word".to_owned();
    }
    // SAFETY: the caller guarantees that `text` is NUL-terminated or null, and the code above returns if `text` is null.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    // These test doubles replace MuJoCo 3's functions that get and set the thread's handlers.
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
    fn errors_become_values_warnings_are_stored_and_handlers_restored() {
        let handlers = Handlers::Texts { error, set_error, warning, set_warning };
        let tell = |which: usize, text: &CStr| {
            let handler = SET.with_borrow(|set| set[which]).expect("one is set during calls");
            // SAFETY: `text` is a C string, so it is NUL-terminated.
            unsafe { handler(text.as_ptr()) }
        };
        assert_eq!(handlers.during(|| tell(0, c"stack overflow")), Err(Fault::MujocoError("stack overflow".into())));
        assert_eq!(handlers.during(|| tell(1, c"a huge number")), Ok(()));
        assert_eq!((take_warning(), take_warning()), ("a huge number".to_owned(), String::new()));
        assert!(SET.with_borrow(|set| set.iter().all(Option::is_none)));
    }

    #[test]
    fn a_panic_of_other_code_propagates() {
        let handlers = Handlers::Texts { error, set_error, warning, set_warning };
        let panicked = catch_unwind(|| handlers.during(|| resume_unwind(Box::new(7_u8))));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&7_u8));
    }
}
