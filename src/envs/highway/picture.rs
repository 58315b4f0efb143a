//! Pictures as the package draws them with pygame-ce 2.5.8, pixel by pixel.

use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_pictures::raster::{Color, DrawTarget, Pixel, Surface, TRANSPARENT, WHITE, rotated_origin};
use envpool_rs_sim_highway::math::{Vector, sub};
use envpool_rs_sim_highway::{Kind, Lane, LineType, Vehicle};
use std::f64::consts::PI;

use super::scenario::{Core, World};

const GREY: Color = Color::rgb(100, 100, 100);
const BORDER: Color = Color::rgb(60, 60, 60);
const RED: Color = Color::rgb(255, 100, 100);
const GREEN: Color = Color::rgb(50, 200, 0);
const BLUE: Color = Color::rgb(100, 200, 255);
const YELLOW: Color = Color::rgb(200, 200, 0);
const BLACK: Color = Color::rgb(0, 0, 0);

/// Distance between the starts of stripes, and length and width of a stripe, in metres.
const STRIPE_SPACING: f64 = 4.33;
const STRIPE_LENGTH: f64 = 3.0;
const STRIPE_WIDTH: f64 = 0.3;
/// Distance in pixels outside of a picture at which vehicles are still drawn.
const MARGIN: i32 = 50;
/// Length and width of tires in metres.
const TIRE: [f64; 2] = [1.0, 0.3];
/// Length and width of headlights in metres.
const HEADLIGHT: [f64; 2] = [0.72, 0.6];

/// Size of pictures, and how they show the road.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Pixels per metre.
    pub scaling: f64,
    /// Place of the vehicle in the picture, as shares of its size.
    pub centering: Vector,
}

impl View {
    /// The package's default.
    pub const WIDE: Self = Self { size: (600, 150), scaling: 5.5, centering: [0.3, 0.5] };
    /// Allowed values of [`Self::scaling`].
    pub const SCALINGS: std::ops::RangeInclusive<f64> = 0.5..=50.0;

    /// Returns the declarations of the options of pictures.
    pub fn options(&self) -> Vec<OptionSpec> {
        let (width, height) = self.size;
        vec![
            OptionSpec::new("screen_width", i64::from(width), "width of pictures in pixels").integers(1..=4096),
            OptionSpec::new("screen_height", i64::from(height), "height of pictures in pixels").integers(1..=4096),
            OptionSpec::new("scaling", self.scaling, "pixels per metre of pictures").numbers(Self::SCALINGS),
            OptionSpec::new(
                "centering_position",
                self.centering.to_vec(),
                "place of the vehicle in pictures, as shares of their size",
            ),
        ]
    }

    /// Reads the options of [`Self::options`].
    ///
    /// # Errors
    /// `Value` for a place that is not in or near the picture.
    pub fn new(options: &Options) -> Result<Self> {
        let side = |name| options.int(name) as u32;
        Ok(Self {
            size: (side("screen_width"), side("screen_height")),
            scaling: options.float("scaling"),
            centering: centering_of(options, "centering_position")?.unwrap_or(Self::WIDE.centering),
        })
    }

    /// Returns the same view for another width and height.
    #[must_use]
    pub fn resized(&self, size: (u32, u32)) -> Self {
        if size == self.size {
            return *self;
        }
        Self { size, scaling: self.scaling * f64::from(size.0) / f64::from(self.size.0), ..*self }
    }
}

/// Returns the place of the vehicle in a picture.
///
/// # Errors
/// `Value` for other values than two shares and `None`.
pub fn centering_of(options: &Options, name: &'static str) -> Result<Option<Vector>> {
    match options.get(name) {
        Value::None => Ok(None),
        Value::Floats(place) if place.len() == 2 && place.iter().all(|share| (-1.0..=2.0).contains(share)) => {
            Ok(Some([place[0], place[1]]))
        }
        value => Err(Error::value(name, value, "two numbers from -1 to 2")),
    }
}

