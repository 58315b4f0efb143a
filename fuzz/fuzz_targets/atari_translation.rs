//! Fuzz target: compares translated and interpreted Atari cartridges of arbitrary bytes. Run `cargo +nightly fuzz run
//! atari_translation`.
//!
//! The first bytes of the input determine the cartridge's bank-switching scheme, and into which pieces the emulation is divided.
//! The cartridge's image repeats the other bytes.

#![no_main]

#[path = "../../tests/support/atari_pair.rs"]
#[allow(dead_code, reason = "tests use the rest")]
mod atari_pair;

use atari_pair::{Pair, SCHEMES, game_of};
use envpool_rs::sim::atari::Rom;

/// Number of pieces into which the emulation of a cartridge is divided.
const PIECES: usize = 8;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(([scheme, pieces @ ..], image)) = bytes.split_first_chunk::<{ PIECES + 1 }>() else { return };
    if image.is_empty() {
        return;
    }
    let game = game_of(SCHEMES[usize::from(*scheme) % SCHEMES.len()]);
    let image: Vec<u8> = image.iter().copied().cycle().take(game.size).collect();
    let Some(mut pair) = Pair::new(&Rom::with_unchecked_image(game, &image)) else { return };
    for piece in pieces {
        pair.execute(1 + u32::from(*piece));
        pair.assert_equal();
    }
});
