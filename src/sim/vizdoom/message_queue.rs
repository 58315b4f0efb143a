//! Message queue in shared memory with the layout of Boost's `message_queue`, so that the engine can open it.
//!
//! The file contains a process-shared mutex and two condition variables of the C library. The index is a ring buffer that grows
//! downwards. All messages have the same priority, so the queue is first in, first out.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use memmap2::{MmapOptions, MmapRaw};

use super::shared_files::{allocate, shared_memory_path, try_claim};

/// Size of a queue in bytes.
const QUEUE_BYTES: usize = 10_448;
/// Capacity of a queue in messages.
pub const MAX_NUM_MSG: usize = 64;
/// Size of a message in bytes: a code and a zero-terminated string.
const MESSAGE_BYTES: usize = 129;
/// Maximum length of a message's string in bytes.
pub const MAX_TEXT_BYTES: usize = MESSAGE_BYTES - 2;
/// `MSG_CODE_DOOM_DONE`: the engine has processed a message.
pub const MSG_CODE_DOOM_DONE: u8 = 11;
// Byte offset of Boost's header field `SEGMENT_STATE` in the queue's memory; the following constants are the offsets of the
// other header fields, of the index and of the message slots.
const SEGMENT_STATE: usize = 0;
const MP_INDEX: usize = 16;
const M_MAX_NUM_MSG: usize = 24;
const M_MAX_MSG_SIZE: usize = 32;
const M_CUR_NUM_MSG: usize = 40;
const M_MUTEX: usize = 48;
const M_COND_RECV: usize = 88;
const M_COND_SEND: usize = 136;
const M_CUR_FIRST_MSG: usize = 184;
const M_BLOCKED_RECEIVERS: usize = 200;
const INDEX: usize = 208;
const SLOTS: usize = INDEX + 8 * MAX_NUM_MSG;
/// Distance between consecutive message slots in bytes. A slot holds length, priority, message and padding.
const SLOT_BYTES: usize = 152;
const MESSAGE_IN_SLOT: usize = 16;
/// Maximum time to wait for the mutex, which each process normally holds for less than a microsecond. A process that is stopped
/// while it holds the mutex does not release it.
const MAX_LOCK_WAIT: Duration = Duration::from_secs(2);

/// A message to the engine or from the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Message code (`MSG_CODE_*`).
    pub code: u8,
    /// String of the message; empty for most codes.
    pub text: String,
}

/// Error that another process, which is stopped or dead, has held the queue's mutex too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockHeld;

/// Message queue in shared memory that this process has created.
pub struct MessageQueue {
    memory: MmapRaw,
    path: PathBuf,
    /// Process that created the queue's name, and the queue's locked file; `None` once the name has been removed.
    name_owner: Option<(u32, File)>,
}

