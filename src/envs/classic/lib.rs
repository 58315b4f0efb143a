//! Small environments: classic control, toy text, bsuite, MPE, and tasks for tests.

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

/// Adds the tasks of every family that this build includes.
pub fn add_tasks(registry: &mut Registry) {
    #[cfg(feature = "classic_control")]
    {
        registry.add(classic_control::cart_pole::tasks());
        registry.add(classic_control::mountain_car::tasks());
        registry.add(classic_control::mountain_car_continuous::tasks());
        registry.add(classic_control::pendulum::tasks());
        registry.add(classic_control::acrobot::tasks());
    }
    #[cfg(feature = "toy_text")]
    {
        registry.add(toy_text::frozen_lake::tasks());
        registry.add(toy_text::taxi::tasks());
        registry.add(toy_text::cliff_walking::tasks());
        registry.add(toy_text::blackjack::tasks());
        registry.add(toy_text::n_chain::tasks());
    }
    #[cfg(feature = "bsuite")]
    registry.add(bsuite::catch::tasks());
    #[cfg(feature = "mpe")]
    {
        registry.add(mpe::simple_spread::tasks());
        registry.add(mpe::simple_speaker_listener::tasks());
    }
    #[cfg(feature = "testing")]
    {
        registry.add(testing::scripted::tasks());
        registry.add(testing::echo::tasks());
    }
    _ = registry;
}
