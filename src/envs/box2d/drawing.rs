//! Drawing functions that the Box2D environments share.

use envpool_rs_engine::Frame;
use envpool_rs_pictures::into_picture;
use envpool_rs_pictures::raster::{Canvas, Color, DrawTarget, Pixel, Point, Surface};
use envpool_rs_sim_box2d::{BodyId, ShapeRef, World};

/// Converts a point to a 16-bit pixel position, as `pygame.gfxdraw` does.
pub fn to_i16_pixel((x, y): Point) -> Pixel {
    let to_i16 = |value: f64| i32::from(value as i64 as i16);
    (to_i16(x), to_i16(y))
}

/// Converts a point to a pixel position, as `pygame.draw` does. Coordinates are clamped to ±16000, so that sums of coordinates
/// in drawing functions fit into 32 bits.
pub fn to_pixel((x, y): Point) -> Pixel {
    let to_i32 = |value: f64| value.clamp(-16000.0, 16000.0) as i32;
    (to_i32(x), to_i32(y))
}

/// Returns the vertices of a body's shapes in pixels, last shape first, like Box2D's fixture list.
///
/// The vertices are scaled in float32, because gymnasium multiplies Box2D vectors.
pub fn shape_vertices(world: &World, body: BodyId, scale: f64) -> impl Iterator<Item = Vec<Point>> {
    let body = world.body(body);
    let to_view = move |v: &_| {
        let v = body.transform().to_world(*v);
        let v = scale as f32 * v;
        (f64::from(v.x), f64::from(v.y))
    };
    body.fixtures().rev().map(move |fixture| match world.shape(fixture) {
        ShapeRef::Circle(center, _) => vec![to_view(center)],
        ShapeRef::Edge(ends) => ends.iter().map(to_view).collect(),
        ShapeRef::Polygon(polygon) => polygon.vertices().iter().map(to_view).collect(),
    })
}

/// Draw target of a whole picture, with pygame's functions that gymnasium calls before it flips the surface vertically.
/// Coordinates are pixels of gymnasium's surface; `y` runs up from the bottom.
pub trait PictureTarget: DrawTarget {
    /// Fills a polygon as `draw.polygon` does.
    fn fill_polygon(&mut self, corners: &[Point], color: Color);

    /// Draws a filled polygon with an anti-aliased outline, as gymnasium does with `draw.polygon` and `gfxdraw.aapolygon`.
    fn fill_aapolygon(&mut self, corners: &[Point], color: Color);

    /// Fills the space between the line through `points` and the horizontal line at the height `base`, with one
    /// [`fill_aapolygon`](Self::fill_aapolygon) for each two points.
    fn fill_terrain(&mut self, points: &[Point], base: f64, color: Color);

    /// Draws the border of a polygon as gymnasium does with `draw.lines` and `gfxdraw.aapolygon`.
    fn draw_border(&mut self, corners: &[Point], color: Color);

    /// Draws the anti-aliased outline of a polygon as `draw.aalines` does.
    fn draw_aalines(&mut self, corners: &[Point], color: Color);

    /// Draws an anti-aliased line as `draw.aaline` does.
    fn draw_aaline(&mut self, ends: [Point; 2], color: Color);

    /// Draws lines from point to point, `width` pixels wide (one or two), as `draw.lines` does.
    fn draw_lines(&mut self, points: &[Point], width: u8, color: Color);
}

impl PictureTarget for Surface {
    fn fill_polygon(&mut self, corners: &[Point], color: Color) {
        self.polygon(&map_pixels(corners, to_pixel), color, true);
    }

    fn fill_aapolygon(&mut self, corners: &[Point], color: Color) {
        self.fill_polygon(corners, color);
        self.aapolygon(&map_pixels(corners, to_i16_pixel), color);
    }

    fn fill_terrain(&mut self, points: &[Point], base: f64, color: Color) {
        for ends in points.windows(2) {
            self.fill_aapolygon(&[ends[0], ends[1], (ends[1].0, base), (ends[0].0, base)], color);
        }
    }

    fn draw_border(&mut self, corners: &[Point], color: Color) {
        let closed: Vec<_> = corners.iter().chain(corners.first()).copied().collect();
        self.draw_lines(&closed, 1, color);
        self.aapolygon(&map_pixels(&closed, to_i16_pixel), color);
    }

    fn draw_aalines(&mut self, corners: &[Point], color: Color) {
        self.aalines(corners, color);
    }

    fn draw_aaline(&mut self, [a, b]: [Point; 2], color: Color) {
        self.aaline(a, b, color);
    }

    fn draw_lines(&mut self, points: &[Point], width: u8, color: Color) {
        let pixels = map_pixels(points, to_pixel);
        match width {
            1 => self.thin_lines(&pixels, color),
            _ => self.wide_lines(&pixels, color),
        }
    }
}

fn map_pixels(corners: &[Point], pixel: fn(Point) -> Pixel) -> Vec<Pixel> {
    corners.iter().map(|corner| pixel(*corner)).collect()
}

/// Canvas of another size than gymnasium's surface, with shapes at the same places. Shapes have exact positions and smooth
/// edges, unlike those of a [`Surface`].
pub struct StretchedSurface {
    canvas: Canvas,
    /// Column of gymnasium's surface at the canvas's left side.
    left: f64,
    /// Width and height of the visible part of gymnasium's surface.
    size: Point,
    /// Width of the outline of a polygon next to which others lie without a gap: at least one pixel of the canvas, because
    /// the background would shine through between two smooth edges.
    seam: f64,
}

