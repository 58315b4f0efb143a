//! Emitter: generates the code of blocks for any host, from the state known at each instruction.
//!
//! Flags are stored in the machine. Negative and zero depend on the last result. While the last result is in A, X or Y, these
//! two flags are stored only at the block's exits. A carry that is known at compile time (after `CLC` or `SEC`) is also stored
//! only at the exits.
//!
//! In a rare case, such as decimal mode, the code of an instruction takes its slow exit (to the interpreter) before the
//! instruction has any effect. The slow exit restores the counts of cycles and instructions at the instruction's start, and the
//! interpreter executes the instruction.

mod operands;
mod operations;

use std::collections::BTreeMap;

use dynasmrt::DynamicLabel;

use super::assembler::{Assembler, PageCross, Source};
use super::basic_block::{BasicBlock, BlockEnd};
use super::code_blob::{BlockLinks, Code};
use super::decode::{Flag, Instruction, Operation};
use super::emit_state::{Carry, EmitState, ExitTarget, ResultIn, branch_exit};
use super::helpers::Helper;
use super::memory_map::{GuestPc, MemoryMap};
use super::offsets::CARRY;

/// Generates the machine code of several basic blocks.
pub(super) struct Emitter<'c, H> {
    host: H,
    memory_map: &'c MemoryMap,
    links: &'c mut dyn BlockLinks,
    labels: BTreeMap<GuestPc, DynamicLabel>,
    interpret: DynamicLabel,
    missing: DynamicLabel,
    cold: Vec<OutOfLine>,
    at: GuestPc,
    /// State that is known before the current instruction; `now` is the state that is known after this instruction.
    before: EmitState,
    now: EmitState,
    /// Whether earlier code of the block has already checked that decimal mode is off.
    is_binary: bool,
    /// Upper bound of the cycles from the end of the current instruction to the end of the block's last write of a TIA register at
    /// a constant address. `None`: earlier code of the block has checked that the frame does not end before.
    unchecked_cycles: Option<u32>,
    slow: Option<DynamicLabel>,
}

/// Code for rare cases, which is placed after the block's code.
enum OutOfLine {
    Exit { label: DynamicLabel, moment: EmitState, to: ExitTarget },
    Operand { label: DynamicLabel, moment: EmitState, operand: OutOfLineOperand },
}

/// Operand access to a rare location, such as the TIA. The host's address register contains the address.
enum OutOfLineOperand {
    /// Reads the operand from the TIA, with `bus` as the last byte on the data bus.
    ReadTia { join: DynamicLabel, bus: u8 },
    /// Reads the operand from outside of the image. `bus` is the last byte on the data bus, or `None` if this byte is not
    /// known.
    ReadElsewhere { join: DynamicLabel, bus: Option<u8>, crossing: PageCross, slow: DynamicLabel },
    /// Writes the operand to a TIA register, at the cycle that the host has computed to check the frame.
    WriteRegister { join: DynamicLabel, register: u16, source: Source },
    /// Writes the operand to the TIA.
    WriteTia { join: DynamicLabel, source: Source, slow: DynamicLabel },
    /// Writes the operand to a location outside of RAM.
    WriteElsewhere { join: DynamicLabel, source: Source, slow: DynamicLabel },
    /// Pushes A to a stack in the TIA's address range.
    Push { join: DynamicLabel, slow: DynamicLabel },
    /// Pulls A from a stack at any location.
    Pull { join: DynamicLabel },
}

impl<'c, H: Assembler> Emitter<'c, H> {
    pub(super) fn new(memory_map: &'c MemoryMap, links: &'c mut dyn BlockLinks, entries: impl Iterator<Item = GuestPc>) -> Self {
        let mut host = H::default();
        let labels = entries.map(|entry| (entry, host.label())).collect();
        let [interpret, missing] = [(); 2].map(|()| host.label());
        let moment = EmitState { cycles: 0, instructions_left: 0, result: ResultIn::Stored, carry: Carry::Stored };
        Self {
            host,
            memory_map,
            links,
            labels,
            interpret,
            missing,
            cold: Vec::new(),
            at: GuestPc { view: 0, pc: 0 },
            before: moment,
            now: moment,
            is_binary: false,
            unchecked_cycles: None,
            slow: None,
        }
    }

