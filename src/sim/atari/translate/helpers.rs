//! What translated code calls. Everything here is entered from generated code, with the machine that this was entered with.
//!
//! Nothing can unwind through generated code. A panic is caught here and noted, with the machine's limit at zero: the next write of the TIA
//! leaves the code by its slow exit, if nothing else does before, and who has entered it goes on with the panic. So nothing has to be
//! asked after a call.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::machine::{Machine, State};

/// The address of INTIM.
const TIMER: u16 = 0x284;

/// A function that translated code calls: the machine, its time at the end of the instruction, and what else it has to know.
pub(super) type Helper = unsafe extern "C" fn(machine: *mut Machine, cycles: u32, what: u32) -> u32;

thread_local! {
    /// The first panic since code was entered.
    static PANIC: Cell<Option<Box<dyn Any + Send>>> = const { Cell::new(None) };
}

/// The helper's work on its machine; after a panic, this answer.
///
/// # Safety
/// `machine` is a machine to which nobody else refers meanwhile.
#[inline(always)]
unsafe fn catching(machine: *mut Machine, otherwise: u32, work: impl FnOnce(&mut Machine) -> u32) -> u32 {
    let caught = catch_unwind(AssertUnwindSafe(|| {
        #[cfg(test)]
        failing::count();
        // SAFETY: the caller's promise.
        work(unsafe { &mut *machine })
    }));
    match caught {
        Ok(answer) => answer,
        Err(panic) => {
            // SAFETY: the caller's promise; the work is over.
            note(unsafe { &mut *machine }, panic);
            otherwise
        }
    }
}

#[cold]
fn note(machine: &mut Machine, panic: Box<dyn Any + Send>) {
    machine.limit = 0;
    PANIC.with(|noted| {
        let first = noted.take().unwrap_or(panic);
        noted.set(Some(first));
    });
}

/// Goes on with the panic that has been noted, if one has.
#[cold]
pub(super) fn resume() {
    if let Some(panic) = PANIC.take() {
        resume_unwind(panic);
    }
}

/// Writes a register of the TIA, other than VSYNC, before the television would end the frame. Returns the time afterwards.
///
/// # Safety
/// As all of them: `machine` is a machine to which nobody else refers meanwhile.
unsafe extern "C" fn write<const REGISTER: u16>(machine: *mut Machine, cycles: u32, value: u32) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { catching(machine, cycles, |machine| write_tia(machine, cycles, REGISTER, value as u8)) }
}

#[inline(always)]
fn write_tia(machine: &mut Machine, mut cycles: u32, address: u16, value: u8) -> u32 {
    let mut stopped = false;
    machine.state.tia.poke(address, value, false, &mut cycles, &mut stopped, &mut machine.screen);
    debug_assert!(!stopped, "a translated write ended the frame");
    cycles
}

/// The same for a register that is known only now: its address, and the value in the upper half.
pub(super) unsafe extern "C" fn write_any(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { catching(machine, cycles, |machine| write_tia(machine, cycles, what as u16, (what >> 16) as u8)) }
}

/// One for each of the TIA's 64 registers.
pub(super) fn write_to(register: u16) -> Helper {
    macro_rules! table {
        ($($number:literal)*) => {
            match register & 0x3f { $($number => write::<$number>,)* _ => write::<0x3f> }
        };
    }
    table! {
        0x01 0x02 0x04 0x05 0x06 0x07 0x08 0x09 0x0a 0x0b 0x0c 0x0d 0x0e 0x0f 0x10 0x11 0x12 0x13 0x14
        0x1b 0x1c 0x1d 0x1e 0x1f 0x20 0x21 0x22 0x23 0x24 0x25 0x26 0x27 0x28 0x29 0x2a 0x2b 0x2c
    }
}

/// Reads a chip: the address, and in the upper half what the data bus saw last.
pub(super) unsafe extern "C" fn read(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    let peek = |machine: &mut Machine| {
        machine.state.cycles = cycles;
        u32::from(machine.peek(what as u16, (what >> 16) as u8))
    };
    // SAFETY: the caller's promise.
    unsafe { catching(machine, 0, peek) }
}

