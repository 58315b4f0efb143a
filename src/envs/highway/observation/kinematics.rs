//! `Kinematics` and `ExitObservation`: features of a vehicle and of those nearby.

use envpool_rs_engine::{Dtype, Error, Options, Result, Space, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::math::{Vector, clip, lmap, norm, sub};
use envpool_rs_sim_highway::{Kind, Road, RoadModel, Vehicle, lane};

use crate::options::{count_or, flag_or};

/// Distance within which a vehicle observes others, in metres.
const PERCEPTION_DISTANCE: f64 = 200.0;

/// Largest number of features in an observation.
pub(super) const MAX_FEATURES: usize = 100;

/// Quantity of a vehicle that an observation contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    Presence,
    X,
    Y,
    Vx,
    Vy,
    Heading,
    CosH,
    SinH,
    CosD,
    SinD,
    LongOff,
    LatOff,
    AngOff,
}

const FEATURES: [(&str, Feature); 13] = [
    ("presence", Feature::Presence),
    ("x", Feature::X),
    ("y", Feature::Y),
    ("vx", Feature::Vx),
    ("vy", Feature::Vy),
    ("heading", Feature::Heading),
    ("cos_h", Feature::CosH),
    ("sin_h", Feature::SinH),
    ("cos_d", Feature::CosD),
    ("sin_d", Feature::SinD),
    ("long_off", Feature::LongOff),
    ("lat_off", Feature::LatOff),
    ("ang_off", Feature::AngOff),
];

/// How a vehicle observes others.
#[derive(Debug, Clone)]
pub struct Kinematics {
    features: Vec<Feature>,
    vehicles_count: usize,
    /// Range of each feature; `None` if it is not mapped.
    ranges: Option<Vec<Option<[f64; 2]>>>,
    absolute: bool,
    is_shuffled: bool,
    normalize: bool,
    clip: bool,
    see_behind: bool,
    observe_intentions: bool,
    include_obstacles: bool,
    /// Whether the own longitudinal coordinate is that on the lane of the exit.
    is_exit: bool,
}

/// Returns the feature of a name.
pub(super) fn feature(name: &str) -> Option<Feature> {
    FEATURES.iter().find(|(each, _)| *each == name).map(|(_, feature)| *feature)
}

/// Returns the names of all features, for messages.
pub(super) fn known_features() -> String {
    FEATURES.map(|(name, _)| name).join(", ")
}

/// Returns the features of the option `observation_features`, `default` for `None`.
///
/// # Errors
/// `Value` for unknown names and lists without any.
pub(super) fn features_or(options: &Options, default: &[Feature]) -> Result<Vec<Feature>> {
    let given = options.get("observation_features");
    let Value::Lines(names) = given else { return Ok(default.to_vec()) };
    let features: Option<Vec<Feature>> = names.iter().map(|name| feature(name)).collect();
    features
        .filter(|features| (1..=MAX_FEATURES).contains(&features.len()))
        .ok_or_else(|| Error::value("observation_features", given, format_args!("a list of {}", known_features())))
}

/// Ranges of features that are mapped to -1..1.
pub(super) type Ranges = Vec<(Feature, [f64; 2])>;

/// Returns the ranges of the option `observation_features_range`; `None` if it has none.
///
/// # Errors
/// `Value` for unknown features, and ranges without two different numbers.
pub(super) fn feature_ranges(options: &Options) -> Result<Option<Ranges>> {
    let given = options.get("observation_features_range");
    let entries = if let Value::Table(entries) = given { entries.as_slice() } else { &[] };
    let range = |(name, bounds): &(String, Vec<f64>)| match bounds[..] {
        [low, high] if low != high => Some((feature(name)?, [low, high])),
        _ => None,
    };
    let ranges: Option<Vec<_>> = entries.iter().map(range).collect();
    let ranges = ranges
        .filter(|ranges| ranges.iter().flat_map(|(_, range)| range).all(|bound| bound.is_finite()))
        .ok_or_else(|| Error::value("observation_features_range", given, "a dict of two different numbers for each feature"))?;
    Ok((!ranges.is_empty()).then_some(ranges))
}

impl Kinematics {
    /// Reads the options that begin with `observation_`.
    ///
    /// # Errors
    /// `Value` for unknown features and empty ranges.
    pub fn new(options: &Options) -> Result<Self> {
        let features = features_or(options, &[Feature::Presence, Feature::X, Feature::Y, Feature::Vx, Feature::Vy])?;
        let range_of = |ranges: Ranges| {
            let of = |feature: &Feature| ranges.iter().find(|(each, _)| each == feature).map(|(_, range)| *range);
            features.iter().map(of).collect()
        };
        let ranges = feature_ranges(options)?.map(range_of);
        Ok(Self {
            ranges,
            features,
            vehicles_count: count_or(options, "observation_vehicles_count", 5),
            absolute: flag_or(options, "observation_absolute", false),
            is_shuffled: options.text("observation_order") == Some("shuffled"),
            normalize: flag_or(options, "observation_normalize", true),
            clip: flag_or(options, "observation_clip", true),
            see_behind: flag_or(options, "observation_see_behind", false),
            observe_intentions: flag_or(options, "observation_observe_intentions", false),
            include_obstacles: flag_or(options, "observation_include_obstacles", true),
            is_exit: options.text("observation_type") == Some("ExitObservation"),
        })
    }