    /// Emits the start of the entry function [`Enter`](super::code_blob::Enter), with which the code starts.
    pub(super) fn entrance(&mut self) {
        self.host.prologue();
    }

    /// Returns the code of all blocks; `None` if it cannot be assembled.
    pub(super) fn finish(mut self) -> Option<Code> {
        self.host.epilogue(self.interpret, self.missing);
        let entries: Option<Vec<_>> =
            self.labels.iter().map(|(entry, label)| Some((*entry, self.host.offset(*label)?))).collect();
        let (interpret, missing) = (self.host.offset(self.interpret)?, self.host.offset(self.missing)?);
        Some(Code { entries: entries?, interpret, missing, bytes: self.host.finish()? })
    }

    /// Emits the code of a block.
    pub(super) fn block(&mut self, block: &BasicBlock) {
        self.at = block.at;
        let length = block.instructions.len() as u32;
        let moment = EmitState { cycles: 0, instructions_left: length, result: ResultIn::Stored, carry: Carry::Stored };
        (self.before, self.now, self.is_binary) = (moment, moment, false);
        self.host.invalidate_result();
        let none_left = self.host.label();
        self.host.bind(self.labels[&block.at]);
        self.host.subtract_instructions(length, none_left);
        self.cold.push(OutOfLine::Exit { label: none_left, moment, to: ExitTarget::Interpreter(block.at.pc) });
        let mut unchecked = block.cycles_to_last_write(self.memory_map);
        self.unchecked_cycles = Some(0);
        for instruction in &block.instructions {
            unchecked = unchecked.saturating_sub(instruction.most_cycles());
            self.unchecked_cycles = self.unchecked_cycles.map(|_| unchecked);
            self.at.pc = instruction.pc;
            self.before = self.now;
            self.now.cycles += instruction.cycles();
            self.now.instructions_left -= 1;
            self.slow = None;
            self.instruction(instruction);
        }
        self.end(&block.end);
        for cold in std::mem::take(&mut self.cold) {
            match cold {
                OutOfLine::Exit { label, moment, to } => self.exit(label, moment, to),
                OutOfLine::Operand { label, moment, operand } => self.cold_operand(label, moment, operand),
            }
        }
    }

    /// Emits the code after a block's last instruction, which continues the program as `end` describes.
    fn end(&mut self, end: &BlockEnd) {
        match *end {
            BlockEnd::Jump => (),
            BlockEnd::FallThrough(pc) => {
                self.flush_state();
                self.emit_jump(pc);
            }
            BlockEnd::BankSwitch(pc, address) => {
                self.flush_state();
                match self.memory_map.view_after(self.at, address, pc) {
                    Some(view) => self.jump_to(GuestPc { view, pc }),
                    None => self.emit_jump(pc),
                }
            }
            BlockEnd::Fallback(pc) => {
                self.flush_state();
                self.leave(pc);
            }
        }
    }

    /// Emits code that sets the program counter to `pc` and exits to the interpreter.
    fn leave(&mut self, pc: u16) {
        self.host.program_counter(pc);
        self.host.jump(self.interpret);
    }

    fn exit(&mut self, label: DynamicLabel, moment: EmitState, to: ExitTarget) {
        self.host.bind(label);
        self.now = moment;
        self.flush_state();
        match to {
            ExitTarget::Interpreter(pc) => self.leave(pc),
            ExitTarget::Program(pc) => self.emit_jump(pc),
            ExitTarget::Wait(pc, helper, apart) => {
                let helper = self.links.helper(helper);
                self.host.wait(helper, apart);
                self.emit_jump(pc);
            }
        }
    }

