//! Renders CarRacing: observations of 96 x 96 pixels, and images for human viewers, by default of 600 x 400 pixels.
//! Observations and images of the default size equal gymnasium's with pygame-ce, pixel for pixel.
//!
//! The only difference from gymnasium is the font of the reward at the bottom. Skid particles appear only in the images for
//! human viewers, as in gymnasium.

use std::f64::consts::{FRAC_PI_2, TAU};

use serde::{Deserialize, Serialize};

use super::car::{SIZE, SkidParticles, WHEEL, Wheel};
use super::drawing::{PictureTarget, StretchedSurface, to_i16_pixel, to_pixel};
use super::track::{Border, SCALE, TRACK_DETAIL_STEP};
use envpool_rs_engine::Frame;
use envpool_rs_pictures::raster::{BLACK, Color, DrawTarget, LARGE, Point, SMALL, SmoothScaled, Surface, WHITE, for_each_block};
use envpool_rs_sim_box2d::{Body, BodyId, ShapeRef, Vec2, World};

/// Half the side of the square playfield, in metres.
pub const PLAYFIELD: f64 = 2000.0 / SCALE;
/// Side of an observation in pixels.
pub const PIXELS: usize = SMALL;
/// Width and height of gymnasium's pictures in pixels.
pub const PICTURE: (u32, u32) = (600, 400);

/// Colours of road, background and grass, as red, green and blue from 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Colors {
    /// Colour of the road.
    pub road: [f64; 3],
    /// Colour of the playfield's background.
    pub field: [f64; 3],
    /// Colour of the grass squares.
    pub grass: [f64; 3],
}

/// Borrowed parts of a CarRacing state from which a picture is rendered.
pub struct RaceScene<'a> {
    /// World with the car's hull and wheels.
    pub world: &'a World,
    /// Left and right side of the road at the end of each tile, in metres.
    pub sides: &'a [[Point; 2]],
    /// Whether any body has touched each tile.
    pub touched: &'a [bool],
    /// Quadrangles of the borders along turns.
    pub borders: &'a [Border],
    /// Colours of road, background and grass.
    pub colors: Colors,
    /// State of the car's wheels.
    pub wheels: &'a [Wheel; 4],
    /// Particles that skidding wheels have left on the ground.
    pub skid_particles: &'a SkidParticles,
    /// Total reward of the episode so far.
    pub reward: f64,
    /// Seconds since the start of the episode.
    pub time: f64,
}

impl RaceScene<'_> {
    fn hull(&self) -> &Body {
        self.world.body(BodyId(self.touched.len() as u32))
    }

    fn wheel_bodies(&self) -> [BodyId; 4] {
        [1, 2, 3, 4].map(|wheel| BodyId(self.touched.len() as u32 + wheel))
    }

    /// Returns the colour of the playfield's background if the playfield covers the whole window; otherwise `None`.
    fn background(&self, camera: &Camera) -> Option<Color> {
        let is_inside = |at: f64| at.abs() + camera.view_radius < PLAYFIELD;
        (is_inside(camera.target.0) && is_inside(camera.target.1)).then(|| color(self.colors.field))
    }
}

/// Width and height of gymnasium's window in pixels.
const WINDOW: (f64, f64) = (LARGE.0 as f64, LARGE.1 as f64);
/// First pixel row of the indicator bar, which extends to the bottom of the window.
const INDICATOR_ROW: usize = 700;
/// Zoom in pixels per metre at the start of the episode, and after its first second.
const ZOOM: (f64, f64) = (0.1 * SCALE, 2.7 * SCALE);
const GRASS_DIM: f64 = PLAYFIELD / 20.0;
/// Upper bound of the distance from the centre of a grass square or road tile to its corners, in metres.
const MAX_SHAPE_RADIUS: f64 = 13.0;
const RED: Color = Color::rgb(255, 0, 0);
const MUD: Color = Color::rgb(102, 102, 0);

/// Rotation as `pygame.Vector2.rotate_rad` computes it: exact for angles near multiples of a quarter turn.
enum Rotation {
    Quarters(i32),
    Angle(f64, f64),
}

impl Rotation {
    fn new(angle: f64) -> Self {
        const NEAR: f64 = 1e-6;
        let angle = angle % TAU;
        let angle = if angle < 0.0 { angle + TAU } else { angle };
        if (angle + NEAR) % FRAC_PI_2 < 2.0 * NEAR {
            return Self::Quarters(((angle + NEAR) / FRAC_PI_2) as i32);
        }
        Self::Angle(angle.sin(), angle.cos())
    }

