//! The 6507: a 6502 with thirteen address lines, interpreted one instruction at a time.
//!
//! As in ALE, all cycles of an instruction, including page crossings and taken branches, are added *before* the instruction's
//! own memory access: the accessed chip therefore observes the cycle count at the end of the instruction. Except for operand
//! bytes and a few pointers, an instruction reads and writes exactly once; the extra accesses of the real chip do not happen.
//!
//! Decimal mode converts BCD digits to numbers, adds them, and converts the sum back. The same conversions define the sums of
//! bytes that are not valid BCD.
//!
//! | file | |
//! |---|---|
//! | this one | registers, flags, arithmetic |
//! | `cpu/execution.rs` | the interpreter's loop: fetching, reading, writing |
//! | `cpu/addressing.rs` | addressing modes, stack, jumps |
//! | `cpu/instructions.rs` | the table of instructions |
//!
//! `Machine::execute_instruction` interprets exactly one instruction from any state; the recompiler falls back to it.

mod addressing;
mod execution;
mod instructions;

use serde::{Deserialize, Serialize};

/// Registers and flags of the processor. Flags are stored in the form in which instructions produce them, for example the
/// negative flag as bit 7 of a byte.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cpu {
    /// Accumulator.
    pub a: u8,
    /// Index register X.
    pub x: u8,
    /// Index register Y.
    pub y: u8,
    /// Stack pointer. The stack is at address `sp + 0x100`, which the chips decode in the same way as address `sp`.
    pub sp: u8,
    /// Program counter with all sixteen bits, because FE cartridges decode bit 13.
    pub pc: u16,
    /// Byte whose bit 7 is the negative flag.
    pub negative: u8,
    /// Byte that is zero if the zero flag is set.
    pub not_zero: u8,
    /// Carry flag.
    pub carry: bool,
    /// Overflow flag.
    pub overflow: bool,
    /// Decimal mode flag.
    pub decimal: bool,
    /// Interrupt disable flag; it has no effect because the 6507 has no interrupt line.
    pub interrupts_disabled: bool,
    /// Break flag; it is only pushed and pulled together with the other flags.
    pub break_flag: bool,
    /// Whether a JAM instruction has stopped the processor until the next reset.
    pub jammed: bool,
}

const NEGATIVE: u8 = 0x80;
const OVERFLOW: u8 = 0x40;
const UNUSED: u8 = 0x20;
const BREAK: u8 = 0x10;
const DECIMAL: u8 = 0x08;
const INTERRUPTS: u8 = 0x04;
const ZERO: u8 = 0x02;
const CARRY: u8 = 0x01;

/// Number of cycles of each instruction, by opcode, without page crossings and taken branches.
#[rustfmt::skip]
pub const CYCLES: [u8; 256] = [
    7, 6, 2, 8, 3, 3, 5, 5, 3, 2, 2, 2, 4, 4, 6, 6,
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    6, 6, 2, 8, 3, 3, 5, 5, 4, 2, 2, 2, 4, 4, 6, 6,
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    6, 6, 2, 8, 3, 3, 5, 5, 3, 2, 2, 2, 3, 4, 6, 6,
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    6, 6, 2, 8, 3, 3, 5, 5, 4, 2, 2, 2, 5, 4, 6, 6,
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    2, 6, 2, 6, 3, 3, 3, 3, 2, 2, 2, 2, 4, 4, 4, 4,
    2, 6, 2, 6, 4, 4, 4, 4, 2, 5, 2, 5, 5, 5, 5, 5,
    2, 6, 2, 6, 3, 3, 3, 3, 2, 2, 2, 2, 4, 4, 4, 4,
    2, 5, 2, 5, 4, 4, 4, 4, 2, 4, 2, 4, 4, 4, 4, 4,
    2, 6, 2, 8, 3, 3, 5, 5, 2, 2, 2, 2, 4, 4, 6, 6,
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    2, 6, 2, 8, 3, 3, 5, 5, 2, 2, 2, 2, 4, 4, 6, 6,
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
];

/// Address of the reset vector.
const RESET_VECTOR: u16 = 0xfffc;
/// Address of the vector of the instruction `BRK`.
pub(crate) const BREAK_VECTOR: u16 = 0xfffe;

/// Number of bytes of each instruction, by opcode. With few exceptions, the length follows from the opcode's column in the
/// opcode table.
pub const LENGTH: [u8; 256] = {
    let mut lengths = [0; 256];
    let mut opcode = 0;
    while opcode < 256 {
        lengths[opcode] = match (opcode & 0x1f, opcode) {
            (_, 0x20) => 3,
            (_, 0x40 | 0x60) => 1,
            (0x08 | 0x0a | 0x12 | 0x18 | 0x1a, _) => 1,
            (0x02, opcode) if opcode < 0x80 => 1,
            (0x0c..=0x0f | 0x19 | 0x1b..=0x1f, _) => 3,
            _ => 2,
        };
        opcode += 1;
    }
    lengths
};

