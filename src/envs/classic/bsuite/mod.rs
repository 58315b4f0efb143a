//! Environments of DeepMind's Behaviour Suite for Reinforcement Learning (bsuite).

pub mod catch;

use envpool_rs_engine::Task;

/// Returns the bsuite tasks.
pub fn tasks() -> Vec<Task> {
    catch::tasks()
}
