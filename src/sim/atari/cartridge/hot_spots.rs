//! F8 and F6 bank switching: an access to a hot spot (an address near the end of the range) selects a bank of 4,096 bytes.

use super::{BankSwitching, Cartridge};

impl Cartridge {
    /// If the address `offset` (within the cartridge's 4,096 addresses) is a hot spot, switches to the bank that it selects.
    pub(super) fn access_hot_spot(&mut self, offset: u16) {
        let first = if matches!(self.scheme, BankSwitching::F6 | BankSwitching::F6Sc) { 0xff6 } else { 0xff8 };
        if (first..=0xff9).contains(&offset) {
            self.select_bank(u32::from(offset - first));
        }
    }
}