    fn apply(&self, (x, y): Point) -> Point {
        match self {
            Self::Angle(sin, cos) => (cos * x - sin * y, sin * x + cos * y),
            Self::Quarters(1) => (-y, x),
            Self::Quarters(2) => (-x, -y),
            Self::Quarters(3) => (y, -x),
            Self::Quarters(_) => (x, y),
        }
    }
}

/// Camera that follows the car: maps metres to pixels of the window.
struct Camera {
    rotation: Rotation,
    zoom: f64,
    translation: Point,
    /// Position of the car in metres; `view_radius` is the radius around the car, in metres, in which shapes may be visible.
    target: Point,
    view_radius: f64,
}

impl Camera {
    fn new(state: &RaceScene<'_>) -> Self {
        let hull = state.hull();
        let rotation = Rotation::new(-f64::from(hull.angle()));
        let zoom = ZOOM.0 * (1.0 - state.time).max(0.0) + ZOOM.1 * state.time.min(1.0);
        let target = (f64::from(hull.position().x), f64::from(hull.position().y));
        let translation = rotation.apply((-target.0 * zoom, -target.1 * zoom));
        let translation = (WINDOW.0 / 2.0 + translation.0, WINDOW.1 / 4.0 + translation.1);
        let view_radius = (WINDOW.0 / 2.0).hypot(WINDOW.1 * 3.0 / 4.0) / zoom + 1.0;
        Self { rotation, zoom, translation, target, view_radius }
    }

    fn to_window(&self, point: Point) -> Point {
        let (x, y) = self.rotation.apply(point);
        (x * self.zoom + self.translation.0, y * self.zoom + self.translation.1)
    }

    /// Returns the distance, along one axis, of a coordinate from the area in which shapes may be visible: negative inside of it.
    fn distance(&self, coordinate: f64, target: f64) -> f64 {
        (coordinate - target).abs() - (self.view_radius + MAX_SHAPE_RADIUS)
    }

    /// Returns whether a shape centred at a point, with a radius of at most [`MAX_SHAPE_RADIUS`], may be visible.
    fn is_visible(&self, (x, y): Point) -> bool {
        if self.distance(x, self.target.0) >= 0.0 || self.distance(y, self.target.1) >= 0.0 {
            return false; // most shapes of a track
        }
        // Outlines and rounded corners exceed a shape by less than two pixels.
        let (radius, (x, y)) = (MAX_SHAPE_RADIUS * self.zoom + 2.0, self.to_window((x, y)));
        -radius < x && x < WINDOW.0 + radius && -radius < y && y < WINDOW.1 + radius
    }

    /// Returns the number of tiles, starting with one centred at a point, that are not visible because they are far away.
    fn far_tiles(&self, (x, y): Point) -> usize {
        let distance = self.distance(x, self.target.0).max(self.distance(y, self.target.1));
        // Each tile is nearer than the previous one by at most the distance between their centres; rounding adds less than a
        // hundredth.
        if distance >= 0.0 { ((distance / (TRACK_DETAIL_STEP + 0.01)) as usize).saturating_add(1) } else { 0 }
    }

    /// Draws a polygon that is fixed to the playfield, such as a road tile, onto `canvas`; corners are in metres.
    fn draw_field_polygon(&self, canvas: &mut impl DrawTarget, corners: [Point; 4], color: Color) {
        canvas.filled_aapolygon(&corners.map(|corner| to_i16_pixel(self.to_window(corner))), color);
    }

    /// Draws a polygon of the car's hull or of a wheel onto `canvas`; corners are in metres.
    fn draw_car_polygon(&self, canvas: &mut impl DrawTarget, corners: impl Iterator<Item = Vec2>, color: Color) {
        let mut pixels = [(0, 0); 8];
        let mut count = 0;
        for (pixel, v) in pixels.iter_mut().zip(corners) {
            *pixel = to_pixel(self.to_window((f64::from(v.x), f64::from(v.y))));
            count += 1;
        }
        canvas.polygon(&pixels[..count], color, true);
    }
}

fn color(numbers: [f64; 3]) -> Color {
    let [red, green, blue] = numbers.map(|number| number as u8);
    Color::rgb(red, green, blue)
}

