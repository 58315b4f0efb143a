//! A queue of messages in shared memory, laid out as Boost's `message_queue` lays it out, so that the engine can open it.
//!
//! The file holds a mutex and two conditions of the C library's, which are shared between processes; the index is a circle that grows
//! downwards. All messages have the same priority: first in, first out.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::{Errno, retry_on_intr};

/// Bytes of a queue.
const LENGTH: usize = 10_448;
/// Messages that fit into it.
pub const MOST: usize = 64;
/// Bytes of a message: a code, and text that ends with a zero.
const MESSAGE: usize = 129;
/// Characters of a message's text.
pub const MOST_TEXT: usize = MESSAGE - 2;
/// The code by which the engine says that it has done what it was asked.
pub const DONE: u8 = 11;

// Where things lie, in bytes from the beginning.
const IS_READY: usize = 0;
const INDEX_AT: usize = 16;
const CAPACITY: usize = 24;
const MESSAGE_SIZE: usize = 32;
const PRESENT: usize = 40;
const MUTEX: usize = 48;
const NOT_EMPTY: usize = 88;
const NOT_FULL: usize = 136;
const FIRST: usize = 184;
const BLOCKED_RECEIVERS: usize = 200;
const INDEX: usize = 208;
const SLOTS: usize = INDEX + 8 * MOST;
/// From one slot to the next: length, priority, the message, and what aligns the next.
const SLOT: usize = 152;
const TEXT_OF_SLOT: usize = 16;

/// How long somebody else may hold the mutex, which he does for less than a microsecond: whoever is stopped with it holds it until he goes on.
const HELD: Duration = Duration::from_secs(2);

/// The names of an engine's queues and memory, and what those begin with that are made here.
pub const TO_ENGINE: &str = "ViZDoomMQDoom";
pub const FROM_ENGINE: &str = "ViZDoomMQCtr";
pub const MEMORY: &str = "ViZDoomSM";
pub const OWN: &str = "envpool";

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// What it is.
    pub code: u8,
    /// What it says.
    pub text: String,
}

/// Somebody who is gone holds the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held;

/// A queue that this process has made.
pub struct Queue {
    memory: MmapRaw,
    path: PathBuf,
    /// The process that has named it, and its file, locked, while it has a name.
    named_by: Option<(u32, File)>,
}

/// A file in shared memory by the name that POSIX's functions know it under.
pub fn shared_file(name: &str) -> PathBuf {
    PathBuf::from("/dev/shm").join(name)
}

/// Locks what has just been made, which says that its maker lives, whichever processes see each other. Not so where it has been swept
/// away before, or is about to be. Where nothing can be locked, nobody sweeps.
pub fn is_claimed(file: &File, path: &Path) -> bool {
    let number = |file: io::Result<Metadata>| file.map(|file| file.ino()).ok();
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && number(file.metadata()) == number(path.metadata())
}

/// Whether nobody who has made it lives; it is locked then, so that nobody else finds the same.
pub fn is_left(file: &File) -> bool {
    file.try_lock().is_ok()
}

/// Takes memory for a part of a file in shared memory. A file that has only a length is given its memory when it is first read or
/// written, and SIGBUS ends the process that does so where there is none left.
///
/// # Errors
/// Where there is no room, naming the folder.
pub fn allocate(file: &File, offset: usize, length: usize) -> io::Result<()> {
    let allocated = retry_on_intr(|| fallocate(file, FallocateFlags::empty(), offset as u64, length as u64));
    match allocated {
        // Where memory cannot be taken beforehand, it is taken as it is used.
        Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        Err(error) => {
            let error = io::Error::from(error);
            Err(io::Error::new(error.kind(), format!("/dev/shm is too small: {length} more bytes do not fit into it: {error}")))
        }
    }
}

/// Bytes that are left in shared memory.
pub fn room() -> Option<u64> {
    let shared = rustix::fs::statvfs(shared_file("")).ok()?;
    Some(shared.f_bavail.saturating_mul(shared.f_frsize))
}

/// Files of a folder that are looked at when it is swept.
pub const SWEPT: usize = 4096;

