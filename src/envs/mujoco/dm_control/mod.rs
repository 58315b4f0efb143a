//! dm_control's suite, simulated by MuJoCo itself: see [`envpool_rs_sim_mujoco`].
//!
//! Each task has two names: one of EnvPool's form, such as `CheetahRun-v1`, and one of dm_control's, such as
//! `dm_control/cheetah-run`. The tasks reproduce `dm_control.suite` 1.0.38 to 1.0.50 number for number, as created by
//! `suite.load(domain, task, task_kwargs={"random": seed})`. All arithmetic outside the physics is numpy's: see
//! [`envpool_rs_numeric::numpy`] and [`envpool_rs_numeric::numpy_ufuncs`].
//!
//! # Adding a domain
//! A domain needs a file that implements [`suite::Domain`] and [`suite::DomainClass`], with the name of dm_control's module,
//! and a row in [`tasks`]. [`suite`] turns a domain into environments: it finds and compiles the model,
//! resets, steps, stacks frames and manages snapshots. A task changes its model for an episode through
//! `physics.model_array_mut(..)`, which affects only the lane of this episode. For a model that dm_control generates by a
//! function, [`suite::TaskSpec::generator_arguments`] holds the arguments, and `python/envpool_rs/_spec/assets.py` calls that
//! function.

mod acrobot;
mod arm;
mod ball_in_cup;
mod cartpole;
mod cheetah;
mod dog;
mod finger;
mod fish;
mod hopper;
mod humanoid;
pub mod joints;
mod lqr;
mod manipulator;
mod pendulum;
mod point_mass;
mod quadruped;
mod reacher;
mod stacker;
pub mod suite;
mod swimmer;
mod terrain;
mod walker;

use self::suite::{DomainClass, DomainInfo, DomainSpec, Suite};
use envpool_rs_engine::Task;

/// Default step limit of an episode, in environment steps.
const STEPS: u32 = 1000;

/// Creates the tasks of a domain, each with EnvPool's id, such as `BallInCupCatch-v1`, and dm_control's, such as
/// `dm_control/ball_in_cup-catch`. Ids are never freed, because tasks hold static names.
fn domain<D: DomainClass>() -> Vec<Task> {
    let spec = const { &DomainSpec::of::<D>() };
    let DomainInfo { name, tasks, time_limit, .. } = spec.info;
    let both = |task: &&'static str| {
        let envpool = format!("{}{}-v1", in_camel_case(name), in_camel_case(task));
        let created =
            [envpool, format!("dm_control/{name}-{task}")].map(|id| Suite::task(id.leak(), spec).preset("task_name", *task));
        let [envpool, own] = created;
        // A task without a time limit in dm_control has a step limit only under EnvPool's name.
        [envpool.max_episode_steps(STEPS), if time_limit.is_infinite() { own } else { own.max_episode_steps(STEPS) }]
    };
    tasks.iter().flat_map(both).collect()
}

/// Returns a name in the form of EnvPool's ids: `BallInCup` for `ball_in_cup`.
fn in_camel_case(name: &str) -> String {
    name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// Lists all tasks of the suite, each under two names.
pub fn tasks() -> Vec<Task> {
    let domains = [
        domain::<acrobot::Acrobot>(),
        domain::<ball_in_cup::BallInCup>(),
        domain::<cartpole::CartPole>(),
        domain::<cheetah::Cheetah>(),
        domain::<dog::Dog>(),
        domain::<finger::Finger>(),
        domain::<fish::Fish>(),
        domain::<hopper::Hopper>(),
        domain::<humanoid::Humanoid<humanoid::Plain>>(),
        domain::<humanoid::Humanoid<humanoid::Cmu>>(),
        domain::<lqr::Lqr>(),
        domain::<manipulator::Manipulator>(),
        domain::<pendulum::Pendulum>(),
        domain::<point_mass::PointMass>(),
        domain::<quadruped::Quadruped>(),
        domain::<reacher::Reacher>(),
        domain::<stacker::Stacker>(),
        domain::<swimmer::Swimmer>(),
        domain::<walker::Walker>(),
    ];
    domains.into_iter().flatten().collect()
}
