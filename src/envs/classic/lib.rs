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

use envpool_rs_engine::Registry;

/// Adds the tasks of every environment family compiled into this build.
pub fn add_tasks(registry: &mut Registry) {
    #[cfg(feature = "classic_control")]
    registry.add(classic_control::tasks());
    #[cfg(feature = "toy_text")]
    registry.add(toy_text::tasks());
    #[cfg(feature = "bsuite")]
    registry.add(bsuite::tasks());
    #[cfg(feature = "mpe")]
    registry.add(mpe::tasks());
    #[cfg(feature = "testing")]
    registry.add(testing::tasks());
}