    /// Returns the space of one vehicle's observations.
    pub fn space(&self) -> Space {
        Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[self.vehicles_count, self.features.len()], Dtype::F32)
    }

    /// Returns the bound of lateral positions during an episode, which depends on the lane where a vehicle starts.
    pub fn lateral_bound(model: &RoadModel, observer: &Vehicle) -> f64 {
        lane::DEFAULT_WIDTH * f64::from(model.network.road_of(observer.lane).count)
    }

    /// Appends the observation of a vehicle to `out`. `lateral_bound` is that of the episode.
    pub fn observe(
        &self,
        model: &RoadModel,
        road: &Road,
        (observer, lateral_bound): (usize, f64),
        rng: &mut Generator,
        out: &mut Vec<f64>,
    ) {
        let ego = &road.vehicles[observer];
        let mut found = Vec::new();
        let include = (self.see_behind, self.is_exit || !self.is_shuffled, self.is_exit || !self.include_obstacles);
        model.close_objects_to(road, observer, PERCEPTION_DISTANCE, include, &mut found);
        found.truncate(self.vehicles_count - 1);
        let start = out.len();
        let width = self.features.len();
        let others = found.iter().map(|(_, number)| {
            let number = *number as usize;
            (road.vehicles.get(number).unwrap_or_else(|| &road.objects[number - road.vehicles.len()]), false)
        });
        let own = ego.velocity();
        for (body, is_own) in std::iter::once((ego, true)).chain(others) {
            for (index, feature) in self.features.iter().enumerate() {
                let mut value = self.value(model, body, *feature, is_own);
                if !is_own && !self.absolute {
                    match feature {
                        Feature::X => value -= ego.position[0],
                        Feature::Y => value -= ego.position[1],
                        Feature::Vx => value -= own[0],
                        Feature::Vy => value -= own[1],
                        _ => {}
                    }
                }
                if self.normalize
                    && let Some(range) = self.range(index, lateral_bound)
                {
                    value = lmap(value, range, [-1.0, 1.0]);
                    if self.clip {
                        value = clip(value, -1.0, 1.0);
                    }
                }
                out.push(value);
            }
        }
        out.resize(start + self.vehicles_count * width, 0.0);
        if self.is_shuffled {
            let mut rows: Vec<Vec<f64>> = out[start + width..].chunks(width).map(<[f64]>::to_vec).collect();
            rng.shuffle(&mut rows);
            out[start + width..].iter_mut().zip(rows.into_iter().flatten()).for_each(|(to, from)| *to = from);
        }
    }

    fn range(&self, index: usize, lateral_bound: f64) -> Option<[f64; 2]> {
        if let Some(ranges) = &self.ranges {
            return ranges[index];
        }
        match self.features[index] {
            Feature::X => Some([-200.0, 200.0]),
            Feature::Y => Some([-lateral_bound, lateral_bound]),
            Feature::Vx | Feature::Vy => Some([-80.0, 80.0]),
            _ => None,
        }
    }

    fn value(&self, model: &RoadModel, body: &Vehicle, feature: Feature, is_own: bool) -> f64 {
        if feature == Feature::X && is_own && self.is_exit {
            let road = model.network.road("1", "2");
            return model.network.lane(road.lane(usize::from(road.count) - 1)).longitudinal(body.position);
        }
        feature_value(model, body, feature, is_own || self.observe_intentions)
    }
}

/// Returns a feature of a vehicle or object in absolute coordinates. Directions to destinations are zero unless
/// `has_intentions`.
pub(super) fn feature_value(model: &RoadModel, body: &Vehicle, feature: Feature, has_intentions: bool) -> f64 {
    let is_object = matches!(body.kind, Kind::Obstacle | Kind::Landmark);
    match feature {
        Feature::Presence => 1.0,
        Feature::X => body.position[0],
        Feature::Y => body.position[1],
        Feature::Vx | Feature::Vy if is_object => 0.0,
        Feature::Vx => body.velocity()[0],
        Feature::Vy => body.velocity()[1],
        Feature::CosH => body.direction[0],
        Feature::SinH => body.direction[1],
        Feature::CosD | Feature::SinD if is_object || !has_intentions => 0.0,
        Feature::CosD => destination_direction(model, body)[0],
        Feature::SinD => destination_direction(model, body)[1],
        // The package has no such features of objects.
        _ if is_object => f64::NAN,
        Feature::Heading => body.heading,
        Feature::LongOff => body.local[0],
        Feature::LatOff => body.local[1],
        Feature::AngOff => model.network.lane(body.lane).local_angle(body.heading, body.local[0]),
    }
}

/// Returns the unit vector from a vehicle to the end of its route; zeros without a route.
fn destination_direction(model: &RoadModel, vehicle: &Vehicle) -> Vector {
    let Some(last) = vehicle.route.last() else { return [0.0; 2] };
    let lane = model.network.lane(last.road + last.index.unwrap_or(0));
    let delta = sub(lane.position(lane.length, 0.0), vehicle.position);
    if delta == [0.0; 2] {
        return delta;
    }
    let length = norm(delta);
    delta.map(|part| part / length)
}