/// A picture of a part of the plane.
pub struct Picture {
    /// The pixels.
    pub surface: Surface,
    view: View,
    /// Position of the upper left corner in metres.
    origin: Vector,
}

/// Draws lanes, objects and vehicles around an observer.
pub fn draw(core: &Core, world: &World, view: &View, observer: &Vehicle) -> Picture {
    let (width, height) = view.size;
    let corner = [view.centering[0] * f64::from(width), view.centering[1] * f64::from(height)];
    let mut picture = Picture {
        surface: Surface::new((width as usize, height as usize), GREY),
        view: *view,
        origin: sub(observer.position, corner.map(|part| part / view.scaling)),
    };
    core.model.network.lanes().iter().for_each(|lane| picture.draw_lane(lane));
    world.road.objects.iter().for_each(|object| picture.draw_object(object));
    for (number, vehicle) in world.road.vehicles.iter().enumerate() {
        let is_own = core.colors_controlled && world.controlled.contains(&(number as u32));
        picture.draw_vehicle(vehicle, if is_own { GREEN } else { color_of(vehicle) });
    }
    picture
}

fn color_of(body: &Vehicle) -> Color {
    match body.kind {
        Kind::Landmark => [BLUE, GREEN][usize::from(body.crashed)],
        _ if body.crashed => RED,
        Kind::Idm => BLUE,
        Kind::Mdp => GREEN,
        Kind::Kinematic | Kind::Bicycle | Kind::Obstacle => YELLOW,
    }
}

/// Returns the lighter colour of headlights.
fn lighten(Color(red, green, blue, opacity): Color) -> Color {
    let [red, green, blue] = [red, green, blue].map(|part| (f64::from(part) / 0.68).min(255.0) as u8);
    Color(red, green, blue, opacity)
}

/// Returns the angle at which a surface with a heading is drawn, in degrees.
fn degrees(heading: f64) -> f64 {
    -heading * (180.0 / PI)
}

