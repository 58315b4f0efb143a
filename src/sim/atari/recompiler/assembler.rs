//! Interface of the emitter to a host's assembler: each method writes a short sequence of machine code.
//!
//! The generated code stores the machine's address, the cycle count, the number of instructions left, and the 6502's A, X and Y
//! in host registers. It uses three scratch registers: the address register, the value register, and a third register for other
//! data.

use dynasmrt::relocations::Relocation;
use dynasmrt::{DynamicLabel, DynasmLabelApi, VecAssembler};

use super::decode::{Change, Flag, Register};
use super::emit_state::{Carry, EmitState};
use super::memory_map::Device;

/// Location of a value that an operation reads: a constant, a register or the machine's state.
#[derive(Clone, Copy)]
pub(super) enum Value {
    Constant(u8),
    /// The value is in the machine's state, at this byte offset from the machine's address.
    At(i32),
    /// The value is zero-extended in the host's value register.
    Read,
}

/// Source of the byte that a store writes.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Register(Register),
    /// The value is `A & X`, which [`Assembler::and_a_x`] has computed.
    AAndX,
}

/// Condition under which an indexed access takes an extra cycle. The cycle is needed if the address is on a different page than
/// the base address.
#[derive(Clone, Copy)]
pub(super) enum PageCross {
    Never,
    /// The extra cycle is added if this register has at least this value.
    From(Register, u8),
    /// The extra cycle is added if [`Assembler::pointer_and_crossing`] has computed a nonzero value.
    Computed,
}

/// Bitwise operation that combines the 6502's A register and a value.
#[derive(Clone, Copy)]
pub(super) enum Combination {
    Or,
    And,
    Xor,
}

/// Assembler for one host processor: emits the function frame, jumps and calls.
pub(super) trait Assembler: Operands + Operations + TiaWrites + Default {
    type Relocation: Relocation;

    fn ops(&mut self) -> &mut VecAssembler<Self::Relocation>;
    /// Returns the generated machine code; `None` if it cannot be assembled.
    fn finish(self) -> Option<Vec<u8>>;

    fn label(&mut self) -> DynamicLabel {
        self.ops().new_dynamic_label()
    }
    fn bind(&mut self, label: DynamicLabel) {
        self.ops().dynamic_label(label);
    }
    fn offset(&mut self, label: DynamicLabel) -> Option<usize> {
        self.ops().labels().resolve_dynamic(label).ok().map(|at| at.0)
    }

    /// Makes the assembler forget that the host's flags or registers contain the last result.
    fn invalidate_result(&mut self);

    // The following methods emit the function frame.

    /// Emits the entry of the function [`Enter`](super::code_blob::Enter), through which generated code is called.
    fn prologue(&mut self);
    /// Emits the two exits of the function [`Enter`](super::code_blob::Enter): the exit to the interpreter, and the exit for
    /// program locations without code.
    fn epilogue(&mut self, interpret: DynamicLabel, missing: DynamicLabel);
    /// Emits code that subtracts `count` from the number of instructions left, and jumps to `none_left` if too few are left.
    fn subtract_instructions(&mut self, count: u32, none_left: DynamicLabel);
    fn add_instructions(&mut self, count: u32);
    fn add_cycles(&mut self, count: u32);
    /// Emits code that stores a register as the last result, from which the negative and zero flags are derived.
    fn store_result(&mut self, register: Register);
    /// Emits code that stores a flag at the offset `at` in the machine's state.
    fn set_flag(&mut self, at: i32, value: bool);

    // The following methods emit jumps.

    fn jump(&mut self, to: DynamicLabel);
    /// Emits code that sets the 6502's program counter before an exit.
    fn program_counter(&mut self, pc: u16);
    /// Emits code that sets the 6502's program counter to `pc`, and jumps to the code address that is stored in the variable at
    /// the host address `slot`.
    fn jump_by(&mut self, slot: u64, pc: u16);
    /// Emits a jump to the code of the current program counter. The page table at the host address `pages` holds the code's
    /// address.
    fn dispatch(&mut self, pages: u64, is_sliced: bool);
    /// Emits a jump to `taken` if a flag equals `set`. The host registers still contain the last result for the next branch.
    fn branch(&mut self, flag: Flag, set: bool, now: &EmitState, taken: DynamicLabel);
    /// Emits code that sets the program counter to the 16-bit pointer whose two bytes are at the locations `bytes`.
    fn indirect(&mut self, bytes: [Device; 2]);
    /// Emits a jump to `slow` unless the stack pointer is at least `first` and at most `last`.
    fn check_stack(&mut self, first: u8, last: u8, slow: DynamicLabel);
    /// Emits code that pushes a return address; it jumps to `slow` if the stack is not in RAM.
    fn push_return(&mut self, back: u16, slow: DynamicLabel);
    /// Emits code that pulls a return address and sets the program counter to the address after it; it jumps to `slow` if the
    /// stack is not in RAM.
    fn pull_return(&mut self, slow: DynamicLabel);

