//! Franka kitchen of Gymnasium-Robotics, in which a robot arm opens doors, turns knobs and moves a kettle: `FrankaKitchen-v1`.
//!
//! The task reproduces `envs/franka_kitchen` of Gymnasium-Robotics 1.4.2 number for number. [`goal`] has the seven tasks in the
//! kitchen, `arm` the robot's controls and the noise of observations, `env` the environment.

mod arm;
mod env;
pub mod goal;

use envpool_rs_engine::Task;

/// Default step limit of an episode, in environment steps.
const STEPS: u32 = 280;

/// Lists the tasks of the kitchen, of which there is one.
pub fn tasks() -> Vec<Task> {
    vec![env::KitchenEnv::task("FrankaKitchen-v1").max_episode_steps(STEPS)]
}
