//! Contents of a cartridge's ROM, which the processor and generated code read.

/// Maximum size of a cartridge image in bytes.
pub(super) const MAX_IMAGE_SIZE: usize = 0x4000;
/// Contents of a cartridge's ROM: at most 16,384 bytes, followed by zeros. The size is fixed so that reads need no bounds
/// check.
#[derive(Clone, Debug)]
pub struct RomImage([u8; MAX_IMAGE_SIZE + 4]);

impl RomImage {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let mut image = [0; MAX_IMAGE_SIZE + 4];
        image[..bytes.len()].copy_from_slice(bytes);
        Self(image)
    }

    /// Returns the byte at an offset in the image.
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.0[at % MAX_IMAGE_SIZE]
    }

    /// Returns the four bytes that start at an offset in the image, as a little-endian number.
    #[inline(always)]
    pub(super) fn word(&self, at: usize) -> u32 {
        let at = at % MAX_IMAGE_SIZE;
        u32::from_le_bytes([self.0[at], self.0[at + 1], self.0[at + 2], self.0[at + 3]])
    }

    /// Returns the host address of the byte at an offset, which generated machine code reads.
    pub fn address(&self, at: usize) -> usize {
        self.0[at % MAX_IMAGE_SIZE..].as_ptr() as usize
    }
}
