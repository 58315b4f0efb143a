//! A thread that appends chunks of a recording to its file, without the interpreter's lock.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use envpool_rs_engine::fork;
use pyo3::prelude::*;

/// Time between two checks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// Last byte of a chunk in the file, which is no zero: a power failure may leave zeros instead of a chunk's end.
const END: u8 = b'\n';

/// Part of a recording: sections of bytes.
#[derive(Default)]
pub struct Chunk {
    pub sections: Vec<Vec<u8>>,
}

impl Chunk {
    pub fn new(sections: usize) -> Self {
        Self { sections: vec![Vec::new(); sections] }
    }

    pub fn bytes(&self) -> usize {
        self.sections.iter().map(Vec::len).sum()
    }

    /// Writes the length of the sections and of their lengths, with its CRC-32; each section after its length; the CRC-32 of
    /// these; and [`END`]. A reader finds by the first CRC whether the length is right, and by the second whether the chunk is.
    fn write(&self, file: &mut File) -> io::Result<()> {
        let length = |bytes: usize| (bytes as u64).to_le_bytes();
        let mut start = length(self.bytes() + size_of::<u64>() * self.sections.len()).to_vec();
        start.extend(crc32fast::hash(&start).to_le_bytes());
        let mut checksum = crc32fast::Hasher::new();
        for section in &self.sections {
            let own = length(section.len());
            checksum.update(&own);
            checksum.update(section);
            start.extend(own);
            file.write_all(&start)?;
            file.write_all(section)?;
            start.clear();
        }
        let [a, b, c, d] = checksum.finalize().to_le_bytes();
        file.write_all(&[a, b, c, d, END])
    }
}

/// Chunks on their way to the file.
#[derive(Default)]
struct Queue {
    full: VecDeque<Chunk>,
    free: Vec<Chunk>,
    /// Bytes of the chunks that are not written yet.
    bytes: usize,
    error: Option<io::Error>,
    is_closed: bool,
    /// Whether the thread has ended.
    is_over: bool,
}

/// Queue of chunks, and the thread that writes them.
pub struct ChunkWriter {
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl ChunkWriter {
    pub fn new() -> Self {
        Self { queue: Mutex::default(), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the thread, which appends to `file` until [`ChunkWriter::close`].
    ///
    /// # Errors
    /// The system's error if no thread can be started.
    pub fn start(self: &Arc<Self>, file: File) -> io::Result<()> {
        let own = Arc::clone(self);
        let thread = thread::Builder::new().name("envpool_rs record".into());
        fork::without_forks(|| thread.spawn(move || own.write_all(file))).map(drop)
    }

    fn write_all(&self, mut file: File) {
        let mut queue = self.lock();
        loop {
            let Some(mut chunk) = queue.full.pop_front() else {
                if queue.is_closed {
                    break;
                }
                queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let has_failed = queue.error.is_some();
            drop(queue);
            let written = if has_failed { Ok(()) } else { chunk.write(&mut file) };
            let bytes = chunk.bytes();
            chunk.sections.iter_mut().for_each(Vec::clear);
            queue = self.lock();
            queue.bytes -= bytes;
            queue.free.push(chunk);
            if let Err(error) = written {
                queue.error = Some(error);
            }
            self.changed.notify_all();
        }
        queue.is_over = true;
        self.changed.notify_all();
    }

    /// Takes a full chunk, and returns an empty one.
    pub fn exchange(&self, full: Chunk) -> Chunk {
        let mut queue = self.lock();
        let free = queue.free.pop().unwrap_or_else(|| Chunk::new(full.sections.len()));
        queue.bytes += full.bytes();
        queue.full.push_back(full);
        drop(queue);
        self.changed.notify_all();
        free
    }

    /// Waits until at most `bytes` bytes are not written yet, without the interpreter's lock. Returns whether writing has failed.
    ///
    /// # Errors
    /// The exception of a signal handler.
    pub fn wait_for(&self, py: Python<'_>, bytes: usize) -> PyResult<bool> {
        self.wait_while(py, |queue| queue.bytes > bytes && queue.error.is_none())?;
        Ok(self.lock().error.is_some())
    }

    /// Ends the thread after it has written all chunks.
    ///
    /// # Errors
    /// The file's error; the exception of a signal handler, after which another call continues to wait.
    pub fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.lock().is_closed = true;
        self.changed.notify_all();
        self.wait_while(py, |queue| !queue.is_over)?;
        let error = self.lock().error.take();
        error.map_or(Ok(()), |error| Err(error.into()))
    }

    fn wait_while(&self, py: Python<'_>, is_waiting: impl Fn(&Queue) -> bool + Sync) -> PyResult<()> {
        let wait = || {
            let waited = self.changed.wait_timeout_while(self.lock(), SIGNAL_INTERVAL, |queue| is_waiting(queue));
            waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
        };
        if is_waiting(&self.lock()) {
            while py.detach(wait) {
                py.check_signals()?;
            }
        }
        Ok(())
    }
}
