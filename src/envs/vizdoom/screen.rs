//! The engine's pictures, which are numbers of 256 colours, as environments show them.

use envpool_rs_engine::Picture;
use envpool_rs_pictures::resize::{ColouredArea, Method, NumberedArea, Resize};
use envpool_rs_sim_vizdoom::{
    config::ScreenFormat,
    wad::{Palette, gray},
};

/// Makes frames of pictures: a plane for each colour, resized.
#[derive(Debug, Clone)]
pub struct Frames {
    way: Way,
    bytes: usize,
}

#[derive(Debug, Clone)]
enum Way {
    Numbered(NumberedArea),
    Coloured(ColouredArea),
    Planes { tables: Vec<[u8; 256]>, native: Resize, resize: Resize, native_bytes: usize },
}

/// What each number stands for, plane by plane.
fn tables(palette: &Palette, format: ScreenFormat) -> Vec<[u8; 256]> {
    match format {
        ScreenFormat::Gray => vec![palette.map(gray)],
        ScreenFormat::Colours => vec![std::array::from_fn(|number| number as u8)],
        _ => (0..3).map(|colour| palette.map(|rgb| rgb[colour])).collect(),
    }
}

impl Frames {
    /// Frames of pictures that are drawn in one size, shown in another, and made into frames of a third. All are rows and columns.
    pub fn new(
        palette: &Palette,
        format: ScreenFormat,
        drawn: (usize, usize),
        native: (usize, usize),
        to: (usize, usize),
        method: Method,
    ) -> Self {
        let tables = tables(palette, format);
        let shrinks = native.0 >= to.0 && native.1 >= to.1;
        let is_whole = native.0.is_multiple_of(to.0) && native.1.is_multiple_of(to.1);
        let bytes = tables.len() * to.0 * to.1;
        let numbered = (method == Method::Area).then(|| NumberedArea::new(drawn, native, to, &tables)).flatten();
        if let Some(area) = numbered {
            return Self { way: Way::Numbered(area), bytes };
        }
        if tables.len() == 3 && drawn == native && method == Method::Area && shrinks && !is_whole {
            return Self { way: Way::Coloured(ColouredArea::new(native, to, palette)), bytes };
        }
        let (to_native, resize) = (Resize::new(drawn, native, Method::Area, 1), Resize::new(native, to, method, 1));
        Self { way: Way::Planes { tables, native: to_native, resize, native_bytes: native.0 * native.1 }, bytes }
    }

    /// Bytes of a frame.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Makes a frame of a picture.
    pub fn draw(&self, screen: &[u8], frame: &mut [u8]) {
        match &self.way {
            Way::Numbered(area) => area.run(screen, frame),
            Way::Coloured(area) => area.run(screen, frame),
            Way::Planes { tables, native, resize, native_bytes } => {
                let mut shown = vec![0; *native_bytes];
                for (table, plane) in tables.iter().zip(frame.chunks_exact_mut(self.bytes / tables.len())) {
                    let looked_up: Vec<u8> = screen.iter().map(|pixel| table[usize::from(*pixel)]).collect();
                    native.run(&looked_up, &mut shown);
                    resize.run(&shown, plane);
                }
            }
        }
    }
}

/// Rows and columns of a picture.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// As the engine draws it.
    pub drawn: (usize, usize),
    /// As the scenario has it.
    pub native: (usize, usize),
    /// As it is shown.
    pub to: (usize, usize),
}

/// A picture in red, green and blue, or in grays, resized as frames are.
pub fn picture(palette: &Palette, format: ScreenFormat, screen: &[u8], sizes: Sizes, method: Method) -> Picture {
    let Sizes { drawn, native, to } = sizes;
    let tables = tables(palette, format);
    let (to_native, resize) = (Resize::new(drawn, native, Method::Area, 1), Resize::new(native, to, method, 1));
    let mut pixels = vec![0; to.0 * to.1 * 3];
    for colour in 0..3 {
        let table = &tables[colour.min(tables.len() - 1)];
        let looked_up: Vec<u8> = screen.iter().map(|pixel| table[usize::from(*pixel)]).collect();
        let (mut shown, mut plane) = (vec![0; native.0 * native.1], vec![0; to.0 * to.1]);
        to_native.run(&looked_up, &mut shown);
        resize.run(&shown, &mut plane);
        pixels.iter_mut().skip(colour).step_by(3).zip(plane).for_each(|(pixel, value)| *pixel = value);
    }
    Picture::new(to.1 as u32, to.0 as u32, pixels)
}
