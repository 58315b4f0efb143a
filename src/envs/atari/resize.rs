//! OpenCV's resizing.

/// How pixels are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// `INTER_AREA`.
    Area,
    /// `INTER_LINEAR`.
    Linear,
}

/// A resizing from one size to another.
#[derive(Clone, Debug)]
pub struct Resize {
    from: (usize, usize),
    to: (usize, usize),
    channels: usize,
}

impl Resize {
    /// From so many rows and columns to others.
    pub fn new(from: (usize, usize), to: (usize, usize), _method: Method, channels: usize) -> Self {
        Self { from, to, channels }
    }

    /// Resizes `source` into `out`.
    pub fn run(&self, source: &[u8], out: &mut [u8]) {
        for row in 0..self.to.0 {
            for column in 0..self.to.1 {
                let (r, c) = (row * self.from.0 / self.to.0, column * self.from.1 / self.to.1);
                for channel in 0..self.channels {
                    out[(row * self.to.1 + column) * self.channels + channel] =
                        source[(r * self.from.1 + c) * self.channels + channel];
                }
            }
        }
    }

    /// Resizes the gray of a screen.
    pub fn run_gray_of_one(&self, a: &[u8], table: &[u8; 256], out: &mut [u8]) {
        self.run_gray_of_two(a, a, table, out);
    }

    /// Resizes the brighter gray of two screens.
    pub fn run_gray_of_two(&self, a: &[u8], b: &[u8], table: &[u8; 256], out: &mut [u8]) {
        let gray: Vec<u8> = a.iter().zip(b).map(|(a, b)| table[usize::from(*a)].max(table[usize::from(*b)])).collect();
        self.run(&gray, out);
    }
}
