//! Files in shared memory: names, ownership by file locks, allocation, and removal of files whose creators no longer live.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::{Errno, retry_on_intr};

/// Base name of the queue with messages to the engine; the following constants are the base names of the queue with messages
/// from the engine and of the state's shared memory. `INSTANCE_PREFIX` is the prefix of the instance ids that this crate
/// creates.
pub const MQ_DOOM_NAME_BASE: &str = "ViZDoomMQDoom";
pub const MQ_CONTROLLER_NAME_BASE: &str = "ViZDoomMQCtr";
pub const SM_NAME_BASE: &str = "ViZDoomSM";
pub const INSTANCE_PREFIX: &str = "envpool";
/// Maximum number of folder entries that one call searches for orphaned files, whose creators no longer live.
pub const MAX_SWEPT_ENTRIES: usize = 4096;

/// Returns the path of the file that backs a POSIX shared memory object.
pub fn shared_memory_path(name: &str) -> PathBuf {
    PathBuf::from("/dev/shm").join(name)
}

/// Locks a file that this process has just created, to mark that its creator lives. The lock is valid in any pid namespace.
/// Returns false if another process has removed the file at `path` or is about to remove it. On file systems without locks, no
/// process removes the files of another process.
pub fn try_claim(file: &File, path: &Path) -> bool {
    let number = |file: io::Result<Metadata>| file.map(|file| file.ino()).ok();
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && number(file.metadata()) == number(path.metadata())
}

/// Locks a file if its creator no longer lives. Returns whether it has locked the file. The lock prevents other processes from
/// claiming the file.
pub fn try_claim_orphan(file: &File) -> bool {
    file.try_lock().is_ok()
}

/// Allocates a range of a file in shared memory.
///
/// Without this allocation, memory is allocated on first access, and SIGBUS ends the process if no memory is left.
///
/// # Errors
/// If memory is exhausted; the error names the folder.
pub fn allocate(file: &File, offset: usize, length: usize) -> io::Result<()> {
    let allocated = retry_on_intr(|| fallocate(file, FallocateFlags::empty(), offset as u64, length as u64));
    match allocated {
        // On file systems without `fallocate`, memory is allocated on first access.
        Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        Err(error) => {
            let error = io::Error::from(error);
            Err(io::Error::new(error.kind(), format!("/dev/shm is too small: {length} bytes cannot be allocated: {error}")))
        }
    }
}

/// Returns the number of free bytes of shared memory; `None` if the number is not known.
pub fn free_bytes() -> Option<u64> {
    let shared = rustix::fs::statvfs(shared_memory_path("")).ok()?;
    Some(shared.f_bavail.saturating_mul(shared.f_frsize))
}

/// Removes the shared memory files of killed processes whose engines had not started yet.
pub fn remove_orphans() {
    let Ok(entries) = std::fs::read_dir(shared_memory_path("")) else { return };
    for entry in entries.flatten().take(MAX_SWEPT_ENTRIES) {
        let name = entry.file_name();
        let id = name.to_str().and_then(|name| name.strip_prefix(MQ_DOOM_NAME_BASE)).filter(|id| id.starts_with(INSTANCE_PREFIX));
        if let Some(id) = id
            && let Ok(file) = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(entry.path())
            && try_claim_orphan(&file)
        {
            // The locked file (`MQ_DOOM_NAME_BASE`) is removed last, because the other two files are found by its name. So if
            // this process is killed in between, a later call of `remove_orphans` still finds and removes all files.
            for name in [SM_NAME_BASE, MQ_CONTROLLER_NAME_BASE, MQ_DOOM_NAME_BASE] {
                let _already_removed = std::fs::remove_file(shared_memory_path(&format!("{name}{id}")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message_queue::MessageQueue;

    #[test]
    fn files_of_dead_processes_are_removed_and_those_of_live_ones_kept() {
        let id = format!("{INSTANCE_PREFIX}{}xtest", std::process::id());
        let living = MessageQueue::create(&format!("{MQ_DOOM_NAME_BASE}{id}l")).unwrap();
        let names =
            [SM_NAME_BASE, MQ_CONTROLLER_NAME_BASE, MQ_DOOM_NAME_BASE].map(|name| shared_memory_path(&format!("{name}{id}d")));
        names.iter().for_each(|name| std::fs::write(name, "left").unwrap());
        remove_orphans();
        assert!(living.path().exists());
        assert!(names.iter().all(|name| !name.exists()));
    }
}
