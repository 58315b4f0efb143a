//! Structs of XLA's foreign function interface that this crate uses. They belong to version 0 of the C API
//! (`xla/ffi/api/c_api.h`, which jaxlib installs below `jax.ffi.include_dir()`).
//!
//! `tests/data/xla_ffi_layout.txt` holds the offsets of all fields. A test in this file compares it with the declarations, and
//! `tests/python/xla/test_xla_layout.py` compares it with the header of the installed jaxlib.

use std::ffi::{c_char, c_int, c_void};

/// Major version of the interface that this file declares. Another major version requires other declarations.
pub const MAJOR_VERSION: c_int = 0;

/// Version reported to runtimes that do not state their own version when they request metadata (jaxlib before 0.8).
pub const VERSION_WITHOUT_API: (c_int, c_int) = (MAJOR_VERSION, 1);

/// `XLA_FFI_Extension_Metadata`: kind of the extension that turns a call into a request for the handler's metadata.
pub const METADATA_EXTENSION: c_int = 1;

/// `XLA_FFI_ExecutionStage_EXECUTE`: stage in which a handler does its work.
pub const EXECUTE: c_int = 3;

/// `XLA_FFI_ArgType_BUFFER` and `XLA_FFI_RetType_BUFFER`: kind of an argument or result that is an array.
pub const BUFFER: c_int = 1;

/// `XLA_FFI_AttrType_SCALAR`: kind of an attribute that is a scalar.
pub const SCALAR: c_int = 3;

/// Element types (`XLA_FFI_DataType`).
pub mod data_type {
    use std::ffi::c_int;

    /// `XLA_FFI_DataType_INVALID`: no element type.
    pub const INVALID: c_int = 0;
    pub const PRED: c_int = 1;
    pub const S8: c_int = 2;
    pub const S16: c_int = 3;
    pub const S32: c_int = 4;
    pub const S64: c_int = 5;
    pub const U8: c_int = 6;
    pub const U16: c_int = 7;
    pub const U32: c_int = 8;
    pub const U64: c_int = 9;
    pub const F32: c_int = 11;
    pub const F64: c_int = 12;

    /// Returns the size of an element in bytes; `None` for types that this crate does not use.
    pub fn size(dtype: c_int) -> Option<usize> {
        match dtype {
            PRED | S8 | U8 => Some(1),
            S16 | U16 => Some(2),
            S32 | U32 | F32 => Some(4),
            S64 | U64 | F64 => Some(8),
            _ => None,
        }
    }
}

/// `XLA_FFI_Extension_Base`: struct with which each extension struct starts.
#[repr(C)]
pub struct Extension {
    pub struct_size: usize,
    pub kind: c_int,
    pub next: *mut Extension,
}

/// `XLA_FFI_Api_Version`: version of the interface.
#[repr(C)]
pub struct ApiVersion {
    pub struct_size: usize,
    pub extension_start: *mut Extension,
    pub major_version: c_int,
    pub minor_version: c_int,
}

/// `XLA_FFI_Metadata`: description of a handler, without the fields that newer versions have after `traits`.
#[repr(C)]
pub struct Metadata {
    pub struct_size: usize,
    pub api_version: ApiVersion,
    pub traits: u32,
}

/// `XLA_FFI_Metadata_Extension`: extension with which a runtime requests a handler's metadata.
#[repr(C)]
pub struct MetadataExtension {
    pub extension_base: Extension,
    pub metadata: *mut Metadata,
}

/// `XLA_FFI_Error`: opaque error that the runtime owns.
#[repr(C)]
pub struct Error {
    _opaque: [u8; 0],
}

/// `XLA_FFI_Error_Create_Args`: arguments of the function that creates an error.
#[repr(C)]
pub struct ErrorCreateArgs {
    pub struct_size: usize,
    pub extension_start: *mut Extension,
    pub message: *const c_char,
    pub errc: c_int,
}

/// `XLA_FFI_Error_GetMessage_Args`: arguments of the function that returns an error's message, which the error owns.
#[repr(C)]
pub struct ErrorGetMessageArgs {
    pub struct_size: usize,
    pub extension_start: *mut Extension,
    pub error: *mut Error,
    pub message: *const c_char,
}

