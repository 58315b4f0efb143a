//! Canvas on which anti-aliased shapes are drawn.

use tiny_skia::{
    FillRule, FilterQuality, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Rect, Stroke, Transform,
};

use super::Color;
use super::text::glyph_blocks;

/// Position of a point in pixels: `x` to the right, and `y` down from the top (on a [`Canvas::y_up`], up from the bottom).
pub type Point = (f64, f64);

/// Largest coordinate of a shape, in pixels. Shapes with larger coordinates are not drawn, because the rasterizer may
/// not terminate; no environment draws such shapes.
const MAX_COORDINATE: f64 = 1e6;

/// Canvas of pixels on which shapes are drawn.
///
/// Shapes are clipped to the canvas. Shapes with a coordinate that is not finite or beyond a million pixels are not drawn.
#[derive(Debug, Clone)]
pub struct Canvas {
    pixmap: Pixmap,
    transform: Transform,
    /// Largest coordinate of a shape that is drawn.
    max_coordinate: f64,
}

impl Canvas {
    /// Creates a canvas filled with `background`; `y` runs down from the top.
    ///
    /// # Panics
    /// If the canvas is empty, or has more than 2^27 pixels in either direction.
    pub fn new(width: u32, height: u32, background: Color) -> Self {
        Self::stretched((width, height), (width, height), background)
    }

    /// Creates a canvas of `size` pixels filled with `background`. Coordinates are those of a canvas of `plane` pixels, whose
    /// shapes are stretched to `size`; `y` runs down from the top.
    ///
    /// # Panics
    /// If the canvas or the plane is empty, or the canvas has more than 2^27 pixels in either direction.
    pub fn stretched(plane: (u32, u32), size: (u32, u32), background: Color) -> Self {
        assert!(plane.0 > 0 && plane.1 > 0, "a plane has pixels");
        let mut pixmap = Pixmap::new(size.0, size.1).expect("a canvas has pixels");
        pixmap.fill(paint_color(background));
        let (x, y) = (f64::from(size.0) / f64::from(plane.0), f64::from(size.1) / f64::from(plane.1));
        let max_coordinate = MAX_COORDINATE / x.max(y).max(1.0);
        Self { pixmap, transform: Transform::from_scale(x as f32, y as f32), max_coordinate }
    }

    /// Creates a canvas as [`Canvas::stretched`] does, but `y` runs up from the bottom.
    ///
    /// # Panics
    /// As [`Canvas::stretched`].
    pub fn y_up(plane: (u32, u32), size: (u32, u32), background: Color) -> Self {
        let canvas = Self::stretched(plane, size, background);
        let transform = canvas.transform.pre_concat(Transform::from_row(1.0, 0.0, 0.0, -1.0, 0.0, plane.1 as f32));
        Self { transform, ..canvas }
    }

