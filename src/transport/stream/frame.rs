//! Frames of a byte stream: a header with kind and size, then the payload.

use crate::error::{Error, Result};

/// Size of a frame's header: the kind in the first byte, the payload's size in seven bytes, little-endian.
pub const HEADER_BYTES: usize = 8;

/// Maximum size of a payload in bytes: a header with a larger size is malformed.
pub const MAX_PAYLOAD: u64 = 1 << 36;

/// Smallest and largest number of bytes to receive at a time.
const MIN_READ: usize = 1 << 18;
const MAX_READ: usize = 1 << 20;

/// Kind of a frame, which the receiver interprets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum FrameKind {
    /// A request, or the value that replies to it.
    Message = 1,
    /// Reply to a request that failed.
    Failure = 2,
    /// Reply whose value takes another path. Only the receiver's own call continues the sender's work.
    Elsewhere = 3,
}

/// Received frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Kind of the frame.
    pub kind: FrameKind,
    /// Bytes that follow the header.
    pub payload: Vec<u8>,
}

/// Returns the header of a frame.
///
/// # Errors
/// [`Error::Value`] if the payload is too large.
pub(super) fn header(kind: FrameKind, size: usize) -> Result<[u8; HEADER_BYTES]> {
    if size as u64 > MAX_PAYLOAD {
        return Err(Error::Value(format!("a message has {size} bytes: expected at most {MAX_PAYLOAD}")));
    }
    let mut header = (size as u64).to_le_bytes();
    header.rotate_right(1);
    header[0] = kind as u8;
    Ok(header)
}

/// Splits a received byte stream into frames.
///
/// Its memory grows with the received bytes, not with the sizes that headers claim.
#[derive(Debug, Default)]
pub struct FrameParser {
    /// Memory, of which `start..end` are bytes that were received and not returned in a frame yet.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl FrameParser {
    /// Returns memory to receive the next bytes into; [`FrameParser::received`] then reports their number.
    ///
    /// # Errors
    /// [`Error::System`] if there is not enough memory.
    pub fn space(&mut self) -> Result<&mut [u8]> {
        let missing = self.missing().unwrap_or(0).clamp(MIN_READ as u64, MAX_READ as u64) as usize;
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            if self.bytes.len() > MAX_READ {
                self.bytes = Vec::new();
            }
        }
        if self.bytes.len() - self.end < missing && self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        let needed = self.end + missing;
        if self.bytes.len() < needed {
            self.bytes.try_reserve(needed - self.bytes.len()).map_err(|_| no_memory(needed))?;
            self.bytes.resize(needed, 0);
        }
        Ok(&mut self.bytes[self.end..])
    }

    /// Records that the first `count` bytes of [`FrameParser::space`] were received.
    ///
    /// # Panics
    /// If the space has fewer bytes.
    pub fn received(&mut self, count: usize) {
        assert!(count <= self.bytes.len() - self.end, "{count} bytes do not fit the space");
        self.end += count;
    }

    /// Returns the next complete frame; `None` if more bytes must be received first.
    ///
    /// # Errors
    /// [`Error::Value`] for a malformed header; the stream cannot be read further. [`Error::System`] if there is not enough memory.
    pub fn next_frame(&mut self) -> Result<Option<Frame>> {
        let Some((kind, size)) = self.header()? else { return Ok(None) };
        let first = self.start + HEADER_BYTES;
        if ((self.end - first) as u64) < size {
            return Ok(None);
        }
        let payload = &self.bytes[first..first + size as usize];
        let mut copy = Vec::new();
        copy.try_reserve_exact(payload.len()).map_err(|_| no_memory(payload.len()))?;
        copy.extend_from_slice(payload);
        self.start = first + size as usize;
        Ok(Some(Frame { kind, payload: copy }))
    }

    /// Returns the number of bytes that are missing for the next frame.
    fn missing(&self) -> Option<u64> {
        let (_, size) = self.header().ok()??;
        Some((HEADER_BYTES as u64 + size).saturating_sub((self.end - self.start) as u64))
    }

    fn header(&self) -> Result<Option<(FrameKind, u64)>> {
        let Some(header) = self.bytes[self.start..self.end].first_chunk::<HEADER_BYTES>() else { return Ok(None) };
        let kind = match header[0] {
            1 => FrameKind::Message,
            2 => FrameKind::Failure,
            3 => FrameKind::Elsewhere,
            other => return Err(Error::Value(format!("a frame of kind {other} was received: expected 1 to 3"))),
        };
        let size = u64::from_le_bytes(*header) >> 8;
        if size > MAX_PAYLOAD {
            return Err(Error::Value(format!("a frame of {size} bytes was received: expected at most {MAX_PAYLOAD}")));
        }
        Ok(Some((kind, size)))
    }
}

