//! Encodes a worker's message about a row as an engine message.

use envpool_rs_engine::Message;
use envpool_rs_transport::flags;

/// Message of a worker's reply, with the flags that give its meaning. The engine transports it as a [`Message`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told<'a> {
    /// Flags of the reply (`transport::flags`).
    pub flags: u32,
    /// Bytes of the message.
    pub bytes: &'a [u8],
}

impl<'a> Told<'a> {
    /// Replies with one of these flags have a message besides their row.
    pub(super) const MORE: u32 = flags::MESSAGE | flags::PLAIN_INFO;

    /// Encodes flags and bytes as an engine message.
    #[must_use]
    pub fn message(self) -> Message {
        let mut message = Vec::with_capacity(4 + self.bytes.len());
        message.extend(self.flags.to_ne_bytes());
        message.extend(self.bytes);
        message.into()
    }

    /// Decodes an engine message; `None` if it is shorter than the flags.
    #[must_use]
    pub fn of(message: &'a Message) -> Option<Self> {
        let (flags, bytes) = message.bytes().split_first_chunk::<4>()?;
        Some(Self { flags: u32::from_ne_bytes(*flags), bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_arrives() {
        let told = Told { flags: flags::PLAIN_INFO, bytes: b"seven" };
        assert_eq!(Told::of(&told.message()), Some(told));
        assert_eq!(Told::of(&Message::from(vec![1, 2, 3])), None);
    }
}
