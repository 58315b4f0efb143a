//! The 6507: a 6502 with thirteen address lines, interpreted one instruction at a time.
//!
//! The reference adds all cycles of an instruction, page crossings and taken branches included, *before* the instruction's
//! own memory access: whatever chip is accessed sees the time at the instruction's end. Except for operand bytes and a
//! few pointers, an instruction reads and writes exactly once; the extra accesses of real silicon do not happen.
//!
//! Decimal mode works on values: digits are converted to a number, added, and converted back, which also defines the
//! sums of bytes that are no decimal numbers.
//!
//! [`Machine::execute_instruction`] is the seam for faster ways of execution: it interprets exactly one instruction from
//! any state.

use serde::{Deserialize, Serialize};

use super::machine::Machine;

/// The registers, and the flags in the form in which instructions leave them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cpu {
    /// Accumulator.
    pub a: u8,
    /// Index register X.
    pub x: u8,
    /// Index register Y.
    pub y: u8,
    /// Stack pointer; the stack lies at `sp + 0x100`, which the chips see as `sp`.
    pub sp: u8,
    /// Program counter, all sixteen bits: one kind of cartridge looks at bit 13.
    pub pc: u16,
    /// Bit 7 is the negative flag.
    pub negative: u8,
    /// Zero if the zero flag is set.
    pub not_zero: u8,
    /// Carry.
    pub carry: bool,
    /// Overflow.
    pub overflow: bool,
    /// Decimal mode.
    pub decimal: bool,
    /// Interrupts disabled; without effect, the 6507 has no interrupt line.
    pub interrupts_disabled: bool,
    /// The break flag, which here is a flag like the others.
    pub break_flag: bool,
    /// An instruction that locks the processor has been met: it stands still until the next reset.
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

/// Where execution starts, and where `BRK` goes.
const RESET_VECTOR: u16 = 0xfffc;
const BREAK_VECTOR: u16 = 0xfffe;

/// Cycles of each instruction, without page crossings and taken branches.
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

