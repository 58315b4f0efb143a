//! The thread that starts engines. It lives as long as any of them may, because an engine ends with the thread that started it, and so
//! ends with this process, however that ends.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};

use super::queue;

/// What the thread does for an engine.
pub type Work = Box<dyn FnOnce() + Send>;

/// A thread that starts engines: the process that it is in, and how to tell it of work.
type Thread = (u32, mpsc::Sender<Work>);

/// Starts engines, from a thread of its own, which ends with the last clone of this value.
#[derive(Clone, Default)]
pub struct Starter(Arc<Mutex<Option<Thread>>>);

impl std::fmt::Debug for Starter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Starter")
    }
}

impl Starter {
    /// Has the thread do something, in the order in which it was asked.
    ///
    /// # Errors
    /// Where there can be no thread.
    pub fn ask(&self, work: Work) -> io::Result<()> {
        let mut thread = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Threads do not survive a fork.
        if thread.as_ref().is_none_or(|(process, _)| *process != std::process::id()) {
            *thread = Some((std::process::id(), spawn()?));
        }
        let (_, sender) = thread.as_ref().ok_or(io::ErrorKind::NotFound)?;
        sender.send(work).map_err(|_| io::Error::other("the thread that starts engines has ended"))
    }
}

fn spawn() -> io::Result<mpsc::Sender<Work>> {
    let (sender, work) = mpsc::channel::<Work>();
    let folder = std::env::temp_dir();
    let named = std::thread::Builder::new().name("vizdoom-starter".to_owned());
    named.spawn(move || {
        queue::sweep();
        sweep(&folder);
        work.into_iter().for_each(|work| work());
    })?;
    Ok(sender)
}

/// Folders that are tried, of which others may have the names or sweep them away before they are locked.
const TRIES: u32 = 1000;
/// What the names of folders begin with.
const FOLDER: &str = "envpool_rs-vizdoom-";

/// Opens a folder; what has its name and is none, such as a pipe or a link of another user's, is refused at once.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)
}

/// Removes folders in `base` whose processes were killed. A pool does not wait until a folder is swept that has any number of files.
fn sweep(base: &Path) {
    let Ok(entries) = fs::read_dir(base) else { return };
    for entry in entries.flatten().take(queue::SWEPT).filter(|entry| entry.file_name().to_string_lossy().starts_with(FOLDER)) {
        // Other users' cannot be opened.
        if open(&entry.path()).is_ok_and(|folder| queue::is_left(&folder)) {
            let _gone_already = fs::remove_dir_all(entry.path());
        }
    }
}

/// A folder of this process's own, removed with what is in it when dropped. It is locked while its process lives.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    process: u32,
    _locked: File,
}

impl Folder {
    /// A new one, where temporary files are.
    ///
    /// # Errors
    /// Where none can be made there.
    #[cfg(test)]
    pub fn new() -> io::Result<Self> {
        Self::new_in(&std::env::temp_dir())
    }

    /// A new one in another folder.
    ///
    /// # Errors
    /// Where none can be made there.
    pub fn new_in(base: &Path) -> io::Result<Self> {
        Self::within(base, open)
    }

    /// A new one in another folder, opened like that.
    fn within(base: &Path, open: impl Fn(&Path) -> io::Result<File>) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let at_base = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", base.display()));
        for _ in 0..TRIES {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = base.join(format!("{FOLDER}{}-{number}", std::process::id()));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(at_base(error)),
            }
            // It may be swept away before it is locked. What cannot be opened for another reason is not left behind.
            match open(&path) {
                Ok(file) if queue::is_claimed(&file, &path) => {
                    return Ok(Self { path: fs::canonicalize(path)?, process: std::process::id(), _locked: file });
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let _swept_away = fs::remove_dir(&path);
                    return Err(at_base(error));
                }
            }
            let _swept_away = fs::remove_dir(&path);
        }
        Err(at_base(io::Error::other(format!("no folder of {TRIES} that were made could be kept"))))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.process == std::process::id() {
            let _gone_already = fs::remove_dir_all(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_killed_processes_are_swept_away_and_those_of_living_ones_are_not() {
        let living = Folder::new().unwrap();
        let left = living.path().with_file_name(format!("{FOLDER}{}-left", std::process::id()));
        fs::create_dir(&left).unwrap();
        fs::write(left.join("file"), "").unwrap();
        sweep(&std::env::temp_dir());
        assert!(living.path().exists() && !left.exists());
    }

    #[test]
    fn pipes_and_links_with_the_names_of_folders_do_not_hold_up_a_sweep() {
        let base = Folder::new().unwrap();
        let named = |name: &str| base.path().join(format!("{FOLDER}{name}"));
        let pipe = std::ffi::CString::new(named("pipe").into_os_string().into_encoded_bytes()).unwrap();
        // SAFETY: a path that ends with a zero.
        assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
        fs::create_dir(base.path().join("linked")).unwrap();
        std::os::unix::fs::symlink(base.path().join("linked"), named("link")).unwrap();
        fs::create_dir(named("left")).unwrap();
        let path = base.path().to_owned();
        let (swept, is_swept) = mpsc::channel();
        std::thread::spawn(move || {
            sweep(&path);
            swept.send(()).unwrap();
        });
        is_swept.recv_timeout(std::time::Duration::from_secs(20)).expect("the sweep does not wait for a reader of the pipe");
        assert!(!named("left").exists() && base.path().join("linked").exists() && named("link").is_symlink());
    }

    #[test]
    fn a_folder_that_cannot_be_opened_is_an_error_and_not_left_behind() {
        let base = Folder::new().unwrap();
        let count = || fs::read_dir(base.path()).unwrap().count();
        let many = Folder::within(base.path(), |_| Err(io::Error::from_raw_os_error(libc::EMFILE))).unwrap_err();
        assert!(many.to_string().contains("Too many open files"), "{many}");
        assert_eq!(count(), 0);
        // Swept away each time.
        let swept = Folder::within(base.path(), |path| {
            fs::remove_dir(path)?;
            File::open(path)
        });
        assert!(swept.is_err());
        // Locked by somebody else each time.
        let theirs = std::cell::RefCell::new(None);
        let locked = Folder::within(base.path(), |path| {
            theirs.replace(Some(File::open(path)?)).map_or(Ok(()), |before| before.unlock())?;
            theirs.borrow().as_ref().map_or(Ok(()), File::lock)?;
            File::open(path)
        });
        assert!(locked.is_err());
        assert_eq!(count(), 0);
        assert!(Folder::within(base.path(), |path| File::open(path)).is_ok());
    }
}