impl MessageQueue {
    /// Creates a queue.
    ///
    /// # Errors
    /// If shared memory is exhausted or the name already exists.
    pub fn create(name: &str) -> io::Result<Self> {
        let path = shared_memory_path(name);
        let file = loop {
            let file: File = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path)?;
            if try_claim(&file, &path) {
                break file;
            }
        };
        let unlink_on_error = |error| {
            let _already_removed = std::fs::remove_file(&path);
            error
        };
        allocate(&file, 0, QUEUE_BYTES).and_then(|()| file.set_len(QUEUE_BYTES as u64)).map_err(unlink_on_error)?;
        let memory = MmapOptions::new().len(QUEUE_BYTES).map_raw(&file).map_err(unlink_on_error)?;
        let queue = Self { memory, path, name_owner: Some((std::process::id(), file)) };
        queue.initialize();
        Ok(queue)
    }

    /// Opens an existing queue by name.
    #[cfg(test)]
    pub fn open(name: &str) -> Self {
        let path = shared_memory_path(name);
        let file = File::options().read(true).write(true).open(&path).expect("the queue exists");
        let memory = MmapOptions::new().len(QUEUE_BYTES).map_raw(&file).expect("the queue can be mapped");
        Self { memory, path, name_owner: None }
    }

    fn initialize(&self) {
        // SAFETY: `memory` is page-aligned and has the size of the layout. No other process accesses it before `SEGMENT_STATE`
        // is set.
        unsafe {
            let mut mutex: libc::pthread_mutexattr_t = std::mem::zeroed();
            libc::pthread_mutexattr_init(&mut mutex);
            libc::pthread_mutexattr_setpshared(&mut mutex, libc::PTHREAD_PROCESS_SHARED);
            // The mutex is robust, so that the system releases it if its owner dies, because `pthread_cond_timedwait`
            // re-acquires the mutex without a timeout.
            libc::pthread_mutexattr_setrobust(&mut mutex, libc::PTHREAD_MUTEX_ROBUST);
            libc::pthread_mutex_init(self.mutex(), &mutex);
            libc::pthread_mutexattr_destroy(&mut mutex);
            let mut condition: libc::pthread_condattr_t = std::mem::zeroed();
            libc::pthread_condattr_init(&mut condition);
            libc::pthread_condattr_setpshared(&mut condition, libc::PTHREAD_PROCESS_SHARED);
            libc::pthread_cond_init(self.at(M_COND_RECV).cast(), &condition);
            libc::pthread_cond_init(self.at(M_COND_SEND).cast(), &condition);
            libc::pthread_condattr_destroy(&mut condition);
        }
        // Boost's offset pointers are relative to the address of the pointer itself.
        self.set(MP_INDEX, (INDEX - MP_INDEX) as u64);
        self.set(M_MAX_NUM_MSG, MAX_NUM_MSG as u64);
        self.set(M_MAX_MSG_SIZE, MESSAGE_BYTES as u64);
        for entry in 0..MAX_NUM_MSG {
            let at = INDEX + 8 * entry;
            self.set(at, (SLOTS + SLOT_BYTES * entry - at) as u64);
        }
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
        // SAFETY: `SEGMENT_STATE` is an offset within the mapped memory.
        unsafe { self.at(SEGMENT_STATE).cast::<u32>().write_volatile(2) };
    }

    fn at(&self, offset: usize) -> *mut u8 {
        debug_assert!(offset < QUEUE_BYTES);
        // SAFETY: every offset of the layout is within the mapped memory.
        unsafe { self.memory.as_mut_ptr().add(offset) }
    }

    fn get(&self, offset: usize) -> u64 {
        // SAFETY: callers pass 8-byte aligned offsets of the layout, which are within the mapped memory. The access is
        // volatile, because the engine may write at any time.
        unsafe { self.at(offset).cast::<u64>().read_volatile() }
    }

    fn set(&self, offset: usize, value: u64) {
        // SAFETY: callers pass 8-byte aligned offsets of the layout, which are within the mapped memory. The access is
        // volatile, because the engine may read at any time.
        unsafe { self.at(offset).cast::<u64>().write_volatile(value) }
    }

    fn mutex(&self) -> *mut libc::pthread_mutex_t {
        self.at(M_MUTEX).cast()
    }

    fn lock(&self) -> Result<(), LockHeld> {
        let until = to_wall_clock(Instant::now() + MAX_LOCK_WAIT);
        // SAFETY: `initialize` has initialized the queue's mutex.
        match unsafe { libc::pthread_mutex_timedlock(self.mutex(), &until) } {
            0 => Ok(()),
            libc::EOWNERDEAD => {
                // The mutex's previous owner died. Unlocking the mutex without marking it as consistent makes it permanently
                // unusable.
                self.unlock();
                Err(LockHeld)
            }
            _ => Err(LockHeld),
        }
    }

    /// Locks the queue's mutex and never unlocks it, for tests.
    #[cfg(test)]
    pub fn lock_forever(&self) {
        self.lock().expect("the mutex is free");
    }

    fn unlock(&self) {
        // SAFETY: this thread has locked the queue's mutex.
        unsafe { libc::pthread_mutex_unlock(self.mutex()) };
    }

    /// Returns the byte offset of the message slot to which an index entry refers. The result is always a valid offset, even if
    /// the other process has written an invalid entry.
    fn slot(&self, entry: u64) -> usize {
        let at = INDEX + 8 * (entry as usize % MAX_NUM_MSG);
        let slot = at.wrapping_add(self.get(at) as usize);
        let number = slot.wrapping_sub(SLOTS) / SLOT_BYTES;
        SLOTS + SLOT_BYTES * (number % MAX_NUM_MSG)
    }

    /// Returns the number of queued messages.
    pub fn num_messages(&self) -> usize {
        self.get(M_CUR_NUM_MSG) as usize
    }

    /// Appends messages while holding the lock once. Strings are cut to [`MAX_TEXT_BYTES`]. Messages for which the queue has no
    /// slot are dropped, so the queue must be empty before.
    ///
    /// # Errors
    /// `LockHeld` if another process holds the mutex too long.
    pub fn send<'a>(&self, messages: impl IntoIterator<Item = (u8, &'a str)>) -> Result<(), LockHeld> {
        self.lock()?;
        for (code, text) in messages {
            let present = self.get(M_CUR_NUM_MSG);
            if present as usize >= MAX_NUM_MSG {
                break;
            }
            let first = (self.get(M_CUR_FIRST_MSG) % MAX_NUM_MSG as u64 + MAX_NUM_MSG as u64 - 1) % MAX_NUM_MSG as u64;
            self.set(M_CUR_FIRST_MSG, first);
            self.set(M_CUR_NUM_MSG, present + 1);
            let slot = self.slot(first);
            let text = &text.as_bytes()[..text.len().min(MAX_TEXT_BYTES)];
            self.set(slot, MESSAGE_BYTES as u64);
            // SAFETY: `slot` returns the offset of a slot within the mapped memory. This thread holds the queue's lock, so no
            // other thread or process accesses the slot.
            unsafe {
                self.at(slot + 8).cast::<u32>().write_volatile(0);
                let message = self.at(slot + MESSAGE_IN_SLOT);
                message.write_volatile(code);
                std::ptr::copy_nonoverlapping(text.as_ptr(), message.add(1), text.len());
                message.add(1 + text.len()).write_volatile(0);
            }
        }
        let is_awaited = self.get(M_BLOCKED_RECEIVERS) != 0;
        self.unlock();
        if is_awaited {
            // SAFETY: `initialize` has initialized the queue's condition variable `M_COND_RECV`.
            unsafe { libc::pthread_cond_signal(self.at(M_COND_RECV).cast()) };
        }
        Ok(())
    }

    /// Receives all queued messages.
    ///
    /// # Errors
    /// `LockHeld` if another process holds the mutex too long.
    pub fn receive_all(&self, found: &mut Vec<Message>) -> Result<(), LockHeld> {
        if self.num_messages() == 0 {
            return Ok(());
        }
        self.lock()?;
        while let present @ 1.. = self.get(M_CUR_NUM_MSG) {
            let slot = self.slot(self.get(M_CUR_FIRST_MSG) + present - 1);
            // SAFETY: `slot` returns the offset of a slot within the mapped memory. This thread holds the queue's lock, so no
            // other thread or process accesses the slot.
            let bytes = unsafe { self.at(slot + MESSAGE_IN_SLOT).cast::<[u8; MESSAGE_BYTES]>().read_volatile() };
            let text = bytes[1..].split(|byte| *byte == 0).next().unwrap_or_default();
            let text = if bytes[0] == MSG_CODE_DOOM_DONE { String::new() } else { String::from_utf8_lossy(text).into_owned() };
            found.push(Message { code: bytes[0], text });
            self.set(slot, 0);
            self.set(M_CUR_NUM_MSG, present - 1);
        }
        self.unlock();
        Ok(())
    }

    /// Sleeps until `count` messages are queued or the deadline `until` has passed; may return early.
    pub fn wait(&self, count: usize, until: Instant) {
        if self.num_messages() >= count || self.lock().is_err() {
            return;
        }
        let until = to_wall_clock(until);
        self.set(M_BLOCKED_RECEIVERS, 1);
        let mut result = 0;
        while result == 0 && self.num_messages() < count {
            // SAFETY: `initialize` has initialized the queue's mutex and condition variable, and this thread has locked the
            // mutex.
            result = unsafe { libc::pthread_cond_timedwait(self.at(M_COND_RECV).cast(), self.mutex(), &until) };
        }
        self.set(M_BLOCKED_RECEIVERS, 0);
        self.unlock();
    }

    /// Returns the path of the queue's file.
    #[cfg(test)]
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// Removes the name of the queue. Processes that have opened the queue can still use it.
    pub fn unlink_name(&mut self) {
        // The name is removed before the file is closed, because closing the file unlocks it.
        if let Some((process, _file)) = self.name_owner.take()
            && process == std::process::id()
        {
            let _already_removed = std::fs::remove_file(&self.path);
        }
    }
}