fn no_memory(bytes: usize) -> Error {
    Error::system(format!("no memory for a message of {bytes} bytes"))(std::io::ErrorKind::OutOfMemory.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn feed(parser: &mut FrameParser, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let space = parser.space().unwrap();
            let count = space.len().min(bytes.len());
            space[..count].copy_from_slice(&bytes[..count]);
            parser.received(count);
            bytes = &bytes[count..];
        }
    }

    fn encoded(frames: &[Frame]) -> Vec<u8> {
        frames.iter().flat_map(|each| [&header(each.kind, each.payload.len()).unwrap()[..], &each.payload].concat()).collect()
    }

    fn frames() -> impl Strategy<Value = Vec<Frame>> {
        let kinds = prop_oneof![Just(FrameKind::Message), Just(FrameKind::Failure), Just(FrameKind::Elsewhere)];
        let sizes = prop_oneof![4 => 0..40_usize, 1 => 60_000..140_000_usize];
        let frame = (kinds, sizes, any::<u8>()).prop_map(|(kind, size, byte)| Frame { kind, payload: vec![byte; size] });
        proptest::collection::vec(frame, 0..6)
    }

    proptest! {
        #[test]
        fn frames_do_not_depend_on_how_the_stream_is_split(frames in frames(), size in 1..90_000_usize) {
            let (mut parser, mut got) = (FrameParser::default(), Vec::new());
            for piece in encoded(&frames).chunks(size) {
                feed(&mut parser, piece);
                while let Some(frame) = parser.next_frame().unwrap() {
                    got.push(frame);
                }
            }
            prop_assert_eq!(got, frames);
        }

        #[test]
        fn malformed_streams_are_errors_and_claimed_sizes_take_no_memory(
            bytes in proptest::collection::vec(any::<u8>(), 0..64),
            kind in 0..6_u8,
            is_likely in any::<bool>(),
        ) {
            let mut parser = FrameParser::default();
            let mut bytes = bytes;
            if is_likely && !bytes.is_empty() {
                bytes[0] = kind;
            }
            feed(&mut parser, &bytes);
            while let Ok(Some(_)) = parser.next_frame() {}
            if parser.next_frame().is_ok() {
                _ = parser.space().unwrap();
            }
            prop_assert!(parser.bytes.capacity() <= 4 * MAX_READ);
        }
    }

    #[test]
    fn a_header_with_another_kind_or_a_huge_size_is_malformed() {
        for bad in [
            [0, 1, 0, 0, 0, 0, 0, 0],
            [4, 0, 0, 0, 0, 0, 0, 0],
            [1, 1, 0, 0, 0, 16, 0, 0],
            [1, 255, 255, 255, 255, 255, 255, 255],
        ] {
            let mut parser = FrameParser::default();
            feed(&mut parser, &bad);
            assert!(matches!(parser.next_frame(), Err(Error::Value(_))), "{bad:?}");
        }
    }

    #[test]
    fn memory_of_a_large_frame_is_released() {
        let frame = Frame { kind: FrameKind::Message, payload: vec![7; 5 * MAX_READ] };
        let mut parser = FrameParser::default();
        feed(&mut parser, &encoded(std::slice::from_ref(&frame)));
        assert_eq!(parser.next_frame().unwrap(), Some(frame));
        parser.space().unwrap();
        assert!(parser.bytes.capacity() <= MAX_READ);
    }
}
