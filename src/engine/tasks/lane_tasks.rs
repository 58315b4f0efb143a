//! Which lane plays what, spelled out.

use crate::engine::tasks::group::Group;

/// Task and options of each lane.
pub struct LaneTasks(Vec<(usize, String)>);

impl LaneTasks {
    /// Those of these groups, one after the other.
    pub fn new(groups: &[Group<'_>]) -> Self {
        let mut end = 0;
        let described = groups.iter().map(|group| {
            end += group.num_envs;
            (end, group.describe())
        });
        Self(described.collect())
    }

    /// So many lanes that all play the same.
    pub fn alike(lanes: usize, task: String) -> Self {
        Self(vec![(lanes, task)])
    }

    /// Task and options of a lane.
    pub fn of(&self, lane: usize) -> &str {
        &self.0[self.0.partition_point(|(end, _)| *end <= lane)].1
    }
}