    // The following methods emit calls of helpers.

    /// Emits a call of a helper with the cycle count that the machine reaches after `cycles` more cycles.
    fn call(&mut self, helper: u64, cycles: u32);
    /// Emits a call of a helper. Its arguments are the byte from `source`, and the cycle count that the code of
    /// [`write_cycle`](Self::write_cycle) has computed.
    fn call_with(&mut self, helper: u64, source: Source);
    /// Emits a call of a helper that skips iterations of a timer loop, each of which takes `apart` cycles. The emitted code
    /// also counts the cycles and instructions of the skipped iterations.
    fn wait(&mut self, helper: u64, apart: u32);
    /// Emits a jump to `slow` if the television may end the frame before `cycles + later` cycles have passed, and the code of
    /// [`write_cycle`](Self::write_cycle).
    fn check_frame(&mut self, cycles: u32, later: u32, slow: DynamicLabel);
    /// Emits code that sets a helper's second argument to the cycle count that the machine reaches after `cycles` more cycles.
    fn write_cycle(&mut self, cycles: u32);
    /// Emits code that sets a helper's third argument to the constant `value`.
    fn argument(&mut self, value: u32);
    /// Emits code that sets a helper's third argument to `address`, with the byte from `source` in the upper half.
    fn argument_with(&mut self, address: u16, source: Source);
    /// Emits code that sets a helper's third argument to the address register, with the byte from `source` in the upper half.
    fn argument_at_with(&mut self, source: Source);
    /// Emits code that sets a helper's third argument to the address register, with `bus`, the last byte on the data bus, in
    /// the upper half.
    fn argument_at(&mut self, bus: u8, is_zero_page: bool);
    /// Emits code that sets a helper's third argument to the address register, with the high byte of this address in the upper half:
    /// the last byte on the data bus after a pointer has been read.
    fn argument_at_pointer(&mut self);
    /// Emits code that moves the result of a helper call to the value register.
    fn result_to_value(&mut self);
    /// Emits code that moves the result of a helper call to the register that holds A.
    fn result_to_a(&mut self);
    /// Emits code that sets the cycle count to the result of a helper call.
    fn result_to_cycles(&mut self);
    /// Emits code that sets the cycle count to the result of a helper call minus `cycles`.
    fn result_to_cycles_minus(&mut self, cycles: u32);
}

/// Generates code that computes addresses, and reads and writes operands. Addresses, offsets and bytes are in the host's address
/// register and value register.
pub(super) trait Operands {
    // The following methods compute addresses.

    /// Emits code that computes an indexed address of the zero page.
    fn zero_page_address(&mut self, base: u8, index: Register);
    /// Emits code that computes an indexed address, whose bits above the sixteenth are undefined.
    fn indexed_address(&mut self, base: u16, index: Register);
    /// Emits code that replaces a zero page address by the 16-bit pointer stored there; it jumps to `slow` if the pointer is
    /// not in RAM.
    fn pointer(&mut self, slow: DynamicLabel);
    /// Emits code that loads the 16-bit pointer at the zero page address `at` and adds Y.
    fn pointer_plus_y(&mut self, at: u8);
    /// Emits code that loads the 16-bit pointer at the zero page address `at`, adds Y, and computes the page crossing for
    /// [`PageCross::Computed`].
    fn pointer_and_crossing(&mut self, at: u8);
    /// Emits code that adds the extra cycle of a page crossing to the cycle count, if the condition `crossing` holds.
    fn cross(&mut self, crossing: PageCross);
    /// Emits a jump to `slow` if the register `index` is not less than `length`.
    fn check_index(&mut self, index: Register, length: u16, slow: DynamicLabel);
    /// Emits a jump to `to` unless the address selects the cartridge.
    fn jump_unless_cartridge(&mut self, to: DynamicLabel);
    /// Emits jumps to `cartridge` if the address selects the cartridge, and to `slow` if it selects the RIOT.
    fn jump_unless_tia(&mut self, cartridge: DynamicLabel, slow: DynamicLabel);
    /// Emits a jump to `slow` if the address selects the TIA register VSYNC.
    fn check_vsync(&mut self, slow: DynamicLabel);

    // The following methods compute offsets in the cartridge's image.

    fn offset_of_two_k(&mut self);
    fn offset_of_four_k(&mut self);
    fn offset_of_fe(&mut self);
    fn offset_of_dpc(&mut self, from: u16, to: u16, slow: DynamicLabel);
    /// Emits code that reduces the address to its offset in the 4,096 addresses of the cartridge; it jumps to `slow` if the
    /// offset is not less than `to`.
    fn checked_offset(&mut self, to: u16, slow: DynamicLabel);
    /// Emits code that replaces an offset in the 4,096 addresses by the offset in the slice that is mapped to the address's
    /// segment.
    fn slice_offset(&mut self);
    /// Emits code that reads the cartridge's RAM; it jumps to `image` if the offset is outside of the RAM.
    fn read_cartridge_ram(&mut self, image: DynamicLabel);
    /// Emits a jump to `slow` if the offset is in the write port of the cartridge's RAM.
    fn check_written(&mut self, slow: DynamicLabel);

