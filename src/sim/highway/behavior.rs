//! Behaviour of vehicles: the Intelligent Driver Model, MOBIL, and the controllers of steering and speed.

use super::math::{clip, dot, not_zero, sub, wrap_to_pi};
use super::network::LaneId;
use super::road::{Road, RoadModel};
use super::vehicle::{MetaAction, Vehicle, speed_to_index};
use std::f64::consts::PI;

const TAU_ACC: f64 = 0.6;
const TAU_HEADING: f64 = 0.2;
const TAU_LATERAL: f64 = 0.6;
const TAU_PURSUIT: f64 = 0.5 * TAU_HEADING;
const KP_A: f64 = 1.0 / TAU_ACC;
const KP_HEADING: f64 = 1.0 / TAU_HEADING;
const KP_LATERAL: f64 = 1.0 / TAU_LATERAL;
const MAX_STEERING_ANGLE: f64 = PI / 3.0;
/// Largest acceleration of an IDM vehicle.
const ACC_MAX: f64 = 6.0;
/// Time gap to the vehicle in front, in seconds.
const TIME_WANTED: f64 = 1.5;
const LANE_CHANGE_MIN_ACC_GAIN: f64 = 0.2;
const LANE_CHANGE_MAX_BRAKING_IMPOSED: f64 = 2.0;
const LANE_CHANGE_DELAY: f64 = 1.0;

impl RoadModel {
    /// Lets an IDM vehicle decide on its target lane and its acceleration. `free` is its acceleration on a free road.
    pub(crate) fn act_idm(&self, road: &mut Road, number: usize, free: f64) {
        if road.vehicles[number].crashed {
            return;
        }
        self.follow_road(&mut road.vehicles[number]);
        if road.vehicles[number].changes_lanes {
            self.change_lane_policy(road, number, free);
        }
        let vehicle = &road.vehicles[number];
        let (lane, target) = (vehicle.lane, vehicle.target_lane);
        let [front, _] = self.neighbour_vehicles(road, number as u32, lane);
        let mut acceleration = self.acceleration_behind(road, number, free, front);
        if lane != target {
            let [front, _] = self.neighbour_vehicles(road, number as u32, target);
            let on_target = self.acceleration_behind(road, number, free, front);
            if on_target < acceleration {
                acceleration = on_target;
            }
        }
        road.vehicles[number].acceleration = clip(acceleration, -ACC_MAX, ACC_MAX);
    }

    /// Applies an action to a [`Kind::Mdp`](crate::vehicle::Kind) vehicle, or none, and controls its steering and acceleration.
    pub fn act_controlled(&self, vehicle: &mut Vehicle, action: Option<MetaAction>) {
        if let Some(change @ (MetaAction::Faster | MetaAction::Slower)) = action {
            let step = if change == MetaAction::Faster { 1 } else { -1 };
            let last = self.target_speeds.len() as i64 - 1;
            vehicle.speed_index = (speed_to_index(vehicle.speed, &self.target_speeds) + step).clamp(0, last);
            vehicle.target_speed = self.target_speeds[vehicle.speed_index as usize];
        }
        self.follow_road(vehicle);
        if let Some(change @ (MetaAction::LaneLeft | MetaAction::LaneRight)) = action {
            let (road, index) = (self.network.road_of(vehicle.target_lane), self.network.index_of(vehicle.target_lane));
            let index = if change == MetaAction::LaneRight { index + 1 } else { index.saturating_sub(1) };
            let lane = road.lane(index.min(usize::from(road.count) - 1));
            if self.network.lane(lane).is_reachable_from(vehicle.position) {
                vehicle.target_lane = lane;
            }
        }
        vehicle.steering = self.steering_control(vehicle, vehicle.target_lane);
        vehicle.acceleration = KP_A * (vehicle.target_speed - vehicle.speed);
    }

    /// At the end of the target lane, chooses the next one.
    fn follow_road(&self, vehicle: &mut Vehicle) {
        if self.network.lane(vehicle.target_lane).after_end(vehicle.position) {
            vehicle.target_lane = self.network.next_lane(vehicle.target_lane, &mut vehicle.route, vehicle.position);
        }
    }

    /// Returns the steering angle with which a vehicle approaches the centre of a lane.
    #[inline]
    pub(crate) fn steering_control(&self, vehicle: &Vehicle, target: LaneId) -> f64 {
        let lane = self.network.lane(target);
        let [s, lateral] = if target == vehicle.lane { vehicle.local } else { lane.local_coordinates(vehicle.position) };
        let future_heading = lane.heading_at(s + vehicle.speed * TAU_PURSUIT);
        let speed = not_zero(vehicle.speed);
        let heading_command = asin(clip(-KP_LATERAL * lateral / speed, -1.0, 1.0));
        let heading_ref = future_heading + clip(heading_command, -PI / 4.0, PI / 4.0);
        let rate = KP_HEADING * wrap_to_pi(heading_ref - vehicle.heading);
        let slip_angle = asin(clip(Vehicle::LENGTH / 2.0 / speed * rate, -1.0, 1.0));
        clip(atan(2.0 * tan(slip_angle)), -MAX_STEERING_ANGLE, MAX_STEERING_ANGLE)
    }