impl StretchedSurface {
    /// Creates a canvas of `size` pixels filled with `background`, for shapes on a surface of `surface` pixels whose columns
    /// from `left` on are visible.
    pub fn new(surface: (usize, usize), left: f64, size: (u32, u32), background: Color) -> Self {
        let canvas = Canvas::y_up((surface.0 as u32, surface.1 as u32), size, background);
        let (width, height) = (surface.0 as f64, surface.1 as f64);
        let seam = (width / f64::from(size.0)).max(height / f64::from(size.1)).max(1.0);
        Self { canvas, left, size: (width, height), seam }
    }

    /// Returns the picture.
    pub fn into_frame(self) -> Frame {
        into_picture(self.canvas)
    }

    /// Returns points on the canvas, `shift` pixels of the surface to the upper right. Returns `None` if a shape through these
    /// points is not visible.
    fn place(&self, points: &[Point], shift: f64) -> Option<Vec<Point>> {
        let points: Vec<_> = points.iter().map(|(x, y)| (x - self.left + shift, y + shift)).collect();
        let margin = 2.0 + self.seam;
        let is_near = |coordinate: fn(&Point) -> f64, size: f64| {
            let numbers = points.iter().map(coordinate);
            numbers.clone().any(|number| number > -margin) && numbers.into_iter().any(|number| number < size + margin)
        };
        (is_near(|point| point.0, self.size.0) && is_near(|point| point.1, self.size.1)).then_some(points)
    }

    /// Fills a polygon that is larger by `margin` on each side.
    fn fill_grown(&mut self, corners: &[Point], shift: f64, margin: f64, color: Color) {
        if let Some(corners) = self.place(corners, shift) {
            self.canvas.polygon(&grow(&corners, margin), color);
        }
    }

    fn stroke(&mut self, points: &[Point], shift: f64, width: f64, color: Color) {
        if let Some(points) = self.place(points, shift) {
            self.canvas.lines(&points, width, color);
        }
    }

    fn stroke_closed(&mut self, corners: &[Point], shift: f64, color: Color) {
        if let Some(corners) = self.place(corners, shift) {
            self.canvas.outline(&corners, 1.0, color);
        }
    }
}

/// Moves each side of a polygon outwards by `margin`.
fn grow(corners: &[Point], margin: f64) -> Vec<Point> {
    let count = corners.len();
    let side = |i: usize| {
        let (a, b) = (corners[i % count], corners[(i + 1) % count]);
        (b.0 - a.0, b.1 - a.1)
    };
    let area: f64 = (0..count).map(|i| corners[i].0 * side(i).1 - corners[i].1 * side(i).0).sum();
    // The unit vector to the right of a side, which points outwards if the corners run counter-clockwise.
    let normal = |i: usize| {
        let (x, y) = side(i);
        let length = x.hypot(y).copysign(area);
        if length == 0.0 { (0.0, 0.0) } else { (y / length, -x / length) }
    };
    let moved = |i: usize| {
        let (before, after) = (normal(i + count - 1), normal(i));
        // Acute corners move by at most twice the margin.
        let reach = margin / (1.0 + before.0 * after.0 + before.1 * after.1).max(0.5);
        (corners[i].0 + reach * (before.0 + after.0), corners[i].1 + reach * (before.1 + after.1))
    };
    (0..count).map(moved).collect()
}

impl PictureTarget for StretchedSurface {
    fn fill_polygon(&mut self, corners: &[Point], color: Color) {
        self.fill_grown(corners, 0.0, 0.0, color);
    }

    fn fill_aapolygon(&mut self, corners: &[Point], color: Color) {
        self.fill_grown(corners, 0.0, 0.5, color);
    }

    /// Fills one polygon, because the background would shine through between several with smooth edges.
    fn fill_terrain(&mut self, points: &[Point], base: f64, color: Color) {
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        let corners: Vec<_> = points.iter().copied().chain([(last.0, base), (first.0, base)]).collect();
        self.fill_aapolygon(&corners, color);
    }

    fn draw_border(&mut self, corners: &[Point], color: Color) {
        self.stroke_closed(corners, 0.0, color);
    }

    fn draw_aalines(&mut self, corners: &[Point], color: Color) {
        self.stroke_closed(corners, 0.5, color);
    }

    fn draw_aaline(&mut self, ends: [Point; 2], color: Color) {
        self.stroke(&ends, 0.5, 1.0, color);
    }

    fn draw_lines(&mut self, points: &[Point], width: u8, color: Color) {
        self.stroke(points, 0.0, f64::from(width), color);
    }
}

impl DrawTarget for StretchedSurface {
    fn filled_aapolygon(&mut self, corners: &[Pixel], color: Color) {
        self.fill_grown(&to_points(corners), 0.5, self.seam / 2.0, color);
    }

    fn polygon(&mut self, corners: &[Pixel], color: Color, is_flipped: bool) {
        let mut corners = to_points(corners);
        if !is_flipped {
            corners.iter_mut().for_each(|corner| corner.1 = self.size.1 - 1.0 - corner.1);
        }
        self.fill_grown(&corners, 0.5, 0.5, color);
    }

    fn fill_rect(&mut self, begin: Pixel, end: Pixel, color: Color) {
        let size = (f64::from(end.0 - begin.0), f64::from(end.1 - begin.1));
        self.canvas.rectangle((f64::from(begin.0) - self.left, self.size.1 - f64::from(end.1)), size, color);
    }
}

fn to_points(pixels: &[Pixel]) -> Vec<Point> {
    pixels.iter().map(|(x, y)| (f64::from(*x), f64::from(*y))).collect()
}
