//! Emits the code of operations on operands, registers and the stack.

use super::{Emitter, OutOfLineOperand};
use crate::recompiler::assembler::{Assembler, Combination, Source, Value};
use crate::recompiler::decode::{AddressingMode, Change, Instruction, Operation, Register};
use crate::recompiler::emit_state::{Carry, ResultIn};
use crate::recompiler::helpers;
use crate::recompiler::memory_map::Device;
use crate::recompiler::offsets::{DECIMAL, INTERRUPTS, OVERFLOW};

impl<H: Assembler> Emitter<'_, H> {
    /// Emits the code of an operation that is not a jump.
    pub(super) fn operation(&mut self, instruction: &Instruction) {
        match instruction.operation {
            Operation::Load(register) => self.load(instruction, register),
            Operation::Lax => {
                self.load(instruction, Register::A);
                self.host.transfer(Register::A, Register::X);
            }
            Operation::Store(register) => self.write(instruction, Source::Register(register)),
            Operation::Sax => {
                self.host.and_a_x();
                self.write(instruction, Source::AAndX);
            }
            Operation::Or => self.combine(instruction, Combination::Or),
            Operation::And => self.combine(instruction, Combination::And),
            Operation::Xor => self.combine(instruction, Combination::Xor),
            Operation::Add | Operation::Subtract => self.add(instruction),
            Operation::Compare(register) => {
                let value = self.read(instruction);
                self.compare(register, value);
            }
            Operation::Bit => {
                let value = self.read(instruction);
                self.host.bit(value);
                self.now.result = ResultIn::Stored;
            }
            Operation::Read => _ = self.read(instruction),
            Operation::Modify(change) => self.modify(instruction, change),
            Operation::Dcp => {
                self.modify(instruction, Change::Decrement);
                self.host.changed_to_value();
                self.compare(Register::A, Value::Read);
            }
            Operation::Accumulator(change) => {
                self.host.change_accumulator(change, self.now.carry);
                self.now.carry = Carry::Stored;
                self.result_in(Register::A);
            }
            Operation::Step(register, by) => {
                self.host.step(register, by);
                self.result_in(register);
            }
            Operation::Transfer(from, to) => {
                self.host.transfer(from, to);
                self.result_in(to);
            }
            Operation::SetCarry(carry) => self.now.carry = Carry::Known(carry),
            Operation::SetDecimal(decimal) => {
                self.host.set_flag(DECIMAL, decimal);
                self.is_binary = !decimal;
            }
            Operation::SetInterrupts(disabled) => self.host.set_flag(INTERRUPTS, disabled),
            Operation::ClearOverflow => self.host.set_flag(OVERFLOW, false),
            _ => self.stack(instruction),
        }
    }

    /// Emits the code of a stack operation. The caller handles all other operations.
    fn stack(&mut self, instruction: &Instruction) {
        match instruction.operation {
            Operation::StackToX => {
                self.host.stack_to_x();
                self.result_in(Register::X);
            }
            Operation::XToStack => self.host.x_to_stack(),
            Operation::Push => {
                let slow = self.slow_exit();
                let (label, join) = (self.host.label(), self.host.label());
                self.host.push(label, join);
                self.defer_operand(label, OutOfLineOperand::Push { join, slow });
            }
            Operation::PushStatus => self.push_status(),
            Operation::Pull => {
                let (label, join) = (self.host.label(), self.host.label());
                self.host.pull(label);
                self.host.bind(join);
                self.defer_operand(label, OutOfLineOperand::Pull { join });
                self.result_in(Register::A);
            }
            Operation::PullStatus => {
                self.host.argument(u32::from(instruction.opcode));
                self.call(helpers::pull_status);
                (self.now.result, self.now.carry, self.is_binary) = (ResultIn::Stored, Carry::Stored, false);
            }
            _ => (),
        }
    }

    fn result_in(&mut self, register: Register) {
        self.now.result = ResultIn::In(register);
    }

    fn load(&mut self, instruction: &Instruction, register: Register) {
        let value = self.read(instruction);
        self.host.load(register, value);
        self.result_in(register);
    }

    fn combine(&mut self, instruction: &Instruction, combination: Combination) {
        let value = self.read(instruction);
        self.host.combine(combination, value);
        self.result_in(Register::A);
    }

    /// Emits the code of an addition or subtraction. In decimal mode, the code exits, and the interpreter executes the
    /// instruction.
    fn add(&mut self, instruction: &Instruction) {
        if !self.is_binary {
            let slow = self.slow_exit();
            self.host.check_binary(slow);
            self.is_binary = true;
        }
        let value = self.read(instruction);
        match instruction.operation {
            Operation::Add => self.host.add(value, self.now.carry),
            _ => self.host.subtract(value, self.now.carry),
        }
        self.now.carry = Carry::Stored;
        self.result_in(Register::A);
    }

    fn compare(&mut self, register: Register, value: Value) {
        self.host.compare(register, value);
        (self.now.result, self.now.carry) = (ResultIn::Stored, Carry::Stored);
    }

    /// Emits the code of a read-modify-write instruction, which changes a byte in memory.
    fn modify(&mut self, instruction: &Instruction, change: Change) {
        let carry = self.now.carry;
        match instruction.mode {
            AddressingMode::ZeroPage | AddressingMode::Absolute => {
                let Device::Ram(at) = self.memory_map.device(self.at, instruction.operand) else { return };
                self.host.change_ram(at, change, carry);
            }
            AddressingMode::ZeroPageIndexed(index) => {
                let slow = self.slow_exit();
                self.host.zero_page_address(instruction.byte(), index);
                self.host.change_zero_page(change, carry, slow);
            }
            AddressingMode::AbsoluteIndexed(index) => {
                let slow = self.slow_exit();
                self.host.indexed_address(instruction.operand, index);
                self.host.change_memory(change, carry, slow);
            }
            _ => (),
        }
        self.host.finish_change(change);
        if !matches!(change, Change::Increment | Change::Decrement) {
            self.now.carry = Carry::Stored;
        }
        self.now.result = ResultIn::Stored;
    }

    fn push_status(&mut self) {
        let (slow, memory) = (self.slow_exit(), self.host.label());
        self.host.check_push(memory, slow);
        self.check_frame(slow);
        self.host.bind(memory);
        self.store_result();
        self.store_carry();
        self.call(helpers::push_status);
        self.host.result_to_cycles_minus(self.now.cycles);
    }

    pub(super) fn call_subroutine(&mut self, instruction: &Instruction) {
        let slow = self.slow_exit();
        self.host.push_return(instruction.next().wrapping_sub(1), slow);
        self.flush_state();
        self.emit_jump(instruction.operand);
    }

    pub(super) fn return_from_subroutine(&mut self) {
        let slow = self.slow_exit();
        self.host.pull_return(slow);
        self.flush_state();
        self.dispatch();
    }

    pub(super) fn break_instruction(&mut self, instruction: &Instruction) {
        let slow = self.slow_exit();
        self.host.check_stack(0x82, 0xff, slow);
        self.store_result();
        self.store_carry();
        self.host.argument(u32::from(instruction.next()));
        self.call(helpers::push_interrupt);
        self.flush_state();
        if let Some(vector) = self.memory_map.break_vector(self.at) {
            self.emit_jump(vector);
        }
    }

    pub(super) fn return_from_interrupt(&mut self) {
        let slow = self.slow_exit();
        self.host.check_stack(0x7f, 0xfc, slow);
        self.call(helpers::pull_interrupt);
        self.host.result_to_value();
        (self.now.result, self.now.carry) = (ResultIn::Stored, Carry::Stored);
        self.flush_state();
        self.dispatch();
    }

    pub(super) fn jump_indirect(&mut self, instruction: &Instruction) {
        let pointer = instruction.operand;
        let second = pointer & 0xff00 | pointer.wrapping_add(1) & 0xff;
        let bytes = [pointer, second].map(|address| self.memory_map.device(self.at, address));
        if let [Device::Byte(low), Device::Byte(high)] = bytes {
            self.flush_state();
            return self.emit_jump(u16::from_le_bytes([low, high]));
        }
        self.host.indirect(bytes);
        self.flush_state();
        self.dispatch();
    }
}
