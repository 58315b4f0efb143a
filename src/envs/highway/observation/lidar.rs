//! `LidarObservation`: distances and speeds of the closest obstacles, by direction.

use std::f64::consts::PI;

use envpool_rs_engine::{Dtype, Options, Space, Value};
use envpool_rs_sim_highway::math::{Vector, dot, norm, sub};
use envpool_rs_sim_highway::{Kind, Road, Vehicle};

use crate::options::{count_or, flag_or};

/// How a vehicle observes directions.
#[derive(Debug, Clone)]
pub struct Lidar {
    cells: usize,
    maximum_range: f64,
    normalize: bool,
    /// Angle of a cell in radians.
    angle: f64,
    /// Direction of each cell.
    directions: Vec<Vector>,
}

impl Lidar {
    /// Reads the options that begin with `observation_`.
    pub fn new(options: &Options) -> Self {
        let cells = count_or(options, "observation_cells", 16);
        let maximum_range = if let Value::Float(range) = options.get("observation_maximum_range") { *range } else { 60.0 };
        let angle = 2.0 * PI / cells as f64;
        let directions = (0..cells).map(|cell| [(cell as f64 * angle).cos(), (cell as f64 * angle).sin()]).collect();
        let normalize = flag_or(options, "observation_normalize", true);
        Self { cells, maximum_range, normalize, angle, directions }
    }

    /// Returns the space: distance and relative speed for each cell.
    pub fn space(&self) -> Space {
        let high = if self.normalize { 1.0 } else { self.maximum_range };
        Space::uniform(-high, high, &[self.cells, 2], Dtype::F32)
    }

    /// Appends the cells of a vehicle to `out`, before they are normalised.
    pub fn observe(&self, road: &Road, observer: usize, out: &mut Vec<f64>) {
        let ego = &road.vehicles[observer];
        let mut grid = vec![[self.maximum_range as f32; 2]; self.cells];
        let others = road.vehicles.iter().enumerate().filter(|(number, _)| *number != observer).map(|(_, vehicle)| vehicle);
        for body in others.chain(&road.objects).filter(|body| body.kind != Kind::Landmark) {
            self.trace(ego, body, &mut grid);
        }
        out.extend(grid.into_iter().flatten().map(f64::from));
    }

    /// Returns cells as they are observed.
    pub fn normalized(&self, cells: &[f64]) -> Vec<f64> {
        let scale = if self.normalize { self.maximum_range as f32 } else { 1.0 };
        cells.iter().map(|value| f64::from(*value as f32 / scale)).collect()
    }

    /// Returns the corners of the area that the cells of a vehicle at `origin` cover.
    pub fn outline(&self, origin: Vector, cells: &[f64]) -> Vec<Vector> {
        // As numpy's `arange` computes them.
        let start = -self.angle / 2.0;
        let step = start + self.angle - start;
        (0..2 * self.cells)
            .map(|corner| {
                let (range, angle) =
                    (cells[corner / 2 * 2].min(f64::from(self.maximum_range as f32)), corner.div_ceil(2) % self.cells);
                let angle = start + angle as f64 * step;
                [origin[0] + range * angle.cos(), origin[1] + range * angle.sin()]
            })
            .collect()
    }

    /// Writes the cells in which a body is closer than those before.
    fn trace(&self, ego: &Vehicle, body: &Vehicle, grid: &mut [[f32; 2]]) {
        let away = norm(sub(body.position, ego.position));
        if away > self.maximum_range {
            return;
        }
        let speed = sub(body.velocity(), ego.velocity());
        let mut see = |cell: usize, distance: f64| {
            if distance <= f64::from(grid[cell][0]) {
                grid[cell] = [distance as f32, dot(speed, self.directions[cell]) as f32];
            }
        };
        see(self.cell_of(self.angle_to(body.position, ego)), away - body.size[1] / 2.0);
        let corners = body.polygon();
        let angles = corners.map(|corner| self.angle_to(corner, ego));
        let (least, most) = angles.iter().fold((angles[0], angles[0]), |(least, most), angle| {
            (if *angle < least { *angle } else { least }, if *angle > most { *angle } else { most })
        });
        let wraps = least < -PI / 2.0 && PI / 2.0 < most;
        let (least, most) = if wraps { (most, least + 2.0 * PI) } else { (least, most) };
        let (start, end) = (self.cell_of(least), self.cell_of(most));
        let (ahead, again) = if start < end { (start..end + 1, 0..0) } else { (start..self.cells, 0..end + 1) };
        for cell in ahead.chain(again) {
            see(cell, distance_to_rect(ego.position, self.directions[cell].map(|part| self.maximum_range * part), &corners));
        }
    }

    fn angle_to(&self, position: Vector, ego: &Vehicle) -> f64 {
        let [x, y] = sub(position, ego.position);
        y.atan2(x) + self.angle / 2.0
    }

    fn cell_of(&self, angle: f64) -> usize {
        ((angle / self.angle).floor() as i64).rem_euclid(self.cells as i64) as usize
    }
}

/// Returns the distance from `origin` to a rectangle in the direction and range of `ray`; infinity if the ray misses it.
fn distance_to_rect(origin: Vector, ray: Vector, [a, b, _, d]: &[Vector; 4]) -> f64 {
    // The package adds the ray to the origin, and subtracts it again.
    let ray = [0, 1].map(|axis| (origin[axis] + ray[axis]) - origin[axis]);
    let unit = |vector: Vector| {
        let length = norm(vector);
        vector.map(|part| part / length)
    };
    let interval = |side: Vector, far: Vector| {
        let along = dot(ray, side);
        let [near, far] = [*a, far].map(|corner| dot(sub(corner, origin), side) / along);
        if along >= 0.0 { [near, far] } else { [far, near] }
    };
    let (first, second) = (interval(unit(sub(*b, *a)), *b), interval(unit(sub(*d, *a)), *d));
    let gap = |a: [f64; 2], b: [f64; 2]| if a[0] < b[0] { b[0] - a[1] } else { a[0] - b[1] };
    let is_hit = gap(first, second) <= 0.0 && gap([0.0, 1.0], first) <= 0.0 && gap([0.0, 1.0], second) <= 0.0;
    if is_hit { (if second[0] > first[0] { second[0] } else { first[0] }) * norm(ray) } else { f64::INFINITY }
}
