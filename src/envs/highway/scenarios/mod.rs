//! The environments, one file for each road.

mod exit;
mod highway;
mod intersection;
mod lane_keeping;
mod merge;
mod parking;
mod racetrack;
mod roundabout;
mod two_way;
mod u_turn;

use super::scenario::ScenarioClass;

/// All classes of environments.
pub static CLASSES: [&ScenarioClass; 18] = [
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
    &intersection::MULTI_AGENT_INTERSECTION,
    &intersection::INDIVIDUAL_INTERSECTION,
    &racetrack::RACETRACK,
    &racetrack::RACETRACK_LARGE,
    &racetrack::RACETRACK_OVAL,
    &lane_keeping::LANE_KEEPING,
];