/// Bytes of each instruction, which follow from the columns of the opcode table but for a few.
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
    /// The processor status as a byte.
    fn status(&self) -> u8 {
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

    fn set_status(&mut self, status: u8) {
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

    fn add(&mut self, value: u8) {
        let before = self.a;
        if self.decimal {
            let sum = decimal(before) + decimal(value) + u16::from(self.carry);
            self.carry = sum > 99;
            self.load(digits(sum & 0xff));
            self.overflow = (before ^ self.a) & (self.a ^ value) & 0x80 != 0;
        } else {
            let sum = u16::from(before) + u16::from(value) + u16::from(self.carry);
            self.overflow = !(before ^ value) & (before ^ sum as u8) & 0x80 != 0;
            self.carry = sum > 0xff;
            self.load(sum as u8);
        }
    }

    fn subtract(&mut self, value: u8) {
        if !self.decimal {
            return self.add(!value);
        }
        let before = self.a;
        let borrow = u16::from(!self.carry);
        let difference = decimal(before) as i16 - decimal(value) as i16 - borrow as i16;
        let difference = if difference < 0 { difference + 100 } else { difference };
        self.carry = u16::from(before) >= u16::from(value) + borrow;
        self.load(digits(difference as u16 & 0xff));
        self.overflow = (before ^ self.a) & (self.a ^ value) & 0x80 != 0;
    }

    #[inline(always)]
    fn compare(&mut self, register: u8, value: u8) {
        self.carry = register >= value;
        self.flags(register.wrapping_sub(value));
    }

    fn bit(&mut self, value: u8) {
        self.negative = value;
        self.overflow = value & OVERFLOW != 0;
        self.not_zero = self.a & value;
    }

    fn shift_left(&mut self, value: u8) -> u8 {
        self.carry = value & 0x80 != 0;
        self.flags(value << 1)
    }

    fn shift_right(&mut self, value: u8) -> u8 {
        self.carry = value & 1 != 0;
        self.flags(value >> 1)
    }

    fn rotate_left(&mut self, value: u8) -> u8 {
        let low = u8::from(self.carry);
        self.carry = value & 0x80 != 0;
        self.flags(value << 1 | low)
    }

    fn rotate_right(&mut self, value: u8) -> u8 {
        let high = u8::from(self.carry) << 7;
        self.carry = value & 1 != 0;
        self.flags(value >> 1 | high)
    }

    /// `ARR`: and, then rotate right, with flags from the adder.
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

/// The last byte of an instruction of three.
#[inline(always)]
fn last_byte(word: u32) -> u8 {
    (word >> 16) as u8
}

/// The number that two decimal digits stand for; digits above nine count too.
fn decimal(value: u8) -> u16 {
    u16::from(value >> 4) * 10 + u16::from(value & 0x0f)
}

/// The last two decimal digits of a number below 256.
fn digits(number: u16) -> u8 {
    (((number % 100 / 10) << 4) | (number % 10)) as u8
}

impl Machine {
    /// Puts the processor into the state after power-on: registers cleared, execution at the cartridge's reset vector.
    pub(super) fn reset_cpu(&mut self) {
        self.state.cpu = Cpu { sp: 0xff, not_zero: 1, break_flag: true, ..Cpu::default() };
        self.state.cpu.pc = self.pointer(RESET_VECTOR, 0);
    }

    /// Executes instructions until the end of a frame or until `budget` is used up.
    pub fn execute(&mut self, budget: u32) {
        self.state.budget = budget;
        while self.state.budget > 0 {
            self.execute_instruction();
            self.state.budget -= 1;
        }
    }

    #[inline(always)]
    fn advance<const OPCODE: usize>(&mut self) {
        self.state.cpu.pc = self.state.cpu.pc.wrapping_add(const { LENGTH[OPCODE] as u16 });
        self.state.cycles = self.state.cycles.wrapping_add(const { CYCLES[OPCODE] as u32 });
    }

    fn immediate(&self, word: u32) -> u8 {
        (word >> 8) as u8
    }

    #[inline(always)]
    fn zero_page(&self, word: u32) -> u8 {
        (word >> 8) as u8
    }

    #[inline(always)]
    fn zero_page_x(&self, word: u32) -> u8 {
        self.immediate(word).wrapping_add(self.state.cpu.x)
    }

    #[inline(always)]
    fn zero_page_y(&self, word: u32) -> u8 {
        self.immediate(word).wrapping_add(self.state.cpu.y)
    }

    #[inline(always)]
    fn absolute(&self, word: u32) -> u16 {
        (word >> 8) as u16
    }

    /// An indexed address; reading instructions take a cycle more if it lies in another page than its base.
    #[inline(always)]
    fn indexed<const READ: bool>(&mut self, base: u16, index: u8) -> u16 {
        let address = base.wrapping_add(u16::from(index));
        if READ && (base ^ address) & 0xff00 != 0 {
            self.state.cycles = self.state.cycles.wrapping_add(1);
        }
        address
    }

    #[inline(always)]
    fn absolute_x<const READ: bool>(&mut self, word: u32) -> u16 {
        self.indexed::<READ>(self.absolute(word), self.state.cpu.x)
    }

    #[inline(always)]
    fn absolute_y<const READ: bool>(&mut self, word: u32) -> u16 {
        self.indexed::<READ>(self.absolute(word), self.state.cpu.y)
    }

    /// A pointer's high byte is read from the next address even at the end of the zero page.
    #[inline(always)]
    fn pointer(&mut self, at: u16, bus: u8) -> u16 {
        let low = self.peek(at, bus);
        let high = self.peek(at.wrapping_add(1), low);
        u16::from_le_bytes([low, high])
    }

    #[inline(always)]
    fn indirect_x(&mut self, word: u32) -> (u16, u8) {
        let address = self.pointer(u16::from(self.zero_page_x(word)), self.immediate(word));
        (address, (address >> 8) as u8)
    }

    #[inline(always)]
    fn indirect_y<const READ: bool>(&mut self, word: u32) -> (u16, u8) {
        let base = self.pointer(u16::from(self.zero_page(word)), self.immediate(word));
        (self.indexed::<READ>(base, self.state.cpu.y), (base >> 8) as u8)
    }

    /// `JMP (address)` takes the high byte from the start of the page if the low byte is the page's last.
    fn jump_indirect(&mut self, word: u32) {
        let at = self.absolute(word);
        let low = self.peek(at, last_byte(word));
        let high = self.peek((at & 0xff00) | (at.wrapping_add(1) & 0xff), low);
        self.state.cpu.pc = u16::from_le_bytes([low, high]);
    }

    #[inline(always)]
    fn branch(&mut self, word: u32, taken: bool) {
        if taken {
            let from = self.state.cpu.pc;
            let to = from.wrapping_add(self.immediate(word) as i8 as u16);
            self.state.cycles = self.state.cycles.wrapping_add(if (from ^ to) & 0xff00 != 0 { 2 } else { 1 });
            self.state.cpu.pc = to;
        }
    }

    #[inline(always)]
    fn push(&mut self, value: u8, again: bool) {
        let at = self.state.cpu.sp;
        self.state.cpu.sp = at.wrapping_sub(1);
        self.poke_zero_page(at, value, again);
    }

    #[inline(always)]
    fn pull(&mut self, bus: u8) -> u8 {
        self.state.cpu.sp = self.state.cpu.sp.wrapping_add(1);
        self.peek_zero_page(self.state.cpu.sp, bus)
    }

    /// The first pull of an instruction reads once more, where the stack pointer still is; only the bus notices.
    #[inline(always)]
    fn first_pull(&mut self, word: u32) -> u8 {
        let seen = self.peek_zero_page(self.state.cpu.sp, word as u8);
        self.pull(seen)
    }

    fn pull_address(&mut self, bus: u8) -> u16 {
        let low = self.pull(bus);
        let high = self.pull(low);
        u16::from_le_bytes([low, high])
    }

    fn push_address(&mut self, address: u16) {
        let [low, high] = address.to_le_bytes();
        self.push(high, false);
        self.push(low, true);
    }

    fn jump_to_subroutine(&mut self, word: u32) {
        self.push_address(self.state.cpu.pc.wrapping_sub(1));
        self.state.cpu.pc = self.absolute(word);
    }

    fn break_instruction(&mut self) {
        self.state.cpu.break_flag = true;
        self.push_address(self.state.cpu.pc);
        let status = self.state.cpu.status();
        self.push(status, true);
        self.state.cpu.interrupts_disabled = true;
        self.state.cpu.pc = self.pointer(BREAK_VECTOR, status);
    }

    fn return_from_interrupt(&mut self, word: u32) {
        let status = self.pull(word as u8);
        self.state.cpu.set_status(status);
        self.state.cpu.pc = self.pull_address(status);
    }

    /// Reads, changes and writes back.
    #[inline(always)]
    fn modify(&mut self, at: u16, bus: u8, change: impl FnOnce(&mut Cpu, u8) -> u8) -> u8 {
        let value = self.peek(at, bus);
        let value = change(&mut self.state.cpu, value);
        self.poke(at, value);
        value
    }

    /// The same in the zero page.
    #[inline(always)]
    fn modify_zero_page(&mut self, at: u8, bus: u8, change: impl FnOnce(&mut Cpu, u8) -> u8) -> u8 {
        let value = self.peek_zero_page(at, bus);
        let value = change(&mut self.state.cpu, value);
        self.poke_zero_page(at, value, false);
        value
    }

    /// The undocumented stores that put the address's high byte, plus one, into what they store.
    fn store_masked(&mut self, at: u16, value: u8) {
        let mask = ((at >> 8) as u8).wrapping_add(1);
        self.poke(at, value & mask);
    }

    fn jam(&mut self) {
        self.state.cpu.jammed = true;
        self.state.cpu.pc = self.state.cpu.pc.wrapping_sub(1);
    }

    /// Executes one instruction, with all its effects on the other chips.
    ///
    /// (A table of opcodes: longer than functions are elsewhere.)
    #[inline(always)]
    pub fn execute_instruction(&mut self) {
        let word = self.fetch();
        // Address, and the byte that the data bus saw last.
        macro_rules! address {
            (abs $k:tt) => {
                (self.absolute(word), last_byte(word))
            };
            (absx read) => {
                (self.absolute_x::<true>(word), last_byte(word))
            };
            (absx write) => {
                (self.absolute_x::<false>(word), last_byte(word))
            };
            (absy read) => {
                (self.absolute_y::<true>(word), last_byte(word))
            };
            (absy write) => {
                (self.absolute_y::<false>(word), last_byte(word))
            };
            (indx $k:tt) => {
                self.indirect_x(word)
            };
            (indy read) => {
                self.indirect_y::<true>(word)
            };
            (indy write) => {
                self.indirect_y::<false>(word)
            };
        }
        macro_rules! operand {
            (imm) => { self.immediate(word) };
            (zp) => { self.peek_zero_page(self.zero_page(word), self.immediate(word)) };
            (zpx) => { self.peek_zero_page(self.zero_page_x(word), self.immediate(word)) };
            (zpy) => { self.peek_zero_page(self.zero_page_y(word), self.immediate(word)) };
            ($mode:tt) => {{ let (at, bus) = address!($mode read); self.peek(at, bus) }};
        }
        macro_rules! store {
            (zp, $value:expr) => {{ let value = $value; self.poke_zero_page(self.zero_page(word), value, false) }};
            (zpx, $value:expr) => {{ let value = $value; self.poke_zero_page(self.zero_page_x(word), value, false) }};
            (zpy, $value:expr) => {{ let value = $value; self.poke_zero_page(self.zero_page_y(word), value, false) }};
            ($mode:tt, $value:expr) => {{ let (at, _) = address!($mode write); let value = $value; self.poke(at, value) }};
        }
        macro_rules! change {
            (zp, $change:expr) => { self.modify_zero_page(self.zero_page(word), self.immediate(word), $change) };
            (zpx, $change:expr) => { self.modify_zero_page(self.zero_page_x(word), self.immediate(word), $change) };
            ($mode:tt, $change:expr) => {{ let (at, bus) = address!($mode write); self.modify(at, bus, $change) }};
        }
        macro_rules! read {
            ($mode:tt, |$cpu:ident, $value:ident| $body:expr) => {{
                let $value = operand!($mode);
                let $cpu = &mut self.state.cpu;
                $body
            }};
        }
        macro_rules! write {
            ($mode:tt, $register:ident) => {
                store!($mode, self.state.cpu.$register)
            };
        }
        macro_rules! modify {
            ($mode:tt, $change:ident) => {{
                change!($mode, Cpu::$change);
            }};
        }
        // The undocumented pairs: change memory, then combine the result with the accumulator.
        macro_rules! modify_and {
            ($mode:tt, $change:expr, |$cpu:ident, $value:ident| $body:expr) => {{
                let $value = change!($mode, $change);
                let $cpu = &mut self.state.cpu;
                $body
            }};
        }
        macro_rules! lda {
            ($m:tt) => {
                read!($m, |cpu, v| cpu.load(v))
            };
        }
        macro_rules! ldx {
            ($m:tt) => {
                read!($m, |cpu, v| cpu.x = cpu.flags(v))
            };
        }
        macro_rules! ldy {
            ($m:tt) => {
                read!($m, |cpu, v| cpu.y = cpu.flags(v))
            };
        }
        macro_rules! ora {
            ($m:tt) => {
                read!($m, |cpu, v| {
                    let r = cpu.a | v;
                    cpu.load(r)
                })
            };
        }
        macro_rules! and {
            ($m:tt) => {
                read!($m, |cpu, v| {
                    let r = cpu.a & v;
                    cpu.load(r)
                })
            };
        }
        macro_rules! eor {
            ($m:tt) => {
                read!($m, |cpu, v| {
                    let r = cpu.a ^ v;
                    cpu.load(r)
                })
            };
        }
        macro_rules! adc {
            ($m:tt) => {
                read!($m, |cpu, v| cpu.add(v))
            };
        }
        macro_rules! sbc {
            ($m:tt) => {
                read!($m, |cpu, v| cpu.subtract(v))
            };
        }
        macro_rules! cmp {
            ($m:tt) => {
                read!($m, |cpu, v| cpu.compare(cpu.a, v))
            };
        }
        macro_rules! cpx {
            ($m:tt) => {
                read!($m, |cpu, v| cpu.compare(cpu.x, v))
            };
        }
        macro_rules! cpy {
            ($m:tt) => {
                read!($m, |cpu, v| cpu.compare(cpu.y, v))
            };
        }
        macro_rules! bit {
            ($m:tt) => {
                read!($m, |cpu, v| cpu.bit(v))
            };
        }
        macro_rules! lax {
            ($m:tt) => {
                read!($m, |cpu, v| {
                    cpu.load(v);
                    cpu.x = v
                })
            };
        }
        macro_rules! inc {
            ($m:tt) => {
                modify_and!($m, |cpu, v| cpu.flags(v.wrapping_add(1)), |_cpu, _v| ())
            };
        }
        macro_rules! dec {
            ($m:tt) => {
                modify_and!($m, |cpu, v| cpu.flags(v.wrapping_sub(1)), |_cpu, _v| ())
            };
        }
        macro_rules! slo {
            ($m:tt) => {
                modify_and!($m, Cpu::shift_left, |cpu, v| {
                    let r = cpu.a | v;
                    cpu.load(r)
                })
            };
        }
        macro_rules! rla {
            ($m:tt) => {
                modify_and!($m, Cpu::rotate_left, |cpu, v| {
                    let r = cpu.a & v;
                    cpu.load(r)
                })
            };
        }
        macro_rules! sre {
            ($m:tt) => {
                modify_and!($m, Cpu::shift_right, |cpu, v| {
                    let r = cpu.a ^ v;
                    cpu.load(r)
                })
            };
        }
        macro_rules! rra {
            ($m:tt) => {
                modify_and!($m, Cpu::rotate_right, |cpu, v| cpu.add(v))
            };
        }
        macro_rules! dcp {
            ($m:tt) => {
                modify_and!($m, |_, v| v.wrapping_sub(1), |cpu, v| cpu.compare(cpu.a, v))
            };
        }
        macro_rules! isb {
            ($m:tt) => {
                modify_and!($m, |_, v| v.wrapping_add(1), |cpu, v| cpu.subtract(v))
            };
        }
        macro_rules! sax {
            ($m:tt) => {
                store!($m, self.state.cpu.a & self.state.cpu.x)
            };
        }
        macro_rules! nop {
            ($m:tt) => {
                read!($m, |_cpu, _v| ())
            };
        }
        macro_rules! transfer {
            ($from:ident => $to:ident) => {{
                let v = self.state.cpu.$from;
                self.state.cpu.$to = self.state.cpu.flags(v)
            }};
        }
        macro_rules! accumulator {
            ($change:ident) => {{
                let v = self.state.cpu.a;
                self.state.cpu.a = self.state.cpu.$change(v)
            }};
        }
        macro_rules! step {
            ($register:ident, $by:expr) => {{
                let v = self.state.cpu.$register.wrapping_add($by);
                self.state.cpu.$register = self.state.cpu.flags(v);
            }};
        }
        macro_rules! branch {
            (|$cpu:ident| $condition:expr) => {{
                let $cpu = &self.state.cpu;
                let taken = $condition;
                self.branch(word, taken)
            }};
        }
        // Length and cycles are constants of each instruction: read from a table, they would make the next fetch wait for
        // this one (a third of all time).
        macro_rules! instructions {
            ($($first:literal $(| $other:literal)* => $effect:expr),* $(,)?) => {
                match word as u8 {
                    $($first $(| $other)* => { self.advance::<$first>(); $effect })*
                }
            };
        }
        instructions! {
            0xa9 => lda!(imm), 0xa5 => lda!(zp), 0xb5 => lda!(zpx), 0xad => lda!(abs), 0xbd => lda!(absx), 0xb9 => lda!(absy),
            0xa1 => lda!(indx), 0xb1 => lda!(indy),
            0xa2 => ldx!(imm), 0xa6 => ldx!(zp), 0xb6 => ldx!(zpy), 0xae => ldx!(abs), 0xbe => ldx!(absy),
            0xa0 => ldy!(imm), 0xa4 => ldy!(zp), 0xb4 => ldy!(zpx), 0xac => ldy!(abs), 0xbc => ldy!(absx),
            0x85 => write!(zp, a), 0x95 => write!(zpx, a), 0x8d => write!(abs, a), 0x9d => write!(absx, a),
            0x99 => write!(absy, a), 0x81 => write!(indx, a), 0x91 => write!(indy, a),
            0x86 => write!(zp, x), 0x96 => write!(zpy, x), 0x8e => write!(abs, x),
            0x84 => write!(zp, y), 0x94 => write!(zpx, y), 0x8c => write!(abs, y),
            0x10 => branch!(|cpu| cpu.negative & 0x80 == 0), 0x30 => branch!(|cpu| cpu.negative & 0x80 != 0),
            0x50 => branch!(|cpu| !cpu.overflow), 0x70 => branch!(|cpu| cpu.overflow),
            0x90 => branch!(|cpu| !cpu.carry), 0xb0 => branch!(|cpu| cpu.carry),
            0xd0 => branch!(|cpu| cpu.not_zero != 0), 0xf0 => branch!(|cpu| cpu.not_zero == 0),
            0xaa => transfer!(a => x), 0xa8 => transfer!(a => y), 0x8a => transfer!(x => a), 0x98 => transfer!(y => a),
            0xba => transfer!(sp => x), 0x9a => self.state.cpu.sp = self.state.cpu.x,
            0xe8 => step!(x, 1), 0xc8 => step!(y, 1), 0xca => step!(x, 0xff), 0x88 => step!(y, 0xff),
            0x09 => ora!(imm), 0x05 => ora!(zp), 0x15 => ora!(zpx), 0x0d => ora!(abs), 0x1d => ora!(absx), 0x19 => ora!(absy),
            0x01 => ora!(indx), 0x11 => ora!(indy),
            0x29 => and!(imm), 0x25 => and!(zp), 0x35 => and!(zpx), 0x2d => and!(abs), 0x3d => and!(absx), 0x39 => and!(absy),
            0x21 => and!(indx), 0x31 => and!(indy),
            0x49 => eor!(imm), 0x45 => eor!(zp), 0x55 => eor!(zpx), 0x4d => eor!(abs), 0x5d => eor!(absx), 0x59 => eor!(absy),
            0x41 => eor!(indx), 0x51 => eor!(indy),
            0x69 => adc!(imm), 0x65 => adc!(zp), 0x75 => adc!(zpx), 0x6d => adc!(abs), 0x7d => adc!(absx), 0x79 => adc!(absy),
            0x61 => adc!(indx), 0x71 => adc!(indy),
            0xe9 | 0xeb => sbc!(imm), 0xe5 => sbc!(zp), 0xf5 => sbc!(zpx), 0xed => sbc!(abs), 0xfd => sbc!(absx),
            0xf9 => sbc!(absy), 0xe1 => sbc!(indx), 0xf1 => sbc!(indy),
            0xc9 => cmp!(imm), 0xc5 => cmp!(zp), 0xd5 => cmp!(zpx), 0xcd => cmp!(abs), 0xdd => cmp!(absx), 0xd9 => cmp!(absy),
            0xc1 => cmp!(indx), 0xd1 => cmp!(indy),
            0xe0 => cpx!(imm), 0xe4 => cpx!(zp), 0xec => cpx!(abs), 0xc0 => cpy!(imm), 0xc4 => cpy!(zp), 0xcc => cpy!(abs),
            0x24 => bit!(zp), 0x2c => bit!(abs),
            0x0a => accumulator!(shift_left), 0x4a => accumulator!(shift_right),
            0x2a => accumulator!(rotate_left), 0x6a => accumulator!(rotate_right),
            0x06 => modify!(zp, shift_left), 0x16 => modify!(zpx, shift_left), 0x0e => modify!(abs, shift_left),
            0x1e => modify!(absx, shift_left),
            0x46 => modify!(zp, shift_right), 0x56 => modify!(zpx, shift_right), 0x4e => modify!(abs, shift_right),
            0x5e => modify!(absx, shift_right),
            0x26 => modify!(zp, rotate_left), 0x36 => modify!(zpx, rotate_left), 0x2e => modify!(abs, rotate_left),
            0x3e => modify!(absx, rotate_left),
            0x66 => modify!(zp, rotate_right), 0x76 => modify!(zpx, rotate_right), 0x6e => modify!(abs, rotate_right),
            0x7e => modify!(absx, rotate_right),
            0xe6 => inc!(zp), 0xf6 => inc!(zpx), 0xee => inc!(abs), 0xfe => inc!(absx),
            0xc6 => dec!(zp), 0xd6 => dec!(zpx), 0xce => dec!(abs), 0xde => dec!(absx),
            0x4c => self.state.cpu.pc = self.absolute(word),
            0x6c => self.jump_indirect(word),
            0x20 => self.jump_to_subroutine(word),
            0x60 => self.state.cpu.pc = self.pull_address(word as u8).wrapping_add(1),
            0x00 => self.break_instruction(),
            0x40 => self.return_from_interrupt(word),
            0x48 => { let v = self.state.cpu.a; self.push(v, false) },
            0x68 => { let v = self.first_pull(word); self.state.cpu.load(v) },
            0x08 => { let v = self.state.cpu.status(); self.push(v, false) },
            0x28 => { let v = self.first_pull(word); self.state.cpu.set_status(v) },
            0x18 => self.state.cpu.carry = false, 0x38 => self.state.cpu.carry = true,
            0xd8 => self.state.cpu.decimal = false, 0xf8 => self.state.cpu.decimal = true,
            0x58 => self.state.cpu.interrupts_disabled = false, 0x78 => self.state.cpu.interrupts_disabled = true,
            0xb8 => self.state.cpu.overflow = false,
            0xea | 0x1a | 0x3a | 0x5a | 0x7a | 0xda | 0xfa => (),
            // Undocumented instructions.
            0x80 | 0x82 | 0x89 | 0xc2 | 0xe2 => (),
            0x04 | 0x44 | 0x64 => nop!(zp),
            0x14 | 0x34 | 0x54 | 0x74 | 0xd4 | 0xf4 => nop!(zpx),
            0x0c => nop!(abs),
            0x1c | 0x3c | 0x5c | 0x7c | 0xdc | 0xfc => nop!(absx),
            0xa7 => lax!(zp), 0xb7 => lax!(zpy), 0xaf => lax!(abs), 0xbf => lax!(absy), 0xa3 => lax!(indx), 0xb3 => lax!(indy),
            0x87 => sax!(zp), 0x97 => sax!(zpy), 0x8f => sax!(abs), 0x83 => sax!(indx),
            0x07 => slo!(zp), 0x17 => slo!(zpx), 0x0f => slo!(abs), 0x1f => slo!(absx), 0x1b => slo!(absy), 0x03 => slo!(indx),
            0x13 => slo!(indy),
            0x27 => rla!(zp), 0x37 => rla!(zpx), 0x2f => rla!(abs), 0x3f => rla!(absx), 0x3b => rla!(absy), 0x23 => rla!(indx),
            0x33 => rla!(indy),
            0x47 => sre!(zp), 0x57 => sre!(zpx), 0x4f => sre!(abs), 0x5f => sre!(absx), 0x5b => sre!(absy), 0x43 => sre!(indx),
            0x53 => sre!(indy),
            0x67 => rra!(zp), 0x77 => rra!(zpx), 0x6f => rra!(abs), 0x7f => rra!(absx), 0x7b => rra!(absy), 0x63 => rra!(indx),
            0x73 => rra!(indy),
            0xc7 => dcp!(zp), 0xd7 => dcp!(zpx), 0xcf => dcp!(abs), 0xdf => dcp!(absx), 0xdb => dcp!(absy), 0xc3 => dcp!(indx),
            0xd3 => dcp!(indy),
            0xe7 => isb!(zp), 0xf7 => isb!(zpx), 0xef => isb!(abs), 0xff => isb!(absx), 0xfb => isb!(absy), 0xe3 => isb!(indx),
            0xf3 => isb!(indy),
            0x0b | 0x2b => { and!(imm); self.state.cpu.carry = self.state.cpu.negative & 0x80 != 0 },
            0x4b => read!(imm, |cpu, v| { let r = cpu.a & v; cpu.a = cpu.shift_right(r) }),
            0x6b => read!(imm, |cpu, v| cpu.and_rotate(v)),
            0x8b => read!(imm, |cpu, v| { let r = (cpu.a | 0xee) & cpu.x & v; cpu.load(r) }),
            0xab => read!(imm, |cpu, v| { let r = (cpu.a | 0xee) & v; cpu.load(r); cpu.x = r }),
            0xcb => read!(imm, |cpu, v| { let r = cpu.a & cpu.x; cpu.compare(r, v); cpu.x = r.wrapping_sub(v) }),
            0xbb => read!(absy, |cpu, v| { let r = cpu.sp & v; cpu.load(r); cpu.x = r; cpu.sp = r }),
            0x9f => { let (at, _) = address!(absy write); let v = self.state.cpu.a & self.state.cpu.x; self.store_masked(at, v) },
            0x93 => { let (at, _) = address!(indy write); let v = self.state.cpu.a & self.state.cpu.x; self.store_masked(at, v) },
            0x9e => { let (at, _) = address!(absy write); let v = self.state.cpu.x; self.store_masked(at, v) },
            0x9c => { let (at, _) = address!(absx write); let v = self.state.cpu.y; self.store_masked(at, v) },
            0x9b => {
                let (at, _) = address!(absy write);
                let v = self.state.cpu.a & self.state.cpu.x;
                self.state.cpu.sp = v;
                self.store_masked(at, v);
            },
            0x02 | 0x12 | 0x22 | 0x32 | 0x42 | 0x52 | 0x62 | 0x72 | 0x92 | 0xb2 | 0xd2 | 0xf2 => self.jam(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sim::atari::testing::{machine, run};

    #[test]
    fn decimal_sums_carry_at_a_hundred() {
        // SED; SEC; LDA #$58; ADC #$46
        let mut machine = machine(&[0xf8, 0x38, 0xa9, 0x58, 0x69, 0x46]);
        run(&mut machine, 4);
        assert_eq!((machine.state.cpu.a, machine.state.cpu.carry), (0x05, true));
    }

    #[test]
    fn decimal_differences_borrow() {
        // SED; SEC; LDA #$12; SBC #$21
        let mut machine = machine(&[0xf8, 0x38, 0xa9, 0x12, 0xe9, 0x21]);
        run(&mut machine, 4);
        assert_eq!((machine.state.cpu.a, machine.state.cpu.carry), (0x91, false));
    }

    #[test]
    fn binary_sums_overflow_at_the_sign() {
        // CLC; LDA #$7f; ADC #1
        let mut machine = machine(&[0x18, 0xa9, 0x7f, 0x69, 0x01]);
        run(&mut machine, 3);
        let cpu = &machine.state.cpu;
        assert_eq!((cpu.a, cpu.carry, cpu.overflow, cpu.negative), (0x80, false, true, 0x80));
    }

    #[test]
    fn indexed_reads_take_a_cycle_more_across_pages_and_stores_do_not() {
        // LDX #$ff; LDA $f001,X; STA $0081,X
        let mut machine = machine(&[0xa2, 0xff, 0xbd, 0x01, 0xf0, 0x9d, 0x81, 0x00]);
        run(&mut machine, 2);
        assert_eq!(machine.state.cycles, 2 + 5);
        run(&mut machine, 1);
        assert_eq!(machine.state.cycles, 2 + 5 + 5);
    }

    #[test]
    fn taken_branches_take_a_cycle_and_a_second_one_into_another_page() {
        // LDA #0; BEQ +0; BEQ -128
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
    fn subroutines_return_behind_the_call() {
        // JSR $f006; NOP x3; RTS
        let mut machine = machine(&[0x20, 0x06, 0xf0, 0xea, 0xea, 0xea, 0x60]);
        run(&mut machine, 2);
        assert_eq!((machine.state.cpu.pc, machine.state.cpu.sp), (0xf003, 0xff));
        assert_eq!(machine.state.riot.ram[126..], [0x02, 0xf0]);
    }

    #[test]
    fn the_status_survives_the_stack() {
        // SEC; SED; LDA #0; PHP; CLC; CLD; LDA #1; PLP
        let mut machine = machine(&[0x38, 0xf8, 0xa9, 0x00, 0x08, 0x18, 0xd8, 0xa9, 0x01, 0x28]);
        run(&mut machine, 4);
        assert_eq!(machine.state.riot.ram[127], 0x3b);
        run(&mut machine, 4);
        let cpu = &machine.state.cpu;
        assert_eq!((cpu.carry, cpu.decimal, cpu.not_zero), (true, true, 0));
    }

    #[test]
    fn a_locked_processor_stands_still_and_the_frame_ends() {
        let mut machine = machine(&[0x02]);
        machine.play_frame();
        machine.play_frame();
        assert_eq!((machine.state.cpu.pc, machine.state.cpu.jammed), (0xf000, true));
    }

    #[test]
    fn programs_run_in_memory_too() {
        // LDA #$e8 (INX); STA $80; LDA #$60 (RTS); STA $81; JSR $0080
        let mut machine = machine(&[0xa9, 0xe8, 0x85, 0x80, 0xa9, 0x60, 0x85, 0x81, 0x20, 0x80, 0x00]);
        run(&mut machine, 7);
        assert_eq!((machine.state.cpu.x, machine.state.cpu.pc), (1, 0xf00b));
    }
}