    /// Emits code that adds the cycles and instructions of the block so far to the machine's counts, and stores the flags.
    fn flush_state(&mut self) {
        let EmitState { cycles, instructions_left: rest, .. } = self.now;
        self.store_result();
        self.store_carry();
        if cycles > 0 {
            self.host.add_cycles(cycles);
        }
        if rest > 0 {
            self.host.add_instructions(rest);
        }
        self.now.cycles = 0;
        self.now.instructions_left = 0;
    }

    fn store_result(&mut self) {
        if let ResultIn::In(register) = self.now.result {
            self.host.store_result(register);
            self.now.result = ResultIn::Stored;
        }
    }

    fn store_carry(&mut self) {
        if let Carry::Known(carry) = self.now.carry {
            self.host.set_flag(CARRY, carry);
            self.now.carry = Carry::Stored;
        }
    }

    /// Emits a jump to the code of the program counter `pc`.
    fn emit_jump(&mut self, pc: u16) {
        match self.memory_map.view_at(self.at, pc) {
            Some(view) => self.jump_to(GuestPc { view, pc }),
            None => {
                self.host.program_counter(pc);
                self.dispatch();
            }
        }
    }

    fn jump_to(&mut self, to: GuestPc) {
        if let Some(label) = self.labels.get(&to) {
            self.host.jump(*label);
        } else {
            let slot = self.links.slot(to);
            self.host.jump_by(slot, to.pc);
        }
    }

    /// Emits a jump to the code of the current program counter.
    fn dispatch(&mut self) {
        let is_sliced = self.memory_map.is_sliced();
        let pages = self.links.pages(if is_sliced { 0 } else { self.at.view });
        self.host.dispatch(pages, is_sliced);
    }

    /// Returns the label of the current instruction's slow exit to the interpreter.
    fn slow_exit(&mut self) -> DynamicLabel {
        if let Some(label) = self.slow {
            return label;
        }
        let label = self.host.label();
        self.slow = Some(label);
        self.cold.push(OutOfLine::Exit { label, moment: self.before, to: ExitTarget::Interpreter(self.at.pc) });
        label
    }

    /// Defers the code of an operand access, so that it is placed after the block's code. Saves the state that the emitter
    /// knows at this instruction.
    fn defer_operand(&mut self, label: DynamicLabel, operand: OutOfLineOperand) {
        self.cold.push(OutOfLine::Operand { label, moment: self.now, operand });
    }

    /// Emits a call of a helper with the cycle count at the instruction's end.
    fn call(&mut self, helper: Helper) {
        let helper = self.links.helper(helper);
        self.host.call(helper, self.now.cycles);
    }

    /// Emits code that takes the slow exit `slow` if the television may end the frame before the instruction.
    fn check_frame(&mut self, slow: DynamicLabel) {
        self.host.check_frame(self.now.cycles, 0, slow);
    }

    fn instruction(&mut self, instruction: &Instruction) {
        if let Operation::Branch(flag, set) = instruction.operation {
            return self.branch(instruction, flag, set);
        }
        self.host.invalidate_result();
        match instruction.operation {
            Operation::Jump => {
                self.flush_state();
                self.emit_jump(instruction.operand);
            }
            Operation::JumpIndirect => self.jump_indirect(instruction),
            Operation::Call => self.call_subroutine(instruction),
            Operation::Return => self.return_from_subroutine(),
            Operation::Break => self.break_instruction(instruction),
            Operation::ReturnFromInterrupt => self.return_from_interrupt(),
            _ => self.operation(instruction),
        }
    }

    fn branch(&mut self, instruction: &Instruction, flag: Flag, set: bool) {
        let taken = self.host.label();
        self.host.branch(flag, set, &self.now, taken);
        let moment = EmitState { cycles: self.now.cycles + instruction.taken_cycles(), ..self.now };
        self.cold.push(OutOfLine::Exit { label: taken, moment, to: branch_exit(self.memory_map, self.at, instruction) });
    }
}

#[cfg(test)]
mod tests;
