//! The environments, one file each, and the table of tasks.

pub mod atari;
pub mod box2d;
pub mod bsuite;
pub mod classic_control;
pub mod dm_control;
mod drawing;
mod frame_stack;
pub mod minigrid;
pub mod mpe;
pub mod mujoco;
pub mod resize;
pub mod testing;
pub mod toy_text;
pub mod vizdoom;

use crate::engine::Registry;

/// Every task of this release.
pub fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.add(classic_control::cart_pole::tasks());
    registry.add(classic_control::mountain_car::tasks());
    registry.add(classic_control::mountain_car_continuous::tasks());
    registry.add(classic_control::pendulum::tasks());
    registry.add(classic_control::acrobot::tasks());
    registry.add(toy_text::frozen_lake::tasks());
    registry.add(toy_text::taxi::tasks());
    registry.add(toy_text::cliff_walking::tasks());
    registry.add(toy_text::blackjack::tasks());
    registry.add(toy_text::n_chain::tasks());
    registry.add(atari::tasks());
    registry.add(bsuite::catch::tasks());
    registry.add(mpe::simple_spread::tasks());
    registry.add(mpe::simple_speaker_listener::tasks());
    registry.add(minigrid::tasks());
    registry.add(mujoco::tasks());
    registry.add(box2d::tasks());
    registry.add(dm_control::tasks());
    registry.add(vizdoom::tasks());
    registry.add(testing::scripted::tasks());
    registry.add(testing::echo::tasks());
    registry
}
