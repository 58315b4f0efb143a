//! Lanes: their central curves, widths and rules.

use super::math::{Vector, dot, norm, sub, wrap_to_pi};
use std::f64::consts::PI;

/// Width of a lane in metres, unless the lane sets another.
pub const DEFAULT_WIDTH: f64 = 4.0;
/// Length of a vehicle in metres, as lanes assume it at their ends.
pub const VEHICLE_LENGTH: f64 = 5.0;

/// Line at a side of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineType {
    /// No line.
    None,
    /// Stripes.
    Striped,
    /// A line that is drawn in pieces, along a curve.
    Continuous,
    /// A line that is drawn as one segment.
    ContinuousLine,
}

/// Central curve of a lane.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A segment, or a sine wave along it: amplitude in metres, pulsation in radians per metre, and phase.
    Straight {
        /// Start of the segment.
        start: Vector,
        /// End of the segment.
        end: Vector,
        /// Unit vector from start to end.
        direction: Vector,
        /// Unit vector to the right.
        lateral: Vector,
        /// Angle of the direction.
        heading: f64,
        /// Amplitude, pulsation and phase of a sine wave.
        sine: Option<[f64; 3]>,
    },
    /// An arc.
    Circular {
        /// Centre of the circle.
        center: Vector,
        /// Radius in metres.
        radius: f64,
        /// Angle at the start of the lane.
        start_phase: f64,
        /// 1 if the lane runs clockwise in pictures, otherwise -1.
        direction: f64,
    },
}

/// A lane of a road.
#[derive(Debug, Clone, PartialEq)]
pub struct Lane {
    /// Central curve.
    pub shape: Shape,
    /// Length of the curve in metres.
    pub length: f64,
    /// Width in metres.
    pub width: f64,
    /// Lines on the left and right side.
    pub line_types: [LineType; 2],
    /// Whether changing to this lane is forbidden.
    pub forbidden: bool,
    /// Speed limit in metres per second.
    pub speed_limit: f64,
    /// Priority at intersections: vehicles yield to those on lanes with a greater one.
    pub priority: i32,
}

impl Lane {
    /// Creates a straight lane with stripes on both sides and a speed limit of 20 m/s.
    pub fn straight(start: Vector, end: Vector) -> Self {
        let vector = sub(end, start);
        let length = norm(vector);
        let direction = [vector[0] / length, vector[1] / length];
        let heading = vector[1].atan2(vector[0]);
        let shape = Shape::Straight { start, end, direction, lateral: [-direction[1], direction[0]], heading, sine: None };
        Self {
            shape,
            length,
            width: DEFAULT_WIDTH,
            line_types: [LineType::Striped; 2],
            forbidden: false,
            speed_limit: 20.0,
            priority: 0,
        }
    }

    /// Creates a sine wave along a segment.
    pub fn sine(from: Vector, to: Vector, amplitude: f64, pulsation: f64, phase: f64) -> Self {
        let mut lane = Self::straight(from, to);
        if let Shape::Straight { sine, .. } = &mut lane.shape {
            *sine = Some([amplitude, pulsation, phase]);
        }
        lane
    }

    /// Creates an arc between two angles.
    pub fn circular(center: Vector, radius: f64, start_phase: f64, end_phase: f64, clockwise: bool) -> Self {
        let direction = if clockwise { 1.0 } else { -1.0 };
        let shape = Shape::Circular { center, radius, start_phase, direction };
        Self { shape, length: radius * (end_phase - start_phase) * direction, ..Self::straight([0.0, 0.0], [1.0, 0.0]) }
    }

    /// Sets the lines on both sides.
    #[must_use]
    pub fn lines(self, left: LineType, right: LineType) -> Self {
        Self { line_types: [left, right], ..self }
    }

    /// Sets the speed limit.
    #[must_use]
    pub fn limit(self, speed_limit: f64) -> Self {
        Self { speed_limit, ..self }
    }

    /// Sets the width.
    #[must_use]
    pub fn wide(self, width: f64) -> Self {
        Self { width, ..self }
    }

