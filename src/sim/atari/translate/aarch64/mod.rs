//! Machine code for aarch64.
//!
//! | register | |
//! |---|---|
//! | x19 | the machine |
//! | x20 | memory, by its address in the zero page |
//! | w21 | cycles, but for those of the block's instructions so far, which are a constant at each of them |
//! | w22 | instructions left after the block |
//! | w23, w24, w25 | A, X, Y, with zeros above the byte |
//! | x8 to x11, x16 | scratch: addresses and results, values, what else there is, and where calls go |
//! | x0 to x2 | arguments and answers of calls |
//!
//! Everything else is as in the code for x86-64: flags lie in the machine; negative and zero are the last result's, and where that is
//! still in A, X or Y they are stored only when the block is left; a carry that is known is a constant; an instruction with something
//! unusual about it leaves by its slow exit before it has had any effect. The host's own flags serve comparisons only, whose carry is
//! the same as the 6502's. The host counts in 32 bits where the 6502 has eight, so carries and overflows of sums are bits of the result.

#![allow(clippy::useless_conversion, reason = "the assembler's macro converts register numbers of any kind")]

mod operands;
mod operations;
mod state;

use std::collections::BTreeMap;

use dynasmrt::aarch64::Aarch64Relocation;
use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, VecAssembler, dynasm};

use self::state::{Cold, Host, number};
use super::blocks::{Block, End};
use super::code::{Code, Links};
use super::decode::{Flag, Instruction, Operation};
use super::helpers::Helper;
use super::layout::{Layout, Place};
use super::moment::{Carry, Moment, Result, To, branch_to};
use super::offsets::{self, CARRY, CPU_A, CPU_X, CPU_Y, CYCLES, LIMIT, NEGATIVE, NOT_ZERO, OVERFLOW, PC, SEGMENTS};
use crate::machine::Machine;

/// Memory by its address in the zero page, from the machine's address on.
const ZERO_PAGE: u32 = offsets::ZERO_PAGE as u32;

// Instructions hold offsets of so many bits.
const _: () = assert!(size_of::<Machine>() < 1 << 12 && offsets::ZERO_PAGE >= 0);

