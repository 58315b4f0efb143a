//! Writes and reads messages of any size: in the environment's slot if they fit, otherwise in a separate range of the file.
//!
//! Each environment has one slot and one such range per direction. The process that owns the environment's control words writes
//! the message, and the receiving process reads it after the request's state has changed. So each slot and range holds at most
//! one message, and no process waits for space.

use super::shared_file;
use super::shm_segment::ShmSegment;
use super::spill::{CAN_SPILL, Direction, SPILL, SPILL_BYTES};
use super::{Error, Result};

impl ShmSegment {
    fn spill_offset(env: usize, direction: Direction) -> u64 {
        SPILL + (2 * env as u64 + direction as u64) * SPILL_BYTES
    }

    /// Writes a message: `head` followed by `body`.
    ///
    /// # Errors
    /// `Value` if the message is longer than 4 GiB (or than a slot, on systems without sparse files), `System` if the system
    /// provides no memory.
    ///
    /// # Safety
    /// The calling thread holds the environment's claim.
    pub(super) unsafe fn write_message(&self, env: usize, direction: Direction, head: &[u8], body: &[u8]) -> Result<()> {
        let Some(slot) = self.slot(env, direction, head.len() + body.len()) else {
            return self.spill(env, direction, head, body);
        };
        // SAFETY: `slot` checked that the message fits, and the caller holds the environment's claim, which excludes other
        // accesses.
        unsafe {
            slot.as_ptr().copy_from_nonoverlapping(head.as_ptr(), head.len());
            slot.as_ptr().add(head.len()).copy_from_nonoverlapping(body.as_ptr(), body.len());
        }
        Ok(())
    }

    #[cold]
    fn spill(&self, env: usize, direction: Direction, head: &[u8], body: &[u8]) -> Result<()> {
        let bytes = head.len() + body.len();
        let room = if CAN_SPILL { SPILL_BYTES } else { self.message_bytes() as u64 };
        if bytes as u64 > room {
            return Err(Error::Value(format!("a message of {bytes} bytes for environment {env}: expected at most {room}")));
        }
        let offset = Self::spill_offset(env, direction);
        let error_context = || Error::system(format!("a message of {bytes} bytes for environment {env}"));
        shared_file::write_at(self.file(), head, offset).map_err(error_context())?;
        shared_file::write_at(self.file(), body, offset + head.len() as u64).map_err(error_context())
    }

    /// Passes a message of `bytes` bytes to `read`. The memory of a long message is released afterwards.
    ///
    /// # Errors
    /// `State` if no message can have this length, `System` if the system provides no memory.
    ///
    /// # Safety
    /// The calling thread holds the environment's claim.
    pub(super) unsafe fn read_message<T>(
        &self,
        env: usize,
        direction: Direction,
        bytes: u64,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T> {
        let short = usize::try_from(bytes).ok().and_then(|bytes| Some((self.slot(env, direction, bytes)?, bytes)));
        if let Some((slot, bytes)) = short {
            // SAFETY: `slot` checked the length, and the caller holds the environment's claim, which excludes writes.
            return Ok(read(unsafe { std::slice::from_raw_parts(slot.as_ptr(), bytes) }));
        }
        self.unspill(env, direction, bytes).map(|message| read(&message))
    }

    #[cold]
    fn unspill(&self, env: usize, direction: Direction, bytes: u64) -> Result<Vec<u8>> {
        let damaged = || Error::State(format!("the message of environment {env} is damaged"));
        let len = usize::try_from(bytes).ok().filter(|_| bytes <= SPILL_BYTES && CAN_SPILL).ok_or_else(damaged)?;
        let error_context = || format!("a message of {bytes} bytes from environment {env}");
        let mut message = Vec::new();
        message.try_reserve_exact(len).map_err(|_| Error::system(error_context())(std::io::ErrorKind::OutOfMemory.into()))?;
        message.resize(len, 0);
        let offset = Self::spill_offset(env, direction);
        shared_file::read_at(self.file(), &mut message, offset).map_err(Error::system(error_context()))?;
        shared_file::release(self.file(), offset, bytes.next_multiple_of(1 << 16));
        Ok(message)
    }
}
