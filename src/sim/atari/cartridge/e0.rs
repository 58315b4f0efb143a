//! E0 bank switching: the image has eight slices of 1,024 bytes, of which four are mapped to the four segments of the address
//! range.
//!
//! Any slice can be mapped to each of the first three segments; the last slice is always mapped to the last segment. An access
//! to 0xfe0 to 0xfe7 selects the slice of the first segment. Accesses to 0xfe8 to 0xfef select the slice of the second segment,
//! and accesses to 0xff0 to 0xff7 the slice of the third.

use super::{Cartridge, SEGMENT};

impl Cartridge {
    pub(super) fn reset_slices(&mut self) {
        for segment in 0..4 {
            self.select_slice(segment, segment as u32 + 4);
        }
    }

    fn select_slice(&mut self, segment: usize, slice: u32) {
        self.segments[segment] = slice * SEGMENT;
        self.segments[segment + 4] = slice * SEGMENT;
    }

    /// If the address `offset` (within the cartridge's 4,096 addresses) is a hot spot, maps the slice that it selects.
    pub(super) fn access_slice_hot_spot(&mut self, offset: u16) {
        if let 0xfe0..=0xff7 = offset {
            let hot_spot = offset - 0xfe0;
            self.select_slice(usize::from(hot_spot >> 3), u32::from(hot_spot & 7));
        }
    }
}
