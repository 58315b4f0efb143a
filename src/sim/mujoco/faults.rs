//! What goes wrong in the library. It tells of an error by a function that must not return, and of a warning by one that may; without
//! any, an error ends the process and a warning is written to `MUJOCO_LOG.TXT` in the working directory.
//!
//! Both functions can be set for the thread that calls it, and are, for as long as a call lasts: those of the whole process belong to
//! Python's package. An error is thrown as a panic through the library's own frames, which are compiled with tables for that, and
//! caught where the call was made.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use thiserror::Error;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// There is no library, or none that can be used.
    #[error("{0}")]
    Library(String),
    /// A file is not a model.
    #[error("{}: {reason}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// What the library says of it.
        reason: String,
    },
    /// The library refused to go on.
    #[error("MuJoCo reports an error: {0}")]
    Refused(String),
    /// The system gives no threads to read models with.
    #[error("MuJoCo reads models by threads of its own, which the system refuses: {0}")]
    Threads(String),
    /// There is nothing to draw pictures with.
    #[error("{0}")]
    Picture(String),
    /// A simulation that has left the numbers there are, or the memory it has.
    #[error("MuJoCo gives a warning: {0}")]
    Warned(String),
}

thread_local! {
    /// The last warning of this thread.
    static WARNING: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A text of the library's.
struct Thrown(String);

/// A message as libraries from 4.0 on pass it; what follows is not looked at.
#[repr(C)]
pub(crate) struct LogMessage {
    level: c_int,
    topic: c_int,
    subject: [c_char; 1024],
}

/// Levels of messages.
const WARNING_LEVEL: c_int = 2;
const ERROR_LEVEL: c_int = 3;

pub(crate) type TextHandler = unsafe extern "C-unwind" fn(*const c_char);
pub(crate) type LogHandler = unsafe extern "C-unwind" fn(*const LogMessage);

/// How the library is told, for the calling thread, whom to tell.
#[derive(Debug, Clone, Copy)]
pub(super) enum Handlers {
    /// Up to 3.x: one function for errors, one for warnings, each with its question and its setter.
    Texts {
        error: unsafe extern "C" fn() -> Option<TextHandler>,
        set_error: unsafe extern "C" fn(Option<TextHandler>),
        warning: unsafe extern "C" fn() -> Option<TextHandler>,
        set_warning: unsafe extern "C" fn(Option<TextHandler>),
    },
    /// From 4.0 on: one function for all messages; setting it answers with the one before.
    Log(unsafe extern "C" fn(Option<LogHandler>) -> Option<LogHandler>),
}

/// Those that were set before.
enum Before {
    Texts(Option<TextHandler>, Option<TextHandler>),
    Log(Option<LogHandler>),
}

struct Turn {
    handlers: Handlers,
    before: Before,
}

impl Handlers {
    /// Runs `work`, which calls the library, on this thread.
    ///
    /// # Errors
    /// `Refused` where the library tells of an error.
    pub(super) fn during<R>(self, work: impl FnOnce() -> R) -> Result<R, Fault> {
        let turn = Turn::begin(self);
        let result = catch_unwind(AssertUnwindSafe(work));
        drop(turn);
        result.map_err(|thrown| match thrown.downcast::<Thrown>() {
            Ok(told) => Fault::Refused(told.0),
            Err(other) => resume_unwind(other),
        })
    }
}

impl Turn {
    fn begin(handlers: Handlers) -> Self {
        // SAFETY: the functions are the library's, and set what this thread is told by; ours live as long as the process.
        let before = unsafe {
            match handlers {
                Handlers::Texts { error, set_error, warning, set_warning } => {
                    let before = Before::Texts(error(), warning());
                    set_error(Some(on_error));
                    set_warning(Some(on_warning));
                    before
                }
                Handlers::Log(set) => Before::Log(set(Some(on_message))),
            }
        };
        Self { handlers, before }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // SAFETY: as in `begin`; what was set before is set again.
        unsafe {
            match (&self.handlers, &self.before) {
                (Handlers::Texts { set_error, set_warning, .. }, Before::Texts(error, warning)) => {
                    set_error(*error);
                    set_warning(*warning);
                }
                (Handlers::Log(set), Before::Log(before)) => _ = set(*before),
                _ => {}
            }
        }
    }
}

/// The last warning that this thread was given, and forgets now.
pub(super) fn take_warning() -> String {
    WARNING.with_borrow_mut(std::mem::take)
}

unsafe extern "C-unwind" fn on_error(text: *const c_char) {
    // SAFETY: the library passes a text that ends.
    resume_unwind(Box::new(Thrown(unsafe { text_of(text) })));
}

unsafe extern "C-unwind" fn on_warning(text: *const c_char) {
    // SAFETY: the library passes a text that ends.
    let text = unsafe { text_of(text) };
    WARNING.with_borrow_mut(|last| *last = text);
}

unsafe extern "C-unwind" fn on_message(message: *const LogMessage) {
    // SAFETY: the library passes a message that lives as long as this call, whose subject ends.
    unsafe {
        match (*message).level {
            ERROR_LEVEL => on_error((*message).subject.as_ptr()),
            WARNING_LEVEL => on_warning((*message).subject.as_ptr()),
            _ => {}
        }
    }
}

/// # Safety
/// `text` must be null, or end.
unsafe fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return "without a word".to_owned();
    }
    // SAFETY: passed on to the caller.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    // What a library of 3.x would have of a thread.
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
            // SAFETY: the text ends.
            unsafe { handler(text.as_ptr()) }
        };
        assert_eq!(handlers.during(|| tell(0, c"stack overflow")), Err(Fault::Refused("stack overflow".into())));
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
