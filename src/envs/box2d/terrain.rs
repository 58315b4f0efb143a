//! BipedalWalker's terrain and clouds (`BipedalWalker._generate_terrain`, `_generate_clouds`).

use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_box2d::{FixtureDef, Polygon, Shape, Vec2, World};

/// Number of pixels per metre in a rendered picture.
pub const SCALE: f64 = 30.0;
/// Length of a terrain step in metres.
pub const TERRAIN_STEP: f64 = 14.0 / SCALE;
/// Number of terrain points of BipedalWalker.
pub const TERRAIN_LENGTH: usize = 200;
/// Height of the flat start area in metres.
pub const TERRAIN_HEIGHT: f64 = 400.0 / SCALE / 4.0;
/// Upper bound of the number of grass steps between two obstacles.
pub const TERRAIN_GRASS: usize = 10;
/// Number of level terrain steps at the start.
pub const TERRAIN_STARTPAD: usize = 20;
const FRICTION: f32 = 2.5;

/// Corners of a cloud in metres.
pub type Cloud = [(f64, f64); 5];

#[derive(Clone, Copy, PartialEq)]
enum TerrainState {
    Grass,
    Stump,
    Stairs,
    Pit,
}

/// State of the generator of BipedalWalker's terrain (local variables of `_generate_terrain`).
struct TerrainGenerator {
    state: TerrainState,
    /// Whether the current terrain step is the first of a terrain element (grass, stump, stairs or pit).
    oneshot: bool,
    /// Number of remaining steps of the current terrain element.
    counter: i64,
    y: f64,
    velocity: f64,
    /// Height of the terrain before the current obstacle, in metres.
    original_y: f64,
    /// Number of stair steps, their width in terrain steps, and their direction: 1 up, -1 down.
    stairs: (i64, i64, i64),
}

/// Creates the terrain's bodies. Returns the heights of the terrain points in metres.
pub fn generate_terrain(world: &mut World, hardcore: bool, rng: &mut Generator) -> [f64; TERRAIN_LENGTH] {
    let mut terrain = TerrainGenerator {
        state: TerrainState::Grass,
        oneshot: false,
        counter: TERRAIN_STARTPAD as i64,
        y: TERRAIN_HEIGHT,
        velocity: 0.0,
        original_y: 0.0,
        stairs: (0, 0, 0),
    };
    let mut heights = [0.0; TERRAIN_LENGTH];
    for (i, height) in heights.iter_mut().enumerate() {
        terrain.advance(i, world, rng);
        *height = terrain.y;
        terrain.counter -= 1;
        if terrain.counter == 0 {
            terrain.counter = rng.integers(TERRAIN_GRASS as i64 / 2, TERRAIN_GRASS as i64);
            terrain.state = if terrain.state == TerrainState::Grass && hardcore {
                [TerrainState::Stump, TerrainState::Stairs, TerrainState::Pit][rng.integers(1, 4) as usize - 1]
            } else {
                TerrainState::Grass
            };
            terrain.oneshot = true;
        }
    }
    for (i, pair) in heights.windows(2).enumerate() {
        let corner = |i: usize, y: f64| Vec2::from_f64((i as f64 * TERRAIN_STEP, y));
        let edge = Shape::Edge(corner(i, pair[0]), corner(i + 1, pair[1]));
        world.create_static(&[FixtureDef { friction: FRICTION, ..FixtureDef::new(edge) }]);
    }
    heights
}

impl TerrainGenerator {
    fn advance(&mut self, i: usize, world: &mut World, rng: &mut Generator) {
        let x = i as f64 * TERRAIN_STEP;
        match (self.state, std::mem::take(&mut self.oneshot)) {
            (TerrainState::Grass, false) => {
                let towards = TERRAIN_HEIGHT - self.y;
                let sign = if towards > 0.0 {
                    1.0
                } else if towards < 0.0 {
                    -1.0
                } else {
                    0.0
                };
                self.velocity = 0.8 * self.velocity + 0.01 * sign;
                if i > TERRAIN_STARTPAD {
                    self.velocity += rng.uniform(-1.0, 1.0) / SCALE;
                }
                self.y += self.velocity;
            }
            (TerrainState::Grass, true) | (TerrainState::Stump, false) => {}
            (TerrainState::Stump, true) => {
                self.counter = rng.integers(1, 3);
                let (y, side) = (self.y, self.counter as f64 * TERRAIN_STEP);
                create_block(world, [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]);
            }
            (TerrainState::Stairs, true) => self.build_stairs(x, world, rng),
            (TerrainState::Stairs, false) => {
                let (steps, width, up) = self.stairs;
                let n = (steps * width - self.counter - up) as f64 / width as f64;
                self.y = self.original_y + (n * up as f64) * TERRAIN_STEP;
            }
            (TerrainState::Pit, true) => {
                self.counter = rng.integers(3, 5);
                let (y, bottom) = (self.y, self.y - 4.0 * TERRAIN_STEP);
                let poly = [(x, y), (x + TERRAIN_STEP, y), (x + TERRAIN_STEP, bottom), (x, bottom)];
                create_block(world, poly);
                create_block(world, poly.map(|(x, y)| (x + TERRAIN_STEP * self.counter as f64, y)));
                self.counter += 2;
                self.original_y = y;
            }
            (TerrainState::Pit, false) => {
                self.y = self.original_y;
                if self.counter > 1 {
                    self.y -= 4.0 * TERRAIN_STEP;
                }
            }
        }
    }

    fn build_stairs(&mut self, x: f64, world: &mut World, rng: &mut Generator) {
        let up = if rng.random() > 0.5 { 1 } else { -1 };
        let width = rng.integers(4, 5);
        let steps = rng.integers(3, 5);
        (self.stairs, self.original_y) = ((steps, width, up), self.y);
        for s in 0..steps {
            let (left, right) = (x + (s * width) as f64 * TERRAIN_STEP, x + ((1 + s) * width) as f64 * TERRAIN_STEP);
            let (top, bottom) = (self.y + (s * up) as f64 * TERRAIN_STEP, self.y + (-1 + s * up) as f64 * TERRAIN_STEP);
            create_block(world, [(left, top), (right, top), (right, bottom), (left, bottom)]);
        }
        self.counter = steps * width;
    }
}

fn create_block(world: &mut World, corners: [(f64, f64); 4]) {
    let polygon = Shape::Polygon(Polygon::hull(&corners.map(Vec2::from_f64)));
    world.create_static(&[FixtureDef { friction: FRICTION, ..FixtureDef::new(polygon) }]);
}

/// Generates random clouds for the rendered background.
#[expect(clippy::approx_constant, reason = "gymnasium's clouds are almost round")]
pub fn generate_clouds(clouds: &mut Vec<Cloud>, rng: &mut Generator) {
    clouds.clear();
    for _ in 0..TERRAIN_LENGTH / 20 {
        let x = rng.uniform(0.0, TERRAIN_LENGTH as f64) * TERRAIN_STEP;
        let y = 400.0 / SCALE * 3.0 / 4.0;
        clouds.push([0.0, 1.0, 2.0, 3.0, 4.0].map(|a| {
            let angle: f64 = 3.14 * 2.0 * a / 5.0;
            let right = x + 15.0 * TERRAIN_STEP * angle.sin() + rng.uniform(0.0, 5.0 * TERRAIN_STEP);
            (right, y + 5.0 * TERRAIN_STEP * angle.cos() + rng.uniform(0.0, 5.0 * TERRAIN_STEP))
        }));
    }
}
