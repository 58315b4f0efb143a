//! Files in shared memory: names, ownership by locks, allocation, and removal of orphaned files.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::{Errno, retry_on_intr};

/// Base names of an engine's queues and shared memory, and the prefix of the instance ids that this crate creates
/// (`INSTANCE_PREFIX`).
pub const MQ_DOOM_NAME_BASE: &str = "ViZDoomMQDoom";
pub const MQ_CONTROLLER_NAME_BASE: &str = "ViZDoomMQCtr";
pub const SM_NAME_BASE: &str = "ViZDoomSM";
pub const INSTANCE_PREFIX: &str = "envpool";
/// Maximum number of folder entries that are inspected for orphaned files.
pub const MAX_SWEPT_ENTRIES: usize = 4096;

/// Returns the path of a POSIX shared memory object.
pub fn shared_memory_path(name: &str) -> PathBuf {
    PathBuf::from("/dev/shm").join(name)
}

/// Locks a file that was just created, as a sign, valid in any pid namespace, that its creator lives. Returns false if another
/// process has removed the file or is about to. On file systems without locks, no process removes another process's files.
pub fn try_claim(file: &File, path: &Path) -> bool {
    let number = |file: io::Result<Metadata>| file.map(|file| file.ino()).ok();
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && number(file.metadata()) == number(path.metadata())
}

/// Locks a file if its creator no longer lives; returns whether it locked the file. The lock also keeps other processes from
/// claiming the file.
pub fn try_claim_orphan(file: &File) -> bool {
    file.try_lock().is_ok()
}

/// Allocates a range of a file in shared memory.
///
/// If a file only has its length set, memory is allocated on first access, and SIGBUS ends the process if no memory is left.
///
/// # Errors
/// Returns an error that names the folder if memory is exhausted.
pub fn allocate(file: &File, offset: usize, length: usize) -> io::Result<()> {
    let allocated = retry_on_intr(|| fallocate(file, FallocateFlags::empty(), offset as u64, length as u64));
    match allocated {
        // File systems without `fallocate` allocate on first access.
        Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        Err(error) => {
            let error = io::Error::from(error);
            Err(io::Error::new(error.kind(), format!("/dev/shm is too small: {length} bytes cannot be allocated: {error}")))
        }
    }
}

/// Returns the number of free bytes of shared memory; `None` if it is not known.
pub fn free_bytes() -> Option<u64> {
    let shared = rustix::fs::statvfs(shared_memory_path("")).ok()?;
    Some(shared.f_bavail.saturating_mul(shared.f_frsize))
}

/// Removes shared memory files of killed processes whose engines had not started yet.
pub fn remove_orphans() {
    let Ok(entries) = std::fs::read_dir(shared_memory_path("")) else { return };
    for entry in entries.flatten().take(MAX_SWEPT_ENTRIES) {
        let name = entry.file_name();
        let id = name.to_str().and_then(|name| name.strip_prefix(MQ_DOOM_NAME_BASE)).filter(|id| id.starts_with(INSTANCE_PREFIX));
        if let Some(id) = id
            && let Ok(file) = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(entry.path())
            && try_claim_orphan(&file)
        {
            // The locked file (`MQ_DOOM_NAME_BASE`) is removed last: its name leads to the two others, so if this process is
            // killed in between, a later sweep still finds and removes them.
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
