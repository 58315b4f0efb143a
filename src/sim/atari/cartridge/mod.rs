//! Cartridges: 4,096 addresses that bank switching maps to at most 16,384 bytes.
//!
//! # Adding a scheme
//! 1. A file in `cartridge/` with its banks, hot spots and memory, as functions of [`Cartridge`].
//! 2. A variant of [`BankSwitching`], and a line in each `match` below.
//!
//! Most reads have no side effect: they read the image through a [`Window`], a range of addresses that is contiguous in the
//! image. The range of addresses without side effects is stored as data (`side_effect_free_start`, `side_effect_free_end`). So
//! the processor fetches most instructions without calling the scheme's functions.

mod dpc;
mod e0;
mod hot_spots;

use std::mem::offset_of;

use serde::{Deserialize, Serialize};

use self::dpc::Dpc;
pub use super::bank_switching::BankSwitching;
use super::rom_image::{MAX_IMAGE_SIZE, RomImage};
use envpool_rs_numeric::random::Mt19937;

/// Number of bytes that the processor fetches at a time, which is enough for any instruction.
const WORD: u16 = 4;
/// Number of bytes of RAM in cartridges that have RAM.
const RAM_SIZE: usize = 128;
/// Size in bytes of a segment, a quarter of the cartridge's address range.
pub(super) const SEGMENT: u32 = 0x400;

/// Range of addresses that is contiguous in the cartridge's image and can be read without a side effect.
#[derive(Clone, Copy, Debug, Default)]
pub struct Window {
    start: u16,
    length: u16,
    /// Offset in the image of the range's first address.
    base: u32,
}

impl Window {
    /// Returns whether the address and the three addresses after it are within this range, which is contiguous in the image.
    #[inline(always)]
    pub fn contains(&self, address: u16) -> bool {
        address.wrapping_sub(self.start) < self.length
    }

    /// Returns the offset in the image of an address that is within this range.
    #[inline(always)]
    pub fn image_offset(&self, address: u16) -> usize {
        self.base as usize + usize::from(address.wrapping_sub(self.start))
    }
}

/// Bank-switching state and RAM of a cartridge.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cartridge {
    scheme: BankSwitching,
    /// Image offset of each segment of 1,024 addresses: four segments for addresses with bit 13 clear, and four with bit 13
    /// set.
    segments: [u32; 8],
    /// First of the addresses that are read without side effect, within the 4,096 addresses of the cartridge.
    side_effect_free_start: u16,
    /// End (exclusive) of the addresses that are read without side effect, within the 4,096 addresses of the cartridge.
    side_effect_free_end: u16,
    #[serde(with = "super::bytes")]
    ram: [u8; RAM_SIZE],
    dpc: Option<Box<Dpc>>,
}

impl Cartridge {
    pub(super) fn new(scheme: BankSwitching) -> Self {
        let (plain_from, plain_to) = scheme.side_effect_free();
        let dpc = (scheme == BankSwitching::Dpc).then(Box::default);
        Self {
            scheme,
            segments: [0; 8],
            side_effect_free_start: plain_from,
            side_effect_free_end: plain_to,
            ram: [0; RAM_SIZE],
            dpc,
        }
    }

    /// Selects the banks that are active at power-on, and fills the cartridge's RAM with random bytes.
    pub(super) fn reset(&mut self, power_on: &mut Mt19937) {
        match self.scheme {
            BankSwitching::TwoK => self.segments = std::array::from_fn(|i| (i as u32 & 1) * SEGMENT),
            BankSwitching::FourK | BankSwitching::F6 | BankSwitching::F6Sc => self.select_bank(0),
            BankSwitching::F8 | BankSwitching::F8Sc | BankSwitching::Dpc => self.select_bank(1),
            BankSwitching::E0 => self.reset_slices(),
            BankSwitching::Fe => self.segments = std::array::from_fn(|i| (i as u32 ^ 4) * SEGMENT),
        }
        if matches!(self.scheme, BankSwitching::F8Sc | BankSwitching::F6Sc) {
            self.ram = std::array::from_fn(|_| power_on.next_u32() as u8);
        }
        if let Some(dpc) = &mut self.dpc {
            dpc.reset();
        }
    }

    /// Offset of `segments` in this struct, for generated machine code that reads and writes it.
    pub const SEGMENTS_OFFSET: usize = offset_of!(Self, segments);
    /// Offset of `ram` in this struct, for generated machine code that reads and writes it.
    pub const RAM_OFFSET: usize = offset_of!(Self, ram);

    /// Returns the cartridge's bank-switching scheme.
    pub fn scheme(&self) -> BankSwitching {
        self.scheme
    }

    /// Returns the image offset of each segment.
    pub fn segments(&self) -> &[u32; 8] {
        &self.segments
    }

