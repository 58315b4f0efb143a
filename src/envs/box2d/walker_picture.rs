//! What a walker looks like.

use super::drawing::outlines;
use super::terrain::{Cloud, HEIGHT, SCALE, STEP};
use crate::engine::Picture;
use crate::sim::box2d::{BodyId, ShapeRef, World};
use crate::sim::raster::{BLACK, Canvas, Color, Point, WHITE};

/// What is to be seen.
pub struct Scene<'a> {
    /// The ground, then the walker.
    pub world: &'a World,
    /// How many bodies the ground is made of.
    pub ground: u32,
    /// The hull, and the parts of the legs.
    pub walker: [BodyId; 5],
    /// Clouds.
    pub clouds: &'a [Cloud],
}

impl Scene<'_> {
    /// Sky, clouds, ground, the walker, and the flag at the start. The lidar's rays, of which gymnasium shows another with each picture, are not.
    pub fn paint(&self) -> Picture {
        const SKY: Color = Color::rgb(215, 215, 255);
        const EARTH: Color = Color::rgb(102, 153, 76);
        const STONE: [Color; 2] = [Color::rgb(255, 255, 255), Color::rgb(153, 153, 153)];
        let scroll = f64::from(self.world.body(self.walker[0]).position().x) - 600.0 / SCALE / 5.0;
        let left = scroll * SCALE;
        let mut canvas = Canvas::upwards(600, 400, SKY);
        for cloud in self.clouds {
            let corners = cloud.map(|(x, y)| (x * SCALE + left / 2.0 - left, y * SCALE));
            canvas.polygon(&corners, WHITE);
        }
        let at_screen = |corners: &mut Vec<Point>| corners.iter_mut().for_each(|corner| corner.0 -= left);
        let bodies = |ids: std::ops::Range<u32>| ids.map(BodyId);
        let is_edge = |id: BodyId| self.world.body(id).fixtures().all(|f| matches!(self.world.shape(f), ShapeRef::Edge(_)));
        let near = |corners: &[Point]| corners.iter().any(|(x, _)| (-60.0..660.0).contains(x));
        let mut edges = 0;
        for id in bodies(0..self.ground).filter(|id| is_edge(*id)) {
            for mut corners in outlines(self.world, id, SCALE) {
                at_screen(&mut corners);
                if near(&corners) {
                    corners.extend([(corners[1].0, 0.0), (corners[0].0, 0.0)]);
                    canvas.polygon(&corners, EARTH);
                    canvas.lines(&corners[..2], 1.0, Color::rgb(76, if edges % 2 == 0 { 255 } else { 204 }, 76));
                }
                edges += 1;
            }
        }
        for id in bodies(0..self.ground).filter(|id| !is_edge(*id)) {
            for mut corners in outlines(self.world, id, SCALE) {
                at_screen(&mut corners);
                if near(&corners) {
                    canvas.polygon(&corners, STONE[0]);
                    canvas.outline(&corners, 1.0, STONE[1]);
                }
            }
        }
        let [hull, legs @ ..] = self.walker;
        let leg = |side: i32| {
            [(153, 76, 127), (102, 51, 76)].map(|(r, g, b)| {
                let shade = |value: i32| (value - side * 25) as u8;
                Color::rgb(shade(r), shade(g), shade(b))
            })
        };
        let colors = [leg(-1), leg(-1), leg(1), leg(1), [Color::rgb(127, 51, 229), Color::rgb(76, 76, 127)]];
        for (id, [fill, line]) in legs.into_iter().chain([hull]).zip(colors) {
            for mut corners in outlines(self.world, id, SCALE) {
                at_screen(&mut corners);
                canvas.polygon(&corners, fill);
                canvas.outline(&corners, 1.0, line);
            }
        }
        let (x, y1) = (STEP * 3.0 * SCALE - left, HEIGHT * SCALE);
        let y2 = y1 + 50.0;
        canvas.lines(&[(x, y1), (x, y2)], 1.0, BLACK);
        let flag = [(x, y2), (x, y2 - 10.0), (x + 25.0, y2 - 5.0)];
        canvas.polygon(&flag, Color::rgb(230, 51, 0));
        canvas.outline(&flag, 1.0, BLACK);
        canvas.into()
    }
}
