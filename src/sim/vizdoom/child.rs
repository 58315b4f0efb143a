//! Engines as child processes, which are made without a copy of this one.
//!
//! A fork copies the tables of all memory that a process has, and has it copy each page that it writes to afterwards. That is more than a
//! millisecond for each engine in a Python process. So a child is made that uses the parent's memory until it is another program; the
//! thread that makes it is held up until then.

use std::ffi::{CString, OsStr, c_char, c_int, c_void};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;

use rustix::process::{Signal, pidfd_send_signal};

/// Bytes of stack of a child that is not yet another program.
const STACK: usize = 64 << 10;
/// Signals that there are.
const SIGNALS: c_int = 64;

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

/// A process that this one has started.
#[derive(Debug)]
pub struct Child {
    process: libc::pid_t,
    /// A handle of the process, which is never another process's; none before Linux 5.2.
    handle: Option<OwnedFd>,
    status: Option<ExitStatus>,
    /// Whether another part of this process has waited for it, so that its number may be another process's.
    is_gone: bool,
}

/// What a child needs to become another program, all of it made before there is the child.
struct Becoming {
    program: CString,
    arguments: Vec<*const c_char>,
    variables: Vec<*const c_char>,
    folder: CString,
    nothing: c_int,
    parent: libc::pid_t,
    /// Why it has not become one.
    error: c_int,
}

fn text(text: &OsStr) -> io::Result<CString> {
    Ok(CString::new(text.as_bytes())?)
}

/// Pointers to these texts, and the one that says that there are no more.
fn pointers(texts: &[CString]) -> Vec<*const c_char> {
    texts.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect()
}

/// A file that takes and gives nothing, whose number is none of the standard ones.
fn nothing() -> io::Result<OwnedFd> {
    let file = File::options().read(true).write(true).open("/dev/null")?;
    // SAFETY: the file is open; what is answered is a number of nobody else's, or -1.
    let number = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 3) };
    match number {
        -1 => Err(io::Error::last_os_error()),
        // SAFETY: it has just been made, and belongs to nobody.
        number => Ok(unsafe { OwnedFd::from_raw_fd(number) }),
    }
}