    /// Returns the cartridge's RAM.
    pub(super) fn ram(&self) -> &[u8; RAM_SIZE] {
        &self.ram
    }

    /// Returns whether a deserialized cartridge state fits this cartridge: it has the same bank-switching scheme, and its
    /// segments are within the image.
    pub(super) fn is_compatible(&self, other: &Self) -> bool {
        let kind = |of: &Self| (of.scheme, of.side_effect_free_start, of.side_effect_free_end, of.dpc.is_some());
        kind(self) == kind(other) && other.segments.iter().all(|start| *start < MAX_IMAGE_SIZE as u32)
    }

    fn select_bank(&mut self, bank: u32) {
        self.segments = std::array::from_fn(|i| (bank * 4 + (i as u32 & 3)) * SEGMENT);
    }

    pub(super) fn rebase(&mut self, cycles: u32) {
        if let Some(dpc) = &mut self.dpc {
            dpc.rebase(cycles);
        }
    }

    /// Returns the image offset of the byte at `address`; `None` if reading the byte has a side effect.
    #[inline(always)]
    pub(super) fn side_effect_free_offset(&self, address: u16) -> Option<usize> {
        let offset = address & 0xfff;
        (offset.wrapping_sub(self.side_effect_free_start) < self.side_effect_free_end - self.side_effect_free_start)
            .then(|| self.image_offset(address))
    }

    /// Returns the window around `address`: a range of addresses that is contiguous in the image and is read without side
    /// effect.
    ///
    /// The three bytes after each address of the range are also contiguous, and reading them has no side effect. Returns an
    /// empty window if reading `address` has a side effect.
    pub(super) fn window(&self, address: u16) -> Window {
        let half = address & 0xf000;
        let of = |segment: u16| self.segments[usize::from((segment | address >> 11 & 4) & 7)];
        let segment = address >> 10 & 3;
        let is_run = |lower: u16| of(lower) + SEGMENT == of(lower + 1);
        let first = (0..segment).rev().take_while(|lower| is_run(*lower)).last().unwrap_or(segment);
        let last = (segment..3).take_while(|lower| is_run(*lower)).last().map_or(segment, |lower| lower + 1);
        let from = (first * SEGMENT as u16).max(self.side_effect_free_start);
        let to = ((last + 1) * SEGMENT as u16).min(self.side_effect_free_end).saturating_sub(WORD - 1);
        if address & 0x1000 == 0 || from >= to {
            return Window::default();
        }
        Window { start: half + from, length: to - from, base: of(first) + u32::from(from - first * SEGMENT as u16) }
    }

    #[inline(always)]
    fn image_offset(&self, address: u16) -> usize {
        let segment = address >> 10 & 3 | address >> 11 & 4;
        self.segments[usize::from(segment & 7)] as usize + usize::from(address & 0x3ff)
    }

    /// Reads the byte at an address of the cartridge, and applies the read's side effects, such as bank switching.
    pub(super) fn peek(&mut self, address: u16, cycles: u32, image: &RomImage) -> u8 {
        let offset = address & 0xfff;
        match self.scheme {
            BankSwitching::TwoK | BankSwitching::FourK | BankSwitching::Fe => (),
            BankSwitching::F8 | BankSwitching::F6 => self.access_hot_spot(offset),
            BankSwitching::F8Sc | BankSwitching::F6Sc => {
                // The lower 128 addresses are the RAM's write port. A read from the write port returns the image's byte and
                // does not change RAM.
                if let 0x80..0x100 = offset {
                    return self.ram[usize::from(offset & 0x7f)];
                }
                self.access_hot_spot(offset);
            }
            BankSwitching::E0 => self.access_slice_hot_spot(offset),
            BankSwitching::Dpc => {
                if let Some(dpc) = &mut self.dpc {
                    dpc.clock_random();
                    if offset < 0x40 {
                        return dpc.peek(offset, cycles, image);
                    }
                }
                self.access_hot_spot(offset);
            }
        }
        image.byte(self.image_offset(address))
    }

