//! Assembler of the recompiler for x86-64 hosts.
//!
//! | register | |
//! |---|---|
//! | rbx | the machine |
//! | r12d | cycle count at the start of the block; the cycles of the block's earlier instructions are known at compile time |
//! | r13d | instructions left after the block |
//! | r14d, r15d, ebp | A, X, Y, zero-extended |
//! | rax, rcx, rdx | scratch: addresses and results, values and the program counter, other values and the third argument |
//! | rsi, rdi | scratch for calls |

#![allow(clippy::useless_conversion, reason = "the assembler's macro converts register numbers of any kind")]

mod operands;
mod operations;
mod tia_writes;

use dynasmrt::x64::X64Relocation;
use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, VecAssembler, dynasm};

use super::assembler::{Assembler, Source};
use super::decode::{Flag, Register};
use super::emit_state::{Carry, EmitState, ResultIn};
use super::memory_map::Device;
use super::offsets::{CARRY, CPU_A, CPU_X, CPU_Y, CYCLES, LIMIT, NEGATIVE, NOT_ZERO, OVERFLOW, PC, RAM, SEGMENTS, SP, ZERO_PAGE};

/// Assembler that emits machine code for x86-64.
pub(super) struct X86 {
    ops: VecAssembler<X64Relocation>,
    flags: HostFlags,
}

/// Meaning of the host's flags at the current point of the code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HostFlags {
    Nothing,
    /// The host's sign and zero flags are the 6502's negative and zero flags of the last result.
    Result,
    /// The host's carry flag is the 6502's carry flag.
    Carry,
    /// The host's flags are the 6502's negative and zero flags of the last result, and its carry flag.
    Sum,
    /// The host's flags are the 6502's negative and zero flags of the last result, and its inverted carry flag.
    Comparison,
    /// The host's registers contain the bytes of the instruction `BIT`: cl the tested byte, al its bits that are also in A.
    Bit,
}

/// Returns the number of the host register in which a 6502 register is stored.
fn number(register: Register) -> u8 {
    match register {
        Register::A => 14,
        Register::X => 15,
        Register::Y => 5,
    }
}

/// Returns the number of the host register that holds the source of a store; `A & X` is in edx.
fn source_number(source: Source) -> u8 {
    match source {
        Source::Register(register) => number(register),
        Source::AAndX => 2,
    }
}

impl Default for X86 {
    fn default() -> Self {
        Self { ops: VecAssembler::new(0), flags: HostFlags::Nothing }
    }
}

impl X86 {
    /// Emits code that sets the host's flags by comparing the last result with zero.
    fn test_result(&mut self, result: ResultIn, stored_at: i32) {
        match result {
            ResultIn::In(register) => {
                let register = number(register);
                dynasm!(self.ops ; .arch x64 ; test Rb(register), Rb(register));
                self.flags = HostFlags::Result;
            }
            // The stored negative and zero flags can come from different values, so the host's flags do not represent one
            // result.
            ResultIn::Stored => {
                dynasm!(self.ops ; .arch x64 ; cmp BYTE [rbx + stored_at], 0);
                self.flags = HostFlags::Nothing;
            }
        }
    }

    /// Emits code that sets the host's flags so that they contain the 6502's negative and zero flags.
    fn load_result(&mut self, flag: Flag, now: &EmitState) {
        match (self.flags, flag) {
            (HostFlags::Result | HostFlags::Sum | HostFlags::Comparison, _) => (),
            (HostFlags::Bit, Flag::Negative) => dynasm!(self.ops ; .arch x64 ; test cl, cl),
            (HostFlags::Bit, _) => dynasm!(self.ops ; .arch x64 ; test al, al),
            (_, Flag::Negative) => self.test_result(now.result, NEGATIVE),
            _ => self.test_result(now.result, NOT_ZERO),
        }
    }

    fn jump_if_carry(&mut self, carry: bool, to: DynamicLabel) {
        if carry {
            dynasm!(self.ops ; .arch x64 ; jc =>to);
        } else {
            dynasm!(self.ops ; .arch x64 ; jnc =>to);
        }
    }

    fn jump_if_not_zero(&mut self, not_zero: bool, to: DynamicLabel) {
        if not_zero {
            dynasm!(self.ops ; .arch x64 ; jnz =>to);
        } else {
            dynasm!(self.ops ; .arch x64 ; jz =>to);
        }
    }