    /// Returns width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.pixmap.width(), self.pixmap.height())
    }

    /// Fills a closed polygon.
    pub fn polygon(&mut self, corners: &[Point], color: Color) {
        if let Some(path) = self.path_through(corners, true) {
            self.fill(&path, color);
        }
    }

    /// Draws the outline of a closed polygon, `width` pixels wide.
    pub fn outline(&mut self, corners: &[Point], width: f64, color: Color) {
        if let Some(path) = self.path_through(corners, true) {
            self.stroke(&path, width, color);
        }
    }

    /// Draws lines from point to point, `width` pixels wide.
    pub fn lines(&mut self, points: &[Point], width: f64, color: Color) {
        if let Some(path) = self.path_through(points, false) {
            self.stroke(&path, width, color);
        }
    }

    /// Fills a rectangle. It is given by the corner with the least coordinates, its width and its height.
    pub fn rectangle(&mut self, (x, y): Point, (width, height): Point, color: Color) {
        if !self.are_drawable(&[x, y, width, height]) {
            return;
        }
        let corner = |x: f64, y: f64| tiny_skia::Point::from_xy(x as f32, y as f32);
        let mut corners = [corner(x, y), corner(x + width, y + height)];
        self.transform.map_points(&mut corners);
        // The corners are transformed here, because tiny-skia fills a rectangle directly, without building a path, only if no
        // transform is set.
        let [a, b] = corners;
        if let Some(rect) = Rect::from_ltrb(a.x.min(b.x), a.y.min(b.y), a.x.max(b.x), a.y.max(b.y)) {
            self.pixmap.fill_rect(rect, &paint(color), Transform::identity(), None);
        }
    }

    /// Draws a sprite whose top left corner is at `corner`.
    ///
    /// Each letter of `rows` is a square of `block` pixels in the colour that `palette` gives to the letter; letters without a
    /// colour are transparent.
    pub fn sprite(&mut self, rows: &[impl AsRef<str>], palette: &[(char, Color)], corner: Point, block: f64) {
        for (row, letters) in rows.iter().enumerate() {
            for (column, letter) in letters.as_ref().chars().enumerate() {
                let Some((_, color)) = palette.iter().find(|(name, _)| *name == letter) else { continue };
                let corner_of_block = (corner.0 + column as f64 * block, corner.1 + row as f64 * block);
                self.rectangle(corner_of_block, (block, block), *color);
            }
        }
    }

    /// Fills a circle.
    pub fn circle(&mut self, center: Point, radius: f64, color: Color) {
        self.ellipse(center, (radius, radius), color);
    }

    /// Draws the outline of a circle. The line is `width` pixels wide, half of it outside of `radius`.
    pub fn ring(&mut self, center: Point, radius: f64, width: f64, color: Color) {
        if let Some(path) = self.oval(center, (radius, radius)) {
            self.stroke(&path, width, color);
        }
    }

    /// Fills an ellipse with the horizontal and vertical radii `radii`.
    pub fn ellipse(&mut self, center: Point, radii: Point, color: Color) {
        if let Some(path) = self.oval(center, radii) {
            self.fill(&path, color);
        }
    }

    /// Draws the canvas `image` onto this canvas. The top left corner of `image` is at `(x, y)`, and each pixel of `image` covers
    /// `scale` pixels.
    pub fn blit(&mut self, image: &Self, (x, y): Point, scale: Point) {
        if !self.are_drawable(&[x, y, scale.0, scale.1]) {
            return;
        }
        let placement = Transform::from_row(scale.0 as f32, 0.0, 0.0, scale.1 as f32, x as f32, y as f32);
        let paint = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
        self.pixmap.draw_pixmap(0, 0, image.pixmap.as_ref(), &paint, self.transform.pre_concat(placement), None);
    }

    /// Draws a string whose top left corner is at `(x, y)`. Letters have 8 by 8 blocks; a block is a square of `block` pixels.
    ///
    /// Characters outside of ASCII stay blank.
    pub fn text(&mut self, text: &str, (x, y): Point, block: f64, color: Color) {
        for (column, row) in glyph_blocks(text) {
            self.rectangle((x + f64::from(column) * block, y + f64::from(row) * block), (block, block), color);
        }
    }

    /// Returns red, green and blue of each pixel, row by row from the top; transparent pixels are black.
    pub fn into_rgb(self) -> Vec<u8> {
        // The pixmap stores premultiplied colours: each is multiplied by its opacity, so that it equals the colour drawn over
        // black.
        let data = self.pixmap.data();
        let mut pixels = vec![0; data.len() / 4 * 3];
        pixels.chunks_exact_mut(3).zip(data.chunks_exact(4)).for_each(|(out, pixel)| out.copy_from_slice(&pixel[..3]));
        pixels
    }

    fn fill(&mut self, path: &Path, color: Color) {
        self.pixmap.fill_path(path, &paint(color), FillRule::Winding, self.transform, None);
    }

    fn stroke(&mut self, path: &Path, width: f64, color: Color) {
        if width.is_nan() || width <= 0.0 || !self.are_drawable(&[width]) {
            return;
        }
        let stroke = Stroke { width: width as f32, line_cap: LineCap::Butt, line_join: LineJoin::Round, ..Stroke::default() };
        self.pixmap.stroke_path(path, &paint(color), &stroke, self.transform, None);
    }

    fn are_drawable(&self, numbers: &[f64]) -> bool {
        numbers.iter().all(|number| number.abs() <= self.max_coordinate)
    }

    /// Returns the path through `points`; closed if `close` is set. Returns `None` if there are too few points or a coordinate
    /// is too large.
    fn path_through(&self, points: &[Point], close: bool) -> Option<Path> {
        if !points.iter().all(|(x, y)| self.are_drawable(&[*x, *y])) {
            return None;
        }
        let mut builder = PathBuilder::new();
        let (first, rest) = points.split_first()?;
        builder.move_to(first.0 as f32, first.1 as f32);
        rest.iter().for_each(|(x, y)| builder.line_to(*x as f32, *y as f32));
        if close {
            builder.close();
        }
        builder.finish()
    }

    fn oval(&self, (x, y): Point, (across, up): Point) -> Option<Path> {
        if !self.are_drawable(&[x, y, across, up]) {
            return None;
        }
        let bounds = Rect::from_ltrb((x - across) as f32, (y - up) as f32, (x + across) as f32, (y + up) as f32)?;
        PathBuilder::from_oval(bounds)
    }
}

