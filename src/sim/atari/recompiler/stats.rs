//! Statistics of a code cache: size and compile time of its code.

use std::time::Duration;

/// Number of bytes of code after which a cartridge's code cache is cleared. Code that is needed after clearing is compiled
/// again.
pub(crate) const MAX_CODE_BYTES: usize = 4 << 20;

/// Statistics of a code cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Number of bytes of code that currently exist.
    pub bytes: usize,
    /// Number of compilations so far.
    pub compilations: usize,
    /// Number of generations: one, plus one for each time that the cache was full.
    pub generations: usize,
    /// Total time spent in compilations.
    pub time: Duration,
}
