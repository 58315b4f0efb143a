//! dm_control's suite, on MuJoCo's own library: see [`crate::sim::mujoco`].
//!
//! `CheetahRun-v1` and so on are EnvPool's names, `dm_control/cheetah-run` and so on dm_control's; they follow `dm_control.suite` 1.0.38 to
//! 1.0.50 number for number, as `suite.load(domain, task, task_kwargs={"random": seed})` plays them. What is around the physics is numpy's
//! arithmetic: see [`crate::sim::mujoco::numeric`] and [`crate::sim::mujoco::kernels`].
//!
//! # Adding a domain
//! A file that implements [`suite::Domain`], named like the module of dm_control's that it follows, and a row below for each task.
//! [`suite`] makes environments of it: it finds and compiles the model, resets, steps, stacks frames and keeps snapshots. What a task
//! changes of the model for an episode it writes into `physics.model_array_mut(..)`, which is the lane's own. Models that dm_control makes
//! by a function of arguments are asked for by `Outline::made_with`; `python/envpool_rs/_spec/dm_control_suite.py` calls that function.

mod acrobot;
mod ball_in_cup;
mod cartpole;
mod cheetah;
mod hopper;
pub mod joints;
pub mod names;
mod pendulum;
mod point_mass;
mod reacher;
pub mod rewards;
pub mod suite;
mod walker;

use self::{
    acrobot::Acrobot,
    ball_in_cup::BallInCup,
    cartpole::CartPole,
    cheetah::Cheetah,
    hopper::Hopper,
    pendulum::Pendulum,
    point_mass::PointMass,
    reacher::Reacher,
    suite::{Domain, Suite, step_limit},
    walker::Walker,
};
use crate::engine::Task;

/// Steps of an episode, unless an option says otherwise.
const STEPS: u32 = 1000;

/// A task by EnvPool's name and by dm_control's.
fn task<D: Domain>(envpool: &'static str, own: &'static str, task: &'static str) -> [Task; 2] {
    [envpool, own]
        .map(|id| Task::env::<Suite<D>>(id).preset("task_name", task).max_episode_steps(STEPS).limited_by(step_limit::<D>))
}

/// All tasks, each by two names.
pub fn tasks() -> Vec<Task> {
    [
        task::<Acrobot>("AcrobotSwingup-v1", "dm_control/acrobot-swingup", "swingup"),
        task::<Acrobot>("AcrobotSwingupSparse-v1", "dm_control/acrobot-swingup_sparse", "swingup_sparse"),
        task::<BallInCup>("BallInCupCatch-v1", "dm_control/ball_in_cup-catch", "catch"),
        task::<CartPole>("CartpoleBalance-v1", "dm_control/cartpole-balance", "balance"),
        task::<CartPole>("CartpoleBalanceSparse-v1", "dm_control/cartpole-balance_sparse", "balance_sparse"),
        task::<CartPole>("CartpoleSwingup-v1", "dm_control/cartpole-swingup", "swingup"),
        task::<CartPole>("CartpoleSwingupSparse-v1", "dm_control/cartpole-swingup_sparse", "swingup_sparse"),
        task::<CartPole>("CartpoleTwoPoles-v1", "dm_control/cartpole-two_poles", "two_poles"),
        task::<CartPole>("CartpoleThreePoles-v1", "dm_control/cartpole-three_poles", "three_poles"),
        task::<Cheetah>("CheetahRun-v1", "dm_control/cheetah-run", "run"),
        task::<Hopper>("HopperStand-v1", "dm_control/hopper-stand", "stand"),
        task::<Hopper>("HopperHop-v1", "dm_control/hopper-hop", "hop"),
        task::<Pendulum>("PendulumSwingup-v1", "dm_control/pendulum-swingup", "swingup"),
        task::<PointMass>("PointMassEasy-v1", "dm_control/point_mass-easy", "easy"),
        task::<PointMass>("PointMassHard-v1", "dm_control/point_mass-hard", "hard"),
        task::<Reacher>("ReacherEasy-v1", "dm_control/reacher-easy", "easy"),
        task::<Reacher>("ReacherHard-v1", "dm_control/reacher-hard", "hard"),
        task::<Walker>("WalkerStand-v1", "dm_control/walker-stand", "stand"),
        task::<Walker>("WalkerWalk-v1", "dm_control/walker-walk", "walk"),
        task::<Walker>("WalkerRun-v1", "dm_control/walker-run", "run"),
    ]
    .into_iter()
    .flatten()
    .collect()
}
