//! Which lane plays what, spelled out.

use super::Part;

/// Task and options of each lane.
pub struct LaneTasks(Vec<(usize, String)>);

impl LaneTasks {
    /// Those of these parts, one after the other.
    pub fn new(parts: &[Part<'_>]) -> Self {
        let mut end = 0;
        let described = parts.iter().map(|part| {
            end += part.num_envs;
            (end, part.describe())
        });
        Self(described.collect())
    }

    /// Task and options of a lane.
    pub fn of(&self, lane: usize) -> &str {
        &self.0[self.0.partition_point(|(end, _)| *end <= lane)].1
    }
}
