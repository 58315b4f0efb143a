//! The console as it is, without preprocessing.

use super::preprocessor::COLUMNS;
use envpool_rs_engine::Options;
use envpool_rs_sim_atari::{Console, palette};

/// Bytes of memory.
pub const RAM: usize = 128;

/// What is observed of the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The screen in colour: `(rows, 160, 3)`.
    Rgb,
    /// The screen in gray: `(rows, 160)`.
    Grayscale,
    /// The memory: `(128,)`.
    Ram,
}

impl View {
    /// As the option `obs_type` says.
    pub fn new(options: &Options) -> Self {
        match options.text("obs_type") {
            Some("grayscale") => Self::Grayscale,
            Some("ram") => Self::Ram,
            _ => Self::Rgb,
        }
    }

    /// Hands out the console as it is seen, piece by piece.
    pub fn show(self, console: &Console, mut piece: impl FnMut(&[u8])) {
        let pal = console.picture().pal;
        match self {
            Self::Ram => piece(console.ram()),
            Self::Grayscale => {
                for line in console.screen().chunks_exact(COLUMNS) {
                    let mut grays = [0; COLUMNS];
                    grays.iter_mut().zip(line).for_each(|(gray, pixel)| *gray = palette::gray(pal)[usize::from(*pixel)]);
                    piece(&grays);
                }
            }
            Self::Rgb => {
                for line in console.screen().chunks_exact(COLUMNS) {
                    let mut colours = [[0; 3]; COLUMNS];
                    colours.iter_mut().zip(line).for_each(|(colour, pixel)| *colour = palette::rgb(pal)[usize::from(*pixel)]);
                    piece(colours.as_flattened());
                }
            }
        }
    }

    /// Writes the console as it is seen.
    pub fn draw(self, console: &Console, frame: &mut [u8]) {
        let mut rest = frame;
        self.show(console, |piece| {
            let (now, later) = std::mem::take(&mut rest).split_at_mut(piece.len());
            now.copy_from_slice(piece);
            rest = later;
        });
    }
}
