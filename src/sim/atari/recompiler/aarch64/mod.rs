//! Assembler of the recompiler for aarch64 hosts.
//!
//! | register | |
//! |---|---|
//! | x19 | the machine |
//! | x20 | base address of RAM, to which zero page addresses are added |
//! | w21 | cycle count at the start of the block; the cycles of the block's earlier instructions are known at compile time |
//! | w22 | instructions left after the block |
//! | w23, w24, w25 | A, X, Y, zero-extended |
//! | x8 to x11, x16 | scratch: addresses and results, values and the program counter, other values, call targets |
//! | x0 to x2 | arguments and results of calls |
//!
//! The host's flags are used only for comparisons, because their carry equals that of the 6502. The host computes with 32 bits
//! instead of the 6502's eight, so carries and overflows of sums are extracted from the result.

#![allow(clippy::useless_conversion, reason = "the assembler's macro converts register numbers of any kind")]

mod operands;
mod operations;

use dynasmrt::aarch64::Aarch64Relocation;
use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, VecAssembler, dynasm};

use super::assembler::{Assembler, Source, TiaWrites};
use super::decode::{Flag, Register};
use super::emit_state::{Carry, EmitState, ResultIn};
use super::memory_map::Device;
use super::offsets::{self, CARRY, CPU_A, CPU_X, CPU_Y, CYCLES, LIMIT, NEGATIVE, NOT_ZERO, OVERFLOW, PC, RAM, SEGMENTS, SP};
use crate::machine::Machine;

/// Offset of RAM from the machine's address, minus RAM's first zero page address (0x80).
const ZERO_PAGE: u32 = offsets::ZERO_PAGE as u32;

// The encodings of load and store instructions hold unsigned offsets of 12 bits.
const _: () = assert!(size_of::<Machine>() < 1 << 12 && offsets::ZERO_PAGE >= 0);

/// Number of the scratch register w8, which holds addresses and results. The other scratch registers are w10 for `A & X`, and
/// w11 for other values.
const W8: u8 = 8;
const W10: u8 = 10;
const W11: u8 = 11;

/// Assembler that emits machine code for aarch64.
pub(super) struct Aarch64 {
    ops: VecAssembler<Aarch64Relocation>,
    last: LastResult,
}

/// Location of the last result in host registers, until the next instruction that is not a branch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastResult {
    Nothing,
    /// The last result of a 6502 instruction is in the host register with this number.
    In(u8),
    /// The host register w8 holds the difference of a comparison; its lowest byte is the last result. The host's carry flag is
    /// the 6502's carry flag.
    Comparison,
}

/// Returns the number of the host register in which a 6502 register is stored.
fn number(register: Register) -> u8 {
    match register {
        Register::A => 23,
        Register::X => 24,
        Register::Y => 25,
    }
}

/// Returns the number of the host register that holds the byte which a store writes.
fn source_number(source: Source) -> u8 {
    match source {
        Source::Register(register) => number(register),
        Source::AAndX => W10,
    }
}

impl Default for Aarch64 {
    fn default() -> Self {
        Self { ops: VecAssembler::new(0), last: LastResult::Nothing }
    }
}

impl Aarch64 {
    /// Emits code that loads the constant host address `address` into a host register.
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

    fn store_result_of(&mut self, register: u8) {
        dynasm!(self.ops
            ; .arch aarch64
            ; strb W(register), [x19, NEGATIVE as u32]
            ; strb W(register), [x19, NOT_ZERO as u32]
        );
    }

