//! The interpreter's loop, which fetches and executes instructions.
//!
//! `Interpreter` holds copies of the state that nearly every instruction touches: registers, cycles, the instruction budget and
//! a window: the range of addresses around the program counter that can be read directly from the cartridge's image. The copies
//! stay in the host's registers, because all code of this module is inlined into one loop and passes plain values to the chips.

use std::sync::Arc;

use super::{Cpu, LENGTH, RESET_VECTOR};
use crate::cartridge::Window;
use crate::machine::{Machine, is_tia};
use crate::rom_image::RomImage;

/// Bytes of the instruction `LDA INTIM`, which loads the timer, as a little-endian number.
const LOAD_TIMER: u32 = 0x02_84_ad;

/// State of the interpreter while it executes a machine's program.
pub(super) struct Interpreter<'m> {
    machine: &'m mut Machine,
    image: &'m RomImage,
    pub(super) cpu: Cpu,
    pub(super) cycles: u32,
    /// Number of instructions that may still be executed, including the current one.
    budget: u32,
    /// Range of addresses around the program counter that can be read directly from the cartridge's image.
    window: Window,
}

impl Machine {
    /// Resets the processor: clears registers and loads the program counter from the cartridge's reset vector.
    pub(crate) fn reset_cpu(&mut self) {
        let low = self.peek(RESET_VECTOR, 0);
        let high = self.peek(RESET_VECTOR + 1, low);
        let pc = u16::from_le_bytes([low, high]);
        self.state.cpu = Cpu { sp: 0xff, not_zero: 1, break_flag: true, pc, ..Cpu::default() };
    }

    /// Executes instructions until the end of a frame or until `budget` is used up.
    pub fn execute(&mut self, budget: u32) {
        let image = Arc::clone(&self.image);
        self.interpret(&image, budget, u32::MAX);
    }

    /// Interprets `most` instructions, and then continues as long as the program counter is in RAM. Returns the remaining
    /// budget.
    ///
    /// Stops when `budget` is used up, or at the end of a frame, in which case it returns 0.
    pub(crate) fn interpret(&mut self, image: &RomImage, budget: u32, most: u32) -> u32 {
        let (cpu, cycles) = (self.state.cpu.clone(), self.state.cycles);
        let mut execution = Interpreter { machine: self, image, cpu, cycles, budget, window: Window::default() };
        let enough = budget.saturating_sub(most);
        while execution.budget > enough || execution.budget > 0 && execution.cpu.pc & 0x1000 == 0 {
            execution.instruction();
            execution.budget -= 1;
        }
        let Interpreter { machine, cpu, cycles, budget, .. } = execution;
        (machine.state.cpu, machine.state.cycles) = (cpu, cycles);
        budget
    }

    /// Executes one instruction with all its effects on the machine's chips.
    pub fn execute_instruction(&mut self) {
        self.execute(1);
    }

    /// Reads the byte at an address outside of `window`. Bits 0 to 7 of the result are the byte; bit 8 is set if the read may
    /// have switched banks.
    #[inline(never)]
    fn peek_at(&mut self, cycles: u32, address: u16, bus: u8) -> u16 {
        self.state.cycles = cycles;
        let is_plain = address & 0x1000 == 0 || self.state.cartridge.side_effect_free_offset(address).is_some();
        u16::from(self.peek(address, bus)) | u16::from(!is_plain) << 8
    }

    /// Writes a byte to an address outside of RAM. Returns the cycle count after the write, and whether the frame has ended.
    #[inline(never)]
    fn poke_at(&mut self, cycles: u32, address: u16, value: u8, again: bool) -> (u32, bool) {
        self.state.cycles = cycles;
        if is_tia(address) {
            self.poke_tia(address, value, again);
        } else {
            self.poke(address, value);
        }
        (self.state.cycles, std::mem::take(&mut self.state.stopped))
    }

    /// Fetches an instruction byte by byte, which is necessary near addresses that switch banks, and at the end of a bank or of
    /// RAM.
    #[inline(never)]
    fn fetch_bytewise(&mut self, cycles: u32, pc: u16) -> u32 {
        self.state.cycles = cycles;
        let opcode = self.peek(pc, 0);
        let mut word = u32::from(opcode);
        let mut last = opcode;
        for byte in 1..LENGTH[usize::from(opcode)] {
            last = self.peek(pc.wrapping_add(u16::from(byte)), last);
            word |= u32::from(last) << (8 * byte);
        }
        word
    }
}

