//! Converts the engine's screens of palette indices to observed frames and rendered frames.

use envpool_rs_engine::Frame;
use envpool_rs_pictures::resize::{FloatPaletteArea, Interpolation, PaletteArea, Resize};
use envpool_rs_sim_vizdoom::{
    config::ScreenFormat,
    wad::{Palette, gray},
};

/// Converter of the engine's screens to frames with one resized plane per colour channel.
#[derive(Debug, Clone)]
pub struct FrameConverter {
    pipeline: ScreenPipeline,
    bytes: usize,
}

#[derive(Debug, Clone)]
enum ScreenPipeline {
    PaletteArea(PaletteArea),
    RgbArea(FloatPaletteArea),
    Planes { tables: Vec<[u8; 256]>, native: Resize, resize: Resize, native_bytes: usize },
}

/// Returns one lookup table per plane, from palette index to channel value.
fn tables(palette: &Palette, format: ScreenFormat) -> Vec<[u8; 256]> {
    match format {
        ScreenFormat::Gray8 => vec![palette.map(gray)],
        ScreenFormat::Doom256Colors8 => vec![std::array::from_fn(|number| number as u8)],
        _ => (0..3).map(|colour| palette.map(|rgb| rgb[colour])).collect(),
    }
}

impl FrameConverter {
    /// Creates a converter for screens rendered at size `rendered`, for a scenario with the resolution `native`, to frames of
    /// size `output`. All sizes are rows and columns.
    pub fn new(
        palette: &Palette,
        format: ScreenFormat,
        rendered: (usize, usize),
        native: (usize, usize),
        output: (usize, usize),
        method: Interpolation,
    ) -> Self {
        let tables = tables(palette, format);
        let shrinks = native.0 >= output.0 && native.1 >= output.1;
        let is_whole = native.0.is_multiple_of(output.0) && native.1.is_multiple_of(output.1);
        let bytes = tables.len() * output.0 * output.1;
        let palette_area = (method == Interpolation::Area).then(|| PaletteArea::new(rendered, native, output, &tables)).flatten();
        if let Some(area) = palette_area {
            return Self { pipeline: ScreenPipeline::PaletteArea(area), bytes };
        }
        if tables.len() == 3 && rendered == native && method == Interpolation::Area && shrinks && !is_whole {
            return Self { pipeline: ScreenPipeline::RgbArea(FloatPaletteArea::new(native, output, palette)), bytes };
        }
        let (to_native, resize) = (Resize::new(rendered, native, Interpolation::Area), Resize::new(native, output, method));
        Self { pipeline: ScreenPipeline::Planes { tables, native: to_native, resize, native_bytes: native.0 * native.1 }, bytes }
    }

    /// Returns the size of a frame in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Converts the engine's screen, which has one palette index per pixel, to an observed frame.
    pub fn convert(&self, screen: &[u8], frame: &mut [u8]) {
        match &self.pipeline {
            ScreenPipeline::PaletteArea(area) => area.run(screen, frame),
            ScreenPipeline::RgbArea(area) => area.run(screen, frame),
            ScreenPipeline::Planes { tables, native, resize, native_bytes } => {
                let mut native_plane = vec![0; *native_bytes];
                for (table, plane) in tables.iter().zip(frame.chunks_exact_mut(self.bytes / tables.len())) {
                    let looked_up: Vec<u8> = screen.iter().map(|pixel| table[usize::from(*pixel)]).collect();
                    native.run(&looked_up, &mut native_plane);
                    resize.run(&native_plane, plane);
                }
            }
        }
    }
}

/// Rows and columns of a screen before and after its conversion.
#[derive(Debug, Clone, Copy)]
pub struct ScreenSizes {
    /// Rows and columns that the engine renders.
    pub rendered: (usize, usize),
    /// Rows and columns of the scenario's screen resolution.
    pub native: (usize, usize),
    /// Rows and columns of the output frame.
    pub output: (usize, usize),
}

/// Converts the engine's screen to an RGB or gray picture for `render()`, resized in the same way as observed frames.
pub fn render_frame(palette: &Palette, format: ScreenFormat, screen: &[u8], sizes: ScreenSizes, method: Interpolation) -> Frame {
    let ScreenSizes { rendered, native, output } = sizes;
    let tables = tables(palette, format);
    let (to_native, resize) = (Resize::new(rendered, native, Interpolation::Area), Resize::new(native, output, method));
    let mut pixels = vec![0; output.0 * output.1 * 3];
    for colour in 0..3 {
        let table = &tables[colour.min(tables.len() - 1)];
        let looked_up: Vec<u8> = screen.iter().map(|pixel| table[usize::from(*pixel)]).collect();
        let (mut native_plane, mut plane) = (vec![0; native.0 * native.1], vec![0; output.0 * output.1]);
        to_native.run(&looked_up, &mut native_plane);
        resize.run(&native_plane, &mut plane);
        pixels.iter_mut().skip(colour).step_by(3).zip(plane).for_each(|(pixel, value)| *pixel = value);
    }
    Frame::new(output.1 as u32, output.0 as u32, pixels)
}
