//! Atari 2600 games, on the console of [`envpool_rs_sim_atari`], in two kinds of tasks.
//!
//! | tasks | follow | |
//! |---|---|---|
//! | `Pong-v5` | EnvPool 1.2.5 | [`envpool`]: frames skipped, gray, 84 by 84, stacked |
//! | `ALE/Pong-v5` | `ale_py` 0.12.1 and gymnasium 1.4.0's wrappers | [`ale`]: the screen or the memory as they are; preprocessing as an option |
//!
//! Cartridge images are the user's: see [`cartridges`].
//!
//! # Adding a game
//! It is the simulator's table that games are added to ([`envpool_rs_sim_atari::games`]); both tasks follow from its row.

pub mod ale;
mod arguments;
pub mod cartridges;
mod continuous;
pub mod envpool;
mod names;
mod preprocessing;
mod preprocessor;
mod random;
mod screen;
mod setup;
#[cfg(test)]
mod testing;
mod view;

use envpool_rs_engine::Task;
use envpool_rs_sim_atari::games::GAMES;

/// Two tasks for each game.
pub fn tasks() -> Vec<Task> {
    GAMES.iter().map(envpool::task).chain(GAMES.iter().map(ale::task)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_a_task_of_either_kind_with_its_references_spelling() {
        let ids: Vec<_> = tasks().iter().map(|task| task.id).collect();
        assert_eq!(ids.len(), 208);
        for id in ["Pong-v5", "ALE/Pong-v5", "TicTacToe3d-v5", "ALE/TicTacToe3D-v5", "UpNDown-v5", "ALE/Atlantis2-v5"] {
            assert!(ids.contains(&id), "{id}");
        }
    }
}
