//! What translated code calls. Everything here is entered from generated code, with the machine that this was entered with; a panic
//! ends the process, because nothing can unwind through generated code.

use crate::sim::atari::machine::{Machine, State};

/// The address of INTIM.
const TIMER: u16 = 0x284;

/// A function that translated code calls: the machine, its time at the end of the instruction, and what else it has to know.
pub(super) type Helper = unsafe extern "C" fn(machine: *mut Machine, cycles: u32, what: u32) -> u32;

/// Writes a register of the TIA, other than VSYNC, before the television would end the frame. Returns the time afterwards.
///
/// # Safety
/// As all of them: `machine` is a machine to which nobody else refers meanwhile.
unsafe extern "C" fn write<const REGISTER: u16>(machine: *mut Machine, cycles: u32, value: u32) -> u32 {
    // SAFETY: the caller's promise.
    let machine = unsafe { &mut *machine };
    write_tia(machine, cycles, REGISTER, value as u8)
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
    let machine = unsafe { &mut *machine };
    write_tia(machine, cycles, what as u16, (what >> 16) as u8)
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
    // SAFETY: the caller's promise.
    let machine = unsafe { &mut *machine };
    machine.state.cycles = cycles;
    u32::from(machine.peek(what as u16, (what >> 16) as u8))
}

/// Reads the timer.
pub(super) unsafe extern "C" fn read_timer(machine: *mut Machine, cycles: u32, _what: u32) -> u32 {
    // SAFETY: the caller's promise.
    let State { riot, input, .. } = unsafe { &mut (*machine).state };
    u32::from(riot.peek(TIMER, cycles, input))
}

/// Writes to a chip that is not the TIA: the address, and the value in the upper half.
pub(super) unsafe extern "C" fn store(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    // SAFETY: the caller's promise.
    let machine = unsafe { &mut *machine };
    machine.state.cycles = cycles;
    machine.poke(what as u16, (what >> 16) as u8);
    0
}

/// Pushes the flags, onto memory or the TIA. Returns the time afterwards.
pub(super) unsafe extern "C" fn push_status(machine: *mut Machine, cycles: u32, _what: u32) -> u32 {
    // SAFETY: the caller's promise.
    let machine = unsafe { &mut *machine };
    let at = machine.state.cpu.sp;
    machine.state.cpu.sp = at.wrapping_sub(1);
    let status = machine.state.cpu.status();
    if at & 0x80 == 0 {
        return write_tia(machine, cycles, u16::from(at), status);
    }
    machine.state.riot.ram[usize::from(at & 0x7f)] = status;
    cycles
}

/// Pulls a byte. The first access reads where the stack pointer still is.
pub(super) unsafe extern "C" fn pull(machine: *mut Machine, cycles: u32, opcode: u32) -> u32 {
    // SAFETY: the caller's promise.
    let machine = unsafe { &mut *machine };
    machine.state.cycles = cycles;
    let at = machine.state.cpu.sp;
    let seen = machine.peek(u16::from(at), opcode as u8);
    let at = at.wrapping_add(1);
    machine.state.cpu.sp = at;
    u32::from(machine.peek(u16::from(at), seen))
}

/// Pulls the flags.
pub(super) unsafe extern "C" fn pull_status(machine: *mut Machine, cycles: u32, opcode: u32) -> u32 {
    // SAFETY: the caller's promise, passed on.
    let status = unsafe { pull(machine, cycles, opcode) };
    // SAFETY: the caller's promise.
    unsafe { (*machine).state.cpu.set_status(status as u8) };
    status
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
    rounds(unsafe { &*machine }, cycles, what, 1, 0xff)
}

/// The same for rounds that end when it shows a negative number.
pub(super) unsafe extern "C" fn wait_for_minus(machine: *mut Machine, cycles: u32, what: u32) -> u32 {
    // SAFETY: the caller's promise.
    rounds(unsafe { &*machine }, cycles, what, 0, 0x7f)
}