/// Writes the code of several blocks.
pub(super) struct Emitter<'c> {
    ops: VecAssembler<Aarch64Relocation>,
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

    /// The function [`Enter`](super::code::Enter), at the beginning of the code.
    pub(super) fn entrance(&mut self) {
        dynasm!(self.ops
            ; .arch aarch64
            ; stp x29, x30, [sp, -80]!
            ; mov x29, sp
            ; stp x19, x20, [sp, 16]
            ; stp x21, x22, [sp, 32]
            ; stp x23, x24, [sp, 48]
            ; str x25, [sp, 64]
            ; mov x19, x0
            ; mov w22, w2
            ; add x20, x19, ZERO_PAGE
            ; ldr w21, [x19, CYCLES as u32]
            ; ldrb w23, [x19, CPU_A as u32]
            ; ldrb w24, [x19, CPU_X as u32]
            ; ldrb w25, [x19, CPU_Y as u32]
            ; br x1
        );
    }

    /// The code, once all blocks have been written; none where it cannot be put together.
    pub(super) fn finish(mut self) -> Option<Code> {
        let (interpret, missing) = (self.interpret, self.missing);
        dynasm!(self.ops
            ; .arch aarch64
            ; =>interpret
            ; mov w0, wzr
            ; b >leave
            ; =>missing
            ; movz w0, 1
            ; leave:
            ; lsl x0, x0, 32
            ; orr x0, x0, x22
            ; strh w9, [x19, PC as u32]
            ; strb w23, [x19, CPU_A as u32]
            ; strb w24, [x19, CPU_X as u32]
            ; strb w25, [x19, CPU_Y as u32]
            ; str w21, [x19, CYCLES as u32]
            ; ldr x25, [sp, 64]
            ; ldp x23, x24, [sp, 48]
            ; ldp x21, x22, [sp, 32]
            ; ldp x19, x20, [sp, 16]
            ; ldp x29, x30, [sp], 80
            ; ret
        );
        let offset = |ops: &VecAssembler<Aarch64Relocation>, label| ops.labels().resolve_dynamic(label).ok().map(|at| at.0);
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
        dynasm!(self.ops ; .arch aarch64 ; =>label ; subs w22, w22, length ; b.lo =>none_left);
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
                self.leave(pc);
            }
        }
        for cold in std::mem::take(&mut self.cold) {
            match cold {
                Cold::Exit { label, moment, to } => self.exit(label, moment, to),
                Cold::Operand(cold) => self.cold_operand(cold),
            }
        }
    }

    /// Leaves the instruction at a program counter to the interpreter.
    fn leave(&mut self, pc: u16) {
        let interpret = self.interpret;
        dynasm!(self.ops ; .arch aarch64 ; movz w9, u32::from(pc) ; b =>interpret);
    }

    fn exit(&mut self, label: DynamicLabel, moment: Moment, to: To) {
        dynasm!(self.ops ; .arch aarch64 ; =>label);
        self.now = moment;
        self.count();
        match to {
            To::Interpreter(pc) => self.leave(pc),
            To::Program(pc) => self.go_to(pc),
            To::Wait(pc, helper, apart) => {
                dynasm!(self.ops ; .arch aarch64 ; movz w2, apart ; orr w2, w2, w22, lsl 4);
                self.call(helper);
                dynasm!(self.ops
                    ; .arch aarch64
                    ; movz w9, apart
                    ; madd w21, w0, w9, w21
                    ; sub w22, w22, w0, lsl 1
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
            dynasm!(self.ops ; .arch aarch64 ; add w21, w21, cycles);
        }
        if rest > 0 {
            dynasm!(self.ops ; .arch aarch64 ; add w22, w22, rest);
        }
        self.now.cycles = 0;
        self.now.rest = 0;
    }

    fn store_result(&mut self) {
        if let Result::In(register) = self.now.result {
            self.store_result_of(number(register));
            self.now.result = Result::Stored;
        }
    }

    fn store_result_of(&mut self, register: u8) {
        dynasm!(self.ops
            ; .arch aarch64
            ; strb W(register), [x19, NEGATIVE as u32]
            ; strb W(register), [x19, NOT_ZERO as u32]
        );
    }

    fn store_carry(&mut self) {
        if let Carry::Known(carry) = self.now.carry {
            dynasm!(self.ops ; .arch aarch64 ; movz w11, u32::from(carry) ; strb w11, [x19, CARRY as u32]);
            self.now.carry = Carry::Stored;
        }
    }

    /// Goes on at a program counter.
    fn go_to(&mut self, pc: u16) {
        match self.layout.view_at(self.at, pc) {
            Some(view) => self.go_to_place(Place { view, pc }),
            None => {
                dynasm!(self.ops ; .arch aarch64 ; movz w9, u32::from(pc));
                self.dispatch();
            }
        }
    }

    fn go_to_place(&mut self, to: Place) {
        if let Some(label) = self.labels.get(&to).copied() {
            dynasm!(self.ops ; .arch aarch64 ; b =>label);
        } else {
            let slot = self.links.slot(to);
            dynasm!(self.ops ; .arch aarch64 ; movz w9, u32::from(to.pc));
            self.address(16, slot);
            dynasm!(self.ops ; .arch aarch64 ; ldr x16, [x16] ; br x16);
        }
    }

    /// An address of the process in a register.
    fn address(&mut self, register: u8, address: u64) {
        let part = |shift: u32| (address >> shift) as u32 & 0xffff;
        dynasm!(self.ops ; .arch aarch64 ; movz X(register), part(0));
        if part(16) != 0 {
            dynasm!(self.ops ; .arch aarch64 ; movk X(register), part(16), lsl 16);
        }
        if part(32) != 0 {
            dynasm!(self.ops ; .arch aarch64 ; movk X(register), part(32), lsl 32);
        }
        if part(48) != 0 {
            dynasm!(self.ops ; .arch aarch64 ; movk X(register), part(48), lsl 48);
        }
    }

    /// Goes on at the program counter in w9.
    fn dispatch(&mut self) {
        let view = if self.layout.is_sliced() { 0 } else { self.at.view };
        let pages = self.links.pages(view);
        self.address(10, pages);
        if self.layout.is_sliced() {
            dynasm!(self.ops
                ; .arch aarch64
                ; ubfx w8, w9, 10, 2
                ; add x11, x19, SEGMENTS as u32
                ; ldr w8, [x11, x8, lsl 2]
                ; lsr w8, w8, 2
                ; add w8, w8, w9, lsr 8
            );
        } else {
            dynasm!(self.ops ; .arch aarch64 ; lsr w8, w9, 8);
        }
        dynasm!(self.ops
            ; .arch aarch64
            ; ldr x10, [x10, x8, lsl 3]
            ; and w8, w9, 0xff
            ; ldr x16, [x10, x8, lsl 3]
            ; br x16
        );
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

    /// Calls a helper with the time at the instruction's end; the third argument is in w2.
    fn call(&mut self, helper: Helper) {
        let cycles = self.now.cycles;
        self.address(16, helper as usize as u64);
        dynasm!(self.ops ; .arch aarch64 ; mov x0, x19 ; add w1, w21, cycles ; blr x16);
    }

    /// Leaves the instruction to the interpreter if the television may end the frame before it.
    fn check_frame(&mut self, slow: DynamicLabel) {
        let cycles = self.now.cycles;
        dynasm!(self.ops
            ; .arch aarch64
            ; ldr w11, [x19, LIMIT as u32]
            ; add w1, w21, cycles
            ; cmp w1, w11
            ; b.hs =>slow
        );
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

    /// Leaves x8 and the host's flags as they are, for the next branch.
    fn branch(&mut self, instruction: &Instruction, flag: Flag, set: bool) {
        let taken = self.ops.new_dynamic_label();
        match (flag, self.now.carry) {
            (Flag::Carry, _) if self.host == Host::Comparison => {
                if set {
                    dynasm!(self.ops ; .arch aarch64 ; b.cs =>taken);
                } else {
                    dynasm!(self.ops ; .arch aarch64 ; b.cc =>taken);
                }
            }
            (Flag::Carry, Carry::Known(carry)) => {
                if carry == set {
                    dynasm!(self.ops ; .arch aarch64 ; b =>taken);
                }
            }
            (Flag::Carry, Carry::Stored) => {
                dynasm!(self.ops ; .arch aarch64 ; ldrb w11, [x19, CARRY as u32]);
                self.jump_if_not_zero(set, 11, taken);
            }
            (Flag::Overflow, _) => {
                dynasm!(self.ops ; .arch aarch64 ; ldrb w11, [x19, OVERFLOW as u32]);
                self.jump_if_not_zero(set, 11, taken);
            }
            (Flag::Zero, _) if self.host == Host::Comparison => {
                if set {
                    dynasm!(self.ops ; .arch aarch64 ; b.eq =>taken);
                } else {
                    dynasm!(self.ops ; .arch aarch64 ; b.ne =>taken);
                }
            }
            (Flag::Zero, _) => {
                let register = self.last_result(NOT_ZERO);
                self.jump_if_not_zero(!set, register, taken);
            }
            (Flag::Negative, _) => {
                let register = self.last_result(NEGATIVE);
                if set {
                    dynasm!(self.ops ; .arch aarch64 ; tbnz W(register), 7, =>taken);
                } else {
                    dynasm!(self.ops ; .arch aarch64 ; tbz W(register), 7, =>taken);
                }
            }
        }
        let moment = Moment { cycles: self.now.cycles + instruction.taken_cycles(), ..self.now };
        self.cold.push(Cold::Exit { label: taken, moment, to: branch_to(self.layout, self.at, instruction) });
    }

    /// The register that has the last result, or what is stored of it.
    fn last_result(&mut self, stored_at: i32) -> u8 {
        match (self.host, self.now.result) {
            (Host::Result(register), _) => register,
            (Host::Comparison, _) => state::W8,
            (Host::Nothing, Result::In(register)) => number(register),
            (Host::Nothing, Result::Stored) => {
                dynasm!(self.ops ; .arch aarch64 ; ldrb w11, [x19, stored_at as u32]);
                state::W11
            }
        }
    }

    fn jump_if_not_zero(&mut self, not_zero: bool, register: u8, to: DynamicLabel) {
        if not_zero {
            dynasm!(self.ops ; .arch aarch64 ; cbnz W(register), =>to);
        } else {
            dynasm!(self.ops ; .arch aarch64 ; cbz W(register), =>to);
        }
    }
}
