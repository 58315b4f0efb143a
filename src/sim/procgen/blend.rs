//! Qt's arithmetic for 32-bit pixels 0xAARRGGBB with premultiplied alpha.

/// Multiplies every channel of a pixel by `factor / 255`, rounded as Qt does.
#[inline(always)]
pub(crate) fn scale_channels(pixel: u32, factor: u32) -> u32 {
    const CHANNELS: u64 = 0x00ff_00ff_00ff_00ff;
    let pixel = u64::from(pixel);
    let products = ((pixel | pixel << 24) & CHANNELS) * u64::from(factor);
    let rounded = ((products + (products >> 8 & CHANNELS) + 0x0080_0080_0080_0080) >> 8) & CHANNELS;
    rounded as u32 | (rounded >> 24) as u32
}

/// Multiplies the colours of a pixel by its alpha.
pub(crate) fn premultiply(pixel: u32) -> u32 {
    let alpha = pixel >> 24;
    scale_channels(pixel & 0x00ff_ffff, alpha) & 0x00ff_ffff | alpha << 24
}

/// Returns the colour of the pixel `source` drawn over the pixel `below` (Porter-Duff "source over").
#[inline(always)]
pub(crate) fn source_over(below: u32, source: u32) -> u32 {
    match source {
        0xff00_0000.. => source,
        0 => below,
        _ => source.wrapping_add(scale_channels(below, 255 - (source >> 24))),
    }
}

/// Draws the pixel `source` over the pixel `below`. The opacity is given in 255ths.
#[inline(always)]
pub(crate) fn source_over_with(below: u32, source: u32, opacity: u32) -> u32 {
    let source = scale_channels(source, opacity);
    source.wrapping_add(scale_channels(below, 255 - (source >> 24)))
}

/// Draws the pixel `source` over the pixel `below`, with an opacity in 255ths if it is not full.
#[inline(always)]
pub(crate) fn blend(below: u32, source: u32, opacity: Option<u32>) -> u32 {
    match opacity {
        None => source_over(below, source),
        Some(opacity) => source_over_with(below, source, opacity),
    }
}
