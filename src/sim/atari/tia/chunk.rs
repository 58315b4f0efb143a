//! Sixteen pixels at a time: a vector register of bytes, as every x86-64 has it, or an array elsewhere.
//!
//! Left to itself the compiler builds such vectors byte by byte, which takes longer than drawing pixel by pixel.

/// Pixels of a chunk.
pub(super) const CHUNK: usize = 16;
/// A byte for each of them.
pub(super) type Bytes = [u8; CHUNK];

/// Sixteen bytes in a register.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Chunk(core::arch::x86_64::__m128i);

/// Sixteen bytes.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy)]
pub(super) struct Chunk(Bytes);

/// Intrinsics of SSE2.
#[cfg(target_arch = "x86_64")]
macro_rules! sse2 {
    ($call:expr) => {{
        #[allow(clippy::wildcard_imports, reason = "intrinsics name their own origin")]
        use core::arch::x86_64::*;
        // SAFETY: every x86-64 has SSE2, and what is read from and written to memory is an array of sixteen bytes.
        Chunk(unsafe { $call })
    }};
}

#[cfg(target_arch = "x86_64")]
impl Chunk {
    /// The same byte everywhere.
    #[inline(always)]
    pub(super) fn splat(byte: u8) -> Self {
        sse2!(_mm_set1_epi8(byte as i8))
    }

    /// Bytes from memory.
    #[inline(always)]
    pub(super) fn new(bytes: &Bytes) -> Self {
        sse2!(_mm_loadu_si128(bytes.as_ptr().cast()))
    }

    /// To memory.
    #[inline(always)]
    pub(super) fn write(self, bytes: &mut Bytes) {
        // SAFETY: every x86-64 has SSE2, and `bytes` has sixteen of them.
        unsafe { core::arch::x86_64::_mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0) };
    }

    /// The bits of both.
    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        sse2!(_mm_and_si128(self.0, other.0))
    }

    /// All bits set in bytes that are zero, none in others.
    #[inline(always)]
    pub(super) fn is_zero(self) -> Self {
        sse2!(_mm_cmpeq_epi8(self.0, _mm_setzero_si128()))
    }

    /// The highest bit of each byte, the first byte's lowest.
    #[inline(always)]
    pub(super) fn high_bits(self) -> u16 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { core::arch::x86_64::_mm_movemask_epi8(self.0) as u16 }
    }

    /// `ours` where this byte's bits are set, `theirs` where they are not.
    #[inline(always)]
    pub(super) fn select(self, ours: Self, theirs: Self) -> Self {
        sse2!(_mm_or_si128(_mm_and_si128(self.0, ours.0), _mm_andnot_si128(self.0, theirs.0)))
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Chunk {
    fn zip(self, other: Self, both: impl Fn(u8, u8) -> u8) -> Self {
        Self(std::array::from_fn(|i| both(self.0[i], other.0[i])))
    }

    /// The same byte everywhere.
    pub(super) fn splat(byte: u8) -> Self {
        Self([byte; CHUNK])
    }

    /// Bytes from memory.
    pub(super) fn new(bytes: &Bytes) -> Self {
        Self(*bytes)
    }

    /// To memory.
    pub(super) fn write(self, bytes: &mut Bytes) {
        *bytes = self.0;
    }

    /// The bits of both.
    pub(super) fn and(self, other: Self) -> Self {
        self.zip(other, |ours, theirs| ours & theirs)
    }

    /// All bits set in bytes that are zero, none in others.
    pub(super) fn is_zero(self) -> Self {
        Self(self.0.map(|byte| if byte == 0 { 0xff } else { 0 }))
    }

    /// The highest bit of each byte, the first byte's lowest.
    pub(super) fn high_bits(self) -> u16 {
        (0..CHUNK).fold(0, |bits, i| bits | u16::from(self.0[i] >> 7) << i)
    }

    /// `ours` where this byte's bits are set, `theirs` where they are not.
    pub(super) fn select(self, ours: Self, theirs: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & ours.0[i] | !self.0[i] & theirs.0[i]))
    }
}
