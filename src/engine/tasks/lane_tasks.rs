//! Which lane plays what, spelled out.

use crate::tasks::group::Group;

/// Task and options of each lane.
pub struct LaneTasks(Vec<(usize, String)>);

impl LaneTasks {
    /// Those of these groups, one after the other.
    pub fn new(groups: &[Group<'_>]) -> Self {
        Self::of_runs(groups.iter().map(|group| (group.num_envs, group.describe())).collect())
    }

    /// So many lanes that all play the same, then so many others.
    pub fn of_runs(runs: Vec<(usize, String)>) -> Self {
        let mut end = 0;
        let described = runs.into_iter().map(|(lanes, task)| {
            end += lanes;
            (end, task)
        });
        Self(described.collect())
    }

    /// Task and options of a lane.
    pub fn of(&self, lane: usize) -> &str {
        &self.0[self.0.partition_point(|(end, _)| *end <= lane)].1
    }
}
