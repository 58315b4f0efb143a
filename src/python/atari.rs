//! Properties of Atari games.

use envpool_rs::sim::atari::games::GAMES;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Returns ALE's names of a game's actions (of all legal actions, or of the minimal set), and whether the game is made for PAL
/// televisions.
///
/// # Errors
/// `ValueError` for an unknown game.
#[pyfunction]
pub fn atari_game(game: &str, full_action_space: bool) -> PyResult<(Vec<&'static str>, bool)> {
    let known = GAMES.iter().find(|each| each.name == game);
    let known = known.ok_or_else(|| PyValueError::new_err(format!("game={game:?}: expected the name of an Atari game")))?;
    let actions = if full_action_space { known.legal() } else { known.minimal.to_vec() };
    Ok((actions.into_iter().map(|action| action.name()).collect(), known.is_pal))
}
