//! Memory map of a cartridge for the recompiler: which bytes the processor reads at each program location, as far as this is
//! known before the program runs.

use std::sync::Arc;

use crate::cartridge::{BankSwitching, Cartridge, SEGMENT};
use crate::cpu::{BREAK_VECTOR, LENGTH};
use crate::rom_image::RomImage;

/// Number of pages in the address space, each of 256 program counters.
pub(super) const PAGES: usize = 256;

/// Location in a program: the program counter, all sixteen bits, and the cartridge's view at this program counter.
///
/// A view is the number of the selected bank. For cartridges with slices (E0), it is the number of the slice that contains the
/// program counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GuestPc {
    pub(super) view: u8,
    pub(super) pc: u16,
}

/// Device that responds at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Device {
    /// RAM of the console; the value is the offset of the byte.
    Ram(u8),
    Tia,
    Riot,
    /// Image of the cartridge; the value is the byte.
    Byte(u8),
    /// Image of the cartridge, through a segment to which any slice may be mapped. The values are the segment, and the offset
    /// in the slice.
    Slice(u8, u16),
    /// RAM of the cartridge, through its read port; the value is the offset of the byte.
    CartridgeRam(u8),
    /// Cartridge, at an address where the access has a side effect.
    Cartridge,
}

/// Memory map of a cartridge: image, bank-switching scheme, and the addresses without side effect.
#[derive(Clone, Debug)]
pub(super) struct MemoryMap {
    pub(super) image: Arc<RomImage>,
    pub(super) scheme: BankSwitching,
    /// Range of the 4,096 addresses that are read without side effect: start, and end (exclusive).
    pub(super) side_effect_free: (u16, u16),
}

impl MemoryMap {
    pub(super) fn new(image: Arc<RomImage>, scheme: BankSwitching) -> Self {
        Self { image, scheme, side_effect_free: scheme.side_effect_free() }
    }

    pub(super) fn is_sliced(&self) -> bool {
        self.scheme == BankSwitching::E0
    }

    pub(super) fn has_ram(&self) -> bool {
        matches!(self.scheme, BankSwitching::F8Sc | BankSwitching::F6Sc)
    }

    /// Returns the number of values that [`GuestPc::view`] can have: the number of the cartridge's banks, or of its slices (E0).
    pub(super) fn views(&self) -> usize {
        match self.scheme {
            BankSwitching::TwoK | BankSwitching::FourK | BankSwitching::Fe => 1,
            BankSwitching::F8 | BankSwitching::F8Sc | BankSwitching::Dpc => 2,
            BankSwitching::F6 | BankSwitching::F6Sc => 4,
            BankSwitching::E0 => 8,
        }
    }

    /// Returns whether the cartridge's segments are mapped in a way that its scheme allows. The state of a snapshot may map
    /// segments in other ways.
    pub(super) fn is_regular(&self, cartridge: &Cartridge) -> bool {
        let segments = cartridge.segments();
        let first = segments[0] / (4 * SEGMENT);
        let is_bank = (0..8).all(|i| segments[i] == (4 * first + (i as u32 & 3)) * SEGMENT) && (first as usize) < self.views();
        match self.scheme {
            BankSwitching::TwoK => (0..8).all(|i| segments[i] == (i as u32 & 1) * SEGMENT),
            BankSwitching::Fe => (0..8).all(|i| segments[i] == (i as u32 ^ 4) * SEGMENT),
            BankSwitching::E0 => {
                let is_slice = |start: u32| start.is_multiple_of(SEGMENT) && start < 8 * SEGMENT;
                (0..4).all(|i| segments[i] == segments[i + 4] && is_slice(segments[i])) && segments[3] == 7 * SEGMENT
            }
            _ => is_bank,
        }
    }

    /// Returns the view of a cartridge at a program counter: the number of the selected bank or slice (see [`GuestPc`]).
    /// [`is_regular`](Self::is_regular) must be true for the cartridge.
    pub(super) fn view(&self, cartridge: &Cartridge, pc: u16) -> u8 {
        let segments = cartridge.segments();
        match self.scheme {
            BankSwitching::TwoK | BankSwitching::FourK | BankSwitching::Fe => 0,
            BankSwitching::E0 => (segments[usize::from(pc >> 10 & 3)] / SEGMENT) as u8,
            _ => (segments[0] / (4 * SEGMENT)) as u8,
        }
    }

    fn is_side_effect_free(&self, address: u16) -> bool {
        let offset = address & 0xfff;
        (self.side_effect_free.0..self.side_effect_free.1).contains(&offset)
    }

