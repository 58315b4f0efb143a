//! Rules of the games, which compute rewards, lives and the end of the game from RAM.
//!
//! The console calls a rule after every frame, with the game's [`RomState`] and a [`RamView`]. Addresses are those at which the
//! processor accesses the RIOT's RAM (0x80 to 0xff); only the lower seven bits are decoded.

pub(super) mod a_to_c;
pub(super) mod d_to_h;
pub(super) mod i_to_r;
pub(super) mod s_to_z;

use serde::{Deserialize, Serialize};

/// State of a game's rule after the last frame: reward, score, lives, and whether the game has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RomState {
    /// Reward of the last frame.
    pub reward: i32,
    /// Score after the last frame. The reward of the next frame is the increase of this score.
    pub score: i32,
    /// Number of lives that the game has stored in RAM after the last frame.
    pub lives: i32,
    /// Whether the game has ended.
    pub ended: bool,
    /// Additional state of the game's rule between frames; its meaning depends on the game.
    pub memory: [i32; 6],
    /// Parameter of the rule. The mode selection sets it, and resets do not change it.
    pub setting: i32,
}

impl RomState {
    /// Sets the score; the reward of the frame is the increase of the score.
    pub(super) fn score(&mut self, score: i32) {
        self.reward = score.wrapping_sub(self.score);
        self.score = score;
    }
}

/// View of the RAM from which rules read.
#[derive(Clone, Copy, Debug)]
pub struct RamView<'a> {
    /// RAM of the console.
    pub ram: &'a [u8; 128],
    /// RAM of the cartridge.
    pub cartridge: &'a [u8; 128],
}

impl RamView<'_> {
    /// Returns the byte at `address` of the console's RAM.
    pub fn byte(self, address: u8) -> i32 {
        i32::from(self.ram[usize::from(address & 0x7f)])
    }

    /// Returns the byte of the cartridge's RAM at `address`.
    pub fn cartridge_byte(self, address: u16) -> i32 {
        i32::from(self.cartridge[usize::from(address & 0x7f)])
    }

    /// Returns the BCD number at `addresses`: two digits per byte, the byte with the lowest digits first.
    pub fn decimal<const N: usize>(self, addresses: [u8; N]) -> i32 {
        addresses.iter().rev().fold(0, |number, address| number * 100 + two_digits(self.byte(*address)))
    }

    /// Returns the decimal number at `addresses`: one digit in the low nibble of each byte, the lowest digit first. The nibble
    /// 10 is a blank, which counts as 0.
    fn digits<const N: usize>(self, addresses: [u8; N]) -> i32 {
        let digit = |address: u8| match self.byte(address) & 0x0f {
            10 => 0,
            digit => digit,
        };
        addresses.iter().rev().fold(0, |number, address| number * 10 + digit(*address))
    }
}

/// Returns the number that the two BCD digits of a byte represent.
fn two_digits(byte: i32) -> i32 {
    (byte >> 4) * 10 + (byte & 0x0f)
}
