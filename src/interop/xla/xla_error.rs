//! Errors that handlers return to XLA, with XLA's status codes.

use std::ffi::c_int;

use envpool_rs_engine as engine;

/// Error that a handler returns to XLA: a status code and a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct XlaError {
    pub code: Code,
    pub message: String,
}

/// Status codes that handlers return (`XLA_FFI_Error_Code`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Code {
    InvalidArgument = 3,
    NotFound = 5,
    ResourceExhausted = 8,
    FailedPrecondition = 9,
    OutOfRange = 11,
    Unimplemented = 12,
    Internal = 13,
}

/// Result of a handler: a value, or an error that is returned to XLA.
pub type Result<T> = std::result::Result<T, XlaError>;

impl XlaError {
    /// Creates an error with a status code and a message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// Creates the error for a malformed call frame. Programs that were made by this package never pass malformed call
    /// frames.
    pub fn invalid_frame(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, message)
    }
}

impl Code {
    pub fn number(self) -> c_int {
        self as c_int
    }
}

impl From<engine::Error> for XlaError {
    fn from(error: engine::Error) -> Self {
        let code = match &error {
            engine::Error::Value(_) | engine::Error::Type(_) | engine::Error::UnknownTask(_) => Code::InvalidArgument,
            engine::Error::Index(_) => Code::OutOfRange,
            engine::Error::Memory(_) => Code::ResourceExhausted,
            engine::Error::NotFound(_) => Code::NotFound,
            _ => Code::FailedPrecondition,
        };
        Self::new(code, error.to_string())
    }
}
