//! The environments, one file each, and the table of tasks.

pub mod classic_control;
pub mod mpe;

use crate::engine::Registry;

/// Every task of this release.
pub fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.add(classic_control::cart_pole::tasks());
    registry.add(classic_control::mountain_car::tasks());
    registry.add(classic_control::mountain_car_continuous::tasks());
    registry.add(classic_control::pendulum::tasks());
    registry.add(classic_control::acrobot::tasks());
    registry.add(mpe::simple_spread::tasks());
    registry.add(mpe::simple_speaker_listener::tasks());
    registry
}
