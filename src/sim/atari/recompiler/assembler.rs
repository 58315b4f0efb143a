//! Interface of the emitter to a host's assembler: each method writes a short sequence of machine code.
//!
//! The generated code keeps the machine's address, the cycles, the instructions left, A, X and Y in host registers. It has three
//! scratch registers: the address register, the value register, and one for other data.

use dynasmrt::relocations::Relocation;
use dynasmrt::{DynamicLabel, DynasmLabelApi, VecAssembler};

use super::decode::{Change, Flag, Register};
use super::emit_state::{Carry, EmitState};
use super::memory_map::Device;

/// Location of a value that an operation reads.
#[derive(Clone, Copy)]
pub(super) enum Value {
    Constant(u8),
    /// In the machine's state, at this offset.
    At(i32),
    /// In the value register, zero-extended.
    Read,
}

/// Value that a store writes.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Register(Register),
    /// `A & X`, computed by [`Assembler::and_a_x`].
    AAndX,
}

/// Extra cycle of an indexed address that is on another page than its base.
#[derive(Clone, Copy)]
pub(super) enum PageCross {
    Never,
    /// Added if this register is at least this value.
    From(Register, u8),
    /// Added if [`Assembler::pointer_and_crossing`] has computed a nonzero value.
    Computed,
}

/// Bitwise operation that combines A and a value.
#[derive(Clone, Copy)]
pub(super) enum Combination {
    Or,
    And,
    Xor,
}

/// Assembler for one host processor: function frame, jumps and calls.
pub(super) trait Assembler: Operands + Operations + Default {
    type Relocation: Relocation;

    fn ops(&mut self) -> &mut VecAssembler<Self::Relocation>;
    /// Returns the machine code; `None` if it cannot be assembled.
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

    /// Records that the host's flags and registers no longer hold the last result.
    fn invalidate_result(&mut self);

    // Function frame.

    /// Writes the entry of the function [`Enter`](super::code_blob::Enter).
    fn prologue(&mut self);
    /// Writes the two exits of the function: to the interpreter, and for missing code.
    fn epilogue(&mut self, interpret: DynamicLabel, missing: DynamicLabel);
    /// Subtracts `count` from the instructions left, and jumps if too few are left.
    fn subtract_instructions(&mut self, count: u32, none_left: DynamicLabel);
    fn add_instructions(&mut self, count: u32);
    fn add_cycles(&mut self, count: u32);
    /// Stores a register as the last result, for the negative and zero flags.
    fn store_result(&mut self, register: Register);
    /// Stores a flag in the machine's state.
    fn set_flag(&mut self, at: i32, value: bool);

    // Jumps.

    fn jump(&mut self, to: DynamicLabel);
    /// Sets the program counter before an exit.
    fn program_counter(&mut self, pc: u16);
    /// Sets the program counter, and jumps to the code address that a variable holds.
    fn jump_by(&mut self, slot: u64, pc: u16);
    /// Jumps to the code address that the page table at `pages` holds for the current program counter.
    fn dispatch(&mut self, pages: u64, is_sliced: bool);
    /// Jumps if a flag equals `set`. The host keeps the last result for the next branch.
    fn branch(&mut self, flag: Flag, set: bool, now: &EmitState, taken: DynamicLabel);
    /// Sets the program counter to the pointer whose two bytes are at these locations.
    fn indirect(&mut self, bytes: [Device; 2]);
    /// Pushes a return address; jumps to `slow` if the stack is not in RAM.
    fn push_return(&mut self, back: u16, slow: DynamicLabel);
    /// Pulls a return address, and sets the program counter to the address after it; jumps to `slow` if the stack is not in RAM.
    fn pull_return(&mut self, slow: DynamicLabel);

    // Calls.

    /// Calls a helper with the cycle count that follows in `cycles` cycles.
    fn call(&mut self, helper: u64, cycles: u32);
    /// Calls a helper with the cycle count that [`check_frame`](Self::check_frame) has computed, and a byte.
    fn call_with(&mut self, helper: u64, source: Source);
    /// Calls a helper that skips iterations of a loop of `apart` cycles, and adds their cycles and instructions.
    fn wait(&mut self, helper: u64, apart: u32);
    /// Jumps if the television may end the frame before `cycles` cycles have passed.
    fn check_frame(&mut self, cycles: u32, slow: DynamicLabel);
    /// Sets the helper call's third argument.
    fn argument(&mut self, what: u32);
    /// Sets the third argument: the address, and a byte in the upper half.
    fn argument_with(&mut self, address: u16, source: Source);
    /// Sets the third argument: the address register, and a byte in the upper half.
    fn argument_at_with(&mut self, source: Source);
    /// Sets the third argument: the address register, and the byte on the data bus in the upper half.
    fn argument_at(&mut self, bus: u8, is_zero_page: bool);
    /// Moves the result of a call to the value register.
    fn result_to_value(&mut self);
    /// Moves the result of a call to A.
    fn result_to_a(&mut self);
    /// Sets the cycle count to the result of a call.
    fn result_to_cycles(&mut self);
    /// Sets the cycle count to the result of a call minus `cycles`.
    fn result_to_cycles_minus(&mut self, cycles: u32);
}

/// Generates code that computes addresses, and reads and writes operands.
pub(super) trait Operands {
    // Addresses.

