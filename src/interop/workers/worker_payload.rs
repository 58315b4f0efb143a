//! Encodes the message in a worker's reply, together with its flags, as a payload of the engine.

use envpool_rs_engine::{Payload, Result};
use envpool_rs_transport::flags;

/// Message in a worker's reply, with the flags that define its meaning. The engine passes it on as a [`Payload`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerPayload<'a> {
    /// Flags of the reply, as defined in `transport::flags`.
    pub flags: u32,
    /// Bytes of the message.
    pub bytes: &'a [u8],
}

impl<'a> WorkerPayload<'a> {
    /// Mask of the flags that mark a reply as containing a message in addition to its row.
    pub(super) const MESSAGE_FLAGS: u32 = flags::MESSAGE | flags::PLAIN_INFO;

    /// Encodes the flags and the message as a payload.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory for the payload.
    pub fn encode(self) -> Result<Payload> {
        Payload::copied(&[&self.flags.to_ne_bytes(), self.bytes])
    }

    /// Decodes a payload. Returns `None` if it is too short to contain the flags.
    #[must_use]
    pub fn decode(message: &'a Payload) -> Option<Self> {
        let (flags, bytes) = message.bytes().split_first_chunk::<4>()?;
        Some(Self { flags: u32::from_ne_bytes(*flags), bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_survive_encoding() {
        let payload = WorkerPayload { flags: flags::PLAIN_INFO, bytes: b"seven" };
        assert_eq!(WorkerPayload::decode(&payload.encode().unwrap()), Some(payload));
        assert_eq!(WorkerPayload::decode(&Payload::from(vec![1, 2, 3])), None);
    }
}
