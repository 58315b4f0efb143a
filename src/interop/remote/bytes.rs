//! Encodes and decodes numbers and byte strings of requests and replies.
//!
//! Values have no padding. Sender and receiver must be builds of the same version on machines of one architecture.

/// Encodes values into a byte buffer.
#[derive(Default)]
pub struct ByteWriter(Vec<u8>);

impl ByteWriter {
    /// Returns all encoded bytes and consumes the writer.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }

    /// Returns the number of encoded bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn number(&mut self, number: u32) {
        self.0.extend(number.to_ne_bytes());
    }

    pub fn number64(&mut self, number: u64) {
        self.0.extend(number.to_ne_bytes());
    }

    /// Appends a list of numbers, preceded by its length.
    pub fn numbers(&mut self, numbers: &[u32]) {
        self.number(numbers.len() as u32);
        append(&mut self.0, numbers, |number| number.to_ne_bytes());
    }

    /// Appends bytes without their count; the receiver must know the count.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Appends a byte string: the number of bytes, then the bytes.
    pub fn block(&mut self, bytes: &[u8]) {
        self.number64(bytes.len() as u64);
        self.raw(bytes);
    }
}

/// Overwrites the start of `to` with the encoded `values`.
pub fn write<T: Copy, const N: usize>(to: &mut [u8], values: &[T], bytes: impl Fn(T) -> [u8; N]) {
    to.as_chunks_mut::<N>().0.iter_mut().zip(values).for_each(|(to, value)| *to = bytes(*value));
}

/// Appends the encoded `values` to `to`.
pub fn append<T: Copy, const N: usize>(to: &mut Vec<u8>, values: &[T], bytes: impl Fn(T) -> [u8; N]) {
    let start = to.len();
    to.resize(start + N * values.len(), 0);
    write(&mut to[start..], values, bytes);
}

/// Decodes values that a [`ByteWriter`] has encoded. Methods return `None` if the bytes are malformed.
pub struct ByteReader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> ByteReader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// Returns the number of bytes that have been decoded so far.
    pub fn position(&self) -> usize {
        self.position
    }

    pub fn is_at_end(&self) -> bool {
        self.position == self.bytes.len()
    }

    pub fn raw(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.position.checked_add(count)?;
        let bytes = self.bytes.get(self.position..end)?;
        self.position = end;
        Some(bytes)
    }

    pub fn number(&mut self) -> Option<u32> {
        self.raw(4)?.try_into().ok().map(u32::from_ne_bytes)
    }

    pub fn number64(&mut self) -> Option<u64> {
        self.raw(8)?.try_into().ok().map(u64::from_ne_bytes)
    }

    pub fn numbers(&mut self) -> Option<Vec<u32>> {
        let count = self.number()? as usize;
        let bytes = self.raw(count.checked_mul(4)?)?;
        Some(bytes.as_chunks::<4>().0.iter().map(|number| u32::from_ne_bytes(*number)).collect())
    }

    pub fn block(&mut self) -> Option<&'a [u8]> {
        let count = usize::try_from(self.number64()?).ok()?;
        self.raw(count)
    }

    pub fn text(&mut self) -> Option<String> {
        self.block().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }
}
