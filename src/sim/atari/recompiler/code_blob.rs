//! Generated code: its entry function, exit reasons and links.

use super::helpers::Helper;
use super::memory_map::GuestPc;
use crate::machine::Machine;
use crate::rom_image::RomImage;

/// Reason why generated code has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExitReason {
    /// The interpreter must execute the instruction at the program counter.
    Interpret,
    /// There is no code for the program counter.
    Missing,
}

/// Type of the function that generated code starts with. The arguments are machine, code address and instructions left.
/// [`decode_exit`] decodes the result.
pub(super) type Enter = unsafe extern "C" fn(machine: *mut Machine, entry: *const u8, left: u32) -> u64;

/// Decodes the result of [`Enter`] to the number of instructions left and the exit reason.
pub(super) fn decode_exit(answer: u64) -> (u32, ExitReason) {
    (answer as u32, if answer >> 32 == 0 { ExitReason::Interpret } else { ExitReason::Missing })
}

/// Addresses that generated code refers to.
pub(super) trait BlockLinks {
    /// Returns the address of the variable that holds the code address of a program location.
    fn slot(&mut self, at: GuestPc) -> u64;
    /// Returns the address of a view's page table: pointers to pages of 256 variables that hold code addresses.
    fn pages(&self, view: u8) -> u64;
    /// Returns the host address of a helper function.
    fn helper(&self, helper: Helper) -> u64 {
        helper as usize as u64
    }
    /// Returns the host address of a byte of the cartridge's image.
    fn image(&self, image: &RomImage, at: usize) -> u64 {
        image.address(at) as u64
    }
}

/// Generated code, with the offsets of its entries and exits.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) bytes: Vec<u8>,
    pub(super) entries: Vec<(GuestPc, usize)>,
    /// Offsets of the exit to the interpreter, and of the exit for missing code (`missing`).
    pub(super) interpret: usize,
    pub(super) missing: usize,
}
