//! Bank-switching schemes of cartridges.

use serde::{Deserialize, Serialize};

/// Scheme that maps a cartridge's memory into the 4,096 addresses that the processor reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BankSwitching {
    /// 2,048 bytes, mirrored once.
    TwoK,
    /// 4,096 bytes.
    FourK,
    /// Two banks, switched at 0xff8 and 0xff9.
    F8,
    /// F8 with 128 bytes of RAM.
    F8Sc,
    /// Four banks, switched at 0xff6 to 0xff9.
    F6,
    /// F6 with 128 bytes of RAM.
    F6Sc,
    /// Eight slices of 1,024 bytes, three of which are selectable.
    E0,
    /// Two banks, selected by address bit 13.
    Fe,
    /// F8 with a coprocessor that fetches graphics and plays music.
    Dpc,
}

impl BankSwitching {
    /// Returns the range of addresses (of 4,096) that are read without side effect: start, and end (exclusive).
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