impl Cpu {
    /// Returns the processor status (the flags) as a byte.
    #[inline(always)]
    pub(crate) fn status(&self) -> u8 {
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        (self.negative & NEGATIVE)
            | flag(self.overflow, OVERFLOW)
            | UNUSED
            | flag(self.break_flag, BREAK)
            | flag(self.decimal, DECIMAL)
            | flag(self.interrupts_disabled, INTERRUPTS)
            | flag(self.not_zero == 0, ZERO)
            | flag(self.carry, CARRY)
    }

    #[inline(always)]
    pub(crate) fn set_status(&mut self, status: u8) {
        self.negative = status & NEGATIVE;
        self.overflow = status & OVERFLOW != 0;
        self.break_flag = status & BREAK != 0;
        self.decimal = status & DECIMAL != 0;
        self.interrupts_disabled = status & INTERRUPTS != 0;
        self.not_zero = !status & ZERO;
        self.carry = status & CARRY != 0;
    }

    #[inline(always)]
    fn flags(&mut self, value: u8) -> u8 {
        self.negative = value;
        self.not_zero = value;
        value
    }

    #[inline(always)]
    fn load(&mut self, value: u8) {
        self.a = self.flags(value);
    }

    #[inline(always)]
    fn add(&mut self, value: u8) {
        let before = self.a;
        let sum = if self.decimal {
            decimal_sum(before, value, self.carry)
        } else {
            u16::from(before) + u16::from(value) + u16::from(self.carry)
        };
        self.overflow = if self.decimal {
            (before ^ sum as u8) & (sum as u8 ^ value) & 0x80 != 0
        } else {
            !(before ^ value) & (before ^ sum as u8) & 0x80 != 0
        };
        self.carry = sum > 0xff;
        self.load(sum as u8);
    }

    #[inline(always)]
    fn subtract(&mut self, value: u8) {
        if !self.decimal {
            return self.add(!value);
        }
        let before = self.a;
        let difference = decimal_difference(before, value, self.carry);
        self.carry = difference > 0xff;
        self.load(difference as u8);
        self.overflow = (before ^ self.a) & (self.a ^ value) & 0x80 != 0;
    }

    #[inline(always)]
    fn compare(&mut self, register: u8, value: u8) {
        self.carry = register >= value;
        self.flags(register.wrapping_sub(value));
    }

    #[inline(always)]
    fn bit(&mut self, value: u8) {
        self.negative = value;
        self.overflow = value & OVERFLOW != 0;
        self.not_zero = self.a & value;
    }

    #[inline(always)]
    fn shift_left(&mut self, value: u8) -> u8 {
        self.carry = value & 0x80 != 0;
        self.flags(value << 1)
    }

    #[inline(always)]
    fn shift_right(&mut self, value: u8) -> u8 {
        self.carry = value & 1 != 0;
        self.flags(value >> 1)
    }

    #[inline(always)]
    fn rotate_left(&mut self, value: u8) -> u8 {
        let low = u8::from(self.carry);
        self.carry = value & 0x80 != 0;
        self.flags(value << 1 | low)
    }

    #[inline(always)]
    fn rotate_right(&mut self, value: u8) -> u8 {
        let high = u8::from(self.carry) << 7;
        self.carry = value & 1 != 0;
        self.flags(value >> 1 | high)
    }

    /// Executes the undocumented instruction `ARR`: AND, then rotate right, with flags from the adder.
    #[inline(always)]
    fn and_rotate(&mut self, value: u8) {
        let masked = self.a & value;
        let rotated = masked >> 1 | u8::from(self.carry) << 7;
        self.load(rotated);
        self.overflow = (rotated ^ rotated << 1) & 0x40 != 0;
        if !self.decimal {
            self.carry = rotated & 0x40 != 0;
            return;
        }
        if (masked & 0x0f) + (masked & 0x01) > 5 {
            self.a = (rotated & 0xf0) | (rotated.wrapping_add(6) & 0x0f);
        }
        self.carry = u16::from(masked) + u16::from(masked & 0x10) >= 0x60;
        if self.carry {
            self.a = self.a.wrapping_add(0x60);
        }
    }
}

/// Adds two BCD numbers of two digits; bit 8 of the result is the carry.
#[inline(never)]
fn decimal_sum(a: u8, b: u8, carry: bool) -> u16 {
    let sum = decimal(a) + decimal(b) + u16::from(carry);
    u16::from(digits(sum & 0xff)) | u16::from(sum > 99) << 8
}

/// Subtracts two BCD numbers of two digits; bit 8 of the result is the carry (no borrow).
#[inline(never)]
fn decimal_difference(a: u8, b: u8, carry: bool) -> u16 {
    let borrow = u16::from(!carry);
    let difference = decimal(a) as i16 - decimal(b) as i16 - borrow as i16;
    let difference = if difference < 0 { difference + 100 } else { difference };
    u16::from(digits(difference as u16 & 0xff)) | u16::from(u16::from(a) >= u16::from(b) + borrow) << 8
}

/// Converts a byte of two BCD digits to a number; digits above nine count with their hexadecimal value.
fn decimal(value: u8) -> u16 {
    u16::from(value >> 4) * 10 + u16::from(value & 0x0f)
}