    /// Returns the acceleration of a vehicle on a free road. `delta` is the exponent of the speed.
    #[inline]
    pub(crate) fn free_acceleration(&self, ego: &Vehicle, delta: f64) -> f64 {
        let target_speed = clip(ego.target_speed, 0.0, self.network.lane(ego.lane).speed_limit);
        let speed = if 0.0 > ego.speed { 0.0 } else { ego.speed };
        let share = speed / not_zero(target_speed).abs();
        self.idm.comfort_acc_max * (1.0 - share.powf(delta))
    }

    /// Returns the acceleration of vehicle `ego` behind body `front`; `free` is that on a free road.
    fn acceleration_behind(&self, road: &Road, ego: usize, free: f64, front: Option<u32>) -> f64 {
        let (ego, Some(front)) = (&road.vehicles[ego], front.map(|front| road.body(front))) else {
            return free;
        };
        let ratio = self.desired_gap(ego, front) / not_zero(ego.lane_distance_to(&self.network, front));
        free - self.idm.comfort_acc_max * (ratio * ratio)
    }

    /// Returns the desired distance between a vehicle and the one in front, in metres.
    fn desired_gap(&self, ego: &Vehicle, front: &Vehicle) -> f64 {
        let approach = dot(sub(ego.velocity(), front.velocity()), ego.direction);
        self.idm.distance_wanted + ego.speed * TIME_WANTED + ego.speed * approach / self.idm.gap_divisor
    }

    /// Decides about changes of lanes, once a second.
    fn change_lane_policy(&self, road: &mut Road, number: usize, free: f64) {
        let vehicle = &road.vehicles[number];
        if vehicle.lane != vehicle.target_lane {
            let is_blocked = |other: &Vehicle| {
                let gap = vehicle.lane_distance_to(&self.network, other);
                0.0 < gap && gap < self.desired_gap(vehicle, other)
            };
            let changes_there = |(index, other): &(usize, &Vehicle)| {
                *index != number
                    && other.lane != vehicle.target_lane
                    && other.is_controlled()
                    && other.target_lane == vehicle.target_lane
            };
            if self.network.is_same_road(vehicle.lane, vehicle.target_lane)
                && road.vehicles.iter().enumerate().filter(changes_there).any(|(_, other)| is_blocked(other))
            {
                road.vehicles[number].target_lane = road.vehicles[number].lane;
            }
            return;
        }
        if LANE_CHANGE_DELAY >= vehicle.timer {
            return;
        }
        road.vehicles[number].timer = 0.0;
        for lane in self.network.side_lanes(road.vehicles[number].lane) {
            let vehicle = &road.vehicles[number];
            if self.network.lane(lane).is_reachable_from(vehicle.position)
                && vehicle.speed.abs() >= 1.0
                && self.mobil(road, number, free, lane)
            {
                road.vehicles[number].target_lane = lane;
            }
        }
    }

    /// Returns whether MOBIL recommends a change to a lane: it helps the vehicle, and is safe for the one that will follow.
    fn mobil(&self, road: &mut Road, number: usize, free: f64, lane: LaneId) -> bool {
        let [new_preceding, new_following] = self.neighbour_vehicles(road, number as u32, lane);
        // Objects do not accelerate. The package judges followers by the exponent of this vehicle.
        if let Some(follower) = new_following.map(|follower| follower as usize).filter(|follower| *follower < road.vehicles.len())
        {
            let own = self.free_acceleration(&road.vehicles[follower], road.vehicles[number].delta);
            if self.acceleration_behind(road, follower, own, Some(number as u32)) < -LANE_CHANGE_MAX_BRAKING_IMPOSED {
                return false;
            }
        }
        let predicted = self.acceleration_behind(road, number, free, new_preceding);
        let vehicle = &road.vehicles[number];
        if let Some(wanted) = vehicle.route.first().and_then(|step| step.index) {
            let target = self.network.index_of(vehicle.target_lane);
            return self.network.index_of(lane).cmp(&target) == usize::from(wanted).cmp(&target)
                && predicted >= -LANE_CHANGE_MAX_BRAKING_IMPOSED;
        }
        let own_lane = vehicle.lane;
        let [old_preceding, _] = self.neighbour_vehicles(road, number as u32, own_lane);
        // The accelerations of followers count with politeness 0.
        predicted - self.acceleration_behind(road, number, free, old_preceding) >= LANE_CHANGE_MIN_ACC_GAIN
    }
}

/// Arcsine, without a call for zero. 73% of the vehicles of highway-fast-v0 drive straight ahead.
#[inline(always)]
fn asin(x: f64) -> f64 {
    if x == 0.0 { x } else { x.asin() }
}

/// Arctangent, without a call for zero.
#[inline(always)]
pub(crate) fn atan(x: f64) -> f64 {
    if x == 0.0 { x } else { x.atan() }
}

/// Tangent, without a call for zero.
#[inline(always)]
pub(crate) fn tan(x: f64) -> f64 {
    if x == 0.0 { x } else { x.tan() }
}
