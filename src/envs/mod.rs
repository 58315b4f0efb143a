//! The environments, one file each, and the table of tasks.

pub mod mpe;

use crate::engine::Registry;

/// Every task of this release.
pub fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.add(mpe::simple_spread::tasks());
    registry.add(mpe::simple_speaker_listener::tasks());
    registry
}
