//! Road: vehicles that act, move and collide, frame by frame.

use super::math::{Vector, norm, sub};
use super::network::{LaneId, RoadNetwork};
use super::vehicle::{Kind, Vehicle};
use serde::{Deserialize, Serialize};

/// Parameters of the Intelligent Driver Model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IdmParameters {
    /// Jam distance to the vehicle in front, in metres.
    pub distance_wanted: f64,
    /// Acceleration in metres per square second.
    pub comfort_acc_max: f64,
    /// Divisor of the product of speed and approach in the desired gap.
    pub(crate) gap_divisor: f64,
}

impl IdmParameters {
    /// Returns the parameters for a jam distance, an acceleration and a deceleration, which is negative.
    pub fn new(distance_wanted: f64, comfort_acc_max: f64, comfort_acc_min: f64) -> Self {
        Self { distance_wanted, comfort_acc_max, gap_divisor: 2.0 * (-comfort_acc_max * comfort_acc_min).sqrt() }
    }
}

impl Default for IdmParameters {
    fn default() -> Self {
        Self::new(10.0, 3.0, -5.0)
    }
}

/// The parts of a road that never change during an episode.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RoadModel {
    /// Lanes.
    pub network: RoadNetwork,
    /// Behaviour of [`Kind::Idm`] vehicles.
    pub idm: IdmParameters,
    /// Whether neighbours are also looked for on lanes that follow and precede a lane.
    pub connects_lanes: bool,
    /// Whether vehicles yield to others at an intersection (`RegulatedRoad`).
    pub is_regulated: bool,
    /// Target speeds of [`Kind::Mdp`] vehicles, in metres per second.
    pub target_speeds: Vec<f64>,
}

/// Vehicles and objects on a road.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Road {
    /// Vehicles in the order in which they act.
    pub vehicles: Vec<Vehicle>,
    /// Obstacles and landmarks.
    pub objects: Vec<Vehicle>,
    /// Number of frames since the start of the episode.
    pub frames: u64,
    #[serde(skip)]
    neighbours: NeighbourCache,
}

/// Vehicles on each lane in longitudinal order, for the decisions of one frame, during which nothing moves.
#[derive(Debug, Clone, Default)]
struct NeighbourCache {
    lanes: Vec<LaneOrder>,
    /// Place of each vehicle and object in the order of its own lane; `NOWHERE` if it is beside the lane.
    ranks: Vec<u32>,
    frame: u64,
    /// Number of the search in which each vehicle was found.
    found: Vec<u64>,
    search: u64,
    /// Positions on the x axis of all vehicles and objects, in blocks, the last of which is filled with infinities.
    axis: Vec<[f64; BLOCK]>,
    /// Least and largest position of each block.
    extents: Vec<[f64; 2]>,
    /// Accelerations of all vehicles on a free road.
    free: Vec<f64>,
}

const NOWHERE: u32 = u32::MAX;

/// Number of positions that are compared together.
const BLOCK: usize = 8;

impl PartialEq for NeighbourCache {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

/// Vehicles on a lane: longitudinal coordinate and number, in ascending order. Numbers of objects follow those of vehicles.
#[derive(Debug, Clone, Default)]
struct LaneOrder {
    frame: u64,
    order: Vec<(f64, u32)>,
}

/// The vehicles in front of and behind a vehicle.
pub(crate) type Neighbours = [Option<u32>; 2];

impl Road {
    /// Removes all vehicles and objects.
    pub fn clear(&mut self) {
        self.vehicles.clear();
        self.objects.clear();
        self.frames = 0;
    }

    /// Returns the vehicle or object with a number.
    #[inline]
    pub(crate) fn body(&self, number: u32) -> &Vehicle {
        let number = number as usize;
        self.vehicles.get(number).unwrap_or_else(|| &self.objects[number - self.vehicles.len()])
    }
}

impl NeighbourCache {
    /// Forgets everything, because vehicles have moved.
    fn invalidate(&mut self) {
        self.frame += 1;
    }

