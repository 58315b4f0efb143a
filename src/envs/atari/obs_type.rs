//! Observations of the console without preprocessing.

use super::preprocessor::SCREEN_WIDTH;
use envpool_rs_engine::Options;
use envpool_rs_pictures::{interleave, look_up_maximum};
use envpool_rs_sim_atari::{Console, palette};

/// Size of the console's RAM, in bytes.
pub const RAM_BYTES: usize = 128;

/// ALE's `obs_type`: the part of the console that is observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObsType {
    /// The colour screen, of shape `(rows, 160, 3)`.
    Rgb,
    /// The gray screen, of shape `(rows, 160)`.
    Grayscale,
    /// The console's RAM, of shape `(128,)`.
    Ram,
}

impl ObsType {
    /// Reads the option `obs_type`, which selects what is observed.
    pub fn new(options: &Options) -> Self {
        match options.text("obs_type") {
            Some("grayscale") => Self::Grayscale,
            Some("ram") => Self::Ram,
            _ => Self::Rgb,
        }
    }

    /// Passes the observation's bytes to the function `piece`, in several consecutive slices.
    pub fn for_each_piece(self, console: &Console, mut piece: impl FnMut(&[u8])) {
        let pal = console.picture().pal;
        match self {
            Self::Ram => piece(console.ram()),
            Self::Grayscale => {
                let mut grays = [0; SCREEN_WIDTH];
                for_each_line(console.screen(), |line, is_new| {
                    if is_new {
                        look_up_maximum(&[line], palette::gray(pal), &mut grays);
                    }
                    piece(&grays);
                });
            }
            Self::Rgb => {
                let mut colours = [0; 3 * SCREEN_WIDTH];
                for_each_line(console.screen(), |line, is_new| {
                    if is_new {
                        let mut planes = [[0; SCREEN_WIDTH]; 3];
                        palette::channels(pal)
                            .iter()
                            .zip(&mut planes)
                            .for_each(|(table, plane)| look_up_maximum(&[line], table, plane));
                        interleave(planes.each_ref().map(|plane| plane.as_slice()), &mut colours);
                    }
                    piece(&colours);
                });
            }
        }
    }

    /// Writes the observation into `frame`.
    pub fn write(self, console: &Console, frame: &mut [u8]) {
        let mut rest = frame;
        self.for_each_piece(console, |piece| {
            let (now, later) = std::mem::take(&mut rest).split_at_mut(piece.len());
            now.copy_from_slice(piece);
            rest = later;
        });
    }
}

/// Calls `use_line` with each line of a screen, and whether the line differs from the line above it.
fn for_each_line(screen: &[u8], mut use_line: impl FnMut(&[u8; SCREEN_WIDTH], bool)) {
    let mut above = None;
    for line in screen.as_chunks().0 {
        use_line(line, above != Some(line));
        above = Some(line);
    }
}
