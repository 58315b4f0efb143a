//! Generates aarch64 code for operations on operands.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::{Aarch64, LastResult, W8, number};
use crate::recompiler::assembler::{Combination, Operations, Value};
use crate::recompiler::decode::{Change, Register};
use crate::recompiler::emit_state::Carry;
use crate::recompiler::offsets::{CARRY, DECIMAL, NEGATIVE, NOT_ZERO, OVERFLOW, RAM, SP};

/// Number of the host register that holds the 6502's A register.
const A: u8 = 23;

impl Aarch64 {
    /// Emits code that moves a value to w9, the value register.
    fn byte(&mut self, value: Value) {
        match value {
            Value::Constant(byte) => dynasm!(self.ops ; .arch aarch64 ; movz w9, u32::from(byte)),
            Value::At(at) => dynasm!(self.ops ; .arch aarch64 ; ldrb w9, [x19, at as u32]),
            Value::Read => (),
        }
    }

    /// Emits code that adds w9 and the carry to A.
    fn add_w9(&mut self, carry: Carry) {
        dynasm!(self.ops ; .arch aarch64 ; add w8, w23, w9);
        match carry {
            Carry::Known(false) => (),
            Carry::Known(true) => dynasm!(self.ops ; .arch aarch64 ; add w8, w8, 1),
            Carry::Stored => dynasm!(self.ops ; .arch aarch64 ; ldrb w11, [x19, CARRY as u32] ; add w8, w8, w11),
        }
        // The overflow flag is set if the sign of the sum differs from the signs of both addends.
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
    }

    fn change_at_w8(&mut self, change: Change, carry: Carry) {
        dynasm!(self.ops ; .arch aarch64 ; add x9, x20, x8 ; ldrb w8, [x9]);
        self.change(W8, change, carry);
        dynasm!(self.ops ; .arch aarch64 ; strb w8, [x9]);
    }

    /// Emits code that applies a read-modify-write operation to the byte in a host register, and stores the carry if the
    /// operation is a shift. The code clobbers w10 and w11.
    fn change(&mut self, register: u8, change: Change, carry: Carry) {
        match change {
            Change::Increment => return self.step_register(register, 1),
            Change::Decrement => return self.step_register(register, -1),
            Change::ShiftLeft => self.shift_left(register),
            Change::ShiftRight => self.shift_right(register),
            Change::RotateLeft => {
                self.carry_in_w11(carry);
                self.shift_left(register);
                dynasm!(self.ops ; .arch aarch64 ; orr W(register), W(register), w11);
            }
            Change::RotateRight => {
                self.carry_in_w11(carry);
                self.shift_right(register);
                dynasm!(self.ops ; .arch aarch64 ; orr W(register), W(register), w11, lsl 7);
            }
        }
        dynasm!(self.ops ; .arch aarch64 ; strb w10, [x19, CARRY as u32]);
    }

    fn step_register(&mut self, register: u8, by: i8) {
        if by > 0 {
            dynasm!(self.ops ; .arch aarch64 ; add WSP(register), WSP(register), 1);
        } else {
            dynasm!(self.ops ; .arch aarch64 ; sub WSP(register), WSP(register), 1);
        }
        dynasm!(self.ops ; .arch aarch64 ; uxtb W(register), W(register));
    }

    /// Emits code that shifts a host register left, and moves the bit shifted out to w10.
    fn shift_left(&mut self, register: u8) {
        dynasm!(self.ops ; .arch aarch64 ; ubfx w10, W(register), 7, 1 ; ubfiz W(register), W(register), 1, 7);
    }

    fn shift_right(&mut self, register: u8) {
        dynasm!(self.ops ; .arch aarch64 ; and w10, W(register), 1 ; lsr W(register), W(register), 1);
    }

    fn carry_in_w11(&mut self, carry: Carry) {
        match carry {
            Carry::Known(carry) => dynasm!(self.ops ; .arch aarch64 ; movz w11, u32::from(carry)),
            Carry::Stored => dynasm!(self.ops ; .arch aarch64 ; ldrb w11, [x19, CARRY as u32]),
        }
    }
}

impl Operations for Aarch64 {
    fn load(&mut self, register: Register, value: Value) {
        let host = number(register);
        match value {
            Value::Constant(byte) => dynasm!(self.ops ; .arch aarch64 ; movz W(host), u32::from(byte)),
            Value::At(at) => dynasm!(self.ops ; .arch aarch64 ; ldrb W(host), [x19, at as u32]),
            Value::Read => dynasm!(self.ops ; .arch aarch64 ; mov W(host), w9),
        }
    }

    fn transfer(&mut self, from: Register, to: Register) {
        let (from, to) = (number(from), number(to));
        dynasm!(self.ops ; .arch aarch64 ; mov W(to), W(from));
    }

    fn and_a_x(&mut self) {
        dynasm!(self.ops ; .arch aarch64 ; and w10, w23, w24);
    }

