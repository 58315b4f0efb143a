//! What is known while a block is written.

use dynasmrt::DynamicLabel;

use crate::translate::decode::Register;
use crate::translate::moment::{Moment, To};

/// Registers by number.
pub(super) const A: u8 = 23;
pub(super) const X: u8 = 24;
pub(super) const Y: u8 = 25;
/// Scratch registers by number: addresses and results, values, and what else there is.
pub(super) const W8: u8 = 8;
pub(super) const W10: u8 = 10;
pub(super) const W11: u8 = 11;

/// What the host has of the last result, until the next instruction that is not a branch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Host {
    Nothing,
    /// The last result is in this register.
    Result(u8),
    /// The difference of a comparison is in w8, its lowest byte that of the last result; the carry is the host's.
    Comparison,
}

/// Code that is not expected to run, behind the block.
pub(super) enum Cold {
    Exit { label: DynamicLabel, moment: Moment, to: To },
    Operand(ColdOperand),
}

/// The cycle that an indexed address takes in another page than its base.
#[derive(Clone, Copy)]
pub(super) enum Crossing {
    Never,
    /// If this register is at least so much.
    From(u8, u8),
    /// If w10 is one, and not zero.
    W10,
}

/// Operands that are not where most are.
pub(super) enum ColdOperand {
    /// Reads the TIA at w8, with this on the bus.
    ReadTia { label: DynamicLabel, join: DynamicLabel, moment: Moment, bus: u8 },
    /// Reads what is not in the image, at w8; with this on the bus, if that is known.
    ReadElsewhere {
        label: DynamicLabel,
        join: DynamicLabel,
        moment: Moment,
        bus: Option<u8>,
        crossing: Crossing,
        slow: DynamicLabel,
    },
    /// Writes a register to the TIA at w8.
    WriteTia { label: DynamicLabel, join: DynamicLabel, moment: Moment, source: u8, slow: DynamicLabel },
    /// Writes a register to what is not memory, at w8.
    WriteElsewhere { label: DynamicLabel, join: DynamicLabel, moment: Moment, source: u8, slow: DynamicLabel },
    /// Pushes A onto the TIA, at w8.
    Push { label: DynamicLabel, join: DynamicLabel, moment: Moment, slow: DynamicLabel },
    /// Pulls A from wherever the stack is.
    Pull { label: DynamicLabel, join: DynamicLabel, moment: Moment },
}

/// The host's register.
pub(super) fn number(register: Register) -> u8 {
    match register {
        Register::A => A,
        Register::X => X,
        Register::Y => Y,
    }
}