/// What the child does: system calls alone, for it shares the parent's memory.
extern "C" fn become_program(becoming: *mut c_void) -> c_int {
    // SAFETY: it is a `Becoming` of the thread that waits until this process is another program or has ended.
    let becoming = unsafe { &mut *becoming.cast::<Becoming>() };
    // SAFETY: system calls, whose pointers are to what lives in `becoming` and on this stack.
    unsafe {
        // It ends with the thread that made it.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // Handlers are functions of the parent, and would work in its memory. Signals are blocked until there are none.
        let mut action: libc::sigaction = std::mem::zeroed();
        for signal in 1..=SIGNALS {
            if signal != libc::SIGKILL && signal != libc::SIGSTOP {
                action.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(signal, &action, std::ptr::null_mut());
            }
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
        // An interrupt from the terminal is the parent's to deal with.
        libc::setpgid(0, 0);
        let is_ready = (0..3).all(|number| libc::dup2(becoming.nothing, number) == number)
            && libc::chdir(becoming.folder.as_ptr()) == 0
            && match libc::getppid() == becoming.parent {
                true => true,
                // The parent ended before it could be waited for.
                false => libc::_exit(1),
            };
        if is_ready {
            libc::execve(becoming.program.as_ptr(), becoming.arguments.as_ptr(), becoming.variables.as_ptr());
        }
        becoming.error = *libc::__errno_location();
        libc::_exit(1)
    }
}

impl Child {
    /// Starts a program. It ends with the thread that this is called from.
    ///
    /// # Errors
    /// Where it cannot be started.
    pub fn start(order: &Order) -> io::Result<Self> {
        let name = order.name.as_ref().unwrap_or(&order.program);
        let arguments: Vec<CString> = [text(name.as_os_str())]
            .into_iter()
            .chain(order.arguments.iter().map(|argument| text(OsStr::new(argument))))
            .collect::<io::Result<_>>()?;
        let variable = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            CString::new([name.as_bytes(), b"=", value.as_bytes()].concat()).map_err(io::Error::from)
        };
        let variables: Vec<CString> = std::env::vars_os().map(variable).collect::<io::Result<_>>()?;
        let nothing = nothing()?;
        let mut becoming = Becoming {
            program: text(order.program.as_os_str())?,
            arguments: pointers(&arguments),
            variables: pointers(&variables),
            folder: text(order.folder.as_os_str())?,
            nothing: nothing.as_raw_fd(),
            parent: std::process::id() as libc::pid_t,
            error: 0,
        };
        // Sixteen bytes each, which is what a stack has to begin at a multiple of.
        let mut stack = vec![0_u128; STACK / 16];
        let top = stack.as_mut_ptr_range().end;
        // The system writes the handle's number here, unless it knows of none.
        let mut handle: c_int = -1;
        // SAFETY: signals are blocked in this thread while a child shares its memory, so that none is handled there; the thread is held up
        // until the child has its own; stack, `becoming` and all that it points to live that long.
        let process = unsafe {
            let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = (std::mem::zeroed(), std::mem::zeroed());
            libc::sigfillset(&mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
            let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
            let process = libc::clone(become_program, top.cast(), flags, (&raw mut becoming).cast(), &raw mut handle);
            let error = io::Error::last_os_error();
            libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
            if process == -1 {
                return Err(error);
            }
            process
        };
        // SAFETY: the number is that of a file that has just been opened for this process alone.
        let handle = (handle >= 0).then(|| unsafe { OwnedFd::from_raw_fd(handle) });
        let mut child = Self { process, handle, status: None, is_gone: false };
        match becoming.error {
            0 => Ok(child),
            error => {
                let _ended = child.wait();
                Err(io::Error::from_raw_os_error(error))
            }
        }
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.process as u32
    }

    /// How it has ended, if it has.
    ///
    /// # Errors
    /// Where somebody else has waited for it.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.wait_for(libc::WNOHANG)
    }

    /// How it has ended, once it has.
    ///
    /// # Errors
    /// As [`try_wait`](Self::try_wait).
    pub fn wait(&mut self) -> io::Result<()> {
        self.wait_for(0).map(drop)
    }

    fn wait_for(&mut self, options: c_int) -> io::Result<Option<ExitStatus>> {
        while self.status.is_none() {
            let mut status = 0;
            // SAFETY: the number is that of a child that has not been waited for.
            match unsafe { libc::waitpid(self.process, &mut status, options) } {
                0 => break,
                -1 => match io::Error::last_os_error() {
                    error if error.kind() == io::ErrorKind::Interrupted => {}
                    error => {
                        self.is_gone |= error.raw_os_error() == Some(libc::ECHILD);
                        return Err(error);
                    }
                },
                _ => self.status = Some(ExitStatus::from_raw(status)),
            }
        }
        Ok(self.status)
    }

    /// Ends it, if it has not been seen to have ended.
    ///
    /// # Errors
    /// Where it is gone.
    pub fn kill(&self) -> io::Result<()> {
        if self.status.is_some() {
            return Ok(());
        }
        if let Some(handle) = &self.handle {
            return Ok(pidfd_send_signal(handle.as_fd(), Signal::KILL)?);
        }
        if self.is_gone {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        // SAFETY: the number is that of a child that was not seen to be gone.
        match unsafe { libc::kill(self.process, libc::SIGKILL) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::starter::Folder;
    use super::*;

    fn order(folder: &Folder, program: &str, script: &str) -> Order {
        let arguments = vec!["-c".to_owned(), script.to_owned()];
        Order { program: PathBuf::from(program), name: Some("/a/name".into()), arguments, folder: folder.path().to_owned() }
    }

    #[test]
    fn a_child_has_its_name_its_folder_its_variables_and_nothing_of_ours() {
        let folder = Folder::new().unwrap();
        // SAFETY: this process's own thread, whose mask is set back.
        unsafe {
            let (mut one, mut before): (libc::sigset_t, libc::sigset_t) = (std::mem::zeroed(), std::mem::zeroed());
            libc::sigemptyset(&mut one);
            libc::sigaddset(&mut one, libc::SIGTERM);
            libc::pthread_sigmask(libc::SIG_BLOCK, &one, &mut before);
            let script = "echo $0 \"$PATH\" > out; grep -E 'SigBlk|SigIgn' /proc/self/status >> out; ps -o pgid= -p $$ >> out; echo $$ >> out; exit 7";
            let mut child = Child::start(&order(&folder, "/bin/sh", script)).unwrap();
            libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
            child.wait().unwrap();
            assert_eq!(child.try_wait().unwrap().and_then(|status| status.code()), Some(7));
            assert!(child.kill().is_ok(), "of one that has ended, nothing is done");
            let out = std::fs::read_to_string(folder.path().join("out")).unwrap();
            let lines: Vec<&str> = out.lines().map(str::trim).collect();
            assert_eq!(lines[0], format!("/a/name {}", std::env::var("PATH").unwrap()));
            assert_eq!(lines[1], "SigBlk:\t0000000000000000");
            // Of what is ignored here, only the system library's own signals are there.
            let ignored = u64::from_str_radix(lines[2].trim_start_matches("SigIgn:\t"), 16).unwrap();
            assert_eq!(ignored & ((1 << 31) - 1), 0, "{out}");
            assert_eq!(lines[4], child.id().to_string());
            assert!(lines[3] == lines[4] || lines[3].is_empty(), "{out}");
        }
    }

    #[test]
    fn one_that_is_killed_is_seen_to_be() {
        let folder = Folder::new().unwrap();
        let mut child = Child::start(&order(&folder, "/bin/sh", "sleep 60")).unwrap();
        assert_eq!(child.try_wait().unwrap(), None);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(child.try_wait().unwrap().and_then(|status| status.signal()), Some(libc::SIGKILL));
    }

    #[test]
    fn a_process_that_has_got_the_number_of_one_that_is_gone_is_left_alone() {
        let folder = Folder::new().unwrap();
        for has_handle in [true, false] {
            let mut gone = Child::start(&order(&folder, "/bin/sh", "exit 3")).unwrap();
            let mut other = Child::start(&order(&folder, "/bin/sh", "sleep 60")).unwrap();
            // SAFETY: a child of this process; another part of the program waits for it.
            assert_eq!(unsafe { libc::waitpid(gone.process, std::ptr::null_mut(), 0) }, gone.process);
            assert_eq!(gone.try_wait().unwrap_err().raw_os_error(), Some(libc::ECHILD));
            if !has_handle {
                gone.handle = None;
            }
            gone.process = other.process;
            assert_eq!(gone.kill().unwrap_err().raw_os_error(), Some(libc::ESRCH));
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert_eq!(other.try_wait().unwrap(), None);
            other.kill().unwrap();
            other.wait().unwrap();
        }
    }

    #[test]
    fn what_cannot_be_started_is_an_error() {
        let folder = Folder::new().unwrap();
        let error = |program: &str, folder: &Folder| Child::start(&order(folder, program, "")).unwrap_err().kind();
        assert_eq!(error("/nowhere", &folder), io::ErrorKind::NotFound);
        assert_eq!(error("/etc/passwd", &folder), io::ErrorKind::PermissionDenied);
        assert_eq!(error("/bin/a\0b", &folder), io::ErrorKind::InvalidInput);
        std::fs::remove_dir(folder.path()).unwrap();
        assert_eq!(error("/bin/sh", &folder), io::ErrorKind::NotFound);
    }
}
