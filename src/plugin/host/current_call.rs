//! Records the library's function that each thread is calling in a file, for a process that outlives a crash of the library.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::host::table::TablePath;

/// Number of bytes of each thread's line in the file, which spaces fill up.
const LINE_BYTES: usize = 1024;

/// File of the current calls, if calls are recorded.
static RECORD: OnceLock<File> = OnceLock::new();

thread_local! {
    /// Number of this thread's line, from 1; 0 before the first call.
    static LINE: Cell<u64> = const { Cell::new(0) };
}

/// Records all calls of libraries from now on in the file `path`: a line for each thread that is calling a library.
///
/// # Errors
/// If the file cannot be created.
pub fn record_calls(path: &Path) -> io::Result<()> {
    // A second file is ignored.
    _ = RECORD.set(File::create(path)?);
    Ok(())
}

/// Guard of a call of a library's function. The call is recorded until the guard is dropped.
pub struct CurrentCall(Option<&'static File>);

impl CurrentCall {
    #[inline]
    pub fn enter(path: &TablePath, function: &str) -> Self {
        let record = RECORD.get();
        if let Some(file) = record {
            write_line(file, &format!("{path}: {function}"));
        }
        Self(record)
    }
}

impl Drop for CurrentCall {
    #[inline]
    fn drop(&mut self) {
        if let Some(file) = self.0 {
            write_line(file, "");
        }
    }
}

/// Replaces this thread's line. A line that cannot be written is lost.
#[cold]
fn write_line(file: &File, text: &str) {
    static LINES: AtomicU64 = AtomicU64::new(0);
    if LINE.get() == 0 {
        LINE.set(LINES.fetch_add(1, Ordering::Relaxed) + 1);
    }
    let mut line = vec![b' '; LINE_BYTES];
    let length = text.len().min(LINE_BYTES - 1);
    line[..length].copy_from_slice(&text.as_bytes()[..length]);
    line[LINE_BYTES - 1] = b'\n';
    let start = (LINE.get() - 1) * LINE_BYTES as u64;
    #[cfg(unix)]
    let _written = std::os::unix::fs::FileExt::write_all_at(file, &line, start);
    #[cfg(windows)]
    let _written = std::os::windows::fs::FileExt::seek_write(file, &line, start);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_recorded_until_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("calls");
        record_calls(&file).unwrap();
        let lines = || std::fs::read_to_string(&file).unwrap().lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
        let path = TablePath { library: "long ".repeat(300), task: "Task-v0".into() };
        drop(CurrentCall::enter(&path, "step"));
        assert_eq!(lines(), [""]);
        let path = TablePath { library: "name 1".into(), task: "Task-v0".into() };
        let _call = CurrentCall::enter(&path, "step");
        std::thread::scope(|threads| {
            threads.spawn(|| {
                let _other = CurrentCall::enter(&path, "reset");
                assert_eq!(lines(), [format!("{path}: step"), format!("{path}: reset")]);
            });
        });
        assert_eq!(lines(), [format!("{path}: step"), String::new()]);
    }
}
