//! Road networks: lanes between named nodes, and routes through them.

use super::lane::{DEFAULT_WIDTH, Lane, LineType};
use super::math::Vector;
use super::vehicle::RouteStep;

/// Number of a lane in the order of the network's graph.
pub type LaneId = u16;
/// Number of a node.
pub type Node = u16;

/// Parallel lanes from one node to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Road {
    /// Node at which the lanes start.
    pub from: Node,
    /// Node at which the lanes end.
    pub to: Node,
    /// First lane of the road.
    pub first: LaneId,
    /// Number of lanes.
    pub count: u16,
}

impl Road {
    /// Returns the ids of the road's lanes.
    pub fn lanes(&self) -> std::ops::Range<LaneId> {
        self.first..self.first + self.count
    }

    /// Returns lane number `index` of the road.
    pub fn lane(&self, index: usize) -> LaneId {
        self.first + index as LaneId
    }
}

/// A road network: a graph whose edges are roads.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RoadNetwork {
    lanes: Vec<Lane>,
    /// Box that contains each lane's central curve.
    bounds: Vec<[Vector; 2]>,
    /// Distance to each lane below which it is certainly the closest one.
    clearances: Vec<f64>,
    roads: Vec<Road>,
    /// Road of each lane.
    road_of: Vec<u16>,
    nodes: Vec<String>,
    /// Roads that start at each node, in the order in which they were added.
    leaving: Vec<Vec<u16>>,
}

/// Lanes in the order in which the reference adds them.
#[derive(Debug, Default)]
pub struct NetworkBuilder {
    edges: Vec<(String, String, Vec<Lane>)>,
}

impl NetworkBuilder {
    /// Adds a lane between two nodes.
    pub fn add(&mut self, from: &str, to: &str, lane: Lane) {
        match self.edges.iter_mut().find(|(a, b, _)| a == from && b == to) {
            Some((_, _, lanes)) => lanes.push(lane),
            None => self.edges.push((from.to_owned(), to.to_owned(), vec![lane])),
        }
    }

    /// Adds parallel lanes along the x axis (`straight_road_network`).
    pub fn add_straight(&mut self, nodes: (&str, &str), lanes: usize, start: f64, length: f64, speed_limit: f64) {
        self.add_straight_with(nodes, lanes, start, length, |_| speed_limit);
    }

    /// Like [`Self::add_straight`], with a speed limit for each lane.
    pub fn add_straight_with(
        &mut self,
        nodes: (&str, &str),
        lanes: usize,
        start: f64,
        length: f64,
        speed_limit: impl Fn(usize) -> f64,
    ) {
        for lane in 0..lanes {
            let y = lane as f64 * DEFAULT_WIDTH;
            let left = if lane == 0 { LineType::ContinuousLine } else { LineType::Striped };
            let right = if lane + 1 == lanes { LineType::ContinuousLine } else { LineType::None };
            let straight = Lane::straight([start, y], [start + length, y]).lines(left, right).limit(speed_limit(lane));
            self.add(nodes.0, nodes.1, straight);
        }
    }

    /// Builds the network.
    pub fn build(self) -> RoadNetwork {
        let mut network = RoadNetwork::default();
        let mut from_nodes: Vec<&str> = Vec::new();
        for (from, ..) in &self.edges {
            if !from_nodes.contains(&from.as_str()) {
                from_nodes.push(from);
            }
        }
        let node = |nodes: &mut Vec<String>, name: &str| match nodes.iter().position(|each| each == name) {
            Some(found) => found as Node,
            None => {
                nodes.push(name.to_owned());
                nodes.len() as Node - 1
            }
        };
        for name in &from_nodes {
            for (from, to, lanes) in self.edges.iter().filter(|(from, ..)| from == name) {
                let (from, to) = (node(&mut network.nodes, from), node(&mut network.nodes, to));
                let first = network.lanes.len() as LaneId;
                network.road_of.extend(lanes.iter().map(|_| network.roads.len() as u16));
                network.roads.push(Road { from, to, first, count: lanes.len() as u16 });
                network.lanes.extend(lanes.iter().cloned());
            }
        }
        network.bounds = network.lanes.iter().map(Lane::bounds).collect();
        network.clearances = (0..network.lanes.len()).map(|lane| clearance(&network.bounds, lane)).collect();
        network.leaving = vec![Vec::new(); network.nodes.len()];
        for (number, road) in network.roads.iter().enumerate() {
            network.leaving[usize::from(road.from)].push(number as u16);
        }
        network
    }
}

