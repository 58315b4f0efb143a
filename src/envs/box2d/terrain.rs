//! The ground that walkers walk on, and the clouds above it, drawn as gymnasium draws them.

use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_box2d::{FixtureDef, Polygon, Shape, Vec2, World};

/// Pixels per metre.
pub const SCALE: f64 = 30.0;
/// Length of a piece of ground in metres.
pub const STEP: f64 = 14.0 / SCALE;
/// Pieces of the ground, and one.
pub const LENGTH: usize = 200;
/// Height at the start in metres.
pub const HEIGHT: f64 = 400.0 / SCALE / 4.0;
/// Most pieces of grass between two obstacles.
pub const GRASS: usize = 10;
/// Level pieces at the start.
pub const START: usize = 20;
const FRICTION: f32 = 2.5;

/// The corners of a cloud in metres.
pub type Cloud = [(f64, f64); 5];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Grass,
    Stump,
    Stairs,
    Pit,
}

/// What the ground is at present.
struct Ground {
    kind: Kind,
    /// Whether an obstacle begins here.
    begins: bool,
    /// Pieces that are left of it.
    left: i64,
    y: f64,
    velocity: f64,
    /// Height before the obstacle.
    before: f64,
    /// Steps, their width, and whether they lead up or down.
    stairs: (i64, i64, i64),
}

/// Makes the ground, and returns its heights at the ends of its pieces.
pub fn build(world: &mut World, hardcore: bool, rng: &mut Generator) -> [f64; LENGTH] {
    let mut ground =
        Ground { kind: Kind::Grass, begins: false, left: START as i64, y: HEIGHT, velocity: 0.0, before: 0.0, stairs: (0, 0, 0) };
    let mut heights = [0.0; LENGTH];
    for (i, height) in heights.iter_mut().enumerate() {
        ground.go_on(i, world, rng);
        *height = ground.y;
        ground.left -= 1;
        if ground.left == 0 {
            ground.left = rng.integers(GRASS as i64 / 2, GRASS as i64);
            ground.kind = if ground.kind == Kind::Grass && hardcore {
                [Kind::Stump, Kind::Stairs, Kind::Pit][rng.integers(1, 4) as usize - 1]
            } else {
                Kind::Grass
            };
            ground.begins = true;
        }
    }
    for (i, pair) in heights.windows(2).enumerate() {
        let corner = |i: usize, y: f64| Vec2::of((i as f64 * STEP, y));
        let edge = Shape::Edge(corner(i, pair[0]), corner(i + 1, pair[1]));
        world.create_static(&[FixtureDef { friction: FRICTION, ..FixtureDef::new(edge) }]);
    }
    heights
}

impl Ground {
    fn go_on(&mut self, i: usize, world: &mut World, rng: &mut Generator) {
        let x = i as f64 * STEP;
        match (self.kind, std::mem::take(&mut self.begins)) {
            (Kind::Grass, false) => {
                let towards = HEIGHT - self.y;
                let sign = if towards > 0.0 {
                    1.0
                } else if towards < 0.0 {
                    -1.0
                } else {
                    0.0
                };
                self.velocity = 0.8 * self.velocity + 0.01 * sign;
                if i > START {
                    self.velocity += rng.uniform(-1.0, 1.0) / SCALE;
                }
                self.y += self.velocity;
            }
            (Kind::Grass, true) | (Kind::Stump, false) => {}
            (Kind::Stump, true) => {
                self.left = rng.integers(1, 3);
                let (y, side) = (self.y, self.left as f64 * STEP);
                block(world, [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]);
            }
            (Kind::Stairs, true) => self.build_stairs(x, world, rng),
            (Kind::Stairs, false) => {
                let (steps, width, up) = self.stairs;
                let n = (steps * width - self.left - up) as f64 / width as f64;
                self.y = self.before + (n * up as f64) * STEP;
            }
            (Kind::Pit, true) => {
                self.left = rng.integers(3, 5);
                let (y, bottom) = (self.y, self.y - 4.0 * STEP);
                let poly = [(x, y), (x + STEP, y), (x + STEP, bottom), (x, bottom)];
                block(world, poly);
                block(world, poly.map(|(x, y)| (x + STEP * self.left as f64, y)));
                self.left += 2;
                self.before = y;
            }
            (Kind::Pit, false) => {
                self.y = self.before;
                if self.left > 1 {
                    self.y -= 4.0 * STEP;
                }
            }
        }
    }

    fn build_stairs(&mut self, x: f64, world: &mut World, rng: &mut Generator) {
        let up = if rng.random() > 0.5 { 1 } else { -1 };
        let width = rng.integers(4, 5);
        let steps = rng.integers(3, 5);
        (self.stairs, self.before) = ((steps, width, up), self.y);
        for s in 0..steps {
            let (left, right) = (x + (s * width) as f64 * STEP, x + ((1 + s) * width) as f64 * STEP);
            let (top, bottom) = (self.y + (s * up) as f64 * STEP, self.y + (-1 + s * up) as f64 * STEP);
            block(world, [(left, top), (right, top), (right, bottom), (left, bottom)]);
        }
        self.left = steps * width;
    }
}

fn block(world: &mut World, corners: [(f64, f64); 4]) {
    let polygon = Shape::Polygon(Polygon::hull(&corners.map(Vec2::of)));
    world.create_static(&[FixtureDef { friction: FRICTION, ..FixtureDef::new(polygon) }]);
}

/// Draws the clouds' corners.
#[expect(clippy::approx_constant, reason = "gymnasium's clouds are almost round")]
pub fn draw_clouds(clouds: &mut Vec<Cloud>, rng: &mut Generator) {
    clouds.clear();
    for _ in 0..LENGTH / 20 {
        let x = rng.uniform(0.0, LENGTH as f64) * STEP;
        let y = 400.0 / SCALE * 3.0 / 4.0;
        clouds.push([0.0, 1.0, 2.0, 3.0, 4.0].map(|a| {
            let angle: f64 = 3.14 * 2.0 * a / 5.0;
            let right = x + 15.0 * STEP * angle.sin() + rng.uniform(0.0, 5.0 * STEP);
            (right, y + 5.0 * STEP * angle.cos() + rng.uniform(0.0, 5.0 * STEP))
        }));
    }
}
