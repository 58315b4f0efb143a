//! `OccupancyGrid`: features of vehicles, and the road, in cells around a vehicle.

use envpool_rs_engine::{Dtype, Error, Options, Result, Space, Value};
use envpool_rs_sim_highway::math::{Vector, clip, lmap, norm, sub};
use envpool_rs_sim_highway::{Lane, Road, RoadModel, Shape, Vehicle};

use super::kinematics::{Feature, MAX_FEATURES, Ranges, feature, feature_ranges, feature_value, known_features};
use crate::options::{flag_or, numbers_or};

/// Lanes are observed within this distance along them, in metres.
const LANE_PERCEPTION_DISTANCE: f64 = 100.0;
/// Largest number of cells of a grid, in all layers.
const MAX_CELLS: f64 = 1e6;
/// Distance from the border of a cell, in cells, within which an approximate position does not decide.
const UNCERTAIN: f64 = 1e-7;

/// How a vehicle observes cells.
#[derive(Debug, Clone)]
pub struct OccupancyGrid {
    /// Feature of each layer; `None` for the layer `on_road`.
    layers: Vec<Option<Feature>>,
    ranges: Ranges,
    /// Least coordinates of the grid in metres.
    origin: Vector,
    /// Size of a cell in metres.
    step: Vector,
    shape: [usize; 2],
    /// Upper bound of the distance between the vehicle and a point of the grid.
    reach: f64,
    is_aligned: bool,
    clip: bool,
    as_image: bool,
}

impl OccupancyGrid {
    /// Reads the options that begin with `observation_`.
    ///
    /// # Errors
    /// `Value` for unknown features, empty ranges, and grids without cells.
    pub fn new(options: &Options) -> Result<Self> {
        let layers = match options.get("observation_features") {
            Value::Lines(names) => {
                let layer = |name: &String| if name == "on_road" { Some(None) } else { feature(name).map(Some) };
                let layers: Option<Vec<_>> = names.iter().map(layer).collect();
                let known = || format!("a list of on_road, {}", known_features());
                layers
                    .filter(|layers| (1..=MAX_FEATURES).contains(&layers.len()))
                    .ok_or_else(|| Error::value("observation_features", options.get("observation_features"), known()))?
            }
            _ => vec![Some(Feature::Presence), Some(Feature::Vx), Some(Feature::Vy), None],
        };
        if options.get("observation_absolute") == &Value::Bool(true) {
            return Err(Error::value("observation_absolute", "True", "False, because the package has no absolute grids"));
        }
        let size = numbers_or(options, "observation_grid_size", &[-27.5, 27.5, -27.5, 27.5]);
        let step = numbers_or(options, "observation_grid_step", &[5.0, 5.0]);
        let [left, right, top, bottom] = size[..] else {
            let allowed = "four numbers: least and largest x, least and largest y";
            return Err(Error::value("observation_grid_size", options.get("observation_grid_size"), allowed));
        };
        let step: Vector = match step[..] {
            [x, y] if x >= 0.1 && y >= 0.1 => [x, y],
            _ => {
                return Err(Error::value("observation_grid_step", options.get("observation_grid_step"), "two numbers from 0.1"));
            }
        };
        let cells = [((right - left) / step[0]).floor(), ((bottom - top) / step[1]).floor()];
        if !cells.iter().all(|cells| *cells >= 1.0) || cells[0] * cells[1] * layers.len() as f64 > MAX_CELLS {
            let allowed = format!("ranges with 1 to {MAX_CELLS:.0} cells of the size observation_grid_step, in all layers");
            return Err(Error::value("observation_grid_size", options.get("observation_grid_size"), allowed));
        }
        let ranges = feature_ranges(options)?;
        Ok(Self {
            layers,
            ranges: ranges.unwrap_or_else(|| vec![(Feature::Vx, [-80.0, 80.0]), (Feature::Vy, [-80.0, 80.0])]),
            origin: [left, top],
            step,
            shape: cells.map(|cells| cells as usize),
            reach: norm([left.abs().max(right.abs()) + step[0], top.abs().max(bottom.abs()) + step[1]]),
            is_aligned: flag_or(options, "observation_align_to_vehicle_axes", false),
            clip: flag_or(options, "observation_clip", true),
            as_image: flag_or(options, "observation_as_image", false),
        })
    }

