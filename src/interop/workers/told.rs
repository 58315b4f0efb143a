//! What a process told beside the numbers of a row, on its way through the engine.

use envpool_rs_engine::Message;
use envpool_rs_transport::flags;

/// What a process told with an answer: what the message is, and the message. It travels as a [`Message`] of the engine's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told<'a> {
    /// As the answer's (`transport::flags`).
    pub flags: u32,
    /// The message itself.
    pub bytes: &'a [u8],
}

impl<'a> Told<'a> {
    /// Answers with one of these have more to tell than their row.
    pub(super) const MORE: u32 = flags::MESSAGE | flags::PLAIN_INFO;

    /// As a message of the engine's.
    #[must_use]
    pub fn message(self) -> Message {
        let mut message = Vec::with_capacity(4 + self.bytes.len());
        message.extend(self.flags.to_ne_bytes());
        message.extend(self.bytes);
        message.into()
    }

    /// What was made a message; `None` for one that is none of these.
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
