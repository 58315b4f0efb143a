//! dm_control's suite, simulated by MuJoCo itself: see [`envpool_rs_sim_mujoco`].
//!
//! Each task has two names: one of EnvPool's form, such as `CheetahRun-v1`, and one of dm_control's, such as
//! `dm_control/cheetah-run`. The tasks reproduce `dm_control.suite` 1.0.38 to 1.0.50 number for number, as created by
//! `suite.load(domain, task, task_kwargs={"random": seed})`. All arithmetic outside the physics is numpy's: see
//! [`envpool_rs_sim_mujoco::numeric`] and [`envpool_rs_sim_mujoco::numpy_ufuncs`].
//!
//! # Adding a domain
//! A domain needs a file that implements [`suite::Domain`] and [`suite::DomainClass`], with the name of dm_control's module. Each
//! of its tasks needs a row in the table below. [`suite`] turns a domain into environments: it finds and compiles the model,
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

use self::{
    acrobot::Acrobot,
    ball_in_cup::BallInCup,
    cartpole::CartPole,
    cheetah::Cheetah,
    dog::Dog,
    finger::Finger,
    fish::Fish,
    hopper::Hopper,
    humanoid::{Cmu, Humanoid, Plain},
    lqr::Lqr,
    manipulator::Manipulator,
    pendulum::Pendulum,
    point_mass::PointMass,
    quadruped::Quadruped,
    reacher::Reacher,
    stacker::Stacker,
    suite::{DomainClass, DomainSpec, Suite},
    swimmer::Swimmer,
    walker::Walker,
};
use envpool_rs_engine::Task;

/// Default step limit of an episode, in environment steps.
const STEPS: u32 = 1000;

/// Creates two tasks of the same environment: one with EnvPool's id `envpool`, and one with dm_control's id `own`.
fn task<D: DomainClass>(envpool: &'static str, own: &'static str, task: &'static str) -> [Task; 2] {
    named(const { &DomainSpec::of::<D>() }, envpool, own, task)
}

fn named(spec: &'static DomainSpec, envpool: &'static str, own: &'static str, task: &'static str) -> [Task; 2] {
    [envpool, own].map(|id| {
        let task = Suite::task(id, spec).preset("task_name", task);
        // A task without a time limit in dm_control has a step limit only under EnvPool's name.
        if id == own && spec.info.time_limit.is_infinite() { task } else { task.max_episode_steps(STEPS) }
    })
}

/// Lists all tasks of the suite, each under two names.
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
        task::<Dog>("DogStand-v1", "dm_control/dog-stand", "stand"),
        task::<Dog>("DogWalk-v1", "dm_control/dog-walk", "walk"),
        task::<Dog>("DogTrot-v1", "dm_control/dog-trot", "trot"),
        task::<Dog>("DogRun-v1", "dm_control/dog-run", "run"),
        task::<Dog>("DogFetch-v1", "dm_control/dog-fetch", "fetch"),
        task::<Finger>("FingerSpin-v1", "dm_control/finger-spin", "spin"),
        task::<Finger>("FingerTurnEasy-v1", "dm_control/finger-turn_easy", "turn_easy"),
        task::<Finger>("FingerTurnHard-v1", "dm_control/finger-turn_hard", "turn_hard"),
        task::<Fish>("FishUpright-v1", "dm_control/fish-upright", "upright"),
        task::<Fish>("FishSwim-v1", "dm_control/fish-swim", "swim"),
        task::<Hopper>("HopperStand-v1", "dm_control/hopper-stand", "stand"),
        task::<Hopper>("HopperHop-v1", "dm_control/hopper-hop", "hop"),
        task::<Humanoid<Plain>>("HumanoidStand-v1", "dm_control/humanoid-stand", "stand"),
        task::<Humanoid<Plain>>("HumanoidWalk-v1", "dm_control/humanoid-walk", "walk"),
        task::<Humanoid<Plain>>("HumanoidRun-v1", "dm_control/humanoid-run", "run"),
        task::<Humanoid<Plain>>("HumanoidRunPureState-v1", "dm_control/humanoid-run_pure_state", "run_pure_state"),
        task::<Humanoid<Cmu>>("HumanoidCMUStand-v1", "dm_control/humanoid_CMU-stand", "stand"),
        task::<Humanoid<Cmu>>("HumanoidCMUWalk-v1", "dm_control/humanoid_CMU-walk", "walk"),
        task::<Humanoid<Cmu>>("HumanoidCMURun-v1", "dm_control/humanoid_CMU-run", "run"),
        task::<Lqr>("LqrLqr21-v1", "dm_control/lqr-lqr_2_1", "lqr_2_1"),
        task::<Lqr>("LqrLqr62-v1", "dm_control/lqr-lqr_6_2", "lqr_6_2"),
        task::<Manipulator>("ManipulatorBringBall-v1", "dm_control/manipulator-bring_ball", "bring_ball"),
        task::<Manipulator>("ManipulatorBringPeg-v1", "dm_control/manipulator-bring_peg", "bring_peg"),
        task::<Manipulator>("ManipulatorInsertBall-v1", "dm_control/manipulator-insert_ball", "insert_ball"),
        task::<Manipulator>("ManipulatorInsertPeg-v1", "dm_control/manipulator-insert_peg", "insert_peg"),
        task::<Pendulum>("PendulumSwingup-v1", "dm_control/pendulum-swingup", "swingup"),
        task::<PointMass>("PointMassEasy-v1", "dm_control/point_mass-easy", "easy"),
        task::<PointMass>("PointMassHard-v1", "dm_control/point_mass-hard", "hard"),
        task::<Quadruped>("QuadrupedWalk-v1", "dm_control/quadruped-walk", "walk"),
        task::<Quadruped>("QuadrupedRun-v1", "dm_control/quadruped-run", "run"),
        task::<Quadruped>("QuadrupedEscape-v1", "dm_control/quadruped-escape", "escape"),
        task::<Quadruped>("QuadrupedFetch-v1", "dm_control/quadruped-fetch", "fetch"),
        task::<Reacher>("ReacherEasy-v1", "dm_control/reacher-easy", "easy"),
        task::<Reacher>("ReacherHard-v1", "dm_control/reacher-hard", "hard"),
        task::<Stacker>("StackerStack2-v1", "dm_control/stacker-stack_2", "stack_2"),
        task::<Stacker>("StackerStack4-v1", "dm_control/stacker-stack_4", "stack_4"),
        task::<Swimmer>("SwimmerSwimmer6-v1", "dm_control/swimmer-swimmer6", "swimmer6"),
        task::<Swimmer>("SwimmerSwimmer15-v1", "dm_control/swimmer-swimmer15", "swimmer15"),
        task::<Walker>("WalkerStand-v1", "dm_control/walker-stand", "stand"),
        task::<Walker>("WalkerWalk-v1", "dm_control/walker-walk", "walk"),
        task::<Walker>("WalkerRun-v1", "dm_control/walker-run", "run"),
    ]
    .into_iter()
    .flatten()
    .collect()
}