/// `XLA_FFI_Error_Destroy_Args`: arguments of the function that frees an error.
#[repr(C)]
pub struct ErrorDestroyArgs {
    pub struct_size: usize,
    pub extension_start: *mut Extension,
    pub error: *mut Error,
}

/// `XLA_FFI_Stream_Get_Args`: arguments of the function that returns the stream of a call; `stream` is the function's output.
#[repr(C)]
pub struct StreamGetArgs {
    pub struct_size: usize,
    pub extension_start: *mut Extension,
    pub ctx: *mut c_void,
    pub stream: *mut c_void,
}

/// `XLA_FFI_Api`: table of the runtime's functions. This declaration ends with `stream_get`, the last function that this crate
/// calls.
#[repr(C)]
pub struct Api {
    pub struct_size: usize,
    pub extension_start: *mut Extension,
    pub api_version: ApiVersion,
    pub internal_api: *const c_void,
    pub error_create: Option<unsafe extern "C" fn(*mut ErrorCreateArgs) -> *mut Error>,
    pub error_get_message: Option<unsafe extern "C" fn(*mut ErrorGetMessageArgs)>,
    pub error_destroy: Option<unsafe extern "C" fn(*mut ErrorDestroyArgs)>,
    /// Function that this crate does not call.
    pub handler_register: *const c_void,
    pub stream_get: Option<unsafe extern "C" fn(*mut StreamGetArgs) -> *mut Error>,
}

/// `XLA_FFI_Buffer`: an array in memory.
#[repr(C)]
pub struct Buffer {
    pub struct_size: usize,
    pub extension_start: *mut Extension,
    pub dtype: c_int,
    pub data: *mut c_void,
    pub rank: i64,
    pub dims: *mut i64,
}

/// `XLA_FFI_Args` and `XLA_FFI_Rets`: arguments and results of a call. The two structs differ only in the names of their fields.
#[repr(C)]
pub struct Buffers {
    pub struct_size: usize,
    pub extension_start: *mut Extension,
    pub size: i64,
    pub types: *mut c_int,
    pub values: *mut *mut c_void,
}

/// `XLA_FFI_ByteSpan`: a string with its length.
#[repr(C)]
pub struct ByteSpan {
    pub ptr: *const c_char,
    pub len: usize,
}

/// `XLA_FFI_Scalar`: a typed pointer to a scalar.
#[repr(C)]
pub struct Scalar {
    pub dtype: c_int,
    pub value: *mut c_void,
}

/// `XLA_FFI_Attrs`: attributes of a call.
#[repr(C)]
pub struct Attrs {
    pub struct_size: usize,
    pub extension_start: *mut Extension,
    pub size: i64,
    pub types: *mut c_int,
    pub names: *mut *mut ByteSpan,
    pub attrs: *mut *mut c_void,
}

/// `XLA_FFI_CallFrame`: input of a handler, without the fields that newer versions have after `attrs`.
#[repr(C)]
pub struct CallFrame {
    pub struct_size: usize,
    pub extension_start: *mut Extension,
    pub api: *const Api,
    pub ctx: *mut c_void,
    pub stage: c_int,
    pub args: Buffers,
    pub rets: Buffers,
    pub attrs: Attrs,
}

