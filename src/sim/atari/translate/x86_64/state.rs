//! What is known while a block is written.

use dynasmrt::DynamicLabel;

use crate::translate::decode::Register;
use crate::translate::moment::{Moment, To};

/// Registers by number.
pub(super) const A: u8 = 14;
pub(super) const X: u8 = 15;
pub(super) const Y: u8 = 5;

/// What the host's flags are those of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Host {
    Nothing,
    /// Negative and zero of the last result.
    Result,
    /// These, and the carry, inverted.
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
    /// If edx is one, and not zero.
    Edx,
}

/// Operands that are not where most are.
pub(super) enum ColdOperand {
    /// Reads the TIA at eax, with this on the bus.
    ReadTia { label: DynamicLabel, join: DynamicLabel, moment: Moment, bus: u8 },
    /// Reads what is not in the image, at eax; with this on the bus, if that is known.
    ReadElsewhere {
        label: DynamicLabel,
        join: DynamicLabel,
        moment: Moment,
        bus: Option<u8>,
        crossing: Crossing,
        slow: DynamicLabel,
    },
    /// Writes a register to the TIA at eax.
    WriteTia { label: DynamicLabel, join: DynamicLabel, moment: Moment, source: u8, slow: DynamicLabel },
    /// Writes a register to what is not memory, at eax.
    WriteElsewhere { label: DynamicLabel, join: DynamicLabel, moment: Moment, source: u8, slow: DynamicLabel },
    /// Pushes A onto the TIA, at eax.
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
