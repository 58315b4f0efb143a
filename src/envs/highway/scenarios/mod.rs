//! The environments, one file for each road.

mod exit;
mod highway;
mod intersection;
mod merge;
mod parking;
mod roundabout;
mod two_way;
mod u_turn;

use super::scenario::ScenarioClass;

/// All classes of environments.
pub static CLASSES: [&ScenarioClass; 12] = [
    &highway::HIGHWAY,
    &highway::HIGHWAY_FAST,
    &merge::MERGE,
    &merge::MERGE_GENERIC,
    &roundabout::ROUNDABOUT,
    &roundabout::ROUNDABOUT_GENERIC,
    &intersection::INTERSECTION,
    &intersection::CONTINUOUS_INTERSECTION,
    &exit::EXIT,
    &two_way::TWO_WAY,
    &u_turn::U_TURN,
    &parking::PARKING,
];
