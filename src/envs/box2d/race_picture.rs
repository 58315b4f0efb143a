//! What a race looks like, small for observations and larger for people.
//!
//! gymnasium draws 1000 by 800 pixels and shrinks them; here shapes are drawn in the size that is asked for, their edges smooth. Skid
//! marks, which gymnasium shows to people only, are not drawn.

use serde::{Deserialize, Serialize};

use super::car::{SIZE, WHEEL, Wheel};
use super::track::{Kerb, SCALE};
use crate::engine::Picture;
use crate::sim::box2d::{Body, BodyId, ShapeRef, Vec2, World};
use crate::sim::raster::{BLACK, Canvas, Color, Point, WHITE, glyph_blocks};

/// Half the side of the field in metres.
pub const PLAYFIELD: f64 = 2000.0 / SCALE;
/// Side of the observed pictures.
pub const PIXELS: usize = 96;

/// Colours of the road, the field and its lighter squares.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Colors {
    /// The road's.
    pub road: [f64; 3],
    /// The field's.
    pub field: [f64; 3],
    /// Its squares'.
    pub grass: [f64; 3],
}

/// What is to be seen.
pub struct Race<'a> {
    /// The road's tiles, the car's hull, its wheels.
    pub world: &'a World,
    /// Which tiles have been driven on.
    pub touched: &'a [bool],
    /// Borders of turns.
    pub kerbs: &'a [Kerb],
    /// Colours.
    pub colors: Colors,
    /// How the wheels roll.
    pub wheels: &'a [Wheel; 4],
    /// The reward so far.
    pub reward: f64,
    /// Seconds since the beginning.
    pub time: f64,
}

impl Race<'_> {
    fn hull(&self) -> &Body {
        self.world.body(BodyId(self.touched.len() as u32))
    }

    fn wheel_bodies(&self) -> [BodyId; 4] {
        [1, 2, 3, 4].map(|wheel| BodyId(self.touched.len() as u32 + wheel))
    }
}

/// The reference's window.
const WINDOW: (f64, f64) = (1000.0, 800.0);
/// Pixels of the window per metre at first and later.
const ZOOM: (f64, f64) = (0.1 * SCALE, 2.7 * SCALE);
const GRASS: f64 = PLAYFIELD / 20.0;
const RED: Color = Color::rgb(255, 0, 0);

/// Where the camera is, and how large the picture.
struct Camera {
    sin: f64,
    cos: f64,
    zoom: f64,
    shift: Point,
    /// Pixels of the picture per pixel of the window.
    scale: Point,
    size: Point,
}

impl Camera {
    fn new(state: &Race<'_>, (width, height): (u32, u32)) -> Self {
        let hull = state.hull();
        let (sin, cos) = (-f64::from(hull.angle())).sin_cos();
        let zoom = ZOOM.0 * (1.0 - state.time).max(0.0) + ZOOM.1 * state.time.min(1.0);
        let (x, y) = (-f64::from(hull.position().x) * zoom, -f64::from(hull.position().y) * zoom);
        let shift = (WINDOW.0 / 2.0 + (x * cos - y * sin), WINDOW.1 / 4.0 + (x * sin + y * cos));
        let size = (f64::from(width), f64::from(height));
        Self { sin, cos, zoom, shift, scale: (size.0 / WINDOW.0, size.1 / WINDOW.1), size }
    }

    /// A place of the field in the picture.
    fn place(&self, (x, y): Point) -> Point {
        let right = (x * self.cos - y * self.sin) * self.zoom + self.shift.0;
        let up = (x * self.sin + y * self.cos) * self.zoom + self.shift.1;
        (right * self.scale.0, (WINDOW.1 - up) * self.scale.1)
    }

    /// Draws a shape of the field, if any of it may be seen.
    fn draw<const N: usize>(&self, canvas: &mut Canvas, corners: &[Point; N], color: Color) {
        self.draw_placed(canvas, &corners.map(|corner| self.place(corner)), color);
    }

    fn draw_placed(&self, canvas: &mut Canvas, corners: &[Point], color: Color) {
        let aside =
            |of: fn(&Point) -> f64, most: f64| corners.iter().all(|p| of(p) < 0.0) || corners.iter().all(|p| of(p) > most);
        if !aside(|p| p.0, self.size.0) && !aside(|p| p.1, self.size.1) {
            canvas.polygon(corners, color);
        }
    }