    /// Emits a jump to `taken` if a flag in the machine's state equals `set`.
    fn branch_on_stored(&mut self, flag: i32, set: bool, taken: DynamicLabel) {
        dynasm!(self.ops ; .arch x64 ; cmp BYTE [rbx + flag], 0);
        self.jump_if_not_zero(set, taken);
        self.flags = HostFlags::Nothing;
    }
}

impl Assembler for X86 {
    type Relocation = X64Relocation;

    fn ops(&mut self) -> &mut VecAssembler<X64Relocation> {
        &mut self.ops
    }

    fn finish(self) -> Option<Vec<u8>> {
        self.ops.finalize().ok()
    }

    fn invalidate_result(&mut self) {
        self.flags = HostFlags::Nothing;
    }

    fn prologue(&mut self) {
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

    fn epilogue(&mut self, interpret: DynamicLabel, missing: DynamicLabel) {
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
    }

    fn subtract_instructions(&mut self, count: u32, none_left: DynamicLabel) {
        dynasm!(self.ops ; .arch x64 ; sub r13d, count as i32 ; jb =>none_left);
    }

    fn add_instructions(&mut self, count: u32) {
        dynasm!(self.ops ; .arch x64 ; add r13d, count as i32);
    }

    fn add_cycles(&mut self, count: u32) {
        dynasm!(self.ops ; .arch x64 ; add r12d, count as i32);
    }

    fn store_result(&mut self, register: Register) {
        let register = number(register);
        dynasm!(self.ops ; .arch x64 ; mov [rbx + NEGATIVE], Rb(register) ; mov [rbx + NOT_ZERO], Rb(register));
    }

    fn set_flag(&mut self, at: i32, value: bool) {
        dynasm!(self.ops ; .arch x64 ; mov BYTE [rbx + at], i8::from(value));
    }

    fn jump(&mut self, to: DynamicLabel) {
        dynasm!(self.ops ; .arch x64 ; jmp =>to);
    }

    fn program_counter(&mut self, pc: u16) {
        dynasm!(self.ops ; .arch x64 ; mov ecx, i32::from(pc));
    }

    fn jump_by(&mut self, slot: u64, pc: u16) {
        dynasm!(self.ops ; .arch x64 ; mov ecx, i32::from(pc) ; mov rax, QWORD slot as i64 ; jmp QWORD [rax]);
    }

    fn dispatch(&mut self, pages: u64, is_sliced: bool) {
        if is_sliced {
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
            dynasm!(self.ops ; .arch x64 ; mov eax, ecx ; shr eax, 8 ; mov rdx, QWORD pages as i64);
        }
        dynasm!(self.ops ; .arch x64 ; mov rdx, [rdx + rax * 8] ; movzx eax, cl ; jmp QWORD [rdx + rax * 8]);
    }

    fn branch(&mut self, flag: Flag, set: bool, now: &EmitState, taken: DynamicLabel) {
        match (flag, now.carry) {
            (Flag::Carry, _) if self.flags == HostFlags::Comparison => self.jump_if_carry(!set, taken),
            (Flag::Carry, _) if matches!(self.flags, HostFlags::Sum | HostFlags::Carry) => self.jump_if_carry(set, taken),
            (Flag::Carry, Carry::Known(carry)) => {
                if carry == set {
                    self.jump(taken);
                }
            }
            (Flag::Carry, Carry::Stored) => self.branch_on_stored(CARRY, set, taken),
            (Flag::Overflow, _) if self.flags == HostFlags::Bit => {
                dynasm!(self.ops ; .arch x64 ; test cl, BYTE 0x40);
                self.jump_if_not_zero(set, taken);
            }
            (Flag::Overflow, _) => self.branch_on_stored(OVERFLOW, set, taken),
            (Flag::Zero, _) => {
                self.load_result(flag, now);
                self.jump_if_not_zero(!set, taken);
            }
            (Flag::Negative, _) => {
                self.load_result(flag, now);
                if set {
                    dynasm!(self.ops ; .arch x64 ; js =>taken);
                } else {
                    dynasm!(self.ops ; .arch x64 ; jns =>taken);
                }
            }
        }
    }

    fn indirect(&mut self, bytes: [Device; 2]) {
        for answer in bytes.into_iter().rev() {
            dynasm!(self.ops ; .arch x64 ; mov eax, ecx);
            match answer {
                Device::Ram(at) => dynasm!(self.ops ; .arch x64 ; movzx ecx, BYTE [rbx + RAM + i32::from(at)]),
                Device::Byte(byte) => dynasm!(self.ops ; .arch x64 ; mov ecx, i32::from(byte)),
                _ => (),
            }
        }
        dynasm!(self.ops ; .arch x64 ; shl eax, 8 ; or ecx, eax);
    }

    fn check_stack(&mut self, first: u8, last: u8, slow: DynamicLabel) {
        dynasm!(self.ops
            ; .arch x64
            ; movzx eax, BYTE [rbx + SP]
            ; sub eax, i32::from(first)
            ; cmp eax, i32::from(last - first)
            ; ja =>slow
        );
    }

    fn push_return(&mut self, back: u16, slow: DynamicLabel) {
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
    }

    fn pull_return(&mut self, slow: DynamicLabel) {
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
    }

    fn call(&mut self, helper: u64, cycles: u32) {
        let cycles = cycles as i32;
        dynasm!(self.ops ; .arch x64 ; mov rdi, rbx ; lea esi, [r12 + cycles] ; mov rax, QWORD helper as i64 ; call rax);
    }

    fn call_with(&mut self, helper: u64, source: Source) {
        let source = source_number(source);
        dynasm!(self.ops ; .arch x64 ; mov rdi, rbx ; mov edx, Rd(source) ; mov rax, QWORD helper as i64 ; call rax);
    }

    fn wait(&mut self, helper: u64, apart: u32) {
        dynasm!(self.ops
            ; .arch x64
            ; mov rdi, rbx
            ; mov esi, r12d
            ; mov edx, r13d
            ; shl edx, 4
            ; or edx, apart as i32
            ; mov rax, QWORD helper as i64
            ; call rax
            ; imul ecx, eax, apart as i32
            ; add r12d, ecx
            ; add eax, eax
            ; sub r13d, eax
        );
    }

    fn check_frame(&mut self, cycles: u32, later: u32, slow: DynamicLabel) {
        self.write_cycle(cycles + later);
        dynasm!(self.ops ; .arch x64 ; cmp esi, [rbx + LIMIT] ; jae =>slow);
        if later > 0 {
            self.write_cycle(cycles);
        }
    }

    fn write_cycle(&mut self, cycles: u32) {
        let cycles = cycles as i32;
        dynasm!(self.ops ; .arch x64 ; lea esi, [r12 + cycles]);
    }

    fn argument(&mut self, value: u32) {
        dynasm!(self.ops ; .arch x64 ; mov edx, value as i32);
    }

    fn argument_with(&mut self, address: u16, source: Source) {
        let source = source_number(source);
        dynasm!(self.ops ; .arch x64 ; mov edx, Rd(source) ; shl edx, 16 ; or edx, i32::from(address));
    }

    fn argument_at_with(&mut self, source: Source) {
        let source = source_number(source);
        dynasm!(self.ops ; .arch x64 ; mov edx, Rd(source) ; shl edx, 16 ; movzx eax, ax ; or edx, eax);
    }

    fn argument_at(&mut self, bus: u8, is_zero_page: bool) {
        if is_zero_page {
            dynasm!(self.ops ; .arch x64 ; mov edx, eax);
        } else {
            dynasm!(self.ops ; .arch x64 ; movzx edx, ax);
        }
        dynasm!(self.ops ; .arch x64 ; or edx, i32::from(bus) << 16);
    }

    fn argument_at_pointer(&mut self) {
        dynasm!(self.ops ; .arch x64 ; movzx edx, ax ; movzx eax, ah ; shl eax, 16 ; or edx, eax);
    }

    fn result_to_value(&mut self) {
        dynasm!(self.ops ; .arch x64 ; mov ecx, eax);
    }

    fn result_to_a(&mut self) {
        dynasm!(self.ops ; .arch x64 ; mov r14d, eax);
    }

    fn result_to_cycles(&mut self) {
        dynasm!(self.ops ; .arch x64 ; mov r12d, eax);
    }

    fn result_to_cycles_minus(&mut self, cycles: u32) {
        let cycles = cycles as i32;
        dynasm!(self.ops ; .arch x64 ; lea r12d, [rax - cycles]);
    }
}