impl Interpreter<'_> {
    /// Fetches the bytes of the instruction at the program counter as a little-endian number.
    #[inline(always)]
    pub(super) fn fetch(&mut self) -> u32 {
        let pc = self.cpu.pc;
        if !self.window.contains(pc) {
            if pc & 0x1280 == 0x80
                && let Some(word) = self.machine.state.riot.ram[usize::from(pc & 0x7f)..].first_chunk()
            {
                return u32::from_le_bytes(*word);
            }
            self.window = self.machine.state.cartridge.window(pc);
            if !self.window.contains(pc) {
                // A fetched byte may be at a hot spot, and an access to a hot spot switches banks. So the window, which
                // describes the old bank, is discarded.
                self.window = Window::default();
                return self.machine.fetch_bytewise(self.cycles, pc);
            }
        }
        self.image.word(self.window.image_offset(pc))
    }

    /// Skips iterations of a loop that waits for the timer.
    ///
    /// Programs wait for the timer with a loop of two instructions: `LDA INTIM`, and `BNE` or `BPL` back to the load. If the
    /// branch that was just executed closes such a loop, the iterations that change nothing are not executed; only their cycles
    /// are added.
    #[inline(always)]
    pub(super) fn skip_timer_loop<const BRANCH: u8>(&mut self, word: u32) {
        const BACK_BY_FIVE: u8 = 0xfb;
        if (word >> 8) as u8 == BACK_BY_FIVE && self.window.contains(self.cpu.pc) {
            self.skip_timer_rounds::<BRANCH>();
        }
    }

    #[inline(always)]
    fn skip_timer_rounds<const BRANCH: u8>(&mut self) {
        let head = self.cpu.pc;
        let load = self.image.word(self.window.image_offset(head)) & 0x00ff_ffff;
        let (is_taken, least, most) = match BRANCH {
            0xd0 => (self.cpu.not_zero != 0, 1, 0xff),
            _ => (self.cpu.negative & 0x80 == 0, 0, 0x7f),
        };
        if load != LOAD_TIMER || !is_taken || !self.window.contains(head.wrapping_add(3)) {
            return;
        }
        let apart = if (head ^ head.wrapping_add(5)) & 0xff00 != 0 { 8 } else { 7 };
        let rounds = self.machine.state.riot.unchanged_reads(self.cycles.wrapping_add(4), apart, least, most);
        // One iteration is not skipped, because executing it sets the flags as every iteration does.
        let rounds = rounds.min(self.budget.saturating_sub(3) / 2);
        self.cycles = self.cycles.wrapping_add(rounds * apart);
        self.budget -= rounds * 2;
    }

    #[inline(always)]
    fn ram(&mut self, address: u8) -> &mut u8 {
        &mut self.machine.state.riot.ram[usize::from(address & 0x7f)]
    }

    /// Reads a byte, with the side effects of the read on the addressed chip. `bus` is the last byte on the data bus, which
    /// provides those bits of the result that the chip does not drive.
    #[inline(always)]
    pub(super) fn peek(&mut self, address: u16, bus: u8) -> u8 {
        if self.window.contains(address) {
            return self.image.byte(self.window.image_offset(address));
        }
        if address & 0x1280 == 0x80 {
            return *self.ram(address as u8);
        }
        let seen = self.machine.peek_at(self.cycles, address, bus);
        if seen > 0xff {
            self.window = Window::default();
        }
        seen as u8
    }

    /// Reads a byte of the zero page: RAM or the TIA.
    #[inline(always)]
    pub(super) fn peek_zero_page(&mut self, address: u8, bus: u8) -> u8 {
        if address & 0x80 != 0 { *self.ram(address) } else { self.machine.peek_at(self.cycles, u16::from(address), bus) as u8 }
    }

    /// Writes a byte to an address, with the side effects of the write on the addressed chip.
    #[inline(always)]
    pub(super) fn poke(&mut self, address: u16, value: u8) {
        if address & 0x1280 == 0x80 {
            *self.ram(address as u8) = value;
            return;
        }
        self.poke_elsewhere(address, value, false);
        if address & 0x1000 != 0 {
            self.window = Window::default();
        }
    }

    /// Writes a byte of the zero page. `again` says whether the processor's previous access was also a write, in which case the
    /// TIA cannot halt the processor.
    #[inline(always)]
    pub(super) fn poke_zero_page(&mut self, address: u8, value: u8, again: bool) {
        if address & 0x80 != 0 {
            *self.ram(address) = value;
        } else {
            self.poke_elsewhere(u16::from(address), value, again);
        }
    }

    #[inline(always)]
    fn poke_elsewhere(&mut self, address: u16, value: u8, again: bool) {
        let (cycles, stopped) = self.machine.poke_at(self.cycles, address, value, again);
        self.cycles = cycles;
        if stopped {
            self.budget = 1;
        }
    }
}
