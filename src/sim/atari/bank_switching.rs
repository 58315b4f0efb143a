//! Bank-switching schemes of cartridges.

use serde::{Deserialize, Serialize};

/// Scheme that maps a cartridge's memory into the 4,096 addresses that the processor can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BankSwitching {
    /// ROM of 2,048 bytes, which appears twice in the address range.
    TwoK,
    /// ROM of 4,096 bytes, without banks.
    FourK,
    /// Two banks of 4,096 bytes, switched by accesses to 0xff8 and 0xff9.
    F8,
    /// The scheme F8 with 128 bytes of RAM in the cartridge.
    F8Sc,
    /// Four banks of 4,096 bytes, switched by accesses to 0xff6 to 0xff9.
    F6,
    /// The scheme F6 with 128 bytes of RAM in the cartridge.
    F6Sc,
    /// Eight slices of 1,024 bytes of ROM; four of them are mapped to the four segments of the address range. The program
    /// selects the slices of the first three segments.
    E0,
    /// Two banks of 4,096 bytes, selected by address bit 13.
    Fe,
    /// The scheme F8 with a coprocessor that fetches graphics and generates music.
    Dpc,
}

impl BankSwitching {
    /// Returns the addresses that can be read without a side effect, as a range within the cartridge's 4,096 addresses: start,
    /// and end (exclusive).
    pub(super) fn side_effect_free(self) -> (u16, u16) {
        match self {
            Self::TwoK | Self::FourK | Self::Fe => (0, 0x1000),
            Self::F8 => (0, 0xff8),
            Self::F8Sc => (0x100, 0xff8),
            Self::F6 => (0, 0xff6),
            Self::F6Sc => (0x100, 0xff6),
            Self::E0 => (0, 0xfe0),
            Self::Dpc => (0x80, 0xfc0),
        }
    }
}
