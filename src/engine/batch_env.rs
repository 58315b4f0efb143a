//! What the pool calls: many lanes of one environment behind one virtual call per chunk.

/// Many lanes of one environment.
pub trait BatchEnv: Send + Sync {}
