//! A picture being drawn.

use tiny_skia::{
    FillRule, FilterQuality, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Rect, Stroke, Transform,
};

use super::Color;
use super::text::glyph_blocks;

/// A place in pixels: to the right, then down from the top, or up from the bottom of a [`Canvas::upwards`].
pub type Point = (f64, f64);

/// A picture being drawn, in pixels.
///
/// Shapes that reach out of it are cut off; shapes of numbers that are not finite are not drawn.
#[derive(Debug, Clone)]
pub struct Canvas {
    pixmap: Pixmap,
    transform: Transform,
}

impl Canvas {
    /// A canvas filled with `background`; `y` runs down from the top.
    ///
    /// # Panics
    /// Where it is empty, or of more than 2^27 pixels in either direction.
    pub fn new(width: u32, height: u32, background: Color) -> Self {
        let mut pixmap = Pixmap::new(width, height).expect("a canvas has pixels");
        pixmap.fill(paint_color(background));
        Self { pixmap, transform: Transform::identity() }
    }

    /// A canvas filled with `background`; `y` runs up from the bottom.
    ///
    /// # Panics
    /// As [`Canvas::new`].
    pub fn upwards(width: u32, height: u32, background: Color) -> Self {
        let transform = Transform::from_row(1.0, 0.0, 0.0, -1.0, 0.0, height as f32);
        Self { transform, ..Self::new(width, height, background) }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.pixmap.width(), self.pixmap.height())
    }

    /// Fills a polygon, closing it.
    pub fn polygon(&mut self, corners: &[Point], color: Color) {
        if let Some(path) = path_through(corners, true) {
            self.fill(&path, color);
        }
    }

    /// Draws the outline of a polygon, `width` pixels wide, closing it.
    pub fn outline(&mut self, corners: &[Point], width: f64, color: Color) {
        if let Some(path) = path_through(corners, true) {
            self.stroke(&path, width, color);
        }
    }

    /// Draws lines from point to point, `width` pixels wide.
    pub fn lines(&mut self, points: &[Point], width: f64, color: Color) {
        if let Some(path) = path_through(points, false) {
            self.stroke(&path, width, color);
        }
    }

    /// Fills a rectangle: corner with the least coordinates, then width and height.
    pub fn rectangle(&mut self, (x, y): Point, (width, height): Point, color: Color) {
        let corner = |x: f64, y: f64| tiny_skia::Point::from_xy(x as f32, y as f32);
        let mut corners = [corner(x, y), corner(x + width, y + height)];
        self.transform.map_points(&mut corners);
        // Corners in place of a transform: thus it is filled without a path.
        let [a, b] = corners;
        if let Some(place) = Rect::from_ltrb(a.x.min(b.x), a.y.min(b.y), a.x.max(b.x), a.y.max(b.y)) {
            self.pixmap.fill_rect(place, &paint(color), Transform::identity(), None);
        }
    }

    /// Draws rows of letters, each a square of `block` pixels in the colour that `palette` gives it; other letters leave what is
    /// there. The top left corner is at `corner`.
    pub fn sprite(&mut self, rows: &[impl AsRef<str>], palette: &[(char, Color)], corner: Point, block: f64) {
        for (row, letters) in rows.iter().enumerate() {
            for (column, letter) in letters.as_ref().chars().enumerate() {
                let Some((_, color)) = palette.iter().find(|(name, _)| *name == letter) else { continue };
                let place = (corner.0 + column as f64 * block, corner.1 + row as f64 * block);
                self.rectangle(place, (block, block), *color);
            }
        }
    }

    /// Fills a circle.
    pub fn circle(&mut self, center: Point, radius: f64, color: Color) {
        self.ellipse(center, (radius, radius), color);
    }

    /// Draws a circle's outline, `width` pixels wide, with its middle at `radius`.
    pub fn ring(&mut self, center: Point, radius: f64, width: f64, color: Color) {
        if let Some(path) = oval(center, (radius, radius)) {
            self.stroke(&path, width, color);
        }
    }

    /// Fills an ellipse with these radii to the side and up.
    pub fn ellipse(&mut self, center: Point, radii: Point, color: Color) {
        if let Some(path) = oval(center, radii) {
            self.fill(&path, color);
        }
    }

    /// Draws another canvas over this one: its top left corner at `corner`, each of its pixels `scale` pixels wide and high.
    pub fn stamp(&mut self, image: &Self, (x, y): Point, scale: Point) {
        let place = Transform::from_row(scale.0 as f32, 0.0, 0.0, scale.1 as f32, x as f32, y as f32);
        let paint = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
        self.pixmap.draw_pixmap(0, 0, image.pixmap.as_ref(), &paint, self.transform.pre_concat(place), None);
    }

    /// Writes text with its top left corner at `corner`, in letters of 8 by 8 blocks of `block` pixels, as far as they are ASCII's.
    pub fn text(&mut self, text: &str, (x, y): Point, block: f64, color: Color) {
        for (column, row) in glyph_blocks(text) {
            self.rectangle((x + f64::from(column) * block, y + f64::from(row) * block), (block, block), color);
        }
    }

    /// Red, green and blue of each pixel, row by row from the top; what nothing covers is black.
    pub fn into_rgb(self) -> Vec<u8> {
        // Colours are stored multiplied by their opacity, which over black is what one sees.
        self.pixmap.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }

    fn fill(&mut self, path: &Path, color: Color) {
        self.pixmap.fill_path(path, &paint(color), FillRule::Winding, self.transform, None);
    }

    fn stroke(&mut self, path: &Path, width: f64, color: Color) {
        let stroke = Stroke { width: width as f32, line_cap: LineCap::Butt, line_join: LineJoin::Round, ..Stroke::default() };
        self.pixmap.stroke_path(path, &paint(color), &stroke, self.transform, None);
    }
}

/// Points turned by `angle` (rad, from the first axis to the second) around the origin, then moved by `to`.
pub fn turned<const N: usize>(points: &[Point; N], angle: f64, to: Point) -> [Point; N] {
    let (sin, cos) = angle.sin_cos();
    points.map(|(x, y)| (x * cos - y * sin + to.0, x * sin + y * cos + to.1))
}

fn paint_color(Color(red, green, blue, opacity): Color) -> tiny_skia::Color {
    tiny_skia::Color::from_rgba8(red, green, blue, opacity)
}

fn paint(color: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(paint_color(color));
    paint
}

/// `None` where there are too few points, or numbers that are not finite.
fn path_through(points: &[Point], close: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let (first, rest) = points.split_first()?;
    builder.move_to(first.0 as f32, first.1 as f32);
    rest.iter().for_each(|(x, y)| builder.line_to(*x as f32, *y as f32));
    if close {
        builder.close();
    }
    builder.finish()
}

fn oval((x, y): Point, (across, up): Point) -> Option<Path> {
    let bounds = Rect::from_ltrb((x - across) as f32, (y - up) as f32, (x + across) as f32, (y + up) as f32)?;
    PathBuilder::from_oval(bounds)
}
