//! Generates x86-64 code for operations on operands.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::{HostFlags, X86, number};
use crate::recompiler::assembler::{Combination, Operations, Value};
use crate::recompiler::decode::{Change, Register};
use crate::recompiler::emit_state::Carry;
use crate::recompiler::offsets::{CARRY, DECIMAL, NEGATIVE, NOT_ZERO, OVERFLOW, RAM, SP, ZERO_PAGE};

/// Number of the host register that holds the 6502's A register.
const A: u8 = 14;

/// Emits the given host instruction with two operands: a byte register and a value.
macro_rules! with_value {
    ($ops:expr, $operation:ident, $register:expr, $value:expr) => {
        match $value {
            Value::Constant(byte) => dynasm!($ops ; .arch x64 ; $operation Rb($register), BYTE byte as i8),
            Value::At(at) => dynasm!($ops ; .arch x64 ; $operation Rb($register), BYTE [rbx + at]),
            Value::Read => dynasm!($ops ; .arch x64 ; $operation Rb($register), cl),
        }
    };
}

impl X86 {
    /// Emits code that copies the 6502 carry flag to the host's carry flag; the code clobbers edx.
    fn carry_to_host(&mut self, carry: Carry) {
        match carry {
            Carry::Known(true) => dynasm!(self.ops ; .arch x64 ; stc),
            Carry::Known(false) => dynasm!(self.ops ; .arch x64 ; clc),
            Carry::Stored => dynasm!(self.ops ; .arch x64 ; mov dl, [rbx + CARRY] ; add dl, BYTE -1),
        }
    }

    /// Emits code that stores the byte in the host register al as the last result, from which the negative and zero flags are
    /// derived.
    fn store_al(&mut self) {
        dynasm!(self.ops ; .arch x64 ; mov [rbx + NEGATIVE], al ; mov [rbx + NOT_ZERO], al);
    }

    fn change_at_rcx(&mut self, change: Change, carry: Carry) {
        dynasm!(self.ops ; .arch x64 ; movzx eax, BYTE [rcx]);
        self.change_al(change, carry);
        dynasm!(self.ops ; .arch x64 ; mov [rcx], al);
    }

    fn change_al(&mut self, change: Change, carry: Carry) {
        match change {
            Change::ShiftLeft => dynasm!(self.ops ; .arch x64 ; shl al, 1),
            Change::ShiftRight => dynasm!(self.ops ; .arch x64 ; shr al, 1),
            Change::Increment => dynasm!(self.ops ; .arch x64 ; inc al),
            Change::Decrement => dynasm!(self.ops ; .arch x64 ; dec al),
            Change::RotateLeft => {
                self.carry_to_host(carry);
                dynasm!(self.ops ; .arch x64 ; rcl al, 1);
            }
            Change::RotateRight => {
                self.carry_to_host(carry);
                dynasm!(self.ops ; .arch x64 ; rcr al, 1);
            }
        }
    }

    /// Records in the field `flags` what the host's flags contain after the emitted code of a read-modify-write operation.
    /// Rotations do not set the host's sign and zero flags.
    fn has_changed(&mut self, change: Change) {
        self.flags = match change {
            Change::Increment | Change::Decrement => HostFlags::Result,
            Change::ShiftLeft | Change::ShiftRight => HostFlags::Sum,
            Change::RotateLeft | Change::RotateRight => HostFlags::Carry,
        };
    }
}

impl Operations for X86 {
    fn load(&mut self, register: Register, value: Value) {
        let host = number(register);
        match value {
            Value::Constant(0) => dynasm!(self.ops ; .arch x64 ; xor Rd(host), Rd(host)),
            Value::Constant(byte) => dynasm!(self.ops ; .arch x64 ; mov Rd(host), i32::from(byte)),
            Value::At(at) => dynasm!(self.ops ; .arch x64 ; movzx Rd(host), BYTE [rbx + at]),
            Value::Read => dynasm!(self.ops ; .arch x64 ; mov Rd(host), ecx),
        }
    }

    fn transfer(&mut self, from: Register, to: Register) {
        let (from, to) = (number(from), number(to));
        dynasm!(self.ops ; .arch x64 ; mov Rd(to), Rd(from));
    }

    fn and_a_x(&mut self) {
        dynasm!(self.ops ; .arch x64 ; mov edx, r14d ; and edx, r15d);
    }

    fn combine(&mut self, combination: Combination, value: Value) {
        match combination {
            Combination::Or => with_value!(self.ops, or, A, value),
            Combination::And => with_value!(self.ops, and, A, value),
            Combination::Xor => with_value!(self.ops, xor, A, value),
        }
        self.flags = HostFlags::Result;
    }

    fn check_binary(&mut self, slow: DynamicLabel) {
        dynasm!(self.ops ; .arch x64 ; cmp BYTE [rbx + DECIMAL], 0 ; jne =>slow);
    }

    fn add(&mut self, value: Value, carry: Carry) {
        if carry == Carry::Known(false) {
            with_value!(self.ops, add, A, value);
        } else {
            self.carry_to_host(carry);
            with_value!(self.ops, adc, A, value);
        }
        dynasm!(self.ops ; .arch x64 ; setc [rbx + CARRY] ; seto [rbx + OVERFLOW]);
        self.flags = HostFlags::Sum;
    }