/// Rotates points around the origin by `angle` (in rad, from the first axis to the second), then moves them by `to`.
pub fn rotate<const N: usize>(points: &[Point; N], angle: f64, to: Point) -> [Point; N] {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::{BLACK, WHITE};

    const RED: Color = Color::rgb(255, 0, 0);

    fn pixel(canvas: &Canvas, x: usize, y: usize) -> [u8; 3] {
        let width = canvas.size().0 as usize;
        canvas.clone().into_rgb()[(y * width + x) * 3..][..3].try_into().unwrap()
    }

    #[test]
    fn a_rectangle_on_whole_pixels_has_hard_edges() {
        let mut canvas = Canvas::new(8, 8, WHITE);
        canvas.rectangle((2.0, 3.0), (3.0, 2.0), RED);
        let red: Vec<_> = (0..64).filter(|at| pixel(&canvas, at % 8, at / 8) == [255, 0, 0]).collect();
        assert_eq!(red, [26, 27, 28, 34, 35, 36]);
        assert_eq!(pixel(&canvas, 1, 3), [255; 3]);
    }

    #[test]
    fn the_first_row_is_the_bottom_if_y_points_up() {
        let mut canvas = Canvas::y_up((4, 6), (4, 6), WHITE);
        canvas.rectangle((0.0, 0.0), (4.0, 1.0), RED);
        assert_eq!((pixel(&canvas, 0, 5), pixel(&canvas, 0, 4)), ([255, 0, 0], [255; 3]));
    }

    #[test]
    fn a_stretched_canvas_has_the_shapes_of_its_plane() {
        for make in [Canvas::stretched, Canvas::y_up] {
            let mut canvas = make((40, 60), (20, 90), WHITE);
            canvas.rectangle((0.0, 0.0), (20.0, 20.0), RED);
            canvas.lines(&[(0.0, 50.0), (40.0, 50.0)], 4.0, BLACK);
            assert_eq!(canvas.size(), (20, 90));
            let rows: Vec<_> = (0..90).map(|y| pixel(&canvas, 9, y)).collect();
            let count = |color: [u8; 3]| rows.iter().filter(|row| **row == color).count();
            assert_eq!((count([255, 0, 0]), count([0; 3]), count([255; 3])), (30, 6, 54));
            assert_eq!(pixel(&canvas, 10, 4), pixel(&canvas, 19, 4));
        }
    }

    #[test]
    fn edges_between_pixels_are_antialiased() {
        let mut canvas = Canvas::new(4, 4, WHITE);
        canvas.polygon(&[(0.0, 0.0), (1.5, 0.0), (1.5, 4.0), (0.0, 4.0)], BLACK);
        assert_eq!((pixel(&canvas, 0, 2), pixel(&canvas, 2, 2)), ([0; 3], [255; 3]));
        assert!((120..=135).contains(&pixel(&canvas, 1, 2)[0]), "{:?}", pixel(&canvas, 1, 2));
    }

    #[test]
    fn circles_and_rings_are_round() {
        let mut canvas = Canvas::new(40, 40, WHITE);
        canvas.circle((20.0, 20.0), 15.0, BLACK);
        canvas.ring((20.0, 20.0), 15.0, 2.0, RED);
        assert_eq!((pixel(&canvas, 20, 20), pixel(&canvas, 20, 5), pixel(&canvas, 5, 20)), ([0; 3], [255, 0, 0], [255, 0, 0]));
        assert_eq!(pixel(&canvas, 7, 7), [255; 3]);
    }

    #[test]
    fn transparent_pixels_keep_the_background() {
        let mut stamp = Canvas::new(2, 1, super::super::TRANSPARENT);
        stamp.rectangle((1.0, 0.0), (1.0, 1.0), RED);
        let mut canvas = Canvas::new(8, 4, WHITE);
        canvas.blit(&stamp, (2.0, 1.0), (2.0, 2.0));
        assert_eq!((pixel(&canvas, 2, 1), pixel(&canvas, 5, 1), pixel(&canvas, 5, 3)), ([255; 3], [255, 0, 0], [255; 3]));
    }

    #[test]
    fn sprites_are_transparent_at_letters_without_a_colour() {
        let mut canvas = Canvas::new(4, 4, WHITE);
        canvas.sprite(&[".r", "r."], &[('r', RED)], (0.0, 0.0), 2.0);
        assert_eq!([(1, 1), (2, 0), (1, 3), (3, 3)].map(|(x, y)| pixel(&canvas, x, y)[1]), [255, 0, 0, 255]);
    }

    #[test]
    fn text_has_the_computed_width() {
        let mut canvas = Canvas::new(64, 8, WHITE);
        canvas.text("MM", (0.0, 0.0), 1.0, BLACK);
        let rightmost = (0..64).rfind(|x| (0..8).any(|y| pixel(&canvas, *x, y) == [0; 3])).unwrap();
        assert!((8..crate::raster::text_width("MM") as usize).contains(&rightmost), "{rightmost}");
    }

    #[test]
    fn nonfinite_and_huge_coordinates_are_drawn_without_error() {
        let mut canvas = Canvas::y_up((8, 8), (8, 8), WHITE);
        for wild in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e30, 1e9] {
            canvas.polygon(&[(wild, 0.0), (wild, wild), (0.0, wild)], BLACK);
            canvas.lines(&[(0.0, wild), (wild, 4.0)], 1.0, BLACK);
            canvas.lines(&[(0.0, 0.0), (4.0, 4.0)], wild, BLACK);
            canvas.circle((wild, wild), 2.0, BLACK);
            canvas.circle((100.0, 100.0), wild, BLACK);
            canvas.ring((wild, 0.0), 3.0, 1.0, BLACK);
            canvas.rectangle((wild, 0.0), (1.0, 1.0), BLACK);
            canvas.rectangle((0.0, 0.0), (wild, 1.0), BLACK);
            canvas.blit(&Canvas::new(2, 2, RED), (wild, wild), (1.0, 1.0));
            canvas.text("x", (wild, 0.0), 1.0, BLACK);
            rotate(&[(wild, wild)], wild, (wild, wild));
        }
        assert_eq!(canvas.into_rgb().len(), 8 * 8 * 3);
    }
}
