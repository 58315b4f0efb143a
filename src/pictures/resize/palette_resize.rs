//! Looks up pictures of palette numbers, and resizes the pixelwise maximum of several ones.

use std::cell::RefCell;

use super::atari_screen::{self, AtariScreenResize};
use super::{Interpolation, Resize};
use crate::look_up::{interleave, look_up_maximum};

/// Resizes pictures of palette numbers, to one plane for each table (gray; or red, green and blue).
#[derive(Clone, Debug)]
pub struct PaletteResize {
    tables: &'static [[u8; 256]],
    algorithm: Algorithm,
    /// Number of pixels of a picture before and after it is resized.
    pixels: (usize, usize),
}

#[derive(Clone, Debug)]
enum Algorithm {
    /// The most frequent case, which looks up and resizes in one pass.
    Screen(Box<AtariScreenResize>),
    Other(Resize),
}

thread_local! {
    /// A picture before it is resized, and planes before they are interleaved.
    static PLANES: RefCell<[Vec<u8>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

/// Table that changes no number.
static IDENTITY: [u8; 256] = {
    let mut table = [0; 256];
    let mut number = 0;
    while number < table.len() {
        table[number] = number as u8;
        number += 1;
    }
    table
};

impl PaletteResize {
    /// Creates a resizer from size `from` to size `to`, both as (rows, columns).
    ///
    /// # Panics
    /// If a size is 0.
    pub fn new(from: (usize, usize), to: (usize, usize), method: Interpolation, tables: &'static [[u8; 256]]) -> Self {
        let algorithm = match (from, to, method) {
            (atari_screen::FROM, atari_screen::TO, Interpolation::Area) => Algorithm::Screen(Box::new(AtariScreenResize::new())),
            _ => Algorithm::Other(Resize::new(from, to, method)),
        };
        Self { tables, algorithm, pixels: (from.0 * from.1, to.0 * to.1) }
    }

    /// Returns the number of planes.
    pub fn planes(&self) -> usize {
        self.tables.len()
    }

    /// Looks up the pixels of `screens`, resizes the pixelwise maximum of each plane, and writes one plane after the other.
    ///
    /// # Panics
    /// If there is no screen, or if a screen or `out` has another length than the arguments of `new` imply.
    pub fn run(&self, screens: &[&[u8]], out: &mut [u8]) {
        self.check(out);
        PLANES.with_borrow_mut(|[plane, _]| self.write_planes(screens, plane, out));
    }

    /// Does the same as [`run`](Self::run) for three planes, and writes pixels of three bytes.
    ///
    /// # Panics
    /// As [`run`](Self::run), and if there are not three planes.
    pub fn run_interleaved(&self, screens: &[&[u8]], out: &mut [u8]) {
        self.check(out);
        PLANES.with_borrow_mut(|[plane, planes]| {
            planes.resize(out.len(), 0);
            self.write_planes(screens, plane, planes);
            let (red, others) = planes.split_at(self.pixels.1);
            let (green, blue) = others.split_at(self.pixels.1);
            interleave([red, green, blue], out);
        });
    }

    fn check(&self, out: &[u8]) {
        assert_eq!(out.len(), self.tables.len() * self.pixels.1, "bytes of the result");
    }

    /// Writes the planes to `out`. `plane` is working memory.
    fn write_planes(&self, screens: &[&[u8]], plane: &mut Vec<u8>, out: &mut [u8]) {
        plane.resize(self.pixels.0, 0);
        for (table, out) in self.tables.iter().zip(out.chunks_exact_mut(self.pixels.1)) {
            match &self.algorithm {
                Algorithm::Screen(resize) => match *screens {
                    [one] => run_screen(resize, [one, one], table, out),
                    [one, other] => run_screen(resize, [one, other], table, out),
                    _ => {
                        look_up_maximum(screens, table, plane);
                        run_screen(resize, [plane, plane], &IDENTITY, out);
                    }
                },
                Algorithm::Other(resize) if resize.is_copy() => look_up_maximum(screens, table, out),
                Algorithm::Other(resize) => {
                    look_up_maximum(screens, table, plane);
                    resize.run(plane, out);
                }
            }
        }
    }
}

fn run_screen(resize: &AtariScreenResize, screens: [&[u8]; 2], table: &[u8; 256], out: &mut [u8]) {
    let screens = screens.map(|screen| screen.try_into().expect("bytes of the screen"));
    resize.run(screens, table, out.try_into().expect("bytes of the result"));
}