    /// Computes an indexed address of the zero page.
    fn zero_page_address(&mut self, base: u8, index: Register);
    /// Computes an indexed address; bits above the sixteenth are undefined.
    fn indexed_address(&mut self, base: u16, index: Register);
    /// Replaces a zero page address by the pointer that is stored there; jumps if the pointer is not in RAM.
    fn pointer(&mut self, slow: DynamicLabel);
    /// Loads the pointer at a zero page address, plus Y.
    fn pointer_plus_y(&mut self, at: u8);
    /// Does the same as [`pointer_plus_y`](Self::pointer_plus_y), and computes the page crossing for [`PageCross::Computed`].
    fn pointer_and_crossing(&mut self, at: u8);
    /// Adds the extra cycle of a page crossing.
    fn cross(&mut self, crossing: PageCross);
    /// Jumps if an index is not below a length.
    fn check_index(&mut self, index: Register, length: u16, slow: DynamicLabel);
    /// Jumps if the address does not select the cartridge.
    fn jump_unless_cartridge(&mut self, to: DynamicLabel);
    /// Jumps to `cartridge` if the address selects the cartridge, and to `slow` if it selects the RIOT.
    fn jump_unless_tia(&mut self, cartridge: DynamicLabel, slow: DynamicLabel);
    /// Jumps if the address selects the TIA register VSYNC.
    fn check_vsync(&mut self, slow: DynamicLabel);

    // Offsets in the image.

    fn offset_of_two_k(&mut self);
    fn offset_of_four_k(&mut self);
    fn offset_of_fe(&mut self);
    fn offset_of_dpc(&mut self, from: u16, to: u16, slow: DynamicLabel);
    /// Reduces the address to its offset in the 4,096 addresses of the cartridge; jumps if the offset is not below `to`.
    fn checked_offset(&mut self, to: u16, slow: DynamicLabel);
    /// Replaces an offset in the 4,096 addresses by the offset in the slice that its segment shows.
    fn slice_offset(&mut self);
    /// Reads the cartridge's RAM; jumps if the offset is outside of the RAM.
    fn read_cartridge_ram(&mut self, image: DynamicLabel);
    /// Jumps if the offset is in the write port of the cartridge's RAM.
    fn check_written(&mut self, slow: DynamicLabel);

    // Reads and writes.

    fn read_image(&mut self, image: u64);
    fn read_run(&mut self, image: u64, index: Register);
    fn read_slice(&mut self, segment: i32, image: u64);
    /// Reads RAM at an address of the zero page; jumps if the address is outside of RAM.
    fn read_zero_page(&mut self, elsewhere: DynamicLabel);
    /// Reads RAM at an address outside of the cartridge; jumps if the address is outside of RAM.
    fn read_memory(&mut self, elsewhere: DynamicLabel);
    fn write_ram(&mut self, at: u8, source: Source);
    /// Writes RAM at an address of the zero page; jumps if the address is outside of RAM.
    fn write_zero_page(&mut self, source: Source, elsewhere: DynamicLabel);
    /// Writes RAM at any address; jumps if the address is outside of RAM.
    fn write_memory(&mut self, source: Source, elsewhere: DynamicLabel);
    /// Writes the cartridge's RAM; jumps to `join` if the offset is outside of the RAM.
    fn write_cartridge_ram(&mut self, source: Source, join: DynamicLabel);
}

/// Generates code for operations on operands.
pub(super) trait Operations {
    // Registers and flags.

    fn load(&mut self, register: Register, value: Value);
    fn transfer(&mut self, from: Register, to: Register);
    /// Computes `A & X` in a scratch register for [`Source::AAndX`].
    fn and_a_x(&mut self);
    fn combine(&mut self, combination: Combination, value: Value);
    /// Jumps if decimal mode is on.
    fn check_binary(&mut self, slow: DynamicLabel);
    fn add(&mut self, value: Value, carry: Carry);
    fn subtract(&mut self, value: Value, carry: Carry);
    /// Compares a register with a value, and stores the result and the carry.
    fn compare(&mut self, register: Register, value: Value);
    /// Tests bits as `BIT` does, and stores the result and the overflow flag.
    fn bit(&mut self, value: Value);
    fn step(&mut self, register: Register, by: i8);
    /// Changes a byte at an offset of RAM. A shift leaves its carry for [`finish_change`](Self::finish_change).
    fn change_ram(&mut self, at: u8, change: Change, carry: Carry);
    /// Changes a byte at a zero page address; jumps if the address is outside of RAM.
    fn change_zero_page(&mut self, change: Change, carry: Carry, slow: DynamicLabel);
    /// Changes a byte at any address; jumps if the address is outside of RAM.
    fn change_memory(&mut self, change: Change, carry: Carry, slow: DynamicLabel);
    /// Stores the result of a change, and the carry if the change is a shift.
    fn finish_change(&mut self, change: Change);
    /// Moves the changed byte to the value register.
    fn changed_to_value(&mut self);
    fn change_accumulator(&mut self, change: Change, carry: Carry);

    // The stack.

    fn stack_to_x(&mut self);
    fn x_to_stack(&mut self);
    /// Pushes A; jumps to `elsewhere` if the stack is outside of RAM. The code at `elsewhere` returns to `join`.
    fn push(&mut self, elsewhere: DynamicLabel, join: DynamicLabel);
    /// Loads the stack pointer into the register that a push at `join` expects.
    fn reload_stack(&mut self);
    /// Jumps to `memory` if the stack is in RAM, and to `slow` if the stack pointer selects VSYNC.
    fn check_push(&mut self, memory: DynamicLabel, slow: DynamicLabel);
    /// Pulls A; jumps if the stack is outside of RAM.
    fn pull(&mut self, elsewhere: DynamicLabel);
}
