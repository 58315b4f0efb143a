//! Translated code, as those see it who do not write it.

use super::helpers::Helper;
use super::layout::Place;
use crate::image::Image;
use crate::machine::Machine;

/// Why translated code has been left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// The instruction at the program counter is the interpreter's.
    Interpret,
    /// What is at the program counter has not been translated.
    Missing,
}

/// The function that an emitter's `entrance` makes: machine, address, instructions left. The answer is that of [`left`].
pub(super) type Enter = unsafe extern "C" fn(machine: *mut Machine, entry: *const u8, left: u32) -> u64;

/// Instructions left, and why the code has been left.
pub(super) fn left(answer: u64) -> (u32, Left) {
    (answer as u32, if answer >> 32 == 0 { Left::Interpret } else { Left::Missing })
}

/// Where translations find each other.
pub(super) trait Links {
    /// The address of the variable that holds the entry of the translation of what is at a place.
    fn slot(&mut self, at: Place) -> u64;
    /// The address of a view's pages: pointers to 256 such variables each.
    fn pages(&self, view: u8) -> u64;
    /// The address of a helper.
    fn helper(&self, helper: Helper) -> u64 {
        helper as usize as u64
    }
    /// The address of a byte of the cartridge's image.
    fn image(&self, image: &Image, at: usize) -> u64 {
        image.address(at) as u64
    }
}

/// Code, and positions in it.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) bytes: Vec<u8>,
    pub(super) entries: Vec<(Place, usize)>,
    /// Where the code is left to the interpreter, and where for what is missing.
    pub(super) interpret: usize,
    pub(super) missing: usize,
}
