//! Colours.

/// Red, green and blue of each colour number.
pub fn rgb(_pal: bool) -> &'static [[u8; 3]; 256] {
    &[[0; 3]; 256]
}

/// Gray of each colour number.
pub fn gray(_pal: bool) -> &'static [u8; 256] {
    &[0; 256]
}
