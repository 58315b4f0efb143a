//! Table of the scenarios and the complete Doom games in the package `vizdoom`.

use super::scenarios::{DEATHMATCH, STEP_AND_SHOOT, TURN_AND_SHOOT, TURN_AND_WALK};

/// Properties of a configuration file of the package `vizdoom`, from which spaces are computed without reading the file.
pub(super) struct ScenarioSpec {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    pub(super) buttons: &'static str,
    pub(super) variables: &'static str,
    /// Whether the automap, audio and notifications buffers are enabled.
    pub(super) has: [bool; 3],
}

const fn scenario_spec(name: &'static str, file: &'static str, buttons: &'static str, variables: &'static str) -> ScenarioSpec {
    ScenarioSpec { name, file, buttons, variables, has: [false; 3] }
}

const WHOLE_GAME_BUTTONS: &str = "ATTACK SPEED STRAFE USE MOVE_RIGHT MOVE_LEFT MOVE_BACKWARD MOVE_FORWARD TURN_RIGHT TURN_LEFT SELECT_WEAPON1 \
    SELECT_WEAPON2 SELECT_WEAPON3 SELECT_WEAPON4 SELECT_WEAPON5 SELECT_WEAPON6 SELECT_WEAPON7 SELECT_NEXT_WEAPON SELECT_PREV_WEAPON";

/// Scenarios of the package `vizdoom`; each has a `Discrete` task and a `MultiBinary` task.
pub(super) const SCENARIOS: [ScenarioSpec; 12] = [
    scenario_spec("Basic", "basic.cfg", STEP_AND_SHOOT, "AMMO2"),
    ScenarioSpec { has: [false, true, false], ..scenario_spec("BasicAudio", "basic_audio.cfg", STEP_AND_SHOOT, "AMMO2") },
    ScenarioSpec {
        has: [false, false, true],
        ..scenario_spec("BasicNotifications", "basic_notifications.cfg", STEP_AND_SHOOT, "AMMO2")
    },
    scenario_spec(
        "DeadlyCorridor",
        "deadly_corridor.cfg",
        "MOVE_LEFT MOVE_RIGHT ATTACK MOVE_FORWARD MOVE_BACKWARD TURN_LEFT TURN_RIGHT",
        "HEALTH",
    ),
    scenario_spec("DefendCenter", "defend_the_center.cfg", TURN_AND_SHOOT, "AMMO2 HEALTH"),
    scenario_spec("DefendLine", "defend_the_line.cfg", TURN_AND_SHOOT, "AMMO2 HEALTH"),
    scenario_spec("HealthGathering", "health_gathering.cfg", TURN_AND_WALK, "HEALTH"),
    scenario_spec("MyWayHome", "my_way_home.cfg", "TURN_LEFT TURN_RIGHT MOVE_FORWARD MOVE_LEFT MOVE_RIGHT", ""),
    scenario_spec("PredictPosition", "predict_position.cfg", TURN_AND_SHOOT, ""),
    scenario_spec("TakeCover", "take_cover.cfg", "MOVE_LEFT MOVE_RIGHT", "HEALTH"),
    scenario_spec("Deathmatch", "deathmatch.cfg", DEATHMATCH, "KILLCOUNT HEALTH ARMOR SELECTED_WEAPON SELECTED_WEAPON_AMMO"),
    scenario_spec("HealthGatheringSupreme", "health_gathering_supreme.cfg", TURN_AND_WALK, "HEALTH"),
];

/// Complete Doom games, with one task per map and difficulty.
pub(super) const WHOLE_GAMES: [ScenarioSpec; 4] = [
    ScenarioSpec { has: [true, true, false], ..scenario_spec("Doom", "doom.cfg", WHOLE_GAME_BUTTONS, "") },
    ScenarioSpec { has: [true, true, false], ..scenario_spec("Doom2", "doom2.cfg", WHOLE_GAME_BUTTONS, "") },
    ScenarioSpec { has: [true, true, false], ..scenario_spec("Freedoom1", "freedoom1.cfg", WHOLE_GAME_BUTTONS, "") },
    ScenarioSpec { has: [true, true, false], ..scenario_spec("Freedoom2", "freedoom2.cfg", WHOLE_GAME_BUTTONS, "") },
];

/// Names of the configuration files of all scenarios and complete games.
pub(super) const FILES: &[&str] = &[
    "basic.cfg",
    "basic_audio.cfg",
    "basic_notifications.cfg",
    "deadly_corridor.cfg",
    "defend_the_center.cfg",
    "defend_the_line.cfg",
    "health_gathering.cfg",
    "my_way_home.cfg",
    "predict_position.cfg",
    "take_cover.cfg",
    "deathmatch.cfg",
    "health_gathering_supreme.cfg",
    "doom.cfg",
    "doom2.cfg",
    "freedoom1.cfg",
    "freedoom2.cfg",
];
