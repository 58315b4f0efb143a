//! RGBA colours for drawing.

/// RGBA colour: red, green, blue and opacity, each from 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8, pub u8);

/// Opaque white.
pub const WHITE: Color = Color::rgb(255, 255, 255);
/// Opaque black.
pub const BLACK: Color = Color::rgb(0, 0, 0);
/// Fully transparent colour.
pub const TRANSPARENT: Color = Color(0, 0, 0, 0);

impl Color {
    /// Returns an opaque colour.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self(red, green, blue, 255)
    }

    /// Returns the opaque colour of the hexadecimal number `0xRRGGBB`.
    pub const fn hex(number: u32) -> Self {
        Self::rgb((number >> 16) as u8, (number >> 8) as u8, number as u8)
    }

    /// Returns the colour with its opacity replaced by `opacity`, from 0 to 255.
    #[must_use]
    pub const fn with_opacity(self, opacity: u8) -> Self {
        Self(self.0, self.1, self.2, opacity)
    }

    /// Returns a darker colour: red, green and blue are multiplied by `factor`, and the opacity
    /// stays.
    #[must_use]
    pub fn darker(self, factor: f64) -> Self {
        let part = |part: u8| (f64::from(part) * factor) as u8;
        Self(part(self.0), part(self.1), part(self.2), self.3)
    }
}
