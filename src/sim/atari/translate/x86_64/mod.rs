//! Machine code for x86-64.
//!
//! | register | |
//! |---|---|
//! | rbx | the machine |
//! | r12d | cycles, but for those of the block's instructions so far, which are a constant at each of them |
//! | r13d | instructions left after the block |
//! | r14d, r15d, ebp | A, X, Y, with zeros above the byte |
//! | rax, rcx, rdx, rsi, rdi | scratch |
//!
//! Flags lie in the machine. Negative and zero are the last result's; where that is still in A, X or Y they are stored only when the
//! block is left. A carry that is known (`CLC`, `SEC`) is a constant, stored in the same way.
//!
//! An instruction with something unusual about it leaves by its slow exit before it has had any effect: cycles and instructions are
//! counted back to it, and the interpreter executes it.

#![allow(clippy::useless_conversion, reason = "the assembler's macro converts register numbers of any kind")]

mod operands;
mod operations;
mod state;

use std::collections::BTreeMap;

use dynasmrt::x64::X64Relocation;
use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, VecAssembler, dynasm};

use self::state::{Cold, Host, number};
use super::blocks::{Block, End};
use super::code::{Code, Links};
use super::decode::{Flag, Instruction, Operation};
use super::helpers::Helper;
use super::layout::{Layout, Place};
use super::moment::{Carry, Moment, Result, To, branch_to};
use super::offsets::{CARRY, CPU_A, CPU_X, CPU_Y, CYCLES, LIMIT, NEGATIVE, NOT_ZERO, OVERFLOW, PC, SEGMENTS};

/// Writes the code of several blocks.
pub(super) struct Emitter<'c> {
    ops: VecAssembler<X64Relocation>,
    layout: &'c Layout,
    links: &'c mut dyn Links,
    labels: BTreeMap<Place, DynamicLabel>,
    interpret: DynamicLabel,
    missing: DynamicLabel,
    cold: Vec<Cold>,
    at: Place,
    /// Before the instruction, and after it.
    before: Moment,
    now: Moment,
    host: Host,
    /// Decimal mode has been found to be off.
    is_binary: bool,
    slow: Option<DynamicLabel>,
}

impl<'c> Emitter<'c> {
    pub(super) fn new(layout: &'c Layout, links: &'c mut dyn Links, places: impl Iterator<Item = Place>) -> Self {
        let mut ops = VecAssembler::new(0);
        let labels = places.map(|place| (place, ops.new_dynamic_label())).collect();
        let [interpret, missing] = [(); 2].map(|()| ops.new_dynamic_label());
        let moment = Moment { cycles: 0, rest: 0, result: Result::Stored, carry: Carry::Stored };
        Self {
            ops,
            layout,
            links,
            labels,
            interpret,
            missing,
            cold: Vec::new(),
            at: Place { view: 0, pc: 0 },
            before: moment,
            now: moment,
            host: Host::Nothing,
            is_binary: false,
            slow: None,
        }
    }

    /// The function [`Enter`], at the beginning of the code.
    pub(super) fn entrance(&mut self) {
        dynasm!(self.ops
            ; .arch x64
            ; push rbx
            ; push rbp
            ; push r12
            ; push r13
            ; push r14
            ; push r15
            ; sub rsp, 8
            ; mov rbx, rdi
            ; mov r13d, edx
            ; mov r12d, [rbx + CYCLES]
            ; movzx r14d, BYTE [rbx + CPU_A]
            ; movzx r15d, BYTE [rbx + CPU_X]
            ; movzx ebp, BYTE [rbx + CPU_Y]
            ; jmp rsi
        );
    }

    /// The code, once all blocks have been written; none where it cannot be put together.
    pub(super) fn finish(mut self) -> Option<Code> {
        let (interpret, missing) = (self.interpret, self.missing);
        dynasm!(self.ops
            ; .arch x64
            ; =>interpret
            ; xor eax, eax
            ; jmp >leave
            ; =>missing
            ; mov eax, 1
            ; leave:
            ; shl rax, 32
            ; mov edx, r13d
            ; or rax, rdx
            ; mov [rbx + PC], cx
            ; mov [rbx + CPU_A], r14b
            ; mov [rbx + CPU_X], r15b
            ; mov [rbx + CPU_Y], bpl
            ; mov [rbx + CYCLES], r12d
            ; add rsp, 8
            ; pop r15
            ; pop r14
            ; pop r13
            ; pop r12
            ; pop rbp
            ; pop rbx
            ; ret
        );
        let offset = |ops: &VecAssembler<X64Relocation>, label| ops.labels().resolve_dynamic(label).ok().map(|at| at.0);
        let entries: Option<Vec<_>> =
            self.labels.iter().map(|(place, label)| Some((*place, offset(&self.ops, *label)?))).collect();
        let (interpret, missing) = (offset(&self.ops, interpret)?, offset(&self.ops, missing)?);
        Some(Code { entries: entries?, interpret, missing, bytes: self.ops.finalize().ok()? })
    }

