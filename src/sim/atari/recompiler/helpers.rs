//! Functions that generated machine code calls to access chips.
//!
//! Panics cannot unwind through generated code, and would abort the process. The functions that helpers call without `catch_panic`,
//! because this takes less time, must therefore not panic. Other helpers catch and record the panic, and set the machine's `limit`
//! (the cycle from which on TIA writes exit) to zero. So the generated code returns at the next TIA write or at an earlier exit. Its
//! caller then resumes the panic. So the generated code needs no check after a call.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::machine::{Machine, MachineState, is_tia};
use crate::tia::is_collision;

/// Address of the register INTIM, the timer.
const TIMER: u16 = 0x284;

/// Type of the helpers that generated code calls. The arguments are the machine, its cycle count at the end of the instruction,
/// and a parameter.
pub(super) type Helper = unsafe extern "C" fn(machine: *mut Machine, cycles: u32, what: u32) -> u32;

thread_local! {
    /// First panic of a helper since the generated code was entered, on this thread.
    static PANIC: Cell<Option<Box<dyn Any + Send>>> = const { Cell::new(None) };
}

/// Calls the function `work` with the machine and returns its result. If `work` panics, records the panic and returns
/// `otherwise`.
///
/// # Safety
/// `machine` is valid, and no other reference to it exists during the call.
#[inline(always)]
unsafe fn catch_panic(machine: *mut Machine, otherwise: u32, work: impl FnOnce(&mut Machine) -> u32) -> u32 {
    let caught = catch_unwind(AssertUnwindSafe(|| {
        #[cfg(test)]
        failing::count();
        // SAFETY: `machine` is valid and not aliased by the contract of `catch_panic`.
        work(unsafe { &mut *machine })
    }));
    match caught {
        Ok(answer) => answer,
        Err(panic) => {
            // SAFETY: `machine` is valid and not aliased by the contract of `catch_panic`, and the reference passed to `work`
            // no longer exists.
            record_panic(unsafe { &mut *machine }, panic);
            otherwise
        }
    }
}

#[cold]
fn record_panic(machine: &mut Machine, panic: Box<dyn Any + Send>) {
    machine.limit = 0;
    PANIC.with(|noted| {
        let first = noted.take().unwrap_or(panic);
        noted.set(Some(first));
    });
}

/// Resumes the recorded panic, if there is one.
#[cold]
pub(super) fn resume_panic() {
    if let Some(panic) = PANIC.take() {
        resume_unwind(panic);
    }
}

/// Writes a TIA register other than VSYNC, at a cycle before the television may end the frame. Returns the cycle count
/// afterwards.
///
/// Most writes only defer drawing. This function calls no other for them, so that it saves no registers; drawing writes are
/// repeated by [`write_and_draw`].
///
/// # Safety
/// `machine` is valid, and no other reference to it exists during the call. All helpers require this.
unsafe extern "C" fn write<const REGISTER: u16>(machine: *mut Machine, cycles: u32, value: u32) -> u32 {
    let mut after = cycles;
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    let tia = unsafe { &mut (*machine).state.tia };
    match tia.write_register(REGISTER, value as u8, false, &mut after, None) {
        Some(()) => after,
        // SAFETY: the contract of this function is that of `write_and_draw`.
        None => unsafe { write_and_draw::<REGISTER>(machine, cycles, value) },
    }
}

/// Writes a TIA register, as `write` does, and first draws the pixels that the write must not affect.
///
/// # Safety
/// See `write`.
#[inline(never)]
unsafe extern "C" fn write_and_draw<const REGISTER: u16>(machine: *mut Machine, cycles: u32, value: u32) -> u32 {
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    unsafe { catch_panic(machine, cycles, |machine| write_tia(machine, cycles, REGISTER, value as u8)) }
}

/// Writes a TIA register. Generated code has checked that the television does not end the frame before, and that the register is
/// not VSYNC.
#[inline(always)]
fn write_tia(machine: &mut Machine, mut cycles: u32, address: u16, value: u8) -> u32 {
    machine.state.tia.write_register(address, value, false, &mut cycles, Some(&mut machine.screen));
    cycles
}

/// Writes a TIA register. The lower half of `what` is the register's address, and the upper half is the value. Returns the
/// cycle count after the write.
pub(super) unsafe extern "C" fn write_any(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    unsafe { catch_panic(machine, cycles, |machine| write_tia(machine, cycles, what as u16, (what >> 16) as u8)) }
}