    /// Returns the space: layers, cells along x and cells along y.
    pub fn space(&self) -> Space {
        let shape = [self.layers.len(), self.shape[0], self.shape[1]];
        match self.as_image {
            true => Space::uniform(0.0, 255.0, &shape, Dtype::U8),
            false => Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &shape, Dtype::F32),
        }
    }

    /// Appends the cells around a vehicle to `out`.
    pub fn observe(&self, model: &RoadModel, road: &Road, observer: usize, out: &mut Vec<f64>) {
        let ego = &road.vehicles[observer];
        let start = out.len();
        let cells = self.shape[0] * self.shape[1];
        out.resize(start + self.layers.len() * cells, f64::NAN);
        for (layer, values) in self.layers.iter().zip(out[start..].chunks_exact_mut(cells)) {
            match layer {
                Some(feature) => self.fill_vehicles(model, road, (ego, *feature), values),
                None => self.fill_road(model, ego, values),
            }
        }
        for value in &mut out[start..] {
            if value.is_nan() {
                *value = 0.0;
            } else {
                if self.clip || self.as_image {
                    *value = clip(*value, -1.0, 1.0);
                }
                if self.as_image {
                    *value = ((*value + 1.0) / 2.0 * 255.0).trunc();
                }
            }
        }
    }

    /// Writes a feature of each vehicle into its cell; of several vehicles in a cell, the first one counts.
    fn fill_vehicles(&self, model: &RoadModel, road: &Road, (ego, feature): (&Vehicle, Feature), values: &mut [f64]) {
        let own = ego.velocity();
        for vehicle in road.vehicles.iter().rev() {
            let relative = |feature: Feature| {
                let value = feature_value(model, vehicle, feature, true);
                match feature {
                    Feature::X => value - ego.position[0],
                    Feature::Y => value - ego.position[1],
                    Feature::Vx => value - own[0],
                    Feature::Vy => value - own[1],
                    _ => value,
                }
            };
            let range = |feature: Feature| self.ranges.iter().find(|(each, _)| *each == feature).map(|(_, range)| *range);
            let place = [Feature::X, Feature::Y].map(|axis| match range(axis) {
                Some(range) => lmap(lmap(relative(axis), range, [-1.0, 1.0]), [-1.0, 1.0], range),
                None => relative(axis),
            });
            if let Some(cell) = self.cell(self.coordinates(ego, place)) {
                let value = relative(feature);
                values[cell] = range(feature).map_or(value, |range| lmap(value, range, [-1.0, 1.0]));
            }
        }
    }

    /// Writes 1 into each cell that contains a waypoint of a lane.
    fn fill_road(&self, model: &RoadModel, ego: &Vehicle, values: &mut [f64]) {
        let spacing = if self.step[1] < self.step[0] { self.step[1] } else { self.step[0] };
        for lane in model.network.lanes() {
            if lane.is_farther_than(ego.position, self.reach) {
                continue;
            }
            let own = lane.longitudinal(ego.position);
            let (first, last) = (own - LANE_PERCEPTION_DISTANCE, own + LANE_PERCEPTION_DISTANCE);
            // The arithmetic of `np.arange`.
            let count = ((last - first) / spacing).ceil() as i64;
            let second = first + spacing;
            let waypoint = |number: i64| match number {
                0 => first,
                1 => second,
                _ => first + number as f64 * (second - first),
            };
            // Waypoints beyond an end of the lane are at that end: one of them suffices.
            let begin = ((-first / spacing) as i64 - 1).clamp(0, count - 1);
            let end = (((lane.length - first) / spacing) as i64 + 3).clamp(begin + 1, count);
            let mut arc = Arc::new(lane, waypoint(begin + 1), second - first);
            for number in begin..end {
                let place = waypoint(number);
                let is_inside = 0.0 < place && place < lane.length;
                let near = arc.as_mut().filter(|_| number > begin).map(|arc| arc.next());
                let approximate = near.filter(|_| is_inside).map(|near| self.coordinates(ego, sub(near, ego.position)));
                let is_certain = |at: &Vector| at.iter().all(|at| (at - at.round()).abs() > UNCERTAIN);
                let exact = || self.coordinates(ego, sub(lane.position(clip(place, 0.0, lane.length), 0.0), ego.position));
                if let Some(cell) = self.cell(approximate.filter(is_certain).unwrap_or_else(exact)) {
                    values[cell] = 1.0;
                }
            }
        }
    }

    /// Converts a position relative to the vehicle to coordinates in cells.
    #[inline(always)]
    fn coordinates(&self, ego: &Vehicle, [x, y]: Vector) -> Vector {
        let [c, s] = ego.direction;
        let place = if self.is_aligned { [c * x + s * y, -s * x + c * y] } else { [x, y] };
        [0, 1].map(|axis| (place[axis] - self.origin[axis]) / self.step[axis])
    }

    /// Returns the number of the cell that contains coordinates.
    #[inline(always)]
    fn cell(&self, [x, y]: Vector) -> Option<usize> {
        let is_inside = x >= 0.0 && y >= 0.0 && x < self.shape[0] as f64 && y < self.shape[1] as f64;
        is_inside.then(|| x as usize * self.shape[1] + y as usize)
    }
}

/// Approximate waypoints of a circular lane, each by a rotation of the previous one.
struct Arc {
    center: Vector,
    /// The next waypoint, relative to the centre.
    arm: Vector,
    /// Cosine and sine of the angle between waypoints.
    rotation: Vector,
}

impl Arc {
    fn new(lane: &Lane, first: f64, spacing: f64) -> Option<Self> {
        let Shape::Circular { center, radius, direction, .. } = &lane.shape else { return None };
        let angle = direction * spacing / radius;
        let arm = sub(lane.position(first, 0.0), *center);
        Some(Self { center: *center, arm, rotation: [angle.cos(), angle.sin()] })
    }

    fn next(&mut self) -> Vector {
        let ([x, y], [c, s]) = (self.arm, self.rotation);
        self.arm = [c * x - s * y, s * x + c * y];
        [self.center[0] + x, self.center[1] + y]
    }
}
