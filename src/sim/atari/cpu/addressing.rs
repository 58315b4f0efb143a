//! Addressing modes, stack operations and jumps of the 6502 interpreter.

use super::execution::Interpreter;
use super::{BREAK_VECTOR, CYCLES, Cpu, LENGTH};

/// Returns the last byte of an instruction of three bytes.
#[inline(always)]
pub(super) fn last_byte(word: u32) -> u8 {
    (word >> 16) as u8
}

impl Interpreter<'_> {
    #[inline(always)]
    pub(super) fn advance<const OPCODE: usize>(&mut self) {
        self.cpu.pc = self.cpu.pc.wrapping_add(const { LENGTH[OPCODE] as u16 });
        self.cycles = self.cycles.wrapping_add(const { CYCLES[OPCODE] as u32 });
    }

    #[inline(always)]
    pub(super) fn immediate(&self, word: u32) -> u8 {
        (word >> 8) as u8
    }

    #[inline(always)]
    pub(super) fn zero_page(&self, word: u32) -> u8 {
        (word >> 8) as u8
    }

    #[inline(always)]
    pub(super) fn zero_page_x(&self, word: u32) -> u8 {
        self.immediate(word).wrapping_add(self.cpu.x)
    }

    #[inline(always)]
    pub(super) fn zero_page_y(&self, word: u32) -> u8 {
        self.immediate(word).wrapping_add(self.cpu.y)
    }

    #[inline(always)]
    pub(super) fn absolute(&self, word: u32) -> u16 {
        (word >> 8) as u16
    }

    /// Returns the sum of a base address and an index register. If the sum is on a different page (256 bytes) than the base, an
    /// instruction that reads takes one more cycle.
    #[inline(always)]
    pub(super) fn indexed<const READ: bool>(&mut self, base: u16, index: u8) -> u16 {
        let address = base.wrapping_add(u16::from(index));
        if READ && (base ^ address) & 0xff00 != 0 {
            self.cycles = self.cycles.wrapping_add(1);
        }
        address
    }

    #[inline(always)]
    pub(super) fn absolute_x<const READ: bool>(&mut self, word: u32) -> u16 {
        self.indexed::<READ>(self.absolute(word), self.cpu.x)
    }

    #[inline(always)]
    pub(super) fn absolute_y<const READ: bool>(&mut self, word: u32) -> u16 {
        self.indexed::<READ>(self.absolute(word), self.cpu.y)
    }

    /// Reads the 16-bit pointer at the address `at`. Its high byte is at the next address, even if the pointer starts at the
    /// end of the zero page.
    #[inline(always)]
    pub(super) fn pointer(&mut self, at: u16, bus: u8) -> u16 {
        let low = self.peek(at, bus);
        let high = self.peek(at.wrapping_add(1), low);
        u16::from_le_bytes([low, high])
    }

    #[inline(always)]
    pub(super) fn indirect_x(&mut self, word: u32) -> (u16, u8) {
        let address = self.pointer(u16::from(self.zero_page_x(word)), self.immediate(word));
        (address, (address >> 8) as u8)
    }

    #[inline(always)]
    pub(super) fn indirect_y<const READ: bool>(&mut self, word: u32) -> (u16, u8) {
        let base = self.pointer(u16::from(self.zero_page(word)), self.immediate(word));
        (self.indexed::<READ>(base, self.cpu.y), (base >> 8) as u8)
    }

    /// Executes `JMP (address)`: if the low byte of the pointer is the last byte of a page, its high byte is read from the
    /// start of the same page.
    #[inline(always)]
    pub(super) fn jump_indirect(&mut self, word: u32) {
        let at = self.absolute(word);
        let low = self.peek(at, last_byte(word));
        let high = self.peek((at & 0xff00) | (at.wrapping_add(1) & 0xff), low);
        self.cpu.pc = u16::from_le_bytes([low, high]);
    }

    #[inline(always)]
    pub(super) fn branch(&mut self, word: u32, taken: bool) {
        if taken {
            let from = self.cpu.pc;
            let to = from.wrapping_add(self.immediate(word) as i8 as u16);
            self.cycles = self.cycles.wrapping_add(if (from ^ to) & 0xff00 != 0 { 2 } else { 1 });
            self.cpu.pc = to;
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, value: u8, again: bool) {
        let at = self.cpu.sp;
        self.cpu.sp = at.wrapping_sub(1);
        self.poke_zero_page(at, value, again);
    }

    #[inline(always)]
    pub(super) fn pull(&mut self, bus: u8) -> u8 {
        self.cpu.sp = self.cpu.sp.wrapping_add(1);
        self.peek_zero_page(self.cpu.sp, bus)
    }

    /// Pulls a byte from the stack as the first pull of an instruction. The instruction first reads at the old stack pointer,
    /// which affects only the data bus.
    #[inline(always)]
    pub(super) fn first_pull(&mut self, word: u32) -> u8 {
        let seen = self.peek_zero_page(self.cpu.sp, word as u8);
        self.pull(seen)
    }

    #[inline(always)]
    pub(super) fn pull_address(&mut self, bus: u8) -> u16 {
        let low = self.pull(bus);
        let high = self.pull(low);
        u16::from_le_bytes([low, high])
    }

    #[inline(always)]
    pub(super) fn push_address(&mut self, address: u16) {
        let [low, high] = address.to_le_bytes();
        self.push(high, false);
        self.push(low, true);
    }

    #[inline(always)]
    pub(super) fn jump_to_subroutine(&mut self, word: u32) {
        self.push_address(self.cpu.pc.wrapping_sub(1));
        self.cpu.pc = self.absolute(word);
    }

    #[inline(always)]
    pub(super) fn break_instruction(&mut self) {
        self.cpu.break_flag = true;
        self.push_address(self.cpu.pc);
        let status = self.cpu.status();
        self.push(status, true);
        self.cpu.interrupts_disabled = true;
        self.cpu.pc = self.pointer(BREAK_VECTOR, status);
    }

    #[inline(always)]
    pub(super) fn return_from_interrupt(&mut self, word: u32) {
        let status = self.pull(word as u8);
        self.cpu.set_status(status);
        self.cpu.pc = self.pull_address(status);
    }

    /// Reads the byte at an address, changes it with the function `change`, and writes it back. Returns the new value.
    #[inline(always)]
    pub(super) fn modify(&mut self, at: u16, bus: u8, change: impl FnOnce(&mut Cpu, u8) -> u8) -> u8 {
        let value = self.peek(at, bus);
        let value = change(&mut self.cpu, value);
        self.poke(at, value);
        value
    }

    /// Reads a byte of the zero page, changes it with the function `change`, and writes it back. Returns the new value.
    #[inline(always)]
    pub(super) fn modify_zero_page(&mut self, at: u8, bus: u8, change: impl FnOnce(&mut Cpu, u8) -> u8) -> u8 {
        let value = self.peek_zero_page(at, bus);
        let value = change(&mut self.cpu, value);
        self.poke_zero_page(at, value, false);
        value
    }

    /// Executes the undocumented stores SHA, SHX, SHY and TAS: stores `value & (high + 1)`, where `high` is the high byte of
    /// the address.
    #[inline(always)]
    pub(super) fn store_masked(&mut self, at: u16, value: u8) {
        let mask = ((at >> 8) as u8).wrapping_add(1);
        self.poke(at, value & mask);
    }

    #[inline(always)]
    pub(super) fn jam(&mut self) {
        self.cpu.jammed = true;
        self.cpu.pc = self.cpu.pc.wrapping_sub(1);
    }
}
