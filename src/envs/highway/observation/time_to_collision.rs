//! `TimeToCollision`: times until collisions at constant speeds, for three speeds and three lanes.

use envpool_rs_engine::{Dtype, Error, Options, Result, Space};
use envpool_rs_sim_highway::math::{dot, not_zero};
use envpool_rs_sim_highway::{Road, RoadModel};

use crate::options::count_or;
use crate::scenario::Config;

/// How a vehicle observes times.
#[derive(Debug, Clone)]
pub struct TimeToCollision {
    /// Number of times.
    times: usize,
    /// Seconds from one time to the next.
    period: f64,
}

impl TimeToCollision {
    /// Reads the options.
    ///
    /// # Errors
    /// `Value` for a horizon without times, and for other actions than meta-actions, which alone have target speeds.
    pub fn new(options: &Options, config: &Config) -> Result<Self> {
        if options.text("action_type") != Some("DiscreteMetaAction") {
            let given = options.text("action_type").unwrap_or_default();
            return Err(Error::value("action_type", given, "\"DiscreteMetaAction\" with observation_type=\"TimeToCollision\""));
        }
        let horizon = count_or(options, "observation_horizon", 10);
        let times = horizon as f64 / config.period;
        if !(1.0..=10_000.0).contains(&times) {
            let allowed = "1 to 10,000 steps of policy_frequency";
            return Err(Error::value("observation_horizon", horizon, allowed));
        }
        Ok(Self { times: times as usize, period: config.period })
    }

    /// Returns the space: speeds, lanes and times.
    pub fn space(&self) -> Space {
        Space::uniform(0.0, 1.0, &[3, 3, self.times], Dtype::F32)
    }

    /// Appends the times until collisions with a vehicle to `out`.
    pub fn observe(&self, model: &RoadModel, road: &Road, observer: usize, out: &mut Vec<f64>) {
        let network = &model.network;
        let ego = &road.vehicles[observer];
        let (speeds, own_road) = (&model.target_speeds, network.road_of(ego.lane));
        let lanes = usize::from(own_road.count);
        let start = out.len();
        out.resize(start + 9 * self.times, 0.0);
        let own_lane = network.index_of(ego.lane);
        for row in 0..3 {
            let wanted = ego.speed_index + row as i64 - 1;
            let speed = speeds[wanted.clamp(0, speeds.len() as i64 - 1) as usize];
            for column in 0..3 {
                // Lanes beyond the road are full.
                let lane = (own_lane + column).checked_sub(1).filter(|lane| *lane < lanes);
                let from = start + (3 * row + column) * self.times;
                let cells = &mut out[from..from + self.times];
                match lane {
                    None => cells.fill(1.0),
                    Some(lane) => self.fill(model, road, (observer, speed, lane), cells),
                }
            }
        }
    }

    /// Writes the costs of a lane at a speed of the vehicle.
    fn fill(&self, model: &RoadModel, road: &Road, (observer, speed, lane): (usize, f64, usize), cells: &mut [f64]) {
        let network = &model.network;
        let ego = &road.vehicles[observer];
        let count = network.road_of(ego.lane).count;
        for (number, other) in road.vehicles.iter().enumerate() {
            if number == observer || speed == other.speed {
                continue;
            }
            let is_same_width = network.road_of(other.lane).count == count;
            if is_same_width && network.index_of(other.lane) != lane
                || !network.is_connected_road(ego.lane, other.lane, &ego.route, 3)
            {
                continue;
            }
            let margin = other.size[0] / 2.0 + ego.size[0] / 2.0;
            let projected = other.speed * dot(other.direction, ego.direction);
            for (offset, cost) in [(0.0, 1.0), (-margin, 0.5), (margin, 0.5)] {
                let distance = ego.lane_distance_to(network, other) + offset;
                let time = distance / not_zero(speed - projected);
                if time < 0.0 {
                    continue;
                }
                let steps = time / self.period;
                for step in [steps.trunc(), steps.ceil()] {
                    if step < cells.len() as f64 {
                        let cell = &mut cells[step as usize];
                        *cell = f64::max(*cell, cost);
                    }
                }
            }
        }
    }
}
