//! Decodes 6502 instructions: operation and addressing mode of each opcode.

use crate::cpu::{CYCLES, LENGTH};
use crate::tia::offsets::{CLOCKS, LINE};

/// Register of the 6502 that instructions load, store and compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    A,
    X,
    Y,
}

/// Operation by which a read-modify-write instruction changes a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    ShiftLeft,
    ShiftRight,
    RotateLeft,
    RotateRight,
    Increment,
    Decrement,
}

/// Flag of the 6502 that branch instructions test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    Negative,
    Overflow,
    Carry,
    Zero,
}

/// Operation of a 6502 instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Load(Register),
    /// LAX (undocumented): loads A and X.
    Lax,
    Store(Register),
    /// SAX (undocumented): stores `A & X`.
    Sax,
    Or,
    And,
    Xor,
    Add,
    Subtract,
    Compare(Register),
    Bit,
    /// Reads a byte and discards it.
    Read,
    Modify(Change),
    /// DCP (undocumented): decrements a byte, then compares A with it.
    Dcp,
    Accumulator(Change),
    /// Adds 1 or -1 to a register.
    Step(Register, i8),
    /// Copies the first register to the second.
    Transfer(Register, Register),
    StackToX,
    XToStack,
    Push,
    PushStatus,
    Pull,
    PullStatus,
    SetCarry(bool),
    SetDecimal(bool),
    SetInterrupts(bool),
    ClearOverflow,
    Nop,
    /// Branch: jumps if the flag has the given value.
    Branch(Flag, bool),
    Jump,
    JumpIndirect,
    Call,
    Return,
    /// BRK: pushes the program counter and the flags, and jumps to the address in the vector at 0xfffe.
    Break,
    /// RTI: pulls the flags and the program counter.
    ReturnFromInterrupt,
    /// Any other operation; the interpreter executes it.
    Other,
}

/// Addressing mode of a 6502 instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressingMode {
    Implied,
    Immediate,
    ZeroPage,
    /// Zero page, indexed with X or Y.
    ZeroPageIndexed(Register),
    Absolute,
    AbsoluteIndexed(Register),
    IndirectX,
    IndirectY,
}

/// Decoded instruction of a program, with its program counter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) pc: u16,
    pub(super) opcode: u8,
    /// Operand bytes of the instruction (the bytes after the opcode), as a little-endian number.
    pub(super) operand: u16,
    pub(super) operation: Operation,
    pub(super) mode: AddressingMode,
}

impl Instruction {
    /// Decodes the bytes of an instruction, given as a little-endian number.
    pub(super) fn new(pc: u16, word: u32) -> Self {
        let opcode = word as u8;
        let (operation, mode) = decode(opcode);
        let operand = match LENGTH[usize::from(opcode)] {
            3 => (word >> 8) as u16,
            2 => (word >> 8) as u16 & 0xff,
            _ => 0,
        };
        Self { pc, opcode, operand, operation, mode }
    }

    /// Returns the address of the next instruction.
    pub(super) fn next(&self) -> u16 {
        self.pc.wrapping_add(u16::from(LENGTH[usize::from(self.opcode)]))
    }

    /// Returns the number of cycles of the instruction, without the cycles that depend on addresses.
    pub(super) fn cycles(&self) -> u32 {
        u32::from(CYCLES[usize::from(self.opcode)])
    }

    /// Returns an upper bound of the number of cycles of the instruction, if it is not a branch that is taken. A write to WSYNC halts
    /// the processor for less than a line.
    pub(super) fn most_cycles(&self) -> u32 {
        let may_halt = self.is_store() || matches!(self.operation, Operation::Push | Operation::PushStatus);
        self.cycles() + 1 + if may_halt { (LINE / CLOCKS) as u32 } else { 0 }
    }

    pub(super) fn is_store(&self) -> bool {
        matches!(self.operation, Operation::Store(_) | Operation::Sax)
    }

    /// Returns the first byte of the operand.
    pub(super) fn byte(&self) -> u8 {
        self.operand as u8
    }

    /// Returns the last byte on the data bus before the operand is read.
    pub(super) fn bus(&self) -> u8 {
        match self.mode {
            AddressingMode::Absolute | AddressingMode::AbsoluteIndexed(_) => (self.operand >> 8) as u8,
            _ => self.byte(),
        }
    }

    /// Returns the address to which a branch instruction jumps if it is taken.
    pub(super) fn branch_target(&self) -> u16 {
        self.next().wrapping_add(self.byte() as i8 as u16)
    }

    /// Returns the number of extra cycles of a taken branch.
    pub(super) fn taken_cycles(&self) -> u32 {
        if (self.next() ^ self.branch_target()) & 0xff00 != 0 { 2 } else { 1 }
    }
}

/// Addressing modes of the opcodes in the first column of the opcode table, by row. The third of the four columns has the same
/// addressing modes.
const FIRST: [AddressingMode; 8] = [
    AddressingMode::IndirectX,
    AddressingMode::ZeroPage,
    AddressingMode::Immediate,
    AddressingMode::Absolute,
    AddressingMode::IndirectY,
    AddressingMode::ZeroPageIndexed(Register::X),
    AddressingMode::AbsoluteIndexed(Register::Y),
    AddressingMode::AbsoluteIndexed(Register::X),
];

fn decode(opcode: u8) -> (Operation, AddressingMode) {
    let (high, row, column) = (opcode >> 5, opcode >> 2 & 7, opcode & 3);
    match column {
        1 if opcode != 0x89 => (first_column(high), FIRST[usize::from(row)]),
        2 if matches!(row, 1 | 3 | 5 | 7) && !matches!(opcode, 0x9e) => second_column(high, row),
        3 => third_column(opcode, row),
        _ => single(opcode),
    }
}

