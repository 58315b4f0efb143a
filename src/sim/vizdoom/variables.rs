//! The variables of the game, by number.

/// Names of the first ones.
const FIRST: [&str; 17] = [
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
/// Names of those behind ammunition and weapons, which are numbered from 0 to 9.
const MIDDLE: [&str; 19] = [
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
const AMMO: usize = FIRST.len();
const WEAPONS: usize = AMMO + 10;
const POSITIONS: usize = WEAPONS + 10;
const FRAGS: usize = POSITIONS + MIDDLE.len();
const USER: usize = FRAGS + 16;

/// How many there are.
pub const COUNT: usize = USER + 60;

/// `DEATHCOUNT`
pub const DEATHS: usize = 4;
/// `HITCOUNT`
pub const HITS: usize = 5;
/// `DAMAGECOUNT`
pub const DAMAGE: usize = 7;
/// `HEALTH`
pub const HEALTH: usize = 9;
/// `SELECTED_WEAPON`
pub const WEAPON: usize = 15;
/// `SELECTED_WEAPON_AMMO`
pub const WEAPON_AMMO: usize = 16;

/// The name of a variable.
pub fn name(variable: usize) -> String {
    match variable {
        0..AMMO => FIRST[variable].to_owned(),
        AMMO..WEAPONS => format!("AMMO{}", variable - AMMO),
        WEAPONS..POSITIONS => format!("WEAPON{}", variable - WEAPONS),
        POSITIONS..FRAGS => MIDDLE[variable - POSITIONS].to_owned(),
        FRAGS..USER => format!("PLAYER{}_FRAGCOUNT", variable - FRAGS + 1),
        _ => format!("USER{}", variable - USER + 1),
    }
}

/// The variable of that name, in upper or lower case.
pub fn named(text: &str) -> Option<usize> {
    (0..COUNT).find(|variable| name(*variable).eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_package() {
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
            assert_eq!(named(text), Some(number), "{text}");
        }
        assert_eq!((named("AMMO10"), named("USER61"), COUNT), (None, None, 132));
    }
}