    /// Sorts the vehicles on a lane, with a margin of one metre, unless that was done in this frame.
    fn sort_lane(&mut self, network: &RoadNetwork, vehicles: &[Vehicle], objects: &[Vehicle], id: LaneId) {
        if self.lanes.len() < network.lanes().len() {
            self.lanes.resize_with(network.lanes().len(), LaneOrder::default);
            self.frame = self.frame.max(1);
        }
        let LaneOrder { frame, order } = &mut self.lanes[usize::from(id)];
        if *frame != self.frame {
            *frame = self.frame;
            order.clear();
            self.ranks.resize(vehicles.len() + objects.len(), NOWHERE);
            let lane = network.lane(id);
            for (number, body) in vehicles.iter().chain(objects).enumerate() {
                let local = if body.lane == id {
                    self.ranks[number] = NOWHERE;
                    Some(body.local).filter(|local| lane.is_on(*local, 1.0))
                } else {
                    lane.local_coordinates_on(body.position, 1.0)
                };
                if let Some(local) = local.filter(|_| body.kind != Kind::Landmark) {
                    // The sum makes both zeros equal.
                    order.push((local[0] + 0.0, number as u32));
                }
            }
            order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for (rank, (_, number)) in order.iter().enumerate() {
                let number = *number as usize;
                if vehicles.get(number).is_some_and(|vehicle| vehicle.lane == id) {
                    self.ranks[number] = rank as u32;
                }
            }
        }
    }
}

impl RoadModel {
    /// Returns the preceding and the following vehicle of vehicle number `vehicle`, projected on a lane.
    pub(crate) fn neighbour_vehicles(&self, road: &mut Road, vehicle: u32, id: LaneId) -> Neighbours {
        let body = &road.vehicles[vehicle as usize];
        let is_own = body.lane == id;
        let s = if is_own { body.local[0] } else { self.network.lane(id).longitudinal(body.position) };
        let Road { vehicles, objects, neighbours, .. } = road;
        if self.connects_lanes {
            return self.connected_neighbours(vehicles, objects, neighbours, vehicle, s, id);
        }
        neighbours.sort_lane(&self.network, vehicles, objects, id);
        let order = &neighbours.lanes[usize::from(id)].order;
        let rank = if is_own { neighbours.ranks[vehicle as usize] } else { NOWHERE };
        let split = match rank {
            NOWHERE => order.partition_point(|(other, _)| *other < s),
            rank => (1..=rank as usize).rev().find(|before| order[before - 1].0 != s).unwrap_or(0),
        };
        // Among equal coordinates, the last vehicle is in front, and the first one behind.
        let mut front: Option<(f64, u32)> = None;
        for &(other, number) in &order[split..] {
            if front.is_some_and(|(first, _)| other != first) {
                break;
            }
            if number != vehicle {
                front = Some((other, number));
            }
        }
        let mut rear: Option<(f64, u32)> = None;
        for &(other, number) in order[..split].iter().rev() {
            if rear.is_some_and(|(last, _)| other != last) {
                break;
            }
            rear = Some((other, number));
        }
        [front.map(|(_, number)| number), rear.map(|(_, number)| number)]
    }

    /// Like [`Self::neighbour_vehicles`], also on the lanes that follow and precede the lane.
    fn connected_neighbours(
        &self,
        vehicles: &[Vehicle],
        objects: &[Vehicle],
        cache: &mut NeighbourCache,
        vehicle: u32,
        s: f64,
        id: LaneId,
    ) -> Neighbours {
        let network = &self.network;
        let (edge, index) = (network.road_of(id), network.index_of(id));
        let same_index = |count: u16| if index < usize::from(count) { index } else { 0 };
        let next = network.leaving(edge.to).map(|next| (next.lane(same_index(next.count)), network.lane(id).length));
        let previous = network.arriving(edge.from).map(|previous| {
            let lane = previous.lane(same_index(previous.count));
            (lane, -network.lane(lane).length)
        });
        cache.search += 1;
        cache.found.resize(vehicles.len() + objects.len(), 0);
        let search = cache.search;
        let mut front: Option<(f64, u32)> = None;
        let mut rear: Option<(f64, u32)> = None;
        for (lane, offset) in std::iter::once((id, 0.0)).chain(next).chain(previous) {
            cache.sort_lane(network, vehicles, objects, lane);
            for &(other, number) in &cache.lanes[usize::from(lane)].order {
                if number == vehicle || std::mem::replace(&mut cache.found[number as usize], search) == search {
                    continue;
                }
                let other = other + offset;
                if s <= other && front.is_none_or(|(best, holder)| other < best || other == best && number > holder) {
                    front = Some((other, number));
                }
                if other < s && rear.is_none_or(|(best, holder)| other > best || other == best && number < holder) {
                    rear = Some((other, number));
                }
            }
        }
        [front.map(|(_, number)| number), rear.map(|(_, number)| number)]
    }

    /// Lets every vehicle decide on steering and acceleration.
    pub fn act(&self, road: &mut Road) {
        road.neighbours.invalidate();
        // Powers and trigonometric functions of all vehicles run in loops of their own, where processors overlap their latencies.
        let mut free = std::mem::take(&mut road.neighbours.free);
        free.clear();
        free.extend(road.vehicles.iter().map(|vehicle| match vehicle.kind {
            Kind::Idm if !vehicle.crashed => self.free_acceleration(vehicle, vehicle.delta),
            _ => 0.0,
        }));
        for (number, free) in free.iter().enumerate() {
            match road.vehicles[number].kind {
                Kind::Idm => self.act_idm(road, number, *free),
                Kind::Mdp => self.act_controlled(&mut road.vehicles[number], None),
                _ => {}
            }
        }
        road.neighbours.free = free;
        for vehicle in &mut road.vehicles {
            if vehicle.kind == Kind::Idm && !vehicle.crashed {
                vehicle.steering = self.steering_control(vehicle, vehicle.target_lane);
            }
        }
    }

