//! Motion of vehicles: the kinematic bicycle model, and a bicycle model with friction of tires.

use super::behavior::{atan, tan};
use super::math::{clip, direction};
use super::network::RoadNetwork;
use super::vehicle::{Kind, Vehicle};
use std::f64::consts::PI;

/// Distance between the centre and an axle, in metres.
const HALF_LENGTH: f64 = Vehicle::LENGTH / 2.0;
const INERTIA_Z: f64 = 1.0 / 12.0 * (Vehicle::LENGTH * Vehicle::LENGTH + Vehicle::WIDTH * Vehicle::WIDTH);
const FRICTION: f64 = 15.0;
const MAX_ANGULAR_SPEED: f64 = 2.0 * PI;

impl Vehicle {
    /// Moves the vehicle by `dt` seconds, and finds the closest lane.
    pub(crate) fn step(&mut self, network: &RoadNetwork, dt: f64) {
        self.move_by(dt);
        self.update_lane(network);
    }

    /// Moves the vehicle by `dt` seconds.
    pub(crate) fn move_by(&mut self, dt: f64) {
        if self.kind == Kind::Idm {
            self.timer += dt;
        }
        self.clip_actions();
        match self.kind {
            Kind::Bicycle => self.step_bicycle(dt),
            _ => self.step_kinematic(dt),
        }
    }

    fn clip_actions(&mut self) {
        if self.crashed {
            self.steering = 0.0;
            self.acceleration = -self.speed;
        }
        let [least, most] = self.speed_range;
        if self.speed > most {
            self.acceleration = least_of(self.acceleration, most - self.speed);
        } else if self.speed < least {
            self.acceleration = -least_of(-self.acceleration, self.speed - least);
        }
    }

    fn step_kinematic(&mut self, dt: f64) {
        let beta = atan(1.0 / 2.0 * tan(self.steering));
        let slipping = if beta == 0.0 { self.direction } else { direction(self.heading + beta) };
        self.position[0] += self.speed * slipping[0] * dt;
        self.position[1] += self.speed * slipping[1] * dt;
        if let Some(impact) = self.impact.take() {
            self.position = [self.position[0] + impact[0], self.position[1] + impact[1]];
            self.crashed = true;
        }
        if beta != 0.0 {
            self.heading += self.speed * beta.sin() / (Vehicle::LENGTH / 2.0) * dt;
            self.direction = direction(self.heading);
        }
        self.speed += self.acceleration * dt;
    }

    fn step_bicycle(&mut self, dt: f64) {
        self.steering = clip(self.steering, -PI / 2.0, PI / 2.0);
        self.yaw_rate = clip(self.yaw_rate, -MAX_ANGULAR_SPEED, MAX_ANGULAR_SPEED);
        let state = self.state();
        let add = |change: [f64; 6], factor: f64| std::array::from_fn(|i| state[i] + change[i] * factor);
        let first = self.derivative(state);
        let second = self.derivative(add(first, dt / 2.0));
        let third = self.derivative(add(second, dt / 2.0));
        let fourth = self.derivative(add(third, dt));
        let next: [f64; 6] =
            std::array::from_fn(|i| state[i] + dt / 6.0 * (first[i] + 2.0 * second[i] + 2.0 * third[i] + fourth[i]));
        self.position = [next[0], next[1]];
        self.heading = next[2];
        self.speed = next[3];
        self.lateral_speed = next[4];
        self.yaw_rate = next[5];
        self.direction = direction(self.heading);
    }

    /// Returns position, heading, speed, lateral speed and yaw rate.
    pub fn state(&self) -> [f64; 6] {
        [self.position[0], self.position[1], self.heading, self.speed, self.lateral_speed, self.yaw_rate]
    }

    /// Returns the derivative of a state of the bicycle model by time (Rajamani, Vehicle Dynamics and Control, chapter 2).
    pub fn derivative(&self, [_, _, heading, speed, lateral_speed, yaw_rate]: [f64; 6]) -> [f64; 6] {
        let (mut front, mut rear) = match speed.abs() < 1.0 {
            true => (-lateral_speed - INERTIA_Z / HALF_LENGTH * yaw_rate, -lateral_speed + INERTIA_Z / HALF_LENGTH * yaw_rate),
            false => {
                let front_angle = (lateral_speed + HALF_LENGTH * yaw_rate).atan2(speed);
                let rear_angle = (lateral_speed - HALF_LENGTH * yaw_rate).atan2(speed);
                (2.0 * FRICTION * (self.steering - front_angle), 2.0 * FRICTION * (0.0 - rear_angle))
            }
        };
        let lateral = front + rear - yaw_rate * speed;
        (front, rear) = (HALF_LENGTH * front, HALF_LENGTH * rear);
        let [c, s] = direction(heading);
        [
            c * speed + -s * lateral_speed,
            s * speed + c * lateral_speed,
            yaw_rate,
            self.acceleration,
            lateral,
            1.0 / INERTIA_Z * (front - rear),
        ]
    }
}

/// Returns Python's `min(a, b)`.
fn least_of(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}