    /// Returns the number of the host register that holds the last result. If the last result is only in the machine's state,
    /// emits code that loads it into a register.
    fn last_result(&mut self, result: ResultIn, stored_at: i32) -> u8 {
        match (self.last, result) {
            (LastResult::In(register), _) => register,
            (LastResult::Comparison, _) => W8,
            (LastResult::Nothing, ResultIn::In(register)) => number(register),
            (LastResult::Nothing, ResultIn::Stored) => {
                dynasm!(self.ops ; .arch aarch64 ; ldrb w11, [x19, stored_at as u32]);
                W11
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

    /// Emits a jump to `taken` if a flag in the machine's state equals `set`.
    fn branch_on_stored(&mut self, flag: i32, set: bool, taken: DynamicLabel) {
        dynasm!(self.ops ; .arch aarch64 ; ldrb w11, [x19, flag as u32]);
        self.jump_if_not_zero(set, W11, taken);
    }
}

impl TiaWrites for Aarch64 {}

impl Assembler for Aarch64 {
    type Relocation = Aarch64Relocation;

    fn ops(&mut self) -> &mut VecAssembler<Aarch64Relocation> {
        &mut self.ops
    }

    fn finish(self) -> Option<Vec<u8>> {
        self.ops.finalize().ok()
    }

    fn invalidate_result(&mut self) {
        self.last = LastResult::Nothing;
    }

    fn prologue(&mut self) {
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

    fn epilogue(&mut self, interpret: DynamicLabel, missing: DynamicLabel) {
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
    }

    fn subtract_instructions(&mut self, count: u32, none_left: DynamicLabel) {
        dynasm!(self.ops ; .arch aarch64 ; subs w22, w22, count ; b.lo =>none_left);
    }

    fn add_instructions(&mut self, count: u32) {
        dynasm!(self.ops ; .arch aarch64 ; add w22, w22, count);
    }

    fn add_cycles(&mut self, count: u32) {
        dynasm!(self.ops ; .arch aarch64 ; add w21, w21, count);
    }

    fn store_result(&mut self, register: Register) {
        self.store_result_of(number(register));
    }

    fn set_flag(&mut self, at: i32, value: bool) {
        dynasm!(self.ops ; .arch aarch64 ; movz w11, u32::from(value) ; strb w11, [x19, at as u32]);
    }

    fn jump(&mut self, to: DynamicLabel) {
        dynasm!(self.ops ; .arch aarch64 ; b =>to);
    }

    fn program_counter(&mut self, pc: u16) {
        dynasm!(self.ops ; .arch aarch64 ; movz w9, u32::from(pc));
    }

    fn jump_by(&mut self, slot: u64, pc: u16) {
        self.program_counter(pc);
        self.address(16, slot);
        dynasm!(self.ops ; .arch aarch64 ; ldr x16, [x16] ; br x16);
    }

    fn dispatch(&mut self, pages: u64, is_sliced: bool) {
        self.address(10, pages);
        if is_sliced {
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

    fn branch(&mut self, flag: Flag, set: bool, now: &EmitState, taken: DynamicLabel) {
        match (flag, now.carry) {
            (Flag::Carry, _) if self.last == LastResult::Comparison => {
                if set {
                    dynasm!(self.ops ; .arch aarch64 ; b.cs =>taken);
                } else {
                    dynasm!(self.ops ; .arch aarch64 ; b.cc =>taken);
                }
            }
            (Flag::Carry, Carry::Known(carry)) => {
                if carry == set {
                    self.jump(taken);
                }
            }
            (Flag::Carry, Carry::Stored) => self.branch_on_stored(CARRY, set, taken),
            (Flag::Overflow, _) => self.branch_on_stored(OVERFLOW, set, taken),
            (Flag::Zero, _) if self.last == LastResult::Comparison => {
                if set {
                    dynasm!(self.ops ; .arch aarch64 ; b.eq =>taken);
                } else {
                    dynasm!(self.ops ; .arch aarch64 ; b.ne =>taken);
                }
            }
            (Flag::Zero, _) => {
                let register = self.last_result(now.result, NOT_ZERO);
                self.jump_if_not_zero(!set, register, taken);
            }
            (Flag::Negative, _) => {
                let register = self.last_result(now.result, NEGATIVE);
                if set {
                    dynasm!(self.ops ; .arch aarch64 ; tbnz W(register), 7, =>taken);
                } else {
                    dynasm!(self.ops ; .arch aarch64 ; tbz W(register), 7, =>taken);
                }
            }
        }
    }

    fn indirect(&mut self, bytes: [Device; 2]) {
        for (register, answer) in [9, W8].into_iter().zip(bytes) {
            match answer {
                Device::Ram(at) => dynasm!(self.ops ; .arch aarch64 ; ldrb W(register), [x19, RAM as u32 + u32::from(at)]),
                Device::Byte(byte) => dynasm!(self.ops ; .arch aarch64 ; movz W(register), u32::from(byte)),
                _ => (),
            }
        }
        dynasm!(self.ops ; .arch aarch64 ; orr w9, w9, w8, lsl 8);
    }

    fn check_stack(&mut self, first: u8, last: u8, slow: DynamicLabel) {
        dynasm!(self.ops
            ; .arch aarch64
            ; ldrb w8, [x19, SP as u32]
            ; sub w9, w8, u32::from(first)
            ; cmp w9, u32::from(last - first)
            ; b.hi =>slow
        );
    }

    fn push_return(&mut self, back: u16, slow: DynamicLabel) {
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
    }

    fn pull_return(&mut self, slow: DynamicLabel) {
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
    }

    fn call(&mut self, helper: u64, cycles: u32) {
        self.address(16, helper);
        dynasm!(self.ops ; .arch aarch64 ; mov x0, x19 ; add w1, w21, cycles ; blr x16);
    }

    fn call_with(&mut self, helper: u64, source: Source) {
        let source = source_number(source);
        self.address(16, helper);
        dynasm!(self.ops ; .arch aarch64 ; mov x0, x19 ; mov w2, W(source) ; blr x16);
    }

    fn wait(&mut self, helper: u64, apart: u32) {
        dynasm!(self.ops ; .arch aarch64 ; movz w2, apart ; orr w2, w2, w22, lsl 4);
        self.call(helper, 0);
        dynasm!(self.ops ; .arch aarch64 ; movz w9, apart ; madd w21, w0, w9, w21 ; sub w22, w22, w0, lsl 1);
    }

    fn check_frame(&mut self, cycles: u32, later: u32, slow: DynamicLabel) {
        self.write_cycle(cycles + later);
        dynasm!(self.ops ; .arch aarch64 ; ldr w11, [x19, LIMIT as u32] ; cmp w1, w11 ; b.hs =>slow);
        if later > 0 {
            self.write_cycle(cycles);
        }
    }

    fn write_cycle(&mut self, cycles: u32) {
        dynasm!(self.ops ; .arch aarch64 ; add w1, w21, cycles);
    }

    fn argument(&mut self, value: u32) {
        dynasm!(self.ops ; .arch aarch64 ; movz w2, value & 0xffff);
        if value >> 16 != 0 {
            dynasm!(self.ops ; .arch aarch64 ; movk w2, value >> 16, lsl 16);
        }
    }

    fn argument_with(&mut self, address: u16, source: Source) {
        let source = source_number(source);
        dynasm!(self.ops ; .arch aarch64 ; movz w2, u32::from(address) ; orr w2, w2, W(source), lsl 16);
    }

    fn argument_at_with(&mut self, source: Source) {
        let source = source_number(source);
        dynasm!(self.ops ; .arch aarch64 ; and w2, w8, 0xffff ; orr w2, w2, W(source), lsl 16);
    }

    fn argument_at(&mut self, bus: u8, _is_zero_page: bool) {
        dynasm!(self.ops ; .arch aarch64 ; and w2, w8, 0xffff ; movk w2, u32::from(bus), lsl 16);
    }

    fn argument_at_pointer(&mut self) {
        dynasm!(self.ops
            ; .arch aarch64
            ; and w2, w8, 0xffff
            ; ubfx w9, w8, 8, 8
            ; orr w2, w2, w9, lsl 16
        );
    }

    fn result_to_value(&mut self) {
        dynasm!(self.ops ; .arch aarch64 ; mov w9, w0);
    }

    fn result_to_a(&mut self) {
        dynasm!(self.ops ; .arch aarch64 ; mov w23, w0);
    }

    fn result_to_cycles(&mut self) {
        dynasm!(self.ops ; .arch aarch64 ; mov w21, w0);
    }

    fn result_to_cycles_minus(&mut self, cycles: u32) {
        dynasm!(self.ops ; .arch aarch64 ; sub w21, w0, cycles);
    }
}
