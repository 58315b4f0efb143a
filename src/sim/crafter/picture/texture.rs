//! Textures, read from the PNG files of the Python package crafter.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::vocabulary::{ITEMS, MATERIALS};

/// Maximum width and height of a texture in pixels.
const MAX_SIDE: u32 = 256;

/// Names of the textures of objects.
pub(super) const SPRITES: [&str; 14] = [
    "player-sleep",
    "player-left",
    "player-right",
    "player-up",
    "player-down",
    "cow",
    "zombie",
    "skeleton",
    "arrow-left",
    "arrow-right",
    "arrow-up",
    "arrow-down",
    "plant",
    "plant-ripe",
];

/// Names of the textures of the digits 1 to 9.
pub(super) const DIGITS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// Picture of a material, an object, an item or a digit.
#[derive(Debug, Clone)]
pub(super) struct Texture {
    width: usize,
    height: usize,
    /// Whether the texture has transparent pixels, so that it is blended instead of copied.
    pub(super) has_alpha: bool,
    /// Red, green, blue and alpha of each pixel, row by row.
    pixels: Vec<[u8; 4]>,
}

impl Texture {
    fn read(path: &Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        let limits = png::Limits { bytes: 1 << 24 };
        let mut reader =
            png::Decoder::new_with_limits(BufReader::new(file), limits).read_info().map_err(|error| error.to_string())?;
        let info = reader.info();
        let (width, height) = (info.width, info.height);
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(format!("{width} x {height} pixels: expected at most {MAX_SIDE} on each side"));
        }
        let channels = match (info.color_type, info.bit_depth) {
            (png::ColorType::Rgb, png::BitDepth::Eight) if info.trns.is_none() => 3,
            (png::ColorType::Rgba, png::BitDepth::Eight) => 4,
            (color, depth) => return Err(format!("{color:?} of {depth:?} bits: expected RGB or RGBA of eight bits")),
        };
        let mut bytes = vec![0; width as usize * height as usize * channels];
        reader.next_frame(&mut bytes).map_err(|error| error.to_string())?;
        let pixels = bytes.chunks_exact(channels).map(|pixel| [pixel[0], pixel[1], pixel[2], *pixel.get(3).unwrap_or(&255)]);
        Ok(Self { width: width as usize, height: height as usize, has_alpha: channels == 4, pixels: pixels.collect() })
    }

    /// Returns the pixels of the texture, row by row, resized to `size` as Pillow's `resize` with `NEAREST` does.
    pub(super) fn resized(&self, size: [usize; 2]) -> Vec<[u8; 4]> {
        let columns = sources(self.width, size[0]);
        let rows = sources(self.height, size[1]);
        rows.iter().flat_map(|y| columns.iter().map(move |x| self.pixels[y * self.width + x])).collect()
    }
}

/// Returns, for each of `to` target pixels along an axis, the index of the source pixel among `from`. As in Pillow, coordinates
/// are summed up in float64.
fn sources(from: usize, to: usize) -> Vec<usize> {
    let scale = from as f64 / to as f64;
    let mut at = scale * 0.5;
    let next = |_| {
        let source = at as usize;
        at += scale;
        source.min(from - 1)
    };
    (0..to).map(next).collect()
}

/// Error for a texture that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextureError {
    /// Path of the texture's file.
    pub path: PathBuf,
    /// Whether the file does not exist.
    pub is_missing: bool,
    reason: String,
}

impl std::fmt::Display for TextureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

/// Textures of the package crafter, by name. Clones share the pixels.
#[derive(Debug, Clone)]
pub struct TextureSet(Arc<BTreeMap<&'static str, Texture>>);

impl TextureSet {
    /// Reads all textures from a folder, such as `assets` in the package crafter.
    ///
    /// # Errors
    /// If a file is missing, or is not a PNG file of a supported format.
    pub fn read(folder: &Path) -> Result<Self, TextureError> {
        let names = MATERIALS.iter().chain(&SPRITES).chain(&ITEMS).chain(&DIGITS);
        let read = |name: &&'static str| {
            let path = folder.join(format!("{name}.png"));
            match Texture::read(&path) {
                Ok(texture) => Ok((*name, texture)),
                Err(reason) => Err(TextureError { is_missing: !path.is_file(), path, reason }),
            }
        };
        names.map(read).collect::<Result<_, _>>().map(|textures| Self(Arc::new(textures)))
    }

    /// Returns a set of textures that each have a single colour, for tests without the files of the package crafter.
    pub fn plain() -> Self {
        let names = MATERIALS.iter().chain(&SPRITES).chain(&ITEMS).chain(&DIGITS);
        let texture = |(index, name): (usize, &&'static str)| {
            let pixel = [index as u8 * 5, 255 - index as u8 * 4, index as u8 * 3, 200];
            (*name, Texture { width: 1, height: 1, has_alpha: index >= MATERIALS.len(), pixels: vec![pixel] })
        };
        Self(Arc::new(names.enumerate().map(texture).collect()))
    }

    /// Returns the memory of the pixels, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.0.values().map(|texture| size_of_val(texture.pixels.as_slice())).sum()
    }

    pub(super) fn get(&self, name: &'static str) -> &Texture {
        &self.0[name]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_pixels_equal_pillows() {
        // The expected values are the results of `numpy.array(Image.fromarray(numpy.arange(16,
        // dtype=numpy.uint8)[None]).resize((n, 1), Image.NEAREST))`.
        assert_eq!(sources(16, 7), [1, 3, 5, 7, 10, 12, 14]);
        assert_eq!(sources(16, 5), [1, 4, 8, 11, 14]);
        assert_eq!(sources(16, 20), [0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 10, 11, 12, 13, 14, 14, 15]);
        assert_eq!(sources(16, 16), (0..16).collect::<Vec<_>>());
    }
}
