//! Table of the scenarios of EnvPool's ViZDoom tasks.

use envpool_rs_sim_vizdoom::{buttons, config::ScreenFormat};

/// Properties of an EnvPool scenario, from which spaces are computed without the scenario's files.
#[derive(Debug)]
pub struct Scenario {
    /// Task id of the scenario.
    pub id: &'static str,
    /// Base name of the `.cfg` and `.wad` files; empty if the user provides them.
    pub base_name: &'static str,
    is_gray: bool,
    is_160x120: bool,
    buttons: &'static str,
    /// Game variables in EnvPool's configuration of the scenario that the package `vizdoom` omits from its own.
    pub extra_variables: &'static [usize],
}

impl Scenario {
    /// Returns the numbers of the scenario's available buttons.
    pub fn buttons(&self) -> Vec<usize> {
        self.buttons.split_whitespace().filter_map(buttons::from_name).collect()
    }

    /// Returns the scenario's screen format.
    pub fn format(&self) -> ScreenFormat {
        if self.is_gray { ScreenFormat::Gray8 } else { ScreenFormat::Crcgcb }
    }

    /// Returns the rows and columns of the scenario's screen.
    pub fn size(&self) -> (usize, usize) {
        if self.is_160x120 { (120, 160) } else { (240, 320) }
    }
}

const fn scenario_spec(id: &'static str, file: &'static str, is_gray: bool, buttons: &'static str) -> Scenario {
    Scenario { id, base_name: file, is_gray, is_160x120: false, buttons, extra_variables: &[] }
}

const fn small_gray(id: &'static str, file: &'static str, buttons: &'static str) -> Scenario {
    Scenario { is_160x120: true, ..scenario_spec(id, file, true, buttons) }
}

/// Names of the buttons for turning and walking.
pub const TURN_AND_WALK: &str = "TURN_LEFT TURN_RIGHT MOVE_FORWARD";
/// Names of the buttons for turning and shooting.
pub const TURN_AND_SHOOT: &str = "TURN_LEFT TURN_RIGHT ATTACK";
/// Names of the buttons for side steps and shooting.
pub const STEP_AND_SHOOT: &str = "MOVE_LEFT MOVE_RIGHT ATTACK";
const BATTLE: &str = "MOVE_FORWARD MOVE_BACKWARD MOVE_RIGHT MOVE_LEFT TURN_LEFT TURN_RIGHT ATTACK SPEED";
/// Names of the buttons of the deathmatch scenario.
pub const DEATHMATCH: &str = "ATTACK SPEED STRAFE MOVE_RIGHT MOVE_LEFT MOVE_BACKWARD MOVE_FORWARD TURN_RIGHT TURN_LEFT SELECT_WEAPON1 \
    SELECT_WEAPON2 SELECT_WEAPON3 SELECT_WEAPON4 SELECT_WEAPON5 SELECT_WEAPON6 SELECT_NEXT_WEAPON SELECT_PREV_WEAPON \
    LOOK_UP_DOWN_DELTA TURN_LEFT_RIGHT_DELTA MOVE_LEFT_RIGHT_DELTA";
const CIG: &str = "ATTACK USE TURN_LEFT TURN_RIGHT MOVE_RIGHT MOVE_LEFT MOVE_FORWARD MOVE_BACKWARD TURN_LEFT_RIGHT_DELTA \
    LOOK_UP_DOWN_DELTA";

/// All scenarios of EnvPool.
pub static SCENARIOS: [Scenario; 21] = [
    small_gray("D1Basic-v1", "D1_basic", TURN_AND_WALK),
    small_gray("D2Navigation-v1", "D2_navigation", TURN_AND_WALK),
    small_gray("D3Battle-v1", "D3_battle", BATTLE),
    small_gray("D4Battle2-v1", "D4_battle2", BATTLE),
    scenario_spec("Basic-v1", "basic", false, STEP_AND_SHOOT),
    scenario_spec("BasicAudio-v1", "basic_audio", false, STEP_AND_SHOOT),
    scenario_spec("BasicNotifications-v1", "basic_notifications", false, STEP_AND_SHOOT),
    scenario_spec("Cig-v1", "cig", false, CIG),
    scenario_spec(
        "DeadlyCorridor-v1",
        "deadly_corridor",
        false,
        "MOVE_LEFT MOVE_RIGHT ATTACK MOVE_FORWARD MOVE_BACKWARD TURN_LEFT TURN_RIGHT",
    ),
    scenario_spec("Deathmatch-v1", "deathmatch", false, DEATHMATCH),
    scenario_spec("DefendTheCenter-v1", "defend_the_center", false, TURN_AND_SHOOT),
    scenario_spec("DefendTheLine-v1", "defend_the_line", false, TURN_AND_SHOOT),
    scenario_spec("HealthGathering-v1", "health_gathering", false, TURN_AND_WALK),
    scenario_spec("HealthGatheringSupreme-v1", "health_gathering_supreme", false, TURN_AND_WALK),
    scenario_spec("MultiDuel-v1", "multi_duel", false, STEP_AND_SHOOT),
    Scenario {
        extra_variables: &[17], // 17 is `AMMO0`
        ..scenario_spec("MyWayHome-v1", "my_way_home", false, "TURN_LEFT TURN_RIGHT MOVE_FORWARD MOVE_LEFT MOVE_RIGHT")
    },
    scenario_spec("PredictPosition-v1", "predict_position", false, TURN_AND_SHOOT),
    scenario_spec("RocketBasic-v1", "rocket_basic", true, STEP_AND_SHOOT),
    scenario_spec("SimplerBasic-v1", "simpler_basic", true, STEP_AND_SHOOT),
    scenario_spec("TakeCover-v1", "take_cover", false, "MOVE_LEFT MOVE_RIGHT"),
    scenario_spec("VizdoomCustom-v1", "", false, STEP_AND_SHOOT),
];

/// Base names of the scenarios' `.cfg` and `.wad` files.
pub const BASE_NAMES: &[&str] = &[
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

/// Returns the scenario whose files have the base name `file`.
///
/// # Panics
/// If there is no such scenario; callers pass only validated values of the option.
pub fn scenario(file: &str) -> &'static Scenario {
    SCENARIOS.iter().find(|scenario| scenario.base_name == file).expect("one of the scenarios")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_are_found_by_base_name() {
        assert_eq!(BASE_NAMES.len(), SCENARIOS.len());
        for (file, scenario) in BASE_NAMES.iter().zip(&SCENARIOS) {
            assert_eq!(super::scenario(file).id, scenario.id);
            assert_eq!(scenario.buttons().len(), scenario.buttons.split_whitespace().count(), "{}", scenario.id);
        }
    }
}
