//! Size of the visible picture, and the two frame buffers.

use super::MAX_ROWS;
use super::line::WIDTH;
use envpool_rs_numeric::simd::SimdLevel;
use serde::{Deserialize, Serialize};

/// Visible part of the television's picture, and the television's standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisiblePicture {
    /// Number of the first television line that is drawn.
    pub first_line: u16,
    /// Number of television lines that are drawn.
    pub rows: u16,
    /// Whether the television's standard is PAL instead of NTSC. The standard affects colours and the maximum number of lines
    /// per frame.
    pub pal: bool,
    /// Whether HMOVE blanks the first eight pixels of a line.
    pub hmove_blanks: bool,
}

impl VisiblePicture {
    /// Returns the number of lines after which the television starts a new frame by itself.
    pub(crate) fn max_lines(self) -> i32 {
        if self.pal { 342 } else { 290 }
    }
}

/// Rows of a frame buffer.
pub(crate) type Picture = [[u8; WIDTH]; MAX_ROWS];

/// Two alternating frame buffers with one byte per pixel: the value of the colour register with which the pixel was drawn.
#[derive(Clone, Debug)]
pub struct FrameBuffers {
    pub(crate) current: Box<Picture>,
    pub(crate) previous: Box<Picture>,
    /// Whether lines are left unpainted. Collisions are still detected.
    pub(crate) hidden: bool,
    /// Whether the undrawn pixels of partial frames stay unchanged, instead of becoming gray, because the caller may play these
    /// frames again.
    pub(crate) provisional: bool,
    /// Bits of the collision registers that the program has not read. Frames whose lines are left unpainted do not detect these
    /// collisions.
    pub(crate) unread_collisions: u16,
    pub(crate) level: SimdLevel,
}

impl Default for FrameBuffers {
    fn default() -> Self {
        let blank = || Box::new([[0; WIDTH]; MAX_ROWS]);
        Self {
            current: blank(),
            previous: blank(),
            hidden: false,
            provisional: false,
            unread_collisions: 0,
            level: SimdLevel::detect(),
        }
    }
}

impl FrameBuffers {
    /// Returns all pixels of the current frame, starting with the top row.
    pub fn pixels(&self) -> &[u8] {
        self.current.as_flattened()
    }

    /// Returns the pixels of the previous frame.
    pub fn previous_pixels(&self) -> &[u8] {
        self.previous.as_flattened()
    }

    pub(crate) fn clear(&mut self) {
        self.current.as_flattened_mut().fill(0);
        self.previous.as_flattened_mut().fill(0);
        self.unread_collisions = u16::MAX;
    }

    /// Returns the first `rows` rows of both frame buffers, for a snapshot.
    pub(crate) fn save(&self, rows: usize) -> [Vec<u8>; 2] {
        [&self.current, &self.previous].map(|picture| picture[..rows].as_flattened().to_vec())
    }

    pub(crate) fn restore(&mut self, saved: &[Vec<u8>; 2]) {
        for (picture, saved) in [&mut self.current, &mut self.previous].into_iter().zip(saved) {
            let picture = picture.as_flattened_mut();
            let length = saved.len().min(picture.len());
            picture[..length].copy_from_slice(&saved[..length]);
        }
    }

    /// Undoes the swaps of the two frame buffers in the last `frames` frames.
    pub(crate) fn undo_swaps(&mut self, frames: u32) {
        if !frames.is_multiple_of(2) {
            self.swap();
        }
    }

    pub(crate) fn swap(&mut self) {
        std::mem::swap(&mut self.current, &mut self.previous);
    }
}
