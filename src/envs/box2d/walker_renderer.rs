//! Renders BipedalWalker, pixel for pixel as gymnasium does with pygame-ce.

use super::drawing::{fill_aapolygon, map_pixels, shape_vertices, to_pixel};
use super::terrain::{Cloud, SCALE, TERRAIN_HEIGHT, TERRAIN_STEP};
use envpool_rs_engine::Frame;
use envpool_rs_pictures::raster::{BLACK, Color, DrawTarget, Point, Surface, WHITE};
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

/// Width and height of an image in pixels.
const VIEWPORT: (usize, usize) = (600, 400);
/// Upper bound of the scroll position in pixels, far beyond the end of the terrain.
const MAX_SCROLL: f64 = 10_000.0;

impl WalkerScene<'_> {
    /// Renders sky, clouds, terrain, lidar ray, walker and the flag at the start.
    pub fn render(&self) -> Frame {
        const SKY: Color = Color::rgb(215, 215, 255);
        const EARTH: Color = Color::rgb(102, 153, 76);
        let width = VIEWPORT.0 as f64 / SCALE;
        let scroll = f64::from(self.world.body(self.walker[0]).position().x) - width / 5.0;
        let left = scroll * SCALE;
        // gymnasium draws the whole terrain from its start onto one surface, and crops the picture to the surface's right end.
        let hidden = left.clamp(0.0, MAX_SCROLL) as usize;
        let mut surface = Surface::right_part((VIEWPORT.0 + hidden, VIEWPORT.1), VIEWPORT.0, BLACK);
        let (right, bottom) = (left + VIEWPORT.0 as f64, VIEWPORT.1 as f64);
        surface.polygon(&[(left, 0.0), (right, 0.0), (right, bottom), (left, bottom)].map(to_pixel), SKY, true);
        for cloud in self.clouds {
            let columns = cloud.iter().map(|corner| corner.0);
            let (first, last) = (columns.clone().fold(f64::INFINITY, f64::min), columns.fold(f64::NEG_INFINITY, f64::max));
            if last >= scroll / 2.0 && first <= scroll / 2.0 + width {
                fill_aapolygon(&mut surface, &cloud.map(|(x, y)| (x * SCALE + scroll * SCALE / 2.0, y * SCALE)), WHITE);
            }
        }
        for (i, heights) in self.heights.windows(2).enumerate() {
            let (x1, x2) = (i as f64 * TERRAIN_STEP, (i + 1) as f64 * TERRAIN_STEP);
            if x2 >= scroll && x1 <= scroll + width {
                let corners = [(x1, heights[0]), (x2, heights[1]), (x2, 0.0), (x1, 0.0)];
                fill_aapolygon(&mut surface, &corners.map(|(x, y)| (x * SCALE, y * SCALE)), EARTH);
            }
        }
        if let Some(ends) = self.ray {
            surface.thin_lines(&ends.map(|(x, y)| to_pixel((x * SCALE, y * SCALE))), Color::rgb(255, 0, 0));
        }
        self.draw_bodies(&mut surface);
        let (x, low) = (TERRAIN_STEP * 3.0 * SCALE, TERRAIN_HEIGHT * SCALE);
        let high = low + 50.0;
        surface.aaline((x, low), (x, high), BLACK);
        let flag = [(x, high), (x, high - 10.0), (x + 25.0, high - 5.0)].map(to_pixel);
        surface.polygon(&flag, Color::rgb(230, 51, 0), true);
        surface.thin_lines(&[flag[0], flag[1], flag[2], flag[0]], BLACK);
        Frame::new(VIEWPORT.0 as u32, VIEWPORT.1 as u32, surface.into_rgb())
    }

    /// Draws the terrain's edges and obstacles, the last first, then the legs and the hull.
    fn draw_bodies(&self, surface: &mut Surface) {
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
                    [a, b] => surface.aaline(a, b, grass),
                    _ => draw_solid(surface, corners, STONE),
                }
            }
        }
        let [hull, legs @ ..] = self.walker;
        let colors = [leg(-1), leg(-1), leg(1), leg(1), [Color::rgb(127, 51, 229), Color::rgb(76, 76, 127)]];
        for (id, colors) in legs.into_iter().chain([hull]).zip(colors) {
            shape_vertices(self.world, id, SCALE).for_each(|corners| draw_solid(surface, corners, colors));
        }
    }
}

/// Draws a filled polygon with an outline. The first colour is the inside's, the second the outline's.
fn draw_solid(surface: &mut Surface, mut corners: Vec<Point>, [inside, border]: [Color; 2]) {
    fill_aapolygon(surface, &corners, inside);
    corners.extend(corners.first().copied());
    surface.thin_lines(&map_pixels(&corners, to_pixel), border);
    surface.aapolygon(&map_pixels(&corners, super::drawing::to_i16_pixel), border);
}
