//! What tasks are called.

use envpool_rs_sim_atari::Game;

/// A game's name in camel case. EnvPool leaves letters after a digit small (`TicTacToe3d`), `ale_py` does not.
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
