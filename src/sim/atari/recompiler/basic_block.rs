//! Basic blocks of a program and their successors, independent of the generated code.

use super::decode::{AddressingMode, Instruction, Operation};
use super::memory_map::{Device, GuestPc, MemoryMap};

/// Maximum number of instructions of a block.
///
/// Generated code checks the budget of instructions once per block. A longer block would more often exceed the budget at the
/// end of a frame, so that the interpreter must execute it.
const MAX_INSTRUCTIONS: usize = 30;

/// Reason why a basic block ends, and how the program continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockEnd {
    /// The block's last instruction jumps.
    Jump,
    /// The program continues at this program counter, in the next block.
    FallThrough(u16),
    /// The block's last instruction accesses a cartridge address that may switch banks. The first value is the program counter
    /// at which the program continues, and the second value is the address.
    BankSwitch(u16, u16),
    /// The interpreter must execute the instruction at this program counter.
    Fallback(u16),
}

/// Basic block: a sequence of instructions that is entered only at its first instruction, and may be left at any instruction.
#[derive(Clone, Debug)]
pub(super) struct BasicBlock {
    pub(super) at: GuestPc,
    pub(super) instructions: Vec<Instruction>,
    pub(super) end: BlockEnd,
}

/// TIA register whose writes may end a frame.
const VSYNC: u16 = 0x00;

impl BasicBlock {
    /// Decodes the basic block that starts at the program location `at` (program counter and selected bank).
    pub(super) fn new(layout: &MemoryMap, at: GuestPc) -> Self {
        let mut instructions = Vec::new();
        let mut pc = at.pc;
        let end = loop {
            let is_elsewhere = layout.view_at(at, pc) != Some(at.view);
            if is_elsewhere || instructions.len() == MAX_INSTRUCTIONS {
                break BlockEnd::FallThrough(pc);
            }
            let here = GuestPc { pc, ..at };
            let instruction = layout.instruction_word(here).map(|word| Instruction::new(pc, word));
            let Some(instruction) = instruction.filter(|instruction| is_compilable(layout, here, instruction)) else {
                break BlockEnd::Fallback(pc);
            };
            instructions.push(instruction);
            pc = instruction.next();
            match instruction.operation {
                Operation::Jump
                | Operation::JumpIndirect
                | Operation::Call
                | Operation::Return
                | Operation::Break
                | Operation::ReturnFromInterrupt => break BlockEnd::Jump,
                _ => (),
            }
            if has_side_effect(layout, here, &instruction) {
                break BlockEnd::BankSwitch(pc, instruction.operand);
            }
        };
        Self { at, instructions, end }
    }

    /// Returns an upper bound of the number of cycles to the end of the block's last write of a TIA register at a constant
    /// address.
    pub(super) fn cycles_to_last_write(&self, layout: &MemoryMap) -> u32 {
        let writes = |instruction: &Instruction| {
            let is_constant = matches!(instruction.mode, AddressingMode::ZeroPage | AddressingMode::Absolute);
            instruction.is_store() && is_constant && layout.device(self.at, instruction.operand) == Device::Tia
        };
        let last = self.instructions.iter().rposition(writes).map_or(0, |last| last + 1);
        self.instructions[..last].iter().map(Instruction::most_cycles).sum()
    }

    /// Returns the known locations to which the program may continue after this block.
    pub(super) fn successors(&self, layout: &MemoryMap) -> Vec<GuestPc> {
        let mut found = Vec::new();
        let mut add = |pc: u16| found.extend(layout.view_at(self.at, pc).map(|view| GuestPc { view, pc }));
        for instruction in &self.instructions {
            match instruction.operation {
                Operation::Branch(..) => add(instruction.branch_target()),
                Operation::Jump => add(instruction.operand),
                Operation::Call => {
                    add(instruction.operand);
                    add(instruction.next());
                }
                Operation::Break => {
                    let here = GuestPc { pc: instruction.pc, ..self.at };
                    layout.break_vector(here).into_iter().for_each(&mut add);
                    add(instruction.next());
                }
                _ => (),
            }
        }
        match self.end {
            BlockEnd::Jump => (),
            BlockEnd::FallThrough(pc) => add(pc),
            BlockEnd::BankSwitch(pc, address) => {
                found.extend(layout.view_after(self.at, address, pc).map(|view| GuestPc { view, pc }))
            }
            BlockEnd::Fallback(pc) => {
                let here = GuestPc { pc, ..self.at };
                if let Some(word) = layout.instruction_word(here) {
                    let instruction = Instruction::new(pc, word);
                    // The interpreter executes the instruction after this block. Unless that instruction is `BRK`, the program may
                    // continue at the instruction after it.
                    if instruction.operation != Operation::Break {
                        add(instruction.next());
                    }
                }
            }
        }
        found
    }
}

/// Returns whether an instruction's access to the cartridge has a side effect.
fn has_side_effect(layout: &MemoryMap, at: GuestPc, instruction: &Instruction) -> bool {
    if instruction.mode != AddressingMode::Absolute || matches!(instruction.operation, Operation::Jump | Operation::Call) {
        return false;
    }
    let switches = |address: u16| layout.view_after(at, address, instruction.next()) != layout.view_at(at, instruction.next());
    match layout.device(at, instruction.operand) {
        Device::Cartridge => layout.is_sliced() || switches(instruction.operand),
        _ => false,
    }
}

/// Returns whether an instruction can be compiled.
fn is_compilable(layout: &MemoryMap, at: GuestPc, instruction: &Instruction) -> bool {
    let Instruction { operation, mode, operand, .. } = *instruction;
    let constant = match mode {
        AddressingMode::ZeroPage | AddressingMode::Absolute => Some(layout.device(at, operand)),
        _ => None,
    };
    match operation {
        Operation::Other => false,
        Operation::Jump | Operation::Call | Operation::ReturnFromInterrupt => true,
        Operation::Break => layout.break_vector(at).is_some(),
        Operation::JumpIndirect => {
            // Both bytes of an indirect jump's pointer must be in RAM or in the image.
            let second = operand & 0xff00 | operand.wrapping_add(1) & 0xff;
            let known = |address: u16| matches!(layout.device(at, address), Device::Ram(_) | Device::Byte(_));
            known(operand) && known(second)
        }
        Operation::Modify(_) | Operation::Dcp => match (mode, constant) {
            (_, Some(answer)) => matches!(answer, Device::Ram(_)),
            (AddressingMode::ZeroPageIndexed(_) | AddressingMode::AbsoluteIndexed(_), _) => true,
            _ => false,
        },
        _ if mode == AddressingMode::IndirectY && !(0x80..0xff).contains(&operand) => false,
        _ => !(instruction.is_store() && constant == Some(Device::Tia) && operand & 0x3f == VSYNC),
    }
}
