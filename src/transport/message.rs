//! Messages of any size: in the environment's slot where they fit, in a part of the file of their own otherwise.
//!
//! Each environment has one slot and one such part in either direction. A message is written by the side that owns the environment's
//! line at that moment, and read by the other after the state has changed; so there is at most one, and nobody waits for room.

use super::block::Block;
use super::shared_file;
use super::spill::{CAN_SPILL, Direction, SPILL, SPILL_BYTES};
use super::{Error, Result};

impl Block {
    fn spill_offset(env: usize, direction: Direction) -> u64 {
        SPILL + (2 * env as u64 + direction as u64) * SPILL_BYTES
    }

    /// Writes a message made of `head` and `body`, one after the other.
    ///
    /// # Errors
    /// `Value` where it is longer than 4 GiB (or than a slot, on systems without sparse files), `System` where memory is short.
    ///
    /// # Safety
    /// The environment belongs to the calling thread, which has its claim.
    pub(super) unsafe fn write_message(&self, env: usize, direction: Direction, head: &[u8], body: &[u8]) -> Result<()> {
        let Some(slot) = self.slot(env, direction, head.len() + body.len()) else {
            return self.spill(env, direction, head, body);
        };
        // SAFETY: the slot has room for all of it, and is the caller's.
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
        let what = || Error::system(format!("a message of {bytes} bytes for environment {env}"));
        shared_file::write_at(self.file(), head, offset).map_err(what())?;
        shared_file::write_at(self.file(), body, offset + head.len() as u64).map_err(what())
    }

    /// Shows a message of that many bytes to `read`. A long one is gone after that.
    ///
    /// # Errors
    /// `State` where the length is none that could have been written, `System` where memory is short.
    ///
    /// # Safety
    /// The environment belongs to the calling thread, which has its claim.
    pub(super) unsafe fn read_message<T>(
        &self,
        env: usize,
        direction: Direction,
        bytes: u64,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T> {
        let short = usize::try_from(bytes).ok().and_then(|bytes| Some((self.slot(env, direction, bytes)?, bytes)));
        if let Some((slot, bytes)) = short {
            // SAFETY: the slot has that many bytes, which nobody writes while the environment is the caller's.
            return Ok(read(unsafe { std::slice::from_raw_parts(slot.as_ptr(), bytes) }));
        }
        self.unspill(env, direction, bytes).map(|message| read(&message))
    }

    #[cold]
    fn unspill(&self, env: usize, direction: Direction, bytes: u64) -> Result<Vec<u8>> {
        let damaged = || Error::State(format!("the message of environment {env} is damaged"));
        let len = usize::try_from(bytes).ok().filter(|_| bytes <= SPILL_BYTES && CAN_SPILL).ok_or_else(damaged)?;
        let what = || format!("a message of {bytes} bytes from environment {env}");
        let mut message = Vec::new();
        message.try_reserve_exact(len).map_err(|_| Error::system(what())(std::io::ErrorKind::OutOfMemory.into()))?;
        message.resize(len, 0);
        let offset = Self::spill_offset(env, direction);
        shared_file::read_at(self.file(), &mut message, offset).map_err(Error::system(what()))?;
        shared_file::release(self.file(), offset, bytes.next_multiple_of(1 << 16));
        Ok(message)
    }
}
