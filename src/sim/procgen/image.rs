//! PNG images, which are checked when they are opened and decoded when they are first drawn.
//!
//! Decoding all pictures of a game takes seconds, so that pictures of procgen-mirror are recognised by their checksums instead.
//! Any other picture is decoded when it is opened.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use png::{ColorType, Decoder, Transformations};

use crate::blend::premultiply;
use crate::known_pictures::KNOWN_PICTURES;

/// Reason why an image cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AssetError {
    /// The file cannot be read.
    #[error("{path}: {source}")]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The file is not a valid PNG file.
    #[error("{path}: expected a PNG file, but {reason}; install procgen-mirror again")]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// Reason why the file is not valid.
        reason: String,
    },
}

/// Decoded pixels 0xAARRGGBB with premultiplied alpha.
#[derive(Debug, Clone)]
pub(crate) struct Pixels {
    pub width: i32,
    pub height: i32,
    /// Whether every pixel is opaque.
    pub is_opaque: bool,
    pub pixels: Vec<u32>,
}

/// One image: its size, and its pixels, which are decoded when they are first needed.
#[derive(Debug)]
pub(crate) struct Image {
    path: PathBuf,
    file: Vec<u8>,
    pub width: i32,
    pub height: i32,
    /// Whether transparency is ignored, as for backgrounds.
    is_background: bool,
    pixels: OnceLock<Pixels>,
    mirrored: OnceLock<Pixels>,
}

impl Image {
    /// Reads a PNG file and checks it. The pixels of known files are decoded when they are first needed.
    ///
    /// # Errors
    /// `Unreadable` if the file cannot be read, `Damaged` if it is not a valid PNG file; both name the file.
    pub fn open(path: &Path, is_background: bool) -> Result<Self, AssetError> {
        let file = std::fs::read(path).map_err(|source| AssetError::Unreadable { path: path.to_owned(), source })?;
        let damaged = |reason: String| AssetError::Damaged { path: path.to_owned(), reason };
        let digest = check_chunks(&file).map_err(|reason| damaged(reason.to_owned()))?;
        let reader = decoder(&file).read_info().map_err(|error| damaged(error.to_string()))?;
        let (width, height) = (reader.info().width as i32, reader.info().height as i32);
        drop(reader);
        let (pixels, mirrored) = (OnceLock::new(), OnceLock::new());
        if KNOWN_PICTURES.binary_search(&digest).is_err() {
            let decoded = decode(&file, is_background).map_err(|error| damaged(error.to_string()))?;
            pixels.get_or_init(|| decoded);
        }
        Ok(Self { path: path.to_owned(), file, width, height, is_background, pixels, mirrored })
    }

    /// Returns the image's pixels, mirrored if `is_reflected` is set. The first call decodes the file.
    ///
    /// # Panics
    /// If a file cannot be decoded although it has the checksums of a known picture.
    pub fn pixels(&self, is_reflected: bool) -> &Pixels {
        let pixels = self.pixels.get_or_init(|| match decode(&self.file, self.is_background) {
            Ok(pixels) => pixels,
            Err(error) => panic!("{}: {error}", self.path.display()),
        });
        if is_reflected { self.mirrored.get_or_init(|| pixels.mirrored()) } else { pixels }
    }

    /// Returns the memory in bytes of the file and, after decoding, of the pixels.
    pub fn bytes(&self) -> usize {
        self.file.len() + 4 * self.width as usize * self.height as usize
    }

    /// Returns the aspect ratio of the image, width divided by height, as float32.
    pub fn aspect_ratio(&self) -> f32 {
        (f64::from(self.width) / f64::from(self.height)) as f32
    }
}

impl Pixels {
    /// Creates an image from its decoded pixels.
    pub fn new(width: i32, height: i32, pixels: Vec<u32>) -> Self {
        let is_opaque = pixels.iter().all(|pixel| pixel >> 24 == 255);
        Self { width, height, is_opaque, pixels }
    }

    fn mirrored(&self) -> Self {
        let mut pixels = self.pixels.clone();
        pixels.chunks_exact_mut(self.width as usize).for_each(<[u32]>::reverse);
        Self { pixels, ..*self }
    }
}

fn decoder(file: &[u8]) -> Decoder<Cursor<&[u8]>> {
    let mut decoder = Decoder::new(Cursor::new(file));
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16 | Transformations::ALPHA);
    decoder
}

fn decode(file: &[u8], is_background: bool) -> Result<Pixels, png::DecodingError> {
    let mut reader = decoder(file).read_info()?;
    let (width, height) = (reader.info().width, reader.info().height);
    let mut bytes = vec![0; reader.output_buffer_size().unwrap_or_default()];
    let frame = reader.next_frame(&mut bytes)?;
    let pixel = |alpha: u8, [red, green, blue]: [u8; 3]| {
        let colour = u32::from_be_bytes([alpha, red, green, blue]);
        if is_background { colour | 0xff00_0000 } else { premultiply(colour) }
    };
    let pixels = match frame.color_type {
        ColorType::GrayscaleAlpha => bytes.chunks_exact(2).map(|gray| pixel(gray[1], [gray[0]; 3])).collect(),
        _ => bytes.chunks_exact(4).map(|rgba| pixel(rgba[3], [rgba[0], rgba[1], rgba[2]])).collect(),
    };
    Ok(Pixels::new(width as i32, height as i32, pixels))
}

/// Checks the signature, and the lengths and checksums of all chunks of a PNG file. Returns the CRC-32 of the checksums.
fn check_chunks(file: &[u8]) -> Result<u32, &'static str> {
    let mut digest = crc32fast::Hasher::new();
    let mut rest = file.strip_prefix(b"\x89PNG\r\n\x1a\n").ok_or("its signature is another")?;
    let mut has_data = false;
    loop {
        let (length, after) = rest.split_first_chunk::<4>().ok_or("it is truncated")?;
        let length = u32::from_be_bytes(*length) as usize;
        let body = after.get(..length.saturating_add(4)).ok_or("it is truncated")?;
        let checksum = after.get(length + 4..length + 8).ok_or("it is truncated")?;
        if crc32fast::hash(body).to_be_bytes() != checksum {
            return Err("a checksum differs");
        }
        digest.update(checksum);
        has_data |= body.starts_with(b"IDAT");
        if body.starts_with(b"IEND") {
            return if has_data { Ok(digest.finalize()) } else { Err("it has no pixels") };
        }
        rest = &after[length + 8..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_with_right_checksums_that_cannot_be_decoded_is_damaged() {
        let chunk = |kind: &[u8], data: &[u8]| {
            let body = [kind, data].concat();
            [&(data.len() as u32).to_be_bytes(), &body[..], &crc32fast::hash(&body).to_be_bytes()].concat()
        };
        let header = [&4_u32.to_be_bytes()[..], &4_u32.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
        let path = std::env::temp_dir().join(format!("envpool_rs-undecodable-{}.png", std::process::id()));
        for data in [&[0; 20][..], b"no deflated data", &[]] {
            let chunks = [chunk(b"IHDR", &header), chunk(b"IDAT", data), chunk(b"IEND", &[])].concat();
            std::fs::write(&path, [b"\x89PNG\r\n\x1a\n", &chunks[..]].concat()).unwrap();
            assert!(matches!(Image::open(&path, false), Err(AssetError::Damaged { .. })), "{data:?}");
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn known_pictures_are_sorted() {
        assert!(KNOWN_PICTURES.is_sorted());
    }
}
