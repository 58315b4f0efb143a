//! Rendering of a particle world, as in `mpe2` 1.1.1 (`_mpe_utils/simple_env.py`).

use super::world::Vector;
use envpool_rs_engine::{Frame, RenderSpec};
use envpool_rs_pictures::into_picture;
use envpool_rs_pictures::raster::{BLACK, Canvas, Color, DrawTarget, Surface, WHITE, glyph_blocks};

/// Size and frame rate of the pictures of the particle environments.
pub const RENDERING: RenderSpec = RenderSpec::with_frame_size(SIDE, SIDE, 10);

const SIDE: u32 = 700;
/// Number of pixels per unit of an entity's radius. Positions have a different scale.
const SIZE_SCALE: f64 = 350.0;
/// Fraction of the picture's width and height that the positions of all entities span.
const PLANE_SHARE: f64 = 0.9;
/// Largest radius that is drawn, in pixels.
const MAX_RADIUS: f64 = 100_000.0;
/// Left edge of the messages, top of the first one, and distance of the next one above it, in pixels.
const MESSAGES: [i32; 3] = [35, 665, 35];
/// Width of a block of a message's letters, in pixels.
const BLOCK: i32 = 2;

/// Red, green and blue of an entity; 1.275 is full brightness, because mpe2 multiplies by 200 instead of 255.
pub type Rgb = [f64; 3];

/// An agent or a landmark of the particle world, which is drawn as a disc.
pub struct Entity {
    pub position: Vector,
    /// Radius of the disc.
    pub size: f64,
    pub color: Rgb,
}

/// Returns the largest absolute coordinate of `positions`.
pub fn extent(positions: impl IntoIterator<Item = Vector>) -> f64 {
    positions.into_iter().flatten().fold(0.0, |most, number| number.abs().max(most))
}

/// Returns the line of text that shows an agent's message: the word of discrete actions, or how loud each word is.
pub fn message(agent: &str, loudness: &[f64], is_continuous: bool) -> String {
    let words = || loudness.iter().enumerate();
    let text = if loudness.iter().all(|word| *word == 0.0) {
        "_".to_owned()
    } else if is_continuous {
        format!("[{}]", loudness.iter().map(|word| format!("{word:.2}")).collect::<Vec<_>>().join(","))
    } else {
        let loudest = words().rev().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(word, _)| word);
        char::from(b'A' + loudest as u8).to_string()
    };
    format!("{agent} sends {text}")
}

/// Draws all entities, and `messages` as one line of text each from the bottom up, as a picture of `size` pixels. The plane is
/// scaled so that all entities fit the picture. Pictures of the default size are mpe2's, pixel by pixel, except for the letters.
///
/// If `initial_extent` is given (the [`extent`] of the episode's first state), entities scale with the plane. Otherwise their
/// size in pixels is constant.
pub fn picture(entities: &[Entity], initial_extent: Option<f64>, messages: &[String], size: (u32, u32)) -> Frame {
    let side = f64::from(SIDE);
    let extent = extent(entities.iter().map(|entity| entity.position));
    let zoom = initial_extent.map_or(1.0, |first| PLANE_SHARE * first / extent);
    let to_pixel = |number: f64| (number / extent * side / 2.0).floor() * PLANE_SHARE + side / 2.0;
    let discs = entities.iter().map(|Entity { position: [x, y], size, color }| {
        let [red, green, blue] = color.map(|part| (part * 200.0) as u8);
        let radius = (size * SIZE_SCALE * zoom).min(MAX_RADIUS);
        ((to_pixel(*x), to_pixel(-y)), radius, Color::rgb(red, green, blue))
    });
    let [left, bottom, line] = MESSAGES;
    let letters = messages.iter().zip(0..).flat_map(|(text, number)| {
        let corner = move |(column, row): (u32, u32)| (left + BLOCK * column as i32, bottom - line * number + BLOCK * row as i32);
        glyph_blocks(text).into_iter().map(corner)
    });
    if size == (SIDE, SIDE) {
        let mut surface = Surface::new((SIDE as usize, SIDE as usize), WHITE);
        for (middle, radius, color) in discs {
            let middle = (middle.0 as i32, middle.1 as i32);
            surface.circle(middle, radius as i32, color);
            surface.ring(middle, radius as i32, BLACK);
        }
        letters.for_each(|(x, y)| surface.fill_rect((x, y), (x + BLOCK, y + BLOCK), BLACK));
        return Frame::new(SIDE, SIDE, surface.into_rgb());
    }
    let mut canvas = Canvas::stretched((SIDE, SIDE), size, WHITE);
    for (middle, radius, color) in discs {
        canvas.circle(middle, radius, color);
        canvas.ring(middle, radius - 0.5, 1.0, BLACK);
    }
    let block = (f64::from(BLOCK), f64::from(BLOCK));
    letters.for_each(|(x, y)| canvas.rectangle((f64::from(x), f64::from(y)), block, BLACK));
    into_picture(canvas)
}
