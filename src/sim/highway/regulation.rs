//! Rules of the right of way at intersections (`RegulatedRoad`).

use super::math::{Vector, direction, norm, sub};
use super::road::{Road, RoadModel};
use super::vehicle::{Kind, RouteStep, Vehicle};

/// Checks of the rules per second.
const REGULATION_FREQUENCY: f64 = 2.0;
/// Time step and number of steps of the prediction of conflicts.
const STEP: f64 = 0.25;
const STEPS: usize = 11;

impl RoadModel {
    /// Finds conflicts, twice a second, and stops the vehicles that must yield.
    pub(crate) fn enforce_road_rules(&self, road: &mut Road, dt: f64) {
        let period = (1.0 / dt / REGULATION_FREQUENCY) as u64;
        if !road.frames.is_multiple_of(period) {
            return;
        }
        for vehicle in &mut road.vehicles {
            if vehicle.yields.take().is_some() {
                // Vehicles yield for no time, until the next check.
                vehicle.target_speed = self.network.lane(vehicle.lane).speed_limit;
            }
        }
        let paths: Vec<Path> = road.vehicles.iter().map(|vehicle| self.predict(vehicle)).collect();
        for first in 0..road.vehicles.len() {
            for second in first + 1..road.vehicles.len() {
                if is_conflict_possible(&paths[first], &paths[second]) {
                    let (a, b) = (&road.vehicles[first], &road.vehicles[second]);
                    let priority = |vehicle: &Vehicle| self.network.lane(vehicle.lane).priority;
                    let first_yields = match priority(a).cmp(&priority(b)) {
                        std::cmp::Ordering::Greater => false,
                        std::cmp::Ordering::Less => true,
                        std::cmp::Ordering::Equal => a.front_distance_to(b) > b.front_distance_to(a),
                    };
                    let vehicle = &mut road.vehicles[if first_yields { first } else { second }];
                    if vehicle.kind == Kind::Idm {
                        vehicle.target_speed = 0.0;
                        vehicle.yields = Some(0.0);
                    }
                }
            }
        }
    }

    /// Predicts positions and directions at constant speed: along the route, or with constant steering.
    fn predict(&self, vehicle: &Vehicle) -> Path {
        if vehicle.is_controlled() {
            let stay = [RouteStep {
                road: self.network.road_of(vehicle.lane).first,
                index: Some(self.network.index_of(vehicle.lane) as u16),
            }];
            let route = if vehicle.route.is_empty() { &stay[..] } else { &vehicle.route };
            return std::array::from_fn(|step| {
                let longitudinal = vehicle.local[0] + vehicle.speed * time(step);
                let (position, heading) = self.network.position_heading_along_route(route, longitudinal, vehicle.lane);
                (position, direction(heading))
            });
        }
        let mut copy = vehicle.clone();
        copy.acceleration = 0.0;
        std::array::from_fn(|step| {
            // Differences of the times, all exact.
            let dt = if step == 0 { time(0) } else { time(step) - time(step - 1) };
            copy.step(&self.network, dt);
            (copy.position, copy.direction)
        })
    }
}

/// Predicted positions and directions.
type Path = [(Vector, Vector); STEPS];

fn time(step: usize) -> f64 {
    STEP + step as f64 * STEP
}

fn is_conflict_possible(first: &Path, second: &Path) -> bool {
    first.iter().zip(second).any(|(a, b)| {
        let delta = sub(b.0, a.0);
        delta[0].abs() <= Vehicle::LENGTH
            && norm(delta) <= Vehicle::LENGTH
            && (has_corner_inside(*a, *b) || has_corner_inside(*b, *a))
    })
}

/// Returns whether the first rectangle has a corner, the middle of a side or its centre inside the second.
fn has_corner_inside((center, [c, s]): (Vector, Vector), (other, [oc, os]): (Vector, Vector)) -> bool {
    let (l, w) = (1.5 * Vehicle::LENGTH / 2.0, 0.9 * Vehicle::WIDTH / 2.0);
    let points = [[-l, -w], [-l, w], [l, w], [l, -w], [0.0, 0.0], [-l, 0.0], [l, 0.0], [0.0, -w], [0.0, w]];
    points.into_iter().any(|[x, y]| {
        let point = [c * x + -s * y + center[0], s * x + c * y + center[1]];
        let [dx, dy] = sub(point, other);
        let (x, y) = (oc * dx + -os * dy, os * dx + oc * dy);
        -l <= x && x <= l && -w <= y && y <= w
    })
}