    /// Draws a rectangle of the window.
    fn panel(&self, canvas: &mut Canvas, (x1, y1): Point, (x2, y2): Point, color: Color) {
        let (left, top) = (x1.min(x2) * self.scale.0, y1.min(y2) * self.scale.1);
        canvas.rectangle((left, top), ((x2 - x1).abs() * self.scale.0, (y2 - y1).abs() * self.scale.1), color);
    }
}

fn color(numbers: [f64; 3]) -> Color {
    let [red, green, blue] = numbers.map(|number| number as u8);
    Color::rgb(red, green, blue)
}

fn draw(state: &Race<'_>, size: (u32, u32)) -> Canvas {
    let camera = Camera::new(state, size);
    let mut canvas = Canvas::new(size.0, size.1, BLACK);
    draw_field(state, &camera, &mut canvas);
    draw_road(state, &camera, &mut canvas);
    draw_car(state, &camera, &mut canvas);
    draw_indicators(state, &camera, &mut canvas);
    canvas
}

fn draw_field(state: &Race<'_>, camera: &Camera, canvas: &mut Canvas) {
    let b = PLAYFIELD;
    camera.draw(canvas, &[(b, b), (b, -b), (-b, -b), (-b, b)], color(state.colors.field));
    let grass = color(state.colors.grass);
    for i in (-20..20).step_by(2) {
        for j in (-20..20).step_by(2) {
            let (x, y) = (GRASS * f64::from(i), GRASS * f64::from(j));
            camera.draw(canvas, &[(x + GRASS, y), (x, y), (x, y + GRASS), (x + GRASS, y + GRASS)], grass);
        }
    }
}

/// Tiles with what is a little before and behind them, so that the field does not show through where two smooth edges meet.
fn draw_below_road(state: &Race<'_>, camera: &Camera, canvas: &mut Canvas) {
    let tiles = state.touched.len() as u32;
    let polygon = |tile: u32| match state.world.body(BodyId(tile % tiles)).fixtures().next().map(|id| state.world.shape(id)) {
        Some(ShapeRef::Polygon(polygon)) => Some(polygon),
        _ => None,
    };
    for tile in 0..tiles {
        let Some((this, next)) = polygon(tile).zip(polygon(tile + 1)) else { continue };
        let (center, ahead) = (this.centroid(), next.centroid());
        let (dx, dy) = (f64::from(ahead.x - center.x), f64::from(ahead.y - center.y));
        let length = (dx * dx + dy * dy).sqrt().max(1e-3);
        let (dx, dy) = (dx / length, dy / length);
        let mut corners = [(0.0, 0.0); 8];
        let count = this.count();
        for (corner, vertex) in corners.iter_mut().zip(this.vertices()) {
            let (x, y) = (f64::from(vertex.x - center.x), f64::from(vertex.y - center.y));
            let (along, across) = (1.3 * (x * dx + y * dy), 0.97 * (y * dx - x * dy));
            let place = (f64::from(center.x) + along * dx - across * dy, f64::from(center.y) + along * dy + across * dx);
            *corner = camera.place(place);
        }
        camera.draw_placed(canvas, &corners[..count], color(state.colors.road));
    }
}

fn draw_road(state: &Race<'_>, camera: &Camera, canvas: &mut Canvas) {
    draw_below_road(state, camera, canvas);
    let mut kerbs = state.kerbs.iter().peekable();
    for (tile, touched) in state.touched.iter().enumerate() {
        let lighter = if *touched { 0.0 } else { 0.01 * (tile % 3) as f64 * 255.0 };
        draw_body(state, camera, canvas, BodyId(tile as u32), color(state.colors.road.map(|part| part + lighter)));
        while let Some(kerb) = kerbs.next_if(|kerb| kerb.tile as usize == tile) {
            camera.draw(canvas, &kerb.corners, if tile % 2 == 0 { WHITE } else { RED });
        }
    }
}