    // The following methods read and write memory.

    fn read_image(&mut self, image: u64);
    fn read_run(&mut self, image: u64, index: Register);
    fn read_slice(&mut self, segment: i32, image: u64);
    /// Emits code that reads RAM at an address of the zero page; it jumps to `elsewhere` if the address is outside of RAM.
    fn read_zero_page(&mut self, elsewhere: DynamicLabel);
    /// Emits code that reads RAM at an address outside of the cartridge; it jumps to `elsewhere` if the address is outside of
    /// RAM.
    fn read_memory(&mut self, elsewhere: DynamicLabel);
    fn write_ram(&mut self, at: u8, source: Source);
    /// Emits code that writes RAM at an address of the zero page; it jumps to `elsewhere` if the address is outside of RAM.
    fn write_zero_page(&mut self, source: Source, elsewhere: DynamicLabel);
    /// Emits code that writes RAM at any address; it jumps to `elsewhere` if the address is outside of RAM.
    fn write_memory(&mut self, source: Source, elsewhere: DynamicLabel);
    /// Emits code that writes the cartridge's RAM; it jumps to `join` if the offset is outside of the RAM.
    fn write_cartridge_ram(&mut self, source: Source, join: DynamicLabel);
}

/// Generates code for operations on operands, registers and the stack.
pub(super) trait Operations {
    // The following methods change registers and flags.

    fn load(&mut self, register: Register, value: Value);
    fn transfer(&mut self, from: Register, to: Register);
    /// Emits code that computes `A & X` in a scratch register for [`Source::AAndX`].
    fn and_a_x(&mut self);
    fn combine(&mut self, combination: Combination, value: Value);
    /// Emits a jump to `slow` if decimal mode is on.
    fn check_binary(&mut self, slow: DynamicLabel);
    fn add(&mut self, value: Value, carry: Carry);
    fn subtract(&mut self, value: Value, carry: Carry);
    /// Emits code that compares a register with a value, and stores the result and the carry.
    fn compare(&mut self, register: Register, value: Value);
    /// Emits code that tests bits as the instruction `BIT` does, and stores the result and the overflow flag.
    fn bit(&mut self, value: Value);
    fn step(&mut self, register: Register, by: i8);
    /// Emits code that applies a read-modify-write operation to the byte at the offset `at` of RAM. The caller stores the carry
    /// of a shift with [`finish_change`](Self::finish_change).
    fn change_ram(&mut self, at: u8, change: Change, carry: Carry);
    /// Emits code that applies a read-modify-write operation to the byte at a zero page address; it jumps to `slow` if the
    /// address is outside of RAM.
    fn change_zero_page(&mut self, change: Change, carry: Carry, slow: DynamicLabel);
    /// Emits code that applies a read-modify-write operation to the byte at any address; it jumps to `slow` if the address is
    /// outside of RAM.
    fn change_memory(&mut self, change: Change, carry: Carry, slow: DynamicLabel);
    /// Emits code that stores the result of a read-modify-write operation as the last result, from which the negative and zero
    /// flags are derived, and stores the carry if the operation is a shift.
    fn finish_change(&mut self, change: Change);
    /// Emits code that moves the result of a read-modify-write operation to the value register.
    fn changed_to_value(&mut self);
    fn change_accumulator(&mut self, change: Change, carry: Carry);

    // The following methods access the stack.

    fn stack_to_x(&mut self);
    fn x_to_stack(&mut self);
    /// Emits code that pushes A; it jumps to `elsewhere` if the stack is outside of RAM. The code at `elsewhere` jumps back to
    /// `join`.
    fn push(&mut self, elsewhere: DynamicLabel, join: DynamicLabel);
    /// Emits code that loads the stack pointer into the host register in which the code at the label `join` of a push expects
    /// it.
    fn reload_stack(&mut self);
    /// Emits jumps to `memory` if the stack is in RAM, and to `slow` if the stack pointer selects VSYNC.
    fn check_push(&mut self, memory: DynamicLabel, slow: DynamicLabel);
    /// Emits code that pulls A; it jumps to `elsewhere` if the stack is outside of RAM.
    fn pull(&mut self, elsewhere: DynamicLabel);
}

/// Generates code for those writes of TIA registers that draw nothing.
pub(super) trait TiaWrites {
    /// Emits code that writes a register other than VSYNC, after [`write_cycle`](Assembler::write_cycle). The code jumps to
    /// `elsewhere`, before it has any effect, if pixels must be drawn before the write, and in rare cases.
    ///
    /// Returns false, and emits nothing, if a helper must execute all writes of this register.
    fn write_register(&mut self, _register: u16, _source: Source, _elsewhere: DynamicLabel) -> bool {
        false
    }
}