    /// Moves every vehicle by `dt` seconds, and finds collisions.
    pub fn step(&self, road: &mut Road, dt: f64) {
        road.frames += 1;
        if self.is_regulated {
            self.enforce_road_rules(road, dt);
        }
        road.vehicles.iter_mut().for_each(|vehicle| vehicle.move_by(dt));
        road.vehicles.iter_mut().for_each(|vehicle| vehicle.update_lane(&self.network));
        handle_collisions(road, dt);
    }

    /// Returns the numbers of the vehicles and objects closer than `distance` to vehicle `observer` (`close_objects_to`).
    pub fn close_objects_to(
        &self,
        road: &Road,
        observer: usize,
        distance: f64,
        (see_behind, sort, vehicles_only): (bool, bool, bool),
        found: &mut Vec<(f64, u32)>,
    ) {
        found.clear();
        let ego = &road.vehicles[observer];
        let is_close = |position: Vector| norm(sub(position, ego.position)) < distance;
        for (number, other) in road.vehicles.iter().enumerate() {
            if number == observer || !is_close(other.position) {
                continue;
            }
            let ahead = ego.lane_distance_to(&self.network, other);
            if see_behind || -2.0 * ego.size[0] < ahead {
                found.push((ahead.abs(), number as u32));
            }
        }
        for (number, other) in road.objects.iter().enumerate().filter(|_| !vehicles_only) {
            if is_close(other.position) {
                let ahead = ego.lane_distance_to(&self.network, other);
                if -2.0 * ego.size[0] < ahead {
                    found.push((ahead.abs(), (road.vehicles.len() + number) as u32));
                }
            }
        }
        if sort {
            found.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal));
        }
    }
}

/// Finds collisions of each vehicle with the vehicles and objects that follow it.
fn handle_collisions(road: &mut Road, dt: f64) {
    let Road { vehicles, objects, neighbours: NeighbourCache { axis, extents, .. }, .. } = road;
    let bodies = || vehicles.iter().chain(objects.iter());
    let widest = bodies().fold(0.0, |widest, body| f64::max(widest, body.size[2]));
    let checking = bodies().enumerate().filter(|(_, body)| body.checks_collisions).last().map_or(0, |(number, _)| number);
    let (count, total) = (vehicles.len(), vehicles.len() + objects.len());
    axis.clear();
    axis.resize(total.div_ceil(BLOCK), [f64::INFINITY; BLOCK]);
    bodies().enumerate().for_each(|(number, body)| axis[number / BLOCK][number % BLOCK] = body.position[0]);
    extents.clear();
    extents.extend(axis.iter().enumerate().map(|(block, places)| {
        let places = &places[..BLOCK.min(total - block * BLOCK)];
        // The package tests pairs whose distance is not a number.
        let has_nan = places.iter().any(|place| place.is_nan());
        let [least, most] = [f64::NEG_INFINITY, f64::INFINITY];
        let of = |start: f64, choose: fn(f64, f64) -> f64| places.iter().copied().fold(start, choose);
        if has_nan { [least, most] } else { [of(most, f64::min), of(least, f64::max)] }
    }));
    for first in 0..count {
        if !vehicles[first].checks_collisions && checking <= first {
            continue;
        }
        // Upper bound of the distance at which any pair is tested, in float64 also.
        let reach = (vehicles[first].size[2] + widest) / 2.0 + vehicles[first].speed * dt;
        let x = axis[first / BLOCK][first % BLOCK];
        for block in (first + 1) / BLOCK..axis.len() {
            let [least, most] = extents[block];
            if least - x > reach || x - most > reach {
                continue;
            }
            #[expect(clippy::neg_cmp_op_on_partial_ord, reason = "the package tests pairs whose distance is not a number")]
            let near = axis[block].map(|other| !((other - x).abs() > reach));
            if !near.contains(&true) {
                continue;
            }
            for number in (block * BLOCK).max(first + 1)..total.min((block + 1) * BLOCK) {
                if near[number % BLOCK] {
                    let (head, others) = vehicles.split_at_mut(first + 1);
                    let other = if number < count { &mut others[number - first - 1] } else { &mut objects[number - count] };
                    head[first].handle_collisions(other, dt);
                }
            }
        }
    }
}
