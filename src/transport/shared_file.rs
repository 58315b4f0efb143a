//! A file without a name, which several processes map as shared memory. The system frees the file when its last descriptor and
//! mapping are closed, however the processes end.
//!
//! The configuration `portable` compiles the code for other systems on Linux: `nox -s portable`.

use std::fs::File;
use std::io;

use memmap2::{MmapOptions, MmapRaw};

/// Creates an empty file without a name.
#[cfg(all(target_os = "linux", not(portable)))]
pub fn create() -> io::Result<File> {
    use rustix::fs::{MemfdFlags, memfd_create};

    Ok(memfd_create("envpool_rs", MemfdFlags::CLOEXEC)?.into())
}

/// Creates an empty file without a name. On Windows, the file has a name and is deleted with its last handle.
#[cfg(not(all(target_os = "linux", not(portable))))]
pub fn create() -> io::Result<File> {
    tempfile::tempfile()
}

/// Reserves memory for `len` bytes of a file, starting at `offset`. Writes to a mapping of this range then cannot fail. The range
/// must be within the file's length.
///
/// # Errors
/// The system's error if the file system or the memory is full. Without the reservation, writes would raise SIGBUS.
pub fn allocate(file: &File, offset: u64, len: usize) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;

        // The range is allocated in parts, because a signal makes the system release the part that is being allocated.
        const PART: u64 = 1 << 24;
        let end = offset + len as u64;
        let mut from = offset;
        while from < end {
            let part = PART.min(end - from);
            // SAFETY: the arguments are numbers, and the descriptor is open as long as `file`.
            match unsafe { libc::posix_fallocate(file.as_raw_fd(), from as libc::off_t, part as libc::off_t) } {
                0 => from += part,
                libc::EINTR => {}
                error => return Err(io::Error::from_raw_os_error(error)),
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (file, offset, len);
    Ok(())
}

/// Maps `len` bytes of a file, starting at `offset`, as readable and writable shared memory.
pub fn map(file: &File, offset: u64, len: usize) -> io::Result<MmapRaw> {
    MmapOptions::new().offset(offset).len(len).map_raw(file)
}

/// Writes all of `bytes` to a file at `offset`. Does not use the file position, which threads and processes share.
#[cfg(unix)]
pub fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// Reads `bytes.len()` bytes of a file at `offset`.
#[cfg(unix)]
pub fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Writes all of `bytes` to a file at `offset`.
#[cfg(windows)]
pub fn write_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        bytes = &bytes[written..];
        offset += written as u64;
    }
    Ok(())
}

/// Reads `bytes.len()` bytes of a file at `offset`.
#[cfg(windows)]
pub fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        offset += read as u64;
    }
    Ok(())
}

/// Returns the memory of a range of the file to the system. If the system cannot do that, the memory stays until the file is
/// freed.
pub fn release(file: &File, offset: u64, len: u64) {
    #[cfg(all(target_os = "linux", not(portable)))]
    {
        use rustix::fs::{FallocateFlags, fallocate};

        // An error is ignored: its only effect is that the memory stays in use.
        _ = fallocate(file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, offset, len);
    }
    #[cfg(not(all(target_os = "linux", not(portable))))]
    let _ = (file, offset, len);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_mappings_of_a_file_show_the_same_bytes() {
        let file = create().unwrap();
        file.set_len(8192).unwrap();
        let (one, other) = (map(&file, 0, 8192).unwrap(), map(&file, 4096, 4096).unwrap());
        // SAFETY: both mappings have at least one byte, which is read and written.
        unsafe {
            one.as_mut_ptr().add(4097).write(7);
            assert_eq!(other.as_mut_ptr().add(1).read(), 7);
        }
    }

    /// Tests writes to a file on a full file system. A child process has its own mount namespace, with a `tmpfs` of 256 KiB.
    #[cfg(target_os = "linux")]
    #[test]
    fn memory_that_a_full_file_system_lacks_is_an_error() {
        use std::process::Command;

        const VARIABLE: &str = "ENVPOOL_RS_SMALL_TMPFS";
        if let Some(folder) = std::env::var_os(VARIABLE) {
            let file = tempfile_in(&folder);
            file.set_len(1 << 20).unwrap();
            allocate(&file, 0, 1 << 16).unwrap();
            assert_eq!(allocate(&file, 0, 1 << 20).unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert_eq!(write_at(&file, &[1; 1 << 19], 1 << 19).unwrap_err().kind(), io::ErrorKind::StorageFull);
            return;
        }
        let name = "transport::shared_file::tests::memory_that_a_full_file_system_lacks_is_an_error";
        let script = "mount -t tmpfs -o size=256k none /mnt && exec \"$0\" --exact \"$1\"";
        let Ok(unshared) = Command::new("unshare").args(["-Urm", "true"]).status() else { return };
        if !unshared.success() {
            return; // the system does not permit new namespaces
        }
        let this = std::env::current_exe().unwrap();
        let mut child = Command::new("unshare");
        child.args(["-Urm", "sh", "-c", script]).arg(this).arg(name).env(VARIABLE, "/mnt");
        let output = child.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    #[cfg(target_os = "linux")]
    fn tempfile_in(folder: &std::ffi::OsStr) -> File {
        let path = std::path::Path::new(folder).join("file");
        File::options().read(true).write(true).create_new(true).open(path).unwrap()
    }

    #[test]
    fn sparse_writes_allocate_only_their_own_pages() {
        let file = create().unwrap();
        file.set_len(1 << 42).unwrap();
        write_at(&file, b"far away", 1 << 41).unwrap();
        let mut read = [0; 8];
        read_at(&file, &mut read, 1 << 41).unwrap();
        assert_eq!(&read, b"far away");
        release(&file, 1 << 41, 4096);
        #[cfg(not(portable))]
        assert_eq!(std::os::unix::fs::MetadataExt::blocks(&file.metadata().unwrap()), 0);
    }
}
