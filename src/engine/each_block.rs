//! [`BatchEnv`] for an [`Kernel`]: blocks of lanes in SIMD registers.

use super::{BatchEnv, Kernel};

/// Lanes of an [`Kernel`].
pub struct EachBlock<E: Kernel> {
    env: E,
}

impl<E: Kernel> EachBlock<E> {
    /// `lanes` lanes of `env`.
    pub fn new(env: E, _lanes: usize) -> Self {
        Self { env }
    }
}

impl<E: Kernel> BatchEnv for EachBlock<E> {}