/// Draws a body's shapes, the last first.
fn draw_body(state: &Race<'_>, camera: &Camera, canvas: &mut Canvas, id: BodyId, color: Color) {
    let body = state.world.body(id);
    for fixture in body.fixtures().rev() {
        if let ShapeRef::Polygon(polygon) = state.world.shape(fixture) {
            let mut corners = [(0.0, 0.0); 8];
            let vertices = polygon.vertices();
            for (corner, vertex) in corners.iter_mut().zip(vertices) {
                let v = body.transform().to_world(*vertex);
                *corner = camera.place((f64::from(v.x), f64::from(v.y)));
            }
            camera.draw_placed(canvas, &corners[..vertices.len()], color);
        }
    }
}

fn draw_car(state: &Race<'_>, camera: &Camera, canvas: &mut Canvas) {
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
        let (radius, half) = (WHEEL.0 * SIZE, WHEEL.1 * SIZE);
        let body = state.world.body(id);
        let corners = [(-half, radius * c1), (half, radius * c1), (half, radius * c2), (-half, radius * c2)].map(|corner| {
            let v = body.transform().to_world(Vec2::of(corner));
            (f64::from(v.x), f64::from(v.y))
        });
        camera.draw(canvas, &corners, Color::rgb(77, 77, 77));
    }
    draw_body(state, camera, canvas, BodyId(state.touched.len() as u32), Color::rgb(204, 0, 0));
}

/// The bar at the bottom: reward, speed, the wheels' speeds, steering and turning.
fn draw_indicators(state: &Race<'_>, camera: &Camera, canvas: &mut Canvas) {
    let (s, h) = (WINDOW.0 / 40.0, WINDOW.1 / 40.0);
    let bottom = WINDOW.1;
    camera.panel(canvas, (0.0, bottom - 5.0 * h), WINDOW, BLACK);
    let hull = state.hull();
    let v = hull.velocity();
    let speed = (f64::from(v.x).powi(2) + f64::from(v.y).powi(2)).sqrt();
    let mut upright = |place: f64, value: f64, factor: f64, color| {
        if value.abs() > 1e-4 {
            camera.panel(canvas, (place * s, bottom - (h + h * factor * value)), ((place + 1.0) * s, bottom - h), color);
        }
    };
    upright(5.0, speed, 0.02, WHITE);
    let colors = [Color::rgb(0, 0, 255), Color::rgb(0, 0, 255), Color::rgb(51, 0, 255), Color::rgb(51, 0, 255)];
    for ((place, wheel), color) in [7.0, 8.0, 9.0, 10.0].into_iter().zip(state.wheels).zip(colors) {
        upright(place, wheel.omega, 0.01, color);
    }
    let mut across = |place: f64, value: f64, factor: f64, color| {
        if value.abs() > 1e-4 {
            let end = (place + factor * value) * s;
            camera.panel(canvas, (place * s, bottom - 4.0 * h), (end, bottom - 2.0 * h), color);
        }
    };
    across(20.0, f64::from(state.world.joint_angle(super::car::JOINTS[0])), -10.0, Color::rgb(0, 255, 0));
    across(30.0, f64::from(hull.angular_velocity()), -0.8, RED);
    draw_reward(state, camera, canvas);
}

fn draw_reward(state: &Race<'_>, camera: &Camera, canvas: &mut Canvas) {
    let text = format!("{:04.0}", state.reward);
    let block = 3.0;
    let (left, top) = (60.0 - text.len() as f64 * 4.0 * block, WINDOW.1 - WINDOW.1 * 2.5 / 40.0 - 5.0 * block);
    for (column, row) in glyph_blocks(&text) {
        // Letters that are higher than wide.
        let (x, y) = (left + f64::from(column) * block, top + f64::from(row) * 1.4 * block);
        camera.panel(canvas, (x, y), (x + block, y + 1.4 * block), WHITE);
    }
}

/// The observation.
pub fn observe(state: &Race<'_>, pixels: &mut [u8]) {
    let picture = draw(state, (PIXELS as u32, PIXELS as u32)).into_rgb();
    // Where the reference shrinks its picture, each colour loses a unit across and one down.
    pixels.iter_mut().zip(picture).for_each(|(pixel, drawn)| *pixel = drawn.saturating_sub(2));
}

/// A picture for people.
pub fn paint(state: &Race<'_>) -> Picture {
    draw(state, (600, 400)).into()
}