    /// Writes a block.
    pub(super) fn block(&mut self, block: &Block) {
        self.at = block.at;
        let label = self.labels[&block.at];
        let length = block.instructions.len() as u32;
        let moment = Moment { cycles: 0, rest: length, result: Result::Stored, carry: Carry::Stored };
        (self.before, self.now) = (moment, moment);
        (self.host, self.is_binary) = (Host::Nothing, false);
        let none_left = self.ops.new_dynamic_label();
        dynasm!(self.ops ; .arch x64 ; =>label ; sub r13d, length as i32 ; jb =>none_left);
        self.cold.push(Cold::Exit { label: none_left, moment, to: To::Interpreter(block.at.pc) });
        for instruction in &block.instructions {
            self.at.pc = instruction.pc;
            self.before = self.now;
            self.now.cycles += instruction.cycles();
            self.now.rest -= 1;
            self.slow = None;
            self.instruction(instruction);
        }
        match block.end {
            End::Jump => (),
            End::GoesOn(pc) => {
                self.count();
                self.go_to(pc);
            }
            End::Switch(pc, address) => {
                self.count();
                match self.layout.view_after(self.at, address, pc) {
                    Some(view) => self.go_to_place(Place { view, pc }),
                    None => self.go_to(pc),
                }
            }
            End::Interpreted(pc) => {
                self.count();
                let interpret = self.interpret;
                dynasm!(self.ops ; .arch x64 ; mov ecx, i32::from(pc) ; jmp =>interpret);
            }
        }
        for cold in std::mem::take(&mut self.cold) {
            match cold {
                Cold::Exit { label, moment, to } => self.exit(label, moment, to),
                Cold::Operand(cold) => self.cold_operand(cold),
            }
        }
    }

    fn exit(&mut self, label: DynamicLabel, moment: Moment, to: To) {
        dynasm!(self.ops ; .arch x64 ; =>label);
        self.now = moment;
        self.count();
        match to {
            To::Interpreter(pc) => {
                let interpret = self.interpret;
                dynasm!(self.ops ; .arch x64 ; mov ecx, i32::from(pc) ; jmp =>interpret);
            }
            To::Program(pc) => self.go_to(pc),
            To::Wait(pc, helper, apart) => {
                dynasm!(self.ops
                    ; .arch x64
                    ; mov rdi, rbx
                    ; mov esi, r12d
                    ; mov edx, r13d
                    ; shl edx, 4
                    ; or edx, apart as i32
                    ; mov rax, QWORD helper as usize as i64
                    ; call rax
                    ; imul ecx, eax, apart as i32
                    ; add r12d, ecx
                    ; add eax, eax
                    ; sub r13d, eax
                );
                self.go_to(pc);
            }
        }
    }

    /// Counts what the block's instructions have taken, and stores the flags.
    fn count(&mut self) {
        let Moment { cycles, rest, .. } = self.now;
        self.store_result();
        self.store_carry();
        if cycles > 0 {
            dynasm!(self.ops ; .arch x64 ; add r12d, cycles as i32);
        }
        if rest > 0 {
            dynasm!(self.ops ; .arch x64 ; add r13d, rest as i32);
        }
        self.now.cycles = 0;
        self.now.rest = 0;
    }

    fn store_result(&mut self) {
        if let Result::In(register) = self.now.result {
            let register = number(register);
            dynasm!(self.ops ; .arch x64 ; mov [rbx + NEGATIVE], Rb(register) ; mov [rbx + NOT_ZERO], Rb(register));
            self.now.result = Result::Stored;
        }
    }

    fn store_carry(&mut self) {
        if let Carry::Known(carry) = self.now.carry {
            dynasm!(self.ops ; .arch x64 ; mov BYTE [rbx + CARRY], i8::from(carry));
            self.now.carry = Carry::Stored;
        }
    }

    /// Goes on at a program counter.
    fn go_to(&mut self, pc: u16) {
        match self.layout.view_at(self.at, pc) {
            Some(view) => self.go_to_place(Place { view, pc }),
            None => {
                dynasm!(self.ops ; .arch x64 ; mov ecx, i32::from(pc));
                self.dispatch();
            }
        }
    }

    fn go_to_place(&mut self, to: Place) {
        if let Some(label) = self.labels.get(&to).copied() {
            dynasm!(self.ops ; .arch x64 ; jmp =>label);
        } else {
            let slot = self.links.slot(to);
            dynasm!(self.ops ; .arch x64 ; mov ecx, i32::from(to.pc) ; mov rax, QWORD slot as i64 ; jmp QWORD [rax]);
        }
    }