    /// Forbids changes to this lane.
    #[must_use]
    pub fn forbid(self) -> Self {
        Self { forbidden: true, ..self }
    }

    /// Sets the priority.
    #[must_use]
    pub fn prior(self, priority: i32) -> Self {
        Self { priority, ..self }
    }

    /// Converts lane coordinates in metres to a position.
    pub fn position(&self, longitudinal: f64, lateral: f64) -> Vector {
        match &self.shape {
            Shape::Straight { start, direction, lateral: side, sine, .. } => {
                let lateral = match sine {
                    Some([amplitude, pulsation, phase]) => lateral + amplitude * (pulsation * longitudinal + phase).sin(),
                    None => lateral,
                };
                [0, 1].map(|i| start[i] + longitudinal * direction[i] + lateral * side[i])
            }
            Shape::Circular { center, radius, start_phase, direction } => {
                let phi = direction * longitudinal / radius + start_phase;
                let away = radius - lateral * direction;
                [center[0] + away * phi.cos(), center[1] + away * phi.sin()]
            }
        }
    }

    /// Converts a position to lane coordinates, longitudinal and lateral, in metres.
    #[inline]
    pub fn local_coordinates(&self, position: Vector) -> Vector {
        match &self.shape {
            Shape::Straight { start, direction, lateral, sine, .. } => {
                let delta = sub(position, *start);
                let (s, r) = (dot(delta, *direction), dot(delta, *lateral));
                match sine {
                    Some([amplitude, pulsation, phase]) => [s, r - amplitude * (pulsation * s + phase).sin()],
                    None => [s, r],
                }
            }
            Shape::Circular { center, radius, start_phase, direction } => {
                let delta = sub(position, *center);
                let phi = delta[1].atan2(delta[0]);
                let phi = start_phase + wrap_to_pi(phi - start_phase);
                [direction * (phi - start_phase) * radius, direction * (radius - norm(delta))]
            }
        }
    }

    /// Returns the longitudinal coordinate of a position, in metres.
    #[inline]
    pub fn longitudinal(&self, position: Vector) -> f64 {
        match &self.shape {
            Shape::Straight { start, direction, .. } => dot(sub(position, *start), *direction),
            Shape::Circular { .. } => self.local_coordinates(position)[0],
        }
    }

    /// Returns the heading of the lane at a longitudinal coordinate.
    #[inline]
    pub fn heading_at(&self, longitudinal: f64) -> f64 {
        match &self.shape {
            Shape::Straight { heading, sine: None, .. } => *heading,
            Shape::Straight { heading, sine: Some([amplitude, pulsation, phase]), .. } => {
                heading + (amplitude * pulsation * (pulsation * longitudinal + phase).cos()).atan()
            }
            Shape::Circular { radius, start_phase, direction, .. } => {
                direction * longitudinal / radius + start_phase + PI / 2.0 * direction
            }
        }
    }

    /// Returns whether lane coordinates are on the lane, or at most `margin` metres beside it.
    #[inline]
    pub fn is_on(&self, [longitudinal, lateral]: Vector, margin: f64) -> bool {
        lateral.abs() <= self.width / 2.0 + margin
            && -VEHICLE_LENGTH <= longitudinal
            && longitudinal < self.length + VEHICLE_LENGTH
    }

    /// Returns the lane coordinates of a position on the lane, or at most `margin` metres beside it.
    #[inline]
    pub(crate) fn local_coordinates_on(&self, position: Vector, margin: f64) -> Option<Vector> {
        let is_beside = match &self.shape {
            Shape::Circular { center, radius, .. } => {
                // No arctangent for positions that are not near the circle.
                (radius - norm(sub(position, *center))).abs() > self.width / 2.0 + margin
            }
            Shape::Straight { start, lateral, sine: None, .. } => {
                dot(sub(position, *start), *lateral).abs() > self.width / 2.0 + margin
            }
            Shape::Straight { .. } => false,
        };
        if is_beside {
            return None;
        }
        Some(self.local_coordinates(position)).filter(|local| self.is_on(*local, margin))
    }