    fn combine(&mut self, combination: Combination, value: Value) {
        self.byte(value);
        match combination {
            Combination::Or => dynasm!(self.ops ; .arch aarch64 ; orr w23, w23, w9),
            Combination::And => dynasm!(self.ops ; .arch aarch64 ; and w23, w23, w9),
            Combination::Xor => dynasm!(self.ops ; .arch aarch64 ; eor w23, w23, w9),
        }
    }

    fn check_binary(&mut self, slow: DynamicLabel) {
        dynasm!(self.ops ; .arch aarch64 ; ldrb w11, [x19, DECIMAL as u32] ; cbnz w11, =>slow);
    }

    fn add(&mut self, value: Value, carry: Carry) {
        self.byte(value);
        self.add_w9(carry);
    }

    fn subtract(&mut self, value: Value, carry: Carry) {
        // A subtraction is an addition of the operand's one's complement, with the same carry.
        self.byte(value);
        dynasm!(self.ops ; .arch aarch64 ; eor w9, w9, 0xff);
        self.add_w9(carry);
    }

    fn compare(&mut self, register: Register, value: Value) {
        let host = number(register);
        self.byte(value);
        dynasm!(self.ops
            ; .arch aarch64
            ; subs w8, W(host), w9
            ; cset w10, hs
            ; strb w10, [x19, CARRY as u32]
        );
        self.store_result_of(W8);
        self.last = LastResult::Comparison;
    }

    fn bit(&mut self, value: Value) {
        self.byte(value);
        dynasm!(self.ops
            ; .arch aarch64
            ; strb w9, [x19, NEGATIVE as u32]
            ; ubfx w10, w9, 6, 1
            ; strb w10, [x19, OVERFLOW as u32]
            ; and w10, w9, w23
            ; strb w10, [x19, NOT_ZERO as u32]
        );
    }

    fn step(&mut self, register: Register, by: i8) {
        self.step_register(number(register), by);
    }

    fn change_ram(&mut self, at: u8, change: Change, carry: Carry) {
        let at = RAM as u32 + u32::from(at);
        dynasm!(self.ops ; .arch aarch64 ; ldrb w8, [x19, at]);
        self.change(W8, change, carry);
        dynasm!(self.ops ; .arch aarch64 ; strb w8, [x19, at]);
    }

    fn change_zero_page(&mut self, change: Change, carry: Carry, slow: DynamicLabel) {
        dynasm!(self.ops ; .arch aarch64 ; tbz w8, 7, =>slow);
        self.change_at_w8(change, carry);
    }

    fn change_memory(&mut self, change: Change, carry: Carry, slow: DynamicLabel) {
        self.compare_with_memory();
        dynasm!(self.ops ; .arch aarch64 ; b.ne =>slow ; and w8, w8, 0xff);
        self.change_at_w8(change, carry);
    }

    fn finish_change(&mut self, _change: Change) {
        self.store_result_of(W8);
        self.last = LastResult::In(W8);
    }

    fn changed_to_value(&mut self) {
        dynasm!(self.ops ; .arch aarch64 ; mov w9, w8);
    }

    fn change_accumulator(&mut self, change: Change, carry: Carry) {
        self.change(A, change, carry);
    }

    fn stack_to_x(&mut self) {
        dynasm!(self.ops ; .arch aarch64 ; ldrb w24, [x19, SP as u32]);
    }

    fn x_to_stack(&mut self) {
        dynasm!(self.ops ; .arch aarch64 ; strb w24, [x19, SP as u32]);
    }

    fn push(&mut self, elsewhere: DynamicLabel, join: DynamicLabel) {
        dynasm!(self.ops
            ; .arch aarch64
            ; ldrb w8, [x19, SP as u32]
            ; tbz w8, 7, =>elsewhere
            ; strb w23, [x20, x8]
            ; =>join
            ; sub w8, w8, 1
            ; strb w8, [x19, SP as u32]
        );
    }

    fn reload_stack(&mut self) {
        dynasm!(self.ops ; .arch aarch64 ; ldrb w8, [x19, SP as u32]);
    }

    fn check_push(&mut self, memory: DynamicLabel, slow: DynamicLabel) {
        dynasm!(self.ops
            ; .arch aarch64
            ; ldrb w8, [x19, SP as u32]
            ; tbnz w8, 7, =>memory
            ; tst w8, 0x3f
            ; b.eq =>slow
        );
    }

    fn pull(&mut self, elsewhere: DynamicLabel) {
        dynasm!(self.ops
            ; .arch aarch64
            ; ldrb w8, [x19, SP as u32]
            ; sub w9, w8, 0x80
            ; cmp w9, 0x7e
            ; b.hi =>elsewhere
            ; add w8, w8, 1
            ; strb w8, [x19, SP as u32]
            ; ldrb w23, [x20, x8]
        );
    }
}
