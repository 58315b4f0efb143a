//! Pictures made smaller or larger, byte for byte as OpenCV's `resize` does it.
//!
//! The reference is opencv-python-headless 5.0.0.93, whose results on `uint8` images are those of OpenCV 4 as well.
//!
//! | module | |
//! |---|---|
//! | [`area`](Method::Area) | averages of the pixels that one new pixel covers |
//! | [`ColouredArea`] | the same for pictures of palette numbers, in one pass |
//! | [`NumberedArea`] | the same where shares are integers, in integers and vector registers |
//! | [`linear`](Method::Linear) | between the nearest four pixels, in OpenCV's fixed-point numbers |
//! | `screen` | the case that nearly everybody has, 210 x 160 gray pixels to 84 x 84, in integers and vector registers |

mod area;
mod coloured;
mod linear;
mod numbered;
mod screen;

use self::area::{Area, Blocks};
pub use self::coloured::ColouredArea;
use self::linear::{Linear, Place};
pub use self::numbered::NumberedArea;
use self::screen::Screen;

/// How new pixels are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// `INTER_AREA`
    Area,
    /// `INTER_LINEAR`
    Linear,
}

/// Makes pictures of one size into pictures of another. What depends on the sizes alone is computed once.
#[derive(Clone, Debug)]
pub struct Resize {
    from: (usize, usize),
    to: (usize, usize),
    channels: usize,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Same,
    Blocks(Blocks),
    Area(Area),
    Linear(Linear),
    Screen(Box<Screen>),
}

impl Resize {
    /// Sizes are in rows and columns.
    ///
    /// # Panics
    /// If a size is 0, or `channels` is neither 1 nor 3.
    pub fn new(from: (usize, usize), to: (usize, usize), method: Method, channels: usize) -> Self {
        assert!(from.0 > 0 && from.1 > 0 && to.0 > 0 && to.1 > 0, "a picture has at least one pixel");
        assert!(channels == 1 || channels == 3, "a picture is gray or of three colours");
        Self { from, to, channels, way: Way::new(from, to, method, channels) }
    }

    /// Resizes `source` into `out`: rows of pixels of `channels` bytes, without gaps.
    ///
    /// # Panics
    /// If one of them does not have its size.
    pub fn run(&self, source: &[u8], out: &mut [u8]) {
        assert_eq!(source.len(), self.from.0 * self.from.1 * self.channels, "bytes of the source");
        assert_eq!(out.len(), self.to.0 * self.to.1 * self.channels, "bytes of the result");
        match &self.way {
            Way::Same => out.copy_from_slice(source),
            Way::Blocks(blocks) => blocks.run(source, out),
            Way::Area(area) => area.run(source, out),
            Way::Linear(linear) => linear.run(source, out),
            Way::Screen(screen) => screen.run(source, out),
        }
    }

    /// Looks up the gray of each pixel of `screen` in `table`, and resizes that.
    ///
    /// # Panics
    /// If the pictures are not gray, or `screen` or `out` does not have its size.
    pub fn run_gray_of_one(&self, screen: &[u8], table: &[u8; 256], out: &mut [u8]) {
        if let (Way::Screen(way), Ok(screen), Ok(out)) = (&self.way, screen.try_into(), (&mut *out).try_into()) {
            return way.run_gray_of_one(screen, table, out);
        }
        let gray: Vec<u8> = screen.iter().map(|pixel| table[usize::from(*pixel)]).collect();
        self.run(&gray, out);
    }

    /// Looks up the grays of each pixel of two screens in `table`, and resizes the picture of the brighter ones.
    ///
    /// # Panics
    /// If the pictures are not gray, or `one`, `other` or `out` does not have its size.
    pub fn run_gray_of_two(&self, one: &[u8], other: &[u8], table: &[u8; 256], out: &mut [u8]) {
        if let (Way::Screen(way), Ok(one), Ok(other), Ok(out)) =
            (&self.way, one.try_into(), other.try_into(), (&mut *out).try_into())
        {
            return way.run_gray_of_two(one, other, table, out);
        }
        assert_eq!(one.len(), other.len(), "the screens' bytes");
        let gray = |pixel: &u8| table[usize::from(*pixel)];
        let brighter: Vec<u8> = one.iter().zip(other).map(|(one, other)| gray(one).max(gray(other))).collect();
        self.run(&brighter, out);
    }
}

impl Way {
    /// What OpenCV chooses. Twice as many rows and columns are averaged in any case, and an area below a pixel's is
    /// interpolated.
    fn new(from: (usize, usize), to: (usize, usize), method: Method, channels: usize) -> Self {
        let halved = from == (2 * to.0, 2 * to.1);
        let shrinks = from.0 >= to.0 && from.1 >= to.1;
        if from == to {
            return Self::Same;
        }
        match method {
            Method::Linear if !halved => Self::Linear(Linear::new(from, to, channels, Place::Centre)),
            Method::Area if !shrinks => Self::Linear(Linear::new(from, to, channels, Place::Corner)),
            _ if from.0.is_multiple_of(to.0) && from.1.is_multiple_of(to.1) => Self::Blocks(Blocks::new(from, to, channels)),
            _ if (from, to, channels) == (screen::FROM, screen::TO, 1) => Self::Screen(Box::new(Screen::new())),
            _ => Self::Area(Area::new(from, to, channels)),
        }
    }
}

#[cfg(test)]
mod tests;
