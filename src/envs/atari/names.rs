//! Forms the names of games in the ids of Atari tasks.

use envpool_rs_sim_atari::Game;

/// Returns a game's name in camel case.
///
/// If `after_digits` is set, a letter after a digit is upper case, as in `ale_py`; otherwise it is lower case, as in EnvPool
/// (`TicTacToe3d`).
pub(super) fn camel_case(game: &Game, after_digits: bool) -> String {
    let mut previous = '_';
    let mut name = String::new();
    for letter in game.name.chars() {
        let begins = previous == '_' || (after_digits && previous.is_ascii_digit());
        if letter != '_' {
            name.push(if begins { letter.to_ascii_uppercase() } else { letter });
        }
        previous = letter;
    }
    name
}