/// Removes what is left in shared memory of makers of engines that were killed before those had come up.
pub fn sweep() {
    let Ok(entries) = std::fs::read_dir(shared_file("")) else { return };
    for entry in entries.flatten().take(SWEPT) {
        let name = entry.file_name();
        let id = name.to_str().and_then(|name| name.strip_prefix(TO_ENGINE)).filter(|id| id.starts_with(OWN));
        if let Some(id) = id
            && let Ok(file) = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(entry.path())
            && is_left(&file)
        {
            // The one that is locked goes last.
            for name in [MEMORY, FROM_ENGINE, TO_ENGINE] {
                let _gone_already = std::fs::remove_file(shared_file(&format!("{name}{id}")));
            }
        }
    }
}

impl Queue {
    /// A new queue of that name.
    ///
    /// # Errors
    /// Where there is no shared memory left, or the name is taken.
    pub fn create(name: &str) -> io::Result<Self> {
        let path = shared_file(name);
        let file = loop {
            let file: File = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path)?;
            if is_claimed(&file, &path) {
                break file;
            }
        };
        let named = |error| {
            let _gone_already = std::fs::remove_file(&path);
            error
        };
        allocate(&file, 0, LENGTH).and_then(|()| file.set_len(LENGTH as u64)).map_err(named)?;
        let memory = MmapOptions::new().len(LENGTH).map_raw(&file).map_err(named)?;
        let queue = Self { memory, path, named_by: Some((std::process::id(), file)) };
        queue.lay_out();
        Ok(queue)
    }

    /// A queue that somebody else has made.
    #[cfg(test)]
    pub fn open(name: &str) -> Self {
        let path = shared_file(name);
        let file = File::options().read(true).write(true).open(&path).expect("somebody has made it");
        let memory = MmapOptions::new().len(LENGTH).map_raw(&file).expect("it can be mapped");
        Self { memory, path, named_by: None }
    }

    fn lay_out(&self) {
        // SAFETY: the memory is as long as the layout says, aligned to a page, and nobody else has it before `IS_READY`.
        unsafe {
            let mut mutex: libc::pthread_mutexattr_t = std::mem::zeroed();
            libc::pthread_mutexattr_init(&mut mutex);
            libc::pthread_mutexattr_setpshared(&mut mutex, libc::PTHREAD_PROCESS_SHARED);
            // Whoever dies with it gives it up: a condition takes it back without a limit to how long that may last.
            libc::pthread_mutexattr_setrobust(&mut mutex, libc::PTHREAD_MUTEX_ROBUST);
            libc::pthread_mutex_init(self.mutex(), &mutex);
            libc::pthread_mutexattr_destroy(&mut mutex);
            let mut condition: libc::pthread_condattr_t = std::mem::zeroed();
            libc::pthread_condattr_init(&mut condition);
            libc::pthread_condattr_setpshared(&mut condition, libc::PTHREAD_PROCESS_SHARED);
            libc::pthread_cond_init(self.at(NOT_EMPTY).cast(), &condition);
            libc::pthread_cond_init(self.at(NOT_FULL).cast(), &condition);
            libc::pthread_condattr_destroy(&mut condition);
        }
        // Pointers are distances from where they lie themselves.
        self.set(INDEX_AT, (INDEX - INDEX_AT) as u64);
        self.set(CAPACITY, MOST as u64);
        self.set(MESSAGE_SIZE, MESSAGE as u64);
        for entry in 0..MOST {
            let at = INDEX + 8 * entry;
            self.set(at, (SLOTS + SLOT * entry - at) as u64);
        }
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
        // SAFETY: it lies within the memory.
        unsafe { self.at(IS_READY).cast::<u32>().write_volatile(2) };
    }

    fn at(&self, offset: usize) -> *mut u8 {
        debug_assert!(offset < LENGTH);
        // SAFETY: every offset of the layout lies within the memory.
        unsafe { self.memory.as_mut_ptr().add(offset) }
    }

    fn get(&self, offset: usize) -> u64 {
        // SAFETY: within the memory, and aligned; others may write it, too.
        unsafe { self.at(offset).cast::<u64>().read_volatile() }
    }

    fn set(&self, offset: usize, value: u64) {
        // SAFETY: as above.
        unsafe { self.at(offset).cast::<u64>().write_volatile(value) }
    }

    fn mutex(&self) -> *mut libc::pthread_mutex_t {
        self.at(MUTEX).cast()
    }

    fn lock(&self) -> Result<(), Held> {
        let until = wall_clock(Instant::now() + HELD);
        // SAFETY: the mutex has been initialised.
        match unsafe { libc::pthread_mutex_timedlock(self.mutex(), &until) } {
            0 => Ok(()),
            libc::EOWNERDEAD => {
                // Given back as it is, it is nobody's any more.
                self.unlock();
                Err(Held)
            }
            _ => Err(Held),
        }
    }

    /// Locks it, and never lets go.
    #[cfg(test)]
    pub fn hold(&self) {
        self.lock().expect("nobody else holds it");
    }

    fn unlock(&self) {
        // SAFETY: it is locked by this thread.
        unsafe { libc::pthread_mutex_unlock(self.mutex()) };
    }

    /// The slot behind entry `entry` of the index; whatever the other side has made of it, one of the slots.
    fn slot(&self, entry: u64) -> usize {
        let at = INDEX + 8 * (entry as usize % MOST);
        let slot = at.wrapping_add(self.get(at) as usize);
        let number = slot.wrapping_sub(SLOTS) / SLOT;
        SLOTS + SLOT * (number % MOST)
    }

    /// How many messages wait.
    pub fn present(&self) -> usize {
        self.get(PRESENT) as usize
    }

    /// Appends messages, codes with texts of at most [`MOST_TEXT`] characters, all at once. The queue has room for them: it is emptied
    /// before more are sent.
    ///
    /// # Errors
    /// Where whoever holds the queue does not let go of it.
    pub fn send<'a>(&self, messages: impl IntoIterator<Item = (u8, &'a str)>) -> Result<(), Held> {
        self.lock()?;
        for (code, text) in messages {
            let present = self.get(PRESENT);
            if present as usize >= MOST {
                break;
            }
            let first = (self.get(FIRST) % MOST as u64 + MOST as u64 - 1) % MOST as u64;
            self.set(FIRST, first);
            self.set(PRESENT, present + 1);
            let slot = self.slot(first);
            let text = &text.as_bytes()[..text.len().min(MOST_TEXT)];
            self.set(slot, MESSAGE as u64);
            // SAFETY: a slot lies within the memory, and is nobody else's while the queue is locked.
            unsafe {
                self.at(slot + 8).cast::<u32>().write_volatile(0);
                let message = self.at(slot + TEXT_OF_SLOT);
                message.write_volatile(code);
                std::ptr::copy_nonoverlapping(text.as_ptr(), message.add(1), text.len());
                message.add(1 + text.len()).write_volatile(0);
            }
        }
        let is_awaited = self.get(BLOCKED_RECEIVERS) != 0;
        self.unlock();
        if is_awaited {
            // SAFETY: the condition has been initialised.
            unsafe { libc::pthread_cond_signal(self.at(NOT_EMPTY).cast()) };
        }
        Ok(())
    }

    /// Takes all messages that are there.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub fn take_all(&self, found: &mut Vec<Message>) -> Result<(), Held> {
        if self.present() == 0 {
            return Ok(());
        }
        self.lock()?;
        while let present @ 1.. = self.get(PRESENT) {
            let slot = self.slot(self.get(FIRST) + present - 1);
            // SAFETY: a slot lies within the memory, and is nobody else's while the queue is locked.
            let bytes = unsafe { self.at(slot + TEXT_OF_SLOT).cast::<[u8; MESSAGE]>().read_volatile() };
            let text = bytes[1..].split(|byte| *byte == 0).next().unwrap_or_default();
            let text = if bytes[0] == DONE { String::new() } else { String::from_utf8_lossy(text).into_owned() };
            found.push(Message { code: bytes[0], text });
            self.set(slot, 0);
            self.set(PRESENT, present - 1);
        }
        self.unlock();
        Ok(())
    }

    /// Sleeps until `count` messages wait, or `until`, or for no reason.
    pub fn wait(&self, count: usize, until: Instant) {
        if self.present() >= count || self.lock().is_err() {
            return;
        }
        let until = wall_clock(until);
        self.set(BLOCKED_RECEIVERS, 1);
        let mut result = 0;
        while result == 0 && self.present() < count {
            // SAFETY: condition and mutex have been initialised, and the mutex is locked by this thread.
            result = unsafe { libc::pthread_cond_timedwait(self.at(NOT_EMPTY).cast(), self.mutex(), &until) };
        }
        self.set(BLOCKED_RECEIVERS, 0);
        self.unlock();
    }

    /// Takes the name away: whoever has opened it goes on with it, and nobody is left to remove it.
    pub fn unname(&mut self) {
        // The file is closed, and no longer locked, after its name has gone.
        if let Some((process, _file)) = self.named_by.take()
            && process == std::process::id()
        {
            let _gone_already = std::fs::remove_file(&self.path);
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.unname();
    }
}

