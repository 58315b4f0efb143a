//! MetaWorld's tasks of the robot Sawyer: `MetaWorld/Reach-v3`, `MetaWorld/DrawerOpen-v3`, ...
//!
//! The tasks reproduce the package `metaworld` 3.1.1 number for number: environment `i` of a pool with seed `s` equals
//! `gymnasium.make("Meta-World/MT1", env_name=.., seed=s + i)` and its further resets. The models are the package's own files.
//!
//! # Adding a task
//! A task needs a file in `tasks` with a [`TaskSpec`](task::TaskSpec) and an implementation of [`Rules`](task::Rules), and a line
//! in [`tasks::ALL`]. [`sawyer`] has what tasks read and change in the simulation, [`rewards`] the reward functions that tasks
//! share, [`first_version`] their older version, `vector` numpy's arithmetic of vectors, and [`number`] its arithmetic of
//! scalars: where the gripper's action enters a reward, the reward is float32 with numpy 2. `wrappers` changes observations and
//! rewards as the package's wrappers do.

mod env;
pub mod first_version;
pub mod number;
mod random;
pub mod rewards;
pub mod sawyer;
pub mod task;
pub mod tasks;
mod wrappers;

use envpool_rs_engine::Task;

/// Returns MetaWorld's names of its tasks; the place of a name is EnvPool's info `task_id`.
pub fn names() -> Vec<(&'static str, Vec<&'static str>)> {
    vec![("tasks", tasks::ALL.map(|spec| spec.name).to_vec())]
}

/// Lists all tasks of MetaWorld, in alphabetical order.
pub fn tasks() -> Vec<Task> {
    let mut tasks: Vec<_> = tasks::ALL.iter().map(|spec| env::MetaworldEnv::task(spec)).collect();
    tasks.sort_by_key(|task| task.id);
    tasks
}
