//! EnvPool's scenarios, as a table.

use envpool_rs_sim_vizdoom::{buttons, config::ScreenFormat};

/// What a scenario is described by, so that it can be without its files.
#[derive(Debug)]
pub struct Scenario {
    /// The task's name.
    pub id: &'static str,
    /// Name of its configuration and of its file; none where the user gives them.
    pub file: &'static str,
    is_gray: bool,
    is_small: bool,
    buttons: &'static str,
    /// Variables that EnvPool's configuration lists beside those of the package's.
    pub also: &'static [usize],
}

impl Scenario {
    /// Its buttons.
    pub fn buttons(&self) -> Vec<usize> {
        self.buttons.split_whitespace().filter_map(buttons::named).collect()
    }

    /// Its pictures' format.
    pub fn format(&self) -> ScreenFormat {
        if self.is_gray { ScreenFormat::Gray } else { ScreenFormat::Planes }
    }

    /// Rows and columns of its pictures.
    pub fn size(&self) -> (usize, usize) {
        if self.is_small { (120, 160) } else { (240, 320) }
    }
}

const fn scenario_of(id: &'static str, file: &'static str, is_gray: bool, buttons: &'static str) -> Scenario {
    Scenario { id, file, is_gray, is_small: false, buttons, also: &[] }
}

const fn small(id: &'static str, file: &'static str, buttons: &'static str) -> Scenario {
    Scenario { is_small: true, ..scenario_of(id, file, true, buttons) }
}

/// Buttons that turn, and walk.
pub const TURN_AND_WALK: &str = "TURN_LEFT TURN_RIGHT MOVE_FORWARD";
/// Buttons that turn, and shoot.
pub const TURN_AND_SHOOT: &str = "TURN_LEFT TURN_RIGHT ATTACK";
/// Buttons that step aside, and shoot.
pub const STEP_AND_SHOOT: &str = "MOVE_LEFT MOVE_RIGHT ATTACK";
const BATTLE: &str = "MOVE_FORWARD MOVE_BACKWARD MOVE_RIGHT MOVE_LEFT TURN_LEFT TURN_RIGHT ATTACK SPEED";
/// Buttons of a match to the death.
pub const DEATHMATCH: &str = "ATTACK SPEED STRAFE MOVE_RIGHT MOVE_LEFT MOVE_BACKWARD MOVE_FORWARD TURN_RIGHT TURN_LEFT SELECT_WEAPON1 \
    SELECT_WEAPON2 SELECT_WEAPON3 SELECT_WEAPON4 SELECT_WEAPON5 SELECT_WEAPON6 SELECT_NEXT_WEAPON SELECT_PREV_WEAPON \
    LOOK_UP_DOWN_DELTA TURN_LEFT_RIGHT_DELTA MOVE_LEFT_RIGHT_DELTA";
const CIG: &str = "ATTACK USE TURN_LEFT TURN_RIGHT MOVE_RIGHT MOVE_LEFT MOVE_FORWARD MOVE_BACKWARD TURN_LEFT_RIGHT_DELTA \
    LOOK_UP_DOWN_DELTA";

/// All of them.
pub static SCENARIOS: [Scenario; 21] = [
    small("D1Basic-v1", "D1_basic", TURN_AND_WALK),
    small("D2Navigation-v1", "D2_navigation", TURN_AND_WALK),
    small("D3Battle-v1", "D3_battle", BATTLE),
    small("D4Battle2-v1", "D4_battle2", BATTLE),
    scenario_of("Basic-v1", "basic", false, STEP_AND_SHOOT),
    scenario_of("BasicAudio-v1", "basic_audio", false, STEP_AND_SHOOT),
    scenario_of("BasicNotifications-v1", "basic_notifications", false, STEP_AND_SHOOT),
    scenario_of("Cig-v1", "cig", false, CIG),
    scenario_of(
        "DeadlyCorridor-v1",
        "deadly_corridor",
        false,
        "MOVE_LEFT MOVE_RIGHT ATTACK MOVE_FORWARD MOVE_BACKWARD TURN_LEFT TURN_RIGHT",
    ),
    scenario_of("Deathmatch-v1", "deathmatch", false, DEATHMATCH),
    scenario_of("DefendTheCenter-v1", "defend_the_center", false, TURN_AND_SHOOT),
    scenario_of("DefendTheLine-v1", "defend_the_line", false, TURN_AND_SHOOT),
    scenario_of("HealthGathering-v1", "health_gathering", false, TURN_AND_WALK),
    scenario_of("HealthGatheringSupreme-v1", "health_gathering_supreme", false, TURN_AND_WALK),
    scenario_of("MultiDuel-v1", "multi_duel", false, STEP_AND_SHOOT),
    Scenario {
        also: &[17], // AMMO0
        ..scenario_of("MyWayHome-v1", "my_way_home", false, "TURN_LEFT TURN_RIGHT MOVE_FORWARD MOVE_LEFT MOVE_RIGHT")
    },
    scenario_of("PredictPosition-v1", "predict_position", false, TURN_AND_SHOOT),
    scenario_of("RocketBasic-v1", "rocket_basic", true, STEP_AND_SHOOT),
    scenario_of("SimplerBasic-v1", "simpler_basic", true, STEP_AND_SHOOT),
    scenario_of("TakeCover-v1", "take_cover", false, "MOVE_LEFT MOVE_RIGHT"),
    scenario_of("VizdoomCustom-v1", "", false, STEP_AND_SHOOT),
];

/// Names of the scenarios' files.
pub const FILES: &[&str] = &[
    "D1_basic",
    "D2_navigation",
    "D3_battle",
    "D4_battle2",
    "basic",
    "basic_audio",
    "basic_notifications",
    "cig",
    "deadly_corridor",
    "deathmatch",
    "defend_the_center",
    "defend_the_line",
    "health_gathering",
    "health_gathering_supreme",
    "multi_duel",
    "my_way_home",
    "predict_position",
    "rocket_basic",
    "simpler_basic",
    "take_cover",
    "",
];

/// The scenario with files of that name.
///
/// # Panics
/// Where there is none: options are checked before.
pub fn scenario(file: &str) -> &'static Scenario {
    SCENARIOS.iter().find(|scenario| scenario.file == file).expect("one of the scenarios")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_is_found_by_its_file() {
        assert_eq!(FILES.len(), SCENARIOS.len());
        for (file, scenario) in FILES.iter().zip(&SCENARIOS) {
            assert_eq!(super::scenario(file).id, scenario.id);
            assert_eq!(scenario.buttons().len(), scenario.buttons.split_whitespace().count(), "{}", scenario.id);
        }
    }
}