/// Returns half the distance between the box of a lane and the closest other box, less a margin for rounding.
fn clearance(bounds: &[[Vector; 2]], lane: usize) -> f64 {
    let [low, high] = bounds[lane];
    let others = bounds.iter().enumerate().filter(|(other, _)| *other != lane);
    let gap = |axis: usize, [least, most]: &[Vector; 2]| (least[axis] - high[axis]).max(low[axis] - most[axis]);
    others.fold(f64::INFINITY, |closest, (_, other)| closest.min(gap(0, other).max(gap(1, other)))) / 2.0 - 1e-6
}

impl RoadNetwork {
    /// Returns a lane.
    #[inline]
    pub fn lane(&self, id: LaneId) -> &Lane {
        &self.lanes[usize::from(id)]
    }

    /// Returns all lanes.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Returns all roads.
    pub fn roads(&self) -> &[Road] {
        &self.roads
    }

    /// Returns the road of a lane.
    #[inline]
    pub fn road_of(&self, id: LaneId) -> &Road {
        &self.roads[usize::from(self.road_of[usize::from(id)])]
    }

    /// Returns the position of a lane on its road.
    #[inline]
    pub fn index_of(&self, id: LaneId) -> usize {
        usize::from(id - self.road_of(id).first)
    }

    /// Returns the road between two nodes.
    ///
    /// # Panics
    /// If there is none.
    pub fn road(&self, from: &str, to: &str) -> &Road {
        let is_named = |road: &&Road| self.node_name(road.from) == from && self.node_name(road.to) == to;
        self.roads.iter().find(is_named).expect("the road exists")
    }

    /// Returns the name of a node.
    pub fn node_name(&self, node: Node) -> &str {
        &self.nodes[usize::from(node)]
    }

    /// Returns the roads that start at a node.
    pub fn leaving(&self, node: Node) -> impl Iterator<Item = &Road> {
        self.leaving[usize::from(node)].iter().map(|road| &self.roads[usize::from(*road)])
    }

    /// Returns the roads that end at a node, in the order of the graph.
    pub fn arriving(&self, node: Node) -> impl Iterator<Item = &Road> {
        self.roads.iter().filter(move |road| road.to == node)
    }

    /// Returns whether two lanes are on the same road.
    #[inline]
    pub fn is_same_road(&self, a: LaneId, b: LaneId) -> bool {
        self.road_of[usize::from(a)] == self.road_of[usize::from(b)]
    }

    /// Returns the lanes next to a lane: the left one first.
    #[inline]
    pub fn side_lanes(&self, id: LaneId) -> impl Iterator<Item = LaneId> + use<> {
        let lanes = self.road_of(id).lanes();
        [id.wrapping_sub(1), id + 1].into_iter().filter(move |side| lanes.contains(side))
    }

    /// Returns the closest lane to a vehicle, and the vehicle's coordinates on it. `guess` is tried first: any lane, best a
    /// close one.
    #[inline]
    pub fn closest_lane(&self, position: Vector, heading: f64, guess: LaneId) -> (LaneId, Vector) {
        let mut best = guess;
        let (mut local, mut least) = self.lane(guess).distance_with_heading(position, heading, f64::INFINITY).unwrap_or_default();
        if least < self.clearances[usize::from(guess)] {
            return (best, local);
        }
        for (id, [low, high]) in self.bounds.iter().enumerate() {
            // The distance of a lane is never less than that of its box, which has a margin for rounding.
            let away = [low[0] - position[0], position[0] - high[0], low[1] - position[1], position[1] - high[1]];
            let limit = least + 1e-6;
            if (away[0] > limit) | (away[1] > limit) | (away[2] > limit) | (away[3] > limit) | (id == usize::from(guess)) {
                continue;
            }
            let (id, lane) = (id as LaneId, &self.lanes[id]);
            // Among equal distances, the first lane counts.
            if let Some((coordinates, distance)) = lane.distance_with_heading(position, heading, least)
                && (distance < least || distance == least && id < best)
            {
                (best, local, least) = (id, coordinates, distance);
            }
        }
        (best, local)
    }