    fn subtract(&mut self, value: Value, carry: Carry) {
        match carry {
            Carry::Known(true) => with_value!(self.ops, sub, A, value),
            Carry::Known(false) => {
                dynasm!(self.ops ; .arch x64 ; stc);
                with_value!(self.ops, sbb, A, value);
            }
            Carry::Stored => {
                dynasm!(self.ops ; .arch x64 ; cmp BYTE [rbx + CARRY], 1);
                with_value!(self.ops, sbb, A, value);
            }
        }
        dynasm!(self.ops ; .arch x64 ; setnc [rbx + CARRY] ; seto [rbx + OVERFLOW]);
        self.flags = HostFlags::Comparison;
    }

    fn compare(&mut self, register: Register, value: Value) {
        let host = number(register);
        dynasm!(self.ops ; .arch x64 ; mov eax, Rd(host));
        with_value!(self.ops, sub, 0, value);
        dynasm!(self.ops ; .arch x64 ; setnc [rbx + CARRY]);
        self.store_al();
        self.flags = HostFlags::Comparison;
    }

    fn bit(&mut self, value: Value) {
        match value {
            Value::Constant(byte) => dynasm!(self.ops ; .arch x64 ; mov ecx, i32::from(byte)),
            Value::At(at) => dynasm!(self.ops ; .arch x64 ; movzx ecx, BYTE [rbx + at]),
            Value::Read => (),
        }
        dynasm!(self.ops
            ; .arch x64
            ; mov [rbx + NEGATIVE], cl
            ; test cl, 0x40
            ; setnz [rbx + OVERFLOW]
            ; mov eax, ecx
            ; and al, r14b
            ; mov [rbx + NOT_ZERO], al
        );
        self.flags = HostFlags::Bit;
    }

    fn step(&mut self, register: Register, by: i8) {
        let host = number(register);
        if by > 0 {
            dynasm!(self.ops ; .arch x64 ; inc Rb(host));
        } else {
            dynasm!(self.ops ; .arch x64 ; dec Rb(host));
        }
        self.flags = HostFlags::Result;
    }

    fn change_ram(&mut self, at: u8, change: Change, carry: Carry) {
        let at = RAM + i32::from(at);
        dynasm!(self.ops ; .arch x64 ; movzx eax, BYTE [rbx + at]);
        self.change_al(change, carry);
        dynasm!(self.ops ; .arch x64 ; mov [rbx + at], al);
    }

    fn change_zero_page(&mut self, change: Change, carry: Carry, slow: DynamicLabel) {
        dynasm!(self.ops ; .arch x64 ; test al, al ; jns =>slow ; lea rcx, [rbx + rax + ZERO_PAGE]);
        self.change_at_rcx(change, carry);
    }

    fn change_memory(&mut self, change: Change, carry: Carry, slow: DynamicLabel) {
        dynasm!(self.ops
            ; .arch x64
            ; mov ecx, eax
            ; and ecx, 0x1280
            ; cmp ecx, 0x80
            ; jne =>slow
            ; and eax, 0x7f
            ; lea rcx, [rbx + rax + RAM]
        );
        self.change_at_rcx(change, carry);
    }

    fn finish_change(&mut self, change: Change) {
        if !matches!(change, Change::Increment | Change::Decrement) {
            dynasm!(self.ops ; .arch x64 ; setc [rbx + CARRY]);
        }
        self.store_al();
        self.has_changed(change);
    }

    fn changed_to_value(&mut self) {
        dynasm!(self.ops ; .arch x64 ; movzx ecx, al);
    }

    fn change_accumulator(&mut self, change: Change, carry: Carry) {
        match change {
            Change::ShiftLeft => dynasm!(self.ops ; .arch x64 ; shl r14b, 1),
            Change::ShiftRight => dynasm!(self.ops ; .arch x64 ; shr r14b, 1),
            Change::RotateLeft => {
                self.carry_to_host(carry);
                dynasm!(self.ops ; .arch x64 ; rcl r14b, 1);
            }
            _ => {
                self.carry_to_host(carry);
                dynasm!(self.ops ; .arch x64 ; rcr r14b, 1);
            }
        }
        dynasm!(self.ops ; .arch x64 ; setc [rbx + CARRY]);
        self.has_changed(change);
    }

    fn stack_to_x(&mut self) {
        dynasm!(self.ops ; .arch x64 ; movzx r15d, BYTE [rbx + SP]);
    }

    fn x_to_stack(&mut self) {
        dynasm!(self.ops ; .arch x64 ; mov [rbx + SP], r15b);
    }

    fn push(&mut self, elsewhere: DynamicLabel, join: DynamicLabel) {
        dynasm!(self.ops
            ; .arch x64
            ; movzx eax, BYTE [rbx + SP]
            ; test al, al
            ; jns =>elsewhere
            ; mov [rbx + rax + ZERO_PAGE], r14b
            ; =>join
            ; dec BYTE [rbx + SP]
        );
    }

    fn reload_stack(&mut self) {}

    fn check_push(&mut self, memory: DynamicLabel, slow: DynamicLabel) {
        dynasm!(self.ops
            ; .arch x64
            ; movzx eax, BYTE [rbx + SP]
            ; test al, al
            ; js =>memory
            ; test al, 0x3f
            ; jz =>slow
        );
    }

    fn pull(&mut self, elsewhere: DynamicLabel) {
        dynasm!(self.ops
            ; .arch x64
            ; movzx eax, BYTE [rbx + SP]
            ; lea ecx, [rax - 0x80]
            ; cmp ecx, 0x7e
            ; ja =>elsewhere
            ; inc eax
            ; mov [rbx + SP], al
            ; movzx r14d, BYTE [rbx + rax + ZERO_PAGE]
        );
    }
}
