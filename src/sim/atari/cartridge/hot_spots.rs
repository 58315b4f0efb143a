//! F8 and F6: banks of 4,096 bytes, each switched to by touching an address of its own near the end.

use super::{Cartridge, Scheme};

impl Cartridge {
    /// Switches banks if `offset` is a hot spot.
    pub(super) fn touch_hot_spot(&mut self, offset: u16) {
        let first = if matches!(self.scheme, Scheme::F6 | Scheme::F6Sc) { 0xff6 } else { 0xff8 };
        if (first..=0xff9).contains(&offset) {
            self.select_bank(u32::from(offset - first));
        }
    }
}
