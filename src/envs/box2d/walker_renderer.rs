//! Renders BipedalWalker: in gymnasium's size, pixel for pixel as gymnasium does with pygame-ce.

use super::drawing::{PictureTarget, StretchedSurface, shape_vertices};
use super::terrain::{Cloud, SCALE, TERRAIN_HEIGHT, TERRAIN_STEP};
use envpool_rs_engine::Frame;
use envpool_rs_pictures::raster::{BLACK, Color, Point, Surface, WHITE};
use envpool_rs_sim_box2d::{BodyId, ShapeRef, World};

/// Borrowed parts of a BipedalWalker state from which a picture is rendered.
pub struct WalkerScene<'a> {
    /// World that contains the terrain's bodies, followed by the walker's bodies.
    pub world: &'a World,
    /// Number of bodies that belong to the terrain.
    pub ground_bodies: u32,
    /// Heights of the terrain points in metres.
    pub heights: &'a [f64],
    /// Bodies of the walker: the hull and the parts of the legs.
    pub walker: [BodyId; 5],
    /// Clouds in the background.
    pub clouds: &'a [Cloud],
    /// Start and end of the lidar ray to draw, in metres; `None` if no ray is drawn.
    pub ray: Option<[Point; 2]>,
}

/// Width and height of gymnasium's pictures in pixels.
pub const VIEWPORT: (u32, u32) = (600, 400);
/// Upper bound of the scroll position in pixels, far beyond the end of the terrain.
const MAX_SCROLL: f64 = 10_000.0;
/// Width of a picture in metres.
const WIDTH: f64 = VIEWPORT.0 as f64 / SCALE;

impl WalkerScene<'_> {
    /// Renders a picture of `size` pixels.
    pub fn render(&self, size: (u32, u32)) -> Frame {
        // gymnasium draws the whole terrain from its start onto one surface, and crops the picture to the surface's right end.
        let hidden = (self.scroll() * SCALE).clamp(0.0, MAX_SCROLL);
        let (width, height) = (VIEWPORT.0 as usize, VIEWPORT.1 as usize);
        if size == VIEWPORT {
            let mut target = Surface::right_part((width + hidden as usize, height), width, BLACK);
            self.draw(&mut target);
            return Frame::new(size.0, size.1, target.into_rgb());
        }
        let mut target = StretchedSurface::new((width, height), hidden, size, BLACK);
        self.draw(&mut target);
        target.into_frame()
    }

    /// Returns the position of the picture's left side in metres.
    fn scroll(&self) -> f64 {
        f64::from(self.world.body(self.walker[0]).position().x) - WIDTH / 5.0
    }

    /// Draws sky, clouds, terrain, lidar ray, walker and the flag at the start.
    fn draw(&self, target: &mut impl PictureTarget) {
        const SKY: Color = Color::rgb(215, 215, 255);
        const EARTH: Color = Color::rgb(102, 153, 76);
        let scroll = self.scroll();
        let left = scroll * SCALE;
        let (right, top) = (left + f64::from(VIEWPORT.0), f64::from(VIEWPORT.1));
        target.fill_polygon(&[(left, 0.0), (right, 0.0), (right, top), (left, top)], SKY);
        for cloud in self.clouds {
            let columns = cloud.iter().map(|corner| corner.0);
            let (first, last) = (columns.clone().fold(f64::INFINITY, f64::min), columns.fold(f64::NEG_INFINITY, f64::max));
            if last >= scroll / 2.0 && first <= scroll / 2.0 + WIDTH {
                target.fill_aapolygon(&cloud.map(|(x, y)| (x * SCALE + scroll * SCALE / 2.0, y * SCALE)), WHITE);
            }
        }
        // The points that have a visible neighbour, or are visible themselves.
        let is_visible = |i: f64| (i + 1.0) * TERRAIN_STEP >= scroll && (i - 1.0) * TERRAIN_STEP <= scroll + WIDTH;
        let points = self.heights.iter().enumerate().map(|(i, height)| (i as f64, height)).filter(|(i, _)| is_visible(*i));
        let ground: Vec<_> = points.map(|(i, height)| (i * TERRAIN_STEP * SCALE, height * SCALE)).collect();
        target.fill_terrain(&ground, 0.0, EARTH);
        if let Some(ends) = self.ray {
            target.draw_lines(&ends.map(|(x, y)| (x * SCALE, y * SCALE)), 1, Color::rgb(255, 0, 0));
        }
        self.draw_bodies(target);
        let (x, low) = (TERRAIN_STEP * 3.0 * SCALE, TERRAIN_HEIGHT * SCALE);
        let high = low + 50.0;
        target.draw_aaline([(x, low), (x, high)], BLACK);
        let flag = [(x, high), (x, high - 10.0), (x + 25.0, high - 5.0)];
        target.fill_polygon(&flag, Color::rgb(230, 51, 0));
        target.draw_lines(&[flag[0], flag[1], flag[2], flag[0]], 1, BLACK);
    }

    /// Draws the terrain's edges and obstacles, the last first, then the legs and the hull.
    fn draw_bodies(&self, target: &mut impl PictureTarget) {
        const STONE: [Color; 2] = [WHITE, Color::rgb(153, 153, 153)];
        let leg = |side: i32| {
            [(153, 76, 127), (102, 51, 76)].map(|(r, g, b)| {
                let shade = |value: i32| (value - side * 25) as u8;
                Color::rgb(shade(r), shade(g), shade(b))
            })
        };
        let is_edge = |id: &BodyId| self.world.body(*id).fixtures().all(|f| matches!(self.world.shape(f), ShapeRef::Edge(_)));
        let ground = (0..self.ground_bodies).map(BodyId);
        let stones = ground.clone().filter(|id| !is_edge(id)).count() as u32;
        for id in ground.rev() {
            let grass = Color::rgb(76, if id.0.wrapping_sub(stones).is_multiple_of(2) { 255 } else { 204 }, 76);
            for corners in shape_vertices(self.world, id, SCALE) {
                match corners[..] {
                    [a, b] => target.draw_aaline([a, b], grass),
                    _ => draw_solid(target, &corners, STONE),
                }
            }
        }
        let [hull, legs @ ..] = self.walker;
        let colors = [leg(-1), leg(-1), leg(1), leg(1), [Color::rgb(127, 51, 229), Color::rgb(76, 76, 127)]];
        for (id, colors) in legs.into_iter().chain([hull]).zip(colors) {
            shape_vertices(self.world, id, SCALE).for_each(|corners| draw_solid(target, &corners, colors));
        }
    }
}

/// Draws a filled polygon with an outline. The first colour is the inside's, the second the outline's.
fn draw_solid(target: &mut impl PictureTarget, corners: &[Point], [inside, border]: [Color; 2]) {
    target.fill_aapolygon(corners, inside);
    target.draw_border(corners, border);
}