/// Returns the write helper of one of the TIA's 64 registers. Writes to the players' graphics and positions, HMOVE
/// and CXCLR often draw, so they are not tried without drawing first.
pub(super) fn write_to(register: u16) -> Helper {
    macro_rules! table {
        ($($number:literal)*) => {
            match register & 0x3f {
                0x0b => write_and_draw::<0x0b>,
                0x0c => write_and_draw::<0x0c>,
                0x10 => write_and_draw::<0x10>,
                0x11 => write_and_draw::<0x11>,
                0x1b => write_and_draw::<0x1b>,
                0x1c => write_and_draw::<0x1c>,
                0x25 => write_and_draw::<0x25>,
                0x26 => write_and_draw::<0x26>,
                0x2a => write_and_draw::<0x2a>,
                0x2c => write_and_draw::<0x2c>,
                $($number => write::<$number>,)*
                _ => write::<0x3f>,
            }
        };
    }
    table! {
        0x01 0x02 0x04 0x05 0x06 0x07 0x08 0x09 0x0a 0x0d 0x0e 0x0f 0x12 0x13 0x14
        0x1d 0x1e 0x1f 0x20 0x21 0x22 0x23 0x24 0x27 0x28 0x29 0x2b
    }
}

/// Reads a byte from the chip that responds to an address. The lower half of `what` is the address, and the upper half is the
/// last byte on the data bus.
pub(super) unsafe extern "C" fn read(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    if is_tia(what as u16) {
        // SAFETY: the contract of this function is that of the other helpers.
        return unsafe { read_tia(machine, cycles, what) };
    }
    // SAFETY: the contract of this function is that of the other helpers.
    unsafe { read_elsewhere(machine, cycles, what) }
}

/// Reads a byte from the RIOT or the cartridge, as `read` does.
#[inline(never)]
unsafe extern "C" fn read_elsewhere(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    let peek = |machine: &mut Machine| {
        machine.state.cycles = cycles;
        u32::from(machine.peek(what as u16, (what >> 16) as u8))
    };
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    unsafe { catch_panic(machine, 0, peek) }
}

/// Reads a TIA register. `bus` is the last byte on the data bus.
unsafe extern "C" fn read_register<const REGISTER: u16>(machine: *mut Machine, cycles: u32, bus: u32) -> u32 {
    // SAFETY: the contract of this function is that of the other helpers.
    unsafe { read_tia(machine, cycles, u32::from(REGISTER) | bus << 16) }
}

/// Reads a TIA register. The lower half of `what` is its address, and the upper half is the last byte on the data bus.
///
/// Programs read controllers in each line. To read them, this function calls no other, so that it saves no registers.
pub(super) unsafe extern "C" fn read_tia(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    if is_collision(what as u16) {
        // SAFETY: the contract of this function is that of the other helpers.
        return unsafe { read_collision(machine, cycles, what) };
    }
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    let MachineState { tia, input, .. } = unsafe { &mut (*machine).state };
    u32::from(tia.peek_controller(what as u16, cycles, input, (what >> 16) as u8))
}

/// Reads a collision register of the TIA, as `read_tia` does.
#[inline(never)]
unsafe extern "C" fn read_collision(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    let peek = |machine: &mut Machine| {
        let MachineState { tia, input, .. } = &mut machine.state;
        u32::from(tia.peek(what as u16, cycles, input, &mut machine.screen, (what >> 16) as u8))
    };
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    unsafe { catch_panic(machine, 0, peek) }
}

/// Returns the helper that reads the TIA register at an address.
pub(super) fn read_from(address: u16) -> Helper {
    macro_rules! table {
        ($($number:literal)*) => {
            match address & 0x0f {
                $($number => read_register::<$number>,)*
                _ => read_register::<0x0f>,
            }
        };
    }
    table! { 0x00 0x01 0x02 0x03 0x04 0x05 0x06 0x07 0x08 0x09 0x0a 0x0b 0x0c 0x0d }
}

/// Reads and returns the timer register INTIM; the third argument is not used.
pub(super) unsafe extern "C" fn read_timer(machine: *mut Machine, cycles: u32, _what: u32) -> u32 {
    let peek = |machine: &mut Machine| {
        let MachineState { riot, input, .. } = &mut machine.state;
        u32::from(riot.peek(TIMER, cycles, input))
    };
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    unsafe { catch_panic(machine, 0, peek) }
}

/// Writes a byte to a chip other than the TIA. The lower half of `what` is the address, and the upper half is the value.
pub(super) unsafe extern "C" fn store(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    let poke = |machine: &mut Machine| {
        machine.state.cycles = cycles;
        machine.poke(what as u16, (what >> 16) as u8);
        0
    };
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    unsafe { catch_panic(machine, 0, poke) }
}

/// Pushes the flags to a stack in RAM or in the TIA. Returns the cycle count after the push.
pub(super) unsafe extern "C" fn push_status(machine: *mut Machine, cycles: u32, _what: u32) -> u32 {
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    let MachineState { cpu, riot, .. } = unsafe { &mut (*machine).state };
    let at = cpu.sp;
    cpu.sp = at.wrapping_sub(1);
    // Programs enable the missiles and the ball by pushed flags, of which only the zero flag matters.
    let is_zero = u32::from(cpu.not_zero == 0) << 1;
    // SAFETY: the contract of this function is that of the other helpers.
    unsafe {
        match at {
            0x1d => write::<0x1d>(machine, cycles, is_zero),
            0x1e => write::<0x1e>(machine, cycles, is_zero),
            0x1f => write::<0x1f>(machine, cycles, is_zero),
            0x00..0x80 => write_any(machine, cycles, u32::from(at) | u32::from(cpu.status()) << 16),
            _ => {
                riot.ram[usize::from(at & 0x7f)] = cpu.status();
                cycles
            }
        }
    }
}

