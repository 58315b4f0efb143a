//! `Kinematics` and `ExitObservation`: features of a vehicle and of those nearby.

use envpool_rs_engine::{Dtype, Error, OptionSpec, Options, Result, Space, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::math::{Vector, clip, lmap, norm, sub};
use envpool_rs_sim_highway::{Kind, Road, RoadModel, Vehicle, lane};

/// Distance within which a vehicle observes others, in metres.
const PERCEPTION_DISTANCE: f64 = 200.0;

/// Quantity of a vehicle that an observation contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Feature {
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

/// Defaults of the options that begin with `observation_`, which differ between scenarios.
#[derive(Debug, Clone, Copy)]
pub struct ObservationDefaults {
    /// Type of the observation.
    pub kind: &'static str,
    /// Number of observed vehicles.
    pub vehicles_count: i64,
    /// Names of features.
    pub features: &'static [&'static str],
    /// Ranges of features that are mapped to -1..1.
    pub features_range: &'static [(&'static str, f64)],
    /// Whether coordinates of other vehicles are absolute.
    pub absolute: bool,
    /// Whether features are clipped.
    pub clip: bool,
}

impl ObservationDefaults {
    /// Five vehicles with relative positions and velocities.
    pub const KINEMATICS: Self = Self {
        kind: "Kinematics",
        vehicles_count: 5,
        features: &["presence", "x", "y", "vx", "vy"],
        features_range: &[],
        absolute: false,
        clip: true,
    };

    /// Returns the declarations of the options.
    pub fn options(self) -> Vec<OptionSpec> {
        let features: Vec<String> = self.features.iter().map(|name| (*name).to_owned()).collect();
        let range = |(name, bound): &(&str, f64)| ((*name).to_owned(), vec![-bound, *bound]);
        let ranges = Value::Table(self.features_range.iter().map(range).collect());
        let kinds: &'static [&'static str] = if self.kind == "ExitObservation" { &["ExitObservation"] } else { &["Kinematics"] };
        vec![
            OptionSpec::new("observation_type", self.kind, "type of observations").one_of(kinds),
            OptionSpec::new("observation_vehicles_count", self.vehicles_count, "observed vehicles, with the own one")
                .integers(2..=500),
            OptionSpec::new("observation_features", features, "observed quantities: \"presence\", \"x\", \"y\", \"vx\", ..."),
            OptionSpec::new(
                "observation_features_range",
                ranges,
                "values of each feature that are mapped to -1 and 1; none: by lanes",
            ),
            OptionSpec::new("observation_absolute", self.absolute, "whether coordinates of other vehicles are absolute")
                .per_episode(),
            OptionSpec::new("observation_order", "sorted", "order of the other vehicles")
                .one_of(&["sorted", "shuffled"])
                .per_episode(),
            OptionSpec::new("observation_normalize", true, "whether features are mapped to -1..1").per_episode(),
            OptionSpec::new("observation_clip", self.clip, "whether mapped features are clipped").per_episode(),
            OptionSpec::new("observation_see_behind", false, "whether vehicles behind are observed").per_episode(),
            OptionSpec::new("observation_observe_intentions", false, "whether the destinations of others are observed")
                .per_episode(),
            OptionSpec::new("observation_include_obstacles", true, "whether obstacles are observed").per_episode(),
        ]
    }
}

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

fn feature(name: &str) -> Option<Feature> {
    FEATURES.iter().find(|(each, _)| *each == name).map(|(_, feature)| *feature)
}

impl Kinematics {
    /// Reads the options that begin with `observation_`.
    ///
    /// # Errors
    /// `Value` for unknown features and empty ranges.
    pub fn new(options: &Options) -> Result<Self> {
        let names = match options.get("observation_features") {
            Value::Lines(names) => names.clone(),
            _ => Vec::new(),
        };
        let known = FEATURES.map(|(name, _)| name).join(", ");
        let features: Option<Vec<Feature>> = names.iter().map(|name| feature(name)).collect();
        let features = features.filter(|features| !features.is_empty() && features.len() <= 100).ok_or_else(|| {
            Error::value("observation_features", options.get("observation_features"), format_args!("a list of {known}"))
        })?;
        let table = match options.get("observation_features_range") {
            Value::Table(entries) => entries.as_slice(),
            _ => &[],
        };
        let mut ranges = vec![None; features.len()];
        for (name, bounds) in table {
            let is_range = bounds.len() == 2 && bounds.iter().all(|bound| bound.is_finite()) && bounds[0] != bounds[1];
            let known = feature(name).filter(|_| is_range);
            let Some(found) = known else {
                let given = options.get("observation_features_range");
                return Err(Error::value(
                    "observation_features_range",
                    given,
                    "a dict of two different numbers for each feature",
                ));
            };
            for (each, range) in features.iter().zip(&mut ranges).filter(|(each, _)| **each == found) {
                let _ = each;
                *range = Some([bounds[0], bounds[1]]);
            }
        }
        Ok(Self {
            features,
            vehicles_count: options.int("observation_vehicles_count") as usize,
            ranges: (!table.is_empty()).then_some(ranges),
            absolute: options.bool("observation_absolute"),
            is_shuffled: options.text("observation_order") == Some("shuffled"),
            normalize: options.bool("observation_normalize"),
            clip: options.bool("observation_clip"),
            see_behind: options.bool("observation_see_behind"),
            observe_intentions: options.bool("observation_observe_intentions"),
            include_obstacles: options.bool("observation_include_obstacles"),
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
        let is_object = matches!(body.kind, Kind::Obstacle | Kind::Landmark);
        match feature {
            Feature::Presence => 1.0,
            Feature::X if is_own && self.is_exit => {
                let road = model.network.road("1", "2");
                model.network.lane(road.lane(usize::from(road.count) - 1)).longitudinal(body.position)
            }
            Feature::X => body.position[0],
            Feature::Y => body.position[1],
            Feature::Vx => {
                if is_object {
                    0.0
                } else {
                    body.velocity()[0]
                }
            }
            Feature::Vy => {
                if is_object {
                    0.0
                } else {
                    body.velocity()[1]
                }
            }
            Feature::CosH => body.direction[0],
            Feature::SinH => body.direction[1],
            Feature::CosD | Feature::SinD => {
                if is_object || !is_own && !self.observe_intentions {
                    return 0.0;
                }
                destination_direction(model, body)[usize::from(feature == Feature::SinD)]
            }
            // The package has no such features of objects.
            _ if is_object => f64::NAN,
            Feature::Heading => body.heading,
            Feature::LongOff => body.local[0],
            Feature::LatOff => body.local[1],
            Feature::AngOff => model.network.lane(body.lane).local_angle(body.heading, body.local[0]),
        }
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
