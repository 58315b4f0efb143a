//! Atari 2600 tasks, simulated by [`envpool_rs_sim_atari`]: one EnvPool task and one ALE task per game.
//!
//! | tasks | follow | |
//! |---|---|---|
//! | `Pong-v5` | EnvPool 1.2.5 | [`envpool`]: frame skip, gray, 84 by 84, frame stack |
//! | `ALE/Pong-v5` | `ale_py` 0.12.1 and gymnasium 1.4.0's wrappers | [`ale`]: the unprocessed screen or RAM; preprocessing as an option |
//!
//! Users provide the cartridge images: see [`cartridges`].
//!
//! # Adding a game
//! Add a row to the simulator's table of games ([`envpool_rs_sim_atari::games`]); both tasks follow from it.

pub mod ale;
mod atari_preprocessing;
pub mod cartridges;
mod checked_options;
mod console_setup;
mod continuous;
pub mod envpool;
mod names;
mod obs_type;
mod preprocessor;
mod random;
mod screen;
#[cfg(test)]
mod testing;

use envpool_rs_engine::Task;
use envpool_rs_sim_atari::games::GAMES;

/// Returns two tasks for each game: EnvPool's and ALE's.
pub fn tasks() -> Vec<Task> {
    GAMES.iter().map(envpool::task).chain(GAMES.iter().map(ale::task)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_an_ale_and_an_envpool_task_id() {
        let ids: Vec<_> = tasks().iter().map(|task| task.id).collect();
        assert_eq!(ids.len(), 208);
        for id in ["Pong-v5", "ALE/Pong-v5", "TicTacToe3d-v5", "ALE/TicTacToe3D-v5", "UpNDown-v5", "ALE/Atlantis2-v5"] {
            assert!(ids.contains(&id), "{id}");
        }
    }
}