    /// Returns whether a vehicle at a position may change to this lane.
    #[inline]
    pub fn is_reachable_from(&self, position: Vector) -> bool {
        if self.forbidden {
            return false;
        }
        let [s, r] = self.local_coordinates(position);
        r.abs() <= 2.0 * self.width && 0.0 <= s && s < self.length + VEHICLE_LENGTH
    }

    /// Returns whether a position is past the end of the lane, less half a vehicle.
    #[inline]
    pub fn after_end(&self, position: Vector) -> bool {
        self.longitudinal(position) > self.length - VEHICLE_LENGTH / 2.0
    }

    /// Returns the L1 distance between lane coordinates and the lane, in metres.
    #[inline]
    fn distance_of(&self, [s, r]: Vector) -> f64 {
        r.abs() + if 0.0 > s - self.length { 0.0 } else { s - self.length } + if 0.0 > 0.0 - s { 0.0 } else { 0.0 - s }
    }

    /// Returns the L1 distance between a position and the lane, in metres.
    pub fn distance(&self, position: Vector) -> f64 {
        self.distance_of(self.local_coordinates(position))
    }

    /// Returns the least x and y, and the largest x and y, of a box that contains the central curve.
    pub(crate) fn bounds(&self) -> [Vector; 2] {
        const PARTS: usize = 32;
        let (count, margin) = match &self.shape {
            Shape::Straight { sine, .. } => (1, sine.map_or(0.0, |[amplitude, ..]| 2.0 * amplitude.abs())),
            // Between two points of an arc, it is within a square of their distance from them.
            Shape::Circular { .. } => (PARTS, self.length.abs() / PARTS as f64),
        };
        let mut bounds = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for part in 0..=count {
            let position = self.position(self.length * part as f64 / count as f64, 0.0);
            for axis in 0..2 {
                bounds[0][axis] = bounds[0][axis].min(position[axis] - margin);
                bounds[1][axis] = bounds[1][axis].max(position[axis] + margin);
            }
        }
        bounds
    }

    /// Returns whether the central curve is certainly farther than `distance` metres from a position.
    pub fn is_farther_than(&self, position: Vector, distance: f64) -> bool {
        // Margin for rounding.
        let distance = distance + 1e-6;
        match &self.shape {
            Shape::Circular { center, radius, .. } => (radius - norm(sub(position, *center))).abs() > distance,
            Shape::Straight { start, direction, lateral, sine, .. } => {
                let delta = sub(position, *start);
                let (s, distance) = (dot(delta, *direction), distance + sine.map_or(0.0, |[amplitude, ..]| amplitude.abs()));
                dot(delta, *lateral).abs() > distance || s < -distance || s > self.length + distance
            }
        }
    }

    /// Returns the angle between a heading and the lane.
    #[inline]
    pub fn local_angle(&self, heading: f64, longitudinal: f64) -> f64 {
        wrap_to_pi(heading - self.heading_at(longitudinal))
    }

    /// Returns lane coordinates and the distance between a vehicle and the lane: metres plus radians. `None` without all the
    /// arithmetic if the distance is certain to exceed `limit`.
    #[inline(always)]
    pub fn distance_with_heading(&self, position: Vector, heading: f64, limit: f64) -> Option<(Vector, f64)> {
        // The arithmetic of a bound is exact, or it has a margin for rounding.
        match &self.shape {
            Shape::Circular { center, radius, .. } if (radius - norm(sub(position, *center))).abs() > limit => return None,
            Shape::Straight { start, lateral, sine: Some([amplitude, ..]), .. }
                if dot(sub(position, *start), *lateral).abs() - amplitude.abs() - 1e-6 > limit =>
            {
                return None;
            }
            _ => {}
        }
        let local = self.local_coordinates(position);
        let distance = self.distance_of(local);
        if distance > limit {
            return None;
        }
        Some((local, distance + self.local_angle(heading, local[0]).abs()))
    }
}
