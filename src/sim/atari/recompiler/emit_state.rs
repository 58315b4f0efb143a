//! State that the emitter knows at an instruction while it emits a block, and targets of the block's exits.

use super::decode::{Instruction, Register};
use super::helpers::{self, Helper};
use super::memory_map::{GuestPc, MemoryMap};

/// Bytes of the instructions `LDA INTIM`, `LDX INTIM` and `LDY INTIM`, which load the timer, as little-endian numbers.
const LOAD_TIMER: [u32; 3] = [0x02_84_ad, 0x02_84_ae, 0x02_84_ac];
/// Bytes of the instructions `BIT TIMINT`, `LDA TIMINT` and `LDX TIMINT`, which read the timer's interrupt flag.
const READ_TIMER_FLAG: [u32; 3] = [0x02_85_2c, 0x02_85_ad, 0x02_85_ae];

/// Storage location, at run time, of the last result, from which the negative and zero flags are derived.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ResultIn {
    Stored,
    In(Register),
}

/// Storage location, at run time, of the carry flag: the machine's state, or a value that is known at compile time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Carry {
    Stored,
    Known(bool),
}

/// State that the emitter knows before an instruction while it emits a block: counts of cycles and instructions,
/// and locations of flags.
#[derive(Clone, Copy)]
pub(super) struct EmitState {
    /// Number of cycles of the block's instructions so far that have not been added to the machine's cycle count yet.
    pub(super) cycles: u32,
    /// Number of instructions from the current one to the end of the block.
    pub(super) instructions_left: u32,
    pub(super) result: ResultIn,
    pub(super) carry: Carry,
}

/// Target of an exit from a basic block.
#[derive(Clone, Copy)]
pub(super) enum ExitTarget {
    Interpreter(u16),
    Program(u16),
    /// A loop at this program counter waits for the timer. The second value is the helper that skips iterations, and the third
    /// is the number of cycles of an iteration.
    Wait(u16, Helper, u32),
}

/// Returns the target of a taken branch. If the branch closes a loop that only reads the timer with `BNE` or `BPL`, or the timer's
/// interrupt flag with `BPL`, the target is [`ExitTarget::Wait`].
pub(super) fn branch_exit(memory_map: &MemoryMap, at: GuestPc, instruction: &Instruction) -> ExitTarget {
    let head = instruction.branch_target();
    let is_here = head.wrapping_add(5) == instruction.next() && memory_map.view_at(at, head) == Some(at.view);
    let read = if is_here { memory_map.instruction_word(GuestPc { pc: head, ..at }) } else { None };
    let helper: Helper = match (instruction.opcode, read) {
        (0xd0, Some(word)) if LOAD_TIMER.contains(&word) => helpers::wait_for_zero,
        (0x10, Some(word)) if LOAD_TIMER.contains(&word) => helpers::wait_for_minus,
        (0x10, Some(word)) if READ_TIMER_FLAG.contains(&word) => helpers::wait_for_flag,
        _ => return ExitTarget::Program(head),
    };
    ExitTarget::Wait(head, helper, if (head ^ instruction.next()) & 0xff00 != 0 { 8 } else { 7 })
}
