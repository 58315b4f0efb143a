//! Basic blocks of a program and their successors, independent of the generated code.

use super::decode::{Instruction, Mode, Operation};
use super::layout::{Answer, Layout, Place};

/// Maximum number of instructions of a block. The budget is checked once per block: long blocks are entered less often at
/// a frame's end.
const LONGEST: usize = 30;

/// End of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The last instruction jumps.
    Jump,
    /// The program continues at this program counter.
    GoesOn(u16),
    /// The program continues at the first value. The last instruction has accessed the cartridge's address in the second
    /// value.
    Switch(u16, u16),
    /// The instruction at this program counter is left to the interpreter.
    Interpreted(u16),
}

/// Instructions entered at the first one, with exits anywhere.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) at: Place,
    pub(super) instructions: Vec<Instruction>,
    pub(super) end: End,
}

/// TIA register that ends frames.
const VSYNC: u16 = 0x00;

impl Block {
    /// Decodes the block that starts at a place.
    pub(super) fn new(layout: &Layout, at: Place) -> Self {
        let mut instructions = Vec::new();
        let mut pc = at.pc;
        let end = loop {
            let is_elsewhere = layout.view_at(at, pc) != Some(at.view);
            if is_elsewhere || instructions.len() == LONGEST {
                break End::GoesOn(pc);
            }
            let here = Place { pc, ..at };
            let instruction = layout.word(here).map(|word| Instruction::new(pc, word));
            let Some(instruction) = instruction.filter(|instruction| is_translated(layout, here, instruction)) else {
                break End::Interpreted(pc);
            };
            instructions.push(instruction);
            pc = instruction.next();
            match instruction.operation {
                Operation::Jump | Operation::JumpIndirect | Operation::Call | Operation::Return => break End::Jump,
                _ => (),
            }
            if touches(layout, here, &instruction) {
                break End::Switch(pc, instruction.operand);
            }
        };
        Self { at, instructions, end }
    }

    /// Returns the places that the program reaches from this block, as far as they are known.
    pub(super) fn successors(&self, layout: &Layout) -> Vec<Place> {
        let mut found = Vec::new();
        let mut add = |pc: u16| found.extend(layout.view_at(self.at, pc).map(|view| Place { view, pc }));
        for instruction in &self.instructions {
            match instruction.operation {
                Operation::Branch(..) => add(instruction.branch_target()),
                Operation::Jump => add(instruction.operand),
                Operation::Call => {
                    add(instruction.operand);
                    add(instruction.next());
                }
                _ => (),
            }
        }
        match self.end {
            End::Jump => (),
            End::GoesOn(pc) => add(pc),
            End::Switch(pc, address) => found.extend(layout.view_after(self.at, address, pc).map(|view| Place { view, pc })),
            End::Interpreted(pc) => {
                let here = Place { pc, ..self.at };
                if let Some(word) = layout.word(here) {
                    let instruction = Instruction::new(pc, word);
                    // Except `BRK` and `RTI`, interpreted instructions may continue at the next one.
                    if !matches!(instruction.opcode, 0x00 | 0x40) {
                        add(instruction.next());
                    }
                }
            }
        }
        found
    }
}

/// Whether an instruction's access to the cartridge has a side effect.
fn touches(layout: &Layout, at: Place, instruction: &Instruction) -> bool {
    if instruction.mode != Mode::Absolute || matches!(instruction.operation, Operation::Jump | Operation::Call) {
        return false;
    }
    let switches = |address: u16| layout.view_after(at, address, instruction.next()) != layout.view_at(at, instruction.next());
    match layout.answer(at, instruction.operand) {
        Answer::Cartridge => layout.is_sliced() || switches(instruction.operand),
        _ => false,
    }
}

/// Whether an instruction can be compiled.
fn is_translated(layout: &Layout, at: Place, instruction: &Instruction) -> bool {
    let Instruction { operation, mode, operand, .. } = *instruction;
    let constant = match mode {
        Mode::ZeroPage | Mode::Absolute => Some(layout.answer(at, operand)),
        _ => None,
    };
    let is_store = matches!(operation, Operation::Store(_) | Operation::StoreBoth);
    match operation {
        Operation::Other => false,
        Operation::Jump | Operation::Call => true,
        Operation::JumpIndirect => {
            // The pointer's bytes are in RAM or in the image.
            let second = operand & 0xff00 | operand.wrapping_add(1) & 0xff;
            let known = |address: u16| matches!(layout.answer(at, address), Answer::Ram(_) | Answer::Byte(_));
            known(operand) && known(second)
        }
        Operation::Modify(_) | Operation::DecrementCompare => match (mode, constant) {
            (_, Some(answer)) => matches!(answer, Answer::Ram(_)),
            (Mode::ZeroPageIndexed(_) | Mode::AbsoluteIndexed(_), _) => true,
            _ => false,
        },
        _ if mode == Mode::IndirectY && !(0x80..0xff).contains(&operand) => false,
        _ => !(is_store && constant == Some(Answer::Tia) && operand & 0x3f == VSYNC),
    }
}