fn draw_field(state: &RaceScene<'_>, camera: &Camera, canvas: &mut impl DrawTarget) {
    if state.background(camera).is_none() {
        let b = PLAYFIELD;
        camera.draw_field_polygon(canvas, [(b, b), (b, -b), (-b, -b), (-b, b)], color(state.colors.field));
    }
    let grass = color(state.colors.grass);
    let is_near = |i: &i32| camera.distance(GRASS_DIM * f64::from(*i) + GRASS_DIM / 2.0, camera.target.0) < 0.0;
    for i in (-20..20).step_by(2).filter(is_near) {
        for j in (-20..20).step_by(2) {
            let (x, y) = (GRASS_DIM * f64::from(i), GRASS_DIM * f64::from(j));
            if camera.is_visible((x + GRASS_DIM / 2.0, y + GRASS_DIM / 2.0)) {
                camera.draw_field_polygon(
                    canvas,
                    [(x + GRASS_DIM, y + 0.0), (x + 0.0, y + 0.0), (x + 0.0, y + GRASS_DIM), (x + GRASS_DIM, y + GRASS_DIM)],
                    grass,
                );
            }
        }
    }
}

fn draw_road(state: &RaceScene<'_>, camera: &Camera, canvas: &mut impl DrawTarget) {
    let mut borders = state.borders;
    let mut tile = 0;
    while let Some(([left, right], touched)) = state.sides.get(tile).copied().zip(state.touched.get(tile)) {
        let middle = ((left.0 + right.0) / 2.0, (left.1 + right.1) / 2.0);
        let far = camera.far_tiles(middle);
        if far > 0 {
            tile = tile.saturating_add(far);
            continue;
        }
        if camera.is_visible(middle) {
            let [near_left, near_right] = state.sides[tile.checked_sub(1).unwrap_or(state.sides.len() - 1)];
            let lighter = if *touched { 0.0 } else { 0.01 * (tile % 3) as f64 * 255.0 };
            camera.draw_field_polygon(
                canvas,
                [left, right, near_right, near_left],
                color(state.colors.road.map(|part| part + lighter)),
            );
            while let Some((border, others)) = borders.split_first().filter(|(border, _)| border.tile as usize <= tile) {
                if border.tile as usize == tile {
                    camera.draw_field_polygon(canvas, border.corners, if tile % 2 == 0 { WHITE } else { RED });
                }
                borders = others;
            }
        }
        tile += 1;
    }
}

/// Draws the skid particles (tire marks).
fn draw_skid_particles(state: &RaceScene<'_>, camera: &Camera, target: &mut impl PictureTarget) {
    let mut line = Vec::new();
    for (on_grass, points) in state.skid_particles.iter() {
        line.clear();
        line.extend(points.iter().map(|point| camera.to_window((f64::from(point.x), f64::from(point.y)))));
        target.draw_lines(&line, 2, if on_grass { MUD } else { BLACK });
    }
}

/// Draws the shapes of a body, the last shape first.
fn draw_body(state: &RaceScene<'_>, camera: &Camera, canvas: &mut impl DrawTarget, id: BodyId, color: Color) {
    let body = state.world.body(id);
    for fixture in body.fixtures().rev() {
        if let ShapeRef::Polygon(polygon) = state.world.shape(fixture) {
            camera.draw_car_polygon(canvas, polygon.vertices().iter().map(|vertex| body.transform().to_world(*vertex)), color);
        }
    }
}

fn draw_car(state: &RaceScene<'_>, camera: &Camera, canvas: &mut impl DrawTarget) {
    for (wheel, id) in state.wheels.iter().zip(state.wheel_bodies()) {
        draw_body(state, camera, canvas, id, BLACK);
        let ((s1, mut c1), (s2, mut c2)) = (wheel.phase.sin_cos(), (wheel.phase + 1.2).sin_cos());
        if s1 > 0.0 && s2 > 0.0 {
            continue;
        }
        if s1 > 0.0 {
            c1 = c1.signum();
        }
        if s2 > 0.0 {
            c2 = c2.signum();
        }
        let (radius, half) = (WHEEL.0, WHEEL.1);
        let corners = [(-half, radius * c1), (half, radius * c1), (half, radius * c2), (-half, radius * c2)];
        let body = state.world.body(id);
        let corners = corners.map(|(x, y)| body.transform().to_world(Vec2::from_f64((x * SIZE, y * SIZE))));
        camera.draw_car_polygon(canvas, corners.into_iter(), Color::rgb(77, 77, 77));
    }
    draw_body(state, camera, canvas, BodyId(state.touched.len() as u32), Color::rgb(204, 0, 0));
}

