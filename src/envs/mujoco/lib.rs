//! gymnasium's MuJoCo robots, simulated by MuJoCo itself: see [`envpool_rs_sim_mujoco`].
//!
//! The robots reproduce `envs/mujoco` of gymnasium 1.2.3 to 1.4.0 number for number (`Ant-v5`, `Ant-v4`, ...). Versions 3 and 2
//! are EnvPool's names, aliases of version 4. All arithmetic outside the physics is numpy's: see
//! [`envpool_rs_sim_mujoco::numeric`].
//!
//! [`dm_control`] has dm_control's suite, [`maze`] the mazes of Gymnasium-Robotics, [`fetch`] its Fetch robot, [`adroit`] its
//! Adroit hand, [`hand`] its Shadow hand, [`kitchen`] its Franka kitchen, and [`metaworld`] MetaWorld's tasks.
//!
//! # Adding a robot
//! A robot needs a file that implements [`robot::Robot`] and [`robot::RobotClass`], and a line in [`tasks`].
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
mod half_cheetah;
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
pub mod names;
mod pusher;
mod reacher;
pub mod render_setup;
pub mod rewards;
pub mod robot;
pub mod robot_env;
pub mod robotics;
mod rotations;
mod snapshot_checks;
pub mod stepper_choice;
mod swimmer;

use self::{
    ant::Ant,
    half_cheetah::HalfCheetah,
    hopper::{HOPPER, Planar, WALKER},
    humanoid::Humanoid,
    humanoid_standup::HumanoidStandup,
    inverted_double_pendulum::InvertedDoublePendulum,
    inverted_pendulum::InvertedPendulum,
    pusher::Pusher,
    reacher::Reacher,
    robot::RobotClass,
    swimmer::Swimmer,
};
use envpool_rs_engine::Task;

/// Default step limit of an episode, in environment steps.
const STEPS: u32 = 1000;

fn task<R: RobotClass>(id: &'static str, threshold: Option<f64>) -> Task {
    limited(robot_env::task::<R>(id), threshold)
}

fn limited(task: Task, threshold: Option<f64>) -> Task {
    let steps = match task.id.split('-').next() {
        Some("Reacher") => 50,
        Some("Pusher") => 100,
        _ => STEPS,
    };
    let task = task.max_episode_steps(steps);
    match threshold {
        Some(threshold) => task.reward_threshold(threshold),
        None => task,
    }
}

/// Lists the tasks of the family: eleven robots in three versions each.
pub fn tasks() -> Vec<Task> {
    vec![
        task::<Ant<5>>("Ant-v5", Some(6000.0)),
        task::<Ant<4>>("Ant-v4", Some(6000.0)),
        task::<Ant<4>>("Ant-v3", Some(6000.0)).preset("use_contact_forces", true),
        task::<HalfCheetah<5>>("HalfCheetah-v5", Some(4800.0)),
        task::<HalfCheetah<4>>("HalfCheetah-v4", Some(4800.0)),
        task::<HalfCheetah<4>>("HalfCheetah-v3", Some(4800.0)),
        task::<Planar<HOPPER, 5>>("Hopper-v5", Some(3800.0)),
        task::<Planar<HOPPER, 4>>("Hopper-v4", Some(3800.0)),
        task::<Planar<HOPPER, 4>>("Hopper-v3", Some(3800.0)),
        task::<Humanoid<5>>("Humanoid-v5", None),
        task::<Humanoid<4>>("Humanoid-v4", None),
        task::<Humanoid<4>>("Humanoid-v3", None),
        task::<HumanoidStandup<5>>("HumanoidStandup-v5", None),
        task::<HumanoidStandup<4>>("HumanoidStandup-v4", None),
        task::<HumanoidStandup<4>>("HumanoidStandup-v2", None),
        task::<InvertedDoublePendulum<5>>("InvertedDoublePendulum-v5", Some(9100.0)),
        task::<InvertedDoublePendulum<4>>("InvertedDoublePendulum-v4", Some(9100.0)),
        task::<InvertedDoublePendulum<4>>("InvertedDoublePendulum-v2", Some(9100.0)),
        task::<InvertedPendulum<5>>("InvertedPendulum-v5", Some(950.0)),
        task::<InvertedPendulum<4>>("InvertedPendulum-v4", Some(950.0)),
        task::<InvertedPendulum<4>>("InvertedPendulum-v2", Some(950.0)),
        task::<Pusher<5>>("Pusher-v5", Some(0.0)),
        task::<Pusher<4>>("Pusher-v4", Some(0.0)),
        task::<Pusher<4>>("Pusher-v2", Some(0.0)),
        task::<Reacher<5>>("Reacher-v5", Some(-3.75)),
        task::<Reacher<4>>("Reacher-v4", Some(-3.75)),
        task::<Reacher<4>>("Reacher-v2", Some(-3.75)),
        task::<Swimmer<5>>("Swimmer-v5", Some(360.0)),
        task::<Swimmer<4>>("Swimmer-v4", Some(360.0)),
        task::<Swimmer<4>>("Swimmer-v3", Some(360.0)),
        task::<Planar<WALKER, 5>>("Walker2d-v5", None),
        task::<Planar<WALKER, 4>>("Walker2d-v4", None),
        task::<Planar<WALKER, 4>>("Walker2d-v3", None),
    ]
}
