//! Who starts engines: a thread that lives as long as any of them may, because an engine is told to end when the thread ends that
//! started it, and so ends with this process, however that ends.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};

use super::child::{Child, Order};
use super::queue;

/// A child that has been started, or why not.
pub type Started = mpsc::Receiver<io::Result<Child>>;

type Work = (Order, mpsc::Sender<io::Result<Child>>);

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
    /// Has a program started, in a moment.
    pub fn start(&self, order: Order) -> Started {
        let (answer, started) = mpsc::channel();
        let mut thread = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Threads do not survive a fork.
        if thread.as_ref().is_none_or(|(process, _)| *process != std::process::id()) {
            match spawn() {
                Ok(sender) => *thread = Some((std::process::id(), sender)),
                Err(error) => {
                    let _waited_for = answer.send(Err(error));
                    return started;
                }
            }
        }
        if let Some((_, sender)) = &*thread {
            let _lives = sender.send((order, answer));
        }
        started
    }
}

fn spawn() -> io::Result<mpsc::Sender<Work>> {
    let (sender, work) = mpsc::channel::<Work>();
    queue::sweep();
    sweep();
    let named = std::thread::Builder::new().name("vizdoom-starter".to_owned());
    named.spawn(move || {
        for (order, answer) in work {
            if let Err(mpsc::SendError(Ok(mut child))) = answer.send(Child::start(&order)) {
                // Nobody waits for it any more.
                let _ended = child.kill().and_then(|()| child.wait());
            }
        }
    })?;
    Ok(sender)
}

/// Folders that are tried, of which others may have the names or sweep them away before they are locked.
const TRIES: u32 = 1000;
/// What the names of folders begin with.
const FOLDER: &str = "envpool_rs-vizdoom-";

/// Removes folders whose processes were killed. A pool does not wait until a folder is swept that has any number of files.
fn sweep() {
    let Ok(entries) = fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten().take(queue::SWEPT).filter(|entry| entry.file_name().to_string_lossy().starts_with(FOLDER)) {
        // Other users' cannot be opened.
        if File::open(entry.path()).is_ok_and(|folder| queue::is_left(&folder)) {
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
    pub fn new() -> io::Result<Self> {
        Self::within(&std::env::temp_dir(), |path| File::open(path))
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
        sweep();
        assert!(living.path().exists() && !left.exists());
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
