//! gymnasium's MuJoCo robots, simulated by MuJoCo itself: see [`envpool_rs_sim_mujoco`].
//!
//! The robots reproduce `envs/mujoco` of gymnasium 1.2.3 to 1.4.0 number for number (`Ant-v5`, `Ant-v4`, ...). Versions 3 and 2
//! are EnvPool's names, aliases of version 4. All arithmetic outside the physics is numpy's: see
//! [`envpool_rs_numeric::numpy`].
//!
//! [`dm_control`] has dm_control's suite, [`maze`] the mazes of Gymnasium-Robotics, [`fetch`] its Fetch robot, [`adroit`] its
//! Adroit hand, [`hand`] its Shadow hand, [`kitchen`] its Franka kitchen, [`metaworld`] MetaWorld's tasks, and [`myosuite`]
//! those of MyoSuite.
//!
//! # Adding a robot
//! A robot needs a file that implements [`robot::Robot`], [`robot::FromOptions`] and [`robot::RobotClass`], and a line in [`tasks`].
//!
//! # Adding a family
//! A family implements [`mujoco_env::Family`]. [`mujoco_env::MujocoEnv`] turns it into an environment: it loads the model once per
//! pool, and manages simulations, native steps, frames, pictures and snapshots.

pub mod adroit;
mod agent;
mod ant;
mod attempts;
pub mod dm_control;
pub mod errors;
pub mod fetch;
pub mod goals;
pub mod hand;
mod hopper;
mod humanoid;
mod humanoid_standup;
mod inverted_double_pendulum;
mod inverted_pendulum;
pub mod kitchen;
pub mod maze;
pub mod metaworld;
pub mod mujoco_env;
pub mod myosuite;
pub mod names;
mod pusher;
mod reacher;
pub mod render_setup;
pub mod rewards;
pub mod robot;
pub mod robot_env;
pub mod robotics;
mod rotations;
mod runner;
mod snapshot_checks;
pub mod stepper_choice;
mod vector;

use self::{
    ant::Ant,
    hopper::{HOPPER, Planar, WALKER},
    humanoid::Humanoid,
    humanoid_standup::HumanoidStandup,
    inverted_double_pendulum::InvertedDoublePendulum,
    inverted_pendulum::InvertedPendulum,
    pusher::Pusher,
    reacher::Reacher,
    robot::RobotClass,
    runner::{HALF_CHEETAH, Runner, SWIMMER},
};
use envpool_rs_engine::Task;

/// Default step limit of an episode, in environment steps.
const STEPS: u32 = 1000;

/// Creates the tasks of a robot: in version 5, in version 4, and in an older version, which is an alias of version 4.
fn versions<New: RobotClass, Old: RobotClass>(ids: [&'static str; 3], steps: u32, threshold: Option<f64>) -> [Task; 3] {
    let tasks = [robot_env::task::<New>(ids[0]), robot_env::task::<Old>(ids[1]), robot_env::task::<Old>(ids[2])];
    tasks.map(|task| {
        let task = task.max_episode_steps(steps);
        match threshold {
            Some(threshold) => task.reward_threshold(threshold),
            None => task,
        }
    })
}

/// Lists the tasks of the family: eleven robots in three versions each.
pub fn tasks() -> Vec<Task> {
    let [ant, ant_v4, ant_v3] = versions::<Ant<5>, Ant<4>>(["Ant-v5", "Ant-v4", "Ant-v3"], STEPS, Some(6000.0));
    let tasks = [
        [ant, ant_v4, ant_v3.preset("use_contact_forces", true)],
        versions::<Runner<HALF_CHEETAH, 5>, Runner<HALF_CHEETAH, 4>>(
            ["HalfCheetah-v5", "HalfCheetah-v4", "HalfCheetah-v3"],
            STEPS,
            Some(4800.0),
        ),
        versions::<Planar<HOPPER, 5>, Planar<HOPPER, 4>>(["Hopper-v5", "Hopper-v4", "Hopper-v3"], STEPS, Some(3800.0)),
        versions::<Humanoid<5>, Humanoid<4>>(["Humanoid-v5", "Humanoid-v4", "Humanoid-v3"], STEPS, None),
        versions::<HumanoidStandup<5>, HumanoidStandup<4>>(
            ["HumanoidStandup-v5", "HumanoidStandup-v4", "HumanoidStandup-v2"],
            STEPS,
            None,
        ),
        versions::<InvertedDoublePendulum<5>, InvertedDoublePendulum<4>>(
            ["InvertedDoublePendulum-v5", "InvertedDoublePendulum-v4", "InvertedDoublePendulum-v2"],
            STEPS,
            Some(9100.0),
        ),
        versions::<InvertedPendulum<5>, InvertedPendulum<4>>(
            ["InvertedPendulum-v5", "InvertedPendulum-v4", "InvertedPendulum-v2"],
            STEPS,
            Some(950.0),
        ),
        versions::<Pusher<5>, Pusher<4>>(["Pusher-v5", "Pusher-v4", "Pusher-v2"], 100, Some(0.0)),
        versions::<Reacher<5>, Reacher<4>>(["Reacher-v5", "Reacher-v4", "Reacher-v2"], 50, Some(-3.75)),
        versions::<Runner<SWIMMER, 5>, Runner<SWIMMER, 4>>(["Swimmer-v5", "Swimmer-v4", "Swimmer-v3"], STEPS, Some(360.0)),
        versions::<Planar<WALKER, 5>, Planar<WALKER, 4>>(["Walker2d-v5", "Walker2d-v4", "Walker2d-v3"], STEPS, None),
    ];
    tasks.into_iter().flatten().collect()
}
