//! Operations: what is done with operands.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::Emitter;
use super::operands::Value;
use super::state::{A, Cold, ColdOperand, Host, X, number};
use crate::translate::decode::{Change, Instruction, Mode, Operation, Register};
use crate::translate::helpers;
use crate::translate::layout::Answer;
use crate::translate::moment::{Carry, Result};
use crate::translate::offsets::{CARRY, DECIMAL, INTERRUPTS, NEGATIVE, NOT_ZERO, OVERFLOW, RAM, SP, ZERO_PAGE};

/// An operation of the host on a byte register and a value.
macro_rules! with_value {
    ($ops:expr, $operation:ident, $register:expr, $value:expr) => {
        match $value {
            Value::Constant(byte) => dynasm!($ops ; .arch x64 ; $operation Rb($register), BYTE byte as i8),
            Value::At(at) => dynasm!($ops ; .arch x64 ; $operation Rb($register), BYTE [rbx + at]),
            Value::Ecx => dynasm!($ops ; .arch x64 ; $operation Rb($register), cl),
        }
    };
}

impl Emitter<'_> {
    /// Everything but jumps.
    pub(super) fn operation(&mut self, instruction: &Instruction) {
        match instruction.operation {
            Operation::Load(register) => self.load(instruction, register),
            Operation::LoadBoth => {
                self.load(instruction, Register::A);
                dynasm!(self.ops ; .arch x64 ; mov r15d, r14d);
            }
            Operation::Store(register) => self.write(instruction, number(register)),
            Operation::StoreBoth => {
                dynasm!(self.ops ; .arch x64 ; mov edx, r14d ; and edx, r15d);
                self.write(instruction, 2);
            }
            Operation::Or | Operation::And | Operation::Xor => self.combine(instruction),
            Operation::Add => self.add(instruction),
            Operation::Subtract => self.subtract(instruction),
            Operation::Compare(register) => {
                let value = self.read(instruction);
                self.compare(register, value);
            }
            Operation::Bit => self.bit(instruction),
            Operation::Read => _ = self.read(instruction),
            Operation::Modify(change) => self.modify(instruction, change),
            Operation::DecrementCompare => {
                self.modify(instruction, Change::Decrement);
                dynasm!(self.ops ; .arch x64 ; movzx ecx, al);
                self.compare(Register::A, Value::Ecx);
            }
            Operation::Accumulator(change) => self.change_accumulator(change),
            Operation::Step(register, by) => {
                let host = number(register);
                if by > 0 {
                    dynasm!(self.ops ; .arch x64 ; inc Rb(host));
                } else {
                    dynasm!(self.ops ; .arch x64 ; dec Rb(host));
                }
                self.result_in(register);
                self.host = Host::Result;
            }
            Operation::Transfer(from, to) => {
                let (from, host) = (number(from), number(to));
                dynasm!(self.ops ; .arch x64 ; mov Rd(host), Rd(from));
                self.result_in(to);
            }
            Operation::StackToX => {
                dynasm!(self.ops ; .arch x64 ; movzx Rd(X), BYTE [rbx + SP]);
                self.result_in(Register::X);
            }
            Operation::XToStack => dynasm!(self.ops ; .arch x64 ; mov [rbx + SP], Rb(X)),
            Operation::Push => self.push(),
            Operation::PushStatus => self.push_status(),
            Operation::Pull => self.pull(),
            Operation::PullStatus => {
                dynasm!(self.ops ; .arch x64 ; mov edx, i32::from(instruction.opcode));
                self.call(helpers::pull_status);
                (self.now.result, self.now.carry, self.is_binary) = (Result::Stored, Carry::Stored, false);
            }
            Operation::SetCarry(carry) => self.now.carry = Carry::Known(carry),
            Operation::SetDecimal(decimal) => {
                dynasm!(self.ops ; .arch x64 ; mov BYTE [rbx + DECIMAL], i8::from(decimal));
                self.is_binary = !decimal;
            }
            Operation::SetInterrupts(disabled) => dynasm!(self.ops ; .arch x64 ; mov BYTE [rbx + INTERRUPTS], i8::from(disabled)),
            Operation::ClearOverflow => dynasm!(self.ops ; .arch x64 ; mov BYTE [rbx + OVERFLOW], 0),
            // Blocks have none of the others.
            _ => (),
        }
    }

    fn result_in(&mut self, register: Register) {
        self.now.result = Result::In(register);
    }

    /// The last result is in al.
    fn result_in_al(&mut self) {
        dynasm!(self.ops ; .arch x64 ; mov [rbx + NEGATIVE], al ; mov [rbx + NOT_ZERO], al);
        self.now.result = Result::Stored;
    }

    fn load(&mut self, instruction: &Instruction, register: Register) {
        let host = number(register);
        match self.read(instruction) {
            Value::Constant(0) => dynasm!(self.ops ; .arch x64 ; xor Rd(host), Rd(host)),
            Value::Constant(byte) => dynasm!(self.ops ; .arch x64 ; mov Rd(host), i32::from(byte)),
            Value::At(at) => dynasm!(self.ops ; .arch x64 ; movzx Rd(host), BYTE [rbx + at]),
            Value::Ecx => dynasm!(self.ops ; .arch x64 ; mov Rd(host), ecx),
        }
        self.result_in(register);
    }

    fn combine(&mut self, instruction: &Instruction) {
        let value = self.read(instruction);
        match instruction.operation {
            Operation::Or => with_value!(self.ops, or, A, value),
            Operation::And => with_value!(self.ops, and, A, value),
            _ => with_value!(self.ops, xor, A, value),
        }
        self.result_in(Register::A);
        self.host = Host::Result;
    }

    /// Decimal arithmetic is the interpreter's.
    fn check_binary(&mut self) {
        if !self.is_binary {
            let slow = self.slow();
            dynasm!(self.ops ; .arch x64 ; cmp BYTE [rbx + DECIMAL], 0 ; jne =>slow);
            self.is_binary = true;
        }
    }

    fn add(&mut self, instruction: &Instruction) {
        self.check_binary();
        let value = self.read(instruction);
        match self.now.carry {
            Carry::Known(false) => with_value!(self.ops, add, A, value),
            _ => {
                self.carry_to_host();
                with_value!(self.ops, adc, A, value);
            }
        }
        dynasm!(self.ops ; .arch x64 ; setc [rbx + CARRY] ; seto [rbx + OVERFLOW]);
        self.now.carry = Carry::Stored;
        self.result_in(Register::A);
        self.host = Host::Result;
    }

    fn subtract(&mut self, instruction: &Instruction) {
        self.check_binary();
        let value = self.read(instruction);
        match self.now.carry {
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
        self.now.carry = Carry::Stored;
        self.result_in(Register::A);
        self.host = Host::Comparison;
    }

    /// The carry becomes the host's, by way of edx.
    fn carry_to_host(&mut self) {
        match self.now.carry {
            Carry::Known(true) => dynasm!(self.ops ; .arch x64 ; stc),
            Carry::Known(false) => dynasm!(self.ops ; .arch x64 ; clc),
            Carry::Stored => dynasm!(self.ops ; .arch x64 ; mov dl, [rbx + CARRY] ; add dl, BYTE -1),
        }
    }

    fn compare(&mut self, register: Register, value: Value) {
        let host = number(register);
        dynasm!(self.ops ; .arch x64 ; mov eax, Rd(host));
        with_value!(self.ops, sub, 0, value);
        dynasm!(self.ops ; .arch x64 ; setnc [rbx + CARRY]);
        self.result_in_al();
        self.now.carry = Carry::Stored;
        self.host = Host::Comparison;
    }

    fn bit(&mut self, instruction: &Instruction) {
        match self.read(instruction) {
            Value::Constant(byte) => dynasm!(self.ops ; .arch x64 ; mov eax, i32::from(byte)),
            Value::At(at) => dynasm!(self.ops ; .arch x64 ; movzx eax, BYTE [rbx + at]),
            Value::Ecx => dynasm!(self.ops ; .arch x64 ; mov eax, ecx),
        }
        dynasm!(self.ops
            ; .arch x64
            ; mov [rbx + NEGATIVE], al
            ; test al, 0x40
            ; setnz [rbx + OVERFLOW]
            ; and al, r14b
            ; mov [rbx + NOT_ZERO], al
        );
        self.now.result = Result::Stored;
    }

    /// Changes a byte of memory, and leaves it in al.
    fn modify(&mut self, instruction: &Instruction, change: Change) {
        match instruction.mode {
            Mode::ZeroPage | Mode::Absolute => {
                let Answer::Ram(at) = self.layout.answer(self.at, instruction.operand) else { return };
                let at = RAM + i32::from(at);
                dynasm!(self.ops ; .arch x64 ; movzx eax, BYTE [rbx + at]);
                self.change_al(change);
                dynasm!(self.ops ; .arch x64 ; mov [rbx + at], al);
            }
            Mode::ZeroPageIndexed(index) => {
                let slow = self.slow();
                self.zero_page_address(instruction, index);
                dynasm!(self.ops ; .arch x64 ; test al, al ; jns =>slow ; lea rcx, [rbx + rax + ZERO_PAGE]);
                self.modify_at_rcx(change);
            }
            Mode::AbsoluteIndexed(index) => {
                let slow = self.slow();
                self.indexed_address(instruction, index);
                dynasm!(self.ops
                    ; .arch x64
                    ; mov ecx, eax
                    ; and ecx, 0x1280
                    ; cmp ecx, 0x80
                    ; jne =>slow
                    ; and eax, 0x7f
                    ; lea rcx, [rbx + rax + RAM]
                );
                self.modify_at_rcx(change);
            }
            _ => (),
        }
        if matches!(change, Change::ShiftLeft | Change::ShiftRight | Change::RotateLeft | Change::RotateRight) {
            dynasm!(self.ops ; .arch x64 ; setc [rbx + CARRY]);
            self.now.carry = Carry::Stored;
        }
        self.result_in_al();
        // Rotations leave the host's negative and zero as they were.
        self.host = if matches!(change, Change::RotateLeft | Change::RotateRight) { Host::Nothing } else { Host::Result };
    }

    fn modify_at_rcx(&mut self, change: Change) {
        dynasm!(self.ops ; .arch x64 ; movzx eax, BYTE [rcx]);
        self.change_al(change);
        dynasm!(self.ops ; .arch x64 ; mov [rcx], al);
    }

    fn change_al(&mut self, change: Change) {
        match change {
            Change::ShiftLeft => dynasm!(self.ops ; .arch x64 ; shl al, 1),
            Change::ShiftRight => dynasm!(self.ops ; .arch x64 ; shr al, 1),
            Change::Increment => dynasm!(self.ops ; .arch x64 ; inc al),
            Change::Decrement => dynasm!(self.ops ; .arch x64 ; dec al),
            Change::RotateLeft => {
                self.carry_to_host();
                dynasm!(self.ops ; .arch x64 ; rcl al, 1);
            }
            Change::RotateRight => {
                self.carry_to_host();
                dynasm!(self.ops ; .arch x64 ; rcr al, 1);
            }
        }
    }

    fn change_accumulator(&mut self, change: Change) {
        match change {
            Change::ShiftLeft => dynasm!(self.ops ; .arch x64 ; shl r14b, 1),
            Change::ShiftRight => dynasm!(self.ops ; .arch x64 ; shr r14b, 1),
            Change::RotateLeft => {
                self.carry_to_host();
                dynasm!(self.ops ; .arch x64 ; rcl r14b, 1);
            }
            _ => {
                self.carry_to_host();
                dynasm!(self.ops ; .arch x64 ; rcr r14b, 1);
            }
        }
        dynasm!(self.ops ; .arch x64 ; setc [rbx + CARRY]);
        self.now.carry = Carry::Stored;
        self.result_in(Register::A);
        self.host = if matches!(change, Change::ShiftLeft | Change::ShiftRight) { Host::Result } else { Host::Nothing };
    }

    fn push(&mut self) {
        let slow = self.slow();
        let (label, join) = (self.ops.new_dynamic_label(), self.ops.new_dynamic_label());
        dynasm!(self.ops
            ; .arch x64
            ; movzx eax, BYTE [rbx + SP]
            ; test al, al
            ; jns =>label
            ; mov [rbx + rax + ZERO_PAGE], r14b
            ; =>join
            ; dec BYTE [rbx + SP]
        );
        let cold = ColdOperand::Push { label, join, moment: self.now, slow };
        self.cold.push(Cold::Operand(cold));
    }

    fn push_status(&mut self) {
        let slow = self.slow();
        let memory = self.ops.new_dynamic_label();
        dynasm!(self.ops
            ; .arch x64
            ; movzx eax, BYTE [rbx + SP]
            ; test al, al
            ; js =>memory
            ; test al, 0x3f
            ; jz =>slow
        );
        self.check_frame(slow);
        dynasm!(self.ops ; .arch x64 ; =>memory);
        self.store_result();
        self.store_carry();
        self.call(helpers::push_status);
        let cycles = self.now.cycles as i32;
        dynasm!(self.ops ; .arch x64 ; lea r12d, [rax - cycles]);
    }

    fn pull(&mut self) {
        let (label, join) = (self.ops.new_dynamic_label(), self.ops.new_dynamic_label());
        dynasm!(self.ops
            ; .arch x64
            ; movzx eax, BYTE [rbx + SP]
            ; lea ecx, [rax - 0x80]
            ; cmp ecx, 0x7e
            ; ja =>label
            ; inc eax
            ; mov [rbx + SP], al
            ; movzx r14d, BYTE [rbx + rax + ZERO_PAGE]
            ; =>join
        );
        self.cold.push(Cold::Operand(ColdOperand::Pull { label, join, moment: self.now }));
        self.result_in(Register::A);
    }

    pub(super) fn call_subroutine(&mut self, instruction: &Instruction) {
        let slow = self.slow();
        let back = instruction.next().wrapping_sub(1);
        dynasm!(self.ops
            ; .arch x64
            ; movzx eax, BYTE [rbx + SP]
            ; lea ecx, [rax - 0x81]
            ; cmp ecx, 0x7e
            ; ja =>slow
            ; mov WORD [rbx + rax + ZERO_PAGE - 1], back as i16
            ; sub al, 2
            ; mov [rbx + SP], al
        );
        self.count();
        self.go_to(instruction.operand);
    }

    pub(super) fn return_from_subroutine(&mut self) {
        let slow = self.slow();
        dynasm!(self.ops
            ; .arch x64
            ; movzx eax, BYTE [rbx + SP]
            ; lea ecx, [rax - 0x7f]
            ; cmp ecx, 0x7e
            ; ja =>slow
            ; movzx ecx, WORD [rbx + rax + ZERO_PAGE + 1]
            ; add al, 2
            ; mov [rbx + SP], al
            ; inc ecx
            ; movzx ecx, cx
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
        for answer in bytes.into_iter().rev() {
            dynasm!(self.ops ; .arch x64 ; mov eax, ecx);
            match answer {
                Answer::Ram(at) => dynasm!(self.ops ; .arch x64 ; movzx ecx, BYTE [rbx + RAM + i32::from(at)]),
                Answer::Byte(byte) => dynasm!(self.ops ; .arch x64 ; mov ecx, i32::from(byte)),
                _ => (),
            }
        }
        dynasm!(self.ops ; .arch x64 ; shl eax, 8 ; or ecx, eax);
        self.count();
        self.dispatch();
    }
}
