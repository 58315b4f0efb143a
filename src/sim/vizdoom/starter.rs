//! Who starts engines: a thread that lives as long as any of them may, because an engine is told to end when the thread ends that
//! started it, and so ends with this process, however that ends.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};

use super::queue;

/// What to start.
pub struct Order {
    /// The program.
    pub program: PathBuf,
    /// What it is told that its name is, if not that.
    pub name: Option<PathBuf>,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it may write.
    pub folder: PathBuf,
}

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
            if let Err(mpsc::SendError(Ok(mut child))) = answer.send(launched(&order)) {
                // Nobody waits for it any more.
                let _ended = child.kill().and_then(|()| child.wait());
            }
        }
    })?;
    Ok(sender)
}

fn launched(order: &Order) -> io::Result<Child> {
    let parent = std::process::id();
    let mut command = Command::new(&order.program);
    command.args(&order.arguments).current_dir(&order.folder);
    if let Some(name) = &order.name {
        command.arg0(name);
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: system calls alone, which may be made between fork and exec.
    unsafe {
        command.pre_exec(move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            // Signals that the parent blocks in its threads are none of the engine's business.
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
            // An interrupt from the terminal is the parent's to deal with.
            libc::setpgid(0, 0);
            match libc::getppid() as u32 == parent {
                true => Ok(()),
                false => Err(io::Error::from_raw_os_error(libc::ESRCH)), // it ended before it could be waited for
            }
        });
    }
    command.spawn()
}

/// What the names of folders begin with.
const FOLDER: &str = "envpool_rs-vizdoom-";

/// Removes folders whose processes were killed.
fn sweep() {
    let Ok(entries) = fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(FOLDER)) {
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
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let base = std::env::temp_dir();
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = base.join(format!("{FOLDER}{}-{number}", std::process::id()));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {
                    // Unless it is swept away before it is locked.
                    if let Ok(file) = File::open(&path)
                        && queue::is_claimed(&file, &path)
                    {
                        return Ok(Self { path: fs::canonicalize(path)?, process: std::process::id(), _locked: file });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(io::Error::new(error.kind(), format!("{}: {error}", base.display()))),
            }
        }
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
}