/// Reads the timer.
pub(super) unsafe extern "C" fn read_timer(machine: *mut Machine, cycles: u32, _what: u32) -> u32 {
    let peek = |machine: &mut Machine| {
        let State { riot, input, .. } = &mut machine.state;
        u32::from(riot.peek(TIMER, cycles, input))
    };
    // SAFETY: the caller's promise.
    unsafe { catching(machine, 0, peek) }
}

/// Writes to a chip that is not the TIA: the address, and the value in the upper half.
pub(super) unsafe extern "C" fn store(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    let poke = |machine: &mut Machine| {
        machine.state.cycles = cycles;
        machine.poke(what as u16, (what >> 16) as u8);
        0
    };
    // SAFETY: the caller's promise.
    unsafe { catching(machine, 0, poke) }
}

/// Pushes the flags, onto memory or the TIA. Returns the time afterwards.
pub(super) unsafe extern "C" fn push_status(machine: *mut Machine, cycles: u32, _what: u32) -> u32 {
    let push = |machine: &mut Machine| {
        let at = machine.state.cpu.sp;
        machine.state.cpu.sp = at.wrapping_sub(1);
        let status = machine.state.cpu.status();
        if at & 0x80 == 0 {
            return write_tia(machine, cycles, u16::from(at), status);
        }
        machine.state.riot.ram[usize::from(at & 0x7f)] = status;
        cycles
    };
    // SAFETY: the caller's promise.
    unsafe { catching(machine, cycles, push) }
}

/// Pulls a byte. The first access reads where the stack pointer still is.
fn pull_byte(machine: &mut Machine, cycles: u32, opcode: u32) -> u8 {
    machine.state.cycles = cycles;
    let at = machine.state.cpu.sp;
    let seen = machine.peek(u16::from(at), opcode as u8);
    let at = at.wrapping_add(1);
    machine.state.cpu.sp = at;
    machine.peek(u16::from(at), seen)
}

/// Pulls a byte, by the instruction with this opcode.
pub(super) unsafe extern "C" fn pull(machine: *mut Machine, cycles: u32, opcode: u32) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { catching(machine, 0, |machine| u32::from(pull_byte(machine, cycles, opcode))) }
}

/// Pulls the flags, by the instruction with this opcode.
pub(super) unsafe extern "C" fn pull_status(machine: *mut Machine, cycles: u32, opcode: u32) -> u32 {
    let pull = |machine: &mut Machine| {
        let status = pull_byte(machine, cycles, opcode);
        machine.state.cpu.set_status(status);
        0
    };
    // SAFETY: the caller's promise.
    unsafe { catching(machine, 0, pull) }
}

/// How many rounds of a loop that waits for the timer change nothing: so many cycles apart, while the timer shows `least` to `most`, with
/// so many instructions left.
#[inline(always)]
fn rounds(machine: &Machine, cycles: u32, what: u32, least: u32, most: i32) -> u32 {
    let (left, apart) = (what >> 4, what & 0x0f);
    machine.state.riot.polls(cycles.wrapping_add(4), apart, least, most).min(left.saturating_sub(2) / 2)
}

/// Rounds that end when the timer shows zero: the instructions left, and in the lowest four bits the cycles of a round.
pub(super) unsafe extern "C" fn wait_for_zero(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { catching(machine, 0, |machine| rounds(machine, cycles, what, 1, 0xff)) }
}

/// The same for rounds that end when it shows a negative number.
pub(super) unsafe extern "C" fn wait_for_minus(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { catching(machine, 0, |machine| rounds(machine, cycles, what, 0, 0x7f)) }
}

/// Helpers that panic.
#[cfg(test)]
pub(super) mod failing {
    use std::cell::Cell;

    thread_local! {
        static CALLS: Cell<Option<u32>> = const { Cell::new(None) };
    }

    /// Makes the helper panic that is called after so many others; or none.
    pub fn after(calls: Option<u32>) {
        CALLS.set(calls);
    }

    /// Counts a call.
    pub(super) fn count() {
        let Some(calls) = CALLS.get() else { return };
        CALLS.set(calls.checked_sub(1));
        assert!(calls > 0, "this helper fails");
    }
}
