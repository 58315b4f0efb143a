//! What an emitter asks of a host: instructions of its machine code, one small sequence for each method.
//!
//! A host has registers for the machine, cycles, instructions left, A, X and Y; and three for scratch: the address, the value, and what
//! else there is. Methods say which of them they read and leave.

use dynasmrt::relocations::Relocation;
use dynasmrt::{DynamicLabel, DynasmLabelApi, VecAssembler};

use super::decode::{Change, Flag, Register};
use super::layout::Answer;
use super::moment::{Carry, Moment};

/// A value that has been read.
#[derive(Clone, Copy)]
pub(super) enum Value {
    Constant(u8),
    /// In the machine, so far from its beginning.
    At(i32),
    /// In the value register, with zeros above the byte.
    Read,
}

/// What is written.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Register(Register),
    /// What A and X have in common, as [`Assembler::common_bits`] has left it.
    Common,
}

/// The cycle that an indexed address takes in another page than its base.
#[derive(Clone, Copy)]
pub(super) enum Crossing {
    Never,
    /// If this register is at least so much.
    From(Register, u8),
    /// If [`Assembler::pointer_and_crossing`] has left one, and not zero.
    Found,
}

/// A combination of A and a value, bit by bit.
#[derive(Clone, Copy)]
pub(super) enum Combination {
    Or,
    And,
    Xor,
}

/// The code of one host, as it is written: its frame, jumps and calls.
pub(super) trait Assembler: Operands + Operations + Default {
    type Relocation: Relocation;

    fn ops(&mut self) -> &mut VecAssembler<Self::Relocation>;
    /// The finished code.
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

    /// Forgets what the host's flags and registers have of the last result.
    fn forget_result(&mut self);

    // The frame of the code.

    /// The function [`Enter`](super::code::Enter).
    fn entrance(&mut self);
    /// The ends of that function: for an instruction that is the interpreter's, and for what is missing.
    fn exits(&mut self, interpret: DynamicLabel, missing: DynamicLabel);
    /// Takes so many instructions from those that are left, and jumps where there are fewer.
    fn take_instructions(&mut self, count: u32, none_left: DynamicLabel);
    fn add_instructions(&mut self, count: u32);
    fn add_cycles(&mut self, count: u32);
    /// Stores a register as the last result's negative and zero.
    fn store_result(&mut self, register: Register);
    /// Stores a flag of the machine's.
    fn set_flag(&mut self, at: i32, value: bool);

    // Jumps.

    fn jump(&mut self, to: DynamicLabel);
    /// Sets the program counter, for an exit.
    fn program_counter(&mut self, pc: u16);
    /// Jumps to the address in a variable, with this program counter.
    fn jump_by(&mut self, slot: u64, pc: u16);
    /// Jumps by the table of pages at an address to the program counter that is set.
    fn dispatch(&mut self, pages: u64, is_sliced: bool);
    /// Jumps if a flag is as it is asked. Leaves what the host has of the last result, for the next branch.
    fn branch(&mut self, flag: Flag, set: bool, now: &Moment, taken: DynamicLabel);
    /// Sets the program counter to the pointer that two answers give.
    fn indirect(&mut self, bytes: [Answer; 2]);
    /// Pushes an address.
    fn push_return(&mut self, back: u16, slow: DynamicLabel);
    /// Pulls an address, and sets the program counter behind it.
    fn pull_return(&mut self, slow: DynamicLabel);

    // Calls.

    /// Calls a helper with the time after so many cycles.
    fn call(&mut self, helper: u64, cycles: u32);
    /// Calls a helper with the time that [`check_frame`](Self::check_frame) has found, and a byte.
    fn call_with(&mut self, helper: u64, source: Source);
    /// Calls a helper that skips rounds of a loop, so many cycles each, and counts these.
    fn wait(&mut self, helper: u64, apart: u32);
    /// Jumps if the television may end the frame before so many cycles have passed.
    fn check_frame(&mut self, cycles: u32, slow: DynamicLabel);
    /// The third argument.
    fn argument(&mut self, what: u32);
    /// The same: an address, and in the upper half a byte.
    fn argument_with(&mut self, address: u16, source: Source);
    /// The same, with the address in the address register.
    fn argument_at_with(&mut self, source: Source);
    /// The same, with what is on the bus in the upper half.
    fn argument_at(&mut self, bus: u8, is_zero_page: bool);
    /// Moves the answer to the value register.
    fn take_byte(&mut self);
    /// Moves the answer to A.
    fn take_a(&mut self);
    /// Takes the answer as the time.
    fn take_time(&mut self);
    /// Takes the answer, less so many cycles, as the time.
    fn take_time_less(&mut self, cycles: u32);
}

/// The code for operands: where they are, and how they are read and written.
pub(super) trait Operands {
    // Addresses.