/// `XLA_FFI_Handler`: function that XLA calls. Returns null, or an error that the runtime created and frees.
pub type Handler = unsafe extern "C" fn(*mut CallFrame) -> *mut Error;

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;

    macro_rules! fields {
        ($($type:ident as $name:literal: $($field:ident as $c_field:literal),*;)*) => {
            vec![$($((format!("{}.{}", $name, $c_field), offset_of!($type, $field)),)*)*]
        };
    }

    /// Returns the offsets of all declared struct fields, by their names in the header.
    fn declared() -> Vec<(String, usize)> {
        fields! {
            Extension as "XLA_FFI_Extension_Base": struct_size as "struct_size", kind as "type", next as "next";
            ApiVersion as "XLA_FFI_Api_Version": struct_size as "struct_size", extension_start as "extension_start",
                major_version as "major_version", minor_version as "minor_version";
            Metadata as "XLA_FFI_Metadata": struct_size as "struct_size", api_version as "api_version", traits as "traits";
            MetadataExtension as "XLA_FFI_Metadata_Extension": extension_base as "extension_base", metadata as "metadata";
            ErrorCreateArgs as "XLA_FFI_Error_Create_Args": struct_size as "struct_size", extension_start as "extension_start",
                message as "message", errc as "errc";
            ErrorGetMessageArgs as "XLA_FFI_Error_GetMessage_Args": struct_size as "struct_size",
                extension_start as "extension_start", error as "error", message as "message";
            ErrorDestroyArgs as "XLA_FFI_Error_Destroy_Args": struct_size as "struct_size",
                extension_start as "extension_start", error as "error";
            StreamGetArgs as "XLA_FFI_Stream_Get_Args": struct_size as "struct_size", extension_start as "extension_start",
                ctx as "ctx", stream as "stream";
            Api as "XLA_FFI_Api": struct_size as "struct_size", extension_start as "extension_start",
                api_version as "api_version", internal_api as "internal_api", error_create as "XLA_FFI_Error_Create",
                error_get_message as "XLA_FFI_Error_GetMessage", error_destroy as "XLA_FFI_Error_Destroy",
                stream_get as "XLA_FFI_Stream_Get";
            Buffer as "XLA_FFI_Buffer": struct_size as "struct_size", extension_start as "extension_start", dtype as "dtype",
                data as "data", rank as "rank", dims as "dims";
            Buffers as "XLA_FFI_Args": struct_size as "struct_size", extension_start as "extension_start", size as "size",
                types as "types", values as "args";
            Buffers as "XLA_FFI_Rets": struct_size as "struct_size", extension_start as "extension_start", size as "size",
                types as "types", values as "rets";
            ByteSpan as "XLA_FFI_ByteSpan": ptr as "ptr", len as "len";
            Scalar as "XLA_FFI_Scalar": dtype as "dtype", value as "value";
            Attrs as "XLA_FFI_Attrs": struct_size as "struct_size", extension_start as "extension_start", size as "size",
                types as "types", names as "names", attrs as "attrs";
            CallFrame as "XLA_FFI_CallFrame": struct_size as "struct_size", extension_start as "extension_start", api as "api",
                ctx as "ctx", stage as "stage", args as "args", rets as "rets", attrs as "attrs";
        }
    }

    /// Returns the values of all declared constants, by their names in the header.
    fn constants() -> Vec<(&'static str, c_int)> {
        vec![
            ("XLA_FFI_API_MAJOR", MAJOR_VERSION),
            ("XLA_FFI_Extension_Metadata", METADATA_EXTENSION),
            ("XLA_FFI_ExecutionStage_EXECUTE", EXECUTE),
            ("XLA_FFI_ArgType_BUFFER", BUFFER),
            ("XLA_FFI_RetType_BUFFER", BUFFER),
            ("XLA_FFI_AttrType_SCALAR", SCALAR),
            ("XLA_FFI_DataType_PRED", data_type::PRED),
            ("XLA_FFI_DataType_S8", data_type::S8),
            ("XLA_FFI_DataType_S16", data_type::S16),
            ("XLA_FFI_DataType_S32", data_type::S32),
            ("XLA_FFI_DataType_S64", data_type::S64),
            ("XLA_FFI_DataType_U8", data_type::U8),
            ("XLA_FFI_DataType_U16", data_type::U16),
            ("XLA_FFI_DataType_U32", data_type::U32),
            ("XLA_FFI_DataType_U64", data_type::U64),
            ("XLA_FFI_DataType_F32", data_type::F32),
            ("XLA_FFI_DataType_F64", data_type::F64),
        ]
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn the_structs_have_the_recorded_layout() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/xla_ffi_layout.txt");
        let recorded = std::fs::read_to_string(path).unwrap();
        let offsets = declared().into_iter().map(|(name, offset)| format!("{name} {offset}"));
        let lines: Vec<_> = offsets.chain(constants().iter().map(|(name, value)| format!("{name} {value}"))).collect();
        assert_eq!(recorded.trim_end(), lines.join("\n"));
    }
}