/// Pushes `pc` and the flags as the instruction `BRK` does, and disables interrupts. The stack must be in RAM.
pub(super) unsafe extern "C" fn push_interrupt(machine: *mut Machine, _cycles: u32, pc: u32) -> u32 {
    let push = |machine: &mut Machine| {
        let MachineState { cpu, riot, .. } = &mut machine.state;
        cpu.break_flag = true;
        let [low, high] = (pc as u16).to_le_bytes();
        for byte in [high, low, cpu.status()] {
            riot.ram[usize::from(cpu.sp & 0x7f)] = byte;
            cpu.sp = cpu.sp.wrapping_sub(1);
        }
        cpu.interrupts_disabled = true;
        0
    };
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    unsafe { catch_panic(machine, 0, push) }
}

/// Pulls the flags and the program counter as the instruction `RTI` does. Returns the program counter. The stack must be in RAM.
pub(super) unsafe extern "C" fn pull_interrupt(machine: *mut Machine, _cycles: u32, _what: u32) -> u32 {
    let pull = |machine: &mut Machine| {
        let MachineState { cpu, riot, .. } = &mut machine.state;
        let [status, low, high] = [1, 2, 3].map(|i| riot.ram[usize::from(cpu.sp.wrapping_add(i) & 0x7f)]);
        cpu.sp = cpu.sp.wrapping_add(3);
        cpu.set_status(status);
        u32::from(u16::from_le_bytes([low, high]))
    };
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    unsafe { catch_panic(machine, 0, pull) }
}

/// Pulls a byte for the instruction with the opcode `opcode`, which first reads at the old stack pointer.
pub(super) unsafe extern "C" fn pull(machine: *mut Machine, cycles: u32, opcode: u32) -> u32 {
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference, and the contract
    // of this function is that of `read`.
    unsafe {
        let at = (*machine).state.cpu.sp;
        let seen = read(machine, cycles, u32::from(at) | opcode << 16);
        let at = at.wrapping_add(1);
        (*machine).state.cpu.sp = at;
        read(machine, cycles, u32::from(at) | seen << 16)
    }
}

/// Pulls the flags for the instruction with the opcode `opcode`.
pub(super) unsafe extern "C" fn pull_status(machine: *mut Machine, cycles: u32, opcode: u32) -> u32 {
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference, and the contract
    // of this function is that of `pull`.
    unsafe {
        let status = pull(machine, cycles, opcode);
        (*machine).state.cpu.set_status(status as u8);
    }
    0
}

/// Returns the number of iterations of a timer loop that change nothing. In such an iteration, the timer reads a value from
/// `least` to `most`.
///
/// The lowest four bits of `what` are the number of cycles of an iteration, and the other bits are the number of instructions
/// left.
#[inline(always)]
fn skippable_rounds(machine: &Machine, cycles: u32, what: u32, least: u32, most: i32) -> u32 {
    let (left, apart) = (what >> 4, what & 0x0f);
    machine.state.riot.unchanged_reads(cycles.wrapping_add(4), apart, least, most).min(left.saturating_sub(2) / 2)
}

/// Returns the number of iterations to skip in a loop that ends when the timer reads zero. `what` is encoded as in
/// [`skippable_rounds`].
pub(super) unsafe extern "C" fn wait_for_zero(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    unsafe { catch_panic(machine, 0, |machine| skippable_rounds(machine, cycles, what, 1, 0xff)) }
}

/// Returns the number of iterations to skip in a loop that ends when the timer reads a negative number. `what` is encoded as in
/// [`skippable_rounds`].
pub(super) unsafe extern "C" fn wait_for_minus(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    unsafe { catch_panic(machine, 0, |machine| skippable_rounds(machine, cycles, what, 0, 0x7f)) }
}

/// Returns the number of iterations to skip in a loop that ends when the timer's interrupt flag is set. `what` is encoded as in
/// [`skippable_rounds`].
pub(super) unsafe extern "C" fn wait_for_flag(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    // SAFETY: generated code passes the pointer `machine` that `CodeCache::enter` got from an exclusive reference.
    unsafe { catch_panic(machine, 0, |machine| skippable_rounds(machine, cycles, what, 0, 0xff)) }
}

/// Makes helpers panic on request, for tests.
#[cfg(test)]
pub(super) mod failing {
    use std::cell::Cell;

    thread_local! {
        static CALLS: Cell<Option<u32>> = const { Cell::new(None) };
    }

    /// Makes a helper panic after `calls` calls of helpers; `None` disables the panic.
    pub fn after(calls: Option<u32>) {
        CALLS.set(calls);
    }

    /// Counts a call of a helper, and panics if the call is the one that [`after`] has chosen.
    pub(super) fn count() {
        let Some(calls) = CALLS.get() else { return };
        CALLS.set(calls.checked_sub(1));
        assert!(calls > 0, "this helper fails");
    }
}
