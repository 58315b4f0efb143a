//! [`BatchEnv`] for an [`Env`]: one lane after the other.

use super::{BatchEnv, Env};

/// Lanes of an [`Env`].
pub struct EachLane<E: Env> {
    env: E,
}

impl<E: Env> EachLane<E> {
    /// `lanes` lanes of `env`.
    pub fn new(env: E, _lanes: usize) -> Self {
        Self { env }
    }
}

impl<E: Env> BatchEnv for EachLane<E> {}
