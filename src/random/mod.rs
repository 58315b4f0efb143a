//! numpy's random streams, bit for bit.

use serde::{Deserialize, Serialize};

/// numpy's `Generator(PCG64(SeedSequence(seed)))`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generator {}
