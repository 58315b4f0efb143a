//! Environments for tests of pools, wrappers and trainers.
//!
//! Lists of tasks omit these environments, because their ids start with `test/`.

pub mod echo;
pub mod scripted;

use envpool_rs_engine::Task;

/// Returns the tasks for tests, whose ids start with `test/`.
pub fn tasks() -> Vec<Task> {
    [scripted::tasks(), echo::tasks()].into_iter().flatten().collect()
}
