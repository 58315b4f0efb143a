//! Options that begin with `observation_`: the keys of the package's dict `observation`.

use envpool_rs_engine::{OptionSpec, Options, Result, Value};

use super::grayscale;
use crate::options::{Keys, check_keys, key};

/// Types of observations that every scenario has.
const TYPES: &[&str] = &["Kinematics", "OccupancyGrid", "TimeToCollision", "LidarObservation", "GrayscaleObservation"];

const ROWS: &[&str] = &["Kinematics", "ExitObservation"];
const MAPPED: &[&str] = &["Kinematics", "ExitObservation", "OccupancyGrid"];
const GRID: &[&str] = &["OccupancyGrid"];
const LIDAR: &[&str] = &["LidarObservation"];
const PICTURES: &[&str] = &["GrayscaleObservation"];

/// Options with the types of observations that read them.
const KEYS: Keys = &[
    ("observation_vehicles_count", ROWS),
    ("observation_features", &["Kinematics", "ExitObservation", "OccupancyGrid", "KinematicsGoal"]),
    ("observation_features_range", MAPPED),
    ("observation_absolute", MAPPED),
    ("observation_order", ROWS),
    ("observation_normalize", &["Kinematics", "ExitObservation", "LidarObservation", "KinematicsGoal"]),
    ("observation_clip", MAPPED),
    ("observation_see_behind", ROWS),
    ("observation_observe_intentions", ROWS),
    ("observation_include_obstacles", &["Kinematics"]),
    ("observation_grid_size", GRID),
    ("observation_grid_step", GRID),
    ("observation_align_to_vehicle_axes", GRID),
    ("observation_as_image", GRID),
    ("observation_horizon", &["TimeToCollision"]),
    ("observation_cells", LIDAR),
    ("observation_maximum_range", LIDAR),
    ("observation_observation_shape", PICTURES),
    ("observation_stack_size", PICTURES),
    ("observation_weights", PICTURES),
    ("observation_scaling", PICTURES),
    ("observation_centering_position", PICTURES),
    ("observation_scales", &["KinematicsGoal"]),
    ("observation_attributes", &["AttributesObservation"]),
];

/// Defaults of the options that begin with `observation_`, which differ between scenarios.
#[derive(Debug, Clone, Copy)]
pub struct ObservationDefaults {
    /// Type of the observation.
    pub kind: &'static str,
    /// Types that the scenario has.
    pub kinds: &'static [&'static str],
    /// Number of observed vehicles.
    pub vehicles_count: i64,
    /// Names of features; none: those of the type.
    pub features: &'static [&'static str],
    /// Ranges of features that are mapped to -1..1.
    pub features_range: &'static [(&'static str, f64)],
    /// Whether coordinates of other vehicles are absolute.
    pub absolute: bool,
    /// Whether features are clipped.
    pub clip: bool,
    /// Observed seconds until collisions.
    pub horizon: i64,
}

impl ObservationDefaults {
    /// Five vehicles with relative positions and velocities.
    pub const KINEMATICS: Self = Self {
        kind: "Kinematics",
        kinds: TYPES,
        vehicles_count: 5,
        features: &[],
        features_range: &[],
        absolute: false,
        clip: true,
        horizon: 10,
    };

    /// Returns the declarations of the options.
    pub fn options(self) -> Vec<OptionSpec> {
        let features: Vec<String> = self.features.iter().map(|name| (*name).to_owned()).collect();
        let features_doc = "observed quantities, \"presence\", \"x\", \"y\", \"vx\", ...; None: those of the type";
        let range = |(name, bound): &(&str, f64)| ((*name).to_owned(), vec![-bound, *bound]);
        let ranges = Value::Table(self.features_range.iter().map(range).collect());
        let is_grid = self.kind == "OccupancyGrid";
        let (size, step) = if is_grid { (18.0, 3.0) } else { (27.5, 5.0) };
        let mut options = vec![
            OptionSpec::new("observation_type", self.kind, "type of observations").one_of(self.kinds),
            key("observation_vehicles_count", self.vehicles_count, "observed vehicles, with the own one").integers(2..=500),
            match features.is_empty() {
                true => OptionSpec::optional("observation_features", features, features_doc),
                false => key("observation_features", features, features_doc),
            },
            key("observation_features_range", ranges, "values of each feature that are mapped to -1 and 1; none: by lanes"),
            key("observation_absolute", self.absolute, "whether coordinates of other vehicles are absolute").per_episode(),
            key("observation_order", "sorted", "order of the other vehicles").one_of(&["sorted", "shuffled"]).per_episode(),
            key("observation_normalize", true, "whether features are mapped to -1..1").per_episode(),
            key("observation_clip", self.clip, "whether mapped features are clipped").per_episode(),
            key("observation_see_behind", false, "whether vehicles behind are observed").per_episode(),
            key("observation_observe_intentions", false, "whether the destinations of others are observed").per_episode(),
            key("observation_include_obstacles", true, "whether obstacles are observed").per_episode(),
            key(
                "observation_grid_size",
                vec![-size, size, -size, size],
                "least and largest x, least and largest y of cells, in m",
            ),
            key("observation_grid_step", vec![step, step], "size of a cell in m"),
            key("observation_align_to_vehicle_axes", is_grid, "whether cells turn with the vehicle").per_episode(),
            key("observation_as_image", false, "whether cells are uint8, -1 being 0 and 1 being 255"),
            key("observation_horizon", self.horizon, "observed seconds until collisions").integers(1..=1000),
            key("observation_cells", 16, "number of directions in which a lidar looks").integers(1..=1000),
            key("observation_maximum_range", 60.0, "range of a lidar in m").numbers(0.001..=1e6),
        ];
        options.extend(grayscale::options());
        if self.kinds.contains(&"KinematicsGoal") {
            let scales = vec![100.0, 100.0, 5.0, 5.0, 1.0, 1.0];
            options.push(key("observation_scales", scales, "divisors of the features of KinematicsGoal"));
        }
        if self.kinds.contains(&"AttributesObservation") {
            let attributes: Vec<String> = ["state", "derivative", "reference_state"].map(str::to_owned).to_vec();
            options.push(key("observation_attributes", attributes, "attributes of AttributesObservation"));
        }
        options
    }
}

/// Refuses options that the type of observations does not read.
///
/// # Errors
/// `Value`, naming the option.
pub fn check(options: &Options) -> Result<()> {
    check_keys(options, KEYS, "observation_type")
}
