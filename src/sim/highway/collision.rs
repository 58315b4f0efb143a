//! Collisions of rectangles, by separating axes.

use super::math::{Vector, dot, norm, sub};
use super::vehicle::{Kind, Vehicle};

impl Vehicle {
    /// Finds a collision with another vehicle or object, now or within `dt` seconds.
    #[inline]
    pub(crate) fn handle_collisions(&mut self, other: &mut Self, dt: f64) {
        let reach = (self.size[2] + other.size[2]) / 2.0 + self.speed * dt;
        let delta = sub(other.position, self.position);
        // A distance is never less than its components, in float64 also.
        if delta[0].abs() > reach || delta[1].abs() > reach {
            return;
        }
        if !(self.checks_collisions || other.checks_collisions) || norm(delta) > reach {
            return;
        }
        self.collide(other, dt);
    }

    #[cold]
    fn collide(&mut self, other: &mut Self, dt: f64) {
        let displacement = |vehicle: &Self| vehicle.velocity().map(|speed| speed * dt);
        let approach = sub(displacement(self), displacement(other));
        if self.is_beside(other, approach) || other.is_beside(self, approach) {
            return;
        }
        let Contact { intersects, translation } =
            polygons_intersect(&self.polygon(), &other.polygon(), displacement(self), displacement(other));
        if other.kind == Kind::Landmark {
            other.crashed |= intersects;
            return;
        }
        if let Some(translation) = translation {
            if other.kind == Kind::Obstacle {
                self.impact = Some(translation);
            } else {
                self.impact = Some(translation.map(|part| part / 2.0));
                other.impact = Some(translation.map(|part| -part / 2.0));
            }
        }
        if intersects {
            self.crashed = true;
            other.crashed = true;
        }
    }

    /// Returns whether a side of this rectangle separates it from another, now and after a displacement, with a margin for
    /// rounding: the separating axis that [`polygons_intersect`] would find.
    #[inline]
    fn is_beside(&self, other: &Self, approach: Vector) -> bool {
        let delta = sub(other.position, self.position);
        let [c, s] = self.direction;
        let [along, across] = [dot(other.direction, self.direction), dot(other.direction, [-s, c])].map(f64::abs);
        let axes = [([c, s], self.size[0], [along, across]), ([-s, c], self.size[1], [across, along])];
        axes.into_iter().any(|(axis, size, [lengthwise, crosswise])| {
            let reach = (size + other.size[0] * lengthwise + other.size[1] * crosswise) / 2.0 + dot(approach, axis).abs();
            dot(delta, axis).abs() > reach + 1e-6
        })
    }

    /// Returns the corners of the vehicle's rectangle.
    pub fn polygon(&self) -> [Vector; 4] {
        rect_corners(self.position, self.size[0], self.size[1], self.direction)
    }
}

/// Returns the corners of a rectangle: rear left, rear right, front right, front left.
pub fn rect_corners(center: Vector, length: f64, width: f64, [c, s]: Vector) -> [Vector; 4] {
    let (l, w) = (length / 2.0, width / 2.0);
    [[-l, -w], [-l, w], [l, w], [l, -w]].map(|[x, y]| [c * x + -s * y + center[0], s * x + c * y + center[1]])
}

/// Result of a test of two polygons.
struct Contact {
    intersects: bool,
    /// Translation that separates the polygons, if they will intersect after their displacements.
    translation: Option<Vector>,
}

fn polygons_intersect(a: &[Vector; 4], b: &[Vector; 4], displacement_a: Vector, displacement_b: Vector) -> Contact {
    let (mut intersects, mut will_intersect) = (true, true);
    let mut least = f64::INFINITY;
    let mut axis = [0.0; 2];
    let displacement = sub(displacement_a, displacement_b);
    for polygon in [a, b] {
        for corner in 0..4 {
            let (p1, p2) = (polygon[corner], polygon[(corner + 1) % 4]);
            let normal = [-p2[1] + p1[1], p2[0] - p1[0]];
            let length = norm(normal);
            let normal = normal.map(|part| part / length);
            let (mut min_a, mut max_a) = project(a, normal);
            let (min_b, max_b) = project(b, normal);
            if interval_distance(min_a, max_a, min_b, max_b) > 0.0 {
                intersects = false;
            }
            let velocity_projection = dot(normal, displacement);
            if velocity_projection < 0.0 {
                min_a += velocity_projection;
            } else {
                max_a += velocity_projection;
            }
            let distance = interval_distance(min_a, max_a, min_b, max_b);
            if distance > 0.0 {
                will_intersect = false;
            }
            if !intersects && !will_intersect {
                return Contact { intersects, translation: None };
            }
            if distance.abs() < least {
                least = distance.abs();
                let centers = sub(center(a), center(b));
                axis = if dot(centers, normal) > 0.0 { normal } else { normal.map(|part| -part) };
            }
        }
    }
    Contact { intersects, translation: will_intersect.then(|| axis.map(|part| least * part)) }
}

fn center(polygon: &[Vector; 4]) -> Vector {
    [0, 1].map(|i| (polygon[0][i] + polygon[1][i] + polygon[2][i] + polygon[3][i]) / 4.0)
}

fn project(polygon: &[Vector; 4], axis: Vector) -> (f64, f64) {
    let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
    for point in polygon {
        let projected = dot(*point, axis);
        if projected < min {
            min = projected;
        }
        if projected > max {
            max = projected;
        }
    }
    (min, max)
}

fn interval_distance(min_a: f64, max_a: f64, min_b: f64, max_b: f64) -> f64 {
    if min_a < min_b { min_b - max_a } else { min_a - max_b }
}
