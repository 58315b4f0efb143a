//! The environments, one file for each road.

mod highway;

use super::scenario::ScenarioClass;

/// All classes of environments.
pub static CLASSES: [&ScenarioClass; 2] = [&highway::HIGHWAY, &highway::HIGHWAY_FAST];
