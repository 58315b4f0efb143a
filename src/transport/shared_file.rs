//! A file that only its descriptors keep alive: memory that several processes map, gone with the last of them however they end.
//!
//! The configuration `portable` builds on Linux what other systems get: `make test-portable`.

use std::fs::File;
use std::io;

use memmap2::{MmapOptions, MmapRaw};

/// A new, empty file without a name.
#[cfg(all(target_os = "linux", not(portable)))]
pub fn create() -> io::Result<File> {
    use std::os::fd::FromRawFd;

    // SAFETY: the name is a C string; the descriptor returned is ours alone.
    unsafe {
        match libc::memfd_create(c"envpool_rs".as_ptr(), libc::MFD_CLOEXEC) {
            -1 => Err(io::Error::last_os_error()),
            descriptor => Ok(File::from_raw_fd(descriptor)),
        }
    }
}

/// A new, empty file without a name (on Windows: one that goes with its last handle).
#[cfg(not(all(target_os = "linux", not(portable))))]
pub fn create() -> io::Result<File> {
    tempfile::tempfile()
}

/// Maps `len` bytes from `offset` on, readable and writable by all who map them.
pub fn map(file: &File, offset: u64, len: usize) -> io::Result<MmapRaw> {
    MmapOptions::new().offset(offset).len(len).map_raw(file)
}

/// Writes all of `bytes` at `offset`, without a common position that threads or processes could fight over.
#[cfg(unix)]
pub fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// Fills `bytes` from `offset` on.
#[cfg(unix)]
pub fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Writes all of `bytes` at `offset`.
#[cfg(windows)]
pub fn write_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        bytes = &bytes[written..];
        offset += written as u64;
    }
    Ok(())
}

/// Fills `bytes` from `offset` on.
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

/// Gives the memory of a part of the file back to the system; where that cannot be done, it stays until the file goes.
pub fn release(file: &File, offset: u64, len: u64) {
    #[cfg(all(target_os = "linux", not(portable)))]
    {
        use std::os::fd::AsRawFd;

        let how = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        // SAFETY: plain numbers; at worst the system says no, which is allowed.
        unsafe { libc::fallocate(file.as_raw_fd(), how, offset as libc::off_t, len as libc::off_t) };
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
        // SAFETY: both lie inside their mappings.
        unsafe {
            one.as_mut_ptr().add(4097).write(7);
            assert_eq!(other.as_mut_ptr().add(1).read(), 7);
        }
    }

    #[test]
    fn what_is_written_far_behind_the_end_takes_only_its_own_memory() {
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