/// Returns Python's `x // divisor` for a positive divisor.
fn floor_division(x: f64, divisor: f64) -> f64 {
    let rest = x % divisor;
    let quotient = (x - rest) / divisor - f64::from(u8::from(rest < 0.0));
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

impl Picture {
    /// Converts metres to pixels. States from elsewhere may have any numbers, and coordinates must not overflow.
    fn pixels(&self, length: f64) -> i32 {
        (length * self.view.scaling).clamp(-1e6, 1e6) as i32
    }

    fn place(&self, position: Vector) -> Pixel {
        let [x, y] = sub(position, self.origin);
        (self.pixels(x), self.pixels(y))
    }

    fn draw_lane(&mut self, lane: &Lane) {
        let (width, height) = self.view.size;
        let count = (f64::from(2 * (width + height)) / (STRIPE_SPACING * self.view.scaling)) as u32;
        let first = lane.local_coordinates(self.origin)[0].trunc();
        let first = (floor_division(first, STRIPE_SPACING) - f64::from(count / 2)) * STRIPE_SPACING;
        for (kind, lateral) in lane.line_types.into_iter().zip([-0.5 * lane.width, 0.5 * lane.width]) {
            let length = if kind == LineType::Striped { STRIPE_LENGTH } else { STRIPE_SPACING };
            match kind {
                LineType::None => {}
                LineType::ContinuousLine => {
                    let start = first + 0.0 * STRIPE_SPACING;
                    let end = first + f64::from(count) * STRIPE_SPACING + STRIPE_LENGTH;
                    self.draw_stripe(lane, start, end, lateral);
                }
                LineType::Striped | LineType::Continuous => {
                    for stripe in 0..count {
                        let start = first + f64::from(stripe) * STRIPE_SPACING;
                        self.draw_stripe(lane, start, start + length, lateral);
                    }
                }
            }
        }
    }

    fn draw_stripe(&mut self, lane: &Lane, start: f64, end: f64, lateral: f64) {
        let [start, end] = [start, end].map(|along| along.max(0.0).min(lane.length));
        if (start - end).abs() > 0.5 * STRIPE_LENGTH {
            let [from, to] = [start, end].map(|along| self.place(lane.position(along, lateral)));
            let width = self.pixels(STRIPE_WIDTH).max(1);
            self.surface.line(from, to, width, WHITE);
        }
    }

    /// Returns an empty square surface with sides of a length in metres.
    fn square(&self, length: f64) -> Surface {
        // States from elsewhere may have any length.
        let side = self.pixels(length).clamp(0, 10_000) as usize;
        Surface::new((side, side), TRANSPARENT)
    }

    fn draw_object(&mut self, object: &Vehicle) {
        let [length, width, _] = object.size;
        let mut image = self.square(length);
        let top = self.pixels(length / 2.0 - width / 2.0);
        let end = (self.pixels(length), top + self.pixels(width));
        image.fill_rect((0, top), end, color_of(object));
        image.outline_rect((0, top), end, BORDER);
        self.blit(&image, object);
    }

    fn draw_vehicle(&mut self, vehicle: &Vehicle, color: Color) {
        let (x, y) = self.place(vehicle.position);
        let is_near = |place: i32, side: u32| -MARGIN < place && place < side as i32 + MARGIN;
        if !is_near(x, self.view.size.0) || !is_near(y, self.view.size.1) {
            return;
        }
        let [length, width, _] = vehicle.size;
        let whole = length + 2.0 * TIRE[0];
        let mut image = self.square(whole);
        let sized =
            |begin: Pixel, [length, width]: [f64; 2]| (begin, (begin.0 + self.pixels(length), begin.1 + self.pixels(width)));
        let (begin, end) = sized((self.pixels(TIRE[0]), self.pixels(whole / 2.0 - width / 2.0)), [length, width]);
        image.fill_rect(begin, end, color);
        for side in [whole / 2.0 - (1.4 * width) / 3.0, whole / 2.0 + (0.6 * width) / 5.0] {
            let place = (self.pixels(TIRE[0] + length - HEADLIGHT[0]), self.pixels(side));
            let (begin, end) = sized(place, HEADLIGHT);
            image.fill_rect(begin, end, lighten(color));
        }
        image.outline_rect(begin, end, BORDER);
        if matches!(vehicle.kind, Kind::Kinematic | Kind::Bicycle) {
            let mut tire = self.square(TIRE[0]);
            let (begin, end) = sized((0, self.pixels(TIRE[0] / 2.0 - TIRE[1] / 2.0)), TIRE);
            tire.fill_rect(begin, end, BORDER);
            let [left, right] = [whole / 2.0 - width / 2.0, whole / 2.0 + width / 2.0].map(|side| self.pixels(side));
            let [rear, front] = [TIRE[0], whole - TIRE[0]].map(|axle| self.pixels(axle));
            let steering = degrees(vehicle.steering);
            for (place, angle) in
                [((rear, left), 0.0), ((rear, right), 0.0), ((front, left), steering), ((front, right), steering)]
            {
                image.blit_rotated(&tire, angle, rotated_origin(tire.size(), angle, place));
            }
        }
        self.blit(&image, vehicle);
    }

    /// Draws a body's square surface at its place.
    fn blit(&mut self, image: &Surface, body: &Vehicle) {
        // Small angles are drawn as zero.
        let angle = if body.heading.abs() > 2.0 * PI / 180.0 { degrees(body.heading) } else { 0.0 };
        let place = self.place(body.position);
        self.surface.blit_rotated(image, angle, rotated_origin(image.size(), angle, place));
    }

    /// Draws a closed line through positions.
    pub fn draw_outline(&mut self, corners: &[Vector]) {
        let places: Vec<Pixel> = corners.iter().map(|corner| self.place(*corner)).collect();
        for (from, to) in places.iter().zip(places.iter().cycle().skip(1)) {
            self.surface.line(*from, *to, 1, BLACK);
        }
    }
}