    pub(super) fn poke(&mut self, address: u16, value: u8, cycles: u32) {
        let offset = address & 0xfff;
        match self.scheme {
            BankSwitching::TwoK | BankSwitching::FourK | BankSwitching::Fe => (),
            BankSwitching::F8 | BankSwitching::F6 => self.access_hot_spot(offset),
            BankSwitching::F8Sc | BankSwitching::F6Sc => {
                if offset < 0x80 {
                    self.ram[usize::from(offset)] = value;
                }
                self.access_hot_spot(offset);
            }
            BankSwitching::E0 => self.access_slice_hot_spot(offset),
            BankSwitching::Dpc => {
                if let Some(dpc) = &mut self.dpc {
                    dpc.clock_random();
                    if let 0x40..0x80 = offset {
                        dpc.poke(offset, value, cycles);
                    }
                }
                self.access_hot_spot(offset);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BankSwitching, Cartridge};
    use crate::machine::Machine;
    use crate::testing::{inserted, with_vector};

    /// Returns a machine with a cartridge image of `size` bytes. Each piece of `piece` bytes is filled with its index.
    fn numbered(scheme: BankSwitching, size: usize, piece: usize) -> Machine {
        let mut image: Vec<u8> = (0..size).map(|at| (at / piece) as u8).collect();
        with_vector(&mut image, 0xf000);
        inserted(scheme, &image)
    }

    #[test]
    fn states_with_banks_beyond_the_largest_image_are_refused() {
        let own = Cartridge::new(BankSwitching::F8);
        let mut other = own.clone();
        other.segments[3] = 0x3c00;
        assert!(own.is_compatible(&other));
        other.segments[3] = u32::MAX;
        assert!(!own.is_compatible(&other));
    }

    #[test]
    fn two_kilobytes_are_mirrored() {
        let mut machine = numbered(BankSwitching::TwoK, 0x800, 0x100);
        assert_eq!([0xf000, 0xf300, 0xf800, 0xfb00].map(|at| machine.peek(at, 0)), [0, 3, 0, 3]);
    }

    #[test]
    fn f8_starts_in_its_second_bank_and_switches_on_access() {
        let mut machine = numbered(BankSwitching::F8, 0x2000, 0x1000);
        assert_eq!(machine.peek(0xf000, 0), 1);
        machine.peek(0xfff8, 0);
        assert_eq!(machine.peek(0xf000, 0), 0);
        machine.poke(0xfff9, 0);
        assert_eq!(machine.peek(0xf000, 0), 1);
    }

    #[test]
    fn a_jump_whose_last_byte_is_a_hot_spot_lands_in_the_other_bank() {
        let mut image = vec![0xea; 0x2000];
        // Both banks contain `JMP $f000`, whose last byte is at the hot spot 0xfff8, so that fetching it selects the first
        // bank. At $f000 the first bank contains `LDX #0`, the second bank `LDX #1`.
        for bank in 0..2 {
            let start = bank * 0x1000;
            image[start..start + 2].copy_from_slice(&[0xa2, bank as u8]);
            image[start + 0xff6..start + 0xff9].copy_from_slice(&[0x4c, 0x00, 0xf0]);
        }
        with_vector(&mut image, 0xfff6);
        let mut at_once = inserted(BankSwitching::F8, &image);
        at_once.state.cpu.x = 7;
        let mut one_by_one = at_once.clone();
        at_once.execute(2);
        (0..2).for_each(|_| one_by_one.execute_instruction());
        assert_eq!((at_once.state.cpu.x, one_by_one.state.cpu.x), (0, 0));
    }

    #[test]
    fn f6_has_four_banks() {
        let mut machine = numbered(BankSwitching::F6, 0x4000, 0x1000);
        for bank in [2, 0, 3, 1] {
            machine.peek(0xfff6 + u16::from(bank), 0);
            assert_eq!(machine.peek(0xf123, 0), bank);
        }
    }

    #[test]
    fn cartridge_ram_has_separate_write_and_read_ports() {
        let mut machine = numbered(BankSwitching::F8Sc, 0x2000, 0x1000);
        machine.poke(0xf012, 0x34);
        assert_eq!(machine.peek(0xf092, 0), 0x34);
        assert_eq!([machine.peek(0xf012, 0x56), machine.peek(0xf092, 0)], [1, 0x34]);
    }

    #[test]
    fn e0_selects_three_of_eight_slices() {
        let mut machine = numbered(BankSwitching::E0, 0x2000, 0x400);
        for touched in [0xffe2, 0xffe8 + 5, 0xfff0 + 1] {
            machine.peek(touched, 0);
        }
        assert_eq!([0xf000, 0xf400, 0xf800, 0xfc00].map(|at| machine.peek(at, 0)), [2, 5, 1, 7]);
    }

    #[test]
    fn fe_switches_by_address_bit_thirteen() {
        let mut machine = numbered(BankSwitching::Fe, 0x2000, 0x1000);
        assert_eq!([0xf000, 0xd000].map(|at| machine.peek(at, 0)), [0, 1]);
    }

    #[test]
    fn dpc_fetches_graphics_backwards() {
        let mut image = vec![0; 0x2800];
        image[0x2000..].iter_mut().enumerate().for_each(|(at, byte)| *byte = at as u8);
        with_vector(&mut image[..0x2000], 0xf000);
        let mut machine = inserted(BankSwitching::Dpc, &image);
        machine.poke(0xf050, 0x10);
        machine.poke(0xf058, 0x00);
        let expected = (0x7ff_u16 - 0x10) as u8;
        assert_eq!([0xf008, 0xf008].map(|at| machine.peek(at, 0)), [expected, expected.wrapping_add(1)]);
    }
}
