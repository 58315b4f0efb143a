//! What happens in a game, as its memory tells: rewards, lives, and the end.
//!
//! A rule is called after every frame, with the game's [`Progress`] and a view of its [`Memory`]. Addresses are as the
//! processor sees the RIOT's memory (0x80 to 0xff); only their lower seven bits count.

pub(super) mod a_to_c;
pub(super) mod d_to_h;
pub(super) mod i_to_r;
pub(super) mod s_to_z;

use serde::{Deserialize, Serialize};

/// A game's score, lives and end, as of the last frame.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// What the last frame was worth.
    pub reward: i32,
    /// The score of which the next frame's is subtracted.
    pub score: i32,
    /// Lives, as the game counts them.
    pub lives: i32,
    /// The game's end.
    pub ended: bool,
    /// Whatever else a rule has to remember.
    pub memory: [i32; 6],
    /// What the mode has set, which resets do not change.
    pub setting: i32,
}

impl Progress {
    /// The reward is what the score has grown by.
    pub(super) fn score(&mut self, score: i32) {
        self.reward = score.wrapping_sub(self.score);
        self.score = score;
    }
}

/// A view of the memory that rules read.
#[derive(Clone, Copy, Debug)]
pub struct Memory<'a> {
    /// The console's.
    pub ram: &'a [u8; 128],
    /// The cartridge's own.
    pub cartridge: &'a [u8; 128],
}

impl Memory<'_> {
    /// The byte at `address`.
    pub fn at(self, address: u8) -> i32 {
        i32::from(self.ram[usize::from(address & 0x7f)])
    }

    /// The byte of the cartridge's own memory that is read at `address`.
    pub fn cartridge_at(self, address: u16) -> i32 {
        i32::from(self.cartridge[usize::from(address & 0x7f)])
    }

    /// A number of two decimal digits for each address, the lowest first.
    pub fn decimal<const N: usize>(self, addresses: [u8; N]) -> i32 {
        addresses.iter().rev().fold(0, |number, address| number * 100 + two_digits(self.at(*address)))
    }

    /// A number of which each address holds a digit in its low nibble, the lowest first; 10 stands for a blank.
    fn digits<const N: usize>(self, addresses: [u8; N]) -> i32 {
        let digit = |address: u8| match self.at(address) & 0x0f {
            10 => 0,
            digit => digit,
        };
        addresses.iter().rev().fold(0, |number, address| number * 10 + digit(*address))
    }
}

/// The two decimal digits of a byte, as a number.
fn two_digits(byte: i32) -> i32 {
    (byte >> 4) * 10 + (byte & 0x0f)
}