// SAFETY: everything that is written is under the mutex, which works between processes and so between threads.
unsafe impl Send for Queue {}

/// An instant as the C library's conditions know time.
fn wall_clock(instant: Instant) -> libc::timespec {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let time = since + instant.saturating_duration_since(Instant::now());
    libc::timespec { tv_sec: time.as_secs() as libc::time_t, tv_nsec: i64::from(time.subsec_nanos()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(name: &str) -> Queue {
        Queue::create(&format!("envpool_rs-queue-{name}-{}", std::process::id())).unwrap()
    }

    fn taken(queue: &Queue) -> Vec<(u8, String)> {
        let mut found = Vec::new();
        queue.take_all(&mut found).unwrap();
        found.into_iter().map(|message| (message.code, message.text)).collect()
    }

    #[test]
    fn messages_come_in_the_order_in_which_they_were_sent() {
        let queue = queue("order");
        for round in 0..100 {
            let text = format!("map {round}");
            queue.send([(21, ""), (24, text.as_str()), (23, "")]).unwrap();
            assert_eq!(queue.present(), 3);
            assert_eq!(taken(&queue), [(21, String::new()), (24, text), (23, String::new())]);
        }
        assert_eq!(taken(&queue), []);
    }

    #[test]
    fn texts_are_cut_and_what_does_not_fit_is_dropped() {
        let queue = queue("long");
        let long = "x".repeat(300);
        queue.send([(24, long.as_str())]).unwrap();
        assert_eq!(taken(&queue), [(24, "x".repeat(MOST_TEXT))]);
        queue.send(std::iter::repeat_n((21, ""), 100)).unwrap();
        assert_eq!(taken(&queue).len(), MOST);
    }

    #[test]
    fn whoever_sleeps_is_woken_by_a_message() {
        let queue = queue("wait");
        let until = Instant::now() + Duration::from_secs(60);
        std::thread::scope(|scope| {
            // Another one at the same memory, as another process would be.
            let other = Queue::open(&format!("envpool_rs-queue-wait-{}", std::process::id()));
            scope.spawn(move || (0..3).for_each(|_| other.send([(11, "")]).unwrap()));
            while queue.present() < 3 {
                queue.wait(3, until);
            }
        });
        assert!(Instant::now() < until);
        queue.wait(4, Instant::now() + Duration::from_millis(1));
        assert_eq!(queue.present(), 3);
    }

    #[test]
    fn a_mutex_that_is_never_released_is_an_error() {
        let queue = queue("held");
        queue.lock().unwrap();
        std::thread::scope(|scope| {
            let queue = &queue;
            struct Shared<'a>(&'a Queue);
            // SAFETY: the queue's methods lock it.
            unsafe impl Send for Shared<'_> {}
            let shared = Shared(queue);
            scope.spawn(move || {
                let Shared(queue) = { shared };
                assert_eq!(queue.send([(21, "")]), Err(Held));
            });
        });
        queue.unlock();
    }

    #[test]
    fn a_name_is_gone_when_it_is_taken_away() {
        let mut queue = queue("name");
        let path = queue.path.clone();
        assert!(path.exists());
        queue.unname();
        assert!(!path.exists());
        queue.send([(21, "")]).unwrap();
        assert_eq!(queue.present(), 1);
    }

    #[test]
    fn what_dead_makers_have_left_is_swept_away_and_what_living_ones_have_is_not() {
        let id = format!("{OWN}{}xtest", std::process::id());
        let living = Queue::create(&format!("{TO_ENGINE}{id}l")).unwrap();
        let names = [MEMORY, FROM_ENGINE, TO_ENGINE].map(|name| shared_file(&format!("{name}{id}d")));
        names.iter().for_each(|name| std::fs::write(name, "left").unwrap());
        sweep();
        assert!(living.path.exists());
        assert!(names.iter().all(|name| !name.exists()));
    }
}