/// Draws the indicator bar: reward, speed, wheel speeds, steering angle and angular velocity.
fn draw_indicators(state: &RaceScene<'_>, canvas: &mut impl DrawTarget) {
    let ((width, bottom), (s, h)) = (WINDOW, (WINDOW.0 / 40.0, WINDOW.1 / 40.0));
    let mut draw_quad = |corners: [Point; 4], color| canvas.polygon(&corners.map(to_pixel), color, false);
    draw_quad([(width, bottom), (width, bottom - 5.0 * h), (0.0, bottom - 5.0 * h), (0.0, bottom)], BLACK);
    let hull = state.hull();
    let v = hull.linear_velocity();
    let speed = (f64::from(v.x) * f64::from(v.x) + f64::from(v.y) * f64::from(v.y)).sqrt();
    let mut draw_vertical = |column: f64, value: f64, factor: f64, color| {
        if value.abs() > 1e-4 {
            let (left, right, end) = (column * s, (column + 1.0) * s, bottom - (h + h * (factor * value)));
            draw_quad([(left, end), (right, end), (right, bottom - h), (left, bottom - h)], color);
        }
    };
    draw_vertical(5.0, speed, 0.02, WHITE);
    let colors = [Color::rgb(0, 0, 255), Color::rgb(0, 0, 255), Color::rgb(51, 0, 255), Color::rgb(51, 0, 255)];
    for ((column, wheel), color) in [7.0, 8.0, 9.0, 10.0].into_iter().zip(state.wheels).zip(colors) {
        draw_vertical(column, wheel.omega, 0.01, color);
    }
    let mut draw_horizontal = |column: f64, value: f64, factor: f64, color| {
        if value.abs() > 1e-4 {
            let (start, end, top, low) = (column * s, (column + factor * value) * s, bottom - 4.0 * h, bottom - 2.0 * h);
            draw_quad([(start, top), (end, top), (end, low), (start, low)], color);
        }
    };
    draw_horizontal(20.0, f64::from(state.world.joint_angle(super::car::JOINTS[0])), -10.0, Color::rgb(0, 255, 0));
    draw_horizontal(30.0, f64::from(hull.angular_velocity()), -0.8, RED);
    draw_reward(state.reward, canvas);
}

/// Draws the episode's total reward as an integer of at least four characters, including the sign.
fn draw_reward(reward: f64, canvas: &mut impl DrawTarget) {
    /// Width and height in pixels of a block of the font; a glyph has 8 x 8 blocks.
    const BLOCK: (i32, i32) = (3, 4);
    let is_negative = reward.is_sign_negative();
    let number = reward.abs().round_ties_even() as u64;
    let digits = (number.checked_ilog10().unwrap_or(0) + 1).max(if is_negative { 3 } else { 4 });
    let glyphs = (0..digits).rev().filter_map(|exponent| char::from_digit((number / 10_u64.pow(exponent) % 10) as u32, 10));
    let count = digits as i32 + i32::from(is_negative);
    let (left, top) = (60 - count * BLOCK.0 * 4, (WINDOW.1 - WINDOW.1 * 2.5 / 40.0) as i32 - BLOCK.1 * 4);
    for_each_block(is_negative.then_some('-').into_iter().chain(glyphs), |column, row| {
        let start = (left + column as i32 * BLOCK.0, top + row as i32 * BLOCK.1);
        canvas.fill_rect(start, (start.0 + BLOCK.0, start.1 + BLOCK.1), WHITE);
    });
}

/// Renders the observation into `pixels`.
pub fn render_observation(state: &RaceScene<'_>, canvas: &mut SmoothScaled, pixels: &mut [u8]) {
    let camera = Camera::new(state);
    canvas.begin(state.background(&camera).unwrap_or(BLACK), INDICATOR_ROW);
    draw_field(state, &camera, canvas);
    draw_road(state, &camera, canvas);
    draw_car(state, &camera, canvas);
    draw_indicators(state, canvas);
    canvas.show(pixels);
}

/// Renders an image of `size` pixels for human viewers.
pub fn render_picture(state: &RaceScene<'_>, size: (u32, u32)) -> Frame {
    let camera = Camera::new(state);
    let background = state.background(&camera).unwrap_or(BLACK);
    if size == PICTURE {
        let mut target = Surface::new(LARGE, background);
        draw_picture(state, &camera, &mut target);
        return Frame::new(size.0, size.1, target.smoothscale((size.0 as usize, size.1 as usize)));
    }
    let mut target = StretchedSurface::new(LARGE, 0.0, size, background);
    draw_picture(state, &camera, &mut target);
    target.into_frame()
}

fn draw_picture(state: &RaceScene<'_>, camera: &Camera, target: &mut impl PictureTarget) {
    draw_field(state, camera, target);
    draw_road(state, camera, target);
    draw_skid_particles(state, camera, target);
    draw_car(state, camera, target);
    draw_indicators(state, target);
}
