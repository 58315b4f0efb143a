//! Environments of DeepMind's Behaviour Suite for Reinforcement Learning.

pub mod catch;

use envpool_rs_engine::Task;

/// Returns the tasks of this family.
pub fn tasks() -> Vec<Task> {
    catch::tasks()
}
