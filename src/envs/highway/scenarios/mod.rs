//! The environments, one file for each road.

mod exit;
mod highway;
mod intersection;
mod merge;
mod roundabout;

use super::scenario::ScenarioClass;

/// All classes of environments.
pub static CLASSES: [&ScenarioClass; 9] = [
    &highway::HIGHWAY,
    &highway::HIGHWAY_FAST,
    &merge::MERGE,
    &merge::MERGE_GENERIC,
    &roundabout::ROUNDABOUT,
    &roundabout::ROUNDABOUT_GENERIC,
    &intersection::INTERSECTION,
    &intersection::CONTINUOUS_INTERSECTION,
    &exit::EXIT,
];