fn first_column(high: u8) -> Operation {
    match high {
        0 => Operation::Or,
        1 => Operation::And,
        2 => Operation::Xor,
        3 => Operation::Add,
        4 => Operation::Store(Register::A),
        5 => Operation::Load(Register::A),
        6 => Operation::Compare(Register::A),
        _ => Operation::Subtract,
    }
}

fn second_column(high: u8, row: u8) -> (Operation, AddressingMode) {
    let index = if matches!(high, 4 | 5) { Register::Y } else { Register::X };
    let mode = match row {
        1 => AddressingMode::ZeroPage,
        3 => AddressingMode::Absolute,
        5 => AddressingMode::ZeroPageIndexed(index),
        _ => AddressingMode::AbsoluteIndexed(index),
    };
    let operation = match high {
        4 => Operation::Store(Register::X),
        5 => Operation::Load(Register::X),
        _ => Operation::Modify(change(high)),
    };
    (operation, mode)
}

fn change(high: u8) -> Change {
    match high {
        0 => Change::ShiftLeft,
        1 => Change::RotateLeft,
        2 => Change::ShiftRight,
        3 => Change::RotateRight,
        6 => Change::Decrement,
        _ => Change::Increment,
    }
}

/// Decodes an opcode of the opcode table's fourth column, which contains undocumented opcodes. Only opcodes that games use are
/// decoded.
fn third_column(opcode: u8, row: u8) -> (Operation, AddressingMode) {
    let operation = match opcode {
        0xa3 | 0xa7 | 0xaf | 0xb3 | 0xb7 | 0xbf => Operation::Lax,
        0x83 | 0x87 | 0x8f | 0x97 => Operation::Sax,
        0xc3 | 0xc7 | 0xcf | 0xd3 | 0xd7 | 0xdb | 0xdf => Operation::Dcp,
        _ => Operation::Other,
    };
    let mode = match (opcode, row) {
        (0x97 | 0xb7, _) => AddressingMode::ZeroPageIndexed(Register::Y),
        (0xbf, _) => AddressingMode::AbsoluteIndexed(Register::Y),
        _ => FIRST[usize::from(row)],
    };
    (operation, mode)
}

/// Decodes the opcodes whose addressing modes do not follow the columns of the opcode table.
fn single(opcode: u8) -> (Operation, AddressingMode) {
    use Register::{A, X, Y};
    let operation = match opcode {
        0x0a | 0x2a | 0x4a | 0x6a => Operation::Accumulator(change(opcode >> 5)),
        0xa0 | 0xa4 | 0xac | 0xb4 | 0xbc => Operation::Load(Y),
        0xa2 => Operation::Load(X),
        0x84 | 0x8c | 0x94 => Operation::Store(Y),
        0xc0 | 0xc4 | 0xcc => Operation::Compare(Y),
        0xe0 | 0xe4 | 0xec => Operation::Compare(X),
        0x24 | 0x2c => Operation::Bit,
        0xe8 => Operation::Step(X, 1),
        0xca => Operation::Step(X, -1),
        0xc8 => Operation::Step(Y, 1),
        0x88 => Operation::Step(Y, -1),
        0xaa => Operation::Transfer(A, X),
        0xa8 => Operation::Transfer(A, Y),
        0x8a => Operation::Transfer(X, A),
        0x98 => Operation::Transfer(Y, A),
        0xba => Operation::StackToX,
        0x9a => Operation::XToStack,
        0x48 => Operation::Push,
        0x08 => Operation::PushStatus,
        0x68 => Operation::Pull,
        0x28 => Operation::PullStatus,
        0x18 | 0x38 => Operation::SetCarry(opcode == 0x38),
        0xd8 | 0xf8 => Operation::SetDecimal(opcode == 0xf8),
        0x58 | 0x78 => Operation::SetInterrupts(opcode == 0x78),
        0xb8 => Operation::ClearOverflow,
        0xea | 0x1a | 0x3a | 0x5a | 0x7a | 0xda | 0xfa | 0x80 | 0x82 | 0x89 | 0xc2 | 0xe2 => Operation::Nop,
        0x10 | 0x30 => Operation::Branch(Flag::Negative, opcode == 0x30),
        0x50 | 0x70 => Operation::Branch(Flag::Overflow, opcode == 0x70),
        0x90 | 0xb0 => Operation::Branch(Flag::Carry, opcode == 0xb0),
        0xd0 | 0xf0 => Operation::Branch(Flag::Zero, opcode == 0xf0),
        0x4c => Operation::Jump,
        0x6c => Operation::JumpIndirect,
        0x20 => Operation::Call,
        0x60 => Operation::Return,
        0x00 => Operation::Break,
        0x40 => Operation::ReturnFromInterrupt,
        0x04 | 0x44 | 0x64 | 0x14 | 0x34 | 0x54 | 0x74 | 0xd4 | 0xf4 | 0x0c | 0x1c | 0x3c | 0x5c | 0x7c | 0xdc | 0xfc => {
            Operation::Read
        }
        _ => Operation::Other,
    };
    let mode = match opcode & 0x1f {
        0x00 | 0x02 if opcode >= 0x80 => AddressingMode::Immediate,
        0x04 => AddressingMode::ZeroPage,
        0x0c => AddressingMode::Absolute,
        0x14 => AddressingMode::ZeroPageIndexed(X),
        0x1c => AddressingMode::AbsoluteIndexed(X),
        _ => AddressingMode::Implied,
    };
    (operation, mode)
}