    /// Returns the image offset of an address if the banks are selected that are known at the program location `at`; `None` if
    /// the offset is not known.
    pub(super) fn image_offset(&self, at: GuestPc, address: u16) -> Option<usize> {
        let (offset, view) = (usize::from(address & 0xfff), usize::from(at.view));
        match self.scheme {
            BankSwitching::TwoK => Some(offset % 0x800),
            BankSwitching::FourK => Some(offset),
            BankSwitching::Fe => Some(offset | usize::from(!address >> 1 & 0x1000)),
            BankSwitching::E0 if offset >= 0xc00 => Some(7 * 0x400 + offset % 0x400),
            BankSwitching::E0 => ((at.pc ^ address) & 0xc00 == 0).then_some(view * 0x400 + offset % 0x400),
            _ => Some(view * 0x1000 + offset),
        }
    }

    /// Returns the device that responds if the instruction at the program location `at` reads an address. The location
    /// determines the selected banks.
    pub(super) fn device(&self, at: GuestPc, address: u16) -> Device {
        if address & 0x1000 == 0 {
            return match address & 0x280 {
                0x80 => Device::Ram(address as u8 & 0x7f),
                0x280 => Device::Riot,
                _ => Device::Tia,
            };
        }
        let offset = address & 0xfff;
        if self.has_ram() && (0x80..0x100).contains(&offset) {
            return Device::CartridgeRam(offset as u8 & 0x7f);
        }
        if !self.is_side_effect_free(address) {
            return Device::Cartridge;
        }
        match self.image_offset(at, address) {
            Some(found) => Device::Byte(self.image.byte(found)),
            None => Device::Slice((offset >> 10) as u8, offset & 0x3ff),
        }
    }

    /// Returns the image offset of `base` and the number of contiguous addresses that start there (at most 256). The program
    /// location `at` determines the selected banks.
    pub(super) fn contiguous_run(&self, at: GuestPc, base: u16) -> Option<(usize, u16)> {
        let known = |address: u16| {
            (address & 0x1000 != 0 && self.is_side_effect_free(address)).then(|| self.image_offset(at, address)).flatten()
        };
        let first = known(base)?;
        let length = (1..256).find(|i| known(base.wrapping_add(*i)) != Some(first + usize::from(*i))).unwrap_or(256);
        Some((first, length))
    }

    /// Returns the bytes of the instruction at a location as a little-endian number; `None` unless all bytes are known and
    /// fetched without side effect.
    pub(super) fn instruction_word(&self, at: GuestPc) -> Option<u32> {
        let byte = |i: u16| {
            let address = at.pc.wrapping_add(i);
            match self.device(at, address) {
                Device::Byte(byte) => Some(u32::from(byte)),
                _ => None,
            }
        };
        let opcode = byte(0)?;
        let length = u16::from(LENGTH[opcode as usize]);
        (1..length).try_fold(opcode, |word, i| Some(word | byte(i)? << (8 * i)))
    }

    /// Returns the address in the vector to which the instruction `BRK` at a location jumps, if it is known.
    pub(super) fn break_vector(&self, at: GuestPc) -> Option<u16> {
        match [BREAK_VECTOR, BREAK_VECTOR + 1].map(|address| self.device(at, address)) {
            [Device::Byte(low), Device::Byte(high)] => Some(u16::from_le_bytes([low, high])),
            _ => None,
        }
    }

    /// Returns the view (number of the selected bank or slice) at the program counter `next`, after the instruction at the
    /// location `at` has accessed `address`. Returns `None` if the view is not known.
    pub(super) fn view_after(&self, at: GuestPc, address: u16, next: u16) -> Option<u8> {
        let offset = address & 0xfff;
        let bank = |first: u16| {
            if (first..=0xff9).contains(&offset) { (offset - first) as u8 } else { at.view }
        };
        match self.scheme {
            BankSwitching::TwoK | BankSwitching::FourK | BankSwitching::Fe => Some(0),
            BankSwitching::F8 | BankSwitching::F8Sc | BankSwitching::Dpc => Some(bank(0xff8)),
            BankSwitching::F6 | BankSwitching::F6Sc => Some(bank(0xff6)),
            BankSwitching::E0 => {
                let segment = next >> 10 & 3;
                let touched = (0xfe0..=0xff7).contains(&offset) && (offset - 0xfe0) >> 3 == segment;
                if touched { Some((offset & 7) as u8) } else { self.view_at(at, next) }
            }
        }
    }

    /// Returns the view at the program counter `pc`: the number of the bank or slice that is mapped there while the banks of
    /// the location `at` are selected. Returns `None` if the view is not known.
    pub(super) fn view_at(&self, at: GuestPc, pc: u16) -> Option<u8> {
        if !self.is_sliced() {
            return Some(at.view);
        }
        match pc >> 10 & 3 {
            3 => Some(7),
            _ => ((at.pc ^ pc) & 0xc00 == 0).then_some(at.view),
        }
    }
}