/// Converts the last two decimal digits of a number below 256 to BCD.
fn digits(number: u16) -> u8 {
    (((number % 100 / 10) << 4) | (number % 10)) as u8
}

#[cfg(test)]
mod tests {
    use crate::testing::{machine, run};

    #[test]
    fn decimal_sums_carry_at_a_hundred() {
        // 6502 program: `SED; SEC; LDA #$58; ADC #$46`.
        let mut machine = machine(&[0xf8, 0x38, 0xa9, 0x58, 0x69, 0x46]);
        run(&mut machine, 4);
        assert_eq!((machine.state.cpu.a, machine.state.cpu.carry), (0x05, true));
    }

    #[test]
    fn decimal_differences_borrow() {
        // 6502 program: `SED; SEC; LDA #$12; SBC #$21`.
        let mut machine = machine(&[0xf8, 0x38, 0xa9, 0x12, 0xe9, 0x21]);
        run(&mut machine, 4);
        assert_eq!((machine.state.cpu.a, machine.state.cpu.carry), (0x91, false));
    }

    #[test]
    fn binary_sums_overflow_at_the_sign() {
        // 6502 program: `CLC; LDA #$7f; ADC #1`.
        let mut machine = machine(&[0x18, 0xa9, 0x7f, 0x69, 0x01]);
        run(&mut machine, 3);
        let cpu = &machine.state.cpu;
        assert_eq!((cpu.a, cpu.carry, cpu.overflow, cpu.negative), (0x80, false, true, 0x80));
    }

    #[test]
    fn indexed_reads_across_pages_cost_an_extra_cycle_and_stores_do_not() {
        // 6502 program: `LDX #$ff; LDA $f001,X; STA $0081,X`.
        let mut machine = machine(&[0xa2, 0xff, 0xbd, 0x01, 0xf0, 0x9d, 0x81, 0x00]);
        run(&mut machine, 2);
        assert_eq!(machine.state.cycles, 2 + 5);
        run(&mut machine, 1);
        assert_eq!(machine.state.cycles, 2 + 5 + 5);
    }

    #[test]
    fn taken_branches_cost_one_cycle_and_two_across_pages() {
        // 6502 program: `LDA #0; BEQ +0; BEQ -128`.
        let mut machine = machine(&[0xa9, 0x00, 0xf0, 0x00, 0xf0, 0x80]);
        run(&mut machine, 2);
        assert_eq!(machine.state.cycles, 2 + 3);
        run(&mut machine, 1);
        assert_eq!((machine.state.cycles, machine.state.cpu.pc), (2 + 3 + 4, 0xef86));
    }

    #[test]
    fn an_indirect_jump_does_not_leave_the_page_of_its_pointer() {
        let mut program = [0xea; 0x200];
        program[..3].copy_from_slice(&[0x6c, 0xff, 0xf0]);
        program[0xff] = 0x34;
        program[0x100] = 0x99;
        let mut machine = machine(&program);
        run(&mut machine, 1);
        assert_eq!(machine.state.cpu.pc, 0x6c34);
    }

    #[test]
    fn subroutines_return_to_the_instruction_after_the_call() {
        // 6502 program: `JSR $f006; NOP; NOP; NOP; RTS`.
        let mut machine = machine(&[0x20, 0x06, 0xf0, 0xea, 0xea, 0xea, 0x60]);
        run(&mut machine, 2);
        assert_eq!((machine.state.cpu.pc, machine.state.cpu.sp), (0xf003, 0xff));
        assert_eq!(machine.state.riot.ram[126..], [0x02, 0xf0]);
    }

    #[test]
    fn the_status_register_survives_php_and_plp() {
        // 6502 program: `SEC; SED; LDA #0; PHP; CLC; CLD; LDA #1; PLP`.
        let mut machine = machine(&[0x38, 0xf8, 0xa9, 0x00, 0x08, 0x18, 0xd8, 0xa9, 0x01, 0x28]);
        run(&mut machine, 4);
        assert_eq!(machine.state.riot.ram[127], 0x3b);
        run(&mut machine, 4);
        let cpu = &machine.state.cpu;
        assert_eq!((cpu.carry, cpu.decimal, cpu.not_zero), (true, true, 0));
    }

    #[test]
    fn a_jammed_cpu_stops_and_the_frame_ends() {
        let mut machine = machine(&[0x02]);
        machine.play_frame();
        machine.play_frame();
        assert_eq!((machine.state.cpu.pc, machine.state.cpu.jammed), (0xf000, true));
    }

    #[test]
    fn programs_run_in_ram() {
        // 6502 program: `LDA #$e8; STA $80; LDA #$60; STA $81; JSR $0080`, which writes the opcodes of `INX` and `RTS` to RAM
        // and calls them.
        let mut machine = machine(&[0xa9, 0xe8, 0x85, 0x80, 0xa9, 0x60, 0x85, 0x81, 0x20, 0x80, 0x00]);
        run(&mut machine, 7);
        assert_eq!((machine.state.cpu.x, machine.state.cpu.pc), (1, 0xf00b));
    }
}
