//! A closed road around a field: where it runs, its tiles, and the borders of its turns.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_box2d::{FixtureDef, Polygon, Shape, Vec2, World};

/// Field metres per unit of the reference's drawing.
pub const SCALE: f64 = 6.0;
const RADIUS: f64 = 900.0 / SCALE;
const STEP: f64 = 21.0 / SCALE;
const TURN_RATE: f64 = 0.31;
const WIDTH: f64 = 40.0 / SCALE;
const BORDER: f64 = 8.0 / SCALE;
/// Tiles on which a border looks back.
const BORDER_MIN_COUNT: usize = 4;
const CHECKPOINTS: usize = 12;
/// Tiles after which a search is given up.
const MOST: usize = 2500;

/// A place on the road: angle from the field's middle, direction, and coordinates.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    alpha: f64,
    /// Direction in radians.
    pub beta: f64,
    /// Coordinates in metres.
    pub x: f64,
    /// See `x`.
    pub y: f64,
}

/// A quadrangle beside a turn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Kerb {
    /// The tile that it belongs to.
    pub tile: u32,
    /// Its corners in metres.
    pub corners: [(f64, f64); 4],
}

/// A road that is closed, drawn anew until one is; `None` where the one drawn is not.
pub fn draw(rng: &mut Generator) -> Option<Vec<Place>> {
    let mut checkpoints = [(0.0, 0.0, 0.0); CHECKPOINTS];
    for (c, checkpoint) in checkpoints.iter_mut().enumerate() {
        let around = 2.0 * PI * c as f64 / CHECKPOINTS as f64;
        let noise = rng.uniform(0.0, 2.0 * PI * 1.0 / CHECKPOINTS as f64);
        let (mut alpha, mut radius) = (around + noise, rng.uniform(RADIUS / 3.0, RADIUS));
        if c == 0 || c == CHECKPOINTS - 1 {
            (alpha, radius) = (around, 1.5 * RADIUS);
        }
        *checkpoint = (alpha, radius * alpha.cos(), radius * alpha.sin());
    }
    closed(&run(&checkpoints))
}

/// Runs from checkpoint to checkpoint, five times around.
fn run(checkpoints: &[(f64, f64, f64); CHECKPOINTS]) -> Vec<Place> {
    let (mut x, mut y, mut beta) = (1.5 * RADIUS, 0.0_f64, 0.0_f64);
    let (mut next, mut laps, mut on_other_side) = (0, 0, false);
    let mut track = Vec::new();
    while laps <= 4 && track.len() < MOST {
        let mut alpha = y.atan2(x);
        if on_other_side && alpha > 0.0 {
            laps += 1;
            on_other_side = false;
        }
        if alpha < 0.0 {
            on_other_side = true;
            alpha += 2.0 * PI;
        }
        let (dest_x, dest_y) = destination(checkpoints, &mut next, &mut alpha);
        let (r1x, r1y) = (beta.cos(), beta.sin());
        let mut proj = r1x * (dest_x - x) + r1y * (dest_y - y);
        while beta - alpha > 1.5 * PI {
            beta -= 2.0 * PI;
        }
        while beta - alpha < -1.5 * PI {
            beta += 2.0 * PI;
        }
        let before = beta;
        proj *= SCALE;
        let turn = (0.001 * proj).abs().min(TURN_RATE);
        if proj > 0.3 {
            beta -= turn;
        }
        if proj < -0.3 {
            beta += turn;
        }
        x += -r1y * STEP;
        y += r1x * STEP;
        track.push(Place { alpha, beta: before * 0.5 + beta * 0.5, x, y });
    }
    track
}

/// The next checkpoint ahead.
fn destination(checkpoints: &[(f64, f64, f64); CHECKPOINTS], next: &mut usize, alpha: &mut f64) -> (f64, f64) {
    loop {
        loop {
            let (dest_alpha, x, y) = checkpoints[*next % CHECKPOINTS];
            if *alpha <= dest_alpha {
                return (x, y);
            }
            *next += 1;
            if next.is_multiple_of(CHECKPOINTS) {
                break;
            }
        }
        *alpha -= 2.0 * PI;
    }
}

/// The last lap but one, where it ends where it begins.
fn closed(track: &[Place]) -> Option<Vec<Place>> {
    let start = 2.0 * PI * -0.5 / CHECKPOINTS as f64;
    let mut passes = (1..track.len()).rev().filter(|i| track[*i].alpha > start && track[i - 1].alpha <= start);
    let end = passes.next()?;
    let begin = passes.next()?;
    let lap = track.get(begin..end - 1)?;
    let (first, last) = (lap.first()?, lap.last()?);
    let across = (first.beta.cos() * (first.x - last.x), first.beta.sin() * (first.y - last.y));
    let gap = (across.0 * across.0 + across.1 * across.1).sqrt();
    (gap <= STEP).then(|| lap.to_vec())
}

/// Which tiles have a border: those in and behind hard turns to one side.
fn borders(track: &[Place]) -> Vec<bool> {
    let count = track.len();
    let back = |i: usize, by: usize| (i + count * BORDER_MIN_COUNT - by) % count;
    let mut border: Vec<bool> = (0..count)
        .map(|i| {
            let turns = (0..BORDER_MIN_COUNT).map(|by| track[back(i, by)].beta - track[back(i, by + 1)].beta);
            let side: f64 = turns.clone().map(sign).sum();
            turns.clone().all(|turn| turn.abs() > TURN_RATE * 0.2) && side.abs() == BORDER_MIN_COUNT as f64
        })
        .collect();
    for i in 0..count {
        for by in 0..BORDER_MIN_COUNT {
            border[back(i, by)] |= border[i];
        }
    }
    border
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// Left and right side of the road at the end of a tile.
pub type Sides = [(f64, f64); 2];

/// Lays the road: a static body for each tile, which tells who is on it. Returns where its sides are, and the borders.
pub fn lay(world: &mut World, track: &[Place]) -> (Vec<Sides>, Vec<Kerb>) {
    let border = borders(track);
    let (mut sides, mut kerbs) = (Vec::with_capacity(track.len()), Vec::new());
    for (i, one) in track.iter().enumerate() {
        let two = &track[if i == 0 { track.len() - 1 } else { i - 1 }];
        let aside = |place: &Place, by: f64| (place.x + by * place.beta.cos(), place.y + by * place.beta.sin());
        let corners = [aside(one, -WIDTH), aside(one, WIDTH), aside(two, WIDTH), aside(two, -WIDTH)];
        sides.push([corners[0], corners[1]]);
        let tile = Shape::Polygon(Polygon::hull(&corners.map(Vec2::of)));
        world.create_static(&[FixtureDef { is_sensor: true, ..FixtureDef::new(tile) }]);
        if border[i] {
            let side = sign(two.beta - one.beta);
            let (inner, outer) = (side * WIDTH, side * (WIDTH + BORDER));
            let corners = [aside(one, inner), aside(one, outer), aside(two, outer), aside(two, inner)];
            kerbs.push(Kerb { tile: i as u32, corners });
        }
    }
    (sides, kerbs)
}
