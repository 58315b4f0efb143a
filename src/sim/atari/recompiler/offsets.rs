//! Offsets of fields of the machine's state from the machine's address, which generated code uses.

use std::mem::offset_of;

use crate::cartridge::Cartridge;
use crate::machine::{Machine, MachineState};

const STATE: usize = offset_of!(Machine, state);

macro_rules! at {
    ($($path:tt)+) => { (STATE + offset_of!(MachineState, $($path)+)) as i32 };
}

pub(super) const CPU_A: i32 = at!(cpu.a);
pub(super) const CPU_X: i32 = at!(cpu.x);
pub(super) const CPU_Y: i32 = at!(cpu.y);
pub(super) const SP: i32 = at!(cpu.sp);
pub(super) const PC: i32 = at!(cpu.pc);
pub(super) const NEGATIVE: i32 = at!(cpu.negative);
pub(super) const NOT_ZERO: i32 = at!(cpu.not_zero);
pub(super) const CARRY: i32 = at!(cpu.carry);
pub(super) const OVERFLOW: i32 = at!(cpu.overflow);
pub(super) const DECIMAL: i32 = at!(cpu.decimal);
pub(super) const INTERRUPTS: i32 = at!(cpu.interrupts_disabled);
pub(super) const CYCLES: i32 = at!(cycles);
pub(super) const RAM: i32 = at!(riot.ram);
const CARTRIDGE: usize = STATE + offset_of!(MachineState, cartridge);
pub(super) const SEGMENTS: i32 = (CARTRIDGE + Cartridge::SEGMENTS_OFFSET) as i32;
pub(super) const CARTRIDGE_RAM: i32 = (CARTRIDGE + Cartridge::RAM_OFFSET) as i32;
/// Offset of RAM from the machine's address, minus RAM's first zero page address (0x80).
pub(super) const ZERO_PAGE: i32 = RAM - 0x80;
/// Offset of `Machine::limit`, the cycle from which on the interpreter must execute writes to the TIA.
pub(super) const LIMIT: i32 = offset_of!(Machine, limit) as i32;
#[allow(dead_code, reason = "used only for x86-64")]
pub(super) const COLOUR_LOSS: i32 = offset_of!(Machine, colour_loss) as i32;

/// Returns the offset of a field of the TIA from the machine's address. `field` is its offset in [`Tia`](crate::tia::Tia).
#[allow(dead_code, reason = "used only for x86-64")]
pub(super) const fn tia(field: usize) -> i32 {
    (STATE + offset_of!(MachineState, tia) + field) as i32
}
