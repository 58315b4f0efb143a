//! The environments, one file each, and the table of tasks.

use crate::engine::Registry;

/// Every task of this release.
pub fn registry() -> Registry {
    let registry = Registry::default();
    registry
}