    /// Leaves an indexed address of the zero page.
    fn zero_page_address(&mut self, base: u8, index: Register);
    /// Leaves an indexed address; bits above the sixteenth do not count.
    fn indexed_address(&mut self, base: u16, index: Register);
    /// Turns the address of a pointer in the zero page into the pointer, and jumps where it is not in memory.
    fn pointer(&mut self, slow: DynamicLabel);
    /// Leaves the pointer at an address of the zero page, plus Y.
    fn pointer_plus_y(&mut self, at: u8);
    /// The same, and whether that is in another page, for [`Crossing::Found`].
    fn pointer_and_crossing(&mut self, at: u8);
    /// Counts the cycle of a crossing.
    fn cross(&mut self, crossing: Crossing);
    /// Jumps if an index is not below a length.
    fn check_index(&mut self, index: Register, length: u16, slow: DynamicLabel);
    /// Jumps if the address is not the cartridge's.
    fn jump_unless_cartridge(&mut self, to: DynamicLabel);
    /// Jumps to `cartridge` if the address is the cartridge's, and to `slow` if it is memory's or the timer's.
    fn jump_unless_tia(&mut self, cartridge: DynamicLabel, slow: DynamicLabel);
    /// Jumps if the address is that of the register by which frames end.
    fn check_vsync(&mut self, slow: DynamicLabel);

    // Offsets into the image.

    fn offset_of_two_k(&mut self);
    fn offset_of_four_k(&mut self);
    fn offset_of_fe(&mut self);
    fn offset_of_dpc(&mut self, from: u16, to: u16, slow: DynamicLabel);
    /// Turns the address into one of 4,096, and jumps if it is not less than `to`.
    fn plain_offset(&mut self, to: u16, slow: DynamicLabel);
    /// Turns an offset of 4,096 into one of the slice that its segment shows.
    fn slice_offset(&mut self);
    /// Reads the cartridge's own memory; jumps if the offset is not its.
    fn read_cartridge_ram(&mut self, image: DynamicLabel);
    /// Jumps if the offset is that of the cartridge's memory for writing.
    fn check_written(&mut self, slow: DynamicLabel);

    // Reading and writing.

    fn read_image(&mut self, image: u64);
    fn read_run(&mut self, image: u64, index: Register);
    fn read_slice(&mut self, segment: i32, image: u64);
    /// Reads memory at an address of the zero page; jumps if it is not memory's.
    fn read_zero_page(&mut self, elsewhere: DynamicLabel);
    /// Reads memory at an address that is not the cartridge's; jumps if it is not memory's.
    fn read_memory(&mut self, elsewhere: DynamicLabel);
    fn write_ram(&mut self, at: u8, source: Source);
    /// Writes memory at an address of the zero page; jumps if it is not memory's.
    fn write_zero_page(&mut self, source: Source, elsewhere: DynamicLabel);
    /// Writes memory at any address; jumps if it is not memory's.
    fn write_memory(&mut self, source: Source, elsewhere: DynamicLabel);
    /// Writes the cartridge's own memory; jumps to `join` if the offset is not its.
    fn write_cartridge_ram(&mut self, source: Source, join: DynamicLabel);
}

/// The code for operations: what is done with operands.
pub(super) trait Operations {
    // Registers and flags.

    fn load(&mut self, register: Register, value: Value);
    fn transfer(&mut self, from: Register, to: Register);
    /// Finds what A and X have in common, for [`Source::Common`].
    fn common_bits(&mut self);
    fn combine(&mut self, combination: Combination, value: Value);
    /// Jumps if arithmetic is decimal.
    fn check_binary(&mut self, slow: DynamicLabel);
    fn add(&mut self, value: Value, carry: Carry);
    fn subtract(&mut self, value: Value, carry: Carry);
    /// Compares, and stores the result and the carry.
    fn compare(&mut self, register: Register, value: Value);
    /// Compares as `BIT` does, and stores the result and the overflow.
    fn bit(&mut self, value: Value);
    fn step(&mut self, register: Register, by: i8);
    /// Changes a byte of memory, so far from its beginning; shifts leave their carry for [`finish_change`](Self::finish_change).
    fn change_ram(&mut self, at: u8, change: Change, carry: Carry);
    /// The same at an address of the zero page; jumps if it is not memory's.
    fn change_zero_page(&mut self, change: Change, carry: Carry, slow: DynamicLabel);
    /// The same at any address.
    fn change_memory(&mut self, change: Change, carry: Carry, slow: DynamicLabel);
    /// Stores the result of a change, and its carry where it is a shift.
    fn finish_change(&mut self, change: Change);
    /// Moves the changed byte to the value register.
    fn take_changed(&mut self);
    fn change_accumulator(&mut self, change: Change, carry: Carry);

    // The stack.

    fn stack_to_x(&mut self);
    fn x_to_stack(&mut self);
    /// Pushes A; jumps to `elsewhere` if the stack is not in memory, which comes back to `join`.
    fn push(&mut self, elsewhere: DynamicLabel, join: DynamicLabel);
    /// Leaves the stack pointer as a push at `join` expects it.
    fn reload_stack(&mut self);
    /// Jumps to `memory` if the stack is in memory, and to `slow` if it is at the register by which frames end.
    fn check_push(&mut self, memory: DynamicLabel, slow: DynamicLabel);
    /// Pulls A; jumps if the stack is not in memory.
    fn pull(&mut self, elsewhere: DynamicLabel);
}
