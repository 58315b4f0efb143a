//! Thread that starts ViZDoom engine processes.
//!
//! The kernel kills an engine process when the thread that started it ends (`PR_SET_PDEATHSIG`). Therefore the spawner's thread
//! runs as long as any of its engine processes, and the kernel kills them all when this process ends.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};

use super::shared_files;
use envpool_rs_sync::fork;

/// Job of the spawner thread: a function that starts one engine.
pub type Job = Box<dyn FnOnce() + Send>;

/// Process id of a spawner thread, and the sender of its job queue.
type SpawnerThread = (u32, mpsc::Sender<Job>);

/// Starts engine processes from a dedicated thread, which ends when the last clone of this value is dropped.
#[derive(Clone, Default)]
pub struct Spawner(Arc<Mutex<Option<SpawnerThread>>>);

impl std::fmt::Debug for Spawner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Spawner")
    }
}

impl Spawner {
    /// Queues a job for the spawner's thread, which runs jobs in the order of their submission.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn submit(&self, job: Job) -> io::Result<()> {
        let mut thread = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Threads do not survive a fork, so a forked process starts a new thread.
        if thread.as_ref().is_none_or(|(process, _)| *process != std::process::id()) {
            *thread = Some((std::process::id(), spawn_thread()?));
        }
        let (_, sender) = thread.as_ref().ok_or(io::ErrorKind::NotFound)?;
        sender.send(job).map_err(|_| io::Error::other("the thread that starts engines has ended"))
    }
}

fn spawn_thread() -> io::Result<mpsc::Sender<Job>> {
    let (sender, jobs) = mpsc::channel::<Job>();
    let folder = std::env::temp_dir();
    let named = std::thread::Builder::new().name("vizdoom-spawner".to_owned());
    let work = move || {
        shared_files::remove_orphans();
        remove_orphans(&folder);
        jobs.into_iter().for_each(|job| job());
    };
    fork::without_forks(|| named.spawn(work))?;
    Ok(sender)
}

/// Maximum number of attempts to create a temporary folder. An attempt fails if another process owns the name, or removes the
/// folder before it is locked.
const MAX_ATTEMPTS: u32 = 1000;
/// Prefix of the names of temporary folders.
const FOLDER_PREFIX: &str = "envpool_rs-vizdoom-";

/// Opens a folder without following links or blocking; fails if the path is a pipe or a link.
fn open_folder(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)
}

/// Removes folders in `base` whose owner processes were killed. Runs in the spawner's thread, because a folder may contain any
/// number of files.
fn remove_orphans(base: &Path) {
    let Ok(entries) = fs::read_dir(base) else { return };
    for entry in entries
        .flatten()
        .take(shared_files::MAX_SWEPT_ENTRIES)
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(FOLDER_PREFIX))
    {
        // Folders of other users cannot be opened, so they are not removed.
        if open_folder(&entry.path()).is_ok_and(|folder| shared_files::try_claim_orphan(&folder)) {
            let _already_removed = fs::remove_dir_all(entry.path());
        }
    }
}

/// Temporary folder of this process. The folder is locked while the process lives. Dropping this value removes the folder with
/// its contents.
#[derive(Debug)]
pub struct TempFolder {
    path: PathBuf,
    owner_pid: u32,
    _lock: File,
}

impl TempFolder {
    /// Creates a folder in the system's temporary folder.
    ///
    /// # Errors
    /// If the folder cannot be created.
    #[cfg(test)]
    pub fn new() -> io::Result<Self> {
        Self::new_in(&std::env::temp_dir())
    }

    /// Creates a folder in `base`.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn new_in(base: &Path) -> io::Result<Self> {
        Self::create_with(base, open_folder)
    }

    /// Creates a folder in `base`, then opens it with the function `open` and locks it.
    fn create_with(base: &Path, open: impl Fn(&Path) -> io::Result<File>) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let at_base = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", base.display()));
        for _ in 0..MAX_ATTEMPTS {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = base.join(format!("{FOLDER_PREFIX}{}-{number}", std::process::id()));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(at_base(error)),
            }
            // If another process removes the folder before it is locked, the next name is tried. If the folder cannot be opened
            // for another reason, it is removed.
            match open(&path) {
                Ok(file) if shared_files::try_claim(&file, &path) => {
                    return Ok(Self { path: fs::canonicalize(path)?, owner_pid: std::process::id(), _lock: file });
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let _already_removed = fs::remove_dir(&path);
                    return Err(at_base(error));
                }
            }
            let _already_removed = fs::remove_dir(&path);
        }
        Err(at_base(io::Error::other(format!("none of {MAX_ATTEMPTS} new folders could be locked"))))
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        if self.owner_pid == std::process::id() {
            let _already_removed = fs::remove_dir_all(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_killed_processes_are_removed_and_those_of_live_ones_kept() {
        let living = TempFolder::new().unwrap();
        let left = living.path().with_file_name(format!("{FOLDER_PREFIX}{}-left", std::process::id()));
        fs::create_dir(&left).unwrap();
        fs::write(left.join("file"), "").unwrap();
        remove_orphans(&std::env::temp_dir());
        assert!(living.path().exists() && !left.exists());
    }

    #[test]
    fn pipes_and_links_named_like_folders_do_not_block() {
        let base = TempFolder::new().unwrap();
        let named = |name: &str| base.path().join(format!("{FOLDER_PREFIX}{name}"));
        let pipe = std::ffi::CString::new(named("pipe").into_os_string().into_encoded_bytes()).unwrap();
        // SAFETY: `pipe` is a zero-terminated string that outlives the call.
        assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
        fs::create_dir(base.path().join("linked")).unwrap();
        std::os::unix::fs::symlink(base.path().join("linked"), named("link")).unwrap();
        fs::create_dir(named("left")).unwrap();
        let path = base.path().to_owned();
        let (swept, is_swept) = mpsc::channel();
        std::thread::spawn(move || {
            remove_orphans(&path);
            swept.send(()).unwrap();
        });
        is_swept.recv_timeout(std::time::Duration::from_secs(20)).expect("the sweep does not wait for a reader of the pipe");
        assert!(!named("left").exists() && base.path().join("linked").exists() && named("link").is_symlink());
    }

    #[test]
    fn a_folder_that_cannot_be_opened_is_an_error_and_is_removed() {
        let base = TempFolder::new().unwrap();
        let count = || fs::read_dir(base.path()).unwrap().count();
        let many = TempFolder::create_with(base.path(), |_| Err(io::Error::from_raw_os_error(libc::EMFILE))).unwrap_err();
        assert!(many.to_string().contains("Too many open files"), "{many}");
        assert_eq!(count(), 0);
        // The closure `open` removes the folder in each attempt, as another process might.
        let swept = TempFolder::create_with(base.path(), |path| {
            fs::remove_dir(path)?;
            File::open(path)
        });
        assert!(swept.is_err());
        // The closure `open` locks the folder in each attempt, as another process might.
        let theirs = std::cell::RefCell::new(None);
        let locked = TempFolder::create_with(base.path(), |path| {
            theirs.replace(Some(File::open(path)?)).map_or(Ok(()), |before| before.unlock())?;
            theirs.borrow().as_ref().map_or(Ok(()), File::lock)?;
            File::open(path)
        });
        assert!(locked.is_err());
        assert_eq!(count(), 0);
        assert!(TempFolder::create_with(base.path(), |path| File::open(path)).is_ok());
    }
}
