//! Starts ViZDoom engine processes with `clone(CLONE_VM | CLONE_VFORK)` instead of `fork`.
//!
//! A fork copies the page tables of the process, and later each page that the parent writes to. In a Python process, this takes
//! more than a millisecond per engine. With `clone`, the child shares the parent's memory until it calls `execve`, and the
//! calling thread is suspended until then.

use std::ffi::{CString, OsStr, c_char, c_int, c_void};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;

use rustix::process::{Signal, pidfd_send_signal};

/// Size in bytes of the stack on which the child runs until `execve`.
const STACK_BYTES: usize = 64 << 10;
/// Highest signal number of Linux.
const MAX_SIGNAL: c_int = 64;

/// Program to start, with its arguments and working directory.
pub struct Command {
    /// Path of the program to start.
    pub program: PathBuf,
    /// Program name (`argv[0]`), if it differs from the path of the program.
    pub arg0: Option<PathBuf>,
    /// Arguments of the program after `argv[0]`.
    pub arguments: Vec<String>,
    /// Working directory of the child.
    pub working_folder: PathBuf,
}

/// Child process that runs an engine.
#[derive(Debug)]
pub struct Child {
    pid: libc::pid_t,
    /// File descriptor that refers to the child and never to another process (pidfd); `None` before Linux 5.2.
    pidfd: Option<OwnedFd>,
    status: Option<ExitStatus>,
    /// Whether code outside this module has reaped the child, so that its pid may belong to another process.
    is_reaped_elsewhere: bool,
}

/// Arguments of [`exec_program`], which are allocated before the child exists.
struct ExecArgs {
    program: CString,
    arguments: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    working_folder: CString,
    dev_null: c_int,
    parent_pid: libc::pid_t,
    /// `errno` of the system call that failed in the child; 0 on success.
    error: c_int,
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    Ok(CString::new(text.as_bytes())?)
}

/// Returns pointers to the strings `texts`, followed by a null pointer.
fn null_terminated(texts: &[CString]) -> Vec<*const c_char> {
    texts.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect()
}

/// Opens `/dev/null` with a descriptor above those of the standard streams (0 to 2).
fn open_dev_null() -> io::Result<OwnedFd> {
    let file = File::options().read(true).write(true).open("/dev/null")?;
    // SAFETY: the descriptor `file` is open, and `fcntl` returns a new descriptor or -1.
    let number = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 3) };
    match number {
        -1 => Err(io::Error::last_os_error()),
        // SAFETY: `fcntl` has just created the descriptor, which has no other owner.
        number => Ok(unsafe { OwnedFd::from_raw_fd(number) }),
    }
}