    /// Goes on at the program counter in ecx.
    fn dispatch(&mut self) {
        if self.layout.is_sliced() {
            let pages = self.links.pages(0);
            dynasm!(self.ops
                ; .arch x64
                ; mov eax, ecx
                ; shr eax, 10
                ; and eax, 3
                ; mov eax, [rbx + rax * 4 + SEGMENTS]
                ; shr eax, 2
                ; mov edx, ecx
                ; shr edx, 8
                ; add eax, edx
                ; mov rdx, QWORD pages as i64
            );
        } else {
            let pages = self.links.pages(self.at.view);
            dynasm!(self.ops ; .arch x64 ; mov eax, ecx ; shr eax, 8 ; mov rdx, QWORD pages as i64);
        }
        dynasm!(self.ops ; .arch x64 ; mov rdx, [rdx + rax * 8] ; movzx eax, cl ; jmp QWORD [rdx + rax * 8]);
    }

    /// Where the instruction is left to the interpreter.
    fn slow(&mut self) -> DynamicLabel {
        if let Some(label) = self.slow {
            return label;
        }
        let label = self.ops.new_dynamic_label();
        self.slow = Some(label);
        self.cold.push(Cold::Exit { label, moment: self.before, to: To::Interpreter(self.at.pc) });
        label
    }

    /// Calls a helper with the time at the instruction's end; the third argument is in edx.
    fn call(&mut self, helper: Helper) {
        let cycles = self.now.cycles as i32;
        dynasm!(self.ops
            ; .arch x64
            ; mov rdi, rbx
            ; lea esi, [r12 + cycles]
            ; mov rax, QWORD helper as usize as i64
            ; call rax
        );
    }

    /// Leaves the instruction to the interpreter if the television may end the frame before it.
    fn check_frame(&mut self, slow: DynamicLabel) {
        let cycles = self.now.cycles as i32;
        dynasm!(self.ops ; .arch x64 ; lea esi, [r12 + cycles] ; cmp esi, [rbx + LIMIT] ; jae =>slow);
    }

    fn instruction(&mut self, instruction: &Instruction) {
        if let Operation::Branch(flag, set) = instruction.operation {
            return self.branch(instruction, flag, set);
        }
        self.host = Host::Nothing;
        match instruction.operation {
            Operation::Jump => {
                self.count();
                self.go_to(instruction.operand);
            }
            Operation::JumpIndirect => self.jump_indirect(instruction),
            Operation::Call => self.call_subroutine(instruction),
            Operation::Return => self.return_from_subroutine(),
            _ => self.operation(instruction),
        }
    }

    fn branch(&mut self, instruction: &Instruction, flag: Flag, set: bool) {
        let taken = self.ops.new_dynamic_label();
        let has_result = self.host != Host::Nothing;
        match (flag, set) {
            (Flag::Carry, _) if self.host == Host::Comparison => {
                if set {
                    dynasm!(self.ops ; .arch x64 ; jnc =>taken);
                } else {
                    dynasm!(self.ops ; .arch x64 ; jc =>taken);
                }
            }
            (Flag::Carry, _) => match self.now.carry {
                Carry::Known(carry) if carry == set => dynasm!(self.ops ; .arch x64 ; jmp =>taken),
                Carry::Known(_) => (),
                Carry::Stored => {
                    dynasm!(self.ops ; .arch x64 ; cmp BYTE [rbx + CARRY], 0);
                    self.jump_if_not_zero(set, taken);
                    self.host = Host::Nothing;
                }
            },
            (Flag::Overflow, _) => {
                dynasm!(self.ops ; .arch x64 ; cmp BYTE [rbx + OVERFLOW], 0);
                self.jump_if_not_zero(set, taken);
                self.host = Host::Nothing;
            }
            (Flag::Zero, _) => {
                if !has_result {
                    self.test_result(NOT_ZERO);
                }
                self.jump_if_not_zero(!set, taken);
            }
            (Flag::Negative, _) => {
                if !has_result {
                    self.test_result(NEGATIVE);
                }
                if set {
                    dynasm!(self.ops ; .arch x64 ; js =>taken);
                } else {
                    dynasm!(self.ops ; .arch x64 ; jns =>taken);
                }
            }
        }
        let moment = Moment { cycles: self.now.cycles + instruction.taken_cycles(), ..self.now };
        self.cold.push(Cold::Exit { label: taken, moment, to: branch_to(self.layout, self.at, instruction) });
    }

    /// Compares the last result with zero.
    fn test_result(&mut self, stored_at: i32) {
        match self.now.result {
            Result::In(register) => {
                let register = number(register);
                dynasm!(self.ops ; .arch x64 ; test Rb(register), Rb(register));
                self.host = Host::Result;
            }
            // The two can be different values here: what is known of one is not known of the other.
            Result::Stored => dynasm!(self.ops ; .arch x64 ; cmp BYTE [rbx + stored_at], 0),
        }
    }

    fn jump_if_not_zero(&mut self, not_zero: bool, to: DynamicLabel) {
        if not_zero {
            dynasm!(self.ops ; .arch x64 ; jnz =>to);
        } else {
            dynasm!(self.ops ; .arch x64 ; jz =>to);
        }
    }
}
