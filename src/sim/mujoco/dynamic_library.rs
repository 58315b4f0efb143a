//! Loads shared libraries at run time, and declares tables of their functions with types.
//!
//! The macro [`functions!`] declares a table. It generates the look-up of all symbols, their types, and the types as text.
//! Tests compare this text with the library's own headers.

use std::path::Path;

use thiserror::Error;

/// Signature of a function of a shared library, with the types that this crate declares for it.
#[derive(Debug, Clone, Copy)]
pub struct Signature {
    /// The function's name in the library.
    pub name: &'static str,
    /// Types of the function's arguments, as Rust source.
    pub arguments: &'static [&'static str],
    /// Type of the function's result, as Rust source; empty if the function returns nothing.
    pub result: &'static str,
}

/// Error that a shared library lacks a required function; contains the function's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("it has no {0}")]
pub(crate) struct MissingFunction(pub &'static str);

/// Table of a shared library's functions, declared by [`functions!`].
pub(crate) trait FunctionTable: Sized {
    /// Signatures of the table's functions: names, and types as text.
    const SIGNATURES: &'static [Signature];

    /// Looks up all functions of the table in `library`.
    fn find(library: &libloading::Library) -> Result<Self, MissingFunction>;
}

/// Declares a [`FunctionTable`]: its name, its ABI, and its functions with the types of the library's headers.
macro_rules! functions {
    ($(#[$doc:meta])* $table:ident: $abi:literal; $($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        $(#[$doc])*
        #[allow(non_snake_case)]
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $table {
            $(pub $name: unsafe extern $abi fn($($argument),*) $(-> $result)?,)*
        }

        impl crate::dynamic_library::FunctionTable for $table {
            const SIGNATURES: &'static [crate::dynamic_library::Signature] = &[
                $(crate::dynamic_library::Signature {
                    name: stringify!($name),
                    arguments: &[$(stringify!($argument)),*],
                    result: concat!($(stringify!($result))?),
                },)*
            ];

            fn find(library: &libloading::Library) -> Result<Self, crate::dynamic_library::MissingFunction> {
                Ok(Self { $($name: crate::dynamic_library::symbol(library, stringify!($name))?,)* })
            }
        }
    };
}
pub(crate) use functions;

pub(crate) fn symbol<F: Copy>(library: &libloading::Library, name: &'static str) -> Result<F, MissingFunction> {
    // SAFETY: `functions!` repeats the declarations of the library's headers, which agree in all versions that have these names.
    let found = unsafe { library.get::<F>(name.as_bytes()) };
    found.map(|symbol| *symbol).map_err(|_| MissingFunction(name))
}

/// Opens the first library of `names` that exists, with symbols visible to the whole process.
/// Fails with the reason why the first library cannot be opened, as text.
///
/// # Safety
/// The libraries' initialization must have no preconditions.
pub(crate) unsafe fn open_global(names: &[&str]) -> Result<libloading::Library, String> {
    let mut reason = String::new();
    for name in names {
        #[cfg(unix)]
        // SAFETY: the caller guarantees that the library's initialization has no preconditions.
        let opened = unsafe {
            use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
            Library::open(Some(*name), RTLD_NOW | RTLD_GLOBAL).map(libloading::Library::from)
        };
        #[cfg(not(unix))]
        // SAFETY: the caller guarantees that the library's initialization has no preconditions.
        let opened = unsafe { libloading::Library::new(*name) };
        match opened {
            Ok(library) => return Ok(library),
            Err(error) if reason.is_empty() => reason = format!("{name} cannot be opened ({error})"),
            Err(_) => {}
        }
    }
    Err(reason)
}

/// Opens a private copy of a library file: the settings of the copy affect only this crate, not other users of the library in
/// the process. If the system allows no copy (no memory files, no `/proc`, a limit on file sizes), opens the file itself.
/// Fails with the reason why the library cannot be opened, as text.
///
/// # Safety
/// The library's initialization must have no preconditions.
pub(crate) unsafe fn open_private(path: &Path) -> Result<libloading::Library, String> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the caller guarantees that the library's initialization has no preconditions.
    if let Ok(library) = unsafe { open_copy(path) } {
        return Ok(library);
    }
    // SAFETY: the caller guarantees that the library's initialization has no preconditions.
    unsafe { libloading::Library::new(path) }.map_err(|error| match std::error::Error::source(&error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    })
}

/// Opens a copy of a library file, which is stored in memory.
///
/// # Safety
/// The library's initialization must have no preconditions.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
unsafe fn open_copy(path: &Path) -> Result<libloading::Library, Box<dyn std::error::Error>> {
    use std::os::fd::AsRawFd;

    use libloading::os::unix;
    use rustix::fs::{MemfdFlags, memfd_create};

    let mut file = std::fs::File::open(path)?;
    let mut copy = std::fs::File::from(memfd_create(path.file_name().unwrap_or_default(), MemfdFlags::CLOEXEC)?);
    std::io::copy(&mut file, &mut copy)?;
    // With RTLD_DEEPBIND, the copy's own symbols take precedence over symbols of the same library with global visibility.
    let flags = unix::RTLD_NOW | unix::RTLD_LOCAL | libc::RTLD_DEEPBIND;
    // SAFETY: the caller guarantees that the library's initialization has no preconditions.
    let library = unsafe { unix::Library::open(Some(format!("/proc/self/fd/{}", copy.as_raw_fd())), flags) }?;
    Ok(library.into())
}

#[cfg(test)]
#[allow(dead_code, reason = "tables whose functions are looked up, and not called")]
mod tests {
    use std::ffi::c_int;

    use super::*;

    functions! {
        /// Table of two functions that the C library has, to test a successful look-up.
        Present: "C";
        abs(c_int) -> c_int;
        free(*mut std::ffi::c_void);
    }

    functions! {
        /// Table of two functions, of which the C library lacks the second, to test a failing look-up.
        Absent: "C";
        abs(c_int) -> c_int;
        envpool_rs_has_no_such_function();
    }

    #[cfg(unix)]
    #[test]
    fn an_incomplete_function_table_names_the_missing_function() {
        let process = libloading::Library::from(libloading::os::unix::Library::this());
        let present = Present::find(&process).expect("the C library's");
        // SAFETY: C's `abs` is defined for all integers except the smallest.
        assert_eq!(unsafe { (present.abs)(-7) }, 7);
        assert_eq!(Absent::find(&process).unwrap_err().to_string(), "it has no envpool_rs_has_no_such_function");
        let texts: Vec<_> = Present::SIGNATURES.iter().map(|of| (of.name, of.arguments.to_vec(), of.result)).collect();
        assert_eq!(texts, [("abs", vec!["c_int"], "c_int"), ("free", vec!["*mut std::ffi::c_void"], "")]);
    }

    #[test]
    fn a_missing_library_is_named_with_the_reason() {
        // SAFETY: no library exists at the paths that the test passes, so no library is initialized.
        let (first, apart) =
            unsafe { (open_global(&["libnowhere.so.1", "libnowhere.so"]), open_private(Path::new("/nowhere/lib.so"))) };
        assert!(first.unwrap_err().starts_with("libnowhere.so.1 cannot be opened ("));
        assert!(apart.is_err());
    }
}