/// Executes the program in the child process. The function makes only system calls, because it shares the parent's memory.
extern "C" fn exec_program(args: *mut c_void) -> c_int {
    // SAFETY: `args` points to the `ExecArgs` on the stack of the parent's thread, which is suspended until the child has
    // called `execve` or has exited.
    let args = unsafe { &mut *args.cast::<ExecArgs>() };
    // SAFETY: the system calls get pointers into `args`, which the parent's thread owns, and into the child's stack. Both
    // outlive the calls.
    unsafe {
        // The kernel kills the child if the thread that started it ends.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // Signal handlers are functions of the parent and would run in the parent's memory. So signals stay blocked until all
        // handlers are reset.
        let mut action: libc::sigaction = std::mem::zeroed();
        for signal in 1..=MAX_SIGNAL {
            if signal != libc::SIGKILL && signal != libc::SIGSTOP {
                action.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(signal, &action, std::ptr::null_mut());
            }
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
        // The child gets its own process group, so that Ctrl-C in the terminal reaches only the parent.
        libc::setpgid(0, 0);
        let is_ready = (0..3).all(|number| libc::dup2(args.dev_null, number) == number)
            && libc::chdir(args.working_folder.as_ptr()) == 0
            && match libc::getppid() == args.parent_pid {
                true => true,
                // The parent process ended before `prctl` took effect. The kernel would never kill this child, so the child
                // exits.
                false => libc::_exit(1),
            };
        if is_ready {
            libc::execve(args.program.as_ptr(), args.arguments.as_ptr(), args.environment.as_ptr());
        }
        args.error = *libc::__errno_location();
        libc::_exit(1)
    }
}

impl Child {
    /// Starts a program. The kernel kills it when the calling thread ends.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(command: &Command) -> io::Result<Self> {
        let name = command.arg0.as_ref().unwrap_or(&command.program);
        let arguments: Vec<CString> = [c_string(name.as_os_str())]
            .into_iter()
            .chain(command.arguments.iter().map(|argument| c_string(OsStr::new(argument))))
            .collect::<io::Result<_>>()?;
        let variable = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            CString::new([name.as_bytes(), b"=", value.as_bytes()].concat()).map_err(io::Error::from)
        };
        let variables: Vec<CString> = std::env::vars_os().map(variable).collect::<io::Result<_>>()?;
        let nothing = open_dev_null()?;
        let mut args = ExecArgs {
            program: c_string(command.program.as_os_str())?,
            arguments: null_terminated(&arguments),
            environment: null_terminated(&variables),
            working_folder: c_string(command.working_folder.as_os_str())?,
            dev_null: nothing.as_raw_fd(),
            parent_pid: std::process::id() as libc::pid_t,
            error: 0,
        };
        // The elements of the stack have 16 bytes, because a stack must be aligned to 16 bytes.
        let mut stack = vec![0_u128; STACK_BYTES / 16];
        let top = stack.as_mut_ptr_range().end;
        // The kernel writes the child's pidfd into this variable, if the kernel supports pidfds.
        let mut handle: c_int = -1;
        // SAFETY: all signals are blocked in this thread while the child shares its memory, so no handler runs in the child.
        // This thread is suspended until the child has its own memory. The stack, `args` and everything that `args` points to
        // outlive the call.
        let process = unsafe {
            let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = (std::mem::zeroed(), std::mem::zeroed());
            libc::sigfillset(&mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
            let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
            let process = libc::clone(exec_program, top.cast(), flags, (&raw mut args).cast(), &raw mut handle);
            let error = io::Error::last_os_error();
            libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
            if process == -1 {
                return Err(error);
            }
            process
        };
        // SAFETY: the kernel has just opened this descriptor for this process, so it has no other owner.
        let handle = (handle >= 0).then(|| unsafe { OwnedFd::from_raw_fd(handle) });
        let mut child = Self { pid: process, pidfd: handle, status: None, is_reaped_elsewhere: false };
        match args.error {
            0 => Ok(child),
            error => {
                let _reaped = child.wait();
                Err(io::Error::from_raw_os_error(error))
            }
        }
    }

    /// Returns the process id of the child.
    pub fn id(&self) -> u32 {
        self.pid as u32
    }

    /// Returns the exit status if the process has ended; does not wait.
    ///
    /// # Errors
    /// If code outside this module has reaped the process.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.wait_for(libc::WNOHANG)
    }

    /// Waits until the process has ended.
    ///
    /// # Errors
    /// If code outside this module has reaped the process.
    pub fn wait(&mut self) -> io::Result<()> {
        self.wait_for(0).map(drop)
    }

    fn wait_for(&mut self, options: c_int) -> io::Result<Option<ExitStatus>> {
        while self.status.is_none() {
            let mut status = 0;
            // SAFETY: `pid` is the id of a child that this module has not reaped. If other code has reaped the child, `waitpid`
            // fails.
            match unsafe { libc::waitpid(self.pid, &mut status, options) } {
                0 => break,
                -1 => match io::Error::last_os_error() {
                    error if error.kind() == io::ErrorKind::Interrupted => {}
                    error => {
                        self.is_reaped_elsewhere |= error.raw_os_error() == Some(libc::ECHILD);
                        return Err(error);
                    }
                },
                _ => self.status = Some(ExitStatus::from_raw(status)),
            }
        }
        Ok(self.status)
    }

    /// Kills the child, unless it is known to have ended.
    ///
    /// # Errors
    /// If the process no longer exists.
    pub fn kill(&self) -> io::Result<()> {
        if self.status.is_some() {
            return Ok(());
        }
        if let Some(handle) = &self.pidfd {
            return Ok(pidfd_send_signal(handle.as_fd(), Signal::KILL)?);
        }
        if self.is_reaped_elsewhere {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        // SAFETY: `pid` is the id of a child that is not known to have been reaped.
        match unsafe { libc::kill(self.pid, libc::SIGKILL) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::spawner::TempFolder;
    use super::*;

    fn command(folder: &TempFolder, program: &str, script: &str) -> Command {
        let arguments = vec!["-c".to_owned(), script.to_owned()];
        Command {
            program: PathBuf::from(program),
            arg0: Some("/a/name".into()),
            arguments,
            working_folder: folder.path().to_owned(),
        }
    }

    #[test]
    fn a_child_process_has_its_arg0_folder_environment_and_default_signals() {
        let folder = TempFolder::new().unwrap();
        // SAFETY: the calls change only the signal mask of this thread, and restore it.
        unsafe {
            let (mut one, mut before): (libc::sigset_t, libc::sigset_t) = (std::mem::zeroed(), std::mem::zeroed());
            libc::sigemptyset(&mut one);
            libc::sigaddset(&mut one, libc::SIGTERM);
            libc::pthread_sigmask(libc::SIG_BLOCK, &one, &mut before);
            let script = "echo $0 \"$PATH\" > out; grep -E 'SigBlk|SigIgn' /proc/self/status >> out; ps -o pgid= -p $$ >> out; echo $$ >> out; exit 7";
            let mut child = Child::start(&command(&folder, "/bin/sh", script)).unwrap();
            libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
            child.wait().unwrap();
            assert_eq!(child.try_wait().unwrap().and_then(|status| status.code()), Some(7));
            assert!(child.kill().is_ok(), "killing an ended child does nothing");
            let out = std::fs::read_to_string(folder.path().join("out")).unwrap();
            let lines: Vec<&str> = out.lines().map(str::trim).collect();
            assert_eq!(lines[0], format!("/a/name {}", std::env::var("PATH").unwrap()));
            assert_eq!(lines[1], "SigBlk:\t0000000000000000");
            // Apart from the signals that the C library itself uses, the child must ignore no signal.
            let ignored = u64::from_str_radix(lines[2].trim_start_matches("SigIgn:\t"), 16).unwrap();
            assert_eq!(ignored & ((1 << 31) - 1), 0, "{out}");
            assert_eq!(lines[4], child.id().to_string());
            assert!(lines[3] == lines[4] || lines[3].is_empty(), "{out}");
        }
    }

    #[test]
    fn a_killed_child_reports_its_signal() {
        let folder = TempFolder::new().unwrap();
        let mut child = Child::start(&command(&folder, "/bin/sh", "sleep 60")).unwrap();
        assert_eq!(child.try_wait().unwrap(), None);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(child.try_wait().unwrap().and_then(|status| status.signal()), Some(libc::SIGKILL));
    }

    #[test]
    fn a_process_with_a_reused_pid_is_not_killed() {
        let folder = TempFolder::new().unwrap();
        for has_handle in [true, false] {
            let mut reaped = Child::start(&command(&folder, "/bin/sh", "exit 3")).unwrap();
            let mut other = Child::start(&command(&folder, "/bin/sh", "sleep 60")).unwrap();
            // SAFETY: `pid` is the id of a child of this process. The call simulates other code that reaps the child.
            assert_eq!(unsafe { libc::waitpid(reaped.pid, std::ptr::null_mut(), 0) }, reaped.pid);
            assert_eq!(reaped.try_wait().unwrap_err().raw_os_error(), Some(libc::ECHILD));
            if !has_handle {
                reaped.pidfd = None;
            }
            reaped.pid = other.pid;
            assert_eq!(reaped.kill().unwrap_err().raw_os_error(), Some(libc::ESRCH));
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert_eq!(other.try_wait().unwrap(), None);
            other.kill().unwrap();
            other.wait().unwrap();
        }
    }

    #[test]
    fn a_program_that_cannot_be_started_is_an_error() {
        let folder = TempFolder::new().unwrap();
        let error = |program: &str, folder: &TempFolder| Child::start(&command(folder, program, "")).unwrap_err().kind();
        assert_eq!(error("/nowhere", &folder), io::ErrorKind::NotFound);
        assert_eq!(error("/etc/passwd", &folder), io::ErrorKind::PermissionDenied);
        assert_eq!(error("/bin/a\0b", &folder), io::ErrorKind::InvalidInput);
        std::fs::remove_dir(folder.path()).unwrap();
        assert_eq!(error("/bin/sh", &folder), io::ErrorKind::NotFound);
    }
}