impl Drop for MessageQueue {
    fn drop(&mut self) {
        self.unlink_name();
    }
}

// SAFETY: all writes to the queue's memory happen while the process-shared mutex is locked, which also synchronizes the threads
// of this process.
unsafe impl Send for MessageQueue {}

/// Converts a deadline to the realtime clock of the C library's timed waits.
fn to_wall_clock(instant: Instant) -> libc::timespec {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let time = since + instant.saturating_duration_since(Instant::now());
    libc::timespec { tv_sec: time.as_secs() as libc::time_t, tv_nsec: i64::from(time.subsec_nanos()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(name: &str) -> MessageQueue {
        MessageQueue::create(&format!("envpool_rs-queue-{name}-{}", std::process::id())).unwrap()
    }

    fn received(queue: &MessageQueue) -> Vec<(u8, String)> {
        let mut found = Vec::new();
        queue.receive_all(&mut found).unwrap();
        found.into_iter().map(|message| (message.code, message.text)).collect()
    }

    #[test]
    fn messages_arrive_in_order() {
        let queue = queue("order");
        for round in 0..100 {
            let text = format!("map {round}");
            queue.send([(21, ""), (24, text.as_str()), (23, "")]).unwrap();
            assert_eq!(queue.num_messages(), 3);
            assert_eq!(received(&queue), [(21, String::new()), (24, text), (23, String::new())]);
        }
        assert_eq!(received(&queue), []);
    }

    #[test]
    fn long_texts_are_cut_and_excess_messages_dropped() {
        let queue = queue("long");
        let long = "x".repeat(300);
        queue.send([(24, long.as_str())]).unwrap();
        assert_eq!(received(&queue), [(24, "x".repeat(MAX_TEXT_BYTES))]);
        queue.send(std::iter::repeat_n((21, ""), 100)).unwrap();
        assert_eq!(received(&queue).len(), MAX_NUM_MSG);
    }

    #[test]
    fn a_message_wakes_the_receiver() {
        let queue = queue("wait");
        let until = Instant::now() + Duration::from_secs(60);
        std::thread::scope(|scope| {
            // A second mapping of the same memory simulates another process.
            let other = MessageQueue::open(&format!("envpool_rs-queue-wait-{}", std::process::id()));
            scope.spawn(move || (0..3).for_each(|_| other.send([(11, "")]).unwrap()));
            while queue.num_messages() < 3 {
                queue.wait(3, until);
            }
        });
        assert!(Instant::now() < until);
        queue.wait(4, Instant::now() + Duration::from_millis(1));
        assert_eq!(queue.num_messages(), 3);
    }

    #[test]
    fn a_mutex_that_is_never_unlocked_is_an_error() {
        let queue = queue("held");
        queue.lock().unwrap();
        std::thread::scope(|scope| {
            let queue = &queue;
            struct Shared<'a>(&'a MessageQueue);
            // SAFETY: all methods of the queue lock the queue's mutex, so two threads may call them.
            unsafe impl Send for Shared<'_> {}
            let shared = Shared(queue);
            scope.spawn(move || {
                let Shared(queue) = { shared };
                assert_eq!(queue.send([(21, "")]), Err(LockHeld));
            });
        });
        queue.unlock();
    }

    #[test]
    fn an_unlinked_queue_remains_usable() {
        let mut queue = queue("name");
        let path = queue.path.clone();
        assert!(path.exists());
        queue.unlink_name();
        assert!(!path.exists());
        queue.send([(21, "")]).unwrap();
        assert_eq!(queue.num_messages(), 1);
    }
}
