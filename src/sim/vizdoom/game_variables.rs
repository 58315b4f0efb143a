//! ViZDoom's game variables (`GameVariable`), which are referred to by number.

/// Names of the game variables 0 to 16.
const LEADING_NAMES: [&str; 17] = [
    "KILLCOUNT",
    "ITEMCOUNT",
    "SECRETCOUNT",
    "FRAGCOUNT",
    "DEATHCOUNT",
    "HITCOUNT",
    "HITS_TAKEN",
    "DAMAGECOUNT",
    "DAMAGE_TAKEN",
    "HEALTH",
    "ARMOR",
    "DEAD",
    "ON_GROUND",
    "ATTACK_READY",
    "ALTATTACK_READY",
    "SELECTED_WEAPON",
    "SELECTED_WEAPON_AMMO",
];
/// Names of the game variables whose numbers follow those of `AMMO0` to `AMMO9` and `WEAPON0` to `WEAPON9`.
const POSITION_NAMES: [&str; 19] = [
    "POSITION_X",
    "POSITION_Y",
    "POSITION_Z",
    "ANGLE",
    "PITCH",
    "ROLL",
    "VIEW_HEIGHT",
    "VELOCITY_X",
    "VELOCITY_Y",
    "VELOCITY_Z",
    "CAMERA_POSITION_X",
    "CAMERA_POSITION_Y",
    "CAMERA_POSITION_Z",
    "CAMERA_ANGLE",
    "CAMERA_PITCH",
    "CAMERA_ROLL",
    "CAMERA_FOV",
    "PLAYER_NUMBER",
    "PLAYER_COUNT",
];
const AMMO0: usize = LEADING_NAMES.len();
const WEAPON0: usize = AMMO0 + 10;
const POSITION_X: usize = WEAPON0 + 10;
const PLAYER1_FRAGCOUNT: usize = POSITION_X + POSITION_NAMES.len();
const USER1: usize = PLAYER1_FRAGCOUNT + 16;

/// Number of game variables.
pub const COUNT: usize = USER1 + 60;

/// Number of the game variable `DEATHCOUNT`.
pub const DEATHCOUNT: usize = 4;
/// Number of the game variable `HITCOUNT`.
pub const HITCOUNT: usize = 5;
/// Number of the game variable `DAMAGECOUNT`.
pub const DAMAGECOUNT: usize = 7;
/// Number of the game variable `HEALTH`.
pub const HEALTH: usize = 9;
/// Number of the game variable `SELECTED_WEAPON`.
pub const SELECTED_WEAPON: usize = 15;
/// Number of the game variable `SELECTED_WEAPON_AMMO`.
pub const SELECTED_WEAPON_AMMO: usize = 16;

/// Returns the name of the game variable with the number `variable`.
pub fn name(variable: usize) -> String {
    match variable {
        0..AMMO0 => LEADING_NAMES[variable].to_owned(),
        AMMO0..WEAPON0 => format!("AMMO{}", variable - AMMO0),
        WEAPON0..POSITION_X => format!("WEAPON{}", variable - WEAPON0),
        POSITION_X..PLAYER1_FRAGCOUNT => POSITION_NAMES[variable - POSITION_X].to_owned(),
        PLAYER1_FRAGCOUNT..USER1 => format!("PLAYER{}_FRAGCOUNT", variable - PLAYER1_FRAGCOUNT + 1),
        _ => format!("USER{}", variable - USER1 + 1),
    }
}

/// Returns the number of the game variable with the name `text`, in upper or lower case.
pub fn from_name(text: &str) -> Option<usize> {
    (0..COUNT).find(|variable| name(*variable).eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_equal_those_of_the_package() {
        for (text, number) in [
            ("killcount", 0),
            ("Ammo0", 17),
            ("AMMO9", 26),
            ("WEAPON0", 27),
            ("POSITION_X", 37),
            ("CAMERA_FOV", 53),
            ("PLAYER_COUNT", 55),
            ("PLAYER16_FRAGCOUNT", 71),
            ("USER1", 72),
            ("USER60", 131),
        ] {
            assert_eq!(from_name(text), Some(number), "{text}");
        }
        assert_eq!((from_name("AMMO10"), from_name("USER61"), COUNT), (None, None, 132));
    }
}