    /// Returns the lane to follow after a lane, and drops the first step of `route` if it ends there.
    pub fn next_lane(&self, current: LaneId, route: &mut Vec<RouteStep>, position: Vector) -> LaneId {
        let road = self.road_of(current);
        if route.first().is_some_and(|step| self.is_same_road(step.road, current)) {
            route.remove(0);
        }
        let planned = route.first().filter(|step| self.road_of(step.road).from == road.to);
        let lane = self.lane(current);
        let projected = lane.position(lane.longitudinal(position), 0.0);
        if let Some(step) = planned {
            return self.next_lane_on(current, self.road_of(step.road), step.index, projected).0;
        }
        let mut best: Option<(LaneId, f64)> = None;
        for next in self.leaving(road.to) {
            let (lane, distance) = self.next_lane_on(current, next, None, projected);
            if best.is_none_or(|(_, least)| distance < least) {
                best = Some((lane, distance));
            }
        }
        best.map_or(current, |(lane, _)| lane)
    }

    /// Returns the lane to follow on a given next road, and its distance from `position`.
    fn next_lane_on(&self, current: LaneId, next: &Road, index: Option<u16>, position: Vector) -> (LaneId, f64) {
        let distance = |id: LaneId| self.lane(id).distance(position);
        if self.road_of(current).count == next.count {
            let id = next.first + index.unwrap_or(self.index_of(current) as u16);
            return (id, distance(id));
        }
        let mut best = (next.first, distance(next.first));
        for id in next.lanes().skip(1) {
            let away = distance(id);
            if away < best.1 {
                best = (id, away);
            }
        }
        best
    }

    /// Returns the roads of the shortest path between two nodes; empty if there is none.
    fn shortest_path(&self, start: Node, goal: &str) -> Vec<u16> {
        let mut queue = std::collections::VecDeque::from([(start, Vec::new())]);
        while let Some((node, path)) = queue.pop_front() {
            let mut roads: Vec<u16> = self.leaving[usize::from(node)].clone();
            if roads.is_empty() {
                return Vec::new();
            }
            let end = |road: u16| self.roads[usize::from(road)].to;
            let is_on_path = |node: Node| node == start || path.iter().any(|road| end(*road) == node);
            roads.retain(|road| !is_on_path(end(*road)));
            roads.sort_by_key(|road| self.node_name(end(*road)));
            for road in roads {
                let path = || path.iter().copied().chain([road]).collect();
                if self.node_name(end(road)) == goal {
                    return path();
                }
                if !self.leaving[usize::from(end(road))].is_empty() {
                    queue.push_back((end(road), path()));
                }
            }
        }
        Vec::new()
    }

    /// Returns the route from a lane to a node: the lane, and the roads that follow.
    pub fn route_to(&self, lane: LaneId, destination: &str) -> Vec<RouteStep> {
        let path = self.shortest_path(self.road_of(lane).to, destination);
        let first = RouteStep { road: self.road_of(lane).first, index: Some(self.index_of(lane) as u16) };
        let follow = path.into_iter().map(|road| RouteStep { road: self.roads[usize::from(road)].first, index: None });
        std::iter::once(first).chain(follow).collect()
    }

    /// Returns whether a lane leads to the road of another within `depth` roads along a route.
    pub fn is_connected_road(&self, a: LaneId, b: LaneId, route: &[RouteStep], depth: usize) -> bool {
        let (road, other) = (self.road_of(a), self.road_of(b));
        if self.is_same_road(a, b) || other.to == road.from {
            return true;
        }
        if depth == 0 {
            return false;
        }
        match route.first() {
            Some(step) if self.is_same_road(step.road, a) => self.is_connected_road(a, b, &route[1..], depth),
            Some(step) if self.road_of(step.road).from == road.to => self.is_connected_road(step.road, b, &route[1..], depth - 1),
            _ => self.leaving(road.to).any(|next| self.is_connected_road(next.first, b, route, depth - 1)),
        }
    }

    /// Returns position and heading `longitudinal` metres along a route of several lanes, from its start.
    pub fn position_heading_along_route(&self, route: &[RouteStep], mut longitudinal: f64, current: LaneId) -> (Vector, f64) {
        let index = self.index_of(current);
        let head = |step: &RouteStep| {
            // The vehicle keeps the number of its lane, as the reference assumes.
            let kept = if index < usize::from(self.road_of(current).count) { index } else { 0 };
            self.lane(step.road + step.index.unwrap_or(kept as u16))
        };
        let mut route = route;
        let mut lane = head(&route[0]);
        while route.len() > 1 && longitudinal > lane.length {
            longitudinal -= lane.length;
            route = &route[1..];
            lane = head(&route[0]);
        }
        (lane.position(longitudinal, 0.0), lane.heading_at(longitudinal))
    }
}
