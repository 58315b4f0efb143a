//! Operations: what is done with operands.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::Emitter;
use super::operands::Value;
use super::state::{A, Cold, ColdOperand, Host, W8, W10, X, number};
use crate::translate::decode::{Change, Instruction, Mode, Operation, Register};
use crate::translate::helpers;
use crate::translate::layout::Answer;
use crate::translate::moment::{Carry, Result};
use crate::translate::offsets::{CARRY, DECIMAL, INTERRUPTS, NEGATIVE, NOT_ZERO, OVERFLOW, RAM, SP};

impl Emitter<'_> {
    /// Everything but jumps.
    pub(super) fn operation(&mut self, instruction: &Instruction) {
        match instruction.operation {
            Operation::Load(register) => self.load(instruction, register),
            Operation::LoadBoth => {
                self.load(instruction, Register::A);
                dynasm!(self.ops ; .arch aarch64 ; mov w24, w23);
            }
            Operation::Store(register) => self.write(instruction, number(register)),
            Operation::StoreBoth => {
                dynasm!(self.ops ; .arch aarch64 ; and w10, w23, w24);
                self.write(instruction, W10);
            }
            Operation::Or | Operation::And | Operation::Xor => self.combine(instruction),
            Operation::Add => {
                self.check_binary();
                self.read_byte(instruction);
                self.add_w9();
            }
            Operation::Subtract => {
                // A difference is the sum with what is left to 255, with the same carry.
                self.check_binary();
                self.read_byte(instruction);
                dynasm!(self.ops ; .arch aarch64 ; eor w9, w9, 0xff);
                self.add_w9();
            }
            Operation::Compare(register) => {
                self.read_byte(instruction);
                self.compare_with_w9(register);
            }
            Operation::Bit => self.bit(instruction),
            Operation::Read => _ = self.read(instruction),
            Operation::Modify(change) => self.modify(instruction, change),
            Operation::DecrementCompare => {
                self.modify(instruction, Change::Decrement);
                dynasm!(self.ops ; .arch aarch64 ; mov w9, w8);
                self.compare_with_w9(Register::A);
            }
            Operation::Accumulator(change) => {
                self.change(A, change);
                self.result_in(Register::A);
            }
            Operation::Step(register, by) => {
                let host = number(register);
                if by > 0 {
                    dynasm!(self.ops ; .arch aarch64 ; add WSP(host), WSP(host), 1);
                } else {
                    dynasm!(self.ops ; .arch aarch64 ; sub WSP(host), WSP(host), 1);
                }
                dynasm!(self.ops ; .arch aarch64 ; uxtb W(host), W(host));
                self.result_in(register);
            }
            Operation::Transfer(from, to) => {
                let (from, host) = (number(from), number(to));
                dynasm!(self.ops ; .arch aarch64 ; mov W(host), W(from));
                self.result_in(to);
            }
            Operation::StackToX => {
                dynasm!(self.ops ; .arch aarch64 ; ldrb W(X), [x19, SP as u32]);
                self.result_in(Register::X);
            }
            Operation::XToStack => dynasm!(self.ops ; .arch aarch64 ; strb W(X), [x19, SP as u32]),
            Operation::Push => self.push(),
            Operation::PushStatus => self.push_status(),
            Operation::Pull => self.pull(),
            Operation::PullStatus => {
                dynasm!(self.ops ; .arch aarch64 ; movz w2, u32::from(instruction.opcode));
                self.call(helpers::pull_status);
                (self.now.result, self.now.carry, self.is_binary) = (Result::Stored, Carry::Stored, false);
            }
            Operation::SetCarry(carry) => self.now.carry = Carry::Known(carry),
            Operation::SetDecimal(decimal) => {
                self.set(DECIMAL, decimal);
                self.is_binary = !decimal;
            }
            Operation::SetInterrupts(disabled) => self.set(INTERRUPTS, disabled),
            Operation::ClearOverflow => self.set(OVERFLOW, false),
            // Blocks have none of the others.
            _ => (),
        }
    }

    fn set(&mut self, flag: i32, value: bool) {
        dynasm!(self.ops ; .arch aarch64 ; movz w11, u32::from(value) ; strb w11, [x19, flag as u32]);
    }

    fn result_in(&mut self, register: Register) {
        self.now.result = Result::In(register);
    }

    fn load(&mut self, instruction: &Instruction, register: Register) {
        let host = number(register);
        match self.read(instruction) {
            Value::Constant(byte) => dynasm!(self.ops ; .arch aarch64 ; movz W(host), u32::from(byte)),
            Value::At(at) => dynasm!(self.ops ; .arch aarch64 ; ldrb W(host), [x19, at as u32]),
            Value::W9 => dynasm!(self.ops ; .arch aarch64 ; mov W(host), w9),
        }
        self.result_in(register);
    }

    fn combine(&mut self, instruction: &Instruction) {
        self.read_byte(instruction);
        match instruction.operation {
            Operation::Or => dynasm!(self.ops ; .arch aarch64 ; orr w23, w23, w9),
            Operation::And => dynasm!(self.ops ; .arch aarch64 ; and w23, w23, w9),
            _ => dynasm!(self.ops ; .arch aarch64 ; eor w23, w23, w9),
        }
        self.result_in(Register::A);
    }

    /// Decimal arithmetic is the interpreter's.
    fn check_binary(&mut self) {
        if !self.is_binary {
            let slow = self.slow();
            dynasm!(self.ops ; .arch aarch64 ; ldrb w11, [x19, DECIMAL as u32] ; cbnz w11, =>slow);
            self.is_binary = true;
        }
    }

    /// Adds w9 and the carry to A.
    fn add_w9(&mut self) {
        dynasm!(self.ops ; .arch aarch64 ; add w8, w23, w9);
        match self.now.carry {
            Carry::Known(false) => (),
            Carry::Known(true) => dynasm!(self.ops ; .arch aarch64 ; add w8, w8, 1),
            Carry::Stored => dynasm!(self.ops ; .arch aarch64 ; ldrb w11, [x19, CARRY as u32] ; add w8, w8, w11),
        }
        // It overflows where the sum has another sign than both numbers.
        dynasm!(self.ops
            ; .arch aarch64
            ; eor w10, w23, w8
            ; eor w11, w9, w8
            ; and w10, w10, w11
            ; ubfx w10, w10, 7, 1
            ; strb w10, [x19, OVERFLOW as u32]
            ; lsr w10, w8, 8
            ; strb w10, [x19, CARRY as u32]
            ; and w23, w8, 0xff
        );
        self.now.carry = Carry::Stored;
        self.result_in(Register::A);
    }

    fn compare_with_w9(&mut self, register: Register) {
        let host = number(register);
        dynasm!(self.ops
            ; .arch aarch64
            ; subs w8, W(host), w9
            ; cset w10, hs
            ; strb w10, [x19, CARRY as u32]
        );
        self.store_result_of(W8);
        (self.now.result, self.now.carry) = (Result::Stored, Carry::Stored);
        self.host = Host::Comparison;
    }

    fn bit(&mut self, instruction: &Instruction) {
        self.read_byte(instruction);
        dynasm!(self.ops
            ; .arch aarch64
            ; strb w9, [x19, NEGATIVE as u32]
            ; ubfx w10, w9, 6, 1
            ; strb w10, [x19, OVERFLOW as u32]
            ; and w10, w9, w23
            ; strb w10, [x19, NOT_ZERO as u32]
        );
        self.now.result = Result::Stored;
    }

    /// Changes a byte of memory, and leaves it in w8.
    fn modify(&mut self, instruction: &Instruction, change: Change) {
        match instruction.mode {
            Mode::ZeroPage | Mode::Absolute => {
                let Answer::Ram(at) = self.layout.answer(self.at, instruction.operand) else { return };
                let at = RAM as u32 + u32::from(at);
                dynasm!(self.ops ; .arch aarch64 ; ldrb w8, [x19, at]);
                self.change(W8, change);
                dynasm!(self.ops ; .arch aarch64 ; strb w8, [x19, at]);
            }
            Mode::ZeroPageIndexed(index) => {
                let slow = self.slow();
                self.zero_page_address(instruction, index);
                dynasm!(self.ops ; .arch aarch64 ; tbz w8, 7, =>slow);
                self.modify_at_w8(change);
            }
            Mode::AbsoluteIndexed(index) => {
                let slow = self.slow();
                self.indexed_address(instruction, index);
                self.compare_with_memory();
                dynasm!(self.ops ; .arch aarch64 ; b.ne =>slow ; and w8, w8, 0xff);
                self.modify_at_w8(change);
            }
            _ => (),
        }
        self.store_result_of(W8);
        self.now.result = Result::Stored;
        self.host = Host::Result(W8);
    }

    fn modify_at_w8(&mut self, change: Change) {
        dynasm!(self.ops ; .arch aarch64 ; add x9, x20, x8 ; ldrb w8, [x9]);
        self.change(W8, change);
        dynasm!(self.ops ; .arch aarch64 ; strb w8, [x9]);
    }

    /// Changes the byte in a register; w10 and w11 are used up.
    fn change(&mut self, register: u8, change: Change) {
        match change {
            Change::Increment => {
                dynasm!(self.ops ; .arch aarch64 ; add WSP(register), WSP(register), 1 ; uxtb W(register), W(register));
                return;
            }
            Change::Decrement => {
                dynasm!(self.ops ; .arch aarch64 ; sub WSP(register), WSP(register), 1 ; uxtb W(register), W(register));
                return;
            }
            Change::ShiftLeft => self.shift_left(register),
            Change::ShiftRight => self.shift_right(register),
            Change::RotateLeft => {
                self.carry_in_w11();
                self.shift_left(register);
                dynasm!(self.ops ; .arch aarch64 ; orr W(register), W(register), w11);
            }
            Change::RotateRight => {
                self.carry_in_w11();
                self.shift_right(register);
                dynasm!(self.ops ; .arch aarch64 ; orr W(register), W(register), w11, lsl 7);
            }
        }
        dynasm!(self.ops ; .arch aarch64 ; strb w10, [x19, CARRY as u32]);
        self.now.carry = Carry::Stored;
    }

    /// What is shifted out is in w10.
    fn shift_left(&mut self, register: u8) {
        dynasm!(self.ops ; .arch aarch64 ; ubfx w10, W(register), 7, 1 ; ubfiz W(register), W(register), 1, 7);
    }

    fn shift_right(&mut self, register: u8) {
        dynasm!(self.ops ; .arch aarch64 ; and w10, W(register), 1 ; lsr W(register), W(register), 1);
    }

    fn carry_in_w11(&mut self) {
        match self.now.carry {
            Carry::Known(carry) => dynasm!(self.ops ; .arch aarch64 ; movz w11, u32::from(carry)),
            Carry::Stored => dynasm!(self.ops ; .arch aarch64 ; ldrb w11, [x19, CARRY as u32]),
        }
    }

    fn push(&mut self) {
        let slow = self.slow();
        let (label, join) = (self.ops.new_dynamic_label(), self.ops.new_dynamic_label());
        dynasm!(self.ops
            ; .arch aarch64
            ; ldrb w8, [x19, SP as u32]
            ; tbz w8, 7, =>label
            ; strb w23, [x20, x8]
            ; =>join
            ; sub w8, w8, 1
            ; strb w8, [x19, SP as u32]
        );
        let cold = ColdOperand::Push { label, join, moment: self.now, slow };
        self.cold.push(Cold::Operand(cold));
    }

    fn push_status(&mut self) {
        let slow = self.slow();
        let memory = self.ops.new_dynamic_label();
        dynasm!(self.ops
            ; .arch aarch64
            ; ldrb w8, [x19, SP as u32]
            ; tbnz w8, 7, =>memory
            ; tst w8, 0x3f
            ; b.eq =>slow
        );
        self.check_frame(slow);
        dynasm!(self.ops ; .arch aarch64 ; =>memory);
        self.store_result();
        self.store_carry();
        self.call(helpers::push_status);
        let cycles = self.now.cycles;
        dynasm!(self.ops ; .arch aarch64 ; sub w21, w0, cycles);
    }

    fn pull(&mut self) {
        let (label, join) = (self.ops.new_dynamic_label(), self.ops.new_dynamic_label());
        dynasm!(self.ops
            ; .arch aarch64
            ; ldrb w8, [x19, SP as u32]
            ; sub w9, w8, 0x80
            ; cmp w9, 0x7e
            ; b.hi =>label
            ; add w8, w8, 1
            ; strb w8, [x19, SP as u32]
            ; ldrb w23, [x20, x8]
            ; =>join
        );
        self.cold.push(Cold::Operand(ColdOperand::Pull { label, join, moment: self.now }));
        self.result_in(Register::A);
    }

    pub(super) fn call_subroutine(&mut self, instruction: &Instruction) {
        let slow = self.slow();
        let back = instruction.next().wrapping_sub(1);
        dynasm!(self.ops
            ; .arch aarch64
            ; ldrb w8, [x19, SP as u32]
            ; sub w9, w8, 0x81
            ; cmp w9, 0x7e
            ; b.hi =>slow
            ; movz w9, u32::from(back)
            ; add x10, x20, x8
            ; sturh w9, [x10, -1]
            ; sub w8, w8, 2
            ; strb w8, [x19, SP as u32]
        );
        self.count();
        self.go_to(instruction.operand);
    }

    pub(super) fn return_from_subroutine(&mut self) {
        let slow = self.slow();
        dynasm!(self.ops
            ; .arch aarch64
            ; ldrb w8, [x19, SP as u32]
            ; sub w9, w8, 0x7f
            ; cmp w9, 0x7e
            ; b.hi =>slow
            ; add x10, x20, x8
            ; ldurh w9, [x10, 1]
            ; add w8, w8, 2
            ; strb w8, [x19, SP as u32]
            ; add w9, w9, 1
            ; and w9, w9, 0xffff
        );
        self.count();
        self.dispatch();
    }

    pub(super) fn jump_indirect(&mut self, instruction: &Instruction) {
        let pointer = instruction.operand;
        let second = pointer & 0xff00 | pointer.wrapping_add(1) & 0xff;
        let bytes = [pointer, second].map(|address| self.layout.answer(self.at, address));
        if let [Answer::Byte(low), Answer::Byte(high)] = bytes {
            self.count();
            return self.go_to(u16::from_le_bytes([low, high]));
        }
        for (register, answer) in [9, W8].into_iter().zip(bytes) {
            match answer {
                Answer::Ram(at) => dynasm!(self.ops ; .arch aarch64 ; ldrb W(register), [x19, RAM as u32 + u32::from(at)]),
                Answer::Byte(byte) => dynasm!(self.ops ; .arch aarch64 ; movz W(register), u32::from(byte)),
                _ => (),
            }
        }
        dynasm!(self.ops ; .arch aarch64 ; orr w9, w9, w8, lsl 8);
        self.count();
        self.dispatch();
    }
}
