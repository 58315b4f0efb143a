//! CarRacing's track: points, tiles and the borders of turns (`CarRacing._create_track`).

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_box2d::{FixtureDef, Polygon, Shape, Vec2, World};

/// Scale of the track: gymnasium defines the track in units of which 6 are one metre.
pub const SCALE: f64 = 6.0;
const TRACK_RAD: f64 = 900.0 / SCALE;
/// Distance between successive points of the track, in metres.
pub const TRACK_DETAIL_STEP: f64 = 21.0 / SCALE;
const TRACK_TURN_RATE: f64 = 0.31;
const TRACK_WIDTH: f64 = 40.0 / SCALE;
const BORDER: f64 = 8.0 / SCALE;
/// Number of successive tiles that must turn to the same side before a border is drawn.
const BORDER_MIN_COUNT: usize = 4;
const CHECKPOINTS: usize = 12;
/// Number of points after which track generation stops.
const MAX_TRACK_POINTS: usize = 2500;

/// A point of the track: its angle around the field's centre, its direction and its coordinates.
#[derive(Debug, Clone, Copy)]
pub struct TrackPoint {
    alpha: f64,
    /// Direction of the track at the point, in radians.
    pub beta: f64,
    /// Horizontal coordinate of the point in metres.
    pub x: f64,
    /// Vertical coordinate of the point in metres.
    pub y: f64,
}

/// A quadrangle of the border along a turn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Border {
    /// Index of the tile that the quadrangle belongs to.
    pub tile: u32,
    /// Corners of the quadrangle in metres.
    pub corners: [(f64, f64); 4],
}

/// Generates a random track. Returns `None` if the track is not closed; the caller then tries again.
pub fn try_create_track(rng: &mut Generator) -> Option<Vec<TrackPoint>> {
    let mut checkpoints = [(0.0, 0.0, 0.0); CHECKPOINTS];
    for (c, checkpoint) in checkpoints.iter_mut().enumerate() {
        let around = 2.0 * PI * c as f64 / CHECKPOINTS as f64;
        let noise = rng.uniform(0.0, 2.0 * PI * 1.0 / CHECKPOINTS as f64);
        let (mut alpha, mut radius) = (around + noise, rng.uniform(TRACK_RAD / 3.0, TRACK_RAD));
        if c == 0 || c == CHECKPOINTS - 1 {
            (alpha, radius) = (around, 1.5 * TRACK_RAD);
        }
        *checkpoint = (alpha, radius * alpha.cos(), radius * alpha.sin());
    }
    extract_lap(&trace_laps(&checkpoints))
}

/// Traces the track's points from checkpoint to checkpoint, for at most five laps.
fn trace_laps(checkpoints: &[(f64, f64, f64); CHECKPOINTS]) -> Vec<TrackPoint> {
    let (mut x, mut y, mut beta) = (1.5 * TRACK_RAD, 0.0_f64, 0.0_f64);
    let (mut next, mut laps, mut on_other_side) = (0, 0, false);
    let mut track = Vec::new();
    while laps <= 4 && track.len() < MAX_TRACK_POINTS {
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
        let prev_beta = beta;
        proj *= SCALE;
        let turn = (0.001 * proj).abs().min(TRACK_TURN_RATE);
        if proj > 0.3 {
            beta -= turn;
        }
        if proj < -0.3 {
            beta += turn;
        }
        x += -r1y * TRACK_DETAIL_STEP;
        y += r1x * TRACK_DETAIL_STEP;
        track.push(TrackPoint { alpha, beta: prev_beta * 0.5 + beta * 0.5, x, y });
    }
    track
}

/// Returns the position of the next checkpoint whose angle around the field's centre is at least `alpha`.
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

/// Returns the last complete lap of the traced points; `None` if the lap's end is more than one detail step (the distance
/// between track points) from its start.
fn extract_lap(track: &[TrackPoint]) -> Option<Vec<TrackPoint>> {
    let start_alpha = 2.0 * PI * -0.5 / CHECKPOINTS as f64;
    let mut passes = (1..track.len()).rev().filter(|i| track[*i].alpha > start_alpha && track[i - 1].alpha <= start_alpha);
    let end = passes.next()?;
    let start_index = passes.next()?;
    let lap = track.get(start_index..end - 1)?;
    let (first, last) = (lap.first()?, lap.last()?);
    let across = (first.beta.cos() * (first.x - last.x), first.beta.sin() * (first.y - last.y));
    let gap = (across.0 * across.0 + across.1 * across.1).sqrt();
    (gap <= TRACK_DETAIL_STEP).then(|| lap.to_vec())
}

/// Returns one flag per tile: whether the tile has a border. Tiles in sharp turns to one side have a border, and so do some
/// tiles before such turns.
fn find_borders(track: &[TrackPoint]) -> Vec<bool> {
    let count = track.len();
    let back = |i: usize, by: usize| (i + count * BORDER_MIN_COUNT - by) % count;
    let mut border: Vec<bool> = (0..count)
        .map(|i| {
            let turns = (0..BORDER_MIN_COUNT).map(|by| track[back(i, by)].beta - track[back(i, by + 1)].beta);
            let side: f64 = turns.clone().map(sign).sum();
            turns.clone().all(|turn| turn.abs() > TRACK_TURN_RATE * 0.2) && side.abs() == BORDER_MIN_COUNT as f64
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

/// Left and right side of the road at the end of a tile, in metres.
pub type RoadSides = [(f64, f64); 2];

/// Creates a static body with a sensor fixture for each tile of the track. Returns the sides of the road at each tile, and the
/// border quadrangles.
pub fn build_road(world: &mut World, track: &[TrackPoint]) -> (Vec<RoadSides>, Vec<Border>) {
    let border = find_borders(track);
    let (mut sides, mut borders) = (Vec::with_capacity(track.len()), Vec::new());
    for (i, current) in track.iter().enumerate() {
        let previous = &track[if i == 0 { track.len() - 1 } else { i - 1 }];
        let offset = |point: &TrackPoint, by: f64| (point.x + by * point.beta.cos(), point.y + by * point.beta.sin());
        let corners = [
            offset(current, -TRACK_WIDTH),
            offset(current, TRACK_WIDTH),
            offset(previous, TRACK_WIDTH),
            offset(previous, -TRACK_WIDTH),
        ];
        sides.push([corners[0], corners[1]]);
        let tile = Shape::Polygon(Polygon::hull(&corners.map(Vec2::from_f64)));
        world.create_static(&[FixtureDef { is_sensor: true, ..FixtureDef::new(tile) }]);
        if border[i] {
            let side = sign(previous.beta - current.beta);
            let (inner, outer) = (side * TRACK_WIDTH, side * (TRACK_WIDTH + BORDER));
            let corners = [offset(current, inner), offset(current, outer), offset(previous, outer), offset(previous, inner)];
            borders.push(Border { tile: i as u32, corners });
        }
    }
    (sides, borders)
}
