//! Environments with small states: classic control, toy text, bsuite, MPE, and tasks for tests.

#[cfg(feature = "bsuite")]
pub mod bsuite;
#[cfg(feature = "classic_control")]
pub mod classic_control;
#[cfg(feature = "mpe")]
pub mod mpe;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "toy_text")]
pub mod toy_text;

use envpool_rs_engine::{Registry, Task};

/// Returns the classic control tasks.
#[cfg(feature = "classic_control")]
pub fn classic_control_tasks() -> Vec<Task> {
    [
        classic_control::cart_pole::tasks(),
        classic_control::mountain_car::tasks(),
        classic_control::mountain_car_continuous::tasks(),
        classic_control::pendulum::tasks(),
        classic_control::acrobot::tasks(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the toy text tasks.
#[cfg(feature = "toy_text")]
pub fn toy_text_tasks() -> Vec<Task> {
    [
        toy_text::frozen_lake::tasks(),
        toy_text::taxi::tasks(),
        toy_text::cliff_walking::tasks(),
        toy_text::blackjack::tasks(),
        toy_text::n_chain::tasks(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the bsuite tasks.
#[cfg(feature = "bsuite")]
pub fn bsuite_tasks() -> Vec<Task> {
    bsuite::catch::tasks()
}

/// Returns the multi-agent particle environment (MPE) tasks.
#[cfg(feature = "mpe")]
pub fn mpe_tasks() -> Vec<Task> {
    [mpe::simple_spread::tasks(), mpe::simple_speaker_listener::tasks()].into_iter().flatten().collect()
}

/// Returns the tasks for tests, whose ids start with `test/`.
#[cfg(feature = "testing")]
pub fn testing_tasks() -> Vec<Task> {
    [testing::scripted::tasks(), testing::echo::tasks()].into_iter().flatten().collect()
}

/// Adds the tasks of every environment family compiled into this build.
pub fn add_tasks(registry: &mut Registry) {
    #[cfg(feature = "classic_control")]
    registry.add(classic_control_tasks());
    #[cfg(feature = "toy_text")]
    registry.add(toy_text_tasks());
    #[cfg(feature = "bsuite")]
    registry.add(bsuite_tasks());
    #[cfg(feature = "mpe")]
    registry.add(mpe_tasks());
    #[cfg(feature = "testing")]
    registry.add(testing_tasks());
}
