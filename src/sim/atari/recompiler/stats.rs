//! Size and compile time of a code cache.

use std::time::Duration;

/// Number of bytes of code after which a cartridge's code cache is cleared. Code that is needed later is compiled again.
pub(crate) const MAX_CODE_BYTES: usize = 4 << 20;

/// Statistics of a code cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Number of bytes of code that currently exist.
    pub bytes: usize,
    /// Number of compilations.
    pub compilations: usize,
    /// Number of generations: one, plus one for each time that the cache was full.
    pub generations: usize,
    /// Total compile time.
    pub time: Duration,
}
